//! Random programs over all the types: every strategy reaches the outcomes that trying all interleavings reaches,
//! and the number of executions under `optimal` does not depend on the order in which threads are tried. So does `graphs` under
//! RC11: every atomic access is `SeqCst`, and all else synchronises, so there is nothing but interleavings.

#![cfg(feature = "model")]

use everyway::report::Verdict;
use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
use everyway::sync::{Arc, Barrier, Condvar, Mutex, Once, OnceLock, RwLock, mpsc};
use everyway::{Algorithm, Builder, MemoryModel, Order, thread};
use std::collections::BTreeSet;
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
enum Operation {
    Add,
    CompareExchange,
    Lock,
    TryLock,
    Read,
    Write,
    TryRead,
    TryWrite,
    Wait,
    WaitTimeout,
    NotifyOne,
    NotifyAll,
    CallOnce,
    IsCompleted,
    Set,
    Get,
    GetOrInit,
    Meet,
    Lead,
    Send,
    SendBounded,
    TryReceive,
    Receive,
    ReceiveBounded,
}

use Operation::*;

impl Operation {
    /// Whether it may miss what was done.
    fn looks(self) -> bool {
        matches!(self, IsCompleted | Get)
    }
}

/// Operations that have something to do with each other.
const GROUPS: [&[Operation]; 8] = [
    &[Add, CompareExchange, Lock, TryLock],
    &[Read, Write, TryRead, TryWrite],
    &[Wait, WaitTimeout, NotifyOne, NotifyAll, Lock],
    &[CallOnce, IsCompleted, Add],
    &[Set, Get, GetOrInit, Add],
    &[Meet, Lead, Add],
    &[Send, TryReceive, Receive, Add],
    &[SendBounded, ReceiveBounded, SendBounded, Add],
];

struct Shared {
    number: AtomicU32,
    lock: Mutex<u32>,
    readers: RwLock<u32>,
    changed: Condvar,
    once: Once,
    cell: OnceLock<u32>,
    barrier: Barrier,
    channel: (mpsc::Sender<u32>, Mutex<mpsc::Receiver<u32>>),
    bounded: (mpsc::SyncSender<u32>, Mutex<mpsc::Receiver<u32>>),
}

impl Shared {
    fn new() -> Self {
        let (channel, bounded) = (mpsc::channel(), mpsc::sync_channel(1));
        Self {
            number: AtomicU32::new(0),
            lock: Mutex::new(0),
            readers: RwLock::new(0),
            changed: Condvar::new(),
            once: Once::new(),
            cell: OnceLock::new(),
            barrier: Barrier::new(2),
            channel: (channel.0, Mutex::new(channel.1)),
            bounded: (bounded.0, Mutex::new(bounded.1)),
        }
    }

    /// Carries out an operation of thread `me`, and returns what it saw.
    fn perform(&self, operation: Operation, me: u32) -> u32 {
        /// Makes what others see depend on who came when.
        fn mix(value: &mut u32, me: u32) -> u32 {
            *value = *value * 5 + me;
            *value
        }
        const BUSY: u32 = u32::MAX;
        match operation {
            Add => self.number.fetch_add(me, SeqCst),
            CompareExchange => self.number.compare_exchange(0, me, SeqCst, SeqCst).unwrap_or_else(|found| found),
            Lock => mix(&mut self.lock.lock().unwrap(), me),
            TryLock => self.lock.try_lock().map_or(BUSY, |mut value| mix(&mut value, me)),
            Read => *self.readers.read().unwrap(),
            Write => mix(&mut self.readers.write().unwrap(), me),
            TryRead => self.readers.try_read().map_or(BUSY, |value| *value),
            TryWrite => self.readers.try_write().map_or(BUSY, |mut value| mix(&mut value, me)),
            Wait => mix(&mut self.changed.wait(self.lock.lock().unwrap()).unwrap(), me),
            WaitTimeout => {
                let waited = self.changed.wait_timeout(self.lock.lock().unwrap(), Duration::ZERO);
                let (mut value, result) = waited.unwrap();
                mix(&mut value, me) * 2 + u32::from(result.timed_out())
            }
            NotifyOne => {
                self.changed.notify_one();
                0
            }
            NotifyAll => {
                self.changed.notify_all();
                0
            }
            CallOnce => {
                let mut seen = 0;
                self.once.call_once(|| seen = self.number.fetch_add(me, SeqCst) + 1);
                seen
            }
            IsCompleted => u32::from(self.once.is_completed()),
            Set => u32::from(self.cell.set(me).is_ok()),
            Get => self.cell.get().copied().unwrap_or(0),
            GetOrInit => *self.cell.get_or_init(|| me + self.number.load(SeqCst) * 10),
            Meet => {
                self.barrier.wait();
                0
            }
            Lead => u32::from(self.barrier.wait().is_leader()),
            Send => self.channel.0.send(me).map_or(1, |()| 0),
            SendBounded => self.bounded.0.send(me).map_or(1, |()| 0),
            TryReceive => self.channel.1.lock().unwrap().try_recv().unwrap_or(0),
            Receive => self.channel.1.lock().unwrap().recv().unwrap(),
            ReceiveBounded => self.bounded.1.lock().unwrap().recv().unwrap(),
        }
    }
}

/// What all threads saw, in every execution that came to its end.
type Outcomes = BTreeSet<Vec<Vec<u32>>>;

/// Explores the program; `None` if there are too many executions. Of one that can get stuck, only that is known.
fn explore(program: &[Vec<Operation>], algorithm: Algorithm, order: Order) -> Option<(Outcomes, u64)> {
    explore_by(program, Builder::new().algorithm(algorithm).order(order).memory_model(MemoryModel::Sc))
}

fn explore_by(program: &[Vec<Operation>], builder: Builder) -> Option<(Outcomes, u64)> {
    let outcomes = std::sync::Mutex::new(Outcomes::new());
    let report = builder.max_executions(20_000).explore(|| {
        let shared = Arc::new(Shared::new());
        let run = |(thread, operations): (usize, &Vec<Operation>)| {
            let (shared, operations) = (shared.clone(), operations.clone());
            let perform = move |operation| shared.perform(operation, thread as u32 + 1);
            thread::spawn(move || operations.into_iter().map(perform).collect::<Vec<_>>())
        };
        let threads: Vec<_> = program.iter().enumerate().map(run).collect();
        let seen = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        outcomes.lock().unwrap().insert(seen);
    });
    let outcomes = outcomes.into_inner().unwrap();
    match report.verdict {
        Verdict::Incomplete => None,
        Verdict::Verified => Some((outcomes, report.executions.complete)),
        Verdict::Bug => Some((BTreeSet::from([vec![]]), 0)),
    }
}

#[test]
fn every_strategy_reaches_the_same_outcomes() {
    let mut random = fastrand::Rng::with_seed(20);
    let mut compared = 0;
    for round in 0..150 {
        let group = GROUPS[random.usize(..GROUPS.len())];
        let threads = random.usize(2..=3);
        let length = if threads == 2 { 3 } else { 2 };
        let operations = |random: &mut fastrand::Rng| {
            (0..random.usize(1..=length)).map(|_| group[random.usize(..group.len())]).collect::<Vec<_>>()
        };
        let program: Vec<_> = (0..threads).map(|_| operations(&mut random)).collect();
        let Some((all, _)) = explore(&program, Algorithm::Naive, Order::Lowest) else { continue };
        compared += 1;
        for algorithm in [Algorithm::Classic, Algorithm::Source, Algorithm::Optimal, Algorithm::ReadsFrom] {
            let (found, _) = explore(&program, algorithm, Order::Lowest).expect("fewer than all interleavings");
            assert_eq!(found, all, "round {round}, {algorithm:?}: {program:?}");
        }
        for model in [MemoryModel::Sc, MemoryModel::Rc11] {
            let graphs = Builder::new().algorithm(Algorithm::Graphs { model }).memory_model(model);
            let (found, _) = explore_by(&program, graphs).expect("fewer than all interleavings");
            // A look may miss what was done only if orderings count.
            let misses = model == MemoryModel::Rc11 && program.iter().flatten().any(|operation| operation.looks());
            let is_right = if misses { found.is_superset(&all) } else { found == all };
            assert!(is_right, "round {round}, graphs under {model}: {program:?}: {found:?} instead of {all:?}");
        }
        let counts = [Order::Lowest, Order::Highest, Order::Random(round)]
            .map(|order| explore(&program, Algorithm::Optimal, order).expect("fewer than all").1);
        assert!(counts.iter().all(|count| *count == counts[0]), "round {round}: {counts:?} {program:?}");
    }
    assert!(compared > 100, "only {compared} programs were small enough to compare");
}
