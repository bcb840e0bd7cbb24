//! The same execution in another order: the equivalent one with the fewest context switches, and what in it matters.
//!
//! Two executions are equivalent if the same events happen before each other. Of all orders of an execution's events
//! that respect happens-before, people read the one best that has the longest runs of one thread.
//!
//! A thread that is chosen runs as far as it can. That loses nothing: an event that could have been appended to a run
//! comes later otherwise; taking it out there ends no run that was not ended before, and as all that happens before it
//! is there already, no other event minds. So an order is a sequence of threads, and the fewest switches are the
//! shortest path through the states "how many events of each thread have happened". It is searched breadth first.
//! Where there are more states than [`WIDTH`] at the same number of switches, those that have got farthest are kept - of
//! executions with very many switches, fewer, so that the search takes no longer than a moment: what
//! is found then may not be the least, but it is never more than in the order that was given.

use std::collections::BTreeSet;

use crate::{Bug, Event, Execution};

/// How many states are kept for each number of switches.
const WIDTH: usize = 64;
/// Fewer are kept if that many runs of a thread would have to be looked at.
const MOST_RUNS: usize = 500_000;

/// Whether the last event of an execution stays the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// It is what the execution is shown for.
    Stays,
    /// It is like any other.
    Moves,
}

/// An order of the events of an execution that respects happens-before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linearisation(Vec<usize>);

impl Linearisation {
    /// The indices of the events, in the new order.
    pub fn events(&self) -> &[usize] {
        &self.0
    }

    /// What belongs to the events, one each, in the new order: the steps of a schedule. Nothing is left out; if there
    /// is more than one each, the rest stays at the end.
    pub fn arrange<T: Clone>(&self, items: &[T]) -> Vec<T> {
        let moved = self.0.iter().filter_map(|&event| items.get(event));
        moved.chain(items.iter().skip(self.0.len())).cloned().collect()
    }

    /// The execution in the new order. Values are those of the old one: where the order of two writes or of two
    /// additions makes no difference to happens-before, run the schedule again to see the new ones.
    pub fn execution(&self, old: &Execution) -> Execution {
        old.arranged(&self.0)
    }
}

/// How much a step matters to how the execution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// It happens before what the execution is shown for, or is that.
    Relevant,
    /// It may have had a part in it, but no other thread touches its object.
    Private,
    /// It does not happen before what the execution is shown for.
    Unrelated,
}

impl Execution {
    /// How often an event follows one of another thread.
    pub fn context_switches(&self) -> usize {
        self.events.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }

    /// Whether the events tell what happens before them, and which of the threads they are of. An execution may be described without: then every one of them
    /// says nothing, also those that come after another of their own thread.
    pub fn is_ordered(&self) -> bool {
        let mut seen = BTreeSet::new();
        self.events.iter().enumerate().all(|(index, event)| {
            let is_first = seen.insert(event.thread);
            let is_known = event.thread < self.threads.len();
            let points_back = event.happens_after.iter().chain(&event.reads_from).all(|&before| before < index);
            is_known && points_back && (is_first || !event.happens_after.is_empty())
        })
    }

    /// The order of the events with the fewest context switches in which the same events happen before each other; the
    /// order that they have if there is none with fewer, or if it is not known what happens before what.
    pub fn fewest_switches(&self, last: Last) -> Linearisation {
        let given = || Linearisation((0..self.events.len()).collect());
        if !self.is_ordered() {
            return given();
        }
        let given_switches = self.context_switches();
        let found = Search::new(self, last).run(given_switches);
        let switches = |order: &[usize]| {
            let thread = |event: usize| self.events[event].thread;
            order.windows(2).filter(|pair| thread(pair[0]) != thread(pair[1])).count()
        };
        match found {
            Some(order) if switches(&order) < given_switches => Linearisation(order),
            _ => given(),
        }
    }

    /// How much each event matters to `ends`, the events that the execution is shown for. If it is not known what
    /// happens before what, none is unrelated.
    pub fn relevance(&self, ends: &[usize]) -> Vec<Relevance> {
        let count = self.events.len();
        let mut related = vec![!self.is_ordered(); count];
        ends.iter().filter(|&&end| end < count).for_each(|&end| related[end] = true);
        let mut next_of_thread = BTreeSet::new();
        for index in (0..count).rev() {
            let event = &self.events[index];
            related[index] |= next_of_thread.contains(&event.thread);
            if related[index] {
                next_of_thread.insert(event.thread);
                let before = event.happens_after.iter().chain(&event.reads_from).filter(|&&before| before < index);
                before.for_each(|&before| related[before] = true);
            }
        }
        let mut users = std::collections::BTreeMap::new();
        for event in &self.events {
            users.entry(event.object.as_str()).or_insert_with(BTreeSet::new).insert(event.thread);
        }
        let is_thread = |object: &str| self.threads.iter().any(|thread| thread.name == object.trim_matches('\''));
        let is_private = |event: &Event| {
            let object = event.object.as_str();
            !object.is_empty() && users[object].len() == 1 && !is_thread(object)
        };
        let relevance = self.events.iter().zip(related).enumerate().map(|(index, (event, related))| match related {
            false => Relevance::Unrelated,
            true if !ends.contains(&index) && is_private(event) => Relevance::Private,
            true => Relevance::Relevant,
        });
        relevance.collect()
    }
}

impl Bug {
    /// Whether the last event of the execution is what it is shown for: not if it is shown for who waits in the end.
    pub fn last(&self) -> Last {
        if self.waits.is_empty() { Last::Stays } else { Last::Moves }
    }

    /// How much each event of the execution matters to the bug.
    pub fn relevance(&self) -> Vec<Relevance> {
        let events = &self.execution.events;
        if self.last() == Last::Moves {
            let last_of = |thread: usize| events.iter().rposition(|event| event.thread == thread);
            let mut ends: Vec<usize> = (0..self.execution.threads.len()).filter_map(last_of).collect();
            // One thread alone may have touched what another waits for.
            let is_waited_for = |event: &Event| {
                !event.object.is_empty() && self.waits.iter().any(|wait| wait.operation.ends_with(&event.object))
            };
            ends.extend((0..events.len()).filter(|&event| is_waited_for(&events[event])));
            return self.execution.relevance(&ends);
        }
        let accesses = self.accesses.iter().filter_map(|access| {
            events.iter().rposition(|event| event.thread == access.thread && event.source == access.source)
        });
        self.execution.relevance(&accesses.chain(events.len().checked_sub(1)).collect::<Vec<_>>())
    }
}

/// How far an order has got, and how it came there.
struct State {
    /// How many events of each thread have happened.
    done: Vec<usize>,
    /// How many in all.
    total: usize,
    /// The run that led here, in [`Search::runs`].
    run: Option<usize>,
}

/// A run of one thread.
struct Run {
    thread: usize,
    /// From and up to which of the thread's events.
    events: std::ops::Range<usize>,
    before: Option<usize>,
}

struct Search {
    /// The events of each thread.
    threads: Vec<Vec<usize>>,
    /// What has to have happened before each event: so many events of a thread.
    needs: Vec<Vec<(usize, usize)>>,
    runs: Vec<Run>,
    count: usize,
}

impl Search {
    fn new(execution: &Execution, last: Last) -> Self {
        let events = &execution.events;
        let mut threads = vec![Vec::new(); execution.threads.len()];
        let mut place = Vec::with_capacity(events.len());
        for (index, event) in events.iter().enumerate() {
            threads[event.thread].push(index);
            place.push((event.thread, threads[event.thread].len()));
        }
        let need = |event: &Event| {
            event.happens_after.iter().chain(&event.reads_from).map(|&before| place[before]).collect::<Vec<_>>()
        };
        let mut needs: Vec<Vec<(usize, usize)>> = events.iter().map(need).collect();
        if let (Last::Stays, Some(needs), Some(event)) = (last, needs.last_mut(), events.last()) {
            needs.extend(threads.iter().enumerate().map(|(thread, events)| (thread, events.len())));
            needs.retain(|&(thread, _)| thread != event.thread);
        }
        Self { threads, needs, runs: Vec::new(), count: events.len() }
    }

    /// The events in an order with as few switches as are found, no more than so many.
    fn run(mut self, most_switches: usize) -> Option<Vec<usize>> {
        let most = MOST_RUNS / (most_switches.max(1) * self.threads.len().max(1));
        let width = most.clamp(1, WIDTH);
        let mut level = vec![State { done: vec![0; self.threads.len()], total: 0, run: None }];
        for _ in 0..=most_switches + 1 {
            if let Some(end) = level.iter().find(|state| state.total == self.count) {
                return Some(self.order(end.run));
            }
            let mut next = Vec::new();
            let mut known = BTreeSet::new();
            for state in &level {
                for thread in self.choices(state) {
                    let state = self.after(state, thread);
                    if known.insert(state.done.clone()) {
                        next.push(state);
                    } else {
                        self.runs.pop();
                    }
                }
            }
            // Stable, so that what is closer to the order given comes first.
            next.sort_by_key(|state| std::cmp::Reverse(state.total));
            next.truncate(width);
            level = next;
        }
        None
    }

    /// The threads that can go on, that whose next event comes first in the order given first.
    fn choices(&self, state: &State) -> Vec<usize> {
        let next = |thread: usize| self.threads[thread].get(state.done[thread]).copied();
        let mut choices: Vec<(usize, usize)> = (0..self.threads.len())
            .filter_map(|thread| Some((next(thread)?, thread)))
            .filter(|&(event, _)| self.can_happen(event, &state.done))
            .collect();
        choices.sort_unstable();
        choices.into_iter().map(|(_, thread)| thread).collect()
    }

    fn can_happen(&self, event: usize, done: &[usize]) -> bool {
        self.needs[event].iter().all(|&(thread, events)| done[thread] >= events)
    }

    /// The state after `thread` has run as far as it can.
    fn after(&mut self, state: &State, thread: usize) -> State {
        let mut done = state.done.clone();
        while let Some(&event) = self.threads[thread].get(done[thread]) {
            if !self.can_happen(event, &done) {
                break;
            }
            done[thread] += 1;
        }
        let events = state.done[thread]..done[thread];
        let total = state.total + events.len();
        self.runs.push(Run { thread, events, before: state.run });
        State { done, total, run: Some(self.runs.len() - 1) }
    }

    fn order(&self, end: Option<usize>) -> Vec<usize> {
        let chain = std::iter::successors(end, |&run| self.runs[run].before);
        let mut runs: Vec<&Run> = chain.map(|run| &self.runs[run]).collect();
        runs.reverse();
        runs.iter().flat_map(|run| self.threads[run.thread][run.events.clone()].iter().copied()).collect()
    }
}
