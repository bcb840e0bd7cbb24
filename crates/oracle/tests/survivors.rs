//! Small programs, each of which some change of the engine explores wrongly that no other test notices: see `./mutants`.
//! Brute force says what is right.

use everyway_explore::{Algorithm, End, Explorer, Limits, MemoryModel, ToldStep, neighbours};
use everyway_oracle::compare::{self, EXHAUSTIVE, Verdict};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{
    Arithmetic, Condition, Inbox, Ordering, Place, Program, Register, Statement, Test, Value,
};
use everyway_oracle::weak::Name;
use everyway_oracle::weak::compare::{Explored, compare};
use everyway_oracle::weak::programs::{Orderings, message_passing};
use everyway_runtime::{EventId, Source, State as _, ThreadId};

/// Each takes threads in another order.
const SEEDS: u64 = 8;

/// Asserts that graphs are what brute force finds, under every model.
fn graphs_agree(program: &Program) {
    for model in MemoryModel::ALL {
        for seed in 0..SEEDS {
            match compare(program, model, 10_000, seed) {
                Ok(Some(agreement)) => assert!(agreement.graphs > 0, "{program}"),
                Ok(None) => panic!("brute force has too much to do:\n{program}"),
                Err(difference) => panic!("{difference}\n{program}"),
            }
        }
    }
}

/// Asserts that every strategy explores what brute force finds, which is so many classes.
fn interleavings_agree(program: &Program, expected: usize) {
    for seed in 0..SEEDS {
        match compare::compare(program, &EXHAUSTIVE, 10_000, seed) {
            Verdict::Agrees { classes, .. } => assert_eq!(classes, expected, "{program}"),
            other => panic!("{other:?}\n{program}"),
        }
    }
}

/// Every read of a step can race, not only the last one (`Graph::race_of`).
#[test]
fn a_step_of_two_reads_races_with_what_it_reads_first() {
    let (x, y) = (Place::at(0).ordered(Ordering::Relaxed), Place::at(1).ordered(Ordering::Relaxed));
    let waits = vec![Statement::AwaitChange(vec![(Register(0), x), (Register(1), y)])];
    for (plain, other) in [(0, 1), (1, 0)] {
        let store = |location, ordering| Statement::Store(Place::at(location).ordered(ordering), Value::Number(1));
        let stores = [store(plain, Ordering::Plain), store(other, Ordering::Relaxed)];
        graphs_agree(&Program::new(2, stores.into_iter().map(|store| vec![store]).chain([waits.clone()]).collect()));
    }
}

/// Between two writes there is room for some others, and then room is made (`Graphs::spread_labels`): writes that are told to
/// come right after the first one, each before the others, stay in that order, those to another location stay in theirs, and reads see that.
#[test]
fn many_writes_come_before_each_other() {
    const WRITES: usize = 60;
    let store =
        |location, value| Statement::Store(Place::at(location).ordered(Ordering::Relaxed), Value::Number(value));
    let load = |register| Statement::Load(Register(register), Place::at(0).ordered(Ordering::Relaxed));
    let stores = (0..WRITES).map(|value| vec![store((value % 4 / 3) as u32, value as u64)]);
    let program = Program::new(2, stores.chain([vec![load(0), load(1)]]).collect());
    let mut machine = Machine::new(&program);
    let step = |thread| ToldStep {
        thread: Some(machine.path(ThreadId::new(thread))),
        choice: 0,
        sources: Vec::new(),
        place: (thread > 0 && thread % 4 < 3).then_some(Source::Event(EventId::new(0))),
    };
    let mut strategy = neighbours(MemoryModel::Rc11, (0..WRITES).map(step).collect());
    let mut explored = Explored::default();
    let end = Explorer::new(&mut machine, &mut strategy, Limits::default()).run_watched(&mut explored);
    assert!(matches!(end, End::Finished), "{end:?}");
    let named = |threads: Vec<usize>| threads.into_iter().map(|thread| Name { thread, index: 0 }).collect();
    let others = (1..WRITES).rev().filter(|thread| thread % 4 < 3);
    let first: Vec<Name> = named([0].into_iter().chain(others).collect());
    let second: Vec<Name> = named((0..WRITES).filter(|thread| thread % 4 == 3).collect());
    // The second load sees what the first one does or something later.
    let seen = first.len() + 1;
    assert_eq!(explored.graphs.len(), seen * (seen + 1) / 2);
    for graph in explored.graphs.keys() {
        assert_eq!(graph.order, [(0, first.clone()), (1, second.clone())]);
    }
}

/// What a receive of another execution matches is not known if its thread has chosen otherwise in this one
/// (`Insertion::knows_messages_of`).
#[test]
fn a_receive_after_a_choice_matches_something_else() {
    let queue = Place::at(0);
    let receive = |register, matching| Statement::TryReceive(Register(register), Inbox { queue, matching });
    let chosen = Test { register: Register(0), condition: Condition::Equals(0) };
    let receives = vec![
        Statement::Choose(Register(0), 2),
        Statement::If(chosen, vec![receive(0, Condition::Differs(2))]),
        receive(1, Condition::Equals(2)),
    ];
    let send = vec![Statement::Send(queue, Value::Number(1))];
    let program = Program::new(1, vec![receives, send.clone(), send]);
    // The sends come in two orders. The second receive matches none of them. The first one, if it is there, takes the message
    // that was sent first or comes before it; when the other message is sent makes no difference to it.
    interleavings_agree(&program, 2 * (1 + 2));
}

/// The waits of a place that were overtaken before are those with lower stamps, not the same one (`Graphs::preceding`).
#[test]
fn a_lock_is_overtaken_by_what_another_wait_writes() {
    let x = Place::at(0).ordered(Ordering::Relaxed);
    let store = |value| Statement::Store(x, Value::Number(value));
    let exchange = Statement::AwaitExchange(Register(0), x, Condition::Equals(0), Value::Number(0));
    graphs_agree(&Program::new(1, vec![vec![Statement::Lock(x)], vec![store(0)], vec![store(1), exchange]]));
}

/// A wait that was overtaken, and has come back to what it may read, was added as one would add it although there are later
/// writes at which it would have to wait, unless one of those is the newest (`Graphs::is_maximal`).
#[test]
fn a_wait_comes_back_to_an_older_write() {
    let x = Place::at(0).ordered(Ordering::Relaxed);
    let await_other = Statement::Await(Register(0), x, Condition::Differs(1));
    let exchange = Statement::AwaitExchange(Register(0), x, Condition::Differs(1), Value::Number(2));
    let store = Statement::Store(x, Value::Number(1));
    let (lock, unlock) = (Statement::Lock(x), Statement::Unlock(x));
    graphs_agree(&Program::new(
        1,
        vec![vec![await_other], vec![lock.clone(), exchange], vec![unlock.clone()], vec![store, unlock, lock]],
    ));
}

/// Whether the reads of a step are possible at once is asked when the last of them is added, not the first (`Graphs::add_read`).
#[test]
fn a_step_of_two_reads_sees_both_at_once() {
    let place = |location| Place::at(location).ordered(Ordering::Relaxed);
    let waits = Statement::AwaitChange(vec![(Register(0), place(0)), (Register(1), place(1))]);
    let adds = [0, 1].map(|location| Statement::Add(place(location), 1));
    graphs_agree(&Program::new(2, vec![vec![waits], adds.into()]));
}

/// What is `seq_cst` is ordered by what happens between other locations, too (`psc.rs`: `po|diff-loc ; hb ; po|diff-loc`).
#[test]
fn a_message_orders_what_is_sequentially_consistent() {
    let store = |location, ordering| Statement::Store(Place::at(location).ordered(ordering), Value::Number(1));
    let load =
        |register, location, ordering| Statement::Load(Register(register), Place::at(location).ordered(ordering));
    let (x, y, z) = (0, 1, 2);
    graphs_agree(&Program::new(
        3,
        vec![
            vec![store(x, Ordering::SeqCst), store(y, Ordering::Release)],
            vec![load(0, y, Ordering::Acquire), load(1, z, Ordering::SeqCst)],
            vec![store(z, Ordering::SeqCst), load(0, x, Ordering::SeqCst)],
        ],
    ));
}

/// What comes before the end of a thread comes before what follows its join, and before the start of one what follows there
/// (`store_order.rs`): otherwise both loads could find 0.
#[test]
fn store_buffering_across_a_join_and_a_spawn() {
    for ordering in [Ordering::Relaxed, Ordering::SeqCst] {
        let store = |location| Statement::Store(Place::at(location).ordered(ordering), Value::Number(1));
        let load = |location| Statement::Load(Register(0), Place::at(location).ordered(ordering));
        let other = vec![store(1), load(0)];
        let joins = vec![Statement::Join(1), load(1)];
        graphs_agree(&Program::new(2, vec![joins, vec![store(0)], other.clone()]));
        let spawns = vec![store(0), Statement::Spawn(2)];
        graphs_agree(&Program::new(2, vec![spawns, other.clone(), vec![load(1)]]));
        let both = vec![store(0), Statement::Spawn(2), Statement::Join(2), load(1)];
        graphs_agree(&Program::new(3, vec![both, other, vec![store(2), load(2)]]));
    }
}

/// A wait that was overtaken is revisited only by writes whose chain goes through the one by which it was
/// (`Graphs::is_revisited_by_way_of`); otherwise some graphs are explored twice.
#[test]
fn two_waits_write_what_the_other_waits_for() {
    let x = Place::at(0).ordered(Ordering::Relaxed);
    let store = |value| Statement::Store(x, Value::Number(value));
    let exchange = |when, value| Statement::AwaitExchange(Register(0), x, when, Value::Number(value));
    let first = vec![exchange(Condition::Equals(0), 1)];
    let second = vec![store(2), exchange(Condition::Differs(1), 0)];
    graphs_agree(&Program::new(1, vec![first, second, vec![store(0)]]));
}

/// An access races with the last one of another thread even if the first one of that happens before it
/// (`AccessesOfThread::last`).
#[test]
fn a_plain_store_after_a_spawn_races_with_the_thread() {
    let store = |ordering| Statement::Store(Place::at(0).ordered(ordering), Value::Number(1));
    let spawns = vec![store(Ordering::Relaxed), Statement::Spawn(1), store(Ordering::Plain)];
    graphs_agree(&Program::new(1, vec![spawns, vec![store(Ordering::Relaxed)]]));
}

/// A step of several reads that cannot be taken as they are waits for others (`Graphs::let_wait`).
#[test]
fn a_receive_waits_for_a_message_or_the_end_of_senders() {
    let (senders, slots, queue) = (Place::at(0), Place::at(1), Place::at(2));
    let receive = Statement::TryReceiveUnlessClosed(Register(0), queue.into(), senders);
    let send = Statement::SendBounded(queue, slots, Value::Number(0));
    let leave = Statement::Add(senders, u64::MAX);
    graphs_agree(&Program::new(3, vec![vec![receive], vec![leave], vec![send]]).starting_with(1, 2));
}

/// A message passes on what its sender knows, and nothing else does here (`Graph::push_happens_before`).
#[test]
fn a_message_orders_what_its_sender_did_before() {
    let (x, queue) = (Place::at(0).ordered(Ordering::Relaxed), Place::at(1));
    let sender = vec![Statement::Store(x, Value::Number(1)), Statement::Send(queue, Value::Number(0))];
    let receiver = vec![Statement::Receive(Register(0), queue.into()), Statement::Load(Register(1), x)];
    graphs_agree(&Program::new(2, vec![sender, receiver]));
}

/// A release fence does not acquire, nor an acquire fence release (`Graph::push_happens_before`).
#[test]
fn fences_order_in_their_own_direction() {
    let kinds = [Ordering::Acquire, Ordering::Release, Ordering::AcqRel];
    for fences in kinds.into_iter().flat_map(|one| kinds.map(|other| [Some(one), Some(other)])) {
        graphs_agree(&message_passing(1, Orderings::RELAXED, fences));
    }
}

/// Races of old events are planned for anew where the sequences that they ask for have changed (`races::analyse`, `differs`): what
/// covers a sequence need not cover another one that begins like it. Only one order of threads is known to show that.
#[test]
fn what_is_new_in_an_execution_changes_the_sequences_of_old_races() {
    const SEED: u64 = 133_143_986_335;
    let (x, y) = (Place::at(0), Place::at(1));
    let (r0, r1) = (Register(0), Register(1));
    let is_odd = Test { register: r0, condition: Condition::Within { mask: 1, low: 1, high: 2 } };
    let modulo = Statement::Compute(r1, Value::Held(r1), Arithmetic::Modulo, Value::Number(2));
    let store = |place, number| Statement::Store(place, Value::Number(number));
    let program = Program::new(
        2,
        vec![
            vec![Statement::Load(r0, y), Statement::If(is_odd, vec![Statement::Store(x, Value::Held(r1))])],
            vec![
                Statement::Store(y, Value::Held(r1)),
                modulo.clone(),
                Statement::Store(Place::element(0, r1), Value::Held(r1)),
            ],
            vec![store(y, 0), store(y, 3)],
            vec![store(y, 3), Statement::Load(r0, x), modulo],
        ],
    );
    let verdict = compare::compare(&program, &[Algorithm::Optimal], 10_000, SEED);
    assert!(matches!(verdict, Verdict::Agrees { .. }), "{verdict:?}\n{program}");
}
