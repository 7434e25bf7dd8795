"""Random LTSs as AUT texts."""

from __future__ import annotations

from random import Random

from tests.lts.reading import Edge


def random_edges(seed: int, states: int = 40) -> list[Edge]:
    """Edges in random order, some of them twice; not every state is reachable."""
    random = Random(seed)
    density = random.choice([0.8, 1.3, 2.0])
    labels = ["a", "i", "G !1", 'say "x"', "f(1, 2)"][: random.randint(1, 5)]
    edges = [
        (random.randrange(states), random.choice(labels), random.randrange(states))
        for _ in range(int(states * density))
    ]
    return edges + random.sample(edges, 3)


def aut_text(edges: list[Edge], states: int = 40, initial: int = 0) -> str:
    lines = "".join(f'({source}, "{label}", {target})\n' for source, label, target in edges)
    return f"des ({initial}, {len(edges)}, {states})\n{lines}"
