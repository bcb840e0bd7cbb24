//! Signals that end the process: the execution that led to them is reported first.
//!
//! Code of the test that follows a null pointer, or aborts, ends the whole process, and no report is ever made. So the
//! signal handler shows and saves the execution up to there. That is more than a handler may do in general; but when a
//! fault occurs in a thread of a model, the test's own code is running, not everyway's, and the process is lost anyway.
//! An alarm ends a handler that does not finish.

use super::program::Program;
use std::cell::Cell;
use std::ptr;

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crash {
    NullPointer,
    InvalidPointer,
    StackOverflow,
    Abort,
    IllegalInstruction,
    Arithmetic,
    Exit,
    /// Nothing, for too long.
    Hang,
}

/// Says what led to a crash.
pub(crate) type LastWords<'a> = &'a dyn Fn(&Program<'_>, Crash);

thread_local! {
    /// The program whose code is running on this thread of the operating system.
    static PROGRAM: Cell<*const Program<'static>> = const { Cell::new(ptr::null()) };
    /// Who speaks for it.
    static LAST_WORDS: Cell<Option<LastWords<'static>>> = const { Cell::new(None) };
}

/// Calls `f`, for whose programs `words` speaks.
pub(crate) fn with_last_words<R>(words: LastWords<'_>, f: impl FnOnce() -> R) -> R {
    struct Reset(Option<LastWords<'static>>);
    impl Drop for Reset {
        fn drop(&mut self) {
            LAST_WORDS.with(|words| words.set(self.0));
        }
    }
    install();
    // SAFETY: only the lifetime is changed; it is taken back before this returns.
    let words: LastWords<'static> = unsafe { std::mem::transmute(words) };
    let _reset = Reset(LAST_WORDS.with(|last| last.replace(Some(words))));
    f()
}

/// Has `words` speak for the programs of this thread of the operating system, if nothing does yet.
///
/// # Safety
/// The thread ends before `words` is gone, or other words speak for it.
pub(crate) unsafe fn lend_last_words(words: LastWords<'_>) {
    if LAST_WORDS.with(Cell::get).is_some() {
        return;
    }
    install();
    // SAFETY: only the lifetime is changed; what the caller promises.
    let words: LastWords<'static> = unsafe { std::mem::transmute(words) };
    LAST_WORDS.with(|last| last.set(Some(words)));
}

/// Code of this program is about to run.
#[inline]
pub(super) fn enter(program: *const Program<'_>) {
    PROGRAM.with(|current| current.set(program.cast()));
}

/// No code of any program is running.
#[inline]
pub(super) fn leave() {
    PROGRAM.with(|current| current.set(ptr::null()));
}

/// Speaks for the program that is running on this thread, if there is one and its state can be looked at; whether that
/// was so.
fn speak(crash: Crash) -> bool {
    let program = PROGRAM.with(|current| current.replace(ptr::null()));
    let (Some(words), false) = (LAST_WORDS.with(|words| words.take()), program.is_null()) else { return false };
    // SAFETY: the program is alive while its code runs. That code does not go on, so nothing changes what is read here.
    let program = unsafe { &*program };
    if program.model().try_state().is_none() {
        return false;
    }
    // What is allocated from here on is not the program's.
    std::mem::forget(program.model().memory.pause());
    super::CURRENT.with(|current| current.set(ptr::null()));
    words(program, crash);
    true
}

#[cfg(target_os = "linux")]
use linux::install;
#[cfg(target_os = "linux")]
pub(crate) use linux::interrupt;

#[cfg(not(target_os = "linux"))]
fn install() {}

#[cfg(target_os = "linux")]
mod linux {
    use super::super::overflow::guard;
    use super::{Crash, speak};
    use std::cell::RefCell;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::OnceLock;

    const SIGNALS: [libc::c_int; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE];

    /// Who handled the signals before.
    static PREVIOUS: OnceLock<[libc::sigaction; 5]> = OnceLock::new();

    const OVERFLOW: &[u8] = b"\neveryway: a thread of the test has overflowed its stack\n\
        tip: give threads more with everyway::Builder::stack_size\n";

    /// A report takes more than the standard library's alternate stack has.
    const STACK_SIZE: usize = 1 << 20;

    /// So many seconds may be taken to say what led to a crash.
    const PATIENCE: libc::c_uint = 20;

    /// The code of a fault at an address that no memory can have, which is not told (`SI_KERNEL`).
    const NOT_CANONICAL: libc::c_int = 0x80;

    struct AlternateStack(*mut libc::c_void);

    impl AlternateStack {
        fn new() -> Self {
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: a new mapping, and a stack that is as large.
            unsafe {
                let start =
                    libc::mmap(ptr::null_mut(), STACK_SIZE, protection, libc::MAP_PRIVATE | libc::MAP_ANON, -1, 0);
                if start != libc::MAP_FAILED {
                    let stack = libc::stack_t { ss_sp: start, ss_flags: 0, ss_size: STACK_SIZE };
                    libc::sigaltstack(&raw const stack, ptr::null_mut());
                }
                Self(start)
            }
        }
    }

    impl Drop for AlternateStack {
        fn drop(&mut self) {
            // SAFETY: no handler runs on it: the thread ends.
            unsafe {
                let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: STACK_SIZE };
                libc::sigaltstack(&raw const none, ptr::null_mut());
                if self.0 != libc::MAP_FAILED {
                    libc::munmap(self.0, STACK_SIZE);
                }
            }
        }
    }

    thread_local! {
        static STACK: RefCell<Option<AlternateStack>> = const { RefCell::new(None) };
    }

    /// Puts the handlers in place, once, and gives this thread a stack for them.
    pub(super) fn install() {
        STACK.with_borrow_mut(|stack| _ = stack.get_or_insert_with(AlternateStack::new));
        PREVIOUS.get_or_init(|| {
            // SAFETY: the function may be called at any time; if it is not registered, it is not.
            unsafe { libc::atexit(exits) };
            SIGNALS.map(|signal| replace(signal, handle as *const () as usize))
        });
    }

    /// Some thread has called `exit`. If it is one of a model, the test neither passes nor fails, but is gone: whatever the
    /// status it asked for, this is not a success.
    extern "C" fn exits() {
        if speak(Crash::Exit) {
            // SAFETY: ends the process; no other handler is owed anything.
            unsafe { libc::_exit(101) };
        }
    }

    /// Puts a handler in place; returns the one before.
    fn replace(signal: libc::c_int, handler: usize) -> libc::sigaction {
        let mut previous = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: `sigaction` is plain data for which zeros are valid.
        unsafe {
            let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
            action.sa_sigaction = handler;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const action, previous.as_mut_ptr());
            previous.assume_init()
        }
    }

    extern "C" fn handle(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // Whatever comes next is not for us: if this returns, the same signal comes again, and ends the process.
        if let Some(previous) = PREVIOUS.get() {
            for (signal, previous) in SIGNALS.iter().zip(previous) {
                // SAFETY: puts back what the system gave us.
                unsafe { libc::sigaction(*signal, previous, ptr::null_mut()) };
            }
        }
        // SAFETY: the system passes what is known of the fault.
        let (address, code) = unsafe { ((*info).si_addr().addr(), (*info).si_code) };
        let overflows = signal == libc::SIGSEGV && guard().contains(&address);
        let crash = match signal {
            _ if overflows => Crash::StackOverflow,
            libc::SIGSEGV if address < 1 << 12 && code != NOT_CANONICAL => Crash::NullPointer,
            libc::SIGSEGV | libc::SIGBUS => Crash::InvalidPointer,
            libc::SIGILL => Crash::IllegalInstruction,
            libc::SIGFPE => Crash::Arithmetic,
            _ => Crash::Abort,
        };
        // SAFETY: may be called from a handler.
        unsafe { libc::alarm(PATIENCE) };
        let spoke = speak(crash);
        // SAFETY: as above.
        unsafe {
            libc::alarm(0);
            if overflows {
                if !spoke {
                    libc::write(libc::STDERR_FILENO, OVERFLOW.as_ptr().cast(), OVERFLOW.len());
                }
                libc::abort();
            }
        }
    }

    extern "C" fn hangs(_: libc::c_int, _: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: both may be called from a handler.
        unsafe {
            libc::alarm(PATIENCE);
            speak(Crash::Hang);
            libc::_exit(101);
        }
    }

    /// Has a thread of the operating system, which does not come to an end, say what it does, and ends the process.
    pub(crate) fn interrupt(thread: libc::pthread_t) {
        replace(libc::SIGURG, hangs as *const () as usize);
        // SAFETY: the thread runs a check, and so exists.
        unsafe { libc::pthread_kill(thread, libc::SIGURG) };
    }
}
