//! A lock that is a process: a worker that wants it sends a request, and waits for the answer. The broken server takes any
//! message that arrives after it has granted the lock for its release: the request of another worker gets lost, and a
//! release that arrives later is taken for that of the next holder. The correct one receives selectively, and leaves
//! requests in its mailbox until the lock is released.

use everyway::actor::{self, Address, Inbox};
use everyway::render::text::plain;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicBool, Ordering::SeqCst};

#[derive(Debug)]
enum Request {
    Acquire(Address<Granted>),
    Release,
}

#[derive(Debug)]
struct Granted;

/// Gives the lock to one worker after the other.
fn serve(inbox: &Inbox<Request>, workers: u32, selective: bool) {
    for _ in 0..workers {
        let Request::Acquire(worker) = inbox.receive_if(|request| matches!(request, Request::Acquire(_))) else {
            unreachable!("nothing else matches")
        };
        worker.send(Granted);
        if selective {
            inbox.receive_if(|request| matches!(request, Request::Release));
        } else {
            // The bug: this may be another worker's request.
            inbox.receive();
        }
    }
}

fn work(inbox: &Inbox<Granted>, server: &Address<Request>, occupied: &AtomicBool) {
    server.send(Request::Acquire(inbox.address()));
    let Granted = inbox.receive();
    assert!(!occupied.swap(true, SeqCst), "two workers have the lock");
    occupied.store(false, SeqCst);
    server.send(Request::Release);
}

fn workers_take_turns(workers: u32, selective: bool) {
    let server = actor::spawn("server", move |inbox| serve(&inbox, workers, selective));
    let occupied = Arc::new(AtomicBool::new(false));
    for number in 1..=workers {
        let (server, occupied) = (server.address().clone(), occupied.clone());
        actor::spawn(format!("worker {number}"), move |inbox| work(&inbox, &server, &occupied));
    }
    server.join().unwrap();
}

fn main() {
    println!("The server takes anything for a release:\n");
    println!("{}", plain(&everyway::explore(|| workers_take_turns(2, false))));
    println!("The server waits for the release:\n");
    println!("{}", plain(&everyway::explore(|| workers_take_turns(3, true))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn a_request_is_taken_for_a_release() {
        let report = everyway::explore(|| workers_take_turns(2, false));
        let bug = report.bug.expect("the bug is found");
        assert_eq!(bug.kind, BugKind::Deadlock);
        // The worker whose request was lost, and the server, which waits for it to ask.
        assert!(bug.waits.iter().any(|wait| wait.because == "its mailbox is empty"), "{:?}", bug.waits);
    }

    #[everyway::test]
    fn one_worker_at_a_time() {
        workers_take_turns(3, true);
    }
}
