//! Failing executions of C programs made at random are told with the fewest context switches.

use everyway_explore::MemoryModel;
use everyway_oracle::random::Profile;
use everyway_pipeline::assertions::Case;
use everyway_pipeline::program::clang;
use everyway_pipeline::retold::compare_batch;

#[test]
fn what_is_told_is_the_same_execution_with_the_fewest_switches() {
    let Some(clang) = clang() else { return };
    let cases: Vec<Case> = (100..110)
        .flat_map(|seed| Profile::ALL.map(|profile| Case::random(profile, seed, 2000)))
        .flatten()
        .filter(|case| !case.expected.is_empty())
        .collect();
    // Executions made at random have more switches than needed, if rarely: most fail within a few steps.
    let moved = compare_batch(&clang, &cases, MemoryModel::Sc).unwrap_or_else(|error| panic!("{error}"));
    assert!(moved >= 5, "{moved} of {} are told in another order", cases.len());
    for model in [MemoryModel::Tso, MemoryModel::Rc11] {
        compare_batch(&clang, &cases, model).unwrap_or_else(|error| panic!("under {model}: {error}"));
    }
}
