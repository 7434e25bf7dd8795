"""Front ends: from a file in some language to a Model."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from scrimp import disk_cache
from scrimp.arguments import require_kind
from scrimp.errors import OptionError, ScrimpError, unknown
from scrimp.frontends.model import Model

__all__ = ["Model", "fingerprint", "load"]

# Each is a module with a `read_model` of the signature below, imported when a file asks for it.
LANGUAGES = {
    ".aut": "scrimp.frontends.aut",
    ".dve": "scrimp.frontends.dve",
    ".pm": "scrimp.frontends.promela",
    ".pml": "scrimp.frontends.promela",
    ".pnml": "scrimp.frontends.pnml",
    ".prom": "scrimp.frontends.promela",
    ".prm": "scrimp.frontends.promela",
    ".promela": "scrimp.frontends.promela",
    ".spin": "scrimp.frontends.promela",
}


_COMPRESSED = ".gz"
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_MOST_NESTED = 20
_PROMELA = re.compile(r"^\s*((active\s*(\[\s*\w+\s*\]\s*)?)?proctype\s+\w+\s*\(|init\s*\{)", re.MULTILINE)
_PNML = re.compile(r"<(\w+:)?pnml[\s>]")
_AUT = re.compile(r"\s*des\s*\(")
_DVE = re.compile(r"^\s*process\s+\w+\s*(\([^)]*\)\s*)?\{", re.MULTILINE)


class _FrontEnd(Protocol):
    def read_model(
        self, path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool
    ) -> Model: ...


def load(
    path: str | Path,
    defines: Mapping[str, str | int] = {},
    ignore_property: bool = False,
    empty_channels: bool = False,
) -> Model:
    """Read a model; its file name's suffix says the language, or else what is written in it. `defines` override
    constants of the model. With `ignore_property` its property process or claims are left out; with `empty_channels` a
    valid end needs empty channels, too.

    Raises ScrimpError, mostly a ModelError with the place in the file.
    """
    path = Path(path)
    texts = _texts(defines)
    module = LANGUAGES.get(_suffix(path))
    text = _text(path) if module is not None or path.is_file() else ""
    module = module or _recognised(text)
    if module is None:
        if not _suffix(path):
            raise ScrimpError(f"{path}: unknown language; a model's file name ends in {', '.join(LANGUAGES)}")
        raise ScrimpError(f"{path}: {unknown('language', _suffix(path), LANGUAGES)}")
    shown = os.fsencode(path).decode(errors="replace")  # a name need not be text, what we write must be
    version = disk_cache.code_version("frontends", "system")
    told = (repr(sorted(texts.items())), str(ignore_property), str(empty_channels))
    identity = disk_cache.key_of("model", version, module, text, *_included(path, text), *told)

    def read() -> Model:
        front_end = cast(_FrontEnd, import_module(module))
        return front_end.read_model(shown, text, texts, ignore_property, empty_channels).identified(identity)

    return disk_cache.remember(disk_cache.key_of(identity, shown), read)


def _texts(defines: Mapping[str, str | int]) -> dict[str, str]:
    """Values as a command line would give them; other numbers than whole ones mean nothing to a model."""
    require_kind("defines", defines, Mapping, 'values by name such as {"N": 3}')
    for name, value in defines.items():
        if not isinstance(name, str) or isinstance(value, bool) or not isinstance(value, str | int):
            raise OptionError(f"defines: expected a text or a whole number by name, found {name!r}: {value!r}")
    return {name: str(value) for name, value in defines.items()}


def fingerprint(path: str | Path) -> str:
    """What changes whenever the text of a model does, or one that it includes; it need not be one that can be read."""
    path = Path(path)
    try:
        text = _text(path)
    except ScrimpError as error:
        return disk_cache.key_of(str(error))
    return disk_cache.key_of(text, *_included(path, text))


def _suffix(path: Path) -> str:
    """What says the language: of a compressed file the suffix before the last."""
    return (Path(path.stem) if path.suffix.lower() == _COMPRESSED else path).suffix.lower()


def _recognised(text: str) -> str | None:
    """The language of a file whose name does not tell."""
    if _AUT.match(text):
        return LANGUAGES[".aut"]
    if _PNML.search(text):
        return LANGUAGES[".pnml"]
    if _PROMELA.search(text):
        return LANGUAGES[".pml"]
    return LANGUAGES[".dve"] if _DVE.search(text) else None


def _included(path: Path, text: str, above: tuple[Path, ...] = ()) -> Iterator[str]:
    """The texts of all files that a text might include: what was made of it is stale once one of them changes."""
    for name in _INCLUDE.findall(text):
        included = path.parent / name
        if included in above or len(above) > _MOST_NESTED:
            continue
        try:
            content = _text(included)
        except ScrimpError as error:  # told by whoever includes it, if anybody does
            yield str(error)
            continue
        yield content
        yield from _included(included, content, (*above, included))


def _text(path: Path) -> str:
    """The text of a file, which may be compressed: UTF-16 where its first bytes say so, UTF-8, or Latin-1, in which
    every byte means something, where it is not."""
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
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
