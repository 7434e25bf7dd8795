"""The README's tables are complete."""

from __future__ import annotations

import re

import pytest
from tests.documentation.pages import ROOT, text_of

from scrimp.frontends import LANGUAGES
from scrimp.strategies import Store
from scrimp.strategies.registry import ORDERS, REDUCTIONS, STORES

README = text_of(ROOT / "README.md")
FEATURES = dict(re.findall(r"^\| ([a-z]+) \| (.+) \|$", README, re.MULTILINE))
STORE_ROWS = re.findall(r"^\| \[?`([a-z]+)[:`].*? \| .+? \| (yes|no) \| .+ \|$", README, re.MULTILINE)


@pytest.mark.parametrize("store", STORES, ids=lambda store: store.name)
def test_the_table_of_stores_says_which_are_exact(store: type[Store]) -> None:
    answers = {answer for name, answer in STORE_ROWS if name == store.name}
    assert answers == {"yes" if store().exact else "no"}


def test_the_table_of_features_names_every_strategy() -> None:
    for feature, strategies in (("orders", ORDERS), ("stores", STORES), ("reductions", REDUCTIONS)):
        missing = [strategy.name for strategy in strategies if f"`{strategy.name}`" not in FEATURES[feature]]
        assert set(missing) <= {"none"}


# docs/python.md is about the functions of scrimp.
PAGES = {"python": "modelling"}


def test_the_table_of_features_names_every_language() -> None:
    assert all(f"docs/{PAGES.get(language, language)}.md" in FEATURES["languages"] for language in LANGUAGES)
