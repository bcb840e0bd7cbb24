//! Modelled functions that access memory: every access that others can notice is a step of its own.
//!
//! A script is written as if its accesses simply took place. At an access that others can notice it is left. When the
//! engine has carried the access out, the script runs again from the start, with the results of all earlier accesses
//! taken from a record; so a loop over the bytes of a string is a loop. A script must therefore do the same thing each
//! time until it comes to a new access, and have no other effect before its last one. A long loop saves its state from
//! time to time, and continues from there.
//!
//! The record lies in the thread, above that of the script whose callback called this one. It is undone like memory.

use crate::access::{Mode, Request};
use crate::calls::Arguments;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::interpret::undecided;
use crate::library::{Answer, Invocation, Reply};
use crate::machine::Machine;
use crate::memory::{MemoryFault, Part};
use crate::undo::Undo;
use everyway_ir::FunctionId;
use everyway_runtime::{Effect, Ordering, ThreadId, Verb};

/// Where in its thread the record of a script is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    start: u32,
    end: u32,
}

/// Why a script does not go on.
#[derive(Debug)]
pub(crate) enum Pause {
    Failure(Failure),
    /// Something comes first.
    Waits,
}

impl From<Failure> for Pause {
    fn from(failure: Failure) -> Self {
        Pause::Failure(failure)
    }
}

/// What a script gets at, if it gets there.
pub(crate) type Paused<T> = Result<T, Pause>;

/// How far a script got.
#[expect(clippy::large_enum_variant, reason = "it is looked at where it is made")]
pub(crate) enum Got<T> {
    Done(T),
    /// This comes first.
    WaitsFor(Reply),
}

/// The stage of a modelled function that starts.
const START: u8 = 0;
/// The stage of one whose access has been carried out.
const GRANTED: u8 = 1;
/// The stage of one whose callback has returned.
const RETURNED: u8 = 2;

/// A script that runs.
pub(crate) struct Script<'m> {
    pub(crate) machine: &'m mut Machine,
    pub(crate) thread: ThreadId,
    /// How many accesses it has come by.
    position: u32,
    /// Whether the first access that is not on record has been carried out.
    stage: u8,
    /// What comes first, if it does not go on.
    waits_for: Option<Reply>,
}

/// Runs a script as the model of a function.
pub(crate) fn scripted(
    machine: &mut Machine,
    call: &Invocation<'_>,
    script: impl FnOnce(&mut Script<'_>) -> Paused<Answer>,
) -> Answer {
    match Script::run(machine, call.thread, call.stage, script)? {
        Got::Done(answer) => answer,
        Got::WaitsFor(reply) => Ok(reply),
    }
}

impl<'m> Script<'m> {
    /// Runs a script that has got to `stage`.
    pub(crate) fn run<T>(
        machine: &'m mut Machine,
        thread: ThreadId,
        stage: u8,
        script: impl FnOnce(&mut Self) -> Paused<T>,
    ) -> Result<Got<T>, Failure> {
        let record = &mut machine.threads[thread].core.record;
        if stage == START {
            record.start = record.end;
        }
        let mut this = Self { machine, thread, position: 0, stage, waits_for: None };
        let result = script(&mut this);
        if let Some(reply) = this.waits_for {
            return Ok(Got::WaitsFor(reply));
        }
        let record = &mut this.machine.threads[thread].core.record;
        record.end = record.start;
        match result {
            Ok(value) => Ok(Got::Done(value)),
            Err(Pause::Failure(failure)) => Err(failure),
            Err(Pause::Waits) => unreachable!("a script waits for something"),
        }
    }

    /// Leaves the script until this is done.
    fn wait_for<T>(&mut self, reply: Reply) -> Paused<T> {
        self.waits_for = Some(reply);
        Err(Pause::Waits)
    }

    /// Leaves the script until others could notice this.
    fn wait_for_step<T>(&mut self, request: Request) -> Paused<T> {
        self.wait_for(Reply::Visible(request.stage(GRANTED)))
    }

    /// The state that a long loop, which has to come first, has saved last, or else the one it starts with.
    pub(crate) fn resume<const N: usize>(&mut self, initial: [u64; N]) -> [u64; N] {
        debug_assert_eq!(self.position, 0, "the loop comes first");
        initial.map(|value| match self.recorded() {
            Some(saved) => saved.bits,
            None => self.record(Cell::new(value)).bits,
        })
    }

    /// Saves the state of a loop: what it did to get there is not gone through again.
    pub(crate) fn save<const N: usize>(&mut self, state: [u64; N]) {
        let record = &mut self.machine.threads[self.thread].core.record;
        debug_assert_eq!(self.position, record.end - record.start, "what is on record comes after what was saved");
        record.end = record.start;
        self.position = 0;
        for value in state {
            self.record(Cell::new(value));
        }
    }

    /// What came of the next access, if it is on record.
    fn recorded(&mut self) -> Option<Cell> {
        let this = &self.machine.threads[self.thread];
        let at = this.core.record.start + self.position;
        let found = (at < this.core.record.end).then(|| this.script[at as usize]);
        self.position += u32::from(found.is_some());
        found
    }

    fn record(&mut self, value: Cell) -> Cell {
        let thread = self.thread;
        let this = &mut self.machine.threads[self.thread];
        let at = this.core.record.end;
        if at as usize == this.script.len() {
            this.script.push(Cell::default());
        }
        let old = std::mem::replace(&mut this.script[at as usize], value);
        this.core.record.end += 1;
        self.position += 1;
        self.machine.log.push(Undo::Recorded { thread, at, old });
        value
    }

    /// Whether the next access has been carried out by the engine.
    fn is_granted(&mut self) -> bool {
        std::mem::replace(&mut self.stage, START) == GRANTED
    }

    /// Does something that others can notice; what the last location it looked at held before.
    pub(crate) fn perform(&mut self, request: impl FnOnce(&mut Machine) -> Result<Request, Failure>) -> Paused<u64> {
        if let Some(before) = self.recorded() {
            return Ok(before.bits);
        }
        if !self.is_granted() {
            let request = request(self.machine)?;
            return self.wait_for_step(request);
        }
        let before = Cell::new(self.machine.outcome.before);
        Ok(self.record(before).bits)
    }

    /// Reads up to eight bytes.
    pub(crate) fn read(&mut self, address: u64, size: u32) -> Paused<Cell> {
        if let Some(value) = self.recorded() {
            return Ok(value);
        }
        let (object, offset) = self.machine.reach(self.thread, Cell::new(address), size.into())?;
        if self.machine.is_visible(self.thread, object) && !self.is_granted() {
            let at = (object, offset);
            let request = self.machine.access_request(at, size.into(), |_| Effect::Read, Mode::plain(Verb::Read));
            return self.wait_for_step(request);
        }
        let value = self.machine.memory.read(object, offset, size);
        Ok(self.record(value))
    }

    /// Writes up to eight bytes.
    pub(crate) fn write(&mut self, address: u64, size: u32, value: Cell) -> Paused<()> {
        self.write_as(Verb::Write, address, size, value)
    }

    /// The same, as part of something with a name of its own.
    pub(crate) fn write_as(&mut self, verb: Verb, address: u64, size: u32, value: Cell) -> Paused<()> {
        self.write_in(Mode::plain(verb), address, size, value)
    }

    /// The same, atomically, and releases what the thread has done before.
    pub(crate) fn store(&mut self, address: u64, size: u32, value: Cell) -> Paused<()> {
        self.write_in(Mode { verb: Verb::Store, ordering: Ordering::Release }, address, size, value)
    }

    fn write_in(&mut self, mode: Mode, address: u64, size: u32, value: Cell) -> Paused<()> {
        if self.recorded().is_some() {
            return Ok(());
        }
        let (object, offset) = self.machine.reach(self.thread, Cell::new(address), size.into())?;
        if self.machine.memory.object(object).state.constant {
            return Err(self.machine.memory_failure(MemoryFault::Constant { object }).into());
        }
        let visible = self.machine.is_visible(self.thread, object);
        if visible && !self.is_granted() {
            let effect = |part: Part| Effect::Store(crate::access::piece(value, Cell::new(0), part));
            let request = self.machine.access_request((object, offset), size.into(), effect, mode);
            return self.wait_for_step(request);
        }
        // What the engine writes is defined.
        if !visible || !value.is_defined() {
            self.machine.write(object, offset, size, value);
        }
        if size == 8 {
            self.machine.note_pointer(object, value);
        }
        self.record(Cell::default());
        Ok(())
    }

    /// Calls a function of the program.
    pub(crate) fn call(&mut self, function: FunctionId, arguments: &[Cell]) -> Paused<Cell> {
        if let Some(result) = self.recorded() {
            return Ok(result);
        }
        if std::mem::replace(&mut self.stage, START) != RETURNED {
            let arguments = Arguments::from_slice(arguments);
            return self.wait_for(Reply::Enter { function, arguments, stage: RETURNED });
        }
        let result = Cell::new(self.machine.outcome.before);
        Ok(self.record(result))
    }

    /// Does something that is no access, once.
    pub(crate) fn once(&mut self, f: impl FnOnce(&mut Machine) -> Result<Cell, Failure>) -> Paused<Cell> {
        if let Some(result) = self.recorded() {
            return Ok(result);
        }
        let result = f(self.machine)?;
        Ok(self.record(result))
    }

    /// A byte, which must have a value.
    pub(crate) fn byte(&mut self, address: u64) -> Paused<u8> {
        let cell = self.read(address, 1)?;
        if cell.is_defined() { Ok(cell.bits as u8) } else { Err(undecided("a string").into()) }
    }

    /// A pointer or another number of eight bytes, which must have a value.
    pub(crate) fn word(&mut self, address: u64) -> Paused<u64> {
        let cell = self.read(address, 8)?;
        if cell.is_defined() { Ok(cell.bits) } else { Err(undecided("what a library function does").into()) }
    }

    /// The bytes from an address to the next zero, `most` at most.
    pub(crate) fn string(&mut self, address: u64, most: u64) -> Paused<Vec<u8>> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < most {
            match self.byte(address.wrapping_add(bytes.len() as u64))? {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        Ok(bytes)
    }

    /// `length` bytes from an address on.
    pub(crate) fn bytes(&mut self, address: u64, length: u64) -> Paused<Vec<u8>> {
        (0..length).map(|at| self.byte(address.wrapping_add(at))).collect()
    }

    /// Writes bytes, one after the other.
    pub(crate) fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Paused<()> {
        for (at, &byte) in bytes.iter().enumerate() {
            self.write(address.wrapping_add(at as u64), 1, Cell::new(byte.into()))?;
        }
        Ok(())
    }
}
