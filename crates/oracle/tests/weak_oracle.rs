//! The oracle of memory models itself: known litmus tests, and known numbers of graphs.

use everyway_explore::MemoryModel::{self, Pso, Rc11, Sc, Tso};
use everyway_oracle::program::{Ordering, Place, Program, Register, Statement};
use everyway_oracle::weak::programs::{
    Orderings, coherence, dekker, independent_reads, load, load_buffering, lock, message_passing, release_sequence,
    rotation, store, store_buffering, writes,
};
use everyway_oracle::weak::{Found, candidates, enumerate};

const RELAXED: Orderings = Orderings::RELAXED;
const RELEASE_ACQUIRE: Orderings = Orderings::RELEASE_ACQUIRE;
const SEQ_CST: Orderings = Orderings::SEQ_CST;

fn graphs(program: &Program, model: MemoryModel) -> Vec<Found> {
    enumerate(program, model, 1_000_000).expect("a small program")
}

fn counts(program: &Program) -> [usize; 4] {
    let all = candidates(program, 1_000_000).expect("a small program");
    MemoryModel::ALL.map(|model| all.allowed(model).iter().filter(|found| found.is_complete).count())
}

/// Checks under which models something can be seen at the end.
fn allowed(name: &str, program: &Program, models: &[MemoryModel], seen: impl Fn(&Found) -> bool) {
    for model in MemoryModel::ALL {
        let found = graphs(program, model).iter().any(&seen);
        assert_eq!(found, models.contains(&model), "{name} under {model}\n{program}");
    }
}

/// Whether registers hold these values: thread, register, value.
fn registers(expected: &[(usize, usize, u64)]) -> impl Fn(&Found) -> bool {
    move |found| expected.iter().all(|&(thread, register, value)| found.registers[thread][register] == value)
}

#[test]
fn graphs_are_as_many_as_an_independent_tool_finds() {
    // sc, tso, pso, rc11; those of pso are derived: it allows all that tso does, and reorders relaxed stores.
    assert_eq!(counts(&store_buffering(2, RELAXED, None)), [3, 4, 4, 4]);
    assert_eq!(counts(&store_buffering(3, RELAXED, None)), [7, 8, 8, 8]);
    assert_eq!(counts(&store_buffering(4, RELAXED, None)), [15, 16, 16, 16]);
    assert_eq!(counts(&store_buffering(3, RELAXED, Some(Ordering::SeqCst))), [7; 4]);
    assert_eq!(counts(&store_buffering(3, SEQ_CST, None)), [7; 4]);
    let mixed = Orderings { store: Ordering::SeqCst, load: Ordering::Relaxed };
    assert_eq!(counts(&store_buffering(3, mixed, None)), [7, 7, 7, 8]);
    assert_eq!(counts(&message_passing(1, RELEASE_ACQUIRE, [None; 2])), [2; 4]);
    assert_eq!(counts(&message_passing(2, RELEASE_ACQUIRE, [None; 2])), [4; 4]);
    let relaxed_store = Orderings { store: Ordering::Relaxed, load: Ordering::Acquire };
    assert_eq!(counts(&message_passing(2, relaxed_store, [None; 2])), [4, 4, 9, 9]);
    let fences = [Some(Ordering::Release), Some(Ordering::Acquire)];
    assert_eq!(counts(&message_passing(2, RELAXED, fences)), [4; 4]);
    assert_eq!(counts(&message_passing(2, RELAXED, [None, fences[1]])), [4, 4, 9, 9]);
    assert_eq!(counts(&independent_reads(2, RELEASE_ACQUIRE)), [15, 15, 15, 16]);
    assert_eq!(counts(&independent_reads(2, SEQ_CST)), [15; 4]);
    assert_eq!(counts(&independent_reads(3, RELEASE_ACQUIRE)), [54, 54, 54, 64]);
    assert_eq!(counts(&independent_reads(3, SEQ_CST)), [54; 4]);
    assert_eq!(counts(&writes(2, Ordering::Relaxed)), [3, 3, 4, 4]);
    assert_eq!(counts(&writes(3, Ordering::Relaxed)), [7, 7, 8, 8]);
    assert_eq!(counts(&writes(3, Ordering::SeqCst)), [7; 4]);
    assert_eq!(counts(&coherence(2)), [12; 4]);
    assert_eq!(counts(&coherence(3)), [60; 4]);
    assert_eq!(counts(&release_sequence(1)), [6; 4]);
    assert_eq!(counts(&release_sequence(2)), [26; 4]);
    assert_eq!(counts(&load_buffering(2, RELAXED)), [3; 4]);
    assert_eq!(counts(&load_buffering(3, RELAXED)), [7; 4]);
    assert_eq!(counts(&rotation(4)), [14; 4]);
    assert_eq!(counts(&lock(2, Ordering::Acquire)), [2; 4]);
    assert_eq!(counts(&dekker(Ordering::SeqCst)), [3; 4]);
}

#[test]
fn data_races_are_found() {
    let races = |program: &Program| graphs(program, Rc11).iter().any(|found| found.races);
    assert!(!races(&lock(2, Ordering::Acquire)));
    assert!(races(&lock(2, Ordering::Relaxed)));
    assert!(!races(&dekker(Ordering::SeqCst)));
    assert!(races(&dekker(Ordering::Relaxed)));
    assert!(races(&dekker(Ordering::AcqRel)));
}

#[test]
fn two_threads() {
    let both = registers(&[(0, 0, 0), (1, 0, 0)]);
    allowed("SB", &store_buffering(2, RELAXED, None), &[Tso, Pso, Rc11], &both);
    allowed("SB", &store_buffering(2, RELEASE_ACQUIRE, None), &[Tso, Pso, Rc11], &both);
    allowed("SB", &store_buffering(2, SEQ_CST, None), &[], &both);
    allowed("SB", &store_buffering(2, RELAXED, Some(Ordering::SeqCst)), &[], &both);
    allowed("SB", &store_buffering(2, RELAXED, Some(Ordering::AcqRel)), &[Tso, Pso, Rc11], &both);

    let stale = registers(&[(1, 0, 1), (1, 1, 0)]);
    allowed("MP", &message_passing(1, RELAXED, [None; 2]), &[Pso, Rc11], &stale);
    allowed("MP", &message_passing(1, RELEASE_ACQUIRE, [None; 2]), &[], &stale);
    let (release, acquire) = (Some(Ordering::Release), Some(Ordering::Acquire));
    allowed("MP", &message_passing(1, RELAXED, [release, acquire]), &[], &stale);
    allowed("MP", &message_passing(1, RELAXED, [release, None]), &[Rc11], &stale);
    allowed("MP", &message_passing(1, RELAXED, [None, acquire]), &[Pso, Rc11], &stale);
    allowed("MP", &message_passing(1, RELAXED, [Some(Ordering::SeqCst); 2]), &[], &stale);

    let both = registers(&[(0, 0, 1), (1, 0, 1)]);
    allowed("LB", &load_buffering(2, RELAXED), &[], &both);

    let firsts = |found: &Found| found.memory == [1, 1];
    allowed("2+2W", &writes(2, Ordering::Relaxed), &[Pso, Rc11], firsts);
    allowed("2+2W", &writes(2, Ordering::Release), &[Rc11], firsts);
    allowed("2+2W", &writes(2, Ordering::SeqCst), &[], firsts);

    let s = |o: Orderings| Program::new(2, vec![vec![o.w(0, 2), o.w(1, 1)], vec![o.r(0, 1), o.w(0, 1)]]);
    let seen = |found: &Found| found.registers[1][0] == 1 && found.memory[0] == 2;
    allowed("S", &s(RELAXED), &[Pso, Rc11], seen);
    allowed("S", &s(RELEASE_ACQUIRE), &[], seen);

    let r = |o: Orderings| Program::new(2, vec![vec![o.w(0, 1), o.w(1, 1)], vec![o.w(1, 2), o.r(0, 0)]]);
    let seen = |found: &Found| found.registers[1][0] == 0 && found.memory[1] == 2;
    allowed("R", &r(RELAXED), &[Tso, Pso, Rc11], seen);
    allowed("R", &r(RELEASE_ACQUIRE), &[Tso, Pso, Rc11], seen);
    allowed("R", &r(SEQ_CST), &[], seen);
}

#[test]
fn more_threads() {
    let split = registers(&[(2, 0, 1), (2, 1, 0), (3, 1, 1), (3, 0, 0)]);
    allowed("IRIW", &independent_reads(2, RELAXED), &[Rc11], &split);
    allowed("IRIW", &independent_reads(2, RELEASE_ACQUIRE), &[Rc11], &split);
    allowed("IRIW", &independent_reads(2, SEQ_CST), &[], &split);

    let wrc =
        |o: Orderings| Program::new(2, vec![vec![o.w(0, 1)], vec![o.r(0, 0), o.w(1, 1)], vec![o.r(0, 1), o.r(1, 0)]]);
    let seen = registers(&[(1, 0, 1), (2, 0, 1), (2, 1, 0)]);
    allowed("WRC", &wrc(RELAXED), &[Rc11], &seen);
    allowed("WRC", &wrc(RELEASE_ACQUIRE), &[], &seen);

    let rwc = |o: Orderings, fence: Option<Ordering>| {
        let fence = || fence.map(Statement::Fence);
        let reader = [o.r(0, 0)].into_iter().chain(fence()).chain([o.r(1, 1)]).collect();
        let writer = [o.w(1, 1)].into_iter().chain(fence()).chain([o.r(0, 0)]).collect();
        Program::new(2, vec![vec![o.w(0, 1)], reader, writer])
    };
    let seen = registers(&[(1, 0, 1), (1, 1, 0), (2, 0, 0)]);
    allowed("RWC", &rwc(RELAXED, None), &[Tso, Pso, Rc11], &seen);
    allowed("RWC", &rwc(RELEASE_ACQUIRE, None), &[Tso, Pso, Rc11], &seen);
    allowed("RWC", &rwc(RELAXED, Some(Ordering::SeqCst)), &[], &seen);
    allowed("RWC", &rwc(SEQ_CST, None), &[], &seen);

    let isa2 = |o: Orderings| {
        let threads = vec![vec![o.w(0, 1), o.w(1, 1)], vec![o.r(0, 1), o.w(2, 1)], vec![o.r(0, 2), o.r(1, 0)]];
        Program::new(3, threads)
    };
    let seen = registers(&[(1, 0, 1), (2, 0, 1), (2, 1, 0)]);
    allowed("ISA2", &isa2(RELAXED), &[Pso, Rc11], &seen);
    allowed("ISA2", &isa2(RELEASE_ACQUIRE), &[], &seen);

    let w_rwc = |o: Orderings| {
        let threads = vec![vec![o.w(0, 1), o.w(1, 1)], vec![o.r(0, 1), o.r(1, 2)], vec![o.w(2, 1), o.r(0, 0)]];
        Program::new(3, threads)
    };
    let seen = registers(&[(1, 0, 1), (1, 1, 0), (2, 0, 0)]);
    allowed("W+RWC", &w_rwc(RELAXED), &[Tso, Pso, Rc11], &seen);
    allowed("W+RWC", &w_rwc(RELEASE_ACQUIRE), &[Tso, Pso, Rc11], &seen);
    allowed("W+RWC", &w_rwc(SEQ_CST), &[], &seen);
}

#[test]
fn one_location() {
    for o in [RELAXED, RELEASE_ACQUIRE, SEQ_CST] {
        let corr = Program::new(1, vec![vec![o.w(0, 1)], vec![o.r(0, 0), o.r(1, 0)]]);
        allowed("CoRR", &corr, &[], registers(&[(1, 0, 1), (1, 1, 0)]));
        let coww = Program::new(1, vec![vec![o.w(0, 1), o.w(0, 2)]]);
        allowed("CoWW", &coww, &[], |found| found.memory == [1]);
        let cowr = Program::new(1, vec![vec![o.w(0, 1), o.r(0, 0)]]);
        allowed("CoWR", &cowr, &[], registers(&[(0, 0, 0)]));
        let corw = Program::new(1, vec![vec![o.r(0, 0), o.w(0, 1)]]);
        allowed("CoRW", &corw, &[], registers(&[(0, 0, 1)]));
    }
}

#[test]
fn release_sequences() {
    let stale = registers(&[(2, 0, 2), (2, 1, 0)]);
    allowed("release sequence", &release_sequence(1), &[], &stale);
    // A later store of the same thread does not carry it on (C++20).
    let (relaxed, release, acquire) = (Ordering::Relaxed, Ordering::Release, Ordering::Acquire);
    let writer = vec![store(0, 1, relaxed), store(1, 1, release), store(1, 2, relaxed)];
    let program = Program::new(2, vec![writer, vec![load(0, 1, acquire), load(1, 0, relaxed)]]);
    allowed("a later store", &program, &[Rc11], registers(&[(1, 0, 2), (1, 1, 0)]));
    // An exchange by another thread carries it on, a store does not.
    let through = |middle: Statement| {
        let writer = vec![store(0, 1, relaxed), store(1, 1, release)];
        Program::new(2, vec![writer, vec![middle], vec![load(0, 1, acquire), load(1, 0, relaxed)]])
    };
    let stale = |found: &Found| {
        let reads = found.registers[2][0] == 2 && found.registers[2][1] == 0;
        reads && found.registers[1][0] == 1
    };
    let exchange = Statement::FetchAdd(Register(0), Place::at(1).ordered(relaxed), 1);
    allowed("an exchange", &through(exchange), &[], stale);
}

#[test]
fn sequential_consistency_is_allowed_everywhere() {
    let programs =
        [store_buffering(3, RELAXED, None), independent_reads(2, RELAXED), writes(2, Ordering::Relaxed), coherence(2)];
    for program in programs {
        let all = |model| graphs(&program, model).into_iter().map(|found| found.shape).collect::<Vec<_>>();
        let (sc, tso, pso, rc11) = (all(Sc), all(Tso), all(Pso), all(Rc11));
        assert!(sc.iter().all(|graph| tso.contains(graph) && rc11.contains(graph)));
        assert!(tso.iter().all(|graph| pso.contains(graph)));
    }
}
