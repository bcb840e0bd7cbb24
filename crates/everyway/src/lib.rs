//! everyway runs a concurrent test in every way its threads can interleave - once for each class of equivalent
//! executions - and either shows a failing execution that can be replayed, or reports that there is none.
//!
//! ```
//! use everyway::sync::{Arc, Mutex};
//! use everyway::thread;
//!
//! #[derive(Default)]
//! struct Account(Mutex<u64>);
//!
//! everyway::check(|| {
//!     let account = Arc::new(Account::default());
//!     let threads = [1, 2].map(|n| {
//!         let account = account.clone();
//!         thread::spawn(move || *account.0.lock().unwrap() += n)
//!     });
//!     for thread in threads {
//!         thread.join().unwrap();
//!     }
//!     assert_eq!(*account.0.lock().unwrap(), 3);
//! });
//! ```
//!
//! Use [`sync`], [`thread`], [`cell`] and [`hint`] in place of `std`'s in the code under test, and put [`check()`]
//! around the test. Inside a check, these types are under everyway's control; outside one they behave as std's, so
//! ordinary tests of the same code run in the same build. Without the feature `model`, which is on by default, they
//! *are* std's.
//!
//! # What is explored
//!
//! All interleavings, as long as every memory ordering is `SeqCst`. At the first weaker one the check starts over under
//! RC11, the repaired memory model of the language, in which a read is tried with every write that it may see;
//! [`Builder::memory_model`] selects another model. RC11 excludes *load buffering*: a write that is read by another
//! thread before the reads that precede it in its own. What is not modelled under weak models is explored under
//! sequential consistency only; the verdict is then incomplete, and says so.
//!
//! Every operation on something shared is a point where another thread may come in between. [`any_bool`], [`any`] and
//! [`choose`] are explored with all values. No time passes: a timeout is a choice. Apart from this, a test must be
//! deterministic: no clocks, no random numbers, no dependence on addresses or on the order of a `HashMap`. If it is
//! not, the check says so.
//!
//! Objects are identified by their place: in a static, on a thread's stack, or in an allocation. For the last,
//! everyway has a global allocator, which does nothing outside checks; [`alloc`] says what to do in a program that
//! has one of its own.
//!
//! # What is found
//!
//! Panics and failed assertions in any thread; deadlocks; threads that spin for ever; data races on
//! [`cell::UnsafeCell`] and [`cell::Cell`]; executions that do not end.

pub mod actor;
#[cfg(feature = "model")]
pub mod alloc;
pub mod cell;
pub mod future;
pub mod hint;
#[cfg(feature = "model")]
pub mod rand;
pub mod sync;
pub mod thread;

#[cfg(feature = "model")]
mod check;
#[cfg(feature = "model")]
mod model;
#[cfg(feature = "model")]
mod nondeterminism;
mod output;

pub use hint::await_until;

#[cfg(feature = "model")]
pub use check::{Algorithm, Builder, MemoryModel, Panics, check, conclude, explore, is_checked};
#[cfg(feature = "model")]
pub use everyway_explore::Order;
#[cfg(feature = "model")]
pub use everyway_macros::test;
#[cfg(feature = "model")]
pub use everyway_render as render;
#[cfg(feature = "model")]
pub use everyway_report as report;
#[cfg(feature = "model")]
pub use nondeterminism::{Any, any, any_bool, assume, choose};
#[doc(hidden)]
pub use output::is_shown;
// With the feature, it is everyway's, which is there by itself.
#[cfg(not(feature = "model"))]
pub use std::thread_local;

/// The examples of the book are run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/src/first-test-in-rust.md")]
struct Book;
