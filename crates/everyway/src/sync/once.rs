//! [`std::sync::Once`], as models see it, and what [`OnceLock`](super::OnceLock) and
//! [`LazyLock`](super::LazyLock) are made of.
//!
//! std has one atomic in it, which calls load, and change where there is something to be done; all changes are
//! read-modify-writes. So it is here, and a load may find what is not the newest. A call loads the state, waits
//! while another thread has it, and begins if that is due: one step. Calls that find it done are reads, which commute.
//!
//! Beside the state there is a flag that says whether it is done, for those who only look: they do not meet those who
//! begin. To them that is as if they looked at the state, of which they only learn whether it is the last one. Both
//! are written in one step, the flag first: who finds the state done finds the flag raised. The other way round, who finds
//! the flag raised knows that it was claimed for the last time, and no call comes to anything but the end.

use crate::model::kind::Kind;
use crate::model::names::Name;
use crate::model::object::Handle;
use crate::model::{self, CodeSite, Label, Model, Pending, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Ordering, Verb};
use std::fmt;
use std::panic::Location as Caller;

/// The states: one of these, the last of them for good.
const INCOMPLETE: u64 = 0;
const RUNNING: u64 = 1;
const POISONED: u64 = 2;
const COMPLETE: u64 = 3;

/// What std says, too.
const IS_POISONED: &str = "Once instance has previously been poisoned";

/// Something that happens once; as [`std::sync::Once`].
///
/// An initialisation that waits for itself is reported as a deadlock.
pub struct Once {
    handle: Handle,
    outside: std::sync::Once,
    /// What reports call it.
    kind: Kind,
}

/// What a [`Once`] was like before its closure ran; as [`std::sync::OnceState`].
#[derive(Debug)]
pub struct OnceState {
    poisoned: bool,
}

impl OnceState {
    /// Whether an earlier closure panicked.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }
}

/// The once was poisoned by an earlier closure that panicked.
#[derive(Debug)]
pub(super) struct Poisoned;

/// Whether a call goes on where an earlier closure panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Poison {
    Respect,
    Ignore,
}

impl Once {
    /// One that has not happened.
    #[expect(clippy::new_without_default, reason = "std's has none")]
    pub const fn new() -> Self {
        Self::of_kind(Kind::Once)
    }

    pub(super) const fn of_kind(kind: Kind) -> Self {
        Self { handle: Handle::new(), outside: std::sync::Once::new(), kind }
    }

    fn initial(&self) -> u64 {
        if self.outside.is_completed() { COMPLETE } else { INCOMPLETE }
    }

    fn location(&self, model: &Model, caller: CodeSite) -> Location {
        self.handle.location(model, self.kind, caller, || self.initial())
    }

    /// The once as code outside of models uses it.
    pub(super) fn outside(&self) -> &std::sync::Once {
        self.handle.before_outside_use(|| self.initial());
        &self.outside
    }

    /// Makes it one that has not happened.
    pub(super) fn reset(&mut self) {
        self.handle.detach();
        self.outside = std::sync::Once::new();
    }

    /// Whether it has happened, as only its owner may ask: it is not an event.
    #[track_caller]
    pub(super) fn is_done(&mut self) -> bool {
        let caller = Caller::caller();
        model::with(|model| {
            let location = self.location(model, caller);
            model.state().value(location) == COMPLETE
        })
        .unwrap_or_else(|| self.outside.is_completed())
    }

    /// Runs the closure if no other has been run, and waits for it if it is running.
    ///
    /// # Panics
    /// If an earlier closure panicked.
    #[track_caller]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        let caller = Caller::caller();
        let mut f = Some(f);
        let inside = model::with(|model| {
            let run = |_: &OnceState| f.take().map_or((), |f| f());
            self.run(model, Verb::CallOnce, caller, Poison::Respect, run)
        });
        match inside {
            Some(Ok(())) => {}
            Some(Err(Poisoned)) => panic!("{IS_POISONED}"),
            None => self.outside().call_once(|| f.take().map_or((), |f| f())),
        }
    }

    /// [`call_once`](Self::call_once), which also runs the closure if an earlier one panicked.
    #[track_caller]
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        let caller = Caller::caller();
        let mut f = Some(f);
        let mut run = |state: &OnceState| f.take().map_or((), |f| f(state));
        let inside = model::with(|model| self.run(model, Verb::OnceForce, caller, Poison::Ignore, &mut run));
        if inside.is_none() {
            self.outside().call_once_force(|state| run(&OnceState { poisoned: state.is_poisoned() }));
        }
    }

    /// Whether a closure has been run to its end.
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        let caller = Caller::caller();
        model::with(|model| self.look(model, Verb::OnceIsDone, caller)).unwrap_or_else(|| self.outside.is_completed())
    }

    /// Waits until a closure has been run to its end.
    ///
    /// # Panics
    /// If it panicked.
    #[track_caller]
    pub fn wait(&self) {
        let caller = Caller::caller();
        match model::with(|model| self.wait_inside(model, Verb::WaitOnce, Poison::Respect, caller)) {
            Some(Ok(())) => {}
            Some(Err(Poisoned)) => panic!("{IS_POISONED}"),
            None => self.outside().wait(),
        }
    }

    /// Waits until a closure has been run to its end, and takes no notice of those that panicked.
    #[track_caller]
    pub fn wait_force(&self) {
        let caller = Caller::caller();
        if model::with(|model| self.wait_inside(model, Verb::OnceWaitForce, Poison::Ignore, caller)).is_none() {
            self.outside().wait_force();
        }
    }

    /// Waits in a model until it is done.
    ///
    /// # Errors
    /// If it is poisoned, and the poison is to be respected.
    pub(super) fn wait_inside(
        &self,
        model: &Model,
        verb: Verb,
        poison: Poison,
        caller: CodeSite,
    ) -> Result<(), Poisoned> {
        let location = self.location(model, caller);
        let end = match poison {
            Poison::Respect => Condition::AtLeast(POISONED),
            Poison::Ignore => Condition::Equals(COMPLETE),
        };
        let wait = Access::new(location, Effect::Read).ordered(Ordering::Acquire).once(end);
        let show = Show::Found(&["", "", "is poisoned", ""]);
        let found = model.perform_access(wait, Label { verb, object: Some(location), show, caller }).before;
        self.finds(model, found, poison)
    }

    /// Whether it is done, in a model.
    pub(super) fn look(&self, model: &Model, verb: Verb, caller: CodeSite) -> bool {
        let location = self.location(model, caller);
        let look = Access::new(done_flag(model, location), Effect::Read).ordered(Ordering::Acquire);
        let label = Label { verb, object: Some(location), show: Show::Bool, caller };
        let is_done = model.perform_access(look, label).before == 1;
        if !is_done {
            model.may_have_missed(Ordering::Acquire);
        }
        is_done
    }

    /// What it means to have found it in a state that is not to be waited for.
    fn finds(&self, model: &Model, state: u64, poison: Poison) -> Result<(), Poisoned> {
        if state != POISONED || poison == Poison::Ignore {
            return Ok(());
        }
        model.may_have_missed(Ordering::Acquire);
        Err(Poisoned)
    }

    /// Runs `f` in a model unless it is done. While a panic unwinds, nothing waits: if another thread is at
    /// it then, nothing happens.
    ///
    /// # Errors
    /// If it is poisoned, and the poison is to be respected.
    pub(super) fn run(
        &self,
        model: &Model,
        verb: Verb,
        caller: CodeSite,
        poison: Poison,
        f: impl FnOnce(&OnceState),
    ) -> Result<(), Poisoned> {
        let location = self.location(model, caller);
        let (begin, words): (fn(u64, u64) -> Option<u64>, _) = match poison {
            Poison::Respect => (begin_first, &["begins", "", "is poisoned", "was done"]),
            Poison::Ignore => (begin_again, &["begins", "", "begins", "was done"]),
        };
        let begin = Access::new(location, Effect::Try(begin, RUNNING)).ordered(Ordering::Acquire);
        let label = Label { verb, object: Some(location), show: Show::Found(words), caller };
        let outcome = model.perform_access(begin.once(Condition::Differs(RUNNING)), label);
        if !outcome.changed {
            return self.finds(model, outcome.before, poison);
        }
        let unless_it_panics = Poisons { model, label, location };
        f(&OnceState { poisoned: outcome.before == POISONED });
        std::mem::forget(unless_it_panics);
        let ends = [(done_flag(model, location), 1), (location, COMPLETE)];
        let ends = ends.map(|(location, value)| ending(location, value));
        model.perform_accesses(ends, Label { show: Show::Word("is done"), ..label });
        Ok(())
    }
}

/// Where it says whether what has its state at a location is done: 1 if so.
fn done_flag(model: &Model, location: Location) -> Location {
    let mut state = model.state();
    let was_done = state.object(location).initial == COMPLETE;
    state.named_object(Name::Done(location), Kind::Done, u64::from(was_done))
}

/// The state that a call leaves which respects poison, if it begins.
fn begin_first(state: u64, running: u64) -> Option<u64> {
    (state == INCOMPLETE).then_some(running)
}

/// The state that a call leaves which ignores poison, if it begins.
fn begin_again(state: u64, running: u64) -> Option<u64> {
    (state != COMPLETE).then_some(running)
}

/// The access by which the thread that has begun leaves something for others: a swap, as in std.
fn ending(location: Location, value: u64) -> Access {
    Access::new(location, Effect::Modify(|_, left| left, value)).ordered(Ordering::Release)
}

/// Poisons the once when a panic unwinds past it.
struct Poisons<'a> {
    model: &'a Model,
    label: Label,
    location: Location,
}

impl Drop for Poisons<'_> {
    fn drop(&mut self) {
        let label = Label { show: Show::Word("panics"), ..self.label };
        self.model.defer(Pending::new(Operation::one(ending(self.location, POISONED)), label));
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}
