//! Random programs that poll in atomic sections and under mutexes, and try locks and give them back: the passes and the engine
//! find exactly what a search of all states does, round for round.

use everyway_oracle::sections::{Program, outcomes, random, random_sections};
use everyway_pipeline::program::clang;
use everyway_pipeline::sections::{Case, Storage, compare};

/// How many states a program may have.
const STATES: usize = 20_000;

/// A check goes on after so many failures.
const MOST_OUTCOMES: usize = 100;

fn compare_programs(seeds: std::ops::Range<u64>, random: fn(u64) -> Program) {
    let Some(clang) = clang() else { return };
    let seeds: Vec<u64> = seeds.collect();
    for some in seeds.chunks(40) {
        let case = |&seed: &u64| {
            let program = random(seed);
            let storage = if seed % 2 == 0 { Storage::Elements } else { Storage::Plain };
            let outcomes = outcomes(&program, STATES).filter(|outcomes| outcomes.ended.len() < MOST_OUTCOMES)?;
            Some(Case { program, outcomes, storage })
        };
        let cases: Vec<Case> = some.iter().filter_map(case).collect();
        assert!(cases.len() * 2 > some.len(), "most programs are small");
        match compare(&clang, &cases) {
            // Of two explorations as graphs.
            Ok(too_many) => assert!(too_many < cases.len(), "of most programs all graphs are explored"),
            Err(difference) => panic!("seeds {some:?}: {difference}"),
        }
    }
}

#[test]
fn polling_in_sections_and_under_mutexes_comes_to_what_it_does_round_for_round() {
    compare_programs(0..120, random);
}

#[test]
fn sections_in_which_much_is_done_come_to_what_they_do_as_they_are() {
    compare_programs(0..160, random_sections);
}

#[test]
#[ignore = "takes minutes"]
fn so_do_thousands_of_them() {
    compare_programs(1_000..5_000, random_sections);
}

#[test]
#[ignore = "takes minutes"]
fn so_it_does_in_thousands_of_programs() {
    compare_programs(1_000..5_000, random);
}
