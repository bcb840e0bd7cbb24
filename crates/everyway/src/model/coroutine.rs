//! Threads of a model: stackful coroutines, which are reused from one execution to the next.
//!
//! A thread yields only in [`give_way`], and never while a panic unwinds: the panic count of the standard library
//! belongs to the operating system's thread, and all coroutines share it.

use super::overflow;
use super::shifted::{self, Shifted};
use corosensei::stack::{DefaultStack, Stack as _};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use everyway_runtime::ThreadId;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::panic;
use std::ptr;

/// What the scheduler tells a thread that it resumes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signal {
    Go,
    /// Unwind the stack: the execution is over.
    TearDown,
}

type Fiber = Coroutine<Signal, Resumed, (), Shifted>;

thread_local! {
    /// The yielder of the coroutine that runs on this thread of the operating system, or ran last.
    static YIELDER: Cell<*const Yielder<Signal, Resumed>> = const { Cell::new(ptr::null()) };
    /// An address on the stack of the coroutine that was suspended last: all that it has in use lies above, but for what
    /// suspending it saves.
    static SUSPENDED_AT: Cell<usize> = const { Cell::new(0) };
}

/// Registers are saved in so many bytes below the address that a thread is suspended at.
const SAVED: usize = 1024;

/// The uppermost bytes of a stack say where it was resumed, and hold nothing of the thread's.
const LINK: usize = 64;

/// So many bytes of a stack are cleared, if it is: what a thread in a loop has in use is rarely more.
const CLEARED: usize = 32 << 10;

/// (Setting it by `LocalKey::set` would first ask whether it has a value.)
#[inline]
fn set_yielder(yielder: *const Yielder<Signal, Resumed>) {
    YIELDER.with(|current| current.set(yielder));
}

/// The payload of the unwinding that ends a suspended thread.
struct TornDown;

/// Whether a thread that was resumed has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resumed {
    GaveWay,
    Ended,
}

/// A coroutine that runs a thread, in one execution after another: between them it waits to run it once more.
pub(super) struct Running {
    fiber: Fiber,
    /// The addresses of its stack.
    stack: Range<usize>,
    /// Where an access is an overflow.
    guard: (usize, usize),
    /// Where on it the thread is suspended.
    suspended_at: usize,
    thread: ThreadId,
}

impl Running {
    /// Runs the thread until it gives way or ends.
    #[inline]
    pub(super) fn resume(&mut self) -> Resumed {
        self.signal(Signal::Go)
    }

    /// The addresses of its stack.
    pub(super) fn stack(&self) -> Range<usize> {
        self.stack.clone()
    }

    /// The part of its stack that is in use.
    pub(super) fn live_stack(&self) -> Range<usize> {
        self.suspended_at.saturating_sub(SAVED).max(self.stack.start)..self.stack.end - LINK
    }

    #[inline]
    fn signal(&mut self, signal: Signal) -> Resumed {
        overflow::enter(self.guard);
        let result = self.fiber.resume(signal);
        overflow::leave();
        self.suspended_at = SUSPENDED_AT.with(Cell::get);
        match result {
            CoroutineResult::Yield(resumed) => resumed,
            CoroutineResult::Return(()) => Resumed::Ended,
        }
    }

    /// Ends the thread by unwinding its stack.
    pub(super) fn tear_down(&mut self) {
        // A thread that catches the unwinding is told again when it next gives way.
        while self.signal(Signal::TearDown) == Resumed::GaveWay {}
    }

    /// The stack alone, for another coroutine: what is on it is leaked.
    fn into_stack(mut self) -> DefaultStack {
        // SAFETY: what a thread that is abandoned has on its stack is leaked and never touched again, and nothing outside of
        // the execution that is abandoned with it holds references into the stack. One that has ended has left nothing
        // there that is to be dropped.
        unsafe { self.fiber.force_reset() };
        self.fiber.into_stack().into_inner()
    }
}

/// Overwrites the part of the stack that calls are about to use, so that what they leave undefined in their frames does
/// not depend on what was there before. To be called by functions that call others.
#[inline(always)]
pub(super) fn scrub() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: what lies below the stack pointer is not in use, in a function that calls others; that there is room for
    // a few calls more is what any caller assumes.
    unsafe {
        std::arch::asm!(
            "lea rdi, [rsp - 2048]",
            "xor eax, eax",
            "mov ecx, 256",
            "rep stosq",
            out("rdi") _, out("rax") _, out("rcx") _,
            options(nostack),
        );
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(&mut [0_u8; 2048]);
}

/// Lets the scheduler go on; returns when it resumes this thread.
#[inline(never)]
pub(super) fn give_way() {
    give_way_here();
}

/// The same without a call, from which the processor would not know where to return to. Not where stacks are looked at: what the
/// caller keeps on its own is not seen to be in use.
#[inline(always)]
pub(super) fn give_way_here() {
    let yielder = YIELDER.get();
    SUSPENDED_AT.with(|at| at.set((&raw const yielder).expose_provenance()));
    debug_assert!(!yielder.is_null(), "called by a thread of a model");
    debug_assert!(!super::is_unwinding(), "never while a panic unwinds");
    // SAFETY: the yielder lives on the stack of the running coroutine, which is the caller's.
    let signal = unsafe { (*yielder).suspend(Resumed::GaveWay) };
    // Others ran in between.
    set_yielder(yielder);
    if signal == Signal::TearDown {
        unwind();
    }
}

/// Unwinds the calling thread, whose execution is over.
pub(super) fn unwind() -> ! {
    panic::resume_unwind(Box::new(TornDown))
}

/// Whether this is the payload of an unwinding that [`unwind`] began.
pub(crate) fn is_torn_down(payload: &(dyn std::any::Any + Send)) -> bool {
    payload.is::<TornDown>()
}

thread_local! {
    /// The stacks of the last exploration on this thread, for the next one.
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// So many stacks are kept from one exploration to the next.
const MOST_KEPT: usize = 64;

struct Kept {
    size: usize,
    stack: DefaultStack,
}

/// Stacks for reuse: making one costs a system call, using one again costs nothing.
///
/// A thread has the same one in every execution, so that what lies on it has the same address.
pub(super) struct Stacks {
    size: usize,
    /// By thread.
    spare: Vec<Option<DefaultStack>>,
    /// Whether those that were used before are cleared, so that what a thread leaves undefined is the same in every
    /// execution.
    are_cleared: bool,
}

impl Stacks {
    pub(super) fn new(size: usize, are_cleared: bool) -> Self {
        let kept = KEPT.with_borrow_mut(std::mem::take);
        let spare = kept.into_iter().filter(|kept| kept.size == size).map(|kept| Some(kept.stack)).collect();
        Self { size, spare, are_cleared }
    }

    /// A coroutine that calls `run`, which runs this thread, when it is first resumed, and once more whenever it is resumed
    /// after that has returned.
    ///
    /// # Panics
    /// When the system has no memory for another stack.
    pub(super) fn start(&mut self, thread: ThreadId, mut run: impl FnMut() + 'static) -> Box<Running> {
        let spare = self.spare.get_mut(thread.index()).and_then(Option::take);
        let stack = spare.unwrap_or_else(|| match DefaultStack::new(self.size + shifted::MOST) {
            Ok(stack) => stack,
            Err(error) => panic!("everyway: no memory for the stack of another thread: {error}"),
        });
        let stack = Shifted::new(stack, thread);
        let addresses = stack.limit().get()..stack.base().get();
        if self.are_cleared {
            let size = CLEARED.min(addresses.len() / 2);
            // SAFETY: nothing uses the stack, and it is larger than this.
            unsafe { ptr::with_exposed_provenance_mut::<u8>(addresses.end - size).write_bytes(0, size) };
        }
        let fiber = Fiber::with_stack(stack, move |yielder, mut signal| {
            loop {
                set_yielder(yielder);
                if signal == Signal::Go {
                    run();
                }
                signal = yielder.suspend(Resumed::Ended);
            }
        });
        let guard = overflow::guard_of(addresses.start);
        Box::new(Running { fiber, guard, suspended_at: addresses.end, stack: addresses, thread })
    }

    /// Whether a thread needs another coroutine in the next execution, which clears its stack.
    #[inline]
    pub(super) fn are_cleared(&self) -> bool {
        self.are_cleared
    }

    /// Takes back the stack of a coroutine that is not used any more; what it owns is leaked.
    pub(super) fn give_back(&mut self, running: Running) {
        let thread = running.thread.index();
        if self.spare.len() <= thread {
            self.spare.resize_with(thread + 1, || None);
        }
        self.spare[thread] = Some(running.into_stack());
    }
}

impl Drop for Stacks {
    fn drop(&mut self) {
        let size = self.size;
        let kept = self.spare.drain(..).flatten().take(MOST_KEPT).map(|stack| Kept { size, stack }).collect();
        // The thread may be ending, and its pool gone.
        let _ = KEPT.try_with(|pool| pool.replace(kept));
    }
}
