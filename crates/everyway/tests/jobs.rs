//! Several workers, and checks that are stopped and gone on with: they come to what one exploration comes to. Checks that
//! go on run in processes of their own.

#![cfg(feature = "model")]

use everyway::report::{Report, Verdict};
use everyway::sync::atomic::AtomicUsize;
use everyway::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use everyway::sync::{Arc, Mutex, RwLock};
use everyway::{Algorithm, Builder, MemoryModel, thread};
use std::env;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const PROGRAM: &str = "PROGRAM_OF_JOBS_TEST";

/// Threads that hand on what is on the heap, under a lock and by relaxed accesses, and spawn others.
fn busy() {
    static TURNS: AtomicUsize = AtomicUsize::new(0);
    let shared = Arc::new((AtomicUsize::new(0), Mutex::new(Vec::new())));
    let spawn = |own: usize| {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            shared.1.lock().unwrap().push(Box::new(own));
            let child = {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.0.fetch_add(own, Relaxed))
            };
            TURNS.store(own, Release);
            shared.0.store(own, Relaxed);
            child.join().unwrap()
        })
    };
    let threads = [spawn(1), spawn(2)];
    TURNS.load(Acquire);
    threads.into_iter().for_each(|thread| _ = thread.join().unwrap());
    assert_eq!(shared.1.lock().unwrap().len(), 2);
}

fn explore(jobs: usize, algorithm: Algorithm, f: impl Fn() + Sync) -> Report {
    Builder::new().algorithm(algorithm).jobs(jobs).explore(f)
}

#[test]
fn workers_come_to_what_one_comes_to() {
    for model in [MemoryModel::Sc, MemoryModel::Rc11] {
        let run =
            |jobs| Builder::new().algorithm(Algorithm::Graphs { model }).memory_model(model).jobs(jobs).explore(busy);
        let alone = run(1);
        assert_eq!(alone.verdict, Verdict::Verified, "{:?}", alone.cut);
        assert!(alone.executions.complete > 100, "{:?}", alone.executions);
        for jobs in 2..5 {
            let together = run(jobs);
            assert_eq!((together.verdict, together.executions), (alone.verdict, alone.executions), "{jobs} workers");
        }
    }
}

#[test]
fn a_failure_ends_all_workers_and_is_run_again() {
    let lost_update = || {
        let counter = Arc::new(AtomicUsize::new(0));
        let add = |counter: &AtomicUsize| counter.store(counter.load(SeqCst) + 1, SeqCst);
        let other = Arc::clone(&counter);
        let thread = thread::spawn(move || add(&other));
        add(&counter);
        thread.join().unwrap();
        assert_eq!(counter.load(SeqCst), 2, "an update is lost");
    };
    for algorithm in
        [Algorithm::Graphs { model: MemoryModel::Sc }, Algorithm::Naive, Algorithm::Pct { seed: 1, depth: 2 }]
    {
        let report = explore(3, algorithm, lost_update);
        let bug = report.bug.expect("it is found");
        assert!(bug.message.contains("an update is lost"), "{}", bug.message);
        assert!(bug.replay.is_some());
    }
}

#[test]
fn a_panic_of_a_worker_is_no_deadlock() {
    let outside = everyway::sync::atomic::AtomicBool::new(false);
    let report = explore(2, Algorithm::Naive, || {
        outside.store(true, SeqCst);
        thread::spawn(|| panic!("on purpose")).join().unwrap_err();
    });
    assert_eq!(report.verdict, Verdict::Bug);
}

/// Eight threads that write to one place, in any order: 8! executions. `python/tests` has them explored on a cluster.
fn large() {
    let place = Arc::new(AtomicUsize::new(0));
    let spawn = |own: usize| {
        let place = Arc::clone(&place);
        thread::spawn(move || place.store(own, SeqCst))
    };
    let threads: Vec<_> = (1..=8).map(spawn).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_ne!(place.load(SeqCst), 0);
}

/// Three threads that write to one place and read it.
fn orders() {
    let place = Arc::new(AtomicUsize::new(0));
    let spawn = |own: usize| {
        let place = Arc::clone(&place);
        thread::spawn(move || {
            place.store(own, SeqCst);
            place.load(SeqCst);
        })
    };
    let threads: Vec<_> = (1..=3).map(spawn).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn what_is_not_small_is_shared() {
    let given = |algorithm| Builder::new().algorithm(algorithm).explore(orders);
    let whole = given(Algorithm::Optimal).executions;
    assert_eq!(given(Algorithm::Graphs { model: MemoryModel::Sc }).executions, whole);
    assert!(whole.complete > 30, "{whole:?}");
    for (trial, jobs, strategy) in [(0, 2, "graphs"), (200, 3, "graphs"), (200, 1, "optimal"), (u64::MAX, 2, "optimal")]
    {
        let report = Builder::new().trial(trial).jobs(jobs).explore(orders);
        let found = (report.verdict, report.executions, &*report.strategy);
        assert_eq!(found, (Verdict::Verified, whole, strategy), "{trial} steps, {jobs} workers");
    }
    // What may be stopped is explored such that it can be gone on with.
    let limited = Builder::new().trial(50).jobs(1).max_executions(20).name("jobs-limited").explore(orders);
    assert_eq!((limited.verdict, &*limited.strategy), (Verdict::Incomplete, "graphs"));
    assert!(limited.notes.iter().any(|note| note.contains("to go on from here: EVERYWAY_RESUME=")), "{limited:?}");
}

/// Readers of a lock, and attempts that fail, whose orders make no difference.
#[test]
fn what_commutes_is_not_explored_as_graphs() {
    let commuting = || {
        let lock = Arc::new((RwLock::new(0), Mutex::new(0)));
        let spawn = |_| {
            let lock = Arc::clone(&lock);
            thread::spawn(move || *lock.0.read().unwrap() + lock.1.try_lock().map_or(0, |held| *held))
        };
        let held = lock.1.lock().unwrap();
        let threads: Vec<_> = (0..3).map(spawn).collect();
        threads.into_iter().for_each(|thread| _ = thread.join().unwrap());
        drop(held);
    };
    let optimal = Builder::new().algorithm(Algorithm::Optimal).explore(commuting);
    // All orders make one execution: the lock is held as long as they try.
    assert_eq!(optimal.executions.all(), 1);
    for trial in [0, 1, u64::MAX] {
        let report = Builder::new().trial(trial).jobs(2).explore(commuting);
        assert_eq!((&*report.strategy, report.executions), ("optimal", optimal.executions), "{trial} steps");
    }
}

/// What the processes run: nothing, unless it is one of those that the other tests start.
#[test]
fn program() {
    let Ok(limit) = env::var(PROGRAM) else { return };
    if limit == "large" {
        return Builder::new().name("jobs-large").check(large);
    }
    if let Some(strategy) = limit.strip_prefix("endless ") {
        return Builder::new().name(format!("jobs-{strategy}")).algorithm(strategy.parse().unwrap()).check(endless);
    }
    let builder = Builder::new().name("jobs-resumed").memory_model(MemoryModel::Rc11).jobs(2);
    let builder = match limit.parse() {
        Ok(limit) => builder.max_executions(limit),
        Err(_) if limit == "other" => builder.max_steps(77),
        Err(_) => builder,
    };
    let report = builder.explore(busy);
    println!("{} after {:?}", report.notes.join("; "), report.executions);
}

fn run(limit: &str, resume: Option<&str>) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["program", "--exact", "--nocapture"]).env(PROGRAM, limit);
    command.env("EVERYWAY_RESUME", resume.unwrap_or_default());
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_check_that_was_stopped_goes_on_in_another_process() {
    let whole = Builder::new().memory_model(MemoryModel::Rc11).explore(busy).executions;
    let stopped = text(&run("50", None));
    let command = stopped.split("to go on from here: EVERYWAY_RESUME=").nth(1).unwrap_or_else(|| panic!("{stopped}"));
    let (file, command) = command.split_once(' ').expect("a command");
    assert!(command.contains("cargo test -p everyway program -- --exact"), "{command}");
    let other = run("other", Some(file));
    assert!(!other.status.success() && text(&other).contains("other settings"), "{}", text(&other));
    let again = text(&run("70", Some(file)));
    assert!(again.contains("to go on from here"), "{again}");
    let end = text(&run("none", Some(file)));
    assert!(end.contains(&format!("after {whole:?}")), "{end} but not {whole:?}");
    assert!(!std::path::Path::new(file).exists(), "there is nothing to go on with");
}

/// More executions than anybody waits for.
fn endless() {
    let place = Arc::new(AtomicUsize::new(0));
    let spawn = |own: usize| {
        let place = Arc::clone(&place);
        thread::spawn(move || place.store(own, SeqCst))
    };
    let threads: Vec<_> = (1..=14).map(spawn).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

/// Starts an endless check under `strategy`, and sends its process a signal after a while.
#[cfg(unix)]
fn signalled(strategy: &str, signal: i32) -> (Option<i32>, String) {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["program", "--exact"]).env(PROGRAM, format!("endless {strategy}"));
    let take_notice = move || {
        // SAFETY: it may be called between `fork` and `exec`.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
        Ok(())
    };
    // SAFETY: it does nothing but that. What runs in the background of a shell ignores Ctrl-C, and so would this.
    unsafe { command.pre_exec(take_notice) };
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Longer than what is so short that it is not worth a word that it cannot be gone on with.
    std::thread::sleep(Duration::from_millis(1500));
    let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    (output.status.signal(), text(&output))
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_what_was_found_and_keeps_what_is_left() {
    const SIGINT: i32 = 2;
    const SIGTERM: i32 = 15;
    for signal in [SIGINT, SIGTERM] {
        let (ended_by, said) = signalled("graphs", signal);
        assert_eq!(ended_by, Some(signal), "{said}");
        assert!(said.contains("incomplete") && said.contains("it was interrupted"), "{said}");
        let left = said.split("to go on from here:\n\n    EVERYWAY_RESUME=").nth(1).unwrap_or_else(|| panic!("{said}"));
        let (file, _) = left.split_once(' ').unwrap();
        assert!(std::path::Path::new(file).exists(), "{file}");
        std::fs::remove_file(file).unwrap();
    }
    let (ended_by, said) = signalled("optimal", SIGINT);
    assert_eq!(ended_by, Some(SIGINT), "{said}");
    assert!(
        said.contains("it was interrupted") && said.contains("the remaining work cannot be saved under `optimal`"),
        "{said}"
    );
}
