//! Memory that the program asks for and gives back.

use super::errno::{EINVAL, ENOMEM};
use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::cell::Cell;
use crate::describe::Wording;
use crate::failure::Failure;
use crate::fixed::Fixed;
use crate::ids::ObjectId;
use crate::machine::Machine;
use crate::memory::{Life, Origin, address_of};
use crate::objects::GREATEST_SIZE;
use crate::script::{Paused, Script, scripted};
use crate::settings::Allocation;
use everyway_ir::FunctionId;
use everyway_report::BugKind;
use everyway_runtime::{Choices, ThreadId, Verb};

impl Machine {
    fn call_site(&self, thread: ThreadId) -> (FunctionId, u32) {
        self.user_place(thread)
    }

    /// The address of new memory, or null.
    fn allocate(&mut self, thread: ThreadId, size: u64, defined: bool) -> Result<u64, Failure> {
        if self.settings.allocation == Allocation::NeverFails {
            self.fix(Fixed::Allocation);
        }
        let (function, pc) = self.call_site(thread);
        if size > GREATEST_SIZE {
            return Ok(0);
        }
        self.birth(thread, size, Origin::Heap(function, pc), defined).map(address_of)
    }

    /// The object that is to be given back. That it has been already is found when it is given back, if others can
    /// notice that: any other free may come before or after.
    fn freeable(&self, call: &Invocation<'_>, pointer: Cell, by_delete: bool) -> Result<ObjectId, Failure> {
        if !pointer.is_defined() {
            return Err(crate::interpret::undecided("what is freed"));
        }
        let invalid = |message: String| Failure::new(BugKind::InvalidFree, message);
        let Some((object, offset)) = self.memory.resolve(pointer.bits) else {
            return Err(invalid(format!("{:#x} is freed, which points to nothing", pointer.bits)));
        };
        let state = &self.memory.object(object).state;
        let name = || self.object_name(object);
        match (state.origin, by_delete) {
            (Origin::Heap(..), false) | (Origin::New(..), true) => {}
            (Origin::Heap(..), true) => return Err(invalid(format!("{} is deleted, but comes from `malloc`", name()))),
            (Origin::New(..), false) => return Err(invalid(format!("{} is freed, but comes from `new`", name()))),
            _ => return Err(invalid(format!("{} is freed, which was not allocated", name()))),
        }
        if state.life != Life::Alive && (call.stage != 0 || !self.is_visible(call.thread, object)) {
            let wording = Wording::new(self);
            let (name, ended, allocated) = (wording.object(object), wording.ended(object), wording.allocated(object));
            let message = format!("{name} is freed a second time: it {ended}{allocated}");
            return Err(Failure::new(BugKind::DoubleFree, message));
        }
        if offset != 0 {
            return Err(invalid(format!("a pointer to offset {offset} of {} is freed, not one to its start", name())));
        }
        Ok(object)
    }

    /// Gives memory back; `None` when it is done.
    fn give_back(&mut self, call: &Invocation<'_>, pointer: Cell, by_delete: bool) -> Result<Option<Request>, Failure> {
        if pointer == Cell::new(0) {
            return Ok(None);
        }
        let object = self.freeable(call, pointer, by_delete)?;
        self.check_privacy(call.thread, object)?;
        if call.stage == 0 && self.is_visible(call.thread, object) {
            let verb = if by_delete { Verb::Delete } else { Verb::Free };
            let mut request = Request::new(verb, pointer.bits);
            if !self.is_alone(call.thread) {
                self.add_end(object, &mut request);
            }
            return Ok(Some(request));
        }
        self.end_object(object, Life::Freed);
        Ok(None)
    }
}

/// New memory, or null.
fn allocate(machine: &mut Machine, call: &Invocation<'_>, size: u64, defined: bool) -> Answer {
    if machine.settings.allocation == Allocation::MayFail && call.stage == 0 {
        return Ok(Reply::Visible(whether_it_fails()));
    }
    if machine.settings.allocation == Allocation::MayFail && machine.outcome.choice == FAILS {
        machine.set_errno(call.thread, ENOMEM);
        return Reply::word(0);
    }
    let address = machine.allocate(call.thread, size, defined)?;
    Reply::word(address)
}

/// The alternative of an allocation in which it fails.
const FAILS: u32 = 1;

fn whether_it_fails() -> Request {
    Request { choices: Choices::Among(2), ..Request::new(Verb::Choose, 0) }
}

impl Script<'_> {
    /// New memory, or null.
    pub(crate) fn allocate(&mut self, size: u64) -> Paused<u64> {
        let thread = self.thread;
        if self.machine.settings.allocation == Allocation::MayFail {
            self.perform(|_| Ok(whether_it_fails()))?;
            let choice = self.once(|machine| Ok(Cell::new(machine.outcome.choice.into())))?;
            if choice.bits == u64::from(FAILS) {
                self.machine.set_errno(thread, ENOMEM);
                return Ok(0);
            }
        }
        Ok(self.once(|machine| machine.allocate(thread, size, false).map(Cell::new))?.bits)
    }
}

/// What the parameter points to belongs to the system and not to the program, so that it is no leak.
pub(super) fn keep(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, _) = machine.reach(call.thread, call.cell(0), 0)?;
    machine.save_object(object);
    machine.memory.object_mut(object).state.kept = true;
    Reply::nothing()
}

pub(super) fn malloc(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    allocate(machine, call, call.number(0)?, false)
}

pub(super) fn calloc(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let size = call.number(0)?.saturating_mul(call.number(1)?);
    allocate(machine, call, size, true)
}

/// Objects start at multiples of a page: every alignment that programs ask for is met.
pub(super) fn aligned(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    allocate(machine, call, call.number(1)?, false)
}

pub(super) fn posix_memalign(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if !call.number(1)?.is_power_of_two() {
        return Reply::int(EINVAL);
    }
    let (target, size) = (call.number(0)?, call.number(2)?);
    scripted(machine, call, |script| {
        let address = script.allocate(size)?;
        if address == 0 {
            return Ok(Reply::int(ENOMEM));
        }
        script.write(target, 8, Cell::new(address))?;
        Ok(Reply::int(0))
    })
}

/// `mmap(address, length, protection, flags, file, offset)`: memory that belongs to no file.
pub(super) fn map(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    const ANONYMOUS: u64 = 0x20;
    if call.number(3)? & ANONYMOUS == 0 {
        return Err(Failure::unsupported("the program calls `mmap` with a file, which is not modelled"));
    }
    match allocate(machine, call, call.number(1)?, true)? {
        // MAP_FAILED
        Reply::Return(values) if values.first().is_some_and(|address| address.bits == 0) => Reply::word(u64::MAX),
        reply => Ok(reply),
    }
}

/// `munmap(address, length)` of all that was mapped at once.
pub(super) fn unmap(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match machine.give_back(call, call.cell(0), false)? {
        Some(request) => Ok(Reply::Visible(request)),
        None => Reply::int(0),
    }
}

pub(super) fn usable_size(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (object, _) = machine.follow(call.cell(0), 0)?;
    Reply::word(machine.memory.object(object).state.size)
}

pub(super) fn free(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match machine.give_back(call, call.cell(0), false)? {
        Some(request) => Ok(Reply::Visible(request)),
        None => Reply::nothing(),
    }
}

pub(super) fn realloc(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (pointer, size) = (call.cell(0), call.number(1)?);
    if pointer == Cell::new(0) {
        return malloc(machine, &Invocation { arguments: &[Cell::new(size)], ..*call });
    }
    const CHOSEN: u8 = 2;
    let may_fail = machine.settings.allocation == Allocation::MayFail;
    match call.stage {
        0 if may_fail => return Ok(Reply::Visible(whether_it_fails().stage(CHOSEN))),
        CHOSEN if machine.outcome.choice == FAILS => {
            machine.set_errno(call.thread, ENOMEM);
            return Reply::word(0);
        }
        _ => {}
    }
    let object = machine.freeable(call, pointer, false)?;
    machine.check_privacy(call.thread, object)?;
    // One step reads all, and gives it back.
    if matches!(call.stage, 0 | CHOSEN) && machine.is_visible(call.thread, object) {
        let mut request = Request::new(Verb::Realloc, pointer.bits);
        if !machine.is_alone(call.thread) {
            machine.add_end(object, &mut request);
        }
        return Ok(Reply::Visible(request));
    }
    let address = machine.allocate(call.thread, size, false)?;
    if address == 0 {
        return Reply::word(0);
    }
    let (new, _) = machine.follow(Cell::new(address), 0)?;
    let kept = machine.memory.object(object).state.size.min(size);
    for part in crate::memory::parts(0, kept) {
        let value = machine.memory.read(object, part.at.into(), part.bytes);
        machine.write(new, part.at.into(), part.bytes, value);
    }
    machine.end_object(object, Life::Freed);
    Reply::word(address)
}

pub(super) fn new(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Allocation);
    let (function, pc) = machine.call_site(call.thread);
    let object = machine.birth(call.thread, call.number(0)?, Origin::New(function, pc), false)?;
    Reply::word(address_of(object))
}

pub(super) fn delete(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match machine.give_back(call, call.cell(0), true)? {
        Some(request) => Ok(Reply::Visible(request)),
        None => Reply::nothing(),
    }
}
