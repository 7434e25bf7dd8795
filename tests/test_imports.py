"""Imports go one way: docs/tour.md lists the layers of the package, and every import leads to a lower one.

Nothing is exempt: imports inside functions, imports for type checkers only and modules named in strings (as
`import_module` takes them) count too. The `__init__` of a package is a module like any other; Python runs it before the
package's other modules, but that does not count as an import.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "scrimp"
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")

# A line of a list is a layer, its highest first: names of modules and packages by their paths.
Layers = list[list[str]]
LISTS: list[Layers] = [
    [names for line in block.splitlines() if (names := line.partition("#")[0].split())]
    for block in re.findall(r"^```layers\n(.*?)^```$", TOUR, re.MULTILINE | re.DOTALL)
]


@cache
def imports() -> dict[str, set[str]]:
    """What every module imports; modules by their paths, as in the lists."""
    paths = {path.relative_to(PACKAGE).with_suffix("").as_posix(): path for path in PACKAGE.rglob("*.py")}
    modules = {".".join(("scrimp", *module.split("/"))).removesuffix(".__init__"): module for module in paths}
    trees = {module: ast.parse(path.read_text(encoding="utf-8")) for module, path in paths.items()}
    return {
        module: {modules[name] for node in ast.walk(tree) for name in named(node, modules)} - {module}
        for module, tree in trees.items()
    }


def named(node: ast.AST, modules: dict[str, str]) -> Iterator[str]:
    """The modules of the package that a part of a syntax tree names."""
    match node:
        case ast.Import(names):
            yield from (alias.name for alias in names if alias.name in modules)
        case ast.ImportFrom(module, names, 0) if module in modules:
            for alias in names:
                name = f"{module}.{alias.name}"
                yield name if name in modules else module
        case ast.ImportFrom(level=level):
            assert level == 0, "relative imports hide where they lead"
        case ast.Constant(str(text)) if text in modules and text != "scrimp":
            yield text


def place(module: str, layers: Layers) -> tuple[int, str] | None:
    """The layer of a module and the name in it that stands for the module; None for one that is not in the list."""
    for depth, names in enumerate(layers):
        for name in names:
            if module == name or module.startswith(f"{name}/"):
                return depth, name
    return None


def leads_down(importer: str, imported: str, layers: Layers) -> bool:
    above, below = place(importer, layers), place(imported, layers)
    return above is None or below is None or above == below or above[0] < below[0]


@pytest.mark.parametrize("layers", LISTS, ids=lambda layers: layers[-1][0])
def test_imports_lead_to_lower_layers(layers: Layers) -> None:
    edges = [(importer, imported) for importer, found in imports().items() for imported in sorted(found)]
    assert [edge for edge in edges if not leads_down(*edge, layers)] == []


def test_modules_of_a_layer_do_not_import_one_another_in_a_circle() -> None:
    TopologicalSorter(imports()).prepare()


def test_every_module_has_a_layer() -> None:
    assert [module for module in imports() if place(module, LISTS[0]) is None] == []


def test_every_layer_has_modules() -> None:
    standing = {found[1] for module in imports() for layers in LISTS if (found := place(module, layers))}
    assert {name for layers in LISTS for names in layers for name in names} == standing
