//! The program unrolled step by step (Sect. 3.1).
//!
//! `sel` of a step is a fresh variable, and so is the input it may take; everything else is a function of those. The
//! paper has a fresh copy of every variable in every time frame and equations between them; here the right sides of
//! the equations take their place, so that what a step cannot change is the same term after it as before.
//!
//! Only places that can be reached in as many steps, by the control flow of each thread, appear in a time frame.

use crate::frame::{Frame, State, index_bits, split};
use crate::independence::Reduction;
use crate::layout::{Layout, whole};
use crate::schedule::Schedule;
use crate::system::{Access, AccessKind, Action, Effect, OBJECT_BITS, Published, System, Unsupported};
use crate::term::{Term, Terms};
use rustc_hash::FxHashMap;

/// A step of the unrolled program.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Who moves.
    pub(crate) selected: Term,
    /// The program counters before, by thread.
    pub(crate) counters: Vec<Term>,
    /// What comes from outside.
    pub(crate) input: Term,
    /// That the step fails.
    pub(crate) fails: Term,
    /// That the step does something that is not supported.
    pub(crate) unsupported: Vec<(Term, Unsupported)>,
}

/// The program unrolled.
#[derive(Debug)]
pub(crate) struct Unrolling {
    /// The program.
    pub(crate) system: System,
    layout: Layout,
    frame: Frame,
    schedule: Schedule,
    /// The steps so far.
    pub(crate) steps: Vec<Step>,
    /// What holds of all executions and was not told yet.
    pub(crate) constraints: Vec<Term>,
}

impl Unrolling {
    /// The program before its first step.
    pub(crate) fn new(mut system: System, reduction: Reduction) -> Self {
        let layout = Layout::of(&mut system);
        let state = State::initial(&system, &layout);
        let frame = Frame::new(&mut system, &layout, state);
        Self { system, layout, frame, schedule: Schedule::new(reduction), steps: Vec::new(), constraints: Vec::new() }
    }

    /// That some thread can move after the steps so far.
    pub(crate) fn can_move(&mut self) -> Term {
        self.system.terms.any(self.frame.enabled.iter().copied())
    }

    /// That no thread can move after the steps so far, and some thread should.
    pub(crate) fn deadlock(&mut self) -> Term {
        self.frame.deadlock(&mut self.system)
    }

    /// One step more.
    pub(crate) fn step(&mut self) {
        let number = self.steps.len();
        let threads = self.system.threads.len();
        let bits = (usize::BITS - (threads - 1).leading_zeros()).max(1);
        let selected = self.system.terms.variable(format!("sel{number}"), bits);
        let input = self.system.terms.variable(format!("input of step {}", number + 1), 64);
        let chosen: Vec<Term> = (0..threads)
            .map(|thread| {
                let thread = self.system.terms.constant(bits, thread as u128);
                self.system.terms.equal(selected, thread)
            })
            .collect();
        self.require_enabled(&chosen);
        let about_pairs = self.schedule.constrain(&mut self.system, &self.layout, &mut self.frame, &chosen);
        self.constraints.extend(about_pairs);
        self.bind(&chosen, input);
        let counters = self.counters();
        let (fails, unsupported) = self.failures(&chosen);
        self.steps.push(Step { selected, counters, input, fails, unsupported });
        let state = self.advance(&chosen);
        self.frame = Frame::new(&mut self.system, &self.layout, state);
    }

    fn counters(&self) -> Vec<Term> {
        self.system.threads.iter().map(|thread| self.frame.state.values[&thread.counter]).collect()
    }

    /// The selected thread can move.
    fn require_enabled(&mut self, chosen: &[Term]) {
        let terms = &mut self.system.terms;
        for (&chosen, &enabled) in chosen.iter().zip(&self.frame.enabled) {
            self.constraints.push(terms.implies(chosen, enabled));
        }
        let any = terms.any(chosen.iter().copied());
        self.constraints.push(any);
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

    fn access(&self, thread: usize, counter: u16) -> Option<Access> {
        match &self.system.threads[thread].place(counter)?.action {
            Action::Access(access) => Some(access.clone()),
            _ => None,
        }
    }

    /// Gives inputs, and the values that accesses find, their terms. Accesses whose address is not known share one
    /// reader for each size, because only one of them is taken.
    fn bind(&mut self, chosen: &[Term], input: Term) {
        let mut shared: FxHashMap<(AccessKind, u32), Vec<Reader>> = FxHashMap::default();
        for (thread, counter, condition) in self.taken(chosen) {
            let place = self.system.threads[thread].place(counter);
            if let Some(Action::Input(asked)) = place.map(|place| &place.action) {
                self.frame.now.bind(asked.term, input);
                continue;
            }
            let Some(access) = self.access(thread, counter) else { continue };
            if self.frame.is_bound(thread, counter) || !self.uses_old(thread, counter, &access) {
                continue;
            }
            let address = self.frame.now.apply(&mut self.system.terms, access.address);
            if self.system.terms.value(address).is_some() {
                self.frame.bind_own(&mut self.system, &self.layout, thread, counter, &access);
            } else {
                shared.entry((access.kind, access.bytes)).or_default().push((thread, counter, condition, access));
            }
        }
        let mut shared: Vec<_> = shared.into_iter().collect();
        shared.sort_unstable_by_key(|(key, _)| *key);
        for (_, readers) in shared {
            let mut address: Option<Term> = None;
            for (.., condition, access) in &readers {
                let this = self.frame.now.apply(&mut self.system.terms, access.address);
                let terms = &mut self.system.terms;
                address = Some(address.map_or(this, |others| terms.choose(*condition, this, others)));
            }
            let Some(address) = address else { continue };
            let value = self.frame.read(&mut self.system, &self.layout, &readers[0].3, address);
            for (thread, counter, _, access) in readers {
                self.frame.bind_if_taken(thread, counter, &access, value);
            }
        }
    }

    /// Whether anything depends on the value that the access finds.
    fn uses_old(&self, thread: usize, counter: u16, access: &Access) -> bool {
        let Some(place) = self.system.threads[thread].place(counter) else { return false };
        let Effect { assigned, fails, unsupported, published, .. } = &place.effect;
        let all = assigned.iter().map(|(_, value)| *value).chain(access.new).chain(*fails);
        let all = all.chain(published.iter().map(|one| one.when));
        let mut all = all.chain(unsupported.iter().map(|(when, _)| *when));
        all.any(|term| self.system.terms.support(term).contains(&access.old))
    }

    fn failures(&mut self, chosen: &[Term]) -> (Term, Vec<(Term, Unsupported)>) {
        let (mut fails, mut unsupported) = (Vec::new(), Vec::new());
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(place) = self.system.threads[thread].place(counter).cloned() else { continue };
            for (other, joins) in self.joins(&place.action) {
                // No thread is joined twice.
                let again = self.frame.state.values[&self.system.threads[other].joined];
                fails.push(self.system.terms.all([condition, joins, again]));
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

    /// The threads that an action may join, with the conditions that it does.
    fn joins(&mut self, action: &Action) -> Vec<(usize, Term)> {
        let Action::Join { handle } = *action else { return Vec::new() };
        let terms = &mut self.system.terms;
        let handle = self.frame.now.apply(terms, handle);
        let joins = |thread: usize| {
            let number = terms.constant(terms.width(handle), thread as u128 + 1);
            (thread, terms.equal(handle, number))
        };
        (0..self.system.threads.len()).map(joins).collect()
    }

    /// The state after the step.
    fn advance(&mut self, chosen: &[Term]) -> State {
        let mut next = self.frame.state.clone();
        let mut changes: FxHashMap<Term, Vec<(Term, Term)>> = FxHashMap::default();
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(place) = self.system.threads[thread].place(counter).cloned() else { continue };
            for (variable, value) in place.effect.assigned {
                let value = self.frame.now.apply(&mut self.system.terms, value);
                changes.entry(variable).or_default().push((condition, value));
            }
            for (other, joins) in self.joins(&place.action) {
                let condition = self.system.terms.and(condition, joins);
                let always = self.system.terms.bool(true);
                if !self.system.terms.is_false(condition) {
                    changes.entry(self.system.threads[other].joined).or_default().push((condition, always));
                }
            }
            next.reach[thread].extend(&place.effect.successors);
            for (child, counters) in &place.effect.started {
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
        next
    }

    /// What the step writes to shared memory. Writers whose address is not known share one writer for each size.
    fn write(&mut self, chosen: &[Term], next: &mut State) {
        let mut shared: FxHashMap<(AccessKind, u32), Writer> = FxHashMap::default();
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(access) = self.access(thread, counter) else { continue };
            let Some(new) = access.new else { continue };
            let terms = &mut self.system.terms;
            let (address, value) = (self.frame.now.apply(terms, access.address), self.frame.now.apply(terms, new));
            let writer = Writer { kind: access.kind, bytes: access.bytes, condition, address, value };
            if terms.value(address).is_some() {
                writer.write(terms, &self.layout, next);
                continue;
            }
            let merged = match shared.remove(&(access.kind, access.bytes)) {
                None => writer,
                Some(others) => Writer {
                    condition: terms.or(others.condition, condition),
                    address: terms.choose(condition, address, others.address),
                    value: terms.choose(condition, value, others.value),
                    ..writer
                },
            };
            shared.insert((access.kind, access.bytes), merged);
        }
        let mut shared: Vec<_> = shared.into_iter().collect();
        shared.sort_unstable_by_key(|(key, _)| *key);
        for (_, writer) in shared {
            writer.write(&mut self.system.terms, &self.layout, next);
        }
        self.publish(chosen, next);
    }

    /// Moves the bytes of objects that become shared to shared memory.
    fn publish(&mut self, chosen: &[Term], next: &mut State) {
        for (thread, counter, condition) in self.taken(chosen) {
            let Some(place) = self.system.threads[thread].place(counter) else { continue };
            for Published { object, when, bytes } in place.effect.published.clone() {
                let spot = (AccessKind::Memory, object);
                let (Some(cells), Some(layout)) = (next.cells.get_mut(&spot), self.layout.cells.get(&spot)) else {
                    continue;
                };
                let terms = &mut self.system.terms;
                let when = self.frame.now.apply(terms, when);
                let when = terms.and(condition, when);
                for (cell, bytes) in cells.iter_mut().zip(bytes.chunks_exact(layout.grain as usize)) {
                    let value = whole(terms, bytes);
                    let value = self.frame.now.apply(terms, value);
                    *cell = terms.choose(when, value, *cell);
                }
            }
        }
    }
}

/// An access that reads: its thread and place, the condition that it is taken, and itself.
type Reader = (usize, u16, Term, Access);

/// A write to shared memory, under a condition.
struct Writer {
    kind: AccessKind,
    bytes: u32,
    condition: Term,
    address: Term,
    value: Term,
}

impl Writer {
    fn write(&self, terms: &mut Terms, layout: &Layout, next: &mut State) {
        let (object, offset) = split(terms, self.address);
        for candidate in layout.candidates(terms, self.address) {
            let spot = (self.kind, candidate);
            let (Some(cells), Some(layout)) = (next.cells.get_mut(&spot), layout.cells.get(&spot)) else { continue };
            let number = terms.constant(OBJECT_BITS, candidate.into());
            let same = terms.equal(object, number);
            let condition = terms.and(self.condition, same);
            let count = layout.touched(self.kind, self.bytes);
            let bits = index_bits(cells.len(), layout.grain);
            let index = terms.extract(offset, 0, bits);
            for (position, cell) in cells.iter_mut().enumerate() {
                for part in 0..count.min(position + 1) {
                    let start = terms.constant(bits, (position - part) as u128 * u128::from(layout.grain));
                    let here = terms.equal(index, start);
                    let here = terms.and(condition, here);
                    if terms.is_false(here) {
                        continue;
                    }
                    let width = terms.width(*cell);
                    let value = terms.extract(self.value, part as u32 * width, width);
                    *cell = terms.choose(here, value, *cell);
                }
            }
        }
    }
}
