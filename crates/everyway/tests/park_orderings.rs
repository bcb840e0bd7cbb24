//! What parking orders, and what a park with a timeout may miss: as an atomic with std's orderings has it, which is written
//! here with everyway's atomics and found to come to the same in random programs, under every memory model.
//!
//! In std all that is done to a token is a read-modify-write, a park that gives up included: it never finds an older state
//! than it leaves to those who come after it.

#![cfg(feature = "model")]

mod support;

use everyway::MemoryModel::{Pso, Rc11, Sc, Tso};
use everyway::sync::Arc;
use everyway::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use everyway::sync::atomic::{AtomicU32, Ordering};
use everyway::thread;
use std::collections::BTreeSet;
use std::time::Duration;
use support::outcomes_under;

/// How many random programs are tried.
const ROUNDS: u32 = 300;

/// The tokens of two threads, each of which knows the other.
trait Tokens: Send + 'static {
    /// The calling thread takes its token, or gives up.
    fn park_timeout(&self);
    /// The other thread is given its token.
    fn unpark(&self);
}

/// The other thread.
struct Types(thread::Thread);

impl Tokens for Types {
    fn park_timeout(&self) {
        thread::park_timeout(Duration::ZERO);
    }

    fn unpark(&self) {
        self.0.unpark();
    }
}

const EMPTY: u32 = 0;
const NOTIFIED: u32 = 1;

/// The tokens, that of the calling thread first.
struct Atomics([Arc<AtomicU32>; 2]);

impl Tokens for Atomics {
    fn park_timeout(&self) {
        if self.0[0].fetch_sub(1, Acquire) != NOTIFIED {
            self.0[0].swap(EMPTY, Acquire);
        }
    }

    fn unpark(&self) {
        self.0[1].swap(NOTIFIED, Release);
    }
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    ParkTimeout,
    Unpark,
    Raise(usize, Ordering),
    IsRaised(usize),
}

fn perform(tokens: &impl Tokens, flags: &[AtomicU32; 2], operation: Operation) -> u32 {
    match operation {
        Operation::ParkTimeout => tokens.park_timeout(),
        Operation::Unpark => tokens.unpark(),
        Operation::Raise(n, ordering) => flags[n].store(1, ordering),
        Operation::IsRaised(n) => return flags[n].load(Relaxed),
    }
    0
}

type Program = [Vec<Operation>; 2];

fn run(tokens: &impl Tokens, flags: &[AtomicU32; 2], operations: &[Operation]) -> Vec<u32> {
    operations.iter().map(|&operation| perform(tokens, flags, operation)).collect()
}

/// What two threads find that take these steps.
fn with_types([mine, theirs]: &Program) -> [Vec<u32>; 2] {
    let flags = Arc::new(<[AtomicU32; 2]>::default());
    let (main, their_flags, theirs) = (Types(thread::current()), flags.clone(), theirs.clone());
    let thread = thread::spawn(move || run(&main, &their_flags, &theirs));
    let found = run(&Types(thread.thread().clone()), &flags, mine);
    [found, thread.join().unwrap()]
}

fn with_atomics([mine, theirs]: &Program) -> [Vec<u32>; 2] {
    let flags = Arc::new(<[AtomicU32; 2]>::default());
    let [one, other] = <[Arc<AtomicU32>; 2]>::default();
    let (swapped, their_flags, theirs) = (Atomics([other.clone(), one.clone()]), flags.clone(), theirs.clone());
    let thread = thread::spawn(move || run(&swapped, &their_flags, &theirs));
    let found = run(&Atomics([one, other]), &flags, mine);
    [found, thread.join().unwrap()]
}

fn random_operation(random: &mut fastrand::Rng) -> Operation {
    let n = random.usize(..2);
    match random.u32(..12) {
        0..=2 => Operation::ParkTimeout,
        3..=5 => Operation::Unpark,
        6 | 7 => Operation::Raise(n, Relaxed),
        8 => Operation::Raise(n, Release),
        _ => Operation::IsRaised(n),
    }
}

#[test]
fn random_programs_come_to_what_an_atomic_comes_to() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut differ = 0;
    for round in 0..ROUNDS {
        let program = [(); 2].map(|()| (0..random.usize(2..=4)).map(|_| random_operation(&mut random)).collect());
        let [sc, _, _, rc11] = [Sc, Tso, Pso, Rc11].map(|model| {
            let found = outcomes_under(Some(model), || with_types(&program));
            let expected = outcomes_under(Some(model), || with_atomics(&program));
            assert_eq!(found, expected, "round {round} under {model}: {program:?}");
            found
        });
        differ += u32::from(sc != rc11);
    }
    assert!(differ > 0, "only {differ} programs show what is newest to be missed");
}

/// Each gives the other its token, and then looks for its own: not both are too late, since a park that gives up leaves
/// something that the other one reads.
#[test]
fn two_tokens_do_not_miss_each_other() {
    let program = || {
        let data = Arc::new(<[AtomicU32; 2]>::default());
        let meet = |tokens: &thread::Thread, data: &[AtomicU32; 2], me: usize| {
            data[me].store(1, Relaxed);
            tokens.unpark();
            thread::park_timeout(Duration::ZERO);
            data[1 - me].load(Relaxed)
        };
        let (main, theirs) = (thread::current(), data.clone());
        let thread = thread::spawn(move || meet(&main, &theirs, 1));
        let found = meet(thread.thread(), &data, 0);
        (found, thread.join().unwrap())
    };
    let one_or_both = BTreeSet::from([(0, 1), (1, 0), (1, 1)]);
    assert_eq!(outcomes_under(Some(Sc), program), one_or_both);
    assert_eq!(outcomes_under(None, program), one_or_both);
}
