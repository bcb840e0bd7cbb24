//! The engine against brute force, on random programs.

use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare};
use everyway_oracle::random::{Profile, program};
use everyway_oracle::shrink::shrink;
use std::ops::Range;

/// How many interleavings a program may have,
const LIMIT: usize = 600;
/// and how many a few of each profile, so that wakeup trees are deep.
const DEEP_LIMIT: usize = 4_000;
const DEEP_PROGRAMS: u64 = 10;

fn check(profile: Profile, programs: u64) {
    check_seeds(profile, 0..programs, LIMIT);
    check_seeds(profile, programs..programs + DEEP_PROGRAMS, DEEP_LIMIT);
}

fn check_seeds(profile: Profile, seeds: Range<u64>, limit: usize) {
    let programs = seeds.end - seeds.start;
    let mut skipped = 0;
    for seed in seeds {
        let program = program(profile, seed, limit);
        match compare(&program, &EXHAUSTIVE, limit, seed) {
            Verdict::Agrees { .. } => {}
            Verdict::Skipped => skipped += 1,
            Verdict::Differs(_) => {
                let fails = |program: &_| matches!(compare(program, &EXHAUSTIVE, limit, seed), Verdict::Differs(_));
                let small = shrink(&program, fails);
                let difference = compare(&small, &EXHAUSTIVE, limit, seed);
                panic!("{profile:?} {seed}: {difference:?}\n{small}");
            }
        }
    }
    println!("{profile:?}: {skipped} of {programs} skipped");
    assert!(skipped * 10 < programs, "{skipped} of {programs} programs have too many interleavings");
}

macro_rules! profiles {
    ($($name:ident: $profile:ident, $programs:literal;)*) => {
        $(#[test]
        fn $name() {
            check(Profile::$profile, $programs);
        })*
    };
}

profiles! {
    memory: Memory, 200;
    read_modify_write: ReadModifyWrite, 200;
    mutex: Mutex, 200;
    read_write_lock: ReadWriteLock, 200;
    condvar: Condvar, 200;
    sum: Sum, 200;
    waiting: Await, 200;
    latch: Latch, 200;
    spinning: Spin, 100;
    semaphore: Semaphore, 200;
    spawn_and_join: SpawnJoin, 200;
    choice: Choice, 200;
    freed: Freed, 400;
    queue: Queue, 200;
    selective: Selective, 200;
    channel: Channel, 200;
    bytes: Bytes, 200;
    mixed: Mixed, 200;
}
