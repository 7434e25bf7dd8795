"""Which processes are found to be interchangeable, and why others are not."""

from __future__ import annotations

import pytest
from tests.symmetry.comparing import subject

import scrimp
from scrimp.symmetry.finding import FoundSymmetry, find_symmetry

LOCK = """
bool inside[{count}]; byte owner = 255;
active [{count}] proctype P() {{
  do
  :: atomic {{ owner == 255 -> owner = _pid }};
     inside[_pid] = true;
     {middle};
     inside[_pid] = false;
     owner = 255
  od
}}
"""
STARTED = """
bool inside[2]; byte owner = 255;
proctype P(byte me) {
  do :: atomic { owner == 255 -> owner = me }; inside[me] = true; inside[me] = false; owner = 255 od
}
init { run P(0); run P(1) }
"""


def found(text: str) -> FoundSymmetry:
    return find_symmetry(subject(scrimp.load(text=text).system))


def groups(text: str) -> list[list[str]]:
    system = scrimp.load(text=text).system
    symmetry = find_symmetry(subject(system)).symmetry
    return [[system.processes[member].name for member in group.members] for group in symmetry.groups]


def lock(middle: str, count: int = 3) -> str:
    return LOCK.format(count=count, middle=middle)


def test_processes_that_only_compare_and_store_their_ids_are_interchangeable() -> None:
    assert groups(lock("skip")) == [["P:0", "P:1", "P:2"]]


def test_values_that_name_processes_and_elements_that_belong_to_them_change_places_with_them() -> None:
    (group,) = found(lock("skip")).symmetry.groups
    first = group.swaps[0]
    assert len(first.processes) == len(first.cells) == 1
    assert first.variable_values == ((1, ((0, 1),)),)
    assert group.sorted_by_blocks


@pytest.mark.parametrize(
    ("middle", "left"),
    [
        ("owner < 2", []),
        ("owner + _pid == 2 * _pid", []),
        ("inside[(_pid + 1) % 3] == 0", []),
        ("_pid > 0", [["P:1", "P:2"]]),
        ("assert(_pid != 1)", [["P:0", "P:2"]]),
        ("inside[0]", [["P:1", "P:2"]]),
    ],
)
def test_ids_that_are_ordered_computed_with_or_distinguished_are_not_interchangeable(
    middle: str, left: list[list[str]]
) -> None:
    assert groups(lock(middle)) == left


def test_the_reason_names_the_transition_and_its_line() -> None:
    refusal = found(lock("owner < _pid", count=2)).refusals[0]
    assert str(refusal) == ("if P:0 and P:1 changed places, 'owner = _pid' of P:1 (line 5) would have no counterpart")


def test_processes_that_are_started_one_by_one_are_interchangeable_once_they_run() -> None:
    (group,) = found(STARTED).symmetry.groups
    assert group.swaps[0].where != ()


def test_pairs_of_processes_change_places_together() -> None:
    text = """
    chan link[2] = [1] of { bit };
    active proctype A() { do :: link[0]!1 od } active proctype B() { do :: link[1]!1 od }
    active proctype C() { do :: link[0]?_ -> skip od } active proctype D() { do :: link[1]?_ -> skip od }
    """
    assert groups(text) == [["A:0", "B:1"]]
    assert len(found(text).symmetry.groups[0].swaps[0].processes) == 2


def test_philosophers_at_a_round_table_are_not_interchangeable() -> None:
    text = """
    bool fork[3];
    active [3] proctype P() {
      do :: atomic { !fork[_pid] -> fork[_pid] = 1 }; atomic { !fork[(_pid + 1) % 3] -> fork[(_pid + 1) % 3] = 1 };
            fork[_pid] = 0; fork[(_pid + 1) % 3] = 0 od
    }
    """
    assert groups(text) == []
