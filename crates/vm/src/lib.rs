//! The virtual machine of everyway: runs a program one visible step at a time, and takes steps back.
//!
//! [`Machine`] is the [`Execution`](everyway_runtime::Execution) of a program in the representation of
//! `everyway-ir`. A step is an operation that other threads can notice, and everything its thread does up to
//! just before its next one. Going back undoes: it costs what is undone, not what came before.
//!
//! - `lower` turns functions into a flat form (`code`), which `interpret` executes;
//! - `memory` holds objects with bounds, lives and undefined bits, `access` decides which accesses others can
//!   notice, `publish` who can reach what;
//! - `races` tells which accesses nothing orders, `overdue` what it has not heard of yet;
//! - `thread` and `sync` hold threads and what they synchronise by;
//! - `exception` has C++ exceptions, `unwind` their way to where they are caught;
//! - `inputs` chooses values for what the program asks of its environment, and `fixed` is what the environment answers in one way only;
//! - `told` lets steps read what they are told;
//! - `library` has the functions that programs expect of their environment, `script` how they access memory;
//! - `execution` is what the engine sees, `leaks` what is left in the end, `undo` what going back needs, `shorten` what it does not, `describe` what people see;
//! - `subject` is a program as a check sees it.
//!
//! It knows no strategy, and no source language but through the functions it models.

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
pub use settings::{Allocation, Arrivals, CompilerBarrier, Environment, Grain, Leaks, Privacy, Settings, Volatile};
pub use subject::{Assumption, Program};
