"""`scrimp info`: the parts of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import eq
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrimp.cli.options import ModelOptions, Once, language_option, model_argument, model_options
from scrimp.numbers import counted
from scrimp.outputs.screen import say
from scrimp.outputs.style import dim, strong
from scrimp.system.explicit import ExplicitSystem, Graph

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.machine.layout import Layout
    from scrimp.system.system import System
    from scrimp.system.types import Range
    from scrimp.vocabulary import Marking


@click.command("info", cls=Once, short_help="Show the parts of a model.")
@model_argument
@click.option("--passes", is_flag=True, help="Show what each pass does before check searches the model.")
@language_option
@model_options
def command(passes: bool, **asked: Any) -> int:
    """Show the processes, variables, channels and transitions of MODEL, and the size of a state. Transitions that touch
    nothing that another process touches are marked local; those that cannot be taken backwards are listed again, with
    the reason."""
    from scrimp.growth import settled

    model = settled(ModelOptions(**asked).load())
    say(passes_lines(model) if passes else info_lines(model))
    return 0


def passes_lines(model: Model) -> Iterator[str]:
    """What each pass does, if nothing but the model's own questions about states is asked."""
    from scrimp.passes import PASSES, passed

    seen = [each.test for each in (*model.goals, *model.system.invariants)]
    notes = passed(model.system, seen).notes
    yield f"{strong(model.system.name)}  {dim(f'{model.path}, {model.language}')}"
    yield ""
    yield strong("what the passes did")
    rows = []
    for each in PASSES:
        did = ", ".join(note.text for note in notes if note.name == each.name)
        rows.append((each.name, did or "nothing", each.does))
    yield from _columns(rows)


def info_lines(model: Model) -> Iterator[str]:
    system = model.system
    if isinstance(system, ExplicitSystem):
        yield from _lts_lines(model, system.graph)
        return
    layout = packed_layout(system)
    yield f"{strong(system.name)}  {dim(f'{model.path}, {model.language}')}"
    yield f"  {counted(layout.bits, 'bit')} per state; {declared_bits(system)} as declared"
    irreversible = _irreversible(model)
    if not irreversible:
        yield "  all transitions can be taken backwards"
    if model.unchecked is not None:
        yield f"  {model.unchecked}, so it cannot be checked; it is left out below"
    sections: list[tuple[str, list[Sequence[str]]]] = []
    if (marking := model.vocabulary.marking) is not None:
        sections.append((counted(len(marking.places), "place"), _place_rows(model, marking, layout)))
    else:
        sections.append((counted(len(system.processes), "process"), _process_rows(system)))
        sections.append((counted(len(system.variables), "variable"), _variable_rows(model, layout)))
    sections.append((counted(len(system.channels), "channel"), _channel_rows(system)))
    sections.append((counted(len(system.transitions), "transition"), _transition_rows(model)))
    if irreversible:
        heading = f"{counted(len(irreversible), 'transition')} that cannot be taken backwards"
        sections.append((heading, _irreversible_rows(model, irreversible)))
    for heading, rows in sections:
        if rows:
            yield ""
            yield strong(heading)
            yield from _columns(rows)


def _lts_lines(model: Model, graph: Graph) -> Iterator[str]:
    """An LTS: how many states and transitions it has, and how often each label occurs."""
    dead_ends = sum(map(eq, graph.first, graph.first[1:]))
    yield f"{strong(model.system.name)}  {dim(f'{model.path}, {model.language}')}"
    yield f"  {counted(graph.states, 'state')}, from {graph.initial}; {counted(_bits(graph.states), 'bit')} each"
    yield f"  {counted(graph.edges, 'transition')}; {counted(dead_ends, 'state')} without successors"
    yield ""
    yield strong(counted(len(graph.names), "label"))
    uses = Counter(graph.labels)
    rows = [(graph.names[label], counted(count, "transition")) for label, count in uses.most_common()]
    if rows:
        yield from _columns(rows)


def packed_layout(system: System) -> Layout:
    """The layout with which a search would start; it may widen fields later."""
    from scrimp.machine.layout import lay_out
    from scrimp.machine.ranges import initial_ranges

    return lay_out(system, initial_ranges(system))


def declared_bits(system: System) -> int:
    """The bits of a state in which every variable has as many as its declared type."""
    processes = sum(_bits(len(process.locations)) for process in system.processes)
    variables = sum(len(variable.initial) * _bits(variable.type.size) for variable in system.variables)
    channels = sum(
        _bits(channel.capacity + 1) + channel.capacity * sum(_bits(field.size) for field in channel.fields)
        for channel in system.channels
    )
    return processes + variables + channels


def _bits(values: int) -> int:
    """How many bits distinguish this many values."""
    return (values - 1).bit_length()


def _process_rows(system: System) -> list[Sequence[str]]:
    return [
        (process.name, counted(len(process.locations), "location"), f"from {process.locations[process.initial]}")
        for process in system.processes
    ]


def _variable_rows(model: Model, layout: Layout) -> list[Sequence[str]]:
    system = model.system
    return [
        (
            model.vocabulary.variable(system, number) + ("" if variable.length is None else f"[{variable.length}]"),
            range_text(variable.type),
            counted(layout.variables[number].bits, "bit") + ("" if variable.length is None else " each"),
            "from " + (str(variable.initial[0]) if variable.length is None else _initial_text(variable.initial)),
        )
        for number, variable in enumerate(system.variables)
    ]


def _place_rows(model: Model, marking: Marking, layout: Layout) -> list[Sequence[str]]:
    """The places of a net: how many tokens each may hold, and the bits for them. Places that share a token share their
    bits."""
    from scrimp.system.reference import initial

    system = model.system
    start = initial(system)
    described: dict[int, tuple[str, str]] = {}
    for number, place in enumerate(marking.variables):
        described[place] = range_text(system.variables[number].type), counted(layout.variables[number].bits, "bit")
    for process, places in enumerate(marking.processes):
        members = [place for place in places if place is not None]
        shared = f"one of {len(members)} in {counted(layout.locations[process].bits, 'bit')}"
        described.update((place, ("bit 0..1", shared)) for place in members)
    tokens = marking.tokens(start.locations, start.values)
    return [(name, *described[place], f"from {tokens[place]}") for place, name in enumerate(marking.places)]


def _initial_text(values: tuple[int, ...]) -> str:
    if len(set(values)) == 1:
        return f"{values[0]} everywhere"
    return "{" + ", ".join(str(value) for value in values) + "}"


def range_text(declared: Range) -> str:
    """`byte`, `0..3`; with a remark if a value outside is a fault instead of wrapping around."""
    names = {(0, 1): "bit", (0, 255): "byte", (-(2**15), 2**15 - 1): "short", (-(2**31), 2**31 - 1): "int"}
    bounds = f"{declared.low}..{declared.high}"
    name = names.get((declared.low, declared.high))
    return (f"{name} {bounds}" if name else bounds) + ("" if declared.wraps else ", a fault outside")


def _channel_rows(system: System) -> list[Sequence[str]]:
    return [
        (
            channel.name,
            f"holds {counted(channel.capacity, 'message')}",
            "of " + (", ".join(range_text(field) for field in channel.fields) or "no fields"),
        )
        for channel in system.channels
    ]


def _transition_rows(model: Model) -> list[Sequence[str]]:
    """For each transition: the processes that move, the position in the text, whether it is local, and the statement.
    The two sides of a rendezvous share a line. A net has no processes, and nothing in it is local."""
    from scrimp.system.locality import local_transitions

    system = model.system
    file = Path(model.path).name
    if model.vocabulary.marking is not None:
        moves = [transition.moves[0] for transition in system.transitions]
        moves.sort(key=lambda move: (move.position.line, move.position.column))
        return [(f"{file}:{move.position.line}", move.text) for move in moves]
    local = local_transitions(system)
    return [
        (
            ", ".join(system.mover(move) for move in transition.moves),
            ", ".join(f"{move.position.file or file}:{move.position.line}" for move in transition.moves),
            "local" if event in local else "",
            ", ".join(move.text for move in transition.moves),
        )
        for event, transition in enumerate(system.transitions)
    ]


def _irreversible(model: Model) -> Mapping[int, str]:
    """The events of native code that cannot be taken backwards, each with the reason."""
    from scrimp.machine.backward.transitions import backward
    from scrimp.machine.fusion import fuse

    system = fuse(model.system).system
    return backward(system, packed_layout(system)).impossible


def _irreversible_rows(model: Model, irreversible: Mapping[int, str]) -> list[Sequence[str]]:
    """The reasons why transitions cannot be taken backwards: for each, how many there are and the first of them."""
    alike: dict[str, list[int]] = {}
    for event, reason in irreversible.items():
        alike.setdefault(reason, []).append(event)
    rows: list[Sequence[str]] = []
    for reason, events in alike.items():
        first = model.system.transitions[events[0]].moves[0]
        where = f"{first.position.file or Path(model.path).name}:{first.position.line}"
        rows.append((reason, counted(len(events), "transition"), f"the first at {where}", first.text))
    return rows


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows with aligned cells, without empty columns."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=True) if width]
        yield "  " + "  ".join(cells).rstrip()
