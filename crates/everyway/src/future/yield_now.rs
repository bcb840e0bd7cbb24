//! Giving way to other tasks.

use std::cell::RefCell;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Lets other tasks go first. In a model, this is a hint that the task spins, as
/// [`thread::yield_now`](crate::thread::yield_now) is.
///
/// ```
/// use everyway::future::{block_on, spawn, yield_now};
/// use everyway::sync::Arc;
/// use everyway::sync::atomic::{AtomicBool, Ordering};
///
/// everyway::check(|| {
///     let ready = Arc::new(AtomicBool::new(false));
///     let other = ready.clone();
///     spawn(async move { other.store(true, Ordering::Release) });
///     block_on(async {
///         while !ready.load(Ordering::Acquire) {
///             yield_now().await;
///         }
///     });
/// });
/// ```
pub fn yield_now() -> YieldNow {
    YieldNow { has_yielded: false }
}

/// The future of [`yield_now`].
#[derive(Debug)]
#[must_use = "futures do nothing unless they are polled"]
pub struct YieldNow {
    has_yielded: bool,
}

impl Future for YieldNow {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.has_yielded {
            return Poll::Ready(());
        }
        self.has_yielded = true;
        // A combinator that has wrapped the task's waker has to be woken through its own.
        if !note_yield(context.waker()) {
            context.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

/// A poll of a task's future.
struct Polling {
    /// The task's.
    waker: Waker,
    yields: bool,
}

crate::thread::thread_local! {
    /// The polls that the thread is in: one, or more if a future blocks on another.
    static POLLING: RefCell<Vec<Polling>> = const { RefCell::new(Vec::new()) };
}

/// Takes note that what is polled with `waker` yields, if that is the waker of the task which is polled.
fn note_yield(waker: &Waker) -> bool {
    POLLING.with(|polling| match polling.borrow_mut().last_mut() {
        Some(polling) if polling.waker.will_wake(waker) => {
            polling.yields = true;
            true
        }
        _ => false,
    })
}

/// Calls `poll`, which polls a task's future with `waker`, and tells whether something in it has yielded.
pub(super) fn noting<R>(waker: &Waker, poll: impl FnOnce() -> R) -> (R, bool) {
    /// Ends the poll, also if it panics.
    struct End;

    impl Drop for End {
        fn drop(&mut self) {
            let _ = POLLING.try_with(|polling| polling.borrow_mut().pop());
        }
    }

    POLLING.with(|polling| polling.borrow_mut().push(Polling { waker: waker.clone(), yields: false }));
    let _end = End;
    let polled = poll();
    let yields = POLLING.with(|polling| polling.borrow().last().is_some_and(|polling| polling.yields));
    (polled, yields)
}
