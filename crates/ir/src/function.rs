//! Functions, and what is in them.

use crate::ids::{BlockId, DebugTypeId, Reg, SlotId};
use crate::operation::Operation;
use crate::source::SourceLocation;
use crate::types::Type;
use crate::value::Value;
use smallvec::SmallVec;

/// A function: defined if it has a body, external otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its unique name among globals and functions.
    pub name: String,
    /// What the source calls it, where that is known.
    pub source_name: Option<String>,
    /// What it takes and returns.
    pub signature: Signature,
    /// Where it is defined.
    pub location: Option<SourceLocation>,
    /// Whether it is a declaration of something that may be missing: its address is null if it is.
    pub weak: bool,
    /// What it does; `None` if the program declares it but does not define it.
    pub body: Option<Body>,
}

/// What a function takes and returns, aggregates split into their scalars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// The types of the parameters.
    pub parameters: Vec<Type>,
    /// The types of the results: none for `void`, several for a small structure.
    pub results: SmallVec<[Type; 2]>,
    /// Whether more arguments may follow; see [`Operation::VariadicArea`].
    pub variadic: bool,
}

/// The definition of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Registers by [`Reg`]; the parameters come first.
    pub registers: Vec<Register>,
    /// Stack slots by [`SlotId`].
    pub slots: Vec<Slot>,
    /// Blocks by [`BlockId`]; block 0 is the entry.
    pub blocks: Vec<Block>,
}

/// What is known of a register before the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// What it holds.
    pub ty: Type,
    /// The source variable whose value it is, where that is known.
    pub name: Option<Box<str>>,
}

/// What an [`Operation::Alloca`] makes an object from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The source variable, where that is known.
    pub name: Option<Box<str>>,
    /// The size in bytes of one element.
    pub size: u64,
    /// The alignment in bytes, a power of two.
    pub align: u32,
    /// The type in the source.
    pub debug_type: Option<DebugTypeId>,
    /// Where it is declared.
    pub location: Option<SourceLocation>,
}

/// A straight run of instructions with one entry and one end.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The label in the source of the program, for people.
    pub label: Option<Box<str>>,
    /// The values that depend on where control comes from. All read their incoming values before any of them
    /// is assigned.
    pub phis: Vec<Phi>,
    /// What is done, in order.
    pub instructions: Vec<Instruction>,
    /// Where control goes.
    pub terminator: Terminator,
}

/// A register whose value depends on the block that control comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phi {
    /// The register that is assigned.
    pub result: Reg,
    /// Its value by predecessor, once for each distinct predecessor.
    pub incoming: Vec<(BlockId, Value)>,
    /// The place in the source.
    pub location: Option<SourceLocation>,
}

/// An operation, the registers that take its results, and its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// As many as the operation has results; see [`Operation`].
    pub results: SmallVec<[Reg; 2]>,
    /// What is done.
    pub operation: Operation,
    /// The place in the source.
    pub location: Option<SourceLocation>,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Terminator {
    /// Where control goes.
    pub kind: TerminatorKind,
    /// The place in the source.
    pub location: Option<SourceLocation>,
}

/// Where control goes at the end of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum TerminatorKind {
    /// To one block.
    Jump(BlockId),
    /// To one of two blocks.
    Branch {
        /// An `i1`.
        condition: Value,
        /// Where to go if it is 1.
        then: BlockId,
        /// Where to go if it is 0.
        otherwise: BlockId,
    },
    /// To the block of the case that equals the value.
    Switch {
        /// An integer.
        value: Value,
        /// The cases, as bit patterns of the value's type, without duplicates.
        cases: Vec<(u128, BlockId)>,
        /// Where to go if there is no such case.
        default: BlockId,
    },
    /// Back to the caller, with as many values as the function has results.
    Return(SmallVec<[Value; 2]>),
    /// Nowhere: the program promised not to come here, and getting here is an error in it.
    Unreachable,
}

impl Body {
    /// The entry block.
    pub const ENTRY: BlockId = BlockId(0);

    /// The block with this id.
    #[inline]
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The ids of all blocks.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + use<> {
        (0..self.blocks.len()).map(BlockId::new)
    }

    /// The register with this id.
    #[inline]
    pub fn register(&self, reg: Reg) -> &Register {
        &self.registers[reg.index()]
    }

    /// The slot with this id.
    #[inline]
    pub fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }

    /// A new register.
    pub fn add_register(&mut self, ty: Type, name: Option<Box<str>>) -> Reg {
        self.registers.push(Register { ty, name });
        Reg::new(self.registers.len() - 1)
    }
}

impl Instruction {
    /// The address and the type of what is loaded or stored here, atomically or not, if that is all that is done.
    pub fn accessed(&self, body: &Body) -> Option<(Value, Type)> {
        match self.operation {
            Operation::Load { address, .. } => Some((address, body.register(*self.results.first()?).ty)),
            Operation::Store { address, value, .. } => Some((address, value.ty(body)?)),
            _ => None,
        }
    }
}

impl Block {
    /// All values that the block uses, those that its phis get from its predecessors included.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let operands = self.instructions.iter().flat_map(|instruction| instruction.operation.values());
        self.values_at_ends().chain(operands)
    }

    /// The values that the block uses apart from its instructions: in phis, and to decide where control goes.
    pub fn values_at_ends(&self) -> impl Iterator<Item = Value> + '_ {
        let incoming = self.phis.iter().flat_map(|phi| phi.incoming.iter().map(|incoming| incoming.1));
        incoming.chain(self.terminator.kind.values())
    }
}

impl TerminatorKind {
    /// Calls `visit` with every successor, in order; a block that two cases share comes twice.
    pub fn for_each_successor(&self, mut visit: impl FnMut(BlockId)) {
        match self {
            TerminatorKind::Jump(block) => visit(*block),
            TerminatorKind::Branch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter().for_each(|case| visit(case.1));
                visit(*default);
            }
            TerminatorKind::Return(_) | TerminatorKind::Unreachable => {}
        }
    }

    /// Calls `visit` with every successor, to be changed in place.
    pub fn for_each_successor_mut(&mut self, mut visit: impl FnMut(&mut BlockId)) {
        match self {
            TerminatorKind::Jump(block) => visit(block),
            TerminatorKind::Branch { then, otherwise, .. } => {
                visit(then);
                visit(otherwise);
            }
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|case| visit(&mut case.1));
                visit(default);
            }
            TerminatorKind::Return(_) | TerminatorKind::Unreachable => {}
        }
    }

    /// The values that the terminator uses, in order.
    pub fn values(&self) -> SmallVec<[Value; 2]> {
        match self {
            TerminatorKind::Branch { condition: value, .. } | TerminatorKind::Switch { value, .. } => {
                SmallVec::from_slice(&[*value])
            }
            TerminatorKind::Return(values) => values.clone(),
            TerminatorKind::Jump(_) | TerminatorKind::Unreachable => SmallVec::new(),
        }
    }

    /// The values that the terminator uses, to be changed in place.
    pub fn for_each_value_mut(&mut self, visit: impl FnMut(&mut Value)) {
        match self {
            TerminatorKind::Branch { condition: value, .. } | TerminatorKind::Switch { value, .. } => {
                [value].into_iter().for_each(visit);
            }
            TerminatorKind::Return(values) => values.iter_mut().for_each(visit),
            TerminatorKind::Jump(_) | TerminatorKind::Unreachable => {}
        }
    }
}
