"""The report: what a reader sees, to the letter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click import unstyle
from tests.cli.results import CACHED, COMPACTED, CRASH, MEET, PROVED, REBUILT, REFERENCED, REFUTED, SAMPLED, TAKE

from scrimp.evidence import Violation
from scrimp.forecast import Change, Forecast, Range
from scrimp.numbers import amount, counted, duration, estimate, rate, rough, rough_range, rough_time
from scrimp.outputs.live import progress_text
from scrimp.outputs.text import report_lines, verdict_line
from scrimp.outputs.trace_text import ENDS, LONGEST, trace_lines
from scrimp.properties import Invariant, Judgement
from scrimp.result import Result
from scrimp.statistics import Progress
from scrimp.steps import Trace
from scrimp.strategies import Cache, DepthFirst, Method, Pseudoroot
from scrimp.system.violations import ViolationKind
from scrimp.verdict import Verdict


def report(result: Result) -> str:
    return "\n".join(unstyle(line) for line in report_lines(result, "phils.dve")) + "\n"


def test_a_proof() -> None:
    assert report(PROVED) == (
        """\
PROVED  every reachable state was visited

  model        models/phils.dve
  property     no assertion violated, no fault
               no deadlock
               always fork[0] < 2
  strategy     order bfs · store full:compress=tree
  states       12,376 · 24.8 k/s
  transitions  40,123 · 80.2 k/s · 27,748 met a visited state
  depth            17 · deepest level
  memory       8.0 bytes per state · 1.5 MiB · 40.0 MiB in all
  time         0.50 s on 1 thread · 0.25 s to compile

  1 transition never executed
    phils.dve:30  waiter  x == 9
"""
    )


def test_a_refutation_shows_the_trace_before_the_numbers() -> None:
    assert report(REFUTED).startswith(
        """\
REFUTED  deadlock: no process can move

  model        models/phils.dve
  property     no assertion violated, no fault · undetermined
               no deadlock · refuted
               always fork[0] < 2 · undetermined
  strategy     order bfs · store full:compress=tree

  deadlock: no process can move after 2 steps (no shorter trace exists)
  1  phil_0  phils.dve:7   take left  fork[0] 0 → 1
  2  phil_1  phils.dve:8   table!1
     waiter  phils.dve:21  table?x    waiter.x 0 → 1, orders [1 2] → [1 2|3 4]

"""
    )


def test_under_a_cache_the_report_counts_visits_and_rates_the_size_of_the_cache() -> None:
    assert report(CACHED).endswith(
        """\
  strategy     order dfs · store cache:states=600 · reduction sleep
  states       12,376 · an estimate
  visits       20,000 · 40.0 k/s
  transitions  40,123 · 80.2 k/s · 27,748 met a visited state
  depth           545 · longest path
  memory       8.0 bytes per state · 600 states at once · 1.5 MiB · 40.0 MiB in all
  cache        each state was visited 1.6 times on average
  time         0.50 s on 1 thread · 0.25 s to compile
"""
    )


def test_under_comback_the_report_says_what_rebuilding_states_took() -> None:
    assert """
  depth            17 · deepest level
  rebuilt      9,000 states · by 60,000 events · 2.50 events per transition · 12 detections
  memory """ in report(REBUILT)


def test_under_snapshots_the_report_says_which_states_were_kept_and_matched() -> None:
    assert """
  depth            17 · deepest level
  snapshots    70 taken · 4 permanent · 12 states learnt · each state was visited 1.6 times on average
  matched in   cache 1 87% · cache 2 7.7% · the open level 4.8% · permanent snapshots 0.7% · learnt states 0.3%
  levels back  1: 39% · 2 to 3: 49% · 4 to 7: 13%
  memory """ in report(SAMPLED)


def test_under_pseudo_roots_the_report_says_which_states_were_kept_and_evicted() -> None:
    assert """
  depth            17 · longest path
  references   edges counted first, in 0.25 s and 3.0 MiB · 31 states left at the end · 700 states evicted early for \
lack of room · restarted depth-first
  memory """ in report(REFERENCED)


def test_if_states_are_visited_again_no_trace_is_called_shortest() -> None:
    shortest = replace(REFUTED, method=Method(store=Pseudoroot()))
    assert "  deadlock: no process can move after 2 steps (no shorter trace exists)\n" in report(shortest)
    numbers = replace(REFUTED.statistics, report=REFERENCED.statistics.report)
    assert "  deadlock: no process can move after 2 steps\n" in report(replace(shortest, statistics=numbers))


def test_if_states_may_be_missing_the_report_estimates_how_many() -> None:
    assert "\n  omissions    about 0.018 states lost to hash collisions, by estimate\n  time " in report(COMPACTED)


def test_if_states_may_be_missing_no_trace_is_called_shortest() -> None:
    assert "  deadlock: no process can move after 2 steps\n" in report(COMPACTED)


def test_an_audit_is_reported() -> None:
    audited = replace(CACHED, audit=True, statistics=replace(CACHED.statistics, states_exact=True))
    assert " · reduction sleep · audited\n  states       12,376\n  visits       20,000 · 40.0 k/s\n" in report(audited)


def test_a_very_short_search_has_no_rates() -> None:
    assert "/s" not in report(replace(PROVED, statistics=replace(PROVED.statistics, seconds=0.002)))


def test_findings_are_counted() -> None:
    assert "  found        1 deadlock · 3 states violating fork[0] < 2\n" in report(REFUTED)


def test_a_goal_is_shown_with_its_witness() -> None:
    assert "  fork[0] == 1 is reachable after 1 step (no shorter trace exists)\n  1  phil_0" in report(REFUTED)


def test_depth_first_traces_are_not_called_shortest() -> None:
    assert "after 2 steps\n" in report(replace(REFUTED, method=Method(order=DepthFirst())))


def test_an_exploration_is_not_a_proof() -> None:
    explored = replace(PROVED, properties=())
    assert unstyle(verdict_line(explored)) == "EXPLORED  every reachable state was visited"
    cut = replace(explored, verdict=Verdict.UNDETERMINED, reason="the time limit was reached")
    assert unstyle(verdict_line(cut)) == "UNFINISHED  the time limit was reached"


def test_a_step_that_faults_ends_in_the_fault() -> None:
    lines = [unstyle(line) for line in trace_lines("m.dve", Trace((TAKE, CRASH)))]
    assert lines == [
        "  1  phil_0  m.dve:7   take left  fork[0] 0 → 1",
        "  2  waiter  m.dve:22  x = 1 / 0",
        "                       division by zero",
    ]


def test_a_long_trace_shows_its_beginning_and_end() -> None:
    lines = [unstyle(line) for line in trace_lines("m.dve", Trace((TAKE,) * (LONGEST + 1)))]
    assert len(lines) == 2 * ENDS + 1
    assert lines[ENDS] == "  … 321 steps not shown; --trace FILE writes them all"
    assert lines[-1].startswith("  401  ")


def test_a_long_trace_is_shown_in_full_on_demand() -> None:
    assert len(list(trace_lines("m.dve", Trace((TAKE,) * (LONGEST + 1)), whole=True))) == LONGEST + 1


def test_on_a_narrow_screen_changes_stand_below() -> None:
    lines = [unstyle(line) for line in trace_lines("m.dve", Trace((TAKE,)), width=40)]
    assert lines == ["  1  phil_0  m.dve:7  take left", "                      fork[0] 0 → 1"]


def test_a_long_statement_is_shortened() -> None:
    move = replace(TAKE.moves[0], text="x = 0, " * 20)
    (line,) = trace_lines("m.dve", Trace((replace(TAKE, moves=(move,)),)))
    assert unstyle(line).endswith("x = 0, x = 0,…  fork[0] 0 → 1")


def test_violations_of_one_state_share_a_trace() -> None:
    invariants = [
        Violation(ViolationKind.INVARIANT, name, f"{name} does not hold", Trace((TAKE,))) for name in ("x", "y")
    ]
    shown = report(replace(REFUTED, violations=tuple(invariants), goals=()))
    assert "\n\n  x does not hold\n  y does not hold after 1 step (no shorter trace exists)\n  1  phil_0" in shown
    assert shown.count("take left") == 1


def test_only_the_first_of_many_properties_are_listed() -> None:
    asked = tuple(Judgement(Invariant(f"x < {bound}"), Verdict.PROVED, "visited") for bound in range(20))
    assert "               always x < 7\n               … and 12 more\n" in report(replace(PROVED, properties=asked))


def test_a_rendezvous_takes_a_line_per_process() -> None:
    assert len(list(trace_lines("m.dve", Trace((MEET,))))) == 2


def test_the_live_line() -> None:
    progress = Progress(states=1_200_000, transitions=3, matched=1, depth=42, frontier=9_000, bytes=2**24, seconds=2.0)
    assert progress_text(progress, Method()) == (
        "  1,200,000 states · 600.0 k/s · 9,000 waiting · level 42 · 16.0 MiB · 2.00 s"
    )
    assert progress_text(progress, Method(order=DepthFirst())) == (
        "  1,200,000 states · 600.0 k/s · depth 42 · 16.0 MiB · 2.00 s"
    )


def test_the_live_line_says_what_is_expected() -> None:
    forecast = Forecast(
        Range(2.1e6, 3e6, 6.4e6), Range(1.2, 3, 14.0), Change("compressed", Range(4e6, 5e6, 6e6), Range(3, 4, 5), False)
    )
    progress = Progress(1_200_000, 3, 1, 42, 9_000, 2**24, 2.0, forecast=forecast)
    assert progress_text(progress, Method()) == (
        "  1,200,000 of 2.1–6.4 M states · 1–14 s left · 600.0 k/s · level 42 · 16.0 MiB · 2.00 s"
        " · perhaps compressed at 4–6 M"
    )
    changed = replace(progress, forecast=None, changes=(("compressed", 1_100_000), ("states on disk", 1_150_000)))
    assert progress_text(changed, Method()).endswith("2.00 s · states on disk after 1.1 M")


def test_a_search_that_was_cut_short_says_how_large_it_might_have_become() -> None:
    numbers = replace(PROVED.statistics, states_forecast=Range(15_000, 21_000, 52_000))
    assert "  forecast     about 21 k states in all · probably 15–52 k\n" in report(replace(PROVED, statistics=numbers))


def test_the_live_line_shows_whether_a_cache_is_large_enough() -> None:
    """GHP92, section 4: few matches, and a path that leaves room for other states."""
    progress = Progress(states=900, transitions=1_000, matched=120, depth=41, frontier=42, bytes=2**24, seconds=2.0)
    assert progress_text(progress, Method(order=DepthFirst(), store=Cache(states=600))) == (
        "  900 visits · 450 /s · depth 41 · 12% matched · path 7% of the cache · 16.0 MiB · 2.00 s"
    )
    assert " · 12% matched · 16.0 MiB · " in progress_text(
        progress, Method(order=DepthFirst(), store=Cache(bytes=2**20))
    )


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (amount(0), "0 bytes"),
        (amount(1023), "1023 bytes"),
        (amount(2**10), "1.0 KiB"),
        (amount(3 * 2**39), "1.5 TiB"),
        (estimate(2.71e-6), "2.7e-06"),
        (estimate(3.24), "3.2"),
        (estimate(99.7), "100"),
        (estimate(1684.2), "1,684"),
        (rate(12.0), "12 /s"),
        (rate(4_100_000.0), "4.1 M/s"),
        (rate(2e9), "2.0 G/s"),
        (rough(870), "870"),
        (rough(12_345), "12 k"),
        (rough(999_999), "1 M"),
        (rough(456_700_000), "457 M"),
        (rough_range(2.5e6, 6e6), "2.5–6 M"),
        (rough_range(9e5, 1.2e6), "900 k–1.2 M"),
        (rough_range(1.21e6, 1.22e6), "1.2 M"),
        (rough_time(0.2, 0.5), "under 1 s"),
        (rough_time(0.3, 5), "0.3–5 s"),
        (rough_time(100, 110), "100–110 s"),
        (rough_time(30, 200), "0.5–3 min"),
        (rough_time(0, 20_000), "0–6 h"),
        (rough_time(90_000, 800_000), "1–9 days"),
        (duration(0.0001), "under 1 ms"),
        (duration(0.004), "4 ms"),
        (duration(0.42), "0.42 s"),
        (duration(12.34), "12.3 s"),
        (duration(59.97), "1 min 0 s"),
        (duration(3_725), "1 h 2 min"),
        (counted(1, "process"), "1 process"),
        (counted(1_000, "process"), "1,000 processes"),
    ],
)
def test_numbers_are_readable(shown: str, text: str) -> None:
    assert shown == text
