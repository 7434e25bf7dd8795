// Plots, drawn as SVG.

import { count, h, svg } from "./dom.js";

const WIDTH = 560;
const HEIGHT = 200;
const LEFT = 64;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 30;

function ticks(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) || 1;
  const found = [];
  for (let value = 0; value <= most * 1.0001; value += step) found.push(value);
  return found;
}

// `series`: [{ name, points: [[x, y], …], area }]; `title` describes the plot for screen readers.
export function plot({ title, series, xLabel, unit = count, xUnit = count }) {
  const all = series.flatMap((each) => each.points);
  const most = [0, 1].map((axis) => Math.max(1e-9, ...all.map((point) => point[axis])));
  const least = Math.min(...all.map((point) => point[0]), most[0]);
  const x = (value) => LEFT + ((value - least) / Math.max(1e-9, most[0] - least)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / most[1]) * (HEIGHT - TOP - BOTTOM);
  const grid = ticks(most[1]).map((value) => [
    svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
    svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, unit(value)),
  ]);
  const across = ticks(most[0]).filter((value) => value >= least);
  const feet = across.map((value) => svg("text", { x: x(value), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle" }, xUnit(value)));
  const curves = series.map((each, number) => {
    const path = each.points.map(([a, b], index) => `${index ? "L" : "M"}${x(a).toFixed(1)},${y(b).toFixed(1)}`).join("");
    const colour = `colour-${number}`;
    const area = each.area && each.points.length > 1 && svg("path", { d: `${path}L${x(each.points.at(-1)[0])},${y(0)}L${x(each.points[0][0])},${y(0)}Z`, class: `area ${colour}` });
    const single = each.points.length === 1 && svg("circle", { cx: x(each.points[0][0]), cy: y(each.points[0][1]), r: 3, class: `dot ${colour}` });
    return [area, svg("path", { d: path, class: `curve ${colour}` }), single];
  });
  const label = svg("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 3, "text-anchor": "middle" }, xLabel);
  const keys = series.length > 1 && h("p", { class: "keys" }, series.map((each, number) => h("span", { class: `key colour-${number}` }, "— ", h("span", {}, each.name))));
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": title }, grid, feet, label, curves);
  return h("figure", {}, h("figcaption", {}, title), keys, picture);
}

// Bars by name, longest first.
export function bars({ title, rows, unit }) {
  const most = Math.max(1, ...rows.map((row) => row[1]));
  const lines = rows.map(([name, value], number) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", {}, h("span", { class: `bar-fill colour-${number % 8}`, style: { width: `${((100 * value) / most).toFixed(1)}%` } })),
      h("td", { class: "figure" }, unit(value)),
    ),
  );
  return h("figure", {}, h("figcaption", {}, title), h("table", { class: "bars" }, h("tbody", {}, lines)));
}
