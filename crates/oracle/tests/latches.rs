//! Waits under `reads-from`: where no thread has to wait once something is written, the order of writes is left open.

use everyway_explore::{Algorithm, Order};
use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare, counts_of};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::Statement::{Add, Await, FetchAdd, If, Join, Load, Lock, Spawn, Store, Unlock};
use everyway_oracle::program::{Condition, Place, Program, Register, Statement, Test, Value};

const X: Place = Place::at(0);
const Z: Place = Place::at(1);
const SET: Condition = Condition::Differs(0);
const A: Register = Register(0);
const B: Register = Register(1);
const C: Register = Register(2);

fn write(place: Place, number: u64) -> Statement {
    Store(place, Value::Number(number))
}

fn executions(program: &Program, algorithm: Algorithm) -> u64 {
    counts_of(&mut Machine::new(program), algorithm, Order::Lowest).executions()
}

fn check(program: &Program, expected: u64) {
    for seed in 0..5 {
        let verdict = compare(program, &EXHAUSTIVE, 100_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}\n{program}");
    }
    assert_eq!(executions(program, Algorithm::ReadsFrom), expected, "{program}");
}

fn writers(count: u64) -> Vec<Vec<Statement>> {
    (1..=count).map(|number| vec![write(X, number)]).collect()
}

/// One for each write that it may find. If their order counted, there were 5! for the wait after the last one alone.
#[test]
fn a_wait_for_one_of_many_writers_has_one_execution_for_each() {
    check(&Program::new(1, [writers(5), vec![vec![Await(A, X, SET)]]].concat()), 5);
}

/// Each finds one of four, and any two may find different ones, in either order.
#[test]
fn two_waits_for_one_of_many_writers_are_two_reads() {
    check(&Program::new(1, [writers(4), vec![vec![Await(A, X, SET)]; 2]].concat()), 16);
}

/// What the only thread writes comes before all else: 0 is there from the start, as far as the others are concerned.
#[test]
fn what_the_only_thread_writes_does_not_count() {
    let main = [vec![write(X, 0)], (1..=4).map(Spawn).collect()].concat();
    check(&Program::new(1, [vec![main], writers(3), vec![vec![Await(A, X, SET)]]].concat()), 3);
}

/// Nothing is written, so it waits for ever.
#[test]
fn a_wait_at_what_is_not_written_waits_for_ever() {
    let writer = |number| vec![Load(A, Z), If(Test { register: A, condition: SET }, vec![write(X, number)])];
    check(&Program::new(2, vec![writer(1), writer(2), vec![Await(A, X, SET)]]), 1);
}

/// The fetch-and-add finds 0 or what one of the two stores left, the wait what one of the three writes left, and each
/// of these goes with each: the other store comes before all that, or after.
#[test]
fn read_modify_writes_of_a_latch_have_sources() {
    check(&Program::new(1, [writers(2), vec![vec![FetchAdd(B, X, 1)], vec![Await(A, X, SET)]]].concat()), 9);
}

/// What is written by the third thread is found only by a wait that nothing else can end: not by a search that lets waits go
/// on wherever they can. So `x`, to which something is written that is not waited for, is ordered.
#[test]
fn what_is_waited_for_may_be_written_only_where_nothing_else_was() {
    let is = |register, number| Test { register, condition: Condition::Equals(number) };
    let answer = If(is(A, 1), vec![If(is(B, 0), vec![If(is(C, 0), vec![write(X, 1)])])]);
    let looking = vec![Load(A, X), Load(B, X), Load(C, Z), answer];
    let waiting = vec![Load(A, Z), Await(B, X, Condition::Equals(1))];
    let program = Program::new(2, vec![vec![write(X, 1)], vec![write(X, 0)], vec![write(Z, 5)], looking, waiting]);
    for seed in 0..5 {
        let verdict = compare(&program, &[Algorithm::ReadsFrom], 1_000_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}");
    }
}

/// What all four have written is over when the last thread looks, and waits for what it has found: it never has to wait, so
/// there is one execution for each value that it finds. If the order of writes counted, there were 4!.
#[test]
fn a_wait_for_what_was_read_is_a_read() {
    let looks = |number| {
        If(Test { register: A, condition: Condition::Equals(number) }, vec![Await(B, X, Condition::Equals(number))])
    };
    let last = [(0..4).map(Join).collect(), vec![Load(A, X)], (1..=4).map(looks).collect()].concat();
    check(&Program::new(1, [writers(4), vec![last.clone()]].concat()), 4);
    // What it writes itself then, and waits for, makes no difference.
    let again = vec![write(X, 7), Await(B, X, Condition::Equals(7))];
    check(&Program::new(1, [writers(4), vec![[last, again].concat()]].concat()), 4);
}

/// Two threads wait for what they have read, before somebody writes something else: then they have to.
#[test]
fn a_wait_for_what_was_read_may_be_for_ever() {
    let looks = vec![
        Load(A, X),
        If(Test { register: A, condition: Condition::Equals(1) }, vec![Await(B, X, Condition::Equals(1))]),
    ];
    let program = Program::new(1, [writers(2), vec![looks.clone(), looks]].concat());
    for seed in 0..5 {
        let verdict = compare(&program, &EXHAUSTIVE, 100_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}");
    }
}

/// Whoever has the lock has changed what it waits for, and put it right again: there are the two orders.
#[test]
fn a_wait_under_a_lock() {
    let section = vec![Lock(Z), write(X, 5), write(X, 0), Await(A, X, Condition::Equals(0)), Unlock(Z)];
    check(&Program::new(2, vec![section.clone(), section]), 2);
}

/// It is no latch if something else is written later, where that has not been seen before.
#[test]
fn what_turns_out_to_be_no_latch_is_ordered() {
    let unset = If(Test { register: A, condition: Condition::Equals(2) }, vec![write(X, 0)]);
    let looking = vec![Load(A, X), unset];
    let program = Program::new(1, [writers(2), vec![looking, vec![Await(A, X, SET)]]].concat());
    let verdict = compare(&program, &EXHAUSTIVE, 100_000, 1);
    assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}");
}

/// A wait that is over before others are spawned.
#[test]
fn a_wait_of_the_only_thread() {
    let main = vec![write(X, 1), Await(A, X, SET), Spawn(1), Spawn(2), Join(1), Join(2), Load(A, X)];
    check(&Program::new(1, vec![main, vec![write(X, 2)], vec![write(X, 3)]]), 2);
}

fn counting(adds: usize, wanted: Condition) -> Program {
    Program::new(1, [vec![vec![Add(X, 1)]; adds], vec![vec![Await(A, X, wanted)]]].concat())
}

/// It comes after all of them: their order is left open.
#[test]
fn a_wait_for_all_adds_is_one_execution() {
    check(&counting(4, Condition::Equals(4)), 1);
    assert_eq!(executions(&counting(30, Condition::Equals(30)), Algorithm::ReadsFrom), 1);
}

/// Three of four, whichever, or all four.
#[test]
fn a_wait_for_enough_adds_has_one_execution_for_each_set_of_enough() {
    check(&counting(4, Condition::AtLeast(3)), 4 + 1);
}

/// Down from 3, in whatever order.
#[test]
fn a_wait_for_zero() {
    let down = vec![vec![Add(X, u64::MAX)]; 3];
    let program = Program::new(1, [down, vec![vec![Await(A, X, Condition::Equals(0))]]].concat());
    check(&program.starting_with(0, 3), 1);
}

/// After two of three adds it goes on, and after the third it does not any more: so their order counts, as under `optimal`.
#[test]
fn what_is_left_again_is_no_latch() {
    let program = counting(3, Condition::Equals(2));
    for seed in 0..5 {
        let verdict = compare(&program, &EXHAUSTIVE, 1_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}");
    }
}

/// Adds up and down pass by what is waited for.
#[test]
fn up_and_down_is_no_latch() {
    let program = Program::new(1, vec![vec![Add(X, 1), Add(X, u64::MAX)], vec![Add(X, 1)], vec![Await(A, X, SET)]]);
    for seed in 0..5 {
        let verdict = compare(&program, &EXHAUSTIVE, 1_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}");
    }
}
