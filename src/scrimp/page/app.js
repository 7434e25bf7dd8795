// The page: what is shown, where the user is, and the keys.

import { Problem, connect } from "./api.js";
import { ComparisonPane } from "./comparison.js";
import { announce, counted, h, replace } from "./dom.js";
import { FormulaPane } from "./formula.js";
import { GraphPane } from "./graph.js";
import { helpDialog } from "./help.js";
import { SearchesPane } from "./searches.js";
import { SourcePane } from "./source.js";
import { StatePane } from "./state.js";
import { StepsPane } from "./steps.js";

const VIEWS = { walk: "Walk", graph: "Graph", formula: "Why?", searches: "Searches" };
const VIEW_KEYS = { w: "walk", g: "graph", y: "formula", q: "searches" };

// Bookmarks and the theme are kept in the browser; a page in a frame or a file may have no storage.
function kept(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(`scrimp ${key}`));
    localStorage.setItem(`scrimp ${key}`, JSON.stringify(value));
  } catch {
    return null;
  }
  return value;
}

class App {
  constructor(api, model) {
    Object.assign(this, { api, model, walks: model.walks, walk: null, at: 0, state: null, before: null, view: "walk" });
    this.watches = kept(`watches ${model.hash}`) ?? [];
    this.bookmarks = kept(`bookmarks ${model.hash}`) ?? [];
    this.listeners = {};
  }

  on(event, listener) {
    (this.listeners[event] ??= []).push(listener);
  }

  emit(event) {
    for (const listener of this.listeners[event] ?? []) listener();
  }

  // Sends a message. A problem is shown, in `place` if that is given, and the answer is then null.
  async ask(verb, message = {}, place = null) {
    try {
      return await this.api.ask(verb, message);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (place) replace(place, h("p", { class: "fault", role: "alert" }, problem.message));
      else this.complain(problem.message);
      return null;
    }
  }

  complain(text) {
    replace(this.message, h("span", {}, text), h("button", { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => replace(this.message) }, "×"));
  }

  setWalks(walks) {
    this.walks = walks;
  }

  remember(record) {
    this.walks = this.walks.some((each) => each.id === record.id) ? this.walks.map((each) => (each.id === record.id ? record : each)) : [...this.walks, record];
  }

  // Go to a state of a walk; `at` null: of a trace its first step, of a walk its end.
  async go(id, at, view = null) {
    const record = this.walks.find((each) => each.id === id);
    if (!record) return;
    const start = record.kind === "walk" ? record.length : Math.min(1, record.length);
    const place = Math.max(0, Math.min(at ?? start, record.length));
    const other = this.walk !== record;
    this.walk = record;
    this.at = place;
    if (view) this.setView(view);
    if (other) this.emit("walk");
    this.emit("at");
    this.looking = this.look();
    await this.looking;
  }

  async look() {
    const { walk, at } = this;
    const ask = (place) => this.ask("state", { walk: walk.id, at: place, watch: this.watches });
    const [state, before] = await Promise.all([ask(at), at > 0 ? ask(at - 1) : null]);
    if (!state || walk !== this.walk || at !== this.at) return;
    Object.assign(this, { state, before, seen: `${walk.id}:${at}` });
    this.emit("state");
    const address = await this.ask("address", { walk: walk.id, at });
    if (!address || walk !== this.walk || at !== this.at) return;
    this.address = address.address === null ? null : `#${address.hash}/${address.address}`;
    if (this.address && this.model.hash) history.replaceState(null, "", this.address);
  }

  step(by) {
    const { walk, at } = this;
    if (by > 0 && at === walk.length && walk.cycle !== null && walk.cycle < walk.length) return this.go(walk.id, walk.cycle + 1);
    return this.go(walk.id, at + by);
  }

  // Take the event with a number once the state is there: keys may come faster than answers.
  choose(number) {
    const choosing = () => this.state.events[number - 1] && this.take(this.state.events[number - 1].event);
    this.choosing = (this.choosing ?? Promise.resolve()).then(() => this.looking).then(choosing);
    return this.choosing;
  }

  async take(event) {
    const { walk, at } = this;
    if (this.seen !== `${walk.id}:${at}`) return null; // the event is one of another state
    if (event === this.state.next) return this.step(1);
    const record = await this.ask("take", { walk: walk.id, at, events: [event] });
    return record && this.arrive(record);
  }

  // The walk along some events from here.
  async jump(events) {
    if (!events.length) return;
    const record = await this.ask("take", { walk: this.walk.id, at: this.at, events });
    if (record) await this.arrive(record);
  }

  async arrive(record) {
    if (record.id !== this.walk.id) announce(`a new branch, ${record.name}`);
    this.remember(record);
    await this.go(record.id, record.length);
  }

  async run(steps, until) {
    const record = await this.ask("run", { walk: this.walk.id, at: this.at, steps, until });
    if (!record) return;
    await this.arrive(record);
    if (until && !record.reached) this.complain(`${until} did not become true on this run`);
  }

  async undo() {
    if (this.walk.kind !== "walk") return this.step(-1);
    if (!this.walk.length) return;
    const record = await this.ask("undo", { walk: this.walk.id });
    if (record) await this.arrive(record);
  }

  async begin() {
    const record = await this.ask("walk", { address: "" });
    if (record) await this.arrive(record);
  }

  async shortest() {
    const job = await this.ask("shortest", { walk: this.walk.id, at: this.at });
    if (!job) return;
    this.setView("searches");
    this.searches.follow(job);
  }

  addWatch(text) {
    this.watches = [...new Set([...this.watches, text])];
    this.watched();
  }

  removeWatch(text) {
    this.watches = this.watches.filter((each) => each !== text);
    this.watched();
  }

  watched() {
    kept(`watches ${this.model.hash}`, this.watches);
    this.look();
  }

  async bookmark() {
    await this.looking; // the address belongs to the state that is shown
    if (!this.address) return this.complain("this state is too far from the initial one for an address");
    const name = `${this.walk.name}, step ${this.at}`;
    this.bookmarks = [...this.bookmarks.filter((each) => each.address !== this.address), { name, address: this.address }];
    kept(`bookmarks ${this.model.hash}`, this.bookmarks);
    this.showBookmarks();
    announce(`bookmarked ${name}`);
  }

  removeBookmark(address) {
    this.bookmarks = this.bookmarks.filter((each) => each.address !== address);
    kept(`bookmarks ${this.model.hash}`, this.bookmarks);
    this.showBookmarks();
  }

  showBookmarks() {
    const item = ({ name, address }) =>
      h("li", {}, h("a", { href: address, onclick: () => setTimeout(() => this.followAddress()) }, name), h("button", { type: "button", class: "plain", "aria-label": `Remove ${name}`, onclick: () => this.removeBookmark(address) }, "×"));
    this.marks.hidden = !this.bookmarks.length;
    replace(this.marks, h("summary", {}, counted(this.bookmarks.length, "bookmark")), h("ul", {}, this.bookmarks.map(item)));
  }

  async copyLink() {
    await this.looking;
    if (!this.address) return this.complain("this walk is too long for an address; write it to a file with scrimp simulate --trace");
    const link = this.address.slice(1).split("/")[1];
    try {
      await navigator.clipboard.writeText(location.href);
      this.complain(`copied; scrimp view ${this.model.name} --walk ${link || "''"} opens the same walk`);
    } catch {
      this.complain(`the address of this walk: ${location.href}`);
    }
  }

  // Open the walk in the address of the page, if it has one; returns whether it has.
  async followAddress() {
    const [hash, address] = decodeURIComponent(location.hash.slice(1)).split("/");
    if (!hash || address === undefined) return false;
    if (hash !== this.model.hash) {
      this.complain("this address was made for another version of the model");
      return false;
    }
    const record = await this.ask("walk", { address });
    if (!record) return false;
    this.remember(record);
    await this.go(record.id, record.length, "walk");
    return true;
  }

  setCoverage(job) {
    this.coverage = { title: job.title, result: job.result };
    this.emit("coverage");
  }

  setView(view) {
    this.view = view;
    for (const [name, { tab, panel }] of Object.entries(this.panels)) {
      tab.setAttribute("aria-selected", String(name === view));
      tab.tabIndex = name === view ? 0 : -1;
      panel.hidden = name !== view;
    }
    this.emit("view");
  }

  key(event) {
    const field = event.target.closest?.("input, select, textarea");
    if (event.key === "Escape" && field) return field.blur();
    if (!this.walk || field || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return null;
    const keys = {
      j: () => this.step(1),
      k: () => this.step(-1),
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      Home: () => this.go(this.walk.id, 0),
      End: () => this.go(this.walk.id, this.walk.length),
      u: () => this.undo(),
      n: () => this.begin(),
      s: () => this.shortest(),
      b: () => this.bookmark(),
      c: () => this.copyLink(),
      d: () => toggleTheme(),
      "/": () => (this.setView("walk"), document.getElementById("filter").focus()),
      "?": () => this.help.showModal(),
    };
    if (/^[1-9]$/.test(event.key)) keys[event.key] = () => this.choose(Number(event.key));
    const action = keys[event.key] ?? (VIEW_KEYS[event.key] && (() => this.setView(VIEW_KEYS[event.key])));
    if (!action) return null;
    event.preventDefault();
    return action();
  }

  async start() {
    this.message = h("div", { class: "notice", role: "alert" });
    this.help = helpDialog();
    this.marks = h("details", { class: "bookmarks" });
    const walk = h("div", { class: "columns" }, new StepsPane(this).element, new StatePane(this).element, new SourcePane(this).element);
    this.searches = new SearchesPane(this);
    const contents = { walk, graph: new GraphPane(this).element, formula: new FormulaPane(this).element, searches: this.searches.element };
    const views = this.walks.length ? Object.entries(VIEWS) : Object.entries(VIEWS).slice(-1);
    this.panels = Object.fromEntries(views.map(([name, title]) => [name, this.tab(name, title, contents[name])]));
    const tabs = h("div", { role: "tablist", "aria-label": "Views", class: "tabs", onkeydown: (event) => this.turn(event) }, Object.values(this.panels).map(({ tab }) => tab));
    const actions = [
      this.marks,
      h("button", { type: "button", onclick: () => this.begin(), title: "Begin in the initial state (n)" }, "New walk"),
      themeButton(),
      h("button", { type: "button", onclick: () => this.help.showModal(), "aria-label": "Help (?)" }, "?"),
    ];
    replace(document.getElementById("page"), banner(this.model, tabs, actions), this.message, h("main", {}, Object.values(this.panels).map(({ panel }) => panel)), this.help);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => location.hash !== this.address && this.followAddress());
    this.showBookmarks();
    this.setView(this.walks.length ? "walk" : "searches");
    if (!this.walks.length) return;
    if (!(await this.followAddress())) await this.go((this.walks.find((each) => each.kind === "trace") ?? this.walks[0]).id, null);
  }

  tab(name, title, content) {
    const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, onclick: () => this.setView(name) }, title);
    return { tab, panel: h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, class: "panel" }, content) };
  }

  turn(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const names = Object.keys(this.panels);
    this.setView(names[(names.indexOf(this.view) + by + names.length) % names.length]);
    this.panels[this.view].tab.focus();
  }
}

function banner(model, tabs, actions) {
  const name = h("span", { class: "model", title: model.path ?? model.name }, model.name);
  const hash = model.hash && h("span", { class: "quiet hash", title: "hash of the model" }, model.hash);
  return h("header", { class: "banner" }, h("h1", {}, h("b", {}, "scrimp"), " ", name, " ", hash), tabs, h("span", { class: "gap" }), actions);
}

function toggleTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = kept("theme", now === "dark" ? "light" : "dark") ?? (now === "dark" ? "light" : "dark");
}

function themeButton() {
  return h("button", { type: "button", onclick: toggleTheme, "aria-label": "Dark or light (d)", title: "Dark or light (d)" }, "◐");
}

async function main() {
  const theme = kept("theme");
  if (theme) document.documentElement.dataset.theme = theme;
  try {
    const api = connect();
    const model = await api.ask("open");
    document.title = `${model.name} · scrimp`;
    if (model.comparison) {
      replace(document.getElementById("page"), banner(model, null, themeButton()), h("main", {}, new ComparisonPane(model.comparison).element));
    } else {
      window.scrimp = new App(api, model);
      await window.scrimp.start();
    }
    document.documentElement.dataset.ready = "yes";
  } catch (problem) {
    replace(document.getElementById("page"), h("p", { class: "fault", role: "alert" }, String(problem.message ?? problem)));
    if (!(problem instanceof Problem)) throw problem;
  }
}

main();
