//! Futures, their tasks and their wakers.
//!
//! A task is a thread that drives one future: [`spawn`] makes one, and [`block_on`] makes the calling thread one for as long
//! as it takes. In a model, a task whose future is pending waits until a waker of it is called, and a call of a waker is a
//! step like any other. So every order of polls and wake-ups is explored, as on a runtime with as many threads as there are
//! tasks, and a wake-up that is lost is a deadlock. Its report says which future waits, where its task was made and what it
//! did last.
//!
//! ```
//! use everyway::future::{block_on, spawn};
//!
//! everyway::check(|| {
//!     block_on(async {
//!         let six = spawn(async { 6 });
//!         let seven = spawn(async { 7 });
//!         assert_eq!(six.await.unwrap() * seven.await.unwrap(), 42);
//!     });
//! });
//! ```
//!
//! Nothing here is bound to these tasks: futures of any origin can be driven, whatever wakers they wrap around those that
//! they are given (`join!`, `select!`), and synchronisation for asynchronous code needs nothing but
//! [`Waker`](std::task::Waker). What is not seen, as everywhere, are std's own atomics and locks: channels of other crates, and
//! combinators with a queue of their own such as `FuturesUnordered`, have to be built with everyway's types (or with
//! loom's names, through everyway-loom) to be explored. Runtimes of others cannot be checked: a future that needs one, for its
//! timers or its sockets, does not find it.
//!
//! # Cancellation
//!
//! [`JoinHandle::abort`] has a task drop its future instead of polling it again; where the future is when that
//! happens is explored. As on other runtimes, dropping a [`JoinHandle`] lets the task go on by itself. One that still waits
//! when all others have ended is a deadlock, unless it may ([`JoinHandle::detach`]).
//!
//! # Outside of models
//!
//! Outside of models, and without the feature `model`, tasks are threads of the operating system, and this module needs
//! nothing but std.

mod atomic_waker;
#[cfg(feature = "model")]
mod inside;
mod join;
mod outside;
mod task;
mod yield_now;

pub use atomic_waker::AtomicWaker;
pub use join::{AbortHandle, JoinError, JoinHandle};
#[cfg(feature = "model")]
pub(crate) use task::Origin;
pub use yield_now::{YieldNow, yield_now};

use std::panic::Location;
use std::pin::pin;
#[cfg(not(feature = "model"))]
use task::Origin;
use task::{Driven, Task};

/// Drives `future` to its end on the calling thread.
///
/// ```
/// assert_eq!(everyway::future::block_on(async { 6 * 7 }), 42);
/// ```
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let task = Task::of_caller(Origin::of::<F>(Location::caller()));
    match task.drive(pin!(future)) {
        Driven::Ready(output) => output,
        Driven::Cancelled => unreachable!("nobody has a handle to abort it by"),
    }
}

/// Makes a task that drives `future`, and returns a future of its output.
///
/// ```
/// use everyway::future::{block_on, spawn};
///
/// everyway::check(|| {
///     let task = spawn(std::future::pending::<()>());
///     task.abort();
///     assert!(block_on(task).unwrap_err().is_cancelled());
/// });
/// ```
#[track_caller]
pub fn spawn<F>(future: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    JoinHandle::spawn(Origin::of::<F>(Location::caller()), future)
}
