"""Random Promela models whose processes start others and end: small, so that their systems can be compared in full."""

from __future__ import annotations

from random import Random

STARTS_FIRST, LOCAL_CHANNELS, NUMBERS = "starts first", "local channels", "numbers"
KINDS = ("plain", STARTS_FIRST, LOCAL_CHANNELS, NUMBERS)


def random_stack(seed: int, kind: str) -> str:
    """A model of some kind: all processes may be started at once; channels may be local; numbers may be looked at."""
    return _Author(Random(f"{kind} {seed}"), kind).model()


class _Author:
    def __init__(self, random: Random, kind: str) -> None:
        self.random = random
        self.kind = kind
        self.proctypes = random.randint(2, 3)

    def model(self) -> str:
        channels = f"chan g = [{int(self.random.random() < 0.6)}] of {{ byte }};\n"
        bodies = [self.proctype(number) for number in reversed(range(self.proctypes))]
        return "byte x, y;\n" + channels + "\n".join(bodies) + "\n" + self.init()

    def proctype(self, number: int) -> str:
        later = [] if self.kind == STARTS_FIRST else list(range(number + 1, self.proctypes))
        own = "c" if self.has_channels else "g"
        declared = "  chan c = [1] of { byte };\n" if self.has_channels and self.random.random() < 0.7 else ""
        names = ["p", own] if declared or not self.has_channels else ["p"]
        statements = [self.statement(later, names) for _ in range(self.random.randint(0, 3))]
        return f"proctype P{number}(chan p) {{\n{declared}{self.lines(statements)}}}"

    def init(self) -> str:
        own = "c" if self.has_channels else "g"
        declared = "  chan c = [1] of { byte };\n" if self.has_channels else ""
        starts = [self.start(range(self.proctypes), [own]) for _ in range(self.random.randint(1, 3))]
        if self.kind == STARTS_FIRST or self.random.random() < 0.2:
            starts = [f"atomic {{ {'; '.join(starts)} }}"]
        rest = [self.statement([], [own]) for _ in range(self.random.randint(0, 2))]
        return f"init {{\n{declared}{self.lines([*starts, *rest])}}}\n"

    @property
    def has_channels(self) -> bool:
        return self.kind == LOCAL_CHANNELS

    def lines(self, statements: list[str]) -> str:
        return "".join(f"  {statement};\n" for statement in statements) or "  skip\n"

    def start(self, later: list[int] | range, channels: list[str]) -> str:
        return f"run P{self.random.choice(later)}({self.random.choice(channels)})"

    def statement(self, later: list[int], channels: list[str]) -> str:
        random = self.random
        channel, variable, number = random.choice(channels), random.choice("xy"), random.randint(0, 2)
        choices = [
            f"{variable} = ({variable} + 1) % 3",
            f"{variable} = {number}",
            f"{variable} != {number}",
            f"{channel}!{number}",
            f"{channel}?{variable}",
            f"assert({variable} != {number} || {random.choice('xy')} != {random.randint(0, 2)})",
            "skip",
            f"if :: {variable} = {number} :: {variable} == {number} fi",
            f"atomic {{ {variable} = {number}; {channel}?{variable} }}",
            f"atomic {{ {channel}?{variable}; {variable} = {number} }}",
            "timeout",
        ]
        if later:
            choices += [self.start(later, channels)] * 6
        if self.kind == LOCAL_CHANNELS and random.random() < 0.05:
            choices = [f"g!{channel}", f"x = {channel}"]
        if self.kind in (NUMBERS, STARTS_FIRST) and random.random() < 0.3:
            choices = [f"{variable} = _pid % 3", f"{variable} = _nr_pr % 3", "_nr_pr < 3", f"x = enabled({number})"]
        return random.choice(choices)
