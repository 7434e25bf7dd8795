"""The labels of a body. SPIN distinguishes labels of the same name by their blocks, as inlines require.

A name is looked up among its mentions in the enclosing blocks, so that a jump refers to the label of its own block or
of an enclosing one. The first label of a name keeps it; later ones get names that cannot occur in a text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scrimp.frontends.promela.program import nodes, syntax
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import Token, shortened

# Beyond this depth, recursive functions over the tree come close to Python's limit.
DEEPEST = 80


@dataclass(eq=False)
class _Mention:
    """One name in one block. `block` has the numbers of the enclosing blocks and its own."""

    name: str
    block: tuple[int, ...]
    unique: str | None = None
    order: int = -1


@dataclass
class Labels:
    """`unique` maps the index of each label's token, and of the label's token in each jump, to the unique name."""

    source: Source
    unique: dict[int, str] = field(default_factory=dict)
    _mentions: dict[str, list[_Mention]] = field(default_factory=dict)
    _jumps: list[tuple[Token, _Mention]] = field(default_factory=list)
    _blocks: int = 0
    _labels: int = 0

    def visit(self, body: nodes.Sequence) -> None:
        """Resolve the labels of a whole body; raises ModelError for an unknown label, and for blocks nested too
        deeply."""
        self._sequence(body, (), 0)
        for token, mention in self._jumps:
            target = self._target(mention)
            if target is None:
                raise self.source.error(
                    token.offset, f"unknown label '{shortened(token.text)}', expected a label of this proctype"
                )
            self.unique[token.index] = target

    def _sequence(self, sequence: nodes.Sequence, block: tuple[int, ...], depth: int) -> None:
        for step in sequence:
            self._step(step, block, depth)

    def _step(self, step: nodes.Step, block: tuple[int, ...], depth: int) -> None:
        match step:
            case nodes.Labelled(label, statement):
                self._define(label, block)
                if statement is not None:
                    self._step(statement, block, self._deeper(label, depth))
            case nodes.Goto(_, label):
                self._jumps.append((label, self._mention(label.text, block)))
            case nodes.Selection(start, options, _):
                for option in options:
                    self._sequence(option, block, self._deeper(start, depth))
            case nodes.ForRange() | nodes.ForIn() | nodes.Block():
                self._inner(step.start, step.body, block, depth)
            case nodes.AssignInline(_, inner):
                self._inner(inner.start, inner.body, block, depth)
            case nodes.Unless(main, escape):
                self._step(main, block, depth)
                self._step(escape, block, depth)

    def _inner(self, start: Token, body: nodes.Sequence, block: tuple[int, ...], depth: int) -> None:
        self._blocks += 1
        self._sequence(body, (*block, self._blocks), self._deeper(start, depth))

    def _deeper(self, token: Token, depth: int) -> int:
        if depth >= DEEPEST:
            raise self.source.error(token.offset, f"this statement is nested more than {DEEPEST} levels deep")
        return depth + 1

    def _define(self, label: Token, block: tuple[int, ...]) -> None:
        mention = self._mention(label.text, block)
        if mention.unique is not None:
            raise self.source.error(label.offset, f"the label '{shortened(label.text)}' is defined twice")
        others = sum(other.unique is not None for other in self._mentions[label.text])
        mention.unique = label.text if not others else f"{label.text}#{others + 1}"
        mention.order = self._labels
        self._labels += 1
        self.unique[label.index] = mention.unique

    def _mention(self, name: str, block: tuple[int, ...]) -> _Mention:
        mentions = self._mentions.setdefault(name, [])
        for mention in reversed(mentions):
            if block[: len(mention.block)] == mention.block:
                return mention
        mentions.append(_Mention(name, block))
        return mentions[-1]

    def _target(self, mention: _Mention) -> str | None:
        if mention.unique is not None:
            return mention.unique
        labels = [other for other in self._mentions[mention.name] if other.unique is not None]
        around = [other for other in labels if mention.block[: len(other.block)] == other.block]
        if around:
            return min(around, key=lambda other: other.order).unique
        return max(labels, key=lambda other: other.order).unique if labels else None


def labels_of(sequence: syntax.Sequence) -> frozenset[str]:
    """The names of all labels in a body."""
    return frozenset(part.label for part in syntax.walk(sequence) if isinstance(part, syntax.Labelled))
