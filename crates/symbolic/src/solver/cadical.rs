//! The solver that is built in: CaDiCaL, on bits.

use super::blast::Blaster;
use super::gates::{Clauses, FALSE, Literal, TRUE};
use super::{Answer, Solver, SolverError, Statistics};
use crate::limit::{Limit, Reached};
use crate::term::{Term, Terms};
use cadical_sys::{CaDiCal, Status, Terminator};

/// CaDiCaL, and how many clauses it was given.
struct Sat {
    solver: CaDiCal,
    clauses: u64,
}

impl Clauses for Sat {
    fn add(&mut self, clause: &[Literal]) {
        self.clauses += 1;
        for &literal in clause {
            self.solver.add(literal);
        }
        self.solver.add(0);
    }
}

/// The solver that needs nothing installed.
pub struct BuiltIn {
    blaster: Blaster<Sat>,
    limit: Limit,
    /// How many conflicts there may be before it gives up.
    effort: Option<i32>,
}

/// How the solver asks while it searches.
struct Asks(Limit);

impl Terminator for Asks {
    fn terminated(&mut self) -> bool {
        self.0.is_reached()
    }
}

impl std::fmt::Debug for BuiltIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuiltIn").field("statistics", &self.statistics()).finish()
    }
}

impl BuiltIn {
    /// A solver that was told nothing yet, and has no limit.
    pub fn new() -> Self {
        Self::with_limit(Limit::none())
    }

    /// A solver that was told nothing yet, and stops when the limit is reached.
    pub fn with_limit(limit: Limit) -> Self {
        let mut solver = CaDiCal::new();
        solver.connect_terminator(Asks(limit.clone()));
        // Bounded variable addition makes variables of its own, which would have the numbers of our next ones.
        solver.set("factor", 0);
        Self { blaster: Blaster::new(Sat { solver, clauses: 0 }), limit, effort: None }
    }

    /// The same; a question that takes more than so many conflicts stops it, too.
    pub(crate) fn with_effort(limit: Limit, conflicts: i32) -> Self {
        Self { effort: Some(conflicts), ..Self::with_limit(limit) }
    }
}

impl BuiltIn {
    fn literal(&mut self, terms: &Terms, condition: Term) -> Result<Literal, SolverError> {
        self.blaster.literal(terms, condition, &self.limit).map_err(|Reached| SolverError::Stopped)
    }
}

impl Default for BuiltIn {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver for BuiltIn {
    fn assert(&mut self, terms: &Terms, condition: Term) -> Result<(), SolverError> {
        let literal = self.literal(terms, condition)?;
        if literal != TRUE {
            self.blaster.gates.clauses.add(&[literal]);
        }
        Ok(())
    }

    fn check(&mut self, terms: &Terms, condition: Term) -> Result<Answer, SolverError> {
        let literal = self.literal(terms, condition)?;
        if literal == FALSE {
            return Ok(Answer::Unsatisfiable);
        }
        let solver = &mut self.blaster.gates.clauses.solver;
        solver.assume(literal);
        if let Some(conflicts) = self.effort {
            solver.limit("conflicts", conflicts);
        }
        match solver.solve() {
            Status::SATISFIABLE => Ok(Answer::Satisfiable),
            Status::UNSATISFIABLE => Ok(Answer::Unsatisfiable),
            Status::UNKNOWN => Err(SolverError::Stopped),
        }
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Result<u128, SolverError> {
        // What no clause mentions can have any value, and has zero. Asking must not add clauses: the model would go.
        let mut model = crate::model::Model::new(terms, |variable| match self.blaster.known(variable) {
            None => 0,
            Some(bits) => {
                let bits = bits.to_vec();
                let solver = &mut self.blaster.gates.clauses.solver;
                Blaster::<Sat>::read(&bits, |literal| (solver.val(literal.abs()) > 0) == (literal > 0))
            }
        });
        Ok(model.value(term))
    }

    fn statistics(&self) -> Statistics {
        let sat = &self.blaster.gates.clauses;
        let count = |name: &str| u64::try_from(sat.solver.get_statistic_value(name)).ok();
        Statistics {
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            clauses: Some(sat.clauses),
            variables: Some(self.blaster.gates.variables()),
        }
    }
}
