//! Threads that run by themselves, with the sources of their reads given.

use super::graph::{Event, Name};
use crate::code::{Code, Instruction};
use crate::program::{Arithmetic, Condition, Place, REGISTERS, Register, Statement, Test, Value, WRITER};
use everyway_runtime::Ordering;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Unborn,
    Running,
    /// An assumption failed.
    Stuck,
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub(super) phase: Phase,
    position: usize,
    pub(super) registers: [u64; REGISTERS],
    pub(super) events: Vec<Event>,
    known: Vec<usize>,
}

/// How an access changes the value that it finds.
#[derive(Clone, Copy, Debug)]
enum Change {
    Nothing,
    To(u64),
    By(u64),
}

/// What the thread learns.
#[derive(Clone, Copy, Debug)]
enum Result {
    Nothing,
    Value(Register),
    Success(Register),
}

/// What a thread is about to do to memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) location: u32,
    /// Whether it depends on what it finds.
    pub(super) reads: bool,
    /// What it finds has to meet this for the change to take place.
    condition: Condition,
    /// Whether it waits where the condition is not met.
    pub(super) waits: bool,
    change: Change,
    result: Result,
    ordering: Ordering,
    ordering_unmet: Ordering,
}

impl Access {
    pub(super) fn is_satisfied_by(&self, value: u64) -> bool {
        self.condition.holds(value)
    }
}

/// What a thread is about to do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    Access(Access),
    Fence(Ordering),
    Join(usize),
    Choose(Register, u32),
}

/// All threads, each where it has got to.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) code: Rc<Code>,
    pub(super) threads: Vec<Thread>,
}

impl Run {
    pub(super) fn new(code: Rc<Code>) -> Self {
        let count = code.threads.len();
        let thread = Thread {
            phase: Phase::Unborn,
            position: 0,
            registers: [0; REGISTERS],
            events: Vec::new(),
            known: vec![0; count],
        };
        let mut run = Self { threads: vec![thread; count], code: code.clone() };
        code.roots.iter().for_each(|&root| run.start(root));
        run
    }

    pub(super) fn initial(&self, location: u32) -> u64 {
        self.code.initial.iter().rev().find(|(at, _)| *at == location).map_or(0, |&(_, value)| value)
    }

    /// The value that a source has.
    pub(super) fn value_of(&self, location: u32, source: Option<Name>) -> u64 {
        let written = |name: Name| self.threads[name.thread].events[name.index].written.expect("a source is a write");
        source.map_or_else(|| self.initial(location), written)
    }

    /// The writes to a location.
    pub(super) fn writes(&self, location: u32) -> Vec<Name> {
        let of = |(thread, state): (usize, &Thread)| {
            let writes = |e: &Event| e.location == Some(location) && e.written.is_some();
            let found = state.events.iter().enumerate().filter(|(_, event)| writes(event));
            found.map(|(index, _)| Name { thread, index }).collect::<Vec<_>>()
        };
        self.threads.iter().enumerate().flat_map(of).collect()
    }

    fn start(&mut self, thread: usize) {
        self.threads[thread].phase = Phase::Running;
        self.run_local(thread);
    }

    fn value(&self, thread: usize, value: Value) -> u64 {
        match value {
            Value::Number(number) => number,
            Value::Held(register) => self.threads[thread].registers[register.0 as usize],
        }
    }

    fn set(&mut self, thread: usize, register: Register, value: u64) {
        self.threads[thread].registers[register.0 as usize] = value;
    }

    fn passes(&self, thread: usize, test: &Test) -> bool {
        test.condition.holds(self.value(thread, Value::Held(test.register)))
    }

    /// Runs up to the next statement that others can notice.
    fn run_local(&mut self, thread: usize) {
        let code = self.code.clone();
        loop {
            let position = self.threads[thread].position;
            let mut next = position + 1;
            match code.threads[thread].get(position) {
                None => {
                    self.threads[thread].phase = Phase::Ended;
                    return;
                }
                Some(Instruction::Jump(to)) => next = *to,
                Some(Instruction::Unless(test, to)) if !self.passes(thread, test) => next = *to,
                Some(Instruction::Unless(..)) => {}
                Some(Instruction::Do(Statement::Spawn(child))) => {
                    let mut known = self.threads[thread].known.clone();
                    known[thread] = self.threads[thread].events.len();
                    self.threads[*child as usize].known = known;
                    self.start(*child as usize);
                }
                Some(Instruction::Do(Statement::Compute(to, a, arithmetic, b))) => {
                    let (a, b) = (self.value(thread, *a), self.value(thread, *b));
                    let result = match arithmetic {
                        Arithmetic::Plus => a.wrapping_add(b),
                        Arithmetic::Minus => a.wrapping_sub(b),
                        Arithmetic::Modulo => a % b,
                    };
                    self.set(thread, *to, result);
                }
                Some(Instruction::Do(Statement::Assume(test))) => {
                    if !self.passes(thread, test) {
                        self.threads[thread].phase = Phase::Stuck;
                        return;
                    }
                }
                Some(Instruction::Do(_) | Instruction::Woken) => return,
            }
            self.threads[thread].position = next;
        }
    }

    /// What a running thread does next; `None` if that has no meaning here.
    pub(super) fn next(&self, thread: usize) -> Option<Next> {
        let instruction = self.code.threads[thread].get(self.threads[thread].position)?;
        let Instruction::Do(statement) = instruction else { return None };
        let value = |value: &Value| self.value(thread, *value);
        let access = |place: &Place, condition, change, result| {
            let index = place.index.map_or(0, |register| self.value(thread, Value::Held(register)));
            Next::Access(Access {
                location: place.base + index as u32,
                reads: true,
                condition,
                waits: false,
                change,
                result,
                ordering: place.ordering,
                ordering_unmet: place.ordering_unmet,
            })
        };
        let anything = Condition::Always;
        let waiting = |next| match next {
            Next::Access(access) => Next::Access(Access { waits: true, ..access }),
            next => next,
        };
        let blind = |next| match next {
            Next::Access(access) => Next::Access(Access { reads: false, ..access }),
            next => next,
        };
        Some(match statement {
            Statement::Load(to, place) => access(place, anything, Change::Nothing, Result::Value(*to)),
            Statement::Store(place, new) => blind(access(place, anything, Change::To(value(new)), Result::Nothing)),
            Statement::Add(place, n) => access(place, anything, Change::By(*n), Result::Nothing),
            Statement::FetchAdd(to, place, n) => access(place, anything, Change::By(*n), Result::Value(*to)),
            Statement::CompareExchange(to, place, expected, new) => {
                access(place, Condition::Equals(value(expected)), Change::To(value(new)), Result::Success(*to))
            }
            Statement::Exchange(to, place, new) => access(place, anything, Change::To(value(new)), Result::Value(*to)),
            Statement::Await(to, place, condition) => {
                waiting(access(place, *condition, Change::Nothing, Result::Value(*to)))
            }
            Statement::AwaitExchange(to, place, condition, new) => {
                waiting(access(place, *condition, Change::To(value(new)), Result::Value(*to)))
            }
            Statement::Lock(mutex) => waiting(access(mutex, Condition::Equals(0), Change::To(1), Result::Nothing)),
            Statement::Unlock(lock) | Statement::WriteUnlock(lock) => {
                blind(access(lock, anything, Change::To(0), Result::Nothing))
            }
            Statement::TryLock(to, mutex) => access(mutex, Condition::Equals(0), Change::To(1), Result::Success(*to)),
            Statement::ReadLock(lock) => {
                waiting(access(lock, Condition::Below(WRITER), Change::By(1), Result::Nothing))
            }
            Statement::ReadUnlock(lock) => access(lock, anything, Change::By(u64::MAX), Result::Nothing),
            Statement::WriteLock(lock) => {
                waiting(access(lock, Condition::Equals(0), Change::To(WRITER), Result::Nothing))
            }
            Statement::Acquire(semaphore) => {
                waiting(access(semaphore, Condition::AtLeast(1), Change::By(u64::MAX), Result::Nothing))
            }
            Statement::Fence(ordering) => Next::Fence(*ordering),
            Statement::Join(joined) => Next::Join(*joined as usize),
            Statement::Choose(to, among) => Next::Choose(*to, *among),
            _ => return None,
        })
    }

    fn push(&mut self, thread: usize, event: Event) {
        self.threads[thread].events.push(event);
        self.threads[thread].position += 1;
        self.run_local(thread);
    }

    fn event(&self, thread: usize) -> Event {
        Event {
            location: None,
            source: None,
            written: None,
            fence: false,
            ordering: Ordering::Relaxed,
            locked: false,
            choice: 0,
            known: self.threads[thread].known.clone(),
        }
    }

    /// Takes an access with this source, or none if it does not read.
    pub(super) fn access(&mut self, thread: usize, access: Access, source: Option<Option<Name>>) {
        let found = source.map_or(0, |source| self.value_of(access.location, source));
        let met = !access.reads || access.condition.holds(found);
        let written = match access.change {
            Change::To(new) if met => Some(new),
            Change::By(n) if met => Some(found.wrapping_add(n)),
            _ => None,
        };
        match access.result {
            Result::Nothing => {}
            Result::Value(register) => self.set(thread, register, found),
            Result::Success(register) => self.set(thread, register, u64::from(met)),
        }
        let event = Event {
            location: Some(access.location),
            source,
            written,
            ordering: if met { access.ordering } else { access.ordering_unmet },
            locked: access.reads && !matches!(access.change, Change::Nothing),
            ..self.event(thread)
        };
        self.push(thread, event);
    }

    pub(super) fn fence(&mut self, thread: usize, ordering: Ordering) {
        let event = Event { fence: true, ordering, ..self.event(thread) };
        self.push(thread, event);
    }

    /// Joins a thread that has ended.
    pub(super) fn join(&mut self, thread: usize, joined: usize) {
        let mut theirs = self.threads[joined].known.clone();
        theirs[joined] = self.threads[joined].events.len();
        let known = &mut self.threads[thread].known;
        known.iter_mut().zip(theirs).for_each(|(own, other)| *own = (*own).max(other));
        let event = self.event(thread);
        self.push(thread, event);
    }

    pub(super) fn choose(&mut self, thread: usize, to: Register, choice: u32) {
        self.set(thread, to, u64::from(choice));
        let event = Event { choice, ..self.event(thread) };
        self.push(thread, event);
    }
}
