//! The program unrolled step by step (Sect. 3.1).
//!
//! `sel` of a step is a fresh variable, and so is the input it may take; everything else is a function of those. The
//! paper has a fresh copy of every variable in every time frame and equations between them; here the right sides of
//! the equations take their place, so that what a step cannot change is the same term after it as before.
//!
//! Only places that can be reached in as many steps, by the control flow of each thread, appear in a time frame.

use crate::check::Deadlocks;
use crate::frame::{Frame, State};
use crate::independence::{Reduction, are_apart};
use crate::layout::Layout;
use crate::limit::{Limit, Reached};
use crate::look::Before;
use crate::schedule::Schedule;
use crate::system::{
    Access, AccessKind, Action, Choice, DETACHED, Effect, Input, JOINED, SETTLED_BITS, Settles, Settling, Started,
    System, Unsupported,
};
use crate::term::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

mod write;

/// What accesses that share a reader have in common: kind, size, which of their place's they are, and the objects that
/// they may be to.
type ReaderKey = (AccessKind, u32, usize, Vec<u32>);

/// An access that reads: its thread, place and which of the place's it is, the condition that it is taken, and itself.
struct Reader {
    key: (usize, u16, usize),
    condition: Term,
    address: Term,
    access: Access,
}

/// A step of the unrolled program.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Who moves.
    pub(crate) selected: Term,
    /// The program counters before, by thread.
    pub(crate) counters: Vec<Term>,
    /// What comes from outside.
    pub(crate) input: Term,
    /// The threads that it could wake, and the one it wakes, as bits, if it is a step that wakes any.
    pub(crate) wakes: Option<(Term, Term)>,
    /// By thread: how many beginnings and ends of atomic sections it comes by.
    pub(crate) passed: Vec<(usize, Term)>,
    /// That there is such a step.
    pub(crate) goes_on: Term,
    /// That the step fails.
    pub(crate) fails: Term,
}

/// What becomes of executions that have come to their end, or have failed, before the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// There are none: every execution has exactly as many steps as were unrolled.
    AreLeftOut,
    /// They stay as they are. That is no choice of the solver's: a step is taken as long as one can be.
    Stay,
}

/// What must not happen, in the executions that the formula has.
#[derive(Clone, Debug)]
pub(crate) struct Bad {
    /// That the execution fails.
    pub(crate) fails: Term,
    /// That the invariant does not hold; this is among those that fail.
    pub(crate) violates: Term,
    /// That it does something that is not supported.
    pub(crate) unsupported: Vec<(Term, Unsupported)>,
    /// That no thread can go on at its end and some thread should, or any of these.
    pub(crate) any: Term,
}

/// The program unrolled.
#[derive(Debug)]
pub(crate) struct Unrolling {
    /// The program.
    pub(crate) system: System,
    layout: Layout,
    frame: Frame,
    schedule: Schedule,
    ends: Ends,
    deadlocks: Deadlocks,
    /// What must not happen, by the number of steps.
    bad: Vec<Bad>,
    /// The steps so far.
    pub(crate) steps: Vec<Step>,
    /// What holds of all executions and was not told yet.
    pub(crate) constraints: Vec<Term>,
}

impl Unrolling {
    /// The program before its first step.
    pub(crate) fn new(mut system: System, reduction: Reduction, ends: Ends, deadlocks: Deadlocks) -> Self {
        let layout = Layout::of(&mut system);
        mark_observed(&mut system, &layout);
        let state = State::initial(&system, &layout);
        let frame = Frame::new(&mut system, &layout, state, None);
        let fails = system.first_fails.unwrap_or_else(|| system.terms.bool(false));
        let unsupported = system.first_unsupported.clone();
        let schedule = Schedule::new(reduction);
        let (steps, constraints) = (Vec::new(), Vec::new());
        let mut this = Self { system, layout, frame, schedule, ends, deadlocks, bad: Vec::new(), steps, constraints };
        this.note_bad(fails, unsupported);
        this
    }

    /// What must not happen in so many steps: with the last one, or, if executions stay at their end, with any.
    pub(crate) fn bad(&self, steps: usize) -> Bad {
        self.bad[steps].clone()
    }

    /// Notes what must not happen with the last step.
    fn note_bad(&mut self, fails: Term, unsupported: Vec<(Term, Unsupported)>) {
        let deadlock = match self.deadlocks {
            Deadlocks::Fail => self.frame.deadlock(&mut self.system),
            Deadlocks::End => self.system.terms.bool(false),
        };
        let mut violates = self.violates();
        let terms = &mut self.system.terms;
        let mut fails = terms.or(fails, violates);
        if let Some(step) = self.steps.last_mut() {
            step.fails = fails;
        }
        let mut all = unsupported;
        if let (Ends::Stay, Some(before)) = (self.ends, self.bad.last()) {
            fails = terms.or(before.fails, fails);
            violates = terms.or(before.violates, violates);
            all = before.unsupported.iter().cloned().chain(all).collect();
        }
        let beyond = terms.any(all.iter().map(|(when, _)| *when));
        let any = terms.any([fails, deadlock, beyond]);
        self.bad.push(Bad { fails, violates, unsupported: all, any });
    }

    /// That the invariant does not hold in this state.
    fn violates(&mut self) -> Term {
        let Some(invariant) = self.system.invariant.clone() else { return self.system.terms.bool(false) };
        let mut seen = self.frame.now.clone();
        for read in &invariant.reads {
            let address = seen.apply(&mut self.system.terms, read.address);
            let value = self.frame.read(&mut self.system, &self.layout, read, address);
            seen.bind(read.old, value);
        }
        let holds = seen.apply(&mut self.system.terms, invariant.holds);
        self.system.terms.not(holds)
    }

    /// That some thread can move after the steps so far.
    pub(crate) fn can_move(&mut self) -> Term {
        self.system.terms.any(self.frame.enabled.iter().copied())
    }

    /// One step more.
    pub(crate) fn step(&mut self, limit: &Limit) -> Result<(), Reached> {
        let number = self.steps.len();
        let threads = self.system.threads.len();
        let bits = (usize::BITS - (threads - 1).leading_zeros()).max(1);
        let selected = self.system.terms.variable(format!("sel{number}"), bits);
        let input = self.system.terms.variable(format!("input of step {}", number + 1), 64);
        let goes_on = self.goes_on();
        let chosen: Vec<Term> = (0..threads)
            .map(|thread| {
                let thread = self.system.terms.constant(bits, thread as u128);
                let is_it = self.system.terms.equal(selected, thread);
                self.system.terms.and(goes_on, is_it)
            })
            .collect();
        self.require_enabled(goes_on, &chosen);
        let about_pairs = self.schedule.constrain(&mut self.system, &self.layout, &mut self.frame, &chosen);
        self.constraints.extend(about_pairs);
        limit.check()?;
        self.bind(&chosen, input);
        let counters = self.counters();
        let (fails, unsupported) = self.failures(&chosen);
        let (wakes, passed) = (self.wakes(&chosen), self.passed(&chosen));
        self.steps.push(Step { selected, counters, input, goes_on, fails, wakes, passed });
        limit.check()?;
        let (state, changed) = self.advance(&chosen);
        let before = Before::of(&mut self.frame, &chosen, changed);
        self.frame = Frame::new(&mut self.system, &self.layout, state, Some(before));
        self.note_bad(fails, unsupported);
        limit.check()
    }

    /// That there is a next step.
    fn goes_on(&mut self) -> Term {
        if self.ends == Ends::AreLeftOut {
            return self.system.terms.bool(true);
        }
        let moves = self.can_move();
        let Bad { fails, unsupported, .. } = self.bad(self.steps.len());
        let terms = &mut self.system.terms;
        let bad = terms.any(unsupported.iter().map(|(when, _)| *when).chain([fails]));
        let fine = terms.not(bad);
        terms.and(moves, fine)
    }

    fn counters(&self) -> Vec<Term> {
        self.system.threads.iter().map(|thread| self.frame.state.values[&thread.counter]).collect()
    }

    /// The thread that is selected can move.
    fn require_enabled(&mut self, goes_on: Term, chosen: &[Term]) {
        let terms = &mut self.system.terms;
        for (&chosen, &enabled) in chosen.iter().zip(&self.frame.enabled) {
            self.constraints.push(terms.implies(chosen, enabled));
        }
        let any = terms.any(chosen.iter().copied());
        self.constraints.push(terms.implies(goes_on, any));
    }

    /// The threads with their places that can be taken, and the conditions that they are.
    fn taken(&mut self, chosen: &[Term]) -> Vec<(usize, u16, Term)> {
        let mut taken = Vec::new();
        for (thread, standing) in self.frame.standing.iter().enumerate() {
            for place in standing {
                let condition = self.system.terms.and(chosen[thread], place.at);
                if !self.system.terms.is_false(condition) {
                    taken.push((thread, place.counter, condition));
                }
            }
        }
        taken
    }

    fn action(&self, thread: usize, counter: u16) -> Action {
        self.system.threads[thread].place(counter).map(|place| place.action.clone()).unwrap_or_default()
    }

    /// Gives inputs, and the values that accesses find, their terms. Accesses whose address is not known share one
    /// reader for each size, because only one of them is taken.
    fn bind(&mut self, chosen: &[Term], input: Term) {
        let mut shared: BTreeMap<ReaderKey, Vec<Reader>> = BTreeMap::new();
        for (thread, counter, condition) in self.taken(chosen) {
            let action = self.action(thread, counter);
            match action.choice {
                Choice::None => {}
                Choice::Input(Input { term, .. }) | Choice::Waiter { term, .. } => self.frame.now.bind(term, input),
            }
            for (nth, access) in action.accesses.into_iter().enumerate() {
                let key = (thread, counter, nth);
                if self.frame.is_bound(key) || !self.uses_old(thread, counter, &access) {
                    continue;
                }
                let address = self.frame.now.apply(&mut self.system.terms, access.address);
                if self.system.terms.value(address).is_some() {
                    self.frame.bind_own(&mut self.system, &self.layout, key);
                    continue;
                }
                let objects = self.layout.candidates(&mut self.system.terms, address);
                let group = (access.kind, access.bytes, nth, objects);
                shared.entry(group).or_default().push(Reader { key, condition, address, access });
            }
        }
        for readers in shared.into_values() {
            let terms = &mut self.system.terms;
            let choose = |others: Term, reader: &Reader| terms.choose(reader.condition, reader.address, others);
            let Some((first, rest)) = readers.split_first() else { continue };
            let address = rest.iter().fold(first.address, choose);
            let value = self.frame.read(&mut self.system, &self.layout, &first.access, address);
            for reader in readers {
                self.frame.bind_value(reader.key, &reader.access, value);
            }
        }
    }

    /// Whether anything depends on the value that the access finds.
    fn uses_old(&self, thread: usize, counter: u16, access: &Access) -> bool {
        let Some(place) = self.system.threads[thread].place(counter) else { return false };
        let Effect { assigned, fails, unsupported, published, .. } = &place.effect;
        let all = assigned.iter().map(|(_, value)| *value).chain(*fails);
        let all = all.chain(place.action.accesses.iter().filter_map(|access| access.new));
        let all = all.chain(published.iter().map(|one| one.when));
        let mut all = all.chain(unsupported.iter().map(|(when, _)| *when));
        all.any(|term| self.system.terms.support(term).contains(&access.old))
    }

    /// Which threads a step may wake, and which one it does, if it wakes any.
    fn wakes(&mut self, chosen: &[Term]) -> Option<(Term, Term)> {
        let mut result: Option<(Term, Term)> = None;
        for (thread, counter, condition) in self.taken(chosen) {
            let Choice::Waiter { waiting, woken, .. } = self.action(thread, counter).choice else { continue };
            let terms = &mut self.system.terms;
            let (waiting, woken) = (self.frame.now.apply(terms, waiting), self.frame.now.apply(terms, woken));
            result = Some(match result {
                None => (waiting, woken),
                Some((a, b)) => (terms.choose(condition, waiting, a), terms.choose(condition, woken, b)),
            });
        }
        result
    }

    /// By thread: how many beginnings and ends of atomic sections it comes by with this step.
    fn passed(&mut self, chosen: &[Term]) -> Vec<(usize, Term)> {
        let mut result: Vec<(usize, Term)> = Vec::new();
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(place) = self.system.threads[thread].place(counter) else { continue };
            for (who, count) in place.effect.passed.clone() {
                let terms = &mut self.system.terms;
                let count = self.frame.now.apply(terms, count);
                let zero = terms.constant(terms.width(count), 0);
                let count = terms.choose(condition, count, zero);
                match result.iter_mut().find(|(known, _)| *known == who) {
                    Some((_, known)) => *known = terms.or(*known, count),
                    None => result.push((who, count)),
                }
            }
        }
        result
    }

    /// That the step fails, and that it does something that is not supported.
    fn failures(&mut self, chosen: &[Term]) -> (Term, Vec<(Term, Unsupported)>) {
        let (mut fails, mut unsupported) = (Vec::new(), Vec::new());
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(place) = self.system.threads[thread].place(counter).cloned() else { continue };
            for (other, how, is_it) in self.settled(&place.action) {
                // The end of a thread can be waited for once.
                let before = self.frame.state.values[&self.system.threads[other].settled];
                let terms = &mut self.system.terms;
                let zero = terms.constant(SETTLED_BITS, 0);
                let open = terms.equal(before, zero);
                let done = terms.not(open);
                if how == Settling::Join {
                    fails.push(terms.all([condition, is_it, done]));
                }
            }
            let terms = &mut self.system.terms;
            if let Some(when) = place.effect.fails {
                let when = self.frame.now.apply(terms, when);
                fails.push(terms.and(condition, when));
            }
            for (when, what) in place.effect.unsupported {
                let when = self.frame.now.apply(terms, when);
                let when = terms.and(condition, when);
                if !terms.is_false(when) {
                    unsupported.push((when, what));
                }
            }
        }
        (self.system.terms.any(fails), unsupported)
    }

    /// The threads whose end an action may be about, with the conditions that it is.
    fn settled(&mut self, action: &Action) -> Vec<(usize, Settling, Term)> {
        let Some(Settles { handle, how }) = action.settles else { return Vec::new() };
        let terms = &mut self.system.terms;
        let handle = self.frame.now.apply(terms, handle);
        let is_it = |thread: usize| {
            let number = terms.constant(terms.width(handle), thread as u128 + 1);
            (thread, how, terms.equal(handle, number))
        };
        (0..self.system.threads.len()).map(is_it).collect()
    }

    /// The state after the step, and which threads may have changed which variables.
    fn advance(&mut self, chosen: &[Term]) -> (State, FxHashMap<Term, Vec<usize>>) {
        let mut next = self.frame.state.clone();
        let mut changed: FxHashMap<Term, Vec<usize>> = FxHashMap::default();
        let mut changes: FxHashMap<Term, Vec<(Term, Term)>> = FxHashMap::default();
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(place) = self.system.threads[thread].place(counter).cloned() else { continue };
            for (variable, value) in place.effect.assigned {
                let value = self.frame.now.apply(&mut self.system.terms, value);
                changes.entry(variable).or_default().push((condition, value));
                changed.entry(variable).or_default().push(thread);
            }
            for (other, how, is_it) in self.settled(&place.action) {
                let settled = self.system.threads[other].settled;
                let before = self.frame.state.values[&settled];
                let terms = &mut self.system.terms;
                let zero = terms.constant(SETTLED_BITS, 0);
                let open = terms.equal(before, zero);
                let condition = terms.all([condition, is_it, open]);
                let after = match how {
                    Settling::Join => JOINED,
                    Settling::Detach => DETACHED,
                };
                let after = terms.constant(SETTLED_BITS, after);
                if !terms.is_false(condition) {
                    changes.entry(settled).or_default().push((condition, after));
                    changed.entry(settled).or_default().push(thread);
                }
            }
            next.reach[thread].extend(&place.effect.successors);
            for Started { child, counters, .. } in &place.effect.started {
                next.reach[*child].extend(counters);
            }
        }
        let mut changes: Vec<_> = changes.into_iter().collect();
        changes.sort_unstable_by_key(|(variable, _)| *variable);
        for (variable, values) in changes {
            let before = self.frame.state.values[&variable];
            let terms = &mut self.system.terms;
            let after = values.into_iter().fold(before, |rest, (when, value)| terms.choose(when, value, rest));
            next.values.insert(variable, after);
        }
        for reach in &mut next.reach {
            reach.sort_unstable();
            reach.dedup();
        }
        self.write(chosen, &mut next);
        (next, changed)
    }
}

/// Marks the places whose steps may change what the invariant reads.
fn mark_observed(system: &mut System, layout: &Layout) {
    let Some(invariant) = system.invariant.clone() else { return };
    let System { threads, terms, .. } = system;
    for place in threads.iter_mut().flat_map(|thread| &mut thread.places) {
        let mut changes = |write: &Access| {
            let apart = |read: &Access| {
                let apart = are_apart(terms, layout, read, write);
                terms.is_true(apart)
            };
            write.kind == AccessKind::Memory && write.new.is_some() && !invariant.reads.iter().all(apart)
        };
        place.is_observed = place.action.accesses.iter().any(&mut changes) || !place.effect.published.is_empty();
    }
}
