"""What is not part of the language, and how to write it instead."""

from __future__ import annotations

import ast

EXPRESSIONS: dict[type[ast.expr], str] = {
    ast.ListComp: "a list is not a value of a model; use any, all, sum, min or max over a generator",
    ast.List: "a list is not a value of a model; use a tuple, or an Array as a field",
    ast.Dict: "a dict is not a value of a model; use a Map as a field, or a frozen dataclass",
    ast.DictComp: "a dict is not a value of a model; use a Map as a field",
    ast.GeneratorExp: "a generator is allowed only inside any, all, sum, min, max or frozenset",
    ast.SetComp: "write frozenset(… for … in …), whose value cannot change",
    ast.Lambda: "a lambda is allowed only in until(lambda: …) and leads_to(…); define a function",
    ast.JoinedStr: "texts are allowed only as messages; use an Enum",
    ast.NamedExpr: "write the assignment as a statement of its own",
    ast.Yield: "a model has no generators; a process waits with await",
    ast.YieldFrom: "a model has no generators; a process waits with await",
    ast.Starred: "* is allowed only in choose(*…)",
    ast.Slice: "slices are not supported; use a loop over indices",
}

STATEMENTS: dict[type[ast.stmt], str] = {
    ast.Try: "an exception is a fault and ends the run; test the condition before, or write try … finally … alone",
    ast.TryStar: "an exception is a fault and ends the run; test the condition before, or write try … finally … alone",
    ast.With: "only async with on a Lock, a Semaphore or a Condition is supported",
    ast.AsyncFor: "async for is not supported; write a loop with await inside",
    ast.Delete: "del is not supported; assign None to an optional field",
    ast.Global: "a model's state is in its fields; write self.name",
    ast.Nonlocal: "a model's state is in its fields; write self.name",
    ast.FunctionDef: "define functions at the top of the file, or as methods",
    ast.AsyncFunctionDef: "define functions at the top of the file, or as methods",
    ast.ClassDef: "define classes at the top of the file",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
}

NAMES: dict[str, str] = {
    "print": "a model prints nothing; traces show every change",
    "input": "use choose(…) for what the environment may do",
    "float": "models have whole numbers only",
    "str": "texts are not values of a model; use an Enum",
    "list": "a list is not a value of a model; use an Array as a field",
    "dict": "a dict is not a value of a model; use a Map as a field",
    "sorted": "sorting is not supported; use min and max",
    "isinstance": "types are known before a model runs; use match, or compare with None",
    "zip": "use a loop over range(…) with an index",
    "map": "use a generator inside any, all or sum",
    "filter": "use a generator inside any, all or sum",
    "super": "call the method by its name",
    "eval": "code in texts is not supported",
    "exec": "code in texts is not supported",
    "open": "a model has no files",
    "object": "use an Enum or a frozen dataclass",
    "divmod": "write // and %",
    "pow": "write **",
    "hash": "values have no hashes in a model",
    "id": "values have no identities in a model",
    "next": "use min or max over a generator",
    "iter": "use a loop",
    "type": "types are known before a model runs; use match, or compare with None",
}

IMPORTS: dict[str, str] = {
    "asyncio": "import Queue, Lock, Event, Semaphore and Condition from scrimp.modelling; step() takes the place of "
    "sleep(), and join(…) that of gather(…)",
    "random": "choose(…) explores all values instead of a random one",
    "time": "a model has no clock; await step() lets others move",
    "threading": "a process is an async method with @process; every await lets others move",
    "math": "models have whole numbers only",
    "collections": "use Queue, Array and Map of scrimp.modelling",
    "typing": "import the names, as in from typing import Annotated",
    "enum": "import the names, as in from enum import Enum",
    "dataclasses": "import the names, as in from dataclasses import dataclass",
    "scrimp": "import the names, as in from scrimp.modelling import Model",
    "scrimp.modelling": "import the names, as in from scrimp.modelling import Model",
}

IMPORTED: dict[str, str] = {
    **dict.fromkeys(("IntEnum", "StrEnum", "Flag", "IntFlag"), "use Enum; a member is no number, but has a .value"),
    "Literal": "use an Enum",
    **dict.fromkeys(("NamedTuple", "TypedDict"), "use a class with @dataclass(frozen=True)"),
    "List": "use Array of scrimp.modelling",
    "Dict": "use Map of scrimp.modelling",
    "Union": "write int | None; for several kinds of records, use one with a field of an Enum",
    "field": "give the fields of a record their default values directly",
}
"""What Python's modules have, and how to write it in a model."""

DECORATORS: dict[str, str] = {
    "property": "write a method without it, and call it",
    "staticmethod": "write a function of the file, or a method with self",
    "classmethod": "write a function of the file, or a method with self",
    "override": "a method overrides one of the same name without it",
}

_FROM_MODELLING = "import it from scrimp.modelling"
_PROCESSES = "declare the tasks as @process methods, and wait for their end with await join(self.method)"
_CANCELLED = "a process is not cancelled; let it wait with until(lambda: self.cancelled or …), and test the field"
_TIMEOUT = "a model has no clock; if choose(True, False): explores both that it comes in time and that it does not"

ASYNCIO: dict[str, str] = {
    **dict.fromkeys(("Queue", "Lock", "Event", "Semaphore", "Condition"), _FROM_MODELLING),
    **dict.fromkeys(("gather", "create_task", "TaskGroup", "wait", "as_completed", "ensure_future"), _PROCESSES),
    **dict.fromkeys(("CancelledError", "Task", "shield", "current_task"), _CANCELLED),
    **dict.fromkeys(("timeout", "timeout_at", "wait_for", "TimeoutError"), _TIMEOUT),
    "BoundedSemaphore": "import Semaphore from scrimp.modelling, which is bounded",
    "Barrier": "count those who have come in a field, and wait with until(lambda: self.here == COUNT)",
    "PriorityQueue": "use Queue, or one Queue for each priority",
    "LifoQueue": "use an Array and a number of items",
    "QueueEmpty": "test empty() before get_nowait()",
    "QueueFull": "test full() before put_nowait()",
    "sleep": "write await step(), after which others may have moved",
    "run": "run(Model) of scrimp.modelling runs a model",
}
"""What asyncio has, and how to write it in a model."""


def article(node: ast.AST) -> str:
    """The kind of a node in words, such as `a lambda`."""
    words = {
        ast.ListComp: "a list comprehension",
        ast.GeneratorExp: "a generator",
        ast.SetComp: "a set comprehension",
        ast.DictComp: "a dict comprehension",
        ast.JoinedStr: "an f-string",
        ast.NamedExpr: "an assignment expression",
        ast.AsyncFor: "async for",
        ast.Try: "try with except",
        ast.TryStar: "try with except",
        ast.With: "with",
        ast.Delete: "del",
        ast.FunctionDef: "a nested function",
        ast.AsyncFunctionDef: "a nested function",
        ast.ClassDef: "a nested class",
        ast.ImportFrom: "an import",
        ast.Import: "an import",
        ast.YieldFrom: "yield from",
        ast.Starred: "*",
    }
    name = type(node).__name__
    return words.get(type(node), f"{'an' if name[0] in 'AEIOU' else 'a'} {name.lower()}")
