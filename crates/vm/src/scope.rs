//! Variables that end before their function does: when the block ends that they are declared in.
//!
//! When the block is entered again, the variable is another one: a new object, whose address replaces the old one in the
//! register of the frame. Pointers to the old object are then dangling. (That a register changes is no harm to what was
//! computed from it. Where a value lasts from one round of a loop to the next, there is a path to its use without that
//! round, so a phi before the beginning of the scope keeps it.)

use crate::access::{Request, Went};
use crate::arithmetic::Lanes as _;
use crate::cell::Cell;
use crate::code::Operand;
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::interpret::Run;
use crate::machine::Machine;
use crate::memory::{Life, Origin, address_of};
use everyway_ir::ScopeMark;
use everyway_runtime::{ThreadId, Verb};

impl Machine {
    /// The scope of the variable whose address is in a lane begins or ends.
    pub(crate) fn scope(&mut self, run: &mut Run<'_>, lane: u32, mark: ScopeMark) -> Result<Went, Failure> {
        let address = run.registers.get(Operand::lane(lane)).bits;
        let variable = self.memory.resolve(address).map(|found| found.0);
        let is_variable = |object: &ObjectId| matches!(self.memory.object(*object).state.origin, Origin::Stack(..));
        let Some(object) = variable.filter(is_variable) else { return Ok(Went::On) };
        match (mark, self.memory.object(object).state.life) {
            (ScopeMark::Begins, Life::OutOfScope) => {
                self.look_for_vacancies(run);
                let new = self.begin_scope(run.thread, object)?;
                run.registers.set(lane, Cell::new(address_of(new)));
                Ok(Went::On)
            }
            (ScopeMark::Ends, Life::Alive) => Ok(self.end_scope(run, object)),
            _ => Ok(Went::On),
        }
    }

    /// The variable that takes the place of an earlier one, in its frame as well.
    fn begin_scope(&mut self, thread: ThreadId, earlier: ObjectId) -> Result<ObjectId, Failure> {
        let state = self.memory.object(earlier).state;
        let new = self.birth(thread, state.size, state.origin, false)?;
        self.memory.object_mut(new).state.link = state.link;
        let Some(frame) = self.threads[thread].frames.last_mut() else { return Ok(new) };
        let mut next = frame.objects;
        if next == Some(earlier) {
            frame.objects = Some(new);
            return Ok(new);
        }
        while let Some(object) = next {
            next = self.memory.object(object).state.link;
            if next == Some(earlier) {
                self.save_object(object);
                self.memory.object_mut(object).state.link = Some(new);
                break;
            }
        }
        Ok(new)
    }

    fn end_scope(&mut self, run: &mut Run<'_>, object: ObjectId) -> Went {
        let is_granted = std::mem::take(&mut run.granted);
        if !is_granted && self.is_visible(run.thread, object) && !self.is_alone(run.thread) {
            let mut request = Request::new(Verb::Leave, address_of(object));
            self.add_end(object, &mut request);
            self.announce(run.thread, &mut request);
            return Went::Announced;
        }
        self.end_object(object, Life::OutOfScope);
        Went::On
    }
}
