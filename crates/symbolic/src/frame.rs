//! A time frame: the state after some steps, the place of each thread in it, and which threads can move.

use crate::layout::{Layout, Spot};
use crate::look::{Before, Looks};
use crate::store::Contents;
use crate::system::{
    Access, COUNTER_BITS, ENDED, EXITED, FIRST, OBJECT_BITS, OFFSET_BITS, Place, STUCK, STUCK_INSIDE, Section, Settles,
    Settling, System,
};
use crate::term::{Instantiation, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state after some steps: a term for everything that can change.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) values: FxHashMap<Term, Term>,
    pub(crate) contents: FxHashMap<Spot, Contents>,
    /// The program counters that each thread can have, in order.
    pub(crate) reach: Vec<Vec<u16>>,
}

impl State {
    /// The state in which the program starts.
    pub(crate) fn initial(system: &System, layout: &Layout) -> Self {
        let values: FxHashMap<Term, Term> =
            system.variables.iter().map(|variable| (variable.term, variable.initial)).collect();
        let contents = layout.cells.iter().map(|(&spot, cells)| (spot, Contents::initial(cells))).collect();
        let reach = system.threads.iter().map(|thread| counters(&system.terms, values[&thread.counter])).collect();
        Self { values, contents, reach }
    }

    /// That a thread has this program counter; never, if it cannot be.
    fn is_at(&self, system: &mut System, thread: usize, counter: u16) -> Term {
        if !self.reach[thread].contains(&counter) {
            return system.terms.bool(false);
        }
        let here = system.terms.constant(COUNTER_BITS, counter.into());
        system.terms.equal(self.values[&system.threads[thread].counter], here)
    }
}

/// The values that an initial program counter can have.
fn counters(terms: &Terms, counter: Term) -> Vec<u16> {
    let mut found = Vec::new();
    let mut work = vec![counter];
    while let Some(term) = work.pop() {
        match terms.node(term) {
            crate::term::Node::Const(bits) => found.push(bits as u16),
            crate::term::Node::Choose(_, then, otherwise) => work.extend([then, otherwise]),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A thread that may stand at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtPlace {
    pub(crate) counter: u16,
    /// That it does.
    pub(crate) at: Term,
    /// That it does, and can move.
    pub(crate) enabled: Term,
}

/// A state, and the threads that can move in it.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) state: State,
    /// The terms of the system in this state.
    pub(crate) now: Instantiation,
    /// By thread.
    pub(crate) standing: Vec<Vec<AtPlace>>,
    /// By thread: that it can move.
    pub(crate) enabled: Vec<Term>,
    /// The accesses whose `old` has its value in this state: thread, program counter, which of the place's.
    bound: FxHashSet<(usize, u16, usize)>,
    /// What threads find in objects that are kept as logs.
    pub(crate) looks: Looks,
    /// The step before, if there was one.
    pub(crate) before: Option<Before>,
}

impl Frame {
    pub(crate) fn new(system: &mut System, layout: &Layout, state: State, before: Option<Before>) -> Self {
        let mut now = Instantiation::default();
        for (&variable, &term) in &state.values {
            now.bind(variable, term);
        }
        let (standing, enabled) = (Vec::new(), Vec::new());
        let (bound, looks) = (FxHashSet::default(), Looks::default());
        let mut frame = Self { state, now, standing, enabled, bound, looks, before };
        for thread in 0..system.threads.len() {
            let mut standing = Vec::new();
            for counter in frame.state.reach[thread].clone() {
                if counter >= FIRST {
                    let at = frame.state.is_at(system, thread, counter);
                    standing.push(AtPlace { counter, at, enabled: at });
                }
            }
            frame.standing.push(standing);
        }
        let kept_out = frame.kept_out(system);
        for (thread, &out) in kept_out.iter().enumerate() {
            for index in 0..frame.standing[thread].len() {
                let AtPlace { counter, at, .. } = frame.standing[thread][index];
                let can = frame.can_move(system, layout, thread, counter);
                let not = system.terms.not(out);
                frame.standing[thread][index].enabled = system.terms.all([at, can, not]);
            }
            let enabled = system.terms.any(frame.standing[thread].iter().map(|standing| standing.enabled));
            frame.enabled.push(enabled);
        }
        frame
    }

    /// By thread: that another one is in an atomic section.
    fn kept_out(&self, system: &mut System) -> Vec<Term> {
        let mut inside = Vec::new();
        for (thread, standing) in self.standing.iter().enumerate() {
            let mut at = vec![self.state.is_at(system, thread, STUCK_INSIDE)];
            let section = |counter: u16| system.threads[thread].place(counter).map(|place| place.section);
            at.extend(standing.iter().filter(|it| section(it.counter) == Some(Section::Inside)).map(|it| it.at));
            inside.push(system.terms.any(at));
        }
        let others = |thread: usize| (0..inside.len()).filter(move |other| *other != thread);
        (0..inside.len()).map(|thread| system.terms.any(others(thread).map(|other| inside[other]))).collect()
    }

    /// When a thread that stands at a place can move, others apart.
    fn can_move(&mut self, system: &mut System, layout: &Layout, thread: usize, counter: u16) -> Term {
        let Some(place) = system.threads[thread].place(counter) else { return system.terms.bool(false) };
        let action = place.action.clone();
        let mut conditions = Vec::new();
        if let Some(Settles { handle, how: Settling::Join }) = action.settles {
            let handle = self.now.apply(&mut system.terms, handle);
            let mut ended = Vec::new();
            for other in 0..system.threads.len() {
                let number = system.terms.constant(system.terms.width(handle), other as u128 + 1);
                let (is_it, has_ended) = (system.terms.equal(handle, number), self.state.is_at(system, other, ENDED));
                ended.push(system.terms.and(is_it, has_ended));
            }
            conditions.push(system.terms.any(ended));
        }
        for (nth, access) in action.accesses.iter().enumerate() {
            if let Some(enabled) = access.enabled {
                self.bind_own(system, layout, (thread, counter, nth));
                conditions.push(self.now.apply(&mut system.terms, enabled));
            }
        }
        system.terms.all(conditions)
    }

    /// Gives the `old` of an access the value that the location has in this state. A thread stands at one place only,
    /// so that all its places with such an access share a reader, unless their addresses are known.
    pub(crate) fn bind_own(&mut self, system: &mut System, layout: &Layout, key: (usize, u16, usize)) {
        let (thread, counter, nth) = key;
        let Some(access) = access(system, key).filter(|_| !self.bound.contains(&key)) else { return };
        let address = self.now.apply(&mut system.terms, access.address);
        let mut address_of_all = address;
        let mut sharing = vec![(counter, access.clone())];
        if system.terms.value(address).is_none() {
            let objects = layout.candidates(&mut system.terms, address);
            if self.look(system, layout, &objects, nth) && self.bound.contains(&key) {
                return;
            }
            for AtPlace { counter: other, at, .. } in self.standing[thread].clone() {
                let key = (thread, other, nth);
                let Some(alike) = access_like(system, &access, key) else { continue };
                if other == counter || self.bound.contains(&key) {
                    continue;
                }
                let address = self.now.apply(&mut system.terms, alike.address);
                let is_known = system.terms.value(address).is_some();
                if !is_known && layout.candidates(&mut system.terms, address) == objects {
                    address_of_all = system.terms.choose(at, address, address_of_all);
                    sharing.push((other, alike));
                }
            }
        }
        let value = self.read(system, layout, &access, address_of_all);
        for (counter, access) in sharing {
            self.bind_value((thread, counter, nth), &access, value);
        }
    }

    /// Gives the `old` of an access a value that it has if the step is taken.
    pub(crate) fn bind_value(&mut self, key: (usize, u16, usize), access: &Access, value: Term) {
        if self.bound.insert(key) {
            self.now.bind(access.old, value);
        }
    }

    pub(crate) fn is_bound(&self, key: (usize, u16, usize)) -> bool {
        self.bound.contains(&key)
    }

    /// What is at an address, for an access that is valid.
    pub(crate) fn read(&self, system: &mut System, layout: &Layout, access: &Access, address: Term) -> Term {
        let terms = &mut system.terms;
        let (object, offset) = split(terms, address);
        let mut result: Option<Term> = None;
        for candidate in layout.candidates(terms, address) {
            let spot = (access.kind, candidate);
            let known = (self.state.contents.get(&spot), layout.cells.get(&spot));
            let (Some(contents), Some(layout)) = known else { continue };
            let value = contents.read(terms, layout, offset, layout.touched(access.kind, access.bytes));
            let number = terms.constant(OBJECT_BITS, candidate.into());
            let same = terms.equal(object, number);
            result = Some(result.map_or(value, |result| terms.choose(same, value, result)));
        }
        let width = terms.width(access.old);
        result.unwrap_or_else(|| terms.constant(width, 0))
    }

    /// That no thread can move, and some thread should. One that waits for a value assumes that it will come.
    pub(crate) fn deadlock(&self, system: &mut System) -> Term {
        let moves = system.terms.any(self.enabled.iter().copied());
        let still = system.terms.not(moves);
        let waits = system.terms.any(self.standing.iter().flatten().map(|standing| standing.at));
        let mut excused = Vec::new();
        for thread in 0..system.threads.len() {
            excused.extend([STUCK, STUCK_INSIDE, EXITED].map(|counter| self.state.is_at(system, thread, counter)));
        }
        for (thread, standing) in self.standing.iter().enumerate() {
            let waits = |counter: u16| system.threads[thread].place(counter).is_some_and(Place::waits_for_value);
            excused.extend(standing.iter().filter(|it| waits(it.counter)).map(|it| it.at));
        }
        let excused = system.terms.any(excused);
        let not = system.terms.not(excused);
        system.terms.all([still, waits, not])
    }
}

/// An access, by thread, program counter and which of the place's it is.
pub(crate) fn access(system: &System, (thread, counter, nth): (usize, u16, usize)) -> Option<Access> {
    system.threads[thread].place(counter)?.action.accesses.get(nth).cloned()
}

/// An access, if it is of the same kind and size as another one.
fn access_like(system: &System, like: &Access, key: (usize, u16, usize)) -> Option<Access> {
    access(system, key).filter(|access| access.kind == like.kind && access.bytes == like.bytes)
}

/// The object and the offset of an address.
pub(crate) fn split(terms: &mut Terms, address: Term) -> (Term, Term) {
    (terms.extract(address, OFFSET_BITS, OBJECT_BITS), terms.extract(address, 0, OFFSET_BITS))
}
