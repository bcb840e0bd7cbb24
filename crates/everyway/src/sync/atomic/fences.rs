//! Fences, and the old name of a hint.

use super::{Ordering, runtime_ordering};
use crate::model;
use std::panic::Location as Caller;

/// A fence.
///
/// # Panics
/// If the ordering is `Relaxed`.
#[track_caller]
pub fn fence(ordering: Ordering) {
    assert!(ordering != Ordering::Relaxed, "there is no such thing as a relaxed fence");
    let caller = Caller::caller();
    model::with(|model| model.fence(runtime_ordering(ordering), caller))
        .unwrap_or_else(|| std::sync::atomic::fence(ordering));
}

/// A fence for the compiler.
#[track_caller]
pub fn compiler_fence(ordering: Ordering) {
    assert!(ordering != Ordering::Relaxed, "there is no such thing as a relaxed fence");
    if model::with(|_| ()).is_none() {
        std::sync::atomic::compiler_fence(ordering);
    }
}

/// The same as [`spin_loop`](crate::hint::spin_loop), under its old name.
#[deprecated(note = "use hint::spin_loop instead")]
#[track_caller]
pub fn spin_loop_hint() {
    crate::hint::spin_loop();
}
