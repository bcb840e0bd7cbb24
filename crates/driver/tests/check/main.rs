//! Whole checks of programs in a tiny language: what is explored, collected, saved, run again and said.

mod portfolio;
mod sharing;
mod toy;

use everyway_driver::{AfterFailure, Followed, Host, Limits, NoHost, Settings, SoFar, TooLong, check, follow, replay};
use everyway_explore::{Algorithm, Order};
use everyway_report::replay::{ProgramId, ProgramKind, ReplayFile, ScheduledStep};
use everyway_report::{Bug, BugKind, Event, Replay, Report, Verdict};
use everyway_runtime::{Step, ThreadId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use toy::{Do, Toy};

/// Two threads, of which the first fails if the second writes in time, and the second if it does not.
fn either_fails() -> Toy {
    Toy::new(&[&[Do::SpawnIf(1, 0, 1), Do::Set(0, 1), Do::Expect(2, 0)], &[Do::Expect(0, 0), Do::Set(2, 1)]])
}

/// Keeps replay files in memory, and counts.
#[derive(Default)]
struct Memory {
    files: Vec<ReplayFile>,
    executions: u64,
    /// How many executions there had been when each file was saved.
    saved_after: Vec<u64>,
    cancels_after: Option<(u64, Arc<AtomicBool>)>,
    /// Is set when something is saved.
    cancels_at_save: Option<Arc<AtomicBool>>,
}

impl Host<Toy> for Memory {
    fn executed(&mut self, so_far: &SoFar<'_>) {
        self.executions = so_far.counts.executions();
        if let Some((limit, flag)) = &self.cancels_after {
            flag.store(self.executions >= *limit, Ordering::Relaxed);
        }
    }

    fn save(
        &mut self,
        _: &Toy,
        bug: &Bug,
        schedule: &[ScheduledStep],
        number: usize,
    ) -> Result<Option<Replay>, String> {
        assert!(number <= self.files.len(), "failures are numbered in the order in which they are found");
        if let Some(flag) = &self.cancels_at_save {
            flag.store(true, Ordering::Relaxed);
        }
        let id = ProgramId {
            kind: ProgramKind::Rust,
            name: "toy".to_owned(),
            source: None,
            content: None,
            arguments: Vec::new(),
        };
        let file = ReplayFile::new(id, schedule.to_vec(), bug);
        match self.files.get_mut(number) {
            // It is told better than it was found.
            Some(known) => *known = file,
            None => {
                self.files.push(file);
                self.saved_after.push(self.executions);
            }
        }
        Ok(Some(Replay { file: format!("file {number}"), command: "again".to_owned() }))
    }
}

fn keep_going() -> Settings {
    Settings { after_failure: AfterFailure::GoOn, ..Settings::default() }
}

fn threads(bug: &Bug) -> Vec<&str> {
    bug.execution.threads.iter().map(|thread| thread.name.as_str()).collect()
}

/// Runs a saved execution in a process that has seen no other, and expects the same.
fn again(toy: &Toy, file: &ReplayFile, bug: &Bug) {
    let replayed = replay(&mut toy.clone(), file, &Settings::default(), |_| {});
    assert_eq!(replayed.difference, None);
    let report = replayed.report(file, &Settings::default(), "one execution");
    assert_eq!(report.verdict, Verdict::Bug);
    assert_eq!(report.notes, Vec::<String>::new());
    let found = report.bug.expect("it fails again");
    assert_eq!((found.kind, &found.message, &found.source), (bug.kind, &bug.message, &bug.source));
    assert_eq!(found.execution.events.len(), bug.execution.events.len());
    let born = |bug: &Bug| bug.execution.events.iter().map(|event| event.thread).collect::<Vec<_>>();
    assert_eq!(born(&found), born(bug), "threads are listed in the order of their birth");
}

#[test]
fn the_first_failure_ends_a_check() {
    let mut memory = Memory::default();
    let report = check(&mut either_fails(), &Settings::default(), &mut memory);
    assert_eq!(report.verdict, Verdict::Bug);
    assert_eq!(report.further_bugs.len(), 0);
    assert_eq!(memory.files.len(), 1);
    let bug = report.bug.expect("a bug");
    assert_eq!(bug.replay.as_ref().map(|replay| replay.file.as_str()), Some("file 0"));
    again(&either_fails(), &memory.files[0], &bug);
}

#[test]
fn all_failures_are_collected_each_saved_when_it_is_found() {
    for order in [Order::Lowest, Order::Highest, Order::Random(3)] {
        let mut memory = Memory::default();
        let report = check(&mut either_fails(), &Settings { order, ..keep_going() }, &mut memory);
        let mut lines: Vec<u32> = report.bugs().filter_map(|bug| bug.source.as_ref()).map(|s| s.line).collect();
        lines.sort_unstable();
        assert_eq!(lines, [2, 100]);
        // Thread 0 sets x and reads y, the other reads x and sets y if it is not set. The orders of the two accesses to x,
        // and if the second thread goes on, of those to y: one execution in which it fails, two in which it does not.
        assert_eq!((report.executions.complete, report.executions.failed), (1, 2));
        assert!(report.bugs().all(|bug| bug.executions == 1));
        assert_eq!(memory.files.len(), 2);
        assert!(memory.saved_after[1] < memory.executions, "the last one was not waited for");
        report.bugs().zip(&memory.files).for_each(|(bug, file)| again(&either_fails(), file, bug));
    }
}

#[test]
fn a_check_starts_over_without_an_assumption_that_is_wrong() {
    let mut toy = Toy::new(&[&[Do::SpawnIf(1, 0, 1), Do::Set(0, 1)], &[Do::SpawnIf(0, 1, 2)], &[Do::BeClever(3)]]);
    let report = check(&mut toy, &Settings::default(), &mut NoHost);
    assert!(!toy.is_simple);
    assert_eq!((report.verdict, report.executions.complete), (Verdict::Verified, 2));
    assert_eq!(report.notes, ["it is not simple"]);
}

/// Which of two threads is born first depends on the execution; so does whether one is born at all.
#[test]
fn threads_are_listed_in_the_order_of_birth() {
    let parents: [&[Do]; 5] = [
        &[Do::SpawnIf(1, 0, 1), Do::SpawnIf(1, 0, 2)],
        &[Do::Set(0, 1), Do::SpawnIf(3, 0, 3)],
        &[Do::Set(0, 2), Do::SpawnIf(3, 0, 4)],
        &[Do::Set(2, 1)],
        // Fails only if the other parent was the last one, but its child came first.
        &[Do::Expect(2, 1), Do::Expect(0, 2)],
    ];
    for order in [Order::Lowest, Order::Highest, Order::Random(1), Order::Random(2)] {
        let mut memory = Memory::default();
        let toy = Toy::new(&parents);
        let report = check(&mut toy.clone(), &Settings { order, ..keep_going() }, &mut memory);
        assert!(report.bugs().count() >= 2);
        for (bug, file) in report.bugs().zip(&memory.files) {
            assert_eq!(threads(bug)[0], "T0");
            let position = |name: &str| threads(bug).iter().position(|known| *known == name);
            let line = |event: &Event| event.source.as_ref().map(|source| source.line);
            let spawns = |wanted: u32| bug.execution.events.iter().position(|event| line(event) == Some(wanted));
            if let (Some(first), Some(second)) = (spawns(101), spawns(201)) {
                let children = (position("T0.0.0"), position("T0.1.0"));
                assert_eq!(first < second, children.0 < children.1, "{bug:#?}");
            }
            again(&toy, file, bug);
        }
    }
}

/// An execution in which another thread has failed before is shown without what has nothing to do with the failure.
#[test]
fn only_causes_are_shown_of_a_failure_among_others() {
    let toy = Toy::new(&[
        &[Do::SpawnIf(1, 0, 1), Do::SpawnIf(1, 0, 2)],
        &[Do::SpawnIf(1, 0, 3), Do::Expect(0, 1)],
        &[Do::SpawnIf(1, 0, 3), Do::Expect(3, 1)],
        &[],
    ]);
    let report = check(&mut toy.clone(), &keep_going(), &mut NoHost);
    assert_eq!(report.bugs().count(), 2);
    for bug in report.bugs() {
        // The steps of the first thread up to the birth of the one that fails, and those of that one.
        let born = match bug.source.as_ref().map(|source| source.line) {
            Some(101) => &["T0", "T0.0", "T0.0.0"][..],
            _ => &["T0", "T0.0", "T0.1", "T0.1.0"][..],
        };
        assert_eq!(bug.execution.events.len(), born.len(), "{bug:#?}");
        assert_eq!(&threads(bug)[..born.len()], born);
        let last = bug.execution.events.last().expect("an event");
        assert_eq!(Some(last.thread), bug.thread);
    }
}

#[test]
fn an_execution_that_is_too_long_names_its_loop() {
    let mut settings = Settings { limits: Limits { steps: 20, ..Limits::default() }, ..Settings::default() };
    let mut toy = Toy::new(&[&[Do::Set(0, 1), Do::Spin(0)]]);
    let report = check(&mut toy, &settings, &mut NoHost);
    let bug = report.bug.expect("it is too long");
    assert_eq!((report.verdict, bug.kind), (Verdict::Bug, BugKind::StepLimit));
    assert_eq!((bug.source.map(|source| source.line), bug.tips), (Some(1), vec!["look at line 1".to_owned()]));
    settings.too_long = TooLong::IsCut;
    let report = check(&mut toy, &settings, &mut NoHost);
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert_eq!(report.cut, ["an execution was cut, in the loop at toy:1, and the exploration ended there"]);
}

/// Six threads that write the same variable: 720 orders.
fn many() -> Toy {
    let first = [Do::SpawnIf(1, 0, 1); 6];
    Toy::new(&[&first, &[Do::Set(0, 1)]])
}

fn limited(limits: Limits, algorithm: Algorithm) -> Report {
    check(&mut many(), &Settings { limits, algorithm, ..Settings::default() }, &mut NoHost)
}

#[test]
fn limits_hold_and_are_said() {
    let all = limited(Limits::default(), Algorithm::Optimal);
    assert_eq!((all.verdict, all.executions.complete), (Verdict::Verified, 720));
    let some = limited(Limits { executions: Some(7), ..Limits::default() }, Algorithm::Optimal);
    assert_eq!((some.verdict, some.executions.complete), (Verdict::Incomplete, 7));
    assert_eq!(some.cut, ["the limit of 7 executions was reached"]);
    let none = limited(Limits { time: Some(Duration::ZERO), ..Limits::default() }, Algorithm::Optimal);
    assert_eq!((none.executions.complete, none.cut), (1, vec!["the limit of 0 seconds was reached".to_owned()]));
    // A strategy that never ends by itself.
    let samples = limited(Limits::default(), Algorithm::Random { seed: 5 });
    assert_eq!(samples.cut, ["10000 executions were picked at random (seed 5)"]);
    let cancelled = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancelled: Arc::clone(&cancelled), ..Limits::default() };
    let mut memory = Memory { cancels_after: Some((9, cancelled)), ..Memory::default() };
    let stopped = check(&mut many(), &Settings { limits, ..Settings::default() }, &mut memory);
    assert_eq!((stopped.verdict, stopped.executions.complete), (Verdict::Incomplete, 9));
    assert_eq!(stopped.cut, ["it was interrupted"]);
}

#[test]
fn a_program_that_has_changed_is_noticed() {
    let mut memory = Memory::default();
    check(&mut either_fails(), &Settings::default(), &mut memory);
    let mut changed = either_fails();
    changed.bodies[0].insert(0, Do::Set(3, 1));
    let replayed = replay(&mut changed, &memory.files[0], &Settings::default(), |_| {});
    let difference = replayed.difference.expect("another program");
    assert!(difference.starts_with("step "), "{difference}");
    // A thread that is never born.
    let mut file = memory.files[0].clone();
    file.schedule[1].thread = "0.7".to_owned();
    let replayed = replay(&mut either_fails(), &file, &Settings::default(), |_| {});
    assert_eq!(replayed.difference.as_deref(), Some("step 2 was `T0: Set(0, 1)`, which cannot be taken now"));
}

#[test]
fn a_cancelled_replay_says_so() {
    let mut memory = Memory::default();
    check(&mut either_fails(), &Settings::default(), &mut memory);
    let limits = Limits { cancelled: Arc::new(AtomicBool::new(true)), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let replayed = replay(&mut either_fails(), &memory.files[0], &settings, |_| {});
    let report = replayed.report(&memory.files[0], &settings, "one execution");
    assert_eq!(report.cut, ["one execution", "it was interrupted"]);
    assert_eq!(report.verdict, Verdict::Incomplete);
}

#[test]
fn steps_are_followed_to_where_they_fail() {
    let steps = |threads: &[u32]| threads.iter().map(|&thread| Step::of(ThreadId(thread))).collect::<Vec<_>>();
    match follow(&either_fails(), steps(&[0, 0, 1]), &Limits::default(), None) {
        Followed::Failed(found) => assert_eq!(found.bug.source.map(|source| source.line), Some(100)),
        Followed::NotFailed { steps } => panic!("it does not fail in {steps} steps"),
    }
    let followed = follow(&either_fails(), steps(&[0, 1, 2]), &Limits::default(), None);
    assert!(matches!(followed, Followed::NotFailed { steps: 2 }), "{followed:?}");
}

#[test]
fn a_failure_that_is_found_when_the_time_is_up_is_told_as_it_was_found() {
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancelled: Arc::clone(&flag), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let mut memory = Memory { cancels_at_save: Some(flag), ..Memory::default() };
    let report = check(&mut either_fails(), &settings, &mut memory);
    assert_eq!((report.verdict, memory.files.len()), (Verdict::Bug, 1));
    let bug = report.bug.expect("it was found");
    assert!(bug.passing.is_none(), "{bug:?}");
    assert!(report.notes.iter().any(|note| note.contains("as it was found")), "{:?}", report.notes);

    let in_time = check(&mut either_fails(), &Settings::default(), &mut Memory::default());
    assert!(in_time.bug.is_some_and(|bug| bug.passing.is_some()), "why it fails is looked for");
    assert!(!in_time.notes.iter().any(|note| note.contains("as it was found")), "{:?}", in_time.notes);
}
