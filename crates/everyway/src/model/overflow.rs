//! A stack that overflows: named, before the process ends.
//!
//! The page below a coroutine's stack cannot be accessed, so an overflow is a segmentation fault. The standard
//! library knows only the stacks of its own threads and would say nothing; this handler comes first, and says
//! what to do. It runs on the alternate stack that the standard library gives every thread.

use std::cell::Cell;
use std::ops::Range;

thread_local! {
    /// The lowest addresses of the running coroutine's stack, guard page included; empty if none is running.
    static GUARD: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// How far below a stack an access is still taken for an overflow: a function's frame may skip the guard page.
const REACH: usize = 64 << 10;

/// The running coroutine's stack has its lowest address at `limit`. Returns what to say when it is left.
pub(super) fn enter(limit: usize) -> (usize, usize) {
    GUARD.with(|guard| guard.replace((limit.saturating_sub(REACH), limit + guard_size())))
}

/// Goes back to what [`enter`] returned.
pub(super) fn leave(outer: (usize, usize)) {
    GUARD.with(|guard| guard.set(outer));
}

fn guard() -> Range<usize> {
    let (start, end) = GUARD.get();
    start..end
}

#[cfg(target_os = "linux")]
use linux::guard_size;
#[cfg(target_os = "linux")]
pub(super) use linux::install;

#[cfg(target_os = "linux")]
mod linux {
    use super::guard;
    use std::mem::MaybeUninit;
    use std::sync::OnceLock;

    /// Who handled segmentation faults before.
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

    const MESSAGE: &[u8] = b"\neveryway: a thread of the test has overflowed its stack\n\
        tip: give threads more with everyway::Builder::stack_size\n";

    pub(super) fn guard_size() -> usize {
        static SIZE: OnceLock<usize> = OnceLock::new();
        // SAFETY: asks for a constant of the system.
        *SIZE.get_or_init(|| usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096))
    }

    /// Puts the handler in place, once.
    pub(in crate::model) fn install() {
        PREVIOUS.get_or_init(|| {
            let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
            // SAFETY: `sigaction` is plain data for which zeros are valid; the handler only does what a
            // handler may do.
            unsafe {
                let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
                action.sa_sigaction = handle as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigaction(libc::SIGSEGV, &raw const action, previous.as_mut_ptr());
                previous.assume_init()
            }
        });
    }

    extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes what is known of the fault.
        let address = unsafe { (*info).si_addr() }.addr();
        if guard().contains(&address) {
            // SAFETY: both may be called from a handler.
            unsafe {
                libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len());
                libc::abort();
            }
        }
        // Not ours: the access is made again when this returns, and whoever was there before handles it.
        if let Some(previous) = PREVIOUS.get() {
            // SAFETY: puts back what the system gave us.
            unsafe { libc::sigaction(signal, previous, std::ptr::null_mut()) };
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn install() {}

#[cfg(not(target_os = "linux"))]
fn guard_size() -> usize {
    0
}
