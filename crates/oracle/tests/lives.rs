//! What ends at once under `reads-from`: it is not one ordered location, and who comes too late is found.

use everyway_explore::{Algorithm, Order};
use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare, counts_of};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::Statement::{Add, Await, FetchAdd, Free, If, Load, Lock, Store, Unlock};
use everyway_oracle::program::{Condition, Place, Program, Register, Statement, Test, Value};

const X: Place = Place::at(0);
const Y: Place = Place::at(1);
const COUNT: Place = Place::at(2);
const MUTEX: Place = Place::at(3);
const A: Register = Register(0);
const B: Register = Register(1);

fn write(place: Place, number: u64) -> Statement {
    Store(place, Value::Number(number))
}

fn both() -> Statement {
    Free(vec![X, Y])
}

/// Leaves, and frees if this is the last one.
fn leave(all: &[Place]) -> Vec<Statement> {
    let is_last = Test { register: B, condition: Condition::Equals(1) };
    vec![FetchAdd(B, COUNT, u64::MAX), If(is_last, vec![Free(all.to_vec())])]
}

fn program(threads: Vec<Vec<Statement>>) -> Program {
    let count = threads.len() as u64;
    Program::new(4, threads).starting_with(COUNT.base, count)
}

fn executions(program: &Program, algorithm: Algorithm) -> u64 {
    counts_of(&mut Machine::new(program), algorithm, Order::Lowest).executions()
}

fn check(program: &Program, expected: u64) {
    for seed in 0..5 {
        let verdict = compare(program, &EXHAUSTIVE, 1_000_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}\n{program}");
    }
    assert_eq!(executions(program, Algorithm::ReadsFrom), expected, "{program}");
}

/// Each thread is alive or not, whatever the others are.
#[test]
fn accesses_to_what_ends_are_dead_or_alive() {
    check(&Program::new(2, vec![vec![both()], vec![write(X, 1)]]), 2);
    check(&Program::new(2, vec![vec![both()], vec![Load(A, X)], vec![write(Y, 1)]]), 4);
    check(&Program::new(2, vec![vec![both()], vec![FetchAdd(A, X, 1)], vec![FetchAdd(A, Y, 1)]]), 4);
}

/// Of two steps both are alive, or the first only, or none.
#[test]
fn who_is_dead_goes_no_further() {
    check(&Program::new(2, vec![vec![both()], vec![write(X, 1), write(Y, 1)]]), 3);
}

/// If the reader is dead, the writer is dead or alive. If both are alive, the reader finds 0 or 1; if only the reader is, 0.
#[test]
fn a_read_finds_what_was_written_or_the_end() {
    check(&Program::new(2, vec![vec![both()], vec![write(X, 1)], vec![Load(A, X)]]), 2 + 2 + 1);
}

/// Who leaves last frees: the orders of those who leave are all that counts, for they touch different words before.
#[test]
fn words_are_not_ordered_by_the_end_of_all() {
    let thread = |place: Place| [vec![Load(A, place), write(place, 1)], leave(&[X, Y])].concat();
    check(&program(vec![thread(X), thread(Y)]), 2);
}

/// Stores that no thread reads: for each order of those who leave one execution, if their own order is not explored.
#[test]
fn stores_before_the_end_are_not_ordered() {
    let thread = |number| [vec![write(X, number), write(Y, number)], leave(&[X, Y])].concat();
    let three = program((1..=3).map(thread).collect());
    assert_eq!(executions(&three, Algorithm::ReadsFrom), 6);
    check(&program((1..=2).map(thread).collect()), 2);
}

/// The lock is tied to the end: what is ordered is who takes it, and who leaves last.
#[test]
fn a_lock_that_ends_with_words() {
    let thread = [vec![Lock(MUTEX), write(X, 1), Unlock(MUTEX)], leave(&[X, Y, MUTEX])].concat();
    check(&program(vec![thread.clone(), thread]), 2 * 2);
}

/// A lock that is freed while others may take it: each of two threads takes it before the end, and gives it back before the
/// end or does not; or it does not take it before the end. The one that has it when it ends lets the other wait for ever.
/// With `l` and `u` for one thread, `L` and `U` for the other and `f`: `luLUf`, `LUluf` (all alive); `luLfU`, `LUlfu`; `luf`
/// then `L` dead; `LUf` then `l` dead; `lfu`, where the dead unlock gives it back all the same and `L` is dead then; `LfU`
/// the same; `f`, and then `l` dead, which takes it all the same, so that `L` waits; or the other way round.
#[test]
fn a_lock_that_ends_too_early() {
    let thread = vec![Lock(MUTEX), Unlock(MUTEX)];
    check(&Program::new(4, vec![thread.clone(), thread, vec![Free(vec![X, MUTEX])]]), 10);
}

/// Adds have results once they can be dead: each of two is dead or alive, and if both are alive they come in two orders.
#[test]
fn adds_to_what_ends() {
    check(&Program::new(2, vec![vec![both()], vec![Add(X, 1)], vec![Add(X, 1)]]), 1 + 1 + 1 + 2);
}

/// Who ends it a second time is as dead as others are; the two ends and the store come in any order.
#[test]
fn what_ends_twice_is_ordered() {
    check(&Program::new(2, vec![vec![both()], vec![both()], vec![write(X, 1)]]), 6);
}

/// Who waits for what is not written before the end waits for ever; otherwise it goes on, or is dead, for what is there stays
/// there: the store alive and before the wait, which is alive or dead; the store dead, and the wait dead behind it.
#[test]
fn a_wait_for_what_ends() {
    let waits = vec![Await(A, X, Condition::Equals(1))];
    check(&Program::new(2, vec![vec![both()], vec![write(X, 1)], waits]), 3);
}
