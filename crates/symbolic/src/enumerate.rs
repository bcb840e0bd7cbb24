//! All schedules that a reduction leaves, one by one: what a solver searches at once.

use crate::check::Deadlocks;
use crate::independence::Reduction;
use crate::limit::{Limit, Reached};
use crate::solver::{Answer, Solver, SolverError};
use crate::system::System;
use crate::term::Term;
use crate::unroll::{Ends, Unrolling};

/// The schedules of all executions that come to an end within `depth` steps, as the threads that move. Programs with
/// input have one for each schedule, whatever the input is.
///
/// # Errors
/// If the solver gives no answer.
pub fn schedules(
    system: System,
    reduction: Reduction,
    depth: usize,
    solver: &mut dyn Solver,
) -> Result<Vec<Vec<usize>>, SolverError> {
    let mut unrolling = Unrolling::new(system, reduction, Ends::AreLeftOut, Deadlocks::Fail);
    let mut found = Vec::new();
    for steps in 0..=depth {
        let moves = unrolling.can_move();
        let ends = unrolling.system.terms.not(moves);
        while solver.check(&unrolling.system.terms, ends)? == Answer::Satisfiable {
            let selected: Vec<Term> = unrolling.steps.iter().map(|step| step.selected).collect();
            let mut schedule = Vec::new();
            for &thread in &selected {
                schedule.push(solver.value(&unrolling.system.terms, thread)? as usize);
            }
            let terms = &mut unrolling.system.terms;
            let mut same = Vec::new();
            for (&term, &thread) in selected.iter().zip(&schedule) {
                let number = terms.constant(terms.width(term), thread as u128);
                same.push(terms.equal(term, number));
            }
            let again = terms.all(same);
            let another = terms.not(again);
            solver.assert(&unrolling.system.terms, another)?;
            found.push(schedule);
        }
        if steps < depth {
            unrolling.step(&Limit::none()).map_err(|Reached| SolverError::Stopped)?;
            for constraint in std::mem::take(&mut unrolling.constraints) {
                solver.assert(&unrolling.system.terms, constraint)?;
            }
        }
    }
    Ok(found)
}
