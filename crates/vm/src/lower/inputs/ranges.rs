//! Between which values a register is at some point, because of what has been decided on the way there.
//!
//! A condition that holds at a block which dominates another one holds there, too: all ways to it come by that block, and a register
//! that is assigned again before it is assigned before that block as well.

use everyway_ir::{BinaryOp, BlockId, Body, CastOp, ControlFlow, Dominators, IntPredicate, Operation, Reg};
use everyway_ir::{TerminatorKind, Type, Value};
use rustc_hash::FxHashMap;

/// Ranges of more values are not told apart value by value.
const VALUES: i128 = 12;

/// A point in a function: before an instruction of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) block: BlockId,
    pub(super) position: usize,
}

/// What is needed to find ranges in a function.
#[derive(Debug)]
pub(super) struct Ranges<'m> {
    body: &'m Body,
    flow: ControlFlow,
    dominators: Dominators,
    assigned: FxHashMap<Reg, &'m Operation>,
}

/// The values that a register can have, in both orders.
struct Bounds {
    signed: (i128, i128),
    unsigned: (i128, i128),
}

impl<'m> Ranges<'m> {
    pub(super) fn new(body: &'m Body) -> Self {
        let flow = ControlFlow::new(body);
        let dominators = Dominators::new(&flow, body.blocks.len());
        let instructions = body.blocks.iter().flat_map(|block| &block.instructions);
        let assigned = instructions.flat_map(|it| it.results.iter().map(move |&result| (result, &it.operation)));
        Self { body, dominators, assigned: assigned.collect(), flow }
    }

    /// The operation that gives a register its value.
    pub(super) fn operation(&self, register: Reg) -> Option<&'m Operation> {
        self.assigned.get(&register).copied()
    }

    /// The values that a register can have at a point, if these are few.
    pub(super) fn values(&self, register: Reg, at: Point) -> Option<Vec<u64>> {
        let Type::Int(width @ 1..=64) = self.body.register(register).ty else { return None };
        let width = u32::from(width);
        let whole = 1i128 << width;
        let mut bounds = Bounds { signed: (-whole / 2, whole / 2 - 1), unsigned: (0, whole - 1) };
        self.assume(register, at, width, &mut bounds);
        let mut block = at.block;
        while let Some(above) = self.dominators.immediate(block) {
            if let TerminatorKind::Branch { condition, then, otherwise } = self.body.block(above).terminator.kind
                && then != otherwise
                && self.flow.predecessors(block) == [above]
            {
                self.narrow(register, condition, block == then, width, &mut bounds);
            }
            block = above;
            let end = Point { block, position: self.body.block(block).instructions.len() };
            self.assume(register, end, width, &mut bounds);
        }
        let few = [bounds.unsigned, bounds.signed].into_iter().find(|(least, most)| most - least < VALUES)?;
        Some((few.0..=few.1).map(|value| value as u64 & crate::cell::mask(width)).collect())
    }

    /// What is assumed in a block before a point.
    fn assume(&self, register: Reg, at: Point, width: u32, bounds: &mut Bounds) {
        for instruction in &self.body.block(at.block).instructions[..at.position] {
            if let Operation::Assume { condition, .. } = instruction.operation {
                self.narrow(register, condition, true, width, bounds);
            }
        }
    }

    /// The bounds where a condition holds, or does not.
    fn narrow(&self, register: Reg, condition: Value, holds: bool, width: u32, bounds: &mut Bounds) {
        let Some(operation) = condition.reg().and_then(|condition| self.operation(condition)) else { return };
        match *operation {
            Operation::Binary { op: BinaryOp::Xor, lhs, rhs: Value::Const { bits: 1, .. } } => {
                self.narrow(register, lhs, !holds, width, bounds);
            }
            Operation::Binary { op: BinaryOp::And, lhs, rhs } if holds => {
                self.narrow(register, lhs, true, width, bounds);
                self.narrow(register, rhs, true, width, bounds);
            }
            Operation::Compare { predicate, lhs: Value::Reg(compared), rhs: Value::Const { bits, .. } } => {
                let predicate = if holds { predicate } else { predicate.inverse() };
                if compared == register {
                    bounds.narrow(predicate, bits as u64, width);
                } else if let Some(truth) = self.truth(compared)
                    && bits == 0
                    && matches!(predicate, IntPredicate::Eq | IntPredicate::Ne)
                {
                    self.narrow(register, truth, predicate == IntPredicate::Ne, width, bounds);
                }
            }
            Operation::Compare { predicate, lhs: Value::Const { bits, .. }, rhs: Value::Reg(compared) }
                if compared == register =>
            {
                let predicate = predicate.swapped();
                bounds.narrow(if holds { predicate } else { predicate.inverse() }, bits as u64, width);
            }
            _ => {}
        }
    }

    /// The condition that a register is the number of.
    fn truth(&self, register: Reg) -> Option<Value> {
        match *self.operation(register)? {
            Operation::Cast { op: CastOp::ZExt, value } if value.ty(self.body) == Some(Type::BOOL) => Some(value),
            _ => None,
        }
    }
}

impl Bounds {
    fn narrow(&mut self, predicate: IntPredicate, constant: u64, width: u32) {
        let (signed, unsigned) = (crate::cell::sign_extend(constant, width).into(), i128::from(constant));
        let below = |(least, most): &mut (i128, i128), bound: i128| (*least, *most) = (*least, bound.min(*most));
        let above = |(least, most): &mut (i128, i128), bound: i128| (*least, *most) = (bound.max(*least), *most);
        match predicate {
            IntPredicate::Eq => {
                below(&mut self.signed, signed);
                above(&mut self.signed, signed);
                below(&mut self.unsigned, unsigned);
                above(&mut self.unsigned, unsigned);
            }
            IntPredicate::Ne => {}
            IntPredicate::Slt => below(&mut self.signed, signed - 1),
            IntPredicate::Sle => below(&mut self.signed, signed),
            IntPredicate::Sgt => above(&mut self.signed, signed + 1),
            IntPredicate::Sge => above(&mut self.signed, signed),
            IntPredicate::Ult => below(&mut self.unsigned, unsigned - 1),
            IntPredicate::Ule => below(&mut self.unsigned, unsigned),
            IntPredicate::Ugt => above(&mut self.unsigned, unsigned + 1),
            IntPredicate::Uge => above(&mut self.unsigned, unsigned),
        }
    }
}
