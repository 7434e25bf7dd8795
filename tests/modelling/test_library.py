"""The library that runs models under CPython, by itself."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated

import pytest

from scrimp import modelling
from scrimp.modelling import Array, Map, Model, Queue, Range, RangeError, action, always, process, run, step, until
from scrimp.modelling.declaring import fields
from scrimp.modelling.scheduling import Fault, Undecided, World, decided

ROOT = Path(__file__).parents[2]
MODELS = sorted((ROOT / "models").glob("*.py"))


class Side(Enum):
    LEFT = 1
    RIGHT = 2


@dataclass(frozen=True)
class Letter:
    number: Annotated[int, Range(0, 3)]


class Post(Model):
    side: Side = Side.LEFT
    box: Queue[Letter] = Queue(1)
    counts: Map[Side, int] = Map(Side, 0)
    slots: Array[Annotated[int, Range(0, 3)]] = Array(2, 0)
    owner: Annotated[int, Range(0, 1)] | None = None

    @process
    async def sender(self) -> None:
        await self.box.put(Letter(1))
        await self.box.put(Letter(2))

    @process
    async def receiver(self) -> None:
        letter = await self.box.get()
        self.counts[self.side] = letter.number
        await until(lambda: self.owner is not None)


def test_a_process_waits_until_it_can_go_on() -> None:
    world = World(Post())
    world.step(0, decided([]))  # the argument of put is evaluated before the process waits
    assert world.ready() == [0]
    world.step(0, decided([]))
    assert world.ready() == [1]
    world.step(1, decided([]))
    assert fields(world.model)["counts"] == (1, 0)
    world.close()


def test_models_do_not_share_their_containers() -> None:
    one, other = Post(), Post()
    one.slots[0] = 3
    assert list(other.slots) == [0, 0]


@pytest.mark.parametrize(
    ("field", "value"), [("owner", 2), ("owner", "me"), ("side", 1), ("side", None)], ids=lambda each: str(each)
)
def test_a_value_outside_its_type_is_a_fault(field: str, value: object) -> None:
    with pytest.raises(RangeError):
        setattr(Post(), field, value)


def test_an_element_outside_its_range_is_a_fault() -> None:
    with pytest.raises(RangeError, match=r"value 4 is outside the range of slots\[0\]"):
        Post().slots[0] = 4


def test_an_item_outside_its_range_is_a_fault() -> None:
    with pytest.raises(RangeError):
        Post().box.put_nowait(Letter(7))


@pytest.mark.parametrize("index", [-1, 2])
def test_an_index_outside_an_array_is_a_fault(index: int) -> None:
    with pytest.raises(IndexError):
        Post().slots[index] = 1


def test_a_field_that_is_not_declared_cannot_be_assigned() -> None:
    with pytest.raises(AttributeError, match="Post declares no field stamp"):
        Post().stamp = 1


class Dicey(Model):
    pips: int = 0

    @action
    def throw(self) -> None:
        self.pips = modelling.choose(1, 2, 3)

    @always
    def small(self) -> bool:
        """At most two."""
        return self.pips < 3


def test_every_choice_is_left_to_the_caller() -> None:
    world = World(Dicey())
    with pytest.raises(Undecided) as undecided:
        world.step(0, decided([]))
    assert undecided.value.options == 3
    world.step(0, decided([2]))
    assert fields(world.model) == {"pips": 3}


class Failing(Model):
    x: int = 0

    @process
    async def p(self) -> None:
        await step()
        self.x = 1 // self.x


def test_an_exception_is_a_fault_of_its_step() -> None:
    fault = World(Failing()).step(0, decided([]))
    assert isinstance(fault, Fault)
    assert str(fault) == "ZeroDivisionError: integer division or modulo by zero"


def test_a_run_stops_at_a_violation(capsys: pytest.CaptureFixture[str]) -> None:
    assert not run(Dicey, seed=1, steps=1000)
    assert capsys.readouterr().out.endswith("small does not hold: At most two.\n")


def test_a_run_reports_a_deadlock(capsys: pytest.CaptureFixture[str]) -> None:
    assert not run(Post, seed=1)
    assert capsys.readouterr().out.endswith("deadlock: receiver cannot move\n")


def test_the_same_seed_makes_the_same_run(capsys: pytest.CaptureFixture[str]) -> None:
    run(Dicey, seed=5)
    first = capsys.readouterr().out
    run(Dicey, seed=5)
    assert capsys.readouterr().out == first


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_our_models_run_under_cpython(path: Path) -> None:
    ran = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("   1  ")


def test_the_library_imports_nothing_else_of_scrimp() -> None:
    code = "import sys, scrimp.modelling; print([m for m in sys.modules if m.startswith('scrimp')])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name.strip("' ") for name in ran.stdout.strip("[]\n").split(",")]
    assert all(name == "scrimp" or name.startswith("scrimp.modelling") for name in loaded)
