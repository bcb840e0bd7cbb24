//! Runs programs one visible step at a time, and takes steps back by undoing what they changed.
//!
//! What a statement does is written here by itself; the engine's account of it ([`Performed`]) is computed by
//! the engine's rules and must agree.

mod mailbox;
mod perform;
mod state;
mod wrapped;

pub(crate) use wrapped::state_of_machine;

use crate::code::{Code, Instruction};
use crate::declare::{self, Context};
use crate::program::{Arithmetic, Place, Program, REGISTERS, Register, Statement, Test, Value, WRITER};
use crate::relation::{Deed, Fate, Manner, Touch, Wanted};
use everyway_runtime::{
    Access, Condition, Effect, EventId, Execution, Halt, Location, Message, Operation, Performed, Source, State,
    Status, Step, ThreadId, Visit, evaluate,
};
use mailbox::Mailbox;
use std::convert::Infallible;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Unborn,
    Running,
    /// An assumption failed.
    Stuck,
    /// It has accessed what had ended.
    Gone,
    Ended,
}

#[derive(Clone, Debug)]
struct Thread {
    phase: Phase,
    position: usize,
    registers: [u64; REGISTERS],
    operation: Operation,
    /// How many messages it has sent.
    sent: u32,
}

/// A change, with what it takes to undo it.
#[derive(Clone, Debug)]
enum Undo {
    Value { location: u32, old: u64 },
    Register { thread: usize, register: Register, old: u64 },
    Position { thread: usize, old: usize, phase: Phase },
    Sent { queue: u32, thread: usize },
    Received { queue: u32, taken: Option<usize> },
    Waiters { condvar: u32, old: Vec<usize> },
    Freed { location: u32 },
}

/// A program in some state.
#[derive(Clone, Debug)]
pub struct Machine {
    code: Rc<Code>,
    values: Vec<u64>,
    mailboxes: Vec<Mailbox>,
    waiters: Vec<Vec<usize>>,
    /// By location, how often it has ended.
    ended: Vec<u32>,
    threads: Vec<Thread>,
    undo: Vec<Undo>,
    /// Where in `undo` each step starts.
    steps: Vec<usize>,
    /// What each step left in the locations that it changed, if its reads were told their sources.
    left: Vec<Vec<(Location, u64)>>,
    deed: Deed,
}

impl Machine {
    /// The program in its initial state.
    pub fn new(program: &Program) -> Self {
        Self::of(Rc::new(Code::new(program)))
    }

    pub(crate) fn of(code: Rc<Code>) -> Self {
        let count = code.threads.len();
        let objects = code.locations as usize;
        let registers = [0; REGISTERS];
        let thread = Thread { phase: Phase::Unborn, position: 0, registers, operation: Operation::local(), sent: 0 };
        let mut machine = Self {
            values: vec![0; objects + count],
            mailboxes: vec![Mailbox::default(); objects],
            waiters: vec![Vec::new(); objects],
            ended: vec![0; objects + count],
            threads: vec![thread; count],
            undo: Vec::new(),
            steps: Vec::new(),
            left: Vec::new(),
            deed: Deed::default(),
            code,
        };
        let code = machine.code.clone();
        for &(location, value) in &code.initial {
            machine.values[location as usize] = value;
        }
        for &root in &code.roots {
            machine.start(root);
        }
        machine.undo.clear();
        machine.deed.spawned.clear();
        machine
    }

    /// What the last step did.
    pub fn deed(&self) -> &Deed {
        &self.deed
    }

    /// How each thread stands, given that none can move.
    pub fn fates(&self) -> impl Iterator<Item = Fate> + '_ {
        self.threads.iter().map(|thread| match thread.phase {
            Phase::Unborn => Fate::Unborn,
            Phase::Ended => Fate::Ended,
            Phase::Running | Phase::Stuck | Phase::Gone => Fate::Blocked,
        })
    }

    /// The assumptions that threads are stuck at: of which thread, and how many of its assumptions stand before it.
    pub(crate) fn failed_assumptions(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let is_assumption = |instruction: &&Instruction| matches!(instruction, Instruction::Do(Statement::Assume(_)));
        let stuck = self.threads.iter().enumerate().filter(|(_, thread)| thread.phase == Phase::Stuck);
        stuck.map(move |(index, thread)| {
            (index, self.code.threads[index][..thread.position].iter().filter(is_assumption).count())
        })
    }

    /// What threads wait for, given that none can move.
    pub fn waits(&self) -> Vec<Wanted> {
        let waiting = self.threads.iter().filter(|thread| thread.phase == Phase::Running);
        waiting.flat_map(|thread| waits(&thread.operation)).collect()
    }

    /// What the registers of a thread hold.
    pub fn registers(&self, thread: usize) -> &[u64] {
        &self.threads[thread].registers
    }

    /// All that the threads have seen, in any order of stores that was not observed.
    pub fn seen(&self) -> Vec<u64> {
        self.threads.iter().flat_map(|thread| thread.registers).collect()
    }

    /// All that a thread can see or ever will: for telling whether two executions end alike.
    pub fn contents(&self) -> Vec<u64> {
        let registers = self.threads.iter().flat_map(|thread| thread.registers);
        let waiters = self.waiters.iter().flatten().map(|&thread| thread as u64);
        let messages = self.mailboxes.iter().flat_map(|mailbox| mailbox.sent.iter().map(|sent| sent.content));
        self.values.iter().copied().chain(registers).chain(waiters).chain(messages).collect()
    }

    fn own(&self, thread: usize) -> Own<'_> {
        Own { machine: self, thread }
    }

    fn instruction(&self, thread: usize) -> Option<&Instruction> {
        self.code.threads[thread].get(self.threads[thread].position)
    }

    fn set_value(&mut self, location: u32, new: u64) {
        let value = &mut self.values[location as usize];
        self.undo.push(Undo::Value { location, old: *value });
        *value = new;
    }

    fn set_register(&mut self, thread: usize, register: Register, new: u64) {
        let value = &mut self.threads[thread].registers[register.0 as usize];
        self.undo.push(Undo::Register { thread, register, old: *value });
        *value = new;
    }

    fn start(&mut self, thread: usize) {
        debug_assert_eq!(self.threads[thread].phase, Phase::Unborn, "t{thread} is spawned twice");
        self.undo.push(Undo::Position { thread, old: 0, phase: Phase::Unborn });
        self.threads[thread].phase = Phase::Running;
        self.deed.spawned.push(thread);
        self.run_local(thread);
    }

    /// Runs `thread` up to its next visible statement or its end.
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
                Some(Instruction::Unless(test, to)) => {
                    if !self.passes(thread, test) {
                        next = *to;
                    }
                }
                Some(Instruction::Do(Statement::Spawn(child))) => self.start(*child as usize),
                Some(Instruction::Do(Statement::Compute(to, a, arithmetic, b))) => {
                    let (a, b) = (self.own(thread).value(a), self.own(thread).value(b));
                    self.set_register(thread, *to, compute(a, *arithmetic, b));
                }
                Some(Instruction::Do(Statement::Assume(test))) => {
                    if !self.passes(thread, test) {
                        self.threads[thread].phase = Phase::Stuck;
                        self.threads[thread].operation = Operation::local();
                        return;
                    }
                }
                Some(Instruction::Do(_) | Instruction::Woken) => {
                    self.announce(thread);
                    return;
                }
            }
            self.threads[thread].position = next;
        }
    }

    fn passes(&self, thread: usize, test: &Test) -> bool {
        test.condition.holds(self.threads[thread].registers[test.register.0 as usize])
    }

    /// Computes the operation of a thread that stands before a visible statement.
    fn announce(&mut self, thread: usize) {
        let operation = match self.instruction(thread) {
            Some(Instruction::Do(statement)) => declare::operation(statement, &self.own(thread)),
            Some(Instruction::Woken) => Some(declare::woken(&self.own(thread))),
            _ => None,
        };
        self.threads[thread].operation = operation.unwrap_or_else(Operation::local);
    }

    fn is_enabled(&self, thread: usize) -> bool {
        let own = self.own(thread);
        let at = |place: &Place| self.values[own.location(place) as usize];
        let has_message = |inbox| self.find(thread, inbox).is_some();
        match self.instruction(thread) {
            Some(Instruction::Woken) => self.values[own.token() as usize] == 1,
            Some(Instruction::Do(statement)) => match statement {
                Statement::Await(_, place, condition) | Statement::AwaitExchange(_, place, condition, _) => {
                    condition.holds(at(place))
                }
                Statement::AwaitChange(reads) => {
                    reads.iter().any(|(known, place)| at(place) != own.value(&Value::Held(*known)))
                }
                Statement::AwaitByte(_, place, byte, condition) => condition.holds(at(place) >> (8 * byte) & 0xff),
                Statement::Lock(mutex) => at(mutex) == 0,
                Statement::ReadLock(lock) => at(lock) < WRITER,
                Statement::WriteLock(lock) => at(lock) == 0,
                Statement::Acquire(semaphore) => at(semaphore) > 0,
                Statement::Receive(_, inbox) | Statement::ReceiveBounded(_, inbox, _) => has_message(inbox),
                Statement::ReceiveUnlessClosed(_, inbox, senders) => has_message(inbox) || at(senders) == 0,
                Statement::SendBounded(_, slots, _) => at(slots) > 0,
                Statement::Join(joined) => self.threads[*joined as usize].phase == Phase::Ended,
                _ => true,
            },
            _ => false,
        }
    }

    /// The engine's account of the last step: what the operation says, and the tokens of those woken.
    fn account(&self, declared: Vec<Visit>, performed: &mut Performed) {
        let extra = self.deed.touches[declared.len()..].iter().map(|touch| {
            let access = Access::new(Location(touch.location), Effect::Write(1));
            // Only a thread whose token is 0 waits.
            Visit::carry_out(&access, 0).0
        });
        performed.visits.extend(declared.into_iter().chain(extra));
        for (visit, touch) in performed.visits.iter().zip(&self.deed.touches) {
            assert_eq!(visit.access.location.0, touch.location, "the engine sees another location touched");
            let agree = match (visit.access.effect, touch.manner) {
                (Effect::Receive(_), Manner::Take(message, ..)) => Message::decode(visit.before) == Some(message),
                (Effect::Receive(_), Manner::Miss(_)) => Message::decode(visit.before).is_none(),
                (Effect::Send(message), Manner::Send(sent, _)) => message == sent,
                _ => visit.after == self.values[touch.location as usize],
            };
            assert!(agree, "the engine sees another outcome than {touch:?}: {visit:?}");
        }
        performed.spawned.extend(self.deed.spawned.iter().map(|&thread| ThreadId::new(thread)));
    }

    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Value { location, old } => self.values[location as usize] = old,
            Undo::Register { thread, register, old } => self.threads[thread].registers[register.0 as usize] = old,
            Undo::Position { thread, old, phase } => {
                self.threads[thread].position = old;
                self.threads[thread].phase = phase;
                // Everything that the operation depends on was changed later, so it is as it was already.
                if phase == Phase::Running {
                    self.announce(thread);
                }
            }
            Undo::Sent { queue, thread } => {
                self.mailboxes[queue as usize].sent.pop();
                self.threads[thread].sent -= 1;
            }
            Undo::Received { queue, taken } => {
                let mailbox = &mut self.mailboxes[queue as usize];
                mailbox.receives.pop();
                if let Some(position) = taken {
                    mailbox.sent[position].taken_by = None;
                }
            }
            Undo::Waiters { condvar, old } => self.waiters[condvar as usize] = old,
            Undo::Freed { location } => self.ended[location as usize] -= 1,
        }
    }
}

/// Whether it reads one thing, at once, and does nothing else.
fn only_reads(operation: &Operation) -> bool {
    matches!(operation.accesses[..], [Access { effect: Effect::Read, when: Condition::Always, .. }])
}

/// What an operation waits for while it is not there.
pub(crate) fn waits(operation: &Operation) -> Vec<Wanted> {
    let accesses = operation.accesses.iter().filter(|_| operation.may_block());
    let wanted =
        |access: &Access| Wanted { location: access.location.0, bytes: access.bytes.0, condition: access.when };
    accesses.map(wanted).collect()
}

fn compute(a: u64, arithmetic: Arithmetic, b: u64) -> u64 {
    match arithmetic {
        Arithmetic::Plus => a.wrapping_add(b),
        Arithmetic::Minus => a.wrapping_sub(b),
        Arithmetic::Modulo => a % b,
    }
}

/// The state of one thread.
struct Own<'a> {
    machine: &'a Machine,
    thread: usize,
}

impl Context for Own<'_> {
    fn location(&self, place: &Place) -> u32 {
        let index = place.index.map_or(0, |register| self.value(&Value::Held(register)));
        place.base + index as u32
    }

    fn value(&self, value: &Value) -> u64 {
        match value {
            Value::Number(number) => *number,
            Value::Held(register) => self.machine.threads[self.thread].registers[register.0 as usize],
        }
    }

    fn receives(&self, queue: u32) -> u32 {
        self.machine.mailboxes[queue as usize].receives.len() as u32
    }

    fn next_message(&self) -> Message {
        Message { sender: ThreadId::new(self.thread), nth: self.machine.threads[self.thread].sent }
    }

    fn token(&self) -> u32 {
        self.machine.code.locations + self.thread as u32
    }
}

impl State for Machine {
    fn threads(&self) -> usize {
        self.threads.len()
    }

    fn status(&self, thread: ThreadId) -> Status {
        match self.threads[thread.index()].phase {
            Phase::Unborn | Phase::Ended => Status::Ended,
            Phase::Stuck | Phase::Gone => Status::Blocked,
            Phase::Running if self.is_enabled(thread.index()) => Status::Ready,
            Phase::Running => Status::Blocked,
        }
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        &self.threads[thread.index()].operation
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        match self.instruction(thread.index()) {
            Some(Instruction::Do(Statement::Choose(_, among))) => *among,
            Some(Instruction::Do(Statement::NotifyOne(condvar))) => {
                let condvar = self.own(thread.index()).location(condvar);
                (self.waiters[condvar as usize].len() as u32).max(1)
            }
            _ => 1,
        }
    }

    fn value(&self, location: Location) -> u64 {
        self.values[location.index()]
    }

    fn initial_value(&self, location: Location) -> u64 {
        let given = self.code.initial.iter().rev().find(|(at, _)| *at == location.0);
        given.map_or(0, |&(_, value)| value)
    }
}

impl Execution for Machine {
    type Failure = Infallible;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Infallible>> {
        self.steps.push(self.undo.len());
        self.left.push(Vec::new());
        self.take(step, performed);
        Ok(())
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
        self.steps.push(self.undo.len());
        let accesses: Vec<Access> = self.threads[step.thread.index()].operation.accesses.to_vec();
        let looks = |access: &Access| access.looks() && access.effect.receive().is_none();
        for (access, source) in accesses.iter().zip(sources).filter(|(access, _)| looks(access)) {
            let left_by = |event: EventId| self.left[event.index()].iter().find(|(at, _)| *at == access.location);
            let value = match source {
                Source::Initial => self.initial_value(access.location),
                Source::Event(event) => left_by(*event).expect("a source wrote").1,
            };
            self.set_value(access.location.0, value);
        }
        self.take(step, performed);
        let changed = performed.visits.iter().filter(|visit| visit.class.changes());
        self.left.push(changed.map(|visit| (visit.access.location, visit.after)).collect());
        Ok(())
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Infallible>> {
        self.left.truncate(depth);
        while self.steps.len() > depth {
            let start = self.steps.pop().expect("more than depth");
            while self.undo.len() > start {
                let undo = self.undo.pop().expect("more than start");
                self.take_back(undo);
            }
        }
        Ok(())
    }

    fn blocked(&mut self) -> Option<Infallible> {
        None
    }
}

impl Machine {
    /// Takes a step, as the values of locations are now.
    fn take(&mut self, step: Step, performed: &mut Performed) {
        let thread = step.thread.index();
        let operation = &self.threads[thread].operation;
        let (waits, only_reads) = (waits(operation), only_reads(operation));
        self.deed = Deed { thread, choice: step.choice, only_reads, waits, ..Deed::default() };
        let Thread { position, phase, .. } = self.threads[thread];
        self.undo.push(Undo::Position { thread, old: position, phase });

        let mut declared = Vec::new();
        let accesses = &self.threads[thread].operation.accesses;
        let value = |access: &Access| match (access.effect, self.instruction(thread)) {
            (Effect::Receive(_), Some(Instruction::Do(statement))) => {
                Message::encode(statement.inbox().and_then(|inbox| self.find(thread, inbox)))
            }
            _ => self.values[access.location.index()],
        };
        let outcome = evaluate(accesses, value, |visit| declared.push(visit));
        assert!(outcome.is_enabled(), "the engine thinks that t{thread} is blocked");
        let registers = self.threads[thread].registers;
        match self.instruction(thread).cloned() {
            Some(Instruction::Do(statement)) => self.perform(thread, step.choice, &statement),
            Some(Instruction::Woken) => self.touch(self.own(thread).token(), Manner::Look),
            _ => unreachable!("t{thread} has nothing to do"),
        }
        let left = |touch: &Touch| (touch.location, touch.bytes, self.values[touch.location as usize]);
        self.deed.left = self.deed.touches.iter().filter(|touch| touch.manner.changes()).map(left).collect();
        self.threads[thread].position += 1;
        match self.uses_what_has_ended() {
            true => self.go_no_further(thread, registers),
            false => self.run_local(thread),
        }
        self.account(declared, performed);
    }
}
