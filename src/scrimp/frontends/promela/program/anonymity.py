"""What statements can see of the numbers of processes and channels, by the text alone.

A process's number is its place in the order of starts; numbers of local channels follow from those of the processes
that declare them. They are seen by `_pid`, `_nr_pr` and the like, by references to other processes, and by whoever
stores the value of `run`.

Local channels are *kept among younger processes* if their numbers go nowhere but into parameters of processes that are
started: such a process is younger than the one that declares the channel, and is gone before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scrimp.frontends.promela.program.syntax import (
    ChannelShape,
    ChannelTest,
    Condition,
    Poll,
    Predefined,
    Print,
    ProcessTest,
    Proctype,
    Program,
    Receive,
    Reference,
    RemoteLabel,
    RemoteVariable,
    Run,
    Send,
    SetPriority,
    Structure,
    Symbol,
    parts_of,
    walk,
)


def are_processes_anonymous(program: Program) -> bool:
    """Whether no statement depends on the number of a process, nor on whether it has ended, apart from starts, ends and
    local channels."""
    if program.priorities is not None:
        return False
    return not any(_sees_numbers(part) for proctype in _processes(program) for part in _evaluated(program, proctype))


def _sees_numbers(part: object) -> bool:
    match part:
        case Predefined(name):
            return name not in ("timeout", "_")
        case Run() | RemoteLabel() | RemoteVariable() | ProcessTest() | SetPriority():
            return True
    return False


def _evaluated(program: Program, proctype: Proctype) -> Iterator[object]:
    """All parts of a process whose values matter: those of the `run` of a statement that is nothing else do not, nor
    those of predefined variables that are printed."""
    symbols = (*proctype.locals, *program.globals)
    waiting: list[object] = [proctype.body, proctype.provided, *(symbol.initial for symbol in symbols)]
    while waiting:
        part = waiting.pop()
        match part:
            case Condition(Run(_, arguments)):
                waiting += arguments
            case Print():
                waiting += [value for value in part.values if not isinstance(value, Predefined)]
            case _:
                yield part
                waiting += parts_of(part)


def are_channels_kept_among_younger(program: Program) -> bool:
    """Whether only processes that were started later can refer to a local channel; also if there are none."""
    processes = list(_processes(program))
    symbols = [symbol for proctype in processes for symbol in proctype.locals]
    if not any(isinstance(symbol.initial, ChannelShape) or _has_channels(symbol) for symbol in symbols):
        return True
    if any(_has_channels(symbol) or not _is_plain(symbol) for symbol in (*symbols, *program.globals)):
        return False
    parameters = {proctype.name: proctype.locals[: proctype.parameters] for proctype in processes}
    return all(
        _keeps_channels(part, parameters) for proctype in processes for part in (proctype.body, proctype.provided)
    )


def _has_channels(symbol: Symbol) -> bool:
    """Whether a variable is a structure with channels in it."""
    return isinstance(symbol.type, Structure) and any(
        field.type == "chan" or _has_channels(field) for field in symbol.type.fields
    )


def _is_plain(symbol: Symbol) -> bool:
    """Whether a variable holds the channels that it declares, or none at first, or has no initial value in which there
    are channels."""
    if symbol.type == "chan":
        return symbol.initial is None or isinstance(symbol.initial, ChannelShape)
    initial = symbol.initial if not isinstance(symbol.initial, ChannelShape) else None
    return not any(_is_channel(part) for part in walk(initial))


def _is_channel(part: object) -> bool:
    return isinstance(part, Reference) and part.symbol.type == "chan"


def _keeps_channels(statement: object, parameters: Mapping[str, Sequence[Symbol]]) -> bool:
    """Whether variables of channels are used to send, receive and test, and as arguments for parameters of their type,
    and nothing else is."""
    waiting: list[object] = [statement]
    used: list[object]
    rest: list[object]
    while waiting:
        part = waiting.pop()
        match part:
            case Send(channel, values):
                used, rest = [channel], [*values]
            case Receive(channel, arguments):
                used, rest = [channel], [*arguments]
            case ChannelTest(_, channel):
                used, rest = [channel], []
            case Poll(channel, arguments):
                used, rest = [channel], [*arguments]
            case Run(proctype, arguments):
                own = parameters.get(proctype, ())
                given = list(zip(own, arguments, strict=False))
                used = [argument for parameter, argument in given if parameter.type == "chan"]
                rest = [argument for parameter, argument in given if parameter.type != "chan"]
                rest += arguments[len(given) :]
            case _ if _is_channel(part):
                return False
            case _:
                waiting += parts_of(part)
                continue
        if not all(map(_is_channel, used)):
            return False
        waiting += rest
        waiting += [link.index for each in used if isinstance(each, Reference) for link in each.parts]
    return True


def _processes(program: Program) -> Iterator[Proctype]:
    return (proctype for proctype in program.proctypes if proctype.kind in ("proctype", "init"))
