"""From XML text to elements with positions.

Nothing outside the text is ever read and no entity is ever expanded: a document type declaration that could declare
one is rejected, and so is every entity that only another file could declare. Graphics and tool-specific elements are
left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from scrimp.errors import ModelError
from scrimp.system.system import Position

_LEFT_OUT = frozenset({"graphics", "toolspecific"})
# Beyond this depth, recursive functions over elements come close to Python's limit.
_DEEPEST = 150
_LONGEST_SHOWN = 40


@dataclass(slots=True)
class Element:
    """An element; `tag` has no namespace prefix, and errors are reported in `file`."""

    tag: str
    attributes: Mapping[str, str]
    position: Position
    file: str
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *tags: str) -> Iterator[Element]:
        """The children of these names, in order."""
        return (child for child in self.children if child.tag in tags)

    def first(self, *tags: str) -> Element | None:
        return next(self.all(*tags), None)

    def only(self) -> Element:
        """The only child; raises ModelError if there are more or none."""
        if len(self.children) != 1:
            raise self.error(f"found {len(self.children)} elements in <{self.tag}>, expected one")
        return self.children[0]

    def attribute(self, name: str) -> str:
        """The value of a required attribute; raises ModelError."""
        if name not in self.attributes:
            raise self.error(f"<{self.tag}> has no attribute '{name}'")
        return self.attributes[name]

    def whole_number(self, name: str) -> int:
        """The value of an attribute that must be a whole number; raises ModelError."""
        value = self.attribute(name)
        try:
            return int(value)
        except ValueError:
            raise self.error(f'found {name}="{shortened(value)}", expected a whole number') from None

    def error(self, message: str) -> ModelError:
        return ModelError(self.file, self.position.line, self.position.column, message)


def shortened(text: str) -> str:
    """A text for a message: on one line, and not very long."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


def parse_xml(file: str, text: str) -> Element:
    """The root element of a text; raises ModelError if it is not valid XML."""
    return _Builder(file).build(text)


class _Builder:
    def __init__(self, file: str) -> None:
        self.file = file
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._document_type
        self.parser.SkippedEntityHandler = self._unknown_entity
        self.open: list[Element] = []
        self.root: Element | None = None
        self.left_out = 0

    def build(self, text: str) -> Element:
        try:
            self.parser.Parse(text.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            words = expat.ErrorString(error.code)
            raise ModelError(self.file, error.lineno, error.offset + 1, f"invalid XML: {words}") from None
        assert self.root is not None
        return self.root

    def _position(self) -> Position:
        return Position(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(":")[2]
        if self.left_out or tag in _LEFT_OUT:
            self.left_out += 1
            return
        element = Element(tag, attributes, self._position(), self.file)
        if len(self.open) >= _DEEPEST:
            raise element.error(f"elements are nested more than {_DEEPEST} levels deep here")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, _: str) -> None:
        if self.left_out:
            self.left_out -= 1
        else:
            self.open.pop()

    def _characters(self, text: str) -> None:
        if not self.left_out and self.open:
            self.open[-1].text += text

    def _document_type(self, name: str, system: object, public: object, has_declarations: bool) -> None:
        if has_declarations:
            raise self._error(f"found declarations in the document type '{shortened(name)}', expected none")

    def _unknown_entity(self, name: str, is_parameter: bool) -> None:
        raise self._error(f"found the entity '{shortened(name)}', which is not declared in this file")

    def _error(self, message: str) -> ModelError:
        position = self._position()
        return ModelError(self.file, position.line, position.column, message)
