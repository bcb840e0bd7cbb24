//! Random programs that poll in atomic sections and under mutexes, and try locks and give them back: the passes and the engine
//! find exactly what a search of all states does, round for round.

use everyway_oracle::sections::{outcomes, random};
use everyway_pipeline::program::clang;
use everyway_pipeline::sections::{Case, compare};

/// How many states a program may have.
const STATES: usize = 20_000;

fn compare_programs(seeds: std::ops::Range<u64>) {
    let Some(clang) = clang() else { return };
    let seeds: Vec<u64> = seeds.collect();
    for some in seeds.chunks(40) {
        let case = |&seed: &u64| {
            let program = random(seed);
            Some(Case { outcomes: outcomes(&program, STATES)?, program })
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
    compare_programs(0..120);
}

#[test]
#[ignore = "takes minutes"]
fn so_it_does_in_thousands_of_programs() {
    compare_programs(1_000..5_000);
}
