//! Processes and messages: what they do, in how many executions, and what goes wrong with them.

#![cfg(feature = "model")]

mod support;

use everyway::actor::{self, Address, Inbox};
use everyway::render::text::{Style, render};
use everyway::report::{BugKind, Verdict};
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
use everyway::{Algorithm, Builder, thread};
use std::collections::BTreeSet;
use std::time::Duration;
use support::{bug, executions, executions_with_observers, outcomes, outcomes_small, panics_with, verified};

const SOON: Duration = Duration::from_millis(1);

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// `n` processes send their numbers, from 0, to the one that runs `receive`.
fn senders<T>(n: u64, receive: impl FnOnce(&Inbox<u64>) -> T) -> T {
    let (receiver, inbox) = actor::mailbox("receiver");
    for i in 0..n {
        let receiver = receiver.clone();
        actor::spawn::<(), _, _>(format!("sender {i}"), move |_| receiver.send(i));
    }
    receive(&inbox)
}

/// Two sends to one mailbox conflict under `optimal`, whoever receives: the orders of `n` sends are `n!`.
#[test]
fn messages_of_many_senders_come_in_any_order() {
    for n in 1..=5 {
        assert_eq!(executions(|| senders(n, |inbox| (0..n).for_each(|_| _ = inbox.receive()))), factorial(n));
        assert_eq!(executions(|| senders(n, |inbox| _ = inbox.receive())), factorial(n));
        assert_eq!(
            executions(|| senders(n, |inbox| (0..n).for_each(|i| assert_eq!(inbox.receive_if(move |m| *m == i), i)))),
            factorial(n)
        );
    }
    let all = outcomes(|| senders(3, |inbox| [inbox.receive(), inbox.receive(), inbox.receive()]));
    assert_eq!(all.len(), 6);
}

/// By who reads from whom the order of sends to one mailbox counts, and who waits for a message gets the same one whenever
/// it looks: as many executions as under `optimal`.
#[test]
fn by_sources_there_are_no_more_executions_than_orders_of_messages() {
    let executions = |f: &(dyn Fn() + Sync)| {
        let report = Builder::new().algorithm(Algorithm::ReadsFrom).explore(f);
        verified(&report);
        assert_eq!((report.executions.blocked, report.executions.redundant), (0, 0));
        report.executions.complete
    };
    for n in 1..=5 {
        let any = |inbox: &Inbox<u64>| (0..n).for_each(|_| _ = inbox.receive());
        assert_eq!(executions(&|| senders(n, any)), factorial(n));
        let chosen = |inbox: &Inbox<u64>| (0..n).for_each(|i| _ = inbox.receive_if(move |m| *m == i));
        assert_eq!(executions(&|| senders(n, chosen)), factorial(n));
    }
}

/// Under `observers` they conflict only if some receive could have taken either: all of them if all are received in any
/// order; the one that comes first with the others if only one is; none if the receiver chooses.
#[test]
fn with_observers_the_order_matters_to_receives_only() {
    for n in 1..=5 {
        let any = |inbox: &Inbox<u64>| (0..n).for_each(|_| _ = inbox.receive());
        assert_eq!(executions_with_observers(|| senders(n, any)), factorial(n));
        assert_eq!(executions_with_observers(|| senders(n, |inbox| _ = inbox.receive())), n);
        let chosen = |inbox: &Inbox<u64>| (0..n).for_each(|i| _ = inbox.receive_if(move |m| *m == i));
        assert_eq!(executions_with_observers(|| senders(n, chosen)), 1);
    }
}

/// What is not taken stays, in its order.
#[test]
fn a_selective_receive_takes_the_oldest_that_matches() {
    let seen = outcomes_small(|| {
        senders(3, |inbox| {
            let odd = inbox.receive_if(|n| n % 2 == 1);
            (odd, inbox.receive(), inbox.receive())
        })
    });
    assert_eq!(seen, BTreeSet::from([(1, 0, 2), (1, 2, 0)]));
}

#[test]
fn messages_of_one_sender_arrive_in_order() {
    let count = executions(|| {
        let (receiver, inbox) = actor::mailbox("receiver");
        actor::spawn::<(), _, _>("sender", move |_| (0..5).for_each(|i| receiver.send(i)));
        (0..5).for_each(|i| assert_eq!(inbox.receive(), i));
    });
    assert_eq!(count, 1);
}

/// A receive that gives up comes before the send of a message that it could have taken, or else takes it. A send of
/// another message is independent of the receive, but not of the first send: two times two orders.
#[test]
fn a_receive_that_gives_up_conflicts_with_what_it_could_have_taken() {
    let one = executions(|| senders(1, |inbox| _ = inbox.receive_timeout(SOON)));
    assert_eq!(one, 2);
    let unmatched = executions(|| senders(1, |inbox| assert_eq!(inbox.receive_if_timeout(|n| *n == 7, SOON), None)));
    assert_eq!(unmatched, 1);
    let two = executions(|| senders(2, |inbox| _ = inbox.receive_if_timeout(|n| *n == 0, SOON)));
    assert_eq!(two, 4);
    let seen = outcomes_small(|| senders(2, |inbox| (inbox.receive_timeout(SOON), inbox.receive())));
    assert_eq!(seen, BTreeSet::from([(None, 0), (None, 1), (Some(0), 1), (Some(1), 0)]));
}

/// TACAS 2018, Sect. 3.2.
#[test]
fn the_example_with_tags() {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Tagged {
        A(char),
        B(char),
    }
    use Tagged::{A, B};
    let example = || {
        let (r, inbox) = actor::mailbox("r");
        for (name, messages) in [('p', vec![B('p'), A('p')]), ('q', vec![A('q')]), ('s', vec![B('s')])] {
            let r = r.clone();
            actor::spawn::<(), _, _>(name, move |_| messages.into_iter().for_each(|message| r.send(message)));
        }
        let A(x) = inbox.receive_if(|message| matches!(message, A(_))) else { unreachable!() };
        let y = (x == 'p').then(|| inbox.receive_if(|message| matches!(message, B(_))));
        (x, y.map(|y| if let B(y) = y { y } else { unreachable!() }))
    };
    assert_eq!(outcomes_small(example), BTreeSet::from([('p', Some('p')), ('p', Some('s')), ('q', None)]));
    // If `r` gets what `q` sent, nobody looks at the others. If it gets what `p` sent, it looks whether `p` or `s` was
    // first with the other tag.
    assert_eq!(executions_with_observers(|| _ = example()), 3);
}

#[derive(Debug)]
enum Lock {
    Acquire(Address<()>),
    Release,
}

fn lock_server(workers: u32) {
    let server = actor::spawn("server", move |inbox: Inbox<Lock>| {
        for _ in 0..workers {
            let Lock::Acquire(whom) = inbox.receive_if(|request| matches!(request, Lock::Acquire(_))) else { return };
            whom.send(());
            inbox.receive_if(|request| matches!(request, Lock::Release));
        }
    });
    let inside = Arc::new(AtomicU32::new(0));
    for i in 0..workers {
        let (server, inside) = (server.address().clone(), inside.clone());
        actor::spawn(format!("worker {i}"), move |inbox| {
            server.send(Lock::Acquire(inbox.address()));
            inbox.receive();
            assert_eq!(inside.swap(1, SeqCst), 0);
            inside.store(0, SeqCst);
            server.send(Lock::Release);
        });
    }
    server.join().unwrap();
}

/// In whichever order the requests come: `n!`; and the releases come in the same order, but each of them anywhere among
/// the requests that are not yet to be answered: more than `n!` under `optimal`.
#[test]
fn a_lock_server_excludes() {
    assert_eq!(executions(|| lock_server(1)), 1);
    // The first release comes before the other request or after it.
    assert_eq!(executions(|| lock_server(2)), 4);
    assert!(executions(|| lock_server(3)) > factorial(3));
    // Under `observers`, it is in which order they ask.
    for n in 1..=4 {
        assert_eq!(executions_with_observers(|| lock_server(n)), factorial(u64::from(n)));
    }
}

struct Shared(everyway::cell::Cell<u32>);

// SAFETY: that it is not raced for is what is checked.
unsafe impl Sync for Shared {}

/// A writer sends a message before or after it writes; the receiver reads then.
fn write_and_tell(first: bool) {
    let shared = Arc::new(Shared(everyway::cell::Cell::new(0)));
    let (receiver, inbox) = actor::mailbox("receiver");
    let theirs = shared.clone();
    actor::spawn::<(), _, _>("writer", move |_| {
        if first {
            theirs.0.set(7);
        }
        receiver.send("done");
        if !first {
            theirs.0.set(7);
        }
    });
    inbox.receive();
    assert!(!first || shared.0.get() == 7);
    shared.0.get();
}

#[test]
fn messages_make_their_senders_past_visible() {
    assert_eq!(executions(|| write_and_tell(true)), 1);
    assert_eq!(bug(|| write_and_tell(false)).kind, BugKind::DataRace);
}

#[test]
fn sends_to_processes_that_have_ended_are_lost() {
    let sent = std::sync::atomic::AtomicU32::new(0);
    let report = everyway::explore(|| {
        let process = actor::spawn("short", |inbox: Inbox<u8>| inbox.receive());
        process.send(1);
        sent.store(line!() + 1, SeqCst);
        process.send(2);
        assert_eq!(process.join().unwrap(), 1);
    });
    let line = sent.into_inner();
    verified(&report);
    assert_eq!(report.executions.complete, 1);
    let lost = "in every execution, some messages were never received, such as one from 'main' to 'short', sent at";
    assert_eq!(report.notes, [format!("{lost} {}:{line}", file!())]);
}

#[test]
fn a_process_may_serve_for_ever() {
    let serve = || {
        actor::spawn("echo", |inbox: Inbox<Address<u8>>| {
            loop {
                inbox.receive().send(1)
            }
        })
    };
    let ask = |echo: Address<Address<u8>>| {
        let (me, inbox) = actor::mailbox("main");
        echo.send(me);
        assert_eq!(inbox.receive(), 1);
    };
    let report = everyway::explore(|| ask(serve().detach()));
    verified(&report);
    assert_eq!(report.executions.blocked, 1);
    assert_eq!(bug(|| ask(serve().address().clone())).kind, BugKind::Deadlock);
}

/// Who waits in which receive, and what is in their mailboxes; and what was sent to nobody's use.
#[test]
fn a_deadlock_names_who_waits_for_which_message() {
    let report = Builder::new().name("actor-deadlock").explore(|| {
        let server = actor::spawn("server", |inbox: Inbox<Lock>| {
            inbox.receive_if(|request| matches!(request, Lock::Release));
        });
        let (me, inbox) = actor::mailbox("main");
        server.send(Lock::Acquire(me));
        inbox.receive();
    });
    let bug = report.bug.as_ref().expect("a deadlock");
    assert_eq!(bug.kind, BugKind::Deadlock);
    let waits: Vec<_> = bug.waits.iter().map(|wait| (wait.operation.as_str(), wait.because.as_str())).collect();
    assert_eq!(
        waits,
        [("receive", "its mailbox is empty"), ("receive", "nothing in its mailbox matches: Acquire(main) from 'main'")]
    );
    assert_eq!(bug.unreceived.len(), 1);
    assert_eq!(bug.unreceived[0].message, "Acquire(main)");
    let text = render(&report, Style { color: false, width: 100 });
    assert!(text.contains("send Acquire(main) to server"), "{text}");
    assert!(text.contains("never received: Acquire(main) from 'main' to 'server', sent at"), "{text}");
}

#[test]
fn a_report_says_who_received_what_from_whom() {
    let report = Builder::new().name("actor-wording").explore(|| {
        let sum = senders(2, |inbox| {
            let first = inbox.receive();
            first + 10 * inbox.receive_timeout(SOON).unwrap_or(9)
        });
        assert_ne!(sum, 91);
    });
    let text = render(&report, Style { color: false, width: 120 });
    assert!(text.contains("send 1 to receiver"), "{text}");
    assert!(text.contains("receive 1 from sender 1"), "{text}");
    assert!(text.contains("receive nothing: timed out"), "{text}");
}

#[test]
fn a_pattern_must_not_look_at_what_is_shared() {
    let bug = bug(|| {
        let limit = Arc::new(AtomicU32::new(1));
        let (me, inbox) = actor::mailbox("main");
        me.send(1);
        inbox.receive_if(move |&n| n == limit.load(SeqCst));
    });
    assert_eq!(bug.kind, BugKind::Misuse);
    assert!(bug.message.starts_with("`load` in the pattern of a receive"), "{}", bug.message);
}

#[test]
fn a_panic_in_a_process_is_a_failure() {
    panics_with("unwanted", || {
        actor::spawn("fragile", |inbox: Inbox<u8>| assert_ne!(inbox.receive(), 3, "unwanted")).send(3);
    });
}

/// A loop that polls is explored as one that waits.
#[test]
fn polling_is_waiting() {
    let seen = outcomes_small(|| {
        senders(2, |inbox| {
            loop {
                match inbox.receive_if_timeout(|n| *n == 1, Duration::ZERO) {
                    Some(n) => return (n, inbox.receive()),
                    None => everyway::hint::spin_loop(),
                }
            }
        })
    });
    assert_eq!(seen, BTreeSet::from([(1, 0)]));
}

#[test]
fn an_inbox_can_be_handed_on() {
    let seen = outcomes_small(|| {
        let (me, inbox) = actor::mailbox("main");
        let theirs = me.clone();
        let sender = thread::spawn(move || theirs.send(2));
        me.send(1);
        let first = inbox.receive();
        let second = thread::spawn(move || inbox.receive()).join().unwrap();
        sender.join().unwrap();
        (first, second)
    });
    assert_eq!(seen, BTreeSet::from([(1, 2), (2, 1)]));
}

#[test]
fn a_mailbox_of_an_execution_is_of_no_use_elsewhere() {
    let kept = std::sync::Mutex::new(Vec::new());
    let report = everyway::explore(|| kept.lock().unwrap().push(actor::mailbox::<u8>("kept")));
    assert_eq!(report.verdict, Verdict::Verified);
    let (address, inbox) = kept.into_inner().unwrap().pop().unwrap();
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| address.send(1))).is_err());
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| inbox.receive())).is_err());
    let outside = actor::mailbox::<u8>("outside");
    outside.0.send(1);
    let inbox = std::sync::Mutex::new(outside.1);
    panics_with("made outside of the model", || while inbox.lock().unwrap().receive() > 0 {});
}
