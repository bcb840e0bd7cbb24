//! Chain replication, and its repair. Writes enter at the head of a chain of replicas and are passed on to its tail,
//! which acknowledges them to the client: every write that the client hears of is stored everywhere. When the replica
//! in the middle fails, the head is told to pass writes on to the tail. The broken version does only that, and writes
//! that were on their way through the middle are lost. The correct version sends again everything that the tail has not
//! confirmed; and the tail, which may now get a write twice, stores it once.

use everyway::actor::{self, Address, Inbox};
use everyway::render::text::plain;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Write(u32);

#[derive(Debug)]
enum ToHead {
    Store(Write),
    Confirm(Write),
    PassOnTo(Address<ToReplica>),
    Stop,
}

#[derive(Debug)]
enum ToReplica {
    Store(Write),
    Fail,
    Stop,
}

/// The head: all that it has stored.
fn head(inbox: &Inbox<ToHead>, mut next: Address<ToReplica>, sends_again: bool) -> Vec<Write> {
    let (mut stored, mut unconfirmed) = (Vec::new(), Vec::new());
    loop {
        match inbox.receive() {
            ToHead::Store(write) => {
                stored.push(write);
                unconfirmed.push(write);
                next.send(ToReplica::Store(write));
            }
            ToHead::Confirm(write) => unconfirmed.retain(|other| *other != write),
            ToHead::PassOnTo(replica) => {
                next = replica;
                if sends_again {
                    unconfirmed.iter().for_each(|&write| next.send(ToReplica::Store(write)));
                }
            }
            ToHead::Stop => return stored,
        }
    }
}

/// The middle: passes on what it stores, until it fails.
fn middle(inbox: &Inbox<ToReplica>, tail: &Address<ToReplica>) {
    while let message @ ToReplica::Store(_) = inbox.receive() {
        tail.send(message);
    }
}

/// The tail: all that it has stored.
fn tail(inbox: &Inbox<ToReplica>, head: &Address<ToHead>, client: &Address<Write>) -> Vec<Write> {
    let mut stored: Vec<Write> = Vec::new();
    while let ToReplica::Store(write) = inbox.receive() {
        if stored.last().is_none_or(|last| *last < write) {
            stored.push(write);
            client.send(write);
        }
        head.send(ToHead::Confirm(write));
    }
    stored
}

/// A client writes while the middle of the chain fails.
pub(crate) fn repair(writes: u32, sends_again: bool) {
    let (client, confirmations) = actor::mailbox("client");
    let (to_head, at_head) = actor::mailbox("head");
    let last = actor::spawn("tail", {
        let (head, client) = (to_head.clone(), client.clone());
        move |inbox| tail(&inbox, &head, &client)
    });
    let between = actor::spawn("middle", {
        let last = last.address().clone();
        move |inbox| middle(&inbox, &last)
    });
    let first = everyway::thread::Builder::new().name("head".to_owned()).spawn({
        let between = between.address().clone();
        move || head(&at_head, between, sends_again)
    });
    actor::spawn::<(), _, _>("coordinator", {
        let (head, tail, middle) = (to_head.clone(), last.address().clone(), between.address().clone());
        move |_| {
            middle.send(ToReplica::Fail);
            between.join().unwrap();
            head.send(ToHead::PassOnTo(tail));
        }
    });
    for number in 1..=writes {
        to_head.send(ToHead::Store(Write(number)));
    }
    for number in 1..=writes {
        assert_eq!(confirmations.receive(), Write(number), "writes are confirmed in another order");
    }
    to_head.send(ToHead::Stop);
    last.send(ToReplica::Stop);
    assert_eq!(first.unwrap().join().unwrap(), last.join().unwrap(), "the replicas differ");
}

fn main() {
    println!("The head passes on what comes:\n");
    println!("{}", plain(&everyway::explore(|| repair(2, false))));
    println!("The head also sends again what was not confirmed:\n");
    println!("{}", plain(&everyway::explore(|| repair(2, true))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn a_write_is_lost_with_the_middle() {
        let report = everyway::explore(|| repair(2, false));
        let bug = report.bug.expect("the bug is found");
        assert_eq!(bug.kind, BugKind::Deadlock);
        assert!(bug.unreceived.iter().any(|message| message.receiver == "'middle'"), "{:?}", bug.unreceived);
    }

    #[everyway::test]
    fn every_write_is_stored_everywhere() {
        repair(2, true);
    }
}
