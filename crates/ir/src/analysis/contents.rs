//! What [scalar](super::scalars) global variables may hold, whenever they are looked at.
//!
//! If all that is ever stored is what is there at the start, a variable never changes: programs that are made by tools copy
//! back what they have read, and clear what was never set. The search begins with the guess that nothing changes, and gives up
//! of it what a store refutes, so that variables that are copied to each other do not keep each other from being known.

use super::control_flow::ControlFlow;
use super::evaluate::evaluate;
use super::expression::is_repeatable;
use super::scalars::Scalars;
use crate::environment::Environment;
use crate::function::Body;
use crate::ids::GlobalId;
use crate::module::{Global, Module};
use crate::operation::{Callee, Operation};
use crate::operators::{BinaryOp, CastOp};
use crate::types::Type;
use crate::value::Value;

/// What something may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// This constant.
    Known(Value),
    /// 0 or 1.
    Truth,
    /// Some value.
    Defined,
    /// Anything, and perhaps no value at all.
    Any,
}

impl Content {
    /// What is the one or the other.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Content::Any, _) | (_, Content::Any) => Content::Any,
            (one, other) if one.is_truth() && other.is_truth() => Content::Truth,
            _ => Content::Defined,
        }
    }

    /// Whether it is 0 or 1.
    pub(crate) fn is_truth(self) -> bool {
        matches!(self, Content::Truth | Content::Known(Value::Const { bits: 0 | 1, .. }))
    }
}

/// What is known of global variables.
#[derive(Debug)]
pub(crate) struct Contents {
    scalars: Scalars,
    /// By variable, if it is a scalar.
    held: Vec<Content>,
}

impl Contents {
    pub(crate) fn new(module: &Module, environment: &Environment) -> Self {
        let scalars = Scalars::new(module);
        let held = (0..module.globals.len()).map(GlobalId::new);
        let held = held.map(|id| scalars.of(id).map_or(Content::Any, |scalar| initial(module.global(id), scalar.ty)));
        let mut contents = Self { held: held.collect(), scalars };
        let bodies: Vec<&Body> = module.functions.iter().filter_map(|function| function.body.as_ref()).collect();
        let flows: Vec<ControlFlow> = bodies.iter().map(|body| ControlFlow::new(body)).collect();
        loop {
            let mut changes = Vec::new();
            for (body, flow) in bodies.iter().zip(&flows) {
                let reader = Reader::new(module, environment, &contents, body, flow);
                for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
                    if let Operation::Store { address, value, .. } = instruction.operation
                        && let Some((id, _)) = contents.scalars.at(address)
                    {
                        let before = contents.held[id.index()];
                        let after = before.or(reader.of(value));
                        changes.extend((after != before).then_some((id, after)));
                    }
                }
            }
            if changes.is_empty() {
                return contents;
            }
            for (id, content) in changes {
                let held = &mut contents.held[id.index()];
                *held = held.or(content);
            }
        }
    }

    /// What is at an address.
    pub(crate) fn at(&self, address: Value) -> Content {
        self.scalars.at(address).map_or(Content::Any, |(id, _)| self.held[id.index()])
    }

    /// Whether what is stored at an address is never read.
    pub(crate) fn is_unread(&self, address: Value) -> bool {
        self.scalars.is_unread(address)
    }
}

/// What a variable holds at the start.
fn initial(global: &Global, ty: Type) -> Content {
    let Some(initialiser) = &global.initialiser else { return Content::Any };
    if !initialiser.relocations.is_empty() || ty.is_float() {
        return Content::Defined;
    }
    let byte = |(at, &byte): (usize, &u8)| u128::from(byte) << (8 * at);
    let bits = initialiser.bytes.iter().take(ty.bytes() as usize).enumerate().map(byte).sum();
    Content::Known(Value::constant(ty, bits))
}

/// What the registers of a body may hold.
pub(crate) struct Reader<'a> {
    module: &'a Module,
    environment: &'a Environment,
    contents: &'a Contents,
    body: &'a Body,
    /// By register; anything as long as nothing is known.
    known: Vec<Content>,
}

impl<'a> Reader<'a> {
    /// Looks at all registers, each after those that it is computed from. What comes from a later round of a loop is anything.
    pub(crate) fn new(
        module: &'a Module,
        environment: &'a Environment,
        contents: &'a Contents,
        body: &'a Body,
        flow: &ControlFlow,
    ) -> Self {
        let known = vec![Content::Any; body.registers.len()];
        let mut reader = Self { module, environment, contents, body, known };
        for &id in flow.reverse_postorder() {
            let block = body.block(id);
            for phi in &block.phis {
                let incoming = phi.incoming.iter().map(|it| reader.of(it.1));
                reader.known[phi.result.index()] = incoming.reduce(Content::or).unwrap_or(Content::Any);
            }
            for instruction in &block.instructions {
                if let [result] = instruction.results[..] {
                    let content = reader.of_operation(&instruction.operation, body.register(result).ty);
                    reader.known[result.index()] = content;
                }
            }
        }
        reader
    }

    /// What a value may be.
    pub(crate) fn of(&self, value: Value) -> Content {
        match value {
            Value::Const { .. } => Content::Known(value),
            Value::Address { .. } => Content::Defined,
            Value::Undef(_) => Content::Any,
            Value::Reg(reg) => self.known[reg.index()],
        }
    }

    fn of_operation(&self, operation: &Operation, ty: Type) -> Content {
        match operation {
            Operation::Load { address, .. } => self.contents.at(*address),
            Operation::Call { callee: Callee::Direct(id), .. }
                if (self.environment.gives_input)(&self.module.function(*id).name) =>
            {
                Content::Defined
            }
            Operation::Select { condition, then, otherwise } => match self.of(*condition) {
                Content::Any => Content::Any,
                Content::Known(Value::Const { bits, .. }) => self.of(if bits == 1 { *then } else { *otherwise }),
                _ => self.of(*then).or(self.of(*otherwise)),
            },
            Operation::Binary { .. } | Operation::Compare { .. } | Operation::Cast { .. }
                if is_repeatable(operation) =>
            {
                self.of_computation(operation, ty)
            }
            _ => Content::Any,
        }
    }

    fn of_computation(&self, operation: &Operation, ty: Type) -> Content {
        let mut computation = operation.clone();
        let mut all = Content::Truth;
        computation.for_each_value_mut(|value| {
            let content = self.of(*value);
            all = all.or(content);
            if let Content::Known(known) = content {
                *value = known;
            }
        });
        if all == Content::Any {
            return Content::Any;
        }
        if let Some(value) = evaluate(&computation, ty) {
            return Content::Known(value);
        }
        match operation {
            Operation::Compare { .. } => Content::Truth,
            Operation::Cast { op: CastOp::ZExt, value } if value.ty(self.body) == Some(Type::BOOL) => Content::Truth,
            Operation::Cast { op: CastOp::ZExt | CastOp::Trunc, .. }
            | Operation::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, .. } => all,
            Operation::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, .. }
            | Operation::Cast { op: CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr, .. } => Content::Defined,
            _ => Content::Any,
        }
    }
}
