//! Spans of time in which a thread holds a lock, or waits.

use std::collections::BTreeMap;

use everyway_report::{Effect, Execution, Mode, Wait};

/// A span of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// The thread, as an index.
    pub(crate) thread: usize,
    /// The event it starts with, as an index.
    pub(crate) from: usize,
    /// The event it ends with; as many as there are events if it does not end.
    pub(crate) to: usize,
    /// What it is about.
    pub(crate) object: String,
    /// What the thread does.
    pub(crate) kind: SpanKind,
}

/// What a thread does in a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SpanKind {
    /// It holds a lock that no other can have.
    Holds,
    /// It holds a lock that others can have as well.
    Shares,
    /// It cannot go on.
    Waits,
}

/// The spans of `execution`, at whose end the threads of `waits` wait.
pub(super) fn spans(execution: &Execution, effects: &[Vec<Effect>], waits: &[Wait]) -> Vec<Span> {
    let mut spans = held(execution, effects);
    let waiting = waiting(execution, effects, &spans);
    spans.extend(waiting);
    let count = execution.events.len();
    for wait in waits {
        let last = execution.events.iter().rposition(|event| event.thread == wait.thread);
        let is_known = |span: &Span| span.kind == SpanKind::Waits && span.thread == wait.thread && span.to >= count;
        if !spans.iter().any(is_known) {
            let object = wait.operation.split_once(' ').map_or(wait.operation.as_str(), |(_, object)| object);
            let (thread, object) = (wait.thread, object.to_owned());
            spans.push(Span { thread, from: last.unwrap_or(0), to: count, object, kind: SpanKind::Waits });
        }
    }
    spans.sort_by_key(|span| (span.from, span.thread, span.kind, span.to));
    spans
}

/// When which thread held what.
fn held(execution: &Execution, effects: &[Vec<Effect>]) -> Vec<Span> {
    let count = execution.events.len();
    let mut spans = Vec::new();
    let mut open: BTreeMap<(usize, &str), Vec<(usize, SpanKind)>> = BTreeMap::new();
    let span = |(thread, object): (usize, &str), (from, kind), to| {
        let object = object.to_owned();
        Span { thread, from, to, object, kind }
    };
    for (index, event) in execution.events.iter().enumerate() {
        for effect in &effects[index] {
            match effect {
                Effect::Acquires { object, mode } => {
                    let kind = if *mode == Mode::Shared { SpanKind::Shares } else { SpanKind::Holds };
                    open.entry((event.thread, object)).or_default().push((index, kind));
                }
                Effect::Releases { object } => {
                    let key = (event.thread, object.as_str());
                    let taken = open.get_mut(&key).and_then(Vec::pop);
                    spans.extend(taken.map(|taken| span(key, taken, index)));
                }
                _ => {}
            }
        }
    }
    for (key, taken) in open {
        spans.extend(taken.into_iter().map(|taken| span(key, taken, count)));
    }
    spans
}

/// When which thread waited: to be woken, for a lock that another one holds, or for the end of a thread. What a thread
/// does next it wants to do as soon as it has done what it did before.
fn waiting(execution: &Execution, effects: &[Vec<Effect>], held: &[Span]) -> Vec<Span> {
    let events = &execution.events;
    let mut by_object: BTreeMap<&str, Vec<&Span>> = BTreeMap::new();
    held.iter().for_each(|span| by_object.entry(&span.object).or_default().push(span));
    // What has ended does not count any more.
    by_object.values_mut().for_each(|spans| spans.sort_by_key(|span| span.to));
    let mut last_of_thread: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, event) in events.iter().enumerate() {
        last_of_thread.insert(event.thread, index);
    }
    let mut spans = Vec::new();
    let mut previous: BTreeMap<usize, usize> = BTreeMap::new();
    let mut started: BTreeMap<usize, usize> = BTreeMap::new();
    let mut woken: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for (index, event) in events.iter().enumerate() {
        let thread = event.thread;
        let mut wait = |from, to, object: String| {
            if from < to {
                spans.push(Span { thread, from, to, object, kind: SpanKind::Waits });
            }
        };
        let since = previous.insert(thread, index).or(started.get(&thread).copied()).unwrap_or(0);
        if let Some((from, object)) = woken.remove(&thread) {
            wait(from, index, object);
        }
        for effect in &effects[index] {
            match effect {
                Effect::Acquires { object, .. } => {
                    let others = by_object.get(object.as_str()).map(Vec::as_slice).unwrap_or_default();
                    let first = others.partition_point(|span| span.to <= since);
                    let others = others[first..].iter().take_while(|span| span.to <= index);
                    for span in others.filter(|span| span.thread != thread) {
                        wait(since.max(span.from), span.to, object.clone());
                    }
                }
                Effect::Joins { thread: joined } => {
                    let end = last_of_thread.get(joined).copied().unwrap_or(0);
                    wait(since, end.min(index), event.object.clone());
                }
                Effect::Starts { thread } => {
                    started.insert(*thread, index);
                }
                Effect::Waits { object } => {
                    woken.insert(thread, (index, object.clone()));
                }
                _ => {}
            }
        }
    }
    let count = events.len();
    spans.extend(woken.into_iter().map(|(thread, (from, object))| Span {
        thread,
        from,
        to: count,
        object,
        kind: SpanKind::Waits,
    }));
    spans
}
