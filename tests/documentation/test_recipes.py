"""CONTRIBUTING's recipes: the files, names and signatures that they mention exist."""

from __future__ import annotations

import inspect
import re
from importlib import import_module

import pytest
from tests.documentation.pages import ROOT

from scrimp.frontends import LANGUAGES

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## (.+)$", TEXT, flags=re.MULTILINE)
RECIPES = {
    title: re.findall(r"`([^`]+)`", body)
    for title, body in zip(SECTIONS[1::2], SECTIONS[2::2], strict=True)
    if title.startswith("How to add")
}
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for folder in ("src", "engine", "tests", "bench")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".h", ".cpp", ".toml"}
}
PACKAGES = {path.parent.name for path in SOURCES}


def test_there_are_recipes() -> None:
    assert len(RECIPES) >= 4
    assert all(RECIPES.values())


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_file_of_a_recipe_exists(recipe: str) -> None:
    files = [span for span in RECIPES[recipe] if re.fullmatch(r"[\w./-]+\.(py|h|cpp|md|toml)|[\w./-]+/", span)]
    everything = [path.relative_to(ROOT).as_posix() for path in SOURCES]
    missing = [
        name
        for name in files
        if not (ROOT / name).exists() and not any(f"/{path}".endswith(f"/{name}") for path in everything)
    ]
    assert missing == []


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_name_of_a_recipe_is_in_the_code(recipe: str) -> None:
    names = [span for span in RECIPES[recipe] if re.fullmatch(r"[A-Za-z_]\w*", span)]
    code = "\n".join(SOURCES.values())
    assert [name for name in names if not re.search(rf"\b{name}\b", code)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_signature_of_a_front_end_is_that_of_every_front_end(language: str) -> None:
    (recipe,) = [span for span in RECIPES["How to add a front end"] if re.match(r"read_model\(", span)]
    signature = inspect.signature(import_module(f"scrimp.frontends.{language}").read_model)
    assert recipe == f"read_model({', '.join(signature.parameters)}) -> {signature.return_annotation}"
