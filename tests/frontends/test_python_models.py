"""What models in Python mean: steps, waiting, choices, faults, properties."""

from __future__ import annotations

import pytest
from tests.frontends.python_models import explored, first_fault, model

from scrimp.checking import check
from scrimp.errors import ModelError
from scrimp.outputs.trace_text import changes_text
from scrimp.system.reference import explore
from scrimp.verdict import Verdict

TWO_STEPS = """
x: int = 0
@process
async def p(self) -> None:
    self.x = 1
    self.x = 2
    await step()
    self.x = 3
"""


def values(members: str, field: int = 0) -> set[int]:
    """The values that the first variable has in reachable states."""
    return {state.values[field][0] for state in explored(members).states}


def test_everything_between_two_awaits_is_one_step() -> None:
    assert values(TWO_STEPS) == {0, 2, 3}


def test_a_process_begins_at_an_await_that_comes_first() -> None:
    assert len(explored("@process\nasync def p(self) -> None:\n    await step()").states) == 2


def test_statements_before_the_first_await_are_a_step_of_their_own() -> None:
    assert len(explored(TWO_STEPS).states) == 3


def test_a_condition_holds_in_the_step_that_follows_it() -> None:
    found = explored("""
taken: bool = False
inside: int = 0
@process(count=2)
async def p(self, me: int) -> None:
    while True:
        await until(lambda: not self.taken)
        self.taken = True
        self.inside += 1
        await step()
        self.inside -= 1
        self.taken = False
@always
def alone(self) -> bool:
    return self.inside <= 1
""")
    assert len(found.states) == 3


def test_the_argument_of_put_is_evaluated_before_the_process_waits() -> None:
    assert values("""
got: int = 0
x: int = 1
queue: Queue[int] = Queue(1)
@process
async def sender(self) -> None:
    await step()
    await self.queue.put(self.x)
@process
async def changer(self) -> None:
    await until(lambda: self.got == 0)
    self.x = 2
@process
async def receiver(self) -> None:
    self.got = await self.queue.get()
""") == {0, 1, 2}


def test_a_read_before_an_await_in_the_same_expression_loses_updates() -> None:
    assert 1 in values("""
x: int = 0
done: int = 0
async def one(self) -> int:
    await step()
    return 1
@process(count=2)
async def p(self, me: int) -> None:
    self.x += await self.one()
    self.done += 1
""")


def test_a_local_variable_that_is_not_read_again_distinguishes_no_states() -> None:
    found = explored("""
x: int = 0
@process
async def p(self) -> None:
    chosen = choose(1, 2, 3)
    self.x = chosen % 1
    await step()
    self.x = 1
""")
    assert (len(found.states), found.transitions) == (3, 4)


def test_every_option_of_a_choice_is_explored() -> None:
    assert values("""
x: int = 0
@action
def a(self) -> None:
    require(self.x == 0)
    self.x = choose(1, 2) * choose(*range(3, 5))
""") == {0, 3, 4, 6, 8}


def test_division_rounds_down() -> None:
    assert values("""
x: int = 0
@process
async def p(self) -> None:
    for a in (-7, 7):
        for b in (-2, 2):
            await step()
            self.x = 10 * (a // b) + a % b
""") == {0, *(10 * (a // b) + a % b for a in (-7, 7) for b in (-2, 2))}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("self.x = 1 // self.x", "ZeroDivisionError: integer division or modulo by zero"),
        ("self.small = self.x + 9", "value 9 is outside small's range 0..3"),
        ("self.x = self.slots[self.x + 2]", "IndexError: index outside slots[2]"),
        ("self.x = self.owner + 1", "TypeError: found None, expected a number"),
        ("assert self.x == 1", "assertion violated: self.x == 1"),
        ("assert self.x == 1, 'one is needed'", "assertion violated: one is needed"),
        ("raise ValueError('never')", "ValueError: never"),
        ("self.lock.release()", "RuntimeError: Lock is not acquired."),
        ("self.permits.release()", "ValueError: BoundedSemaphore released too many times"),
        ("self.queue.get_nowait()", "channel queue is empty"),
        ("self.x = 2147483647 + self.x + 1", "a number does not fit in 32 bits; give the operands smaller ranges"),
        ("self.x = 1 << self.x - 1", "ValueError: negative shift count"),
    ],
)
def test_an_exception_is_a_fault(statement: str, message: str) -> None:
    members = f"""
x: int = 0
small: Annotated[int, Range(0, 3)] = 0
slots: Array[int] = Array(2, 0)
owner: Annotated[int, Range(0, 3)] | None = None
queue: Queue[int] = Queue(1)
lock: Lock = Lock()
permits: Semaphore = Semaphore(1)
@process
async def p(self) -> None:
    {statement}
"""
    assert first_fault(members) == message


def test_a_loop_that_never_ends_inside_a_step_is_a_violation() -> None:
    result = check(model("x: int = 0\n@process\nasync def p(self) -> None:\n    while True:\n        self.x = 1"))
    assert (result.verdict, result.reason) == (Verdict.REFUTED, "infinite loop without an await")


def test_a_process_that_waits_forever_is_a_deadlock_unless_it_is_a_daemon() -> None:
    waiting = "flag: bool = False\n@process{}\nasync def p(self) -> None:\n    await until(lambda: self.flag)"
    assert explored(waiting.format("")).deadlocks == 1
    assert explored(waiting.format("(daemon=True)")).deadlocks == 0


def test_a_final_state_of_actions_is_no_deadlock() -> None:
    counting = """
x: int = 0
@action
def tick(self) -> None:
    require(self.x < 3)
    self.x += 1
"""
    assert explored(counting).deadlocks == 1
    assert explored(counting + "@final\ndef full(self) -> bool:\n    return self.x == 3").deadlocks == 0


def test_a_lock_is_released_however_its_block_is_left() -> None:
    found = explored("""
lock: Lock = Lock()
@process(count=2)
async def p(self, me: int) -> None:
    for i in range(3):
        async with self.lock:
            if i == 0:
                continue
            if choose(True, False):
                return
            break
""")
    assert found.deadlocks == 0
    assert found.faults == 0


def test_properties_have_their_docstrings_as_messages() -> None:
    result = check(
        model(TWO_STEPS + '@always\ndef small(self) -> bool:\n    """Never three."""\n    return self.x < 3')
    )
    assert result.reason == "small (Never three) does not hold"


def test_a_reachable_property_that_nothing_reaches_is_refuted() -> None:
    found = "@reachable\ndef four(self) -> bool:\n    return self.x == {}"
    assert check(model(TWO_STEPS + found.format(3))).verdict is Verdict.PROVED
    result = check(model(TWO_STEPS + found.format(4)))
    assert (result.verdict, result.reason) == (Verdict.REFUTED, "four is not reachable")


LIGHT = """
asked: bool = False
green: bool = False
answers = leads_to(lambda light: light.asked, lambda light: light.green)
@action
def ask(self) -> None:
    require(not self.green)
    self.asked = True
@action{}
def turn_green(self) -> None:
    require(self.asked)
    self.green = True
    self.asked = False
@action
def turn_red(self) -> None:
    require(self.green)
    self.green = False
"""


def test_an_eventual_property_holds_at_some_point_of_every_run() -> None:
    ends = '@eventually\ndef ends(self) -> bool:\n    """It gets to {0}."""\n    return self.x == {0}\n'
    assert check(model(TWO_STEPS + ends.format(3))).verdict is Verdict.PROVED
    result = check(model(TWO_STEPS + ends.format(4)))
    assert (result.verdict, result.reason) == (Verdict.REFUTED, "ends does not hold (It gets to 4)")


def test_a_cause_leads_to_its_effect_only_if_the_effect_is_fair() -> None:
    assert check(model(LIGHT.format(""))).verdict is Verdict.REFUTED
    assert check(model(LIGHT.format("(fair='weak')"))).verdict is Verdict.PROVED


def test_weak_fairness_is_not_enough_for_an_action_that_is_possible_now_and_then() -> None:
    blinking = LIGHT.replace("require(self.asked)", "require(self.asked and self.open)") + (
        "open: bool = False\n@action(fair='weak')\ndef blink(self) -> None:\n    self.open = not self.open\n"
    )
    weak = check(model(blinking.format("(fair='weak')")))
    strong = check(model(blinking.format("(fair='strong')").replace("blink", "blink").replace("'weak'", "'strong'")))
    assert (weak.verdict, strong.verdict) == (Verdict.REFUTED, Verdict.PROVED)


def test_a_run_that_is_found_is_fair_to_the_processes_that_the_model_declares_fair() -> None:
    blinking = LIGHT.format("(fair='weak')").replace("require(self.asked)", "require(False)")
    (violation,) = check(model(blinking)).violations
    assert violation.notes == ("fair to turn_green: it cannot move in the cycle",)


def test_fairness_of_all_processes_can_be_asked_for_instead() -> None:
    assert check(model(LIGHT.format("")), fair="weak").verdict is Verdict.PROVED


def test_ignored_questions_about_infinite_runs_are_reported() -> None:
    result = check(model(LIGHT.format(""), ignore_property=True))
    assert result.reason == "every reachable state was visited; not checked: ltl answers"


def test_a_model_inherits_from_another() -> None:
    text = """
LIMIT: Final = 2
x: int = 0
def more(self) -> int:
    return 1
@action
def tick(self) -> None:
    require(self.x < self.LIMIT)
    self.x += self.more()
"""
    from tests.frontends.python_models import HEADER

    from scrimp.frontends.python import read_model

    body = "".join(f"    {line}\n" for line in text.strip("\n").splitlines())
    derived = "class Faster(M):\n    def more(self) -> int:\n        return 2\n"
    fast = read_model("model.py", HEADER + body + derived, {}, False)
    slow = read_model("model.py", HEADER + body + derived, {"model": "M", "LIMIT": "4"}, False)
    assert (len(explore(fast.system).states), len(explore(slow.system).states)) == (2, 5)


@pytest.mark.parametrize("text", ["x <= 3", "self.x <= 3", "x in range(4)", "all(i >= 0 for i in (x, 1))"])
def test_expressions_name_fields_with_or_without_self(text: str) -> None:
    assert check(model(TWO_STEPS), invariant=text).verdict is Verdict.PROVED


def test_an_expression_names_only_what_the_model_has() -> None:
    with pytest.raises(ModelError, match="unknown name 'y'"):
        model(TWO_STEPS).expression("y == 1")


def test_a_trace_shows_values_as_python_does() -> None:
    result = check(
        model("""
color: Color = Color.RED
owner: Annotated[int, Range(0, 3)] | None = None
group: frozenset[Color] = frozenset()
@action
def paint(self) -> None:
    require(self.owner is None)
    self.color = Color.BLUE
    self.owner = 2
    self.group |= {Color.BLUE}
@always
def unowned(self) -> bool:
    return self.owner is None
""")
    )
    trace = result.violations[0].trace
    assert trace is not None
    assert changes_text(trace.steps[0]) == "color RED → BLUE, owner None → 2, group {} → {BLUE}"
