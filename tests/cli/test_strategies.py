"""Strategies: a value, its text and its record, and refusals that say what is allowed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import pytest

from scrimp.compatibility import Choice, choose, require_compatible, why_not, why_not_asked, why_not_searched
from scrimp.errors import OptionError
from scrimp.properties import Deadlock, Faults, Property, Reach
from scrimp.strategies import (
    ORDERS,
    REDUCTIONS,
    STORES,
    Auto,
    Bitstate,
    BreadthFirst,
    Cache,
    Comback,
    Compact,
    Conflict,
    DepthFirst,
    Full,
    Local,
    Method,
    NoReduction,
    Overman,
    Pseudoroot,
    Reduction,
    Sleep,
    Snapshots,
    Store,
    Strategy,
    Stubborn,
    from_dict,
    parse,
    parse_order,
    parse_reduction,
    parse_store,
    reduction_from_dict,
)
from scrimp.system.system import System

EVERY_STRATEGY: list[Strategy] = [
    BreadthFirst(),
    DepthFirst(),
    Full(),
    Full(compress="tree"),
    Full(compress="cleary"),
    Full(compress="huffman"),
    Cache(),
    Cache(states=600),
    Cache(bytes=2**20, policy="mfu:25+lru:75"),
    Cache(bytes=2**20 + 1, policy="smallest-subtree", compress="rle"),
    Cache(states=1, policy="type:50+random:50", scan=7, type=1, seed=3, compress="huffman"),
    Comback(),
    Comback(hash=12, cache=1_000, strategy="F20-D80", k=7, candidates="50%", group=100),
    Comback(cache="1%", strategy="L", queue="states", candidates="4M", mode="paper"),
    Comback(cache="1.5M", strategy="R", delay=False, seed=3),
    Comback(strategy="none", delay=False),
    Snapshots(),
    Snapshots(caches="pebble", backtracking=False),
    Snapshots(caches="(c2,LLNR,5)(2,RND,10)", permanent=False, seed=3),
    Compact(),
    Compact(hash=20),
    Bitstate(),
    Bitstate(bytes=2**26, functions=7),
]
EVERY_REDUCTION: list[Reduction] = [
    NoReduction(),
    Sleep(),
    Sleep(mode="paper"),
    Conflict(),
    Local(mode="paper"),
    Overman(refined=True),
    Stubborn(proviso=False),
    Local() + Conflict(mode="paper"),
    Overman(original=True) + Sleep(),
    Stubborn() + Sleep(),
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
    sleeps = True


@pytest.mark.parametrize("strategy", EVERY_STRATEGY, ids=str)
def test_text_and_record_give_the_value_back(strategy: Strategy) -> None:
    known: tuple[type[Strategy], ...] = {"order": ORDERS, "store": STORES}[strategy.role]
    assert parse(str(strategy), known) == strategy
    assert from_dict(strategy.to_dict(), known) == strategy


@pytest.mark.parametrize("reduction", EVERY_REDUCTION, ids=str)
def test_text_and_record_give_a_reduction_back(reduction: Reduction) -> None:
    assert parse_reduction(str(reduction)) == reduction
    assert reduction_from_dict(reduction.to_dict()) == reduction


def test_the_value_text_and_record_of_a_store() -> None:
    store = Full(compress="tree")
    assert str(store) == "full:compress=tree"
    assert store.to_dict() == {"name": "full", "compress": "tree"}
    assert parse_store("full:compress=tree") == store


def test_the_value_text_and_record_of_a_cache() -> None:
    cache = Cache(bytes=2**20, policy="mfu:25+lru:75")
    assert str(cache) == "cache:bytes=1M,policy=mfu:25+lru:75"
    assert cache.to_dict() == {
        "name": "cache",
        "states": None,
        "bytes": 2**20,
        "policy": "mfu:25+lru:75",
        "scan": 20,
        "type": None,
        "seed": 0,
        "compress": "none",
    }
    assert cache.cascade == (("mfu", 25), ("lru", 75))


def test_the_value_text_and_record_of_comback() -> None:
    store = Comback(hash=32, cache="1%", strategy="F20-D80", candidates="50%", queue="states")
    assert str(store) == "comback:hash=32,cache=1%,strategy=F20-D80,candidates=50%,queue=states"
    assert store.to_dict() == {
        "name": "comback",
        "hash": 32,
        "cache": "1%",
        "strategy": "F20-D80",
        "k": 5,
        "delay": True,
        "candidates": "50%",
        "queue": "states",
        "group": None,
        "mode": "exact",
        "seed": 0,
    }
    assert store.parts == (("fifo", 20), ("distance", 80))


def test_the_engine_receives_parsed_values() -> None:
    received = Comback(cache=1_000, candidates="4M", group="5%").engine_record()
    assert received["cache"] == {"states": 1_000, "bytes": 0, "share": 0.0}
    assert received["candidates"] == {"states": 0, "bytes": 2**22, "share": 0.0}
    assert received["group"] == {"states": 0, "bytes": 0, "share": 0.05}
    assert Comback().engine_record()["cache"] is None
    assert Cache(policy="mfu:25+lru:75").engine_record()["policy"] == [
        {"policy": "mfu", "percent": 25},
        {"policy": "lru", "percent": 75},
    ]


def test_the_value_text_and_record_of_snapshots() -> None:
    store = Snapshots(caches="(c2,LLNR,5)(2,LFU,10)", backtracking=False)
    assert str(store) == "snapshots:caches=(c2,LLNR,5)(2,LFU,10),backtracking=false"
    assert parse_store("snapshots:(c2,LLNR,5)(2,LFU,10),backtracking=false") == store
    assert store.to_dict() == {
        "name": "snapshots",
        "caches": "(c2,LLNR,5)(2,LFU,10)",
        "backtracking": False,
        "permanent": True,
        "seed": 0,
    }
    assert store.stream.caches == ((2, 0, "llnr", 5), (2, 2, "lfu", 10))
    assert not store.stream.pebbles


def test_the_value_text_and_record_of_pseudo_roots() -> None:
    store = Pseudoroot(source="counted", next="fewest", states=500, by="none", counters=1000, bits=8)
    assert str(store) == "pseudoroot:source=counted,next=fewest,states=500,by=none,counters=1000,bits=8"
    assert parse_store(str(store)) == store
    assert store.to_dict() == {
        "name": "pseudoroot",
        "source": "counted",
        "next": "fewest",
        "states": 500,
        "by": "none",
        "counters": 1000,
        "bits": 8,
        "functions": 2,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pseudoroot:source=counted,bits=3", "store 'pseudoroot': option 'bits' takes 2, 4, 8 or 16, found '3'"),
        ("pseudoroot:counters=9", "store 'pseudoroot': option 'counters' needs source=counted"),
        ("pseudoroot:source=given,by=tree", "store 'pseudoroot': option 'by' needs source=counted"),
    ],
)
def test_options_about_counters_are_refused_if_nothing_is_counted(text: str, message: str) -> None:
    with pytest.raises(OptionError) as refused:
        parse_store(text)
    assert str(refused.value) == message


def test_a_pebble_search_repeats_its_last_cache() -> None:
    assert parse_store("snapshots:pebble") == Snapshots(caches="pebble")
    assert Snapshots(caches="pebble").stream == Snapshots(caches="(c2,LLNR,5)*").stream
    assert Snapshots(caches="pebble").stream.pebbles


def test_a_single_policy_manages_the_whole_cache() -> None:
    assert Cache(policy="lru").cascade == (("lru", 100),)


def test_the_value_text_and_record_of_a_combined_reduction() -> None:
    reduction = Local() + Conflict(mode="paper")
    assert str(reduction) == "local+conflict:mode=paper"
    assert reduction.to_dict() == {
        "name": "local+conflict",
        "parts": [{"name": "local", "mode": "exact"}, {"name": "conflict", "mode": "paper"}],
    }
    assert parse_reduction("local+conflict:mode=paper") == reduction


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
        (
            "ful",
            "unknown store 'ful'; did you mean 'full'? (choices: full, auto, cache, snapshots, comback, pseudoroot, "
            "compact, "
            "bitstate)",
        ),
        ("", "unknown store '' (choices: full, auto, cache, snapshots, comback, pseudoroot, compact, bitstate)"),
        ("full:", "store 'full': expected option=value, found ''"),
        ("full:compress", "store 'full': expected option=value, found 'compress'"),
        ("full:compres=tree", "store 'full': unknown option 'compres'; did you mean 'compress'? (choices: compress)"),
        ("full:size=3", "store 'full': unknown option 'size' (choices: compress)"),
        (
            "full:compress=treee",
            "store 'full': option 'compress' takes none, tree, cleary, huffman or rle, found 'treee'; "
            "did you mean 'tree'?",
        ),
        ("full:compress=", "store 'full': option 'compress' takes none, tree, cleary, huffman or rle, found ''"),
        (
            "cache:policy=lruu",
            "store 'cache': option 'policy': unknown policy 'lruu'; did you mean 'lru'? (choices: random, fifo, lru, "
            "mru, lfu, mfu, largest-class, smallest-subtree, type)",
        ),
        (
            "cache:policy=",
            "store 'cache': option 'policy': expected a policy, or policies with shares such as mfu:25+lru:75, "
            "found ''",
        ),
        (
            "cache:policy=mfu+lru",
            "store 'cache': option 'policy': expected a share for each policy of a cascade, such as mfu:25+lru:75, "
            "found 'mfu+lru'",
        ),
        ("cache:policy=lru:90", "store 'cache': option 'policy': the shares of 'lru:90' sum to 90, not to 100"),
        ("cache:states=0", "store 'cache': option 'states' takes a whole number of at least 1 or none, found '0'"),
        ("cache:type=7", "store 'cache': option 'type' takes a whole number from 1 to 5 or none, found '7'"),
        ("cache:scan=3", "store 'cache': option 'scan' needs the policy 'type'"),
        (
            "cache:policy=lru,seed=3",
            "store 'cache': option 'seed' needs the policy 'random' or 'type'",
        ),
        (
            "comback:cache=0",
            "store 'comback': option 'cache' takes a whole number of at least 1, an amount of memory such as 4M, a "
            "share such as 1% or none, found '0'",
        ),
        (
            "comback:candidates=0%",
            "store 'comback': option 'candidates' takes a whole number of at least 1, an amount of memory such as 4M, "
            "a share such as 1% or none, found '0%'",
        ),
        ("comback:hash=57", "store 'comback': option 'hash' takes a whole number from 1 to 56 or none, found '57'"),
        (
            "comback:strategy=F20-X80",
            "store 'comback': option 'strategy': expected R, F, H, D, L or none, or two with shares such as F20-D80, "
            "found 'F20-X80'",
        ),
        (
            "comback:strategy=F-D",
            "store 'comback': option 'strategy': expected a share for each of two caches, such as F20-D80, found 'F-D'",
        ),
        (
            "comback:strategy=F20-D70",
            "store 'comback': option 'strategy': the shares of 'F20-D70' sum to 90, not to 100",
        ),
        (
            "snapshots:peble",
            "store 'snapshots': option 'caches': expected frontier, frontier-safety-net or pebble, or caches such as "
            "(c2,LLNR,5)(2,LFU,10), found 'peble'; did you mean 'pebble'?",
        ),
        (
            "snapshots:(c2,LLNR,5",
            "store 'snapshots': option 'caches': expected frontier, frontier-safety-net or pebble, or caches such as "
            "(c2,LLNR,5)(2,LFU,10), found '(c2,LLNR,5'",
        ),
        (
            "snapshots:(c2,LLNR)",
            "store 'snapshots': option 'caches': expected (sampling,leaving,snapshots), such as (c2,LLNR,5), found "
            "'(c2,LLNR)'",
        ),
        (
            "snapshots:(d2,LLNR,5)",
            "store 'snapshots': option 'caches': expected a sampling function such as c2 or 2, found 'd2' in "
            "'(d2,LLNR,5)'",
        ),
        (
            "snapshots:(c2,OLD,5)",
            "store 'snapshots': option 'caches': expected LLNR, LRU, MRU, LFU, MFU, RND or SIZE, found 'OLD' in "
            "'(c2,OLD,5)'",
        ),
        (
            "snapshots:(c2,LRU,0)",
            "store 'snapshots': option 'caches': expected a number of snapshots, found '0' in '(c2,LRU,0)'",
        ),
        ("snapshots:seed=3", "store 'snapshots': option 'seed' needs a cache of kind RND"),
        ("comback:strategy=H,k=3", "store 'comback': option 'k' needs the strategy F, D or L"),
        ("comback:seed=3", "store 'comback': option 'seed' needs the strategy R"),
        ("comback:strategy=none,cache=9", "store 'comback': option 'cache' needs a strategy"),
        ("comback:delay=false,candidates=9", "store 'comback': option 'candidates' needs delay=true"),
        ("comback:queue=states,group=9", "store 'comback': option 'group' needs queue=numbers"),
        (
            "comback:group=10%",
            "store 'comback': option 'group' is a share of the cache and needs the option 'cache'",
        ),
        ("compact:hash=0", "store 'compact': option 'hash' takes a whole number from 1 to 64, found '0'"),
        (
            "bitstate:functions=29",
            "store 'bitstate': option 'functions' takes a whole number from 1 to 28, found '29'",
        ),
        (
            "bitstate:bytes=0",
            "store 'bitstate': option 'bytes' takes an amount of memory such as 64M or none, found '0'",
        ),
        (
            "comback:cache=9223372036854775808",
            "store 'comback': option 'cache': expected at most 9223372036854775807, found 9223372036854775808",
        ),
        (
            "comback:cache=8388608T",
            "store 'comback': option 'cache': expected at most 9223372036854775807 bytes, found 9223372036854775808",
        ),
        (
            "cache:states=9223372036854775808",
            "store 'cache': option 'states': expected at most 9223372036854775807, found 9223372036854775808",
        ),
        ("full:compress=tree,compress=none", "store 'full': option 'compress' is given twice"),
    ],
)
def test_an_invalid_store_text_is_refused(text: str, message: str) -> None:
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


def test_an_invalid_option_is_refused_in_python_too() -> None:
    with pytest.raises(OptionError, match=r"option 'compress' takes none, tree, cleary, huffman or rle, found 'zip'"):
        Full(compress="zip")  # type: ignore[arg-type]


def test_orders_and_reductions_without_options_say_so() -> None:
    with pytest.raises(OptionError, match=r"order 'bfs' has no options, found 'width'"):
        parse_order("bfs:width=3")
    with pytest.raises(OptionError, match=r"reduction 'none' has no options, found 'width'"):
        parse_reduction("none:width=3")


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_depth_first_stores_and_reductions_combine_if_the_store_can_serve_the_reduction(
    store: type[Store], reduction: type[Reduction]
) -> None:
    allowed = why_not(Method(order=DepthFirst(), store=store(), reduction=reduction())) is None
    if store in (Snapshots, Auto):
        assert not allowed
    elif store in (Comback, Pseudoroot):
        assert allowed == (reduction is NoReduction)
    else:
        assert allowed == (store().has_marks or not reduction().stores_marks)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_breadth_first_only_snapshots_and_pseudo_roots_may_evict_and_some_stores_take_selections(
    store: type[Store], reduction: type[Reduction]
) -> None:
    allowed = why_not(Method(order=BreadthFirst(), store=store(), reduction=reduction())) is None
    takes_selections = store in (Full, Auto, Compact, Bitstate) and not reduction().sleeps
    assert allowed == (store is not Cache and (reduction is NoReduction or takes_selections))


@pytest.mark.parametrize("delay", [True, False])
def test_a_store_that_rebuilds_states_combines_with_no_reduction(delay: bool) -> None:
    reason = why_not(Method(order=DepthFirst(), store=Comback(delay=delay), reduction=Local()))
    assert str(reason).startswith("store 'comback' takes no reduction: it rebuilds a state by its place")


@pytest.mark.parametrize("store", [Comback(queue="states"), Comback(group=9), Pseudoroot(next="fewest")], ids=str)
def test_options_about_a_queue_are_refused_depth_first(store: Store) -> None:
    assert why_not(Method(order=BreadthFirst(), store=store, reduction=NoReduction())) is None
    reason = why_not(Method(order=DepthFirst(), store=store, reduction=NoReduction()))
    assert str(reason).startswith(f"store '{store}' needs --order bfs: one of its options is about the queue")


@pytest.mark.parametrize(
    ("store", "reduction", "subject"),
    [(Bounded(), NoReduction(), "store 'bounded'"), (Full(), Partial(), f"reduction '{Partial()}'")],
)
def test_a_strategy_that_is_unsound_breadth_first_is_refused_with_the_order_it_needs(
    store: Store, reduction: Reduction, subject: str
) -> None:
    assert why_not(Method(order=DepthFirst(), store=store, reduction=reduction)) is None
    with pytest.raises(OptionError, match=f"^{subject} needs --order dfs"):
        require_compatible(Method(store=store, reduction=reduction))


@pytest.mark.parametrize(
    ("store", "reduction", "reason"),
    [
        (Cache(), NoReduction(), "the only one that store cache allows"),
        (Cache(), Sleep(), "the only one that store cache allows"),
        (Full(), Local() + Sleep(), "the only one that reduction local+sleep allows"),
        (Full(), Sleep(), "the only one that reduction sleep allows"),
    ],
    ids=str,
)
def test_without_an_order_the_only_suitable_one_is_chosen(store: Store, reduction: Reduction, reason: str) -> None:
    chosen = choose(None, store, reduction)
    assert (chosen.method.order, chosen.order_reason) == (DepthFirst(), reason)


@pytest.mark.parametrize("store", [Full(), Snapshots(), Comback(), Pseudoroot(), Compact(), Bitstate()], ids=str)
def test_without_an_order_the_search_is_breadth_first_if_that_suits(store: Store) -> None:
    assert choose(None, store, NoReduction()) == Choice(Method(order=BreadthFirst(), store=store))


def test_an_order_that_was_asked_for_is_never_replaced() -> None:
    assert choose(BreadthFirst(), Cache(), NoReduction()).method.order == BreadthFirst()


SELECTING: list[Reduction] = [Local(), Overman(), Stubborn()]
SLEEPING: list[Reduction] = [Sleep(), Conflict()]


@pytest.mark.parametrize("first", [*SELECTING, *SLEEPING], ids=str)
@pytest.mark.parametrize("second", [*SELECTING, *SLEEPING], ids=str)
def test_a_selecting_reduction_combines_with_sleep_sets_only(first: Reduction, second: Reduction) -> None:
    allowed = why_not(Method(order=DepthFirst(), store=Full(), reduction=first + second)) is None
    assert allowed == (first.selects != second.selects)


def test_a_reduction_as_printed_in_a_paper_is_not_exact() -> None:
    printed: list[Reduction] = [Sleep(mode="paper"), Conflict(mode="paper"), Local(mode="paper")]
    assert not any(reduction.exact for reduction in [*printed, Local() + Sleep(mode="paper")])
    assert all(reduction.exact for reduction in [NoReduction(), *SELECTING, *SLEEPING, Local() + Sleep()])


def test_sleep_sets_are_stored_except_in_the_mode_of_a_paper_that_keeps_them_on_the_path() -> None:
    store = Full(compress="cleary")
    assert why_not(Method(order=DepthFirst(), store=store, reduction=Local() + Sleep())) is not None
    assert why_not(Method(order=DepthFirst(), store=store, reduction=Local() + Sleep(mode="paper"))) is None
    assert why_not(Method(order=DepthFirst(), store=store, reduction=Local())) is None


DEADLOCK, FAULT, GOAL = Deadlock(), Faults(), Reach("x == 1")
SYSTEM = System("nothing", (), (), (), ())


@pytest.mark.parametrize("reduction", [Overman(proviso=False), Stubborn(proviso=False) + Sleep()], ids=str)
@pytest.mark.parametrize("asked", [FAULT, GOAL], ids=str)
def test_a_reduction_that_could_hide_a_requested_property_is_refused(reduction: Reduction, asked: Property) -> None:
    assert why_not_asked(reduction, [DEADLOCK]) is None
    assert why_not_asked(reduction, []) is None
    reason = str(why_not_asked(reduction, [DEADLOCK, asked]))
    assert reason.startswith(f"without its proviso it preserves only deadlocks, and could hide what decides '{asked}'")


@pytest.mark.parametrize("reduction", [*SELECTING, *SLEEPING], ids=str)
def test_a_never_claim_forbids_reductions(reduction: Reduction) -> None:
    claimed = replace(SYSTEM, claim=0)
    assert why_not_searched(NoReduction(), claimed) is None
    assert "a never claim moves with every transition" in str(why_not_searched(reduction, claimed))
