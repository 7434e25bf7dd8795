// Questions about the model, and the searches that answer them: levels, memory and verdicts.

import { bars, plot } from "./charts.js";
import { amount, announce, count, counted, h, replace } from "./dom.js";

const POLL = 300;
const QUESTIONS = [
  ["check", "Everything that the model states"],
  ["invariant", "Always (an invariant)"],
  ["reach", "Reachable"],
  ["ltl", "LTL formula, on all runs"],
  ["explore", "Count all states"],
];

export class SearchesPane {
  constructor(app) {
    this.app = app;
    this.results = h("div", { class: "scroll results" });
    this.drawn = new Map();
    this.asked = new Set(); // searches that were begun here and have not been seen to end
    const asking = app.api.saved ? null : this.form();
    this.element = h("section", { class: "pane searches", "aria-label": "Searches" }, h("header", {}, h("h2", {}, "Questions and searches"), asking), this.results);
    this.show(app.model.jobs);
    if (app.model.jobs.some((job) => job.status === "running")) this.poll();
  }

  form() {
    this.kind = h("select", { "aria-label": "Question", id: "question", onchange: () => this.adapt() }, QUESTIONS.map(([value, text]) => h("option", { value }, text)));
    this.text = h("input", { placeholder: "expression or formula", "aria-label": "Expression or formula", id: "asked", list: "formulas" });
    this.method = h("input", { placeholder: "automatic", "aria-label": "Method", title: "order/store/reduction, such as dfs/full/sleep" });
    this.memory = h("input", { placeholder: "80%", "aria-label": "Memory limit", size: 5 });
    this.time = h("input", { placeholder: "none", "aria-label": "Time limit", size: 5 });
    this.fair = h("select", { "aria-label": "Fairness" }, ["", "weak", "strong"].map((value) => h("option", { value }, value || "no fairness")));
    const more = h(
      "details",
      { class: "settings" },
      h("summary", {}, "Settings"),
      h("div", { class: "bar" }, h("label", {}, "method ", this.method), h("label", {}, "memory ", this.memory), h("label", {}, "time ", this.time)),
    );
    const ask = (event) => {
      event.preventDefault();
      this.ask();
    };
    const form = h("form", { class: "bar", onsubmit: ask }, this.kind, this.text, this.fair, h("button", { class: "main" }, "Search"));
    this.adapt();
    return [form, more];
  }

  adapt() {
    const needs = ["invariant", "reach", "ltl"].includes(this.kind.value);
    this.text.hidden = !needs;
    this.fair.hidden = this.kind.value !== "ltl" || !this.app.model.fairness;
  }

  async ask() {
    const [kind, text] = [this.kind.value, this.text.hidden ? "" : this.text.value.trim()];
    const fair = this.fair.hidden ? "" : this.fair.value;
    const settings = { method: this.method.value.trim(), memory: this.memory.value.trim(), time: this.time.value.trim() };
    const job = await this.app.ask("ask", { kind, text, fair, ...settings }, this.results);
    if (job) this.follow(job);
  }

  // Watch a search that was begun just now; it may have ended already, and even have been drawn.
  follow(job) {
    this.asked.add(job.id);
    this.poll();
  }

  // Ask how the searches are until all have ended.
  async poll() {
    this.again = true; // a search may begin while the last answer is on its way
    if (this.polling) return;
    this.polling = true;
    for (;;) {
      this.again = false;
      const answer = await this.app.ask("jobs");
      if (!answer) break;
      this.app.setWalks(answer.walks);
      this.show(answer.jobs);
      if (!this.again && !answer.jobs.some((job) => job.status === "running")) break;
      await new Promise((done) => setTimeout(done, POLL));
    }
    this.polling = false;
  }

  show(jobs) {
    if (!jobs.length) {
      replace(this.results, h("p", { class: "quiet" }, "No search yet. Ask a question above; its search, its verdict and its traces appear here."));
      return;
    }
    const cards = [...jobs].reverse().map((job) => this.card(job));
    if (this.results.children.length !== cards.length || this.results.firstChild !== cards[0]) replace(this.results, cards);
  }

  // The element stays while its search runs, so that the focus stays where it is.
  card(job) {
    const card = this.drawn.get(job.id) ?? this.newCard(job);
    const asked = this.asked.has(job.id);
    const version = `${job.status} ${job.samples.length} ${job.samples.at(-1)?.[0]} ${asked}`;
    if (card.version === version) return card.element;
    const running = job.status === "running";
    const seen = card.version && !card.running; // its end was noticed before
    const now = asked || card.running;
    this.tellChanges(card, job);
    Object.assign(card, { version, running });
    this.drawCard(card, job);
    if (!running && (now || !seen)) this.ended(job, now);
    return card.element;
  }

  newCard(job) {
    const verdict = h("span", { class: "verdict" });
    const stop = h("button", { type: "button", onclick: () => this.app.ask("stop", { job: job.id }) }, "Stop");
    const body = h("div", {});
    const element = h("article", { class: "card", "data-job": job.id }, h("h3", {}, verdict, " ", h("span", {}, job.title), " ", stop), body);
    const card = { element, verdict, stop, body, changes: 0 };
    this.drawn.set(job.id, card);
    return card;
  }

  tellChanges(card, job) {
    const all = job.live?.changes ?? [];
    for (const [name, states] of all.slice(card.changes)) announce(`${job.title}: ${name} after ${counted(states, "state")}`);
    card.changes = Math.max(card.changes, all.length);
  }

  ended(job, now) {
    const { result } = job;
    this.asked.delete(job.id);
    if (result?.covered) this.app.setCoverage(job);
    if (now) announce(result ? `${job.title}: ${result.verdict}, ${result.reason}` : `${job.title}: ${job.message}`);
    if (now && job.walks.length && job.title.startsWith("shortest")) this.app.go(job.walks[0], null, "walk");
  }

  drawCard(card, job) {
    const { result } = job;
    const word = result ? result.verdict : job.status === "done" ? "FOUND" : job.status.toUpperCase();
    const kind = { PROVED: "good", EXPLORED: "good", FOUND: "good", REFUTED: "bad", RUNNING: "busy" }[word] ?? "open";
    card.element.dataset.status = job.status;
    card.verdict.className = `verdict ${kind}`;
    card.verdict.textContent = word;
    card.stop.hidden = !card.running;
    replace(card.body, [
      job.message && h("p", { class: "fault" }, job.message),
      result && h("p", {}, result.reason),
      this.traces(job),
      card.running && this.now(job),
      this.changes((result ?? job.live)?.changes ?? []),
      h("div", { class: "plots" }, this.curves(job), result ? this.levels(result) : this.levelsSoFar(job.live), result ? this.memory_(result) : this.memoryNow(job.live)),
      result && this.details(result),
    ]);
  }

  traces(job) {
    if (!job.walks.length) return null;
    const open = (walk) => h("button", { type: "button", class: "main", "data-walk": walk.id, onclick: () => this.app.go(walk.id, null, "walk") }, `Open: ${walk.name} (${counted(walk.length, "step")}${walk.cycle === null ? "" : ", loop"})`);
    return h("p", { class: "bar" }, job.walks.map((id) => this.app.walks.find((walk) => walk.id === id)).filter(Boolean).map(open));
  }

  now(job) {
    const last = job.samples.at(-1);
    if (!last) return h("p", { class: "quiet" }, "compiling …");
    const [seconds, states, transitions, depth, frontier, bytes] = last;
    const rate = seconds > 0 ? `${count(Math.round(states / seconds))} states per second` : "";
    const parts = [`${seconds.toFixed(1)} s`, counted(states, "state"), counted(transitions, "transition"), rate, `depth ${count(depth)}`, `${count(frontier)} waiting`, amount(bytes)];
    const forecast = job.live?.summary ?? [];
    return [
      h("p", { class: "quiet now" }, parts.join(" · ")),
      forecast.length > 0 && h("p", { class: "forecast", title: "From the shape of the levels so far; right in about nine cases of ten" }, forecast.join(" · ")),
    ];
  }

  changes(all) {
    return all.length > 0 && h("ul", { class: "representation", "aria-label": "Changes of representation" }, all.map(([name, states]) => h("li", {}, `${name} after ${counted(states, "state")}`)));
  }

  curves(job) {
    if (job.samples.length < 2) return null;
    const points = (column) => job.samples.map((sample) => [sample[0], sample[column]]);
    const common = { xLabel: "seconds", xUnit: (value) => String(Math.round(value * 10) / 10) };
    return [
      plot({ title: "States while searching", series: [{ name: "states", points: points(1), area: true }, { name: "waiting", points: points(4) }], ...common }),
      plot({ title: "Level, or length of the path, while searching", series: [{ name: "level", points: points(3) }], ...common }),
      plot({ title: "Memory while searching", series: [{ name: "engine", points: points(5), area: true }], unit: amount, ...common }),
    ];
  }

  levels(result) {
    if (result.levels.length < 2) return null;
    const points = (column) => result.levels.map((level) => [level[0], level[column]]);
    return plot({
      title: `${counted(result.level_count, "level")} of the search`,
      series: [{ name: "states", points: points(1), area: true }, { name: "transitions", points: points(2) }],
      xLabel: "level",
    });
  }

  levelsSoFar(live) {
    if (!live || live.levels.length < 2) return null;
    const points = (column) => live.levels.map((level) => [level[0], level[column]]);
    const width = live.level_width === 1 ? "" : `, ${live.level_width} at a time`;
    return plot({
      title: `Levels so far${width}`,
      series: [{ name: "states", points: points(1), area: true }, { name: "transitions", points: points(2) }],
      xLabel: "level",
    });
  }

  memoryNow(live) {
    if (!live || !live.parts.length) return null;
    const rows = live.disk ? [...live.parts, ["on disk", live.disk]] : live.parts;
    return bars({ title: `Memory by part now, ${amount(live.held)} in all`, rows, unit: amount });
  }

  memory_(result) {
    return result.parts.length ? bars({ title: `Memory by part, at most ${amount(result.peak)} at once`, rows: result.parts, unit: amount }) : null;
  }

  details(result) {
    const row = ([name, text]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, text));
    return h(
      "details",
      {},
      h("summary", {}, "All properties and numbers"),
      h("table", { class: "numbers" }, h("tbody", {}, result.properties.map(row), result.left_out.map(([text, reason]) => row([text, `not checked: ${reason}`])), row(["strategy", result.strategy]), result.numbers.map(row))),
    );
  }
}
