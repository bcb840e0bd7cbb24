//! [`std::sync`], as models see it.

mod arc;
pub mod atomic;
mod notify;

pub use arc::Arc;
pub use everyway::sync::{
    Barrier, Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard, WaitTimeoutResult, mpsc,
};
pub use notify::Notify;
pub use std::sync::{LockResult, TryLockResult};
