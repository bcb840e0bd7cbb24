//! Symbolic bounded model checking of programs with input: all schedules and all inputs, up to a number of steps.
//!
//! This is *TACAS 2008* (see `ARCHITECTURE.md` for the papers): a program becomes a formula that has a model for each
//! of its executions of `k` steps, and constraints on the scheduler leave out those that differ from another one only
//! in the order of independent steps.
//!
//! - [`build()`] turns a program into a transition [`system`];
//! - `unroll` makes a formula of it, step by step; `frame` is the state between two steps, `layout` how memory is
//!   divided into the cells that are part of it, `store` what those hold, `look` what threads find in large ones;
//! - `independence` has the guarded independence relation, `schedule` the constraints that follow from it;
//! - [`check()`] asks a [`solver`], in one of the ways of [`Asking`], and turns its model into an execution;
//! - [`Limit`] ends what takes too long;
//! - [`schedules()`] enumerates what a reduction leaves;
//! - [`term`] has the formulas.
//!
//! It knows nothing of exploration strategies, nor how executions are run: what it finds is to be run again elsewhere.

mod build;
mod check;
mod counterexample;
mod enumerate;
mod frame;
mod independence;
mod layout;
mod limit;
mod look;
mod model;
mod schedule;
pub mod solver;
mod store;
pub mod system;
pub mod term;
mod unroll;

pub use build::{BuildError, Setup, build};
pub use check::{Asking, Checked, Deadlocks, Plan, Progress, Verdict, Wanted, check};
pub use counterexample::{Counterexample, Ending, InputValue, Script, TakenStep};
pub use enumerate::schedules;
pub use independence::Reduction;
pub use limit::Limit;
