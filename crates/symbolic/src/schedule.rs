//! The scheduler's constraint SCH (Sect. 3.2), in the merged and the dependent-pair encodings of Sect. 4.
//!
//! If two steps that can both be taken are independent, they are not taken in the order that is against that of their
//! threads. For threads `i < j`, all pairs of places come together into one condition on the state - some step of `i`
//! and the step that `j` takes are independent - and the constraint is that then `j` is not followed by `i`:
//!
//! - a place that is independent of all places of the other thread needs no pair (merging), nor do two such places
//!   (encoding dependent transitions);
//! - the remaining ones, `transC` in the paper, are written out in pairs with their guards.

use crate::frame::{Frame, access};
use crate::independence::{Guard, Reduction, guard};
use crate::layout::Layout;
use crate::system::System;
use crate::term::Term;
use rustc_hash::FxHashMap;

/// A place of a thread.
type Site = (usize, u16);

/// The constraint on schedules.
#[derive(Debug)]
pub(crate) struct Schedule {
    reduction: Reduction,
    guards: FxHashMap<(Site, Site), Guard>,
    /// For threads `i < j`: that `j` moves now and a step of `i` is independent of that.
    pending: Vec<(usize, Term)>,
}

impl Schedule {
    pub(crate) fn new(reduction: Reduction) -> Self {
        Self { reduction, guards: FxHashMap::default(), pending: Vec::new() }
    }

    /// The constraint on this step and the one before it; remembers what there is to say about the next one.
    pub(crate) fn constrain(
        &mut self,
        system: &mut System,
        layout: &Layout,
        frame: &mut Frame,
        chosen: &[Term],
    ) -> Vec<Term> {
        let pending = std::mem::take(&mut self.pending);
        let mut constraints = Vec::new();
        for (thread, independent) in pending {
            let both = system.terms.and(independent, chosen[thread]);
            constraints.push(system.terms.not(both));
        }
        if self.reduction == Reduction::None {
            return constraints;
        }
        for (j, &moves) in chosen.iter().enumerate() {
            for i in 0..j {
                let independent = self.independent(system, layout, frame, i, j);
                let swapped = system.terms.and(moves, independent);
                if !system.terms.is_false(swapped) {
                    self.pending.push((i, swapped));
                }
            }
        }
        constraints
    }

    fn guard(&mut self, system: &mut System, layout: &Layout, one: Site, other: Site) -> Guard {
        if let Some(&known) = self.guards.get(&(one, other)) {
            return known;
        }
        let places = (system.threads[one.0].place(one.1).cloned(), system.threads[other.0].place(other.1).cloned());
        let found = match &places {
            (Some(a), Some(b)) => guard(&mut system.terms, layout, self.reduction, a, b),
            _ => Guard::Never,
        };
        self.guards.insert((one, other), found);
        found
    }

    /// That the next steps of threads `i` and `j` can both be taken, and are independent.
    fn independent(&mut self, system: &mut System, layout: &Layout, frame: &mut Frame, i: usize, j: usize) -> Term {
        let (of_i, of_j) = (frame.standing[i].clone(), frame.standing[j].clone());
        let mut free_of_i = Vec::new();
        let mut free_of_j: Vec<bool> = vec![true; of_j.len()];
        let mut rest = Vec::new();
        for one in &of_i {
            let mut is_free = true;
            for (index, other) in of_j.iter().enumerate() {
                let guard = self.guard(system, layout, (i, one.counter), (j, other.counter));
                if guard != Guard::Always {
                    is_free = false;
                    free_of_j[index] = false;
                }
            }
            if is_free {
                free_of_i.push(one.enabled);
            } else {
                rest.push(one);
            }
        }
        let mut conditions = vec![system.terms.any(free_of_i)];
        let free: Vec<Term> = of_j.iter().zip(&free_of_j).filter(|(_, free)| **free).map(|(one, _)| one.at).collect();
        let free = system.terms.any(free);
        conditions.push(system.terms.and(free, frame.enabled[i]));
        for one in rest {
            for (_, other) in of_j.iter().enumerate().filter(|(index, _)| !free_of_j[*index]) {
                let guard = self.guard(system, layout, (i, one.counter), (j, other.counter));
                let both = system.terms.and(one.enabled, other.enabled);
                match guard {
                    Guard::Never => {}
                    Guard::Always => conditions.push(both),
                    Guard::When(condition) => {
                        bind_needed(system, layout, frame, condition, [(i, one.counter), (j, other.counter)]);
                        let condition = frame.now.apply(&mut system.terms, condition);
                        conditions.push(system.terms.and(both, condition));
                    }
                }
            }
        }
        system.terms.any(conditions)
    }
}

/// Gives the values that a condition on two steps depends on.
fn bind_needed(system: &mut System, layout: &Layout, frame: &mut Frame, condition: Term, sites: [Site; 2]) {
    let support = system.terms.support(condition);
    for (thread, counter) in sites {
        for nth in 0.. {
            let key = (thread, counter, nth);
            let Some(access) = access(system, key) else { break };
            if support.contains(&access.old) {
                frame.bind_own(system, layout, key);
            }
        }
    }
}
