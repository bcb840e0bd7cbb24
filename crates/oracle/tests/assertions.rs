//! What can fail, on random programs: every strategy that goes on after failures against brute force.

use everyway_oracle::assertions::{compare, sprinkle};
use everyway_oracle::compare::EXHAUSTIVE;
use everyway_oracle::random::{Profile, program};
use everyway_oracle::shrink::shrink;

#[test]
fn every_strategy_finds_all_that_can_fail() {
    /// How many interleavings a program may have, with assertions as steps.
    const LIMIT: usize = 5_000;
    let (mut agreed, mut assertions) = (0, 0);
    for seed in 0..40 {
        for profile in Profile::ALL {
            let program = sprinkle(&program(profile, seed, 300), seed);
            match compare(&program, &EXHAUSTIVE, LIMIT, seed) {
                None => {}
                Some(Ok(number)) => {
                    agreed += 1;
                    assertions += number;
                }
                Some(Err(_)) => {
                    let fails = |program: &_| matches!(compare(program, &EXHAUSTIVE, LIMIT, seed), Some(Err(_)));
                    let small = shrink(&program, fails);
                    panic!("{profile:?} {seed}: {:?}\n{small}", compare(&small, &EXHAUSTIVE, LIMIT, seed));
                }
            }
        }
    }
    println!("{assertions} assertions can fail in {agreed} programs");
    assert!(agreed > 400 && assertions > 200, "{agreed} programs, {assertions} assertions");
}
