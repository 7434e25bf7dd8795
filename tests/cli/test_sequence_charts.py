"""Message sequence charts: which steps have a line, which processes the arrows connect, what fits on the screen."""

from __future__ import annotations

from click import unstyle

from scrimp.outputs.sequence_chart import Row, chart_lines, chart_rows
from scrimp.steps import Change, Passed, Step, StepMove, Trace

Messages = tuple[tuple[int, ...], ...]


def move(process: str, text: str, source: str = "s", target: str = "t") -> StepMove:
    return StepMove(process, source, target, text, 1, 1)


def send(process: str, before: Messages, after: Messages) -> Step:
    return Step(0, (move(process, "q!…"),), (Change("q", before, after, ({1: "one"},)),))


receive = send
QUIET = Step(0, (move("P", "x = 1"),), (Change("x", 0, 1),))


def drawn(*steps: Step, width: int | None = None, lines: bool = False) -> list[str]:
    """The chart without colours."""
    return [unstyle(line).rstrip() for line in chart_lines(Trace(steps), width=width, lines=lines)]


def test_steps_without_messages_are_left_out_except_the_last() -> None:
    assert list(chart_rows([QUIET, send("P", (), ((1,),)), QUIET, QUIET])) == [
        Row(2, "q!one", "P", buffered=True),
        Row(4, "x = 1", "P"),
    ]


def test_a_message_comes_from_the_process_that_sent_it() -> None:
    rows = list(
        chart_rows([send("A", (), ((1,),)), send("B", ((1,),), ((1,), (2,))), receive("C", ((1,), (2,)), ((2,),))])
    )
    assert rows[2] == Row(3, "q?one  of step 1", "A", "C", buffered=True)


def test_a_message_of_a_sorted_send_is_identified() -> None:
    rows = list(
        chart_rows([send("A", (), ((5,),)), send("B", ((5,),), ((1,), (5,))), receive("C", ((1,), (5,)), ((5,),))])
    )
    assert (rows[1].label, rows[2].source) == ("q!one", "B")


def test_a_channel_emptied_by_the_end_of_its_process_is_not_a_receive() -> None:
    ended = Step(0, (move("A", "-end-", target="absent"),), (Change("q", ((1,),), ()),))
    assert list(chart_rows([send("A", (), ((1,),)), ended]))[1] == Row(2, "-end-", "A", ends=True)


def test_a_handshake_is_one_arrow_with_the_values_passed() -> None:
    met = Step(0, (move("A", "r!x"), move("B", "r?y")), passed=Passed("r", (1, 4), ({1: "one"}, {})))
    assert list(chart_rows([met])) == [Row(1, "r!one 4", "A", "B")]


def test_a_rendezvous_of_dve_is_shown_in_the_syntax_of_dve() -> None:
    met = Step(0, (move("A", "a -> b { sync c!{x, 1}; effect x = 2; }"), move("B", "d -> e { sync c?{y, z}; }")))
    assert list(chart_rows([met])) == [Row(1, "c!{x, 1}", "A", "B")]


def test_lines_are_drawn_on_request_and_are_plain_text_otherwise() -> None:
    steps = [
        Step(0, (move("init:0", "run B()"), move("B:1", "-start-", source="absent"))),
        send("B:1", (), ((1,),)),
        receive("init:0", ((1,),), ()),
        Step(0, (move("B:1", "-end-", target="absent"),)),
        Step(0, (move("init:0", "assert(x)"),), (), "assertion violated: assert(x)"),
    ]
    assert drawn(*steps, lines=True) == [
        "     init:0  B:1",
        "  1  ├──────▶│         run B()",
        "  2  │       ├─○       q!one",
        "  3  │◀╌╌╌╌╌╌┤         q?one  of step 2",
        "  4  │       ✗         -end-",
        "  5  ✗                 assert(x)",
        "     │                 assertion violated: assert(x)",
    ]
    assert "".join(drawn(*steps)).isascii()


def test_an_arrow_crosses_the_lines_of_others() -> None:
    met = Step(0, (move("A:0", "r!"), move("C:2", "r?")), passed=Passed("r", ()))
    assert drawn(send("B:1", (), ((1,),)), met)[-1] == "  2  +----|--->|      r!"


def test_many_processes_on_a_narrow_screen_have_their_names_below_each_other() -> None:
    steps = [send(f"Philosopher:{number}", (), ((1,),)) for number in range(6)]
    lines = drawn(*steps, width=60)
    assert lines[:3] == ["     Philosopher:0", "     |       Philosopher:1", "     |       |       Philosopher:2"]
    assert max(map(len, lines)) <= 60


def test_a_long_chart_shows_its_beginning_and_end() -> None:
    lines = drawn(*[send("P", (), ((1,),))] * 500)
    assert len(lines) == 1 + 40 + 1 + 40
    assert lines[41] == "  ... 420 messages not shown"


def test_a_trace_without_steps_has_an_empty_chart() -> None:
    assert drawn() == [""]
