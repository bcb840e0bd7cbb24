//! [`std::thread`], as models see it.
//!
//! No time passes in a model: [`sleep`] is a hint that the thread has nothing to do, like [`yield_now`], and a
//! timeout is a choice that is explored like any other.

#[cfg(not(feature = "model"))]
pub use std::thread::*;

#[cfg(not(feature = "model"))]
pub use std::thread_local;

#[cfg(feature = "model")]
mod handle;
#[cfg(feature = "model")]
pub(crate) mod local;
#[cfg(feature = "model")]
mod park;
#[cfg(feature = "model")]
mod scoped;
#[cfg(feature = "model")]
mod spawn;

#[cfg(feature = "model")]
pub use crate::thread_local;
#[cfg(feature = "model")]
pub use handle::{Thread, ThreadId, current};
#[cfg(feature = "model")]
pub use local::{AccessError, LocalKey};
#[cfg(feature = "model")]
#[expect(deprecated, reason = "std has it")]
pub use park::park_timeout_ms;
#[cfg(feature = "model")]
pub use park::{park, park_timeout};
#[cfg(feature = "model")]
pub use scoped::{Scope, ScopedJoinHandle, scope};
#[cfg(feature = "model")]
pub use spawn::{Builder, JoinHandle, spawn};
#[cfg(feature = "model")]
pub use std::thread::{Result, available_parallelism, panicking};

#[cfg(feature = "model")]
mod hints {
    use crate::model;
    use std::panic::Location;
    use std::time::Duration;

    /// Lets other threads go first. In a model, this is a hint that the thread may be in a loop; see
    /// [`hint::spin_loop`](crate::hint::spin_loop).
    #[track_caller]
    pub fn yield_now() {
        let caller = Location::caller();
        if !model::hint(everyway_runtime::Verb::Yield, caller) {
            std::thread::yield_now();
        }
    }

    /// Sleeps; in a model, where no time passes, the same as [`yield_now`].
    #[track_caller]
    pub fn sleep(duration: Duration) {
        let caller = Location::caller();
        if !model::hint(everyway_runtime::Verb::Sleep, caller) {
            std::thread::sleep(duration);
        }
    }

    /// [`sleep`], for so many milliseconds.
    #[deprecated(note = "as in std: use `sleep`")]
    #[track_caller]
    pub fn sleep_ms(milliseconds: u32) {
        sleep(Duration::from_millis(milliseconds.into()));
    }
}

#[cfg(feature = "model")]
#[expect(deprecated, reason = "std has it")]
pub use hints::sleep_ms;
#[cfg(feature = "model")]
pub use hints::{sleep, yield_now};
