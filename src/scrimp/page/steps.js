// The steps of a walk: as a list, with a lane for each process, or as a message sequence chart.

import { announce, colourOf, count, counted, h, replace, settled, svg } from "./dom.js";
import { VirtualList } from "./list.js";

const CHUNK = 200;
const STEP_VIEWS = { steps: "Steps", lanes: "Lanes", messages: "Messages" };

// The steps of a walk that have been fetched.
class Fetched {
  constructor(read) {
    this.read = read;
    this.items = new Map();
    this.waiting = new Map();
  }

  // Null if all of them are there; otherwise a promise.
  need(first, last) {
    const chunks = [];
    for (let chunk = Math.floor(first / CHUNK); chunk * CHUNK < last; chunk++) {
      const ends = [Math.max(first, chunk * CHUNK), Math.min(last, (chunk + 1) * CHUNK) - 1];
      if (!ends.every((index) => this.items.has(index))) chunks.push(this.chunk(chunk));
    }
    return chunks.length ? Promise.all(chunks) : null;
  }

  chunk(number) {
    if (!this.waiting.has(number)) {
      const first = number * CHUNK;
      const reading = this.read(first, first + CHUNK).then((items) => {
        (items ?? []).forEach((item, offset) => this.items.set(first + offset, item));
        this.waiting.delete(number);
      });
      this.waiting.set(number, reading);
    }
    return this.waiting.get(number);
  }
}

export function movers(step) {
  return [...new Set(step.moves.map((move) => move.process))];
}

// A variable of the process that moves goes without the name of the process.
export function changesOf(step) {
  const own = `${step.moves[0].process}.`;
  return (step.changes ?? []).map(([name, before, after]) =>
    h("span", { class: "change" }, h("span", { class: "name" }, name.startsWith(own) ? name.slice(own.length) : name), " ", h("del", {}, before), " → ", h("ins", {}, after), " "),
  );
}

export function spoken(step) {
  const moves = step.moves.map((move) => `${move.process}: ${move.text}`).join("; with ");
  const changes = (step.changes ?? []).map(([name, before, after]) => `${name} from ${before} to ${after}`);
  return [moves, ...changes, step.fault].filter(Boolean).join(". ");
}

export class StepsPane {
  constructor(app) {
    this.app = app;
    this.view = "steps";
    this.places = null; // of the steps that pass the filter; null: all
    this.steps = new Fetched(() => Promise.resolve([]));
    this.rows = null;
    this.list = new VirtualList({
      label: "Steps",
      draw: (index) => this.row(index),
      choose: (index) => this.choose(index),
      fetch: (first, last) => this.need(first, last),
    });
    this.element = h("section", { class: "pane steps", "aria-label": "Trace" }, this.head(), this.list.element, this.foot());
    app.on("walk", () => this.open());
    app.on("at", () => this.show());
  }

  head() {
    const { app } = this;
    this.walks = h("select", { "aria-label": "Walk", class: "walks", onchange: () => app.go(Number(this.walks.value), null) });
    this.shows = h("p", { class: "shows" });
    this.views = Object.entries(STEP_VIEWS).map(([view, name]) =>
      h("button", { type: "button", "aria-pressed": String(view === this.view), onclick: () => this.setView(view) }, name),
    );
    const search = settled(200, () => this.filter());
    this.text = h("input", { type: "search", id: "filter", placeholder: "Filter text  ( / )", "aria-label": "Filter by text", oninput: search });
    this.process = h("select", { "aria-label": "Filter by process", onchange: () => this.filter() });
    this.variable = h("input", { list: "variables", placeholder: "variable", "aria-label": "Filter by variable", oninput: search });
    this.matches = h("span", { class: "quiet", role: "status" });
    this.lanes = h("div", { class: "lane-names", "aria-hidden": "true" });
    const options = [h("option", { value: "" }, "all processes"), ...app.model.processes.map((name) => h("option", { value: name }, name))];
    replace(this.process, options);
    const variables = h("datalist", { id: "variables" }, app.model.variables.slice(0, 500).map((name) => h("option", { value: name })));
    return h(
      "header",
      {},
      h("div", { class: "bar" }, this.walks, h("span", { class: "segments", role: "group", "aria-label": "View" }, this.views)),
      this.shows,
      h("div", { class: "bar filters" }, this.text, this.process, this.variable, variables, this.matches),
      this.lanes,
    );
  }

  foot() {
    const { app } = this;
    const button = (text, label, go) => h("button", { type: "button", "aria-label": label, title: label, onclick: go }, text);
    this.place = h("span", { class: "place", id: "place" });
    return h(
      "footer",
      { class: "bar" },
      button("⇤", "First state (Home)", () => app.go(app.walk.id, 0)),
      button("←", "Previous step (k)", () => app.step(-1)),
      this.place,
      button("→", "Next step (j)", () => app.step(1)),
      button("⇥", "Last state (End)", () => app.go(app.walk.id, app.walk.length)),
      h("span", { class: "gap" }),
      button("Undo", "Take back the last step (u)", () => app.undo()),
      button("Shortest", "Search for the shortest trace to this state (s)", () => app.shortest()),
      button("Bookmark", "Bookmark this state (b)", () => app.bookmark()),
      button("Link", "Copy the address of this walk (c)", () => app.copyLink()),
    );
  }

  // The walk has changed, or has another length.
  open() {
    const { walk } = this.app;
    const same = this.shown && this.shown.id === walk.id;
    const common = same ? Math.min(this.shown.length, walk.length) : 0;
    const before = same ? this.steps.items : new Map();
    this.steps = new Fetched((first, last) => this.app.ask("steps", { walk: walk.id, first, last }));
    for (const [index, step] of before) if (index < common) this.steps.items.set(index, step);
    this.shown = walk;
    this.measure(walk);
    this.rows = null;
    replace(this.walks, this.app.walks.map((each) => h("option", { value: each.id, selected: each.id === walk.id }, this.title(each))));
    this.walks.value = String(walk.id);
    replace(this.shows, walk.shows ? [h("strong", {}, walk.shows), ` after ${counted(walk.cycle ?? walk.length, "step")}`] : "");
    if (walk.cycle !== null) this.shows.append(`, in a cycle of ${counted(walk.length - walk.cycle, "step")}`);
    for (const note of walk.notes) this.shows.append(h("br"), h("span", { class: "quiet" }, note));
    this.shows.hidden = !walk.shows;
    this.filter();
  }

  // Columns for the numbers and for the names of processes.
  measure(walk) {
    const longest = Math.max(4, ...this.app.model.processes.map((name) => name.length));
    this.element.style.setProperty("--digits", `${Math.max(3, count(walk.length).length + 1) * 0.62}em`);
    this.element.style.setProperty("--names", `${Math.min(18, longest) * 0.62 + 0.4}em`);
  }

  title(walk) {
    const loop = walk.cycle === null ? "" : " ↺";
    return `${walk.name} · ${counted(walk.length, "step")}${loop}`;
  }

  async filter() {
    const wanted = { process: this.process.value, variable: this.variable.value.trim(), text: this.text.value.trim() };
    const walk = this.app.walk.id;
    if (!Object.values(wanted).some(Boolean)) {
      this.places = null;
      this.matches.textContent = "";
    } else {
      this.matches.textContent = "…";
      this.places = (await this.app.ask("filter", { walk, ...wanted })) ?? [];
      this.matches.textContent = counted(this.places.length, "step");
    }
    await this.setView(this.view);
  }

  async setView(view) {
    this.view = view;
    this.views.forEach((button, index) => button.setAttribute("aria-pressed", String(Object.keys(STEP_VIEWS)[index] === view)));
    const walk = this.app.walk;
    if (view === "messages") {
      const read = (first, last) => this.app.ask("rows", { walk: walk.id, first, last });
      const { count: number, processes, rows } = (await read(0, CHUNK)) ?? { count: 0, processes: [], rows: [] };
      this.rows = new Fetched((first, last) => read(first, last).then((found) => found.rows));
      rows.forEach((row, index) => this.rows.items.set(index, row));
      this.rowCount = number;
      this.columns = this.ordered(processes);
    } else {
      this.columns = this.app.model.processes;
    }
    this.width = Math.max(26, Math.min(90, 250 / Math.max(1, this.columns.length)));
    this.names();
    this.list.setCount(this.size());
    this.show();
  }

  ordered(names) {
    const known = this.app.model.processes;
    return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))];
  }

  names() {
    const drawn = this.view !== "steps" && this.columns.length > 0;
    this.lanes.hidden = !drawn;
    if (!drawn) return;
    const { columns, width } = this;
    replace(
      this.lanes,
      columns.map((name) => h("span", { class: colourOf(this.app.model.processes, name), style: { width: `${width}px` }, title: name }, name)),
    );
  }

  // Rows before the first step: the initial state, unless only some steps are shown.
  lead() {
    return this.places || this.view === "messages" ? 0 : 1;
  }

  size() {
    if (this.view === "messages") return this.rowCount;
    if (this.places) return this.places.length;
    return this.app.walk.length + 1 + (this.app.walk.cycle === null ? 0 : 1);
  }

  need(first, last) {
    if (this.view === "messages") return this.rows.need(first, last);
    if (!this.places) return this.steps.need(Math.max(0, first - 1), Math.min(last - 1, this.app.walk.length));
    const wanted = this.places.slice(first, last).filter((place) => !this.steps.items.has(place));
    return wanted.length ? Promise.all([...new Set(wanted.map((place) => Math.floor(place / CHUNK)))].map((chunk) => this.steps.chunk(chunk))) : null;
  }

  // How many steps lead to the state of a row.
  placeOf(index) {
    if (this.view === "messages") return this.rows.items.get(index)?.number ?? this.app.at;
    if (this.places) return this.places[index] + 1;
    return index > this.app.walk.length ? this.app.walk.cycle : index;
  }

  choose(index) {
    this.app.go(this.app.walk.id, this.placeOf(index));
    this.list.element.focus({ preventScroll: true });
  }

  show() {
    const { at, walk } = this.app;
    replace(this.place, "step ", h("b", {}, count(at)), ` of ${count(walk.length)}`);
    let index = at;
    if (this.places) index = this.places.indexOf(at - 1);
    else if (this.view === "messages") index = this.near(at);
    this.list.select(index);
    const step = this.steps.items.get(at - 1);
    if (step) announce(`step ${at}: ${spoken(step)}`);
  }

  near(at) {
    for (const [index, row] of this.rows.items) if (row.number === at) return index;
    return -1;
  }

  row(index) {
    if (this.view === "messages") return this.message(index);
    const { walk, at } = this.app;
    const place = this.placeOf(index);
    const classes = ["row", place === at ? "current" : ""];
    if (!this.places && walk.cycle !== null) {
      if (index > walk.length) return this.loop(classes);
      if (index > walk.cycle) classes.push("looping");
      if (index === walk.cycle + 1) classes.push("loop-first");
    }
    if (place === 0) return h("div", { class: classes.join(" ") }, h("span", { class: "number" }, "0"), h("span", { class: "text quiet" }, "initial state"));
    const step = this.steps.items.get(place - 1);
    if (!step) return h("div", { class: "row" }, h("span", { class: "number" }, count(place)), h("span", { class: "quiet" }, "…"));
    if (step.fault) classes.push("wrong");
    if (step.transient) classes.push("transient");
    return h("div", { class: classes.join(" ") }, h("span", { class: "number" }, count(place)), this.body(step));
  }

  loop(classes) {
    const { cycle, length } = this.app.walk;
    const text = cycle === length ? "this state repeats forever" : `back to step ${count(cycle)}, forever`;
    return h("div", { class: [...classes.slice(0, 1), "looping", "loop-last"].join(" ") }, h("span", { class: "number" }, "↺"), h("span", { class: "text" }, text));
  }

  body(step) {
    const known = this.app.model.processes;
    const text = h("span", { class: "text", title: step.moves.map((move) => move.text).join("\n") }, step.moves[0].text);
    const changes = h("span", { class: "changes" }, changesOf(step));
    const fault = step.fault && h("span", { class: "fault" }, step.fault);
    if (this.view === "lanes" && this.columns.length) return [this.dots(movers(step)), text, changes, fault];
    const who = movers(step).map((name, place) => [place ? " + " : "", h("span", { class: colourOf(known, name) }, name)]);
    return [known.length ? h("span", { class: "who" }, who) : null, text, changes, fault];
  }

  dots(names) {
    const { columns, width } = this;
    const places = names.map((name) => (columns.indexOf(name) + 0.5) * width);
    const high = this.list.height();
    const lines = columns.map((_, place) => svg("line", { x1: (place + 0.5) * width, x2: (place + 0.5) * width, y1: 0, y2: high, class: "life" }));
    const meeting = places.length > 1 && svg("line", { x1: Math.min(...places), x2: Math.max(...places), y1: high / 2, y2: high / 2, class: "meeting" });
    const dots = names.map((name, place) => svg("circle", { cx: places[place], cy: high / 2, r: 5, class: `dot ${colourOf(this.app.model.processes, name)}` }));
    return svg("svg", { class: "lanes", width: columns.length * width, height: high, role: "img", "aria-label": names.join(" with ") }, lines, meeting, dots);
  }

  message(index) {
    const row = this.rows.items.get(index);
    if (!row) return h("div", { class: "row" }, h("span", { class: "quiet" }, "…"));
    const { cycle } = this.app.walk;
    const classes = ["row", "message", row.number === this.app.at ? "current" : "", row.wrong ? "wrong" : ""];
    if (cycle !== null && row.number > cycle) classes.push("looping");
    return h(
      "div",
      { class: classes.join(" ") },
      h("span", { class: "number" }, count(row.number)),
      this.arrow(row),
      h("span", { class: "text" }, row.label),
      row.wrong && h("span", { class: "fault" }, row.wrong),
    );
  }

  arrow(row) {
    const { columns, width } = this;
    const high = this.list.height();
    const middle = high / 2;
    const place = (name) => (columns.indexOf(name) + 0.5) * width;
    const drawn = columns.map((_, number) => svg("line", { x1: (number + 0.5) * width, x2: (number + 0.5) * width, y1: 0, y2: high, class: "life" }));
    const style = `arrow${row.buffered ? " buffered" : ""}`;
    if (row.source && row.target && row.source !== row.target) {
      const [from, to] = [place(row.source), place(row.target)];
      const back = from < to ? -7 : 7;
      drawn.push(svg("line", { x1: from, x2: to + back, y1: middle, y2: middle, class: style }));
      drawn.push(svg("path", { d: `M${to},${middle}l${back},-4.5v9z`, class: "head" }));
    } else if (row.source && row.buffered) {
      drawn.push(svg("line", { x1: place(row.source), x2: place(row.source) + width / 2 - 4, y1: middle, y2: middle, class: style }));
      drawn.push(svg("circle", { cx: place(row.source) + width / 2 - 4, cy: middle, r: 3, class: "head" }));
    } else {
      drawn.push(svg("circle", { cx: place(row.target ?? row.source), cy: middle, r: 4, class: row.wrong || row.ends ? "end" : "head" }));
    }
    const words = row.target ? `${row.source ?? "a channel"} to ${row.target}` : row.source;
    return svg("svg", { class: "lanes", width: columns.length * width, height: high, role: "img", "aria-label": words }, drawn);
  }
}
