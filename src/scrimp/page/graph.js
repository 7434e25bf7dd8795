// The neighbourhood of the current state as a graph: columns by distance, edges along events.

import { counted, h, replace, svg } from "./dom.js";

const LINES = 5;
const NODE = { width: 208, gapX: 72, gapY: 14, line: 15 };

export class GraphPane {
  constructor(app) {
    this.app = app;
    this.radius = h("input", { type: "range", min: 1, max: 12, value: 2, "aria-label": "Steps around the state", oninput: () => this.draw() });
    this.steps = h("span", { class: "quiet" });
    this.note = h("p", { class: "note", role: "status", id: "graph-note" });
    this.by = h("details", { class: "by" }, h("summary", {}, "Group by …"), h("div", { class: "checks" }));
    this.canvas = h("div", { class: "scroll canvas", tabindex: 0, role: "region", "aria-label": "Graph" });
    const bar = h("div", { class: "bar" }, h("label", {}, "within ", this.radius), this.steps, this.by);
    this.element = h("section", { class: "pane", "aria-label": "Graph" }, h("header", {}, h("h2", {}, "Neighbourhood"), bar, this.note), this.canvas);
    this.chosen = [];
    app.on("at", () => this.app.view === "graph" && this.draw());
    app.on("view", () => this.app.view === "graph" && this.draw());
  }

  async draw() {
    const radius = Number(this.radius.value);
    this.steps.textContent = counted(radius, "step");
    const { walk, at } = this.app;
    const graph = await this.app.ask("graph", { walk: walk.id, at, radius, by: this.chosen }, this.canvas);
    if (!graph || at !== this.app.at || radius !== Number(this.radius.value)) return;
    this.note.textContent = graph.note;
    this.choices(graph);
    replace(this.canvas, this.picture(graph));
    this.canvas.scrollTop = Math.max(0, (this.canvas.scrollHeight - this.canvas.clientHeight) / 2);
  }

  choices(graph) {
    const check = (name) => {
      const box = h("input", { type: "checkbox", checked: this.chosen.includes(name) });
      box.addEventListener("change", () => {
        this.chosen = box.checked ? [...this.chosen, name] : this.chosen.filter((each) => each !== name);
        this.draw();
      });
      return h("label", {}, box, ` ${name}`);
    };
    replace(this.by.lastChild, graph.names.slice(0, 60).map(check));
  }

  // Places nodes in columns by distance; within a column, near the nodes that lead to them.
  placed(graph) {
    const columns = [];
    graph.nodes.forEach((node, number) => (columns[node.distance] ??= []).push(number));
    const before = graph.nodes.map(() => []);
    for (const [source, target] of graph.edges) if (source !== target) before[target].push(source);
    const places = [];
    columns.forEach((column, distance) => {
      const rank = (number) => {
        const known = before[number].filter((each) => places[each]).map((each) => places[each].y);
        return known.length ? known.reduce((sum, each) => sum + each, 0) / known.length : 0;
      };
      const ranked = column.map((number) => [rank(number), number]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      let y = 0;
      for (const [, number] of ranked) {
        const lines = this.lines(graph.nodes[number]).length;
        const height = 12 + NODE.line * Math.max(1, lines);
        places[number] = { x: distance * (NODE.width + NODE.gapX), y, height };
        y += height + NODE.gapY;
      }
    });
    const tall = Math.max(...places.map((place) => place.y + place.height));
    columns.forEach((column) => {
      const last = Math.max(...column.map((number) => places[number].y + places[number].height));
      for (const number of column) places[number].y += (tall - last) / 2;
    });
    return { places, wide: columns.length * (NODE.width + NODE.gapX) - NODE.gapX, tall };
  }

  picture(graph) {
    if (!graph.nodes.length) return h("p", { class: "quiet" }, graph.note);
    const { places, wide, tall } = this.placed(graph);
    const edges = graph.edges.map(([source, target, labels]) => this.edge(places[source], places[target], labels, source === target));
    const nodes = graph.nodes.map((node, number) => this.node(node, places[number], number));
    const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0,0L8,4L0,8z" }));
    const margin = 40;
    const box = `${-margin / 2} ${-margin} ${wide + margin} ${tall + 2 * margin}`;
    return svg("svg", { viewBox: box, width: wide + margin, height: tall + 2 * margin, class: "graph" }, svg("defs", {}, arrow), edges, nodes);
  }

  edge(from, to, labels, loops) {
    const title = svg("title", {}, labels.join("\n"));
    const start = { x: from.x + NODE.width, y: from.y + from.height / 2 };
    if (loops) {
      const x = from.x + NODE.width / 2;
      return svg("path", { d: `M${x - 12},${from.y}c-6,-22 30,-22 24,0`, class: "edge" }, title);
    }
    if (to.x > from.x) {
      const end = { x: to.x, y: to.y + to.height / 2 };
      const bend = (end.x - start.x) / 2;
      return svg("path", { d: `M${start.x},${start.y}C${start.x + bend},${start.y} ${end.x - bend},${end.y} ${end.x},${end.y}`, class: "edge" }, title);
    }
    // Back, or within a column: around the right side.
    const end = { x: to.x + NODE.width, y: to.y + to.height / 2 + 6 };
    const out = Math.max(start.x, end.x) + 34;
    return svg("path", { d: `M${start.x},${start.y + 4}C${out},${start.y} ${out},${end.y} ${end.x},${end.y}`, class: "edge back" }, title);
  }

  node(node, place, number) {
    const rows = this.lines(node).map(([text, style], line) => this.text(text, line, style));
    const label = node.rows.map(([name, value]) => `${name} ${value}`).join(", ");
    const more = node.rows.length > LINES ? `, and ${node.rows.length - LINES} more` : "";
    const go = () => this.app.jump(node.path);
    return svg(
      "g",
      {
        class: `graph-node ${node.kind}${number === 0 ? " centre" : ""}`,
        transform: `translate(${place.x} ${place.y})`,
        tabindex: 0,
        role: "button",
        "aria-label": `${number === 0 ? "the current state" : `${counted(node.path.length, "step")} away`}: ${label}${more}`,
        onclick: go,
        onkeydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), go()),
      },
      svg("title", {}, `${node.kind === "state" ? "" : `${node.kind}\n`}${node.rows.map(([name, value]) => `${name}: ${value}`).join("\n")}`),
      svg("rect", { width: NODE.width, height: place.height, rx: 5 }),
      rows,
    );
  }

  // What is written into a node, with styles: the event that leads there, and what is different there.
  lines(node) {
    const rows = node.rows.slice(0, LINES).map(([name, value]) => [`${name} ${value}`, ""]);
    const head = node.path.length ? [[node.via, "via"]] : [["here", "via"]];
    return [...head, ...rows, ...(node.states > 1 ? [[counted(node.states, "state"), "quiet"]] : [])];
  }

  text(text, line, style) {
    const shown = text.length > 28 ? `${text.slice(0, 27)}…` : text;
    return svg("text", { x: 8, y: 17 + line * NODE.line, class: style }, shown);
  }
}
