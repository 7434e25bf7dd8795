"""Front ends: from a file or text in a modelling language to a Model."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Literal, Protocol, TypeAlias, cast, get_args

from scrimp import disk_cache
from scrimp.arguments import require_kind
from scrimp.errors import OptionError, ScrimpError, unknown
from scrimp.frontends.model import Model, Origin

__all__ = ["Language", "Model", "fingerprint", "load"]

Language: TypeAlias = Literal["promela", "dve", "python", "pnml", "aut"]
"""The languages that models are written in."""
LANGUAGES: tuple[Language, ...] = get_args(Language)

# Each is a module with a `read_model` of the signature below, imported when a model needs it.
_FRONT_ENDS: dict[Language, str] = {
    "promela": "scrimp.frontends.promela",
    "dve": "scrimp.frontends.dve",
    "python": "scrimp.frontends.python",
    "pnml": "scrimp.frontends.pnml",
    "aut": "scrimp.frontends.aut",
}
SUFFIXES: dict[str, Language] = {
    ".aut": "aut",
    ".dve": "dve",
    ".pm": "promela",
    ".pml": "promela",
    ".pnml": "pnml",
    ".prom": "promela",
    ".prm": "promela",
    ".promela": "promela",
    ".py": "python",
    ".spin": "promela",
}

# The names of models that come from a text, or from standard input.
TEXT_NAME = "<text>"
INPUT_NAME = "<stdin>"

_COMPRESSED = ".gz"
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_MOST_NESTED = 20
_PROMELA = re.compile(r"(^|[;}])\s*((active\s*(\[\s*\w+\s*\]\s*)?)?proctype\s+\w+\s*\(|init\s*\{)", re.MULTILINE)
_PNML = re.compile(r"<(\w+:)?pnml[\s>]")
_AUT = re.compile(r"\s*des\s*\(")
_PYTHON = re.compile(r"^(from scrimp\.modelling import |class \w+\(Model\):)", re.MULTILINE)
_DVE = re.compile(r"(^|[;}])\s*process\s+\w+\s*(\([^)]*\)\s*)?\{", re.MULTILINE)


class _FrontEnd(Protocol):
    def read_model(
        self, path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool
    ) -> Model: ...


def load(
    path: str | os.PathLike[str] | type | None = None,
    *,
    text: str | None = None,
    language: Language | None = None,
    defines: Mapping[str, str | int] = {},
    ignore_property: bool = False,
    empty_channels: bool = False,
) -> Model:
    """Read a model from a file or from a text.

    Args:
        path: the file of the model; it may be compressed (`.gz`). With `text`, this is only the name of the model in
            messages and traces, and the place from which its included files are found. A class that derives from
            `scrimp.modelling.Model` stands for the file or notebook that defines it.
        text: the text of the model, instead of a file.
        language: `"promela"`, `"dve"`, `"python"`, `"pnml"` or `"aut"`. By default, it is recognised by the suffix of
            the file, or else by the text itself.
        defines: values for constants of the model, as with `-D`.
        ignore_property: whether to leave out the model's property process or claims.
        empty_channels: whether a valid end state of a Promela model needs empty channels, as with `pan -q`.

    Returns:
        The model, for `check` and all other functions.

    Raises:
        ModelError: for a mistake in the text, with its position.
        OptionError: for an argument that cannot be used.
        ScrimpError: for a file that cannot be read.

    Example:
        >>> import scrimp
        >>> scrimp.load("models/ticket_lock.dve", defines={"CUSTOMERS": 2})
        <Model models/ticket_lock.dve: dve, 3 processes, 6 variables, 9 transitions>
        >>> scrimp.load(text="byte x; active proctype P() { do :: x < 3 -> x++ od }", language="promela")
        <Model <text>: promela, 1 process, 1 variable, 2 transitions>
    """
    texts = _texts(defines)
    if isinstance(path, type):
        from scrimp.frontends.python.classes import source_of

        if text is not None or language not in (None, "python"):
            raise OptionError("load: a class is a model in Python; give neither its text nor another language")
        texts = {**texts, "model": path.__name__}
        path, text = source_of(path)
        language = "python"
    if language is not None:
        language = parse_language(language)
    is_text = text is not None
    if text is None:
        file = _path_of(path)
        shown = os.fsencode(file).decode(errors="replace")  # a file name need not be valid text, but our output must be
        text = read_text(file)
    else:
        require_kind("text", text, str, "the text of a model")
        shown = TEXT_NAME if path is None else os.fspath(path)
        file = Path(shown)
    chosen = language or SUFFIXES.get(_suffix(file)) or _recognised(text)
    if chosen is None:
        raise _unrecognised(shown, file)
    version = disk_cache.code_version("frontends", "modelling", "system")
    settings = (repr(sorted(texts.items())), str(ignore_property), str(empty_channels))
    module = _FRONT_ENDS[chosen]
    identity = disk_cache.key_of("model", version, module, text, *_included(file, text), *settings)

    def read() -> Model:
        front_end = cast(_FrontEnd, import_module(module))
        return front_end.read_model(shown, text, texts, ignore_property, empty_channels).identified(identity)

    model = disk_cache.remember(disk_cache.key_of(identity, shown), read)
    if is_text:
        return model
    return model.read_from(Origin(file.absolute(), chosen, texts, ignore_property, empty_channels))


def _path_of(path: str | os.PathLike[str] | None) -> Path:
    if path is None:
        raise OptionError("load: expected the path of a model, or its text as in load(text=…, language='promela')")
    if isinstance(path, str) and "\n" in path:
        raise OptionError("path: found several lines; pass a model's text as in load(text=…, language='promela')")
    if not isinstance(path, str | os.PathLike):
        raise OptionError(f"path: expected the path of a model, found {path!r:.80}")
    return Path(path)


def parse_language(text: str) -> Language:
    """The language with a given name."""
    if text in LANGUAGES:
        return text
    close = SUFFIXES.get(f".{text}".lower())
    if close is not None:
        raise OptionError(f"unknown language '{text}'; did you mean '{close}'? (choices: {', '.join(LANGUAGES)})")
    raise OptionError(unknown("language", str(text), LANGUAGES))


def standard_input() -> str:
    """The text on standard input."""
    return _decoded(sys.stdin.buffer.read())


def _unrecognised(shown: str, file: Path) -> ScrimpError:
    """The error for a model whose language is not known."""
    choices = ", ".join(LANGUAGES)
    if shown in (TEXT_NAME, INPUT_NAME):
        option = "--language" if shown == INPUT_NAME else "language="
        return ScrimpError(f"{shown}: cannot recognise the language of the model; specify it with {option} ({choices})")
    named = unknown("language", _suffix(file), SUFFIXES) if _suffix(file) else "unknown language"
    return ScrimpError(f"{shown}: {named}; specify it with --language ({choices})")


def _texts(defines: Mapping[str, str | int]) -> dict[str, str]:
    """Values as on a command line. Models have only whole numbers."""
    require_kind("defines", defines, Mapping, 'values by name such as {"N": 3}')
    for name, value in defines.items():
        if not isinstance(name, str) or isinstance(value, bool) or not isinstance(value, str | int):
            raise OptionError(f"defines: expected a text or a whole number for each name, found {name!r}: {value!r}")
    return {name: str(value) for name, value in defines.items()}


def fingerprint(path: str | Path) -> str:
    """A key that changes whenever the text of a model or of a file that it includes changes; the file need not be
    readable."""
    path = Path(path)
    try:
        text = read_text(path)
    except ScrimpError as error:
        return disk_cache.key_of(str(error))
    return disk_cache.key_of(text, *_included(path, text))


def _suffix(path: Path) -> str:
    """The suffix that determines the language; for a compressed file, the last but one."""
    return (Path(path.stem) if path.suffix.lower() == _COMPRESSED else path).suffix.lower()


def _recognised(text: str) -> Language | None:
    """The language of a text, judging by its contents."""
    if _AUT.match(text):
        return "aut"
    if _PNML.search(text):
        return "pnml"
    if _PYTHON.search(text):
        return "python"
    if _PROMELA.search(text):
        return "promela"
    return "dve" if _DVE.search(text) else None


def _included(path: Path, text: str, above: tuple[Path, ...] = ()) -> Iterator[str]:
    """The texts of all files that a text might include: a cached model is stale when one of them changes."""
    for name in _INCLUDE.findall(text):
        included = path.parent / name
        if included in above or len(above) > _MOST_NESTED:
            continue
        try:
            content = read_text(included)
        except ScrimpError as error:  # the front end reports it, if the file is really included
            yield str(error)
            continue
        yield content
        yield from _included(included, content, (*above, included))


def read_text(path: Path) -> str:
    """The text of a file, which may be compressed."""
    try:
        content = path.read_bytes()
        if path.suffix.lower() == _COMPRESSED:
            content = gzip.decompress(content)
    except OSError as error:
        raise ScrimpError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise ScrimpError(f"{path}: cannot be decompressed: {error}") from error
    except ValueError as error:
        raise ScrimpError(f"{path!s:.100}: cannot be read: {error}") from error
    return _decoded(content)


def _decoded(content: bytes) -> str:
    """Bytes as text: UTF-16 if there is a byte order mark for it, otherwise UTF-8 if valid, otherwise Latin-1, in which
    every byte is valid."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
