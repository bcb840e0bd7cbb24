//! Rounds of loops, which hints to spin end: when a thread may wait at a hint, and when it has to.
//!
//! `spin_loop`, `yield_now` and `sleep` do nothing. What they tell is that their thread may be in a loop that goes round
//! until another thread does something. Taken literally, such a loop has executions of any length, so a hint makes its
//! thread wait where that loses nothing, and otherwise gives way after some rounds. A *round* is what a thread does from
//! one hint to the next.
//!
//! **A round that repeats.** Let a thread stand at a hint in the private state `S`: its stack, and what it has put on the
//! heap. If, reading the values `V`, it comes back to this hint having changed nothing and standing in `S` again, then a
//! round that reads `V` is of no consequence: take it out of an execution, and what is left is an execution with the same
//! outcome. (Also under weak memory models: taking reads out takes away nothing but constraints.) Whether this is so is
//! found out by going round once on trial ([`super::trial`]), with the values that the thread has found last; memory is
//! compared byte by byte. A loop that counts its rounds, or looks at something else next time, does not come back to `S`.
//!
//! - If the round consists of *one* operation, the thread waits at the hint until that would find another value. Every round
//!   that does not read `V` is one that starts with finding another value, so nothing is lost.
//! - If it has several, one may find the old value before the first change and the next one find something after
//!   the second. So the thread goes on, and takes the round; all ways in which others come between its reads are
//!   explored. If it has read `V` indeed, it stands in `S` once more, and waits until one of the reads would find another
//!   value: an execution in which it does not wait has the same outcome as the one without the round just taken.
//!
//! A thread that waits in this way when no other thread can go on spins for ever: a livelock.
//!
//! **Any other round** is taken as it is, for the code may do something else in the next one. But a thread that goes round
//! while others could go on, and finds nothing new, is stopped after some rounds ([`Settings::max_rounds`]) until
//! something that it has touched changes: schedulers are fair. The verdict says so, as executions in which it would have
//! gone on are cut. Whether something is *new* depends on nothing but what the thread itself has found and left, and so is
//! the same in all interleavings of one trace: the engine sees an operation that blocks, like any other.
//!
//! **Loops without hints** are taken for loops with one, at their first read, when a thread has done nothing but read,
//! and found nothing new, for a while.
//!
//! [`Settings::max_rounds`]: super::Settings

use super::object::Named;
use super::{CodeSite, Label, Pending, Waiting};
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Ordering, Verb, Visit};
use rustc_hash::FxHashMap;

/// A round of more accesses than this is not taken for one that repeats.
pub(super) const LONGEST_ROUND: usize = 64;

/// So many reads that find nothing new are taken for a loop without a hint.
const READS_OF_A_LOOP: u32 = 16;

/// So many rounds without any operation that others can notice are taken for a loop that waits for something that
/// cannot be seen.
pub(super) const MOST_EMPTY_ROUNDS: u32 = 1000;

/// A hint that a thread has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hint {
    pub(crate) verb: Verb,
    pub(crate) caller: CodeSite,
}

/// An access of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) location: Location,
    before: u64,
    after: u64,
}

impl Touched {
    pub(super) fn of(visit: &Visit) -> Self {
        Self { location: visit.access.location, before: visit.before, after: visit.after }
    }

    fn changes(self) -> bool {
        self.before != self.after
    }
}

/// What a thread has found or left at a location.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: u64,
    /// Goes through when the thread would find something else there.
    change: Access,
}

/// What a thread has done since its last hint, and what it knows.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    known: FxHashMap<Location, Known>,
    /// Since the last hint, as far as it is of interest.
    trail: Vec<Touched>,
    /// Whether it has done something since then that is no access.
    acted: bool,
    /// Whether it has found something new since then.
    news: bool,
    /// By hint: how many rounds have ended there since something new was found.
    counts: Vec<(CodeSite, u32)>,
    /// The hint and the round that leads back to it without any change.
    repeats: Option<(CodeSite, Vec<Touched>)>,
    /// How many reads in a row have found nothing new.
    idle_reads: u32,
    /// Where a loop without a hint begins.
    anchor: Option<CodeSite>,
}

/// What a round that has ended was.
pub(super) struct Round {
    pub(super) trail: Vec<Touched>,
    /// How many rounds have ended at the same hint since something new was found, this one included.
    pub(super) count: u32,
    /// Whether it repeats: it is what was found to lead back to the hint without any change.
    pub(super) is_repeated: bool,
}

impl Round {
    /// Whether it is worth while to find out whether the next round leads back here: this one has changed nothing, or
    /// is the first, and has found nothing that has changed on the way.
    pub(super) fn may_repeat(&self) -> bool {
        let found_changed = |(position, touched): (usize, &Touched)| {
            let earlier = self.trail[..position].iter().rev().find(|earlier| earlier.location == touched.location);
            earlier.is_some_and(|earlier| earlier.after != touched.before)
        };
        let changes = self.trail.iter().any(|touched| touched.changes());
        !self.trail.is_empty() && (self.count == 1 || !changes) && !self.trail.iter().enumerate().any(found_changed)
    }
}

impl Rounds {
    pub(super) fn reset(&mut self) {
        self.known.clear();
        self.trail.clear();
        self.acted = false;
        self.news = false;
        self.counts.clear();
        self.repeats = None;
        self.idle_reads = 0;
        self.anchor = None;
    }

    /// Takes note of an access.
    pub(super) fn note_access(&mut self, visit: &Visit) {
        let location = visit.access.location;
        let receives = visit.access.effect.receive();
        let took = receives.is_some() && visit.access.when.holds(visit.before);
        let sends = matches!(visit.access.effect, Effect::Send(_));
        let is_object = matches!(Named::of(location), Named::Object(_));
        if !is_object || took || sends {
            self.note_action();
            return;
        }
        let change = match receives {
            // Messages that it does not match make no difference.
            Some(number) => Access::new(location, Effect::Peek(number)).or_else(visit.access.when),
            // It orders nothing: what follows looks again.
            None => {
                Access::new(location, Effect::Read).ordered(Ordering::Relaxed).or_else(Condition::Differs(visit.after))
            }
        };
        let known = self.known.insert(location, Known { value: visit.after, change }).map(|known| known.value);
        let mut touched = Touched::of(visit);
        if !visit.access.looks() {
            // A store does not find anything: as far as its thread knows, it replaces what that has found or left last. What it
            // does not know may be anything else.
            touched.before = known.unwrap_or(!touched.after);
        }
        let is_new = known != Some(touched.before);
        self.news |= is_new;
        if is_new || touched.changes() {
            self.stop_idling();
        } else {
            self.idle_reads = self.idle_reads.saturating_add(1);
        }
        if self.trail.len() <= LONGEST_ROUND {
            self.trail.push(touched);
        }
    }

    /// Takes note of something that is no access, or more than one: a choice, a spawn, a message. It counts as news, so
    /// that whatever has an end of its own is not cut short.
    pub(super) fn note_action(&mut self) {
        self.acted = true;
        self.news = true;
        self.stop_idling();
    }

    fn stop_idling(&mut self) {
        self.idle_reads = 0;
        self.anchor = None;
    }

    /// Whether the thread has been reading in vain for so long that it is taken to be in a loop that begins with what it
    /// announces at this place.
    pub(super) fn is_in_loop(&mut self, caller: CodeSite) -> bool {
        if self.idle_reads < READS_OF_A_LOOP {
            return false;
        }
        *self.anchor.get_or_insert(caller) == caller
    }

    /// What the thread has found or left there last.
    pub(super) fn value(&self, access: &Access) -> Option<u64> {
        let known = self.known.get(&access.location)?;
        (known.change.effect.receive() == access.effect.receive()).then_some(known.value)
    }

    /// Ends a round at a hint.
    pub(super) fn end(&mut self, caller: CodeSite) -> Round {
        let trail = std::mem::take(&mut self.trail);
        if std::mem::take(&mut self.news) {
            self.counts.clear();
        }
        let count = match self.counts.iter_mut().find(|(site, _)| *site == caller) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.counts.push((caller, 1));
                1
            }
        };
        let acted = std::mem::take(&mut self.acted);
        let is_repeated = self.repeats.take().is_some_and(|(site, round)| !acted && site == caller && round == trail);
        Round { trail, count, is_repeated }
    }

    /// A wait at a hint is over; what it has found is not part of the next round.
    pub(super) fn begin(&mut self) {
        self.trail.clear();
        self.acted = false;
    }

    /// The next round leads back to the hint if it is this one.
    pub(super) fn expect(&mut self, caller: CodeSite, round: Vec<Touched>) {
        self.repeats = Some((caller, round));
    }

    /// The operation that waits until one of these accesses would find something else than the thread knows.
    pub(super) fn wait(&self, hint: Hint, round: &[Touched], waiting: Waiting) -> Option<Pending> {
        let mut changes: Vec<Access> = Vec::new();
        for touched in round {
            if changes.iter().all(|change| change.location != touched.location) {
                changes.push(self.known.get(&touched.location)?.change);
            }
        }
        let mut operation = Operation::new(changes);
        let last = operation.accesses.last_mut()?;
        *last = last.once(last.when);
        let object = operation.accesses.first().map(|access| access.location);
        let label = Label { verb: hint.verb, object, show: super::Show::Nothing, caller: hint.caller };
        Some(Pending::new(operation, label).waiting(waiting))
    }
}
