"""Strategies: one value with three faces, and refusals that say what is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from scrimp.compatibility import require_compatible, why_not
from scrimp.errors import OptionError
from scrimp.strategies import (
    ORDERS,
    REDUCTIONS,
    STORES,
    BreadthFirst,
    DepthFirst,
    Full,
    NoReduction,
    Reduction,
    Store,
    Strategy,
    from_dict,
    parse,
    parse_order,
    parse_reduction,
    parse_store,
)

EVERY_STRATEGY: list[Strategy] = [
    BreadthFirst(),
    DepthFirst(),
    Full(),
    Full(compress="tree"),
    Full(compress="cleary"),
    NoReduction(),
]


@dataclass(frozen=True, kw_only=True)
class Bounded(Store):
    """A store with an option of every type, to test parsing and printing with."""

    name = "bounded"
    may_forget = True
    exact = True
    states: int = 1_000
    share: float = 0.5
    sticky: bool = False
    bytes: int | None = None
    policy: Literal["oldest", "random"] = "oldest"


@dataclass(frozen=True, kw_only=True)
class Partial(Reduction):
    """A reduction that leaves states out."""

    name = "partial"
    keeps_all_states = False


@pytest.mark.parametrize("strategy", EVERY_STRATEGY, ids=str)
def test_text_and_record_give_the_value_back(strategy: Strategy) -> None:
    known = {"order": ORDERS, "store": STORES, "reduction": REDUCTIONS}[strategy.role]
    assert parse(str(strategy), known) == strategy
    assert from_dict(strategy.to_dict(), known) == strategy


def test_the_three_faces_of_a_store() -> None:
    store = Full(compress="tree")
    assert str(store) == "full:compress=tree"
    assert store.to_dict() == {"name": "full", "compress": "tree"}
    assert parse_store("full:compress=tree") == store


def test_options_at_their_default_are_not_printed_but_recorded() -> None:
    assert str(Full()) == "full"
    assert Full().to_dict() == {"name": "full", "compress": "none"}


@pytest.mark.parametrize(
    "text",
    [
        "bounded",
        "bounded:states=500",
        "bounded:share=0.25,sticky=true,bytes=4096",
        "bounded:states=7,policy=random",
    ],
)
def test_options_of_every_type_round_trip(text: str) -> None:
    store = parse(text, (Bounded,))
    assert str(store) == text
    assert from_dict(store.to_dict(), (Bounded,)) == store


def test_an_option_that_may_be_absent_is_written_none() -> None:
    assert parse("bounded:bytes=none", (Bounded,)) == Bounded(bytes=None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ful", "unknown store 'ful' (did you mean 'full'?); there is full"),
        ("", "unknown store ''; there is full"),
        ("full:", "store 'full': expected option=value, found ''"),
        ("full:compress", "store 'full': expected option=value, found 'compress'"),
        ("full:compres=tree", "store 'full' has no option 'compres' (did you mean 'compress'?); there is compress"),
        ("full:size=3", "store 'full' has no option 'size'; there is compress"),
        (
            "full:compress=treee",
            "store 'full': option 'compress' takes none, tree or cleary, found 'treee' (did you mean 'tree'?)",
        ),
        ("full:compress=", "store 'full': option 'compress' takes none, tree or cleary, found ''"),
        ("full:compress=tree,compress=none", "store 'full': option 'compress' is given twice"),
    ],
)
def test_a_store_text_that_means_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError) as refused:
        parse_store(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bounded:states=many", "store 'bounded': option 'states' takes a whole number, found 'many'"),
        ("bounded:sticky=yes", "store 'bounded': option 'sticky' takes true or false, found 'yes'"),
        ("bounded:share=half", "store 'bounded': option 'share' takes a number, found 'half'"),
        ("bounded:bytes=x", "store 'bounded': option 'bytes' takes a whole number or none, found 'x'"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError) as refused:
        parse(text, (Bounded,))
    assert str(refused.value) == message


def test_python_callers_are_refused_alike() -> None:
    with pytest.raises(OptionError, match=r"option 'compress' takes none, tree or cleary, found 'zip'"):
        Full(compress="zip")  # type: ignore[arg-type]


def test_orders_and_reductions_without_options_say_so() -> None:
    with pytest.raises(OptionError, match=r"order 'bfs' has no options, found 'width'"):
        parse_order("bfs:width=3")
    with pytest.raises(OptionError, match=r"unknown reduction 'sleep'; there is none"):
        parse_reduction("sleep")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_everything_that_exists_today_combines(
    order: type[BreadthFirst], store: type[Full], reduction: type[NoReduction]
) -> None:
    assert why_not(order(), store(), reduction()) is None


@pytest.mark.parametrize(("store", "reduction"), [(Bounded(), NoReduction()), (Full(), Partial())])
def test_what_is_not_sound_breadth_first_is_refused_with_a_sentence(store: Store, reduction: Reduction) -> None:
    assert why_not(DepthFirst(), store, reduction) is None
    with pytest.raises(OptionError, match=r"do not combine: a .* only under a search that holds its path"):
        require_compatible(BreadthFirst(), store, reduction)
