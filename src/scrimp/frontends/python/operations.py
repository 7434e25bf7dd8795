"""Operations: what waits, chooses, or changes a container, in expressions of a process or an action."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from scrimp.errors import did_you_mean
from scrimp.frontends.python import refusals
from scrimp.frontends.python.algebra import ZERO, comparison, conjoined, negated
from scrimp.frontends.python.calls import WAITING
from scrimp.frontends.python.flow import Flow, dispatched
from scrimp.frontends.python.program import Function
from scrimp.frontends.python.source import shown
from scrimp.frontends.python.storage import Spot, decoded, encoded
from scrimp.frontends.python.types import (
    BoolType,
    ConditionType,
    EventType,
    LockType,
    QueueType,
    SemaphoreType,
)
from scrimp.frontends.python.values import NOTHING, Mismatch, Value, constant
from scrimp.system.expressions import FALSE, TRUE, At, Constant, Expression, Length, Message, Read, conjunction
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import Kind

JOINED = -1
"""The location at which a process is done, in guards that are made before it is known."""


class Operations(Flow):
    """The effects of expressions."""

    def inlined(self, call: ast.Call, function: Function) -> Value:
        """A call of a function, as its statements in place."""
        raise NotImplementedError

    def rejoin(self, branches: Sequence[tuple[int, Callable[[], None]]]) -> None:
        """Execute branches from their places, and continue where they meet."""
        meet = self.graph.add_place()
        before = self.assigned
        ends = []
        for place, execute in branches:
            self.assigned = before
            self.enter(place)
            execute()
            if self.open is not None:
                ends.append(self.assigned)
                self.goto(meet)
        self.assigned = frozenset.intersection(*ends) if ends else before
        if ends:
            self.enter(meet)

    def branch_value(
        self, test: Expression, then: Callable[[], Value], otherwise: Callable[[], Value], node: ast.expr
    ) -> Value:
        if isinstance(test, Constant):
            return then() if test.value else otherwise()
        key = (*self.frame.key, "value", node.lineno, node.col_offset, type(node).__name__)
        one, other = self.branch(test)
        self.rejoin(
            [
                (one, lambda: self.assign(key, f"value:{node.lineno}", then())),
                (other, lambda: self.assign(key, f"value:{node.lineno}", otherwise())),
            ]
        )
        return self.value_of(key) if key in self.variables else NOTHING

    def impure(self, node: ast.expr) -> Value:
        match node:
            case ast.Await(ast.Call() as call):
                return self.awaited(node, call)
            case ast.Await():
                raise self.error(node, "expected a call after await, such as step() or self.queue.get()")
            case ast.Call(ast.Name(name)) if self.program.meaning(name) == "choose":
                return self.choice(node)
            case ast.Call(ast.Attribute(owner, name)) if (spot := self.expressions.spot(owner)) is not None:
                return self.operation(node, spot, name)
            case ast.Call():
                function = self.program.called(node, self.frame.self_name)
                if function is not None:
                    if isinstance(function, ast.AsyncFunctionDef):
                        raise self.error(node, f"write await {self.program.source.excerpt(node)}")
                    return self.inlined(node, function)
        raise self.error(node, "this is not supported here")

    def awaited(self, node: ast.Await, call: ast.Call) -> Value:
        function = self.program.called(call, self.frame.self_name)
        if function is not None:
            if not isinstance(function, ast.AsyncFunctionDef):
                raise self.error(node, f"{function.name} is not async: call it without await")
            return self.inlined(call, function)
        match call.func:
            case ast.Name(name) if self.program.meaning(name) == "step":
                if call.args or call.keywords:
                    raise self.error(call, "step() takes no arguments")
                self.wait(node, TRUE)
                return NOTHING
            case ast.Name(name) if self.program.meaning(name) == "until":
                self.wait(node, self.condition_of(call))
                return NOTHING
            case ast.Name(name) if self.program.meaning(name) == "join":
                self.join(node, call)
                return NOTHING
            case ast.Name(name) if self.program.import_hint(name):
                raise self.error(node, f"unknown function '{name}'{self.program.import_hint(name)}")
            case ast.Attribute(ast.Name("asyncio"), name):
                hint = refusals.ASYNCIO.get(name, refusals.IMPORTS["asyncio"])
                raise self.error(node, f"asyncio.{name} is not part of the language: {hint}")
            case ast.Attribute(owner, name) if (spot := self.expressions.spot(owner)) is not None:
                if name in WAITING:
                    return self.waiting_operation(node, call, spot, name)
                raise self.error(node, f"{name} does not wait: call it without await")
        raise self.error(
            node, "expected step(), until(lambda: …), an operation of a queue, lock or event, or an async method"
        )

    def condition_of(self, call: ast.Call) -> Expression:
        match call.args:
            case [ast.Lambda(args, body)] if not call.keywords:
                if args.args or args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs:
                    raise self.error(call, "expected a lambda without parameters, as in until(lambda: not self.taken)")
                if self.expressions.is_impure(body):
                    raise self.error(body, "a condition cannot wait, choose or change the state")
                return self.expressions.condition(body)
        raise self.error(call, "expected a lambda, as in until(lambda: not self.taken)")

    def waiting_operation(self, node: ast.Await, call: ast.Call, spot: Spot, name: str) -> Value:
        known = {
            QueueType: ("put", "get"),
            LockType: ("acquire",),
            SemaphoreType: ("acquire",),
            EventType: ("wait",),
            ConditionType: ("acquire", "wait", "wait_for"),
        }
        if name not in known.get(type(spot.type), ()):
            self.expressions.value(call)
            raise self.error(node, f"{spot.type} has no operation '{name}'")
        if name == "put":
            self.put(node, call, spot)
            return NOTHING
        if name == "wait_for":
            return self.wait_for(node, call)
        if call.args or call.keywords:
            raise self.error(call, f"{name} takes no arguments")
        if name == "get":
            value, finish = self.take(node)
            value = self.spill(value)
            finish()
            return value
        spot = self.kept_spot(spot)
        if isinstance(spot.type, EventType):
            self.wait(node, spot.reads[0])
        elif name == "wait":
            self.wait_notified(node, spot)
        else:
            self.acquire(node, spot)
        return constant(True)

    def put(self, node: ast.Await, call: ast.Call, spot: Spot) -> None:
        spot = self.kept_spot(spot)
        assert isinstance(spot.type, QueueType)
        if len(call.args) != 1 or call.keywords:
            raise self.error(call, "expected put(item)")
        value = self.kept(self.expressions.value(call.args[0]))
        room = Constant(spot.type.capacity)
        self.wait(node, self.expressions.of_channel(spot, lambda channel: comparison("<", Length(channel), room)))
        self.enqueue(call, spot, value)

    def enqueue(self, node: ast.expr, spot: Spot, value: Value) -> None:
        assert isinstance(spot.type, QueueType)
        try:
            numbers = encoded(value, spot.type.item)
        except Mismatch as mismatch:
            raise self.error(node, f"{spot.name}: {mismatch}") from None
        self.emit(*dispatched(spot, ((each, Enqueue(each, numbers)) for each in spot.numbers)), kind=Kind.SEND)

    def _queue(self, node: ast.expr) -> Spot | None:
        spot = self.expressions.spot(node)
        return spot if spot is not None and isinstance(spot.type, QueueType) else None

    def _takes(self, node: ast.expr) -> bool:
        """Whether an expression is nothing but taking an item from a queue."""
        match node:
            case ast.Await(ast.Call(ast.Attribute(owner, "get"), [], [])):
                return self._queue(owner) is not None
            case ast.Call(ast.Attribute(owner, "get_nowait"), [], []):
                return self._queue(owner) is not None
            case _:
                return False

    def take(self, node: ast.expr) -> tuple[Value, Callable[[], None]]:
        """The oldest item of a queue, and the statement that removes it once the item is kept."""
        call = node.value if isinstance(node, ast.Await) else node
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Attribute)
        found = self._queue(call.func.value)
        assert found is not None
        spot = self.kept_spot(found)
        assert isinstance(spot.type, QueueType)
        if isinstance(node, ast.Await):
            self.wait(node, self.expressions.of_channel(spot, lambda channel: comparison(">", Length(channel), ZERO)))
        fields = len(self.storage.channels[spot.numbers[0]].fields)
        numbers = [
            self.expressions.of_channel(spot, lambda channel, field=field: Message(channel, field, ZERO))  # type: ignore[misc]
            for field in range(fields)
        ]
        removal: list[tuple[int, Statement]] = [(each, Dequeue(each, (None,) * fields)) for each in spot.numbers]

        def finish() -> None:
            self.emit(*dispatched(spot, removal), kind=Kind.RECEIVE)

        return decoded(spot.type.item, numbers), finish

    def wait_notified(self, node: ast.Await, spot: Spot) -> None:
        """Release the lock of a condition, wait for a notification and the lock, and take it again."""
        lock, woken, waiting = spot.numbers
        mine = Constant(self.owner)
        self.emit(Assert(Read(lock), "RuntimeError: cannot wait on un-acquired lock"))
        self.emit(Assign(Place(lock), FALSE), Enqueue(waiting, (mine,)))
        self.wait(node, conjoined(Read(woken, mine), negated(Read(lock))))
        self.emit(Assign(Place(woken, mine), FALSE), Assign(Place(lock), TRUE))

    def wait_for(self, node: ast.Await, call: ast.Call) -> Value:
        """`wait_for` is a loop, as in asyncio."""
        match call:
            case ast.Call(
                ast.Attribute(owner), [ast.Lambda(args=ast.arguments([], [], None, [], [], None, []), body=body)], []
            ):
                pass
            case _:
                raise self.error(call, "expected a lambda, as in wait_for(lambda: self.room > 0)")
        if self.expressions.is_impure(body):
            raise self.error(body, "a condition cannot wait, choose or change the state")
        if not isinstance(self.expressions.value(body).type, BoolType):
            raise self.error(body, "expected a condition that is True or False")
        operation = ast.copy_location(ast.Attribute(owner, "wait", ast.Load()), node)
        waits = ast.copy_location(ast.Await(ast.copy_location(ast.Call(operation, [], []), node)), node)
        test = ast.copy_location(ast.UnaryOp(ast.Not(), body), body)
        loop = ast.copy_location(ast.While(test, [ast.copy_location(ast.Expr(waits), node)], []), node)
        self.while_loop(loop)
        return constant(True)

    def while_loop(self, node: ast.While) -> None:
        """Execute a loop."""
        raise NotImplementedError

    def notify(self, spot: Spot, times: int) -> None:
        """Wake those who have waited longest."""
        lock, woken, waiting = spot.numbers
        self.emit(Assert(Read(lock), "RuntimeError: cannot notify on un-acquired lock"))
        for _ in range(min(times, self.storage.channels[waiting].capacity)):
            oldest = Place(woken, Message(waiting, 0, ZERO))
            wake: tuple[Statement, ...] = (Assign(oldest, TRUE), Dequeue(waiting, (None,)))
            self.emit(If(comparison(">", Length(waiting), ZERO), wake))

    def _times(self, node: ast.Call) -> int:
        times = self.expressions.value(node.args[0]).number if node.args else 1
        if times is None:
            raise self.error(node.args[0], "expected a constant number of processes to notify")
        return times

    def join(self, node: ast.Await, call: ast.Call) -> None:
        """Wait until processes are done. Where they end is known later: `JOINED` stands for that location."""
        match call:
            case ast.Call(args=[ast.Attribute(owner, name), *which], keywords=[]) if self.expressions.is_self(owner):
                pass
            case _:
                raise self.error(call, "expected join(self.method) with a method that is a process")
        members = {each.name for each in self.program.members if each.kind == "process"}
        if name not in members:
            raise self.error(call, f"{shown(name)} is not a process of the model{did_you_mean(name, members)}")
        wanted = [self.expressions.value(each).number for each in which]
        ends = [
            At(process, JOINED)
            for process, (each, number) in enumerate(self.program.numbered_processes())
            if each.name == name and (not wanted or number in wanted)
        ]
        if None in wanted or len(wanted) > 1 or (wanted and not ends):
            raise self.error(call, f"expected join(self.{name}), or the number of one as a constant after it")
        self.wait(node, conjunction(*ends))

    def acquire(self, node: ast.AST, spot: Spot) -> None:
        spot = _lock_of(spot)
        if isinstance(spot.type, SemaphoreType):
            self.wait(node, comparison(">", spot.reads[0], ZERO))
            self.store(spot.places, [self.algebra.difference(spot.reads[0], Constant(1))])
        else:
            self.wait(node, negated(spot.reads[0]))
            self.store(spot.places, [TRUE])

    def release(self, spot: Spot) -> None:
        spot = _lock_of(spot)
        if isinstance(spot.type, SemaphoreType):
            permits = Constant(spot.type.permits)
            text = "ValueError: BoundedSemaphore released too many times"
            self.emit(Assert(comparison("<", spot.reads[0], permits), text))
            self.store(spot.places, [self.algebra.sum(spot.reads[0], Constant(1))])
        else:
            self.emit(Assert(spot.reads[0], "RuntimeError: Lock is not acquired."))
            self.store(spot.places, [FALSE])

    def operation(self, node: ast.Call, spot: Spot, name: str) -> Value:
        """An operation of a container that does not wait."""
        match spot.type, name:
            case (QueueType(), "get_nowait") if not node.args and not node.keywords:
                value, finish = self.take(node)
                value = self.spill(value)
                finish()
                return value
            case (QueueType(), "put_nowait") if len(node.args) == 1 and not node.keywords:
                value = self.expressions.value(node.args[0])
                self.enqueue(node, spot, value)
                return NOTHING
            case (LockType() | SemaphoreType() | ConditionType(), "release") if not node.args and not node.keywords:
                self.release(spot)
                return NOTHING
            case (ConditionType(), "notify") if len(node.args) <= 1 and not node.keywords:
                self.notify(spot, self._times(node))
                return NOTHING
            case (ConditionType(), "notify_all") if not node.args and not node.keywords:
                self.notify(spot, self.storage.channels[spot.numbers[2]].capacity)
                return NOTHING
            case (EventType(), "set" | "clear") if not node.args and not node.keywords:
                self.store(spot.places, [TRUE if name == "set" else FALSE])
                return NOTHING
        raise self.error(node, f"{name} does not take these arguments")

    def choice(self, node: ast.Call) -> Value:
        if node.keywords:
            raise self.error(node, "choose(…) takes no keywords")
        options: list[Value] = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                items = self.expressions.items(argument.value)
                if any(item.test != TRUE for item in items):
                    raise self.error(
                        argument, "expected a range, a tuple, an Enum or an Array of constant length after *"
                    )
                options += [self.kept(item.value) for item in items]
            else:
                options.append(self.kept(self.expressions.value(argument)))
        if not options:
            raise self.error(node, "choose(…) needs at least one option")
        if len(options) == 1:
            return options[0]
        key = (*self.frame.key, "choice", node.lineno, node.col_offset)
        here = self.cut()
        branches = []
        for option in options:
            place = self.graph.add_place()
            self.enter(here)
            self.node = node
            self.goto(place)
            branches.append((place, lambda option=option: self.assign(key, f"choice:{node.lineno}", option)))
        self.rejoin(branches)
        return self.value_of(key) if key in self.variables else NOTHING


def _lock_of(spot: Spot) -> Spot:
    """The lock of a condition; others are their own."""
    return replace(spot, type=LockType(), numbers=spot.numbers[:1]) if isinstance(spot.type, ConditionType) else spot
