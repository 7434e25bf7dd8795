"""Loops: unrolled if their rounds are known and few, otherwise with a counter or a test."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from scrimp.frontends.python.algebra import ZERO, comparison
from scrimp.frontends.python.assignments import Assignments
from scrimp.frontends.python.flow import Key, Loop
from scrimp.frontends.python.program import assigned_names
from scrimp.frontends.python.storage import Spot
from scrimp.frontends.python.values import Value, as_number, constant, integer
from scrimp.system.expressions import FALSE, TRUE, Constant, Expression

# A loop over more constants than this has a counter instead of a copy of its body for each.
MOST_UNROLLED = 64


class Loops(Assignments):
    """Statements that repeat others."""

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Execute statements."""
        raise NotImplementedError

    def while_loop(self, node: ast.While) -> None:
        head, after = self.graph.add_place(), self.graph.add_place()
        self.goto(head)
        self.enter(head)
        test = self.expressions.condition(node.test)
        leaves = test != TRUE
        loop = Loop(after, head, len(self.cleanups))
        end: int | None = None
        if leaves:
            if test == FALSE:
                self.block(node.orelse)
                return
            body, end = self.branch(test)
            self.enter(body)
        before = self.assigned
        self.loops.append(loop)
        self.block(node.body)
        self.loops.pop()
        self.goto(head)
        self.after_loop(loop, end, before, node.orelse)

    def after_loop(self, loop: Loop, end: int | None, assigned: frozenset[Key], orelse: Sequence[ast.stmt]) -> None:
        """Continue after a loop that ends at `end`, or by `break`."""
        ends: list[frozenset[Key]] = list(loop.breaks)
        if end is not None:
            self.assigned = assigned
            self.enter(end)
            self.block(orelse)
            if self.open is not None:
                ends.append(self.assigned)
                self.goto(loop.break_place)
        if ends:
            self.assigned = frozenset.intersection(*ends)
            self.enter(loop.break_place)
        else:
            self.open = None

    def for_loop(self, node: ast.For) -> None:
        expressions = self.expressions
        match node.iter:
            case ast.Call(ast.Name(name), arguments, []) if self.program.meaning(name) == "range":
                bounds = [as_number(value) for value in expressions.operands(*arguments)]
                if not self._is_short(bounds):
                    self.counted_loop(node, bounds)
                    return
        items = expressions.items(node.iter)
        if any(item.test != TRUE for item in items):
            raise self.error(
                node.iter, "the order of a set is arbitrary; iterate over the Enum or the range and test with in"
            )
        values = [item.value for item in items]
        if isinstance(node.iter, ast.Tuple):
            values = [self.fixed(value) for value in values]
        self.unrolled_loop(node, values)

    @staticmethod
    def _is_short(bounds: Sequence[Expression]) -> bool:
        numbers = [bound.value for bound in bounds if isinstance(bound, Constant)]
        if len(numbers) != len(bounds) or not 1 <= len(numbers) <= 3 or numbers[2:] == [0]:
            return False
        return len(range(*numbers)) <= MOST_UNROLLED

    def unrolled_loop(self, node: ast.For, values: Sequence[Value]) -> None:
        after = self.graph.add_place()
        assigned_inside = set(assigned_names(node.body))
        loop = Loop(after, after, len(self.cleanups))
        outer = self.frame.names
        for value in values:
            loop.continue_place = self.graph.add_place()
            self.node = node
            self.store_to(node.target, value)
            known = self.expressions.unpacked(node.target, value) if _is_names(node.target) else {}
            fixed = {name: each for name, each in known.items() if each.is_constant and name not in assigned_inside}
            self.frame.names = {**outer, **fixed}
            before = self.assigned
            self.loops.append(loop)
            self.block(node.body)
            self.loops.pop()
            self.frame.names = outer
            self.goto(loop.continue_place)
            self.assigned = before
            self.enter(loop.continue_place)
        end = self.graph.add_place()
        self.goto(end)
        self.after_loop(loop, end, self.assigned, node.orelse)

    def counted_loop(self, node: ast.For, bounds: Sequence[Expression]) -> None:
        """A loop whose end is not known: with a counter."""
        if not 1 <= len(bounds) <= 3:
            raise self.error(node.iter, "range takes one to three arguments")
        start, stop = (ZERO, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        step = bounds[2] if len(bounds) == 3 else Constant(1)
        if not isinstance(step, Constant) or step.value == 0:
            raise self.error(node.iter, "expected a constant step other than 0")
        limit = self.fixed(integer(stop)).parts[0]
        key = (*self.frame.key, "counter", node.lineno, node.col_offset)
        name = node.target.id if isinstance(node.target, ast.Name) else "counter"
        self.assign(key, f"next {name}", Value(constant(0).type, (start,)))
        head, after = self.graph.add_place(), self.graph.add_place()
        self.goto(head)
        self.enter(head)
        counter = self.value_of(key)
        entry = self.assigned
        body, end = self.branch(comparison("<" if step.value > 0 else ">", counter.parts[0], limit))
        self.enter(body)
        self.store_to(node.target, counter)
        following = self.algebra.sum(counter.parts[0], step)
        self.assign(key, f"next {name}", Value(counter.type, (following,)))
        loop = Loop(after, head, len(self.cleanups))
        self.loops.append(loop)
        self.block(node.body)
        self.loops.pop()
        self.goto(head)
        self.after_loop(loop, end, entry, node.orelse)

    def leave_loop(self, node: ast.Break | ast.Continue) -> None:
        if not self.loops or (self.frames and self.frame.cleanups > self.loops[-1].cleanups):
            raise self.error(node, f"found {'break' if isinstance(node, ast.Break) else 'continue'} outside a loop")
        loop = self.loops[-1]
        self.clean_up(loop.cleanups)
        if self.open is None:
            return
        if isinstance(node, ast.Break):
            loop.breaks.append(self.assigned)
            self.goto(loop.break_place)
        else:
            self.goto(loop.continue_place)

    def clean_up(self, depth: int) -> None:
        """Release what `async with` acquired, and execute `finally`, inside of what is left."""
        for each in reversed(self.cleanups[depth:]):
            if isinstance(each, Spot):
                self.release(each)
            else:
                self.block(each)


def _is_names(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) or (
        isinstance(target, ast.Tuple) and all(_is_names(each) for each in target.elts)
    )
