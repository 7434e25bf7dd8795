// The model's text, with the lines of the current step lit and the coverage of a search in the margin.

import { colourOf, count, counted, h, replace } from "./dom.js";
import { VirtualList } from "./list.js";

const MARKS = /(\/\*.*?\*\/|\/\/.*$|"(?:[^"\\]|\\.)*"|#.*$)|\b(active|proctype|init|never|ltl|inline|do|od|if|fi|for|atomic|d_step|break|goto|else|skip|run|assert|chan|of|byte|bit|bool|int|short|unsigned|mtype|typedef|process|state|commit|trans|guard|effect|sync|system|async|const|channel|channels|class|def|async|await|while|return|match|case|from|import|not|and|or|in|True|False|None|pass|with|property)\b|\b(\d+)\b/g;

export class SourcePane {
  constructor(app) {
    this.app = app;
    this.lit = new Map();
    this.coverage = null;
    this.files = app.model.sources.map((source) => ({ ...source, text: source.text.split("\n"), statements: new Set(source.lines) }));
    this.file = this.files[0];
    this.choice = h("select", { "aria-label": "File", onchange: () => this.open(this.files[this.choice.selectedIndex]) }, this.files.map((file) => h("option", {}, file.name)));
    this.legend = h("span", { class: "quiet" });
    this.list = new VirtualList({ label: "Source", draw: (index) => this.line(index), choose: (index) => this.list.select(index), rowHeight: 20, centred: true });
    const title = this.files.length > 1 ? this.choice : h("h2", {}, this.file.name);
    this.element = h("section", { class: "pane source", "aria-label": "Source" }, h("header", { class: "bar" }, title, this.legend), this.list.element);
    app.on("at", () => this.show());
    app.on("coverage", () => this.paint());
    this.open(this.file);
  }

  open(file) {
    this.file = file;
    this.choice.selectedIndex = this.files.indexOf(file);
    if (file.problem) replace(this.legend, file.problem);
    this.list.setCount(file.problem ? 0 : file.text.length);
  }

  // Light the lines of the step that led here, and of the events that are enabled.
  async show() {
    const { at, walk } = this.app;
    const [step] = (at > 0 && (await this.app.ask("steps", { walk: walk.id, first: at - 1, last: at }))) || [];
    if (at !== this.app.at || walk.id !== this.app.walk.id) return;
    this.lit = new Map();
    for (const move of step?.moves ?? []) this.lit.set(`${move.file}:${move.line}`, move.process);
    const first = step?.moves[0];
    const file = first && this.files.find((each) => each.file === first.file);
    if (file && file !== this.file) this.open(file);
    if (file) this.list.select(first.line - 1);
    else this.list.select(-1, false);
  }

  paint() {
    const { result, title } = this.app.coverage;
    const lines = new Map();
    for (const each of result.unreached) lines.set(`${each.file}:${each.line}`, `${each.process}: ${each.text}`);
    this.coverage = lines;
    const number = counted(result.unreached.length, "statement");
    replace(this.legend, `coverage of “${title}”: `, result.unreached.length ? h("span", { class: "never" }, `${number} never executed`) : "every statement was executed");
    this.list.refresh();
  }

  line(index) {
    const number = index + 1;
    const key = `${this.file.file}:${number}`;
    const process = this.lit.get(key);
    const never = this.coverage?.get(key);
    const reached = this.coverage && this.file.statements.has(number) && !never;
    const classes = ["row", "line", process !== undefined ? "lit" : "", never ? "unreached" : "", reached ? "reached" : ""];
    return h(
      "div",
      { class: classes.join(" "), title: never ? `never executed: ${never}` : this.file.text[index].trim() || null },
      h("span", { class: "number" }, count(number)),
      process ? h("span", { class: `mark ${colourOf(this.app.model.processes, process)}`, "aria-label": `${process} is here` }, "▸") : h("span", { class: "mark" }),
      h("code", {}, this.coloured(this.file.text[index])),
    );
  }

  coloured(text) {
    const parts = [];
    let end = 0;
    for (const match of text.matchAll(MARKS)) {
      parts.push(text.slice(end, match.index));
      parts.push(h("span", { class: match[1] !== undefined ? "quoted" : match[2] !== undefined ? "keyword" : "literal" }, match[0]));
      end = match.index + match[0].length;
    }
    return [...parts, text.slice(end)];
  }
}
