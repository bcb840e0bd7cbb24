//! C programs made at random against brute force, under every strategy. What C makes of some steps is another unit to
//! `reads-from` than what the oracle's machine does; `everyway_pipeline::classes` says where, and has the oracle's classes
//! with that in mind.

use everyway_oracle::random::Profile;
use everyway_pipeline::compare::{Case, compare_batch};
use everyway_pipeline::emit::{PRELUDE, Style};
use everyway_pipeline::program::clang;

/// How many interleavings a program may have.
const LIMIT: u64 = 600;

/// Checks this many programs of a profile, compiled at once with these arguments.
fn check(profile: Profile, programs: usize, styles: &[Style], arguments: &[&str]) {
    let Some(clang) = clang() else { return };
    let cases = (0..).filter_map(|seed| Case::random(profile, seed, LIMIT, styles));
    let cases: Vec<_> = cases.filter(|case| case.classes.all() > 1).take(programs).collect();
    println!("{profile:?}: {} classes", cases.iter().map(|case| case.classes.all()).sum::<u64>());
    for (case, difference) in cases.iter().zip(compare_batch(&clang, &cases, arguments)) {
        if let Some(difference) = difference {
            let (small, alone) = case.shrink(&clang, arguments, LIMIT);
            let text = small.text("p");
            panic!("{profile:?} {}: {:?}\n{}\n{PRELUDE}{text}", case.seed, alone.unwrap_or(difference), small.program);
        }
    }
}

macro_rules! profiles {
    ($($name:ident: $profile:ident, $programs:literal;)*) => {
        $(#[test]
        fn $name() {
            check(Profile::$profile, $programs, &Style::ALL, &[]);
        })*
    };
}

profiles! {
    memory: Memory, 40;
    read_modify_write: ReadModifyWrite, 40;
    mutex: Mutex, 40;
    read_write_lock: ReadWriteLock, 40;
    condvar: Condvar, 40;
    waiting: Await, 40;
    semaphore: Semaphore, 40;
    spawn_and_join: SpawnJoin, 40;
    choice: Choice, 40;
    bytes: Bytes, 40;
    mixed: Mixed, 60;
}

#[test]
fn optimised() {
    check(Profile::Mixed, 40, &Style::ATOMIC, &["-O1"]);
}
