//! [`std::sync`], as models see it.
//!
//! Memory orderings mean what they say ([`atomic`]). Locks acquire when they are taken, and release when they are
//! released; they order nothing else.

pub use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

#[cfg(not(feature = "model"))]
pub use std::sync::*;

#[cfg(feature = "model")]
mod arc;
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
pub use arc::{Arc, Weak};
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

/// Makes an [`Arc`] of something an `Arc` of a trait object or a slice, which the compiler does by itself only for std's.
///
/// ```
/// use everyway::sync::Arc;
/// use std::fmt::Display;
///
/// let shown: Arc<dyn Display> = everyway::unsize!(Arc::new(7) => dyn Display);
/// assert_eq!(shown.to_string(), "7");
/// let numbers: Arc<[u8]> = everyway::unsize!(Arc::new([1, 2]) => [u8]);
/// assert_eq!(numbers.len(), 2);
/// ```
#[macro_export]
macro_rules! unsize {
    ($arc:expr => $to:ty) => {{
        let arc = $crate::sync::into_std($arc);
        let arc: ::std::sync::Arc<$to> = arc;
        $crate::sync::from_std(arc)
    }};
}

/// The same `Arc`, of std's type.
#[doc(hidden)]
pub fn into_std<T: ?Sized>(arc: Arc<T>) -> std::sync::Arc<T> {
    #[cfg(feature = "model")]
    return Arc::into_std(arc);
    #[cfg(not(feature = "model"))]
    arc
}

/// The same `Arc`, of everyway's type.
#[doc(hidden)]
pub fn from_std<T: ?Sized>(arc: std::sync::Arc<T>) -> Arc<T> {
    #[cfg(feature = "model")]
    return Arc::from_std(arc);
    #[cfg(not(feature = "model"))]
    arc
}
