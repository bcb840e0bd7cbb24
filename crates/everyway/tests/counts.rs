//! Programs of the papers, with their numbers of executions, whichever thread is tried first.
//!
//! Waiting for threads does not add executions, so most programs here do, where the papers' do not.

#![cfg(feature = "model")]

mod support;

use everyway::hint::spin_loop;
use everyway::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Barrier, Mutex};
use everyway::thread;
use everyway::{Algorithm, Builder, Order};
use support::{executions, verified};

/// Runs `f(0)`, `f(1)`, ... in `n` threads at once.
fn together(n: usize, f: impl Fn(usize) + Sync) {
    let f = &f;
    thread::scope(|scope| (0..n).for_each(|i| drop(scope.spawn(move || f(i)))));
}

fn zeros(n: usize) -> Vec<AtomicUsize> {
    (0..n).map(|_| AtomicUsize::new(0)).collect()
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// JACM, Fig. 1 for two readers. Each comes before or after the write.
#[test]
fn readers() {
    for n in 1..=8 {
        let count = executions(|| {
            let (x, slots) = (AtomicUsize::new(0), zeros(n));
            together(n + 1, |i| match i.checked_sub(1) {
                None => x.store(1, SeqCst),
                Some(reader) => drop((slots[reader].load(SeqCst), x.load(SeqCst))),
            });
        });
        assert_eq!(count, 1 << n);
    }
}

/// JACM, Fig. 11.
#[test]
fn lastzero() {
    for (n, expected) in [(5, 64), (10, 3328)] {
        let count = executions(|| {
            let array = zeros(n + 1);
            together(n + 1, |j| match j {
                0 => {
                    let mut i = n;
                    while array[i].load(SeqCst) != 0 {
                        i -= 1;
                    }
                }
                _ => array[j].store(array[j - 1].load(SeqCst) + 1, SeqCst),
            });
        });
        assert_eq!(count, expected);
    }
}

/// JACM, Fig. 10: only one of a group's five executions starts the next group, so there are four and the next
/// group's for each, as in Table 1. That is if `s` reads `y` only if it has read that `z` is 1; as printed, there are six.
#[test]
fn groups() {
    #[derive(Default)]
    struct Group {
        x: AtomicUsize,
        y: AtomicUsize,
        z: AtomicUsize,
    }
    fn start(groups: &Arc<Vec<Group>>, i: usize) {
        let run = |f: fn(&Group)| {
            let groups = groups.clone();
            thread::spawn(move || f(&groups[i]));
        };
        run(|group| group.y.store(1, SeqCst));
        run(|group| {
            if group.y.load(SeqCst) == 0 {
                group.z.store(1, SeqCst);
            }
        });
        run(|group| {
            if group.z.load(SeqCst) == 1 && group.y.load(SeqCst) == 0 {
                group.x.store(1, SeqCst);
            }
        });
    }
    for n in 1..=6 {
        let count = executions(|| {
            let groups: Arc<Vec<Group>> = Arc::new((0..n).map(|_| Group::default()).collect());
            start(&groups, 0);
            for i in 0..n {
                let groups = groups.clone();
                thread::spawn(move || {
                    if groups[i].x.load(SeqCst) == 1 && i + 1 < n {
                        start(&groups, i + 1);
                    }
                });
            }
        });
        assert_eq!(count, 4 * n as u64 + 1);
    }
}

/// JACM, Fig. 12: two additions that conflict, of which one waits for `n` others that conflict with each other.
/// Arrivals at the barrier commute.
#[test]
fn wakeup_stress() {
    for n in 1..=5 {
        let count = executions(|| {
            let (one, two, barrier) = (AtomicUsize::new(0), AtomicUsize::new(0), Barrier::new(n + 1));
            together(n + 2, |i| {
                if i == 0 {
                    one.fetch_add(1, SeqCst);
                } else if i <= n {
                    two.fetch_add(1, SeqCst);
                    barrier.wait();
                } else {
                    barrier.wait();
                    one.fetch_add(1, SeqCst);
                }
            });
        });
        assert_eq!(count, 2 * factorial(n as u64));
    }
}

/// Threads insert into a hash table; the first collisions are with twelve of them.
fn indexer_program(n: usize, touch_first: bool) {
    let table = zeros(128);
    if touch_first {
        table.iter().for_each(|slot| _ = slot.load(SeqCst));
    }
    together(n, |tid| {
        for m in 1..=4 {
            let w = m * 11 + tid;
            let mut h = (w * 7) % 128;
            while table[h].compare_exchange(0, w, SeqCst, SeqCst).is_err() {
                h = (h + 1) % 128;
            }
        }
    });
}

#[test]
fn indexer() {
    for (n, expected) in [(11, 1), (12, 8), (13, 64)] {
        assert_eq!(executions(|| indexer_program(n, true)), expected);
        assert_eq!(executions(|| indexer_program(n, false)), expected);
    }
}

/// Threads allocate blocks for inodes; the first collisions are with fourteen of them.
fn filesystem_program(n: usize) {
    const INODES: usize = 32;
    const BLOCKS: usize = 26;
    let inodes: Vec<Mutex<usize>> = (0..INODES).map(|_| Mutex::new(0)).collect();
    let busy: Vec<Mutex<bool>> = (0..BLOCKS).map(|_| Mutex::new(false)).collect();
    together(n, |tid| {
        let i = tid % INODES;
        let mut inode = inodes[i].lock().unwrap();
        let mut b = (i * 2) % BLOCKS;
        while *inode == 0 {
            let mut block = busy[b].lock().unwrap();
            if !*block {
                *block = true;
                *inode = b + 1;
            }
            drop(block);
            b = (b + 1) % BLOCKS;
        }
    });
}

#[test]
fn filesystem() {
    for (n, expected) in [(13, 1), (14, 2), (16, 8), (18, 32)] {
        assert_eq!(executions(|| filesystem_program(n)), expected);
    }
}

/// JACM, Table 3: source sets start as few executions as wakeup trees.
#[test]
fn source_sets_are_optimal_for_filesystem_and_indexer() {
    let source = |program: &(dyn Fn() + Sync)| {
        let executions = Builder::new().algorithm(Algorithm::Source).explore(program).executions;
        (executions.complete, executions.redundant)
    };
    for (n, expected) in [(14, 2), (16, 8), (18, 32), (19, 64)] {
        assert_eq!(source(&|| filesystem_program(n)), (expected, 0));
    }
    for (n, expected) in [(12, 8), (15, 4096)] {
        assert_eq!(source(&|| indexer_program(n, false)), (expected, 0));
    }
}

#[test]
fn lastwrite_and_floating_read() {
    let lastwrite = executions(|| {
        let x = AtomicUsize::new(0);
        together(4, |i| x.store(i, SeqCst));
        x.load(SeqCst);
    });
    assert_eq!(lastwrite, 24);
    let floating_read = executions(|| {
        let x = AtomicUsize::new(0);
        together(5, |i| match i {
            0 => _ = x.load(SeqCst),
            _ => x.store(i, SeqCst),
        });
    });
    assert_eq!(floating_read, 120);
}

/// OOPSLA 2019, Fig. 1.
#[test]
fn two_threads_store_and_load() {
    let count = executions(|| {
        let x = AtomicUsize::new(0);
        together(2, |i| {
            x.store(i, SeqCst);
            x.load(SeqCst);
        });
    });
    assert_eq!(count, 4);
}

#[test]
fn sigma() {
    let n = 5;
    let count = executions(|| {
        let (index, array) = (AtomicI64::new(-1), zeros(n));
        thread::scope(|scope| {
            for _ in 0..n {
                index.store(index.load(SeqCst) + 1, SeqCst);
                scope.spawn(|| array[index.load(SeqCst) as usize].store(1, SeqCst));
            }
        });
    });
    assert_eq!(count, 945);
}

#[test]
fn casrot() {
    let count = executions(|| {
        let x = AtomicUsize::new(0);
        together(8, |i| assert_ne!(x.compare_exchange(i, i + 1, SeqCst, SeqCst), Ok(i + 1)));
    });
    assert_eq!(count, 2048);
}

#[test]
fn fib_bench() {
    let n = 2;
    let count = executions(|| {
        let shared = Arc::new((AtomicUsize::new(1), AtomicUsize::new(1)));
        let (one, two) = (shared.clone(), shared.clone());
        thread::spawn(move || (0..n).for_each(|_| one.0.store(one.0.load(SeqCst) + one.1.load(SeqCst), SeqCst)));
        thread::spawn(move || (0..n).for_each(|_| two.1.store(two.1.load(SeqCst) + two.0.load(SeqCst), SeqCst)));
        // The sixth Fibonacci number.
        assert!(shared.0.load(SeqCst) <= 8 && shared.1.load(SeqCst) <= 8);
    });
    assert_eq!(count, 140);
}

/// Two threads take one lock `n` times each: as many executions as there are ways to merge two lists of `n`.
#[test]
fn circular_buffer() {
    #[derive(Default)]
    struct Buffer {
        ring: [u32; 10],
        first: usize,
        next: usize,
        value: u32,
        receive: bool,
    }
    for (n, expected) in [(4, 70), (7, 3432)] {
        let count = executions(|| {
            let buffer = Mutex::new(Buffer::default());
            thread::scope(|scope| {
                scope.spawn(|| {
                    for i in 0..n {
                        let mut buffer = buffer.lock().unwrap();
                        if !buffer.receive {
                            let next = buffer.next;
                            buffer.ring[next] = i;
                            buffer.next = (next + 1) % 10;
                            buffer.value = i;
                            buffer.receive = true;
                        }
                    }
                });
                scope.spawn(|| {
                    for _ in 0..n {
                        let mut buffer = buffer.lock().unwrap();
                        if buffer.receive {
                            assert_eq!(buffer.ring[buffer.first], buffer.value);
                            buffer.first = (buffer.first + 1) % 10;
                            buffer.receive = false;
                        }
                    }
                });
            });
        });
        assert_eq!(count, expected);
    }
}

#[test]
fn a_counter_under_a_mutex() {
    let count = executions(|| {
        let counter = Mutex::new(0);
        together(5, |_| *counter.lock().unwrap() += 1);
        assert_eq!(counter.into_inner().unwrap(), 5);
    });
    assert_eq!(count, 120);
}

/// A test-and-test-and-set lock that two threads take once, with a hint in its loop. Unlike the awaits of FMCAD
/// 2022, of which there are four executions, a load that finds the lock taken is an event. So, for each of the two
/// who may be first, the other one (1) loads after the first has let go; (2) loads before that, and waits; or
/// loads before the first swaps, and then swaps (3) after the first has let go, or in vain, and then (4) as in (1),
/// or loads before that: it has found two values by then, so the hint does not wait, and it goes on (5, 6) as in (1)
/// or (2).
#[test]
fn test_and_test_and_set() {
    let n = 2;
    let count = executions(|| {
        let (lock, counter) = (AtomicBool::new(false), AtomicUsize::new(0));
        together(n, |_| {
            loop {
                while lock.load(SeqCst) {
                    spin_loop();
                }
                if !lock.swap(true, SeqCst) {
                    break;
                }
            }
            counter.store(counter.load(SeqCst) + 1, SeqCst);
            lock.store(false, SeqCst);
        });
        assert_eq!(counter.load(SeqCst), n);
    });
    assert_eq!(count, 2 * 6);
}

/// Lamport's fast mutex, with its waits as assumptions: complete and blocked executions together.
#[test]
fn lamport() {
    let n = 2;
    let program = || {
        let (x, y, inside, b) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0), zeros(n + 1));
        let assume_zero = |atomic: &AtomicUsize| everyway::assume(atomic.load(SeqCst) == 0);
        together(n, |t| {
            let t = t + 1;
            loop {
                b[t].store(1, SeqCst);
                x.store(t, SeqCst);
                if y.load(SeqCst) != 0 {
                    b[t].store(0, SeqCst);
                    assume_zero(&y);
                    continue;
                }
                y.store(t, SeqCst);
                if x.load(SeqCst) != t {
                    b[t].store(0, SeqCst);
                    (1..=n).for_each(|j| assume_zero(&b[j]));
                    if y.load(SeqCst) != t {
                        assume_zero(&y);
                        continue;
                    }
                }
                break;
            }
            inside.store(t, SeqCst);
            assert_eq!(inside.load(SeqCst), t);
            y.store(0, SeqCst);
            b[t].store(0, SeqCst);
        });
    };
    for order in [Order::Lowest, Order::Highest, Order::Random(7)] {
        let report = Builder::new().order(order).explore(program);
        verified(&report);
        assert_eq!((report.executions.all(), report.executions.redundant), (32, 0));
    }
}

#[test]
fn approximate_append() {
    for (n, expected) in [(3, 63), (4, 2460)] {
        let count = executions(|| {
            let (next, slots) = (AtomicUsize::new(0), zeros(n - 2));
            together(n, |t| {
                let i = next.load(SeqCst);
                if i < n - 2 {
                    slots[i].store(t, SeqCst);
                    next.store(i + 1, SeqCst);
                }
            });
            loop {
                let i = next.load(SeqCst);
                if i == 0 {
                    break;
                }
                while next.load(SeqCst) != i {}
                next.store(i - 1, SeqCst);
            }
        });
        assert_eq!(count, expected);
    }
}
