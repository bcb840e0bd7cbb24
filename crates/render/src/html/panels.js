// What is beside the picture: the current step, what every thread does, what is in every object, and the source.

const MOST_OBJECTS = 300;
const SOURCE_LINE = 18;
/// How many writes of a modification order are shown.
const MOST_WRITES = 20;

class Panels {
  constructor(sources, select) {
    this.sources = sources;
    this.select = select;
    this.lines = new Map();
    this.file = byId("file");
    this.source = byId("source");
    this.file.addEventListener("change", () => this.showSource(this.file.value, null));
    this.source.addEventListener("scroll", () => this.drawSource());
    new ResizeObserver(() => this.scrollSource()).observe(this.source);
  }

  show(trace) {
    this.trace = trace;
    const files = new Set();
    for (let i = 0; i < trace.length; i++) files.add(trace.step(i).file);
    const known = [...files].filter((file) => file !== undefined && file in this.sources).sort(byName);
    this.makeObjects();
    this.file.replaceChildren(...known.map((file) => new Option(file, file)));
    byId("source-section").hidden = known.length === 0;
  }

  moveTo(moment) {
    this.moment = moment;
    const spans = this.trace.spansAt(moment);
    this.stands = this.whoStandsWhere(spans);
    const step = this.trace.length > 0 ? this.trace.step(Math.max(0, moment)) : {};
    if (step.file in this.sources) this.showSource(step.file, step.line);
    else this.showSource(this.file.value, null);
    this.showStep();
    this.showThreads(spans);
    this.showObjects();
    this.showLocks(spans);
  }

  link(i, text) {
    const button = element("button", "step", text ?? (this.trace.isEnding(i) ? "the end" : `step ${this.trace.number(i)}`));
    button.type = "button";
    button.addEventListener("click", () => this.select(i));
    return button;
  }

  showStep() {
    const { trace, moment } = this;
    const parts = [];
    if (moment < 0) {
      parts.push(element("p", "", "Nothing has happened yet."));
    } else {
      const step = trace.step(moment);
      const first = element("p");
      first.append(element("b", "", trace.isEnding(moment) ? "at the end" : `step ${trace.number(moment)}`), `, ${trace.threads[step.thread]}: `,
        element("code", "", trace.words_of(moment)));
      parts.push(first);
      const detail = trace.data.details[moment];
      if (detail?.ordering) parts.push(element("p", "", `memory ordering: ${detail.ordering}`));
      if (step.file !== undefined) parts.push(element("p", "", `at ${trace.place(step)}`));
      if (detail?.calls?.length) parts.push(this.calls(detail.calls));
      parts.push(this.relations());
      parts.push(...this.modificationOrder(step.object, detail));
    }
    byId("step").replaceChildren(...parts);
  }

  /// The writes to an object in modification order, with which of them the current step reads and could have read.
  modificationOrder(object, detail) {
    const { trace, moment } = this;
    const writes = trace.orders.get(object);
    if (writes === undefined) return [];
    const [read, could] = [detail?.reads ?? [], detail?.could_read ?? []];
    const entry = (i) => {
      const item = element("li");
      const isRead = i === null ? detail?.reads_initial : read.includes(i);
      const couldBe = i === null ? detail?.could_read_initial : could.includes(i);
      if (i === null) item.append("the initial value");
      else item.append(this.link(i), ` of ${trace.threads[trace.threadOf(i)]} (${trace.words_of(i)})`);
      const marks = [i === moment ? "this step" : "", isRead ? "read here" : "", couldBe ? "could have been read" : ""];
      const said = marks.filter((mark) => mark !== "").join(", ");
      if (said !== "") item.append(": ", element("b", "", said));
      return item;
    };
    const near = [moment, ...read, ...could].map((i) => writes.indexOf(i)).filter((k) => k >= 0);
    const from = Math.max(0, Math.min(...near, writes.length - MOST_WRITES));
    const shown = writes.slice(from, from + MOST_WRITES);
    const list = element("ol");
    list.id = "modification-order";
    // The initial value has no number.
    list.start = from === 0 ? 0 : from + 1;
    list.append(...(from === 0 ? [entry(null)] : []), ...shown.map(entry));
    const left = writes.length - shown.length;
    const title = element("p", "", `modification order of ${object}${left > 0 ? `, with ${left} other writes left out` : ""}:`);
    return [title, list];
  }

  calls(calls) {
    const list = element("ul");
    for (const [name, [file, line], leftOut] of calls) {
      const place = file === undefined ? "" : ` at ${this.trace.words[file]}:${line}`;
      list.append(element("li", "", `in ${this.trace.words[name]}${place}`));
      if (leftOut > 0) list.append(element("li", "", `called from ${leftOut} more, left out here`));
    }
    return list;
  }

  relations() {
    const list = element("ul");
    for (const [from, to, kind] of this.trace.edgesOf.get(this.moment) ?? []) {
      if (kind === COULD_READ && to === this.moment) continue; // told with the modification order
      const [other, words] = to === this.moment ? [from, EDGE_KINDS[kind].back] : [to, EDGE_KINDS[kind].forth];
      const item = element("li", "", `${words} `);
      item.append(this.link(other), ` of ${this.trace.threads[this.trace.threadOf(other)]} (${this.trace.words_of(other)})`);
      list.append(item);
    }
    return list;
  }

  showThreads(spans) {
    const { trace, moment } = this;
    const rows = trace.threads.map((name, thread) => {
      const own = spans.filter((span) => span.thread === thread);
      const held = own.filter((span) => span.kind !== WAITS).map((span) => (span.kind === 1 ? `${span.object} (shared)` : span.object));
      const waits = own.filter((span) => span.kind === WAITS);
      const { i, how } = trace.standsAt(thread, moment);
      const state = element("td");
      const isStuck = waits.length > 0 || (i !== null && trace.isEnding(i) && (moment >= trace.taken - 1));
      if (waits.length > 0) state.append(this.waiting(waits[waits.length - 1], thread, spans));
      else if (how === "current") state.append(trace.isEnding(i) ? trace.words_of(i) : "takes this step");
      else if (how === "next") state.append("comes to ", this.link(i), `: ${trace.words_of(i)}`);
      else if (how === "ended") state.append("takes no further step");
      else state.append("takes no step");
      return row([element("td", "", name), state, element("td", "", held.join(", "))], isStuck ? "stuck" : how === "current" ? "changed" : "");
    });
    byId("threads-now").replaceChildren(table(["thread", "state", "holds"], rows));
  }

  waiting(wait, thread, spans) {
    const holders = spans.filter((span) => span.kind !== WAITS && span.object === wait.object && span.thread !== thread);
    const names = holders.map((span) => this.trace.threads[span.thread]);
    return `waits for ${wait.object}${names.length > 0 ? `, held by ${names.join(", ")}` : ""}`;
  }

  /// Makes the table of objects, whose cells change with the moment.
  makeObjects() {
    const shown = this.trace.valueNames.slice(0, MOST_OBJECTS);
    this.objectRows = shown.map((object) => {
      const made = row([element("td", "", object), element("td", "value"), element("td")], "");
      return { made, value: made.cells[1], since: made.cells[2], shown: undefined };
    });
    const parts = [table(["object", "value", "since"], this.objectRows.map(({ made }) => made))];
    const more = this.trace.valueNames.length - shown.length;
    if (more > 0) parts.push(element("p", "", `and ${more} more`));
    byId("values-now").replaceChildren(...(shown.length > 0 ? parts : []));
  }

  showObjects() {
    const known = this.trace.valuesAt(this.moment);
    this.objectRows.forEach((cells, k) => {
      const { value, step } = known[k];
      cells.made.classList.toggle("changed", step === this.moment && step >= 0);
      if (cells.shown === step) return;
      cells.shown = step;
      cells.value.textContent = step === null ? "not touched yet" : value;
      cells.since.replaceChildren(...(step !== null && step >= 0 ? [this.link(step)] : []));
    });
  }

  /// Who holds and who waits for what.
  showLocks(spans) {
    const locks = new Map();
    for (const span of spans) {
      if (!locks.has(span.object)) locks.set(span.object, [new Set(), new Set()]);
      locks.get(span.object)[span.kind === WAITS ? 1 : 0].add(this.trace.threads[span.thread]);
    }
    const rows = [...locks].sort((a, b) => byName(a[0], b[0])).map(([object, who]) => {
      const [holders, waiters] = who.map((names) => [...names].sort(byName).join(", "));
      return row([element("td", "", object), element("td", "", holders), element("td", "", waiters)], "");
    });
    byId("locks-now").replaceChildren(...(rows.length > 0 ? [table(["object", "held by", "waited for by"], rows)] : []));
  }

  /// The threads that stand in each line, by file and line.
  whoStandsWhere(spans) {
    const stands = new Map();
    this.trace.threads.forEach((name, thread) => {
      const { i, how } = this.trace.standsAt(thread, this.moment);
      if (i === null || how === "ended") return;
      const step = this.trace.step(i);
      if (step.file === undefined) return;
      const key = `${step.file}\0${step.line}`;
      if (!stands.has(key)) stands.set(key, []);
      const isStuck = spans.some((span) => span.thread === thread && span.kind === WAITS);
      stands.get(key).push({ name, mark: isStuck ? "is-stuck" : how === "current" ? "is-current" : "" });
    });
    return stands;
  }

  showSource(file, line) {
    if (!(file in this.sources)) return;
    this.file.value = file;
    this.shownFile = file;
    this.shownLine = line ?? -1;
    if (!this.lines.has(file)) this.lines.set(file, this.sources[file].split(/\r\n|\n|\r/));
    const lines = this.lines.get(file);
    byId("source-lines").style.height = `${lines.length * SOURCE_LINE}px`;
    this.scrollSource();
  }

  /// Brings the line of the current step into view.
  scrollSource() {
    const top = (this.shownLine - 1) * SOURCE_LINE;
    const view = this.source.clientHeight;
    if (this.shownLine > 0 && (top < this.source.scrollTop + SOURCE_LINE || top + 2 * SOURCE_LINE > this.source.scrollTop + view)) {
      this.source.scrollTop = top - view / 2;
    }
    this.drawSource();
  }

  drawSource() {
    const lines = this.lines.get(this.shownFile);
    if (!lines) return;
    const first = Math.max(0, Math.floor(this.source.scrollTop / SOURCE_LINE) - 5);
    const last = Math.min(lines.length, Math.ceil((this.source.scrollTop + this.source.clientHeight) / SOURCE_LINE) + 5);
    const parts = [];
    for (let i = first; i < last; i++) {
      const who = this.stands.get(`${this.shownFile}\0${i + 1}`) ?? [];
      const line = element("div", "source-line");
      line.style.top = `${i * SOURCE_LINE}px`;
      line.classList.toggle("stands", who.length > 0);
      line.classList.toggle("here", i + 1 === this.shownLine);
      line.append(element("span", "line-number", String(i + 1)), lines[i]);
      if (who.length > 0) {
        const names = element("span", "whos");
        names.append(...who.map(({ name, mark }) => element("span", `who ${mark}`, name)));
        line.append(names);
      }
      parts.push(line);
    }
    byId("source-lines").replaceChildren(...parts);
  }
}

function row(cells, className) {
  const made = element("tr", className);
  made.append(...cells);
  return made;
}

function table(titles, rows) {
  const made = element("table");
  const head = element("tr");
  head.append(...titles.map((title) => {
    const cell = element("th", "", title);
    cell.scope = "col";
    return cell;
  }));
  made.append(element("thead"), element("tbody"));
  made.tHead.append(head);
  made.tBodies[0].append(...rows);
  return made;
}

