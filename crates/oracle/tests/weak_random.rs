//! Execution graphs of random programs under every memory model, held against brute force.

use everyway_explore::MemoryModel;
use everyway_oracle::program::{Condition, Ordering, Place, Program, Register, Statement, Value};
use everyway_oracle::random;
use everyway_oracle::shrink::shrink;
use everyway_oracle::weak::candidates;
use everyway_oracle::weak::compare::{compare, compare_with};
use everyway_oracle::weak::random::{Profile, program};

/// The most ways to run the threads of a program.
const LIMIT: usize = 1_000;

/// How many programs of each profile are compared.
const PROGRAMS: u64 = 200;

/// How many are looked at for that: the others have more ways to run than [`LIMIT`].
const CANDIDATES: u64 = 500;

/// How many are compared where most of them do not tell models apart.
const MANY: u64 = 1_500;

fn check(profile: Profile) {
    check_many(profile, &MemoryModel::ALL, PROGRAMS, CANDIDATES);
}

fn check_many(profile: Profile, models: &[MemoryModel], programs: u64, looked_at: u64) {
    let mut compared = 0;
    for seed in 0..looked_at {
        if compared == programs {
            return;
        }
        let random = program(profile, seed);
        let Ok(all) = candidates(&random, LIMIT) else { continue };
        compared += 1;
        for &model in models {
            if compare_with(&random, &all, model, seed).is_err() {
                let small = shrink(&random, |program| compare(program, model, LIMIT, seed).is_err());
                let difference = compare(&small, model, LIMIT, seed).err();
                panic!("seed {seed}: {}\n{small}", difference.unwrap_or_default());
            }
        }
    }
    panic!("only {compared} programs were compared");
}

#[test]
fn loads_and_stores() {
    check(Profile::Memory);
}

#[test]
fn read_modify_writes() {
    check(Profile::ReadModifyWrite);
}

#[test]
fn waits() {
    check(Profile::Waits);
}

#[test]
fn control() {
    check(Profile::Control);
}

#[test]
fn everything() {
    check(Profile::Mixed);
}

/// The other models know no `seq_cst` but a fence's.
#[test]
fn sequentially_consistent_accesses() {
    check_many(Profile::SequentiallyConsistent, &[MemoryModel::Rc11], MANY, 2 * MANY);
}

#[test]
fn condition_variables() {
    check(Profile::Synchronised(random::Profile::Condvar));
}

#[test]
fn steps_of_several_reads() {
    check(Profile::Synchronised(random::Profile::Await));
}

#[test]
fn queues() {
    check(Profile::Synchronised(random::Profile::Queue));
}

#[test]
fn selective_receives() {
    check(Profile::Synchronised(random::Profile::Selective));
}

#[test]
fn channels() {
    check(Profile::Synchronised(random::Profile::Channel));
}

/// Found among random programs. The first thread reads what the last statement writes only after it was overtaken twice,
/// while a write that it may not read any more is the newest.
#[test]
fn a_wait_that_is_overtaken_twice() {
    let x = Place::at(0).ordered(Ordering::Relaxed);
    let exchange = |from, to| Statement::AwaitExchange(Register(0), x, Condition::Equals(from), Value::Number(to));
    let store = |value| Statement::Store(x, Value::Number(value));
    let program = Program::new(
        1,
        vec![
            vec![Statement::Await(Register(0), x, Condition::Differs(1))],
            vec![exchange(2, 1)],
            vec![store(0)],
            vec![exchange(0, 1), store(2), exchange(1, 0)],
        ],
    );
    agree(&program);
}

/// Found among random programs. The third thread was added first, and reads what the first one writes in the end, which was
/// overtaken on its way there: what it has read by then stays.
#[test]
fn a_wait_that_was_overtaken_before_what_is_read() {
    let (x, y) = (Place::at(0).ordered(Ordering::Relaxed), Place::at(1).ordered(Ordering::Relaxed));
    let store = |place, value| Statement::Store(place, Value::Number(value));
    let program = Program::new(
        2,
        vec![
            vec![
                Statement::Await(Register(0), y, Condition::Differs(1)),
                Statement::AwaitExchange(Register(1), y, Condition::Differs(1), Value::Number(1)),
                store(x, 3),
            ],
            vec![store(y, 0)],
            vec![Statement::Add(x, 2)],
            vec![Statement::Add(y, 1), store(y, 3)],
        ],
    );
    agree(&program);
}

/// Asserts that the engine explores what brute force finds, under every model.
fn agree(program: &Program) {
    for model in MemoryModel::ALL {
        if let Err(difference) = compare(program, model, 10_000, 1) {
            panic!("{difference}");
        }
    }
}
