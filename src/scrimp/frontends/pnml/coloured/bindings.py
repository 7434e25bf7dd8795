"""The bindings under which a transition of a coloured net could ever be enabled.

The colours that places can ever hold are found one after the other, beginning with the initial marking. Each new one is
tried on every arc that needs such a token: it binds the variables of that arc; the other arcs and the condition bind
the rest or fail; and the tokens that the transition then produces may be new in turn. This is the bottom-up evaluation
of a logic program, in which each fact is used once ("semi-naive"). It ignores how many tokens there are, and whether
they are present at the same time, so some bindings may be found that are never enabled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from scrimp.frontends.pnml.coloured import terms
from scrimp.frontends.pnml.coloured.sorts import Colour, Sort, colours, contains, size
from scrimp.frontends.pnml.coloured.terms import ColourTerm, Condition, Variable, colour, holds, variables

Bound = dict[str, Colour]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A place in which a token of the term's colour is needed."""

    place: int
    term: ColourTerm


@dataclass(frozen=True, slots=True)
class Rule:
    """A transition: the tokens that it always needs, its condition as conjuncts, its variables."""

    patterns: tuple[Pattern, ...]
    conditions: tuple[Condition, ...]
    variables: dict[str, Sort]


class Tokens:
    """The colours found so far that places may hold, with an index for each way of looking them up."""

    def __init__(self, places: int) -> None:
        self.colours: list[set[Colour]] = [set() for _ in range(places)]
        self._indices: list[dict[tuple[int, ...], dict[Colour, list[Colour]]]] = [{} for _ in range(places)]

    def add(self, place: int, value: Colour) -> None:
        self.colours[place].add(value)
        for positions, index in self._indices[place].items():
            index.setdefault(tuple(value[position] for position in positions), []).append(value)

    def matching(self, place: int, positions: tuple[int, ...], numbers: Colour) -> Sequence[Colour]:
        """The colours that have given numbers at given positions."""
        index = self._indices[place].get(positions)
        if index is None:
            index = self._indices[place][positions] = {}
            for value in sorted(self.colours[place]):
                index.setdefault(tuple(value[position] for position in positions), []).append(value)
        return index.get(numbers, ())


Step = Callable[[Bound, Tokens], Iterator[None]]
"""Extends a binding in every possible way, and restores it in the end."""


@dataclass
class BindingSearch:
    """Finds bindings of rules. `found` is called once for each, and returns the tokens that the transition produces."""

    rules: Sequence[Rule]
    tokens: Tokens
    found: Callable[[int, Bound], Iterator[tuple[int, Colour]]]
    _waiting: deque[tuple[int, Colour]] = field(default_factory=deque)
    _known: set[tuple[int, Colour]] = field(default_factory=set)
    _seen: list[set[tuple[Colour, ...]]] = field(default_factory=list)
    _asking: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    _plans: dict[tuple[int, int], list[Step]] = field(default_factory=dict)

    def run(self, initial: Sequence[tuple[int, Colour]]) -> None:
        self._seen = [set() for _ in self.rules]
        for number, rule in enumerate(self.rules):
            for which, pattern in enumerate(rule.patterns):
                self._asking.setdefault(pattern.place, []).append((number, which))
        for place, value in initial:
            self._enqueue(place, value)
        for number, rule in enumerate(self.rules):
            if not rule.patterns:
                self._complete(number, -1, {})
        while self._waiting:
            place, value = self._waiting.popleft()
            self.tokens.add(place, value)
            for number, which in self._asking.get(place, ()):
                bound: Bound = {}
                for _ in matched(self.rules[number].patterns[which].term, value, bound):
                    self._complete(number, which, bound)

    def _enqueue(self, place: int, value: Colour) -> None:
        if (place, value) not in self._known:
            self._known.add((place, value))
            self._waiting.append((place, value))

    def _complete(self, number: int, which: int, bound: Bound) -> None:
        """Bind the variables that a pattern has left unbound, in every possible way."""
        rule = self.rules[number]
        if (number, which) not in self._plans:
            self._plans[number, which] = plan(rule, which, frozenset(bound), self.tokens)
        complete = list(_run(self._plans[number, which], 0, bound, self.tokens))
        for binding in complete:
            key = tuple(binding[id_] for id_ in rule.variables)
            if key not in self._seen[number]:
                self._seen[number].add(key)
                for place, value in self.found(number, binding):
                    self._enqueue(place, value)


def _run(steps: list[Step], number: int, bound: Bound, tokens: Tokens) -> Iterator[Bound]:
    if number == len(steps):
        yield dict(bound)
        return
    for _ in steps[number](bound, tokens):
        yield from _run(steps, number + 1, bound, tokens)


def plan(rule: Rule, first: int, bound: frozenset[str], tokens: Tokens) -> list[Step]:
    """The order in which the remaining variables are bound after those of the first pattern: tests as soon as they can
    be evaluated, then equations, then the arc or the variable with the fewest choices."""
    known = set(bound)
    conditions = list(rule.conditions)
    patterns = [pattern for which, pattern in enumerate(rule.patterns) if which != first]
    steps: list[Step] = []
    while conditions or patterns or known < rule.variables.keys():
        step, newly = (
            _next_test(conditions, known)
            or _next_equation(conditions, known, rule)
            or _next_choice(patterns, known, rule, tokens)
        )
        steps.append(step)
        known |= newly
    return steps


def _next_test(conditions: list[Condition], known: set[str]) -> tuple[Step, frozenset[str]] | None:
    for condition in conditions:
        if variables(condition).keys() <= known:
            conditions.remove(condition)
            return _test(condition), frozenset()
    return None


def _test(condition: Condition) -> Step:
    def step(bound: Bound, _: Tokens) -> Iterator[None]:
        if holds(condition, bound):
            yield

    return step


def _next_equation(conditions: list[Condition], known: set[str], rule: Rule) -> tuple[Step, frozenset[str]] | None:
    for condition in conditions:
        if not isinstance(condition, terms.Comparison) or condition.operator != "==":
            continue
        for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
            if isinstance(one, Variable) and variables(other).keys() <= known:
                conditions.remove(condition)
                return _equation(one, other, rule.variables[one.id]), frozenset({one.id})
    return None


def _equation(variable: Variable, term: ColourTerm, sort: Sort) -> Step:
    def step(bound: Bound, _: Tokens) -> Iterator[None]:
        value = colour(term, bound)
        if contains(sort, value):
            bound[variable.id] = value
            yield
            del bound[variable.id]

    return step


def _next_choice(patterns: list[Pattern], known: set[str], rule: Rule, tokens: Tokens) -> tuple[Step, frozenset[str]]:
    if patterns:
        chosen = min(patterns, key=lambda pattern: _choices(pattern, known, rule, tokens))
        patterns.remove(chosen)
        return _match(chosen, known), frozenset(variables(chosen.term))
    free = min((id_ for id_ in rule.variables if id_ not in known), key=lambda id_: size(rule.variables[id_]))
    return _each(free, rule.variables[free]), frozenset({free})


def _choices(pattern: Pattern, known: set[str], rule: Rule, tokens: Tokens) -> int:
    """About how many colours a pattern can match."""
    choices = 1
    for id_ in variables(pattern.term):
        if id_ not in known:
            choices *= size(rule.variables[id_])
    return min(choices, max(1, len(tokens.colours[pattern.place]))) if choices > 1 else 0


def _each(id_: str, sort: Sort) -> Step:
    def step(bound: Bound, _: Tokens) -> Iterator[None]:
        for value in colours(sort):
            bound[id_] = value
            yield
        bound.pop(id_, None)

    return step


def _match(pattern: Pattern, known: set[str]) -> Step:
    """Look up the tokens that match the known parts of the pattern."""
    settled: list[ColourTerm] = []
    positions: list[int] = []
    for start, part in _parts(pattern.term):
        if variables(part).keys() <= known:
            settled.append(part)
            positions += range(start, start + len(part.sort))
    where = tuple(positions)

    def step(bound: Bound, tokens: Tokens) -> Iterator[None]:
        numbers = tuple(number for part in settled for number in colour(part, bound))
        for value in tuple(tokens.matching(pattern.place, where, numbers)):
            yield from matched(pattern.term, value, bound)

    return step


def _parts(term: ColourTerm, start: int = 0) -> Iterator[tuple[int, ColourTerm]]:
    """The terms within tuples, each with its first position in a colour."""
    if not isinstance(term, terms.Tuple):
        yield start, term
        return
    for part in term.terms:
        assert isinstance(part, ColourTerm)
        yield from _parts(part, start)
        start += len(part.sort)


def matched(term: ColourTerm, value: Colour, bound: Bound) -> Iterator[None]:
    """Bind the variables of a term so that it has a given colour, if possible, and unbind them in the end."""
    newly: list[str] = []
    later: list[tuple[ColourTerm, Colour]] = []
    possible = True
    for start, part in _parts(term):
        numbers = value[start : start + len(part.sort)]
        root, wanted = _solved(part, numbers)
        if isinstance(root, Variable) and root.id not in bound:
            possible = possible and contains(root.sort, wanted)
            bound[root.id] = wanted
            newly.append(root.id)
        else:
            later.append((part, numbers))
    if possible and all(
        colour(part, bound) == numbers for part, numbers in later if variables(part).keys() <= bound.keys()
    ):
        yield
    for id_ in newly:
        del bound[id_]


def _solved(term: ColourTerm, value: Colour) -> tuple[ColourTerm, Colour]:
    """The variable inside successors and predecessors, and the colour that it must have for the term to equal
    `value`."""
    while isinstance(term, terms.Stepped):
        if not contains(term.sort, value):
            return term, value
        value = (term.sort[0].stepped(value[0], -term.steps),)
        term = term.term
    return term, value
