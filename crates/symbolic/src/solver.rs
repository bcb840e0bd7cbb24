//! The decision whether a formula has a model: the trait, and the solvers behind it.
//!
//! - [`BuiltIn`]: bit-blasting (`blast`, over the gates of `gates`) into CaDiCaL;
//! - [`Process`]: a program on PATH that supports SMT-LIB 2;
//! - [`Script`]: the commands to either, written down as SMT-LIB 2.
//!
//! A solver is given conditions that always hold, and queried under further ones; conditions once given stay. It knows
//! nothing of programs.

mod blast;
mod cadical;
mod gates;
mod process;
mod script;

pub use cadical::BuiltIn;
pub use process::{Process, Program};
pub use script::Script;

use crate::term::{Term, Terms};

/// Whether there is a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is; [`Solver::value`] tells it.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
}

/// What a solver has done so far, where it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How often it had to go back.
    pub conflicts: Option<u64>,
    /// How often it guessed.
    pub decisions: Option<u64>,
    /// How many clauses it was given.
    pub clauses: Option<u64>,
    /// How many variables those have.
    pub variables: Option<u64>,
}

/// Why a solver gave no answer.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SolverError {
    /// It is not there, or cannot be run.
    #[error("`{program}` cannot be run: {reason}")]
    CannotRun {
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It said something that is no answer.
    #[error("`{program}` answers `{answer}`, which is neither `sat` nor `unsat`")]
    NoAnswer {
        /// The program.
        program: String,
        /// What it said.
        answer: String,
    },
    /// It was told to stop.
    #[error("the solver was stopped")]
    Stopped,
}

/// Something that decides whether conditions can hold together.
pub trait Solver {
    /// The condition holds from now on.
    ///
    /// # Errors
    /// If the solver cannot be told.
    fn assert(&mut self, terms: &Terms, condition: Term) -> Result<(), SolverError>;

    /// Whether all that was asserted can hold together with the condition.
    ///
    /// # Errors
    /// If there is no answer.
    fn check(&mut self, terms: &Terms, condition: Term) -> Result<Answer, SolverError>;

    /// What the term is in the model that was found last.
    ///
    /// # Errors
    /// If the solver cannot be asked.
    fn value(&mut self, terms: &Terms, term: Term) -> Result<u128, SolverError>;

    /// What it has done so far.
    fn statistics(&self) -> Statistics;
}
