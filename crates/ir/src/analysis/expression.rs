//! Registers as expressions: what is computed from the values that loads, phis and calls give.
//!
//! A condition on an edge is a register that was computed from others. Where else it could be known already - before
//! which load, after which one - depends on what it was computed from, so analyses look through the computation.
//! What they find can be computed again in another place, because only operations without effects that never fail
//! are looked through.

use super::definitions::Definitions;
use crate::function::{Body, Instruction};
use crate::ids::{BlockId, Reg};
use crate::operation::Operation;
use crate::operators::{BinaryOp, CastOp, IntPredicate};
use crate::source::SourceLocation;
use crate::types::Type;
use crate::value::Value;
use smallvec::smallvec;
use std::rc::Rc;

/// Expressions of more nodes are not looked through.
const SIZE_LIMIT: u32 = 48;

/// A value, and how it comes about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    /// A constant, or a register that is not looked through.
    Leaf(Value),
    /// A computation.
    Node(Rc<Node>),
}

/// A computation.
#[derive(Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) ty: Type,
    /// The operation. What it has for operands does not count.
    operation: Operation,
    pub(crate) operands: Vec<Expression>,
    size: u32,
}

/// The value that operands of the operation in a node are replaced by, so that equal nodes are equal.
const PLACEHOLDER: Value = Value::Undef(Type::BOOL);

impl Node {
    /// The function of two operands, if it is one.
    pub(crate) fn binary(&self) -> Option<(BinaryOp, &Expression, &Expression)> {
        match (&self.operation, &self.operands[..]) {
            (Operation::Binary { op, .. }, [a, b]) => Some((*op, a, b)),
            _ => None,
        }
    }

    /// The relation of two operands, if it is one.
    pub(crate) fn compare(&self) -> Option<(IntPredicate, &Expression, &Expression)> {
        match (&self.operation, &self.operands[..]) {
            (Operation::Compare { predicate, .. }, [a, b]) => Some((*predicate, a, b)),
            _ => None,
        }
    }

    /// The conversion, if it is one.
    pub(crate) fn cast(&self) -> Option<(CastOp, &Expression)> {
        match (&self.operation, &self.operands[..]) {
            (Operation::Cast { op, .. }, [value]) => Some((*op, value)),
            _ => None,
        }
    }

    /// The condition and the two values, if it is a choice.
    pub(crate) fn select(&self) -> Option<(&Expression, &Expression, &Expression)> {
        match (&self.operation, &self.operands[..]) {
            (Operation::Select { .. }, [condition, then, otherwise]) => Some((condition, then, otherwise)),
            _ => None,
        }
    }
}

impl Expression {
    /// `operation`, which must have one result, of type `ty`, on operands.
    fn node(ty: Type, mut operation: Operation, operands: Vec<Expression>) -> Self {
        operation.for_each_value_mut(|value| *value = PLACEHOLDER);
        let size = 1 + operands.iter().map(Expression::size).sum::<u32>();
        Expression::Node(Rc::new(Node { ty, operation, operands, size }))
    }

    /// A relation.
    pub(crate) fn compare(predicate: IntPredicate, lhs: Expression, rhs: Expression) -> Self {
        let operation = Operation::Compare { predicate, lhs: PLACEHOLDER, rhs: PLACEHOLDER };
        Self::node(Type::BOOL, operation, vec![lhs, rhs])
    }

    /// The expression, an `i1`, or its opposite if it is not to hold.
    pub(crate) fn equals_bool(self, is: bool) -> Self {
        if is {
            return self;
        }
        Self::binary(Type::BOOL, BinaryOp::Xor, self, Expression::Leaf(Value::bool(true)))
    }

    /// A function of two values of type `ty`.
    pub(crate) fn binary(ty: Type, op: BinaryOp, lhs: Expression, rhs: Expression) -> Self {
        Self::node(ty, Operation::Binary { op, lhs: PLACEHOLDER, rhs: PLACEHOLDER }, vec![lhs, rhs])
    }

    /// The value in `body`, looking through the registers that `through` accepts the places of.
    pub(crate) fn of(
        body: &Body,
        definitions: &Definitions,
        value: Value,
        through: &dyn Fn(BlockId, usize) -> bool,
    ) -> Self {
        Self::looking_through(body, value, &|reg| {
            let (block, position) = definitions.instruction(reg)?;
            through(block, position).then(|| &body.block(block).instructions[position])
        })
    }

    /// The value in `body`, looking through the registers that `assigned` has instructions for.
    pub(crate) fn looking_through<'b>(
        body: &'b Body,
        value: Value,
        assigned: &dyn Fn(Reg) -> Option<&'b Instruction>,
    ) -> Self {
        let expand = || {
            let reg = value.reg()?;
            let instruction = assigned(reg)?;
            if instruction.results.len() > 1 || !is_repeatable(&instruction.operation) {
                return None;
            }
            let operands = instruction.operation.values().into_iter();
            let operands: Vec<_> = operands.map(|value| Self::looking_through(body, value, assigned)).collect();
            let size: u32 = operands.iter().map(Expression::size).sum();
            let ty = body.register(reg).ty;
            (size < SIZE_LIMIT).then(|| Self::node(ty, instruction.operation.clone(), operands))
        };
        expand().unwrap_or(Expression::Leaf(value))
    }

    fn size(&self) -> u32 {
        match self {
            Expression::Leaf(_) => 1,
            Expression::Node(node) => node.size,
        }
    }

    /// The node, if it is a computation.
    pub(crate) fn as_node(&self) -> Option<&Node> {
        if let Expression::Node(node) = self { Some(node) } else { None }
    }

    /// The bits, if it is a constant.
    pub(crate) fn as_constant(&self) -> Option<u128> {
        if let Expression::Leaf(Value::Const { bits, .. }) = self { Some(*bits) } else { None }
    }

    /// Whether this is `other` plus or minus a constant that is not zero.
    pub(crate) fn differs_by_constant(&self, other: &Expression) -> bool {
        let Some(node) = self.as_node() else { return false };
        match (&node.operation, &node.operands[..]) {
            (Operation::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. }, [a, b]) => {
                a == other && b.as_constant().is_some_and(|constant| constant != 0)
            }
            (Operation::Offset { offset, index: None, .. }, [base]) => base == other && *offset != 0,
            _ => false,
        }
    }

    /// The condition that was made a number, 0 or 1, here. Once it is a number of several bits, it is the same one in
    /// any width: `__builtin_expect` has it as a `long`, which is a sign extension of an `int`.
    pub(crate) fn as_condition(&self, body: &Body) -> Option<&Expression> {
        let (op, inner) = self.as_node()?.cast()?;
        match (op, inner.ty(body)) {
            (CastOp::ZExt, Type::BOOL) => Some(inner),
            (CastOp::ZExt | CastOp::SExt, _) => inner.as_condition(body),
            (CastOp::Trunc, _) if self.ty(body) != Type::BOOL => inner.as_condition(body),
            _ => None,
        }
    }

    /// The type of the value in `body`.
    pub(crate) fn ty(&self, body: &Body) -> Type {
        match self {
            Expression::Leaf(value) => value.ty(body).unwrap_or(Type::Ptr),
            Expression::Node(node) => node.ty,
        }
    }

    /// Whether some register that the expression is made from is accepted by `wanted`.
    pub(crate) fn has_register(&self, wanted: &dyn Fn(Reg) -> bool) -> bool {
        match self {
            Expression::Leaf(value) => value.reg().is_some_and(wanted),
            Expression::Node(node) => node.operands.iter().any(|operand| operand.has_register(wanted)),
        }
    }

    /// Calls `visit` with the registers that the expression is made from.
    pub(crate) fn for_each_register(&self, visit: &mut dyn FnMut(Reg)) {
        match self {
            Expression::Leaf(value) => value.reg().into_iter().for_each(visit),
            Expression::Node(node) => node.operands.iter().for_each(|operand| operand.for_each_register(visit)),
        }
    }

    /// The expression with some of its registers replaced.
    #[must_use]
    pub(crate) fn replace(&self, with: &dyn Fn(Reg) -> Option<Expression>) -> Self {
        match self {
            Expression::Leaf(value) => value.reg().and_then(with).unwrap_or_else(|| self.clone()),
            Expression::Node(node) => {
                let operands: Vec<_> = node.operands.iter().map(|operand| operand.replace(with)).collect();
                Self::node(node.ty, node.operation.clone(), operands)
            }
        }
    }

    /// The expression for people, with values as `show` has them.
    pub(crate) fn show(&self, show: &dyn Fn(Value) -> String) -> String {
        let node = match self {
            Expression::Leaf(value) => return show(*value),
            Expression::Node(node) => node,
        };
        let operands: Vec<String> = node.operands.iter().map(|operand| operand.show(show)).collect();
        let name = match &node.operation {
            Operation::Binary { op, .. } => op.name(),
            Operation::Unary { op, .. } => op.name(),
            Operation::Cast { op, .. } => op.name(),
            Operation::Compare { predicate, .. } => return operands.join(&format!(" {predicate} ")),
            Operation::FloatCompare { predicate, .. } => return operands.join(&format!(" {predicate} ")),
            Operation::Select { .. } => "select",
            Operation::Offset { .. } => "offset",
            _ => "function",
        };
        format!("{name}({})", operands.join(", "))
    }

    /// Appends instructions that compute the value, where registers are called as `name` says; answers with it.
    pub(crate) fn emit(
        &self,
        body: &mut Body,
        location: Option<SourceLocation>,
        name: &mut dyn FnMut(&mut Body, Reg) -> Value,
        to: &mut Vec<Instruction>,
    ) -> Value {
        match self {
            Expression::Leaf(Value::Reg(reg)) => name(body, *reg),
            Expression::Leaf(value) => *value,
            Expression::Node(node) => {
                let values: Vec<Value> =
                    node.operands.iter().map(|operand| operand.emit(body, location, name, to)).collect();
                let mut operation = node.operation.clone();
                let mut values = values.into_iter();
                operation.for_each_value_mut(|value| *value = values.next().unwrap_or(*value));
                let result = body.add_register(node.ty, None);
                to.push(Instruction { results: smallvec![result], operation, location });
                Value::Reg(result)
            }
        }
    }
}

/// Whether the operation can be computed anywhere: it has no effects and never fails.
pub(crate) fn is_repeatable(operation: &Operation) -> bool {
    !operation.has_effects() && !may_divide_by_zero(operation)
}

/// Whether the operation does nothing but compute, or concerns the compiler only.
pub(crate) fn only_computes(operation: &Operation) -> bool {
    is_repeatable(operation) || matches!(operation, Operation::Fence { single_thread: true, .. })
}

/// Whether the operation is a division that may fail.
pub(crate) fn may_divide_by_zero(operation: &Operation) -> bool {
    let Operation::Binary { op, rhs, .. } = operation else { return false };
    match op {
        BinaryOp::UDiv | BinaryOp::URem => !matches!(rhs, Value::Const { bits, .. } if *bits != 0),
        // The least number divided by -1 is an error, too.
        BinaryOp::SDiv | BinaryOp::SRem => {
            !matches!(rhs, Value::Const { ty, bits } if *bits != 0 && *bits != ty.mask())
        }
        _ => false,
    }
}
