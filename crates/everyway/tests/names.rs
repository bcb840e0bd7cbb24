//! Objects are the same in every execution, wherever they lie and whoever meets them first: otherwise `optimal` would
//! take an execution twice, or miss one.
//!
//! The expected numbers count, for each pair of operations that conflict, the two orders that they can come in.

#![cfg(feature = "model")]

mod support;

use everyway::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex, mpsc};
use everyway::thread;
use everyway::{Algorithm, Builder};
use support::{executions, executions_with_observers, verified};

/// Runs `f(0)`, `f(1)`, ... in `n` threads at once.
fn together(n: usize, f: impl Fn(usize) + Sync) {
    let f = &f;
    thread::scope(|scope| (0..n).for_each(|i| drop(scope.spawn(move || f(i)))));
}

/// The number of executions under all strategies that know of classes.
#[track_caller]
fn count(f: impl Fn() + Sync) -> u64 {
    let optimal = executions(&f);
    assert_eq!(executions_with_observers(&f), optimal);
    let report = Builder::new().algorithm(Algorithm::Source).explore(&f);
    verified(&report);
    assert_eq!(report.executions.complete, optimal);
    optimal
}

#[test]
fn on_the_heap_made_by_several_threads() {
    let n = count(|| {
        let last = AtomicUsize::new(0);
        together(3, |i| {
            let own: Vec<Box<AtomicUsize>> = (0..=i).map(|_| Box::new(AtomicUsize::new(i))).collect();
            own.iter().for_each(|x| x.store(x.load(SeqCst) + 1, SeqCst));
            last.fetch_add(own.iter().map(|x| x.load(SeqCst)).sum(), SeqCst);
        });
    });
    assert_eq!(n, 6);
}

/// Who comes to what first differs, and what is allocated there, too.
#[test]
fn on_the_heap_made_when_needed() {
    let n = count(|| {
        let shared: Vec<Mutex<Option<Box<AtomicUsize>>>> = (0..3).map(|_| Mutex::new(None)).collect();
        together(2, |i| {
            for place in &shared {
                let mut place = place.lock().unwrap();
                place.get_or_insert_with(|| Box::new(AtomicUsize::new(0))).fetch_add(i, SeqCst);
            }
        });
    });
    assert_eq!(n, 8);
}

#[test]
fn on_the_stacks_of_other_threads() {
    let n = count(|| {
        together(2, |_| {
            let x = AtomicUsize::new(0);
            together(2, |i| x.store(i, SeqCst));
            assert!(x.load(SeqCst) < 2);
        });
    });
    assert_eq!(n, 4);
}

#[test]
fn in_statics() {
    static TABLE: [AtomicUsize; 8] = [const { AtomicUsize::new(0) }; 8];
    let n = count(|| {
        together(2, |i| {
            for k in 0..4 {
                TABLE[(2 * k + 5 * i) % 8].store(1, SeqCst);
                TABLE[k].fetch_add(1, SeqCst);
            }
        });
    });
    // The even ones of one thread, the odd ones of the other; then the same four of both, in the same order. The first
    // meet the others' additions.
    let on_the_heap = Builder::new().algorithm(Algorithm::Source).explore(|| {
        let table: Vec<AtomicUsize> = (0..8).map(|_| AtomicUsize::new(0)).collect();
        table.iter().for_each(|slot| _ = slot.load(SeqCst));
        together(2, |i| {
            for k in 0..4 {
                table[(2 * k + 5 * i) % 8].store(1, SeqCst);
                table[k].fetch_add(1, SeqCst);
            }
        });
    });
    assert_eq!(n, on_the_heap.executions.complete);
}

/// The same place of the stack, one after the other, and then somewhere else.
#[test]
fn moved_after_their_first_use() {
    let n = count(|| {
        together(2, |_| {
            let mut kept = Vec::new();
            for round in 0..2 {
                let x = AtomicUsize::new(0);
                x.store(round, SeqCst);
                let x = Arc::new(x);
                let other = x.clone();
                let thread = thread::spawn(move || other.store(7, SeqCst));
                x.fetch_add(1, SeqCst);
                thread.join().unwrap();
                kept.push(x);
            }
            assert!(kept.iter().all(|x| x.load(SeqCst) >= 7));
        });
    });
    assert_eq!(n, 16);
}

#[test]
fn in_a_vector_that_grows() {
    let n = count(|| {
        let mut all = Vec::new();
        for i in 0..5 {
            all.push(AtomicUsize::new(i));
            all.iter().for_each(|x| _ = x.load(SeqCst));
        }
        together(2, |_| all.iter().for_each(|x| _ = x.fetch_add(1, SeqCst)));
    });
    assert_eq!(n, 32);
}

/// What is shifted within its allocation makes room for something else.
#[test]
fn in_a_vector_that_shifts() {
    let n = count(|| {
        let mut all: Vec<AtomicUsize> = (0..4).map(AtomicUsize::new).collect();
        for i in 0..3 {
            all.iter().for_each(|x| _ = x.load(SeqCst));
            all.remove(0);
            all.push(AtomicUsize::new(i));
        }
        together(2, |_| all.iter().for_each(|x| _ = x.fetch_add(1, SeqCst)));
    });
    assert_eq!(n, 16);
}

#[test]
fn channels_made_by_several_threads() {
    let n = count(|| {
        together(2, |_| {
            let (sender, receiver) = mpsc::channel();
            let another = sender.clone();
            thread::spawn(move || another.send(1).unwrap());
            thread::spawn(move || sender.send(2).unwrap());
            assert_eq!(receiver.recv().unwrap() + receiver.recv().unwrap(), 3);
        });
    });
    assert_eq!(n, 4);
}

/// What a test keeps is there until the test lets it go, and changes nothing.
#[test]
fn what_is_kept_outside_survives() {
    static KEPT: std::sync::Mutex<Vec<Arc<[usize; 8]>>> = std::sync::Mutex::new(Vec::new());
    let report = Builder::new().explore(|| {
        let last = AtomicUsize::new(0);
        together(4, |i| {
            let own = Box::new(AtomicUsize::new(i));
            own.fetch_add(1, SeqCst);
            last.store(own.load(SeqCst), SeqCst);
        });
        let mut kept = KEPT.lock().unwrap();
        let n = kept.len();
        kept.push(Arc::new([n; 8]));
    });
    verified(&report);
    assert_eq!((report.executions.complete, report.executions.redundant), (24, 0));
    let kept = std::mem::take(&mut *KEPT.lock().unwrap());
    assert_eq!(kept.len(), 24);
    assert!(kept.iter().enumerate().all(|(n, kept)| **kept == [n; 8]));
    std::thread::spawn(move || drop(kept)).join().unwrap();
}

/// A stack of nodes that are never freed, so that nothing can lie where it lay before.
fn push_leaked<P: Sync>(head: P, push: impl Fn(&P, usize) + Sync) {
    together(3, |i| push(&head, i));
}

#[test]
fn leaked_nodes_behind_pointers_and_tagged_words() {
    struct Node {
        value: AtomicUsize,
        next: usize,
    }
    let by_number = count(|| {
        push_leaked(AtomicUsize::new(0), |head, i| {
            loop {
                let next = head.load(SeqCst);
                if head.compare_exchange(next, i + 1, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
        });
    });
    let by_pointer = count(|| {
        push_leaked(AtomicPtr::new(std::ptr::null_mut()), |head, i| {
            let node = Box::leak(Box::new(Node { value: AtomicUsize::new(i), next: 0 }));
            loop {
                let next: *mut Node = head.load(SeqCst);
                node.next = next.addr();
                if head.compare_exchange(next, node, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
        });
    });
    let by_word = count(|| {
        push_leaked(AtomicUsize::new(0), |head, i| {
            let node = Box::leak(Box::new(Node { value: AtomicUsize::new(i), next: 0 }));
            loop {
                let next = head.load(SeqCst);
                // SAFETY: nodes are never freed.
                if let Some(below) = unsafe { std::ptr::with_exposed_provenance::<Node>(next & !1).as_ref() } {
                    assert!(below.next != next && below.value.load(SeqCst) < 3);
                }
                node.next = next & !1;
                if head.compare_exchange(next, (&raw mut *node).expose_provenance() | 1, SeqCst, SeqCst).is_ok() {
                    break;
                }
            }
        });
    });
    assert_eq!(by_number, by_pointer);
    assert_eq!(by_number, by_word);
}

/// The buffer that tests print into grows when it must, which is not something that the execution does again.
#[test]
fn what_is_allocated_once_and_for_all_by_printing() {
    let n = count(|| {
        let x = Arc::new(AtomicUsize::new(0));
        together(3, |i| {
            println!("thread {i} prints {}", "something rather long ".repeat(10 + i));
            let own: Vec<Box<[AtomicUsize]>> =
                (1..5).map(|size| (0..1 << size).map(|_| AtomicUsize::new(i)).collect()).collect();
            own.iter().flatten().for_each(|slot| _ = slot.fetch_add(1, SeqCst));
            x.fetch_add(own[2][0].load(SeqCst), SeqCst);
        });
    });
    assert_eq!(n, 6);
}

/// What is allocated in the first execution only, and kept, moves other allocations from their places; then the
/// exploration starts over.
#[test]
fn what_is_allocated_once_and_for_all_by_the_test() {
    static SEEN: std::sync::Mutex<std::collections::BTreeSet<usize>> =
        std::sync::Mutex::new(std::collections::BTreeSet::new());
    let n = count(|| {
        let x = Arc::new(AtomicUsize::new(0));
        SEEN.lock().unwrap().insert(7);
        let nodes: Vec<Box<[AtomicUsize; 6]>> = (0..4).map(|_| Box::default()).collect();
        together(2, |i| {
            for node in &nodes {
                node[i].store(i, SeqCst);
            }
            x.fetch_add(1, SeqCst);
        });
    });
    assert_eq!(n, 2);
}
