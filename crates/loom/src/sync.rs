//! [`std::sync`], as models see it.

pub mod atomic;
mod notify;

pub use everyway::sync::{
    Arc, Barrier, Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard, WaitTimeoutResult, mpsc,
};
pub use notify::Notify;
pub use std::sync::{LockResult, TryLockResult};
