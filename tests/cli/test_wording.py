"""Messages and help texts use the words of the field, name the option and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

from scrimp.cli.methods import methods_lines

ROUND = "byte x; active proctype Restless() { atomic { x = 1; do :: x = 1 - x od } }"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--reduce=slep"],
            "--reduce: unknown reduction 'slep'; did you mean 'sleep'? "
            "(choices: none, local, overman, stubborn, sleep, conflict)",
        ),
        (
            ["--order=bfs", "--store=cache"],
            "store 'cache' needs --order dfs: a breadth-first search may never finish when states are evicted",
        ),
        (["--order=bfs", "--reduce=sleep"], "reduction 'sleep' needs --order dfs"),
        (
            ["--store=pseudoroot:source=given"],
            "store 'pseudoroot:source=given': source=given needs an .aut model; use source=counted",
        ),
    ],
    ids=["unknown name", "store and order", "reduction and order", "source"],
)
def test_a_refusal_names_the_option_and_the_remedy(scrimp: Scrimp, options: list[str], message: str) -> None:
    ran = scrimp("check", "lock.dve", *options)
    assert (ran.code, ran.err) == (2, f"scrimp: error: {message}\n")


def test_states_lost_to_hash_collisions_are_called_that(scrimp: Scrimp) -> None:
    ran = scrimp("explore", "forks.dve", "--store=compact:hash=1", "-q")
    assert ran.code == 3
    assert "probably lost to hash collisions, with everything reachable only through them" in ran.out


def test_a_loop_inside_an_atomic_sequence_is_called_infinite(scrimp: Scrimp, folder: Path) -> None:
    (folder / "round.pml").write_text(ROUND)
    assert scrimp("check", "round.pml", "-q").out == "REFUTED  infinite loop inside an atomic sequence\n"


def test_a_cache_that_holds_nothing_names_one_that_does(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--store=cache:bytes=1", "-q")
    assert ran.out == "UNDETERMINED  the cache cannot hold a single state; try cache:bytes=64K\n"


@pytest.mark.parametrize("words", ["Partial-order reduction: none, local, ", "Seed for --shuffle."])
@pytest.mark.parametrize("command", ["check", "explore", "export"])
def test_help_uses_the_words_of_the_field(scrimp: Scrimp, command: str, words: str) -> None:
    assert words in " ".join(scrimp(command, "--help").out.split())


def test_the_order_of_pseudo_roots_is_described_by_predecessors() -> None:
    assert "states with the fewest unexplored predecessors first" in " ".join(" ".join(methods_lines()).split())


def test_a_mistake_in_a_python_model_is_shown_with_a_caret(scrimp: Scrimp) -> None:
    scrimp("new", "shared")
    model = Path("shared.py")
    model.write_text(model.read_text().replace("self.done += 1", "self.done += total"))
    assert scrimp("check", "shared.py").err == (
        "scrimp: error: shared.py:21:22: unknown name 'total'\n    self.done += total\n                 ^\n"
    )
