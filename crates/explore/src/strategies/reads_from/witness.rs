//! Whether a trace is consistent, and an execution of it: GetWitness (OOPSLA 2019, Sect. 5).
//!
//! 1. Saturation ([`super::order`]). A cycle means that there is no execution.
//! 2. An attempt to order all writes to each unit as the last execution did, saturating after each decision
//!    (Algorithm 2). If no cycle arises, any order of the events that respects the result is an execution.
//! 3. A search that settles the question ([`super::decide`]).

use super::decide::decide;
use super::order::{Cyclic, Order};
use super::unit::Unit;
use crate::budget::Budget;
use everyway_runtime::{Step, ThreadId};

/// Where events were in the last execution: what phase 2 is guided by.
pub(super) trait Guide {
    /// The position of an event; later than all others if it was not there.
    fn position(&self, thread: ThreadId, index: u32) -> u32;
    /// The events of the last execution, by thread and index.
    fn events(&self) -> impl Iterator<Item = (ThreadId, u32)>;
}

/// What became of a trace that saturation did not refute.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The guided attempt gave this execution.
    Guided(Vec<Step>),
    /// There was a need for the search, which found this, if anything.
    Decided(Option<Vec<Step>>),
}

impl Answer {
    /// The execution, if there is one.
    pub(super) fn execution(self) -> Option<Vec<Step>> {
        match self {
            Answer::Guided(steps) => Some(steps),
            Answer::Decided(steps) => steps,
        }
    }
}

/// An execution of the events of `order`, which is saturated; its last event is the one that is new.
pub(super) fn witness(order: &mut Order, guide: &impl Guide, budget: &Budget) -> Answer {
    let saturated = order.mark();
    if order_writes(order, guide).is_ok() {
        return Answer::Guided(sort(order, guide));
    }
    order.undo(saturated);
    let steps = |events: Vec<u32>| events.into_iter().map(|event| step(order, event)).collect();
    Answer::Decided(decide(order, budget).map(steps))
}

/// Orders the writes to each unit as `guide` has them where their order is open (Algorithm 2, lines 4-8).
///
/// For each write it is enough to look at the first later one of each other thread.
fn order_writes(order: &mut Order, guide: &impl Guide) -> Result<(), Cyclic> {
    let mut writes: Vec<(u32, u32)> = Vec::new();
    for index in 0..order.units().len() {
        let unit = order.units()[index];
        if !order.is_contended(unit) {
            continue;
        }
        writes.clear();
        let position = |&write: &u32| {
            let name = order.name(write);
            (guide.position(name.thread, name.index), write)
        };
        writes.extend(order.writers(unit).iter().flatten().map(position));
        writes.sort_unstable();
        // Most often nothing is open, as on a chain of read-modify-writes.
        if writes.windows(2).all(|pair| order.precedes(pair[0].1, pair[1].1)) {
            continue;
        }
        for &(at, write) in &writes {
            order_after(order, guide, unit, write, at)?;
        }
    }
    Ok(())
}

/// Orders `write`, which the last execution has at `at`, before the later writes of other threads.
fn order_after(order: &mut Order, guide: &impl Guide, unit: Unit, write: u32, at: u32) -> Result<(), Cyclic> {
    let own = order.name(write).thread.index();
    for thread in (0..order.writers(unit).len()).filter(|&thread| thread != own) {
        let writers = &order.writers(unit)[thread];
        let later = writers.partition_point(|&other| {
            let name = order.name(other);
            (guide.position(name.thread, name.index), other) < (at, write) || order.precedes(other, write)
        });
        if let Some(&other) = writers.get(later)
            && !order.precedes(write, other)
        {
            order.relate(write, other)?;
            order.saturate()?;
        }
    }
    Ok(())
}

/// The events in the order of the last execution, as far as `order` allows (Algorithm 2, line 9). Those that the last
/// execution did not have come as soon as somebody needs them, or at the end.
fn sort(order: &Order, guide: &impl Guide) -> Vec<Step> {
    let done = vec![0; order.threads()];
    let mut sorted = Sorted { order, done, steps: Vec::with_capacity(order.len()), pending: Vec::new() };
    let last = order.len() as u32 - 1;
    for (thread, index) in guide.events() {
        match order.of_thread(thread.index()).get(index as usize - 1) {
            Some(&event) if event != last => sorted.emit(event),
            _ => {}
        }
    }
    sorted.emit(last);
    debug_assert_eq!(sorted.steps.len(), order.len(), "every event of the trace is executed");
    sorted.steps
}

struct Sorted<'a> {
    order: &'a Order,
    /// By thread, how many of its events have been emitted.
    done: Vec<u32>,
    steps: Vec<Step>,
    /// What is to be emitted, the next one last.
    pending: Vec<u32>,
}

impl Sorted<'_> {
    /// Emits `event`, unless it has been, after all that comes before it.
    fn emit(&mut self, event: u32) {
        self.pending.push(event);
        while let Some(&event) = self.pending.last() {
            let name = self.order.name(event);
            if self.done[name.thread.index()] >= name.index {
                self.pending.pop();
                continue;
            }
            let clock = self.order.clock(event);
            let missing = |&thread: &usize| {
                let needed = if thread == name.thread.index() { name.index - 1 } else { clock[thread] };
                self.done[thread] < needed
            };
            match (0..self.order.threads()).find(missing) {
                Some(thread) => self.pending.push(self.order.of_thread(thread)[self.done[thread] as usize]),
                None => {
                    self.done[name.thread.index()] += 1;
                    self.steps.push(step(self.order, event));
                    self.pending.pop();
                }
            }
        }
    }
}

fn step(order: &Order, event: u32) -> Step {
    Step { thread: order.name(event).thread, choice: order.choice(event) }
}
