"""Any bytes are a model in Python or are refused in one line; nothing else can happen."""

from __future__ import annotations

import ast
import random
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.frontends.mutants import is_one_line_about, mutants, refusal
from tests.modelling.generator import random_model

from scrimp.frontends import load
from scrimp.frontends.python import read_model

# Larger ones only take longer.
LARGEST_BYTES = 2_500

SEEDS = [
    path.read_bytes()
    for path in sorted((Path(__file__).parents[2] / "models").glob("*.py"))
    if path.stat().st_size <= LARGEST_BYTES
]
PIECES = [
    *(b"(", b")", b"[", b"]", b"{", b"}", b":", b",", b".", b"=", b"*", b"**", b"//", b"@", b"|", b"-", b"~", b"#"),
    *(b"\n", b"\n    ", b"\n        ", b" and ", b" or ", b" not ", b" in ", b" is ", b" if ", b" else ", b"lambda: "),
    *(b"self", b"self.", b"await ", b"async ", b"def ", b"class ", b"while True:", b"for i in range(3):", b"return "),
    *(b"0", b"1", b"300", b"9999999999", b"None", b"True", b"'text'", b"0.5", b"[]", b"{}", b"()", b"..."),
    *(b"step()", b"until(lambda: True)", b"choose(1, 2)", b"Array(2, 0)", b"Queue(1)", b"Lock()", b"int", b"bool"),
    *(b"try:", b"finally:", b"join(self.p)", b"Condition()", b"async with self.c:", b"self.c.wait()", b"notify_all()"),
    *(b"\r", b"\0", b"\xff", b"\xc3\xa9", b"\\", b"\t", b"__class__", b"import os", b"match x:", b"case _:"),
]

EXCHANGES = 120

SMALL = read_model("small.py", SEEDS[0].decode(), {}, ignore_property=False)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=mutants(SEEDS, PIECES))
def test_a_mutated_model_is_loaded_or_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "mutant.py"
    path.write_bytes(text)
    line = refusal(lambda: load(path))
    assert line is None or is_one_line_about(f"{path}:", line)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.binary(max_size=200) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_garbage_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "garbage.py"
    path.write_bytes(text)
    line = refusal(lambda: load(path))
    assert line is not None
    assert is_one_line_about(f"{path}:", line)


@settings(max_examples=200, deadline=None)
@given(text=st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join) | st.binary(max_size=40))
def test_any_text_is_an_expression_or_is_refused(text: bytes) -> None:
    line = refusal(lambda: SMALL.expression(text.decode("latin-1")))
    assert line is None or is_one_line_about("<expression>:", line)


def exchanged(text: str, chance: random.Random) -> str:
    """A model in which some expressions and statements are replaced by others of it, or inserted again."""
    tree = ast.parse(text)
    for _ in range(chance.randint(1, 3)):
        parts = [
            (items, place)
            for node in ast.walk(tree)
            for items in [value for _, value in ast.iter_fields(node) if isinstance(value, list)]
            for place, item in enumerate(items)
            if isinstance(item, ast.expr | ast.stmt)
        ]
        items, place = chance.choice(parts)
        kind = ast.stmt if isinstance(items[place], ast.stmt) else ast.expr
        other = deepcopy(chance.choice([node for node in ast.walk(tree) if isinstance(node, kind)]))
        if chance.random() < 0.3:
            items.insert(place, other)
        else:
            items[place] = other
    return ast.unparse(tree)


@pytest.mark.parametrize("seed", range(EXCHANGES))
def test_a_model_with_parts_exchanged_is_loaded_or_refused(seed: int) -> None:
    chance = random.Random(seed)
    text = random_model(seed) if seed % 2 else chance.choice(SEEDS).decode()
    line = refusal(lambda: read_model("mutant.py", exchanged(text, chance), {}, ignore_property=False))
    assert line is None or is_one_line_about("mutant.py:", line)
