//! Ctrl-C and SIGTERM while checks run: the checks end, report what was found so far, and save the remaining work. Then
//! the process ends, as it would have without everyway.
//!
//! Tests run side by side: the signal ends all their checks, and the last of them ends the process. A second signal
//! ends it at once. If the program handles these signals itself, its handlers are left alone.

use everyway_render::{terminal, text};
use everyway_report::{Report, Verdict};
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Whether checks are to end.
static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// How many checks run that heed the flag.
static RUNNING: Mutex<usize> = Mutex::new(0);

/// A check that ends with a signal.
pub(super) struct Interruptible(());

impl Interruptible {
    /// Has a signal end the check that begins: it is to look at the flag.
    pub(super) fn new() -> (Self, Arc<AtomicBool>) {
        let stop = Arc::clone(&STOP);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if stop.load(Ordering::Relaxed) {
            // The process is about to end.
            drop(running);
            signals::wait_for_end();
        }
        if *running == 0 {
            signals::install();
        }
        *running += 1;
        (Self(()), stop)
    }

    /// The check has ended with this report. Returns unless a signal has come.
    pub(super) fn ended(self, report: &Report) {
        if STOP.load(Ordering::Relaxed) && report.verdict != Verdict::Verified {
            let page = text::render(report, terminal::style(stderr().is_terminal()));
            // Not by `eprint`, which test runners keep to themselves.
            let _ = writeln!(stderr().lock(), "{page}");
        }
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        *running -= 1;
        let is_last = *running == 0;
        if is_last {
            signals::restore();
        }
        drop(running);
        if STOP.load(Ordering::Relaxed) {
            if is_last {
                signals::end();
            }
            signals::wait_for_end();
        }
    }
}

#[cfg(unix)]
mod signals {
    use super::STOP;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;

    const SIGNALS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGTERM];

    /// The flag, for the handler; it is never freed.
    static FLAG: AtomicPtr<AtomicBool> = AtomicPtr::new(ptr::null_mut());
    /// The signal that came.
    static CAME: AtomicI32 = AtomicI32::new(0);
    /// The signals that are handled here at present.
    static HANDLED: Mutex<Vec<libc::c_int>> = Mutex::new(Vec::new());

    extern "C" fn handle(signal: libc::c_int) {
        CAME.store(signal, Ordering::Relaxed);
        // SAFETY: it is null, or a flag that is never freed.
        let is_first =
            unsafe { FLAG.load(Ordering::Relaxed).as_ref() }.is_some_and(|flag| !flag.swap(true, Ordering::Relaxed));
        if !is_first {
            reset(signal);
            // SAFETY: it may be called in a handler; the signal comes when this returns.
            unsafe { libc::raise(signal) };
        }
    }

    /// What the system does by itself.
    fn reset(signal: libc::c_int) {
        // SAFETY: it may be called in a handler, and changes nothing else.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }

    pub(super) fn install() {
        if FLAG.load(Ordering::Relaxed).is_null() {
            FLAG.store(Arc::into_raw(Arc::clone(&STOP)).cast_mut(), Ordering::Relaxed);
        }
        let mut handled = HANDLED.lock().unwrap_or_else(PoisonError::into_inner);
        for signal in SIGNALS {
            let mut before = MaybeUninit::<libc::sigaction>::zeroed();
            // SAFETY: null asks for what there is; all zeroes is one, too.
            let before = unsafe {
                libc::sigaction(signal, ptr::null(), before.as_mut_ptr());
                before.assume_init()
            };
            if before.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            // SAFETY: a handler that does what handlers may do, and flags and a mask that are empty but for this.
            unsafe {
                let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
                action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
                action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
                libc::sigemptyset(&raw mut action.sa_mask);
                libc::sigaction(signal, &raw const action, ptr::null_mut());
            }
            handled.push(signal);
        }
    }

    pub(super) fn restore() {
        HANDLED.lock().unwrap_or_else(PoisonError::into_inner).drain(..).for_each(reset);
    }

    /// Ends the process as the signal would have.
    pub(super) fn end() {
        // SAFETY: it is handled here no longer.
        unsafe { libc::raise(CAME.load(Ordering::Relaxed)) };
    }

    /// Another thread ends the process.
    pub(super) fn wait_for_end() -> ! {
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
}

/// There are no signals to be handled.
#[cfg(not(unix))]
mod signals {
    pub(super) fn install() {}

    pub(super) fn restore() {}

    pub(super) fn end() {}

    pub(super) fn wait_for_end() {}
}
