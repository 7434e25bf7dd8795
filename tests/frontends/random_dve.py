"""Random DVE models with their meaning.

A term is a function of the state beside its text, and a step is taken as docs/dve.md says. So the expected behaviour of
a model is found without the front end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from random import Random

Name = tuple[str | None, str]
"""The process of a variable or a channel, None for a global one, and its name."""


@dataclass
class State:
    locations: dict[str, str]
    values: dict[Name, list[int]]
    buffers: dict[Name, list[tuple[int, ...]]]

    def copy(self) -> State:
        values = {name: list(elements) for name, elements in self.values.items()}
        return State(dict(self.locations), values, {name: list(held) for name, held in self.buffers.items()})

    def key(self) -> tuple[object, ...]:
        values = chain.from_iterable(self.values.values())
        return (*self.locations.values(), *values, *map(tuple, self.buffers.values()))


@dataclass(frozen=True)
class Term:
    written: str
    value: Callable[[State], int]


@dataclass(frozen=True)
class Target:
    written: str
    put: Callable[[State, int], None]


@dataclass(frozen=True)
class Variable:
    name: Name
    type: str
    initial: tuple[int, ...]
    array: bool

    @property
    def written(self) -> str:
        if not self.array:
            return f"{self.type} {self.name[1]} = {self.initial[0]};"
        return f"{self.type} {self.name[1]}[{len(self.initial)}] = {{{', '.join(map(str, self.initial))}}};"


@dataclass(frozen=True)
class Channel:
    """`types` is None if it is untyped: then it carries `width` values by rendezvous."""

    name: Name
    types: tuple[str, ...] | None
    capacity: int
    width: int

    @property
    def written(self) -> str:
        typed = f"{{{', '.join(self.types)}}} {self.name[1]}[{self.capacity}]" if self.types else self.name[1]
        return f"channel {typed};"

    def carried(self, values: list[int]) -> tuple[int, ...]:
        return tuple(map(into_range, self.types, values)) if self.types else tuple(values)


@dataclass(frozen=True)
class Communication:
    """It sends the terms, or receives into the targets; the others are empty."""

    channel: Channel
    sends: bool
    terms: tuple[Term, ...]
    targets: tuple[Target, ...]
    written: str


@dataclass(frozen=True)
class Step:
    process: str
    source: str
    target: str
    guards: tuple[Term, ...]
    communication: Communication | None
    effect: tuple[tuple[Target, Term], ...]

    @property
    def written(self) -> str:
        guard = f"guard {', '.join(guard.written for guard in self.guards)}; " if self.guards else ""
        sync = f"sync {self.communication.written}; " if self.communication else ""
        effect = ", ".join(f"{place.written} = {value.written}" for place, value in self.effect)
        return f"{self.source} -> {self.target} {{ {guard}{sync}{f'effect {effect}; ' if effect else ''}}}"

    def possible(self, state: State) -> bool:
        return state.locations[self.process] == self.source and all(guard.value(state) for guard in self.guards)

    def have_effect(self, state: State) -> None:
        for place, value in self.effect:
            place.put(state, value.value(state))


@dataclass
class DveModel:
    processes: tuple[str, ...]
    variables: list[Variable] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    committed: set[tuple[str, str]] = field(default_factory=set)
    steps: list[Step] = field(default_factory=list)

    @property
    def written(self) -> str:
        return "\n".join((*self._declared(None), *map(self._process, self.processes), "system async;"))

    def _declared(self, owner: str | None) -> Iterator[str]:
        declared: list[Variable | Channel] = [*self.variables, *self.channels]
        return (part.written for part in declared if part.name[0] == owner)

    def _process(self, name: str) -> str:
        states = [state for process, state in sorted(self.committed) if process == name]
        commit = f"commit {', '.join(states)};" if states else ""
        steps = ",\n".join(step.written for step in self.steps if step.process == name)
        declared = " ".join(self._declared(name))
        return f"process {name} {{ {declared} state {', '.join(STATES)}; init {STATES[0]}; {commit} trans\n{steps};\n}}"

    def initial(self) -> State:
        values = {variable.name: list(variable.initial) for variable in self.variables}
        return State(dict.fromkeys(self.processes, STATES[0]), values, {channel.name: [] for channel in self.channels})

    def explored(self, limit: int) -> tuple[int, int, int] | None:
        """How many states, transitions and deadlocks there are; None if there are more states than the limit."""
        todo = [self.initial()]
        seen = {todo[0].key()}
        transitions = deadlocks = 0
        while todo:
            following = list(self.successors(todo.pop()))
            transitions += len(following)
            deadlocks += not following
            for state in following:
                if state.key() not in seen:
                    seen.add(state.key())
                    todo.append(state)
            if len(seen) > limit:
                return None
        return len(seen), transitions, deadlocks

    def successors(self, state: State) -> Iterator[State]:
        """While a process is in a committed state, all processes that take part in a step must be in one."""
        urgent = any(place in self.committed for place in state.locations.items())
        for steps in self._meetings(state):
            if not urgent or all((step.process, step.source) in self.committed for step in steps):
                yield _taken(state, steps)

    def _meetings(self, state: State) -> Iterator[tuple[Step, ...]]:
        """The steps that are possible alone, and pairs of a sender and a receiver on a rendezvous channel."""
        possible = [step for step in self.steps if step.possible(state)]
        for step in possible:
            match step.communication:
                case None:
                    yield (step,)
                case Communication(channel, sends) if channel.capacity:
                    held = len(state.buffers[channel.name])
                    if (held < channel.capacity) if sends else held:
                        yield (step,)
                case Communication(channel, True):
                    yield from ((step, other) for other in possible if _receives(other, channel, step.process))


def into_range(type_: str, value: int) -> int:
    return value % 256 if type_ == "byte" else (value + 2**15) % 2**16 - 2**15


def _receives(step: Step, channel: Channel, sender: str) -> bool:
    use = step.communication
    return use is not None and not use.sends and use.channel == channel and step.process != sender


def _taken(state: State, steps: tuple[Step, ...]) -> State:
    """First the values are passed, then come the effects of the receiver and of the sender; in the end all have
    moved."""
    following = state.copy()
    communications = [step.communication for step in steps if step.communication is not None]
    for use in communications:
        if use.sends:
            values = use.channel.carried([term.value(state) for term in use.terms])
            following.buffers[use.channel.name].append(values)
    for use in communications:
        if not use.sends:
            for place, value in zip(use.targets, following.buffers[use.channel.name].pop(0), strict=True):
                place.put(following, value)
    for step in reversed(steps):
        step.have_effect(following)
    following.locations |= {step.process: step.target for step in steps}
    return following


STATES = ("s", "t", "u")
_TYPES = ("byte", "int")
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    "and": lambda a, b: bool(a and b),
    "||": lambda a, b: bool(a or b),
    "imply": lambda a, b: bool(not a or b),
}
_UNARY: dict[str, Callable[[int], int]] = {"not": lambda a: not a, "-": lambda a: -a, "~": lambda a: ~a}


def random_model(seed: int) -> DveModel:
    return _Maker(Random(seed)).model


class _Maker:
    """Names of variables and channels are few, so that those of processes hide global ones."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.model = DveModel(("P", "Q", "R")[: random.randint(2, 3)])
        for owner in (None, *self.model.processes):
            for name in random.sample("abcd", random.randint(1, 3)):
                self.model.variables.append(self._variable((owner, name)))
        for name in random.sample("klm", random.randint(1, 3)):
            self.model.channels.append(self._channel((random.choice((None, *self.model.processes)), name)))
        for process in self.model.processes:
            self.model.committed |= {(process, state) for state in STATES if random.random() < 0.1}
            self.model.steps += [self._step(process, None) for _ in range(random.randint(2, 4))]
        for channel in self.model.channels:
            for process, sends in zip(random.sample(self.model.processes, 2), (True, False), strict=True):
                self.model.steps += [self._step(process, self._communication(process, channel, sends))]

    def _variable(self, name: Name) -> Variable:
        array = self.random.random() < 0.3
        initial = tuple(self.random.randint(0, 2) for _ in range(2 if array else 1))
        return Variable(name, self.random.choice(_TYPES), initial, array)

    def _channel(self, name: Name) -> Channel:
        if self.random.random() < 0.4:
            return Channel(name, None, 0, self.random.randint(0, 2))
        types = tuple(self.random.choices(_TYPES, k=self.random.randint(1, 2)))
        return Channel(name, types, self.random.choice((0, 0, 1, 2)), len(types))

    def _step(self, process: str, use: Communication | None) -> Step:
        source, target = self.random.choices(STATES, weights=(3, 2, 2), k=2)
        guards = tuple(self._term(process, 3) for _ in range(self.random.choice((0, 0, 0, 1, 2, 3))))
        effect = tuple((self._target(process), self._small(process)) for _ in range(self.random.choice((0, 1, 1, 2))))
        return Step(process, source, target, guards, use, effect)

    def _communication(self, process: str, channel: Channel, sends: bool) -> Communication:
        owner, name = channel.name
        name = name if owner in (None, process) else f"{owner}->{name}"
        if sends:
            terms = tuple(self._term(process, 2) for _ in range(channel.width))
            return Communication(channel, True, terms, (), f"{name}!{_list([term.written for term in terms])}")
        targets = tuple(self._target(process) for _ in range(channel.width))
        return Communication(channel, False, (), targets, f"{name}?{_list([place.written for place in targets])}")

    def _visible(self, process: str) -> Variable:
        """One that the process can name: its own variables and channels hide global ones."""
        own = {variable.name[1]: variable for variable in self.model.variables if variable.name[0] == process}
        everywhere = {variable.name[1]: variable for variable in self.model.variables if variable.name[0] is None}
        return self.random.choice(list((everywhere | own).values()))

    def _target(self, process: str) -> Target:
        variable = self._visible(process)
        subscript, index = self._index(process, variable)

        def put(state: State, value: int) -> None:
            state.values[variable.name][index(state)] = into_range(variable.type, value)

        return Target(variable.name[1] + subscript, put)

    def _index(self, process: str, variable: Variable) -> tuple[str, Callable[[State], int]]:
        """An array without an index is its first element."""
        if not variable.array or self.random.random() < 0.2:
            return "", lambda state: 0
        term = self._term(process, 1)
        return f"[({term.written}) & 1]", lambda state: term.value(state) & 1

    def _small(self, process: str) -> Term:
        """So that models stay small."""
        term = self._term(process, 2)
        return Term(f"({term.written}) & 3", lambda state: term.value(state) & 3)

    def _term(self, process: str, depth: int) -> Term:
        if depth == 0 or self.random.random() < 0.3:
            return self._operand(process)
        first = self._term(process, depth - 1)
        if self.random.random() < 0.2:
            unary = self.random.choice(list(_UNARY))
            return Term(f"{unary} ({first.written})", lambda state: int(_UNARY[unary](first.value(state))))
        second = self._term(process, depth - 1)
        binary = self.random.choice(list(_BINARY))
        return Term(
            f"({first.written}) {binary} ({second.written})",
            lambda state: int(_BINARY[binary](first.value(state), second.value(state))),
        )

    def _operand(self, process: str) -> Term:
        kind = self.random.randrange(6)
        if kind == 0:
            number = self.random.choice((0, 1, 2, 3, 255, 300))
            return Term(str(number), lambda state: number)
        if kind == 1 and self.random.random() < 0.5:
            variable = self.random.choice([variable for variable in self.model.variables if variable.name[0]])
            written = f"{variable.name[0]}->{variable.name[1]}"
            return Term(written, lambda state: state.values[variable.name][0])
        if kind == 1:
            other, location = self.random.choice(self.model.processes), self.random.choice(STATES)
            return Term(f"{other}.{location}", lambda state: int(state.locations[other] == location))
        variable = self._visible(process)
        subscript, index = self._index(process, variable)
        return Term(variable.name[1] + subscript, lambda state: state.values[variable.name][index(state)])


def _list(parts: list[str]) -> str:
    return "".join(parts) if len(parts) < 2 else f"{{{', '.join(parts)}}}"
