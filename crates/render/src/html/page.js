// The page: reads the data, keeps the cursor, and answers to keys, buttons, the slider and the search.

const LONG = 30;
const PAGE = 10;
const data = JSON.parse(byId("data").textContent);
let trace = null;
let rows = null;
let moment = -1;
let matches = [];

let passing = null;

/// The execution that passes, beside the one that fails.
const beside = new Lanes("beside-", (i) => beside.moveTo(i, "near"));
const lanes = new Lanes("", (i, folded) => {
  if (folded) {
    rows.open(folded);
    lanes.show(trace, rows);
  }
  moveTo(i, "near");
});
const panels = new Panels(data.sources, (i) => reveal(i));

/// Moves the cursor to a step, or before the first.
function moveTo(to, where) {
  moment = Math.max(-1, Math.min(trace.length - 1, to));
  byId("slider").value = moment + 1;
  const words = moment < 0 ? "before the first step" : trace.sentence(moment);
  byId("slider").setAttribute("aria-valuetext", words);
  // What has the focus says it itself.
  const speaks = ["lanes", "slider"].includes(document.activeElement?.id);
  byId("live").textContent = speaks ? "" : words;
  const number = moment < 0 ? "start" : trace.isEnding(moment) ? "end" : `step ${trace.number(moment)}`;
  byId("moment").textContent = `${number} of ${trace.taken + trace.data.omitted}`;
  // They keep the focus where they have nothing more to do.
  const marks = [["first", moment < 0], ["previous", moment < 0], ["next", moment >= trace.length - 1], ["last", moment >= trace.length - 1]];
  for (const [id, isOff] of marks) byId(id).setAttribute("aria-disabled", isOff);
  // In this order the browser has to lay out the page once: the lanes ask where things are before the panels change.
  lanes.moveTo(moment, where);
  panels.moveTo(moment);
}

/// Moves the cursor to a step that may be folded or not be shown.
function reveal(i) {
  if (rows.rowOf[i] < 0) {
    rows.hidden.delete(trace.threadOf(i));
    if (rows.rowOf[i] < 0 && trace.step(i).object !== rows.object) rows.object = "";
    rows.build();
    showChoices();
    lanes.show(trace, rows);
  }
  const folded = rows.list[rows.rowOf[i]].folded;
  if (folded) {
    rows.open(folded);
    lanes.show(trace, rows);
  }
  moveTo(i, "near");
}

/// Moves the cursor by so many rows.
function moveBy(count) {
  const row = Math.max(-1, Math.min(rows.list.length - 1, rows.rowAt(moment) + count));
  moveTo(row < 0 ? -1 : rows.stepOf(row), "near");
}

/// Moves to the next or the previous step that is like this.
function moveToLike(direction, isLike) {
  for (let i = moment + direction; i >= 0 && i < trace.length; i += direction) {
    if (isLike(i)) return reveal(i);
  }
}

function search() {
  const wanted = byId("search").value.trim().toLowerCase();
  matches = [];
  if (wanted !== "") {
    for (let i = 0; i < trace.length; i++) {
      const step = trace.step(i);
      const text = `${trace.threads[step.thread]} ${trace.words_of(i)} ${trace.place(step)}`;
      if (text.toLowerCase().includes(wanted)) matches.push(i);
    }
  }
  lanes.matches = new Set(matches);
  showFound();
  lanes.draw();
}

function showFound() {
  const position = matches.indexOf(moment);
  const count = `${matches.length} ${matches.length === 1 ? "step" : "steps"}`;
  byId("found").textContent = byId("search").value.trim() === "" ? "" : position < 0 ? count : `${position + 1} of ${count}`;
}

function goToMatch(direction) {
  if (matches.length === 0) return;
  const after = direction > 0 ? matches.find((i) => i > moment) : matches.findLast((i) => i < moment);
  reveal(after ?? (direction > 0 ? matches[0] : matches[matches.length - 1]));
  showFound();
}

function rebuild() {
  rows.build();
  lanes.show(trace, rows);
  moveTo(moment, "middle");
}

function showChoices() {
  byId("fold").checked = rows.folds;
  byId("object").value = rows.object;
  for (const box of byId("threads").querySelectorAll("input")) box.checked = !rows.hidden.has(Number(box.value));
}

function showExecution(index) {
  const execution = data.executions[index];
  trace = new Trace(data.words, execution);
  rows = new Rows(trace);
  rows.folds = trace.taken > LONG && execution.steps.some((step) => step[4] !== 0);
  rows.build();
  matches = [];
  showMessage(execution);
  byId("slider").max = trace.length;
  byId("object").replaceChildren(new Option("all", ""), ...trace.objects.map((object) => new Option(object, object)));
  byId("threads").replaceChildren(byId("threads").firstElementChild, ...trace.threads.map(threadChoice));
  byId("omitted").hidden = execution.omitted === 0;
  byId("omitted").textContent = `The first ${execution.omitted} steps are not on this page.`;
  byId("legend-could-read").hidden = !execution.edges.some((edge) => edge[2] === 5);
  showChoices();
  showBeside(execution);
  panels.show(trace);
  lanes.moment = -1;
  lanes.show(trace, rows);
  search();
  moveTo(trace.length - 1, "middle");
}

/// Shows the execution that passes beside the one that fails, if there is one.
function showBeside(execution) {
  passing = execution.passing ? new Trace(data.words, execution.passing) : null;
  byId("beside-choice").hidden = passing === null;
  lanes.differs = execution.passing ? execution.passing.differs[0] : null;
  byId("beside").hidden = passing === null || !byId("show-beside").checked;
  byId("pictures").classList.toggle("two", !byId("beside").hidden);
  lanes.isOneOfTwo = beside.isOneOfTwo = !byId("beside").hidden;
  if (byId("beside").hidden) return;
  const besideRows = new Rows(passing);
  besideRows.build();
  beside.differs = execution.passing.differs[1];
  beside.moment = -1;
  beside.show(passing, besideRows);
  beside.moveTo(Math.min(beside.differs, passing.length - 1), "middle");
}

function threadChoice(name, thread) {
  const label = element("label");
  const box = element("input");
  box.type = "checkbox";
  box.value = thread;
  box.checked = true;
  box.addEventListener("change", () => {
    if (box.checked) rows.hidden.delete(thread);
    else rows.hidden.add(thread);
    rebuild();
  });
  label.append(box, ` ${name}`);
  return label;
}

function showMessage(execution) {
  byId("headline").textContent = execution.headline ?? execution.label;
  document.body.classList.toggle("fails", execution.headline !== undefined);
  const parts = [];
  for (const lines of [execution.message ?? [], execution.causes ?? []]) {
    if (lines.length > 0) parts.push(element("pre", "", lines.join("\n")));
  }
  if (execution.why) parts.push(element("p", "why", `why: ${execution.why}`));
  for (const tip of execution.tips ?? []) parts.push(element("p", "", `tip: ${tip}`));
  if (execution.replay) {
    const line = element("p", "", "to run this execution again: ");
    line.append(element("code", "", execution.replay));
    parts.push(line);
  }
  byId("message").replaceChildren(...parts);
}

const KEYS = {
  ArrowDown: () => moveBy(1), ArrowRight: () => moveBy(1), j: () => moveBy(1),
  ArrowUp: () => moveBy(-1), ArrowLeft: () => moveBy(-1), k: () => moveBy(-1),
  PageDown: () => moveBy(PAGE), PageUp: () => moveBy(-PAGE),
  Home: () => moveTo(-1, "near"), End: () => moveTo(trace.length - 1, "near"),
  "]": () => moveToLike(1, (i) => trace.threadOf(i) === trace.threadOf(Math.max(0, moment))),
  "[": () => moveToLike(-1, (i) => trace.threadOf(i) === trace.threadOf(Math.max(0, moment))),
  o: () => moveToLike(1, sameObject()),
  O: () => moveToLike(-1, sameObject()),
  n: () => goToMatch(1), N: () => goToMatch(-1),
  "/": () => byId("search").focus(),
  f: () => byId("fold").click(),
  Enter: () => openFold(),
};

function sameObject() {
  const { object } = trace.step(Math.max(0, moment));
  return (i) => object !== "" && trace.step(i).object === object;
}

function openFold() {
  const folded = rows.list[rows.rowAt(moment)]?.folded;
  if (folded) reveal(folded[0]);
}

function onKey(event) {
  const target = event.target;
  const isTyped = target.matches?.("input[type=search], input[type=range], select");
  const isPressed = event.key === "Enter" && target.matches?.("input, button, summary");
  const scrolls = target.id === "source" || target.closest?.("#text");
  const isOff = event.key.length === 1 && !byId("letters").checked;
  if (isOff || event.ctrlKey || event.altKey || event.metaKey || isTyped || isPressed || scrolls || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
}

function listen() {
  document.addEventListener("keydown", onKey);
  byId("first").addEventListener("click", () => moveTo(-1, "near"));
  byId("previous").addEventListener("click", () => moveBy(-1));
  byId("next").addEventListener("click", () => moveBy(1));
  byId("last").addEventListener("click", () => moveTo(trace.length - 1, "near"));
  byId("slider").addEventListener("input", (event) => moveTo(Number(event.target.value) - 1, "middle"));
  byId("search").addEventListener("input", search);
  byId("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") goToMatch(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") byId("lanes").focus();
  });
  byId("tools").addEventListener("submit", (event) => event.preventDefault());
  byId("object").addEventListener("change", (event) => {
    rows.object = event.target.value;
    rebuild();
  });
  byId("fold").addEventListener("change", (event) => {
    rows.folds = event.target.checked;
    rows.opened.clear();
    rebuild();
  });
  byId("show-beside").addEventListener("change", () => {
    showBeside(data.executions[Number(byId("execution").value)]);
    lanes.measure();
  });
  byId("execution").addEventListener("change", (event) => showExecution(Number(event.target.value)));
  byId("theme").addEventListener("change", (event) => document.documentElement.setAttribute("data-theme", event.target.value));
}

byId("summary").textContent = data.summary.join("\n");
byId("profile").hidden = data.profile.length === 0;
byId("profile").open = data.executions.length === 0;
byId("profile-text").textContent = data.profile.slice(1).join("\n");
if (data.executions.length > 0) {
  byId("main").hidden = false;
  const label = (execution, index) => new Option(`${index + 1}: ${execution.label}`, index);
  byId("execution").replaceChildren(...data.executions.map(label));
  byId("execution-choice").hidden = data.executions.length === 1;
  listen();
  showExecution(0);
} else {
  byId("headline").textContent = data.title;
}
