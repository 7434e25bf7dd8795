"""Random models in which receives wait for messages of certain types."""

from __future__ import annotations

from random import Random

STATEMENTS = (
    "q!{a},{b}",
    "q!{a},{b}",
    "q!x,{b}",
    "q!{large},{b}",
    "q?{a},{b}",
    "q?{a},x",
    "q?{a},_",
    "q?x,{b}",
    "q??{a},{b}",
    "q!!{a},{b}",
    "atomic {{ nempty(q) -> q!{a},{b} }}",
    "atomic {{ q!{a},{b}; q!{b},{a} }}",
    "atomic {{ (len(q) >= 2 && q?[{a},{b}]) -> q?{a},{b} }}",
    "atomic {{ x != {a} -> x = {b} }}",
    "atomic {{ x >= {a} -> x = {b} }}",
    "x < {a}",
    "x = {b}",
)


def random_traffic(seed: int) -> str:
    """The text of a model in Promela."""
    random = Random(seed)

    def statement() -> str:
        a, b = random.randrange(3), random.randrange(3)
        return random.choice(STATEMENTS).format(a=a, b=b, large=256 + a)

    processes = (
        f"active proctype P{number}() {{ do {' '.join(f':: {statement()}; {statement()}' for _ in range(2))} od }}"
        for number in range(random.randint(2, 3))
    )
    return "\n".join(("chan q = [3] of { byte, byte };", "byte x;", *processes))
