"""Never claims: automata in Promela, for SPIN."""

from __future__ import annotations

from scrimp.ltl.automaton import ANY, Automaton, Cube, Edge
from scrimp.ltl.degeneralise import state_based


def write_never_claim(automaton: Automaton, name: str = "") -> str:
    """The claim of an automaton, whose atoms are Promela expressions."""
    automaton = state_based(automaton)
    accepting = [any(edge.marks for edge in edges) for edges in automaton.leaving]

    def label(state: int) -> str:
        kind = "accept" if accepting[state] else "T0" if state == automaton.initial else "T"
        return f"{kind}_init" if state == automaton.initial else f"{kind}_S{state}"

    order = sorted(range(automaton.states), key=lambda state: (state != automaton.initial, state))
    lines = [f"never {{ /* {name} */" if name else "never {"]
    for state in order:
        lines.append(f"{label(state)}:")
        edges = automaton.leaving[state]
        if edges:
            lines += [
                "\tif",
                *(f"\t:: ({_test(automaton, edge)}) -> goto {label(edge.target)}" for edge in edges),
                "\tfi;",
            ]
        else:
            lines.append("\tfalse;")
    return "\n".join([*lines, "}", ""])


def _test(automaton: Automaton, edge: Edge) -> str:
    return " || ".join(_cube(automaton.atoms, cube) for cube in edge.cubes)


def _cube(atoms: tuple[str, ...], cube: Cube) -> str:
    if cube == ANY:
        return "true"
    literals = [
        f"({atom})" if cube.true >> bit & 1 else f"!({atom})"
        for bit, atom in enumerate(atoms)
        if (cube.true | cube.false) >> bit & 1
    ]
    return " && ".join(literals) if len(literals) > 1 else literals[0]
