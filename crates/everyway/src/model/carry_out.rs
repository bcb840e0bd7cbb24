//! Carrying out announced operations on the values of this model.

use super::object::Named;
use super::races::Told;
use super::{Inner, Pending};
use everyway_runtime::{
    Access, Carried, Choices, Evaluation, Location, Outcome, Reasons, Store, Then, ThreadId, Verb, Visit, Waiting,
    evaluate, take_effect,
};
use std::convert::Infallible;

/// What the accesses of a step are told, and the values that they find by it.
#[derive(Clone, Copy)]
pub(super) struct Finding<'a> {
    pub(super) told: Told<'a>,
    pub(super) values: &'a [u64],
}

/// [`evaluate`] where the accesses find these values, one for each.
pub(super) fn evaluate_told(accesses: &[Access], values: &[u64], visit: impl FnMut(Visit)) -> Evaluation {
    let mut values = values.iter();
    evaluate(accesses, |_| values.next().copied().unwrap_or_default(), visit)
}

/// Whether an operation has to wait with these accesses, by what each of them finds: as [`evaluate`] has it; but nothing is
/// carried out.
#[inline]
pub(super) fn blocks(accesses: &[Access], found: impl Fn(usize, &Access) -> u64) -> bool {
    let accesses = accesses.iter().enumerate();
    let end = accesses.map(|(position, access)| access.then(found(position, access))).find(|&then| then != Then::Next);
    end == Some(Then::Block)
}

/// Condition variables are the queues.
impl Store for Inner {
    type Queue = Location;
    type Failure = Infallible;

    #[inline]
    fn value(&self, location: Location) -> u64 {
        Inner::value(self, location)
    }

    #[inline]
    fn apply(&mut self, _: ThreadId, _: Verb, visit: &Visit) -> Result<(), Infallible> {
        self.leave(visit);
        Ok(())
    }

    fn waiters(&self, condvar: Location) -> impl Iterator<Item = ThreadId> {
        self.object(condvar).waiters.reached_by(Reasons::ALL)
    }

    fn enqueue(&mut self, condvar: Location, thread: ThreadId) {
        let Self { objects, paths, .. } = self;
        objects[condvar.index() / 2].waiters.insert(thread, Reasons::ALL, paths);
    }

    fn dequeue(&mut self, condvar: Location, thread: ThreadId) {
        self.object_mut(condvar).waiters.remove(thread);
    }

    fn token(&self, thread: ThreadId) -> Location {
        Named::Token(thread).location()
    }
}

impl Inner {
    /// Whether the operation could be carried out now.
    #[inline]
    pub(crate) fn can_go(&self, pending: &Pending) -> bool {
        match pending.manner.waiting {
            Waiting::Never => true,
            Waiting::Access | Waiting::Spin | Waiting::Turn => {
                !blocks(&pending.operation.accesses, |_, access| self.found(access))
            }
            Waiting::Join(joined) => self.threads[joined.index()].has_ended(),
            Waiting::Assumption => false,
        }
    }

    /// Among how many alternatives the operation chooses.
    pub(crate) fn choices(&self, pending: &Pending) -> u32 {
        match pending.manner.choices {
            Choices::One => 1,
            Choices::Among(count) => count,
            Choices::Waiters(condvar) => (self.waiters(condvar).count() as u32).max(1),
        }
    }

    /// Carries out an operation of `thread`, adding what it did to `visits`. One that has to wait does nothing.
    pub(super) fn carry_out(
        &mut self,
        thread: ThreadId,
        pending: &Pending,
        choice: u32,
        visits: &mut Vec<Visit>,
        finding: Option<Finding<'_>>,
    ) -> Outcome {
        if pending.is_one_access() {
            return self.carry_out_access(thread, pending, choice, visits, finding);
        }
        let start = visits.len();
        let accesses = &pending.operation.accesses;
        let evaluation = match finding {
            None => evaluate(accesses, |access| self.found(access), |visit| visits.push(visit)),
            Some(Finding { values, .. }) => evaluate_told(accesses, values, |visit| visits.push(visit)),
        };
        let end = visits.len();
        if evaluation == Evaluation::Blocked {
            let (last, before) = ((end - start - 1) as u32, visits[end - 1].before);
            visits.truncate(start);
            return Outcome { last, before, choice, ..Outcome::default() };
        }
        let carried = Carried { thread, verb: pending.label.verb, special: pending.manner.special, choice };
        let Ok(outcome) = take_effect(self, carried, (evaluation, accesses.len()), visits, start);
        let outcome = outcome.unwrap_or_default();
        self.note(thread, pending, &visits[start..end], finding.map(|finding| finding.told));
        if let Some(lock) = pending.poisons {
            self.object_mut(lock).poisoned = true;
        }
        outcome
    }

    /// [`Inner::carry_out`] of what is nothing but one access.
    #[inline]
    fn carry_out_access(
        &mut self,
        thread: ThreadId,
        pending: &Pending,
        choice: u32,
        visits: &mut Vec<Visit>,
        finding: Option<Finding<'_>>,
    ) -> Outcome {
        let access = pending.operation.accesses[0];
        let told = finding.and_then(|finding| finding.values.first().copied());
        let (visit, met) = Visit::carry_out(&access, told.unwrap_or_else(|| self.value(access.location)));
        let before = visit.before;
        if (if met { access.holds } else { access.fails }) == Then::Block {
            return Outcome { before, choice, ..Outcome::default() };
        }
        let changed = visit.class.changes();
        if changed {
            self.set_value(access.location, visit.after);
        }
        visits.push(visit);
        self.note(thread, pending, &visits[visits.len() - 1..], finding.map(|finding| finding.told));
        Outcome { last: 0, before, changed, is_last: true, choice, enqueued: false, woken: 0 }
    }

    /// Takes note of what `thread` has done, as far as that is asked for.
    #[inline]
    fn note(&mut self, thread: ThreadId, pending: &Pending, visits: &[Visit], told: Option<Told<'_>>) {
        if self.rounds {
            self.note_round(thread, pending, visits);
        }
        if self.synchronisation {
            self.note_synchronisation(thread, pending, visits, told);
        }
    }

    /// Takes note of what `thread` does since its last hint to spin.
    fn note_round(&mut self, thread: ThreadId, pending: &Pending, visits: &[Visit]) {
        let is_choice = matches!(pending.manner.choices, Choices::Among(count) if count > 1);
        if let Waiting::Join(joined) = pending.manner.waiting {
            let left = self.thread(joined).unjoined;
            let thread = self.thread(thread);
            thread.unjoined = (thread.unjoined + left).saturating_sub(1);
        }
        let rounds = &mut self.thread(thread).rounds;
        visits.iter().for_each(|visit| rounds.note_access(visit));
        if is_choice {
            rounds.note_action();
        }
        if matches!(pending.manner.waiting, Waiting::Spin | Waiting::Turn) {
            rounds.begin();
        }
    }
}
