"""The rules: which orders, stores and reductions combine, which questions they can answer, and the messages that refuse
the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from scrimp.errors import OptionError
from scrimp.fairness import Fairness
from scrimp.limits import Limits
from scrimp.properties import Property
from scrimp.strategies import (
    ORDERS,
    STORES,
    Auto,
    BreadthFirst,
    DepthFirst,
    Full,
    Method,
    Order,
    Reduction,
    Store,
)
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
        "store '{0.store.name}' takes no reduction: it compares states with those of the last levels only, and a "
        "reduction may reach them later",
    ),
    (
        lambda method: method.reduction.leaves_out and method.store.rebuilds_states,
        "store '{0.store.name}' takes no reduction: it rebuilds a state by its place among all successors of its "
        "predecessor, and a reduction leaves some of them out",
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
        lambda method: method.store.changes and not method.order.has_levels,
        "store '{0.store.name}' needs --order bfs: it puts levels of a breadth-first search on disk; use --store full",
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


def choose(order: Order | None, store: Store | None, reduction: Reduction) -> Choice:
    """The method of these strategies. Without an order it is the usual one, unless only another suits the store and the
    reduction: breadth-first, or depth-first with a reduction, which leaves out more then. Without a store it is `auto`
    for breadth-first search, else `full`."""
    is_reduced = Method(reduction=reduction).reduction.leaves_out
    usual_order: Order = DepthFirst() if is_reduced else BreadthFirst()
    if store is None:
        automatic = Method(order=order or usual_order, store=Auto(), reduction=reduction)
        store = Full() if why_not(automatic) else automatic.store
    usual = Method(order=usual_order, store=store, reduction=reduction)
    if order is not None:
        return Choice(replace(usual, order=order))
    suitable = [method for order in ORDERS if why_not(method := replace(usual, order=order())) is None]
    if usual in suitable and (len(suitable) > 1 or not is_reduced):
        return Choice(usual, f"usual with reduction {reduction.name}" if is_reduced else "")
    if len(suitable) != 1:
        return Choice(usual)
    suits_store = why_not(replace(Method(store=store), order=BreadthFirst())) is None
    named = "+".join(part.name for part in reduction.parts)
    decides = f"reduction {named}" if suits_store else f"store {store.name}"
    return Choice(suitable[0], f"the only one that {decides} allows")


_SHARED_STORES = alternatives([store.name for store in STORES if store().has_shards])

THREAD_RULES: tuple[Rule, ...] = (
    (
        lambda method: method.reduction.needs_stack,
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


def require_possible(method: Method, limits: Limits, threads: int, audit: bool, passes: bool = False) -> None:
    """Refuse a method, limits, threads and an audit that suit no model; `passes` can be audited, too."""
    require_compatible(method)
    if threads > 1 and (reason := why_one_thread(method)):
        raise OptionError(f"--threads {threads}: {reason}")
    if not method.store.changes and (limits.disk is not None or limits.spill is not None):
        option = "--disk" if limits.disk is not None else "--spill"
        raise OptionError(f"{option}: store '{method.store}' keeps no states on disk; use --store auto")
    if not method.store.ends_by_itself and limits.depth is None:
        raise OptionError(
            f"store '{method.store}' needs --depth: without permanent snapshots the search may never finish"
        )
    if limits.memory is not None and (method.store.table_bytes or 0) >= limits.memory:
        raise OptionError(f"store '{method.store}' does not fit into the memory limit of {limits.memory // 2**20}M")
    if audit and not (passes or method.reduction.leaves_out or method.store.may_forget):
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


def why_not_watched(method: Method, is_stutter_invariant: bool) -> str | None:
    """Why a method cannot search for violations of a formula that finite runs show; None if it can."""
    if method.store.uses_in_degrees:
        return (
            f"store '{method.store}' computes in-degrees of the model's states, not of a formula's; use source=counted"
        )
    if method.reduction.leaves_out and not is_stutter_invariant:
        return f"reduction '{method.reduction}' keeps the order of changes, not of steps, and this counts steps (X)"
    return None


# What is not known to be sound is refused. In a message, {0} is the method.
INFINITE_RULES: tuple[Rule, ...] = (
    (
        lambda method: not method.store.exact,
        "infinite runs need --store full: '{0.store}' may miss states, and with them the end of a cycle",
    ),
    (
        lambda method: method.store.may_forget or method.store.rebuilds_states,
        "infinite runs need --store full: '{0.store}' does not keep every state, and a cycle is found by its states",
    ),
    (
        lambda method: method.store.changes,
        "infinite runs need --store full: '{0.store}' is for a breadth-first search",
    ),
    (
        lambda method: method.reduction.leaves_out and not method.reduction.keeps_runs,
        "infinite runs need --reduce local or stubborn: '{0.reduction}' is not known to keep some run of each kind",
    ),
    (
        lambda method: not method.order.keeps_stack and method.store.compression != "none",
        "infinite runs need --order dfs with store '{0.store}': breadth-first, states are kept without compression",
    ),
    (
        lambda method: not method.order.keeps_stack and method.reduction.leaves_out,
        "infinite runs need --order dfs with reduction '{0.reduction}': breadth-first, no event is left out",
    ),
)


def why_not_reduced(reduction: Reduction, is_next_free: bool, fairness: Fairness) -> str | None:
    """Why a reduction cannot be used to look for infinite runs of some kind; None if it can."""
    if not reduction.leaves_out:
        return None
    if not is_next_free:
        return "only for formulas without X is it known that it keeps some run of each kind; leave out --reduce"
    if fairness is not Fairness.NONE:
        return "it keeps some run of each kind, but not always a fair one; leave out --reduce or --fair"
    return None


def why_not_infinite(method: Method) -> str | None:
    """Why a method cannot look for infinite runs, in one sentence; None if it can."""
    return next((reason.format(method) for applies, reason in INFINITE_RULES if applies(method)), None)


def choose_for_infinite_runs(
    choice: Choice, order_was_asked_for: bool, store_was_asked_for: bool, prefers_levels: bool
) -> Choice:
    """The method for properties of infinite runs; raises OptionError if there is none. Only a search in levels has
    several threads; usually, one with a stack is better, because it may find a cycle early."""
    if choice.method.store.changes and not store_was_asked_for:
        choice = Choice(replace(choice.method, store=Full()))
    preferred = sorted(ORDERS, key=lambda order: order.has_levels is not prefers_levels)
    for order in [] if order_was_asked_for else preferred:
        changed = replace(choice.method, order=order())
        if why_not_infinite(changed) is None:
            usual = changed.order == choice.method.order
            return choice if usual else Choice(changed, "it finds infinite runs early")
    if reason := why_not_infinite(choice.method):
        raise OptionError(reason)
    return choice


# In a message, {0} is the method.
CHECKPOINT_RULES: tuple[Rule, ...] = (
    (
        lambda method: method.reduction.leaves_out,
        "a search with reduction '{0.reduction}' leaves no checkpoints; leave out --checkpoint or --reduce",
    ),
    (
        lambda method: not method.store.can_be_saved,
        "a search with store '{0.store}' leaves no checkpoints; leave out --checkpoint or use --store full",
    ),
    (
        lambda method: method.store.codes_bytes and not method.order.has_levels,
        "a search with store '{0.store}' and order '{0.order}' leaves no checkpoints; leave out --checkpoint or use "
        "--order bfs",
    ),
)


def require_savable(method: Method, audit: bool, chooses_reduction: bool) -> None:
    """Refuse checkpoints of a search that cannot be resumed from one, with the reason."""
    if reason := next((reason.format(method) for applies, reason in CHECKPOINT_RULES if applies(method)), None):
        raise OptionError(f"--checkpoint: {reason}")
    if audit:
        raise OptionError("--checkpoint: an audited search leaves no checkpoints; leave out --audit")
    if chooses_reduction:
        raise OptionError("--checkpoint: a search with --reduce auto leaves no checkpoints; leave out one of them")


# In a message, {0} is the method.
SYMMETRY_RULES: tuple[Rule, ...] = (
    (
        lambda method: method.reduction.leaves_out,
        "a search with reduction '{0.reduction}' does not exploit symmetry: the two are not known to combine; leave "
        "out --symmetry or --reduce",
    ),
    (
        lambda method: method.store.uses_in_degrees,
        "store '{0.store}' computes the in-degrees of all states, not of canonical ones; use source=counted",
    ),
)


def require_exploitable(method: Method, chooses_reduction: bool, violations: int | str, has_checkpoint: bool) -> None:
    """Refuse to exploit symmetry in a search that could not, with the reason."""
    if reason := next((reason.format(method) for applies, reason in SYMMETRY_RULES if applies(method)), None):
        raise OptionError(f"--symmetry: {reason}")
    if chooses_reduction:
        raise OptionError("--symmetry: --reduce auto does not exploit symmetry; leave out one of them")
    if violations != 1:
        raise OptionError(
            "--symmetry: only one of several symmetric violations is found; leave out --symmetry or --violations"
        )
    if has_checkpoint:
        raise OptionError("--symmetry: such a search leaves no checkpoints; leave out --symmetry or --checkpoint")


def require_exchanges(system: System, asks_for_infinite_runs: bool) -> None:
    """Refuse to exploit the symmetry of a system that has none, or in questions that it does not answer."""
    if asks_for_infinite_runs:
        raise OptionError(
            "--symmetry: infinite runs among canonical states may not be runs of the model; leave out --symmetry, or "
            "use --ignore-property if the question is the model's own"
        )
    if isinstance(system, ExplicitSystem):
        raise OptionError("--symmetry: an explicit LTS has a single process; leave out --symmetry")


EXPORT_RULES: tuple[Rule, ...] = (
    (
        lambda method: method.reduction.leaves_out,
        "export takes no --reduce: reduction '{0.reduction}' leaves transitions out, and an LTS has all of them",
    ),
    (
        lambda method: method.store.changes,
        "export needs another store: '{0.store}' does not number states; use --store full",
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
