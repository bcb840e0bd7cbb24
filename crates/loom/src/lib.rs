//! loom's modules and names, with everyway behind them.
//!
//! ```toml
//! [target.'cfg(loom)'.dev-dependencies]
//! loom = { package = "everyway-loom", version = "0.1" }
//! ```
//!
//! runs existing loom tests as they are: `RUSTFLAGS="--cfg loom" cargo test --release`. The names and signatures are those of
//! loom 0.7; what they mean is everyway's:
//!
//! ```
//! use loom::sync::Arc;
//! use loom::sync::atomic::{AtomicUsize, Ordering};
//! use loom::thread;
//!
//! loom::model(|| {
//!     let counter = Arc::new(AtomicUsize::new(0));
//!     let threads: Vec<_> = (0..2)
//!         .map(|_| {
//!             let counter = counter.clone();
//!             thread::spawn(move || counter.fetch_add(1, Ordering::AcqRel))
//!         })
//!         .collect();
//!     for thread in threads {
//!         thread.join().unwrap();
//!     }
//!     assert_eq!(counter.load(Ordering::Relaxed), 2);
//! });
//! ```
//!
//! # What differs
//!
//! - A failure is shown as a table of its steps, with the command that runs it again. `LOOM_LOG`, `LOOM_LOCATION` and
//!   checkpoint files are not needed for that, and the latter are not written.
//! - Interleavings that make no difference are not explored, so numbers of executions are smaller; there is no limit on the
//!   number of threads, and a limit on steps that is never below 10,000.
//! - `SeqCst` is modelled for loads, stores and fences, not taken for `AcqRel`.
//! - [`explore`], [`stop_exploring`] and [`skip_branch`] do nothing: everything is explored.
//! - What loom leaves out is there: `Barrier`, `wait_timeout`, `recv_timeout`, scoped threads, `const` constructors; and
//!   the types work outside of models, as std's do, but for [`thread::spawn`] and [`lazy_static!`].
//!
//! `docs/src/from-loom.md` in everyway's repository is a guide.

pub mod alloc;
pub mod cell;
pub mod future;
pub mod hint;
pub mod lazy_static;
pub mod model;
pub mod sync;
pub mod thread;

#[doc(inline)]
pub use crate::model::model;
pub use everyway::thread_local;

/// The number of threads that loom allows, for tests that spawn as many as they may. Here there may be any number.
pub const MAX_THREADS: usize = 5;

/// Does nothing: everything is explored. In loom, exploration begins here if [`stop_exploring`] ended it.
pub fn explore() {}

/// Does nothing: everything is explored. In loom, what follows is run in one way only.
pub fn stop_exploring() {}

/// Does nothing: everything is explored. In loom, the rest of the execution is run in one way only.
pub fn skip_branch() {}
