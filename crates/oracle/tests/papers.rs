//! Programs of the papers, with the numbers of executions that the papers give.
//!
//! The numbers of `optimal` depend on nothing but the program. Those of `source` and `classic` depend on which
//! thread is tried first wherever the algorithm leaves that open; of these, only what does not is asserted, or
//! what holds for the order in which the papers' tool tried them.

use everyway_explore::{Algorithm, Counts, End, Explorer, Limits, Order};
use everyway_oracle::compare::counts_of;
use everyway_oracle::machine::Machine;
use everyway_oracle::papers::{
    TAG_A, TAG_B, approximate_append, casrot, casw, circular_buffer, fib_bench, filesystem, floating_read, groups,
    indexer, lamport, lastwrite, lastzero, lock_server, messages, optimistic_lock, readers, reorder,
    selective_messages, sigma, tagged_messages, wakeup_stress,
};
use everyway_oracle::program::{Place, Program, Register, Statement, Value};
use everyway_oracle::reexecuting::Reexecuting;
use everyway_runtime::{Execution, Performed};
use std::ops::ControlFlow;

fn explore(program: &Program, algorithm: Algorithm, order: Order) -> Counts {
    counts_of(&mut Machine::new(program), algorithm, order)
}

/// Checks the numbers of complete and of blocked executions of `optimal`, in several orders.
fn check_blocked(program: &Program, complete: u64, blocked: u64) {
    for order in [Order::Lowest, Order::Highest, Order::Random(1)] {
        let counts = explore(program, Algorithm::Optimal, order.clone());
        assert_eq!((counts.complete, counts.blocked, counts.redundant), (complete, blocked, 0), "in order {order:?}");
    }
}

/// The same where nothing blocks.
fn check(program: &Program, complete: u64) {
    check_blocked(program, complete, 0);
}

/// Checks that `source` and `classic` complete as many executions; the redundant ones are returned, in the order
/// source lowest, source highest, classic lowest, classic highest.
fn check_others(program: &Program, complete: u64) -> [u64; 4] {
    let runs = [
        (Algorithm::Source, Order::Lowest),
        (Algorithm::Source, Order::Highest),
        (Algorithm::Classic, Order::Lowest),
        (Algorithm::Classic, Order::Highest),
    ];
    runs.map(|(algorithm, order)| {
        let counts = explore(program, algorithm, order);
        assert_eq!((counts.complete, counts.blocked), (complete, 0), "{algorithm:?}");
        counts.redundant
    })
}

#[test]
fn readers_are_two_to_the_n() {
    for n in [2, 6, 8] {
        check(&readers(n), 1 << n);
        let [source_lowest, source_highest, ..] = check_others(&readers(n), 1 << n);
        assert_eq!((source_lowest, source_highest), (0, 0));
    }
}

#[test]
fn classic_explores_redundant_readers() {
    // The paper's tool lets the writer go first.
    assert_eq!(explore(&readers(2), Algorithm::Classic, Order::Lowest).executions(), 5);
    assert_eq!(explore(&readers(8), Algorithm::Classic, Order::Lowest).executions(), 3281);
}

#[test]
fn lastzero_needs_wakeup_trees() {
    check(&lastzero(5), 64);
    check(&lastzero(10), 3328);
    let [source_lowest, _, classic_lowest, _] = check_others(&lastzero(5), 64);
    assert!(source_lowest > 0 && classic_lowest > 0);
}

#[test]
fn groups_are_four_each_and_one() {
    for n in 1..=9 {
        check(&groups(n), 4 * n as u64 + 1);
    }
    let redundant: Vec<_> = (1..=9).map(|n| check_others(&groups(n), 4 * n as u64 + 1)[0]).collect();
    assert!(redundant.is_sorted_by(|one, next| one < next), "{redundant:?}");
}

#[test]
fn wakeup_stress_is_twice_the_orders() {
    check(&wakeup_stress(1), 2);
    check(&wakeup_stress(3), 12);
    check(&wakeup_stress(5), 240);
    let [source_lowest, ..] = check_others(&wakeup_stress(4), 48);
    assert_eq!(source_lowest, 0);
}

#[test]
fn indexer_collides_from_twelve_threads_on() {
    check(&indexer(11), 1);
    check(&indexer(12), 8);
    check(&indexer(13), 64);
    assert_eq!(check_others(&indexer(12), 8)[0], 0);
    for n in [12, 13] {
        eprintln!("{:?}", check_others(&indexer(n), 8u64.pow(n as u32 - 11)));
    }
}

#[test]
fn filesystem_collides_from_fourteen_threads_on() {
    check(&filesystem(13), 1);
    check(&filesystem(14), 2);
    check(&filesystem(16), 8);
    check(&filesystem(18), 32);
    for n in [14, 16, 18] {
        eprintln!("{:?}", check_others(&filesystem(n), 1 << (n - 13)));
    }
}

#[test]
fn writes_are_ordered_even_if_not_observed() {
    check(&lastwrite(4), 24);
    check(&floating_read(3), 24);
    check(&floating_read(4), 120);
}

#[test]
fn sigma_is_an_odd_factorial() {
    check(&sigma(5), 945);
    check_others(&sigma(5), 945);
}

#[test]
fn a_failed_compare_exchange_is_a_read() {
    check(&casrot(8), 2048);
    check_others(&casrot(8), 2048);
}

#[test]
fn compare_exchanges_and_stores() {
    assert_eq!(explore(&casw(5), Algorithm::Optimal, Order::Lowest).executions(), 32880);
}

#[test]
fn fibonacci_numbers_race() {
    check(&fib_bench(2), 140);
    check(&fib_bench(3), 1698);
    check_others(&fib_bench(2), 140);
}

#[test]
fn a_mutex_leaves_the_order_of_sections() {
    let counts = explore(&circular_buffer(7), Algorithm::Optimal, Order::Lowest);
    assert_eq!((counts.complete, counts.blocked, counts.redundant), (3432, 0, 0));
    assert_eq!(check_others(&circular_buffer(4), 70), [0; 4]);
}

#[test]
fn lamports_mutex_with_assumptions_and_with_awaits() {
    let with_assumptions = explore(&lamport(2, false), Algorithm::Optimal, Order::Lowest);
    assert_eq!(with_assumptions.complete + with_assumptions.blocked, 32);
    check_blocked(&lamport(2, false), 16, 16);
    check(&lamport(2, true), 16);
}

#[test]
fn reorder_and_append() {
    check(&reorder(3), 56);
    check(&reorder(4), 1248);
    check(&approximate_append(3), 63);
    check(&approximate_append(4), 2460);
}

/// Checks the numbers of complete and of blocked executions of `observers`, in several orders.
fn check_observers(program: &Program, complete: u64, blocked: u64) {
    for order in [Order::Lowest, Order::Highest, Order::Random(1)] {
        let counts = explore(program, Algorithm::Observers, order.clone());
        assert_eq!((counts.complete, counts.blocked, counts.redundant), (complete, blocked, 0), "in order {order:?}");
    }
}

#[test]
fn stores_that_are_not_observed_have_no_order() {
    for n in 1..=6 {
        check_observers(&lastwrite(n), n as u64, 0);
        check_observers(&floating_read(n), n as u64 * (1 << (n - 1)) + 1, 0);
    }
}

#[test]
fn lamports_mutex_with_observers() {
    check_observers(&lamport(2, false), 14, 12);
    // Where threads wait, nothing is gained.
    check_observers(&lamport(2, true), 16, 0);
}

#[test]
fn further_programs_with_observers() {
    check_observers(&sigma(5), 120, 0);
    check_observers(&sigma(6), 720, 0);
    check_observers(&casrot(8), 2048, 0);
    check_observers(&fib_bench(2), 140, 0);
    check_observers(&fib_bench(3), 1698, 0);
    check_observers(&circular_buffer(4), 70, 0);
    check_observers(&optimistic_lock(11), 170, 0);
    check_observers(&optimistic_lock(13), 202, 0);
    check_observers(&approximate_append(3), 36, 0);
    check_observers(&approximate_append(4), 1048, 0);
    check_observers(&reorder(3), 47, 0);
    check_observers(&reorder(4), 580, 0);
}

#[test]
fn two_threads_that_store_and_load() {
    // OOPSLA 2019, Fig. 1.
    let thread = |i| vec![Statement::Store(Place::at(0), Value::Number(i)), Statement::Load(Register(0), Place::at(0))];
    let program = Program::new(1, vec![thread(1), thread(2)]);
    check(&program, 4);
    check_observers(&program, 4, 0);
}

/// The numbers that take a while: `cargo test --release -p everyway-oracle --test papers -- --ignored`.
#[test]
#[ignore = "takes minutes in a debug build"]
fn larger_programs_with_observers() {
    check_observers(&lamport(3, false), 5466, 6132);
    check_observers(&sigma(7), 5040, 0);
    check_observers(&sigma(8), 40320, 0);
    check_observers(&casrot(9), 8597, 0);
    check_observers(&casrot(10), 38486, 0);
    check_observers(&casw(5), 11430, 0);
    check_observers(&fib_bench(4), 19605, 0);
    check_observers(&circular_buffer(7), 3432, 0);
    check_observers(&circular_buffer(9), 48620, 0);
    check_observers(&approximate_append(5), 33125, 0);
    check_observers(&reorder(5), 6565, 0);
    check(&optimistic_lock(11), 300_090);
}

#[test]
fn messages_arrive_in_every_order() {
    check(&messages(3, 3), 6);
    check(&messages(4, 4), 24);
    check(&messages(4, 1), 24);
}

#[test]
fn messages_with_observers() {
    for n in 1..=5 {
        let orders: u64 = (1..=n as u64).product();
        check_observers(&messages(n, n), orders, 0);
        check_observers(&messages(n, 1), n as u64, 0);
        check_observers(&selective_messages(n), 1, 0);
    }
    check(&selective_messages(4), 24);
}

#[test]
fn a_lock_that_is_a_process() {
    for n in 1..=4 {
        let orders: u64 = (1..=n as u64).product();
        check_observers(&lock_server(n), orders, 0);
    }
    // Without observers, a lock that is given back races with those who ask for it.
    assert!(explore(&lock_server(3), Algorithm::Optimal, Order::Lowest).complete > 6);
}

/// TACAS 2018, Sect. 3.2. `r` gets `{A, q}` if that is sent before `{A, p}`; the others are not observed then. Otherwise
/// it gets `{A, p}`, and then `{B, p}` or `{B, s}`, whichever is sent first.
#[test]
fn tagged_messages_fall_into_three_classes() {
    let program = tagged_messages();
    let (p, q, s) = (0, 1, 2);
    let classes = [[TAG_A + p, TAG_B + p], [TAG_A + p, TAG_B + s], [TAG_A + q, 0]];
    for order in [Order::Lowest, Order::Highest, Order::Random(1), Order::Random(2), Order::Random(3)] {
        let mut received = Vec::new();
        let mut strategy = Algorithm::Observers.strategy(order);
        let mut machine = Machine::new(&program);
        let end = Explorer::new(&mut machine, &mut *strategy, Limits::default()).run(|progress| {
            let mut again = Machine::new(&program);
            for step in progress.trace.steps() {
                let Ok(()) = again.step(step, &mut Performed::default());
            }
            received.push(again.registers(3)[..2].to_vec());
            ControlFlow::Continue(())
        });
        assert!(matches!(end, End::Finished));
        received.sort_unstable();
        assert_eq!(received, classes);
    }
    let mut machine = Machine::new(&program);
    assert!(counts_of(&mut machine, Algorithm::Optimal, Order::Lowest).complete > 3);
}

#[test]
fn running_again_is_as_good_as_undoing() {
    for program in [lastzero(5), filesystem(16), lamport(2, false), wakeup_stress(4), sigma(4)] {
        for algorithm in [Algorithm::Classic, Algorithm::Source, Algorithm::Optimal] {
            let again = counts_of(&mut Reexecuting::new(&program), algorithm, Order::Lowest);
            assert_eq!(again, explore(&program, algorithm, Order::Lowest), "{algorithm:?}");
        }
    }
}

/// Checks the numbers of complete and of blocked executions of `reads-from`, in several orders.
fn check_reads_from(program: &Program, complete: u64, blocked: u64) {
    for order in [Order::Lowest, Order::Highest, Order::Random(1)] {
        let counts = explore(program, Algorithm::ReadsFrom, order.clone());
        assert_eq!((counts.complete, counts.blocked, counts.redundant), (complete, blocked, 0), "in order {order:?}");
    }
}

#[test]
fn reads_from_leaves_the_order_of_writes_open() {
    for n in [2, 5, 8] {
        check_reads_from(&lastwrite(n), n as u64, 0);
        check_reads_from(&floating_read(n), n as u64 + 1, 0);
    }
    check_reads_from(&floating_read(16), 17, 0);
    check_reads_from(&sigma(5), 120, 0);
    assert_eq!(explore(&casw(5), Algorithm::ReadsFrom, Order::Lowest).executions(), 2160);
}

#[test]
fn reads_from_may_coincide_with_happens_before() {
    check_reads_from(&readers(6), 64, 0);
    check_reads_from(&lastzero(5), 64, 0);
    check_reads_from(&casrot(8), 2048, 0);
    check_reads_from(&fib_bench(2), 140, 0);
    check_reads_from(&circular_buffer(4), 70, 0);
    check_reads_from(&lamport(2, false), 12, 10);
    check_reads_from(&reorder(3), 21, 0);
    check_reads_from(&reorder(4), 64, 0);
    check_reads_from(&approximate_append(3), 36, 0);
    check_reads_from(&approximate_append(4), 580, 0);
}
