"""Mistakes in claims and assertions about events are noticed: each mutant gives some model another verdict."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import scrimp
from scrimp.frontends import promela
from scrimp.frontends.promela.lowering import lower, traces
from scrimp.system import claims

TWO_STEPS = "byte x, n; active proctype P() { x = 1; x = 2 }"
SENDS = "chan c = [3] of { byte }; byte x; active proctype P() { c!1; c!2; c?x }"

# Each with its verdict, which is SPIN's.
MODELS = {
    TWO_STEPS + "never { do :: true :: x == 1 -> break od; do :: n = 2; accept: n = 3 od }": "refuted",
    TWO_STEPS + "never { do :: true :: x == 1 -> break od; do :: n = 2; accept: n == 9 od }": "proved",
    TWO_STEPS + "never { do :: true :: atomic { x == 1 -> x == 2 } -> break od; accept: do :: true od }": "proved",
    TWO_STEPS
    + "never { do :: x < 3 :: atomic { x == 1; assert(!x); x == 2 } :: x == 5; break od; accept: do :: x od }": (
        "refuted"
    ),
    TWO_STEPS + "never { do :: true :: x == 1 -> break od; accept: do :: n = 2; n = 3 od }": "refuted",
    TWO_STEPS + "never { do :: true :: x == 2 -> break od; accept: do :: n = 2; n = 3 od }": "refuted",
    TWO_STEPS + "never { do :: true :: x == 2 -> break od; n = 1; accept: do :: n = 2; n = 3 od }": "refuted",
    SENDS + "trace { c!1; c!2; c?1 }": "proved",
    SENDS + "trace { c!1; c!3 }": "refuted",
    SENDS + "trace { c!1 }": "refuted",
    SENDS + "trace { c?1 }": "proved",
    SENDS + "trace { if :: c!1 :: c!_ fi; c!2 }": "refuted",  # two events match
    SENDS + "notrace { c!1; c!2 }": "refuted",
    SENDS + "notrace { c!2 }": "proved",  # the first event decides
    SENDS + "trace { c!1; c!2; c?1; c!3 } active proctype Q() { end: false }": "refuted",  # not completed
}


class Mutant(NamedTuple):
    module: ModuleType
    before: str
    after: str


MUTANTS = {
    "a location that was passed between two states is forgotten": Mutant(
        claims, "disjunction(*places, Read(before),", "disjunction(*places,"
    ),
    "every location accepts": Mutant(claims, "int(move.source in accepting)", "1"),
    "only the last condition of an atomic sequence counts": Mutant(
        claims, "conjunction(so_far, transition.guard)", "transition.guard"
    ),
    "an assertion within an atomic sequence is not checked": Mutant(
        claims,
        'yield Arc(start, start, conjunction(guard, Unary("!", holds)), (FALSE,))',
        "pass",
    ),
    "an event matches whatever the message": Mutant(traces, "if want is not None", "if False"),
    "an unmatched event is allowed": Mutant(
        traces, "return (Assert(FALSE, message, fatal=False, kind=ViolationKind.ASSERTION),)", "return ()"
    ),
    "sends and receives are the same": Mutant(
        traces, 'syntax.Send if kind == "send" else syntax.Receive', "syntax.Send | syntax.Receive"
    ),
    "the first of two events that match is taken": Mutant(traces, "*_alone(tests[place + 1 :])", "*()"),
    "the end of a notrace assertion is no violation": Mutant(
        traces, 'self.traced.kind == "trace" or target != self.traced.end', "True"
    ),
    "a notrace assertion may begin later": Mutant(
        traces, "return (Assign(Place(self.variable), Constant(self.traced.end)),)", "return ()"
    ),
}


def verdicts() -> list[str]:
    return [scrimp.check(scrimp.load(text=text, language="promela")).verdict.value for text in MODELS]


def test_without_a_mutant_all_verdicts_are_right() -> None:
    assert verdicts() == [*MODELS.values()]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path))
    module, before, after = MUTANTS[name]
    text = inspect.getsource(module)
    assert text.count(before) == 1
    mutated = ModuleType(module.__name__)
    exec(compile(text.replace(before, after), str(module.__file__), "exec"), mutated.__dict__)
    if module is claims:
        for function in ("separated", "observed"):
            monkeypatch.setattr(promela, function, mutated.__dict__[function])
        monkeypatch.setattr(promela, "NotSeparable", mutated.__dict__["NotSeparable"])
    else:
        monkeypatch.setattr(lower, "Events", mutated.__dict__["Events"])
    assert verdicts() != [*MODELS.values()]
