//! Channels: what they do, in how many executions, and what goes wrong with them.

#![cfg(feature = "model")]

mod support;

use everyway::report::BugKind;
use everyway::sync::mpsc::{self, RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};
use everyway::thread;
use everyway::{Builder, Panics};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{bug, executions, executions_with_observers, outcomes, outcomes_small, panics_with, verified};

const SOON: Duration = Duration::from_millis(1);

/// The result with its error in words, which can be sorted.
fn spelled<T, E: std::fmt::Debug>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| format!("{error:?}"))
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// `senders` threads send their number; `receive` is what the receiver does.
fn senders(senders: u64, receive: impl Fn(mpsc::Receiver<u64>) + Copy) {
    let (sender, receiver) = mpsc::channel();
    let threads: Vec<_> = (0..senders)
        .map(|n| {
            let sender = sender.clone();
            thread::spawn(move || sender.send(n).unwrap_or(()))
        })
        .collect();
    drop(sender);
    receive(receiver);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// The sends conflict with each other, so they come in `N!` orders. A receive depends only on the sending of its
/// own message, and can only come after it. The drops of senders commute.
#[test]
fn messages_of_many_senders_come_in_any_order() {
    for n in 1..=5 {
        let all = executions(|| senders(n, |receiver| (0..n).for_each(|_| assert!(receiver.recv().is_ok()))));
        assert_eq!(all, factorial(n));
        // The receive that finds no senders comes after all of their drops, in every execution.
        let iterated = executions(|| senders(n, |receiver| assert_eq!(receiver.iter().sum::<u64>(), n * (n - 1) / 2)));
        assert_eq!(iterated, factorial(n));
    }
    assert_eq!(outcomes(|| collect(3)).len(), 6);
}

fn collect(n: u64) -> Vec<u64> {
    let received = Mutex::new(Vec::new());
    senders(n, |receiver| received.lock().unwrap().extend(receiver));
    received.into_inner().unwrap()
}

/// Who comes first is what matters, but sends are ordered whether or not anybody looks.
#[test]
fn one_receive_from_many_senders() {
    for n in 1..=5 {
        let kept = Mutex::new(Vec::new());
        let count = executions(|| {
            senders(n, |receiver| {
                receiver.recv().unwrap();
                kept.lock().unwrap().push(receiver);
            });
            drop(kept.lock().unwrap().pop());
        });
        assert_eq!(count, factorial(n));
    }
}

/// With observers they are ordered only for who looks: the first one comes before the others.
#[test]
fn channels_with_observers() {
    for n in 1..=5 {
        let kept = Mutex::new(Vec::new());
        let count = executions_with_observers(|| {
            senders(n, |receiver| {
                receiver.recv().unwrap();
                kept.lock().unwrap().push(receiver);
            });
            drop(kept.lock().unwrap().pop());
        });
        assert_eq!(count, n);
        let all = || senders(n, |receiver| (0..n).for_each(|_| assert!(receiver.recv().is_ok())));
        assert_eq!(executions_with_observers(all), factorial(n));
    }
}

/// The same, but then the receiver is gone: of the sends, those before that are ordered (`k >= 1` of them, in
/// `n!/(n-k)!` ways), and those after it see nothing but that.
#[test]
fn sends_after_the_receiver_is_gone_commute() {
    for n in 1..=4 {
        let by_hand = (1..=n).map(|k| factorial(n) / factorial(n - k)).sum::<u64>();
        assert_eq!(executions(|| senders(n, |receiver| assert!(receiver.recv().is_ok()))), by_hand);
    }
}

/// Each receive comes after its own send, and conflicts with nothing else.
#[test]
fn a_producer_and_a_consumer_have_one_execution() {
    for n in [1, 2, 5, 20] {
        let count = executions(|| {
            let (sender, receiver) = mpsc::channel();
            let producer = thread::spawn(move || (0..n).for_each(|i| sender.send(i).unwrap()));
            assert_eq!(receiver.iter().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
            producer.join().unwrap();
        });
        assert_eq!(count, 1);
    }
}

/// The sends take a slot each, and the receives free one: these conflict. So an execution is a sequence of `n`
/// sends and `n` releases, in which at no time more than `capacity` slots are taken: all of the Catalan number's
/// balanced sequences if there is room for all, and one if there is room for one.
#[test]
fn a_bounded_channel_orders_sends_and_receives() {
    let count = |capacity, n: u32| {
        executions(|| {
            let (sender, receiver) = mpsc::sync_channel(capacity);
            let producer = thread::spawn(move || (0..n).for_each(|i| sender.send(i).unwrap()));
            assert_eq!(receiver.iter().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
            producer.join().unwrap();
        })
    };
    assert_eq!([count(1, 1), count(1, 2), count(1, 5)], [1, 1, 1]);
    assert_eq!([count(2, 2), count(2, 3), count(2, 4)], [2, 4, 8]);
    assert_eq!([count(4, 2), count(4, 3), count(4, 4)], [2, 5, 14]);
}

/// Send, receive, release, go on: there is no choice.
#[test]
fn a_rendezvous_has_one_execution() {
    for n in [1, 2, 5] {
        let count = executions(|| {
            let (sender, receiver) = mpsc::sync_channel(0);
            let producer = thread::spawn(move || (0..n).for_each(|i| sender.send(i).unwrap()));
            assert_eq!(receiver.iter().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
            producer.join().unwrap();
        });
        assert_eq!(count, 1);
    }
}

/// At a rendezvous, a sender goes on only when its message was taken.
#[test]
fn a_rendezvous_synchronises_both_sides() {
    use everyway::sync::Arc;
    use everyway::sync::atomic::AtomicUsize;
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let before = Arc::new(AtomicUsize::new(0));
        let other = before.clone();
        let thread = thread::spawn(move || {
            sender.send(()).unwrap();
            other.load(Ordering::SeqCst)
        });
        before.store(1, Ordering::SeqCst);
        receiver.recv().unwrap();
        thread.join().unwrap()
    });
    assert_eq!(seen, BTreeSet::from([1]));
}

#[test]
fn trying_to_receive_has_all_answers() {
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || sender.send(1).unwrap());
        let result = (spelled(receiver.try_recv()), spelled(receiver.try_recv()));
        thread.join().unwrap();
        result
    });
    let (empty, gone) = (Err("Empty".to_owned()), Err("Disconnected".to_owned()));
    let pairs = [(empty.clone(), empty.clone()), (empty.clone(), Ok(1)), (Ok(1), empty), (Ok(1), gone)];
    assert_eq!(seen, BTreeSet::from(pairs));
}

#[test]
fn a_timeout_is_a_choice() {
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || sender.send(1).is_ok());
        let result = receiver.recv_timeout(SOON);
        thread.join().unwrap();
        result.map_err(|error| error == RecvTimeoutError::Timeout)
    });
    assert_eq!(seen, BTreeSet::from([Ok(1), Err(true)]));
}

#[test]
fn trying_to_send_has_all_answers() {
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        sender.send(1).unwrap();
        let thread = thread::spawn(move || receiver.recv().unwrap());
        let result = sender.try_send(2);
        thread.join().unwrap();
        result.map_err(|error| matches!(error, TrySendError::Full(2)))
    });
    // `Err(false)`: the receiver took the message and was dropped.
    assert_eq!(seen, BTreeSet::from([Ok(()), Err(true), Err(false)]));
}

/// A message is handed over only if the receiver has been waiting for it; then it is never lost.
#[test]
fn trying_to_send_to_a_rendezvous_needs_a_receiver_that_waits() {
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || sender.try_send(7).is_ok());
        let received = receiver.recv();
        (thread.join().unwrap(), received.ok())
    });
    assert_eq!(seen, BTreeSet::from([(true, Some(7)), (false, None)]));

    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || sender.try_send(7).is_ok());
        let received = receiver.recv_timeout(SOON).ok();
        (thread.join().unwrap(), received)
    });
    assert_eq!(seen, BTreeSet::from([(true, Some(7)), (false, None)]));

    let never = outcomes_small(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let thread = thread::spawn(move || sender.try_send(7).is_ok());
        let received = receiver.try_recv().ok();
        (thread.join().unwrap(), received)
    });
    assert_eq!(never, BTreeSet::from([(false, None)]));
}

/// Of two senders, one that waits and one that does not, the latter gets through only if the receiver still
/// waits, or waits again.
#[test]
fn a_receiver_that_has_been_sent_something_does_not_wait_any_more() {
    let seen = outcomes(|| {
        let (sender, receiver) = mpsc::sync_channel(0);
        let other = sender.clone();
        let waits = thread::spawn(move || sender.send(1).is_ok());
        let tries = thread::spawn(move || other.try_send(2).is_ok());
        let first = receiver.recv().unwrap();
        drop(receiver);
        (first, waits.join().unwrap(), tries.join().unwrap())
    });
    assert_eq!(seen, BTreeSet::from([(1, true, false), (2, false, true)]));
}

#[test]
fn the_last_drop_of_a_sender_ends_a_receive() {
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::channel::<()>();
        let other = sender.clone();
        let threads = [sender, other].map(|sender| thread::spawn(move || drop(sender)));
        let result = receiver.recv();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        spelled(result)
    });
    assert_eq!(seen, BTreeSet::from([Err("RecvError".to_owned())]));
}

#[test]
fn a_sender_that_waits_is_told_that_the_receiver_is_gone() {
    for bound in [0, 1] {
        let seen = outcomes_small(|| {
            let (sender, receiver) = mpsc::sync_channel(bound);
            let thread = thread::spawn(move || {
                let sent = (0..3).take_while(|&i| sender.send(i).map_err(|SendError(n)| assert_eq!(n, i)).is_ok());
                sent.count()
            });
            let received = receiver.recv().unwrap();
            drop(receiver);
            (received, thread.join().unwrap())
        });
        let sent: BTreeSet<usize> = seen.into_iter().map(|(_, sent)| sent).collect();
        assert_eq!(sent, if bound == 0 { BTreeSet::from([1]) } else { BTreeSet::from([1, 2]) });
    }
}

#[test]
fn messages_that_nobody_takes_are_dropped() {
    struct Counted<'a>(&'a AtomicUsize);
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let (dropped, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let new = || {
        made.fetch_add(1, Ordering::Relaxed);
        Counted(&dropped)
    };
    let report = everyway::explore(|| {
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || (0..3).try_for_each(|_| sender.send(new())).is_ok());
            scope.spawn(move || receiver.recv().is_ok());
        });
        assert_eq!(made.load(Ordering::Relaxed), dropped.load(Ordering::Relaxed));
    });
    verified(&report);
    assert_eq!(made.into_inner(), dropped.into_inner());
}

#[test]
fn a_receive_that_nobody_answers_is_a_deadlock() {
    let bug = bug(|| {
        let (sender, receiver) = mpsc::channel::<u8>();
        let thread = thread::spawn(move || receiver.recv());
        let _ = thread.join();
        drop(sender);
    });
    assert_eq!(bug.kind, BugKind::Deadlock);
    assert!(bug.waits.iter().any(|wait| wait.operation == "recv channel #1"), "{:?}", bug.waits);
}

#[test]
fn full_channels_in_a_circle_are_a_deadlock() {
    let bug = bug(|| {
        let (one, from_one) = mpsc::sync_channel(1);
        let (two, from_two) = mpsc::sync_channel(1);
        let thread = thread::spawn(move || {
            (0..2).for_each(|i| one.send(i).unwrap());
            from_two.recv().unwrap();
        });
        (0..2).for_each(|i| two.send(i).unwrap());
        from_one.recv().unwrap();
        thread.join().unwrap();
    });
    assert_eq!(bug.kind, BugKind::Deadlock);
    let waits: Vec<&str> = bug.waits.iter().map(|wait| wait.operation.as_str()).collect();
    assert_eq!(waits, ["send channel #2", "send channel #1"]);
}

/// A panic drops the ends of channels that the thread has, and the others are told.
#[test]
fn a_panic_drops_both_ends() {
    let found = Mutex::new(BTreeSet::new());
    let report = Builder::new().panics(Panics::Join).explore(|| {
        let (sender, receiver) = mpsc::channel();
        let (answer, answers) = mpsc::channel::<u8>();
        let thread = thread::spawn(move || {
            let _answer = answer;
            let message: u8 = receiver.recv().unwrap();
            panic!("no answer to {message}");
        });
        sender.send(1).unwrap();
        assert_eq!(answers.recv(), Err(RecvError));
        found.lock().unwrap().insert(sender.send(2).is_ok());
        thread.join().unwrap_err();
    });
    verified(&report);
    // The ends are dropped one after the other.
    assert_eq!(found.into_inner().unwrap(), BTreeSet::from([false, true]));
}

#[test]
fn polling_with_a_hint_ends() {
    let count = executions(|| {
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn(move || (0..2).for_each(|i| sender.send(i).unwrap()));
        let mut received = Vec::new();
        loop {
            match receiver.try_recv() {
                Ok(i) => received.push(i),
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => thread::yield_now(),
            }
        }
        assert_eq!(received, [0, 1]);
        thread.join().unwrap();
    });
    // Each of the messages, and the end, the receiver misses or not; if it does, it waits at the hint.
    assert_eq!(count, 2 * 2 * 2);
}

#[test]
fn iterators_are_those_of_std() {
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::sync_channel(3);
        let thread = thread::spawn(move || (0..3).for_each(|i| sender.send(i).unwrap()));
        let there: Vec<i32> = receiver.try_iter().collect();
        let first: Vec<i32> = receiver.iter().take(1).collect();
        let more: Vec<i32> = (&receiver).into_iter().take(1).collect();
        let rest: Vec<i32> = receiver.into_iter().collect();
        thread.join().unwrap();
        let taken = there.len();
        assert_eq!([there, first, more, rest].concat(), [0, 1, 2]);
        taken
    });
    assert_eq!(seen, BTreeSet::from([0, 1, 2, 3]));
}

/// Everything at once, compared with every interleaving.
#[test]
fn mixtures_have_the_outcomes_of_all_interleavings() {
    for bound in 0..=2 {
        outcomes_small(|| {
            let (sender, receiver) = mpsc::sync_channel(bound);
            let thread = thread::spawn(move || {
                let first = sender.send(1).is_ok();
                (first, sender.try_send(2).map_err(|error| matches!(error, TrySendError::Full(_))))
            });
            let tried = spelled(receiver.try_recv());
            let timed = receiver.recv_timeout(SOON).ok();
            drop(receiver);
            (thread.join().unwrap(), tried, timed)
        });
    }
    let seen = outcomes_small(|| {
        let (sender, receiver) = mpsc::channel();
        let other = sender.clone();
        let one = thread::spawn(move || sender.send(1).is_ok());
        let two = thread::spawn(move || other.send(2).is_ok());
        let received = (spelled(receiver.try_recv()), spelled(receiver.recv()));
        drop(receiver);
        (received, one.join().unwrap(), two.join().unwrap())
    });
    // First try: nothing, 1 or 2. Then one of those left; the other one's sender may be too late.
    assert_eq!(seen.len(), 6);
}

#[test]
fn a_channel_of_outside_carries_results_out() {
    let (sender, receiver) = mpsc::channel();
    everyway::check(|| {
        let sender = sender.clone();
        let thread = thread::spawn(everyway::any_bool);
        sender.send(thread.join().unwrap()).unwrap();
    });
    drop(sender);
    assert_eq!(receiver.into_iter().collect::<BTreeSet<bool>>().len(), 2);
}

#[test]
fn waiting_for_a_channel_of_outside_is_refused() {
    let (sender, receiver) = mpsc::channel::<u8>();
    let receiver = std::sync::Mutex::new(receiver);
    panics_with("`recv` would wait for a channel that was made outside", || {
        assert!(receiver.lock().unwrap().recv().is_err());
    });
    drop(sender);
    let (sender, _receiver) = mpsc::sync_channel(0);
    panics_with("`send` would wait for a channel that was made outside", || sender.send(1).unwrap());
}

#[test]
fn a_channel_belongs_to_its_execution() {
    let kept = Mutex::new(None);
    everyway::check(|| *kept.lock().unwrap() = Some(mpsc::channel::<u8>()));
    let (sender, receiver) = kept.into_inner().unwrap().unwrap();
    let used = std::panic::catch_unwind(|| sender.send(1));
    let message = *used.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("outside of the execution that it was made in"), "{message}");
    drop(receiver);
}
