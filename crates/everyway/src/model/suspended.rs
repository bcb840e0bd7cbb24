//! Threads as the scheduler sees them: each thread's announcement, and the coroutine that runs it.

use super::coroutine::{Running, Stacks};
use super::program::Program;
use super::{Model, Pending, Waiting};
use everyway_runtime::ThreadId;
use std::ops::Range;

/// A thread while it does not run.
pub(super) struct Suspended {
    /// What runs it, if it has not ended.
    pub(super) coroutine: Option<Box<Running>>,
    /// What ran it in the last execution, and is there to run it in the next one.
    idle: Option<Box<Running>>,
    /// What it has announced; of no meaning if it has ended.
    pub(super) pending: Box<Pending>,
    pub(super) status: Announcement,
}

impl Suspended {
    pub(super) fn new() -> Self {
        Self { coroutine: None, idle: None, pending: Box::new(Pending::nothing()), status: Announcement::Ended }
    }

    /// The thread has announced what is pending.
    #[inline]
    pub(super) fn has_announced(&mut self) {
        self.status = match self.pending.manner.waiting {
            Waiting::Never => Announcement::Ready,
            _ => Announcement::Waits,
        };
    }

    /// The thread has ended.
    #[inline]
    pub(super) fn rest(&mut self, stacks: &mut Stacks) {
        self.idle = self.coroutine.take();
        if stacks.are_cleared() {
            self.give_back(stacks);
        }
    }

    /// The thread is run by another coroutine, if it is run again.
    pub(super) fn give_back(&mut self, stacks: &mut Stacks) {
        if let Some(idle) = self.idle.take() {
            stacks.give_back(*idle);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announcement {
    Ready,
    Waits,
    Ended,
    /// It has failed, and does not go on.
    Failed,
}

impl Program<'_> {
    /// The parts of the threads' stacks that are in use.
    pub(super) fn live_stacks(&self) -> impl Iterator<Item = Range<usize>> {
        self.threads.iter().filter_map(|thread| thread.coroutine.as_ref()).map(|coroutine| coroutine.live_stack())
    }

    /// A coroutine for a thread that has been spawned.
    #[inline]
    pub(super) fn suspend_newborn(&mut self, thread: ThreadId) {
        if self.threads.len() <= thread.index() {
            self.threads.resize_with(thread.index() + 1, Suspended::new);
        }
        let suspended = &mut self.threads[thread.index()];
        suspended.coroutine = suspended.idle.take();
        if suspended.coroutine.is_none() {
            self.start_thread(thread);
        }
        self.alive.insert(thread);
    }

    fn start_thread(&mut self, thread: ThreadId) {
        let model: *const Model = &*self.model;
        // SAFETY: the program keeps the model alive longer than the coroutines.
        let coroutine = self.stacks.start(thread, move || unsafe { (*model).run_unborn(thread) });
        self.model.state().thread(thread).stack = coroutine.stack();
        self.threads[thread.index()].coroutine = Some(coroutine);
    }
}
