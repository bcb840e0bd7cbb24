//! Small programs, each of which some change of the engine explores wrongly that no other test notices: see `./mutants`.
//! Brute force says what is right.

use everyway_explore::MemoryModel;
use everyway_oracle::program::{Ordering, Place, Program, Register, Statement, Value};
use everyway_oracle::weak::compare::compare;

/// Asserts that graphs are what brute force finds, under every model.
fn graphs_agree(program: &Program) {
    for model in MemoryModel::ALL {
        for seed in 0..3 {
            match compare(program, model, 10_000, seed) {
                Ok(Some(agreement)) => assert!(agreement.graphs > 0, "{program}"),
                Ok(None) => panic!("brute force has too much to do:\n{program}"),
                Err(difference) => panic!("{difference}\n{program}"),
            }
        }
    }
}

/// Every read of a step can race, not only the last one (`Graph::race_of`).
#[test]
fn a_step_of_two_reads_races_with_what_it_reads_first() {
    let (x, y) = (Place::at(0).ordered(Ordering::Relaxed), Place::at(1).ordered(Ordering::Relaxed));
    let waits = vec![Statement::AwaitChange(vec![(Register(0), x), (Register(1), y)])];
    for (plain, other) in [(0, 1), (1, 0)] {
        let store = |location, ordering| Statement::Store(Place::at(location).ordered(ordering), Value::Number(1));
        let stores = [store(plain, Ordering::Plain), store(other, Ordering::Relaxed)];
        graphs_agree(&Program::new(2, stores.into_iter().map(|store| vec![store]).chain([waits.clone()]).collect()));
    }
}
