// Why a formula is true or false in the current state: a tree whose branches are the parts that decide.

import { counted, h, replace } from "./dom.js";

export class FormulaPane {
  constructor(app) {
    this.app = app;
    const { invariants, formulas } = app.model;
    this.text = h("input", { list: "formulas", placeholder: "a formula, such as [] (x > 0), or an expression", "aria-label": "Formula or expression", id: "formula" });
    this.kind = h("select", { "aria-label": "Kind" }, h("option", { value: "expression" }, "expression"), h("option", { value: "ltl" }, "LTL formula"));
    this.tree = h("div", { class: "scroll why", role: "tree", "aria-label": "Why" });
    const named = [...formulas.map((each) => each.text), ...invariants];
    const known = h("datalist", { id: "formulas" }, [...new Set(named)].map((text) => h("option", { value: text })));
    const explain = (event) => {
      event?.preventDefault();
      this.explain();
    };
    const form = h("form", { class: "bar", onsubmit: explain }, this.kind, this.text, known, h("button", {}, "Explain"));
    const intro = h("p", { class: "quiet" }, "Shows which parts make a formula true or false in the current state. On a trace with a loop, LTL formulas are decided; on another walk, some stay open.");
    this.element = h("section", { class: "pane", "aria-label": "Formula" }, h("header", {}, h("h2", {}, "Why?"), intro, form), this.tree);
    app.on("walk", () => this.suggest());
    app.on("at", () => this.shown && this.app.view === "formula" && this.explain());
    app.on("view", () => this.app.view === "formula" && this.explain());
  }

  suggest() {
    const { formula } = this.app.walk;
    if (!formula || this.text.value) return;
    const named = this.app.model.formulas.find((each) => each.name === formula);
    this.text.value = named ? named.text : formula;
    this.kind.value = "ltl";
  }

  async explain() {
    const text = this.text.value.trim();
    if (!text) return;
    this.shown = true;
    const { walk, at } = this.app;
    const tree = await this.app.ask("explain", { walk: walk.id, at, text, kind: this.kind.value }, this.tree);
    if (tree) replace(this.tree, h("p", { class: "quiet" }, `after ${counted(at, "step")} of ${walk.name}`), this.node(tree, 0, at));
  }

  node(node, depth, here) {
    const holds = node.holds;
    const [sign, word] = holds === true ? ["✓", "true"] : holds === false ? ["✗", "false"] : ["?", "open"];
    const place = node.at !== undefined && node.at !== here && h("button", { type: "button", class: "plain", onclick: () => this.app.go(this.app.walk.id, node.at) }, `at step ${node.at}`);
    const isNumber = node.value !== undefined;
    const line = [
      isNumber ? null : h("span", { class: `sign ${word}`, "aria-hidden": "true" }, sign),
      h("code", {}, node.text),
      isNumber ? h("b", {}, ` = ${node.value}`) : h("span", { class: `word ${word}` }, ` ${word}`),
      place,
      node.note && h("span", { class: "quiet" }, ` ${node.note}`),
    ];
    const role = { role: "treeitem", "aria-level": depth + 1 };
    if (!node.parts?.length) return h("div", { class: `node${node.idle ? " idle" : ""}`, ...role }, line);
    const parts = node.parts.map((part) => this.node(part, depth + 1, node.at ?? here));
    return h("details", { class: `node${node.idle ? " idle" : ""}`, open: depth < 6 && !node.idle, ...role }, h("summary", {}, line), h("div", { role: "group" }, parts));
  }
}
