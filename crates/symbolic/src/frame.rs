//! A time frame: the state after some steps, who stands where in it, and who can move.

use crate::layout::{Layout, Spot};
use crate::system::{Access, Action, COUNTER_BITS, ENDED, FIRST, OBJECT_BITS, OFFSET_BITS, STUCK, System};
use crate::term::{Instantiation, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state after some steps: a term for everything that can change.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) values: FxHashMap<Term, Term>,
    pub(crate) cells: FxHashMap<Spot, Vec<Term>>,
    /// The program counters that each thread can have, in order.
    pub(crate) reach: Vec<Vec<u16>>,
}

impl State {
    /// The state in which the program starts.
    pub(crate) fn initial(system: &System, layout: &Layout) -> Self {
        let values: FxHashMap<Term, Term> =
            system.variables.iter().map(|variable| (variable.term, variable.initial)).collect();
        let cells = layout.cells.iter().map(|(&spot, cells)| (spot, cells.initial.clone())).collect();
        let reach = system.threads.iter().map(|thread| counters(&system.terms, values[&thread.counter])).collect();
        Self { values, cells, reach }
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
pub(crate) struct Standing {
    pub(crate) counter: u16,
    /// That it does.
    pub(crate) at: Term,
    /// That it does, and can move.
    pub(crate) enabled: Term,
}

/// A state, and who can move in it.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) state: State,
    /// The terms of the system in this state.
    pub(crate) now: Instantiation,
    /// By thread.
    pub(crate) standing: Vec<Vec<Standing>>,
    /// By thread: that it can move.
    pub(crate) enabled: Vec<Term>,
    /// The places whose `old` has its value in this state.
    bound: FxHashSet<(usize, u16)>,
}

impl Frame {
    pub(crate) fn new(system: &mut System, layout: &Layout, state: State) -> Self {
        let mut now = Instantiation::default();
        for (&variable, &term) in &state.values {
            now.bind(variable, term);
        }
        let mut frame = Self { state, now, standing: Vec::new(), enabled: Vec::new(), bound: FxHashSet::default() };
        for thread in 0..system.threads.len() {
            let counter = frame.state.values[&system.threads[thread].counter];
            let mut standing = Vec::new();
            for number in frame.state.reach[thread].clone() {
                if number < FIRST {
                    continue;
                }
                let here = system.terms.constant(COUNTER_BITS, number.into());
                let at = system.terms.equal(counter, here);
                let can = frame.can_move(system, layout, thread, number);
                let enabled = system.terms.and(at, can);
                standing.push(Standing { counter: number, at, enabled });
            }
            let enabled = system.terms.any(standing.iter().map(|standing| standing.enabled));
            frame.standing.push(standing);
            frame.enabled.push(enabled);
        }
        frame
    }

    /// When a thread that stands at a place can move.
    fn can_move(&mut self, system: &mut System, layout: &Layout, thread: usize, counter: u16) -> Term {
        let Some(place) = system.threads[thread].place(counter) else { return system.terms.bool(false) };
        match place.action.clone() {
            Action::Nothing | Action::Input(_) => system.terms.bool(true),
            Action::Join { handle } => {
                let handle = self.now.apply(&mut system.terms, handle);
                let mut ended = Vec::new();
                for other in 0..system.threads.len() {
                    let counter = self.state.values[&system.threads[other].counter];
                    let number = system.terms.constant(system.terms.width(handle), other as u128 + 1);
                    let end = system.terms.constant(COUNTER_BITS, ENDED.into());
                    let (is_it, has_ended) = (system.terms.equal(handle, number), system.terms.equal(counter, end));
                    ended.push(system.terms.and(is_it, has_ended));
                }
                system.terms.any(ended)
            }
            Action::Access(access) => match access.enabled {
                None => system.terms.bool(true),
                Some(enabled) => {
                    self.bind_own(system, layout, thread, counter, &access);
                    self.now.apply(&mut system.terms, enabled)
                }
            },
        }
    }

    /// Gives the `old` of a place the value that the location has in this state.
    pub(crate) fn bind_own(
        &mut self,
        system: &mut System,
        layout: &Layout,
        thread: usize,
        counter: u16,
        access: &Access,
    ) {
        if self.bound.insert((thread, counter)) {
            let address = self.now.apply(&mut system.terms, access.address);
            let value = self.read(system, layout, access, address);
            self.now.bind(access.old, value);
        }
    }

    /// Gives the `old` of a place a value that it has if the step is taken.
    pub(crate) fn bind_if_taken(&mut self, thread: usize, counter: u16, access: &Access, value: Term) {
        if self.bound.insert((thread, counter)) {
            self.now.bind(access.old, value);
        }
    }

    pub(crate) fn is_bound(&self, thread: usize, counter: u16) -> bool {
        self.bound.contains(&(thread, counter))
    }

    /// What is at an address, for an access that is valid.
    pub(crate) fn read(&self, system: &mut System, layout: &Layout, access: &Access, address: Term) -> Term {
        let terms = &mut system.terms;
        let (object, offset) = split(terms, address);
        let mut result: Option<Term> = None;
        for candidate in layout.candidates(terms, address) {
            let spot = (access.kind, candidate);
            let (Some(cells), Some(layout)) = (self.state.cells.get(&spot), layout.cells.get(&spot)) else { continue };
            let count = layout.touched(access.kind, access.bytes);
            let value = read_cells(terms, cells, layout.grain, offset, count);
            let number = terms.constant(OBJECT_BITS, candidate.into());
            let same = terms.equal(object, number);
            result = Some(result.map_or(value, |result| terms.choose(same, value, result)));
        }
        let width = terms.width(access.old);
        result.unwrap_or_else(|| terms.constant(width, 0))
    }

    /// That no thread can move, and some thread should.
    pub(crate) fn deadlock(&self, system: &mut System) -> Term {
        let terms = &mut system.terms;
        let moves = terms.any(self.enabled.iter().copied());
        let still = terms.not(moves);
        let waits = terms.any(self.standing.iter().flatten().map(|standing| standing.at));
        let mut result = terms.and(still, waits);
        for (thread, reach) in system.threads.iter().zip(&self.state.reach) {
            if reach.contains(&STUCK) {
                let stuck = terms.constant(COUNTER_BITS, STUCK.into());
                let is_stuck = terms.equal(self.state.values[&thread.counter], stuck);
                let goes = terms.not(is_stuck);
                result = terms.and(result, goes);
            }
        }
        result
    }
}

/// The object and the offset of an address.
pub(crate) fn split(terms: &mut Terms, address: Term) -> (Term, Term) {
    (terms.extract(address, OFFSET_BITS, OBJECT_BITS), terms.extract(address, 0, OFFSET_BITS))
}

/// So many bits of an offset tell the cells of an object apart.
pub(crate) fn index_bits(cells: usize, grain: u32) -> u32 {
    let bytes = cells as u64 * u64::from(grain);
    (u64::BITS - bytes.leading_zeros()).clamp(1, OFFSET_BITS)
}

fn read_cells(terms: &mut Terms, cells: &[Term], grain: u32, offset: Term, count: usize) -> Term {
    let whole = |terms: &mut Terms, start: usize| -> Option<Term> {
        let mut parts = cells.get(start..start + count)?.iter().rev().copied();
        let first = parts.next()?;
        Some(parts.fold(first, |high, low| terms.concat(high, low)))
    };
    if let Some(offset) = terms.value(offset) {
        let found = whole(terms, (offset / u128::from(grain)) as usize);
        return found.unwrap_or_else(|| {
            let width = cells.first().map_or(8, |&cell| terms.width(cell)) * count as u32;
            terms.constant(width, 0)
        });
    }
    let bits = index_bits(cells.len(), grain);
    let index = terms.extract(offset, 0, bits);
    let mut result: Option<Term> = None;
    for start in 0..cells.len() {
        let Some(value) = whole(terms, start) else { break };
        let number = terms.constant(bits, start as u128 * u128::from(grain));
        let here = terms.equal(index, number);
        result = Some(result.map_or(value, |result| terms.choose(here, value, result)));
    }
    result.unwrap_or_else(|| terms.constant(8, 0))
}
