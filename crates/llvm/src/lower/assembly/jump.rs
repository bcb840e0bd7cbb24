//! Jumps forward within a template, over instructions that only compute: the registers are what they were, or what those have made of
//! them.

use super::{Flags, Frame, Register};
use crate::lower::function::Lowerer;
use everyway_ir::{Operation, Value};
use rustc_hash::FxHashMap;

/// A jump whose target is still to come.
#[derive(Debug)]
pub(super) struct Jump {
    label: String,
    /// Whether it is taken, an `i1`.
    taken: Value,
    /// What was in the registers.
    registers: FxHashMap<Register, Value>,
}

impl Lowerer<'_, '_, '_> {
    /// `jnz 1f`: a jump to a label that is further on, if this condition holds.
    pub(super) fn jump(&mut self, frame: &mut Frame, condition: &str, target: &str) -> Option<()> {
        let label = target.strip_suffix('f')?.to_owned();
        let taken = self.flag(frame, condition)?;
        frame.jump = Some(Jump { label, taken, registers: frame.registers.clone() });
        Some(())
    }

    /// `1:`, where the jump and the instructions that it leaves out meet.
    pub(super) fn label(&mut self, frame: &mut Frame, label: &str) -> Option<()> {
        let Jump { taken, registers, .. } = frame.jump.take().filter(|jump| jump.label == label)?;
        if registers.len() != frame.registers.len() {
            // Where the jump was taken, there is nothing in one of them.
            return None;
        }
        for (register, then) in registers {
            let otherwise = *frame.registers.get(&register)?;
            if then == otherwise {
                continue;
            }
            let ty = then.ty(&self.body)?;
            let otherwise = self.converted(otherwise, ty);
            let either = self.emit_one(Operation::Select { condition: taken, then, otherwise }, ty);
            frame.registers.insert(register, either);
        }
        frame.flags = Flags::Unknown;
        Some(())
    }
}
