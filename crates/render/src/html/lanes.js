// The picture: a lane for each thread, a row for each step, arrows and spans. Only what is in view is in the document,
// so that an execution of ten thousand steps is as quick as one of ten.

const ROW = 36;
const NUMBERS = 56;
const NARROWEST_LANE = 160;
/// Where two pictures are side by side.
const NARROWEST_OF_TWO = 158;
const BAR = 14;
const MOST_BARS = 3;
const RIGHT = 20;
const BEYOND = 6;
const MOST_EDGES = 400;
/// How wide a character of a box is, about.
const CHARACTER = 7;
const SHORTEST_NAME = 8;
const SVG = "http://www.w3.org/2000/svg";

class Lanes {
  /// In the elements whose ids begin with `prefix`.
  constructor(prefix, select) {
    this.prefix = prefix;
    this.select = select;
    this.scroller = byId(`${prefix}scroller`);
    this.lanes = byId(`${prefix}lanes`);
    this.heads = byId(`${prefix}heads`);
    this.svg = byId(`${prefix}arrows`);
    /// The first step that another execution, which is beside this one, does not have there.
    this.differs = null;
    this.isOneOfTwo = false;
    this.drawn = new Map();
    this.matches = new Set();
    let waiting = false;
    this.scroller.addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.draw();
      });
    });
    new ResizeObserver(() => this.rows && this.measure()).observe(this.scroller);
  }

  /// Shows these rows, as soon as the cursor is moved.
  show(trace, rows) {
    this.trace = trace;
    this.rows = rows;
    this.bars = columnsOfSpans(trace, trace.data.spans);
    this.barCount = Math.min(MOST_BARS, 1 + Math.max(-1, ...this.bars.filter((_, k) => rows.laneOf.has(trace.data.spans[k][0]))));
    this.layOut();
  }

  /// The room has changed.
  measure() {
    this.layOut();
    this.draw();
  }

  layOut() {
    const lanes = Math.max(1, this.rows.lanes.length);
    const room = this.scroller.clientWidth - NUMBERS;
    const narrowest = this.isOneOfTwo ? NARROWEST_OF_TWO : NARROWEST_LANE;
    this.laneWidth = Math.max(narrowest + this.barCount * BAR, Math.floor(room / lanes));
    this.width = NUMBERS + lanes * this.laneWidth;
    // So that the first and the last step can be in the middle.
    this.margin = Math.max(0, Math.floor(this.scroller.clientHeight / 2) - 2 * ROW);
    this.lanes.style.width = this.heads.style.width = `${this.width}px`;
    this.lanes.style.height = `${this.rows.list.length * ROW + this.margin + 12}px`;
    this.heads.replaceChildren(...this.rows.lanes.map((thread, lane) => {
      const head = element("span", "", this.trace.threads[thread]);
      head.style.left = `${this.laneLeft(lane) + 4 + this.barCount * BAR}px`;
      head.style.maxWidth = `${this.laneWidth - RIGHT - this.barCount * BAR}px`;
      return head;
    }));
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    for (const old of this.lanes.querySelectorAll(".lane")) old.remove();
    this.rows.lanes.forEach((_, lane) => {
      const line = element("div", "lane");
      line.setAttribute("aria-hidden", true);
      line.style.left = `${this.laneLeft(lane)}px`;
      this.lanes.append(line);
    });
  }

  laneLeft(lane) {
    return NUMBERS + lane * this.laneWidth;
  }

  boxLeft(lane) {
    return this.laneLeft(lane) + 6 + this.barCount * BAR;
  }

  boxRight(lane) {
    return this.laneLeft(lane) + this.laneWidth - RIGHT;
  }

  /// Moves the cursor, and brings it into view.
  moveTo(moment, where) {
    this.moment = moment;
    const row = Math.max(0, this.rows.rowAt(moment));
    const top = row * ROW;
    const view = this.scroller.clientHeight - 30;
    if (where === "middle") {
      this.scroller.scrollTop = top - view / 2 + ROW / 2;
    } else if (top < this.scroller.scrollTop + ROW) {
      this.scroller.scrollTop = top - ROW;
    } else if (top + 2 * ROW > this.scroller.scrollTop + view) {
      this.scroller.scrollTop = top + 2 * ROW - view;
    }
    const lane = moment < 0 ? undefined : this.rows.laneOf.get(this.trace.threadOf(moment));
    if (lane !== undefined) {
      const [left, right] = [this.laneLeft(lane) - NUMBERS, this.boxRight(lane)];
      if (left < this.scroller.scrollLeft) this.scroller.scrollLeft = left;
      else if (right > this.scroller.scrollLeft + this.scroller.clientWidth) this.scroller.scrollLeft = right - this.scroller.clientWidth;
    }
    this.draw();
  }

  draw() {
    const top = this.scroller.scrollTop;
    const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
    const last = Math.min(this.rows.list.length - 1, Math.ceil((top + this.scroller.clientHeight) / ROW) + BEYOND);
    for (const [row, drawn] of this.drawn) {
      if (row < first || row > last) {
        drawn.remove();
        this.drawn.delete(row);
      }
    }
    let after = this.svg;
    for (let row = first; row <= last; row++) {
      if (!this.drawn.has(row)) this.drawn.set(row, this.makeRow(row));
      const drawn = this.drawn.get(row);
      // In the order of the execution, for those who have it read.
      if (after.nextSibling !== drawn) after.after(drawn);
      after = drawn;
      this.markRow(row, drawn);
    }
    const current = this.drawn.get(this.rows.rowAt(this.moment));
    if (current) this.lanes.setAttribute("aria-activedescendant", current.id);
    else this.lanes.removeAttribute("aria-activedescendant");
    this.drawLines(first, last);
  }

  makeRow(row) {
    const item = this.rows.list[row];
    const line = element("div", "row");
    line.id = `${this.prefix}row-${row}`;
    line.setAttribute("role", "option");
    line.setAttribute("aria-setsize", this.rows.list.length);
    line.setAttribute("aria-posinset", row + 1);
    line.style.top = `${row * ROW}px`;
    const box = element("div", "box");
    if (item.folded) {
      const names = [...new Set(item.folded.map((i) => this.trace.threads[this.trace.threadOf(i)]))];
      box.textContent = `\u25B8 ${item.folded.length} steps of ${names.join(", ")}`;
      line.classList.add("folded");
      line.setAttribute("aria-label", `${item.folded.length} steps of ${names.join(", ")}, folded: Enter opens them`);
      box.title = "They have no part in how the execution ends: click to show them";
      box.addEventListener("click", () => this.select(this.rows.stepOf(row), item.folded));
      line.append(box);
      return line;
    }
    const step = this.trace.step(item.step);
    const lane = this.rows.laneOf.get(step.thread);
    line.append(element("span", "number", this.trace.number(item.step)));
    box.style.left = `${this.boxLeft(lane)}px`;
    box.style.width = `${this.boxRight(lane) - this.boxLeft(lane)}px`;
    box.append(element("span", "operation", step.operation));
    if (step.object !== "") box.append(" ", element("span", "object", this.fitting(step, lane)));
    if (step.value !== "") box.append(" ", element("span", "value", step.value));
    box.title = `${this.trace.words_of(item.step)}\n${this.trace.place(step)}`;
    box.addEventListener("click", () => this.select(item.step));
    const differs = this.differs === item.step ? ", the first step that the other execution does not have here" : "";
    line.setAttribute("aria-label", this.trace.sentence(item.step) + differs);
    line.classList.toggle("fails", this.trace.fails(item.step));
    line.append(box);
    return line;
  }

  /// The name of the object as it fits into the box with what else is there: the end of a name tells more than its start.
  fitting({ operation, object, value }, lane) {
    const room = Math.floor((this.boxRight(lane) - this.boxLeft(lane) - 16) / CHARACTER);
    const left = Math.max(SHORTEST_NAME, room - operation.length - Math.min(value.length, SHORTEST_NAME) - 2);
    return object.length <= left ? object : `\u2026${object.slice(1 - left)}`;
  }

  markRow(row, line) {
    const item = this.rows.list[row];
    const isCurrent = row === this.rows.rowAt(this.moment);
    line.classList.toggle("current", isCurrent);
    line.classList.toggle("future", row > this.rows.rowAt(this.moment));
    line.classList.toggle("differs", this.differs !== null && (item.folded ?? [item.step]).includes(this.differs));
    line.classList.toggle("found", (item.folded ?? [item.step]).some((i) => this.matches.has(i)));
    line.setAttribute("aria-selected", isCurrent);
  }

  /// Draws the arrows and spans of the rows that are in view.
  drawLines(first, last) {
    const top = first * ROW;
    const height = Math.max(0, (last + 1 - first) * ROW);
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", height);
    this.svg.style.top = `${top}px`;
    // The definitions of one picture do for all.
    const parts = [...(this.prefix === "" ? [this.definitions()] : []), ...this.spans(first, last, top), ...this.edges(first, last, top)];
    this.svg.replaceChildren(...parts);
  }

  definitions() {
    if (this.defs) return this.defs;
    const marker = (kind) => svg("marker", { id: `head-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9,
      markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0,0 L8,4 L0,8 z", class: `head ${kind}` }));
    const hatched = svg("pattern", { id: "hatched", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      svg("rect", { width: 6, height: 6, class: "hatch-ground" }), svg("line", { x1: 0, y1: 0, x2: 0, y2: 6, class: "hatch-line" }));
    this.defs = svg("defs", {}, ...EDGE_KINDS.map((kind) => marker(kind.name)), hatched);
    return this.defs;
  }

  spans(first, last, top) {
    const parts = [];
    if (last < first) return parts;
    for (const k of this.trace.spansBetween(this.rows.firstStepOf(first), this.rows.stepOf(last))) {
      const [thread, from, to, object, kind] = this.trace.data.spans[k];
      const lane = this.rows.laneOf.get(thread);
      if (lane === undefined) continue;
      const [start, end] = [this.rows.rowFrom[from], to >= this.trace.taken ? this.rows.list.length : this.rows.rowTo[to]];
      if (end < start || start > last || end < first) continue;
      const x = this.laneLeft(lane) + 3 + Math.min(this.bars[k], MOST_BARS - 1) * BAR;
      const y = Math.max(start * ROW + ROW / 2, top) - top;
      const bottom = Math.min(end * ROW + ROW / 2, (last + 1) * ROW) - top;
      if (bottom <= y) continue;
      const name = `${this.trace.threads[thread]} ${["holds", "shares", "waits for"][kind]} ${this.trace.words[object]}`;
      parts.push(svg("rect", { x, y, width: BAR - 3, height: bottom - y, rx: 2, class: `span ${SPAN_KINDS[kind]}` }));
      const characters = Math.floor((bottom - y - 8) / 6);
      if (characters >= 3) {
        const word = this.trace.words[object];
        const text = svg("text", { transform: `translate(${x + 8.5},${bottom - 4}) rotate(-90)`, class: `span-label ${SPAN_KINDS[kind]}` });
        text.textContent = word.length <= characters ? word : `${word.slice(0, characters - 1)}\u2026`;
        text.setAttribute("data-name", name);
        parts.push(text);
      }
    }
    return parts;
  }

  edges(first, last, top) {
    const parts = [];
    const near = new Set();
    for (let row = first; row <= last; row++) {
      for (const edge of this.trace.edgesOf.get(this.rows.list[row].step) ?? []) near.add(edge);
    }
    for (const [from, to, kind] of near) {
      const [a, b] = [this.rows.rowOf[from], this.rows.rowOf[to]];
      if (a < 0 || b < 0 || a === b) continue;
      if (this.rows.list[a].folded || this.rows.list[b].folded) continue;
      if (parts.length > MOST_EDGES) break;
      const lanes = [from, to].map((i) => this.rows.laneOf.get(this.trace.threadOf(i)));
      const isOfCurrent = from === this.moment || to === this.moment;
      // What could have been read is asked of one step at a time.
      if (kind === COULD_READ && !isOfCurrent) continue;
      const name = EDGE_KINDS[kind].name;
      parts.push(svg("path", { d: this.route(a, b, lanes, kind, top), class: `edge ${name}${isOfCurrent ? " of-current" : ""}`,
        "marker-end": `url(#head-${name})` }));
    }
    return parts;
  }

  /// From the side of one box along its row, which holds no other box, to the gap beside the other's lane; there down.
  route(a, b, [from, to], kind, top) {
    // Those of different kinds lie beside each other.
    const [y1, y2] = [a, b].map((row) => row * ROW + ROW / 2 - top + (kind - 2) * 2);
    const shift = 3 * (kind % 4);
    if (to > from) {
      const x = this.laneLeft(to) - 4 - shift;
      return `M${this.boxRight(from)},${y1} H${x - 4} Q${x},${y1} ${x},${y1 + 4 * Math.sign(y2 - y1)} V${y2} H${this.boxLeft(to) - 1}`;
    }
    const x = this.boxRight(to) + 9 + shift;
    return `M${this.boxLeft(from)},${y1} H${x + 4} Q${x},${y1} ${x},${y1 + 4 * Math.sign(y2 - y1)} V${y2} H${this.boxRight(to) + 1}`;
  }
}

/// For each span the column of its lane in which no other of the lane is at the same time.
function columnsOfSpans(trace, spans) {
  const ends = trace.threads.map(() => []);
  return spans.map(([thread, from, to]) => {
    const columns = ends[thread];
    let column = columns.findIndex((end) => end <= from);
    if (column < 0) column = columns.length;
    columns[column] = to;
    return column;
  });
}

function byId(id) {
  return document.getElementById(id);
}

/// An element with a text. Nothing of the program is ever made anything but text.
function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

