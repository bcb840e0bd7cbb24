//! Threads without branches, on a machine that takes steps and takes them back in no time.

use everyway_runtime::{
    Access, Condition, Effect, EventId, Execution, Halt, Location, Matching, Message, Operation, Performed, Source,
    State, Status, Step, ThreadId, ThreadSet, Visit, evaluate,
};
use std::convert::Infallible;

/// What a thread does in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Do {
    /// Writes something.
    Write(u32),
    /// Writes this.
    Set(u32, u32),
    /// Adds 1.
    Add(u32),
    /// Reads.
    Read(u32),
    /// Waits until something was written.
    Await(u32),
    /// Waits until this was written.
    AwaitValue(u32, u32),
    /// Sends a message.
    Send(u32),
    /// Receives the oldest message.
    Receive(u32),
    /// Chooses among so many alternatives.
    Choose(u32),
}

/// A step that was taken.
#[derive(Debug)]
struct Taken {
    thread: usize,
    visit: Option<Visit>,
}

/// A mailbox: what was sent to it in order, and how many of these were taken.
#[derive(Debug, Default)]
struct Mailbox {
    sent: Vec<Message>,
    taken: usize,
}

/// A program in some state.
#[derive(Debug)]
pub(crate) struct Straight {
    code: Vec<Vec<Do>>,
    /// By thread, how many of its steps it has taken.
    positions: Vec<usize>,
    /// The threads that have not ended.
    alive: ThreadSet,
    operations: Vec<Operation>,
    values: Vec<u64>,
    mailboxes: Vec<Mailbox>,
    /// By sender and number, the position of each message in its mailbox.
    places: Vec<Vec<usize>>,
    taken: Vec<Taken>,
}

impl Straight {
    pub(crate) fn new(code: Vec<Vec<Do>>) -> Self {
        let locations = code.len() + 2;
        let threads = code.len();
        let mut program = Self {
            positions: vec![0; threads],
            alive: ThreadSet::default(),
            operations: vec![Operation::local(); threads],
            values: vec![0; locations],
            mailboxes: (0..locations).map(|_| Mailbox::default()).collect(),
            places: vec![Vec::new(); threads],
            taken: Vec::new(),
            code,
        };
        (0..threads).for_each(|thread| program.announce(thread));
        program
    }

    fn next(&self, thread: usize) -> Option<Do> {
        self.code[thread].get(self.positions[thread]).copied()
    }

    fn announce(&mut self, thread: usize) {
        let Some(next) = self.next(thread) else { return self.alive.remove(ThreadId::new(thread)) };
        self.alive.insert(ThreadId::new(thread));
        let at = |location, effect| Operation::one(Access::new(Location(location), effect));
        let waits = |location, condition| Operation::one(Access::new(Location(location), Effect::Read).once(condition));
        self.operations[thread] = match next {
            Do::Write(location) => at(location, Effect::Store(thread as u64 + 1)),
            Do::Set(location, value) => at(location, Effect::Store(value.into())),
            Do::Add(location) => at(location, Effect::Add(1)),
            Do::Read(location) => at(location, Effect::Read),
            Do::Await(location) => waits(location, Condition::Differs(0)),
            Do::AwaitValue(location, value) => waits(location, Condition::Equals(value.into())),
            Do::Send(location) => {
                let message = Message { sender: ThreadId::new(thread), nth: self.places[thread].len() as u32 };
                at(location, Effect::Send(message))
            }
            Do::Receive(location) => {
                let number = self.mailboxes[location as usize].taken as u32;
                let receive = Access::new(Location(location), Effect::Receive(number));
                Operation::one(receive.once(Condition::Differs(0)))
            }
            Do::Choose(_) => Operation::local(),
        };
    }

    /// What an access finds.
    fn found(&self, access: &Access) -> u64 {
        if access.effect.receive().is_none() {
            return self.values[access.location.index()];
        }
        let Mailbox { sent, taken } = &self.mailboxes[access.location.index()];
        Message::encode(sent.get(*taken).copied())
    }

    fn apply(&mut self, visit: &Visit) {
        let location = visit.access.location.index();
        match visit.access.effect {
            Effect::Send(message) => {
                self.places[message.sender.index()].push(self.mailboxes[location].sent.len());
                self.mailboxes[location].sent.push(message);
            }
            Effect::Receive(_) => self.mailboxes[location].taken += 1,
            _ => self.values[location] = visit.after,
        }
    }

    fn take_back(&mut self, visit: &Visit) {
        let location = visit.access.location.index();
        match visit.access.effect {
            Effect::Send(message) => {
                self.places[message.sender.index()].pop();
                self.mailboxes[location].sent.pop();
            }
            Effect::Receive(_) => self.mailboxes[location].taken -= 1,
            _ => self.values[location] = visit.before,
        }
    }

    fn go_on(&mut self, thread: usize, visit: Option<Visit>) {
        self.taken.push(Taken { thread, visit });
        self.positions[thread] += 1;
        self.announce(thread);
    }
}

impl Matching for Straight {
    fn matches(&self, mailbox: Location, receive: u32, message: Message) -> bool {
        let place = self.places[message.sender.index()].get(message.nth as usize);
        let taken = self.mailboxes[mailbox.index()].taken;
        place.is_none_or(|&place| place >= taken || place >= receive as usize)
    }

    fn matches_everything(&self, _: Location) -> bool {
        true
    }
}

impl State for Straight {
    fn threads(&self) -> usize {
        self.code.len()
    }

    fn status(&self, thread: ThreadId) -> Status {
        if self.positions[thread.index()] == self.code[thread.index()].len() {
            return Status::Ended;
        }
        let accesses = &self.operations[thread.index()].accesses;
        match evaluate(accesses, |access| self.found(access), |_| {}).is_enabled() {
            true => Status::Ready,
            false => Status::Blocked,
        }
    }

    fn next_alive(&self, start: usize) -> Option<ThreadId> {
        self.alive.find_from(start, |_| true)
    }

    fn next_with(&self, start: usize, status: Status) -> Option<ThreadId> {
        self.alive.find_from(start, |thread| self.status(thread) == status)
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        &self.operations[thread.index()]
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        match self.next(thread.index()) {
            Some(Do::Choose(among)) => among,
            _ => 1,
        }
    }

    fn value(&self, location: Location) -> u64 {
        self.values[location.index()]
    }

    fn initial_value(&self, _: Location) -> u64 {
        0
    }
}

impl Execution for Straight {
    type Failure = Infallible;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Infallible>> {
        let thread = step.thread.index();
        let mut found = None;
        evaluate(&self.operations[thread].accesses, |access| self.found(access), |visit| found = Some(visit));
        if let Some(visit) = found {
            self.apply(&visit);
            performed.visits.push(visit);
        }
        self.go_on(thread, found);
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
        let thread = step.thread.index();
        let told = |access: &Access| match sources.first() {
            _ if access.effect.receive().is_some() => self.found(access),
            Some(Source::Event(event)) => self.left_by(*event),
            _ => 0,
        };
        let mut found = None;
        evaluate(&self.operations[thread].accesses, told, |visit| found = Some(visit));
        if let Some(visit) = found {
            self.apply(&visit);
            performed.visits.push(visit);
        }
        self.go_on(thread, found);
        Ok(())
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Infallible>> {
        while self.taken.len() > depth {
            let Some(Taken { thread, visit }) = self.taken.pop() else { break };
            if let Some(visit) = visit {
                self.take_back(&visit);
            }
            self.positions[thread] -= 1;
            self.announce(thread);
        }
        Ok(())
    }

    fn blocked(&mut self) -> Option<Infallible> {
        None
    }
}

impl Straight {
    fn left_by(&self, event: EventId) -> u64 {
        self.taken[event.index()].visit.map_or(0, |visit| visit.after)
    }
}
