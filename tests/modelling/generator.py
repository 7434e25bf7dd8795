"""Random models over all constructs of the language."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

HEADER = '''\
"""A random model."""
from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Annotated, Final

from scrimp.modelling import (
    Array, Condition, Event, Lock, Map, Model, Queue, Range, Semaphore, action, always, choose, join, process,
    reachable, require, step, until,
)

N = 2
Small = Annotated[int, Range(0, 3)]


class Color(Enum):
    RED = auto()
    GREEN = auto()
    BLUE = 7


@dataclass(frozen=True)
class Pair:
    number: Small
    color: Color = Color.RED


def clipped(x: int) -> int:
    return 0 if x < 0 else min(x, 3)


def next_color(c: Color) -> Color:
    if c is Color.RED:
        return Color.GREEN
    if c is Color.GREEN:
        return Color.BLUE
    return Color.RED


def summed(a: int, b: int = 1) -> int:
    total = 0
    for i in range(3):
        if i == 1:
            total += a
        else:
            total -= b
    return total


class Random(Model):
    limit: Final = 2
    a: Small = 0
    b: Annotated[int, Range(-2, 2)] = 1
    n: int = 0
    flag: bool = False
    color: Color = Color.RED
    owner: Annotated[int, Range(0, 2)] | None = None
    wish: Color | None = None
    pair: Pair = Pair(1, Color.GREEN)
    last: Pair | None = None
    both: tuple[Small, bool] = (2, False)
    colors: frozenset[Color] = frozenset()
    numbers: frozenset[Small] = frozenset({1})
    slots: Array[Small] = Array(3, 1)
    pairs: Array[Pair] = Array(2, Pair(0))
    grid: Array[Array[bool]] = Array(2, Array(2, False))
    counts: Map[Color, Small] = Map(Color, 0)
    queue: Queue[Small] = Queue(2)
    letters: Queue[Pair] = Queue(1)
    boxes: Array[Queue[bool]] = Array(2, Queue(1))
    lock: Lock = Lock()
    locks: Array[Lock] = Array(2, Lock())
    event: Event = Event()
    permits: Semaphore = Semaphore(2)
    changed: Condition = Condition()

    def double(self, x: int) -> int:
        return self.a + x

    def bump(self, x: int) -> int:
        old = self.a
        if x > 2:
            return -1
        self.a = (old + x) % 4
        return old

    def mark(self) -> None:
        self.flag = not self.flag
        if self.flag:
            return
        self.color = next_color(self.color)

    def first_above(self, x: int) -> int:
        for i in range(3):
            if self.slots[i] > x:
                self.flag = True
                return i
            if i == 1 and self.flag:
                break
        else:
            self.a = 0
        return 3

    def gamble(self, x: int) -> int:
        won = choose(0, 1)
        while won < 2 and x > 0:
            won += 1
            x -= choose(1, 2)
        assert x < 9
        return won

    async def serve(self, x: int) -> bool:
        async with self.lock:
            for i in range(2):
                if x > i:
                    return True
                await step()
        return self.flag

    async def guarded(self, x: int) -> int:
        for i in range(2):
            try:
                if x > i:
                    return self.a
                await step()
                if self.flag:
                    break
            finally:
                self.a = (self.a + 1) % 4
                if i == 1:
                    await step()
        return x

    async def pause(self, x: int) -> int:
        self.flag = x > 0
        await step()
        return self.a + x

'''


@dataclass
class Generator:
    """Writes one model; the same seed writes the same model."""

    random: random.Random
    lines: list[str] = field(default_factory=list)
    indent: int = 0
    names: dict[str, str] = field(default_factory=dict)
    in_loop: bool = False
    is_action: bool = False
    budget: int = 0
    fresh: int = 0

    def model(self) -> str:
        self.lines = HEADER.splitlines()
        self.indent = 1
        for number in range(self.random.randint(1, 2)):
            self.process(number)
        for number in range(self.random.choice([0, 0, 1, 1, 2])):
            self.action(number)
        self.properties()
        return "\n".join(self.lines) + "\n"

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        names, self.indent = dict(self.names), self.indent + 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.indent -= 1
        self.names = names

    def process(self, number: int) -> None:
        self.names, self.is_action, self.budget = {}, False, self.random.randint(3, 9)
        many = self.random.random() < 0.4
        self.line("@process(count=N)" if many else "@process")
        parameters = "self, me: int" if many else "self"
        if many:
            self.names["me"] = "int"
        with self.block(f"async def process{number}({parameters}) -> None:"):
            if self.random.random() < 0.3:
                self.line("v0 = 0")
                self.names["v0"] = "int"
            if self.random.random() < 0.5:
                with self.block("while True:"):
                    self.in_loop = True
                    self.line(f"await {self.random.choice(['step()', self.until()])}")
                    self.statements(3)
                    self.in_loop = False
            else:
                self.statements(4)
        self.line("")

    def action(self, number: int) -> None:
        self.names, self.is_action, self.budget = {}, True, self.random.randint(2, 5)
        self.line("@action")
        with self.block(f"def action{number}(self) -> None:"):
            if self.random.random() < 0.4:
                self.line("pick = choose(*range(3))")
                self.names["pick"] = "int"
            for _ in range(self.random.randint(0, 2)):
                self.line(f"require({self.boolean(2)})")
            self.statements(2)
        self.line("")

    def properties(self) -> None:
        self.names = {}
        for number, decorator in enumerate(["@always", "@reachable", "@always"]):
            self.line(decorator)
            with self.block(f"def property{number}(self) -> bool:"):
                if self.random.random() < 0.3:
                    self.line(f"found = {self.boolean(1)}")
                    with self.block(f"if {self.boolean(1)}:"):
                        self.line(f"return {self.boolean(1)}")
                    self.line("return found")
                else:
                    self.line(f"return {self.boolean(3)}")
            self.line("")

    # Statements

    def statements(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.budget -= 1
            if self.budget < 0:
                return
            if self.statement(depth):
                return

    def statement(self, depth: int) -> bool:
        """Write a statement; returns whether nothing after it can be reached."""
        simple: list[Callable[[], bool | None]] = [
            self.assign_field,
            self.assign_field,
            self.assign_field,
            self.assign_local,
            self.assign_local,
            self.augment,
            self.swap,
            self.call,
            self.container,
            self.assertion,
        ]
        waiting: list[Callable[[], bool | None]] = [self.wait, self.wait, self.wait, self.wait, self.take]
        nested: list[Callable[[int], bool | None]] = [
            self.if_,
            self.if_,
            self.while_,
            self.for_,
            self.for_,
            self.match,
        ]
        if not self.is_action:
            simple += waiting
            nested += [self.with_, self.with_condition, self.try_]
        if depth > 0 and self.random.random() < 0.45:
            return bool(self.random.choice(nested)(depth - 1))
        if self.random.random() < 0.04:
            return self.leave()
        return bool(self.random.choice(simple)())

    def leave(self) -> bool:
        self.line(self.random.choice(["break", "continue"]) if self.in_loop else "return")
        return True

    def assign_field(self) -> None:
        options: list[tuple[str, Callable[[], str]]] = [
            ("self.a", lambda: self.small()),
            ("self.b", lambda: f"{self.integer(1)} % 3 - 1"),
            ("self.n", lambda: f"{self.integer(2)} % 5"),
            ("self.flag", lambda: self.boolean(2)),
            ("self.color", lambda: self.color(2)),
            ("self.owner", lambda: self.random.choice(["None", f"({self.integer(1)}) % 3"])),
            ("self.wish", lambda: self.random.choice(["None", self.color(1), "self.wish"])),
            ("self.pair", lambda: self.pair(1)),
            ("self.last", lambda: self.random.choice(["None", self.pair(1), "self.last"])),
            ("self.both", lambda: f"({self.small()}, {self.boolean(1)})"),
            ("self.colors", lambda: self.colors(2)),
            ("self.numbers", lambda: self.numbers(1)),
            (f"self.slots[{self.index(3)}]", lambda: self.small()),
            (f"self.pairs[{self.index(2)}]", lambda: self.pair(1)),
            (f"self.grid[{self.index(2)}][{self.index(2)}]", lambda: self.boolean(1)),
            (f"self.counts[{self.color(1)}]", lambda: self.small()),
        ]
        target, value = self.random.choice(options)
        self.line(f"{target} = {value()}")

    def assign_local(self) -> None:
        kind = self.random.choice(["int", "int", "bool", "color", "pair", "maybe", "both", "set"])
        known = [name for name, its in self.names.items() if its == kind and name != "me"]
        if known and self.random.random() < 0.5:
            name = self.random.choice(known)
        else:
            self.fresh += 1
            name = f"v{self.fresh}"
        value = {
            "int": lambda: self.impure_integer() if self.random.random() < 0.3 else f"{self.integer(2)} % 7",
            "bool": lambda: self.boolean(2),
            "color": lambda: self.color(2),
            "pair": lambda: self.pair(2),
            "maybe": lambda: self.random.choice(["None", f"{self.integer(1)} % 3", "self.owner"]),
            "both": lambda: self.random.choice([f"({self.small()}, {self.boolean(1)})", "self.both"]),
            "set": lambda: f"self.colors | {{{self.color(1)}}}",
        }[kind]()
        self.line(f"{name} = {value}")
        self.names[name] = kind

    def augment(self) -> None:
        self.line(
            self.random.choice(
                [
                    f"self.a += {self.random.choice(['1', '-1', self.integer(1)])}",
                    f"self.n = (self.n * 2 + {self.integer(1)}) % 4",
                    f"self.slots[{self.index(3)}] -= {self.random.choice(['1', '0'])}",
                    f"self.colors |= {{{self.color(1)}}}",
                    f"self.colors -= {{{self.color(1)}}}",
                    f"self.numbers |= {{{self.small()}}}",
                    f"self.numbers &= {{{self.small()}, 1}}",
                    f"self.b ^= {self.random.choice(['1', '0'])}",
                    f"self.slots[self.a % 3] += self.bump({self.integer(0)}) % 2",
                    f"self.slots[self.bump(1) % 3] = {self.small()}",
                    f"self.slots[self.gamble(1) % 3] -= self.first_above({self.integer(0)}) % 2",
                ]
            )
        )

    def swap(self) -> None:
        self.line(
            self.random.choice(
                [
                    "self.a, self.slots[0] = self.slots[0], self.a",
                    f"self.a, self.flag = {self.small()}, {self.boolean(1)}",
                    "self.pair = Pair(self.pair.color.value % 4, next_color(self.pair.color))",
                    "self.slots[self.a % 3], self.a = self.a, self.slots[1]",
                    f"self.a = self.slots[{self.index(3)}] = {self.small()}",
                    f"self.a = {self.name('int', 'self.n')} = {self.name('int', 'self.n')} % 3 + 1",
                ]
            )
        )

    def call(self) -> None:
        self.line(self.random.choice(["self.mark()", f"self.bump({self.integer(1)})", "self.mark()"]))

    def container(self) -> None:
        choices = ["self.event.set()", "self.event.clear()"]
        if self.random.random() < 0.3:
            choices += ["self.lock.release()", "self.permits.release()", "self.changed.notify()"]
        item = self.small()
        self.line(
            self.random.choice([*choices, "queue", "queue"]).replace(
                "queue", f"if not self.queue.full(): self.queue.put_nowait({item})"
            )
        )

    def assertion(self) -> None:
        test = self.boolean(2) if self.random.random() < 0.2 else f"{self.boolean(1)} or self.a >= 0"
        self.line(f"assert {test}")

    def until(self) -> str:
        return f"until(lambda: {self.boolean(2)})"

    def wait(self) -> None:
        self.line(
            "await "
            + self.random.choice(
                [
                    "step()",
                    "step()",
                    self.until(),
                    f"self.queue.put({self.small()})",
                    f"self.letters.put({self.pair(1)})",
                    f"self.boxes[{self.index(2)}].put({self.boolean(1)})",
                    "self.event.wait()",
                    "self.queue.get()",
                    "self.permits.acquire()",
                    "self.changed.acquire()",
                    "join(self.process0)",
                    f"self.guarded({self.integer(1)})",
                    f"self.pause({self.integer(1)})",
                ]
            )
        )

    def take(self) -> None:
        self.fresh += 1
        name = f"v{self.fresh}"
        kind, text = self.random.choice(
            [
                ("int", "self.queue.get()"),
                ("pair", "self.letters.get()"),
                ("bool", f"self.boxes[{self.index(2)}].get()"),
                ("int", f"self.pause({self.integer(1)})"),
            ]
        )
        self.line(f"{name} = await {text}")
        self.names[name] = kind

    def if_(self, depth: int) -> None:
        test = self.boolean(2)
        if self.random.random() < 0.25:
            test = self.random.choice(["choose(True, False)", f"{test} and choose(True, False)", "self.bump(1) > 0"])
        with self.block(f"if {test}:"):
            self.statements(depth)
        if self.random.random() < 0.3:
            with self.block(f"elif {self.boolean(1)}:"):
                self.statements(depth)
        if self.random.random() < 0.5:
            with self.block("else:"):
                self.statements(depth)

    def while_(self, depth: int) -> None:
        self.fresh += 1
        name = f"i{self.fresh}"
        self.line(f"{name} = 0")
        self.names[name] = "counter"
        outer, self.in_loop = self.in_loop, True
        extra = self.random.choice(
            ["", "", f" and {self.boolean(1)}", " and self.bump(1) > 0", " and choose(True, False)"]
        )
        if not self.is_action and self.random.random() < 0.2:
            extra = " and not await self.serve(1)"
        with self.block(f"while {name} < {self.random.randint(1, 3)}{extra}:"):
            self.line(f"{name} += 1")
            self.statements(depth)
        self.in_loop = outer
        if self.random.random() < 0.2:
            with self.block("else:"):
                self.statements(depth)

    def for_(self, depth: int) -> None:
        self.fresh += 1
        name = f"i{self.fresh}"
        iterable, kind = self.random.choice(
            [
                ("range(3)", "int"),
                ("range(self.limit, -1, -1)", "int"),
                ("range(self.a)", "int"),
                ("range(self.b, self.a, 2)", "int"),
                ("Color", "color"),
                ("self.slots", "int"),
                ("(self.a, 2, self.n)", "int"),
                (f"range({self.name('int', 'self.a')} % 4)", "int"),
                (f"({self.name('int', 'self.n')}, {self.name('int', 'self.a')})", "int"),
                ("reversed(range(N))", "int"),
                ("enumerate(self.slots)", "pairs"),
            ]
        )
        outer, self.in_loop = self.in_loop, True
        target = f"{name}, {name}x" if kind == "pairs" else name
        with self.block(f"for {target} in {iterable}:"):
            self.names[name] = "int" if kind == "pairs" else kind
            if kind == "pairs":
                self.names[f"{name}x"] = "int"
            self.statements(depth)
        self.in_loop = outer
        if self.random.random() < 0.2:
            with self.block("else:"):
                self.statements(depth)

    def with_(self, depth: int) -> None:
        place = self.random.choice(["self.lock", "self.permits", f"self.locks[{self.index(2)}]"])
        with self.block(f"async with {place}:"):
            self.statements(depth)

    def with_condition(self, depth: int) -> None:
        with self.block("async with self.changed:"):
            for _ in range(self.random.randint(1, 2)):
                self.line(
                    self.random.choice(
                        [
                            "await self.changed.wait()",
                            f"await self.changed.wait_for(lambda: {self.boolean(1)})",
                            "self.changed.notify()",
                            f"self.changed.notify({self.random.randint(0, 3)})",
                            "self.changed.notify_all()",
                        ]
                    )
                )
                self.statements(depth - 1)

    def try_(self, depth: int) -> None:
        with self.block("try:"):
            self.statements(depth)
        names, outer, self.names, self.in_loop = self.names, self.in_loop, dict(self.names), False
        with self.block("finally:"):
            self.simple()
        self.names, self.in_loop = names, outer

    def simple(self) -> None:
        """A statement that leaves nothing."""
        self.random.choice([self.assign_field, self.augment, self.container, self.assertion, self.wait])()

    def match(self, depth: int) -> None:
        subject, cases = self.random.choice(
            [
                ("self.color", ["Color.RED", "Color.GREEN | Color.BLUE", "_"]),
                ("self.pair", ["Pair(0, color)", "Pair(number=x) if x > 1", "Pair(1, Color.RED)", "_"]),
                ("self.last", ["None", "Pair(number=2)", "Pair(x, Color.RED | Color.BLUE)"]),
                ("self.both", ["(0, True)", "(x, False) if x < 2", "(x, y)"]),
                ("self.wish", ["None", "Color.RED", "other"]),
                ("self.a", ["0", "1 | 2", "x if x == self.n", "_"]),
                (self.name("int", "self.n"), ["0", f"{self.name('int', 'x')} if self.flag", "1 | 2", "_"]),
                (self.name("pair", "self.pair"), ["Pair(0, Color.RED)", "Pair(x) if x < 2", "_"]),
            ]
        )
        with self.block(f"match {subject}:"):
            for case in cases if self.random.random() < 0.8 else cases[:-1]:
                with self.block(f"case {case}:"):
                    self.statements(depth)

    # Expressions

    def index(self, length: int) -> str:
        good = [str(self.random.randrange(length)), f"{self.name('int', 'self.a')} % {length}"]
        return self.random.choice([*good, *good, *good, "self.a"])

    def name(self, kind: str, otherwise: str) -> str:
        known = [name for name, its in self.names.items() if its == kind]
        return self.random.choice(known) if known and self.random.random() < 0.7 else otherwise

    def small(self) -> str:
        return self.random.choice(
            [str(self.random.randint(0, 3)), f"({self.integer(1)}) % 4", f"clipped({self.integer(1)})", self.integer(1)]
            if self.random.random() < 0.15
            else [str(self.random.randint(0, 3)), f"({self.integer(1)}) % 4", f"clipped({self.integer(1)})"]
        )

    def impure_integer(self) -> str:
        text = self.random.choice(
            [
                "choose(0, 1, 2)",
                "choose(*range(N))",
                f"self.a + self.bump({self.integer(0)})",
                f"self.gamble({self.integer(0)} % 3) - self.a",
                f"self.first_above({self.integer(0)}) + self.gamble(1)",
                f"self.bump(1) * 2 + self.bump({self.integer(0)})",
                f"(self.bump(1) if {self.boolean(1)} else {self.integer(1)})",
            ]
        )
        if not self.is_action and self.random.random() < 0.3:
            text = self.random.choice(
                [
                    "self.a + await self.pause(1)",
                    "await self.queue.get() + self.a",
                    f"(1 if await self.serve({self.integer(0)}) else self.bump(1))",
                    "max(self.a, await self.pause(0), self.a)",
                ]
            )
        return text

    def integer(self, depth: int) -> str:
        r = self.random
        if depth <= 0 or r.random() < 0.25:
            return r.choice(
                [
                    str(r.randint(-3, 4)),
                    "self.a",
                    "self.b",
                    "self.n",
                    self.name("int", "self.a"),
                    self.name("pair", "self.pair") + ".number",
                    f"{self.name('both', 'self.both')}[0]",
                    f"len({self.name('set', 'self.colors')})",
                    "self.limit",
                    "N",
                    "self.queue.qsize()",
                    "len(self.colors)",
                ]
            )
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        return r.choice(
            [
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} * {other})",
                f"({one} // {r.choice(['2', '-2', '3', other])})",
                f"({one} % {r.choice(['2', '-3', '4', other])})",
                f"(-{one})",
                f"abs({one})",
                f"min({one}, {other})",
                f"max({one}, {other}, 0)",
                f"({one} if {self.boolean(depth - 1)} else {other})",
                f"({one} & 3 | {other} & 4)",
                f"({one} ^ {other} & 7)",
                f"(~{one})",
                f"({one} >> 1)",
                f"({one} << {r.choice(['1', '2', 'self.a', 'self.b'])})",
                f"(self.slots[{self.index(3)}] + {one})",
                f"self.counts[{self.color(depth - 1)}]",
                "sum(self.slots)",
                f"sum(i * {one} for i in range(3) if i != {r.randint(0, 2)})",
                "max(x for x in self.slots)",
                f"({one} or {other})",
                f"({one} and {other})",
                f"self.double({one})",
                f"summed({one}, b={other})",
                f"{self.color(depth - 1)}.value",
                f"int({self.boolean(depth - 1)})",
                f"({one}) ** 2 % 5",
                "sum(x in self.numbers for x in range(4))",
                "(self.owner if self.owner is not None else 0)",
            ]
        )

    def boolean(self, depth: int) -> str:
        r = self.random
        if depth <= 0 or r.random() < 0.2:
            return r.choice(
                [
                    "self.flag",
                    "self.both[1]",
                    self.name("bool", "self.flag"),
                    f"{self.name('both', 'self.both')}[1]",
                    f"Color.RED in {self.name('set', 'self.colors')}",
                    "True",
                    "self.event.is_set()",
                    "self.lock.locked()",
                    "self.changed.locked()",
                    "self.queue.empty()",
                    "self.owner is None",
                    "self.wish is not None",
                ]
            )
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        p, q = self.boolean(depth - 1), self.boolean(depth - 1)
        return r.choice(
            [
                f"({p} and {q})",
                f"({p} or {q})",
                f"(not {p})",
                f"{one} {r.choice(['<', '<=', '==', '!=', '>', '>='])} {other}",
                f"({one} < {other} <= {self.integer(0)})",
                f"{self.color(depth - 1)} is {r.choice(['', 'not '])}{self.color(0)}",
                f"{self.color(depth - 1)} == self.wish",
                f"self.owner == {one}",
                f"{self.pair(depth - 1)} == self.pair",
                f"self.last == {self.pair(depth - 1)}",
                f"{self.color(0)} in {self.colors(depth - 1)}",
                f"{one} in self.numbers",
                f"{one} in ({other}, 1)",
                f"{one} {r.choice(['in', 'not in'])} range({r.randint(0, 2)}, self.n)",
                f"self.both < ({one}, {p})",
                f"any(x > {one} for x in self.slots)",
                "all(self.slots[i] <= self.slots[i + 1] for i in range(2))",
                f"any(c in self.colors and {p} for c in Color)",
                "all(p.number < 3 for p in self.letters)",
                f"any(x == {one} for x in self.queue)",
                f"{self.small()} in self.queue",
                f"({p} if {q} else self.flag)",
                f"self.colors <= {self.colors(depth - 1)}",
                f"self.numbers == {{1, {r.randint(0, 3)}}}",
                f"bool({one})",
                f"self.grid[{self.index(2)}][{self.index(2)}]",
                f"self.owner is not None and self.owner > {one}",
                f"self.boxes[{self.index(2)}].full()",
            ]
        )

    def color(self, depth: int) -> str:
        r = self.random
        plain = [
            f"Color.{r.choice(['RED', 'GREEN', 'BLUE'])}",
            "self.color",
            self.name("color", "self.color"),
            "self.pair.color",
        ]
        if depth <= 0 or r.random() < 0.5:
            return r.choice(plain)
        return r.choice(
            [
                f"next_color({self.color(depth - 1)})",
                f"(Color.RED if {self.boolean(depth - 1)} else {self.color(depth - 1)})",
                f"self.pairs[{self.index(2)}].color",
            ]
        )

    def pair(self, depth: int) -> str:
        r = self.random
        plain = ["self.pair", self.name("pair", "self.pair"), f"self.pairs[{self.index(2)}]"]
        if depth <= 0 or r.random() < 0.3:
            return r.choice(plain)
        return r.choice(
            [
                f"Pair({self.small()}, {self.color(depth - 1)})",
                f"Pair(number={self.small()})",
                f"replace({r.choice(plain)}, number={self.small()})",
                f"replace({r.choice(plain)}, color={self.color(depth - 1)})",
            ]
        )

    def colors(self, depth: int) -> str:
        r = self.random
        if depth <= 0 or r.random() < 0.3:
            return (
                r.choice(["self.colors", f"frozenset({{{self.color(0)}}})", "frozenset()", "frozenset(Color)"])
                if depth
                else "self.colors"
            )
        return r.choice(
            [
                f"self.colors | {{{self.color(depth - 1)}}}",
                f"self.colors - {{{self.color(depth - 1)}, Color.BLUE}}",
                "self.colors & frozenset((Color.RED, Color.GREEN))",
                f"frozenset(c for c in Color if {self.boolean(0)} or c is self.color)",
                f"(self.colors if {self.boolean(depth - 1)} else self.colors ^ {{Color.RED}})",
            ]
        )

    def numbers(self, depth: int) -> str:
        return self.random.choice(
            [
                f"self.numbers | {{{self.small()}}}",
                f"self.numbers - {{{self.small()}}}",
                f"frozenset({{{self.small()}, 2}})",
            ]
        )


def random_model(seed: int) -> str:
    return Generator(random.Random(seed)).model()
