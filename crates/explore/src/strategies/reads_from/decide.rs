//! The complete decision procedure: ConsistencyDecision (OOPSLA 2019, Algorithm 3).
//!
//! A vertex says how many events of each thread have been executed. An edge executes one more, if a read finds its
//! source (line 20) and a write takes no value away from a read that is still to come (lines 13-17). A path from
//! nothing to everything is an execution.
//!
//! The graph is not built: its vertices are visited depth first as they are reached, and those that lead nowhere are
//! remembered. Deviation: edges that the saturated order forbids are not tried; no execution has them.

use super::saturation::Saturation;
use crate::budget::Budget;
use std::collections::HashSet;

/// An execution of the events of `order`, if there is one and it is found within the budget.
pub(super) fn decide(order: &Saturation, budget: &Budget) -> Option<Vec<u32>> {
    let mut search =
        Search { order, done: vec![0; order.threads()], path: Vec::with_capacity(order.len()), dead: HashSet::new() };
    search.run(budget).then_some(search.path)
}

struct Search<'a> {
    order: &'a Saturation,
    /// The vertex: by thread, how many of its events have been executed.
    done: Vec<u32>,
    path: Vec<u32>,
    dead: HashSet<Box<[u32]>>,
}

impl Search<'_> {
    fn run(&mut self, budget: &Budget) -> bool {
        // By depth, the thread to try next.
        let mut next = vec![0];
        while self.path.len() < self.order.len() {
            if budget.is_exhausted() {
                return false;
            }
            let thread = next.last_mut().expect("the current vertex");
            if *thread == self.done.len() {
                self.dead.insert(self.done.clone().into());
                next.pop();
                let Some(event) = self.path.pop() else { return false };
                self.done[self.order.name(event).thread.index()] -= 1;
                continue;
            }
            let moving = *thread;
            *thread += 1;
            let Some(&event) = self.order.of_thread(moving).get(self.done[moving] as usize) else { continue };
            if !self.may_execute(event) {
                continue;
            }
            self.done[moving] += 1;
            if self.dead.contains(&self.done[..]) {
                self.done[moving] -= 1;
                continue;
            }
            self.path.push(event);
            next.push(0);
        }
        true
    }

    fn may_execute(&self, event: u32) -> bool {
        let clock = self.order.clock(event);
        let own = self.order.name(event).thread.index();
        let ordered = (0..clock.len()).all(|thread| thread == own || self.done[thread] >= clock[thread]);
        ordered && self.order.source_is_among(event, &self.done) && !self.takes_away(event)
    }

    /// Whether `event` overwrites what another event has yet to read.
    fn takes_away(&self, event: u32) -> bool {
        if !self.order.writes(event) {
            return false;
        }
        let is_done = |event: u32| {
            let name = self.order.name(event);
            self.done[name.thread.index()] >= name.index
        };
        let waits = |reader: u32| reader != event && !is_done(reader);
        self.order.units_of(event).any(|unit| {
            let mut written = self.order.writers(unit).iter().flatten().copied().filter(|&write| is_done(write));
            let waits_here = |reader: u32| self.order.unit(reader) == Some(unit) && waits(reader);
            self.order.initial_readers(unit).iter().copied().any(waits)
                || written.any(|write| self.order.readers(write).any(waits_here))
        })
    }
}
