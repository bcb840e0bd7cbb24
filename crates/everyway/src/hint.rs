//! [`std::hint`], as models see it.

#[cfg(not(feature = "model"))]
pub use std::hint::spin_loop;
pub use std::hint::{assert_unchecked, black_box, unreachable_unchecked};

/// Tells that the caller spins: in a model, a thread that has only read since its last such hint waits until
/// something that it read changes. A loop with this hint in it is explored without any bound.
#[cfg(feature = "model")]
#[track_caller]
pub fn spin_loop() {
    let caller = std::panic::Location::caller();
    crate::model::with(|model| model.hint("spin_loop", caller)).unwrap_or_else(std::hint::spin_loop);
}
