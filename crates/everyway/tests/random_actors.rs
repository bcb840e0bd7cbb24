//! Random processes that send and receive: what they can receive under `optimal` and `observers` is what they can
//! receive in all interleavings.

#![cfg(feature = "model")]

use everyway::actor::{self, Address};
use everyway::report::Verdict;
use everyway::{Algorithm, Builder, Order};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;

/// Who sent it, and what.
type Message = (usize, u8);

#[derive(Clone, Copy, Debug)]
enum Step {
    Send { to: usize, tag: u8 },
    Receive(Pattern),
    ReceiveOrGiveUp(Pattern),
}

#[derive(Clone, Copy, Debug)]
enum Pattern {
    Anything,
    Tag(u8),
    From(usize),
    /// Not the tag that came last.
    Another,
}

impl Pattern {
    fn matches(self, (sender, tag): Message, last: Option<Message>) -> bool {
        match self {
            Pattern::Anything => true,
            Pattern::Tag(wanted) => tag == wanted,
            Pattern::From(wanted) => sender == wanted,
            Pattern::Another => last.is_none_or(|(_, last)| tag != last),
        }
    }
}

type Program = Vec<Vec<Step>>;

fn random(seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let processes = random.usize(2..=4);
    let most = if processes == 4 { 2 } else { 3 };
    let step = |random: &mut Rng| {
        let pattern = match random.u8(0..6) {
            0 | 1 => Pattern::Anything,
            2 | 3 => Pattern::Tag(random.u8(0..2)),
            4 => Pattern::From(random.usize(0..processes)),
            _ => Pattern::Another,
        };
        match random.u8(0..8) {
            // Most go to one process, so that senders meet.
            0..=2 => Step::Send { to: 0, tag: random.u8(0..2) },
            3 => Step::Send { to: random.usize(0..processes), tag: random.u8(0..2) },
            4 | 5 => Step::Receive(pattern),
            _ => Step::ReceiveOrGiveUp(pattern),
        }
    };
    (0..processes).map(|_| (0..random.usize(1..=most)).map(|_| step(&mut random)).collect()).collect()
}

/// What each process has received or not.
type Outcome = Vec<Vec<Option<Message>>>;

/// Runs the processes, and notes what they receive.
fn run(program: &Program, outcome: &'static Mutex<Outcome>) {
    *outcome.lock().unwrap() = vec![Vec::new(); program.len()];
    let mailboxes: Vec<_> = (0..program.len()).map(|number| actor::mailbox::<Message>(number.to_string())).collect();
    let addresses: Vec<Address<Message>> = mailboxes.iter().map(|(address, _)| address.clone()).collect();
    for (number, ((_, inbox), steps)) in mailboxes.into_iter().zip(program.clone()).enumerate() {
        let addresses = addresses.clone();
        let body = move |_| {
            let mut last = None;
            for step in steps {
                let received = match step {
                    Step::Send { to, tag } => {
                        addresses[to].send((number, tag));
                        continue;
                    }
                    Step::Receive(Pattern::Anything) => Some(inbox.receive()),
                    Step::Receive(pattern) => Some(inbox.receive_if(move |&message| pattern.matches(message, last))),
                    Step::ReceiveOrGiveUp(pattern) => {
                        inbox.receive_if_timeout(move |&message| pattern.matches(message, last), Duration::ZERO)
                    }
                };
                last = received.or(last);
                outcome.lock().unwrap()[number].push(received);
            }
        };
        // A process that waits for ever is none of our business.
        actor::spawn::<(), _, _>(format!("process {number}"), body).detach();
    }
}

/// What comes of `program`, and in how many executions.
fn explore(program: &Program, algorithm: Algorithm, order: Order) -> (BTreeSet<Outcome>, u64) {
    let outcome: &'static Mutex<Outcome> = Box::leak(Box::new(Mutex::new(Vec::new())));
    let outcomes = Mutex::new(BTreeSet::new());
    let keep = || _ = outcomes.lock().unwrap().insert(std::mem::take(&mut *outcome.lock().unwrap()));
    let report = Builder::new().algorithm(algorithm).order(order).explore(|| {
        // That of the execution before.
        keep();
        run(program, outcome);
    });
    keep();
    assert_eq!(report.verdict, Verdict::Verified, "{report:#?}\n{program:?}");
    assert_eq!(report.executions.redundant, 0, "{program:?}");
    let mut outcomes = outcomes.into_inner().unwrap();
    outcomes.remove(&Vec::new());
    (outcomes, report.executions.all())
}

#[test]
fn all_outcomes_are_found() {
    const PROGRAMS: u64 = 120;
    let mut with_races = 0;
    for seed in 0..PROGRAMS {
        let program = random(seed);
        let (all, _) = explore(&program, Algorithm::Naive, Order::Lowest);
        with_races += u64::from(all.len() > 1);
        let (optimal, executions) = explore(&program, Algorithm::Optimal, Order::Random(seed));
        assert_eq!(optimal, all, "optimal, seed {seed}: {program:?}");
        for order in [Order::Lowest, Order::Highest] {
            let (observed, fewer) = explore(&program, Algorithm::Observers, order);
            assert_eq!(observed, all, "observers, seed {seed}: {program:?}");
            assert!(fewer <= executions, "{fewer} executions under observers, {executions} under optimal: {program:?}");
        }
    }
    assert!(with_races > PROGRAMS / 4, "only {with_races} of {PROGRAMS} programs have several outcomes");
}
