//! Calls that wait for a value, as the tool of FMCAD 2022 offers them to programs, become awaits.
//!
//! `T __VERIFIER_load_await_T(T *address, condition, T operand)` is a load that takes place once what it finds is in the
//! relation `condition` to `operand`; `T __VERIFIER_xchg_await_T(T *address, T new, condition, T operand)` is an exchange
//! that does. The condition is a number of four bits: whether the relation is of signed values (8), and whether it holds if
//! what is found is less (4), equal (2) and greater (1). It has to be known here: a call whose condition is not stays a
//! call, of a function that is not modelled.

use crate::environment::{AwaitCall, Environment};
use crate::function::{Body, Instruction};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::{AtomicOrdering, IntPredicate, RmwOp};
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
            for position in 0..body.blocks[block.index()].instructions.len() {
                let instruction = &body.blocks[block.index()].instructions[position];
                let Operation::Call { callee: Callee::Direct(callee), arguments, .. } = &instruction.operation else {
                    continue;
                };
                let Some(call) = calls[callee.index()] else { continue };
                if let Some(adopted) = adopted(body, instruction.clone(), call, &arguments.clone()) {
                    body.blocks[block.index()].instructions[position] = adopted;
                }
            }
        }
    }
}

/// The await that a call stands for, if its arguments are as they should be.
fn adopted(body: &mut Body, mut call: Instruction, kind: AwaitCall, arguments: &[Value]) -> Option<Instruction> {
    let (address, new, condition, operand) = match (kind, arguments) {
        (AwaitCall::Load, &[address, condition, operand]) => (address, None, condition, operand),
        (AwaitCall::Exchange, &[address, new, condition, operand]) => (address, Some(new), condition, operand),
        _ => return None,
    };
    let ty = operand.ty(body).filter(|ty| ty.is_int() && matches!(ty.bits(), 8 | 16 | 32 | 64))?;
    let Value::Const { bits, .. } = condition else { return None };
    let predicate = predicate(bits)?;
    let is_of_type = |value: Value| value.ty(body) == Some(ty);
    let fits = address.ty(body) == Some(Type::Ptr) && new.is_none_or(is_of_type);
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
    let until = Until { clauses: vec![vec![Test { mask: None, predicate, operand }]] };
    call.operation = Operation::Await { access: Box::new(access), until, round: None };
    Some(call)
}

/// The relation that a number stands for.
fn predicate(bits: u128) -> Option<IntPredicate> {
    Some(match bits {
        0b0001 => IntPredicate::Ugt,
        0b0010 => IntPredicate::Eq,
        0b0011 => IntPredicate::Uge,
        0b0100 => IntPredicate::Ult,
        0b0101 => IntPredicate::Ne,
        0b0110 => IntPredicate::Ule,
        0b1001 => IntPredicate::Sgt,
        0b1011 => IntPredicate::Sge,
        0b1100 => IntPredicate::Slt,
        0b1110 => IntPredicate::Sle,
        _ => return None,
    })
}
