"""Why a formula is true or false in a state of a walk, as a tree whose nodes point to the steps that decide.

A walk with a cycle, or one that ends in a state without events, is an infinite run: every formula is true or false on
it. Any other walk is the beginning of many runs, and a formula that these do not agree about is undecided.
"""

from __future__ import annotations

from dataclasses import dataclass

from scrimp.frontends.model import Model
from scrimp.ltl.formula import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    atoms,
    subformulas,
)
from scrimp.ltl.parse import parse
from scrimp.outputs.page_states import Json
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.reference import EvaluationFault, State
from scrimp.viewing.expressions import Explainer
from scrimp.walking import Walk

MOST_NODES = 400

Truth = bool | None
"""None: undecided, or not to be evaluated."""


def explain_expression(walk: Walk, place: int, text: str) -> Json:
    """Why an expression of the model has its value after the first `place` steps."""
    state = walk.state(place)
    if not isinstance(state, State):
        return {"text": text, "holds": None, "note": "the last step leads to no state"}
    return Explainer(walk.model, state).tree(walk.model.expression(text)) | {"at": place}


def explain_formula(walk: Walk, place: int, text: str) -> Json:
    """Why a formula of linear temporal logic is true, false or undecided after the first `place` steps."""
    formula = parse(text, file="the formula")
    run = _run_of(walk, formula)
    return _Tree(walk, run).node(formula, run.position(place))


@dataclass(frozen=True, slots=True)
class _Run:
    """The ordinary states of a walk: `places[i]` is how many steps lead to the one at position i. After the last
    position comes `back`; None if the run may continue in any way."""

    places: list[int]
    back: int | None
    truth: dict[Formula, list[Truth]]

    def position(self, place: int) -> int:
        """The position of a place; of a transient state, that of the ordinary state after it."""
        found = next((number for number, each in enumerate(self.places) if each >= place), None)
        return len(self.places) - 1 if found is None else found

    def after(self, position: int) -> int | None:
        return position + 1 if position + 1 < len(self.places) else self.back


def _run_of(walk: Walk, formula: Formula) -> _Run:
    states = [(place, state) for place, state in enumerate(walk.states(0, walk.length)) if state.holder is None]
    if walk.before_cycle in (None, walk.length) and isinstance(walk.end, State) and walk.end.holder is None:
        states.append((walk.length, walk.end))
    run = _Run([place for place, _ in states], None, {})
    if walk.before_cycle is not None and walk.before_cycle < walk.length:
        back: int | None = run.position(walk.before_cycle)
    else:
        back = len(states) - 1 if isinstance(walk.end, State) and not walk.events() else None
    run = _Run(run.places, back, {})
    tests = {name: walk.model.expression(name) for name in atoms(formula)}
    for part in subformulas(formula):
        if isinstance(part, Atom):
            run.truth[part] = [_evaluated(walk.model, state, tests[part.name]) for _, state in states]
        else:
            run.truth[part] = _truth(part, run)
    return run


def _evaluated(model: Model, state: State, test: Expression) -> Truth:
    try:
        return reference.evaluate(model.system, state, test) != 0
    except EvaluationFault:
        return None


def _truth(formula: Formula, run: _Run) -> list[Truth]:
    """The truth of a formula at every position, from that of its parts."""
    size, truth = len(run.places), run.truth
    always: list[Truth] = [True] * size
    never: list[Truth] = [False] * size
    match formula:
        case Constant(value):
            return [value] * size
        case Not(operand):
            return [_not(value) for value in truth[operand]]
        case And(operands):
            return [_all(list(values)) for values in zip(*(truth[each] for each in operands), strict=True)]
        case Or(operands):
            return [_any(list(values)) for values in zip(*(truth[each] for each in operands), strict=True)]
        case Next(operand):
            values = truth[operand]
            following = [run.after(position) for position in range(size)]
            return [None if after is None else values[after] for after in following]
        case Eventually(operand):
            return _until(always, truth[operand], run, otherwise=False)
        case Always(operand):
            return _until(truth[operand], never, run, otherwise=True)
        case Until(left, right):
            return _until(truth[left], truth[right], run, otherwise=False)
        case WeakUntil(left, right):
            return _until(truth[left], truth[right], run, otherwise=True)
        case Release(left, right):
            return _until(truth[right], _both(truth[left], truth[right]), run, otherwise=True)
        case StrongRelease(left, right):
            return _until(truth[right], _both(truth[left], truth[right]), run, otherwise=False)
        case Atom():
            raise AssertionError("atoms are evaluated in states")


def _until(left: list[Truth], right: list[Truth], run: _Run, otherwise: bool) -> list[Truth]:
    """`right`, or `left` and the same one position later; `otherwise` is the value if that goes on forever. In a cycle,
    going around twice settles every position."""
    found: list[Truth] = [otherwise if run.back is not None else None] * len(left)
    for _ in range(1 if run.back is None else 2):
        for position in reversed(range(len(left))):
            after = run.after(position)
            later = None if after is None else found[after]
            found[position] = _any([right[position], _all([left[position], later])])
    return found


def _both(left: list[Truth], right: list[Truth]) -> list[Truth]:
    return [_all([first, second]) for first, second in zip(left, right, strict=True)]


def _not(value: Truth) -> Truth:
    return None if value is None else not value


def _all(values: list[Truth]) -> Truth:
    return False if False in values else None if None in values else True


def _any(values: list[Truth]) -> Truth:
    return True if True in values else None if None in values else False


class _Tree:
    """Makes the nodes; stops at MOST_NODES."""

    def __init__(self, walk: Walk, run: _Run) -> None:
        self._walk = walk
        self._run = run
        self._left = MOST_NODES

    def node(self, formula: Formula, position: int) -> Json:
        self._left -= 1
        place = self._run.places[position]
        made: dict[str, Json] = {
            "text": formula.name if isinstance(formula, Atom) else str(formula),
            "holds": self._run.truth[formula][position],
            "at": place,
            "temporal": True,
        }
        if self._left <= 0:
            return made | {"note": "the tree is cut off here"}
        note, parts = self._reasons(formula, position)
        if isinstance(formula, Atom):
            parts = self._atom(formula, place)
        return made | ({"note": note} if note else {}) | ({"parts": parts} if parts else {})

    def _atom(self, formula: Atom, place: int) -> list[Json]:
        state = self._walk.state(place)
        if not isinstance(state, State):
            return []
        tree = Explainer(self._walk.model, state).tree(self._walk.model.expression(formula.name))
        parts: list[Json] = tree.get("parts", [])
        return parts

    def _reasons(self, formula: Formula, position: int) -> tuple[str, list[Json]]:
        """A remark, and the nodes that decide the truth of a formula at a position."""
        holds = self._run.truth[formula][position]
        match formula:
            case Not(operand):
                return "", [self.node(operand, position)]
            case And(operands) | Or(operands):
                decisive = [each for each in operands if self._run.truth[each][position] is isinstance(formula, Or)]
                deciding = holds is isinstance(formula, Or) and decisive
                return "", [self.node(each, position) for each in (decisive if deciding else operands)]
            case Next(operand):
                after = self._run.after(position)
                return ("", [self.node(operand, after)]) if after is not None else ("the walk ends here", [])
            case Always(operand):
                return self._search(operand, position, False, holds is False, "in every state from here on")
            case Eventually(operand):
                return self._search(operand, position, True, holds is True, "in no state from here on")
            case Until(left, right) | WeakUntil(left, right):
                return self._awaited(position, left, right, holds)
            case Release(left, right) | StrongRelease(left, right):
                return self._released(position, left, right, holds)
        return "", []

    def _search(
        self, operand: Formula, position: int, wanted: bool, found: bool, otherwise: str
    ) -> tuple[str, list[Json]]:
        """The first position from here on at which the operand has the wanted value."""
        if not found:
            undecided = "the walk ends before this is decided"
            return (otherwise if self._run.back is not None else undecided), [self.node(operand, position)]
        return "", [self.node(operand, self._first(position, self._run.truth[operand], wanted))]

    def _awaited(self, position: int, left: Formula, right: Formula, holds: Truth) -> tuple[str, list[Json]]:
        truth = self._run.truth
        ends = [r is True or l is False for l, r in zip(truth[left], truth[right], strict=True)]  # noqa: E741
        return self._decided(position, ends, left, right, holds, f"{right} never comes")

    def _released(self, position: int, left: Formula, right: Formula, holds: Truth) -> tuple[str, list[Json]]:
        truth = self._run.truth
        ends = [r is False or l is True for l, r in zip(truth[left], truth[right], strict=True)]  # noqa: E741
        return self._decided(position, ends, left, right, holds, f"{left} never comes")

    def _decided(
        self, position: int, ends: list[bool], left: Formula, right: Formula, holds: Truth, otherwise: str
    ) -> tuple[str, list[Json]]:
        found = [each for each in self._onwards(position) if ends[each]]
        if not found:
            return (otherwise if holds is not None else "the walk ends before this is decided"), [
                self.node(left, position),
                self.node(right, position),
            ]
        return "", [self.node(left, found[0]), self.node(right, found[0])]

    def _first(self, position: int, values: list[Truth], wanted: bool) -> int:
        return next(each for each in self._onwards(position) if values[each] is wanted)

    def _onwards(self, position: int) -> list[int]:
        """The positions from here on, each once."""
        size, back = len(self._run.places), self._run.back
        return [*range(position, size), *range(size if back is None else min(back, position), position)]
