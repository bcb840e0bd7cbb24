//! Random programs about memory orderings.
//!
//! They are small, so that brute force ends, and cramped, so that their threads meet: two or three locations, values up
//! to 2.

use crate::program::{Arithmetic, Condition, Ordering, Place, Program, Register, Statement, Test, Value};
use crate::random;
use fastrand::Rng;

/// What a program is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Loads, stores and fences.
    Memory,
    /// Read-modify-writes and compare-exchanges, too.
    ReadModifyWrite,
    /// Awaits and locks, too.
    Waits,
    /// Values that decide what happens later.
    Control,
    /// Plain accesses, spawns, joins and choices, too.
    Mixed,
    /// Few accesses of more threads, most of them `seq_cst`: what orders these is told by more than two locations.
    SequentiallyConsistent,
    /// The programs that interleavings are tested with, of this profile, with weaker orderings.
    Synchronised(random::Profile),
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 11] = [
        Profile::Memory,
        Profile::ReadModifyWrite,
        Profile::Waits,
        Profile::Control,
        Profile::Mixed,
        Profile::SequentiallyConsistent,
        Profile::Synchronised(random::Profile::Condvar),
        Profile::Synchronised(random::Profile::Await),
        Profile::Synchronised(random::Profile::Queue),
        Profile::Synchronised(random::Profile::Selective),
        Profile::Synchronised(random::Profile::Channel),
    ];
}

/// The most interleavings of a program with condition variables or queues.
const INTERLEAVINGS: usize = 2_000;

const ANY: [Ordering; 5] =
    [Ordering::Relaxed, Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst];
const LOADS: [Ordering; 3] = [Ordering::Relaxed, Ordering::Acquire, Ordering::SeqCst];
const STORES: [Ordering; 3] = [Ordering::Relaxed, Ordering::Release, Ordering::SeqCst];
const FENCES: [Ordering; 4] = [Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst];

struct Generator {
    random: Rng,
    profile: Profile,
    locations: u32,
    /// How many more accesses the program gets.
    budget: usize,
    /// Whether most accesses are relaxed: otherwise programs with many of them hardly differ from model to model.
    weak: bool,
}

/// The program of `profile` with this seed.
pub fn program(profile: Profile, seed: u64) -> Program {
    let mut random = Rng::with_seed(seed);
    let locations = [1, 2, 2, 2, 3][random.usize(..5)];
    let budget = random.usize(4..=9);
    let weak = random.u8(..3) > 0;
    if let Profile::Synchronised(profile) = profile {
        let mut program = random::program(profile, seed, INTERLEAVINGS);
        if weak {
            program.threads.iter_mut().for_each(|body| weaken(&mut random, body));
        }
        return program;
    }
    if profile == Profile::SequentiallyConsistent {
        return sequentially_consistent(&mut random);
    }
    Generator { random, profile, locations, budget, weak }.program()
}

/// Two to four threads, with the fewer accesses the more they are.
fn sequentially_consistent(random: &mut Rng) -> Program {
    let (locations, threads) = (random.u32(2..=3), random.usize(2..=4));
    let most = 6 - threads;
    let body = |random: &mut Rng| {
        let accesses = random.usize(most - 1..=most);
        (0..accesses).map(|_| mostly_sequentially_consistent(random, locations)).collect()
    };
    Program::new(locations, (0..threads).map(|_| body(random)).collect())
}

fn mostly_sequentially_consistent(random: &mut Rng, locations: u32) -> Statement {
    let kind = random.u8(..10);
    let weaker = match kind {
        0..4 => Ordering::Release,
        4..8 => Ordering::Acquire,
        _ => Ordering::AcqRel,
    };
    let ordering = match random.u8(..10) {
        0..6 => Ordering::SeqCst,
        6..8 => weaker,
        _ => Ordering::Relaxed,
    };
    let place = Place::at(random.u32(..locations)).ordered(ordering);
    let register = Register(random.u8(..3));
    match kind {
        0..4 => Statement::Store(place, Value::Number(random.u64(1..3))),
        4..8 => Statement::Load(register, place),
        8 => Statement::FetchAdd(register, place, 1),
        _ if ordering == Ordering::Relaxed => Statement::Fence(Ordering::Release),
        _ => Statement::Fence(ordering),
    }
}

/// Gives some accesses to memory other orderings.
fn weaken(random: &mut Rng, body: &mut [Statement]) {
    for statement in body {
        let (place, among): (_, &[Ordering]) = match statement {
            Statement::Load(_, place) | Statement::Await(_, place, _) => (place, &LOADS),
            Statement::Store(place, _) | Statement::Unlock(place) => (place, &STORES),
            Statement::Lock(place)
            | Statement::Add(place, _)
            | Statement::FetchAdd(_, place, _)
            | Statement::CompareExchange(_, place, ..)
            | Statement::AwaitExchange(_, place, ..)
            | Statement::SendBounded(_, place, _)
            | Statement::ReceiveBounded(_, _, place) => (place, &ANY),
            Statement::Wait { mutex, .. } => (mutex, &STORES),
            Statement::If(_, body) | Statement::While(_, body) => {
                weaken(random, body);
                continue;
            }
            _ => continue,
        };
        if random.u8(..3) > 0 {
            *place = place.ordered_or(among[random.usize(..among.len())], LOADS[random.usize(..LOADS.len())]);
        }
    }
}

impl Generator {
    fn program(&mut self) -> Program {
        let count = [2, 2, 2, 3, 3, 4][self.random.usize(..6)];
        let mut threads: Vec<Vec<Statement>> = vec![Vec::new(); count];
        while self.budget > 0 {
            let thread = self.random.usize(..count);
            let statements = self.statements();
            threads[thread].extend(statements);
        }
        if self.profile == Profile::Mixed && self.random.u8(..3) == 0 {
            // The first thread starts the last one, and perhaps waits for it.
            let last = count as u32 - 1;
            let position = self.random.usize(..=threads[0].len());
            threads[0].insert(position, Statement::Spawn(last));
            if self.random.bool() {
                let later = self.random.usize(position + 1..=threads[0].len());
                threads[0].insert(later, Statement::Join(last));
            }
        }
        let mut program = Program::new(self.locations, threads);
        if self.random.u8(..4) == 0 {
            program = program.starting_with(0, 1);
        }
        program
    }

    fn ordering(&mut self, among: &[Ordering]) -> Ordering {
        let plain = self.profile == Profile::Mixed && self.random.u8(..5) == 0;
        if plain { Ordering::Plain } else { self.atomic(among) }
    }

    fn atomic(&mut self, among: &[Ordering]) -> Ordering {
        match self.weak && self.random.u8(..3) > 0 {
            true => among[0],
            false => among[self.random.usize(..among.len())],
        }
    }

    fn place(&mut self) -> Place {
        Place::at(self.random.u32(..self.locations))
    }

    fn register(&mut self) -> Register {
        Register(self.random.u8(..3))
    }

    fn value(&mut self) -> Value {
        match self.random.u8(..4) {
            0 => Value::Held(self.register()),
            _ => Value::Number(self.random.u64(..3)),
        }
    }

    fn condition(&mut self) -> Condition {
        let value = self.random.u64(..3);
        if self.random.bool() { Condition::Equals(value) } else { Condition::Differs(value) }
    }

    fn statements(&mut self) -> Vec<Statement> {
        self.budget = self.budget.saturating_sub(1);
        let kinds = match self.profile {
            Profile::Memory => 8,
            Profile::ReadModifyWrite => 12,
            Profile::Waits => 16,
            Profile::Control => 18,
            Profile::Mixed | Profile::SequentiallyConsistent | Profile::Synchronised(_) => 20,
        };
        let kind = match (self.profile, self.random.u8(..3)) {
            // Half of what is there besides loads and stores.
            (Profile::ReadModifyWrite, 0) => self.random.u8(8..12),
            (Profile::Waits, 0) => self.random.u8(12..16),
            (Profile::Control, 0) => self.random.u8(16..18),
            _ => self.random.u8(..kinds),
        };
        vec![match kind {
            0..3 => self.load(),
            3..7 => self.store(),
            7 => Statement::Fence(self.atomic(&FENCES)),
            8..12 => self.modify(),
            12..16 => self.wait(),
            16 => {
                let test = Test { register: self.register(), condition: self.condition() };
                let body = if self.random.bool() { self.store() } else { self.load() };
                Statement::If(test, vec![body])
            }
            17 => return self.dependent_store(),
            18 => Statement::Choose(self.register(), 2),
            _ => Statement::Assume(Test { register: self.register(), condition: self.condition() }),
        }]
    }

    fn load(&mut self) -> Statement {
        let ordering = self.ordering(&LOADS);
        Statement::Load(self.register(), self.place().ordered(ordering))
    }

    fn store(&mut self) -> Statement {
        let ordering = self.ordering(&STORES);
        Statement::Store(self.place().ordered(ordering), self.value())
    }

    fn modify(&mut self) -> Statement {
        self.budget = self.budget.saturating_sub(1);
        let place = self.place().ordered(self.atomic(&ANY));
        match self.random.u8(..4) {
            0 => Statement::Exchange(self.register(), place, self.value()),
            1 => Statement::FetchAdd(self.register(), place, 1),
            2 => Statement::Add(place, 1),
            _ => {
                let place = place.ordered_or(place.ordering, self.atomic(&LOADS));
                Statement::CompareExchange(self.register(), place, self.value(), self.value())
            }
        }
    }

    fn wait(&mut self) -> Statement {
        let place = self.place();
        match self.random.u8(..4) {
            0 => Statement::Await(self.register(), place.ordered(self.atomic(&LOADS)), self.condition()),
            1 => {
                let place = place.ordered(self.atomic(&ANY));
                Statement::AwaitExchange(self.register(), place, self.condition(), self.value())
            }
            2 => Statement::Lock(place.ordered(self.atomic(&ANY))),
            _ => Statement::Unlock(place.ordered(self.atomic(&STORES))),
        }
    }

    fn dependent_store(&mut self) -> Vec<Statement> {
        let (from, to) = (self.register(), self.register());
        let place = self.place().ordered(self.atomic(&STORES));
        let sum = Statement::Compute(to, Value::Held(from), Arithmetic::Plus, Value::Number(1));
        vec![sum, Statement::Store(place, Value::Held(to))]
    }
}
