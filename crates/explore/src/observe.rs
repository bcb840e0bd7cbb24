//! Conflicts that exist only when somebody looks (TACAS 2018).
//!
//! The order of two stores to the same bytes makes no difference to anybody unless somebody reads what the later
//! one left. The conflict relation of [`crate::operation`], which other strategies use as it is, is refined here to
//! three answers: two accesses conflict never, always, or once their order is observed.
//!
//! - Two stores ([`Class::Store`]) to exactly the same bytes conflict once the later one is *observed*: once an
//!   access that is not a store overlaps it before the next store to the same bytes. That access is the observer.
//!   (`observers(e, e', E)`, Definition 1(6), are those of them that come first in happens-before.)
//! - Everything else conflicts always or never, as before: what reads and writes in one go, adds, locks, receives,
//!   and stores to overlapping but different bytes, as the paper demands at the end of its Sect. 4.
//!
//! Two deviations from Definition 1:
//!
//! - *Property 6(g)* - two events whose order is observed by `o` in one execution are ordered by `o` in all that
//!   differ by the order of such events - does not hold for three stores and a read: the first two are unordered.
//!   It does not hold in the paper's own programs either (`lastwrite`, of which it explores N executions, not N!).
//! - *Property 5*, that equivalent sequences enable the same threads, would not hold if an operation that can block
//!   looked at what stores left in either order. So stores to what some thread waits at conflict always. Which
//!   locations these are is only known once a thread has come to wait; if two stores to one of them have been taken
//!   for unordered by then, the exploration starts over.

use crate::execution::{self, State};
use crate::ids::{EventId, Location};
use crate::mailbox::Matching;
use crate::operation::{Class, Footprint};
use crate::trace::Trace;
use std::cell::{Cell, RefCell};

/// Whether the order of two accesses matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// To nobody.
    Never,
    /// To whoever observes the later of the two.
    Observed,
    /// At any rate.
    Always,
}

/// How accesses relate to one another.
pub(crate) trait Relation {
    /// Whether two accesses conflict.
    fn conflict(&self, one: &Footprint, other: &Footprint) -> Conflict;

    /// Whether an access observes the order of stores like `store` before it.
    fn observes(&self, store: &Footprint, access: &Footprint) -> bool;

    /// Whether `access` makes sure that nobody observes the order of stores like `store` before it.
    fn hides(&self, store: &Footprint, access: &Footprint) -> bool;
}

/// An [`Observation`] with what receives match in the present execution.
pub(crate) struct Known<'a> {
    observation: &'a Observation,
    matching: &'a dyn Matching,
}

impl Known<'_> {
    /// Whether two accesses, which conflict if every conflict counts, do so at any rate.
    #[inline]
    pub(crate) fn refine(&self, one: &Footprint, other: &Footprint) -> Conflict {
        let open = self.observation.enabled
            && one.class == Class::Store
            && self.hides(one, other)
            && self.observation.relies_on(one.location);
        if open { Conflict::Observed } else { Conflict::Always }
    }

    /// Whether stores conflict only when observed, wherever nobody is known to wait.
    pub(crate) fn is_enabled(&self) -> bool {
        self.observation.enabled
    }
}

impl Relation for Known<'_> {
    #[inline]
    fn conflict(&self, one: &Footprint, other: &Footprint) -> Conflict {
        if one.conflicts(other, self.matching) { self.refine(one, other) } else { Conflict::Never }
    }

    fn observes(&self, store: &Footprint, access: &Footprint) -> bool {
        access.class != Class::Store && access.overlaps(store)
    }

    fn hides(&self, store: &Footprint, access: &Footprint) -> bool {
        access.class == Class::Store && access.location == store.location && access.bytes == store.bytes
    }
}

/// What is known of the locations whose stores may be left unordered.
#[derive(Debug, Default)]
pub(crate) struct Observation {
    /// Whether any may. Strategies without observers have an `Observation` in which none may.
    enabled: bool,
    /// The locations that somebody waits at.
    watched: Vec<bool>,
    /// The locations of which two stores were left unordered, as far as anybody asked.
    relied_on: RefCell<Vec<bool>>,
    relied_on_any: Cell<bool>,
}

impl Observation {
    /// The relation in which stores conflict when observed.
    pub(crate) fn of_stores() -> Self {
        Self { enabled: true, ..Self::default() }
    }

    /// The relation in an execution whose receives match what `matching` says.
    pub(crate) fn among<'a>(&'a self, matching: &'a dyn Matching) -> Known<'a> {
        Known { observation: self, matching }
    }

    /// Whether stores to `location` may be left unordered; if so, it is remembered that somebody relies on it.
    fn relies_on(&self, location: Location) -> bool {
        if is_set(&self.watched, location.index()) {
            return false;
        }
        self.relied_on_any.set(true);
        set(&mut self.relied_on.borrow_mut(), location.index());
        true
    }

    /// Takes note of where threads wait, or may have to, in the finished execution `trace`. If something relied on
    /// nobody waiting there, that was wrong.
    ///
    /// Only locations with stores that could be left unordered in this very execution matter: as long as there is
    /// no execution with both, nobody waits for what stores leave in one order and not in another.
    pub(crate) fn learn(&mut self, trace: &Trace, state: &dyn State) -> Reliance {
        let mut reliance = Reliance::Right;
        if !self.enabled || trace.contested().is_empty() {
            return reliance;
        }
        let stores = |&event: &EventId| trace.footprints(event).iter().filter(|f| f.class == Class::Store);
        let contested: Vec<Location> = trace.contested().iter().flat_map(stores).map(|f| f.location).collect();
        let taken = trace.events_from(0).filter(|&event| trace.event(event).may_block);
        let taken = taken.flat_map(|event| trace.declared(event));
        let waiting = execution::blocked(state).flat_map(|thread| &state.operation(thread).accesses);
        for access in taken.chain(waiting).filter(|access| contested.contains(&access.location)) {
            self.watch(access.location, state, &mut reliance);
        }
        if reliance == Reliance::Wrong {
            self.relied_on.borrow_mut().clear();
            self.relied_on_any.set(false);
        }
        reliance
    }

    fn watch(&mut self, location: Location, state: &dyn State, reliance: &mut Reliance) {
        if !self.enabled || is_set(&self.watched, location.index()) {
            return;
        }
        let wrong = if state.is_settled(location, 0) {
            set(&mut self.watched, location.index());
            is_set(self.relied_on.get_mut(), location.index())
        } else {
            // It may go by another number in other executions.
            self.enabled = false;
            self.relied_on_any.get()
        };
        if wrong {
            *reliance = Reliance::Wrong;
        }
    }
}

/// Whether what was explored so far stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reliance {
    Right,
    Wrong,
}

fn is_set(bits: &[bool], index: usize) -> bool {
    bits.get(index).copied().unwrap_or(false)
}

fn set(bits: &mut Vec<bool>, index: usize) {
    if bits.len() <= index {
        bits.resize(index + 1, false);
    }
    bits[index] = true;
}
