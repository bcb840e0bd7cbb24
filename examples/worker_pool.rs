//! A pool that lends its workers to clients. A client that has waited too long gives up; but the pool may already have
//! lent it a worker, in a message that the client will not read. In the broken version the worker never comes back. In
//! the correct one, a client that gives up says so, and the pool takes the worker back, or forgets the request.

use everyway::actor::{self, Address, Inbox};
use everyway::render::text::plain;
use std::collections::VecDeque;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Worker(u32);

#[derive(Debug)]
enum Request {
    CheckOut(Address<Worker>),
    CheckIn(Worker),
    Cancel(Address<Worker>),
    Close,
}

#[derive(Default)]
struct Pool {
    free: Vec<Worker>,
    lent: Vec<(Address<Worker>, Worker)>,
    waiting: VecDeque<Address<Worker>>,
}

impl Pool {
    /// Lends workers until the pool is closed; how many are there then.
    fn run(mut self, inbox: &Inbox<Request>) -> usize {
        loop {
            match inbox.receive() {
                Request::CheckOut(client) => self.waiting.push_back(client),
                Request::CheckIn(worker) => self.take_back(worker),
                Request::Cancel(client) => match self.lent.iter().find(|(borrower, _)| *borrower == client) {
                    Some(&(_, worker)) => self.take_back(worker),
                    None => self.waiting.retain(|waiting| *waiting != client),
                },
                Request::Close => return self.free.len(),
            }
            self.lend();
        }
    }

    fn take_back(&mut self, worker: Worker) {
        self.lent.retain(|(_, lent)| *lent != worker);
        self.free.push(worker);
    }

    fn lend(&mut self) {
        while !self.free.is_empty()
            && let Some(client) = self.waiting.pop_front()
            && let Some(worker) = self.free.pop()
        {
            self.lent.push((client.clone(), worker));
            client.send(worker);
        }
    }
}

/// Borrows a worker for a moment, if there is one soon.
fn borrow_one(inbox: &Inbox<Worker>, pool: &Address<Request>, cancels: bool) {
    pool.send(Request::CheckOut(inbox.address()));
    match inbox.receive_timeout(Duration::from_millis(100)) {
        Some(worker) => pool.send(Request::CheckIn(worker)),
        None if cancels => pool.send(Request::Cancel(inbox.address())),
        // The bug: a worker may be on its way.
        None => {}
    }
}

fn clients_share_a_worker(cancels: bool) {
    let pool = actor::spawn("pool", |inbox| Pool { free: vec![Worker(1)], ..Pool::default() }.run(&inbox));
    let clients = [1, 2].map(|number| {
        let pool = pool.address().clone();
        actor::spawn(format!("client {number}"), move |inbox| borrow_one(&inbox, &pool, cancels))
    });
    for client in clients {
        client.join().unwrap();
    }
    pool.send(Request::Close);
    assert_eq!(pool.join().unwrap(), 1, "a worker has not come back");
}

fn main() {
    println!("A client that has waited too long goes away:\n");
    println!("{}", plain(&everyway::explore(|| clients_share_a_worker(false))));
    println!("It says so:\n");
    println!("{}", plain(&everyway::explore(|| clients_share_a_worker(true))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn a_worker_is_lost() {
        let report = everyway::explore(|| clients_share_a_worker(false));
        let bug = report.bug.expect("the bug is found");
        assert_eq!(bug.kind, BugKind::Panic);
        assert!(bug.message.contains("a worker has not come back"), "{}", bug.message);
    }

    #[everyway::test]
    fn every_worker_comes_back() {
        clients_share_a_worker(true);
    }
}
