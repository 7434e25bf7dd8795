// Messages to the session: to the server of the page or, in a saved page, to the data inside it.

import { counted } from "./dom.js";

export class Problem extends Error {}

export function connect() {
  const inside = document.getElementById("data");
  return inside ? new Saved(JSON.parse(inside.textContent)) : new Served();
}

class Served {
  constructor() {
    this.saved = false;
  }

  async ask(verb, message = {}) {
    let response;
    try {
      response = await fetch(verb, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(message),
      });
    } catch {
      throw new Problem("the page's server has ended; start scrimp view again");
    }
    if (!response.ok) throw new Problem(`refused: ${await response.text()}`);
    const { answer, problem } = await response.json();
    if (problem !== undefined) throw new Problem(problem);
    return answer;
  }
}

const ONLY_SERVED = "a saved page cannot do this; open the model with scrimp view";

// A saved page knows the steps of its walks and, around them, some states with their events: `nodes` by number, each
// with its state and, for each of its events, the number of the node that it leads to, or null.
class Saved {
  constructor(data) {
    this.saved = true;
    this.data = data;
    this.walks = data.walks;
  }

  async ask(verb, message = {}) {
    const answer = this[verb];
    if (typeof answer !== "function" || verb === "constructor" || verb === "ask") throw new Problem(ONLY_SERVED);
    return answer.call(this, message);
  }

  open() {
    return { ...this.data.open, walks: this.walks.map((walk) => walk.record) };
  }

  steps({ walk, first, last }) {
    return this.walks[walk].steps.slice(first, last);
  }

  state({ walk, at, watch }) {
    const { nodes } = this.walks[walk];
    const node = this.data.nodes[nodes[at]];
    const values = (watch ?? []).map((text) => ({ text, problem: ONLY_SERVED }));
    if (!node) return { groups: this.replayed(walk, at), events: [], ending: "", holder: "", watch: values, partial: true };
    return { ...node.state, watch: values };
  }

  // The state after some steps, from the changes of the steps before.
  replayed(walk, at) {
    const groups = structuredClone(this.data.nodes[this.walks[walk].nodes[0]]?.state.groups ?? []);
    const rows = new Map(groups.flatMap((group) => group.rows.map((row) => [row[0], row])));
    for (const step of this.walks[walk].steps.slice(0, at)) {
      for (const [name, , value] of step.changes ?? []) if (rows.has(name)) rows.get(name)[1] = value;
      for (const move of step.moves) {
        const group = groups.find((each) => each.name === move.process);
        if (group && move.to) group.place = move.to;
      }
    }
    return groups;
  }

  rows({ walk, first, last }) {
    const { rows, processes } = this.walks[walk];
    return { count: rows.length, processes, rows: rows.slice(first, last) };
  }

  filter({ walk, process, variable, text }) {
    const found = [];
    const is = (name) => name === variable || name.startsWith(`${variable}[`) || name.startsWith(`${variable}.`);
    this.walks[walk].steps.forEach((step, place) => {
      const changes = step.changes ?? [];
      if (process && !step.moves.some((move) => move.process === process)) return;
      if (variable && !changes.some((change) => is(change[0]))) return;
      const moves = step.moves.map((move) => `${move.process} ${move.text} ${move.line}`);
      const all = [...moves, ...changes.map((change) => change.join(" ")), step.fault ?? ""].join(" ").toLowerCase();
      if (!text || all.includes(text.toLowerCase())) found.push(place);
    });
    return found;
  }

  take({ walk, at, events }) {
    let whole = this.walks[walk];
    if (whole.record.kind !== "walk" || at !== whole.record.length) whole = this.branch(whole, at);
    for (const event of events) {
      const node = this.data.nodes[whole.nodes.at(-1)];
      const place = node ? node.state.events.findIndex((each) => each.event === event) : -1;
      const target = place < 0 ? null : node.targets[place];
      if (target === null || target === undefined) throw new Problem("the saved page ends here; open the model with scrimp view");
      whole.steps.push(node.state.events[place]);
      whole.nodes.push(target);
      whole.places.push(place + 1);
      whole.record = { ...whole.record, length: whole.steps.length };
    }
    return whole.record;
  }

  branch(whole, at) {
    const number = this.walks.length;
    const mine = this.walks.filter((walk) => walk.record.kind === "walk").length;
    const record = { id: number, name: `walk ${mine + 1}`, kind: "walk", length: at, cycle: null, shows: "", formula: "", notes: [] };
    const parts = { steps: whole.steps.slice(0, at), nodes: whole.nodes.slice(0, at + 1), places: whole.places.slice(0, at) };
    const made = { record, ...parts, rows: [], processes: [] };
    this.walks.push(made);
    return made;
  }

  undo({ walk }) {
    const whole = this.walks[walk];
    for (const list of [whole.steps, whole.places]) list.pop();
    whole.nodes.length = whole.steps.length + 1;
    whole.record = { ...whole.record, length: whole.steps.length };
    return whole.record;
  }

  address({ walk, at }) {
    const { places } = this.walks[walk];
    return { hash: this.data.open.hash, address: places.length >= at ? places.slice(0, at).join(".") : null };
  }

  walk({ address }) {
    const start = this.branch(this.walks[0], 0);
    for (const place of address.split(".").filter(Boolean).map(Number)) {
      const event = this.data.nodes[start.nodes.at(-1)]?.state.events[place - 1];
      if (!event) throw new Problem(`the address leads out of the saved page after ${counted(start.steps.length, "step")}`);
      this.take({ walk: start.record.id, at: start.steps.length, events: [event.event] });
    }
    return start.record;
  }

  graph({ walk, at }) {
    const graph = this.data.graphs[`${walk}:${at}`];
    if (!graph) throw new Problem("the saved page has graphs only for the first states of its walks");
    return graph;
  }

  explain({ walk, at, text }) {
    const tree = this.data.trees[`${walk}:${at}:${text}`];
    if (!tree) throw new Problem("the saved page has trees only for the formulas of its traces, at their first step");
    return tree;
  }

  jobs() {
    return { jobs: this.data.open.jobs, walks: this.walks.map((walk) => walk.record) };
  }
}
