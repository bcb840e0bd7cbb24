//! Adds whose result is not used under `reads-from`: they read nothing, and reads come after some of them.

use everyway_explore::{Algorithm, Order};
use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare, counts_of};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Place, Program, Register, Statement, Value};

const SUM: Place = Place::at(0);
const R0: Register = Register(0);

fn adds(count: usize) -> Vec<Statement> {
    vec![Statement::Add(SUM, 1); count]
}

fn executions(program: &Program, algorithm: Algorithm) -> u64 {
    counts_of(&mut Machine::new(program), algorithm, Order::Lowest).executions()
}

/// A first thread that does something, spawns the others, waits for them, and reads the sum.
fn spawning(first: Vec<Statement>, others: Vec<Vec<Statement>>) -> Program {
    let threads = 1..=others.len() as u32;
    let spawns = threads.clone().map(Statement::Spawn);
    let main = first.into_iter().chain(spawns).chain(threads.map(Statement::Join));
    let main = main.chain([Statement::Load(R0, SUM)]).collect();
    Program::new(1, [vec![main], others].concat())
}

#[test]
fn adds_that_nobody_reads_are_one_execution() {
    assert_eq!(executions(&Program::new(1, vec![adds(400); 2]), Algorithm::ReadsFrom), 1);
}

#[test]
fn adds_that_are_read_after_all_of_them_are_one_execution() {
    assert_eq!(executions(&spawning(Vec::new(), vec![adds(40); 3]), Algorithm::ReadsFrom), 1);
}

#[test]
fn what_the_only_thread_stores_does_not_count() {
    let first = vec![Statement::Store(SUM, Value::Number(5)), Statement::Load(R0, SUM)];
    assert_eq!(executions(&spawning(first, vec![adds(40); 3]), Algorithm::ReadsFrom), 1);
}

/// A read comes after 0 to 2 adds of one thread, and after 0 to 3 of another.
#[test]
fn a_read_has_a_source_for_each_number_of_adds_before_it() {
    let program = Program::new(1, vec![adds(2), adds(3), vec![Statement::Load(R0, SUM)]]);
    assert_eq!(executions(&program, Algorithm::ReadsFrom), 3 * 4);
    assert!(matches!(compare(&program, &EXHAUSTIVE, 1_000, 1), Verdict::Agrees { .. }));
}

/// If a thread stores to it, adds read as any read-modify-write does: in each of the 3! orders of two adds and a store some
/// add reads from another event than in the others.
#[test]
fn what_is_stored_to_is_no_sum() {
    let store = vec![Statement::Store(SUM, Value::Number(5))];
    let program = Program::new(1, vec![adds(1), adds(1), store]);
    assert!(matches!(compare(&program, &EXHAUSTIVE, 1_000, 1), Verdict::Agrees { .. }));
    assert_eq!(executions(&program, Algorithm::ReadsFrom), 6);
}
