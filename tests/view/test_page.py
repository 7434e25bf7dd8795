"""The page in a real browser: each view on our models, keys, hostile names, a lasso, and a trace of 100,000 steps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.view.serving import MODELS, Watched, served, session_of

from scrimp.checking import check
from scrimp.forecast import Change, Forecast, Range
from scrimp.frontends import load
from scrimp.statistics import Progress
from scrimp.viewing.comparing import Comparison
from scrimp.viewing.neighbourhood import MOST_NODES
from scrimp.viewing.saving import saved_page
from scrimp.viewing.session import Session
from scrimp.walking import Walk, take_random_steps

LASSO = "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 1 od }"
OUR_MODELS = sorted(path.name for path in MODELS.iterdir() if path.suffix in (".dve", ".pml", ".py", ".pnml"))


def checked(model: str) -> Session:
    session = session_of(model)
    session.jobs.finished("scrimp check", check(session.model), session.publish)
    return session


def steps(page: Page) -> list[str]:
    return page.locator(".steps .row").all_inner_texts()


def test_a_trace_shows_its_steps_its_state_and_its_source(watched: Watched) -> None:
    with served(checked("broken_lock.dve")) as server:
        page = watched.open(server.address)
        expect(page.locator(".shows")).to_contain_text("First.critical: inside == 1 does not hold")
        page.keyboard.press("End")
        expect(page.locator("#place")).to_have_text("step 4 of 4")
        expect(page.locator(".steps .row.current")).to_contain_text("Second")
        expect(page.locator(".state tr.changed")).to_contain_text("inside")
        expect(page.locator(".source .lit")).to_contain_text("saw_it_free -> critical")
        expect(page.locator(".violated").first).to_contain_text("inside == 1")


def test_no_event_can_be_taken_before_the_state_is_there(watched: Watched) -> None:
    with served(session_of("broken_lock.dve")) as server:
        page = watched.open(server.address)
        page.keyboard.press("1")
        expect(page.locator("#place")).to_have_text("step 1 of 1")
        expect(page.locator(".choice").first).to_be_enabled()
        held: list[Route] = []
        page.route("**/state", lambda route: held.append(route))
        page.keyboard.press("k")
        expect(page.locator("#place")).to_have_text("step 0 of 1")
        expect(page.locator(".choice").first).to_be_disabled()
        for route in held:
            route.continue_()
        expect(page.locator(".choice").first).to_be_enabled()


@pytest.mark.parametrize("model", OUR_MODELS[::6])
def test_our_models_can_be_walked_by_keyboard_alone(watched: Watched, model: str) -> None:
    with served(session_of(model)) as server:
        page = watched.open(server.address)
        expect(page.locator(".choice").first).to_be_visible()
        page.keyboard.press("1")
        expect(page.locator("#place")).to_have_text("step 1 of 1")
        page.keyboard.press("g")
        expect(page.locator(".graph-node.centre")).to_be_visible()
        page.keyboard.press("w")
        page.keyboard.press("u")
        expect(page.locator("#place")).to_have_text("step 0 of 0")


def test_steps_can_be_shown_as_lanes_and_as_messages(watched: Watched) -> None:
    with served(checked("two_phase_commit_impatient.pml")) as server:
        page = watched.open(server.address)
        page.get_by_role("button", name="Lanes").click()
        expect(page.locator(".steps .lanes .dot").first).to_be_visible()
        page.get_by_role("button", name="Messages").click()
        expect(page.locator(".steps .row.message").first).to_contain_text("letters[0]!prepare")
        page.locator(".steps .row.message").nth(1).click()
        expect(page.locator("#place")).to_have_text("step 6 of 48")


def test_steps_are_filtered(watched: Watched) -> None:
    with served(checked("two_phase_commit_impatient.pml")) as server:
        page = watched.open(server.address)
        page.keyboard.press("/")
        page.keyboard.type("votes!yes")
        expect(page.locator(".filters [role=status]")).to_have_text("3 steps")
        assert all("votes!yes" in text for text in steps(page))


def test_another_event_begins_a_branch_and_an_address_leads_back(watched: Watched) -> None:
    with served(checked("broken_lock.dve")) as server:
        page = watched.open(server.address)
        page.keyboard.press("j")
        expect(page.locator("#place")).to_have_text("step 2 of 4")
        expect(page.locator(".state:not(.waiting)")).to_be_visible()
        page.locator(".choice:not(.next)").first.click()
        expect(page.locator(".walks")).to_have_value("1")
        expect(page.locator("#place")).to_have_text("step 3 of 3")
        expect(page).to_have_url(re.compile(r"#\w+/\d+\.\d+\.\d+$"))
        address = page.url
        page.keyboard.press("b")
        expect(page.locator(".bookmarks")).to_contain_text("1 bookmark")
        page.keyboard.press("n")
        expect(page.locator("#place")).to_have_text("step 0 of 0")
        page.goto("about:blank")
        watched.open(address)
        expect(page.locator("#place")).to_have_text("step 3 of 3")


def test_the_neighbourhood_is_a_graph_that_one_can_walk(watched: Watched) -> None:
    with served(session_of("peterson.dve")) as server:
        page = watched.open(server.address)
        page.keyboard.press("g")
        expect(page.locator("#graph-note")).to_contain_text("states within 2 steps")
        page.locator(".graph-node").nth(3).click()
        expect(page.locator(".graph-node.centre")).to_be_visible()
        page.keyboard.press("w")
        expect(page.locator("#place")).to_contain_text("step 2 of 2")


def test_a_question_is_asked_and_its_trace_opened(watched: Watched) -> None:
    with served(session_of("peterson.dve")) as server:
        page = watched.open(server.address)
        page.keyboard.press("q")
        page.select_option("#question", "reach")
        page.fill("#asked", "First.critical")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.locator(".card .verdict")).to_have_text("PROVED")
        page.get_by_role("button", name="Open: First.critical is reachable").click()
        expect(page.locator("#place")).to_have_text("step 1 of 3")
        page.keyboard.press("q")
        expect(page.locator(".card figure").first).to_be_visible()


def test_a_running_search_is_watched_and_stopped(watched: Watched) -> None:
    with served(session_of("sliding_window.dve", defines={"MODULUS": 12, "WINDOW": 6, "CAPACITY": 6})) as server:
        page = watched.open(server.address)
        page.keyboard.press("q")
        page.select_option("#question", "explore")
        page.get_by_role("button", name="Search", exact=True).click()
        card = page.locator(".card")
        expect(card.locator(".now")).to_contain_text("states per second")
        expect(card.get_by_role("img", name=re.compile("Levels so far"))).to_be_visible()
        expect(card.locator("figcaption", has_text="Memory by part now")).to_be_visible()
        expect(card.locator(".bars th")).to_contain_text(["table"])
        stop = card.get_by_role("button", name="Stop")
        stop.focus()
        figure = card.locator("figure").first.element_handle()
        assert figure is not None
        page.wait_for_function("figure => !figure.isConnected", arg=figure)  # drawn again, with newer numbers
        expect(stop).to_be_focused()
        page.keyboard.press("Enter")
        expect(card.locator(".verdict")).to_have_text("STOPPED")
        expect(stop).to_be_hidden()


def progress_after(seconds: float) -> Progress:
    """What a search might report: nothing of it depends on how fast this machine is."""
    return Progress(
        states=700_000,
        transitions=2_000_000,
        matched=1_300_000,
        depth=20,
        frontier=50_000,
        bytes=2**26,
        seconds=seconds,
        levels=tuple((1000 * level, 3000 * level) for level in range(20)),
        level_width=2,
        bytes_by_part={"table": 2**25, "frontier": 2**20, "blocks": 2**12},
        disk_bytes=2**23,
        changes=(("compressed", 300_000),),
        forecast=Forecast(
            Range(800_000, 1_000_000, 2_000_000),
            Range(2, 5, 20),
            Change("states on disk", Range(800_000, 900_000, 1_100_000), Range(1, 2, 3), True),
        ),
    )


def test_levels_memory_changes_and_a_forecast_are_shown_while_a_search_runs(watched: Watched) -> None:
    session = session_of("peterson.dve")
    goes_on = Event()

    def searching(observe: Callable[[Progress], None]) -> None:
        observe(progress_after(1.0))
        observe(progress_after(2.0))
        goes_on.wait()

    with served(session) as server:
        session.jobs.start("a long search", searching, lambda result: [])
        page = watched.open(server.address)
        page.keyboard.press("q")
        card = page.locator(".card")
        expect(card.locator(".forecast")).to_have_text(
            "about 1 M states in all (800 k–2 M) · 2–20 s left · "
            "next change: states on disk at 800 k–1.1 M states, in 1–3 s"
        )
        expect(card.locator(".representation li")).to_have_text(["compressed after 300,000 states"])
        expect(card.get_by_role("img", name="Levels so far, 2 at a time")).to_be_visible()
        expect(card.locator("figcaption", has_text="Memory by part now, 64.0 MiB in all")).to_be_visible()
        expect(card.locator(".bars th")).to_have_text(["table", "frontier", "blocks", "on disk"])
        assert page.evaluate(CONTRAST) == []
        goes_on.set()
        expect(card.locator(".verdict")).to_have_text("FOUND")
        expect(page.locator("#live")).to_contain_text("a long search")


def test_coverage_is_painted_into_the_source(watched: Watched) -> None:
    text = "byte x;\nactive proctype P() {\n  if\n  :: x > 0 ->\n    x = 2\n  :: else\n  fi\n}\n"
    with served(Session(load(text=text, language="promela"), text)) as server:
        page = watched.open(server.address)
        page.keyboard.press("q")
        page.select_option("#question", "explore")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.locator(".card .verdict")).to_have_text("EXPLORED")
        page.keyboard.press("w")
        expect(page.locator(".line.unreached")).to_have_count(2)
        expect(page.locator(".source .never")).to_have_text("2 statements never executed")


def lasso_session() -> Session:
    session = Session(load(text=LASSO, language="promela"), LASSO)
    session.jobs.finished("ltl", check(session.model, ltl="[] <> (x == 0)"), session.publish)
    return session


def test_a_lasso_is_drawn_as_a_loop_and_its_formula_explained(watched: Watched) -> None:
    with served(lasso_session()) as server:
        page = watched.open(server.address)
        expect(page.locator(".loop-last")).to_contain_text("forever")
        assert page.locator(".row.looping").count() >= 3
        page.keyboard.press("End")
        page.keyboard.press("j")
        expect(page.locator(".row.current")).to_have_class(re.compile("loop-first"))
        page.keyboard.press("Home")
        page.keyboard.press("y")
        expect(page.locator(".why > .node > summary")).to_contain_text("[] <> {x == 0}")
        expect(page.locator(".why .word.false").first).to_be_visible()
        page.get_by_role("button", name=re.compile("at step")).first.click()
        expect(page.locator("#place")).not_to_have_text(re.compile("^step 0 "))


def test_the_shortest_trace_to_a_state_is_found_and_opened(watched: Watched) -> None:
    with served(session_of("peterson.dve")) as server:
        page = watched.open(server.address)
        place = page.locator("#place")
        for step in (1, 2, 3, 4, 5, 6):
            expect(page.locator(".choice").first).to_be_enabled()
            page.locator(".choice").first.click()
            expect(place).to_have_text(f"step {step} of {step}")
        expect(page.locator(".choice").first).to_be_enabled()
        values = page.evaluate("scrimp.state.groups")
        page.keyboard.press("s")
        expect(page.locator(".walks option:checked")).to_contain_text("shortest")
        page.keyboard.press("End")
        expect(place).to_have_text("step 2 of 2")
        expect(page.locator(".choice").first).to_be_enabled()
        assert page.evaluate("scrimp.state.groups") == values


def test_a_search_that_ends_before_the_page_asks_about_it_is_opened_as_well(watched: Watched) -> None:
    session = session_of("peterson.dve")
    with served(session) as server:
        page = watched.open(server.address)
        page.keyboard.press("1")
        expect(page.locator("#place")).to_have_text("step 1 of 1")
        held: list[Route] = []
        page.route("**/jobs", lambda route: held.append(route), times=1)
        with page.expect_request("**/jobs"):
            page.keyboard.press("s")
        while session.jobs[0].status == "running":
            page.evaluate("0")
        held[0].continue_()
        expect(page.locator(".walks option:checked")).to_contain_text("shortest")


def test_a_bookmark_leads_back_and_is_kept(watched: Watched) -> None:
    with served(session_of("broken_lock.dve")) as server:
        page = watched.open(server.address)
        page.keyboard.press("1")
        expect(page.locator("#place")).to_have_text("step 1 of 1")
        page.keyboard.press("b")
        expect(page.locator(".bookmarks")).to_contain_text("1 bookmark")
        page.keyboard.press("n")
        expect(page.locator("#place")).to_have_text("step 0 of 0")
        page.goto("about:blank")
        watched.open(server.address)
        page.locator(".bookmarks summary").click()
        page.locator(".bookmarks li a, .bookmarks li button").first.click()
        expect(page.locator("#place")).to_have_text("step 1 of 1")


def test_a_graph_of_too_many_states_is_a_quotient_and_says_so(watched: Watched) -> None:
    with served(session_of("two_phase_commit.pml")) as server:
        page = watched.open(server.address)
        page.keyboard.press("g")
        page.get_by_role("slider").fill("9")
        expect(page.locator("#graph-note")).to_have_text(re.compile(r"[\d,]+ states drawn as \d+ groups, by "))
        assert page.locator(".graph-node").count() <= MOST_NODES
        page.locator(".by summary").click()
        page.get_by_label("crashed", exact=True).check()
        expect(page.locator("#graph-note")).to_contain_text("by crashed")


def test_a_formula_is_asked_and_its_lasso_opened(watched: Watched) -> None:
    with served(session_of("peterson.dve")) as server:
        page = watched.open(server.address)
        page.keyboard.press("q")
        page.select_option("#question", "ltl")
        page.fill("#asked", "[] <> First.critical")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(page.locator(".card .verdict")).to_have_text("REFUTED")
        page.get_by_role("button", name=re.compile("^Open: .*loop")).click()
        expect(page.locator(".loop-last")).to_contain_text("forever")
        page.keyboard.press("y")
        expect(page.locator(".why > .node > summary")).to_contain_text("[] <>")


def test_the_tab_key_reaches_every_control_of_every_view(watched: Watched) -> None:
    with served(checked("broken_lock.dve")) as server:
        page = watched.open(server.address)
        page.evaluate("reached = new WeakSet()")
        for key in "wgyq":
            page.keyboard.press(key)
            page.evaluate("document.activeElement.blur()")
            for _ in range(MOST_CONTROLS):
                if not page.evaluate(UNREACHED):
                    break
                page.keyboard.press("Tab")
                page.evaluate("reached.add(document.activeElement)")
            assert page.evaluate(UNREACHED) == []
            page.evaluate("document.activeElement.blur()")


# More than any view has.
MOST_CONTROLS = 300
# The controls that can be seen and used and were not reached yet; of tabs, only the selected one has to be reached.
UNREACHED = """() => {
  const controls = "button, input, select, summary, a[href], [role=listbox], [role=button]";
  const usable = (e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0;
  const missed = [...document.querySelectorAll(controls)].filter((e) => usable(e) && !reached.has(e));
  return missed.map((e) => e.outerHTML.slice(0, 80));
}"""
# What a screen reader could not name.
UNNAMED = """() => {
  const named = (e) => e.ariaLabel || e.getAttribute("aria-labelledby") || e.textContent.trim() || e.closest("label");
  const wanted = "button, select, input, [role=img], [role=button], [role=listbox], [role=tabpanel], section, dialog";
  return [...document.querySelectorAll(wanted)].filter((e) => !named(e)).map((e) => e.outerHTML.slice(0, 80));
}"""


def test_screen_readers_find_a_name_on_everything(watched: Watched) -> None:
    with served(checked("two_phase_commit_impatient.pml")) as server:
        page = watched.open(server.address)
        for key, there in (
            ("w", ".choice, .steps .row"),
            ("g", ".graph-node"),
            ("y", "#formula"),
            ("q", ".card figure"),
        ):
            page.keyboard.press(key)
            expect(page.locator(there).first).to_be_visible()
            expect(page.get_by_role("tab", selected=True)).to_have_count(1)
            assert page.evaluate(UNNAMED) == []
        assert page.locator("[role=status], [role=alert], [aria-live]").count() >= 3
        assert page.locator("html").get_attribute("lang") == "en"


def test_the_night_is_chosen_and_kept(watched: Watched) -> None:
    with served(session_of("broken_lock.dve")) as server:
        page = watched.open(server.address)
        back = "getComputedStyle(document.body).backgroundColor"
        by_day = page.evaluate(back)
        page.keyboard.press("d")
        assert page.evaluate(back) != by_day
        by_night = page.evaluate(back)
        page.goto("about:blank")
        watched.open(server.address)
        assert page.evaluate(back) == by_night


HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>"


def hostile_session(folder: Path) -> Session:
    """Names that would be code if they were taken for HTML; in an LTS a label may be any text."""
    file = folder / "<b>hostile.aut"
    file.write_text(f'des (0, 2, 2)\n(0, "{HOSTILE}", 1)\n(1, "</script><script>alert(2)</script>", 0)\n')
    return Session(load(file))


def test_hostile_names_are_text(watched: Watched, tmp_path: Path) -> None:
    with served(hostile_session(tmp_path)) as server:
        page = watched.open(server.address)
        expect(page.locator(".choice .text")).to_have_text(HOSTILE)
        page.keyboard.press("1")
        page.keyboard.press("g")
        expect(page.locator(".graph-node").first).to_be_visible()
        assert page.locator("img, b:has(img), #page script").count() == 0
        assert page.title() == "<b>hostile.aut · scrimp"


def test_hostile_names_are_text_in_a_saved_page(watched: Watched, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(saved_page(hostile_session(tmp_path)), encoding="utf-8")
    page = watched.open(file.as_uri())
    expect(page.locator(".choice .text")).to_have_text(HOSTILE)
    assert page.title() == "<b>hostile.aut · scrimp"


def test_a_saved_page_needs_no_server(watched: Watched, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(saved_page(checked("broken_lock.dve")), encoding="utf-8")
    page = watched.open(file.as_uri())
    page.keyboard.press("End")
    expect(page.locator(".state tr.changed")).to_contain_text("inside")
    page.keyboard.press("k")
    page.locator(".choice:not(.next)").first.click()
    expect(page.locator("#place")).to_have_text("step 4 of 4")
    expect(page.locator(".walks")).to_have_value("1")
    page.keyboard.press("g")
    expect(page.locator(".fault")).to_contain_text("saved page")
    assert {url.partition(":")[0] for url in watched.requests} <= {"file", "data"}


def test_a_comparison_names_its_points(watched: Watched, tmp_path: Path) -> None:
    cell = {"status": "complete", "verdict": None, "states_exact": True, "visits": 9, "transitions": 20, "message": ""}
    sizes = [("a.dve", "bfs/full", 900, 0.02, 2**25), ("a.dve", "dfs/full/stubborn", 300, 0.05, 2**26)]
    cells = [
        cell | {"model": model, "method": method, "states": states, "seconds": seconds, "rss_peak": peak}
        for model, method, states, seconds, peak in sizes
    ]
    (tmp_path / "report.json").write_text(json.dumps({"settings": {"rounds": 1}, "cells": cells}))
    with served(Comparison(tmp_path / "report.json")) as server:
        page = watched.open(server.address)
        expect(page.locator(".model-name")).to_have_text("a.dve")
        page.locator(".plot .point").nth(1).focus()
        expect(page.locator("#point")).to_contain_text("a.dve · dfs/full/stubborn · 300 states")
        first, second = (page.locator(".plot .point").nth(n).evaluate("e => getComputedStyle(e).color") for n in (0, 1))
        assert first != second
        expect(page.locator(".point.noted")).to_have_attribute(
            "aria-label", re.compile("the reduction stubborn leaves out states: 300 of 900 counted")
        )
        page.get_by_role("button", name="states", exact=True).click()
        expect(page.locator(".runs tbody tr").first).to_contain_text("300")


def long_session(steps: int) -> Session:
    session = session_of("peterson.dve")
    walk = Walk(session.model)
    take_random_steps(walk, Random(1), steps)
    session.walks.add("a long run", "trace", walk)
    return session


class Work:
    """How long the page itself computes, by the processor's clock: other programs, which take their share of the
    machine, do not count. Painting by software is part of it."""

    def __init__(self, watched: Watched) -> None:
        self._browser = watched.context.new_cdp_session(watched.page)
        self._browser.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._before = 0.0

    def milliseconds(self) -> float:
        """Since the last call."""
        metrics = self._browser.send("Performance.getMetrics")["metrics"]
        now = next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")
        self._before, before = now, self._before
        return 1000 * (now - before)


FRAMES = 60
# Scrolls by so many pixels each frame, or jumps to and fro; waits until the rows that are visible have been fetched.
SCROLLING = """async ([pixels, frames]) => {
  const list = document.querySelector(".steps .list");
  list.scrollTop = 0;
  for (let frame = 1; frame <= frames; frame++) {
    list.scrollTop = pixels ? frame * pixels : ((frame * 0.382) % 1) * list.scrollHeight;
    await new Promise(requestAnimationFrame);
  }
  const top = list.scrollTop;
  const visible = () => [...list.querySelectorAll(".row")].filter((row) => !row.querySelector(".text"));
  while (visible().length) await new Promise(requestAnimationFrame);
  return top;
}"""
FRAME = 1000 / 60


def test_100_000_steps_are_painted_and_scrolled_as_fast_as_few(browser: Browser) -> None:
    loading, smooth, jumping = {}, {}, {}
    for steps in (300, 100_000):
        watched = Watched(browser)
        work = Work(watched)
        with served(long_session(steps)) as server:
            page = watched.open(server.address)
            paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            loading[steps] = work.milliseconds()
            assert page.locator(".steps .row").count() < 120
            assert page.evaluate(SCROLLING, [90, FRAMES]) > 5000
            smooth[steps] = work.milliseconds() / FRAMES
            page.evaluate(SCROLLING, [0, FRAMES])
            jumping[steps] = work.milliseconds() / FRAMES
            page.keyboard.press("End")
            expect(page.locator(".row.current .number")).to_have_text(f"{steps:,}")
        watched.close()
        assert watched.troubles == []
        print(f"{steps} steps: first paint after {paint:.0f} ms, {loading[steps]:.0f} ms of work until it is ready;")
        print(f"  a frame takes {smooth[steps]:.1f} ms while scrolling, {jumping[steps]:.1f} ms while jumping")
    assert smooth[100_000] < FRAME
    assert jumping[100_000] < 3 * jumping[300]
    assert loading[100_000] < 3 * loading[300]


def test_a_phone_shows_one_column_that_does_not_scroll_sideways(browser: Browser) -> None:
    watched = Watched(browser, viewport={"width": 390, "height": 780}, has_touch=True)
    with served(checked("broken_lock.dve")) as server:
        page = watched.open(server.address)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator(".choice").first.tap()
    watched.close()
    assert watched.troubles == []


CONTRAST = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[0-9.]+/g).slice(0, 3).map(Number).map((c) => c / 255)
      .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (e) => { for (; e; e = e.parentElement) {
    const back = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$|transparent/.test(back)) return back;
  } return "rgb(255,255,255)"; };
  const bad = [];
  for (const e of document.querySelectorAll("#page *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.offsetParent) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) bad.push(`${e.className} ${e.textContent.slice(0, 20)} ${ratio.toFixed(2)}`);
  }
  return bad;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(browser: Browser, scheme: str) -> None:
    watched = Watched(browser, color_scheme=scheme)
    with served(checked("two_phase_commit_impatient.pml")) as server:
        page = watched.open(server.address)
        page.keyboard.press("End")
        expect(page.locator("#place")).to_contain_text("step 48")
        assert page.evaluate(CONTRAST) == []
    watched.close()


def test_screen_readers_hear_where_one_is(watched: Watched) -> None:
    with served(checked("broken_lock.dve")) as server:
        page = watched.open(server.address)
        page.keyboard.press("End")
        expect(page.locator("#live")).to_contain_text("step 4: Second: saw_it_free")
        expect(page.locator(".steps [role=option][aria-selected=true]")).to_contain_text("Second")
        assert page.locator("button:not([aria-label])").evaluate_all("all => all.every(e => e.textContent.trim())")
        assert page.locator("input, select").evaluate_all("all => all.every(e => e.ariaLabel || e.closest('label'))")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("next step")


@pytest.mark.parametrize("model", ["broken_lock.dve", "peterson.dve"])
def test_a_result_draws_itself_in_a_notebook(watched: Watched, tmp_path: Path, model: str) -> None:
    file = tmp_path / "notebook.html"
    file.write_text(f"<!doctype html><title>notebook</title>{check(MODELS / model)._repr_html_()}", encoding="utf-8")
    watched.page.goto(file.as_uri())
    frame = watched.page.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    if model == "broken_lock.dve":
        expect(frame.locator(".shows")).to_contain_text("First.critical: inside == 1 does not hold")
        frame.locator(".steps .row").nth(3).click()
        expect(frame.locator(".state tr.changed").first).to_contain_text("taken")
        expect(frame.locator(".source .lit")).to_be_visible()
    else:
        expect(frame.locator(".card .verdict")).to_have_text("PROVED")
