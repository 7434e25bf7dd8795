"""A method as a value: its text and record, the engine's side of it, and what a third order would combine with."""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest

import scrimp
from scrimp import _engine
from scrimp.compatibility import why_not
from scrimp.errors import OptionError
from scrimp.strategies import (
    ORDERS,
    REDUCTIONS,
    STORES,
    Bitstate,
    Cache,
    Comback,
    Compact,
    DepthFirst,
    Full,
    Local,
    Method,
    Order,
    Pseudoroot,
    Sleep,
    Snapshots,
    Store,
    Strategy,
    option_types,
)
from scrimp.strategies.values import WholeNumber

ROLES: dict[str, tuple[type[Strategy], ...]] = {"order": ORDERS, "store": STORES, "reduction": REDUCTIONS}
EVERY = [(role, strategy) for role, strategies in ROLES.items() for strategy in strategies]


@pytest.mark.parametrize(
    ("method", "text"),
    [
        (Method(), "bfs/full"),
        (Method(order=DepthFirst(), reduction=Sleep()), "dfs/full/sleep"),
        (
            Method(order=DepthFirst(), store=Cache(states=5), reduction=Local() + Sleep()),
            "dfs/cache:states=5/local+sleep",
        ),
        (Method(store=Snapshots(caches="(c2,LLNR,5)*")), "bfs/snapshots:caches=(c2,LLNR,5)*"),
    ],
    ids=str,
)
def test_the_value_text_and_record_of_a_method(method: Method, text: str) -> None:
    assert str(method) == text
    assert Method.parse(text) == method
    assert Method.from_dict(method.to_dict()) == method


def test_omitted_parts_of_a_text_have_defaults() -> None:
    assert Method.parse("dfs") == Method(order=DepthFirst())
    assert Method.parse("bfs/full/none") == Method()


@pytest.mark.parametrize("text", ["", "bfs/", "bfs/full/none/none"])
def test_other_texts_are_not_methods(text: str) -> None:
    with pytest.raises(OptionError, match="expected ORDER/STORE/REDUCTION"):
        Method.parse(text)


def test_a_strategy_in_the_wrong_role_is_refused() -> None:
    store: Any = DepthFirst()
    with pytest.raises(OptionError, match="store: expected a store such as Full"):
        Method(store=store)


# The engine's registry.


@pytest.mark.parametrize("role", ROLES)
def test_the_engine_has_the_same_strategies(role: str) -> None:
    assert list(_engine.strategies()[role]) == [strategy.name for strategy in ROLES[role]]


@pytest.mark.parametrize(("role", "strategy"), EVERY)
def test_a_strategy_has_the_same_options_and_defaults_in_the_engine(role: str, strategy: type[Strategy]) -> None:
    options = _engine.strategies()[role][strategy.name]
    assert list(options) == [field.name for field in fields(strategy)]
    usual = {"name": strategy.name} | {name: option["default"] for name, option in options.items()}
    assert strategy().engine_record() == usual


@pytest.mark.parametrize(("role", "strategy"), EVERY)
def test_an_option_takes_the_same_values_in_the_engine(role: str, strategy: type[Strategy]) -> None:
    options = _engine.strategies()[role][strategy.name]
    for name, kind in option_types(strategy).items():
        members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
        for member in members:
            if get_origin(member) is Literal:
                assert list(get_args(member)) == options[name]["choices"], name
            if get_origin(member) is Annotated and isinstance(limits := get_args(member)[1], WholeNumber):
                assert limits.low == options[name]["least"], name
                assert limits.high is None or limits.high == options[name]["most"], name


# The stub of the engine.


def _stubbed() -> dict[str, Any]:
    """The classes of the stub with their members, and its functions."""
    named = [node for node in _stub().body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    return {node.name: node for node in named if "TypedDict" not in ast.dump(node)}


def _stub() -> ast.Module:
    return ast.parse((Path(scrimp.__file__).parent / "_engine.pyi").read_text(encoding="utf-8"))


def test_the_stub_has_the_names_of_the_engine() -> None:
    constants = {ast.unparse(node.target) for node in _stub().body if isinstance(node, ast.AnnAssign)}
    named = set(_stubbed()) | constants
    assert named == {name for name in vars(_native()) if not name.startswith("_")}
    assert named <= set(vars(_engine))


@pytest.mark.parametrize("name", sorted(_stubbed()))
def test_the_stub_has_the_signatures_of_the_engine(name: str) -> None:
    node, value = _stubbed()[name], getattr(_native(), name)
    if isinstance(node, ast.FunctionDef):
        assert _arguments(node) == _documented(value), name
        return
    members = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    found = {each for each in vars(value) if not each.startswith("_")}
    assert {each for each in members if not each.startswith("_")} == found
    for each, member in members.items():
        is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in member.decorator_list)
        if not is_property:
            assert _arguments(member) == _documented(getattr(value, each)), f"{name}.{each}"


def _native() -> ModuleType:
    module: ModuleType = _engine._module  # type: ignore[attr-defined]
    return module


def _arguments(node: Any) -> list[str]:
    return [argument.arg for argument in [*node.args.args, *node.args.kwonlyargs] if argument.arg != "self"]


def _documented(function: Any) -> list[str]:
    """The arguments in the signature that the module has in its docstring."""
    signature = (inspect.getdoc(function) or "").splitlines()[0]
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    while (plain := re.sub(r"\[[^\[\]]*\]|\([^()]*\)", "", inside)) != inside:
        inside = plain
    names = [part.split(":")[0].split("=")[0].strip() for part in inside.split(",")]
    return [name for name in names if name not in ("", "self", "*", "/")]


# A third order.


@dataclass(frozen=True, kw_only=True)
class BestFirst(Order):
    """States wait to be expanded, the most promising first: there are no levels, and no stack either."""

    name = "best"
    has_levels = False
    has_queue = False
    keeps_stack = False
    finds_shortest_traces = False


@pytest.mark.parametrize("store", [Full(), Full(compress="cleary"), Compact(), Bitstate(), Comback(), Pseudoroot()])
def test_an_order_without_levels_and_stack_combines_with_what_needs_neither(store: Store) -> None:
    assert why_not(Method(order=BestFirst(), store=store)) is None


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        (Method(order=BestFirst(), store=Snapshots()), "store 'snapshots' needs --order bfs"),
        (Method(order=BestFirst(), store=Cache()), "store 'cache' needs --order dfs"),
        (Method(order=BestFirst(), reduction=Sleep()), "reduction 'sleep' needs --order dfs"),
        (Method(order=BestFirst(), store=Pseudoroot(next="fewest")), "about the queue of a breadth-first search"),
    ],
    ids=str,
)
def test_an_order_without_levels_and_stack_is_refused_if_they_are_needed(method: Method, reason: str) -> None:
    assert reason in str(why_not(method))
