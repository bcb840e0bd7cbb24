//! Programs of FMCAD 2022, with the numbers of executions that it gives, complete and blocked.

use everyway_explore::{Algorithm, Order};
use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare, counts_of};
use everyway_oracle::machine::Machine;
use everyway_oracle::papers::awaits::{
    Adds, Waiting, missed, safestack, sorting_network, sum_of_three, ttas_lock, ttas_lock_with_hints, two_zeros,
};
use everyway_oracle::program::Statement::{Add, Await};
use everyway_oracle::program::{Condition, Place, Program, Register};

fn check(program: &Program, complete: u64, blocked: u64) {
    for order in [Order::Lowest, Order::Highest, Order::Random(1)] {
        let counts = counts_of(&mut Machine::new(program), Algorithm::Optimal, order.clone());
        assert_eq!((counts.complete, counts.blocked, counts.redundant), (complete, blocked, 0), "in order {order:?}");
    }
    for algorithm in [Algorithm::Source, Algorithm::Classic] {
        let counts = counts_of(&mut Machine::new(program), algorithm, Order::Lowest);
        assert_eq!((counts.complete, counts.blocked), (complete, blocked), "{algorithm:?}");
    }
}

#[test]
fn an_await_has_one_execution_for_each_write_that_satisfies_it() {
    check(&two_zeros(), 2, 0);
    check(&missed(Waiting::Assumes), 1, 2);
    check(&missed(Waiting::Awaits), 1, 1);
}

#[test]
fn additions_are_left_out_to_enable_an_await() {
    check(&sum_of_three(), 1, 1);
}

#[test]
fn a_sorting_network_has_one_execution() {
    check(&sorting_network(Waiting::Assumes), 1, 2);
    check(&sorting_network(Waiting::Awaits), 1, 0);
}

#[test]
fn a_lock_that_waits_has_no_blocked_executions() {
    for (n, complete, blocked) in [(2, 4, 4), (3, 36, 81)] {
        check(&ttas_lock(n, Waiting::Assumes), complete, blocked);
        check(&ttas_lock(n, Waiting::Awaits), complete, 0);
    }
    check(&ttas_lock(4, Waiting::Awaits), 576, 0);
}

/// As in the tests of the Rust front end.
#[test]
fn hints_leave_more_executions_than_awaits() {
    check(&ttas_lock_with_hints(2), 12, 0);
    assert!(matches!(compare(&ttas_lock_with_hints(2), &EXHAUSTIVE, 10_000, 1), Verdict::Agrees { classes: 12, .. }));
    check(&ttas_lock_with_hints(3), 2658, 0);
}

fn safestack_counts(operations: &[usize], waiting: Waiting, adds: Adds) -> (u64, u64) {
    let program = safestack(operations, waiting, adds);
    let counts = counts_of(&mut Machine::new(&program), Algorithm::Optimal, Order::Lowest);
    (counts.complete, counts.blocked)
}

/// Table II; the numbers of the last column were confirmed by an independent tool.
#[test]
fn safestack_is_as_in_table_two() {
    let rows: [(&[usize], _, _, _); 5] = [
        (&[2, 1], (34, 2), (34, 1), (19, 1)),
        (&[3, 1], (103, 27), (103, 25), (56, 25)),
        (&[3, 2], (1_073, 27), (1_073, 12), (463, 12)),
        (&[3, 3], (6_434, 1_636), (6_434, 1_584), (2_600, 1_160)),
        (&[2, 1, 1], (2_690, 1_126), (2_690, 928), (962, 686)),
    ];
    for (operations, assumes, awaits, commuting) in rows {
        assert_eq!(safestack_counts(operations, Waiting::Assumes, Adds::Conflict), assumes, "{operations:?}");
        assert_eq!(safestack_counts(operations, Waiting::Awaits, Adds::Conflict), awaits, "{operations:?}");
        assert_eq!(safestack_counts(operations, Waiting::Awaits, Adds::Commute), commuting, "{operations:?}");
    }
    assert_eq!(safestack_counts(&[3, 1, 1], Waiting::Awaits, Adds::Commute), (0, 14_960));
}

/// The number of ways to choose the additions before the await, and the execution without it.
#[test]
fn many_additions_are_left_out_in_no_time() {
    let adders = |n: usize, amount| vec![vec![Add(Place::at(0), amount)]; n];
    let waiting = |sum| vec![vec![Await(Register(0), Place::at(0), Condition::Equals(sum))]];
    let counts = |program: &Program| {
        let counts = counts_of(&mut Machine::new(program), Algorithm::Optimal, Order::Lowest);
        (counts.complete, counts.blocked)
    };
    assert_eq!(counts(&Program::new(1, [adders(20, 1), waiting(2)].concat())), (190, 1));
    assert_eq!(counts(&Program::new(1, [adders(20, 2), waiting(7)].concat())), (0, 1));
    // One more of those that add than of those that take away: C(6, 1)C(6, 0) + C(6, 2)C(6, 1) + ... = C(12, 5).
    assert_eq!(counts(&Program::new(1, [adders(6, 1), adders(6, u64::MAX), waiting(1)].concat())), (792, 1));
}
