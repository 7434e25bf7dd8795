"""From state machines to a system: one process per slot, one transition per way to execute an edge.

Transitions are in SPIN's order: the youngest process first, its edges as its state machine lists them, and the partners
of a handshake likewise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from scrimp.frontends.old_values import OldValues
from scrimp.frontends.promela import syntax
from scrimp.frontends.promela.aliases import Aliases
from scrimp.frontends.promela.d_steps import Body, after_first, guard_of, inner_transitions, straight_effect
from scrimp.frontends.promela.edges import Automaton, DStep, Edge
from scrimp.frontends.promela.expressions import Lowering, folded, truth_of
from scrimp.frontends.promela.handshakes import Half, exchange, halves, sent_values
from scrimp.frontends.promela.numbering import Numbering, field_types
from scrimp.frontends.promela.plan import Plan
from scrimp.frontends.promela.problems import problem
from scrimp.frontends.promela.steps import Alternative, Steps, initial_values
from scrimp.frontends.promela.storage import extent, leaves, range_of
from scrimp.frontends.promela.syntax import ChannelShape, Program, Structure, Symbol
from scrimp.frontends.promela.told import channel_name, field_names, vocabulary
from scrimp.frontends.promela.uses import Uses, mentions_last, mentions_timeout, uses
from scrimp.frontends.promela.world import ABSENT, Instance, World, plain_name
from scrimp.system import system as ir
from scrimp.system.expressions import FALSE, TRUE, At, Constant, Expression, Unary, conjunction, disjunction
from scrimp.system.reference import EvaluationFault, State, evaluate
from scrimp.system.statements import Assert, Assign, Place, Statement
from scrimp.system.system import Kind, Move, Position, System, Transition
from scrimp.vocabulary import Handshake, Vocabulary

CLAIM_COMPLETED = "the never claim is completed"


@dataclass(frozen=True)
class Lowered:
    """A model's system, what it was made from, and how to tell of it: see `Model`."""

    system: System
    world: World
    aliases: Aliases
    vocabulary: Vocabulary
    statements: dict[Move, int]

    def scope(self) -> Lowering:
        """Lowers expressions outside all processes."""
        return Lowering(self.world, self.aliases, None, lambda instance: FALSE)


def lower(name: str, program: Program, automata: Mapping[str, Automaton], plan: Plan, claim: str | None) -> Lowered:
    """The system of a model with room for what is in the plan, watched by a claim where one is named."""
    return _Lowerer(program, automata, plan, claim).lowered(name)


class _Lowerer:
    def __init__(self, program: Program, automata: Mapping[str, Automaton], plan: Plan, claim: str | None) -> None:
        if not plan.slots:
            raise problem(Position(1, 1), "no process is ever started: expected init or an active proctype")
        running = {name: machine for name, machine in automata.items() if name == claim or _is_run(program, name)}
        self.uses: Uses = uses(program, running.values())
        self.world = World(program, automata, plan, Numbering(program))
        self.world.unread = {symbol for symbol in self._hidden(program) if symbol not in self.uses.read}
        self.claim = None if claim is None else self.world.claim_instance(claim)
        self._declare()
        self.aliases = Aliases(self.world)
        self.steps = {id(i): Steps(self._lowering(i), i) for i in self._everybody()}
        self._inner_places: dict[tuple[int, str, int, int, int], int] = {}
        self._known_alone: dict[tuple[int, str, int, int], Expression] = {}
        self.old = OldValues(self.world.storage.variables)
        self.receivers = self._all_receivers()
        self.statements: dict[Move, int] = {}
        self.handshakes: dict[tuple[tuple[Move, ...], Expression], Handshake] = {}
        if mentions_last(program.proctypes):  # in what never runs, too: so does SPIN
            self.world.last_variable()

    @staticmethod
    def _hidden(program: Program) -> list[Symbol]:
        symbols = [*program.globals, *(symbol for proctype in program.proctypes for symbol in proctype.locals)]
        return [symbol for symbol in symbols if symbol.hidden]

    def _lowering(self, instance: Instance | None) -> Lowering:
        return Lowering(self.world, self.aliases, instance, self._executable)

    def _everybody(self) -> list[Instance]:
        return [*self.world.instances, *([] if self.claim is None else [self.claim])]

    def _declare(self) -> None:
        """Give every variable its place, but for those that keep one value as long as their process lives."""
        for symbol in self.world.program.globals:
            self._declare_symbol(None, "", symbol)
        for instance in self._everybody():
            fixed = self._foreseen_arguments(instance)
            alone = instance is self.claim or len(self.world.slots[instance.slot]) == 1
            prefix = "" if alone else f"{instance.name}."
            for number, symbol in enumerate(instance.proctype.locals):
                if symbol not in self.uses.written and not isinstance(symbol.type, Structure) and symbol.length is None:
                    value = fixed.get(number) if number < instance.proctype.parameters else _constant_initial(symbol)
                    if value is not None:
                        self.world.storage.fixed[instance.slot, (symbol,)] = range_of(symbol.type).wrap(value)
                self._declare_symbol(instance.slot, prefix, symbol)

    def _declare_symbol(self, slot: int | None, prefix: str, symbol: Symbol) -> None:
        is_channel = isinstance(symbol.initial, ChannelShape) and symbol not in self.uses.written
        if not is_channel:
            self.world.storage.declare(slot, prefix, symbol, {})

    def _foreseen_arguments(self, instance: Instance) -> dict[int, int]:
        """The parameters that are the same however a slot's process is started."""
        given: list[tuple[int | None, ...]] = [
            arguments
            for start, arguments in self.world.plan.starts.items()
            if start.slot == instance.slot and len(arguments) == instance.proctype.parameters
        ]
        if instance.slot < self._active_slots():
            given.append((0,) * instance.proctype.parameters)
        columns = [set(column) for column in zip(*given, strict=True)]
        single = {number: next(iter(column)) for number, column in enumerate(columns) if len(column) == 1}
        return {number: value for number, value in single.items() if value is not None}

    def _active_slots(self) -> int:
        return sum(p.active for p in self.world.program.proctypes if p.kind != "claim")

    def _all_receivers(self) -> dict[int, list[Half]]:
        """The receives that can take part in handshakes, by slot."""
        result: dict[int, list[Half]] = {}
        for instance in self.world.instances:
            for state, ordinal, edge in _edges(instance):
                if isinstance(edge.statement, syntax.Receive | DStep):
                    result.setdefault(instance.slot, []).extend(halves(self._steps(instance), state, ordinal, edge))
        return result

    def _steps(self, instance: Instance) -> Steps:
        return self.steps[id(instance)]

    def lowered(self, name: str) -> Lowered:
        transitions = [t for instance in reversed(self.world.instances) for t in self._transitions(instance)]
        if self.claim is not None:
            transitions += self._claim_transitions(self.claim)
        offers = self._offers()
        if self.world.last is not None:
            transitions = [self._with_last(transition) for transition in transitions]
        system = System(
            name=name,
            variables=(),
            channels=tuple(
                ir.Channel(channel_name(self.world, c), c.shape.capacity, tuple(map(range_of, field_types(c.shape))))
                for c in self.world.buffered
            ),
            processes=self._processes(),
            transitions=tuple(transitions),
            valid_end=self.world.valid_end(),
            offers=offers,
            claim=None if self.claim is None else self.claim.slot,
        )
        system = replace(system, variables=self._initialised(system))
        handshakes = {
            event: self.handshakes[transition.moves, transition.guard]
            for event, transition in enumerate(transitions)
            if (transition.moves, transition.guard) in self.handshakes
        }
        words = vocabulary(self.world, self._everybody(), handshakes)
        return Lowered(system, self.world, self.aliases, words, self.statements)

    def _processes(self) -> tuple[ir.Process, ...]:
        result = []
        for slot, instances in enumerate(self.world.slots):
            name = instances[0].told if len(instances) == 1 else f"process:{slot}"
            initial = instances[0].locations[instances[0].automaton.initial] if slot < self._active_slots() else ABSENT
            result.append(ir.Process(name, tuple(self.world.location_names[slot]), initial))
        if self.claim is not None:
            initial = self.claim.locations[self.claim.automaton.initial]
            result.append(ir.Process(self.claim.told, tuple(self.world.location_names[-1]), initial))
        return tuple(result)

    def _transitions(self, instance: Instance) -> Iterator[Transition]:
        """The transitions that an instance leads, handshakes in which it sends among them."""
        for state, ordinal, edge in _edges(instance):
            tried = self._tried(instance, state, ordinal)
            if tried == FALSE:
                continue
            if isinstance(edge.statement, DStep):
                yield from self._d_step(instance, state, ordinal, edge, tried)
                continue
            for alternative in self._alternatives(instance, state, ordinal):
                guard = conjunction(tried, alternative.guard)
                if guard != FALSE and alternative.guard != FALSE:
                    yield self._transition(instance, state, edge, alternative._replace(guard=guard))
            if isinstance(edge.statement, syntax.Send):
                for sender in halves(self._steps(instance), state, ordinal, edge):
                    yield from self._handshakes(instance, sender, tried)

    def _alternatives(self, instance: Instance, state: int, ordinal: int) -> list[Alternative]:
        """How an edge can be executed by its process alone; of a `d_step` only the guard is right."""
        edge = instance.automaton.edges[state][ordinal]
        if isinstance(edge.statement, syntax.Else):
            return [Alternative(self._nothing_before(instance, state, ordinal))]
        if isinstance(edge.statement, DStep):
            guard = guard_of(
                self._steps(instance), edge.statement, lambda: self._nothing_before(instance, state, ordinal)
            )
            return [Alternative(guard)]
        return self._steps(instance).of_edge(edge)

    def _alone(self, instance: Instance, state: int, ordinal: int) -> Expression:
        """Whether an edge can be executed by its process alone."""
        key = (instance.slot, instance.name, state, ordinal)
        if key not in self._known_alone:
            guards = [alternative.guard for alternative in self._alternatives(instance, state, ordinal)]
            self._known_alone[key] = disjunction(*guards)
        return self._known_alone[key]

    def _nothing_before(self, instance: Instance, state: int, ordinal: int) -> Expression:
        """Whether no edge before this one can be executed."""
        return conjunction(*(folded(Unary("!", self._executable_edge(instance, state, n))) for n in range(ordinal)))

    def _tried(self, instance: Instance, state: int, ordinal: int) -> Expression:
        """Whether SPIN comes to try an edge: the process may run at all, and no escape takes precedence."""
        provided = instance.proctype.provided
        allowed = TRUE if provided is None else truth_of(self._steps(instance).lowering.value(provided))
        edges = instance.automaton.edges[state]
        tests = [allowed]
        for earlier in range(ordinal):
            if edges[earlier].escape and any(
                edges[n].escape != edges[earlier].escape for n in range(earlier + 1, ordinal + 1)
            ):
                tests.append(folded(Unary("!", self._executable_edge(instance, state, earlier))))
        return FALSE if FALSE in tests else conjunction(*tests)

    def _executable_edge(self, instance: Instance, state: int, ordinal: int) -> Expression:
        edge = instance.automaton.edges[state][ordinal]
        accepted = [
            guard
            for sender in halves(self._steps(instance), state, ordinal, edge)
            if isinstance(edge.statement, syntax.Send)
            for _, guard, _ in self._partners(instance, sender)
        ]
        return disjunction(self._alone(instance, state, ordinal), *accepted)

    def _executable(self, instance: Instance) -> Expression:
        """Whether a process can move, as `enabled()` means it."""
        tests = [
            conjunction(At(instance.slot, instance.locations[state]), self._alone(instance, state, ordinal))
            for state, ordinal, edge in _edges(instance)
        ]
        return disjunction(*tests)

    def _transition(self, instance: Instance, state: int, edge: Edge, alternative: Alternative) -> Transition:
        moves = [self._move(instance, state, edge)]
        if alternative.other is not None:
            moves.append(alternative.other)
        return Transition(
            tuple(moves),
            alternative.guard,
            alternative.effect,
            alternative.kind,
            holder=instance.slot if edge.atomic else None,
        )

    def _move(self, instance: Instance, state: int, edge: Edge) -> Move:
        target = instance.locations[edge.target] if edge.target else ABSENT
        source = instance.locations[state]
        move = Move(instance.slot, source, target, edge.text, edge.position, instance.told)
        self.statements[move] = edge.identifier
        return move

    def _d_step(
        self, instance: Instance, state: int, ordinal: int, edge: Edge, tried: Expression
    ) -> Iterator[Transition]:
        step = edge.statement
        assert isinstance(step, DStep)
        steps = self._steps(instance)
        guard = conjunction(tried, self._alone(instance, state, ordinal))
        if not Body(step).loop_heads():
            effect = straight_effect(steps, step)
            yield self._transition(instance, state, edge, Alternative(guard, effect, Kind.OTHER))
            return
        stops, inner = inner_transitions(steps, step)
        places = {stop: self._inner_place(instance, state, edge, stop) for stop in stops}
        move = self._move(instance, state, edge)
        begins = replace(move, target=places[0])
        self.statements[begins] = edge.identifier
        yield Transition((begins,), guard, (), Kind.OTHER, holder=instance.slot, steps=0)
        for transition in inner:
            ended = transition.target is None
            inside = replace(
                move,
                source=places[transition.source],
                target=move.target if transition.target is None else places[transition.target],
            )
            holder = instance.slot if edge.atomic or not ended else None
            steps_taken = int(ended)
            yield Transition(
                (inside,), transition.guard, transition.effect, Kind.OTHER, holder=holder, steps=steps_taken
            )

    def _inner_place(self, instance: Instance, state: int, edge: Edge, stop: int) -> int:
        """The location of a node inside a `d_step`."""
        key = (instance.slot, instance.name, state, edge.identifier, stop)
        if key not in self._inner_places:
            name = f"{plain_name(instance.proctype)}.s{state}.{edge.identifier}.{stop}"
            self._inner_places[key] = self.world.add_location(instance.slot, name)
        return self._inner_places[key]

    def _handshakes(self, instance: Instance, sender: Half, tried: Expression) -> Iterator[Transition]:
        passed = Handshake(
            channel_name(self.world, sender.channel), sent_values(sender), field_names(self.world, sender.channel)
        )
        for receiver, accepted, effect in self._partners(instance, sender):
            other = receiver.steps.instance
            move, further, goes_on = self._accepted(receiver)
            moves = self._move(instance, sender.state, sender.edge), move
            guard = conjunction(tried, accepted)
            self.handshakes[moves, guard] = passed
            yield Transition(
                moves,
                guard,
                (*effect, *further),
                Kind.SEND,
                holder=other.slot if goes_on else None,
                steps=2 if move.target in receiver.steps.instance.locations.values() else 1,
            )

    def _accepted(self, receiver: Half) -> tuple[Move, tuple[Statement, ...], bool]:
        """What the receiver of a handshake does besides: a `d_step` that begins with the receive goes on."""
        instance, edge = receiver.steps.instance, receiver.edge
        move = self._move(instance, receiver.state, edge)
        if not isinstance(edge.statement, DStep):
            return move, (), edge.atomic
        if not Body(edge.statement).loop_heads():
            return move, straight_effect(receiver.steps, edge.statement, edge.statement.nodes[0].then), edge.atomic
        effect, stop = after_first(receiver.steps, edge.statement)
        if stop is None:
            return move, effect, edge.atomic
        inside = replace(move, target=self._inner_place(instance, receiver.state, edge, stop))
        self.statements[inside] = edge.identifier
        return inside, effect, True

    def _partners(self, instance: Instance, sender: Half) -> Iterator[tuple[Half, Expression, tuple[Statement, ...]]]:
        """Those who may take what a sender offers, with when they do and what happens; the youngest process first."""
        for slot in range(len(self.world.slots) - 1, -1, -1):
            if slot == instance.slot:
                continue
            for receiver in self.receivers.get(slot, ()):
                if receiver.channel is not sender.channel:
                    continue
                matches, effect = exchange(sender, receiver, self.old)
                tried = self._tried_in_handshake(sender, receiver)
                tests = (sender.test, receiver.test, tried, matches)
                if FALSE not in tests:
                    here = At(slot, receiver.steps.instance.locations[receiver.state])
                    yield receiver, conjunction(here, *tests), effect

    def _tried_in_handshake(self, sender: Half, receiver: Half) -> Expression:
        """Whether SPIN comes to try a receive in the middle of a handshake: other receives may be escapes that take
        precedence."""
        instance = receiver.steps.instance
        provided = instance.proctype.provided
        tests = [TRUE if provided is None else truth_of(receiver.steps.lowering.value(provided))]
        for other in self.receivers[instance.slot]:
            earlier = (other.steps, other.state) == (
                receiver.steps,
                receiver.state,
            ) and other.ordinal < receiver.ordinal
            if earlier and other.channel is sender.channel and other.edge.escape not in (0, receiver.edge.escape):
                tests.append(folded(Unary("!", conjunction(other.test, exchange(sender, other, self.old)[0]))))
        return FALSE if FALSE in tests else conjunction(*tests)

    def _offers(self) -> tuple[tuple[int, Expression], ...]:
        result = []
        for slot, instances in enumerate(self.world.slots):
            tests = [
                conjunction(At(slot, instance.locations[state]), self._tried(instance, state, ordinal), half.test)
                for instance in instances
                for state, ordinal, edge in _edges(instance)
                if isinstance(edge.statement, syntax.Send)
                for half in halves(self._steps(instance), state, ordinal, edge)
            ]
            if tests:
                result.append((slot, disjunction(*tests)))
        return tuple(result)

    def _claim_transitions(self, claim: Instance) -> Iterator[Transition]:
        """The claim's own moves; to come to its end is a violation."""
        for state, ordinal, edge in _edges(claim):
            if state in claim.automaton.end_states:
                continue
            if edge.atomic or mentions_timeout(edge.statement):
                what = "an atomic sequence" if edge.atomic else "timeout"
                raise problem(edge.position, f"{what} in a never claim is not supported")
            done = edge.target in claim.automaton.end_states
            completed = (Assert(FALSE, CLAIM_COMPLETED, fatal=False),) if done else ()
            for alternative in self._alternatives(claim, state, ordinal):
                effect = (*alternative.effect, *completed)
                yield self._transition(claim, state, edge, alternative._replace(effect=effect))

    def _with_last(self, transition: Transition) -> Transition:
        assert self.world.last is not None
        mover = transition.moves[-1] if transition.kind is Kind.SEND else transition.moves[0]
        if self.claim is not None and mover.process == self.claim.slot:
            return transition
        last = Assign(Place(self.world.last), Constant(mover.process))
        return replace(transition, effect=(*transition.effect, last))

    def _initialised(self, system: System) -> tuple[ir.Variable, ...]:
        """The variables with their initial values, which may be given by those of others."""
        variables = self.world.storage.variables
        numbering = self.world.numbering
        for symbol in sorted(self.world.program.globals, key=numbering.order_of):
            self._initialise(system, None, symbol)
        alive = [instances[0] for instances in self.world.slots[: self._active_slots()]]
        for instance in (*alive, *([] if self.claim is None else [self.claim])):
            for symbol in instance.proctype.locals[instance.proctype.parameters :]:
                self._initialise(system, instance, symbol)
        return tuple(variables)

    def _initialise(self, system: System, instance: Instance | None, symbol: Symbol) -> None:
        storage = self.world.storage
        slot = None if instance is None else instance.slot
        given = initial_values(self._lowering(instance), instance, symbol)
        for leaf in leaves(symbol):
            number = storage.variable(slot, leaf)
            if number is None:
                continue
            values = [variable.initial for variable in storage.variables]
            # The processes that come later are not there yet.
            there = [p.initial if slot is not None and n <= slot else ABSENT for n, p in enumerate(system.processes)]
            start = State(tuple(there), tuple(values), tuple(() for _ in system.channels))
            whole = replace(system, variables=tuple(storage.variables))
            try:
                results = [evaluate(whole, start, expression) for expression in given[leaf]]
            except EvaluationFault as fault:
                raise problem(symbol.position, f"the initial value of '{symbol.name}' has no value: {fault}") from None
            type_ = storage.variables[number].type
            storage.variables[number] = replace(
                storage.variables[number], initial=tuple(type_.wrap(value) for value in results[: extent(leaf) or 1])
            )


def _is_run(program: Program, name: str) -> bool:
    return any(p.name == name and p.kind != "claim" for p in program.proctypes)


def _edges(instance: Instance) -> Iterator[tuple[int, int, Edge]]:
    for state, edges in instance.automaton.edges.items():
        for ordinal, edge in enumerate(edges):
            yield state, ordinal, edge


def _constant_initial(symbol: Symbol) -> int | None:
    """The value of a local that is never written, where it is plain."""
    if symbol.initial is None:
        return 0
    return symbol.initial.value if isinstance(symbol.initial, syntax.Number) else None
