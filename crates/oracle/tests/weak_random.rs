//! Execution graphs of random programs under every memory model, held against brute force.

use everyway_explore::MemoryModel;
use everyway_oracle::shrink::shrink;
use everyway_oracle::weak::compare::compare;
use everyway_oracle::weak::random::{Profile, program};

const LIMIT: usize = 3_000;

fn check(model: MemoryModel) {
    let (mut compared, mut graphs, mut redundant) = (0, 0, 0);
    for seed in 0..1_300 {
        let profile = Profile::ALL[seed as usize % Profile::ALL.len()];
        let random = program(profile, seed);
        match compare(&random, model, LIMIT, seed) {
            Ok(None) => {}
            Ok(Some(agreement)) => {
                compared += 1;
                graphs += agreement.graphs;
                redundant += agreement.redundant;
            }
            Err(_) => {
                let small = shrink(&random, |program| compare(program, model, LIMIT, seed).is_err());
                let difference = compare(&small, model, LIMIT, seed).err();
                panic!("seed {seed}: {}\n{small}", difference.unwrap_or_default());
            }
        }
    }
    assert!(compared >= 1_000, "only {compared} programs were compared");
    println!("{model}: {compared} programs, {graphs} graphs, {redundant} redundant executions in three orders");
}

#[test]
fn sc_agrees_with_brute_force() {
    check(MemoryModel::Sc);
}

#[test]
fn tso_agrees_with_brute_force() {
    check(MemoryModel::Tso);
}

#[test]
fn pso_agrees_with_brute_force() {
    check(MemoryModel::Pso);
}

#[test]
fn rc11_agrees_with_brute_force() {
    check(MemoryModel::Rc11);
}
