//! What the page's script draws: the report in short, with every word once.

use std::collections::{BTreeMap, HashMap};

use everyway_report::{Bug, Effect, Event, Execution, Passing, Relevance, Report, Source, Verdict};
use serde_json::{Value, json};

use super::SourceFile;
use super::orders::modification_orders;
use crate::picture::{EdgeKind, Picture, SpanKind};
use crate::text::{Names, Style, causes, clean, clean_lines, counts, cut_end, endings, profile, render, told, why};

/// How many steps a page shows, of all its executions: those at the end are kept.
const MOST_STEPS: usize = 10_000;
/// How many executions it shows.
const MOST_EXECUTIONS: usize = 20;
/// How many steps of any but the first are shown, at least.
const FEWEST_STEPS: usize = 100;
/// How many characters of a value.
const VALUE: usize = 200;

/// The browser breaks lines.
const WIDE: Style = Style { color: false, width: 10_000 };

/// What the page is called.
pub(super) fn title(report: &Report) -> String {
    let what = match (&report.bug, report.verdict) {
        (Some(bug), _) => told(bug, &Names::new(&bug.execution)).0,
        (None, Verdict::Verified) => "verified".to_owned(),
        (None, Verdict::Bug) => "an execution fails".to_owned(),
        (None, Verdict::Incomplete) => "incomplete".to_owned(),
    };
    format!("{} - everyway", cut_end(&what, 100))
}

/// The data of the page, so that it can stand in a script element.
pub(super) fn json(report: &Report, sources: &[SourceFile<'_>]) -> String {
    let mut words = Words::default();
    let mut left = MOST_STEPS;
    let mut executions = Vec::new();
    for (position, bug) in report.bugs().take(MOST_EXECUTIONS).enumerate() {
        let room = if position == 0 { left } else { left.clamp(FEWEST_STEPS, MOST_STEPS / 4) };
        left = left.saturating_sub(room.min(bug.execution.events.len()));
        executions.push(of_bug(bug, room, &mut words));
        if let Some(divergence) = &bug.divergence {
            let picture = Picture::new(&divergence.before, &[]);
            let mut before = of_execution(&divergence.before, &picture, &[], FEWEST_STEPS, &mut words);
            before["label"] = json!("as it was before");
            executions.push(before);
        }
    }
    let files: BTreeMap<&str, &str> = sources.iter().map(|file| (file.name, file.text)).collect();
    let rest = Report { profile: None, ..report.clone() };
    let summary = if report.bug.is_some() { counts(report, WIDE) } else { render(&rest, WIDE) };
    let data = json!({
        "title": title(report),
        "verdict": report.verdict,
        "summary": clean_lines(&summary),
        "executions": executions,
        "profile": clean_lines(&profile(report, WIDE)),
        "left_out": report.bugs().count().saturating_sub(MOST_EXECUTIONS),
        "words": words.list,
        "sources": files,
    });
    // `</script` and `<!--` would end the element, or change how it is read.
    data.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Words by number, so that each is in the page once.
#[derive(Default)]
struct Words {
    list: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Words {
    fn number(&mut self, word: &str) -> usize {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        self.list.push(cut_end(&clean(word), VALUE));
        self.numbers.insert(word.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }

    /// File, line and column; nothing if they are not known. The name of a file is the one that its source has.
    fn place(&mut self, source: Option<&Source>) -> Vec<usize> {
        let number = |source: &Source| vec![self.file(&source.file), source.line as usize, source.column as usize];
        source.map(number).unwrap_or_default()
    }

    fn file(&mut self, file: &str) -> usize {
        let key = format!("\0{file}");
        let next = self.list.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.list.push(file.to_owned());
        }
        number
    }
}

fn of_bug(bug: &Bug, room: usize, words: &mut Words) -> Value {
    let mut value = of_execution(&bug.execution, &Picture::of_bug(bug), &bug.relevance(), room, words);
    let names = Names::new(&bug.execution);
    let (what, message) = told(bug, &names);
    value["label"] = json!(cut_end(&what, 80));
    value["headline"] = json!(what);
    value["message"] = json!(message);
    value["causes"] = json!(clean_lines(&causes(bug, &names, WIDE)));
    value["tips"] = json!(bug.tips.iter().map(|tip| clean(tip)).collect::<Vec<_>>());
    value["replay"] = json!(bug.replay.as_ref().map(|replay| clean(&replay.command)));
    value["found"] = json!(bug.executions);
    let endings = endings(bug).into_iter().map(|(thread, pieces, source)| {
        let (what, object) = pieces.split_first().map_or(("", String::new()), |(what, rest)| (what, rest.join(" ")));
        let mut ending = vec![thread, words.number(what), words.number(&object)];
        ending.extend(words.place(source));
        Value::from(ending)
    });
    value["endings"] = endings.collect();
    value["why"] = json!(why(bug));
    value["passing"] = json!(bug.passing.as_ref().map(|passing| of_passing(passing, bug, room, words)));
    value
}

/// The execution that passes, with where it and the failing one differ first, both as they are shown.
fn of_passing(passing: &Passing, bug: &Bug, room: usize, words: &mut Words) -> Value {
    let picture = Picture::new(&passing.execution, &[]);
    let mut value = of_execution(&passing.execution, &picture, &[], room, words);
    let differs = |execution: &Execution| {
        let omitted = execution.events.len().saturating_sub(room);
        passing.first_difference.min(execution.events.len().saturating_sub(1)).saturating_sub(omitted)
    };
    value["label"] = json!("one that passes");
    value["differs"] = json!([differs(&bug.execution), differs(&passing.execution)]);
    value
}

/// An execution, with how much each event matters if that is known.
fn of_execution(
    execution: &Execution,
    picture: &Picture,
    relevance: &[Relevance],
    room: usize,
    words: &mut Words,
) -> Value {
    let omitted = execution.events.len().saturating_sub(room);
    let shown = |index: usize| index.checked_sub(omitted);
    let steps = execution.events.iter().enumerate().skip(omitted).map(|(index, event)| {
        let relevance = relevance.get(index).copied().unwrap_or(Relevance::Relevant);
        step(event, relevance, words)
    });
    let steps: Vec<Value> = steps.collect();
    let edges = picture
        .edges
        .iter()
        .filter_map(|edge| Some(json!([shown(edge.from)?, shown(edge.to)?, edge_number(edge.kind)])));
    let spans = picture.spans.iter().filter(|span| span.to >= omitted).map(|span| {
        let from = span.from.saturating_sub(omitted);
        json!([span.thread, from, span.to - omitted, words.number(&span.object), span_number(span.kind)])
    });
    let names = Names::new(execution);
    json!({
        "threads": (0..execution.threads.len()).map(|thread| names.name(thread)).collect::<Vec<_>>(),
        "omitted": omitted,
        "edges": edges.collect::<Vec<_>>(),
        "spans": spans.collect::<Vec<_>>(),
        "values": values(execution, picture, omitted, words),
        "details": details(execution, omitted, words),
        "orders": orders(execution, omitted, words),
        "steps": steps,
        "endings": [],
    })
}

/// Thread, operation, object, value, how much it matters, and the place if it is known.
fn step(event: &Event, relevance: Relevance, words: &mut Words) -> Value {
    let matters = match relevance {
        Relevance::Relevant => 0,
        Relevance::Private => 1,
        Relevance::Unrelated => 2,
    };
    let [operation, object, value] = [&event.operation, &event.object, &event.value].map(|word| words.number(word));
    let mut step = vec![event.thread, operation, object, value, matters];
    step.extend(words.place(event.source.as_ref()));
    json!(step)
}

/// What objects are set to: the step, the object, the value. What happened before the steps that are shown is step -1.
fn values(execution: &Execution, picture: &Picture, omitted: usize, words: &mut Words) -> Vec<Value> {
    let mut initial = BTreeMap::new();
    let mut known = BTreeMap::new();
    let mut changes = Vec::new();
    for (index, effects) in picture.effects.iter().enumerate() {
        for effect in effects {
            let (object, value, writes) = match effect {
                // Where a read could have seen another write, what it saw need not be what is there.
                Effect::Reads { object, .. } if has_choice(&execution.events[index]) && known.contains_key(object) => {
                    continue;
                }
                Effect::Reads { object, value } => (object, value, false),
                Effect::Writes { object, value } => (object, value, true),
                _ => continue,
            };
            if known.insert(object, value) == Some(value) && !writes {
                continue;
            }
            match index.checked_sub(omitted) {
                Some(step) => changes.push(json!([step, words.number(object), words.number(value)])),
                None => {
                    initial.insert(object, value);
                }
            }
        }
    }
    let initial = initial.into_iter().map(|(object, value)| json!([-1, words.number(object), words.number(value)]));
    initial.collect::<Vec<_>>().into_iter().chain(changes).collect()
}

/// Whether a read could have seen something else.
fn has_choice(event: &Event) -> bool {
    !event.could_read.is_empty() || event.could_read_initial
}

/// The writes to each object in modification order, if that is not the order of the steps for all. Those that are not
/// shown are left out.
fn orders(execution: &Execution, omitted: usize, words: &mut Words) -> Vec<Value> {
    let orders = modification_orders(execution).into_iter().map(|(object, writes)| {
        let writes: Vec<usize> = writes.into_iter().filter_map(|write| write.checked_sub(omitted)).collect();
        json!([words.number(object), writes])
    });
    orders.collect()
}

/// What only some steps have.
fn details(execution: &Execution, omitted: usize, words: &mut Words) -> BTreeMap<usize, Value> {
    let mut details = BTreeMap::new();
    let is_weak = execution.events.iter().any(has_choice);
    for (index, event) in execution.events[omitted..].iter().enumerate() {
        let is_read = is_weak && event.effects.iter().any(|effect| matches!(effect, Effect::Reads { .. }));
        if event.ordering.is_empty() && event.calls.is_empty() && !is_read {
            continue;
        }
        let calls: Vec<Value> = event
            .calls
            .iter()
            .map(|call| json!([words.number(&call.function), words.place(call.source.as_ref()), call.left_out]))
            .collect();
        let mut detail = json!({"ordering": event.ordering, "calls": calls});
        if is_read {
            let shown =
                |writes: &[usize]| writes.iter().filter_map(|write| write.checked_sub(omitted)).collect::<Value>();
            detail["reads"] = shown(&event.reads_from);
            detail["reads_initial"] = json!(event.reads_from.is_empty());
            detail["could_read"] = shown(&event.could_read);
            detail["could_read_initial"] = json!(event.could_read_initial);
        }
        details.insert(index, detail);
    }
    details
}

/// The kinds of arrows as `trace.js` numbers them.
fn edge_number(kind: EdgeKind) -> usize {
    match kind {
        EdgeKind::Start => 0,
        EdgeKind::Join => 1,
        EdgeKind::SynchronisesWith => 2,
        EdgeKind::ReadsFrom => 3,
        EdgeKind::Conflict => 4,
        EdgeKind::CouldRead => 5,
    }
}

/// The kinds of spans as `trace.js` numbers them.
fn span_number(kind: SpanKind) -> usize {
    match kind {
        SpanKind::Holds => 0,
        SpanKind::Shares => 1,
        SpanKind::Waits => 2,
    }
}
