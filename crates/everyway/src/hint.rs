//! [`std::hint`], as models see it.

#[cfg(not(feature = "model"))]
pub use std::hint::spin_loop;
pub use std::hint::{assert_unchecked, black_box, unreachable_unchecked};

/// Tells that the caller spins. In a model, a thread that would come round to the same hint again and again, having done
/// nothing but read, waits until it would find something else: such a loop is explored without any bound. One that does
/// something else in each round, such as counting them, is explored round by round
/// ([`Builder::max_rounds`](crate::Builder::max_rounds)).
#[cfg(feature = "model")]
#[track_caller]
pub fn spin_loop() {
    let caller = std::panic::Location::caller();
    if !crate::model::hint(everyway_runtime::Verb::SpinHint, caller) {
        std::hint::spin_loop();
    }
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
