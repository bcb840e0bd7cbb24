//! Symbolic bounded model checking of programs with input: all schedules and all inputs, up to a number of steps.
//!
//! This is *TACAS 2008* (see `ARCHITECTURE.md` for the papers): a program becomes a formula that has a model for each
//! of its executions of `k` steps, and constraints on the scheduler exclude those that differ from another one only in
//! the order of independent steps.
//!
//! - [`build()`] turns a program into a transition [`system`];
//! - `unroll` makes a formula of it, step by step; `frame` is the state between two steps, `layout` divides memory into
//!   the cells that are part of it, `store` has their contents, `look` what threads find in large ones;
//! - `independence` has the guarded independence relation, `schedule` the constraints that follow from it;
//! - [`check()`] asks a [`solver`], in one of the ways of [`Asking`], and turns its model into an execution;
//! - [`Limit`] ends a search that takes too long;
//! - [`schedules()`] enumerates the schedules that a reduction leaves;
//! - [`term`] has the formulas.
//!
//! This crate knows neither exploration strategies nor how executions are run: its callers run what it finds.

mod build;
mod check;
mod counterexample;
mod enumerate;
mod frame;
mod independence;
mod layout;
mod limit;
mod look;
mod may_race;
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
