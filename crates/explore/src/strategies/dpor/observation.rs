//! Conflicts that exist only if they are observed (TACAS 2018).
//!
//! The order of two stores to the same bytes makes no difference unless what the later one left is read, and
//! that of two messages to one mailbox none unless a receive takes the first one that would as well have taken the
//! other. The conflict relation of operations ([`everyway_runtime::Operation`]), which other strategies use as it is,
//! is refined here to three answers: two accesses conflict never, always, or once their order is observed.
//!
//! - Two stores ([`Class::Store`]) to exactly the same bytes conflict once the later one is *observed*: once an
//!   access that is not a store overlaps it before the next store to the same bytes. That access is the observer.
//!   (`observers(e, e', E)`, Definition 1(6), are those of them that come first in happens-before.)
//! - Two sends to one mailbox conflict once a receive takes (or looks at) the earlier message that matches the later
//!   one too, if that has not been taken by then (Sect. 6, on Concuerror). The receive is the observer. It need not
//!   come after the later send.
//! - Everything else conflicts always or never, as before: what reads and writes in one go, adds, locks, receives,
//!   and stores to overlapping but different bytes, as the paper demands at the end of its Sect. 4.
//!
//! Two deviations from Definition 1:
//!
//! - *Property 6(g)* - two events whose order is observed by `o` in one execution are ordered by `o` in all that
//!   differ by the order of such events - does not hold for three stores and a read: the first two are unordered.
//!   It does not hold in the paper's own programs either (`lastwrite`, of which it explores N executions, not N!).
//! - *Property 5*, that equivalent sequences enable the same threads, would not hold if an operation that can block
//!   looked at what stores left in either order. So stores to what some thread waits at conflict always, unless
//!   what each of them leaves lets it go on, or none: whichever of them comes last then, it waits or does not, and once it
//!   goes on, it observes their order as any read does. Which
//!   locations these are is only known once a thread has come to wait; if two stores to one of them have been taken
//!   for unordered by then, the exploration starts over. (With messages there is no such thing: what a receive waits
//!   for is there or not, in whatever order messages came.)

use crate::happens_before::{At, Conflicts, Dependence};
use crate::ids::EventId;
use crate::trace::{Record, Trace};
use everyway_runtime::{Access, Bytes, Class, Footprint, Location, Matching, Message, State, blocked, conflict};
use smallvec::SmallVec;
use std::cell::{Cell, RefCell};

/// Whether the order of two accesses matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// Never.
    Never,
    /// If it is observed.
    Observed,
    /// At any rate.
    Always,
}

/// What an access says of the order of two others that conflict when observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// It is observed here.
    Observed,
    /// It cannot be observed any more.
    Overwritten,
    /// Nothing.
    Unaffected,
}

/// How accesses relate to one another.
pub(crate) trait Relation {
    /// Whether two accesses are known at a glance to be to different locations.
    fn are_elsewhere(&self, one: &Footprint, other: &Footprint) -> bool;

    /// Whether two accesses conflict.
    fn conflict(&self, one: &Footprint, other: &Footprint) -> Conflict;

    /// What `access` says of the order of `first` and `second`. It comes after `first`, and after `second` if that
    /// has come at all (`both`).
    fn visibility(&self, first: &Footprint, second: &Footprint, both: bool, access: &Footprint) -> Visibility;
}

/// An [`Observation`] with what receives match in the present execution.
pub(crate) struct ObservedConflicts<'a> {
    observation: &'a Observation,
    matching: &'a dyn Matching,
}

impl<'a> ObservedConflicts<'a> {
    /// The same with other matches.
    pub(crate) fn among<'b>(&self, matching: &'b dyn Matching) -> ObservedConflicts<'b>
    where
        'a: 'b,
    {
        self.observation.among(matching)
    }

    /// Every conflict, observed or not.
    pub(crate) fn all(&self) -> Conflicts<'a> {
        Conflicts(self.matching)
    }

    /// Whether two steps that do this conflict if every conflict counts.
    #[inline(always)]
    pub(crate) fn conflict_by_class(&self, one: &[Footprint], other: &[Footprint]) -> bool {
        match (one, other) {
            // Nearly always.
            ([one], [other]) if one.location != other.location => false,
            ([one], [other]) if !one.class.is_message() => {
                one.bytes.overlaps(other.bytes) && one.class.conflicts(other.class, |_, _| true)
            }
            _ => conflict(one, other, self.matching),
        }
    }

    /// Whether two accesses, which conflict if every conflict counts, do so at any rate.
    #[inline]
    pub(crate) fn refine(&self, one: &Footprint, other: &Footprint) -> Conflict {
        let open = match (one.class, other.class) {
            (Class::Store, Class::Store) => {
                one.bytes == other.bytes && self.observation.assumes_unordered(one.location)
            }
            (Class::Send(_), Class::Send(_)) => self.observation.of_sends,
            _ => false,
        };
        if open { Conflict::Observed } else { Conflict::Always }
    }
}

impl Relation for ObservedConflicts<'_> {
    #[inline(always)]
    fn are_elsewhere(&self, one: &Footprint, other: &Footprint) -> bool {
        one.location != other.location
    }

    #[inline]
    fn conflict(&self, one: &Footprint, other: &Footprint) -> Conflict {
        if one.conflicts(other, self.matching) { self.refine(one, other) } else { Conflict::Never }
    }

    fn visibility(&self, first: &Footprint, second: &Footprint, both: bool, access: &Footprint) -> Visibility {
        if !access.overlaps(second) {
            return Visibility::Unaffected;
        }
        match (first.class, second.class) {
            (Class::Send(taken), Class::Send(left)) => {
                let matches = |number| self.matching.matches(access.location, number, left);
                visibility_of_message(taken, access.class, matches)
            }
            _ if both => visibility_of_store(second, access),
            _ => Visibility::Unaffected,
        }
    }
}

/// The observed happens-before relation is that of TACAS 2018: any linearization of it is an execution with the same
/// relation (Definition 1(4)), because what reads has the same stores before it, with the same one of them last, and what
/// receives has the message that was taken before all others that might have been.
impl Dependence for ObservedConflicts<'_> {
    fn orders(&self, record: &Record, earlier: At<'_>, later: At<'_>) -> bool {
        match Relation::conflict(self, earlier.1, later.1) {
            Conflict::Never => false,
            Conflict::Always => true,
            Conflict::Observed => observers(record, self, earlier, later).next().is_some(),
        }
    }

    fn ends_search(&self, record: &Record, earlier: At<'_>, later: &Footprint) -> bool {
        // What a store does not come after itself, it cannot stand for.
        let orders = || {
            earlier.1.class != Class::Store
                || self.refine(earlier.1, earlier.1) == Conflict::Always
                || observers(record, self, earlier, earlier).next().is_some()
        };
        earlier.1.dominates(later) && orders()
    }

    #[inline]
    fn counts_every_conflict(&self) -> bool {
        !self.observation.of_stores && !self.observation.of_sends
    }

    /// If all receives match everything, messages are found in the order in which they were sent, and the one that is
    /// found is ordered before all that come after it.
    fn orders_messages_one_by_one(&self, mailbox: Location) -> bool {
        !self.observation.of_sends || self.matching.matches_everything(mailbox)
    }

    fn conflict(&self, one: &Footprint, other: &Footprint) -> bool {
        Relation::conflict(self, one, other) == Conflict::Always
    }

    fn observers(&self, record: &Record, earlier: EventId, later: EventId) -> Vec<EventId> {
        let mut found = Vec::new();
        for one in record.footprints(earlier) {
            for other in record.footprints(later) {
                match Relation::conflict(self, one, other) {
                    Conflict::Never => {}
                    Conflict::Always => return Vec::new(),
                    Conflict::Observed => found.extend(observers(record, self, (earlier, one), (later, other))),
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The events that observe the order of two accesses, `first` and `second`.
fn observers<'a>(
    record: &'a Record,
    relation: &'a ObservedConflicts<'a>,
    (_, one): At<'a>,
    (second, other): At<'a>,
) -> impl Iterator<Item = EventId> + 'a {
    let found = move |(event, access): At<'a>| (event, relation.visibility(one, other, event > second, access));
    let (of_messages, of_stores) = match one.class {
        Class::Send(message) => {
            let accesses = |&event| record.footprints(event).iter().map(move |access| (event, access));
            (Some(record.receiving(message).iter().flat_map(accesses)), None)
        }
        // The order of stores is not observed before the later one.
        _ => (None, Some(record.footprints_after(second, other.location))),
    };
    let later = of_messages.into_iter().flatten().chain(of_stores.into_iter().flatten()).map(found);
    later
        .take_while(|(_, visibility)| *visibility != Visibility::Overwritten)
        .filter(|(_, s)| *s == Visibility::Observed)
        .map(|(event, _)| event)
}

/// The first event of a prefix whose order with those before it may yet be observed by what comes after the prefix;
/// `unobserved` are the stores and sends in it that may be. Of stores that follow each other it is the last one: others
/// are overwritten. For sends, this depends on which receives have taken what.
pub(crate) fn first_yet_to_be_observed(record: &Record, unobserved: &[EventId], end: usize) -> Option<EventId> {
    let mut first: Option<EventId> = None;
    let mut looked_at: SmallVec<[(Location, Bytes); 8]> = SmallVec::new();
    for &event in unobserved.iter().rev() {
        for footprint in record.footprints(event) {
            let open = match footprint.class {
                Class::Send(_) => Some(event),
                // Stores before it are of the same run, or were observed.
                Class::Store if !looked_at.contains(&(footprint.location, footprint.bytes)) => {
                    looked_at.push((footprint.location, footprint.bytes));
                    last_of_run(record, (event, footprint), end)
                }
                _ => None,
            };
            first = open.map_or(first, |open| Some(first.map_or(open, |first| first.min(open))));
        }
    }
    first
}

/// The last of a store and those to the same bytes that follow it within the first `end` events, unless it is observed
/// there.
fn last_of_run(record: &Record, (event, store): At<'_>, end: usize) -> Option<EventId> {
    let later = record.footprints_after(event, store.location).take_while(|(event, _)| event.index() < end);
    let mut later = later.filter(|(_, access)| access.overlaps(store));
    later.try_fold(event, |last, (event, access)| match visibility_of_store(store, access) {
        Visibility::Observed => None,
        Visibility::Overwritten => Some(event),
        Visibility::Unaffected => Some(last),
    })
}

/// What `access`, which overlaps the bytes of `store`, says of the order of other stores before it.
pub(crate) fn visibility_of_store(store: &Footprint, access: &Footprint) -> Visibility {
    match access.class {
        Class::Store if access.bytes == store.bytes => Visibility::Overwritten,
        Class::Store => Visibility::Unaffected,
        _ => Visibility::Observed,
    }
}

/// What an access of class `class` to a mailbox says of the order of the message `taken` and a later one, of which
/// `matches` tells whether a receive would have taken it.
pub(crate) fn visibility_of_message(taken: Message, class: Class, matches: impl FnOnce(u32) -> bool) -> Visibility {
    match class {
        Class::Receive { number, message } if message == taken && matches(number) => Visibility::Observed,
        _ => Visibility::Unaffected,
    }
}

/// The matches of receives that no execution at hand knows of.
#[derive(Debug, Default)]
pub(crate) struct UnknownMatches {
    asked: Cell<bool>,
}

impl UnknownMatches {
    /// Whether an answer depended on them.
    pub(crate) fn were_asked_for(&self) -> bool {
        self.asked.get()
    }
}

impl Matching for UnknownMatches {
    fn matches(&self, _: Location, _: u32, _: Message) -> bool {
        self.asked.set(true);
        true
    }
}

/// What is known of the locations whose stores may be left unordered.
#[derive(Debug, Default)]
pub(crate) struct Observation {
    /// Whether any may. Strategies without observers have an `Observation` in which none may.
    of_stores: bool,
    /// Whether sends may.
    of_sends: bool,
    /// The locations that some thread waits at.
    watched: Vec<bool>,
    /// The locations of which two stores were left unordered, as far as that was asked for.
    assumed: RefCell<Vec<bool>>,
}

impl Observation {
    /// The relation in which stores and sends conflict when observed.
    pub(crate) fn of_stores_and_sends() -> Self {
        Self { of_stores: true, of_sends: true, ..Self::default() }
    }

    /// The relation in an execution whose receives match what `matching` says.
    pub(crate) fn among<'a>(&'a self, matching: &'a dyn Matching) -> ObservedConflicts<'a> {
        ObservedConflicts { observation: self, matching }
    }

    /// Does something that relies on nothing, whatever it asks.
    pub(crate) fn unrecorded(&self, ask: impl FnOnce(&Self)) {
        let assumed = self.assumed.borrow().clone();
        ask(self);
        self.assumed.replace(assumed);
    }

    /// Whether stores to `location` may be left unordered; if so, it is remembered that this was assumed.
    fn assumes_unordered(&self, location: Location) -> bool {
        if !self.of_stores || is_set(&self.watched, location.index()) {
            return false;
        }
        set(&mut self.assumed.borrow_mut(), location.index());
        true
    }

    /// Takes note of where threads wait, or may have to, in the finished execution `trace`. If it was assumed
    /// that no thread waits there, that is refuted.
    ///
    /// Only locations with stores that could be left unordered in this very execution matter, and only if what is waited
    /// for tells some of its stores from others: as long as there is no execution with all of that, no thread waits
    /// for what stores leave in one order and not in another.
    pub(crate) fn learn(&mut self, trace: &Trace, state: &dyn State) -> Assumption {
        let mut assumption = Assumption::Holds;
        if !self.of_stores || trace.unobserved().is_empty() {
            return assumption;
        }
        let stores = |&event: &EventId| trace.footprints(event).iter().filter(|f| f.class == Class::Store);
        let unobserved: Vec<Location> = trace.unobserved().iter().flat_map(stores).map(|f| f.location).collect();
        let taken = trace.events_from(0).filter(|&event| trace.event(event).may_block);
        let taken = taken.flat_map(|event| trace.declared(event));
        let waiting = blocked(state).flat_map(|thread| &state.operation(thread).accesses);
        for access in taken.chain(waiting).filter(|access| unobserved.contains(&access.location)) {
            if !is_set(&self.watched, access.location.index()) && tells_stores_apart(trace, access) {
                self.watch(access.location, &mut assumption);
            }
        }
        if assumption == Assumption::Refuted {
            self.assumed.borrow_mut().clear();
        }
        assumption
    }

    fn watch(&mut self, location: Location, assumption: &mut Assumption) {
        if *assumption == Assumption::Holds {
            *assumption = Assumption::Narrowed;
        }
        set(&mut self.watched, location.index());
        if is_set(self.assumed.get_mut(), location.index()) {
            *assumption = Assumption::Refuted;
        }
    }
}

/// Whether the condition of an access is met by what some of the stores of an execution leave, and not by what others do.
/// What a store to other bytes leaves in those of the access depends on who stored there before.
fn tells_stores_apart(trace: &Trace, access: &Access) -> bool {
    let stores = trace.accesses_from(0, access.location).map(|(_, visit)| visit);
    let mut stores = stores
        .filter(|visit| visit.class == Class::Store && visit.access.bytes.overlaps(access.bytes))
        .map(|visit| (visit.access.bytes == access.bytes).then(|| access.when.holds(access.bytes.get(visit.after))));
    stores.next().is_some_and(|first| first.is_none() || stores.any(|answer| answer != first))
}

/// That stores to a location may be left unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumption {
    /// It holds so far.
    Holds,
    /// It held so far, and is not made any more for some location.
    Narrowed,
    /// It does not: what was explored does not stand for what it should.
    Refuted,
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
