//! The comparison of a step that is taken again with the step that was taken before.

use super::carry_out::evaluate_told;
use super::detail::Detail;
use super::program::{Logged, Program};
use super::{CodeSite, Ended, Failure, Label, Pending, Waiting};
use everyway_report::BugKind;
use everyway_runtime::{Condition, Evaluation, Halt, State, evaluate};

/// What a thread is about to do in place of a step that is to be taken again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// The same.
    Same,
    /// Something else.
    Differs,
    /// The same, but it has to wait.
    Waits,
}

pub(super) const DID_NOT_DO_AGAIN: &str = "the program did not do again what it had done before";

impl Program<'_> {
    /// The first `depth` steps have been taken again. Where each thread stood in the execution before this one is known from its
    /// next step there: it has to be about to do the same. (Objects are not compared, which may have been met in another
    /// order; if that matters, a later step tells.)
    pub(super) fn compare_announced(&mut self, depth: usize) -> Result<(), Halt<Box<Ended>>> {
        let Some(position) = self.elsewhere(depth) else { return Ok(()) };
        // It could have come next.
        self.log[depth] = self.log[position].clone();
        Err(self.diverged(DID_NOT_DO_AGAIN.to_owned(), depth))
    }

    /// The first step after `depth` others that its thread is not about to take now.
    pub(super) fn elsewhere(&mut self, depth: usize) -> Option<usize> {
        let mut compared = std::mem::take(&mut self.compared);
        compared.clear();
        let elsewhere = (depth..self.log.len()).find(|&position| {
            let Logged { step, label, .. } = &self.log[position];
            let is_next = !compared.contains(step.thread);
            compared.insert(step.thread);
            is_next && self.pending(step.thread).is_some_and(|pending| !is_at_the_same(&pending.label, label))
        });
        self.compared = compared;
        elsewhere
    }

    pub(super) fn diverged(&self, message: String, depth: usize) -> Halt<Box<Ended>> {
        let before = self.log[..=depth.min(self.log.len() - 1)].to_vec();
        // What the program allocates once and for all may have moved other allocations from their places.
        if self.does_it_to_another(depth) && !self.model.has(Detail::Repetition) {
            return Halt::Diverged(Box::new(Ended::Wants(Detail::Repetition)));
        }
        let failure = Failure { before, ..Failure::new(BugKind::Nondeterminism, message) };
        Halt::Diverged(Box::new(Ended::Failed(failure)))
    }

    /// Compares the operation that has been announced with the one that was logged at `depth`.
    pub(super) fn compare(&self, depth: usize) -> Repetition {
        let Logged { step, label, .. } = &self.log[depth];
        let Some(pending) = self.pending(step.thread) else { return Repetition::Differs };
        let Label { verb, object, caller, .. } = pending.label;
        if object != label.object || verb != label.verb || !is_same_site(caller, label.caller) {
            return Repetition::Differs;
        }
        match pending.manner.waiting {
            // Mostly.
            Waiting::Never if pending.operation.accesses.iter().all(|access| access.when == Condition::Always) => {
                Repetition::Same
            }
            _ if !self.ends_the_same(depth) => Repetition::Differs,
            _ if !self.can_step(depth, *step) => Repetition::Waits,
            _ => Repetition::Same,
        }
    }

    /// Whether the operation that `thread` has announced differs from the one that was logged at `depth` in its object,
    /// and in nothing else.
    fn does_it_to_another(&self, depth: usize) -> bool {
        let Some(Logged { step, label, .. }) = self.log.get(depth) else { return false };
        let differs = |now: &Label| now.object != label.object && is_at_the_same(now, label);
        self.pending(step.thread).is_some_and(|Pending { label: now, .. }| differs(now))
    }

    /// Whether the operation would end as the one that was logged at `depth` did, if it can be carried out at all.
    fn ends_the_same(&self, depth: usize) -> bool {
        let logged = &self.log[depth];
        let step = &logged.step;
        let accesses = &self.operation(step.thread).accesses;
        if accesses.iter().all(|access| access.when == Condition::Always) {
            return true;
        }
        let mut now = None;
        let evaluation = if self.model.is_told() {
            evaluate_told(accesses, &self.values(depth, step.thread), |visit| now = Some(visit.class))
        } else {
            let state = self.model.state();
            evaluate(accesses, |access| state.found(access), |visit| now = Some(visit.class))
        };
        match evaluation {
            Evaluation::Done { last } => last == logged.last() && now == logged.ended_by().map(|visit| visit.class),
            Evaluation::Blocked => true,
        }
    }
}

/// Whether both operations are called the same, and are at the same place.
#[inline]
fn is_at_the_same(one: &Label, other: &Label) -> bool {
    one.verb == other.verb && is_same_site(one.caller, other.caller)
}

#[inline]
fn is_same_site(one: CodeSite, other: CodeSite) -> bool {
    std::ptr::eq(one, other) || one == other
}
