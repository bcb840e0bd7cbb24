//! Computations that come out alike become one (global value numbering).
//!
//! Each computation moves up to where the last of its operands is assigned. So equal ones meet in one place, which comes before
//! all that use them, and ways that only computed become empty: what they bring to a phi is the same, or is chosen by
//! [`merge_blocks`](super::merge_blocks()). Only what has no effects and cannot fail is moved.

use super::inline::replace_registers;
use crate::analysis::{ControlFlow, Dominators, evaluate, is_repeatable};
use crate::function::{Body, Instruction, Phi};
use crate::ids::{BlockId, Reg};
use crate::operation::{Operation, Values};
use crate::operators::{BinaryOp, CastOp, IntPredicate};
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Makes computations that come out alike one; `is_truth` says of a register that it holds 0 or 1.
pub(super) fn number(body: &mut Body, is_truth: &[bool]) {
    let flow = ControlFlow::new(body);
    let dominators = Dominators::new(&flow, body.blocks.len());
    let count = body.registers.len();
    let mut numbering = Numbering {
        dominators: &dominators,
        is_truth,
        replaced: vec![None; count],
        home: vec![Body::ENTRY; count],
        computed: vec![None; count],
        known: FxHashMap::default(),
        moved: vec![Vec::new(); body.blocks.len()],
    };
    flow.reverse_postorder().iter().for_each(|&id| numbering.block(body, id));
    let Numbering { replaced, moved, .. } = numbering;
    body.blocks.iter_mut().zip(moved).for_each(|(block, moved)| block.instructions.extend(moved));
    let replaced = replaced.into_iter().enumerate();
    let replacements: Vec<_> = replaced.filter_map(|(index, value)| Some((Reg::new(index), value?))).collect();
    replace_registers(body, &replacements);
}

struct Numbering<'a> {
    dominators: &'a Dominators,
    is_truth: &'a [bool],
    /// By register, what takes its place.
    replaced: Vec<Option<Value>>,
    /// By register, the block that assigns it.
    home: Vec<BlockId>,
    /// By register, how it is computed.
    computed: Vec<Option<Operation>>,
    /// Computations by their operands, with the registers that hold what they come to.
    known: FxHashMap<Values, Vec<(Operation, Type, Reg)>>,
    /// By block, what has moved there, to its end.
    moved: Vec<Vec<Instruction>>,
}

impl Numbering<'_> {
    /// Looks at a block. All that dominate it have been looked at.
    fn block(&mut self, body: &mut Body, id: BlockId) {
        let phis = std::mem::take(&mut body.blocks[id.index()].phis);
        body.blocks[id.index()].phis = phis.into_iter().filter_map(|phi| self.phi(phi, id)).collect();
        let instructions = std::mem::take(&mut body.blocks[id.index()].instructions);
        let stay = instructions.into_iter().filter_map(|instruction| self.instruction(body, instruction, id)).collect();
        body.blocks[id.index()].instructions = stay;
    }

    fn resolved(&self, value: Value) -> Value {
        value.reg().and_then(|reg| self.replaced[reg.index()]).unwrap_or(value)
    }

    /// A phi, unless the same comes from everywhere. What comes from below is not known yet, and is something else.
    fn phi(&mut self, mut phi: Phi, id: BlockId) -> Option<Phi> {
        self.home[phi.result.index()] = id;
        phi.incoming.iter_mut().for_each(|incoming| incoming.1 = self.resolved(incoming.1));
        let (first, others) = phi.incoming.split_first()?;
        let is_same = matches!(first.1, Value::Reg(_) | Value::Const { .. }) && others.iter().all(|it| it.1 == first.1);
        if is_same && first.1 != Value::Reg(phi.result) {
            self.replaced[phi.result.index()] = Some(first.1);
            return None;
        }
        Some(phi)
    }

    /// An instruction, unless what it computes is known, or is computed elsewhere.
    fn instruction(&mut self, body: &Body, mut instruction: Instruction, id: BlockId) -> Option<Instruction> {
        instruction.operation.for_each_value_mut(|value| *value = self.resolved(*value));
        instruction.results.iter().for_each(|result| self.home[result.index()] = id);
        let ([result], true) = (&instruction.results[..], is_repeatable(&instruction.operation)) else {
            return Some(instruction);
        };
        let (result, ty) = (*result, body.register(*result).ty);
        if let Some(value) = self.simplified(body, &instruction.operation, ty) {
            self.replaced[result.index()] = Some(value);
            return None;
        }
        let operands = instruction.operation.values();
        let place = self.place(&operands);
        let alike = self.known.entry(operands).or_default();
        if let Some((.., known)) = alike.iter().find(|it| it.0 == instruction.operation && it.1 == ty) {
            self.replaced[result.index()] = Some(Value::Reg(*known));
            return None;
        }
        alike.push((instruction.operation.clone(), ty, result));
        self.computed[result.index()] = Some(instruction.operation.clone());
        self.home[result.index()] = place;
        if place == id {
            return Some(instruction);
        }
        self.moved[place.index()].push(instruction);
        None
    }

    /// The last of the blocks where these are assigned: all of them dominate where they are used, and so one another.
    fn place(&self, operands: &[Value]) -> BlockId {
        let homes = operands.iter().filter_map(|value| Some(self.home[value.reg()?.index()]));
        homes.fold(Body::ENTRY, |last, home| if self.dominators.dominates(last, home) { home } else { last })
    }

    /// How a value is computed.
    fn computation(&self, value: Value) -> Option<&Operation> {
        self.computed[value.reg()?.index()].as_ref()
    }

    /// What an operation comes to, if that is something that is there already.
    fn simplified(&self, body: &Body, operation: &Operation, ty: Type) -> Option<Value> {
        match *operation {
            Operation::Select { then, otherwise, .. } if then == otherwise => Some(then),
            Operation::Compare { predicate: IntPredicate::Ne, lhs, rhs: Value::Const { bits: 0, .. } } => {
                self.extended(body, lhs, Type::BOOL)
            }
            Operation::Cast { op: CastOp::Trunc, value } => self.extended(body, value, ty),
            Operation::Cast { op: CastOp::ZExt, value } => match self.computation(value) {
                Some(&Operation::Cast { op: CastOp::Trunc, value: whole }) => {
                    let is_truth = whole.reg().is_some_and(|reg| self.is_truth[reg.index()]);
                    (value.ty(body) == Some(Type::BOOL) && is_truth && whole.ty(body) == Some(ty)).then_some(whole)
                }
                _ => None,
            },
            Operation::Binary { op: BinaryOp::Xor, lhs, rhs } => match self.computation(lhs) {
                Some(&Operation::Binary { op: BinaryOp::Xor, lhs: twice, rhs: same }) if same == rhs => Some(twice),
                _ => None,
            },
            _ => None,
        }
        .or_else(|| evaluate(operation, ty))
    }

    /// What a value was before it was made larger by zeros, if that is of this type.
    fn extended(&self, body: &Body, value: Value, ty: Type) -> Option<Value> {
        match self.computation(value) {
            Some(&Operation::Cast { op: CastOp::ZExt, value: inner }) if inner.ty(body) == Some(ty) => Some(inner),
            _ => None,
        }
    }
}
