//! Random programs, each from a profile and a seed.
//!
//! Programs are small, so that all their interleavings can be enumerated, and cramped, so that their threads
//! meet: two or three locations, values up to 3.

mod freed;
mod sum;

use crate::program::{Arithmetic, Condition, Inbox, Place, Program, Register, Spin, Statement, Test, Value, WRITER};
use fastrand::Rng;

/// What a program is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Loads and stores, and branches on what was loaded.
    Memory,
    /// Fetch-and-adds, compare-exchanges, loads and stores.
    ReadModifyWrite,
    /// Mutexes, taken and tried.
    Mutex,
    /// Reader-writer locks.
    ReadWriteLock,
    /// Condition variables.
    Condvar,
    /// Words that are added to, read and waited at, loads and stores of others, and spawns.
    Sum,
    /// Awaits, commuting adds and assumptions.
    Await,
    /// Waits for a word that hardly anything but sets.
    Latch,
    /// Loops that spin, and writes that they wait for.
    Spin,
    /// The same, with loops that update what they have read until nothing came in between. Awaits cannot say that a round
    /// waits for what it has read, so these are for the passes on C programs only, and not among [`Profile::ALL`].
    Update,
    /// Semaphores.
    Semaphore,
    /// Spawns and joins.
    SpawnJoin,
    /// Nondeterministic choices.
    Choice,
    /// Queues.
    Queue,
    /// Queues whose receivers choose among the messages.
    Selective,
    /// Queues that can be closed, and queues with few slots.
    Channel,
    /// Words that are accessed in bytes, and the first of them also as a whole.
    Bytes,
    /// Words and locks that end, together or not, while others may access them.
    Freed,
    /// Everything but that.
    Mixed,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 18] = [
        Profile::Memory,
        Profile::ReadModifyWrite,
        Profile::Mutex,
        Profile::ReadWriteLock,
        Profile::Condvar,
        Profile::Sum,
        Profile::Await,
        Profile::Latch,
        Profile::Spin,
        Profile::Semaphore,
        Profile::SpawnJoin,
        Profile::Choice,
        Profile::Queue,
        Profile::Selective,
        Profile::Channel,
        Profile::Bytes,
        Profile::Mixed,
        Profile::Freed,
    ];
}

/// Variables come first, then one location for each other kind of object.
const VARIABLES: u32 = 2;
const MUTEX: Place = Place::at(2);
const OTHER_MUTEX: Place = Place::at(3);
const LOCK: Place = Place::at(4);
const CONDVAR: Place = Place::at(5);
const SEMAPHORE: Place = Place::at(6);
/// A queue for each thread that receives.
const QUEUES: u32 = 9;
/// The number of threads that may still send to any queue.
const SENDERS: Place = Place::at(7);
/// The number of messages that may still be sent to any queue.
const SLOTS: Place = Place::at(8);
const THREADS: u32 = 4;
/// What is added to and read, or waited at, and hardly ever accessed otherwise.
const SUM: Place = Place::at(QUEUES + THREADS);

/// The program of `profile` with this seed; with no more interleavings than about `limit`.
pub fn program(profile: Profile, seed: u64, limit: usize) -> Program {
    let mut generator = Generator { random: Rng::with_seed(seed), profile, thread: 0, threads: 0, budget: 0 };
    let mut program = generator.program();
    while bound(&program) > limit as f64 {
        // The longest thread loses its last statement.
        let longest = program.threads.iter_mut().max_by_key(|body| steps(body)).expect("there are threads");
        longest.pop();
    }
    program
}

/// How many steps a thread takes at most.
fn steps(body: &[Statement]) -> u32 {
    let of = |statement: &Statement| match statement {
        Statement::If(_, body) | Statement::While(_, body) => steps(body),
        Statement::Wait { .. } => 3,
        Statement::Spin(Spin::Reads(reads)) => 2 * reads.len() as u32,
        Statement::Spin(_) => 2,
        Statement::Spawn(_) | Statement::Assume(_) | Statement::Compute(..) => 0,
        _ => 1,
    };
    body.iter().map(of).sum()
}

/// Among how many combinations of alternatives a thread chooses at most.
fn alternatives(body: &[Statement]) -> f64 {
    let of = |statement: &Statement| match statement {
        Statement::If(_, body) | Statement::While(_, body) => alternatives(body),
        Statement::Choose(_, among) => f64::from(*among),
        _ => 1.0,
    };
    body.iter().map(of).product()
}

/// How many interleavings there were if nothing blocked.
fn bound(program: &Program) -> f64 {
    let mut count = 1.0;
    let mut total = 0;
    for body in &program.threads {
        count *= alternatives(body);
        for step in 1..=steps(body) {
            total += 1;
            count *= f64::from(total) / f64::from(step);
        }
    }
    count
}

struct Generator {
    random: Rng,
    profile: Profile,
    /// The thread whose statements are being made.
    thread: u32,
    threads: u32,
    /// How many more statements it gets.
    budget: usize,
}

impl Generator {
    fn program(&mut self) -> Program {
        self.threads = self.random.u32(2..=THREADS);
        let mut bodies: Vec<_> = (0..self.threads).map(|thread| self.thread(thread)).collect();
        if matches!(self.profile, Profile::SpawnJoin | Profile::Sum | Profile::Mixed) {
            self.spawn_and_join(&mut bodies);
        }
        let mut program = Program::new(SUM.base + 1, bodies);
        if self.profile == Profile::Semaphore || self.random.bool() {
            program = program.starting_with(SEMAPHORE.base, self.random.u64(1..=2));
        }
        program = program.starting_with(SENDERS.base, self.random.u64(1..=2));
        program = program.starting_with(SLOTS.base, self.random.u64(1..=2));
        program
    }

    fn thread(&mut self, thread: u32) -> Vec<Statement> {
        self.thread = thread;
        self.budget = self.random.usize(1..=5);
        let mut body = Vec::new();
        while self.budget > 0 {
            self.budget -= 1;
            self.statement(&mut body);
        }
        body
    }

    /// Lets some threads be spawned by others with lower numbers, and some be joined.
    fn spawn_and_join(&mut self, bodies: &mut [Vec<Statement>]) {
        for child in 1..bodies.len() as u32 {
            if self.random.u8(0..3) < 2 {
                let parent = self.random.u32(0..child);
                self.insert(&mut bodies[parent as usize], Statement::Spawn(child));
            }
            if self.random.bool() {
                let other = (child + self.random.u32(1..self.threads)) % self.threads;
                self.insert(&mut bodies[other as usize], Statement::Join(child));
            }
        }
    }

    fn insert(&mut self, body: &mut Vec<Statement>, statement: Statement) {
        body.insert(self.random.usize(0..=body.len()), statement);
    }

    fn place(&mut self) -> Place {
        Place::at(self.random.u32(0..VARIABLES))
    }

    fn number(&mut self) -> u64 {
        self.random.u64(0..4)
    }

    fn register(&mut self) -> Register {
        Register(self.random.u8(0..2))
    }

    fn value(&mut self) -> Value {
        if self.random.u8(0..4) == 0 { Value::Held(self.register()) } else { Value::Number(self.number()) }
    }

    fn condition(&mut self) -> Condition {
        let number = self.number();
        let (mask, high) = (self.random.u64(1..4), number + self.random.u64(0..2));
        match self.random.u8(0..6) {
            0 => Condition::Differs(number),
            1 => Condition::AtLeast(number),
            2 => Condition::Below(number),
            3 => Condition::Within { mask, low: number, high },
            4 => Condition::Outside { mask, low: number, high },
            _ => Condition::Equals(number),
        }
    }

    fn test(&mut self) -> Test {
        let condition = match self.random.bool() {
            true => Condition::Equals(self.random.u64(0..2)),
            false => self.condition(),
        };
        Test { register: self.register(), condition }
    }

    /// Appends a statement, or a few that belong together.
    fn statement(&mut self, body: &mut Vec<Statement>) {
        match self.random.u8(0..10) {
            0..=1 => self.memory(body),
            2 => {
                let test = self.test();
                let mut inner = Vec::new();
                self.plain(&mut inner);
                body.push(Statement::If(test, inner));
            }
            _ => self.special(self.profile, body),
        }
    }

    /// A statement that may stand in a branch.
    fn plain(&mut self, body: &mut Vec<Statement>) {
        match self.profile {
            Profile::Memory | Profile::SpawnJoin => self.memory(body),
            profile => self.special(profile, body),
        }
    }

    fn special(&mut self, profile: Profile, body: &mut Vec<Statement>) {
        match profile {
            Profile::Memory | Profile::SpawnJoin => self.memory(body),
            Profile::ReadModifyWrite => self.read_modify_write(body),
            Profile::Mutex => self.mutex(body),
            Profile::ReadWriteLock => self.read_write_lock(body),
            Profile::Condvar => self.condvar(body),
            Profile::Sum => self.sum(body),
            Profile::Await => self.waiting(body),
            Profile::Latch => self.latch(body),
            Profile::Spin => self.spinning(body, false),
            Profile::Update => self.spinning(body, true),
            Profile::Semaphore => self.semaphore(body),
            Profile::Choice => self.choice(body),
            Profile::Queue => self.queue(body),
            Profile::Selective => self.selective(body),
            Profile::Channel => self.channel(body),
            Profile::Bytes => self.bytes(body),
            Profile::Freed => self.freed(body),
            Profile::Mixed => {
                let profile = self.random.usize(0..Profile::ALL.len() - 2);
                self.special(Profile::ALL[profile], body);
            }
        }
    }

    fn memory(&mut self, body: &mut Vec<Statement>) {
        let mut place = self.place();
        if self.random.u8(0..6) == 0 {
            // Where to go depends on what was read.
            let register = self.register();
            let index = Value::Held(register);
            body.push(Statement::Compute(register, index, Arithmetic::Modulo, Value::Number(u64::from(VARIABLES))));
            place = Place::element(0, register);
        }
        body.push(match self.random.bool() {
            true => Statement::Load(self.register(), place),
            false => Statement::Store(place, self.value()),
        });
    }

    fn read_modify_write(&mut self, body: &mut Vec<Statement>) {
        let place = self.place();
        body.push(match self.random.u8(0..5) {
            0 | 1 => Statement::FetchAdd(self.register(), place, 1),
            2 => Statement::Add(place, 1),
            _ => Statement::CompareExchange(self.register(), place, self.value(), self.value()),
        });
    }

    /// A critical section, or an attempt at one.
    fn mutex(&mut self, body: &mut Vec<Statement>) {
        let mutex = if self.random.u8(0..3) == 0 { OTHER_MUTEX } else { MUTEX };
        if self.random.u8(0..3) == 0 {
            let register = self.register();
            let mut inner = Vec::new();
            self.section(&mut inner);
            inner.push(Statement::Unlock(mutex));
            body.push(Statement::TryLock(register, mutex));
            body.push(Statement::If(Test { register, condition: Condition::Equals(1) }, inner));
        } else {
            body.push(Statement::Lock(mutex));
            self.section(body);
            body.push(Statement::Unlock(mutex));
        }
    }

    fn section(&mut self, body: &mut Vec<Statement>) {
        while self.budget > 0 && self.random.bool() {
            self.budget -= 1;
            match self.random.u8(0..6) {
                0 => self.special(self.profile, body),
                _ => self.memory(body),
            }
        }
    }

    fn read_write_lock(&mut self, body: &mut Vec<Statement>) {
        if self.random.u8(0..3) < 2 {
            body.push(Statement::ReadLock(LOCK));
            self.section(body);
            body.push(Statement::ReadUnlock(LOCK));
        } else if self.random.u8(0..4) == 0 {
            let number = [0, 1, WRITER][self.random.usize(0..3)];
            body.push(Statement::Await(self.register(), LOCK, Condition::AtLeast(number)));
        } else {
            body.push(Statement::WriteLock(LOCK));
            self.section(body);
            body.push(Statement::WriteUnlock(LOCK));
        }
    }

    fn condvar(&mut self, body: &mut Vec<Statement>) {
        match self.random.u8(0..8) {
            0..=3 => {
                body.push(Statement::Lock(MUTEX));
                let (register, place) = (self.register(), self.place());
                let wait = Statement::Wait { condvar: CONDVAR, mutex: MUTEX };
                if self.random.bool() {
                    body.push(Statement::Load(register, place));
                    body.push(Statement::If(Test { register, condition: Condition::Equals(0) }, vec![wait]));
                } else {
                    body.push(wait);
                }
                body.push(Statement::Unlock(MUTEX));
            }
            4 | 5 => body.push(Statement::NotifyOne(CONDVAR)),
            6 => body.push(Statement::NotifyAll(CONDVAR)),
            _ => {
                body.push(Statement::Lock(MUTEX));
                body.push(Statement::Store(self.place(), Value::Number(1)));
                body.push(Statement::NotifyOne(CONDVAR));
                body.push(Statement::Unlock(MUTEX));
            }
        }
    }

    fn waiting(&mut self, body: &mut Vec<Statement>) {
        let place = self.place();
        body.push(match self.random.u8(0..10) {
            0..=2 => Statement::Add(place, self.random.u64(1..=2)),
            3 => Statement::Store(place, Value::Number(self.number())),
            4..=6 => Statement::Await(self.register(), place, self.condition()),
            7 => Statement::AwaitExchange(self.register(), place, self.condition(), self.value()),
            8 => {
                let known = [0, 1].map(|location| (Register(location as u8), Place::at(location)));
                Statement::AwaitChange(known[..self.random.usize(1..=2)].to_vec())
            }
            _ => Statement::Assume(self.test()),
        });
    }

    fn latch(&mut self, body: &mut Vec<Statement>) {
        let (register, value) = (self.register(), Value::Number(self.random.u64(1..4)));
        body.push(match self.random.u8(0..23) {
            0..=8 => Statement::Await(register, SUM, Condition::Differs(0)),
            9..=18 => Statement::Store(SUM, if self.random.u8(0..9) == 0 { self.value() } else { value }),
            19 => Statement::FetchAdd(register, SUM, 1),
            20..=21 => Statement::CompareExchange(register, SUM, self.value(), value),
            _ => Statement::Load(register, SUM),
        });
    }

    fn spinning(&mut self, body: &mut Vec<Statement>, updates: bool) {
        let place = self.place();
        body.push(match self.random.u8(0..10) {
            0..=2 => Statement::Spin(Spin::Reads(vec![(self.register(), place, self.condition())])),
            3 => {
                let look = |number: u32, condition| (Register(number as u8), Place::at(number), condition);
                let mut looks = vec![look(0, self.condition()), look(1, self.condition())];
                self.random.shuffle(&mut looks);
                Statement::Spin(Spin::Reads(looks))
            }
            4 => Statement::Spin(Spin::Exchange(self.register(), place, 1)),
            5 => Statement::Spin(Spin::CompareExchange(self.register(), place, self.number(), self.number())),
            6 => Statement::Add(place, self.random.u64(1..=2)),
            7 if updates => Statement::Spin(Spin::Update(self.register(), place, self.random.u64(1..=2))),
            _ => Statement::Store(place, Value::Number(self.number())),
        });
    }

    fn semaphore(&mut self, body: &mut Vec<Statement>) {
        match self.random.u8(0..6) {
            0..=2 => body.push(Statement::Acquire(SEMAPHORE)),
            3 | 4 => body.push(Statement::Add(SEMAPHORE, 1)),
            _ => body.push(Statement::Load(self.register(), SEMAPHORE)),
        }
    }

    fn choice(&mut self, body: &mut Vec<Statement>) {
        let register = self.register();
        body.push(Statement::Choose(register, self.random.u32(2..=3)));
        if self.random.bool() {
            let mut inner = Vec::new();
            self.memory(&mut inner);
            body.push(Statement::If(Test { register, condition: Condition::Equals(1) }, inner));
        }
    }

    /// Sends to any queue; receives from the thread's own.
    fn queue(&mut self, body: &mut Vec<Statement>) {
        let own = Place::at(QUEUES + self.thread);
        body.push(match self.random.u8(0..7) {
            // Most go to one queue, so that senders meet.
            0..=2 => Statement::Send(Place::at(QUEUES), self.value()),
            3 => Statement::Send(Place::at(QUEUES + self.random.u32(0..self.threads)), self.value()),
            4 | 5 => Statement::Receive(self.register(), own.into()),
            _ => Statement::TryReceive(self.register(), own.into()),
        });
    }

    /// Sends mostly to the first thread; receives from the thread's own queue what it likes.
    fn selective(&mut self, body: &mut Vec<Statement>) {
        let own = Place::at(QUEUES + self.thread);
        let inbox = Inbox {
            queue: own,
            matching: if self.random.u8(0..4) == 0 { Condition::Always } else { self.condition() },
        };
        let sends = if self.thread == 0 { 2 } else { 6 };
        body.push(match self.random.u8(0..10) {
            n if n < sends && self.random.u8(0..4) > 0 => Statement::Send(Place::at(QUEUES), self.value()),
            n if n < sends => Statement::Send(Place::at(QUEUES + self.random.u32(0..self.threads)), self.value()),
            9 if self.random.bool() => Statement::ReceiveUnlessClosed(self.register(), inbox, SENDERS),
            9 => Statement::Add(SENDERS, u64::MAX),
            n if n % 2 == 0 => Statement::TryReceive(self.register(), inbox),
            _ => Statement::Receive(self.register(), inbox),
        });
    }

    fn channel(&mut self, body: &mut Vec<Statement>) {
        let own = Place::at(QUEUES + self.thread);
        let first = Place::at(QUEUES);
        body.push(match self.random.u8(0..9) {
            0 => Statement::Send(first, self.value()),
            1 | 2 => Statement::SendBounded(first, SLOTS, self.value()),
            3 | 4 => Statement::Add(SENDERS, u64::MAX),
            5 => Statement::ReceiveBounded(self.register(), own.into(), SLOTS),
            6 if self.thread > 0 => Statement::Await(self.register(), SLOTS, self.condition()),
            _ if self.thread > 0 => Statement::SendBounded(first, SLOTS, self.value()),
            6 => Statement::TryReceiveUnlessClosed(self.register(), own.into(), SENDERS),
            _ => Statement::ReceiveUnlessClosed(self.register(), own.into(), SENDERS),
        });
    }

    fn bytes(&mut self, body: &mut Vec<Statement>) {
        let (place, byte, whole) = (self.place(), self.random.u8(0..2), Place::at(0));
        body.push(match self.random.u8(0..10) {
            0..=2 => Statement::LoadByte(self.register(), place, byte),
            3..=5 => Statement::StoreByte(place, byte, self.value()),
            6 => Statement::AwaitByte(self.register(), place, byte, self.condition()),
            7 => Statement::Add(whole, 1 + 255 * u64::from(byte)),
            8 => Statement::CompareExchange(self.register(), whole, self.value(), self.value()),
            _ => Statement::Await(self.register(), whole, Condition::AtLeast(257)),
        });
    }
}
