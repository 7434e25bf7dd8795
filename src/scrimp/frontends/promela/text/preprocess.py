"""The preprocessor: macros, conditions and included files, by the library pcpp."""

from __future__ import annotations

import io
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pcpp import Preprocessor

from scrimp.errors import ModelError, OptionError, nearest
from scrimp.frontends.promela.text.source import Place, Source

_DEEPEST_INCLUSION = 50
_ALONE = frozenset(" \t\n()[]{},;")
_LINE_END = re.compile(r"\r\n|\r|\n")
# A line comment continues after a backslash at the end of its line. In a string or another comment, `//` starts none.
_COMMENT = re.compile(
    r"""'(?:\\.|[^'\\\n])'|"(?:\\.|[^"\\\n])*"|/\*.*?\*/|(?P<line>//(?:\\[ \t]*\n|[^\n])*)""", re.DOTALL
)
# `??` is an operator of Promela, but pcpp would take it for the start of a trigraph of old C and replace it.
_SHIELD = "\ue000"
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_MENTION = re.compile(r"(#[ \t]*define[ \t]+)?([A-Za-z_]\w*)", re.ASCII)
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|define)\b(.*)", re.MULTILINE)
# Characters that end a line in Python but not in C; and the shield itself must not be in the text.
_REPLACED = {**dict.fromkeys(map(ord, "\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " "), ord(_SHIELD): "\ufffd"}


def preprocess(path: str, text: str, defines: Mapping[str, str]) -> Source:
    """The text for the parser; raises ModelError, or OptionError for a definition without effect."""
    preprocessor = _Preprocessor(path)
    for name, value in defines.items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
            raise OptionError(f"found -D '{name}', expected the name of a macro")
        preprocessor.define(f"{name} {value}")
    given = {name: _words(preprocessor.macros[name]) for name in defines}
    source = _result(preprocessor, text)
    for name, words in given.items():
        preprocessor.require_used(name, words)
    return source


def expand(file: str, text: str, macros: Iterable[str]) -> Source:
    """A text with the macros of a model expanded; raises ModelError."""
    preprocessor = _Preprocessor(file)
    for macro in macros:
        preprocessor.define(macro)
    return _result(preprocessor, text)


def _result(preprocessor: _Preprocessor, text: str) -> Source:
    try:
        return preprocessor.result(text)
    except ModelError:
        raise
    except (
        ArithmeticError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
        AttributeError,
        AssertionError,
    ) as error:
        raise preprocessor.failure(error) from error


def _words(macro: Any) -> list[str]:
    """The body of a macro, without blanks."""
    return [word for token in macro.value if (word := str(token.value).strip())]


class _Preprocessor(Preprocessor):  # type: ignore[misc]
    """pcpp's preprocessor, but with the position of every token. pcpp gives the tokens of a macro the line number of
    its use; here an offset into the file serves as the line number, so that the column is kept as well."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.model_path = path
        self.own_file = os.path.abspath(path)
        self.line_starts: dict[str, list[int]] = {}
        self.last_place = (self.own_file, 0)
        self.including = 0
        self.names: set[str] = set()
        self.directive_names: set[str] = set()
        self.defined_first: set[str] = set()
        self.rewrite_paths: list[Any] = []
        self.expand_linemacro = False
        self.expand_filemacro = False
        self.expand_countermacro = False
        for name in list(self.macros):
            self.undef(name)

    def result(self, text: str) -> Source:
        self._collect_names(_normalized(text))
        self.parse(_normalized(text), self.model_path)
        pieces: list[str] = []
        starts: list[int] = []
        places: list[Place] = []
        length, expected, macro_use = 0, -1, None
        while (token := self.token()) is not None:
            value = _value(token)
            use = (token.source, token.lineno) if getattr(token, "expanded_from", None) else None
            touches = token.lexpos == expected
            # Signs that were not adjacent before must not merge into one.
            if not touches and pieces and _would_merge(pieces[-1][-1], value[0]):
                pieces.append(" ")
                length += 1
            if use != macro_use or (use is None and not touches):
                starts.append(length)
                places.append(self._place(token.source, token.lineno, use is not None))
            pieces.append(value)
            length += len(value)
            expected = -1 if value == "\n" else token.lexpos + len(token.value)
            macro_use = use
        starts.append(length)
        end = len(_normalized(text))
        places.append(self._place(self.own_file, end, False))
        macros = tuple(map(_definition, self.macros.values()))
        return Source(self.model_path, "".join(pieces), starts, places, macros=macros)

    def group_lines(self, input: str, abssource: str) -> Iterator[list[Any]]:
        """pcpp's lines of tokens, with offsets for line numbers."""
        self.line_starts[abssource] = [0, *(newline.end() for newline in re.finditer("\n", input))]
        for line in super().group_lines(input, abssource):
            for token in line:
                token.lineno = token.lexpos
            self.last_place = (abssource, line[0].lineno)
            yield line

    def include(self, tokens: list[Any], original_line: list[Any]) -> Iterator[Any]:
        if not tokens:
            raise self._error(*self.last_place, "found #include without a file, expected its name in quotes")
        self.including += 1
        if self.including > _DEEPEST_INCLUSION:
            raise self._error(*self.last_place, f"files include each other more than {_DEEPEST_INCLUSION} levels deep")
        yield from super().include(tokens, original_line)
        self.including -= 1

    def on_error(self, file: str, line: int, message: str) -> None:
        if not isinstance(line, int) or file not in self.line_starts:
            file, line = self.last_place
        raise self._error(file, line, f"preprocessor: {' '.join(message.split())}")

    def on_file_open(self, is_system_include: bool, includepath: str) -> io.StringIO:
        with open(includepath, encoding="utf-8", errors="replace") as file:
            text = _normalized(file.read())
        self._collect_names(text)
        return io.StringIO(text)

    def require_used(self, name: str, given: list[str]) -> None:
        """Raises OptionError for a definition on the command line that has no effect on the text."""
        if name not in self.names:
            close = nearest(name, sorted(self.directive_names)) or nearest(name, sorted(self.names))
            hint = f"; did you mean '{close}'?" if close else ""
            raise OptionError(f"-D {name}: the model never uses this macro{hint}")
        redefined = name in self.macros and _words(self.macros[name]) != given
        if redefined and name in self.defined_first:
            raise OptionError(
                f"-D {name} has no effect: the model defines {name} itself; put '#ifndef {name}' before its #define"
            )

    def _collect_names(self, text: str) -> None:
        """Collect all names in a text, those that directives mention, and those whose first occurrence is their
        definition."""
        code = _COMMENT.sub(" ", text)
        for definition, name in _MENTION.findall(code):
            if definition and name not in self.names:
                self.defined_first.add(name)
            self.names.add(name)
        for directive in _DIRECTIVE.findall(code):
            self.directive_names.update(_NAME.findall(directive))

    def on_include_not_found(
        self, is_malformed: bool, is_system_include: bool, curdir: str, includepath: str
    ) -> str | None:
        raise self._error(*self.last_place, f"the file '{_shortened(includepath)}' in an #include cannot be read")

    def on_directive_unknown(
        self, directive: Any, toks: list[Any], ifpassthru: bool, precedingtoks: list[Any]
    ) -> bool | None:
        if directive.value == "error":
            message = "".join(_value(token) for token in toks)
            raise self._error(directive.source, directive.lineno, f"found #error {_shortened(message)}".strip())
        return True

    def failure(self, error: Exception) -> ModelError:
        """For errors that pcpp does not report itself."""
        return self._error(*self.last_place, f"the preprocessor cannot read this ({type(error).__name__})")

    def _error(self, file: str, offset: int, message: str) -> ModelError:
        place = self._place(file, offset, False)
        return ModelError(place.file or self.model_path, place.line, place.column, message)

    def _place(self, file: str, offset: int, from_macro: bool) -> Place:
        starts = self.line_starts.get(file)
        if starts is None:
            return Place(1, 1, None, from_macro)
        line = bisect_right(starts, offset)
        return Place(line, offset - starts[line - 1] + 1, self._shown(file), from_macro)

    def _shown(self, file: str) -> str | None:
        if file == self.own_file:
            return None
        folder = os.path.dirname(self.model_path)
        relative = os.path.relpath(file, os.path.abspath(folder))
        return file if relative.startswith(os.pardir) else os.path.join(folder, relative)


def _normalized(text: str) -> str:
    text = _COMMENT.sub(_without_line_comment, _LINE_END.sub("\n", text.translate(_REPLACED)))
    return "\n".join(line.rstrip() for line in text.split("\n")).replace("??", _SHIELD * 2)


def _without_line_comment(found: re.Match[str]) -> str:
    """Remove a line comment, but keep the ends of its lines."""
    return found[0] if found["line"] is None else "\n" * found["line"].count("\n")


def _definition(macro: Any) -> str:
    """A macro as written after `#define`."""
    parameters = "" if macro.arglist is None else f"({','.join(macro.arglist)}{'...' if macro.variadic else ''})"
    return f"{macro.name}{parameters} {''.join(str(token.value) for token in macro.value)}"


def _value(token: Any) -> str:
    """The text of a token. In the expansion of a macro, and after a backslash, the end of a line is a blank."""
    if token.type == "CPP_LINECONT":
        return " "
    value = str(token.value).replace(_SHIELD, "?")
    if "\n" in value and getattr(token, "expanded_from", None):
        return value.replace("\n", " ")
    return value


def _would_merge(left: str, right: str) -> bool:
    """Whether a token that ends in one character could merge with a token that starts with the other."""
    if left in _ALONE or right in _ALONE:
        return False
    return (left.isalnum() or left == "_") == (right.isalnum() or right == "_")


def _shortened(text: str) -> str:
    text = " ".join(text.replace(_SHIELD, "?").split())
    return text if len(text) <= 60 else f"{text[:60]}…"
