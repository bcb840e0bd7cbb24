//! Locations that one operation waits at together, under `reads-from`: whoever only reads one of them cares for nothing but
//! what was written there.

use everyway_explore::{Algorithm, Order};
use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare, counts_of};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::Statement::{AwaitChange, CompareExchange, Exchange, Load, Store};
use everyway_oracle::program::{Place, Program, Register, Statement, Value};

const A: Register = Register(0);

fn write(place: u32, number: u64) -> Statement {
    Store(Place::at(place), Value::Number(number))
}

fn read(place: u32) -> Vec<Statement> {
    vec![Load(A, Place::at(place))]
}

/// Waits until one of the first so many locations is not 0.
fn wait(locations: u32) -> Vec<Statement> {
    vec![AwaitChange((0..locations).map(|location| (A, Place::at(location))).collect())]
}

fn check(program: &Program, expected: u64) {
    for seed in 0..5 {
        let verdict = compare(program, &EXHAUSTIVE, 100_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}\n{program}");
    }
    let counts = counts_of(&mut Machine::new(program), Algorithm::ReadsFrom, Order::Lowest);
    assert_eq!((counts.executions(), counts.redundant), (expected, 0), "{program}");
}

/// The wait comes after any of the writes; each reader finds what was there first, or the write to its own location.
#[test]
fn readers_of_one_location_each_have_two_sources() {
    let writer = vec![write(0, 1), write(1, 1)];
    check(&Program::new(2, vec![writer, wait(2), read(0), read(1)]), 2 * 2 * 2);
    let writer = (0..6).map(|location| write(location, 1)).collect();
    let program = Program::new(6, [vec![writer, wait(6)], (0..6).map(read).collect()].concat());
    assert_eq!(counts_of(&mut Machine::new(&program), Algorithm::ReadsFrom, Order::Lowest).executions(), 6 << 6);
}

/// The two writes come in either order, and the wait after the first or the second; the readers do not notice.
#[test]
fn writes_to_what_is_waited_at_together_are_ordered() {
    check(&Program::new(2, vec![vec![write(0, 1)], vec![write(1, 1)], wait(2)]), 2 * 2);
    check(&Program::new(2, vec![vec![write(0, 1)], vec![write(1, 1)], wait(2), read(0), read(1)]), 4 * 2 * 2);
}

/// What changes a location after it has looked at it is no mere read: its place among all changes counts. With the two writes
/// of the first thread there are three places, and the wait comes after any of the three changes; the read finds one of two
/// values where it comes from.
#[test]
fn read_modify_writes_are_ordered() {
    let writer = vec![write(0, 1), write(0, 2)];
    let exchange = vec![Exchange(A, Place::at(1), Value::Number(7))];
    check(&Program::new(2, vec![writer, exchange, wait(2), read(1)]), 3 * 3 * 2);
}

/// A compare-exchange that fails has only read, but might have written.
#[test]
fn what_might_write_is_ordered() {
    let writer = vec![write(0, 1), write(1, 1)];
    let attempt = vec![CompareExchange(A, Place::at(1), Value::Number(0), Value::Number(5))];
    let program = Program::new(2, vec![writer, attempt, wait(2), read(1)]);
    for seed in 0..5 {
        let verdict = compare(&program, &EXHAUSTIVE, 100_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}\n{program}");
    }
}
