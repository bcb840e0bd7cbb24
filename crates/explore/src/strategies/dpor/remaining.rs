//! The rest of a wakeup sequence as it is followed down a wakeup tree, and its weak initials.
//!
//! A step that is the first one of its thread in a sequence is a weak initial if nothing in the rest happens before it;
//! one that is not in the sequence, if nothing in the rest conflicts with it. Vector clocks decide the former, and the
//! recorded accesses to a location the latter, without going through the sequence.
//!
//! The sequence is gone through with observers, where a step may be overtaken by others ([`WeakInitialTest`]), and in
//! executions that [may hide conflicts](crate::trace::Record::may_hide_conflicts), where a step need not do what it did
//! when it was explored.

use super::observation::{ObservedConflicts, UnknownMatches};
use super::wakeup_sequence::{Last, Sequence};
use super::weak_initials::{Alternatives, Verdict, WeakInitialTest};
use crate::happens_before::{Dependence as _, Ordered};
use crate::ids::EventId;
use everyway_runtime::{Footprint, Step, ThreadId};

/// Whether a step is a weak initial of a sequence: whether some execution that begins with the step is equivalent to one
/// that begins with the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeakInitial {
    /// It is not.
    No,
    /// It is, and it is not in the sequence.
    Absent,
    /// It is, as the first step of its thread.
    Present,
}

/// A step, or one of several alternatives, that was explored or is to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own<'a> {
    pub(crate) steps: Alternatives,
    /// Which event of its thread it is, counted from 1.
    pub(crate) index: u32,
    /// What it does.
    pub(crate) footprints: &'a [Footprint],
}

/// The events that have been followed: a bit for each of the execution from the prefix on.
#[derive(Debug, Default)]
struct Followed {
    /// The first ones: mostly all.
    first: u64,
    more: Vec<u64>,
}

impl Followed {
    #[inline]
    fn contains(&self, position: usize) -> bool {
        match (position / 64).checked_sub(1) {
            None => self.first >> position & 1 == 1,
            Some(word) => self.more.get(word).is_some_and(|word| word >> (position % 64) & 1 == 1),
        }
    }

    #[inline]
    fn insert(&mut self, position: usize) {
        let Some(word) = (position / 64).checked_sub(1) else {
            self.first |= 1 << position;
            return;
        };
        if self.more.len() <= word {
            self.more.resize(word + 1, 0);
        }
        self.more[word] |= 1 << (position % 64);
    }
}

/// What is left of a sequence.
pub(crate) struct Remaining<'a> {
    pub(crate) sequence: &'a Sequence,
    pub(crate) ordered: Ordered<'a>,
    relation: &'a ObservedConflicts<'a>,
    /// Whether clocks tell what weak initials are.
    by_clocks: bool,
    followed: Followed,
    /// How many of the first events, if they are listed, have been followed.
    skipped: usize,
    /// The last step, unless it has been followed.
    pub(crate) last: Option<Last>,
}

impl<'a> Remaining<'a> {
    /// All of `sequence`.
    #[inline]
    pub(crate) fn new(sequence: &'a Sequence, ordered: Ordered<'a>, relation: &'a ObservedConflicts<'a>) -> Self {
        let by_clocks = are_told_by_clocks(ordered, relation);
        Self {
            sequence,
            ordered,
            relation,
            by_clocks,
            followed: Followed::default(),
            skipped: 0,
            last: sequence.last(),
        }
    }

    /// Follows the step of `thread` with this index, which is a weak initial.
    #[inline]
    pub(crate) fn follow(&mut self, thread: ThreadId, index: u32) {
        match self.ordered.trace.nth_event_of(thread, index).filter(|&event| self.sequence.has(self.ordered, event)) {
            Some(event) => self.followed.insert(event.index() - self.sequence.prefix),
            None => self.last = None,
        }
        let rest = self.sequence.listed().map_or(&[][..], |events| &events[self.skipped..]);
        self.skipped += rest.iter().take_while(|&&event| !self.is_left(event)).count();
    }

    /// Whether an event of the sequence has not been followed.
    #[inline]
    pub(crate) fn is_left(&self, event: EventId) -> bool {
        !self.followed.contains(event.index() - self.sequence.prefix)
    }

    /// Whether an event that is left happens before `event`, the first one of its thread.
    #[inline]
    fn has_predecessor(&self, event: EventId) -> bool {
        match self.ordered.order.last_of_others_before(event) {
            Some(last) if last.index() <= self.sequence.prefix => false,
            Some(last) => self.is_left(last) || self.has_more_predecessors(event),
            None => false,
        }
    }

    /// The same if the last one that happens before it has been followed.
    #[cold]
    fn has_more_predecessors(&self, event: EventId) -> bool {
        let Ordered { trace, order } = self.ordered;
        let is_last_left = |(thread, &count): (usize, &u32)| {
            let last = trace.nth_event_of(ThreadId::new(thread), count);
            last.is_some_and(|last| last != event && last.index() > self.sequence.prefix && self.is_left(last))
        };
        order.clock(event).iter().enumerate().any(is_last_left)
    }

    /// Whether a step that is left with this `test` by what came before is a weak initial of what is left.
    #[inline]
    pub(crate) fn weak_initial(&self, test: &WeakInitialTest, own: Own<'_>) -> WeakInitial {
        let answer = match self.by_clocks {
            true => self.weak_initial_by_clocks(own, self.relation),
            false => self.weak_initial_by_steps(test, own, self.relation),
        };
        debug_assert_eq!(answer, self.weak_initial_by_steps(test, own, self.relation), "{own:?}");
        answer
    }

    /// The same for a step whose receives may match what the execution does not know; none if that makes a difference.
    #[cold]
    pub(crate) fn weak_initial_of_unknown(&self, own: Own<'_>) -> Option<WeakInitial> {
        let matches = UnknownMatches::default();
        let relation = self.relation.among(&matches);
        let answer = match self.by_clocks {
            true => self.weak_initial_by_clocks(own, &relation),
            false => self.weak_initial_by_steps(&WeakInitialTest::default(), own, &relation),
        };
        (!matches.were_asked_for()).then_some(answer)
    }

    /// The answer from clocks and accesses on record. The first step of a thread in the sequence does what it did when it
    /// was explored, unless something that is left happens before it.
    #[inline]
    fn weak_initial_by_clocks(
        &self,
        Own { steps, index, footprints }: Own<'_>,
        relation: &ObservedConflicts<'_>,
    ) -> WeakInitial {
        let trace = self.ordered.trace;
        let own = trace.nth_event_of(steps.thread, index);
        if let Some(first) = own.filter(|&own| self.sequence.has(self.ordered, own)) {
            return match steps.contain(trace.event(first).step) && !self.has_predecessor(first) {
                true => WeakInitial::Present,
                false => WeakInitial::No,
            };
        }
        let is_last = match self.last {
            Some(last) if last.step.thread == steps.thread => match steps.contain(last.step) {
                true => true,
                false => return WeakInitial::No,
            },
            Some(_) if relation.conflict_by_class(footprints, self.sequence.last_footprints()) => {
                return WeakInitial::No;
            }
            _ => false,
        };
        let meets = match own.filter(|&own| trace.footprints(own) == footprints) {
            Some(own) => self.meets_as(own, footprints, relation),
            None => self.meets_any(footprints, relation),
        };
        match meets {
            true => WeakInitial::No,
            false if is_last => WeakInitial::Present,
            false => WeakInitial::Absent,
        }
    }

    /// Whether an event that is left conflicts with what `own` did, which is not in the sequence: nor is what conflicts with it
    /// and comes later, since that happens after it. Of what comes earlier the last one mostly tells.
    #[inline]
    fn meets_as(&self, own: EventId, footprints: &[Footprint], relation: &ObservedConflicts<'_>) -> bool {
        let Some(last) = self.ordered.order.last_of_others_before(own) else { return false };
        let conflicts = || relation.conflict_by_class(footprints, self.ordered.trace.footprints(last));
        last.index() > self.sequence.prefix
            && (self.sequence.has(self.ordered, last) && self.is_left(last) && conflicts()
                || self.meets_any(footprints, relation))
    }

    /// Whether an event that is left conflicts with some access of one that is not in the sequence.
    fn meets_any(&self, footprints: &[Footprint], relation: &ObservedConflicts<'_>) -> bool {
        footprints.iter().any(|footprint| self.meets(footprint, relation))
    }

    /// The same of one access, every conflict counted.
    fn meets(&self, footprint: &Footprint, relation: &ObservedConflicts<'_>) -> bool {
        let start = EventId::new(self.sequence.prefix);
        let stands_for_all = |other: &Footprint| other.location == footprint.location && other.dominates(footprint);
        if self.ordered.trace.footprints(start).iter().any(stands_for_all) {
            // All that conflicts and comes later happens after what the sequence does without.
            return false;
        }
        for (event, other) in self.ordered.trace.footprints_after(start, footprint.location) {
            match self.sequence.has(self.ordered, event) {
                true if self.is_left(event) && relation.conflict_by_class(&[*footprint], &[*other]) => return true,
                // What comes later and conflicts happens after it, and is not in the sequence, either.
                false if other.dominates(footprint) => return false,
                _ => {}
            }
        }
        false
    }

    /// The answer from the steps that are left, one after the other.
    fn weak_initial_by_steps(
        &self,
        test: &WeakInitialTest,
        own: Own<'_>,
        relation: &ObservedConflicts<'_>,
    ) -> WeakInitial {
        match self.sequence.listed() {
            Some(events) => self.weak_initial_of(events[self.skipped..].iter().copied(), test.clone(), own, relation),
            None => self.weak_initial_of(self.sequence.unlisted(self.ordered), test.clone(), own, relation),
        }
    }

    fn weak_initial_of(
        &self,
        events: impl Iterator<Item = EventId>,
        mut test: WeakInitialTest,
        own: Own<'_>,
        relation: &ObservedConflicts<'_>,
    ) -> WeakInitial {
        if relation.counts_every_conflict() {
            return self.weak_initial_by_conflicts(events, own, relation);
        }
        let was_taken = test.is_taken();
        let own = (own.steps, own.footprints);
        for id in events.filter(|&event| self.is_left(event)) {
            let event = self.ordered.trace.event(id);
            match test.pass(own, (event.step, self.ordered.trace.footprints_of(event)), relation) {
                Verdict::No => return WeakInitial::No,
                Verdict::Yes => return WeakInitial::Present,
                Verdict::Undecided => {}
            }
        }
        let verdict = self.last.map(|last| test.pass(own, (last.step, self.sequence.last_footprints()), relation));
        match verdict {
            Some(Verdict::No) => WeakInitial::No,
            Some(Verdict::Yes) => WeakInitial::Present,
            _ if test.is_taken() && !was_taken => WeakInitial::Present,
            _ => WeakInitial::Absent,
        }
    }

    /// The answer from the steps of `events` that are left, every conflict counted: nothing is overtaken.
    #[inline]
    fn weak_initial_by_conflicts(
        &self,
        events: impl Iterator<Item = EventId>,
        own: Own<'_>,
        relation: &ObservedConflicts<'_>,
    ) -> WeakInitial {
        let meets = |step: Step, others: &[Footprint]| match step.thread == own.steps.thread {
            true if own.steps.contain(step) => Some(WeakInitial::Present),
            true => Some(WeakInitial::No),
            false => relation.conflict_by_class(own.footprints, others).then_some(WeakInitial::No),
        };
        let trace = self.ordered.trace;
        let of_event = |id| {
            let event = trace.event(id);
            meets(event.step, trace.footprints_of(event))
        };
        let mut events = events.filter(|&event| self.is_left(event));
        let last = || self.last.and_then(|last| meets(last.step, self.sequence.last_footprints()));
        events.find_map(of_event).or_else(last).unwrap_or(WeakInitial::Absent)
    }
}

/// Whether clocks tell what the weak initials of sequences are; otherwise sequences are gone through.
#[inline]
pub(crate) fn are_told_by_clocks(ordered: Ordered<'_>, relation: &ObservedConflicts<'_>) -> bool {
    relation.counts_every_conflict() && !ordered.trace.may_hide_conflicts()
}
