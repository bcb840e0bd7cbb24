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
        let mut found = Self(Vec::new());
        found.refresh(body, body.block_ids());
        found
    }

    /// Looks again at blocks that have changed.
    pub(crate) fn refresh(&mut self, body: &Body, blocks: impl Iterator<Item = BlockId>) {
        let list = &mut self.0;
        list.resize(body.registers.len(), Definition::Parameter);
        for id in blocks {
            let block = body.block(id);
            block.phis.iter().for_each(|phi| list[phi.result.index()] = Definition::Phi(id));
            for (position, instruction) in block.instructions.iter().enumerate() {
                for result in &instruction.results {
                    list[result.index()] = Definition::Instruction(id, position);
                }
            }
        }
    }

    pub(crate) fn of(&self, reg: Reg) -> Definition {
        self.0[reg.index()]
    }

    /// The block and position of the instruction that assigns the register, if one does.
    pub(crate) fn instruction(&self, reg: Reg) -> Option<(BlockId, usize)> {
        if let Definition::Instruction(block, position) = self.of(reg) { Some((block, position)) } else { None }
    }
}
