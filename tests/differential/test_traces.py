"""Random `trace` and `notrace` assertions have SPIN's verdicts."""

from __future__ import annotations

import os
from itertools import count, islice
from random import Random

import pytest
from tests.differential.spin import DEADLOCK, Answer, ask_spin, needs_spin

import scrimp

MODELS = int(os.environ.get("SCRIMP_DIFFERENTIAL_TRACES", "20"))
MODELS_PER_TEST = 20
VIOLATED = ("event_trace error (no matching event)", "event_trace error (all events matched)")

DECLARED = "chan c = [2] of { byte, bit }; chan r = [0] of { byte }; chan a[2] = [1] of { byte }; byte x, y;"


class Author:
    """Writes a model. A rendezvous is sent only when it is received: SPIN reports the event of a send even if nobody
    accepts the message."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.kind = random.choice(("trace", "trace", "notrace"))
        self.rendezvous = random.random() < 0.4
        self.loops = 0

    def text(self) -> str:
        ends = "; end: x == 99" if self.random.random() < 0.3 and self.kind == "trace" else ""
        sends = "; ".join(self.send() for _ in range(self.random.randint(2, 4)))
        receives = "; ".join(self.receive() for _ in range(self.random.randint(1, 3)))
        other = "active proctype R() { r!1; r!2 } active proctype S() { r?x; r?y }" if self.rendezvous else ""
        first = f"active proctype P() {{ {sends}{ends} }} active proctype Q() {{ {receives} }} {other}"
        return f"{DECLARED}\n{first}\n{self.kind} {{ {self.body()} }}\n"

    def send(self) -> str:
        return self.random.choice(("c!1,0", "c!2,1", "c!x,y", "a[0]!1", "a[1]!2", "d_step { x = 2; c!x,1 }"))

    def receive(self) -> str:
        return self.random.choice(("c?x,y", "c?1,y", "a[0]?x", "a[1]?y", "atomic { c?x,_; y = 1 }", "c?<x,y>"))

    def body(self) -> str:
        parts = [self.part() for _ in range(self.random.randint(1, 3))]
        return "; ".join(parts)

    def part(self) -> str:
        shape = self.random.random()
        if shape < 0.5:
            return self.event()
        events = self.random.sample(self.events(), self.random.randint(1, 3))
        if shape < 0.75:
            return "if " + " ".join(f":: {event}" for event in events) + " fi"
        self.loops += 1
        options = " ".join(f":: {event}" for event in events)
        return f"end{self.loops}: do {options} :: {self.event()}; break od"

    def event(self) -> str:
        return self.random.choice(self.events())

    def events(self) -> list[str]:
        plain = ["c!1,0", "c!2,_", "c!_,_", "c?1,0", "c?_,_", "a[0]!1", "a[1]?_", "c!x,1"]
        return [*plain, *(["r!1", "r?1", "r?_", "r!2"] if self.rendezvous else [])]


def findings(text: str) -> tuple[bool, bool, bool]:
    """Whether the assertion is violated, two of its events match at once, and an end is invalid."""
    result = scrimp.check(scrimp.load(text=text, language="promela"), violations="all")
    messages = [violation.message for violation in result.violations]
    return (
        any("trace assertion violated" in message for message in messages),
        any("two events" in message for message in messages),
        result.statistics.deadlocks > 0,
    )


def spins_findings(answer: Answer) -> tuple[bool, bool, bool]:
    return any(error in answer.errors for error in VIOLATED), False, DEADLOCK in answer.errors


@needs_spin
@pytest.mark.parametrize("first_seed", range(0, MODELS * 50, MODELS_PER_TEST * 50))
def test_verdicts_on_assertions_about_events_are_those_of_spin(first_seed: int) -> None:
    texts = (Author(Random(seed)).text() for seed in count(first_seed))
    answers = ((text, ask_spin(text)) for text in texts)
    decided = ((text, answer) for text, answer in answers if isinstance(answer, Answer))
    for text, answer in islice(decided, MODELS_PER_TEST):
        if not any("non-determinism" in error for error in answer.errors):
            assert findings(text) == spins_findings(answer), text
