// The current state as a table, its events as buttons, watched expressions, and random runs.

import { colourOf, counted, h, replace } from "./dom.js";
import { changesOf, movers } from "./steps.js";

export class StatePane {
  constructor(app) {
    this.app = app;
    this.table = h("div", { class: "tables scroll" });
    this.events = h("div", { class: "events" });
    const doing = h("div", { class: "scroll doing" }, this.events, this.watches(), this.running());
    this.element = h("section", { class: "pane state", "aria-label": "State" }, h("header", {}, h("h2", {}, "State")), this.table, doing);
    app.on("state", () => this.show());
    app.on("at", () => this.wait());
  }

  // The events on show are those of another state: none of them can be taken.
  wait() {
    this.element.classList.add("waiting");
    for (const button of this.events.querySelectorAll(".choice")) button.disabled = true;
  }

  watches() {
    this.watching = h("div", {});
    const input = h("input", { placeholder: "watch an expression", "aria-label": "Expression to watch", id: "watch" });
    const add = (event) => {
      event.preventDefault();
      if (input.value.trim()) this.app.addWatch(input.value.trim());
      input.value = "";
    };
    const form = h("form", { class: "bar", onsubmit: add }, input, h("button", {}, "Watch"));
    return h("section", { class: "group", "aria-label": "Watched expressions" }, this.watching, this.app.api.saved ? null : form);
  }

  running() {
    if (this.app.api.saved) return null;
    const steps = h("input", { type: "number", min: 1, max: 100000, value: 10, "aria-label": "Number of random steps" });
    const until = h("input", { placeholder: "until a condition holds", "aria-label": "Condition that ends the run" });
    const run = (event) => {
      event.preventDefault();
      this.app.run(Number(steps.value), until.value.trim());
    };
    return h(
      "section",
      { class: "group", "aria-label": "Random run" },
      h("h3", {}, "Run at random"),
      h("form", { class: "bar", onsubmit: run }, steps, " steps ", until, h("button", {}, "Run")),
    );
  }

  show() {
    const { state, before } = this.app;
    this.element.classList.remove("waiting");
    const old = new Map((before?.groups ?? []).flatMap((group) => group.rows.map((row) => [row[0], row[1]])));
    const places = new Map((before?.groups ?? []).map((group) => [group.name, group.place]));
    const warnings = (state.violated ?? []).map((name) => h("p", { class: "violated" }, h("b", {}, "violated: "), name));
    const held = state.holder && h("p", { class: "quiet" }, `in an atomic sequence: ${state.holder} continues alone`);
    replace(this.table, warnings, held, state.groups.map((group) => this.group(group, old, places, before)));
    replace(this.watching, state.watch.map((each) => this.watched(each)));
    replace(this.events, this.choices(state));
  }

  group(group, old, places, before) {
    const moved = before && group.place !== undefined && places.get(group.name) !== group.place;
    const known = this.app.model.processes;
    const name = h("span", { class: known.includes(group.name) ? colourOf(known, group.name) : "" }, group.name);
    const place = group.place && h("span", { class: `location${moved ? " changed" : ""}`, title: moved ? `was at ${places.get(group.name) ?? "nothing"}` : "" }, group.place);
    const rows = group.rows.map(([variable, value, length]) => {
      const changed = before && old.get(variable) !== value;
      const shown = [h("span", {}, value), length > 0 && h("span", { class: "quiet" }, `  ${counted(length, "message")}`)];
      const was = changed && h("span", { class: "was", title: "before this step" }, old.get(variable) ?? "–");
      return h("tr", { class: changed ? "changed" : "" }, h("th", { scope: "row" }, this.short(variable, group.name)), h("td", {}, shown, was));
    });
    const caption = h("h3", {}, name, place && [h("span", { class: "quiet" }, " at "), place]);
    return h("section", { class: "group" }, caption, rows.length ? h("table", { "aria-label": group.name }, h("tbody", {}, rows)) : null);
  }

  // A variable of a process without the name of the process.
  short(variable, group) {
    return variable.startsWith(`${group}.`) ? variable.slice(group.length + 1) : variable;
  }

  watched({ text, value, problem }) {
    const remove = h("button", { type: "button", class: "plain", "aria-label": `Stop watching ${text}`, onclick: () => this.app.removeWatch(text) }, "×");
    const shown = problem ? h("span", { class: "fault" }, problem) : h("b", {}, value);
    return h("p", { class: "watched" }, h("code", {}, text), " = ", shown, " ", remove);
  }

  choices(state) {
    const { app } = this;
    const heading = h("h3", {}, state.events.length ? `${counted(state.events.length + (state.more ?? 0), "enabled event")}` : "No enabled event");
    const buttons = state.events.map((event, index) => this.choice(event, index));
    const taken = app.at < app.walk.length && h("p", { class: "quiet" }, "The marked event is the next step; any other begins a branch.");
    const rest = state.more > 0 && h("p", { class: "quiet" }, `${counted(state.more, "more event")} not shown`);
    const ending = state.ending && h("p", { class: state.ending.startsWith("a valid") ? "quiet" : "violated" }, state.ending);
    const partial = state.partial && h("p", { class: "quiet" }, "The saved page has no events for this state.");
    return [heading, ending, partial, h("div", { class: "choices", role: "group", "aria-label": "Enabled events" }, buttons), taken, rest];
  }

  choice(event, index) {
    const known = this.app.model.processes;
    const who = movers(event).map((name, place) => [place ? " + " : "", h("span", { class: colourOf(known, name) }, name)]);
    return h(
      "button",
      { type: "button", class: `choice${event.fault ? " wrong" : ""}${event.event === this.app.state.next ? " next" : ""}`, "data-event": event.event, onclick: () => this.app.take(event.event) },
      h("kbd", {}, String(index + 1)),
      h("span", { class: "what" }, known.length ? h("span", { class: "who" }, who) : null, " ", h("span", { class: "text" }, event.moves[0].text)),
      h("span", { class: "changes" }, changesOf(event), event.fault && h("span", { class: "fault" }, event.fault)),
    );
  }
}
