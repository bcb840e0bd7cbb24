//! A whole check: from a program that can be run one step at a time to a report.
//!
//! A front end implements [`Subject`]: it creates executions of the program, says which of its assumptions turned out
//! wrong, and describes executions and failures. The caller is its [`Host`]: it is shown the progress of the check, and
//! saves each failing execution when it is found. [`check()`] does everything in between:
//!
//! - it explores, and starts over without an assumption that turned out wrong ([`Subject::Assumption`]), or under
//!   another memory model ([`ModelChoice`]);
//! - it has several workers explore together, if the strategy can be shared ([`Settings::jobs`]);
//! - it enforces the [`Limits`], cancellation among them;
//! - it hands its host the remaining work, from time to time and when it ends early, and continues from there
//!   ([`resume`]);
//! - it collects failures, and decides which of them are the same bug;
//! - it says what was left out, and decides the verdict.
//!
//! [`replay()`] runs a saved execution again, [`follow`] one that is known by its steps.
//!
//! Threads leave a process under their stable names ([`ThreadPath`](everyway_runtime::ThreadPath)), and are listed in
//! reports in the order of their birth in the execution that is shown.
//!
//! This crate knows no language, no arguments and no terminal, and prints nothing.

mod birth;
mod check;
mod collect;
mod conclude;
mod could_read;
mod effects;
mod expected;
mod explain;
mod findings;
mod found;
mod interleaving;
mod length;
mod memory_model;
mod passing;
mod pool;
mod portfolio;
mod profile;
mod replay;
mod retell;
mod script;
mod settings;
mod subject;
mod summary;
mod work;

pub use check::{check, report_on, resume, subtrees_of};
pub use effects::Done;
pub use everyway_explore::Limits;
pub use found::Found;
pub use memory_model::{Commuting, ModelChoice, Orderings, Reads, Rules};
pub use replay::{Followed, Replayed, follow, replay};
pub use settings::{AfterFailure, Contradiction, Profiling, Settings, Suitability, TooLong};
pub use subject::{Failure, Host, NoHost, SoFar, Subject};
pub use summary::{cannot_be_shared, note_one_worker};
