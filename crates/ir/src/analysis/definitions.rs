//! Where registers are assigned.

use crate::function::Body;
use crate::ids::{BlockId, Reg};

/// Where a register is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Definition {
    /// By the call of the function.
    Parameter,
    /// By a phi of this block.
    Phi(BlockId),
    /// By the instruction at this position of the block.
    Instruction(BlockId, usize),
}

/// Where the registers of a body are assigned.
#[derive(Clone, Debug)]
pub(crate) struct Definitions(Vec<Definition>);

impl Definitions {
    pub(crate) fn new(body: &Body) -> Self {
        let mut list = vec![Definition::Parameter; body.registers.len()];
        for id in body.block_ids() {
            let block = body.block(id);
            block.phis.iter().for_each(|phi| list[phi.result.index()] = Definition::Phi(id));
            for (position, instruction) in block.instructions.iter().enumerate() {
                for result in &instruction.results {
                    list[result.index()] = Definition::Instruction(id, position);
                }
            }
        }
        Self(list)
    }

    pub(crate) fn of(&self, reg: Reg) -> Definition {
        self.0[reg.index()]
    }

    /// The block and position of the instruction that assigns the register, if one does.
    pub(crate) fn instruction(&self, reg: Reg) -> Option<(BlockId, usize)> {
        if let Definition::Instruction(block, position) = self.of(reg) { Some((block, position)) } else { None }
    }
}
