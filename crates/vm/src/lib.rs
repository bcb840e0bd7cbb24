//! The virtual machine of everyway: runs a program one visible step at a time, and undoes steps.
//!
//! [`Machine`] is the [`Execution`](everyway_runtime::Execution) of a program in the representation of `everyway-ir`. A
//! step is an operation that other threads can notice, and everything its thread does up to just before its next one.
//! Rewinding undoes: it costs what is undone, not what came before.
//!
//! - `lower` turns functions into a flat form (`code`), which `interpret` executes;
//! - `memory` holds objects with bounds, lifetimes and undefined bits, `access` decides which accesses others can
//!   notice, `objects` which threads can reach which objects;
//! - `races` detects accesses that nothing orders, `overdue` holds the accesses that it has not processed yet;
//! - `thread` and `sync` hold threads and the objects they synchronise by;
//! - `exception` has C++ exceptions, `unwind` their way to where they are caught;
//! - `inputs` chooses values for the program's inputs, `fixed` lists the questions to the environment that get only one
//!   of several possible answers;
//! - `told` lets steps read the values that they are told;
//! - `library` has the functions that programs expect of their environment, `script` their accesses to memory;
//! - `execution` is the engine's view of the machine, `describe` the user's; `leaks` finds memory left at the end,
//!   `undo` is the log for rewinding, `shorten` keeps it short;
//! - `sections` says which threads wait while one is in an atomic section;
//! - `subject` is the driver's view of a program.
//!
//! It knows no strategy, and no source language except through the functions that it models.

mod access;
mod arithmetic;
mod awaits;
mod calls;
mod cell;
mod code;
mod commuting;
mod describe;
mod exception;
mod execution;
mod failure;
mod fault;
mod fixed;
mod ids;
mod inputs;
mod interpret;
mod leaks;
mod library;
mod lower;
mod machine;
mod memory;
mod objects;
mod overdue;
mod races;
mod reclaim;
mod run;
mod scope;
mod script;
mod sections;
mod settings;
mod shorten;
mod spin;
mod spurious;
mod stalemate;
mod store;
mod subject;
mod sync;
mod thread;
mod told;
mod undo;
mod unwind;

pub use failure::{Failure, FailureDetails};
pub use inputs::{input_values, is_up_to_environment};
pub use library::environment;
pub use machine::Machine;
pub use run::{Ended, Ran};
pub use settings::{
    Allocation, Arrivals, CompilerBarrier, Environment, Grain, Leaks, Privacy, Settings, Unset, Volatile,
};
pub use subject::{Assumption, Program};
