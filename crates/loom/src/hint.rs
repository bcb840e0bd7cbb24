//! [`std::hint`], as models see it.

pub use everyway::hint::spin_loop;

/// Says that this place is never reached; unlike std's, it panics if it is.
///
/// # Safety
/// The place must not be reached: without loom, that is undefined behaviour.
///
/// # Panics
/// Always.
#[track_caller]
pub unsafe fn unreachable_unchecked() -> ! {
    unreachable!("unreachable_unchecked was reached")
}
