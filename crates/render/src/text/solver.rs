//! What is said of a solver that looked at all executions at once.

use super::numbers::{count, duration, thousands};
use super::wrap::clean;
use everyway_report::{Report, Solver};

/// The executions that it looked at.
pub(super) fn looked_at(solver: &Solver) -> String {
    format!("all executions of up to {}, with all inputs", count(solver.steps, "step"))
}

/// That none fails, and that there are no longer ones.
pub(super) fn verified(report: &Report) -> String {
    let steps = report.solver.map_or(0, |solver| solver.steps);
    format!("all executions, with all inputs, have at most {}, none fails", count(steps, "step"))
}

/// What it took, as far as it tells; each number after a comma.
pub(super) fn effort(solver: &Solver) -> String {
    let numbers = [(solver.conflicts, "conflicts"), (solver.decisions, "decisions"), (solver.clauses, "clauses")];
    let told = numbers.iter().filter_map(|(number, what)| number.map(|number| (number, what)));
    told.map(|(number, what)| format!(", {} {what}", thousands(number))).collect()
}

/// How deep the bug was found and what that took, in pieces between which a line may end.
pub(super) fn found(report: &Report, solver: &Solver) -> Vec<String> {
    let steps = thousands(solver.steps);
    vec![
        match solver.is_shortest {
            true => format!("found at depth {steps}, no failure below"),
            false => format!("found at depth {steps}, shorter ones were not looked for"),
        },
        format!("({}{}, strategy {})", duration(report.seconds), effort(solver), clean(&report.strategy)),
    ]
}
