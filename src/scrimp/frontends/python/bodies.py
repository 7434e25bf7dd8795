"""Bodies: from the statements of a process, an action or a function to edges, in CPython's order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from scrimp.frontends.python import refusals
from scrimp.frontends.python.flow import Frame
from scrimp.frontends.python.functions import bound, entered
from scrimp.frontends.python.loops import Loops
from scrimp.frontends.python.patterns import matched
from scrimp.frontends.python.program import Function, assigned_names, first_parameter
from scrimp.frontends.python.types import ConditionType, LockType, SemaphoreType
from scrimp.frontends.python.values import NOTHING, Mismatch, Value, integer
from scrimp.system.expressions import FALSE, TRUE, Constant, Expression
from scrimp.system.statements import Assert
from scrimp.system.violations import ViolationKind

_LOCKS = (LockType, SemaphoreType, ConditionType)


class Body(Loops):
    """The statements of one process or action."""

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.open is None:
                return
            outer, before = self.node, self.temporaries
            self.node = statement
            try:
                self.statement(statement)
            except Mismatch as mismatch:
                raise self.error(statement, str(mismatch)) from None
            self.node, self.temporaries = outer, before

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(ast.Constant()):
                return
            case ast.Assign(targets, value):
                self.assignment(node, targets, value)
            case ast.AnnAssign(target, annotation, value):
                self.annotated(node, target, annotation, value)
            case ast.AugAssign():
                self.augmented(node)
            case ast.Expr(value):
                self.expression_statement(node, value)
            case ast.If():
                self.conditional(node)
            case ast.While():
                self.while_loop(node)
            case ast.For():
                self.for_loop(node)
            case ast.Match():
                self.match(node)
            case ast.Break() | ast.Continue():
                self.leave_loop(node)
            case ast.Return(value):
                self.return_(node, value)
            case ast.Assert():
                self.assertion(node)
            case ast.Raise():
                self.raise_(node)
            case ast.AsyncWith():
                self.async_with(node)
            case ast.Try(body, [], [], finish):
                self.try_finally(body, finish)
            case _:
                hint = refusals.STATEMENTS.get(type(node), "it is not part of the language")
                raise self.error(node, f"found {refusals.article(node)}: {hint}")

    def expression_statement(self, node: ast.Expr, value: ast.expr) -> None:
        match value:
            case ast.Call(ast.Name(name), arguments) if self.program.meaning(name) == "require":
                self.require(value, arguments)
            case ast.Await(ast.Call(ast.Attribute(owner, "get"), [], [])) if self._queue(owner) is not None:
                _, finish = self.take(value)
                finish()
            case _:
                result = self.expressions.value(value)
                if isinstance(value, ast.Compare):
                    raise self.error(node, "this comparison has no effect; did you mean an assignment or an assert?")
                self.evaluate(result)

    def require(self, node: ast.Call, arguments: Sequence[ast.expr]) -> None:
        if not self.is_action:
            raise self.error(node, "require(…) belongs into an @action; a process waits with await until(lambda: …)")
        if len(arguments) != 1 or node.keywords:
            raise self.error(node, "expected require(condition)")
        if self.cleanups:
            raise self.error(node, "require(…) comes before try: an action that cannot happen does nothing")
        if self.expressions.is_impure(arguments[0]):
            raise self.error(arguments[0], "a condition of require cannot choose or change the state")
        test = self.expressions.condition(arguments[0])
        if test == TRUE:
            return
        self.cut()
        if self.open is not None:
            self.open.guard, self.open.required = test, self.program.source.position(node)
            self.cut()

    def assertion(self, node: ast.Assert) -> None:
        test = self.expressions.condition(node.test)
        said = f"assertion violated: {self.program.source.excerpt(node.test)}"
        if isinstance(node.msg, ast.Constant) and isinstance(node.msg.value, str):
            said = f"assertion violated: {' '.join(node.msg.value.split())}"
        self.emit(Assert(test, said, kind=ViolationKind.ASSERTION))

    def raise_(self, node: ast.Raise) -> None:
        text = self.program.source.excerpt(node.exc) if node.exc is not None else "an exception"
        match node.exc:
            case ast.Call(ast.Name(name), [ast.Constant(str(message))], []):
                text = f"{name}: {' '.join(message.split())}"
            case ast.Call(ast.Name(name), [], []) | ast.Name(name):
                text = name
            case _:
                raise self.error(node, "expected an exception with a constant text, as in raise ValueError('full')")
        self.emit(Assert(FALSE, text))
        self.goto(self.frame.return_place)

    def conditional(self, node: ast.If) -> None:
        test = self.expressions.condition(node.test)
        if isinstance(test, Constant):
            self.block(node.body if test.value else node.orelse)
            return
        then, otherwise = self.branch(test)
        self.rejoin([(then, lambda: self.block(node.body)), (otherwise, lambda: self.block(node.orelse))])

    def return_(self, node: ast.Return, value: ast.expr | None) -> None:
        frame = self.frame
        result = NOTHING if value is None else self.expressions.value(value)
        if len(self.frames) == 1:
            if result != NOTHING:
                raise self.error(node, "a process or an action returns nothing")
        elif frame.returns_value:
            self.assign((*frame.key, "return"), f"{frame.function.name} returns", result)
        self.clean_up(frame.cleanups)
        frame.returned |= self.open is not None
        self.goto(frame.return_place)

    def match(self, node: ast.Match) -> None:
        subject = self.fixed(self.expressions.value(node.subject))
        meet = self.graph.add_place()
        ends = []
        for case in node.cases:
            if self.open is None:
                break
            found = matched(self.expressions, case.pattern, subject)
            before = self.assigned
            self.node = case.pattern
            following: int | None = None
            if found.test != TRUE:
                then, following = self.branch(found.test)
                self.enter(then)
            for name, value in found.names.items():
                self.assign((*self.frame.key, name), name, value)
            if case.guard is not None:
                self.node = case.guard
                then, otherwise = self.branch_to(self.expressions.condition(case.guard), following)
                self.enter(then)
                following = otherwise
            self.block(case.body)
            if self.open is not None:
                ends.append(self.assigned)
                self.goto(meet)
            self.assigned = before
            if following is not None:
                self.enter(following)
        if self.open is not None:
            ends.append(self.assigned)
            self.goto(meet)
        if ends:
            self.assigned = frozenset.intersection(*ends)
            self.enter(meet)

    def branch_to(self, test: Expression, otherwise: int | None) -> tuple[int, int]:
        """A branch whose false side continues at a given place, if there is one."""
        if isinstance(test, Constant):
            here = self.cut()
            other = self.graph.add_place() if otherwise is None else otherwise
            if not test.value:
                self.goto(other)
                return self.graph.add_place(), other
            return here, other
        then, found = self.branch(test)
        if otherwise is None:
            return then, found
        self.enter(found)
        self.goto(otherwise)
        return then, otherwise

    def async_with(self, node: ast.AsyncWith) -> None:
        spots = []
        for item in node.items:
            spot = self.expressions.spot(item.context_expr)
            held = None if spot is None else spot.type
            if spot is None or not isinstance(held, _LOCKS) or item.optional_vars is not None:
                raise self.error(
                    item.context_expr,
                    "expected async with on a Lock, a Semaphore or a Condition of the model, without as",
                )
            if spot.index is not None:
                spot = replace(spot, index=self.fixed(integer(spot.index)).parts[0])
            self.acquire(item.context_expr, spot)
            self.cleanups.append(spot)
            spots.append(spot)
        self.block(node.body)
        for spot in reversed(spots):
            self.cleanups.pop()
            if self.open is not None:
                self.release(spot)

    def try_finally(self, body: Sequence[ast.stmt], finish: Sequence[ast.stmt]) -> None:
        """The statements of `finally` follow on every way out; an exception is a fault, which ends the run."""
        self._require_end(finish)
        self.cleanups.append(finish)
        self.block(body)
        self.cleanups.pop()
        self.block(finish)

    def _require_end(self, finish: Sequence[ast.stmt], *, in_loop: bool = False) -> None:
        """Refuse jumps out of a `finally` block, which would drop an exception."""
        for node in finish:
            match node:
                case ast.Return():
                    raise self.error(node, "return in finally would drop an exception; put it after the try")
                case ast.Break() | ast.Continue() if not in_loop:
                    word = type(node).__name__.lower()
                    raise self.error(node, f"{word} in finally would drop an exception; put it after the try")
            inside = in_loop or isinstance(node, ast.For | ast.While)
            for name in ("body", "orelse", "finalbody"):
                self._require_end(getattr(node, name, ()), in_loop=(inside and name == "body") or in_loop)
            for case in getattr(node, "cases", ()):
                self._require_end(case.body, in_loop=in_loop)

    def inlined(self, call: ast.Call, function: Function) -> Value:
        """A call of a function, as its statements in place."""
        outer = self.expressions
        calls = entered(outer, call, function)
        values = bound(outer, call, function)
        is_method = isinstance(call.func, ast.Attribute)
        frame = new_frame(
            self,
            function,
            (*self.frame.key, call.lineno, call.col_offset),
            calls,
            first_parameter(function) if is_method else None,
        )
        assigned = set(assigned_names(function.body))
        before, loops = self.assigned, self.loops
        outer_node = self.node
        pending = {}
        for name, value in values.items():
            if value.is_constant and name not in assigned:
                frame.names[name] = value
            else:
                pending[name] = value
        self.frames.append(frame)
        for name, value in pending.items():
            self.assign((*frame.key, name), name, value)
        self.loops = []
        self.block(function.body)
        if self.open is not None:
            if frame.returns_value:
                self.assign((*frame.key, "return"), f"{function.name} returns", NOTHING)
            frame.returned = True
            self.goto(frame.return_place)
        self.frames.pop()
        self.loops = loops
        self.assigned, self.node = before, outer_node
        self.enter(frame.return_place)
        if not frame.returned:
            self.open = None
        key = (*frame.key, "return")
        return self.value_of(key) if frame.returns_value and key in self.variables else NOTHING


def new_frame(
    body: Body, function: Function, key: tuple[object, ...], calls: tuple[str, ...], self_name: str | None
) -> Frame:
    parameters = [argument.arg for argument in function.args.args]
    names = frozenset({*parameters, *assigned_names(function.body)} - ({self_name} if self_name else set()))
    returns = any(
        isinstance(node, ast.Return) and node.value is not None for part in function.body for node in ast.walk(part)
    )
    return Frame(
        function,
        key,
        self_name,
        names,
        calls,
        body.graph.add_place(),
        returns_value=returns,
        cleanups=len(body.cleanups),
    )
