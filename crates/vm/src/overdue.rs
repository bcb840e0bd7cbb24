//! Accesses that the detector of data races has not processed yet.
//!
//! Where data races are no failures, the order of accesses is needed only when an object ends that several threads may
//! have accessed, and most executions never need it. So the detector is told of steps, spawns and fences when an answer
//! depends on it. Of a step of one access the log of steps knows everything; what it does not is put down here.

use crate::machine::{Logged, Machine};
use everyway_runtime::{Ordering, ThreadId, Visit};
use smallvec::SmallVec;
use std::ops::Range;

/// Something that the detector is to be told of.
#[derive(Clone, Debug)]
enum Happened {
    /// A step had several accesses, or woke others: these are all.
    Visited { visits: Range<u32> },
    /// A thread started another one.
    Spawn { parent: ThreadId, child: ThreadId },
    /// A thread has passed a fence.
    Fence { thread: ThreadId, ordering: Ordering },
}

/// What has happened in the execution, and how much of it the detector knows.
#[derive(Debug, Default)]
pub(crate) struct Overdue {
    /// In order, what a step visited before all else; with each, how many steps there had been, its own included.
    happened: Vec<(u32, Happened)>,
    visits: Vec<Visit>,
    /// How many of them have been told.
    told: usize,
    /// How many steps have been told.
    told_steps: usize,
}

impl Overdue {
    /// Forgets what happened after the first `depth` steps.
    pub(crate) fn rewind(&mut self, depth: usize) {
        while let Some((_, happened)) = self.happened.pop_if(|(steps, _)| *steps as usize > depth) {
            if let Happened::Visited { visits } = happened {
                self.visits.truncate(visits.start as usize);
            }
        }
        self.told = self.told.min(self.happened.len());
        self.told_steps = self.told_steps.min(depth);
    }

    /// What is to be told next, if it came with the last step that was told, or before all steps.
    fn next_with_told(&self) -> Option<&Happened> {
        let next = self.happened.get(self.told).filter(|(steps, _)| *steps as usize == self.told_steps);
        next.map(|(_, happened)| happened)
    }
}

impl Machine {
    fn put_down(&mut self, happened: Happened) {
        self.overdue.happened.push((self.steps.len() as u32, happened));
    }

    /// The last step was made of `visits`.
    #[inline]
    pub(crate) fn put_down_step(&mut self, visits: &[Visit]) {
        let logged = self.last_accesses().len().min(1);
        if visits.len() > logged {
            self.put_down_visits(visits);
        }
    }

    #[inline(never)]
    fn put_down_visits(&mut self, visits: &[Visit]) {
        let start = self.overdue.visits.len() as u32;
        self.overdue.visits.extend_from_slice(visits);
        self.put_down(Happened::Visited { visits: start..self.overdue.visits.len() as u32 });
    }

    /// `parent` has started `child`.
    pub(crate) fn put_down_spawn(&mut self, parent: ThreadId, child: ThreadId) {
        self.put_down(Happened::Spawn { parent, child });
    }

    /// `thread` has passed a fence.
    pub(crate) fn put_down_fence(&mut self, thread: ThreadId, ordering: Ordering) {
        self.put_down(Happened::Fence { thread, ordering });
    }

    /// Tells the detector of all that has happened.
    pub(crate) fn tell_of_all(&mut self) {
        loop {
            self.tell_of_spawns_and_fences();
            if self.overdue.told_steps == self.steps.len() {
                return;
            }
            self.overdue.told_steps += 1;
            self.tell_of_next_step(self.overdue.told_steps);
        }
    }

    /// Tells the detector of the step with this number, counted from 1, which comes after all that it has been told of.
    fn tell_of_next_step(&mut self, number: usize) {
        self.races.begin_steps_to(number);
        let logged = self.steps[number - 1];
        let Logged { step, joins, .. } = logged;
        let visits: SmallVec<[Visit; 2]> = match self.overdue.next_with_told() {
            Some(Happened::Visited { visits }) => {
                let visits = visits.start as usize..visits.end as usize;
                self.overdue.told += 1;
                self.overdue.visits[visits].into()
            }
            // A thread whose step has failed does not go on, so that nobody learns of it.
            _ => self.ended_by(&logged).into_iter().collect(),
        };
        self.tell_of_step(step.thread, (joins, &visits), number, |_| {});
    }

    /// Tells the detector of what came with the last step that it knows, or before all steps.
    fn tell_of_spawns_and_fences(&mut self) {
        while let Some(happened) = self.overdue.next_with_told() {
            match *happened {
                Happened::Spawn { parent, child } => self.races.spawn(parent, child),
                Happened::Fence { thread, ordering } => self.races.fence(thread, ordering),
                Happened::Visited { .. } => {}
            }
            self.overdue.told += 1;
        }
    }
}
