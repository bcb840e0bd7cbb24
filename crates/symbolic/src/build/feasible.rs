//! Which conditions over the inputs from before the first step can hold: ways that no input leads to are not followed,
//! so that loops whose rounds are bounded by an assumption come to an end.

use super::Builder;
use super::walk::Walk;
use crate::limit::Limit;
use crate::solver::{Answer, BuiltIn, Solver};
use crate::system::Unsupported;
use crate::term::Term;
use everyway_ir::BlockId;
use rustc_hash::FxHashMap;
use std::fmt;

/// A question that takes more than so many conflicts stays open.
const EFFORT: i32 = 2_000;

/// A solver that is asked about conditions, and what it has said.
pub(super) struct Feasible {
    solver: BuiltIn,
    known: FxHashMap<Term, bool>,
}

impl fmt::Debug for Feasible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feasible").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

impl Feasible {
    pub(super) fn new(limit: Limit) -> Self {
        Self { solver: BuiltIn::with_effort(limit, EFFORT), known: FxHashMap::default() }
    }
}

impl Builder<'_> {
    /// Whether a condition may hold, as far as can be told without much effort.
    fn may_hold(&mut self, condition: Term) -> Result<bool, Unsupported> {
        if let Some(bits) = self.terms.value(condition) {
            return Ok(bits == 1);
        }
        if let Some(&known) = self.feasible.known.get(&condition) {
            return Ok(known);
        }
        let may = !matches!(self.feasible.solver.check(&self.terms, condition), Ok(Answer::Unsatisfiable));
        self.go_on()?;
        self.feasible.known.insert(condition, may);
        Ok(may)
    }

    /// Those of the ways at the end of a block that some input leads to.
    pub(super) fn feasible_ways(
        &mut self,
        walk: &Walk,
        ways: Vec<(Term, BlockId)>,
    ) -> Result<Vec<(Term, BlockId)>, Unsupported> {
        let mut feasible = Vec::new();
        for (condition, to) in ways {
            let taken = self.terms.and(walk.guard, condition);
            if self.may_hold(taken)? {
                feasible.push((condition, to));
            }
        }
        if let [(condition, _)] = &mut feasible[..] {
            *condition = self.terms.bool(true);
        }
        Ok(feasible)
    }
}
