"""Random Promela expressions over the names in a scope."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from tests.differential.profiles import Profile
from tests.differential.scope import Channel, Proctype, Scope, Variable

T = TypeVar("T")

MTYPES = ("red", "green", "blue")
LARGE = (7, 100, 127, 128, 200, 255, 256, 300, 1000, 32767, 65535, 70000, -1, -2, -129)


class Expressions:
    """Draws expressions. Those that may fault are protected, except for `Profile.faults` per cent of the cases."""

    def __init__(self, random: Random, profile: Profile) -> None:
        self.random = random
        self.profile = profile
        self.remote: list[Proctype] = []
        """Proctypes whose processes exist from the start, if no others are ever started."""

    def chance(self, percent: int) -> bool:
        return self.random.random() * 100 < percent

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self.random.random() * len(choices))]

    def between(self, least: int, most: int) -> int:
        return least + int(self.random.random() * (most - least + 1))

    def reference(self, scope: Scope, thing: Variable | Channel) -> str:
        return thing.name.format(*(self.index(scope, length) for length in thing.lengths))

    def targets(self, scope: Scope) -> list[Variable]:
        """Variables that may be assigned to."""
        return [variable for variable in scope.variables if not variable.is_counter]

    def index(self, scope: Scope, length: int) -> str:
        simple = [variable.name for variable in scope.variables if variable.is_number and not variable.lengths]
        if simple and self.chance(self.profile.faults):
            return self.pick(simple)
        if length in (2, 4) and simple and self.chance(60):
            return f"{self.pick(simple)} & {length - 1}"
        return str(self.between(0, length - 1))

    def constant(self) -> str:
        return str(self.pick(LARGE) if self.chance(self.profile.wide) else self.between(0, 3))

    def atom(self, scope: Scope) -> str:
        """A constant or the value of something."""
        if self.chance(self.profile.predefined):
            return self.pick(("_pid", "_nr_pr", "_pid", "_nr_pr", "_last"))
        numbers = [variable for variable in scope.variables if variable.is_number]
        if numbers and self.chance(65):
            return self.reference(scope, self.pick(numbers))
        if scope.channels and self.chance(15):
            return f"len({self.reference(scope, self.pick(scope.channels))})"
        return self.constant()

    def number(self, scope: Scope, depth: int = 2) -> str:
        if depth == 0 or self.chance(45):
            return self.atom(scope)
        left, right = self.number(scope, depth - 1), self.number(scope, depth - 1)
        divisor = self.atom(scope) if self.chance(self.profile.faults) else str(self.between(2, 4))
        return self.pick(
            (
                f"({left} + {right})",
                f"({left} - {right})",
                f"({left} * {right})",
                f"({left} / {divisor})",
                f"({left} % {divisor})",
                f"({left} & {right})",
                f"({left} | {right})",
                f"({left} ^ {right})",
                f"({left} << {self.between(0, 2)})",
                f"({left} >> {self.between(0, 2)})",
                f"(-{self.atom(scope)})",
                f"(~{self.atom(scope)})",
                f"({self.condition(scope, 1)} -> {left} : {right})",
                f"({left} < {right})",
            )
        )

    def value_for(self, scope: Scope, type_name: str, narrow: bool = False) -> str:
        """A value to give to a variable or field of that type."""
        if type_name == "mtype":
            others = [variable for variable in scope.variables if variable.type == "mtype"]
            return self.reference(scope, self.pick(others)) if others and self.chance(30) else self.pick(MTYPES)
        if narrow or self.chance(self.profile.wide):
            return self.number(scope)
        if self.chance(60):
            return str(self.between(0, 3))
        return f"({self.number(scope)}) & {self.pick((1, 3))}"

    def condition(self, scope: Scope, depth: int = 2) -> str:
        """A condition all of whose parts may be negated and combined."""
        if self.remote and self.chance(self.profile.remote):
            return self.look_elsewhere(scope)
        if depth == 0 or self.chance(65):
            return self.comparison(scope)
        left, right = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
        return self.pick((f"({left} && {right})", f"({left} || {right})", f"!({left})", f"({left} == {right})"))

    def comparison(self, scope: Scope) -> str:
        mtypes = [variable for variable in scope.variables if variable.type == "mtype"]
        if mtypes and self.chance(20):
            return f"({self.reference(scope, self.pick(mtypes))} {self.pick(('==', '!='))} {self.pick(MTYPES)})"
        if self.chance(50):
            return f"({self.atom(scope)} {self.pick(('!=', '<=', '<', '=='))} {self.between(0, 3)})"
        return f"({self.atom(scope)} {self.pick(('==', '!=', '<', '<=', '>', '>='))} {self.number(scope, 1)})"

    def look_elsewhere(self, scope: Scope) -> str:
        """The location of another process, or the value of its variable."""
        other = self.pick(self.remote)
        assert other.first_pid is not None
        pid = other.first_pid + self.between(0, other.active - 1)
        numbers = [variable for variable in other.locals if variable.is_number and not variable.lengths]
        if numbers and (not other.labels or self.chance(50)):
            return f"({other.name}[{pid}]:{self.pick(numbers).name} {self.pick(('==', '<', '!='))} {self.constant()})"
        if not other.labels:
            return self.comparison(scope)
        return f"{other.name}[{pid}]@{self.pick(other.labels)}"

    def test(self, scope: Scope) -> str:
        """The condition of a statement or an option."""
        if scope.channels and self.chance(self.profile.polls):
            asked = self.about_channel(scope, self.pick(scope.channels))
            return asked if self.chance(70) else f"{asked} && {self.condition(scope, 1)}"
        return self.condition(scope)

    def about_channel(self, scope: Scope, channel: Channel) -> str:
        name = self.reference(scope, channel)
        if self.chance(40) or channel.is_rendezvous:
            return f"{self.pick(('full', 'empty', 'nfull', 'nempty'))}({name})"
        return f"{name}{self.pick(('?', '??'))}[{self.patterns(scope, channel, name)}]"

    def messages(self, scope: Scope, channel: Channel) -> str:
        """The values of a message to send."""
        values = [self.message_value(scope, field) for field in channel.fields]
        if channel.fields[0] == "mtype" and len(values) > 1 and values[0] in MTYPES and self.chance(25):
            return f"{values[0]}({', '.join(values[1:])})"
        return ", ".join(values)

    def message_value(self, scope: Scope, field: str) -> str:
        if field == "chan":
            return self.reference(scope, self.pick(self.first_kind(scope)))
        if field not in ("mtype", "bit", "byte", "short", "int"):
            return self.pick([whole.name for whole in scope.structures if whole.type == field])
        return self.value_for(scope, field)

    def patterns(self, scope: Scope, channel: Channel, name: str) -> str:
        """The arguments of a receive or poll: values to match and variables to assign. No variable is both a target and
        used otherwise: SPIN reads it again when it undoes the receive, and by then it has changed."""
        free = [variable for variable in self.targets(scope) if not _mentions(name, variable)]
        found: list[str] = []
        for field in channel.fields:
            found.append(self.pattern(scope, field, free))
            free = [variable for variable in free if not _mentions(found[-1], variable)]
        return ", ".join(found)

    def pattern(self, scope: Scope, field: str, free: list[Variable]) -> str:
        """`free` are the variables that are not targets already."""
        if field == "chan":
            holders = [channel.name for channel in self.first_kind(scope) if channel.is_variable]
            return self.pick(holders) if holders and self.chance(75) else "_"
        if field not in ("mtype", "bit", "byte", "short", "int"):
            return self.pick([whole.name for whole in scope.structures if whole.type == field])
        if self.chance(12):
            return "_"
        targets = [variable for variable in free if variable.holds(field)]
        if targets and self.chance(70):
            return self.reference(Scope(variables=free), self.pick(targets))
        if self.chance(40):
            return f"eval({self.value_for(Scope(variables=free), field)})"
        return self.pick(MTYPES) if field == "mtype" else str(self.between(0, 3))

    def first_kind(self, scope: Scope) -> list[Channel]:
        """Channels with the fields of the model's first channel: those that variables and messages hold."""
        return [channel for channel in scope.channels if channel.fields == scope.channels[0].fields]


def _mentions(text: str, variable: Variable) -> bool:
    return re.search(rf"\b{re.split(r'[.[]', variable.name)[0]}\b", text) is not None
