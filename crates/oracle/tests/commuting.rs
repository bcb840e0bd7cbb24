//! Operations on locks that cannot tell an order do not conflict, so that orders of them are no executions.
//!
//! - An attempt to take a lock that fails has changed nothing: it is a read, and reads commute. It does not commute with what
//!   gives the lock back: in the other order it does not fail.
//! - To give a lock back that others share is to take one from a number, without a look at what it was: an add, and adds
//!   commute. So is to take a share, as long as nobody wants the whole.
//!
//! That these rules leave nothing out is what `random_programs.rs` compares with brute force.

use everyway_explore::{Algorithm, Order};
use everyway_oracle::compare::counts_of;
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

/// Under `reads-from` what is waited at is ordered unless it is only looked at, so that each of the 8!/2!⁴ orders of what the
/// four threads do is an execution.
#[test]
fn shares_are_taken_in_any_order() {
    let program = held(0, vec![vec![Statement::ReadLock(LOCK), Statement::ReadUnlock(LOCK)]; 4]);
    assert_eq!(count(&program, Algorithm::Optimal), 1);
    assert_eq!(count(&program, Algorithm::Observers), 1);
    assert_eq!(count(&program, Algorithm::ReadsFrom), 2520);
}
