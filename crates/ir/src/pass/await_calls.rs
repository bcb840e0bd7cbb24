//! Calls that wait for a value, as the tool of FMCAD 2022 offers them to programs, become awaits.
//!
//! `T __VERIFIER_load_await_T(T *address, condition, T operand)` is a load that takes place once what it finds is in the
//! relation `condition` to `operand`; `T __VERIFIER_xchg_await_T(T *address, T new, condition, T operand)` is an exchange
//! that does. The condition is a number whose low four bits count: whether the relation is of signed values (8), and
//! whether it holds if what is found is less (4), equal (2) and greater (1). A condition that is not known here becomes
//! one on each of the three, with an operand that rules nothing out unless the bits say so.

use crate::environment::{AwaitCall, Environment};
use crate::function::{Body, Instruction};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::{AtomicOrdering, BinaryOp, IntPredicate, RmwOp};
use crate::types::Type;
use crate::until::{Test, Until};
use crate::value::Value;
use smallvec::smallvec;

/// Turns the calls of functions that wait into awaits.
pub fn adopt_awaits(module: &mut Module, environment: &Environment) {
    let is_one = |name: &str, defined: bool| if defined { None } else { (environment.awaits)(name) };
    let calls: Vec<Option<AwaitCall>> =
        module.functions.iter().map(|function| is_one(&function.name, function.body.is_some())).collect();
    if calls.iter().all(Option::is_none) {
        return;
    }
    for body in module.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for block in body.block_ids() {
            let before = std::mem::take(&mut body.blocks[block.index()].instructions);
            let mut after = Vec::with_capacity(before.len());
            for instruction in before {
                let adopted = match &instruction.operation {
                    Operation::Call { callee: Callee::Direct(callee), arguments, .. } => calls[callee.index()]
                        .and_then(|call| adopted(body, instruction.clone(), call, arguments, &mut after)),
                    _ => None,
                };
                after.push(adopted.unwrap_or(instruction));
            }
            body.blocks[block.index()].instructions = after;
        }
    }
}

/// The await that a call stands for, if its arguments are as they should be, after what is computed for it.
fn adopted(
    body: &mut Body,
    mut call: Instruction,
    kind: AwaitCall,
    arguments: &[Value],
    before: &mut Vec<Instruction>,
) -> Option<Instruction> {
    let (address, new, condition, operand) = match (kind, arguments) {
        (AwaitCall::Load, &[address, condition, operand]) => (address, None, condition, operand),
        (AwaitCall::Exchange, &[address, new, condition, operand]) => (address, Some(new), condition, operand),
        _ => return None,
    };
    let ty = operand.ty(body).filter(|ty| ty.is_int() && matches!(ty.bits(), 8 | 16 | 32 | 64))?;
    let is_of_type = |value: Value| value.ty(body) == Some(ty);
    let fits = address.ty(body) == Some(Type::Ptr)
        && new.is_none_or(is_of_type)
        && condition.ty(body).is_some_and(|ty| ty.is_int() && ty.bits() >= 4);
    if !fits || call.results.iter().any(|result| body.register(*result).ty != ty) {
        return None;
    }
    if call.results.is_empty() {
        call.results = smallvec![body.add_register(ty, None)];
    }
    let (ordering, volatile) = (AtomicOrdering::SeqCst, false);
    let access = match new {
        None => Operation::Load { address, align: ty.bits() / 8, volatile, ordering: Some(ordering) },
        Some(value) => Operation::AtomicRmw { op: RmwOp::Xchg, address, value, ordering, volatile },
    };
    let known = match condition {
        Value::Const { bits, .. } => predicate(bits & (SIGNED | LESS | EQUAL | GREATER)),
        _ => None,
    };
    let clauses = match known {
        Some(predicate) => vec![vec![test(predicate, operand)]],
        None => Computed { body, location: call.location, before }.clauses(condition, operand, ty),
    };
    call.operation = Operation::Await { access: Box::new(access), until: Until { clauses }, round: None };
    Some(call)
}

const SIGNED: u128 = 0b1000;
const LESS: u128 = 0b0100;
const EQUAL: u128 = 0b0010;
const GREATER: u128 = 0b0001;

/// The relation that a number stands for, unless it holds always or never.
fn predicate(bits: u128) -> Option<IntPredicate> {
    Some(match bits {
        0b0001 => IntPredicate::Ugt,
        0b0010 | 0b1010 => IntPredicate::Eq,
        0b0011 => IntPredicate::Uge,
        0b0100 => IntPredicate::Ult,
        0b0101 | 0b1101 => IntPredicate::Ne,
        0b0110 => IntPredicate::Ule,
        0b1001 => IntPredicate::Sgt,
        0b1011 => IntPredicate::Sge,
        0b1100 => IntPredicate::Slt,
        0b1110 => IntPredicate::Sle,
        _ => return None,
    })
}

fn test(predicate: IntPredicate, operand: Value) -> Test {
    Test { mask: None, predicate, operand }
}

/// What is computed before an await whose relation is not known.
struct Computed<'a> {
    body: &'a mut Body,
    location: Option<crate::SourceLocation>,
    before: &'a mut Vec<Instruction>,
}

impl Computed<'_> {
    fn compute(&mut self, ty: Type, operation: Operation) -> Value {
        let result = self.body.add_register(ty, None);
        self.before.push(Instruction { results: smallvec![result], operation, location: self.location });
        Value::Reg(result)
    }

    /// `then` if these bits of the condition are so, `otherwise` if not.
    fn select(&mut self, condition: (Value, Type), (bits, are): (u128, u128), then: Value, otherwise: Value) -> Value {
        let (condition, wide) = condition;
        let rhs = Value::constant(wide, bits);
        let lhs = self.compute(wide, Operation::Binary { op: BinaryOp::And, lhs: condition, rhs });
        let rhs = Value::constant(wide, are);
        let is_so = self.compute(Type::BOOL, Operation::Compare { predicate: IntPredicate::Eq, lhs, rhs });
        let ty = then.ty(self.body).unwrap_or(wide);
        self.compute(ty, Operation::Select { condition: is_so, then, otherwise })
    }

    /// What is less, equal or greater is ruled out if its bit is not set.
    fn clauses(&mut self, condition: Value, operand: Value, ty: Type) -> Vec<Vec<Test>> {
        let wide = condition.ty(self.body).unwrap_or(ty);
        let condition = (condition, wide);
        let (greatest, sign) = (ty.mask(), 1 << (ty.bits() - 1));
        let bounds = [
            (IntPredicate::Uge, (SIGNED | LESS, 0), 0),
            (IntPredicate::Sge, (SIGNED | LESS, SIGNED), sign),
            (IntPredicate::Ule, (SIGNED | GREATER, 0), greatest),
            (IntPredicate::Sle, (SIGNED | GREATER, SIGNED), greatest ^ sign),
        ];
        let mut clauses = Vec::new();
        for (predicate, rules_out, extreme) in bounds {
            let bound = self.select(condition, rules_out, operand, Value::constant(ty, extreme));
            clauses.push(vec![test(predicate, bound)]);
        }
        let other = Operation::Binary { op: BinaryOp::Xor, lhs: operand, rhs: Value::constant(ty, 1) };
        let other = self.compute(ty, other);
        let equal = self.select(condition, (EQUAL, 0), other, operand);
        clauses.push(vec![test(IntPredicate::Ne, operand), test(IntPredicate::Eq, equal)]);
        clauses
    }
}
