//! Small programs on which some strategy was wrong once.

use Statement::{
    Acquire, Add, Await, Choose, CompareExchange, If, Join, Load, LoadByte, ReceiveUnlessClosed, SendBounded, Store,
    StoreByte, TryReceiveUnlessClosed,
};
use everyway_explore::{Algorithm, End, Explorer, Limits, Order};
use everyway_oracle::compare::{EXHAUSTIVE, Verdict, compare, counts_of};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Condition, Place, Program, Register, Statement, Test, Value};
use std::ops::ControlFlow;

const R: Register = Register(0);
const X: Place = Place::at(0);
const Y: Place = Place::at(1);
const Z: Place = Place::at(2);

fn check(program: &Program, expected: usize) {
    for seed in 0..10 {
        match compare(program, &EXHAUSTIVE, 10_000, seed) {
            Verdict::Agrees { classes, .. } => assert_eq!(classes, expected, "{program}"),
            other => panic!("{other:?}\n{program}"),
        }
    }
}

fn store(place: Place) -> Statement {
    Store(place, Value::Number(1))
}

fn if_one(body: Statement) -> Statement {
    If(Test { register: R, condition: Condition::Equals(1) }, vec![body])
}

#[test]
fn a_thread_without_events_is_joined() {
    check(&Program::new(1, vec![vec![Join(2)], vec![], vec![]]), 1);
}

#[test]
fn an_await_does_not_overtake_its_own_thread() {
    let waiting = vec![Add(X, 2), Await(R, X, Condition::Below(2))];
    check(&Program::new(1, vec![vec![Add(X, 1)], waiting]), 1);
}

#[test]
fn acquisitions_of_a_semaphore_disable_each_other() {
    check(&Program::new(1, vec![vec![Acquire(X)], vec![Acquire(X), Acquire(X)]]).starting_with(0, 2), 3);
}

#[test]
fn after_another_alternative_a_thread_accesses_something_else() {
    let choosing = vec![Choose(R, 3), if_one(Load(R, Y)), Load(R, X)];
    check(&Program::new(2, vec![vec![Choose(R, 2), store(X)], choosing]), 12);
}

/// What a thread accesses after a step that the present execution took otherwise is known from its names alone.
#[test]
fn after_several_choices_a_thread_accesses_something_else() {
    let looking = vec![Choose(R, 3), Load(R, X), Choose(R, 2), if_one(Load(R, X)), Choose(R, 2), if_one(Load(R, Y))];
    let storing = vec![Choose(R, 2), Store(Place::element(0, R), Value::Number(3))];
    check(&Program::new(2, vec![looking, storing]), 48);
}

#[test]
fn an_alternative_is_awake_while_another_sleeps() {
    check(&Program::new(1, vec![vec![store(X)], vec![Choose(R, 2), Load(R, X)], vec![store(X)]]), 12);
}

#[test]
fn an_alternative_after_one_that_sleeps_is_asked_for() {
    let choosing = vec![Choose(R, 3), if_one(Load(R, X))];
    check(&Program::new(1, vec![vec![store(X)], vec![Choose(R, 3), Load(R, X)], choosing]), 24);
}

#[test]
fn a_message_hides_that_a_queue_is_closed() {
    let leave = vec![Add(Y, u64::MAX)];
    let send = vec![SendBounded(X, Z, Value::Number(0))];
    for senders in [0, 1] {
        let receive = vec![ReceiveUnlessClosed(R, X.into(), Y)];
        let program = Program::new(3, vec![receive, send.clone(), leave.clone()]);
        check(&program.starting_with(1, senders).starting_with(2, 1), 2);
    }
    let program = Program::new(
        4,
        vec![vec![TryReceiveUnlessClosed(R, X.into(), Y)], send, [vec![Load(R, Place::at(3))], leave].concat()],
    );
    check(&program.starting_with(2, 1), 3);
}

/// The receive takes the first message and does not look whether the queue is closed; had it come before both messages, it
/// would have. It is not to be planned a second time behind itself.
#[test]
fn a_receive_does_not_come_twice_to_find_that_a_queue_is_closed() {
    let open = vec![Add(Y, 1)];
    let send = vec![Statement::Send(X, Value::Number(0)), Statement::Send(X, Value::Number(0))];
    // It takes the first message, or finds none while the queue is closed.
    check(&Program::new(2, vec![open, send, vec![ReceiveUnlessClosed(R, X.into(), Y)]]), 2);
}

/// The wait is over once one of two locations has changed, and does not come after what changes the other one. It is not to
/// be planned before that with itself in what comes first.
#[test]
fn a_wait_for_either_of_two_changes_does_not_come_twice() {
    let waiting = vec![Statement::AwaitChange(vec![(R, X), (Register(1), Y)])];
    let changing = vec![Store(Y, Value::Number(2)), Statement::FetchAdd(R, Y, 1)];
    check(&Program::new(2, vec![vec![Store(X, Value::Number(0))], vec![Add(X, 2)], waiting, changing]), 10);
}

#[test]
fn a_write_to_one_byte_does_not_conflict_with_all_that_enables_an_await() {
    let byte = |byte| StoreByte(X, byte, Value::Number(3));
    let waiting = vec![byte(1), Await(R, X, Condition::AtLeast(257))];
    check(&Program::new(1, vec![waiting, vec![byte(0)], vec![byte(1)]]), 6);
}

#[test]
fn a_write_to_another_byte_hides_that_a_compare_exchange_writes() {
    let exchange = vec![CompareExchange(R, X, Value::Number(0), Value::Number(3))];
    let other_byte = vec![Load(R, Y), StoreByte(X, 1, Value::Number(3))];
    check(&Program::new(2, vec![exchange, other_byte, vec![LoadByte(R, X, 0)]]), 3);
}

#[test]
fn a_send_that_waits_for_ever_does_not_race_with_messages_that_are_not_taken() {
    let send = Statement::Send(X, Value::Number(0));
    let bounded = SendBounded(X, Y, Value::Number(2));
    let program = Program::new(2, vec![vec![bounded.clone()], vec![send, bounded]]).starting_with(1, 1);
    // Who gets the slot; and, for all but `observers`, which of the first two messages comes first.
    check(&program, 3);
    let counts = counts_of(&mut Machine::new(&program), Algorithm::Observers, Order::Highest);
    assert_eq!((counts.blocked, counts.executions()), (2, 2));
}

/// No thread waits at `x` in the first execution, and its stores are left unordered. In a later one a thread does.
#[test]
fn observers_start_over_when_a_thread_waits_for_what_was_left_unordered() {
    let store = |value| vec![Store(X, Value::Number(value))];
    let waiting = vec![Load(R, Y), if_one(Await(R, X, Condition::Equals(1)))];
    let program = Program::new(2, vec![waiting, store(1), store(2), vec![Store(Y, Value::Number(1))]]);
    for seed in 0..10 {
        let verdict = compare(&program, &EXHAUSTIVE, 10_000, seed);
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}");
    }
    let mut first = 0;
    let mut strategy = Algorithm::Observers.strategy(Order::Lowest);
    let mut machine = Machine::new(&program);
    let end = Explorer::new(&mut machine, &mut *strategy, Limits::default()).run(|progress| {
        first += u32::from(progress.counts.executions() == 1);
        ControlFlow::Continue(())
    });
    assert!(matches!(end, End::Finished));
    assert_eq!(first, 2, "it starts, and starts over");
}
