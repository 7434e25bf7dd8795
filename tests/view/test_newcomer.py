"""The first walk of docs/page.md, and the pictures on that page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.view.pictures import FOLDER, PICTURES, take
from tests.view.serving import ROOT, Watched, served, session_of

PAGE = (ROOT / "docs" / "page.md").read_text(encoding="utf-8")


def test_a_newcomer_can_take_the_first_walk(watched: Watched) -> None:
    assert re.findall(r"^(\d)\. ", PAGE, re.MULTILINE) == list("123456789"), "the steps below are those of the page"
    with served(session_of("broken_lock.dve")) as server:
        page = watched.open(server.address)
        place = page.locator("#place")
        expect(page.locator(".choice")).to_have_count(2)
        page.keyboard.press("1")  # 1
        expect(place).to_have_text("step 1 of 1")
        expect(page.locator(".state .location.changed")).to_have_text("saw_it_free")
        page.keyboard.press("2")  # 2
        expect(place).to_have_text("step 2 of 2")
        expect(page.locator(".source .lit")).to_contain_text("idle -> saw_it_free")
        page.keyboard.press("u")  # 3
        expect(place).to_have_text("step 1 of 1")
        expect(page.locator(".choice")).to_have_count(2)
        page.keyboard.press("2")
        expect(place).to_have_text("step 2 of 2")
        page.keyboard.press("q")  # 4
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.locator(".card .verdict")).to_have_text("REFUTED")
        page.get_by_role("button", name="Open:").first.click()  # 5
        expect(place).to_have_text("step 1 of 4")
        for _ in range(3):
            page.keyboard.press("j")
        expect(place).to_have_text("step 4 of 4")
        expect(page.locator(".violated").first).to_contain_text("inside == 1")
        page.keyboard.press("k")  # 6
        page.keyboard.press("k")
        expect(place).to_have_text("step 2 of 4")
        page.locator(".choice:not(.next)").first.click()
        expect(place).to_have_text("step 3 of 3")
        expect(page.locator(".walks option")).to_have_count(3)
        page.keyboard.press("g")  # 7
        expect(page.locator("#graph-note")).to_contain_text("within 2 steps")
        page.locator(".graph-node").nth(1).click()
        page.keyboard.press("y")  # 8
        page.fill("#formula", "inside <= 1 or First.idle")
        page.get_by_role("button", name="Explain").click()
        expect(page.locator(".why .node").first).to_contain_text("inside <= 1")
        page.locator("#formula").press("Escape")
        page.keyboard.press("w")  # 9
        expect(place).to_have_text("step 4 of 4")
        expect(page).to_have_url(re.compile(r"#\w+/\d+\.\d+\.\d+\.\d+$"))
        page.keyboard.press("b")
        expect(page.locator(".bookmarks")).to_contain_text("1 bookmark")


def test_the_page_shows_all_pictures() -> None:
    shown = re.findall(r"\(pictures/([a-z-]+)\.png\)", PAGE)
    assert sorted(shown) == sorted(PICTURES) == sorted(file.stem for file in FOLDER.glob("*.png"))


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_can_be_taken_again(browser: Browser, name: str, tmp_path: Path) -> None:
    assert 5_000 < take(browser, name, tmp_path).stat().st_size < 150_000
