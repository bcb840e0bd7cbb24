//! Stack overflows of the running coroutine.
//!
//! The page below a coroutine's stack cannot be accessed, so an overflow is a segmentation fault (`crash`). The
//! standard library knows only the stacks of its own threads.

use std::cell::Cell;
use std::ops::Range;

thread_local! {
    /// The lowest addresses of the running coroutine's stack, guard page included; empty if none is running.
    static GUARD: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// How far below a stack an access is still taken for an overflow: a function's frame may skip the guard page.
const REACH: usize = 64 << 10;

/// At most so large is a page.
const LARGEST_PAGE: usize = 64 << 10;

/// The lowest addresses of a stack that starts at `limit`, guard page included.
pub(super) fn guard_of(limit: usize) -> (usize, usize) {
    (limit.saturating_sub(REACH), limit + page_size())
}

/// The stack of the coroutine that is about to run has this guard.
#[inline]
pub(super) fn enter(stack: (usize, usize)) {
    GUARD.with(|guard| guard.set(stack));
}

/// No coroutine is running any more.
#[inline]
pub(super) fn leave() {
    GUARD.with(|guard| guard.set((0, 0)));
}

pub(super) fn guard() -> Range<usize> {
    let (start, end) = GUARD.get();
    start..end
}

#[cfg(target_os = "linux")]
fn page_size() -> usize {
    static SIZE: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    // SAFETY: asks for a constant of the system.
    *SIZE
        .get_or_init(|| usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096).min(LARGEST_PAGE))
}

#[cfg(not(target_os = "linux"))]
fn page_size() -> usize {
    LARGEST_PAGE
}
