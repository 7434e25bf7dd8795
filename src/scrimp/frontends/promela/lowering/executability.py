"""When the edges of processes can be executed, alone or in a handshake, and whether SPIN tries them at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from scrimp.frontends.promela.automata.automaton import DStep
from scrimp.frontends.promela.lowering.aliases import Aliases
from scrimp.frontends.promela.lowering.d_steps import guard_of
from scrimp.frontends.promela.lowering.expressions import ExpressionLowering, folded
from scrimp.frontends.promela.lowering.handshakes import Half, halves
from scrimp.frontends.promela.lowering.partners import Partners
from scrimp.frontends.promela.lowering.problems import problem
from scrimp.frontends.promela.lowering.statements import Alternative, StatementLowering
from scrimp.frontends.promela.planning.world import Exit, Instance, World
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import FALSE, TRUE, Binary, Expression, Timeout, Unary, conjunction, disjunction


class Executability:
    """`timed_out` makes the value of `timeout` in processes. In a claim, `timeout` says whether no process can move
    without one."""

    def __init__(self, world: World, aliases: Aliases, timed_out: Callable[[], Expression] = Timeout) -> None:
        self._world = world
        self._aliases = aliases
        self._timed_out = timed_out
        self._statements = {(i.slot, i.name): StatementLowering(self.lowering(i), i) for i in world.everybody}
        self._known: dict[tuple[int, str, int, int], Expression] = {}
        self._without_superior: dict[tuple[int, str], Expression] = {}
        # The processes whose conditions are being lowered, each because the one before asks whether it can move.
        self._asked: set[tuple[int, str]] = set()
        self.partners = Partners(world, self.statements)

    def lowering(self, instance: Instance | None) -> ExpressionLowering:
        is_claim = instance is not None and instance is self._world.claim
        timed_out = (lambda: self._nobody_moves) if is_claim else self._timed_out
        return ExpressionLowering(self._world, self._aliases, instance, self._process, timed_out=timed_out)

    def outside(self) -> ExpressionLowering:
        """Lowers expressions that belong to no process; there, `timeout` means what it means in a claim."""
        world, aliases = self._world, self._aliases
        return ExpressionLowering(world, aliases, None, self._process, timed_out=lambda: self._nobody_moves)

    def statements(self, instance: Instance) -> StatementLowering:
        return self._statements[instance.slot, instance.name]

    def alternatives(self, exit_: Exit) -> list[Alternative]:
        """The alternatives of an edge without a handshake; for a `d_step`, only the guard is valid."""
        statements, statement = self.statements(exit_.instance), exit_.edge.statement
        if isinstance(statement, syntax.Else):
            return [Alternative(self._nothing_before(exit_))]
        if isinstance(statement, DStep):
            return [Alternative(guard_of(statements, statement, lambda: self._nothing_before(exit_)))]
        return statements.of_edge(exit_.edge)

    def alone(self, exit_: Exit) -> Expression:
        """Whether an edge can be executed without a handshake."""
        if exit_.key not in self._known:
            self._known[exit_.key] = disjunction(*(alternative.guard for alternative in self.alternatives(exit_)))
        return self._known[exit_.key]

    def tried(self, exit_: Exit) -> Expression:
        """Whether SPIN tries an edge: its process may run at all, and no escape takes precedence."""
        may_run = self.statements(exit_.instance).is_provided(), self._has_no_superior(exit_.instance)
        tests = (*may_run, self.not_escaped(exit_))
        return FALSE if FALSE in tests else conjunction(*tests)

    def not_escaped(self, exit_: Exit) -> Expression:
        """Whether no escape takes precedence over an edge."""
        tests = []
        edges = exit_.up_to_here()
        for earlier in edges[:-1]:
            escape = earlier.edge.escape
            if escape and any(later.edge.escape != escape for later in edges[earlier.ordinal + 1 :]):
                tests.append(folded(Unary("!", self._with_others(earlier))))
        return FALSE if FALSE in tests else conjunction(*tests)

    @cached_property
    def _nobody_moves(self) -> Expression:
        """Whether no process can move without a timeout."""
        without = Executability(self._world, self._aliases, timed_out=lambda: FALSE)
        ways = (
            conjunction(exit_.is_here, without.tried(exit_), without._with_others(exit_))
            for instance in self._world.instances
            for exit_ in instance.exits()
        )
        return folded(Unary("!", disjunction(*ways)))

    def offered(self, exit_: Exit) -> list[Half]:
        """The handshakes that an edge offers."""
        is_send = isinstance(exit_.edge.statement, syntax.Send)
        return halves(self.statements(exit_.instance), exit_) if is_send else []

    def offers(self) -> tuple[tuple[int, Expression], ...]:
        """For each slot whose process may offer a handshake, when it does."""
        result = []
        for slot, instances in enumerate(self._world.slots):
            tests = [
                conjunction(exit_.is_here, self.tried(exit_), half.test)
                for instance in instances
                for exit_ in instance.exits()
                for half in self.offered(exit_)
            ]
            if tests:
                result.append((slot, disjunction(*tests)))
        return tuple(result)

    def _nothing_before(self, exit_: Exit) -> Expression:
        """Whether no edge before this one can be executed."""
        return conjunction(*(folded(Unary("!", self._with_others(earlier))) for earlier in exit_.up_to_here()[:-1]))

    def _with_others(self, exit_: Exit) -> Expression:
        """Whether an edge can be executed, alone or in a handshake that it offers."""
        accepted = [partner.guard for sender in self.offered(exit_) for partner in self.partners.of(sender)]
        return disjunction(self.alone(exit_), *accepted)

    def _has_no_superior(self, instance: Instance) -> Expression:
        """Whether no process of a higher priority can move."""
        if not self._world.priorities:
            return TRUE
        key = instance.slot, instance.name
        if key not in self._without_superior:
            own = self._world.priorities[instance.slot]
            tests = []
            for other in self._world.instances:
                is_higher = folded(Binary(">", self._world.priorities[other.slot], own))
                if other.slot != instance.slot and is_higher != FALSE:
                    moves = conjunction(is_higher, self.statements(other).is_provided(), self._process(other))
                    tests.append(folded(Unary("!", moves)))
            self._without_superior[key] = conjunction(*tests)
        return self._without_superior[key]

    def _process(self, instance: Instance) -> Expression:
        """Whether a process can move, in the sense of `enabled()`."""
        key = instance.slot, instance.name
        if key in self._asked:
            found = f"whether {instance.display_name} can move depends on itself, by enabled()"
            raise problem(instance.proctype.position, f"{found}; expected processes that do not ask about each other")
        self._asked.add(key)
        tests = [conjunction(exit_.is_here, self.alone(exit_)) for exit_ in instance.exits()]
        self._asked.remove(key)
        return disjunction(*tests)
