//! The threads of an execution in the order of their birth.
//!
//! Ids are assigned as threads are met, in any execution, so their order is not that of the execution in a report. A
//! report lists threads in the order of the execution that it shows.

use everyway_explore::Trace;
use everyway_report::Bug;
use everyway_runtime::{State, ThreadId, ThreadPath};

/// The position of each thread in the order of birth.
pub(crate) struct BirthOrder {
    positions: Vec<usize>,
}

impl BirthOrder {
    /// The order in which the threads of `state` were born in those events of `trace` that are `kept`; `initial` of
    /// them are there from the start. Threads that are not born in them come last.
    pub(crate) fn new(state: &dyn State, trace: &Trace, initial: usize, kept: impl Fn(usize) -> bool) -> Self {
        /// When a thread is born; of those born in one event, children come after their parents.
        #[derive(PartialEq, Eq, PartialOrd, Ord)]
        enum Born {
            Initially(ThreadId),
            In(usize, usize, ThreadPath),
            Elsewhere(ThreadId),
        }
        let born = |thread: ThreadId| match trace.origin(thread) {
            _ if thread.index() < initial => Born::Initially(thread),
            Some(event) if kept(event.index()) => {
                let path = state.path(thread);
                Born::In(event.index(), path.depth(), path)
            }
            _ => Born::Elsewhere(thread),
        };
        let mut order: Vec<ThreadId> = (0..state.threads()).map(ThreadId::new).collect();
        order.sort_by_cached_key(|&thread| born(thread));
        let mut positions = vec![0; order.len()];
        for (position, thread) in order.iter().enumerate() {
            positions[thread.index()] = position;
        }
        Self { positions }
    }

    fn of(&self, thread: usize) -> usize {
        self.positions.get(thread).copied().unwrap_or(thread)
    }

    /// Numbers the threads of `bug`, which are numbered by ids, by the order of birth.
    pub(crate) fn apply(&self, bug: &mut Bug) {
        bug.renumber_threads(|thread| self.of(thread));
    }
}
