"""Which orders, stores and reductions combine, and what may be asked under them: the only place that knows, and the
sentences shown where it is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from scrimp.errors import OptionError
from scrimp.limits import Limits
from scrimp.properties import Property
from scrimp.strategies import Method, Reduction, Store
from scrimp.system.explicit import ExplicitSystem

if TYPE_CHECKING:
    from scrimp.system.system import System

Rule: TypeAlias = tuple[Callable[[Method], bool], str]

# Each rule looks at traits, never at names, so that it also judges strategies that do not exist yet.
RULES: tuple[Rule, ...] = (
    (
        lambda method: method.store.remembers_levels and not method.order.has_levels,
        "what the store remembers are levels, and only a breadth-first search has them",
    ),
    (
        lambda method: method.store.evicts and not method.order.keeps_stack,
        "a store that forgets terminates only under a search that holds its path",
    ),
    (
        lambda method: method.reduction.needs_stack and not method.order.keeps_stack,
        "a reduction knows what it may leave out only under a search that holds its path",
    ),
    (
        lambda method: method.store.arranges_queue and not method.order.has_queue,
        "an option of the store is about the states that wait, and a depth-first search has none",
    ),
    (
        lambda method: method.reduction.leaves_out and method.store.delays_detection,
        "under delayed detection an event is not finished when the next is fired, and a reduction needs to know where "
        "each leads",
    ),
    (
        lambda method: method.reduction.leaves_out and method.store.rebuilds_states,
        "states are rebuilt by their place among all events of the state before, and no reduction counts those yet",
    ),
    (
        lambda method: method.reduction.leaves_out and method.store.forgets_for_good,
        "the store counts the edges that lead to a state, and edges that a reduction leaves out are never explored",
    ),
    (
        lambda method: method.reduction.stores_marks and not method.store.has_marks,
        "sleep sets are stored with the states, and this store keeps only a part of each",
    ),
    (
        lambda method: sum(part.selects for part in method.reduction.parts) > 1,
        "only one part of a reduction can choose the processes that go on alone",
    ),
    (
        lambda method: sum(part.sleeps for part in method.reduction.parts) > 1,
        "only one part of a reduction can say which events are asleep",
    ),
    (
        lambda method: len(method.reduction.parts) > 1 and not all(part.leaves_out for part in method.reduction.parts),
        "a part of the reduction leaves nothing out",
    ),
)


def why_not(method: Method) -> str | None:
    """Why these strategies cannot be combined, in one sentence; None where they can."""
    return next((reason for applies, reason in RULES if applies(method)), None)


def require_compatible(method: Method) -> None:
    """Refuse a combination that is not sound, with the reason."""
    if reason := why_not(method):
        named = f"order '{method.order}', store '{method.store}' and reduction '{method.reduction}'"
        raise OptionError(f"{named} do not combine: {reason}")


def why_not_asked(reduction: Reduction, system: System, asked: Sequence[Property]) -> str | None:
    """Why a reduction cannot answer what is asked of a system; None where it can."""
    if reduction.leaves_out and isinstance(system, ExplicitSystem):
        return "an explicit LTS is one process, and a reduction is about several"
    if reduction.leaves_out and system.claim is not None:
        return "a never claim moves with every transition, so that the order of any two matters"
    hidden = [each for each in asked if not each.is_kept_with_deadlocks]
    if hidden and not reduction.keeps_violations:
        return f"without its proviso it keeps deadlocks only, and could hide what decides '{hidden[0]}'"
    return None


def require_answerable(reduction: Reduction, system: System, asked: Sequence[Property]) -> None:
    """Refuse a reduction that could hide what is asked for, with the reason."""
    if reason := why_not_asked(reduction, system, asked):
        raise OptionError(f"reduction '{reduction}' cannot be used here: {reason}")


EXPORT_RULES: tuple[Rule, ...] = (
    (lambda method: method.reduction.leaves_out, "a reduction leaves transitions out, and an LTS has all of them"),
    (lambda method: not method.store.exact, "the store is not exact, and parts of the LTS could be missing"),
)


def require_exportable(method: Method) -> None:
    """Refuse to write an LTS that is not all there, with the reason."""
    for applies, reason in EXPORT_RULES:
        if applies(method):
            raise OptionError(
                f"store '{method.store}' and reduction '{method.reduction}' cannot write an LTS: {reason}"
            )


def require_end(store: Store, limits: Limits) -> None:
    """Refuse a search that may go on for ever."""
    if not store.ends_by_itself and limits.depth is None:
        raise OptionError(
            f"store '{store}': without permanent snapshots the search may go on for ever: limit it by --depth"
        )


def require_given(store: Store, system: System) -> None:
    """Refuse to ask a model for what only a given LTS has."""
    if store.needs_explicit_system and not isinstance(system, ExplicitSystem):
        raise OptionError(
            f"store '{store}': only an LTS is given with all that leads to a state; source=counted counts it"
        )


def require_auditable(method: Method, system: System) -> None:
    """Refuse to look for mistakes where nothing is chosen and nothing forgotten, or where it would take for ever."""
    if isinstance(system, ExplicitSystem) and method.store.evicts:
        raise OptionError(
            f"store '{method.store}': its audit compares any two events, and an explicit LTS has too many"
        )
    if not method.reduction.leaves_out and not method.store.may_forget:
        raise OptionError("there is nothing to audit without a reduction or a store that forgets")
