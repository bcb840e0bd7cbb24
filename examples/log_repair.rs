//! A shared log whose entries are written once and kept by a chain of replicas, and the repair of an entry, after
//! CORFU. A writer stores its value at the first replica, then at the second one, and so on: the first writer at the
//! first replica has written the entry. If a writer may have died on its way, the entry is repaired: the value of the
//! first replica is stored at all others at once; if it has none, the entry is filled with junk. In the broken version the
//! repairer asks all replicas and trusts the last one: if that has nothing, it fills the entry with junk everywhere. It
//! overwrites nothing, but the replicas differ.
//!
//! The repairer waits for the answers of all replicas one after the other. The order in which they arrive makes no
//! difference, which `observers` takes into account: this and `lock_server` are the programs where it explores far
//! less.

use everyway::actor::{self, Address, Inbox};
use everyway::render::text::plain;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Value(u32),
    Junk,
}

#[derive(Debug)]
enum Request {
    Read(Address<Answer>),
    Write(Entry, Address<Answer>),
    Stop,
}

/// What a replica has, after it has done what it was asked for.
#[derive(Debug)]
struct Answer {
    replica: usize,
    entry: Option<Entry>,
}

/// A replica: what it has in the end.
fn replica(number: usize, inbox: &Inbox<Request>) -> Option<Entry> {
    let mut entry = None;
    loop {
        let asker = match inbox.receive() {
            Request::Read(asker) => asker,
            Request::Write(new, asker) => {
                entry.get_or_insert(new);
                asker
            }
            Request::Stop => return entry,
        };
        asker.send(Answer { replica: number, entry });
    }
}

/// The answer of one replica, whatever others have sent.
fn answer_of(number: usize, inbox: &Inbox<Answer>) -> Option<Entry> {
    inbox.receive_if(move |answer| answer.replica == number).entry
}

/// Writes to one replica after the other, unless another writer was faster.
fn write(value: Entry, replicas: &[Address<Request>], inbox: &Inbox<Answer>) {
    for (number, replica) in replicas.iter().enumerate() {
        replica.send(Request::Write(value, inbox.address()));
        if answer_of(number, inbox) != Some(value) {
            return;
        }
    }
}

/// Which replica tells whether there is something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trusted {
    First,
    Last,
}

/// Makes all replicas have the same.
fn repair(trusted: Trusted, replicas: &[Address<Request>], inbox: &Inbox<Answer>) {
    replicas.iter().for_each(|replica| replica.send(Request::Read(inbox.address())));
    let entries: Vec<Option<Entry>> = (0..replicas.len()).map(|number| answer_of(number, inbox)).collect();
    let (start, entry) = match trusted {
        Trusted::First => {
            // If there was nothing, there may be something by now.
            replicas[0].send(Request::Write(entries[0].unwrap_or(Entry::Junk), inbox.address()));
            (1, answer_of(0, inbox))
        }
        Trusted::Last => (0, entries[replicas.len() - 1]),
    };
    let entry = entry.unwrap_or(Entry::Junk);
    replicas[start..].iter().for_each(|replica| replica.send(Request::Write(entry, inbox.address())));
    (start..replicas.len()).for_each(|number| _ = answer_of(number, inbox));
}

/// An entry is written to a chain of replicas, and repaired at the same time.
pub(crate) fn write_and_repair(replicas: usize, trusted: Trusted) {
    let chain: Vec<_> = (0..replicas)
        .map(|number| actor::spawn(format!("replica {number}"), move |inbox| replica(number, &inbox)))
        .collect();
    let addresses: Vec<Address<Request>> = chain.iter().map(|replica| replica.address().clone()).collect();
    let writer = actor::spawn("writer", {
        let addresses = addresses.clone();
        move |inbox| write(Entry::Value(7), &addresses, &inbox)
    });
    let repairer = actor::spawn("repairer", {
        let addresses = addresses.clone();
        move |inbox| repair(trusted, &addresses, &inbox)
    });
    writer.join().unwrap();
    repairer.join().unwrap();
    addresses.iter().for_each(|replica| replica.send(Request::Stop));
    let entries: Vec<Option<Entry>> = chain.into_iter().map(|replica| replica.join().unwrap()).collect();
    assert!(entries.iter().all(|entry| entry.is_some() && *entry == entries[0]), "the replicas differ: {entries:?}");
}

fn main() {
    println!("The last replica is trusted:\n");
    println!("{}", plain(&everyway::explore(|| write_and_repair(3, Trusted::Last))));
    println!("The first replica is trusted:\n");
    println!("{}", plain(&everyway::explore(|| write_and_repair(3, Trusted::First))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::{Algorithm, Builder};

    fn executions(replicas: usize, algorithm: Algorithm) -> u64 {
        let report = Builder::new().algorithm(algorithm).explore(move || write_and_repair(replicas, Trusted::First));
        assert!(report.bug.is_none(), "{:?}", report.bug);
        report.executions.complete + report.executions.blocked
    }

    #[test]
    fn replicas_differ_if_the_last_one_is_trusted() {
        let report = everyway::explore(|| write_and_repair(3, Trusted::Last));
        assert!(report.bug.is_some());
    }

    /// Answers arrive at the repairer in n! orders when it asks, and in (n-1)! when it writes: with more replicas,
    /// `observers` gains more and more.
    #[test]
    fn the_order_of_answers_does_not_count_with_observers() {
        let gain = |replicas| executions(replicas, Algorithm::Optimal) / executions(replicas, Algorithm::Observers);
        assert!(gain(3) > 5, "{}", gain(3));
        assert!(gain(4) > 20, "{}", gain(4));
    }
}
