//! [`std::sync`], as models see it.
//!
//! **Every memory ordering is treated as `SeqCst`.** A program that is verified here may still fail with the
//! weaker orderings it really uses; one that fails here fails with any.

pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};

#[cfg(not(feature = "model"))]
pub use std::sync::*;

#[cfg(feature = "model")]
pub mod atomic;
#[cfg(feature = "model")]
mod mutex;

#[cfg(feature = "model")]
pub use mutex::{Mutex, MutexGuard};
