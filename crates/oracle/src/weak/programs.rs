//! Programs about memory models: litmus tests, and small programs whose numbers of graphs are known.

use crate::program::{Arithmetic, Condition, Ordering, Place, Program, Register, Statement, Test, Value};

/// A store of a number.
pub fn store(location: u32, value: u64, ordering: Ordering) -> Statement {
    Statement::Store(Place::at(location).ordered(ordering), Value::Number(value))
}

/// A load into a register.
pub fn load(register: u8, location: u32, ordering: Ordering) -> Statement {
    Statement::Load(Register(register), Place::at(location).ordered(ordering))
}

/// The orderings of a program: of its stores and its loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orderings {
    /// Of stores.
    pub store: Ordering,
    /// Of loads.
    pub load: Ordering,
}

impl Orderings {
    /// Everything relaxed.
    pub const RELAXED: Self = Self { store: Ordering::Relaxed, load: Ordering::Relaxed };
    /// Stores release, loads acquire.
    pub const RELEASE_ACQUIRE: Self = Self { store: Ordering::Release, load: Ordering::Acquire };
    /// Everything `seq_cst`.
    pub const SEQ_CST: Self = Self { store: Ordering::SeqCst, load: Ordering::SeqCst };

    /// A store of a number.
    pub fn w(self, location: u32, value: u64) -> Statement {
        store(location, value, self.store)
    }

    /// A load into a register.
    pub fn r(self, register: u8, location: u32) -> Statement {
        load(register, location, self.load)
    }
}

/// Store buffering around a ring of `n` threads, with a fence between store and load or none.
pub fn store_buffering(n: u32, with: Orderings, fence: Option<Ordering>) -> Program {
    let thread = |i| {
        let fence = fence.map(Statement::Fence);
        [with.w(i, 1)].into_iter().chain(fence).chain([with.r(0, (i + 1) % n)]).collect()
    };
    Program::new(n, (0..n).map(thread).collect())
}

/// Message passing to `n` readers: data is location 0, the flag location 1. The orderings are those of the flag; the
/// fences come before the flag is stored, and after it was seen.
pub fn message_passing(n: usize, with: Orderings, fences: [Option<Ordering>; 2]) -> Program {
    let before = fences[0].map(Statement::Fence);
    let after = fences[1].map(Statement::Fence);
    let data = store(0, 1, Ordering::Relaxed);
    let writer: Vec<Statement> = [data].into_iter().chain(before).chain([with.w(1, 1)]).collect();
    let seen = after.into_iter().chain([load(1, 0, Ordering::Relaxed)]).collect();
    let test = Test { register: Register(0), condition: Condition::Differs(0) };
    let reader = vec![with.r(0, 1), Statement::If(test, seen)];
    Program::new(2, [writer].into_iter().chain(vec![reader; n]).collect())
}

/// Independent reads of `n` independent writes, by two readers in opposite orders.
pub fn independent_reads(n: u32, with: Orderings) -> Program {
    let writers = (0..n).map(|i| vec![with.w(i, 1)]);
    let up = (0..n).map(|i| with.r(i as u8, i)).collect();
    let down = (0..n).rev().map(|i| with.r(i as u8, i)).collect();
    Program::new(n, writers.chain([up, down]).collect())
}

/// 2+2W in a ring of `n` threads.
pub fn writes(n: u32, ordering: Ordering) -> Program {
    let thread = |i| vec![store(i, 1, ordering), store((i + 1) % n, 2, ordering)];
    Program::new(n, (0..n).map(thread).collect())
}

/// `n` writers of one location, and a thread that reads it twice.
pub fn coherence(n: u64) -> Program {
    let writers = (1..=n).map(|value| vec![store(0, value, Ordering::Relaxed)]);
    let reader = vec![load(0, 0, Ordering::Relaxed), load(1, 0, Ordering::Relaxed)];
    Program::new(1, writers.chain([reader]).collect())
}

/// A release sequence through `n` relaxed increments of other threads.
pub fn release_sequence(n: usize) -> Program {
    let writer = vec![store(0, 1, Ordering::Relaxed), store(1, 1, Ordering::Release)];
    let adder = vec![Statement::FetchAdd(Register(0), Place::at(1).ordered(Ordering::Relaxed), 1)];
    let test = Test { register: Register(0), condition: Condition::AtLeast(2) };
    let reader = vec![load(0, 1, Ordering::Acquire), Statement::If(test, vec![load(1, 0, Ordering::Relaxed)])];
    Program::new(2, [writer].into_iter().chain(vec![adder; n]).chain([reader]).collect())
}

/// Load buffering around a ring of `n` threads.
pub fn load_buffering(n: u32, with: Orderings) -> Program {
    Program::new(n, (0..n).map(|i| vec![with.r(0, i), with.w((i + 1) % n, 1)]).collect())
}

/// Thread `i` of `n` turns `i` into `i + 1`.
pub fn rotation(n: u64) -> Program {
    let place = Place::at(0).ordered_or(Ordering::AcqRel, Ordering::Relaxed);
    let thread = |i| vec![Statement::CompareExchange(Register(0), place, Value::Number(i), Value::Number(i + 1))];
    Program::new(1, (0..n).map(thread).collect())
}

/// Two threads that add what both variables hold to their own, `n` times, relaxed.
pub fn fibonacci(n: usize) -> Program {
    let (x, y, sum) = (Register(0), Register(1), Register(2));
    let at = |location| Place::at(location).ordered(Ordering::Relaxed);
    let thread = |own| {
        let round = [
            Statement::Load(x, at(0)),
            Statement::Load(y, at(1)),
            Statement::Compute(sum, Value::Held(x), Arithmetic::Plus, Value::Held(y)),
            Statement::Store(at(own), Value::Held(sum)),
        ];
        (0..n).flat_map(|_| round.clone()).collect()
    };
    Program::new(2, vec![thread(0), thread(1)]).starting_with(0, 1).starting_with(1, 1)
}

/// `n` threads that increment a plain variable under a lock that is awaited.
pub fn lock(n: usize, acquire: Ordering) -> Program {
    let data = Place::at(1).ordered(Ordering::Plain);
    let held = Place::at(0).ordered_or(acquire, Ordering::Relaxed);
    let (value, sum) = (Register(0), Register(1));
    let thread = vec![
        Statement::AwaitExchange(Register(2), held, Condition::Equals(0), Value::Number(1)),
        Statement::Load(value, data),
        Statement::Compute(sum, Value::Held(value), Arithmetic::Plus, Value::Number(1)),
        Statement::Store(data, Value::Held(sum)),
        store(0, 0, Ordering::Release),
    ];
    Program::new(2, vec![thread; n])
}

/// Dekker's entry protocol, one attempt each, with plain accesses inside.
pub fn dekker(ordering: Ordering) -> Program {
    let with = Orderings { store: ordering, load: ordering };
    let test = Test { register: Register(0), condition: Condition::Equals(0) };
    let inside = vec![load(1, 2, Ordering::Plain), store(2, 1, Ordering::Plain)];
    let thread = |i| vec![with.w(i, 1), with.r(0, 1 - i), Statement::If(test, inside.clone())];
    Program::new(3, vec![thread(0), thread(1)])
}

/// A ring of two slots between a producer and a consumer, `n` items, one attempt each. Head is location 0, tail 1.
pub fn ring(n: u64, acquire: Ordering, release: Ordering) -> Program {
    let (own, other, difference, slot, next) = (Register(0), Register(1), Register(2), Register(3), Register(4));
    let held = Value::Held;
    let step = |index: u32, first: u32, test: Condition, access: Statement, [a, b]: [Register; 2]| {
        let at = |location: u32, ordering| Place::at(location).ordered(ordering);
        let inside = vec![
            Statement::Compute(slot, held(own), Arithmetic::Modulo, Value::Number(2)),
            access,
            Statement::Compute(next, held(own), Arithmetic::Plus, Value::Number(1)),
            Statement::Store(at(index, release), held(next)),
        ];
        vec![
            Statement::Load(own, at(index, Ordering::Relaxed)),
            Statement::Load(other, at(first, acquire)),
            Statement::Compute(difference, held(a), Arithmetic::Minus, held(b)),
            Statement::If(Test { register: difference, condition: test }, inside),
        ]
    };
    let slots = Place::element(2, slot).ordered(Ordering::Plain);
    let put = |item| Statement::Store(slots, Value::Number(item));
    let producer = (1..=n).flat_map(|item| step(1, 0, Condition::Below(2), put(item), [own, other]));
    let take = Statement::Load(Register(5), slots);
    let consumer = (0..n).flat_map(|_| step(0, 1, Condition::Differs(0), take.clone(), [own, other]));
    Program::new(4, vec![producer.collect(), consumer.collect()])
}

/// A Treiber stack: `n` threads push a node each and pop once, one attempt each time. The top is location 0.
pub fn treiber(n: u32, release: Ordering) -> Program {
    let (top, next, done) = (Register(0), Register(1), Register(2));
    let at = |ordering| Place::at(0).ordered_or(ordering, Ordering::Relaxed);
    let thread = |i: u32| {
        let link = Place::at(1 + i).ordered(Ordering::Plain);
        let node = Value::Number(u64::from(i) + 1);
        let pop = vec![
            Statement::Load(next, Place::element(0, top).ordered(Ordering::Plain)),
            Statement::CompareExchange(done, at(Ordering::Acquire), Value::Held(top), Value::Held(next)),
        ];
        vec![
            Statement::Load(top, at(Ordering::Relaxed)),
            Statement::Store(link, Value::Held(top)),
            Statement::CompareExchange(done, at(release), Value::Held(top), node),
            Statement::Load(top, at(Ordering::Acquire)),
            Statement::If(Test { register: top, condition: Condition::Differs(0) }, pop),
        ]
    };
    Program::new(n + 1, (0..n).map(thread).collect())
}
