// Which steps are shown, and in which row: those of the threads and the object that are asked for. Runs of steps that
// have no part in how the execution ends share a row, unless they are opened.

const SHORTEST_FOLD = 2;

class Rows {
  constructor(trace) {
    this.trace = trace;
    this.hidden = new Set();
    this.object = "";
    this.folds = false;
    this.opened = new Set();
    this.build();
  }

  build() {
    const { trace } = this;
    this.list = [];
    this.rowOf = new Int32Array(trace.length).fill(-1);
    let run = [];
    const flush = () => {
      if (run.length >= SHORTEST_FOLD && !this.opened.has(run[0])) {
        for (const i of run) this.rowOf[i] = this.list.length;
        this.list.push({ folded: run });
      } else {
        for (const i of run) this.push(i);
      }
      run = [];
    };
    for (let i = 0; i < trace.length; i++) {
      if (!this.isShown(i)) continue;
      if (this.folds && !trace.isEnding(i) && trace.data.steps[i][4] !== 0) {
        run.push(i);
      } else {
        flush();
        this.push(i);
      }
    }
    flush();
    this.lanes = trace.threads.map((_, thread) => thread).filter((thread) => !this.hidden.has(thread));
    this.laneOf = new Map(this.lanes.map((thread, lane) => [thread, lane]));
    this.fillGaps();
  }

  push(i) {
    this.rowOf[i] = this.list.length;
    this.list.push({ step: i });
  }

  isShown(i) {
    const { trace } = this;
    if (this.hidden.has(trace.threadOf(i))) return false;
    return this.object === "" || trace.isEnding(i) || trace.words[trace.data.steps[i][2]] === this.object;
  }

  /// The rows that come next to steps that are not shown.
  fillGaps() {
    const count = this.trace.length;
    this.rowFrom = new Int32Array(count + 1).fill(this.list.length);
    this.rowTo = new Int32Array(count + 1).fill(-1);
    for (let i = count - 1; i >= 0; i--) this.rowFrom[i] = this.rowOf[i] < 0 ? this.rowFrom[i + 1] : this.rowOf[i];
    for (let i = 0; i < count; i++) this.rowTo[i] = this.rowOf[i] < 0 ? (i === 0 ? -1 : this.rowTo[i - 1]) : this.rowOf[i];
    this.rowTo[count] = this.list.length;
  }

  /// The step that a row is about: of a fold, the last.
  stepOf(row) {
    const item = this.list[row];
    return item.folded ? item.folded[item.folded.length - 1] : item.step;
  }

  firstStepOf(row) {
    const item = this.list[row];
    return item.folded ? item.folded[0] : item.step;
  }

  /// The row of a moment, or the one before it.
  rowAt(moment) {
    return moment < 0 ? -1 : this.rowTo[moment];
  }

  open(run) {
    this.opened.add(run[0]);
    this.build();
  }
}

