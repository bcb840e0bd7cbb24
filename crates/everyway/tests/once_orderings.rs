//! What `Once` orders, and what a look at it may miss: as an atomic with std's orderings has it, which is written here with
//! everyway's atomics and found to come to the same in random programs, under every memory model.

#![cfg(feature = "model")]

mod support;

use everyway::MemoryModel::{Pso, Rc11, Sc, Tso};
use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicU32, fence};
use everyway::sync::{Arc, LazyLock, Once, OnceLock};
use everyway::{Builder, MemoryModel, hint, thread};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use support::{bug, outcomes_under, verified};

/// How many random programs are tried.
const ROUNDS: u32 = 100;

/// What comes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Called {
    Begins,
    FindsItDone,
    FindsThePoison,
}

trait LikeOnce: Default + Send + Sync + 'static {
    /// Calls with a closure that panics or not, and respects the poison of earlier ones or not.
    fn call(&self, panics: bool, respects: bool) -> Called;
    fn is_completed(&self) -> bool;
}

/// everyway's, which does not say who begins.
struct Types(Once);

impl Default for Types {
    fn default() -> Self {
        Self(Once::new())
    }
}

impl LikeOnce for Types {
    fn call(&self, panics: bool, respects: bool) -> Called {
        let mut begins = false;
        let run = |begins: &mut bool| {
            *begins = true;
            if panics {
                std::panic::resume_unwind(Box::new(()));
            }
        };
        let called = catch_unwind(AssertUnwindSafe(|| match respects {
            true => self.0.call_once(|| run(&mut begins)),
            false => self.0.call_once_force(|_| run(&mut begins)),
        }));
        match (begins, called) {
            (true, _) => Called::Begins,
            (false, Ok(())) => Called::FindsItDone,
            (false, Err(_)) => Called::FindsThePoison,
        }
    }

    fn is_completed(&self) -> bool {
        self.0.is_completed()
    }
}

/// The states but the first, which is 0.
const RUNNING: u32 = 1;
const POISONED: u32 = 2;
const COMPLETE: u32 = 3;

/// The same as an atomic.
#[derive(Default)]
struct Atomic(AtomicU32);

impl LikeOnce for Atomic {
    fn call(&self, panics: bool, respects: bool) -> Called {
        loop {
            let state = self.0.load(Acquire);
            match state {
                COMPLETE => return Called::FindsItDone,
                POISONED if respects => return Called::FindsThePoison,
                RUNNING => hint::spin_loop(),
                _ if self.0.compare_exchange(state, RUNNING, Acquire, Acquire).is_ok() => {
                    self.0.swap(if panics { POISONED } else { COMPLETE }, Release);
                    return Called::Begins;
                }
                // It is asked again what another one has left.
                _ => {}
            }
        }
    }

    fn is_completed(&self) -> bool {
        self.0.load(Acquire) == COMPLETE
    }
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Call(usize),
    CallForce(usize),
    CallInVain(usize),
    Look(usize),
    Raise(usize),
    IsRaised(usize),
    Fence,
}

#[derive(Default)]
struct Shared<T> {
    onces: [T; 2],
    flags: [AtomicU32; 1],
}

fn perform<T: LikeOnce>(shared: &Shared<T>, operation: Operation) -> u32 {
    match operation {
        Operation::Call(n) => shared.onces[n].call(false, true) as u32,
        Operation::CallForce(n) => shared.onces[n].call(false, false) as u32,
        Operation::CallInVain(n) => shared.onces[n].call(true, false) as u32,
        Operation::Look(n) => u32::from(shared.onces[n].is_completed()),
        Operation::Raise(n) => {
            shared.flags[n].store(1, Relaxed);
            0
        }
        Operation::IsRaised(n) => shared.flags[n].load(Relaxed),
        Operation::Fence => {
            fence(SeqCst);
            0
        }
    }
}

fn results<T: LikeOnce>(program: &[Vec<Operation>], model: MemoryModel) -> (BTreeSet<Vec<Vec<u32>>>, u64) {
    let results = Mutex::new(BTreeSet::new());
    let report = Builder::new().memory_model(model).explore(|| {
        let shared = Arc::new(Shared::<T>::default());
        let threads: Vec<_> = program
            .iter()
            .map(|operations| {
                let (shared, operations) = (shared.clone(), operations.clone());
                thread::spawn(move || operations.into_iter().map(|one| perform(&shared, one)).collect::<Vec<_>>())
            })
            .collect();
        let found = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        results.lock().unwrap().insert(found);
    });
    verified(&report);
    (results.into_inner().unwrap(), report.executions.redundant)
}

/// Threads mostly call one of the two, and look for the other.
fn random_operation(thread: usize, random: &mut fastrand::Rng) -> Operation {
    let n = if random.u32(..4) == 0 { 1 - thread % 2 } else { thread % 2 };
    match random.u32(..20) {
        0..=5 => Operation::Call(n),
        6 => Operation::CallForce(n),
        7 => Operation::CallInVain(n),
        8..=14 => Operation::Look(1 - n),
        15 => Operation::Raise(0),
        16..=18 => Operation::IsRaised(0),
        _ => Operation::Fence,
    }
}

#[test]
fn random_programs_come_to_what_an_atomic_comes_to() {
    let mut random = fastrand::Rng::with_seed(31);
    let mut differ = 0;
    for round in 0..ROUNDS {
        let (threads, length) = if random.u32(..4) > 0 { (2, 3..=5) } else { (3, 1..=3) };
        let program: Vec<Vec<Operation>> = (0..threads)
            .map(|thread| (0..random.usize(length.clone())).map(|_| random_operation(thread, &mut random)).collect())
            .collect();
        let [sc, tso, pso, rc11] = [Sc, Tso, Pso, Rc11].map(|model| {
            let (expected, _) = results::<Atomic>(&program, model);
            let (found, redundant) = results::<Types>(&program, model);
            assert_eq!(found, expected, "round {round} under {model}: {program:?}");
            assert_eq!(redundant, 0, "round {round} under {model}: {program:?}");
            found
        });
        assert!(sc.is_subset(&tso) && tso.is_subset(&pso) && sc.is_subset(&rc11), "round {round}: {program:?}");
        differ += u32::from(sc != rc11);
    }
    assert!(differ > 0, "only {differ} programs show what is newest to be missed");
}

/// Two calls, after each of which the other is looked for; with `between` in between.
fn miss_each_other(between: impl Fn() + Clone + Send + Sync + 'static) -> impl Fn() -> (bool, bool) + Sync {
    move || {
        let cells = Arc::new((OnceLock::new(), OnceLock::new()));
        let (theirs, between_theirs) = (cells.clone(), between.clone());
        let thread = thread::spawn(move || {
            theirs.1.set(2).unwrap();
            between_theirs();
            theirs.0.get().is_some()
        });
        cells.0.set(1).unwrap();
        between();
        let found = cells.1.get().is_some();
        (found, thread.join().unwrap())
    }
}

const BOTH_OR_ONE: [(bool, bool); 3] = [(false, true), (true, false), (true, true)];

/// What sets a cell ends in a release, and what looks begins with an acquire: they may change places. On x86 the former
/// is an instruction that locks.
#[test]
fn two_cells_may_miss_each_other() {
    let all = BTreeSet::from([(false, false), (false, true), (true, false), (true, true)]);
    for model in [Sc, Tso, Pso] {
        assert_eq!(outcomes_under(Some(model), miss_each_other(|| {})), BTreeSet::from(BOTH_OR_ONE), "{model}");
    }
    assert_eq!(outcomes_under(Some(Rc11), miss_each_other(|| {})), all);
    // Nothing else in the program is weaker than `SeqCst`: that they look is enough.
    assert_eq!(outcomes_under(None, miss_each_other(|| {})), all);
    assert_eq!(outcomes_under(None, miss_each_other(|| fence(SeqCst))), BTreeSet::from(BOTH_OR_ONE));
}

/// What a lock finds out is as old as what any other look finds.
#[test]
fn a_value_that_is_computed_once_may_be_missed() {
    let program = || {
        let shared = Arc::new((LazyLock::new(|| 5), AtomicU32::new(0)));
        let theirs = shared.clone();
        let thread = thread::spawn(move || {
            assert_eq!(*LazyLock::force(&theirs.0), 5);
            theirs.1.store(1, Relaxed);
        });
        let raised = shared.1.load(Relaxed);
        let found = LazyLock::get(&shared.0).copied();
        thread.join().unwrap();
        assert_eq!(LazyLock::get(&shared.0), Some(&5), "it was joined");
        (raised, found)
    };
    let expected = BTreeSet::from([(0, None), (0, Some(5)), (1, None), (1, Some(5))]);
    assert_eq!(outcomes_under(None, program), expected);
    // It asks for it, and does not only look: it is computed.
    let program = || {
        let shared = Arc::new((LazyLock::new(|| 5), AtomicU32::new(0)));
        let theirs = shared.clone();
        let thread = thread::spawn(move || {
            LazyLock::force(&theirs.0);
            theirs.1.store(1, Relaxed);
        });
        let seen = (shared.1.load(Relaxed), *shared.0);
        thread.join().unwrap();
        seen
    };
    assert_eq!(outcomes_under(None, program), BTreeSet::from([(0, 5), (1, 5)]));
}

/// The same with a flag that orders nothing, and one that orders: only the former lets what was done be missed.
#[test]
fn a_completion_that_is_not_ordered_may_be_missed() {
    let look = |store, load| {
        move || {
            let shared = Arc::new((Once::new(), AtomicU32::new(0)));
            let theirs = shared.clone();
            thread::spawn(move || {
                theirs.0.call_once(|| {});
                theirs.1.store(1, store);
            });
            (shared.1.load(load), shared.0.is_completed())
        }
    };
    let ordered = BTreeSet::from([(0, false), (0, true), (1, true)]);
    assert_eq!(outcomes_under(None, look(Release, Acquire)), ordered);
    let missed = BTreeSet::from([(0, false), (0, true), (1, false), (1, true)]);
    assert_eq!(outcomes_under(None, look(Relaxed, Relaxed)), missed);
    assert_eq!(outcomes_under(None, look(Release, Relaxed)), missed);
}

/// Whoever has found it done finds it done from then on; and not before that, others do not.
#[test]
fn looks_do_not_go_back() {
    let program = || {
        let once = Arc::new(Once::new());
        let theirs = once.clone();
        let thread = thread::spawn(move || theirs.call_once(|| {}));
        let looks = [once.is_completed(), once.is_completed()];
        thread.join().unwrap();
        assert!(once.is_completed());
        looks
    };
    assert_eq!(outcomes_under(None, program), BTreeSet::from([[false, false], [false, true], [true, true]]));
}

/// Data that is not atomic is handed over by a cell that is set, to whoever finds the value.
#[test]
fn what_is_found_is_ordered() {
    struct Shared(UnsafeCell<u32>, OnceLock<()>, Once);
    // SAFETY: the tests are about whether accesses to the cell are ordered.
    unsafe impl Sync for Shared {}
    let hand_over = |first: fn(&Shared), then: fn(&Shared) -> bool| {
        move || {
            let shared = Arc::new(Shared(UnsafeCell::new(0), OnceLock::new(), Once::new()));
            let theirs = shared.clone();
            thread::spawn(move || {
                // SAFETY: the threads of a model take turns.
                theirs.0.with_mut(|data| unsafe { *data = 1 });
                first(&theirs);
            });
            if then(&shared) {
                // SAFETY: as above.
                assert_eq!(shared.0.with(|data| unsafe { *data }), 1);
            }
        }
    };
    let set = |shared: &Shared| _ = shared.1.set(());
    let call = |shared: &Shared| shared.2.call_once(|| {});
    verified(&everyway::explore(hand_over(set, |shared| shared.1.get().is_some())));
    verified(&everyway::explore(hand_over(set, |shared| shared.1.set(()).is_err())));
    verified(&everyway::explore(hand_over(call, |shared| shared.2.is_completed())));
    verified(&everyway::explore(hand_over(call, |shared| {
        shared.2.wait();
        true
    })));
    // Who runs the closure has learned nothing of the other.
    let bug = bug(hand_over(set, |shared| shared.1.set(()).is_ok()));
    assert_eq!(bug.kind, everyway::report::BugKind::DataRace);
}
