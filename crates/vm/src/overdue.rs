//! Accesses that the detector of data races has not processed yet.
//!
//! Where data races are no failures, the order of accesses is needed only when an object ends that several threads may
//! have accessed, and most executions never need it. So steps, spawns and fences are only recorded here, and passed to
//! the detector when an answer depends on it.

use crate::machine::Machine;
use everyway_runtime::{Ordering, ThreadId, Visit, append_few};
use std::ops::Range;

/// Something that the detector is to be told of.
#[derive(Clone, Debug)]
enum Happened {
    /// A thread took a step, after it had waited for the end of `joined`.
    Step { thread: ThreadId, joined: Option<ThreadId>, visits: Range<u32> },
    /// A thread started another one.
    Spawn { parent: ThreadId, child: ThreadId },
    /// A thread has passed a fence.
    Fence { thread: ThreadId, ordering: Ordering },
}

/// What has happened in the execution, and how much of it the detector knows.
#[derive(Debug, Default)]
pub(crate) struct Overdue {
    /// In order; with each, how many steps there had been, its own included.
    happened: Vec<(u32, Happened)>,
    visits: Vec<Visit>,
    /// How many of them have been told.
    told: usize,
}

impl Overdue {
    /// Forgets what happened after the first `depth` steps.
    pub(crate) fn rewind(&mut self, depth: usize) {
        while let Some((_, happened)) = self.happened.pop_if(|(steps, _)| *steps as usize > depth) {
            if let Happened::Step { visits, .. } = happened {
                self.visits.truncate(visits.start as usize);
            }
        }
        self.told = self.told.min(self.happened.len());
    }
}

impl Machine {
    fn put_down(&mut self, happened: Happened) {
        self.overdue.happened.push((self.steps.len() as u32, happened));
    }

    /// The last step, of `thread`, was made of `visits`.
    pub(crate) fn put_down_step(&mut self, thread: ThreadId, joined: Option<ThreadId>, visits: &[Visit]) {
        let start = self.overdue.visits.len() as u32;
        append_few(&mut self.overdue.visits, visits);
        self.put_down(Happened::Step { thread, joined, visits: start..self.overdue.visits.len() as u32 });
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
        while let Some((steps, happened)) = self.overdue.happened.get(self.overdue.told).cloned() {
            self.overdue.told += 1;
            self.races.begin_steps_to(steps as usize);
            match happened {
                Happened::Step { thread, joined, visits } => {
                    let visits: Vec<Visit> = self.overdue.visits[visits.start as usize..visits.end as usize].to_vec();
                    self.tell_of_step(thread, (joined, &visits), steps as usize, |_| {});
                }
                Happened::Spawn { parent, child } => self.races.spawn(parent, child),
                Happened::Fence { thread, ordering } => self.races.fence(thread, ordering),
            }
        }
        self.races.begin_steps_to(self.steps.len());
    }
}
