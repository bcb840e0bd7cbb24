//! A program whose locations are numbered as threads come to them, as those of a front end are that meets its
//! objects only when they are used. The numbers depend on the interleaving; the classes found must not.

use everyway_runtime::{
    Execution, Halt, Location, Matching, Message, Operation, Performed, State, Status, Step, ThreadId,
};
use rustc_hash::FxHashMap;

/// A program that numbers the locations of another one anew.
#[derive(Debug)]
pub struct Renumbering<X> {
    program: X,
    numbers: FxHashMap<Location, Location>,
    /// The locations in the order of their new numbers.
    known: Vec<Location>,
    /// How many were known before each step.
    known_before: Vec<usize>,
    /// By thread, what it has announced.
    operations: Vec<Operation>,
}

impl<X: Execution> Renumbering<X> {
    /// `program`, which is in its initial state, with its locations numbered anew.
    pub fn new(program: X) -> Self {
        let mut this = Self {
            program,
            numbers: FxHashMap::default(),
            known: Vec::new(),
            known_before: Vec::new(),
            operations: Vec::new(),
        };
        this.announce_all();
        this
    }

    fn announce_all(&mut self) {
        for thread in (0..self.program.threads()).map(ThreadId::new) {
            self.announce(thread);
        }
    }

    fn announce(&mut self, thread: ThreadId) {
        while self.operations.len() <= thread.index() {
            self.operations.push(Operation::local());
        }
        if self.program.status(thread) == Status::Ended {
            return;
        }
        let mut operation = self.program.operation(thread).clone();
        for access in &mut operation.accesses {
            access.location = self.number(access.location);
        }
        self.operations[thread.index()] = operation;
    }

    fn number(&mut self, location: Location) -> Location {
        let next = Location::new(self.known.len());
        let number = *self.numbers.entry(location).or_insert(next);
        if number == next {
            self.known.push(location);
        }
        number
    }
}

impl<X: Execution> Matching for Renumbering<X> {
    fn matches(&self, mailbox: Location, receive: u32, message: Message) -> bool {
        self.program.matches(self.known[mailbox.index()], receive, message)
    }
}

impl<X: Execution> State for Renumbering<X> {
    fn threads(&self) -> usize {
        self.program.threads()
    }

    fn status(&self, thread: ThreadId) -> Status {
        self.program.status(thread)
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        &self.operations[thread.index()]
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        self.program.choices(thread)
    }

    fn value(&self, location: Location) -> u64 {
        self.program.value(self.known[location.index()])
    }

    fn is_settled(&self, location: Location, depth: usize) -> bool {
        let known = self.known_before.get(depth).copied().unwrap_or(self.known.len());
        location.index() < known
    }

    fn has_lasting_numbers(&self) -> bool {
        false
    }
}

impl<X: Execution> Execution for Renumbering<X> {
    type Failure = X::Failure;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<X::Failure>> {
        self.known_before.push(self.known.len());
        self.program.step(step, performed)?;
        for visit in &mut performed.visits {
            visit.access.location = self.number(visit.access.location);
        }
        self.announce(step.thread);
        for &thread in &performed.spawned {
            self.announce(thread);
        }
        Ok(())
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<X::Failure>> {
        self.program.rewind(depth)?;
        if let Some(&known) = self.known_before.get(depth) {
            for location in self.known.drain(known..) {
                self.numbers.remove(&location);
            }
            self.known_before.truncate(depth);
        }
        // What is announced now was announced then: nothing gets a new number.
        self.announce_all();
        Ok(())
    }

    fn blocked(&mut self) -> Option<X::Failure> {
        self.program.blocked()
    }
}
