//! Processes that send messages, TACAS 2018, Table 2: closures, which are explored in this process.

use crate::command::Measured;
use everyway::actor::{self, Address, Inbox, Process};
use everyway::report::Verdict;
use everyway::{Algorithm, Builder};
use std::time::{Duration, Instant};

#[path = "../../../examples/chain_replication.rs"]
#[allow(dead_code, reason = "what it prints is for those who run it as an example")]
mod chain_replication;

#[path = "../../../examples/log_repair.rs"]
#[allow(dead_code, reason = "what it prints is for those who run it as an example")]
mod log_repair;

/// A program of processes, with its parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Processes {
    /// n processes send to one that takes what comes.
    NotSelective(u64),
    /// It takes the first's message first, then the second's, and so on.
    Selective(u64),
    /// n workers take and release a lock that is a process.
    Lock(u64),
    /// So many pairs of workers, each with a lock of its own that is a process.
    Pairs(u64),
    /// A chain of replicas whose middle fails while so many writes are on their way.
    Chain(u32),
    /// An entry of a log with so many replicas is written and repaired at once.
    Repair(usize),
}

#[derive(Debug)]
enum Request {
    Acquire(Address<()>),
    Release,
}

impl Processes {
    /// Explores all executions, for as long as it may take.
    pub(crate) fn measure(self, algorithm: Algorithm, limit: Option<Duration>) -> Measured {
        let started = Instant::now();
        let mut builder = Builder::new().algorithm(algorithm);
        if let Some(limit) = limit {
            builder = builder.max_time(limit);
        }
        let report = builder.explore(|| self.run());
        Measured {
            is_finished: report.verdict == Verdict::Verified,
            complete: report.executions.complete,
            blocked: report.executions.blocked,
            redundant: report.executions.redundant + report.executions.failed,
            seconds: started.elapsed().as_secs_f64(),
            mebibytes: None,
            solver: None,
            beside: Vec::new(),
        }
    }

    fn run(self) {
        match self {
            Self::NotSelective(n) => senders(n, |inbox| (0..n).for_each(|_| _ = inbox.receive())),
            Self::Selective(n) => senders(n, |inbox| (0..n).for_each(|i| _ = inbox.receive_if(move |m| *m == i))),
            Self::Lock(n) => join(lock(n)),
            Self::Pairs(n) => (0..n).map(|_| lock(2)).collect::<Vec<_>>().into_iter().for_each(join),
            Self::Chain(writes) => chain_replication::repair(writes, true),
            Self::Repair(replicas) => log_repair::write_and_repair(replicas, log_repair::Trusted::First),
        }
    }
}

fn senders(n: u64, receive: impl FnOnce(&Inbox<u64>)) {
    let (receiver, inbox) = actor::mailbox("receiver");
    for i in 0..n {
        let receiver = receiver.clone();
        actor::spawn::<(), _, _>(format!("sender {i}"), move |_| receiver.send(i));
    }
    receive(&inbox);
}

/// Starts a lock and its workers: the process that is the lock.
fn lock(workers: u64) -> Process<Request, ()> {
    let server = actor::spawn("server", move |inbox: Inbox<Request>| {
        for _ in 0..workers {
            if let Request::Acquire(worker) = inbox.receive_if(|request| matches!(request, Request::Acquire(_))) {
                worker.send(());
            }
            inbox.receive_if(|request| matches!(request, Request::Release));
        }
    });
    for number in 0..workers {
        let server = server.address().clone();
        actor::spawn(format!("worker {number}"), move |inbox| {
            server.send(Request::Acquire(inbox.address()));
            inbox.receive();
            server.send(Request::Release);
        });
    }
    server
}

fn join(server: Process<Request, ()>) {
    server.join().expect("the server does not panic");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observers_see_the_order_of_acquisitions_only() {
        let found = Processes::Lock(3).measure(Algorithm::Observers, None);
        assert!(found.is_finished);
        assert_eq!((found.complete, found.blocked, found.redundant), (6, 0, 0));
        // Without observers, the release of a lock and a request for it are in a race.
        let found = Processes::Pairs(2).measure(Algorithm::Optimal, None);
        assert_eq!((found.complete, found.blocked, found.redundant), (16, 0, 0));
        let found = Processes::Selective(4).measure(Algorithm::Observers, None);
        assert_eq!(found.complete, 1);
    }
}
