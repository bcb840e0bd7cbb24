//! Trials of loops: whether a thread that has come to a spin hint continues, waits, or yields.
//!
//! `rounds` has the reasons. Whether a round leads back to its beginning is found out by running the thread round the
//! loop on trial, while all others stand still: it gets the values that it knows, and nothing that it does counts. If
//! it comes back with its memory unchanged, the trial has left no trace. If not, the execution is invalid, and is run
//! again from the start up to the hint, where no further trial is made.

use super::coroutine::Resumed;
use super::program::Program;
use super::rounds::{Hint, LONGEST_ROUND, MOST_EMPTY_ROUNDS, Touched};
use super::snapshot::Snapshot;
use super::{Ended, Failure, Pending, Special, Waiting};
use everyway_report::BugKind;
use everyway_runtime::{Choices, Evaluation, Outcome, ThreadId, Verb, Visit, evaluate};

/// What a thread does at a hint.
pub(super) enum AtHint {
    GoOn,
    /// It announces this.
    Wait(Box<Pending>),
    /// The execution has to be run again up to this hint: a trial has failed.
    Astray,
}

/// How a trial ended.
#[derive(Clone, Debug)]
enum Trial {
    /// The thread is back at the hint, and nothing has changed.
    Repeats(Lap),
    /// It did something else.
    Differs,
    /// There was too much to compare.
    TooLarge,
}

/// A round that was taken on trial.
#[derive(Clone, Debug, Default)]
struct Lap {
    trail: Vec<Touched>,
    operations: u32,
    /// Whether it had a receive, which may be one that does not match the same messages as the last one.
    receives: bool,
}

/// Which hint of an execution this is: during which step, and how many came before it then.
type Place = (usize, u32);

/// The trials of the current execution.
#[derive(Debug, Default)]
pub(super) struct Trials {
    /// By place, in order. They are not made again when the same steps are taken again.
    made: Vec<(Place, Trial)>,
    now: Place,
    before: Snapshot,
    after: Snapshot,
}

impl Trials {
    /// The step at `depth` is about to be taken.
    pub(super) fn begin_step(&mut self, depth: usize) {
        self.now = (depth, 0);
    }

    /// All but the first `depth` steps are forgotten.
    pub(super) fn truncate(&mut self, depth: usize) {
        let kept = self.made.partition_point(|&((step, _), _)| step < depth);
        self.made.truncate(kept);
    }

    /// How the trial at the present hint ended when it was made.
    fn known(&self) -> Option<Trial> {
        let position = self.made.binary_search_by_key(&self.now, |&(place, _)| place).ok()?;
        Some(self.made[position].1.clone())
    }

    fn note(&mut self, trial: Trial) {
        debug_assert!(self.made.last().is_none_or(|(place, _)| *place < self.now));
        self.made.push((self.now, trial));
    }
}

impl Program<'_> {
    /// A thread has come to a hint.
    pub(super) fn at_hint(&mut self, thread: ThreadId, hint: Hint) -> AtHint {
        if self.model().state().running_out {
            return if self.model().state().passes_hint() { AtHint::GoOn } else { AtHint::Astray };
        }
        self.trials.now.1 += 1;
        let round = self.model().state().thread(thread).rounds.end(hint.caller);
        if round.trail.is_empty() {
            self.spins_blindly(thread, hint, round.count);
            return AtHint::GoOn;
        }
        if round.is_repeated {
            return self.waiting(thread, hint, &round.trail, Waiting::Spin);
        }
        if round.may_repeat() {
            let trial = match self.trials.known() {
                Some(trial) => trial,
                None => {
                    let trial = self.go_round(thread, hint);
                    self.trials.note(trial.clone());
                    if matches!(trial, Trial::Differs) {
                        return AtHint::Astray;
                    }
                    trial
                }
            };
            match trial {
                Trial::Repeats(lap) if lap.operations == 1 && !lap.receives => {
                    return self.waiting(thread, hint, &lap.trail, Waiting::Spin);
                }
                Trial::Repeats(lap) if !lap.trail.is_empty() => {
                    self.model().state().thread(thread).rounds.expect(hint.caller, lap.trail);
                }
                _ => {}
            }
        }
        if round.count > self.model().settings.max_rounds && self.model().state().thread(thread).has_company() {
            self.model().state().cut_rounds.get_or_insert(hint.caller);
            return self.waiting(thread, hint, &round.trail, Waiting::Turn);
        }
        AtHint::GoOn
    }

    fn waiting(&self, thread: ThreadId, hint: Hint, round: &[Touched], waiting: Waiting) -> AtHint {
        let wait = self.model().state().thread(thread).rounds.wait(hint, round, waiting);
        wait.map_or(AtHint::GoOn, |pending| AtHint::Wait(Box::new(pending)))
    }

    /// Ends the execution if the thread goes round and round without looking at anything that everyway sees.
    fn spins_blindly(&self, thread: ThreadId, hint: Hint, count: u32) {
        if count < MOST_EMPTY_ROUNDS {
            return;
        }
        let message = format!(
            "a thread has gone round a loop {count} times without looking at anything that everyway sees, so what it \
             waits for is not seen either"
        );
        let source = Some(super::describe::source(hint.caller));
        let failure = Failure { source, thread: Some(thread), ..Failure::new(BugKind::Livelock, message) };
        self.model().state().ended.get_or_insert(Box::new(Ended::Failed(failure)));
    }

    /// Lets a thread that is at a hint go on, given the values that it knows, until it is there again.
    fn go_round(&mut self, thread: ThreadId, hint: Hint) -> Trial {
        let (mut before, mut after) = (std::mem::take(&mut self.trials.before), std::mem::take(&mut self.trials.after));
        let trial = if before.take(self) {
            let made = self.model().state().made_so_far(thread);
            self.model().state().on_trial = true;
            let lap = self.go_round_once(thread, hint);
            self.model().state().on_trial = false;
            match lap {
                Some(lap) if self.model().state().made_so_far(thread) == made => {
                    let same = after.take(self) && before == after;
                    if same { Trial::Repeats(lap) } else { Trial::Differs }
                }
                _ => Trial::Differs,
            }
        } else {
            Trial::TooLarge
        };
        (self.trials.before, self.trials.after) = (before, after);
        trial
    }

    /// What the thread did on its way, if it got there.
    fn go_round_once(&mut self, thread: ThreadId, hint: Hint) -> Option<Lap> {
        let mut lap = Lap::default();
        for _ in 0..LONGEST_ROUND {
            if self.resume_once(thread) == Resumed::Ended {
                return None;
            }
            let mut state = self.model().state();
            if state.ended.is_some() {
                return None;
            }
            match state.thread(thread).hint.take() {
                Some(reached) if reached.caller == hint.caller => return Some(lap),
                Some(_) => continue,
                None => {}
            }
            let this = state.thread(thread);
            let outcome = answer(&this.pending, |access| this.rounds.value(access), &mut lap.trail)?;
            lap.operations += 1;
            lap.receives |= this.pending.label.verb == Verb::SelectiveReceive;
            this.set_outcome(outcome);
        }
        None
    }
}

/// What comes of an operation where these values are found, if it changes nothing.
fn answer(
    pending: &Pending,
    value: impl Fn(&everyway_runtime::Access) -> Option<u64>,
    trail: &mut Vec<Touched>,
) -> Option<Outcome> {
    let Pending { operation, manner, poisons, .. } = pending;
    let only_reads = manner.choices == Choices::One && manner.special == Special::None && poisons.is_none();
    if !only_reads || operation.joins.is_some() || !operation.accesses.iter().all(|access| value(access).is_some()) {
        return None;
    }
    let mut visits: Vec<Visit> = Vec::new();
    let found = |access: &everyway_runtime::Access| value(access).unwrap_or_default();
    let Evaluation::Done { last } = evaluate(&operation.accesses, found, |visit| visits.push(visit)) else {
        return None;
    };
    let changes = |visit: &Visit| {
        let takes = visit.access.effect.receive().is_some() && visit.access.when.holds(visit.before);
        takes || visit.before != visit.after || matches!(visit.access.effect, everyway_runtime::Effect::Send(_))
    };
    if visits.iter().any(changes) {
        return None;
    }
    trail.extend(visits.iter().map(Touched::of));
    let (before, changed) = visits.get(last).map_or((0, false), |visit| (visit.before, visit.class.changes()));
    let is_last = last + 1 == operation.accesses.len();
    Some(Outcome { last: last as u32, before, changed, is_last, choice: 0, enqueued: false, woken: 0 })
}
