"""Questions about infinite runs: a property, and the automaton that accepts the runs that violate it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from scrimp.boolean_parts import BooleanParts, atom_of
from scrimp.errors import ModelError, OptionError
from scrimp.fairness import Fairness
from scrimp.formula_errors import in_formula
from scrimp.frontends.model import Claim, Formula, Model
from scrimp.ltl.automaton import ANY, Automaton, Cube, Edge
from scrimp.ltl.degeneralise import degeneralised
from scrimp.ltl.formula import is_next_free, negation
from scrimp.ltl.hoa import read_hoa
from scrimp.ltl.monitor import Monitor, monitor_of
from scrimp.ltl.parse import parse
from scrimp.ltl.translate import translate
from scrimp.movers import NO_MOVERS, movers
from scrimp.properties import LTL, Acceptance, Claimed, NonProgress, Temporal
from scrimp.strategies import Store
from scrimp.system.expressions import FALSE, TRUE, Binary, Expression, Unary, conjunction, disjunction
from scrimp.system.system import Invariant
from scrimp.system.violations import ViolationKind
from scrimp.watches import BITS, Watches

if TYPE_CHECKING:
    from scrimp.machine.build import Native

# One watch is for atoms that cannot be evaluated.
MOST_ATOMS = BITS - 1

LONGEST_SHOWN = 120

NO_PROGRESS = "no progress label"
"""The atom that holds if no process is at a progress label."""
ACCEPTING = "accept label"
"""The atom that holds if some process is at an accept label."""


@dataclass(frozen=True)
class Question:
    """Whether a run of the model is accepted by the automaton, which is that of the violations of the property.

    The automaton's atoms are expressions of the model, or keys of `special`. `repeats_ends` says whether a state
    without events counts as an infinite run, in which it is repeated. `keeps_claim`: the model's claim moves with its
    processes, and the runs are those of both. `is_next_free`: it is known that the number of times that a state is
    repeated does not matter. `formula` is the one that the automaton was made from, if there is one.
    """

    asked: Temporal
    automaton: Automaton
    special: Mapping[str, Callable[[Model], Expression]] = field(default_factory=dict, compare=False)
    repeats_ends: bool = True
    keeps_claim: bool = False
    is_next_free: bool = False
    formula: Formula | None = field(default=None, compare=False)

    @cached_property
    def monitor(self) -> Monitor | None:
        """What recognises a violation by its finite prefix, if every violation has one."""
        return monitor_of(self.automaton) if self.repeats_ends else None

    @property
    def is_invariant(self) -> bool:
        """Whether a single state shows each violation."""
        return self.monitor is not None and self.monitor.bad_letters is not None

    def watches(self, model: Model) -> Watches:
        """The atoms, as watches of the model, and one that is hit if an atom cannot be evaluated."""
        atoms = [Invariant(text, test) for text, test in zip(self.automaton.atoms, self.atoms(model), strict=True)]
        return Watches((*atoms, Invariant("unknown", self._unknown(model))) if atoms else (), ())

    def violation(self, model: Model) -> Expression:
        """Of an invariant: whether a state violates it; cannot be evaluated if an atom cannot."""
        assert self.monitor is not None
        atoms = self.atoms(model)

        def literals(cube: Cube) -> Iterator[Expression]:
            for bit, atom in enumerate(atoms):
                if cube.true >> bit & 1:
                    yield atom
                if cube.false >> bit & 1:
                    yield Unary("!", atom)

        bad = disjunction(*(conjunction(*literals(cube)) for cube in self.monitor.bad_letters or ()))
        return disjunction(self._unknown(model), bad)

    def atoms(self, model: Model) -> list[Expression]:
        return [self.atom(model, text) for text in self.automaton.atoms]

    def _unknown(self, model: Model) -> Expression:
        """False if all atoms can be evaluated; otherwise it cannot be evaluated either."""
        return disjunction(*(Binary("&&", atom, FALSE) for atom in self.atoms(model)))

    def atom(self, model: Model, text: str) -> Expression:
        if text in self.special:
            return self.special[text](model)
        if self.formula is not None:
            return atom_of(model, self.formula, text)
        try:
            return model.expression(text)
        except ModelError as error:
            raise replace(error, file=f"{self.asked.text}: '{text}'").pointing(text) from None

    def for_engine(self, model: Model, native: Native) -> dict[str, Any]:
        """The question as the engine takes it (see `liveness_of` in engine/wire/tables.h); the events that move
        processes are those of native code."""
        fair = fair_processes(model, self.asked.fairness)
        moving = movers(model.system, native.chains, fair) if fair else NO_MOVERS
        return {
            "states": max(self.automaton.states, 1),
            "initial": self.automaton.initial,
            "marks": self.automaton.marks,
            "edges": _edges(self.automaton),
            "unknown_letter": self.unknown_letter,
            "repeats_ends": self.repeats_ends,
            "processes": moving.processes,
            "strong": moving.strong,
            "movers": moving.of_event,
            "varies": moving.varies,
        }

    def monitor_for_engine(self, model: Model, native: Native, *, reduced: bool) -> dict[str, Any]:
        """The monitor as the engine takes it: see `monitor_of` in engine/wire/tables.h."""
        assert self.monitor is not None
        return {
            "states": self.monitor.automaton.states,
            "initial": self.monitor.automaton.initial,
            "marks": 0,
            "edges": _edges(self.monitor.automaton, marks=False),
            "bad": self.monitor.bad,
            "satisfied": self.monitor.satisfied,
            "unknown_letter": self.unknown_letter,
            "stops_when_decided": not reduced,
            "repeats_ends": not self.monitor.is_stutter_invariant,
        }

    @property
    def unknown_letter(self) -> int:
        """The bit of the watch for atoms that cannot be evaluated; 0 if there are no atoms."""
        return 1 << len(self.automaton.atoms) if self.automaton.atoms else 0


EngineEdge: TypeAlias = tuple[int, int, list[tuple[int, int]], int]


def _edges(automaton: Automaton, marks: bool = True) -> list[EngineEdge]:
    """The edges as the engine takes them."""
    return [
        (edge.source, edge.target, [(cube.true, cube.false) for cube in edge.cubes], edge.marks if marks else 0)
        for edge in automaton.edges
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What is asked about infinite runs: formulas or their names, progress and accept labels, and files with automata
    that accept violations. If nothing is, the model's own formulas and claims are."""

    formulas: tuple[str, ...] = ()
    non_progress: bool = False
    acceptance: bool = False
    automata: tuple[Path, ...] = ()
    fairness: Fairness = Fairness.NONE

    def __bool__(self) -> bool:
        return bool(self.formulas or self.non_progress or self.acceptance or self.automata)


def questions_about(model: Model, asked: Asked) -> tuple[Question, ...]:
    """The questions about infinite runs: those that are asked, or else the model's own."""
    fairness = Fairness.DECLARED if model.fair and asked.fairness is Fairness.NONE else asked.fairness
    asked_or_declared = replace(asked, fairness=fairness)
    questions = tuple(_explicit(model, asked_or_declared) if asked else _own(model, fairness))
    if asked.fairness is not Fairness.NONE:
        if any(question.keeps_claim for question in questions):
            raise OptionError(
                "--fair: the never claim does more than read states, and fairness cannot be combined with that; "
                "write it without assignments, with at most 62 conditions"
            )
        if not questions:
            raise OptionError("--fair has no effect: it is about infinite runs, and none are asked for; use --ltl")
        require_fair(model, asked.fairness)
    return questions


def _explicit(model: Model, asked: Asked) -> Iterator[Question]:
    known = {formula.name: formula for formula in model.formulas if formula.name}
    for text in asked.formulas:
        formula = known.get(text) or Formula("", text, f"--ltl '{_shortened(text)}'")
        yield formula_question(model, formula, asked.fairness)
    if asked.non_progress:
        yield progress_question(model, asked.fairness)
    if asked.acceptance:
        yield acceptance_question(model, asked.fairness)
    for file in asked.automata:
        yield file_question(file, asked.fairness)


def _shortened(text: str) -> str:
    """A formula for a message: on one line, and not very long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}…"


def _own(model: Model, fairness: Fairness) -> Iterator[Question]:
    for formula in model.formulas:
        yield formula_question(model, formula, fairness)
    for number, claim in enumerate(model.claims):
        yield claim_question(claim, number, fairness)


def question_of(model: Model, kind: str, name: str) -> Question | None:
    """The question that a record calls by this kind and name; None if it is not about infinite runs."""
    match kind:
        case ViolationKind.LTL:
            return next(_explicit(model, Asked(formulas=(name,))))
        case ViolationKind.PROGRESS:
            return progress_question(model, Fairness.NONE)
        case ViolationKind.ACCEPTANCE:
            return acceptance_question(model, Fairness.NONE)
        case ViolationKind.NEVER:
            own = [claim_question(claim, number, Fairness.NONE) for number, claim in enumerate(model.claims)]
            found = next((each for each in own if each.asked.name == name), None)
            return found if found or name == model.watched_by else file_question(Path(name), Fairness.NONE)
    return None


def require_fair(model: Model, fairness: Fairness) -> None:
    """Refuse fairness for models without processes."""
    if fairness is not Fairness.NONE and model.language in ("pnml", "aut"):
        raise OptionError(
            f"--fair {fairness.value} is about processes, and a model in {model.language} has none; leave out --fair"
        )


def fair_processes(model: Model, fairness: Fairness) -> Mapping[int, Fairness]:
    """The processes to which a run must be fair, and in which sense."""
    match fairness:
        case Fairness.NONE:
            return {}
        case Fairness.DECLARED:
            return model.fair
        case _:
            return dict.fromkeys(range(len(model.system.processes)), fairness)


def fitted(question: Question, store: Store) -> Question:
    """The question for a store. One that has only a few bits beside each state takes one mark, unless fairness is
    assumed: then states that need more are stored in another way."""
    if store.compression != "cleary" or question.asked.fairness is not Fairness.NONE:
        return question
    return replace(question, automaton=degeneralised(question.automaton))


def formula_question(model: Model, formula: Formula, fairness: Fairness) -> Question:
    """Whether all fair runs satisfy a formula. Its atoms are looked up when a model is searched."""
    parts = BooleanParts(model, formula)
    try:
        parsed = parse(formula.text, join=parts.join)
    except ModelError as error:
        raise in_formula(formula, error) from None
    automaton = translate(negation(parsed))
    _require_few_atoms(automaton, formula.place)
    asked = LTL(formula.name or formula.text, formula.text, formula.said, fairness=fairness)
    return Question(asked, automaton, parts.special, is_next_free=is_next_free(parsed), formula=formula)


def claim_question(claim: Claim, number: int, fairness: Fairness) -> Question:
    """Whether a claim of the model is violated; `number` is its place among them."""

    def atom(place: int) -> Callable[[Model], Expression]:
        return lambda model: model.claims[number].atoms[place]

    special = {text: atom(place) for place, text in enumerate(claim.automaton.atoms)}
    asked = Claimed(claim.name, claim.text, fairness=fairness)
    return Question(asked, claim.automaton, special, repeats_ends=not claim.moves, keeps_claim=claim.moves)


def file_question(file: Path, fairness: Fairness) -> Question:
    """Whether an automaton in a file accepts a fair run."""
    try:
        automaton = read_hoa(file.read_text(encoding="utf-8"), str(file))
    except OSError as error:
        raise OptionError(f"--automaton {file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise OptionError(f"--automaton {file}: it is not UTF-8 text") from None
    _require_few_atoms(automaton, str(file))
    return Question(Claimed(str(file), f"automaton {file}", fairness=fairness), automaton)


def _require_few_atoms(automaton: Automaton, place: str) -> None:
    if len(automaton.atoms) > MOST_ATOMS:
        raise OptionError(f"{place}: {len(automaton.atoms)} atoms; at most {MOST_ATOMS} are possible")


def progress_question(model: Model, fairness: Fairness) -> Question:
    """Whether all infinite runs pass progress labels again and again."""
    if model.no_progress is None:
        raise OptionError(f"--progress is about progress labels, and a model in {model.language} has none")
    stays = (Cube(1, 0),)
    edges = (Edge(0, 0, (ANY,), 0), Edge(0, 1, stays, 0), Edge(1, 1, stays, 1))
    automaton = Automaton((NO_PROGRESS,), states=2, initial=0, edges=edges, marks=1)
    special = {NO_PROGRESS: lambda model: model.no_progress or TRUE}
    return Question(NonProgress(fairness=fairness), automaton, special, repeats_ends=False)


def acceptance_question(model: Model, fairness: Fairness) -> Question:
    """Whether some infinite run passes accept labels again and again."""
    accepting = model.accepting
    if accepting is None:
        raise OptionError(f"--acceptance is about accept labels, and {model.path} has none")
    edges = (Edge(0, 0, (ANY,), 0), Edge(0, 0, (Cube(1, 0),), 1))
    automaton = Automaton((ACCEPTING,), states=1, initial=0, edges=edges, marks=1)
    return Question(Acceptance(fairness=fairness), automaton, {ACCEPTING: lambda model: model.accepting or FALSE})
