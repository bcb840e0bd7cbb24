//! Tasks of a model.
//!
//! The state of a task is a location: the number of wake-ups since it last checked, and whether it was aborted. Waking
//! is adding, so the order of two wake-ups makes no difference; checking takes all. Each of these reads and writes in
//! one step, so data beside a location - a registered waker - is what the step saw, whatever the memory model.

use super::task::{Origin, Signal};
use crate::model::kind::Kind;
use crate::model::object;
use crate::model::{self, CodeSite, Label, Model, Outcome, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Ordering, Verb};
use std::sync::{Mutex, PoisonError};
use std::task::Waker;

/// What waking adds.
const WAKE: u64 = 1;
/// What aborting adds: more than all wake-ups of an execution.
const ABORT: u64 = 1 << 32;

/// One step on a location.
fn step(model: &Model, verb: Verb, show: Show, caller: CodeSite, access: Access) -> Outcome {
    let label = Label { verb, object: Some(access.location), show, caller };
    model.perform_access(access.ordered(Ordering::AcqRel), label)
}

/// A task.
pub(super) struct Task {
    signals: Location,
    origin: Origin,
    /// The execution that it is part of.
    epoch: u64,
}

impl Task {
    /// A task of the model that the caller is part of.
    pub(super) fn new(origin: Origin, pending: Option<Signal>) -> Option<Self> {
        model::with(|model| {
            let value = match pending {
                None => 0,
                Some(Signal::Wake) => WAKE,
                Some(Signal::Abort) => ABORT,
            };
            let mut state = model.state();
            let signals = state.make_object(Kind::Task, value);
            state.origins.insert(signals, origin);
            Self { signals, origin, epoch: state.epoch }
        })
    }

    /// Without effect when the execution is over: wakers may outlive it.
    pub(super) fn send(&self, signal: Signal) {
        let (verb, change) = match signal {
            Signal::Wake => (Verb::Wake, WAKE),
            Signal::Abort => (Verb::Abort, ABORT),
        };
        let access = Access::new(self.signals, Effect::Add(change));
        model::with(|model| {
            let epoch = model.state().epoch;
            if epoch == self.epoch {
                step(model, verb, Show::Nothing, self.origin.caller, access);
            }
        });
    }

    pub(super) fn receive(&self) -> Signal {
        let take = Access::new(self.signals, Effect::Write(0)).once(Condition::AtLeast(WAKE));
        self.take(Verb::AwaitWake, Show::Nothing, take)
    }

    pub(super) fn give_way(&self) -> Signal {
        model::with(|model| {
            // What has come is part of what is waited for, besides what the future looked at.
            let look = Access::new(self.signals, Effect::Read);
            step(model, Verb::IsWoken, Show::Bool, self.origin.caller, look);
        });
        model::hint(Verb::Yield, self.origin.caller);
        let take = Access::new(self.signals, Effect::Write(0)).if_now(Condition::AtLeast(WAKE));
        self.take(Verb::IsWoken, Show::Success("true", "false"), take)
    }

    fn take(&self, verb: Verb, show: Show, access: Access) -> Signal {
        let taken = model::with(|model| step(model, verb, show, self.origin.caller, access).before);
        if taken.is_some_and(|signals| signals >= ABORT) { Signal::Abort } else { Signal::Wake }
    }
}

/// How far a task has come, as its handle sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Running,
    Complete,
}

/// What has become of the handle of a task, as the task sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handle {
    Kept,
    Dropped,
}

/// The task runs, and its handle has not asked.
const RUNNING: u64 = 0;
/// The task runs, and there is a waker to be called at its end.
const AWAITED: u64 = 1;
/// The task has ended.
const COMPLETE: u64 = 2;
/// The task runs, and its handle is gone.
const ABANDONED: u64 = 3;

/// Whether a task has ended, and the waker to call then.
pub(super) struct Completion {
    state: Location,
    origin: Origin,
    joiner: Mutex<Option<Waker>>,
}

impl Completion {
    pub(super) fn new(model: &Model, origin: Origin) -> Self {
        let state = model.state().make_object(Kind::TaskEnd, RUNNING);
        Self { state, origin, joiner: Mutex::default() }
    }

    /// One step on the state; what it was before. Outside of the model, the execution is over.
    fn step(&self, verb: Verb, show: Show, access: Access) -> u64 {
        model::with(|model| step(model, verb, show, self.origin.caller, access).before).unwrap_or(COMPLETE)
    }

    /// The task has ended, and its output can be taken.
    pub(super) fn complete(&self) -> Handle {
        let access = Access::new(self.state, Effect::Modify(|_, complete| complete, COMPLETE));
        match self.step(Verb::Complete, Show::Nothing, access) {
            ABANDONED => Handle::Dropped,
            AWAITED => {
                let joiner = self.joiner.lock().unwrap_or_else(PoisonError::into_inner).take();
                joiner.into_iter().for_each(Waker::wake);
                Handle::Kept
            }
            _ => Handle::Kept,
        }
    }

    /// Whether the task has ended. If it has not, `joiner` is woken when it does.
    pub(super) fn poll(&self, joiner: Waker) -> bool {
        let access = Access::new(self.state, Effect::Write(AWAITED)).if_now(Condition::Below(COMPLETE));
        let is_complete = self.step(Verb::PollJoin, Show::Success("pending", "ready"), access) == COMPLETE;
        if !is_complete {
            *self.joiner.lock().unwrap_or_else(PoisonError::into_inner) = Some(joiner);
        }
        is_complete
    }

    /// The handle is dropped; the output is its to drop if the task has ended.
    pub(super) fn drop_handle(&self) -> End {
        let access = Access::new(self.state, Effect::Write(ABANDONED)).if_now(Condition::Below(COMPLETE));
        match self.step(Verb::DropJoin, Show::Nothing, access) {
            COMPLETE => End::Complete,
            _ => End::Running,
        }
    }

    pub(super) fn is_complete(&self, caller: CodeSite) -> bool {
        let access = Access::new(self.state, Effect::Read).ordered(Ordering::Acquire);
        let look = |model: &model::Model| {
            let is_complete = step(model, Verb::IsFinished, Show::Nothing, caller, access).before == COMPLETE;
            if !is_complete {
                model.may_have_missed(Ordering::Acquire);
            }
            is_complete
        };
        model::with(look).unwrap_or(true)
    }
}

/// Whether an `AtomicWaker` has a waker.
#[derive(Debug)]
pub(super) struct Registration(object::Handle);

impl Registration {
    pub(super) const fn new() -> Self {
        Self(object::Handle::new())
    }

    /// A waker is put there.
    pub(super) fn register(&self, caller: CodeSite) {
        model::with(|model| {
            let location = self.0.location(model, Kind::AtomicWaker, caller, || 0);
            let access = Access::new(location, Effect::Modify(|_, registered| registered, 1));
            step(model, Verb::Register, Show::Nothing, caller, access);
        });
    }

    /// The waker is taken, if there is one: it tells whether there is. Outside of models that is not known here. In any
    /// case it releases: a task that registers afterwards sees what was done before.
    pub(super) fn take(&self, caller: CodeSite) -> bool {
        model::with(|model| {
            let location = self.0.location(model, Kind::AtomicWaker, caller, || 0);
            let access = Access::new(location, Effect::Modify(|_, none| none, 0));
            step(model, Verb::TakeWaker, Show::Nothing, caller, access).before == 1
        })
        .unwrap_or(true)
    }
}
