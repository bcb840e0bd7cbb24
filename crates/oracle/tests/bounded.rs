//! Bounds on preemptions against brute force, on random programs.

use everyway_oracle::bounded::compare;
use everyway_oracle::random::{Profile, program};
use everyway_oracle::shrink::shrink;
use everyway_oracle::spin::{Loops, lower};

/// How many interleavings a program may have.
const LIMIT: usize = 600;
/// Few of these programs have a class that takes more preemptions.
const MOST: u32 = 3;

#[test]
fn what_is_within_the_bound_is_explored_once() {
    for profile in Profile::ALL {
        let mut compared = 0;
        for seed in 0..60 {
            let program = lower(&program(profile, seed, LIMIT), Loops::Awaits);
            match compare(&program, MOST, LIMIT, seed) {
                None => continue,
                Some(Ok(_)) => compared += 1,
                Some(Err(_)) => {
                    let fails = |program: &_| matches!(compare(program, MOST, LIMIT, seed), Some(Err(_)));
                    let small = shrink(&program, fails);
                    panic!("{profile:?} {seed}: {:?}\n{small}", compare(&small, MOST, LIMIT, seed));
                }
            }
        }
        assert!(compared >= 50, "{profile:?}: only {compared} of 60 programs have few interleavings");
    }
}
