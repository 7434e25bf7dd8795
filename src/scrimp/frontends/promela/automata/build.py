"""The state machine of a proctype, state for state the same as in SPIN's verifier.

States have SPIN's numbers, edges are in the order in which the verifier tries them, and every edge has the number by
which trails identify it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrimp.frontends.promela.automata.automaton import Automaton
from scrimp.frontends.promela.automata.elements import Flow, Kind
from scrimp.frontends.promela.automata.flow import lay_out
from scrimp.frontends.promela.automata.table import Table
from scrimp.frontends.promela.program import syntax


def build(proctype: syntax.Proctype, first_identifier: int = 0, *, file: str = "") -> Automaton:
    """The state machine of `proctype`. Raises ModelError if SPIN rejects its control flow; `file` is the model's."""
    return _automaton(*lay_out([proctype], file, first_identifier))


def build_all(
    proctypes: Sequence[syntax.Proctype], *, file: str = "", labels: Iterable[tuple[str, str]] = ()
) -> tuple[Automaton, ...]:
    """The state machines of all proctypes of a model. They are built together because SPIN gives a label a separate
    state if another proctype refers to it, or a formula: `labels` are those in formulas, each with its proctype. Raises
    ModelError."""
    return tuple(_automaton(flow) for flow in lay_out(proctypes, file, labels=labels))


def _automaton(flow: Flow) -> Automaton:
    table = Table(flow)
    edges = table.reachable()
    return Automaton(
        initial=table.initial,
        edges=edges,
        labels={label: element.number for label, element in flow.labels.items() if label[0] != ":"},
        jump_labels=frozenset(label for label, element in flow.labels.items() if element.kind is Kind.GOTO),
        end_states=frozenset(table.ends & edges.keys()),
        progress_states=frozenset(table.progresses & edges.keys()),
        accept_states=frozenset(table.accepts & edges.keys()),
        next_identifier=flow.next_identifier,
    )
