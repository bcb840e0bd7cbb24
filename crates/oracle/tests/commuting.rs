//! Operations on locks that cannot tell an order do not conflict, so that orders of them are no executions.
//!
//! - An attempt to take a lock that fails has changed nothing: it is a read, and reads commute. It does not commute with what
//!   gives the lock back: in the other order it does not fail.
//! - To give a lock back that others share is to take one from a number, without a look at what it was: an add, and adds
//!   commute. So is to take a share, as long as no thread wants the whole.
//!
//! That these rules leave nothing out is what `random_programs.rs` compares with brute force.

use everyway_explore::{Algorithm, Order};
use everyway_oracle::compare::{Verdict, compare, counts_of};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Place, Program, Register, Statement};

const LOCK: Place = Place::at(0);

/// Whoever has the lock is none of the threads.
fn held(by: u64, threads: Vec<Vec<Statement>>) -> Program {
    Program::new(1, threads).starting_with(0, by)
}

fn count(program: &Program, algorithm: Algorithm) -> u64 {
    let counts = counts_of(&mut Machine::new(program), algorithm, Order::Lowest);
    assert_eq!(counts.redundant, 0, "{algorithm:?}");
    counts.executions()
}

fn check(program: &Program, executions: u64) {
    for algorithm in [Algorithm::Optimal, Algorithm::Observers, Algorithm::ReadsFrom] {
        assert_eq!(count(program, algorithm), executions, "{algorithm:?}");
    }
}

#[test]
fn attempts_that_fail_commute() {
    check(&held(1, vec![vec![Statement::TryLock(Register(0), LOCK); 3]; 5]), 1);
}

/// Each attempt comes before the lock is given back, or after it; of those after it, in a row of their own, the first
/// takes the lock. With two threads of one attempt each: both before; one before, two ways; both after, where one of the two
/// takes the lock, two ways.
#[test]
fn attempts_and_what_gives_back_do_not() {
    let attempt = vec![Statement::TryLock(Register(0), LOCK)];
    check(&held(1, vec![vec![Statement::Unlock(LOCK)], attempt.clone(), attempt]), 5);
}

#[test]
fn shares_are_given_back_in_any_order() {
    check(&held(5, vec![vec![Statement::ReadUnlock(LOCK)]; 5]), 1);
}

/// No thread wants the whole, so none waits.
#[test]
fn shares_are_taken_in_any_order() {
    check(&held(0, vec![vec![Statement::ReadLock(LOCK), Statement::ReadUnlock(LOCK)]; 4]), 1);
}

/// Who gives back twice what was taken once lets the number fall below 0, which is not below a writer's. (No front end may
/// do that: other strategies take it for granted that adds do not keep each other waiting.)
#[test]
fn shares_that_are_not_there_are_ordered() {
    let thread = vec![Statement::ReadLock(LOCK), Statement::ReadUnlock(LOCK), Statement::ReadUnlock(LOCK)];
    let program = held(0, vec![thread, vec![Statement::ReadLock(LOCK)]]);
    for seed in 0..5 {
        let verdict = compare(&program, &[Algorithm::ReadsFrom], 1_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}");
    }
}

/// Under `reads-from` what is waited at is ordered unless it is only looked at, or no thread has to wait. One that wants the
/// whole may have to, so that the order of shares counts. With `r` and `s` for the reader, and `w` and `v` for the writer:
/// `rswv` and `wvrs`, as elsewhere. With two readers `r s` and `R S`, the shares before the writer come in some order and
/// those after it, too: all of both before, 4!/2!² = 6 orders, or after, 6; one of them before and one after, 2.
#[test]
fn shares_are_ordered_where_somebody_wants_the_whole() {
    let reader = vec![Statement::ReadLock(LOCK), Statement::ReadUnlock(LOCK)];
    let writer = vec![Statement::WriteLock(LOCK), Statement::WriteUnlock(LOCK)];
    check(&held(0, vec![reader.clone(), writer.clone()]), 2);
    let program = held(0, vec![reader.clone(), reader, writer]);
    assert_eq!(count(&program, Algorithm::Optimal), 4);
    assert_eq!(count(&program, Algorithm::ReadsFrom), 6 + 6 + 2);
}
