//! Arithmetic, comparisons, conversions: scalar by scalar.

use super::function::{Flat, Lowerer};
use crate::ast::{Operand, Typed};
use crate::error::Result;
use crate::types::TypeId;
use everyway_ir::{BinaryOp, CastOp, FloatPredicate, IntPredicate, Operation, Type, UnaryOp, Value};

impl<'a> Lowerer<'_, '_, 'a> {
    pub(super) fn binary(&mut self, word: &str, ty: TypeId, lhs: &Operand<'a>, rhs: &Operand<'a>) -> Result<Flat> {
        let Some(op) = BinaryOp::from_name(word) else { return self.unsupported(format!("`{word}`")) };
        self.pairwise(ty, lhs, rhs, |lhs, rhs| Operation::Binary { op, lhs, rhs }, None)
    }

    pub(super) fn compare(
        &mut self,
        predicate: IntPredicate,
        ty: TypeId,
        lhs: &Operand<'a>,
        rhs: &Operand<'a>,
    ) -> Result<Flat> {
        self.pairwise(ty, lhs, rhs, |lhs, rhs| Operation::Compare { predicate, lhs, rhs }, Some(Type::BOOL))
    }

    pub(super) fn float_compare(
        &mut self,
        predicate: FloatPredicate,
        ty: TypeId,
        lhs: &Operand<'a>,
        rhs: &Operand<'a>,
    ) -> Result<Flat> {
        self.pairwise(ty, lhs, rhs, |lhs, rhs| Operation::FloatCompare { predicate, lhs, rhs }, Some(Type::BOOL))
    }

    /// An operation on each pair of scalars, with a result of their type unless said otherwise.
    fn pairwise(
        &mut self,
        ty: TypeId,
        lhs: &Operand<'a>,
        rhs: &Operand<'a>,
        operation: impl Fn(Value, Value) -> Operation,
        result: Option<Type>,
    ) -> Result<Flat> {
        let scalars = self.context.layouts.scalars(ty, self.line)?;
        let (lhs, rhs) = (self.operand(ty, lhs)?, self.operand(ty, rhs)?);
        let pairs = lhs.into_iter().zip(rhs).zip(scalars.iter());
        Ok(pairs.map(|((lhs, rhs), scalar)| self.emit_one(operation(lhs, rhs), result.unwrap_or(scalar.0))).collect())
    }

    pub(super) fn negate(&mut self, value: &Typed<'a>) -> Result<Flat> {
        self.unary(UnaryOp::FNeg, value)
    }

    pub(super) fn freeze(&mut self, value: &Typed<'a>) -> Result<Flat> {
        self.unary(UnaryOp::Freeze, value)
    }

    /// An operation on each scalar.
    pub(super) fn unary(&mut self, op: UnaryOp, value: &Typed<'a>) -> Result<Flat> {
        let scalars = self.context.layouts.scalars(value.ty, self.line)?;
        let values = self.typed(value)?;
        let pairs = values.into_iter().zip(scalars.iter());
        Ok(pairs.map(|(value, scalar)| self.emit_one(Operation::Unary { op, value }, scalar.0)).collect())
    }

    pub(super) fn select(&mut self, condition: &Typed<'a>, then: &Typed<'a>, otherwise: &Typed<'a>) -> Result<Flat> {
        let scalars = self.context.layouts.scalars(then.ty, self.line)?;
        let conditions = self.typed(condition)?;
        let (then, otherwise) = (self.typed(then)?, self.operand(then.ty, &otherwise.value)?);
        if conditions.len() != 1 && conditions.len() != then.len() {
            return self.error("a selection has the wrong number of conditions");
        }
        let pairs = then.into_iter().zip(otherwise).zip(scalars.iter()).enumerate();
        let selected = pairs.map(|(index, ((then, otherwise), scalar))| {
            let condition = conditions[if conditions.len() == 1 { 0 } else { index }];
            self.emit_one(Operation::Select { condition, then, otherwise }, scalar.0)
        });
        Ok(selected.collect())
    }

    pub(super) fn cast(&mut self, word: &str, value: &Typed<'a>, to: TypeId) -> Result<Flat> {
        let from_scalars = self.context.layouts.scalars(value.ty, self.line)?;
        let to_scalars = self.context.layouts.scalars(to, self.line)?;
        let values = self.typed(value)?;
        let same_types = from_scalars.iter().map(|scalar| scalar.0).eq(to_scalars.iter().map(|scalar| scalar.0));
        if matches!(word, "bitcast" | "addrspacecast") {
            return if same_types {
                Ok(values)
            } else {
                let to: Vec<Type> = to_scalars.iter().map(|scalar| scalar.0).collect();
                self.reinterpret(&values, &to)
            };
        }
        if values.len() != to_scalars.len() {
            return self.error(format!("`{word}` changes the number of elements"));
        }
        let pairs = values.into_iter().zip(to_scalars.iter());
        pairs.map(|(value, to)| self.cast_scalar(word, value, to.0)).collect()
    }

    fn cast_scalar(&mut self, word: &str, value: Value, to: Type) -> Result<Value> {
        match word {
            "ptrtoint" | "ptrtoaddr" => {
                let wide = self.emit_one(Operation::Cast { op: CastOp::PtrToInt, value }, Type::I64);
                Ok(self.resize(wide, to))
            }
            "inttoptr" => {
                let value = self.resize(value, Type::I64);
                Ok(self.emit_one(Operation::Cast { op: CastOp::IntToPtr, value }, to))
            }
            // Between `double` and `long double` nothing is left to do.
            "fpext" | "fptrunc" if value.ty(&self.body) == Some(to) => Ok(value),
            _ => match CastOp::from_name(word) {
                Some(op) => Ok(self.emit_one(Operation::Cast { op, value }, to)),
                None => self.unsupported(format!("`{word}`")),
            },
        }
    }

    /// An integer as an unsigned one of another width.
    pub(super) fn resize(&mut self, value: Value, to: Type) -> Value {
        self.widen(value, to, CastOp::ZExt)
    }

    /// An integer as one of another width, with zeros or the sign.
    pub(super) fn widen(&mut self, value: Value, to: Type, extension: CastOp) -> Value {
        let from = value.ty(&self.body).unwrap_or(to);
        if from.bits() == to.bits() || !from.is_int() {
            return value;
        }
        if let Value::Const { bits, .. } = value {
            let signed = extension == CastOp::SExt;
            let unused = 128 - from.bits();
            let extended = if signed { (((bits << unused) as i128) >> unused) as u128 } else { bits };
            return Value::constant(to, extended);
        }
        let op = if from.bits() > to.bits() { CastOp::Trunc } else { extension };
        self.emit_one(Operation::Cast { op, value }, to)
    }
}
