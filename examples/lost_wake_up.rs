//! A channel for one value, awaited by a task. The broken receiver checks for the value, and then registers its waker: a value
//! that is sent between the two wakes no task, and the receiver waits for ever. `cargo run --example lost_wake_up` shows how.

use everyway::future::{block_on, spawn};
use everyway::render::text::plain;
use everyway::sync::{Arc, Mutex};
use std::future::poll_fn;
use std::task::{Poll, Waker};

/// A place for one value, and for the waker of the task that waits for it.
struct Channel<T> {
    value: Mutex<Option<T>>,
    waker: Mutex<Option<Waker>>,
}

impl<T> Channel<T> {
    fn new() -> Self {
        Self { value: Mutex::new(None), waker: Mutex::new(None) }
    }

    fn send(&self, value: T) {
        *self.value.lock().unwrap() = Some(value);
        let waker = self.waker.lock().unwrap().take();
        waker.into_iter().for_each(Waker::wake);
    }

    /// Looks first: this is the bug.
    async fn receive_carelessly(&self) -> T {
        poll_fn(|context| {
            if let Some(value) = self.value.lock().unwrap().take() {
                return Poll::Ready(value);
            }
            *self.waker.lock().unwrap() = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// Leaves the waker first. A value that was sent before is found, and one that is sent later wakes the task.
    async fn receive(&self) -> T {
        poll_fn(|context| {
            *self.waker.lock().unwrap() = Some(context.waker().clone());
            self.value.lock().unwrap().take().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

/// One task sends a number, and another receives it with `receive`.
fn send_and_receive(receive: impl AsyncFn(&Channel<u32>) -> u32) {
    let channel = Arc::new(Channel::new());
    let sender = channel.clone();
    spawn(async move { sender.send(7) });
    assert_eq!(block_on(receive(&channel)), 7);
}

fn careless() {
    send_and_receive(Channel::receive_carelessly);
}

fn careful() {
    send_and_receive(Channel::receive);
}

fn main() {
    println!("the broken receiver:\n\n{}", plain(&everyway::explore(careless)));
    println!("\nthe right one:\n\n{}", plain(&everyway::explore(careful)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::{BugKind, Verdict};

    #[test]
    fn a_wake_up_is_lost() {
        let bug = everyway::explore(careless).bug.expect("it waits for ever");
        assert_eq!(bug.kind, BugKind::Deadlock);
        let [wait] = &bug.waits[..] else { panic!("one task waits: {:?}", bug.waits) };
        assert!(wait.because.contains("receive_carelessly"), "{}", wait.because);
    }

    #[test]
    fn none_is_lost() {
        assert_eq!(everyway::explore(careful).verdict, Verdict::Verified);
    }
}
