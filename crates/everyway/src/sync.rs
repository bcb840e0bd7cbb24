//! [`std::sync`], as models see it.
//!
//! Memory orderings mean what they say ([`atomic`]). Locks acquire when they are taken, and release when they are given
//! back; they order nothing else.

pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};

#[cfg(not(feature = "model"))]
pub use std::sync::*;

#[cfg(feature = "model")]
pub mod atomic;
#[cfg(feature = "model")]
pub(crate) mod barrier;
#[cfg(feature = "model")]
mod condvar;
#[cfg(feature = "model")]
mod lazy_lock;
#[cfg(feature = "model")]
pub mod mpsc;
#[cfg(feature = "model")]
mod mutex;
#[cfg(feature = "model")]
mod once;
#[cfg(feature = "model")]
mod once_lock;
#[cfg(feature = "model")]
mod rwlock;

#[cfg(feature = "model")]
pub use barrier::{Barrier, BarrierWaitResult};
#[cfg(feature = "model")]
pub use condvar::{Condvar, WaitTimeoutResult};
#[cfg(feature = "model")]
pub use lazy_lock::LazyLock;
#[cfg(feature = "model")]
pub use mutex::{Mutex, MutexGuard};
#[cfg(feature = "model")]
pub use once::{Once, OnceState};
#[cfg(feature = "model")]
pub use once_lock::OnceLock;
#[cfg(feature = "model")]
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
