// An execution: its steps, and what holds at a moment of it. A moment is the index of the step that was just taken,
// or -1 before the first. What is seen at the end without being a step (who waits, a panic) counts as one here.
// Nothing in this file knows how it is drawn.

const EDGE_KINDS = [
  { name: "start", back: "is started after", forth: "is followed by the start of" },
  { name: "join", back: "joins", forth: "is joined by" },
  { name: "synchronises", back: "synchronises with", forth: "synchronises with" },
  { name: "reads-from", back: "reads from", forth: "is read by" },
  { name: "conflict", back: "comes after", forth: "comes before" },
  { name: "could-read", back: "could have read from", forth: "could have been read by" },
];
const SPAN_KINDS = ["holds", "shares", "waits"];
const WAITS = 2;
const COULD_READ = 5;
/// Spans are found by the moment in buckets of so many steps.
const BUCKET = 128;

class Trace {
  constructor(words, execution) {
    this.words = words;
    this.data = execution;
    this.threads = execution.threads;
    this.taken = execution.steps.length;
    this.length = this.taken + execution.endings.length;
    this.ofThread = this.threads.map(() => []);
    for (let i = 0; i < this.length; i++) this.ofThread[this.threadOf(i)].push(i);
    this.edgesOf = new Map();
    for (const edge of execution.edges) {
      for (const end of [edge[0], edge[1]]) {
        if (!this.edgesOf.has(end)) this.edgesOf.set(end, []);
        this.edgesOf.get(end).push(edge);
      }
    }
    this.buckets = Array.from({ length: Math.floor(this.length / BUCKET) + 1 }, () => []);
    execution.spans.forEach(([, from, to], k) => {
      const last = to >= this.taken ? this.length : to;
      for (let b = Math.floor(from / BUCKET); b <= Math.floor(last / BUCKET); b++) this.buckets[b].push(k);
    });
    this.changes = new Map();
    for (const [step, object, value] of execution.values) {
      const name = words[object];
      if (!this.changes.has(name)) this.changes.set(name, []);
      this.changes.get(name).push({ step, value: words[value] });
    }
    this.orders = new Map(execution.orders.map(([object, writes]) => [words[object], writes]));
    this.valueNames = [...this.changes.keys()].sort(byName);
    const objects = new Set();
    for (const step of execution.steps) objects.add(words[step[2]]);
    objects.delete("");
    this.objects = [...objects].sort(byName);
  }

  threadOf(i) {
    return i < this.taken ? this.data.steps[i][0] : this.data.endings[i - this.taken][0];
  }

  isEnding(i) {
    return i >= this.taken;
  }

  /// Whether the step is what the execution is shown for.
  fails(i) {
    return this.data.headline !== undefined && (this.isEnding(i) || (i === this.taken - 1 && this.length === this.taken));
  }

  step(i) {
    const { words } = this;
    if (this.isEnding(i)) {
      const [thread, what, object, file, line, column] = this.data.endings[i - this.taken];
      return { thread, operation: words[what], object: words[object], value: "", matters: 0, file: words[file], line, column };
    }
    const [thread, operation, object, value, matters, file, line, column] = this.data.steps[i];
    return { thread, operation: words[operation], object: words[object], value: words[value], matters, file: words[file], line, column };
  }

  /// The number of a step as people count it.
  number(i) {
    return this.isEnding(i) ? "" : String(i + 1 + this.data.omitted);
  }

  place(step) {
    return step.file === undefined ? "" : `${step.file}:${step.line}`;
  }

  words_of(i) {
    const step = this.step(i);
    return [step.operation, step.object, step.value].filter((word) => word !== "").join(" ");
  }

  /// What a screen reader says of a step.
  sentence(i) {
    const step = this.step(i);
    const number = this.isEnding(i) ? "at the end" : `step ${this.number(i)}`;
    const place = step.file === undefined ? "" : `, at ${this.place(step)}`;
    return `${number}, ${this.threads[step.thread]}: ${this.words_of(i)}${place}${this.fails(i) ? ", fails" : ""}`;
  }

  /// The last change of each object up to a moment.
  valuesAt(moment) {
    return this.valueNames.map((object) => {
      const changes = this.changes.get(object);
      const position = lastAtMost(changes, moment, (change) => change.step);
      return position < 0 ? { object, value: "", step: null } : { object, ...changes[position] };
    });
  }

  /// What is held and waited for at a moment.
  spansAt(moment) {
    const near = moment < 0 ? [] : this.buckets[Math.floor(moment / BUCKET)].map((k) => this.data.spans[k]);
    return near.filter(([, from, to]) => from <= moment && (moment < to || to >= this.taken))
      .map(([thread, from, , object, kind]) => ({ thread, from, object: this.words[object], kind }));
  }

  /// The numbers of the spans that have a part between two steps.
  spansBetween(first, last) {
    const near = new Set();
    for (let b = Math.floor(Math.max(0, first) / BUCKET); b <= Math.floor(last / BUCKET); b++) {
      for (const k of this.buckets[b] ?? []) near.add(k);
    }
    return near;
  }

  /// The step that a thread has just taken, if it is the current one, or is about to take: where it stands. What it
  /// took last if it takes no other.
  standsAt(thread, moment) {
    const own = this.ofThread[thread];
    const last = own[own.length - 1];
    // All that is seen at the end is seen at once.
    if (moment >= this.taken && last >= this.taken) return { i: last, how: last === moment ? "current" : "next" };
    const position = lastAtMost(own, moment, (i) => i);
    if (position >= 0 && own[position] === moment) return { i: moment, how: "current" };
    if (position + 1 < own.length) return { i: own[position + 1], how: "next" };
    return position < 0 ? { i: null, how: "none" } : { i: own[position], how: "ended" };
  }
}

/// The position of the last item whose key is at most the limit, of items in order; -1 if there is none.
function lastAtMost(items, limit, key) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(items[middle]) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function byName(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}

