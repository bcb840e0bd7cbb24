//! Poisoned locks.
//!
//! As long as no thread checks for poison without taking the lock, the poison is part of the lock's value: it is set on release,
//! and seen by the next acquisition. For a program that does check ([`Detail::Poison`]), there is a flag beside each lock, as in
//! std: it is stored before the lock is released, and loaded after it is taken, by relaxed accesses of their own.

use super::detail::Detail;
use super::kind::Kind;
use super::names::Name;
use super::{CodeSite, Label, Model, Pending, Show};
use everyway_runtime::{Access, Effect, Location, Operation, Ordering, Verb};

impl Model {
    fn poison_flag(&self, lock: Location) -> Location {
        self.state().named_object(Name::Poison(lock), Kind::Poison, 0)
    }

    fn poison_access(&self, lock: Location, effect: Effect) -> Operation {
        Operation::one(Access::new(self.poison_flag(lock), effect).ordered(Ordering::Relaxed))
    }

    fn load_poison(&self, lock: Location, caller: CodeSite) -> bool {
        let label = Label { verb: Verb::IsPoisoned, object: Some(lock), show: Show::Bool, caller };
        self.perform(self.poison_access(lock, Effect::Read), label).before == 1
    }

    /// Whether a lock is poisoned that the running thread holds, or owns.
    pub(crate) fn finds_poison(&self, lock: Location, caller: CodeSite) -> bool {
        if self.has(Detail::Poison) { self.load_poison(lock, caller) } else { self.state().object(lock).poisoned }
    }

    /// Whether a lock is poisoned that others may hold.
    pub(crate) fn look_for_poison(&self, lock: Location, caller: CodeSite) -> bool {
        self.needs(Detail::Poison);
        let is_poisoned = self.finds_poison(lock, caller);
        self.may_have_missed(Ordering::Relaxed);
        is_poisoned
    }

    /// Takes a poisoning of the lock back.
    pub(crate) fn clear_poison(&self, lock: Location, caller: CodeSite) {
        self.needs(Detail::Poison);
        if !self.has(Detail::Poison) {
            self.state().object_mut(lock).poisoned = false;
            return;
        }
        let label = Label { verb: Verb::ClearPoison, object: Some(lock), show: Show::Nothing, caller };
        self.perform(self.poison_access(lock, Effect::Store(0)), label);
    }

    /// A panic unwinds past the guard of `lock`: it is given back by `unlock` when that has been caught, and may be poisoned.
    pub(crate) fn unlock_later(&self, lock: Location, unlock: Operation, label: Label, poisons: bool) {
        let by_flag = poisons && self.has(Detail::Poison);
        if by_flag {
            let label = Label { verb: Verb::Poison, object: Some(lock), show: Show::Nothing, ..label };
            self.defer(Pending::new(self.poison_access(lock, Effect::Store(1)), label));
        }
        self.defer(Pending::new(unlock, label).poisoning((poisons && !by_flag).then_some(lock)));
    }
}
