//! Aggregates and vectors in registers: lists of scalars, of which parts are taken and replaced.

use super::function::{Flat, Lowerer};
use crate::ast::{Constant, Operand, Typed};
use crate::error::Result;
use everyway_ir::{BinaryOp, CastOp, IntPredicate, Operation, Type, Value};

impl<'a> Lowerer<'_, '_, 'a> {
    pub(super) fn extract_value(&mut self, value: &Typed<'a>, indices: &[u32]) -> Result<Flat> {
        let (range, _) = self.context.layouts.part(value.ty, indices, self.line)?;
        let values = self.typed(value)?;
        Ok(Flat::from_slice(&values[range]))
    }

    pub(super) fn insert_value(&mut self, value: &Typed<'a>, part: &Typed<'a>, indices: &[u32]) -> Result<Flat> {
        let (range, _) = self.context.layouts.part(value.ty, indices, self.line)?;
        let mut values = self.typed(value)?;
        let part = self.typed(part)?;
        if part.len() != range.len() {
            return self.error("`insertvalue` of something that does not fit");
        }
        values[range].copy_from_slice(&part);
        Ok(values)
    }

    pub(super) fn extract_element(&mut self, vector: &Typed<'a>, index: &Typed<'a>) -> Result<Flat> {
        let values = self.typed(vector)?;
        let (index, _) = self.scalar(index.ty, &index.value)?;
        let Some(&first) = values.first() else { return self.error("an element of nothing") };
        if let Value::Const { bits, .. } = index {
            let element = usize::try_from(bits).ok().and_then(|index| values.get(index).copied());
            return Ok(Flat::from_slice(&[element.unwrap_or(Value::Undef(first.ty(&self.body).unwrap_or(Type::Ptr)))]));
        }
        // A choice by comparing the index with each position.
        let ty = first.ty(&self.body).unwrap_or(Type::Ptr);
        let mut chosen = Value::Undef(ty);
        for (position, &then) in values.iter().enumerate() {
            let condition = self.is_position(index, position);
            chosen = self.emit_one(Operation::Select { condition, then, otherwise: chosen }, ty);
        }
        Ok(Flat::from_slice(&[chosen]))
    }

    fn is_position(&mut self, index: Value, position: usize) -> Value {
        let rhs = Value::constant(index.ty(&self.body).unwrap_or(Type::I64), position as u128);
        self.emit_one(Operation::Compare { predicate: IntPredicate::Eq, lhs: index, rhs }, Type::BOOL)
    }

    pub(super) fn insert_element(
        &mut self,
        vector: &Typed<'a>,
        element: &Typed<'a>,
        index: &Typed<'a>,
    ) -> Result<Flat> {
        let mut values = self.typed(vector)?;
        let (then, ty) = self.scalar(element.ty, &element.value)?;
        let (index, _) = self.scalar(index.ty, &index.value)?;
        for (position, value) in values.iter_mut().enumerate() {
            if let Value::Const { bits, .. } = index {
                *value = if bits == position as u128 { then } else { *value };
            } else {
                let condition = self.is_position(index, position);
                *value = self.emit_one(Operation::Select { condition, then, otherwise: *value }, ty);
            }
        }
        Ok(values)
    }

    pub(super) fn shuffle(&mut self, first: &Typed<'a>, second: &Typed<'a>, mask: &Typed<'a>) -> Result<Flat> {
        let element = self.context.layouts.scalars(first.ty, self.line)?.first().map_or(Type::I8, |scalar| scalar.0);
        let mut values = self.typed(first)?;
        values.extend(self.typed(second)?);
        let count = self.context.layouts.scalars(mask.ty, self.line)?.len();
        let Operand::Constant(constant) = &mask.value else {
            return self.error("the mask of a shuffle is no constant");
        };
        let pick =
            |index: Option<usize>| index.and_then(|index| values.get(index).copied()).unwrap_or(Value::Undef(element));
        match constant {
            Constant::Zero => Ok((0..count).map(|_| pick(Some(0))).collect()),
            Constant::Undef => Ok((0..count).map(|_| pick(None)).collect()),
            Constant::Splat(index) => Ok((0..count).map(|_| pick(mask_index(&index.1))).collect()),
            Constant::Aggregate(indices) => Ok(indices.iter().map(|(_, index)| pick(mask_index(index))).collect()),
            _ => self.error("the mask of a shuffle is no list of numbers"),
        }
    }

    /// The bits of some scalars as other scalars: `bitcast` between vectors and scalars of one size.
    pub(super) fn reinterpret(&mut self, values: &[Value], to: &[Type]) -> Result<Flat> {
        let from: Vec<Type> = values.iter().map(|value| value.ty(&self.body).unwrap_or(Type::Ptr)).collect();
        let width = |types: &[Type]| types.iter().map(|ty| ty.bits()).sum::<u32>();
        if width(&from) != width(to) || from.contains(&Type::Ptr) || to.contains(&Type::Ptr) {
            return self.unsupported("a `bitcast` of a pointer or between different sizes");
        }
        if from.iter().map(|ty| ty.bits()).eq(to.iter().map(|ty| ty.bits())) {
            return Ok(values.iter().zip(to).map(|(&value, &to)| self.bitcast(value, to)).collect());
        }
        if width(to) > 128 {
            return self.unsupported("a `bitcast` of more than 128 bits");
        }
        let whole = Type::Int(width(to) as u8);
        let mut packed = Value::constant(whole, 0);
        let mut position = 0;
        for (&value, ty) in values.iter().zip(&from) {
            let bits = self.bitcast(value, Type::Int(ty.bits() as u8));
            let wide = self.resize(bits, whole);
            let shifted = self.shift(BinaryOp::Shl, wide, position, whole);
            packed = self.emit_one(Operation::Binary { op: BinaryOp::Or, lhs: packed, rhs: shifted }, whole);
            position += ty.bits();
        }
        position = 0;
        let mut parts = Flat::new();
        for &ty in to {
            let shifted = self.shift(BinaryOp::LShr, packed, position, whole);
            let part = self.resize(shifted, Type::Int(ty.bits() as u8));
            parts.push(self.bitcast(part, ty));
            position += ty.bits();
        }
        Ok(parts)
    }

    fn bitcast(&mut self, value: Value, to: Type) -> Value {
        if value.ty(&self.body) == Some(to) {
            return value;
        }
        self.emit_one(Operation::Cast { op: CastOp::Bitcast, value }, to)
    }

    fn shift(&mut self, op: BinaryOp, value: Value, by: u32, ty: Type) -> Value {
        if by == 0 {
            return value;
        }
        self.emit_one(Operation::Binary { op, lhs: value, rhs: Value::constant(ty, by.into()) }, ty)
    }
}

/// An element of the mask of a shuffle; `None` if it does not matter.
fn mask_index(index: &Constant<'_>) -> Option<usize> {
    match index {
        Constant::Int(bits) => usize::try_from(*bits).ok(),
        Constant::Zero => Some(0),
        _ => None,
    }
}
