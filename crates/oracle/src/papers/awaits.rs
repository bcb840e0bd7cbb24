//! Programs of FMCAD 2022 as its transformations leave them: each loop that spins is an await, or an assumption.

use super::{R0, R1, R2, R3, at, element, is, is_not, number, plus, program, set, store};
use crate::program::{Condition, Place, Program, Register, Statement, Test, Value};
use Statement::{Add, Assume, Await, AwaitExchange, CompareExchange, Exchange, FetchAdd, If, Load, Store, While};

/// How a loop that spins is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It ends, for good, where it would have to go round.
    Assumes,
    /// It waits.
    Awaits,
}

impl Waiting {
    /// Reads a place once it meets the condition.
    fn load(self, to: Register, place: Place, condition: Condition) -> Vec<Statement> {
        match self {
            Waiting::Assumes => vec![Load(to, place), Assume(Test { register: to, condition })],
            Waiting::Awaits => vec![Await(to, place, condition)],
        }
    }

    /// Replaces what a place holds once that meets the condition.
    fn exchange(self, to: Register, place: Place, condition: Condition, new: Value) -> Vec<Statement> {
        match self {
            Waiting::Assumes => vec![Exchange(to, place, new), Assume(Test { register: to, condition })],
            Waiting::Awaits => vec![AwaitExchange(to, place, condition, new)],
        }
    }
}

/// What threads do to a counter that they do not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adds {
    /// Their order matters.
    Conflict,
    /// It does not.
    Commute,
}

impl Adds {
    fn add(self, place: Place, n: u64) -> Statement {
        match self {
            Adds::Conflict => FetchAdd(R3, place, n),
            Adds::Commute => Add(place, n),
        }
    }
}

/// Fig. 4: an await with two writes that satisfy it.
pub fn two_zeros() -> Program {
    let waiting = vec![Await(R0, at(0), Condition::Equals(0)), store(1, 1)];
    program(2, vec![vec![store(0, 1), store(0, 0)], waiting])
}

/// Fig. 5: three additions, and one that waits for a sum that only one of them gives.
pub fn sum_of_three() -> Program {
    let waiting = vec![Await(R0, at(0), Condition::Equals(3)), store(1, 1)];
    program(2, vec![vec![Add(at(0), 1)], vec![Add(at(0), 1)], vec![Add(at(0), 3)], waiting])
}

/// Fig. 1: two threads sort three elements.
pub fn sorting_network(waiting: Waiting) -> Program {
    const X: usize = 0;
    const Y: usize = 3;
    let sort = |first: usize| {
        let swap = vec![Store(at(first), Value::Held(R1)), Store(at(first + 1), Value::Held(R0))];
        // The elements are 0, 1 and 2.
        let greater = |n| {
            vec![If(is(R0, n), vec![If(Test { register: R1, condition: Condition::Below(n as u64) }, swap.clone())])]
        };
        [vec![Load(R0, at(first)), Load(R1, at(first + 1))], greater(1), greater(2)].concat()
    };
    let p = [sort(X), vec![store(Y, 1)], waiting.load(R2, at(Y), Condition::Equals(2)), sort(X)].concat();
    let q = [waiting.load(R2, at(Y), Condition::Equals(1)), sort(X + 1), vec![store(Y, 2)]].concat();
    program(4, vec![p, q]).starting_with(X as u32, 2).starting_with(X as u32 + 1, 1)
}

/// A test-and-test-and-set lock, taken once by each thread.
pub fn ttas_lock(n: usize, waiting: Waiting) -> Program {
    let take = [
        waiting.load(R0, at(0), Condition::Equals(0)),
        waiting.exchange(R0, at(0), Condition::Differs(1), number(1)),
        vec![store(0, 0)],
    ];
    program(1, vec![take.concat(); n])
}

/// The same lock as a front end runs it that only knows hints: a thread that finds the lock taken waits, at the hint in the inner
/// loop, until what it saw has changed; but not if the lock was free before in the same round. Under the lock, a counter
/// is read and written.
pub fn ttas_lock_with_hints(n: usize) -> Program {
    let (lock, counter) = (at(0), at(1));
    let (found, swapped, two_values, busy) = (R0, R1, R2, R3);
    let wait = Statement::AwaitChange(vec![(found, lock)]);
    let hint = vec![If(is(two_values, 0), vec![wait]), set(two_values, 0), Load(found, lock)];
    let attempt = vec![
        Load(found, lock),
        While(is(found, 1), hint),
        Exchange(swapped, lock, number(1)),
        If(is(swapped, 1), vec![set(two_values, 1)]),
        If(is(swapped, 0), vec![set(busy, 0)]),
    ];
    let increment = vec![Load(R0, counter), plus(R0, Value::Held(R0), number(1)), Store(counter, Value::Held(R0))];
    let thread = [vec![set(busy, 1), While(is(busy, 1), attempt)], increment, vec![store(0, 0)]].concat();
    program(2, vec![thread; n])
}

/// One thread waits for a value that the other one replaces at once.
pub fn missed(waiting: Waiting) -> Program {
    program(1, vec![waiting.load(R0, at(0), Condition::Equals(1)), vec![store(0, 1), store(0, 2)]])
}

/// SafeStack: a lock-free stack of three cells, with a bug, whose threads perform so many operations each: pop and
/// push, alternately.
pub fn safestack(operations: &[usize], waiting: Waiting, adds: Adds) -> Program {
    let thread = |(thread, &count): (usize, &usize)| {
        let operation = |number: usize| match number % 2 {
            0 => SafeStack { waiting, adds }.pop_and_use(thread),
            _ => SafeStack { waiting, adds }.push(),
        };
        (0..count).flat_map(operation).collect()
    };
    let cells = [(0, 1), (1, 2), (2, SafeStack::NONE)].map(|(cell, next)| (SafeStack::NEXT as u32 + cell, next));
    let program = program(SafeStack::VALUE + 3, operations.iter().enumerate().map(thread).collect());
    let program = program.starting_with(SafeStack::COUNT as u32, 3);
    cells.into_iter().fold(program, |program, (location, next)| program.starting_with(location, next))
}

struct SafeStack {
    waiting: Waiting,
    adds: Adds,
}

impl SafeStack {
    const HEAD: usize = 0;
    const COUNT: usize = 1;
    const NEXT: usize = 2;
    const VALUE: usize = 5;
    const NONE: u64 = u64::MAX;
    /// What was popped.
    const POPPED: Register = Register(4);
    /// Whether the loop of a pop goes on.
    const ON: Register = Register(5);

    /// Pops again and again until there is something, and writes to it.
    ///
    /// The loop of a pop is pure if the cell has no next one already: the exchange waits. The loop around it is pure
    /// if the count is too low, but only if the inner one has not gone round. The first look at the count could wait;
    /// in the paper it is left an assumption, because what it waits for is not the count alone.
    fn pop_and_use(&self, thread: usize) -> Vec<Statement> {
        let none = Value::Number(Self::NONE);
        let (head, next) = (R0, R1);
        let popped = vec![
            self.adds.add(at(Self::COUNT), u64::MAX),
            plus(Self::POPPED, Value::Held(head), number(0)),
            set(Self::ON, 0),
        ];
        let lost = vec![
            Exchange(R3, element(Self::NEXT, head), Value::Held(next)),
            Load(R3, at(Self::COUNT)),
            If(Test { register: R3, condition: Condition::Below(2) }, vec![set(Self::ON, 0)]),
        ];
        let exchange = self.waiting.exchange(next, element(Self::NEXT, head), Condition::Differs(Self::NONE), none);
        let round = [
            vec![Load(head, at(Self::HEAD))],
            exchange,
            vec![
                CompareExchange(R2, at(Self::HEAD), Value::Held(head), Value::Held(next)),
                If(is(R2, 1), popped),
                If(is(R2, 0), lost),
            ],
        ];
        let attempt = [
            Waiting::Assumes.load(R3, at(Self::COUNT), Condition::AtLeast(2)),
            vec![set(Self::ON, 1), While(is(Self::ON, 1), round.concat())],
        ];
        let is_none = Test { register: Self::POPPED, condition: Condition::Equals(Self::NONE) };
        vec![
            plus(Self::POPPED, none, number(0)),
            While(is_none, attempt.concat()),
            Store(element(Self::VALUE, Self::POPPED), number(thread)),
            Load(R0, element(Self::VALUE, Self::POPPED)),
        ]
    }

    fn push(&self) -> Vec<Statement> {
        let round = vec![
            Load(R0, at(Self::HEAD)),
            Store(element(Self::NEXT, Self::POPPED), Value::Held(R0)),
            CompareExchange(R2, at(Self::HEAD), Value::Held(R0), Value::Held(Self::POPPED)),
        ];
        vec![set(R2, 0), While(is_not(R2, 1), round), self.adds.add(at(Self::COUNT), 1)]
    }
}
