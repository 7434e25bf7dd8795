// The comparison of `scrimp bench`: each point is one method on one model, and says which.

import { amount, count, h, replace, svg } from "./dom.js";

const WIDE = 860;
const HIGH = 380;
const BOX = { left: 90, right: 34, top: 28, bottom: 46 };
const SHAPES = ["M-4.5,0a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0", "M-4,-4h8v8h-8z", "M0,-5L4.8,4H-4.8z", "M0,-5.5L5.5,0L0,5.5L-5.5,0z"];

function duration(seconds) {
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  return seconds < 1 ? `${(seconds * 1000).toPrecision(3)} ms` : `${seconds.toPrecision(3)} s`;
}

// A logarithmic axis between round numbers: powers of two for memory, 1, 2 and 5 times powers of ten otherwise.
function logarithmic(values, low, high, binary = false) {
  const round = [];
  for (let power = binary ? 10 : -6; power < (binary ? 50 : 7); power++) round.push(...(binary ? [2 ** power] : [1, 2, 5].map((factor) => Number(`${factor}e${power}`))));
  const least = round.filter((value) => value <= Math.max(round[0], Math.min(...values))).at(-1);
  const most = round.find((value) => value >= Math.max(...values) && value > least) ?? round.at(-1);
  const place = (value) => low + (Math.log(Math.max(value, least) / least) / Math.log(most / least)) * (high - low);
  const within = round.filter((value) => value >= least && value <= most);
  const stride = Math.ceil(within.length / 9);
  return { place, ticks: within.filter((_, number) => number % stride === 0) };
}

export class ComparisonPane {
  constructor(report) {
    this.report = report;
    this.done = report.cells.filter((cell) => cell.status === "complete" && cell.seconds !== null);
    this.methods = [...new Set(report.cells.map((cell) => cell.method))];
    this.hidden = new Set();
    this.plot = h("div", { class: "scroll" });
    this.said = h("p", { class: "note", role: "status", id: "point" }, "Choose a point to see what it stands for.");
    const settings = Object.entries(report.settings).map(([name, value]) => `${name} ${value}`).join(" · ");
    const head = h("header", {}, h("h2", {}, "Comparison of methods"), h("p", { class: "quiet" }, settings), this.legend());
    this.element = h("section", { class: "pane comparison", "aria-label": "Comparison" }, head, h("div", { class: "scroll" }, this.plot, this.said, this.table()));
    this.draw();
  }

  colour(method) {
    return `colour-${this.methods.indexOf(method) % 8}`;
  }

  mark(method, attributes = {}, ...children) {
    const shape = SHAPES[Math.floor(this.methods.indexOf(method) / 8) % SHAPES.length];
    return svg("path", { d: shape, class: `point ${this.colour(method)}`, ...attributes }, ...children);
  }

  legend() {
    const key = (method) => {
      const box = h("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        if (box.checked) this.hidden.delete(method);
        else this.hidden.add(method);
        this.draw();
      });
      return h("label", { class: "key" }, box, svg("svg", { viewBox: "-7 -7 14 14", width: 14, height: 14, "aria-hidden": "true" }, this.mark(method)), ` ${method}`);
    };
    return h("div", { class: "keys", role: "group", "aria-label": "Methods" }, this.methods.map(key));
  }

  words(cell) {
    const parts = [cell.model.split("/").at(-1), cell.method, `${count(cell.states)} states`, duration(cell.seconds), amount(cell.rss_peak)];
    return `${parts.join(" · ")}${cell.note ? ` — ${cell.note}` : ""}`;
  }

  draw() {
    const shown = this.done.filter((cell) => !this.hidden.has(cell.method));
    if (!shown.length) {
      replace(this.plot, h("p", { class: "quiet" }, "Nothing to plot: no run of these methods is complete."));
      return;
    }
    const x = logarithmic(shown.map((cell) => cell.seconds), BOX.left, WIDE - BOX.right);
    const y = logarithmic(shown.map((cell) => cell.rss_peak), HIGH - BOX.bottom, BOX.top, true);
    const grid = [
      x.ticks.map((value) => [svg("line", { x1: x.place(value), x2: x.place(value), y1: BOX.top, y2: HIGH - BOX.bottom, class: "grid" }), svg("text", { x: x.place(value), y: HIGH - BOX.bottom + 18, "text-anchor": "middle" }, duration(value))]),
      y.ticks.map((value) => [svg("line", { x1: BOX.left, x2: WIDE - BOX.right, y1: y.place(value), y2: y.place(value), class: "grid" }), svg("text", { x: BOX.left - 8, y: y.place(value) + 4, "text-anchor": "end" }, amount(value))]),
      svg("text", { x: WIDE / 2, y: HIGH - 6, "text-anchor": "middle" }, "time of the search"),
      svg("text", { x: 4, y: 14 }, "memory of the process"),
    ];
    const points = shown.map((cell) => {
      const say = () => (this.said.textContent = this.words(cell));
      const label = { tabindex: 0, role: "button", "aria-label": this.words(cell), onclick: say, onfocus: say, onmouseenter: say };
      const notable = cell.note ? " noted" : "";
      return this.mark(cell.method, { ...label, class: `point ${this.colour(cell.method)}${notable}`, transform: `translate(${x.place(cell.seconds).toFixed(1)} ${y.place(cell.rss_peak).toFixed(1)})` }, svg("title", {}, this.words(cell)));
    });
    const names = this.names(shown, x, y);
    const scatter = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "plot wide", role: "group", "aria-label": "Time and memory" }, grid, names, points);
    const figure = (caption, picture) => h("figure", { class: "wide" }, picture, h("figcaption", {}, caption));
    replace(this.plot, figure("Time and memory: a point is one method on one model. Down and to the left is better. Hollow points have a note.", scatter), this.completed(shown, figure));
  }

  // The times of each method in ascending order: within the n-th, it completes n models.
  completed(shown, figure) {
    const most = Math.max(...this.methods.map((method) => shown.filter((cell) => cell.method === method).length));
    if (most < 2) return null;
    const y = logarithmic(shown.map((cell) => cell.seconds), HIGH - BOX.bottom, BOX.top);
    const x = (number) => BOX.left + (number / (most + 0.5)) * (WIDE - BOX.left - BOX.right);
    const curves = this.methods.map((method) => {
      const times = shown.filter((cell) => cell.method === method).map((cell) => cell.seconds).sort((a, b) => a - b);
      const path = times.map((time, place) => `${place ? "L" : "M"}${x(place + 1).toFixed(1)},${y.place(time).toFixed(1)}`).join("");
      const marks = times.map((time, place) => this.mark(method, { transform: `translate(${x(place + 1).toFixed(1)} ${y.place(time).toFixed(1)})` }, svg("title", {}, `${method}: ${place + 1} models, the last in ${duration(time)}`)));
      return [svg("path", { d: path, class: `curve ${this.colour(method)}` }), marks];
    });
    const grid = [
      y.ticks.map((value) => [svg("line", { x1: BOX.left, x2: WIDE - BOX.right, y1: y.place(value), y2: y.place(value), class: "grid" }), svg("text", { x: BOX.left - 8, y: y.place(value) + 4, "text-anchor": "end" }, duration(value))]),
      Array.from({ length: most }, (_, place) => place + 1).filter((number) => number % Math.ceil(most / 20) === 0).map((number) => svg("text", { x: x(number), y: HIGH - BOX.bottom + 18, "text-anchor": "middle" }, count(number))),
      svg("text", { x: WIDE / 2, y: HIGH - 6, "text-anchor": "middle" }, "models completed"),
    ];
    return figure("How many models each method completes within a time limit for each. Down and to the right is better.", svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "plot wide", role: "img", "aria-label": "Models completed and time" }, grid, curves));
  }

  // The name of a model, once, beside its fastest point.
  names(shown, x, y) {
    const fastest = new Map();
    for (const cell of shown) if (!fastest.has(cell.model) || cell.seconds < fastest.get(cell.model).seconds) fastest.set(cell.model, cell);
    const taken = [];
    return [...fastest.values()].map((cell) => {
      const place = { x: x.place(cell.seconds) + 8, y: y.place(cell.rss_peak) - 7 };
      while (taken.some((other) => Math.abs(other.x - place.x) < 120 && Math.abs(other.y - place.y) < 13)) place.y -= 13;
      taken.push(place);
      return svg("text", { x: place.x, y: place.y, class: "model-name" }, cell.model.split("/").at(-1));
    });
  }

  table() {
    const heads = ["model", "method", "outcome", "states", "transitions", "time", "memory", "note"];
    const rows = this.report.cells.map((cell) => {
      const outcome = cell.status === "complete" ? (cell.verdict ?? "complete") : cell.status;
      const figures = [
        [cell.states, count],
        [cell.transitions, count],
        [cell.seconds, duration],
        [cell.rss_peak || null, amount],
      ];
      const values = [cell.model, cell.method, outcome, ...figures.map(([value]) => value ?? -1), cell.note || cell.message];
      const cells = figures.map(([value, unit]) => h("td", { class: "figure" }, value === null ? "" : unit(value)));
      return { values, row: h("tr", {}, h("th", { scope: "row" }, cell.model.split("/").at(-1)), h("td", {}, cell.method), h("td", {}, outcome), cells, h("td", { class: "quiet" }, cell.note || cell.message)) };
    });
    const body = h("tbody", {}, rows.map(({ row }) => row));
    const columns = heads.map((text, column) => h("th", { scope: "col" }, h("button", { type: "button", class: "plain", onclick: () => this.sort(body, rows, column, columns) }, text)));
    return h("table", { class: "runs" }, h("caption", {}, "All runs"), h("thead", {}, h("tr", {}, columns)), body);
  }

  // Sort the rows by a column, or the other way around if they are sorted by it.
  sort(body, rows, column, heads) {
    const up = heads[column].getAttribute("aria-sort") !== "ascending";
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
    const order = (a, b) => (typeof a === "number" ? a - b : String(a).localeCompare(String(b)));
    rows.sort((a, b) => (up ? 1 : -1) * order(a.values[column], b.values[column]));
    replace(body, rows.map(({ row }) => row));
  }
}
