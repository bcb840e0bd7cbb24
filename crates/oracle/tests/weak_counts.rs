//! Numbers of execution graphs, as an independent tool gives them.

use everyway_explore::{Algorithm, Cut, End, Explorer, Limits, MemoryModel, Order, Unsupported};
use everyway_oracle::compare::counts_of;
use everyway_oracle::machine::Machine;
use everyway_oracle::papers::{casw, fib_bench, lastwrite, lastzero, readers, reorder, sigma};
use everyway_oracle::program::{Ordering, Place, Program, Register, Statement, Value};
use everyway_oracle::random::{Profile, program};
use everyway_oracle::weak::compare::explore;
use everyway_oracle::weak::programs::{
    Orderings, coherence, dekker, fibonacci, independent_reads, load_buffering, lock, message_passing,
    release_sequence, ring, rotation, store_buffering, treiber, writes,
};
use everyway_runtime::{
    Class, Execution, Halt, Location, Matching, Message, Operation, Performed, Source, State, Status, Step, ThreadId,
};
use std::convert::Infallible;
use std::ops::ControlFlow;

const RELAXED: Orderings = Orderings::RELAXED;
const RELEASE_ACQUIRE: Orderings = Orderings::RELEASE_ACQUIRE;
const SEQ_CST: Orderings = Orderings::SEQ_CST;

/// Checks the numbers of complete graphs under sc, tso and rc11.
fn check(name: &str, program: &Program, expected: [u64; 3]) {
    let models = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Rc11];
    let found = models.map(|model| {
        let explored = explore(&mut Machine::new(program), model, Order::Lowest, Limits::default());
        let explored = explored.unwrap_or_else(|error| panic!("{name} under {model}: {error}"));
        assert!(!explored.races, "{name} races under {model}");
        (explored.counts.complete, explored.counts.blocked)
    });
    assert_eq!(found, expected.map(|complete| (complete, 0)), "{name}");
}

fn races(program: &Program) -> bool {
    let machine = &mut Machine::new(program);
    explore(machine, MemoryModel::Rc11, Order::Lowest, Limits::default()).expect("a small program").races
}

#[test]
fn stores_and_loads() {
    for n in [2, 3, 4, 8] {
        check("sb", &store_buffering(n, RELAXED, None), [(1 << n) - 1, 1 << n, 1 << n]);
    }
    check("sb with fences", &store_buffering(3, RELAXED, Some(Ordering::SeqCst)), [7; 3]);
    check("sb with seq_cst", &store_buffering(3, SEQ_CST, None), [7; 3]);
    let mixed = Orderings { store: Ordering::SeqCst, load: Ordering::Relaxed };
    check("sb with seq_cst stores", &store_buffering(3, mixed, None), [7, 7, 8]);
    check("iriw", &independent_reads(2, RELEASE_ACQUIRE), [15, 15, 16]);
    check("iriw", &independent_reads(3, RELEASE_ACQUIRE), [54, 54, 64]);
    check("iriw with seq_cst", &independent_reads(2, SEQ_CST), [15; 3]);
    check("iriw with seq_cst", &independent_reads(3, SEQ_CST), [54; 3]);
    check("writes", &writes(2, Ordering::Relaxed), [3, 3, 4]);
    check("writes", &writes(3, Ordering::Relaxed), [7, 7, 8]);
    check("writes with seq_cst", &writes(3, Ordering::SeqCst), [7; 3]);
    check("coherence", &coherence(2), [12; 3]);
    check("coherence", &coherence(3), [60; 3]);
    check("coherence", &coherence(5), [2520; 3]);
    check("lb", &load_buffering(2, RELAXED), [3; 3]);
    check("lb", &load_buffering(3, RELAXED), [7; 3]);
    check("lb", &load_buffering(6, RELAXED), [63; 3]);
    check("fib", &fibonacci(2), [19, 20, 20]);
    check("fib", &fibonacci(3), [141, 175, 175]);
}

#[test]
fn messages_through_memory() {
    check("mp", &message_passing(1, RELEASE_ACQUIRE, [None; 2]), [2; 3]);
    check("mp", &message_passing(2, RELEASE_ACQUIRE, [None; 2]), [4; 3]);
    check("mp", &message_passing(8, RELEASE_ACQUIRE, [None; 2]), [256; 3]);
    let relaxed_store = Orderings { store: Ordering::Relaxed, load: Ordering::Acquire };
    check("mp, relaxed", &message_passing(2, relaxed_store, [None; 2]), [4, 4, 9]);
    check("mp, relaxed", &message_passing(6, relaxed_store, [None; 2]), [64, 64, 729]);
    let fences = [Some(Ordering::Release), Some(Ordering::Acquire)];
    check("mp with fences", &message_passing(2, RELAXED, fences), [4; 3]);
    check("mp with one fence", &message_passing(2, RELAXED, [None, fences[1]]), [4, 4, 9]);
}

#[test]
fn read_modify_writes() {
    check("relseq", &release_sequence(1), [6; 3]);
    check("relseq", &release_sequence(2), [26; 3]);
    check("relseq", &release_sequence(3), [138; 3]);
    check("casrot", &rotation(4), [14; 3]);
    check("casrot", &rotation(6), [144; 3]);
    check("treiber", &treiber(2, Ordering::Release), [26; 3]);
    check("ring", &ring(2, Ordering::Acquire, Ordering::Release), [9; 3]);
    check("ring", &ring(4, Ordering::Acquire, Ordering::Release), [225, 256, 256]);
    check("dekker", &dekker(Ordering::SeqCst), [3; 3]);
    check("lock", &lock(2, Ordering::Acquire), [2; 3]);
    check("lock", &lock(3, Ordering::Acquire), [6; 3]);
}

#[test]
fn weak_orderings_race() {
    assert!(races(&lock(2, Ordering::Relaxed)));
    assert!(races(&dekker(Ordering::Relaxed)));
    assert!(races(&treiber(2, Ordering::Relaxed)));
    assert!(races(&ring(2, Ordering::Relaxed, Ordering::Release)));
}

/// Compares with `optimal`, which counts interleavings up to commutation, as `graphs` does under `sc`.
fn check_optimal(name: &str, program: &Program) {
    let optimal = counts_of(&mut Machine::new(program), Algorithm::Optimal, Order::Lowest);
    for order in [Order::Lowest, Order::Highest, Order::Random(3)] {
        let explored = explore(&mut Machine::new(program), MemoryModel::Sc, order, Limits::default());
        let counts = explored.unwrap_or_else(|error| panic!("{name}: {error}")).counts;
        assert_eq!((counts.complete, counts.blocked), (optimal.complete, optimal.blocked), "{name}\n{program}");
    }
}

#[test]
fn sc_has_the_counts_of_optimal_on_programs_of_the_papers() {
    check_optimal("readers", &readers(6));
    check_optimal("lastzero", &lastzero(4));
    check_optimal("lastwrite", &lastwrite(4));
    check_optimal("casw", &casw(3));
    check_optimal("fib_bench", &fib_bench(2));
    check_optimal("reorder", &reorder(3));
    check_optimal("sigma", &sigma(3));
}

#[test]
fn sc_has_the_counts_of_optimal_on_random_programs() {
    // Adds whose results are not used commute for `optimal`.
    let commutes = |body: &[Statement]| format!("{body:?}").contains("Add(Place");
    let profiles =
        [Profile::Memory, Profile::Mutex, Profile::Semaphore, Profile::SpawnJoin, Profile::Choice, Profile::Condvar];
    let mut compared = 0;
    for seed in 0..60 {
        for profile in profiles {
            let random = program(profile, seed, 300);
            if !random.threads.iter().any(|body| commutes(body)) {
                check_optimal(&format!("{profile:?} {seed}"), &random);
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

fn refusal<X: Execution>(program: &mut X) -> Option<Unsupported> {
    let mut strategy = Algorithm::Graphs { model: MemoryModel::Rc11 }.strategy(Order::Lowest);
    match Explorer::new(program, &mut *strategy, Limits::default()).run(|_| ControlFlow::Continue(())) {
        End::Stopped(Cut::Unsupported(what)) => Some(what),
        _ => None,
    }
}

/// What is wrong with a front end.
#[derive(Clone, Copy)]
enum Fault {
    None,
    /// The last access of each step is not carried out.
    DoesLess,
    /// Each step writes another value than it said.
    WritesOther,
    /// Each step says that it only looked.
    OnlyLooks,
}

/// A front end with a fault.
struct Faulty(Machine, Fault);

impl Matching for Faulty {
    fn matches(&self, mailbox: Location, receive: u32, message: Message) -> bool {
        self.0.matches(mailbox, receive, message)
    }
}

impl State for Faulty {
    fn threads(&self) -> usize {
        self.0.threads()
    }

    fn status(&self, thread: ThreadId) -> Status {
        self.0.status(thread)
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        self.0.operation(thread)
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        self.0.choices(thread)
    }

    fn value(&self, location: Location) -> u64 {
        self.0.value(location)
    }

    fn initial_value(&self, location: Location) -> u64 {
        self.0.initial_value(location)
    }
}

impl Execution for Faulty {
    type Failure = Infallible;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Infallible>> {
        self.0.step(step, performed)
    }

    fn can_be_told(&self) -> bool {
        true
    }

    fn step_reading(
        &mut self,
        step: Step,
        sources: &[Source],
        performed: &mut Performed,
    ) -> Result<(), Halt<Infallible>> {
        self.0.step_reading(step, sources, performed)?;
        match self.1 {
            Fault::None => {}
            Fault::DoesLess => _ = performed.visits.pop(),
            Fault::WritesOther => performed.visits.iter_mut().for_each(|visit| visit.after += 1),
            Fault::OnlyLooks => performed.visits.iter_mut().for_each(|visit| visit.class = Class::Read),
        }
        Ok(())
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Infallible>> {
        self.0.rewind(depth)
    }

    fn blocked(&mut self) -> Option<Infallible> {
        self.0.blocked()
    }
}

#[test]
fn a_step_that_does_something_else_than_announced_is_refused() {
    let (x, r) = (Place::at(0), Register(0));
    let stores = Program::new(1, vec![vec![Statement::Store(x, Value::Number(1))]]);
    let adds = Program::new(1, vec![vec![Statement::FetchAdd(r, x, 1)]]);
    for program in [stores, adds] {
        let refused = |fault| refusal(&mut Faulty(Machine::new(&program), fault));
        assert_eq!(refused(Fault::None), None);
        for fault in [Fault::DoesLess, Fault::WritesOther, Fault::OnlyLooks] {
            assert_eq!(refused(fault), Some(Unsupported::Announcement));
        }
    }
}

#[test]
fn what_is_not_modelled_is_refused_by_name() {
    let (x, r) = (Place::at(0), Register(0));
    let bytes = Program::new(1, vec![vec![Statement::LoadByte(r, x, 0), Statement::Load(r, x)]]);
    assert!(matches!(refusal(&mut Machine::new(&bytes)), Some(Unsupported::MixedSizes(_))));
}
