//! Threads that run by themselves, with the sources of their reads given.

use super::graph::{Event, Name};
use super::step::{self, Step};
use crate::code::{Code, Instruction};
use crate::program::{Arithmetic, REGISTERS, Register, Statement, Test, Value};
use everyway_runtime::Ordering;
use std::collections::BTreeMap;
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

/// What a thread is about to do.
#[derive(Clone, Debug)]
pub(super) enum Next {
    Step(Step),
    Fence(Ordering),
    Join(usize),
    Choose(Register, u32),
}

/// All threads, each where it has got to.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) code: Rc<Code>,
    pub(super) threads: Vec<Thread>,
    /// What was last written to locations that are accessed by read-modify-writes only.
    pub(super) latest: BTreeMap<u32, Name>,
    /// Who waits for a condition variable, in the order in which they came.
    pub(super) waiters: BTreeMap<u32, Vec<usize>>,
    /// What is in a queue: by which event it was sent, and the content.
    pub(super) mail: BTreeMap<u32, Vec<(Name, u64)>>,
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
        let mut run = Self {
            threads: vec![thread; count],
            code: code.clone(),
            latest: BTreeMap::new(),
            waiters: BTreeMap::new(),
            mail: BTreeMap::new(),
        };
        code.roots.iter().for_each(|&root| run.start(root));
        run
    }

    pub(super) fn initial(&self, location: u32) -> u64 {
        self.code.initial.iter().rev().find(|(at, _)| *at == location).map_or(0, |&(_, value)| value)
    }

    /// The value that a source has.
    pub(super) fn value_of(&self, location: u32, source: Option<Name>) -> u64 {
        let event = |name: Name| &self.threads[name.thread].events[name.index];
        let written = |name: Name| event(name).written(location).expect("a source is a write");
        source.map_or_else(|| self.initial(location), written)
    }

    /// The writes to a location.
    pub(super) fn writes(&self, location: u32) -> Vec<Name> {
        let of = |(thread, state): (usize, &Thread)| {
            let writes = |event: &Event| event.written(location).is_some();
            let found = state.events.iter().enumerate().filter(|(_, event)| writes(event));
            found.map(|(index, _)| Name { thread, index }).collect::<Vec<_>>()
        };
        self.threads.iter().enumerate().flat_map(of).collect()
    }

    fn start(&mut self, thread: usize) {
        self.threads[thread].phase = Phase::Running;
        self.run_local(thread);
    }

    pub(super) fn value(&self, thread: usize, value: Value) -> u64 {
        match value {
            Value::Number(number) => number,
            Value::Held(register) => self.threads[thread].registers[register.0 as usize],
        }
    }

    pub(super) fn set(&mut self, thread: usize, register: Register, value: u64) {
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
        Some(match instruction {
            Instruction::Do(Statement::Fence(ordering)) => Next::Fence(*ordering),
            Instruction::Do(Statement::Join(joined)) => Next::Join(*joined as usize),
            Instruction::Do(Statement::Choose(to, among)) => Next::Choose(*to, *among),
            Instruction::Do(statement) => Next::Step(step::of_statement(self, thread, statement)?),
            Instruction::Woken => Next::Step(step::woken(self, thread)),
            _ => return None,
        })
    }

    pub(super) fn push(&mut self, thread: usize, event: Event) {
        self.threads[thread].events.push(event);
        self.threads[thread].position += 1;
        self.run_local(thread);
    }

    pub(super) fn event(&self, thread: usize) -> Event {
        let known = self.threads[thread].known.clone();
        Event { touches: Vec::new(), aftermath: Vec::new(), fence: None, choice: 0, known }
    }

    pub(super) fn fence(&mut self, thread: usize, ordering: Ordering) {
        let event = Event { fence: Some(ordering), ..self.event(thread) };
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
