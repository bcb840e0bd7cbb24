//! What is left of a wakeup sequence as it is followed down a wakeup tree, and its initials and weak initials.
//!
//! Of each thread, a wakeup sequence has consecutive events of the current execution, and a part that has been followed
//! has the first of them. So a sequence is two numbers for each thread, and the last step. Vector clocks tell whether
//! something left of it happens before an event, and the accesses to a location on record whether something conflicts
//! with a step that is not in it: what its first steps do not tell is not searched for in the
//! others.
//!
//! It is gone through with observers, where a step may be overtaken by others ([`WeakInitialTest`]), and in executions that
//! [may hide conflicts](Trace::may_hide_conflicts), where a step need not do what it did when it was explored.

use super::observation::{Conflict, ObservedConflicts, Relation};
use super::wakeup_sequence::Sequence;
use super::weak_initials::{Alternatives, Verdict, WeakInitialTest};
use crate::happens_before::Dependence as _;
use crate::ids::EventId;
use crate::trace::{Event, Trace};
use everyway_runtime::{Footprint, Matching, Step, ThreadId, conflict};
use smallvec::SmallVec;
use std::cell::OnceCell;

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

/// The events of a thread that are left: the first and the last one, counted from 1. There are none if the first comes
/// after the last.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: u32,
    last: u32,
}

impl Span {
    const EMPTY: Self = Self { first: u32::MAX, last: 0 };

    fn is_empty(self) -> bool {
        self.first > self.last
    }

    #[inline]
    fn contains(self, index: u32) -> bool {
        self.first <= index && index <= self.last
    }
}

/// So many steps are gone through before anything is looked up: mostly they tell.
const SHORT: usize = 32;

type Spans = SmallVec<[Span; 16]>;

/// What is left of a sequence.
pub(crate) struct Remaining<'a> {
    sequence: &'a Sequence,
    trace: &'a Trace,
    /// By thread, what is left; computed when it is asked for.
    spans: OnceCell<Spans>,
    /// Of how many of its first events nothing is left.
    followed: usize,
    /// The last step, unless it has been followed.
    last: Option<Step>,
}

impl<'a> Remaining<'a> {
    /// All of `sequence`.
    pub(crate) fn new(sequence: &'a Sequence, trace: &'a Trace) -> Self {
        Self { sequence, trace, spans: OnceCell::new(), followed: 0, last: sequence.last_step() }
    }

    fn spans(&self) -> &Spans {
        self.spans.get_or_init(|| {
            let mut spans = Spans::from_elem(Span::EMPTY, self.trace.threads());
            for &id in self.sequence.events() {
                let event = self.trace.event(id);
                let span = &mut spans[event.step.thread.index()];
                span.first = span.first.min(event.index);
                span.last = span.last.max(event.index);
            }
            spans
        })
    }

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.last.is_none() && self.spans().iter().all(|span| span.is_empty())
    }

    /// Whether the last step is left.
    pub(crate) fn has_last(&self) -> bool {
        self.last.is_some()
    }

    /// Follows the first step of `thread`, which is a weak initial.
    pub(crate) fn follow(&mut self, thread: ThreadId) {
        self.spans();
        let spans = self.spans.get_mut().expect("just computed");
        match spans.get_mut(thread.index()).filter(|span| !span.is_empty()) {
            Some(span) if span.first == span.last => *span = Span::EMPTY,
            Some(span) => span.first += 1,
            None => self.last = None,
        }
        let spans = &spans[..];
        let is_left = |id: &EventId| {
            let event = self.trace.event(*id);
            spans[event.step.thread.index()].contains(event.index)
        };
        let events = &self.sequence.events()[self.followed..];
        self.followed += events.iter().take_while(|id| !is_left(id)).count();
    }

    /// The steps that are left, in order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (Step, &'a [Footprint])> {
        let spans = self.spans.get().map(|spans| &spans[..]);
        let events = self.sequence.events()[self.followed..].iter().map(|&id| self.trace.event(id));
        let is_left =
            move |event: &&Event| spans.is_none_or(|spans| spans[event.step.thread.index()].contains(event.index));
        let events = events.filter(is_left);
        let events = events.map(|event| (event.step, self.trace.footprints_of(event)));
        events.chain(self.last.map(|last| (last, self.sequence.last_footprints())))
    }

    #[inline]
    fn has(&self, event: &Event) -> bool {
        self.spans()[event.step.thread.index()].contains(event.index)
    }

    /// The first event of `thread`.
    fn first_of(&self, thread: ThreadId) -> Option<EventId> {
        let span = self.spans().get(thread.index()).filter(|span| !span.is_empty())?;
        Some(self.trace.events_of(thread)[span.first as usize - 1])
    }

    /// Whether no event that is left happens before `event`, the first one of its thread.
    fn has_no_predecessor(&self, event: EventId) -> bool {
        let own = self.trace.event(event).step.thread.index();
        let clock = self.trace.order().clock(event);
        clock.iter().zip(self.spans()).enumerate().all(|(thread, (&known, span))| known < span.first || thread == own)
    }

    /// The events that are left and have an access for which `conflicts` holds with one of `footprints`.
    fn conflicting(
        &self,
        footprints: &[Footprint],
        mut conflicts: impl FnMut(&Footprint, &Footprint) -> bool,
    ) -> impl Iterator<Item = EventId> {
        let start = EventId::new(self.sequence.prefix);
        footprints.iter().flat_map(move |footprint| {
            let later = self.trace.footprints_after(start, footprint.location);
            let meets = |(event, access): &(EventId, &Footprint)| {
                self.has(self.trace.event(*event)) && conflicts(footprint, access)
            };
            later.filter(meets).map(|(event, _)| event).collect::<SmallVec<[EventId; 4]>>()
        })
    }

    /// Whether a step that is left with this `test` by what came before is a weak initial of what is left.
    #[inline]
    pub(crate) fn weak_initial(
        &self,
        test: &WeakInitialTest,
        own: (Alternatives, &[Footprint]),
        relation: &ObservedConflicts<'_>,
    ) -> WeakInitial {
        let answer = self.weak_initial_by(test, own, relation);
        debug_assert_eq!(Some(answer), self.weak_initial_by_steps(test.clone(), own, relation, usize::MAX), "{own:?}");
        answer
    }

    /// The same where it may not be known what receives match, so that they are asked for no more than need be.
    #[inline]
    pub(crate) fn weak_initial_by(
        &self,
        test: &WeakInitialTest,
        own: (Alternatives, &[Footprint]),
        relation: &ObservedConflicts<'_>,
    ) -> WeakInitial {
        let counts_every_conflict = relation.counts_every_conflict();
        let by_clocks = counts_every_conflict && !self.trace.may_hide_conflicts();
        let limit = if by_clocks { SHORT } else { usize::MAX };
        let answer = match counts_every_conflict {
            true => self.weak_initial_by_conflicts(own, relation, limit),
            false => self.weak_initial_by_steps(test.clone(), own, relation, limit),
        };
        answer.unwrap_or_else(|| self.weak_initial_of_many(test, own, relation))
    }

    /// [`Remaining::weak_initial_by_steps`] where every conflict counts: nothing is overtaken.
    #[inline]
    fn weak_initial_by_conflicts(
        &self,
        (own, footprints): (Alternatives, &[Footprint]),
        relation: &ObservedConflicts<'_>,
        limit: usize,
    ) -> Option<WeakInitial> {
        let meets = |step: Step, others: &[Footprint]| match () {
            () if step.thread == own.thread && own.contain(step) => Some(WeakInitial::Present),
            () if step.thread == own.thread || relation.conflict_by_class(footprints, others) => Some(WeakInitial::No),
            () => None,
        };
        let spans = self.spans.get().map(|spans| &spans[..]);
        let events = &self.sequence.events()[self.followed..];
        for &id in events.iter().take(limit) {
            let event = self.trace.event(id);
            if spans.is_some_and(|spans| !spans[event.step.thread.index()].contains(event.index)) {
                continue;
            }
            let answer = meets(event.step, self.trace.footprints_of(event));
            if answer.is_some() {
                return answer;
            }
        }
        if events.len() > limit {
            return None;
        }
        let last = self.last.and_then(|last| meets(last, self.sequence.last_footprints()));
        Some(last.unwrap_or(WeakInitial::Absent))
    }

    /// The answer if the first steps do not tell.
    #[cold]
    fn weak_initial_of_many(
        &self,
        test: &WeakInitialTest,
        own: (Alternatives, &[Footprint]),
        relation: &ObservedConflicts<'_>,
    ) -> WeakInitial {
        let answer = self.weak_initial_by_clocks(own, relation);
        let answer = answer.or_else(|| self.weak_initial_by_steps(test.clone(), own, relation, usize::MAX));
        answer.expect("all steps together tell")
    }

    /// The answer from clocks and accesses on record, unless the step does something else in the sequence than it did.
    fn weak_initial_by_clocks(
        &self,
        (own, footprints): (Alternatives, &[Footprint]),
        relation: &ObservedConflicts<'_>,
    ) -> Option<WeakInitial> {
        if let Some(first) = self.first_of(own.thread) {
            let event = self.trace.event(first);
            return match () {
                () if !own.contain(event.step) => Some(WeakInitial::No),
                () if self.trace.footprints_of(event) != footprints => None,
                () if self.has_no_predecessor(first) => Some(WeakInitial::Present),
                () => Some(WeakInitial::No),
            };
        }
        let own_last = self.last.filter(|last| last.thread == own.thread);
        if own_last.is_some_and(|last| !own.contain(last)) {
            return Some(WeakInitial::No);
        }
        let is_last = own_last.is_some();
        let conflicts =
            |one: &Footprint, other: &Footprint| Relation::conflict(relation, one, other) != Conflict::Never;
        let meets_last = !is_last
            && self.last.is_some()
            && footprints.iter().any(|one| self.sequence.last_footprints().iter().any(|other| conflicts(one, other)));
        let start = EventId::new(self.sequence.prefix);
        let meets_event = |one: &Footprint| {
            let mut later = self.trace.footprints_after(start, one.location);
            later.any(|(event, other)| self.has(self.trace.event(event)) && conflicts(one, other))
        };
        if meets_last || footprints.iter().any(meets_event) {
            return Some(WeakInitial::No);
        }
        Some(if is_last { WeakInitial::Present } else { WeakInitial::Absent })
    }

    /// The answer from the steps that are left, unless more than `limit` of them do not tell.
    #[inline(always)]
    fn weak_initial_by_steps(
        &self,
        mut test: WeakInitialTest,
        own: (Alternatives, &[Footprint]),
        relation: &impl Relation,
        limit: usize,
    ) -> Option<WeakInitial> {
        let was_taken = test.is_taken();
        let spans = self.spans.get().map(|spans| &spans[..]);
        let events = &self.sequence.events()[self.followed..];
        for &id in events.iter().take(limit) {
            let event = self.trace.event(id);
            if spans.is_some_and(|spans| !spans[event.step.thread.index()].contains(event.index)) {
                continue;
            }
            match test.pass(own, (event.step, self.trace.footprints_of(event)), relation) {
                Verdict::No => return Some(WeakInitial::No),
                Verdict::Yes => return Some(WeakInitial::Present),
                Verdict::Undecided => {}
            }
        }
        if events.len() > limit {
            return None;
        }
        let verdict = self.last.map(|last| test.pass(own, (last, self.sequence.last_footprints()), relation));
        Some(match verdict {
            Some(Verdict::No) => WeakInitial::No,
            Some(Verdict::Yes) => WeakInitial::Present,
            _ if test.is_taken() && !was_taken => WeakInitial::Present,
            _ => WeakInitial::Absent,
        })
    }

    /// The initials: the steps with no predecessor (JACM, Lemma 4.2(1)), in order.
    pub(crate) fn initials(&self, matching: &dyn Matching) -> SmallVec<[Step; 8]> {
        let mut firsts: SmallVec<[EventId; 8]> =
            (0..self.spans().len()).filter_map(|thread| self.first_of(ThreadId::new(thread))).collect();
        firsts.sort_unstable();
        let initial = firsts.into_iter().filter(|&event| self.has_no_predecessor(event));
        let initial = initial.map(|event| self.trace.event(event).step);
        let last = self.last.filter(|&last| self.direct_predecessors_of_last(last, matching).next().is_none());
        initial.chain(last).collect()
    }

    /// The initials that happen before the last step or are it; `backtrack(E')` must contain one of them to
    /// grow into a persistent set (JACM, Sect. 5.1).
    pub(crate) fn initials_before_last(&self, matching: &dyn Matching) -> SmallVec<[Step; 8]> {
        let Some(last) = self.last else { return SmallVec::new() };
        let before: SmallVec<[EventId; 8]> = self.direct_predecessors_of_last(last, matching).collect();
        let precedes = |first| before.iter().any(|&event| self.trace.happens_before(first, event));
        let mut initials = self.initials(matching);
        initials.retain(|&mut initial| initial == last || self.first_of(initial.thread).is_some_and(precedes));
        initials
    }

    /// The events that are left and come before the last step by program order, spawn or conflict.
    fn direct_predecessors_of_last(&self, last: Step, matching: &dyn Matching) -> impl Iterator<Item = EventId> {
        let own = self.first_of(last.thread).map(|_| {
            let span = self.spans()[last.thread.index()];
            self.trace.events_of(last.thread)[span.last as usize - 1]
        });
        let origin = self.trace.origin(last.thread).filter(|&origin| self.has(self.trace.event(origin)));
        let conflicts = |one: &Footprint, other: &Footprint| conflict(&[*other], &[*one], matching);
        own.into_iter().chain(origin).chain(self.conflicting(self.sequence.last_footprints(), conflicts))
    }
}
