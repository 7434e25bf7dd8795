"""The rules: which orders, stores and reductions combine, which questions they can answer, and the messages that refuse
the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from scrimp.errors import OptionError
from scrimp.limits import Limits
from scrimp.properties import Property
from scrimp.strategies import ORDERS, STORES, Method, NoReduction, Order, Reduction, Store
from scrimp.strategies.values import alternatives
from scrimp.system.explicit import ExplicitSystem

if TYPE_CHECKING:
    from scrimp.system.system import System

Rule: TypeAlias = tuple[Callable[[Method], bool], str]

# Each rule looks at traits, never at names, so that it also applies to strategies that do not exist yet. Rules that no
# order can satisfy come first, so that no message recommends an order that does not work either. In a message, {0} is
# the method.
RULES: tuple[Rule, ...] = (
    (
        lambda method: method.reduction.leaves_out and method.store.remembers_levels,
        "store '{0.store.name}' takes no reduction: it keeps levels of a breadth-first search, and reductions need "
        "--order dfs",
    ),
    (
        lambda method: method.reduction.leaves_out and method.store.rebuilds_states,
        "store '{0.store.name}' takes no reduction: it rebuilds a state by its place among all successors of its "
        "predecessor, and a reduction leaves some of them out",
    ),
    (
        lambda method: method.reduction.leaves_out and method.store.delays_detection,
        "store '{0.store}' takes no reduction while it delays the detection of duplicates: a reduction must know at "
        "once whether a successor is new",
    ),
    (
        lambda method: method.reduction.leaves_out and method.store.forgets_for_good,
        "store '{0.store.name}' takes no reduction: it counts the edges into a state, and a reduction leaves some of "
        "them out",
    ),
    (
        lambda method: method.reduction.stores_marks and not method.store.has_marks,
        "store '{0.store}' has no room for the sleep sets of reduction '{0.reduction}'; use --store full",
    ),
    (
        lambda method: sum(part.selects for part in method.reduction.parts) > 1,
        "reduction '{0.reduction}' has two parts that select processes; leave one of them out",
    ),
    (
        lambda method: sum(part.sleeps for part in method.reduction.parts) > 1,
        "reduction '{0.reduction}' has two parts with sleep sets; leave one of them out",
    ),
    (
        lambda method: len(method.reduction.parts) > 1 and not all(part.leaves_out for part in method.reduction.parts),
        "reduction '{0.reduction}' has a part that reduces nothing; leave it out",
    ),
    (
        lambda method: method.store.remembers_levels and not method.order.has_levels,
        "store '{0.store.name}' needs --order bfs: it keeps levels of a breadth-first search",
    ),
    (
        lambda method: method.store.evicts and not method.order.keeps_stack,
        "store '{0.store.name}' needs --order dfs: a breadth-first search may never finish when states are evicted",
    ),
    (
        lambda method: method.reduction.needs_stack and not method.order.keeps_stack,
        "reduction '{0.reduction}' needs --order dfs",
    ),
    (
        lambda method: method.store.arranges_queue and not method.order.has_queue,
        "store '{0.store}' needs --order bfs: one of its options is about the queue of a breadth-first search",
    ),
)


def why_not(method: Method) -> str | None:
    """Why these strategies cannot be combined, in one sentence; None if they can."""
    return next((reason.format(method) for applies, reason in RULES if applies(method)), None)


def require_compatible(method: Method) -> None:
    """Refuse a combination that is not sound, with the reason."""
    if reason := why_not(method):
        raise OptionError(reason)


@dataclass(frozen=True, slots=True)
class Choice:
    """A method, and why its order was chosen if it is not the usual one and was not asked for."""

    method: Method
    order_reason: str = ""


def choose(order: Order | None, store: Store, reduction: Reduction) -> Choice:
    """The method of these strategies. Without an order it is the usual one, breadth-first, unless only another suits
    the store and the reduction."""
    usual = Method(store=store, reduction=reduction)
    if order is not None:
        return Choice(replace(usual, order=order))
    if why_not(usual) is None:
        return Choice(usual)
    suitable = [method for order in ORDERS if why_not(method := replace(usual, order=order())) is None]
    if len(suitable) != 1:
        return Choice(usual)
    suits_store = why_not(replace(usual, reduction=NoReduction())) is None
    named = "+".join(part.name for part in reduction.parts)
    decides = f"reduction {named}" if suits_store else f"store {store.name}"
    return Choice(suitable[0], f"the only one that {decides} allows")


_SHARED_STORES = alternatives([store.name for store in STORES if store().has_shards])

THREAD_RULES: tuple[Rule, ...] = (
    (
        lambda method: method.reduction.leaves_out,
        "a search with reduction '{0.reduction}' has one thread; leave out --threads or --reduce",
    ),
    (
        lambda method: not method.store.has_shards,
        f"a search with store '{{0.store}}' has one thread; leave out --threads or use --store {_SHARED_STORES}",
    ),
    (
        lambda method: not method.order.has_levels,
        "a search with order '{0.order}' has one thread; leave out --threads or use --order bfs",
    ),
)


def why_one_thread(method: Method) -> str | None:
    """Why a search by this method cannot use several threads, in one sentence; None if it can."""
    return next((reason.format(method) for applies, reason in THREAD_RULES if applies(method)), None)


def require_possible(method: Method, limits: Limits, threads: int, audit: bool) -> None:
    """Refuse a method, limits, threads and an audit that suit no model."""
    require_compatible(method)
    if threads > 1 and (reason := why_one_thread(method)):
        raise OptionError(f"--threads {threads}: {reason}")
    if not method.store.ends_by_itself and limits.depth is None:
        raise OptionError(
            f"store '{method.store}' needs --depth: without permanent snapshots the search may never finish"
        )
    if limits.memory is not None and (method.store.table_bytes or 0) >= limits.memory:
        raise OptionError(f"store '{method.store}' does not fit into the memory limit of {limits.memory // 2**20}M")
    if audit and not method.reduction.leaves_out and not method.store.may_forget:
        raise OptionError(
            "--audit has nothing to check; it needs a reduction, or a store that may visit a state again (cache, "
            "snapshots, pseudoroot)"
        )


def why_not_asked(reduction: Reduction, asked: Sequence[Property]) -> str | None:
    """Why a reduction cannot answer what is asked; None if it can."""
    hidden = [each for each in asked if not each.is_kept_with_deadlocks]
    if hidden and not reduction.keeps_violations:
        return (
            f"without its proviso it preserves only deadlocks, and could hide what decides '{hidden[0]}'; "
            "leave out proviso=false"
        )
    return None


def why_not_searched(reduction: Reduction, system: System) -> str | None:
    """Why a system cannot be searched with a reduction; None if it can."""
    if reduction.leaves_out and isinstance(system, ExplicitSystem):
        return "an explicit LTS has a single process, and a reduction needs several"
    if reduction.leaves_out and system.claim is not None:
        return "a never claim moves with every transition, so that the order of any two matters"
    return None


def require_answerable(reduction: Reduction, asked: Sequence[Property]) -> None:
    """Refuse a reduction that could hide what is asked for, with the reason."""
    if reason := why_not_asked(reduction, asked):
        raise OptionError(f"reduction '{reduction}' cannot be used here: {reason}")


EXPORT_RULES: tuple[Rule, ...] = (
    (
        lambda method: method.reduction.leaves_out,
        "export takes no --reduce: reduction '{0.reduction}' leaves transitions out, and an LTS has all of them",
    ),
    (
        lambda method: not method.store.exact,
        "export needs an exact store: '{0.store}' could miss parts of the LTS; use --store full",
    ),
)


def require_exportable(method: Method, threads: int | None) -> None:
    """Refuse to write an LTS that could be incomplete, and to write one by several threads."""
    if threads is not None and threads > 1:
        raise OptionError(f"--threads {threads}: an LTS is written by one thread; leave out --threads")
    for applies, reason in EXPORT_RULES:
        if applies(method):
            raise OptionError(reason.format(method))


def require_suitable(method: Method, system: System, audit: bool) -> None:
    """Refuse a method or an audit that does not suit this system."""
    if reason := why_not_searched(method.reduction, system):
        raise OptionError(f"reduction '{method.reduction}' cannot be used here: {reason}")
    is_explicit = isinstance(system, ExplicitSystem)
    if method.store.needs_explicit_system and not is_explicit:
        raise OptionError(f"store '{method.store}': source=given needs an .aut model; use source=counted")
    if audit and is_explicit and method.store.evicts:
        raise OptionError(
            f"--audit of store '{method.store}' compares every pair of events, and an explicit LTS has too many"
        )
