//! Memory: slots, addresses, loads and stores.

use super::function::{Flat, Lowerer};
use super::initialiser::sign_extend;
use super::layout::Scalar;
use super::power_of_two;
use crate::ast::{Access, Operand, Typed};
use crate::error::Result;
use crate::types::{Ty, TypeId};
use everyway_ir::{AtomicOrdering, CastOp, Index, Operation, RmwOp, Slot, SlotId, Type, Value};

impl<'a> Lowerer<'_, '_, 'a> {
    pub(super) fn alloca(&mut self, ty: TypeId, count: Option<&Typed<'a>>, align: Option<u32>) -> Result<Flat> {
        let layout = self.context.layouts.layout(ty, self.line)?;
        let slot = self.add_slot(layout.size, align.map_or(layout.align, u64::from))?;
        let count = match count {
            Some(count) => {
                let (value, _) = self.scalar(count.ty, &count.value)?;
                // `alloca i32, i32 1` is an ordinary variable.
                Some(self.resize(value, Type::I64)).filter(|&value| value != Value::i64(1))
            }
            None => None,
        };
        let address = self.emit_one(Operation::Alloca { slot, count }, Type::Ptr);
        self.note_slot(address, slot);
        Ok(Flat::from_slice(&[address]))
    }

    pub(super) fn add_slot(&mut self, size: u64, align: u64) -> Result<SlotId> {
        let align = power_of_two(align, self.line)?;
        self.body.slots.push(Slot { name: None, size, align, debug_type: None, location: None });
        Ok(SlotId::new(self.body.slots.len() - 1))
    }

    pub(super) fn offset(&mut self, ty: TypeId, base: &Typed<'a>, indices: &[Typed<'a>]) -> Result<Flat> {
        if self.is_vector(base.ty) || indices.iter().any(|index| self.is_vector(index.ty)) {
            return self.unsupported("address arithmetic on vectors");
        }
        let base = self.pointer(&base.value)?;
        Ok(Flat::from_slice(&[self.offset_from(ty, base, indices)?]))
    }

    /// `getelementptr`: constant indices are added up, each variable one is an operation of its own.
    pub(super) fn offset_from(&mut self, mut ty: TypeId, base: Value, indices: &[Typed<'a>]) -> Result<Value> {
        let mut offset = 0i64;
        let mut terms = Vec::new();
        for (position, index) in indices.iter().enumerate() {
            let (value, index_ty) = self.scalar(index.ty, &index.value)?;
            let fixed = if let Value::Const { bits, .. } = value { Some(sign_extend(bits, index_ty)) } else { None };
            if position > 0 && matches!(self.context.layouts.ty(ty), Ty::Struct { .. }) {
                let Some(field) = fixed else { return self.error("the index of a field is no constant") };
                let (field, within) = self.context.layouts.field(ty, field as u64, self.line)?;
                ty = field;
                offset = offset.wrapping_add(within as i64);
                continue;
            }
            if position > 0 {
                ty = self.context.layouts.field(ty, 0, self.line)?.0;
            }
            let stride = self.context.layouts.layout(ty, self.line)?.size as i64;
            match fixed {
                Some(fixed) => offset = offset.wrapping_add(fixed.wrapping_mul(stride)),
                None => terms.push(Index { value: self.widen(value, Type::I64, CastOp::SExt), stride }),
            }
        }
        Ok(self.add_offset(base, offset, &terms))
    }

    /// `base + offset + terms`, without operations where nothing is to be done.
    fn add_offset(&mut self, base: Value, offset: i64, terms: &[Index]) -> Value {
        let mut terms = terms.iter();
        let base = match (base, terms.len()) {
            (Value::Address { symbol, offset: start }, 0) => {
                return Value::Address { symbol, offset: start.wrapping_add(offset) };
            }
            (_, 0) if offset == 0 => return base,
            _ => self.emit_one(Operation::Offset { base, offset, index: terms.next().copied() }, Type::Ptr),
        };
        terms.fold(base, |base, &index| {
            self.emit_one(Operation::Offset { base, offset: 0, index: Some(index) }, Type::Ptr)
        })
    }

    /// The address `bytes` beyond another.
    pub(super) fn beyond(&mut self, base: Value, bytes: u64) -> Value {
        self.add_offset(base, bytes as i64, &[])
    }

    pub(super) fn load(&mut self, ty: TypeId, address: &Operand<'a>, access: Access) -> Result<Flat> {
        let address = self.pointer(address)?;
        let scalars = self.memory_scalars(ty, access)?;
        let align = self.align(ty, access)?;
        let mut values = Flat::new();
        for &(scalar, offset) in scalars.iter() {
            let address = self.beyond(address, offset);
            let (volatile, ordering) = (access.volatile, access.ordering);
            let load = Operation::Load { address, align: align_at(align, offset), volatile, ordering };
            values.push(self.emit_one(load, scalar));
        }
        Ok(values)
    }

    pub(super) fn store(&mut self, value: &Typed<'a>, address: &Operand<'a>, access: Access) -> Result<Flat> {
        let address = self.pointer(address)?;
        let values = self.typed(value)?;
        let scalars = self.memory_scalars(value.ty, access)?;
        let align = self.align(value.ty, access)?;
        for (value, &(_, offset)) in values.into_iter().zip(scalars.iter()) {
            let address = self.beyond(address, offset);
            let (volatile, ordering) = (access.volatile, access.ordering);
            self.emit(Operation::Store { address, value, align: align_at(align, offset), volatile, ordering }, &[]);
        }
        Ok(Flat::new())
    }

    fn align(&self, ty: TypeId, access: Access) -> Result<u32> {
        let natural = self.context.layouts.layout(ty, self.line)?.align;
        power_of_two(access.align.map_or(natural, u64::from), self.line)
    }

    /// The scalars of a type that is loaded or stored.
    fn memory_scalars(&self, ty: TypeId, access: Access) -> Result<std::rc::Rc<[Scalar]>> {
        let scalars = self.context.layouts.scalars(ty, self.line)?;
        let partial = scalars.iter().any(|(scalar, _)| scalar.bits() % 8 != 0);
        if partial && self.is_vector(ty) {
            return self.unsupported("a vector of single bits in memory");
        }
        if access.ordering.is_some() && scalars.len() != 1 {
            return self.unsupported("an atomic access to an aggregate");
        }
        Ok(scalars)
    }

    pub(super) fn rmw(&mut self, op: RmwOp, address: &Operand<'a>, value: &Typed<'a>, access: Access) -> Result<Flat> {
        let address = self.pointer(address)?;
        let (value, ty) = self.scalar(value.ty, &value.value)?;
        let ordering = access.ordering.unwrap_or(AtomicOrdering::SeqCst);
        Ok(self.emit(Operation::AtomicRmw { op, address, value, ordering, volatile: access.volatile }, &[ty]))
    }

    pub(super) fn compare_exchange(
        &mut self,
        address: &Operand<'a>,
        expected: &Typed<'a>,
        new: &Typed<'a>,
        weak: bool,
        access: Access,
        failure: AtomicOrdering,
    ) -> Result<Flat> {
        let address = self.pointer(address)?;
        let (new, _) = self.scalar(expected.ty, &new.value)?;
        let (expected, ty) = self.scalar(expected.ty, &expected.value)?;
        let success = access.ordering.unwrap_or(AtomicOrdering::SeqCst);
        let volatile = access.volatile;
        let operation = Operation::CompareExchange { address, expected, new, weak, success, failure, volatile };
        Ok(self.emit(operation, &[ty, Type::BOOL]))
    }
}

/// The alignment of what lies `offset` bytes into something aligned to `align`.
fn align_at(align: u32, offset: u64) -> u32 {
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(30)) }
}
