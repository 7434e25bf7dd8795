"""The declarations of a random Promela model, and where they may be used."""

from __future__ import annotations

from dataclasses import dataclass, field

BITS = {"bit": 1, "bool": 1, "unsigned": 2, "byte": 8, "pid": 8, "mtype": 8, "short": 16, "int": 32}
NUMBERS = ("bit", "bool", "byte", "short", "int", "unsigned", "pid")


@dataclass(frozen=True, slots=True)
class Variable:
    """Something with a value: a variable, an element or a field. `{}` in the name stands for an index below each of
    `lengths`."""

    name: str
    type: str
    lengths: tuple[int, ...] = ()
    is_counter: bool = False
    """Whether it counts a bounded loop, which might not end if other statements changed it."""

    @property
    def is_number(self) -> bool:
        return self.type in NUMBERS

    def holds(self, field: str) -> bool:
        """Whether it holds every value of a message's field unchanged; a bit in a message may be a byte. When SPIN
        undoes a receive it puts the variable's value back into the message: a different value, if that was
        truncated."""
        return self.is_number == (field != "mtype") and BITS[self.type] >= max(BITS[field], BITS["byte"])

    @property
    def is_narrow(self) -> bool:
        """Whether its type has few values."""
        return self.type in ("bit", "bool", "unsigned")


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel, or a variable that holds one (then `is_variable`) of the same fields."""

    name: str
    fields: tuple[str, ...]
    is_rendezvous: bool
    lengths: tuple[int, ...] = ()
    is_variable: bool = False


@dataclass(frozen=True, slots=True)
class Inline:
    """`place` is a parameter to assign to, `value` one to read, `channel` one to send to."""

    name: str
    parameters: tuple[str, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proctype:
    """What others need to know about a proctype: parameters (those of type `chan` take channels with the fields of the
    model's first), local variables, top-level labels, how many are started at once, and the number of the first."""

    name: str
    parameters: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    labels: tuple[str, ...]
    active: int
    first_pid: int | None


@dataclass(slots=True)
class Scope:
    """What the statement being written sees."""

    variables: list[Variable] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    structures: list[Variable] = field(default_factory=list)
    """Whole structures, which messages may contain."""
    labels: list[str] = field(default_factory=list)
    proctype: Proctype | None = None
    inside: frozenset[str] = frozenset()
    """Which of `atomic`, `d_step` and `inline` the statement is in."""
    in_loop: bool = False
    depth: int = 0

    def within(self, inside: str = "", in_loop: bool | None = None) -> Scope:
        """The scope of an inner block: its declarations are not visible outside."""
        return Scope(
            variables=list(self.variables),
            channels=list(self.channels),
            structures=list(self.structures),
            labels=self.labels,
            proctype=self.proctype,
            inside=self.inside | {inside} if inside else self.inside,
            in_loop=self.in_loop if in_loop is None else in_loop,
            depth=self.depth + 1,
        )
