//! Running a failing execution again, and what environment variables do. Programs run in processes of their own.

#![cfg(feature = "model")]

mod support;

use everyway::report::replay::ReplayFile;
use everyway::report::{BugKind, Verdict};
use everyway::sync::Arc;
use everyway::sync::atomic::Ordering::{AcqRel, Relaxed, SeqCst};
use everyway::sync::atomic::{AtomicUsize, fence};
use everyway::{Builder, thread};
use std::env;
use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = "PROGRAM_OF_REPLAY_TEST";

/// What the processes run: nothing, unless it is one of those that the other tests start.
#[test]
fn program() {
    match env::var(PROGRAM).as_deref() {
        Ok("lost update") => Builder::new().name("replay-lost-update").check(lost_update),
        Ok("fixed") => Builder::new().name("replay-lost-update").check(|| {
            let (x, thread) = spawn(|x| _ = x.fetch_add(1, SeqCst));
            x.fetch_add(1, SeqCst);
            thread.join().unwrap();
            assert_eq!(x.load(SeqCst), 2, "an update is lost");
        }),
        Ok("at once") => Builder::new().name("replay-at-once").check(|| panic!("before any step")),
        Ok("finished") => Builder::new().name("replay-finished").check(|| {
            let (_, thread) = spawn(|x| x.store(1, SeqCst));
            assert!(!thread.is_finished(), "it has finished");
        }),
        Ok("behind functions") => Builder::new().name("replay-behind-functions").check(|| {
            let (x, thread) = spawn(increment);
            increment(&x);
            thread.join().unwrap();
            assert_eq!(x.load(SeqCst), 2, "an update is lost");
        }),
        Ok("births") => Builder::new().name("replay-births").check(births),
        Ok("weak") => Builder::new().name("replay-weak").check(store_buffering),
        Ok("weak deadlock") => Builder::new().name("replay-weak-deadlock").check(|| {
            AtomicUsize::new(0).load(Relaxed);
            thread::park();
        }),
        Ok("deadlock") => Builder::new().name("replay-deadlock").check(thread::park),
        Ok("two checks") => {
            Builder::new().name("replay-two").check(|| everyway::println!("the first one"));
            Builder::new().name("replay-two").check(lost_update);
        }
        Ok("count") => {
            let report = everyway::explore(|| {
                let (x, _) = spawn(|x| (0..3).for_each(|_| _ = x.fetch_add(1, SeqCst)));
                (0..3).for_each(|_| _ = x.fetch_add(1, SeqCst));
            });
            let (counts, bug) = (report.executions, report.bug.map(|bug| bug.kind));
            println!("{}: {} executions, {:?}, {:?}", report.strategy, counts.complete, report.cut, bug);
        }
        Ok(other) => panic!("there is no program `{other}`"),
        Err(_) => {}
    }
}

fn spawn(f: fn(&AtomicUsize)) -> (Arc<AtomicUsize>, thread::JoinHandle<()>) {
    let x = Arc::new(AtomicUsize::new(0));
    let other = x.clone();
    (x, thread::spawn(move || f(&other)))
}

fn increment(x: &AtomicUsize) {
    write(x, x.load(SeqCst) + 1);
}

/// Where it is called is what is known of it.
#[track_caller]
fn write(x: &AtomicUsize, value: usize) {
    x.store(value, SeqCst);
}

/// Neither thread sees the other's store, with a fence that does not help.
fn store_buffering() {
    let shared = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let other = shared.clone();
    let thread = thread::spawn(move || {
        other[0].store(1, Relaxed);
        fence(AcqRel);
        other[1].load(Relaxed)
    });
    shared[1].store(1, Relaxed);
    let seen = shared[0].load(Relaxed) + thread.join().unwrap();
    assert_ne!(seen, 0, "both are old");
}

fn lost_update() {
    println!("[printed by std]");
    let (x, thread) = spawn(|x| {
        let found = x.load(SeqCst);
        everyway::println!("[printed by everyway: found {found}]");
        x.store(found + 1, SeqCst);
    });
    x.store(x.load(SeqCst) + 1, SeqCst);
    thread.join().unwrap();
    assert_eq!(x.load(SeqCst), 2, "an update is lost");
}

/// The children of two threads are born in either order, and it fails in the one that is not explored first.
fn births() {
    let x = Arc::new(AtomicUsize::new(0));
    let parents = [1, 2].map(|parent| {
        let x = x.clone();
        thread::spawn(move || {
            let before = x.fetch_add(1, SeqCst);
            let child = thread::spawn(move || x.fetch_add(1, SeqCst));
            child.join().unwrap();
            assert!(parent == 2 || before == 0, "the child of the second thread was the first");
        })
    });
    parents.into_iter().for_each(|parent| parent.join().unwrap());
}

/// Runs a program with these variables, and returns whether it succeeded and what it printed.
fn run(program: &str, variables: &[(&str, &str)]) -> (bool, String) {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "program", "--nocapture"]).env(PROGRAM, program).env("RUST_BACKTRACE", "0");
    for (name, _) in env::vars().filter(|(name, _)| name.starts_with("EVERYWAY_")) {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// Explores a program, which fails, and returns what it printed and the file that it left.
fn fail(program: &str) -> (String, PathBuf) {
    let (success, text) = run(program, &[]);
    assert!(!success, "{text}");
    let file = text.split("EVERYWAY_REPLAY=").nth(1).unwrap_or_else(|| panic!("no command: {text}"));
    (text.clone(), PathBuf::from(file.split_whitespace().next().unwrap()))
}

/// Runs the execution in `file` again.
fn replay(program: &str, file: &std::path::Path) -> (bool, String) {
    run(program, &[("EVERYWAY_REPLAY", file.to_str().unwrap())])
}

/// The steps that a report shows, without what they read from, which only an exploration knows.
fn steps(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains(" | "));
    lines.map(|line| line.split(" <- ").next().unwrap_or(line).split_whitespace().take(5).collect()).collect()
}

/// The line of this file that says so.
fn line_of(code: &str) -> usize {
    include_str!("replay.rs").lines().position(|line| line.trim() == code).expect("it is there") + 1
}

#[test]
fn a_backtrace_shows_what_is_called() {
    let (explored, file) = fail("behind functions");
    let [caller, inner] = ["write(x, x.load(SeqCst) + 1);", "x.store(value, SeqCst);"].map(line_of);
    let is_store = |line: &&str| line.contains(" | ") && line.contains("store AtomicUsize");
    let place =
        |text: &str| text.lines().find(is_store).expect("a step").split("replay.rs:").nth(1).unwrap().trim().to_owned();
    assert_eq!(place(&explored), caller.to_string(), "{explored}");
    let (_, again) = run("behind functions", &[("EVERYWAY_REPLAY", file.to_str().unwrap()), ("RUST_BACKTRACE", "1")]);
    assert_eq!(place(&again), inner.to_string(), "{again}");
    let chain = format!("in replay::write, called from replay::increment (replay.rs:{caller})");
    let words = again.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&chain), "{again}");
}

#[test]
fn a_failure_is_run_again_with_what_it_prints() {
    let (explored, file) = fail("lost update");
    assert!(explored.contains("an update is lost"), "{explored}");
    assert!(explored.contains("[printed by std]"), "{explored}");
    assert!(!explored.contains("[printed by everyway"), "{explored}");
    let (success, again) = replay("lost update", &file);
    assert!(!success);
    assert!(again.contains("an update is lost"), "{again}");
    assert_eq!(again.matches("[printed by std]").count(), 1, "{again}");
    assert_eq!(again.matches("[printed by everyway: found 0]").count(), 1, "{again}");
    assert_eq!(steps(&explored), steps(&again));
    assert!(steps(&again).len() > 5, "{again}");
}

#[test]
fn every_kind_of_failure_can_be_run_again() {
    let failures = [
        ("at once", "before any step"),
        ("finished", "it has finished"),
        ("births", "the child of the second thread was the first"),
        ("deadlock", "no thread can go on"),
        ("weak", "both are old"),
        ("weak deadlock", "no thread can go on"),
    ];
    for (program, message) in failures {
        let (explored, file) = fail(program);
        assert!(explored.contains(message), "{explored}");
        let (success, again) = replay(program, &file);
        assert!(!success && again.contains(message), "{again}");
        assert!(!again.contains("it used to end with"), "{again}");
    }
}

/// The string that a report has for its execution.
fn short(text: &str) -> &str {
    let rest = text.split("takes the execution as a string: ").nth(1);
    rest.unwrap_or_else(|| panic!("no string: {text}")).split_whitespace().next().unwrap()
}

#[test]
fn every_kind_of_failure_can_be_run_again_from_a_string() {
    let failures = [
        ("lost update", "an update is lost"),
        ("at once", "before any step"),
        ("births", "the child of the second thread was the first"),
        ("deadlock", "no thread can go on"),
        ("weak", "both are old"),
        ("weak deadlock", "no thread can go on"),
    ];
    for (program, message) in failures {
        let (explored, _) = fail(program);
        let (success, again) = run(program, &[("EVERYWAY_REPLAY", short(&explored))]);
        assert!(!success && again.contains(message), "{again}");
        assert!(again.contains("nothing else was explored") && !again.contains("it used to end"), "{again}");
        assert_eq!(steps(&explored), steps(&again));
    }
}

#[test]
fn a_string_is_one_of_its_check_or_makes_no_sense() {
    let (explored, _) = fail("lost update");
    let (success, text) = run("deadlock", &[("EVERYWAY_REPLAY", short(&explored))]);
    assert!(
        !success && text.contains("is not an execution of `replay-deadlock`, which is explored as usual"),
        "{text}"
    );
    let (success, text) = run("deadlock", &[("EVERYWAY_REPLAY", "ew1:0:a")]);
    assert!(!success && text.contains("EVERYWAY_REPLAY has to be a replay file, or an execution"), "{text}");
}

#[test]
fn a_program_that_has_changed_is_said_to_have() {
    let (_, file) = fail("lost update");
    let (success, text) = replay("fixed", &file);
    assert!(!success);
    assert!(text.contains("the program is not the one that the file was saved for: step 1 was `"), "{text}");
    assert!(text.contains("fetch_add"), "{text}");
    assert!(text.contains("it used to end with: "), "{text}");
}

#[test]
fn only_the_check_of_the_file_is_run_again() {
    let (_, file) = fail("two checks");
    assert!(file.to_str().unwrap().contains("replay-two-2"), "{file:?}");
    let (success, text) = replay("two checks", &file);
    assert!(!success && text.contains("an update is lost"), "{text}");
    assert!(text.contains("is not an execution of `replay-two`, which is explored as usual"), "{text}");
    assert!(!text.contains("the first one"), "{text}");
}

#[test]
fn files_that_make_no_sense_are_told() {
    let (success, text) = replay("count", &env::temp_dir().join("everyway-no-such-file.json"));
    assert!(!success && text.contains("there is no replay file `"), "{text}");
    let file = env::temp_dir().join(format!("everyway-replay-{}.json", std::process::id()));
    for (content, message) in [
        ("no json", "is not a replay file, which would be JSON"),
        ("[1]", "is JSON, but not a replay file"),
        ("{\"format\": 1,", "is cut off in line 1"),
        ("{\"format\": 1}", "was written by an older version of everyway"),
        ("{\"format\": 99}", "has format 99, but only format 2 is known here"),
    ] {
        std::fs::write(&file, content).unwrap();
        let (success, text) = replay("count", &file);
        assert!(!success && text.contains(message), "{text}");
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn variables_that_make_no_sense_are_told() {
    for (name, value) in [
        ("EVERYWAY_STRATEGY", "fastest"),
        ("EVERYWAY_SEED", "-1"),
        ("EVERYWAY_MAX_EXECUTIONS", "many"),
        ("EVERYWAY_MAX_SECONDS", "-5"),
        ("EVERYWAY_MAX_SECONDS", "soon"),
        ("EVERYWAY_MAX_STEPS", "1e3"),
    ] {
        let (success, text) = run("count", &[(name, value)]);
        assert!(!success && text.contains(&format!("everyway: {name} has to be ")), "{text}");
    }
    let (success, text) = run("count", &[("EVERYWAY_STRATEGY", ""), ("EVERYWAY_MAX_STEPS", "")]);
    assert!(success && text.contains("optimal: 20 executions"), "{text}");
}

#[test]
fn variables_take_effect() {
    let counted = |variables: &[(&str, &str)]| {
        let (success, text) = run("count", variables);
        assert!(success, "{text}");
        let line = text.lines().find(|line| line.contains(" executions, ")).unwrap();
        // Where there is one processor, the name of the test comes first in the line.
        line.trim_start_matches("test program ... ").to_owned()
    };
    // Three additions by each of two threads: 6! / (3! 3!) orders.
    assert_eq!(counted(&[]), "optimal: 20 executions, [], None");
    assert_eq!(counted(&[("EVERYWAY_MEMORY_MODEL", "rc11")]), "graphs: 20 executions, [], None");
    assert_eq!(counted(&[("EVERYWAY_MEMORY_MODEL", "sc")]), "optimal: 20 executions, [], None");
    assert!(counted(&[("EVERYWAY_STRATEGY", "naive")]).starts_with("naive: 20 executions"));
    assert!(counted(&[("EVERYWAY_STRATEGY", "source")]).starts_with("source: 20 executions"));
    let random = counted(&[("EVERYWAY_STRATEGY", "random"), ("EVERYWAY_SEED", "42"), ("EVERYWAY_MAX_EXECUTIONS", "7")]);
    assert!(random.starts_with("random: 7 executions") && random.contains("seed 42"), "{random}");
    let limited = counted(&[("EVERYWAY_MAX_EXECUTIONS", "3")]);
    assert_eq!(limited, "optimal: 3 executions, [\"the limit of 3 executions was reached\"], None");
    assert!(counted(&[("EVERYWAY_MAX_STEPS", "4")]).ends_with("Some(StepLimit)"));
    assert!(counted(&[("EVERYWAY_MAX_SECONDS", "0.000001")]).contains("seconds was reached"));
}

#[test]
fn a_replay_file_says_what_it_holds() {
    let bug = support::bug_of(Builder::new().name("replay::file/contents"), lost_update_quietly);
    let replay = bug.replay.unwrap();
    assert!(replay.file.ends_with("replay.file-contents.json"), "{}", replay.file);
    assert!(replay.command.contains("cargo test -p everyway a_replay_file_says_what_it_holds -- --exact --nocapture"));
    let file = ReplayFile::load(&replay.file).unwrap();
    assert_eq!(file.program.name, "replay::file/contents");
    assert_eq!(file.outcome.kind, Some(BugKind::Panic));
    assert!(file.outcome.message.contains("an update is lost"));
    assert_eq!(file.schedule.len(), bug.execution.events.len());
    assert_eq!(file.steps_described.len(), file.schedule.len());
}

fn lost_update_quietly() {
    let (x, thread) = spawn(|x| x.store(x.load(SeqCst) + 1, SeqCst));
    x.store(x.load(SeqCst) + 1, SeqCst);
    thread.join().unwrap();
    assert_eq!(x.load(SeqCst), 2, "an update is lost");
}

/// A counter that survives executions decides what the program does.
#[test]
fn a_program_that_is_not_deterministic_is_told() {
    let executions = std::sync::atomic::AtomicUsize::new(0);
    let report = everyway::explore(|| {
        let nth = executions.fetch_add(1, SeqCst);
        let (x, thread) = spawn(|x| x.store(1, SeqCst));
        x.load(SeqCst);
        if nth == 0 {
            x.store(2, SeqCst)
        } else {
            _ = x.swap(2, SeqCst);
        }
        x.load(SeqCst);
        thread.join().unwrap();
    });
    assert_eq!(report.verdict, Verdict::Bug);
    let bug = report.bug.unwrap();
    assert_eq!(bug.kind, BugKind::Nondeterminism, "{}", bug.message);
    assert!(bug.replay.is_none(), "there is nothing to be run again");
    let divergence = bug.divergence.unwrap();
    let at = divergence.first_difference;
    let (before, now) = (&divergence.before.events[at], &bug.execution.events[at]);
    assert_eq!((before.operation.as_str(), now.operation.as_str()), ("store", "swap"));
    assert_eq!(divergence.before.events[..at], bug.execution.events[..at]);
}

#[test]
fn other_ways_not_to_be_deterministic() {
    // A thread more or less.
    let executions = std::sync::atomic::AtomicUsize::new(0);
    let bug = support::bug(|| {
        let nth = executions.fetch_add(1, SeqCst);
        let (x, thread) = spawn(|x| x.store(1, SeqCst));
        if nth == 0 {
            let other = x.clone();
            thread::spawn(move || other.store(2, SeqCst));
        }
        x.load(SeqCst);
        thread.join().unwrap();
    });
    assert_eq!(bug.kind, BugKind::Nondeterminism, "{}", bug.message);
    // A failure where there was none.
    let executions = std::sync::atomic::AtomicUsize::new(0);
    let bug = support::bug(|| {
        let nth = executions.fetch_add(1, SeqCst);
        let (x, _) = spawn(|x| x.store(1, SeqCst));
        assert!(nth < 1, "later");
        x.load(SeqCst);
    });
    assert!(matches!(bug.kind, BugKind::Nondeterminism | BugKind::Panic), "{}", bug.message);
}

/// Nothing of the first execution is taken again, but each thread has to stand where it stood.
#[test]
fn what_is_announced_has_to_be_the_same_as_well() {
    let executions = std::sync::atomic::AtomicUsize::new(0);
    let report = everyway::explore(|| {
        let nth = executions.fetch_add(1, SeqCst);
        let (x, thread) = spawn(|x| x.store(1, SeqCst));
        if nth == 0 {
            x.load(SeqCst);
        } else {
            x.store(3, SeqCst);
        }
        thread.join().unwrap();
    });
    let bug = report.bug.expect("a bug");
    assert_eq!(bug.kind, BugKind::Nondeterminism, "{}", bug.message);
    let divergence = bug.divergence.unwrap();
    assert_eq!(divergence.first_difference, 0);
    let (before, now) = (&divergence.before.events[0], &bug.execution.events[0]);
    assert_eq!((before.operation.as_str(), now.operation.as_str()), ("load", "store"));
}

/// Who comes to a lock of std's first decides what threads do then, and nothing that they announce tells.
#[test]
fn what_is_hidden_in_a_lock_of_std_is_told_with_both_executions() {
    let bug = support::bug(|| {
        let hidden = std::sync::Arc::new(std::sync::Mutex::new(0));
        let shared = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        for n in 0..3 {
            let (shared, hidden) = (shared.clone(), hidden.clone());
            thread::spawn(move || {
                match n {
                    0 => shared[0].store(1, SeqCst),
                    _ => _ = shared[1].fetch_add(1, SeqCst),
                }
                *hidden.lock().unwrap() += 1;
                let nth = *hidden.lock().unwrap();
                match nth {
                    1 => _ = shared[0].load(SeqCst),
                    2 => shared[1].store(5, SeqCst),
                    _ => shared[0].store(6, SeqCst),
                }
                shared[1].load(SeqCst);
            });
        }
    });
    assert_eq!(bug.kind, BugKind::Nondeterminism, "{}", bug.message);
    assert!(bug.message.contains("cannot see") || bug.message.contains("did not do again"), "{}", bug.message);
    let divergence = bug.divergence.expect("both executions");
    let at = divergence.first_difference;
    assert_eq!(divergence.before.events[..at], bug.execution.events[..at]);
    assert_ne!(divergence.before.events.get(at), bug.execution.events.get(at));
}
