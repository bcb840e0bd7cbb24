//! The initials of a wakeup sequence: the steps that some equivalent sequence begins with (JACM, Lemma 4.2(1)).

use super::wakeup_sequence::{Last, Sequence};
use crate::happens_before::Ordered;
use crate::ids::EventId;
use everyway_runtime::{Footprint, Matching, Step, ThreadId, conflict};
use smallvec::SmallVec;

/// The events of a sequence that are the first and the last ones of their threads.
pub(crate) struct Ends<'a> {
    sequence: &'a Sequence,
    ordered: Ordered<'a>,
    /// By thread.
    ends: SmallVec<[Option<(EventId, EventId)>; 16]>,
}

impl<'a> Ends<'a> {
    /// Those of `sequence`, whose events are listed.
    pub(crate) fn new(sequence: &'a Sequence, ordered: Ordered<'a>) -> Self {
        let mut ends: SmallVec<[Option<(EventId, EventId)>; 16]> = SmallVec::from_elem(None, ordered.trace.threads());
        for &event in sequence.listed().unwrap_or_default() {
            let of_thread = &mut ends[ordered.trace.event(event).step.thread.index()];
            *of_thread = Some((of_thread.map_or(event, |(first, _)| first), event));
        }
        Self { sequence, ordered, ends }
    }

    /// Whether the sequence has no events, and no last step.
    pub(crate) fn is_empty(&self) -> bool {
        self.sequence.last().is_none() && self.ends.iter().all(Option::is_none)
    }

    /// The first event of `thread`.
    fn first_of(&self, thread: ThreadId) -> Option<EventId> {
        self.ends.get(thread.index()).copied().flatten().map(|(first, _)| first)
    }

    /// Whether no event of the sequence happens before `event`, which is one of them and the first one of its thread.
    fn has_no_predecessor(&self, event: EventId) -> bool {
        let mut firsts = self.ends.iter().flatten().map(|&(first, _)| first);
        !firsts.any(|first| first != event && self.ordered.happens_before(first, event))
    }

    /// The initials, in order.
    pub(crate) fn initials(&self, matching: &dyn Matching) -> SmallVec<[Step; 8]> {
        let mut firsts: SmallVec<[EventId; 8]> = self.ends.iter().flatten().map(|&(first, _)| first).collect();
        firsts.sort_unstable();
        let initial = firsts.into_iter().filter(|&event| self.has_no_predecessor(event));
        let initial = initial.map(|event| self.ordered.trace.event(event).step);
        let last = self.sequence.last().filter(|&last| self.direct_predecessors_of(last, matching).next().is_none());
        initial.chain(last.map(|last| last.step)).collect()
    }

    /// The initials that happen before the last step or are it; `backtrack(E')` must contain one of them to
    /// grow into a persistent set (JACM, Sect. 5.1).
    pub(crate) fn initials_before_last(&self, matching: &dyn Matching) -> SmallVec<[Step; 8]> {
        let Some(last) = self.sequence.last() else { return SmallVec::new() };
        let before: SmallVec<[EventId; 8]> = self.direct_predecessors_of(last, matching).collect();
        let precedes = |first| before.iter().any(|&event| self.ordered.happens_before(first, event));
        let mut initials = self.initials(matching);
        initials.retain(|&mut initial| initial == last.step || self.first_of(initial.thread).is_some_and(precedes));
        initials
    }

    /// The events that come before the last step by program order, spawn or conflict.
    fn direct_predecessors_of(&self, last: Last, matching: &dyn Matching) -> impl Iterator<Item = EventId> {
        let thread = last.step.thread;
        let own = self.ends.get(thread.index()).copied().flatten().map(|(_, last)| last);
        let origin = self.ordered.trace.origin(thread).filter(|&origin| self.sequence.has(self.ordered, origin));
        own.into_iter().chain(origin).chain(self.conflicting(self.sequence.last_footprints(), matching))
    }

    /// The events that have an access which conflicts with one of `footprints`.
    fn conflicting(&self, footprints: &[Footprint], matching: &dyn Matching) -> impl Iterator<Item = EventId> {
        let start = EventId::new(self.sequence.prefix);
        footprints.iter().flat_map(move |footprint| {
            let later = self.ordered.trace.footprints_after(start, footprint.location);
            let meets = |(event, access): &(EventId, &Footprint)| {
                self.sequence.has(self.ordered, *event) && conflict(&[**access], &[*footprint], matching)
            };
            later.filter(meets).map(|(event, _)| event).collect::<SmallVec<[EventId; 4]>>()
        })
    }
}
