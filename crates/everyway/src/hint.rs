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
    crate::model::with(|model| model.hint(everyway_runtime::Verb::SpinHint, caller))
        .unwrap_or_else(std::hint::spin_loop);
}

/// Spins until `condition` holds. In a model, a condition that only reads is looked at again when something that
/// it read has changed; if nothing ever does, that is reported.
///
/// ```
/// use everyway::hint::await_until;
/// use everyway::sync::Arc;
/// use everyway::sync::atomic::{AtomicBool, Ordering};
///
/// everyway::check(|| {
///     let ready = Arc::new(AtomicBool::new(false));
///     let other = ready.clone();
///     everyway::thread::spawn(move || other.store(true, Ordering::Release));
///     await_until(|| ready.load(Ordering::Acquire));
/// });
/// ```
#[track_caller]
pub fn await_until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        spin_loop();
    }
}
