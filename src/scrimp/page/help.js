// What the keys do.

import { h } from "./dom.js";

const KEYS = [
  ["j  ↓", "next step"],
  ["k  ↑", "previous step"],
  ["Home  End", "first and last state"],
  ["1 … 9", "take that event"],
  ["u", "undo the last step of your own walk"],
  ["n", "begin a new walk in the initial state"],
  ["s", "search for the shortest trace to this state"],
  ["b", "bookmark this state"],
  ["c", "copy the address of this walk"],
  ["/", "filter the steps"],
  ["w  g  y  q", "walk, graph, why, questions"],
  ["d", "dark or light"],
  ["?", "this help"],
  ["Esc", "leave a field or this help"],
];

export function helpDialog() {
  const rows = KEYS.map(([keys, text]) => h("tr", {}, h("th", { scope: "row" }, keys.split("  ").map((key) => [h("kbd", {}, key), " "])), h("td", {}, text)));
  const dialog = h(
    "dialog",
    { "aria-label": "Help", class: "help" },
    h("h2", {}, "Keys"),
    h("table", {}, h("tbody", {}, rows)),
    h("p", { class: "quiet" }, "A walk is a path through the model. Traces that a search found stay as they are: an event that you take in the middle of one begins a walk of your own."),
    h("form", { method: "dialog" }, h("button", { class: "main" }, "Close")),
  );
  return dialog;
}
