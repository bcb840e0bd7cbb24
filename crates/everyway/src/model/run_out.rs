//! Running an execution that is given up to its end.
//!
//! An execution is given up when the exploration learns nothing more from it: it would only repeat another one, or an
//! assumption is wrong and everything starts over. Its threads have to be removed. If they were unwound where they
//! stand, destructors would run in states that the program never reaches, in the middle of operations that are broken
//! off between two steps; and a destructor that panics there ends the process. So the threads run on first, and nothing
//! that they do is reported.
//!
//! Where reads are told their sources, they see the last write from here on, which also gives an execution of the
//! program. An execution that does not end within some steps, or whose threads wait for each other, is unwound after
//! all.
//!
//! One in which something fails is abandoned, like an explored one that fails: destructors run by unwinding would meet
//! other threads in states that the program never reaches. The failure need not be the program's fault: a thread that
//! has gone round a loop on trial may have seen values that never existed at the same time.

use super::Inner;
use super::program::Program;
use super::thread::Thread;
use everyway_runtime::{Performed, ThreadId};

/// How many steps an execution that is given up may take, and how many hints it may come to.
const MOST_STEPS: usize = 2_000;

/// How it goes on with an execution that is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunningOut {
    GoesOn,
    /// Its threads come to no end.
    Stuck,
    /// Something has failed.
    Fails,
}

impl Program<'_> {
    /// Lets the threads go on for as long as they can.
    pub(super) fn run_out(&mut self) -> RunningOut {
        let tracks = self.model().state().begin_to_run_out();
        let mut performed = Performed::default();
        let stopped = self.model().state().stopped.take();
        let mut how = match stopped {
            // A thread may have failed on trial.
            None if self.model().state().ended.as_ref().is_some_and(|ended| ended.is_failure()) => RunningOut::Fails,
            None => RunningOut::GoesOn,
            Some(thread) => self.go_on(thread, &mut performed),
        };
        let mut last = None;
        for _ in 0..MOST_STEPS {
            let Some(thread) = self.next_after(last).filter(|_| how == RunningOut::GoesOn) else { break };
            last = Some(thread);
            self.carry_out_unseen(thread, &mut performed);
            how = self.go_on(thread, &mut performed);
            performed.clear();
        }
        self.model().state().end_to_run_out(tracks);
        how
    }

    /// Ends the current execution, which failed, without running any more of it. One that has not, and is merely given up, is
    /// let go on when this is dropped: what it holds, as a lock of the test's own, is wanted again.
    pub(crate) fn abandon(&mut self) {
        if !self.can_run_out {
            self.abandon_all();
        }
    }

    /// Gets rid of all threads without running anything of them.
    pub(super) fn abandon_all(&mut self) {
        for thread in &mut self.threads {
            if let Some(coroutine) = thread.coroutine.take() {
                self.stacks.give_back(*coroutine);
            }
        }
        self.model.memory.burn();
        let mut state = self.model.state();
        state.copies.leak();
        state.threads.iter_mut().for_each(Thread::leak);
    }

    /// A thread that can go on, each in its turn.
    fn next_after(&self, last: Option<ThreadId>) -> Option<ThreadId> {
        let state = self.model().state();
        let count = state.threads.len();
        let first = last.map_or(0, |last| last.index() + 1);
        let mut turns = (0..count).map(|turn| ThreadId::new((first + turn) % count));
        turns.find(|&thread| self.pending(thread).is_some_and(|pending| state.can_go(pending)))
    }
}

/// What is kept track of while executions are explored.
pub(super) struct Tracks {
    synchronisation: bool,
    rounds: bool,
}

impl Inner {
    /// Nothing is kept track of any more, and nothing fails.
    fn begin_to_run_out(&mut self) -> Tracks {
        self.running_out = true;
        self.hints_left = MOST_STEPS;
        let tracks = Tracks { synchronisation: self.synchronisation, rounds: self.rounds };
        (self.synchronisation, self.rounds) = (false, false);
        tracks
    }

    /// Whether a thread that has come to a hint goes on: a loop that waits for what no other thread does has no steps.
    pub(super) fn passes_hint(&mut self) -> bool {
        self.hints_left = self.hints_left.saturating_sub(1);
        self.hints_left > 0
    }

    fn end_to_run_out(&mut self, tracks: Tracks) {
        self.running_out = false;
        (self.synchronisation, self.rounds) = (tracks.synchronisation, tracks.rounds);
        self.ended = None;
    }
}
