// A list of any length, of which only the visible rows exist. All rows have the same height.

import { h } from "./dom.js";

const MARGIN = 12; // rows kept above and below those that are visible
const TALLEST = 15_000_000; // browsers cannot make taller elements; longer lists are scrolled in proportion

export class VirtualList {
  // `draw(index)` makes the element of a row; `choose(index)` is called when a row is selected; `fetch(first, last)`
  // returns null if the rows are there, or a promise after which they are.
  constructor({ label, draw, choose, fetch = () => null, rowHeight = 26, centred = false }) {
    Object.assign(this, { draw, choose, fetch, centred });
    this.count = 0;
    this.selected = -1;
    this.rowHeight = rowHeight;
    this.space = h("div", { class: "rows", role: "presentation" });
    this.element = h("div", { class: "list", tabindex: 0, role: "listbox", "aria-label": label }, this.space);
    this.element.addEventListener("scroll", () => this.request(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (row && !event.target.closest("button, a")) this.choose(Number(row.dataset.index));
    });
    new ResizeObserver(() => this.refresh()).observe(this.element);
    this.frame = 0;
    this.rows = new Map(); // those that exist, by index
    this.stale = false;
  }

  setCount(count) {
    this.count = count;
    this.space.style.setProperty("height", `${Math.min(count * this.height(), TALLEST)}px`);
    this.refresh();
  }

  height() {
    return parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || this.rowHeight;
  }

  // Rows per pixel of scrolling: 1 / height unless the list is too tall for the browser.
  top() {
    const full = this.count * this.height();
    const view = this.element.clientHeight;
    if (full <= TALLEST) return this.element.scrollTop;
    return (this.element.scrollTop / Math.max(1, TALLEST - view)) * (full - view);
  }

  request() {
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.refresh(!this.stale);
      });
    }
  }

  // With `keeps`, rows that are drawn already stay as they are: scrolling makes only those that come into view.
  refresh(keeps = false) {
    this.stale = false;
    const height = this.height();
    const top = this.top();
    const first = Math.max(0, Math.floor(top / height) - MARGIN);
    const last = Math.min(this.count, Math.ceil((top + this.element.clientHeight) / height) + MARGIN);
    const missing = last > first ? this.fetch(first, last) : null;
    if (missing) missing.then(() => ((this.stale = true), this.request()));
    const shift = this.element.scrollTop - top;
    const drawn = keeps ? this.rows : new Map();
    this.rows = new Map();
    for (let index = first; index < last; index++) {
      const row = drawn.get(index) ?? this.made(index);
      const place = `translateY(${index * height + shift}px)`;
      if (row.style.transform !== place) row.style.setProperty("transform", place);
      this.rows.set(index, row);
    }
    this.put(drawn, first, last);
    if (this.selected >= first && this.selected < last) {
      this.element.setAttribute("aria-activedescendant", `${this.prefix()}-${this.selected}`);
    } else {
      this.element.removeAttribute("aria-activedescendant");
    }
  }

  made(index) {
    const row = this.draw(index);
    row.dataset.index = index;
    row.id = `${this.prefix()}-${index}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-setsize", this.count);
    row.setAttribute("aria-posinset", index + 1);
    row.setAttribute("aria-selected", index === this.selected ? "true" : "false");
    return row;
  }

  // Shows the rows, in order, and moves none of those that were `drawn` before.
  put(drawn, first, last) {
    const stays = (index) => drawn.get(index) === this.rows.get(index) && drawn.has(index);
    const kept = [...this.rows.keys()].filter(stays);
    if (!kept.length) {
      this.space.replaceChildren(...this.rows.values());
      return;
    }
    for (const [index, row] of drawn) if (index < first || index >= last) row.remove();
    const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, place) => this.rows.get(from + place));
    this.space.prepend(...range(first, kept[0]));
    this.space.append(...range(kept.at(-1) + 1, last));
  }

  prefix() {
    return this.element.getAttribute("aria-label").replace(/\W+/g, "-").toLowerCase();
  }

  select(index, scroll = true) {
    this.selected = index;
    if (scroll && index >= 0) this.reveal(index);
    this.refresh();
  }

  reveal(index) {
    const height = this.height();
    const view = this.element.clientHeight;
    const top = this.top();
    const place = index * height;
    const room = this.centred ? Math.min(5 * height, view / 3) : 0; // that is kept around the row
    if (place - room >= top && place + height + room <= top + view) return;
    const near = !this.centred && Math.abs(place - top) < 2 * view;
    const wanted = near ? (place < top ? place : place + height - view) : place - view / 2;
    const full = this.count * height;
    const factor = full <= TALLEST ? 1 : (TALLEST - view) / Math.max(1, full - view);
    this.element.scrollTop = Math.max(0, wanted * factor);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height()) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in moves) || this.count === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(Math.min(this.count - 1, Math.max(0, this.selected + moves[event.key])));
  }
}
