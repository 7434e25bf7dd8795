"""The files of the page: the rules that let them be joined into one, and what may not be in them."""

from __future__ import annotations

import re

import pytest

from scrimp.outputs.page import FILES, MODULES, embedded, file_bytes, joined_modules, single_file

DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
IMPORTED = re.compile(r'^import \{[^}]*\} from "\./([a-z]+\.js)";$', re.MULTILINE)


def text(name: str) -> str:
    return file_bytes(name).decode()


def test_no_two_modules_declare_the_same_name() -> None:
    names = [name for module in MODULES for name in DECLARED.findall(text(module))]
    assert sorted(names) == sorted(set(names))


def test_modules_come_after_those_that_they_import() -> None:
    for place, module in enumerate(MODULES):
        assert set(IMPORTED.findall(text(module))) <= set(MODULES[:place])
        assert len(IMPORTED.findall(text(module))) == text(module).count("import {")


def test_joined_modules_import_and_export_nothing() -> None:
    assert not re.search(r"^(import|export) ", joined_modules(), re.MULTILINE)


@pytest.mark.parametrize("file", FILES)
def test_no_file_names_another_machine_or_parses_html(file: str) -> None:
    content = text(file).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in content.replace("http-equiv", "")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", content)


def test_data_cannot_leave_its_script_element() -> None:
    assert "<" not in embedded({"name": "</script><script>alert(1)</script>"})


def test_a_single_file_runs_its_own_script_only() -> None:
    page = single_file({"open": {}}, title="<b>&amp;")
    assert "<title>&lt;b>&amp;amp;</title>" in page
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}';", page)
    assert "src=" not in page
