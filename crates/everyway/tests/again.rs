//! Steps that are taken again are not carried out anew (`model/again.rs`). Here they are, too: all executions, in their order,
//! what comes of each, and all that is reported have to be the same.

#![cfg(all(feature = "model", target_os = "linux"))]

use everyway::report::{Bug, Report};
use everyway::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicU32, fence};
use everyway::sync::{Arc, Barrier, Condvar, Mutex, OnceLock, RwLock, mpsc};
use everyway::{Algorithm, Builder, MemoryModel, Order, hint, thread};
use std::time::Duration;

/// What a thread saw.
type Seen = Vec<u32>;

/// What came of each execution, in order, and what is reported of all.
fn explore(builder: Builder, body: &(dyn Fn() -> Vec<Seen> + Sync)) -> (Vec<Vec<Seen>>, Report) {
    let outcomes = std::sync::Mutex::new(Vec::new());
    let mut report = builder.explore(|| {
        let seen = body();
        outcomes.lock().unwrap().push(seen);
    });
    report.seconds = 0.0;
    // Each check has a name and files of its own.
    report.notes.clear();
    let forget_file = |bug: &mut Bug| bug.replay = None;
    report.bug.iter_mut().chain(&mut report.further_bugs).for_each(forget_file);
    (outcomes.into_inner().unwrap(), report)
}

/// Asserts that it makes no difference to any strategy whether steps are carried out anew; how many executions there are.
fn compare(name: &str, body: &(dyn Fn() -> Vec<Seen> + Sync)) -> u64 {
    compare_some(400, name, body)
}

/// [`compare`] of so many executions.
fn compare_some(most: u64, name: &str, body: &(dyn Fn() -> Vec<Seen> + Sync)) -> u64 {
    let graphs = [MemoryModel::Sc, MemoryModel::Rc11].map(|model| Algorithm::Graphs { model });
    let interleavings =
        [Algorithm::Naive, Algorithm::Source, Algorithm::Optimal, Algorithm::Observers, Algorithm::ReadsFrom];
    let random = [Algorithm::Random { seed: 3 }];
    let mut executions = 0;
    for algorithm in interleavings.into_iter().chain(graphs).chain(random) {
        for keep_going in [false, true] {
            let builder = || {
                let builder = Builder::new().algorithm(algorithm).keep_going(keep_going).max_executions(most).jobs(1);
                match algorithm {
                    Algorithm::Graphs { model } => builder.memory_model(model),
                    _ => builder.memory_model(MemoryModel::Sc),
                }
            };
            let (outcomes, report) = explore(builder(), body);
            let (anew, report_anew) = explore(builder().repeats(false), body);
            assert_eq!(outcomes, anew, "{name}, {algorithm:?}");
            assert_eq!(format!("{report:#?}"), format!("{report_anew:#?}"), "{name}, {algorithm:?}");
            let counts = report.executions;
            executions += counts.complete + counts.blocked + counts.redundant + counts.failed;
        }
    }
    executions
}

fn join(threads: impl IntoIterator<Item = thread::JoinHandle<Seen>>) -> Vec<Seen> {
    threads.into_iter().collect::<Vec<_>>().into_iter().map(|thread| thread.join().unwrap()).collect()
}

#[test]
fn atomics_and_fences() {
    let count = compare("atomics", &|| {
        let cells = Arc::new([const { AtomicU32::new(0) }; 2]);
        let run = |me: usize| {
            let cells = cells.clone();
            thread::spawn(move || {
                let other = &cells[1 - me];
                cells[me].store(me as u32 + 1, Release);
                fence(SeqCst);
                let seen = other.load(Acquire);
                let swapped = cells[0].compare_exchange(1, 7, AcqRel, Relaxed).unwrap_or_else(|found| found + 10);
                vec![seen, swapped, other.fetch_add(3, Relaxed)]
            })
        };
        join([0, 1].map(run))
    });
    assert!(count > 500, "{count}");
}

#[test]
fn locks_and_condition_variables() {
    let count = compare("condition variable", &|| {
        let shared = Arc::new((Mutex::new(0), Condvar::new(), RwLock::new(0)));
        let waits = {
            let shared = shared.clone();
            thread::spawn(move || {
                let mut value = shared.0.lock().unwrap();
                while *value == 0 {
                    value = shared.1.wait(value).unwrap();
                }
                let (value, waited) = shared.1.wait_timeout(value, Duration::ZERO).unwrap();
                vec![*value, u32::from(waited.timed_out()), *shared.2.read().unwrap()]
            })
        };
        let wakes = {
            let shared = shared.clone();
            thread::spawn(move || {
                *shared.0.lock().unwrap() += 1;
                shared.1.notify_one();
                let tried = shared.2.try_write().map_or(9, |mut value| std::mem::replace(&mut *value, 5));
                vec![tried, shared.0.try_lock().map_or(9, |value| *value)]
            })
        };
        join([waits, wakes])
    });
    assert!(count > 500, "{count}");
}

#[test]
fn channels() {
    let count = compare("channels", &|| {
        let (sender, receiver) = mpsc::channel();
        let (bounded, taker) = mpsc::sync_channel(1);
        let sends = [1, 2].map(|me| {
            let (sender, bounded) = (sender.clone(), bounded.clone());
            thread::spawn(move || {
                sender.send(me).unwrap();
                vec![u32::from(bounded.try_send(me).is_ok())]
            })
        });
        drop((sender, bounded));
        let tried = receiver.try_recv().unwrap_or(0);
        let mut seen = vec![vec![tried], receiver.iter().collect(), taker.iter().collect()];
        seen.extend(join(sends));
        seen
    });
    assert!(count > 500, "{count}");
}

#[test]
fn statics_and_what_is_made_once() {
    static NUMBER: AtomicU32 = AtomicU32::new(4);
    static LIST: Mutex<Vec<u32>> = Mutex::new(Vec::new());
    static FIRST: OnceLock<u32> = OnceLock::new();
    let count = compare("statics", &|| {
        let run = |me: u32| {
            thread::spawn(move || {
                let seen = NUMBER.fetch_add(me, SeqCst);
                LIST.lock().unwrap().push(me);
                vec![seen, *FIRST.get_or_init(|| me)]
            })
        };
        let mut seen = join([1, 2].map(run));
        seen.push(LIST.lock().unwrap().clone());
        seen
    });
    assert!(count > 500, "{count}");
}

#[test]
fn barriers_parking_choices_and_scopes() {
    let count = compare("barrier", &|| {
        let (barrier, number) = (Barrier::new(2), AtomicU32::new(0));
        let me = thread::current();
        thread::scope(|scope| {
            let other = scope.spawn(|| {
                let chosen = u32::from(everyway::any_bool());
                number.fetch_add(chosen, SeqCst);
                let leads = u32::from(barrier.wait().is_leader());
                me.unpark();
                vec![chosen, leads]
            });
            let early = number.load(SeqCst);
            barrier.wait();
            thread::park();
            vec![vec![early, number.load(SeqCst)], other.join().unwrap()]
        })
    });
    assert!(count > 50, "{count}");
}

#[test]
fn loops_that_spin() {
    let count = compare("spinning", &|| {
        let flag = Arc::new(AtomicU32::new(0));
        let waits = {
            let flag = flag.clone();
            thread::spawn(move || {
                while flag.load(Acquire) < 2 {
                    hint::spin_loop();
                }
                vec![flag.load(Relaxed)]
            })
        };
        let adds = [0, 1].map(|_| {
            let flag = flag.clone();
            thread::spawn(move || vec![flag.fetch_add(1, AcqRel)])
        });
        join(adds.into_iter().chain([waits]))
    });
    assert!(count > 50, "{count}");
}

/// With `keep_going`, executions go on after a step that has failed, which has to fail again whenever it is taken again.
#[test]
fn failures_and_deadlocks() {
    let count = compare("failures", &|| {
        let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
        let run = |me: u32| {
            let locks = locks.clone();
            thread::spawn(move || {
                let (first, second) = if me == 0 { (&locks.0, &locks.1) } else { (&locks.1, &locks.0) };
                *first.lock().unwrap() += 1;
                let seen = *second.lock().unwrap();
                assert!(seen == 0 || me == 0, "thread {me} came second");
                let held = first.lock().unwrap();
                vec![seen, *held + *second.lock().unwrap()]
            })
        };
        join([0, 1].map(run))
    });
    assert!(count > 500, "{count}");
}

/// What a thread of a random program does.
#[derive(Clone, Debug)]
enum Action {
    Load(usize),
    Store(usize, u32),
    Add(usize, u32),
    CompareExchange(usize, u32, u32),
    /// Adds to what a mutex has.
    Lock(usize),
    TryLock(usize),
    Send(u32),
    TryReceive,
    Choose,
    /// Fails if a number is this one.
    Refuse(usize, u32),
    /// Spawns a thread, which is joined at the end or not at all.
    Spawn(Vec<Action>, bool),
}

fn random_actions(random: &mut fastrand::Rng, depth: usize) -> Vec<Action> {
    let count = random.usize(1..=3);
    (0..count).map(|_| random_action(random, depth)).collect()
}

fn random_action(random: &mut fastrand::Rng, depth: usize) -> Action {
    let (place, value) = (random.usize(..3), random.u32(1..4));
    match random.u32(..16) {
        0..3 => Action::Load(place),
        3..5 => Action::Store(place, value),
        5 => Action::Add(place, value),
        6..8 => Action::CompareExchange(place, random.u32(..3), value),
        8 => Action::Lock(place % 2),
        9 => Action::TryLock(place % 2),
        10 => Action::Send(value),
        11 => Action::TryReceive,
        12 if depth == 1 => Action::Choose,
        13 if depth > 0 => Action::Refuse(place, value + 2),
        14.. if depth < 2 => Action::Spawn(random_actions(random, depth + 1), random.bool()),
        _ => Action::Load(place),
    }
}

struct Shared {
    numbers: [AtomicU32; 3],
    locks: [Mutex<u32>; 2],
    sender: Mutex<mpsc::Sender<u32>>,
    receiver: Mutex<mpsc::Receiver<u32>>,
}

fn act(shared: &Arc<Shared>, actions: &[Action]) -> Seen {
    let (mut seen, mut spawned) = (Vec::new(), Vec::new());
    for action in actions {
        seen.push(match *action {
            Action::Load(place) => shared.numbers[place].load(SeqCst),
            Action::Store(place, value) => {
                shared.numbers[place].store(value, SeqCst);
                0
            }
            Action::Add(place, value) => shared.numbers[place].fetch_add(value, SeqCst),
            Action::CompareExchange(place, from, to) => {
                shared.numbers[place].compare_exchange(from, to, SeqCst, SeqCst).unwrap_or_else(|found| found)
            }
            Action::Lock(place) => {
                let mut value = shared.locks[place].lock().unwrap();
                *value += 1;
                // It lies where the thread has put it.
                *Box::new(*value)
            }
            Action::TryLock(place) => shared.locks[place].try_lock().map_or(9, |value| *value),
            Action::Send(value) => u32::from(shared.sender.lock().unwrap().send(value).is_ok()),
            Action::TryReceive => shared.receiver.lock().unwrap().try_recv().unwrap_or(0),
            Action::Choose => u32::from(everyway::any_bool()),
            Action::Refuse(place, value) => {
                assert_ne!(shared.numbers[place].load(SeqCst), value, "refused");
                1
            }
            Action::Spawn(ref actions, is_joined) => {
                let (shared, actions) = (shared.clone(), actions.clone());
                let thread = thread::spawn(move || act(&shared, &actions));
                spawned.extend(is_joined.then_some(thread));
                0
            }
        });
    }
    seen.extend(join(spawned).concat());
    seen
}

#[test]
fn random_programs() {
    let mut random = fastrand::Rng::with_seed(7);
    let count: u64 = (0..12)
        .map(|number| {
            let threads: Vec<_> = (0..random.usize(2..=3)).map(|_| random_actions(&mut random, 1)).collect();
            compare_some(60, &format!("{number}: {threads:?}"), &|| {
                let (sender, receiver) = mpsc::channel();
                let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
                let shared =
                    Arc::new(Shared { numbers: Default::default(), locks: Default::default(), sender, receiver });
                let run = |actions: Vec<Action>| {
                    let shared = shared.clone();
                    thread::spawn(move || act(&shared, &actions))
                };
                join(threads.clone().into_iter().map(run))
            })
        })
        .sum();
    assert!(count > 3000, "{count}");
}

/// Whoever drops it last does something visible, which is not seen to depend on the others.
struct Last(Arc<AtomicU32>);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// Steps are taken again in another order if nothing connects the threads but what is seen. If something else does, they are
/// taken again in the order in which they were taken.
#[test]
fn what_is_not_seen_is_as_it_was() {
    for algorithm in [Algorithm::Optimal, Algorithm::Source] {
        let report = |repeats| {
            let builder = Builder::new().algorithm(algorithm).memory_model(MemoryModel::Sc).repeats(repeats).jobs(1);
            explore(builder, &|| {
                let cells = Arc::new([const { AtomicU32::new(0) }; 3]);
                let last = std::sync::Arc::new(Last(Arc::new(AtomicU32::new(0))));
                let run = |me: usize| {
                    let (cells, last) = (cells.clone(), last.clone());
                    thread::spawn(move || {
                        let seen = cells[me].swap(1, SeqCst) + cells[(me + 1) % 3].load(SeqCst);
                        drop(last);
                        vec![seen]
                    })
                };
                let threads = [0, 1, 2].map(run);
                drop(last);
                join(threads)
            })
            .1
        };
        assert_eq!(format!("{:#?}", report(true)), format!("{:#?}", report(false)), "{algorithm:?}");
    }
}

/// Who comes first gets the first ticket, and uses what it is for. (The last thread is tried first, and begins last.)
#[test]
fn tickets_that_are_not_seen_are_as_they_were() {
    let report = |repeats| {
        let builder = Builder::new().algorithm(Algorithm::Optimal).order(Order::Highest);
        explore(builder.memory_model(MemoryModel::Sc).repeats(repeats).jobs(1), &|| {
            let cells = Arc::new([const { AtomicU32::new(0) }; 6]);
            let tickets = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
            let run = |me: usize| {
                let (cells, tickets) = (cells.clone(), tickets.clone());
                thread::spawn(move || {
                    cells[me].load(SeqCst);
                    let ticket = tickets.fetch_add(1, SeqCst);
                    cells[2 + ticket].store(1, SeqCst);
                    vec![cells[4].swap(me as u32 + 1, SeqCst), cells[5].swap(me as u32 + 1, SeqCst)]
                })
            };
            join([0, 1].map(run))
        })
        .1
    };
    assert_eq!(format!("{:#?}", report(true)), format!("{:#?}", report(false)));
}
