//! Accesses to cells with a duration: from the call of a closure, or the creation of a pointer, until the access is
//! over.
//!
//! If two accesses to one cell overlap, one of them a write, that is an error whatever else is ordered: the pointer may
//! be used at any time in between. If steps were taken since an access began, its end is an access, too, so that it
//! conflicts with later ones.

use super::describe::{object_name, source, thread_name};
use super::kind::Kind;
use super::object::Handle;
use super::races::Mode;
use super::{CodeSite, Failure, Inner, Model};
use everyway_report::{BugKind, RacingAccess};
use everyway_runtime::{Epoch, Location, ThreadId};

/// An access that has begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    cell: Location,
    mode: Mode,
    thread: ThreadId,
    caller: CodeSite,
    /// Tells accesses apart.
    number: u64,
    /// When it began, as its thread counts.
    began: Epoch,
    /// How many steps its thread had taken.
    steps: u32,
}

/// An access that ends when this is dropped.
pub(crate) struct Lasting {
    number: u64,
    /// The execution that it is part of.
    execution: u64,
}

impl Inner {
    /// What is wrong with an access that begins now.
    fn overlap(&self, cell: Location, mode: Mode, caller: CodeSite) -> Option<Failure> {
        let conflicts = |open: &&Open| open.cell == cell && (open.mode, mode) != (Mode::Read, Mode::Read);
        let open = self.open_accesses.iter().find(conflicts)?;
        let object = object_name(self, cell);
        let access = |thread: ThreadId, mode: Mode, caller, steps: u32| RacingAccess {
            thread: thread.index(),
            operation: mode.name().to_owned(),
            object: object.clone(),
            source: Some(source(caller)),
            steps_before: Some(steps as usize),
        };
        let message = if open.thread == self.running {
            format!("{object} is accessed while an access of the same thread to it lasts, and one of them is a write")
        } else {
            let other = thread_name(self, open.thread);
            format!("{object} is accessed while an access of '{other}' to it lasts, and one of them is a write")
        };
        Some(Failure {
            source: Some(source(caller)),
            accesses: vec![
                access(open.thread, open.mode, open.caller, open.steps),
                access(self.running, mode, caller, self.threads[self.running.index()].steps),
            ],
            ..Failure::new(BugKind::DataRace, message)
        })
    }
}

impl Model {
    /// Begins an access that lasts. The cell has been found free of races.
    pub(crate) fn begin_access(&self, handle: &Handle, mode: Mode, caller: CodeSite) -> Option<Lasting> {
        let cell = handle.location(self, Kind::Cell, caller, || 0);
        let mut state = self.state();
        if state.on_trial || state.tearing_down {
            return None;
        }
        let (thread, execution) = (state.running, state.epoch);
        let began = state.detector.now(thread);
        state.accesses_begun += 1;
        let number = state.accesses_begun;
        let steps = state.threads[thread.index()].steps;
        state.open_accesses.push(Open { cell, mode, thread, caller, number, began, steps });
        Some(Lasting { number, execution })
    }

    /// An access begins: it must not overlap with one that lasts.
    pub(crate) fn look_for_overlap(&self, cell: Location, mode: Mode, caller: CodeSite) {
        let state = self.state();
        if state.open_accesses.is_empty() {
            return;
        }
        let overlap = state.overlap(cell, mode, caller);
        drop(state);
        if let Some(failure) = overlap {
            self.fail(failure);
        }
    }

    fn end_access(&self, lasting: &Lasting) {
        let mut state = self.state();
        if state.epoch != lasting.execution || state.tearing_down {
            return;
        }
        let Some(position) = state.open_accesses.iter().position(|open| open.number == lasting.number) else { return };
        let Open { cell, mode, caller, thread, began, .. } = state.open_accesses.remove(position);
        if state.detector.now(thread) == began {
            return;
        }
        let race = state.access_cell(cell, mode, caller);
        drop(state);
        if let Some(failure) = race {
            self.fail(failure);
        }
    }
}

impl Drop for Lasting {
    fn drop(&mut self) {
        super::with(|model| model.end_access(self));
    }
}
