//! Variables that end before their function does: when the block ends that they are declared in.
//!
//! The object stays where it is. Whoever comes back to the block finds it there again, without a value.

use crate::access::{Request, Went};
use crate::arithmetic::Lanes as _;
use crate::code::Operand;
use crate::ids::ObjectId;
use crate::interpret::Run;
use crate::machine::Machine;
use crate::memory::{Life, Origin, Owner, Word, address_of};
use everyway_ir::ScopeMark;
use everyway_runtime::Verb;

impl Machine {
    /// The scope of the variable at an address begins or ends.
    pub(crate) fn scope(&mut self, run: &mut Run<'_>, address: Operand, mark: ScopeMark) -> Went {
        let address = run.registers.get(address).bits;
        let variable = self.memory.resolve(address).map(|found| found.0);
        let is_variable = |object: &ObjectId| matches!(self.memory.object(*object).state.origin, Origin::Stack(..));
        let Some(object) = variable.filter(is_variable) else { return Went::On };
        match (mark, self.memory.object(object).state.life) {
            (ScopeMark::Begins, Life::OutOfScope) => {
                self.begin_scope(object);
                Went::On
            }
            (ScopeMark::Ends, Life::Alive) => self.end_scope(run, object),
            _ => Went::On,
        }
    }

    fn begin_scope(&mut self, object: ObjectId) {
        self.save_object(object);
        self.memory.object_mut(object).state.life = Life::Alive;
        // Others may still know the address. What they would find there is the business of whoever let them have it.
        if self.memory.object(object).state.owner != Owner::Shared {
            for granule in 0..self.memory.object(object).words.len() as u32 {
                self.write_word(object, granule, Word::undefined(64));
            }
        }
    }

    fn end_scope(&mut self, run: &mut Run<'_>, object: ObjectId) -> Went {
        let is_granted = std::mem::take(&mut run.granted);
        if !is_granted && self.is_visible(run.thread, object) && !self.is_alone(run.thread) {
            let mut request = Request::new(Verb::Leave, address_of(object));
            self.add_end(object, &mut request);
            self.announce(run.thread, request);
            return Went::Announced;
        }
        self.end_object(object, Life::OutOfScope);
        Went::On
    }
}
