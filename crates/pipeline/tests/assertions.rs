//! What can fail in C programs made at random, against brute force.

use everyway_oracle::random::Profile;
use everyway_pipeline::assertions::{Case, compare_batch};
use everyway_pipeline::program::clang;

#[test]
fn every_strategy_finds_all_that_can_fail() {
    let Some(clang) = clang() else { return };
    let cases: Vec<Case> = (0..12)
        .flat_map(|seed| Profile::ALL.map(|profile| Case::random(profile, seed, 200)))
        .flatten()
        .filter(|case| !case.expected.is_empty())
        .collect();
    assert!(cases.len() > 30, "{} programs can fail", cases.len());
    let differences = compare_batch(&clang, &cases).expect("it compiles");
    for (case, difference) in cases.iter().zip(differences) {
        if let Some(difference) = difference {
            panic!("{difference}\n{}\n{}", case.program, case.text("p"));
        }
    }
}
