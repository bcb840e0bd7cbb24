//! Loads and exchanges that wait: `__VERIFIER_load_await_*` and `__VERIFIER_xchg_await_*`, as Nidhugg has them.
//!
//! They are an access and an assumption on what it found, which the passes make one access that waits. So they mean the
//! same whatever the passes do: an access that does not find what is waited for leads nowhere.

use super::function::{Flat, Lowerer};
use crate::ast::Call;
use crate::error::Result;
use everyway_ir::{AtomicOrdering, Callee, IntPredicate, Operation, RmwOp, Signature, Type, Value};

const LOAD: &str = "__VERIFIER_load_await_";
const EXCHANGE: &str = "__VERIFIER_xchg_await_";
const ASSUME: &str = "__VERIFIER_assume";

/// What the operand of a comparison with what was found may be for the condition to be met: a bit each.
const MORE: u128 = 0b0001;
const EQUAL: u128 = 0b0010;
const LESS: u128 = 0b0100;
/// Numbers are signed.
const SIGNED: u128 = 0b1000;

/// Whether a function waits.
pub(super) fn waits(name: &str) -> bool {
    name.starts_with(LOAD) || name.starts_with(EXCHANGE)
}

/// The comparison of what is found with the operand; none if all values or none will do.
fn predicate(condition: u128) -> Option<IntPredicate> {
    let is_signed = condition & SIGNED != 0;
    Some(match (condition & (MORE | EQUAL | LESS), is_signed) {
        (EQUAL, _) => IntPredicate::Eq,
        (relation, _) if relation == MORE | LESS => IntPredicate::Ne,
        (MORE, true) => IntPredicate::Sgt,
        (MORE, false) => IntPredicate::Ugt,
        (LESS, true) => IntPredicate::Slt,
        (LESS, false) => IntPredicate::Ult,
        (relation, true) if relation == MORE | EQUAL => IntPredicate::Sge,
        (relation, false) if relation == MORE | EQUAL => IntPredicate::Uge,
        (relation, true) if relation == LESS | EQUAL => IntPredicate::Sle,
        (relation, false) if relation == LESS | EQUAL => IntPredicate::Ule,
        _ => return None,
    })
}

impl<'a> Lowerer<'_, '_, 'a> {
    /// `load_await(address, condition, operand)` and `xchg_await(address, new, condition, operand)`.
    pub(super) fn waiting_call(&mut self, name: &str, call: &Call<'a>) -> Result<Flat> {
        let is_exchange = name.starts_with(EXCHANGE);
        let address = self.pointer_argument(call, 0)?;
        let ty = self.context.layouts.scalar(call.result, self.line)?;
        let (condition, operand) = if is_exchange { (2, 3) } else { (1, 2) };
        let Value::Const { bits: condition, .. } = self.scalar_argument(call, condition)? else {
            return self.unsupported("a condition to wait for that is no constant");
        };
        let Some(predicate) = predicate(condition) else {
            return self.unsupported("a condition to wait for that is always met, or never");
        };
        let operand = self.scalar_argument(call, operand)?;
        let rhs = self.resize(operand, ty);
        let ordering = AtomicOrdering::SeqCst;
        let access = if is_exchange {
            let new = self.scalar_argument(call, 1)?;
            let value = self.resize(new, ty);
            Operation::AtomicRmw { op: RmwOp::Xchg, address, value, ordering, volatile: false }
        } else {
            Operation::Load { address, align: ty.bits() / 8, volatile: false, ordering: Some(ordering) }
        };
        let found = self.emit_one(access, ty);
        let is_met = self.emit_one(Operation::Compare { predicate, lhs: found, rhs }, Type::BOOL);
        self.assume(is_met);
        Ok(Flat::from_slice(&[found]))
    }

    /// Calls the function by which programs assume something.
    fn assume(&mut self, condition: Value) {
        let signature = || Signature {
            parameters: [Type::I32].into_iter().collect(),
            results: Default::default(),
            variadic: false,
        };
        let function = self.context.external(ASSUME, signature);
        // The program may have declared it with another integer.
        let signature = &self.context.unit.module.function(function).signature;
        let parameter = signature.parameters.first().copied().unwrap_or(Type::I32);
        let argument = self.resize(condition, parameter);
        let call = Operation::Call { callee: Callee::Direct(function), arguments: vec![argument], fixed: 1 };
        self.emit(call, &[]);
    }
}
