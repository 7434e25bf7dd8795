"""Random never claims without accept labels; most of their conditions can become true, so that they pass some
states."""

from __future__ import annotations

from tests.differential.random_statements import Statements
from tests.differential.scope import Scope
from tests.differential.tree import Block, Line, Lines


class Claims(Statements):
    """Draws never claims."""

    def claim(self, scope: Scope) -> Block:
        labels = [self.fresh("C") for _ in range(self.between(0, 2))]
        lines: list[Line] = []
        for label in labels:
            lines += [f"{label}:", *self.watch(scope, labels)]
        lines += self.watch(scope, labels)
        lines += ["false;"] if self.chance(20) else []
        return Block("never {", tuple(lines), "}")

    def watch(self, scope: Scope, labels: list[str]) -> Lines:
        """A step of the claim, or a loop or choice of several."""
        if self.chance(25):
            return (f"{self.seen(scope)};",)
        is_loop = self.chance(75)
        options = [self.watched(scope, labels, is_loop) for _ in range(self.between(1, 2))]
        if self.chance(85):
            options.append(Block("::", (self.pick(("else;", "true;")),)))
        return (Block("do", tuple(options), "od;") if is_loop else Block("if", tuple(options), "fi;"),)

    def watched(self, scope: Scope, labels: list[str], is_loop: bool) -> Block:
        """One option: it stays, leaves, jumps, or tests further conditions first."""
        more: Lines = (f"{self.seen(scope)};",) if self.chance(25) else ()
        ends = ["", "break;" if is_loop else "", f"goto {self.pick(labels)};" if labels else "", "skip;"]
        end = self.pick(ends)
        return Block("::", (f"{self.seen(scope)};", *more, *((end,) if end else ())))

    def seen(self, scope: Scope) -> str:
        """A condition, sometimes asserted. A claim has no process number."""
        while "_pid" in (condition := "true" if self.chance(20) else self.test(scope)):
            pass
        return f"assert({condition})" if self.chance(5) else condition
