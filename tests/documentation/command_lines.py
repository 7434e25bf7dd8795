"""The commands of the documentation, made runnable: placeholders replaced, long searches cut short."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.documentation.pages import DOCS, PAGES, ROOT, blocks_of, spans_of

from scrimp.frontends import SUFFIXES

PLACEHOLDERS = {
    "MODEL": "models/broken_lock.dve",
    "NET": "models/philosophers.pnml",
    "EXPR": "taken <= 1",
    "NAME": "py97-puzzle",
    "METHOD": "bfs/full",
    "COMMAND": "check",
}
# What FILE stands for, by the word before it.
FILES = {
    "-o": "lts.aut",
    "--values": "values.csv",
    "--json": "record.json",
    "--trace": "written.json",
    "--guide": "trace.json",
    "--save": "page.html",
}

# Enough to see that a command works. Experiments make their tables from stored searches; `--quick` has none.
SHORTER = {
    "check": ["--time", "5s"],
    "explore": ["--time", "1s"],
    "export": ["--time", "10s"],
    "bench": ["--time", "500ms", "--no-peers"],
    "reproduce": ["--stored"],
    "methods": ["--sample", "500ms"],
}

MODEL_WITH_AN_ERROR = "byte x;\nactive [2] proctype P() { x++; assert(x == 1) }\n"


def commands() -> list[str]:
    """Every command line of every page, without comments."""
    lines = [line for page in PAGES for line in [*spans_of(page), *"".join(blocks_of(page)).splitlines()]]
    found = [re.sub(r"\s+#.*", "", line.removeprefix("$ ")) for line in lines]
    return sorted({line for line in found if re.match(r"scrimp( |$)", line)})


def runnable(line: str) -> list[str]:
    """The arguments of a command line; a command that is only mentioned prints its help."""
    words = shlex.split(line)[1:]
    if not words or (len(words) == 1 and words[0] not in ("methods", "reproduce")):
        return [*words[:1], "--help"] if words != ["--help"] else words
    words = [word for word in words if word != "--view"]  # which would wait for the user
    arguments = [replaced(word, before) for before, word in zip(["", *words], words, strict=False)]
    command = arguments[0]
    if "--help" in arguments or (command in ("methods", "reproduce") and len(arguments) == 1):
        return arguments
    if command == "view":
        arguments = ["trace.json" if word == "written.json" else word for word in arguments]
        return arguments if "--save" in arguments else [*arguments, "--save", "page.html"]
    if command not in ("new", "reproduce", "resume") and not any(Path(word).suffix in SUFFIXES for word in arguments):
        arguments.append(PLACEHOLDERS["MODEL"])
    return arguments if "--time" in arguments else [command, *SHORTER.get(command, []), *arguments[1:]]


def replaced(word: str, before: str) -> str:
    word = word.removesuffix("…").partition("|")[0]
    if word == "FILE":
        return FILES.get(before, "trace.json")
    if before == "--checkpoint":
        return tempfile.mkdtemp()
    if word in ("docs/results", "--quick"):
        return {"docs/results": "reproduced", "--quick": "--quiet"}[word]
    word = re.sub(r"(?<==)N\b", "500", word)
    word = re.sub(r"(?<=policy=)P\b", "lru", word)
    return PLACEHOLDERS.get(word, word)


def furnish(folder: Path) -> None:
    """The files that the commands name: those that the pages show, a saved search, and a trace of a model."""
    (folder / "models").symlink_to(ROOT / "models")
    (folder / "results").symlink_to(ROOT / "results")
    (folder / "lock.dve").symlink_to(ROOT / "models" / "broken_lock.dve")
    (folder / "cafe.pml").write_text(blocks_of(DOCS / "promela.md", "promela")[0])
    (folder / "lock.pnml").write_text(blocks_of(DOCS / "pnml.md", "xml")[0])
    (folder / "lts.aut").write_text("des (0, 99, 100)\n" + "".join(f"({i}, a, {i + 1})\n" for i in range(99)))
    (folder / "model.pml").write_text(MODEL_WITH_AN_ERROR)
    run(["explore", "models/peterson.dve", "--checkpoint", "run"], folder)
    run(["check", "lock.dve", "--trace", "trace.json"], folder)
    run(["check", "model.pml", "--trail", "model.pml.trail"], folder)


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """The command line in a separate process, so that `--memory` limits nothing but the command."""
    command = [sys.executable, "-m", "scrimp.cli", *arguments]
    return subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False
    )
