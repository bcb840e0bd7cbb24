//! Reference counts: those of `Arc` and `Weak`.
//!
//! The counts themselves are std's. Most programs cannot observe them: they clone and drop, and the last drop frees the
//! value. Then changes of a count are no steps, and all that is tracked is that what the owners did happens before the
//! last drop. A program can observe a count in two ways, each for all values of one type ([`Telling`]):
//!
//! - by reading it: `strong_count`, `upgrade`, `get_mut` and the like. Then cloning and dropping are steps, which add to the
//!   count without reading it: they commute with each other, but not with reads.
//! - by a last drop whose destructor does something visible. Then a drop is a step that reads the count.
//!
//! A program that turns out to do so is explored from the start again, with the counts of that type kept track of.

use super::detail::Detail;
use super::kind::Kind;
use super::{CodeSite, Ended, Inner, Label, Model, Outcome, Pending, Show};
use everyway_runtime::{Access, Effect, Location, Operation, Ordering, Verb, Visit};
use rustc_hash::FxHashMap;

/// A type whose owners are counted, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    /// The name of the type.
    pub(crate) of: &'static str,
    pub(crate) telling: Telling,
}

impl Counted {
    /// As frontiers have it.
    pub(crate) fn name(&self) -> String {
        let telling = match self.telling {
            Telling::Looks => "counts",
            Telling::IsLast => "last-owners",
        };
        format!("{telling} {}", self.of)
    }

    /// The one of this name. (There are few, and a program has them once.)
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (telling, of) = name.split_once(' ')?;
        let telling = match telling {
            "counts" => Telling::Looks,
            "last-owners" => Telling::IsLast,
            _ => return None,
        };
        Some(Self { of: of.to_owned().leak(), telling })
    }
}

/// How a program can tell how many owners there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// It looks.
    Looks,
    /// The last drop does something visible.
    IsLast,
}

/// Something shared: where it lies, and the name of its type.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) address: usize,
    pub(crate) of: &'static str,
    /// How many own it at present, and how many refer to it without owning it.
    pub(crate) counts: &'a dyn Fn() -> (usize, usize),
}

/// Which count of something shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    Strong,
    Weak,
}

/// What is shared in the current execution.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    /// The counts that were met, by the address of what is shared.
    met: FxHashMap<usize, Location>,
    /// The type of what is being dropped by its last owner, if that is not a step.
    dropping: Option<&'static str>,
}

impl Owners {
    pub(super) fn reset(&mut self) {
        self.met.clear();
        self.dropping = None;
    }

    /// What has to be counted because the running thread does something visible: it is the last owner of this, which
    /// is not known.
    #[inline]
    pub(super) fn unseen_drop(&self) -> Option<Counted> {
        self.dropping.map(|of| Counted { of, telling: Telling::IsLast })
    }
}

impl Inner {
    /// Where a count of something shared is kept. It lies where the allocation has its own, so that no object of the
    /// program is there.
    fn count(&mut self, shared: Shared<'_>, count: Count) -> Location {
        let (offset, kind, value) = match count {
            Count::Strong => (16, Kind::Arc, (shared.counts)().0),
            Count::Weak => (8, Kind::Weak, (shared.counts)().1),
        };
        self.owned_at(shared.address.wrapping_sub(offset), kind, value as u64)
    }

    fn owned_at(&mut self, address: usize, kind: Kind, value: u64) -> Location {
        if let Some(&location) = self.owners.met.get(&address) {
            return location;
        }
        let location = self.place_object(address, kind, value);
        self.owners.met.insert(address, location);
        location
    }

    /// What the owner of something shared did happens before the last one drops it.
    #[inline]
    fn leave_shared(&mut self, shared: Shared<'_>, caller: CodeSite) {
        if self.synchronisation && !self.tearing_down && !self.on_trial {
            self.release_shared(shared, caller);
        }
    }

    fn release_shared(&mut self, shared: Shared<'_>, caller: CodeSite) {
        // Not the location of the count: changes of that are told apart from those that are no steps.
        let location = self.owned_at(shared.address.wrapping_sub(12), Kind::Unknown, 0);
        let owners = (shared.counts)().0;
        let ordering = if owners == 1 { Ordering::AcqRel } else { Ordering::Release };
        let access = Access::new(location, Effect::Modify(u64::wrapping_sub, 1)).ordered(ordering);
        let (visit, _) = Visit::carry_out(&access, owners as u64);
        let thread = self.running;
        self.detector.leave(thread, &visit, caller);
    }
}

impl Model {
    #[inline]
    fn counts(&self, shared: Shared<'_>, telling: Telling) -> bool {
        !self.settings.counted.is_empty() && self.settings.counted.contains(&Counted { of: shared.of, telling })
    }

    /// Whether changes of the counts of `shared` are steps.
    fn is_counted(&self, shared: Shared<'_>) -> bool {
        self.counts(shared, Telling::Looks) || self.counts(shared, Telling::IsLast)
    }

    fn change(
        &self,
        shared: Shared<'_>,
        count: Count,
        verb: Verb,
        caller: CodeSite,
        access: impl FnOnce(Location) -> Access,
    ) -> Outcome {
        let location = self.state().count(shared, count);
        let label = Label { verb, object: Some(location), show: Show::Unsigned, caller };
        self.perform_access(access(location), label)
    }

    /// [`Model::change`] for what nothing depends on: while a panic unwinds, it is put off.
    fn change_blindly(
        &self,
        shared: Shared<'_>,
        count: Count,
        verb: Verb,
        caller: CodeSite,
        access: (Effect, Ordering),
    ) {
        let location = self.state().count(shared, count);
        let label = Label { verb, object: Some(location), show: Show::Unsigned, caller };
        let operation = Operation::one(Access::new(location, access.0).ordered(access.1));
        if super::is_unwinding() {
            self.defer(Pending::new(operation, label));
        } else {
            self.perform(operation, label);
        }
    }

    /// Adds to a count, or takes from it, without looking.
    #[inline]
    pub(crate) fn add_owner(&self, shared: Shared<'_>, count: Count, n: u64, verb: Verb, caller: CodeSite) {
        // Mostly no type is.
        if !self.settings.counted.is_empty() {
            self.add_counted_owner(shared, count, n, verb, caller);
        }
    }

    fn add_counted_owner(&self, shared: Shared<'_>, count: Count, n: u64, verb: Verb, caller: CodeSite) {
        if self.is_counted(shared) && !self.state().tearing_down {
            let ordering = if n == 1 { Ordering::Relaxed } else { Ordering::Release };
            self.change_blindly(shared, count, verb, caller, (Effect::Add(n), ordering));
        }
    }

    /// Whether it does not matter that an owner leaves that is not the last one: nothing is counted, and nothing asks what
    /// happens before what.
    #[inline]
    pub(crate) fn ignores_owners(&self) -> bool {
        self.settings.counted.is_empty() && !self.has(Detail::Synchronisation)
    }

    /// An owner leaves. If it is the last one, `free` is called, which drops what is shared.
    pub(crate) fn drop_owner(&self, shared: Shared<'_>, caller: CodeSite, free: impl FnOnce()) {
        let mut state = self.state();
        if state.tearing_down {
            drop(state);
            return free();
        }
        // Mostly no type is counted.
        if !self.settings.counted.is_empty() {
            drop(state);
            if self.counts(shared, Telling::IsLast) {
                return self.drop_counted_owner(shared, caller, free);
            }
            self.add_owner(shared, Count::Strong, u64::MAX, Verb::DropArc, caller);
            state = self.state();
        }
        state.leave_shared(shared, caller);
        if (shared.counts)().0 > 1 {
            drop(state);
            return free();
        }
        let outer = state.owners.dropping.replace(shared.of);
        drop(state);
        let allocated = self.memory.allocated();
        // If this unwinds, nothing else is said of the execution.
        free();
        if self.memory.allocated() != allocated && !super::is_unwinding() {
            // The names of what the thread allocates from now on depend on who was last.
            self.end(Ended::WantsCount(Counted { of: shared.of, telling: Telling::IsLast }));
        }
        self.state().owners.dropping = outer;
    }

    /// [`Model::drop_owner`] where it matters which owner is the last.
    fn drop_counted_owner(&self, shared: Shared<'_>, caller: CodeSite, free: impl FnOnce()) {
        let sub = (Effect::Modify(u64::wrapping_sub, 1), Ordering::Release);
        self.change_blindly(shared, Count::Strong, Verb::DropArc, caller, sub);
        if (shared.counts)().0 == 1 && !super::is_unwinding() {
            // The last drop acquires what the other owners did to the value: as in std, by a fence after the count.
            self.fence_unseen(Ordering::Acquire, caller);
        }
        self.state().leave_shared(shared, caller);
        free();
    }

    /// The program looks at the counts of `shared`.
    pub(crate) fn look_at_owners(&self, shared: Shared<'_>) {
        if !self.counts(shared, Telling::Looks) && !self.state().tearing_down {
            self.end(Ended::WantsCount(Counted { of: shared.of, telling: Telling::Looks }));
        }
    }

    /// How large a count is, for the program to know: a relaxed load.
    pub(crate) fn count_owners(&self, shared: Shared<'_>, count: Count, caller: CodeSite) -> usize {
        self.meet(Ordering::Relaxed);
        let verb = match count {
            Count::Strong => Verb::StrongCount,
            Count::Weak => Verb::WeakCount,
        };
        self.read_count(shared, count, (verb, Ordering::Relaxed), caller)
    }

    /// Whether nothing refers to what is shared but the owner that asks: if so, what the others did comes before.
    pub(crate) fn is_unique(&self, shared: Shared<'_>, caller: CodeSite) -> bool {
        let is_unique = self.has_owners_only(shared, caller)
            && self.read_count(shared, Count::Strong, (Verb::IsUniqueArc, Ordering::Acquire), caller) == 1;
        if !is_unique {
            self.may_have_missed(Ordering::Acquire);
        }
        is_unique
    }

    /// Whether nothing refers to what is shared without owning it.
    pub(crate) fn has_owners_only(&self, shared: Shared<'_>, caller: CodeSite) -> bool {
        self.read_count(shared, Count::Weak, (Verb::LockWeak, Ordering::Acquire), caller) == 0
    }

    fn read_count(
        &self,
        shared: Shared<'_>,
        count: Count,
        (verb, ordering): (Verb, Ordering),
        caller: CodeSite,
    ) -> usize {
        self.look_at_owners(shared);
        let read = |at| Access::new(at, Effect::Read).ordered(ordering);
        self.change(shared, count, verb, caller, read).before as usize
    }

    /// Changes a count as `access` says, which may have a condition.
    pub(crate) fn change_owners(
        &self,
        shared: Shared<'_>,
        count: Count,
        verb: Verb,
        caller: CodeSite,
        access: impl FnOnce(Access) -> Access,
    ) -> Outcome {
        self.look_at_owners(shared);
        self.change(shared, count, verb, caller, |at| access(Access::new(at, Effect::Read)))
    }
}
