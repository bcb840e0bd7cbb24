//! [`std::sync::Once`], as models see it, and what [`OnceLock`](super::OnceLock) and
//! [`LazyLock`](super::LazyLock) are made of.
//!
//! Its value has two parts: one byte says whether it is done, another who may begin. A call looks at the
//! first, and only if it is not done claims the second, waiting while another thread has claimed it: one step.
//! So calls that find it done are reads, which commute, and looking whether it is done does not meet those who
//! begin.

use crate::model::kind::Kind;
use crate::model::object::Handle;
use crate::model::{self, CodeSite, Label, Model, Outcome, Pending, Show};
use everyway_runtime::{Access, Bytes, Condition, Effect, Location, Operation, Verb};
use std::fmt;
use std::panic::Location as Caller;

/// Holds 1 when it is done.
const DONE: Bytes = Bytes(0b01);

/// Holds 0, or one of the following.
const CLAIM: Bytes = Bytes(0b10);
const RUNNING: u64 = 1;
const POISONED: u64 = 2;

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
        DONE.set(0, u64::from(self.outside.is_completed()))
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
            DONE.get(model.state().value(location)) == 1
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
            self.run(model, Verb::Once, caller, Poison::Respect, run)
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
        let inside = model::with(|model| {
            let location = self.location(model, caller);
            let poisoned = Access::new(location, Effect::Read).once(Condition::Equals(POISONED));
            let poisoned = Access { bytes: CLAIM, ..poisoned };
            self.perform(model, location, Verb::OnceWait, caller, [done(location), poisoned])
        });
        match inside {
            Some(outcome) if outcome.last > 0 => panic!("{IS_POISONED}"),
            Some(_) => {}
            None => self.outside().wait(),
        }
    }

    /// Waits until a closure has been run to its end, and takes no notice of those that panicked.
    #[track_caller]
    pub fn wait_force(&self) {
        let caller = Caller::caller();
        model::with(|model| self.wait_inside(model, Verb::OnceWaitForce, caller))
            .unwrap_or_else(|| self.outside().wait_force());
    }

    /// Waits in a model until it is done.
    pub(super) fn wait_inside(&self, model: &Model, verb: Verb, caller: CodeSite) {
        let location = self.location(model, caller);
        let wait = Access { bytes: DONE, ..Access::new(location, Effect::Read).once(Condition::Equals(1)) };
        self.perform(model, location, verb, caller, [wait]);
    }

    /// Whether it is done, in a model.
    pub(super) fn look(&self, model: &Model, verb: Verb, caller: CodeSite) -> bool {
        let location = self.location(model, caller);
        let look = Access { bytes: DONE, ..Access::new(location, Effect::Read) };
        let label = Label { verb, object: Some(location), show: Show::Bool, caller };
        DONE.get(model.perform(Operation::new([look]), label).before) == 1
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
        let effect = match poison {
            Poison::Ignore => Effect::Write(RUNNING),
            Poison::Respect => Effect::Modify(|claim, _| if claim == POISONED { claim } else { RUNNING }, 0),
        };
        let claim = Access { bytes: CLAIM, ..Access::new(location, effect).once(Condition::Differs(RUNNING)) };
        let outcome = self.perform(model, location, verb, caller, [done(location), claim]);
        if outcome.last == 0 || !outcome.changed {
            return Ok(());
        }
        let poisoned = CLAIM.get(outcome.before) == POISONED;
        if poisoned && poison == Poison::Respect {
            return Err(Poisoned);
        }
        let label = Label { verb, object: Some(location), show: Show::Ending(&["is done"]), caller };
        let unless_it_panics = Poisons { model, label, location };
        f(&OnceState { poisoned });
        std::mem::forget(unless_it_panics);
        model.perform(Operation::new([Access { bytes: DONE, ..Access::new(location, Effect::Write(1)) }]), label);
        Ok(())
    }

    fn perform(
        &self,
        model: &Model,
        location: Location,
        verb: Verb,
        caller: CodeSite,
        accesses: impl IntoIterator<Item = Access>,
    ) -> Outcome {
        let show = Show::Ending(if verb == Verb::OnceWait { &["", "is poisoned"] } else { &["was done", "begins"] });
        model.perform(Operation::new(accesses), Label { verb, object: Some(location), show, caller })
    }
}

/// The first access of a call: nothing more is to be looked at where it is done.
fn done(location: Location) -> Access {
    Access { bytes: DONE, ..Access::new(location, Effect::Read).or_else(Condition::Equals(1)) }
}

/// Poisons the once when a panic unwinds past it.
struct Poisons<'a> {
    model: &'a Model,
    label: Label,
    location: Location,
}

impl Drop for Poisons<'_> {
    fn drop(&mut self) {
        let poison = Access { bytes: CLAIM, ..Access::new(self.location, Effect::Write(POISONED)) };
        let label = Label { show: Show::Ending(&["panics"]), ..self.label };
        self.model.defer(Pending::new(Operation::new([poison]), label));
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}
