//! The contents of globals, as bytes and pointers.

use super::Context;
use super::number::float_bits;
use crate::ast::{Constant, Expression};
use crate::error::{Error, Result};
use crate::lex::unescape;
use crate::types::{Ty, TypeId};
use everyway_ir::{Initialiser, Relocation, Symbol, Type};

/// What a constant is known to be before the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folded {
    Bits(u128),
    Address(Symbol, i64),
}

/// How big the written part of an initialiser may be.
const SIZE_LIMIT: u64 = 1 << 30;
/// The bits of an address.
const MASK_64: u128 = u64::MAX as u128;

pub(super) fn write(context: &Context<'_, '_>, ty: TypeId, value: &Constant<'_>, line: u32) -> Result<Initialiser> {
    let size = context.layouts.layout(ty, line)?.size;
    let mut writer = Writer { context, line, initialiser: Initialiser::default() };
    // Zeros at the end need not be written, so that big arrays of zeros cost nothing.
    if !matches!(value, Constant::Zero | Constant::Undef) {
        if size > SIZE_LIMIT {
            return Err(Error::unsupported(line, format!("a global of {size} bytes with a value")));
        }
        writer.value(ty, value, 0)?;
    }
    let mut initialiser = writer.initialiser;
    initialiser.relocations.sort_by_key(|relocation| relocation.offset);
    let used = initialiser.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    initialiser.bytes.truncate(used);
    Ok(initialiser)
}

struct Writer<'c, 'm, 'a> {
    context: &'c Context<'m, 'a>,
    line: u32,
    initialiser: Initialiser,
}

impl Writer<'_, '_, '_> {
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        // Zeros are there already.
        let Some(last) = bytes.iter().rposition(|&byte| byte != 0) else { return };
        let start = offset as usize;
        let end = start + last + 1;
        if self.initialiser.bytes.len() < end {
            self.initialiser.bytes.resize(end, 0);
        }
        self.initialiser.bytes[start..end].copy_from_slice(&bytes[..=last]);
    }

    fn value(&mut self, ty: TypeId, value: &Constant<'_>, offset: u64) -> Result<()> {
        let layouts = &self.context.layouts;
        match value {
            Constant::Zero | Constant::Undef | Constant::Null => Ok(()),
            Constant::Characters(text) => {
                let bytes = unescape(text);
                if bytes.len() as u64 > layouts.layout(ty, self.line)?.size {
                    return Err(Error::new(self.line, "a string is longer than its type"));
                }
                self.put(offset, &bytes);
                Ok(())
            }
            Constant::Aggregate(elements) => {
                for (index, (element_ty, element)) in elements.iter().enumerate() {
                    let (field, within) = layouts.field(ty, index as u64, self.line)?;
                    let (inner, room) = (layouts.layout(*element_ty, self.line)?, layouts.layout(field, self.line)?);
                    let end = within.saturating_add(inner.size);
                    if inner.size > room.size || end > layouts.layout(ty, self.line)?.size {
                        return Err(Error::new(self.line, "an element does not fit its type"));
                    }
                    self.value(*element_ty, element, offset + within)?;
                }
                Ok(())
            }
            Constant::Splat(element) => {
                for index in 0..layouts.scalars(ty, self.line)?.len() as u64 {
                    let (_, within) = layouts.field(ty, index, self.line)?;
                    self.value(element.0, &element.1, offset + within)?;
                }
                Ok(())
            }
            _ => self.scalar(ty, value, offset),
        }
    }

    fn scalar(&mut self, ty: TypeId, value: &Constant<'_>, offset: u64) -> Result<()> {
        let scalar = self.context.layouts.scalar(ty, self.line)?;
        let folded = match value {
            Constant::Number(spelling) => Folded::Bits(float_bits(spelling, scalar, self.line)?),
            _ => self.context.fold(value, self.line)?,
        };
        match folded {
            Folded::Bits(bits) => {
                self.put(offset, &(bits & scalar.mask()).to_le_bytes()[..scalar.bytes() as usize]);
                Ok(())
            }
            Folded::Address(symbol, addend) if matches!(scalar, Type::Ptr | Type::I64) => {
                self.initialiser.relocations.push(Relocation { offset, symbol, addend });
                Ok(())
            }
            Folded::Address(..) => Err(Error::unsupported(self.line, "a part of an address as initial value")),
        }
    }
}

impl Context<'_, '_> {
    /// The value of a scalar constant that needs no execution.
    pub(super) fn fold(&self, value: &Constant<'_>, line: u32) -> Result<Folded> {
        match value {
            Constant::Int(bits) => Ok(Folded::Bits(*bits)),
            Constant::Null | Constant::Zero | Constant::Undef => Ok(Folded::Bits(0)),
            Constant::Global(name) => match self.symbols.get(name) {
                Some(&(symbol, offset)) => Ok(Folded::Address(symbol, offset)),
                None => Err(Error::new(line, format!("there is no `@{name}`"))),
            },
            Constant::BlockAddress(function, block) => self.block_address(function, block).map(Folded::Bits),
            Constant::Expression(expression) => self.fold_expression(expression, line),
            _ => Err(Error::new(line, "an aggregate where a scalar is expected")),
        }
    }

    /// The number that stands for a block in a computed goto. Blocks that none of them can reach have none.
    fn block_address(&self, function: &str, block: &str) -> Result<u128> {
        let blocks = self.addressed.get(function);
        let position = blocks.and_then(|blocks| blocks.iter().position(|&label| label == block));
        Ok(position.map_or(0, |position| position as u128 + 1))
    }

    fn fold_expression(&self, expression: &Expression<'_>, line: u32) -> Result<Folded> {
        match expression {
            Expression::Cast("bitcast" | "addrspacecast" | "zext", _, value, _) => self.fold(value, line),
            Expression::Cast("ptrtoint" | "ptrtoaddr" | "inttoptr" | "trunc", from, value, to) => {
                match (self.fold(value, line)?, self.layouts.scalar(*to, line)?) {
                    (Folded::Bits(bits), ty) => {
                        Ok(Folded::Bits(bits & self.layouts.scalar(*from, line)?.mask() & ty.mask()))
                    }
                    (address, Type::Ptr | Type::I64) => Ok(address),
                    _ => Err(Error::unsupported(line, "a part of an address as a constant")),
                }
            }
            Expression::Offset(ty, base, indices) => {
                let offset = self.constant_offset(*ty, indices, line)?;
                Ok(match self.fold(base, line)? {
                    Folded::Bits(bits) => Folded::Bits(bits.wrapping_add(offset as u128) & MASK_64),
                    Folded::Address(symbol, start) => Folded::Address(symbol, start.wrapping_add(offset)),
                })
            }
            Expression::Binary(op @ ("add" | "sub"), _, lhs, rhs) => {
                match (*op, self.fold(lhs, line)?, self.fold(rhs, line)?) {
                    ("add", Folded::Bits(a), Folded::Bits(b)) => Ok(Folded::Bits(a.wrapping_add(b))),
                    ("sub", Folded::Bits(a), Folded::Bits(b)) => Ok(Folded::Bits(a.wrapping_sub(b))),
                    ("add", Folded::Address(symbol, start), Folded::Bits(bits))
                    | ("add", Folded::Bits(bits), Folded::Address(symbol, start)) => {
                        Ok(Folded::Address(symbol, start.wrapping_add(bits as i64)))
                    }
                    ("sub", Folded::Address(symbol, start), Folded::Bits(bits)) => {
                        Ok(Folded::Address(symbol, start.wrapping_sub(bits as i64)))
                    }
                    ("sub", Folded::Address(a, start), Folded::Address(b, other)) if a == b => {
                        Ok(Folded::Bits(start.wrapping_sub(other) as u128))
                    }
                    _ => Err(Error::unsupported(line, "arithmetic on two addresses as a constant")),
                }
            }
            _ => Err(Error::unsupported(line, "this constant expression")),
        }
    }

    /// The number of bytes that constant indices into a type mean.
    fn constant_offset(&self, ty: TypeId, indices: &[(TypeId, Constant<'_>)], line: u32) -> Result<i64> {
        let mut ty = ty;
        let mut offset = 0i64;
        for (position, (index_ty, index)) in indices.iter().enumerate() {
            let Folded::Bits(bits) = self.fold(index, line)? else {
                return Err(Error::unsupported(line, "an address as an index"));
            };
            let index = sign_extend(bits, self.layouts.scalar(*index_ty, line)?);
            let bytes = if position == 0 {
                index.wrapping_mul(self.layouts.layout(ty, line)?.size as i64)
            } else if matches!(self.layouts.ty(ty), Ty::Struct { .. }) {
                let (field, within) = self.layouts.field(ty, index as u64, line)?;
                ty = field;
                within as i64
            } else {
                let (element, _) = self.layouts.field(ty, 0, line)?;
                ty = element;
                index.wrapping_mul(self.layouts.layout(element, line)?.size as i64)
            };
            offset = offset.wrapping_add(bytes);
        }
        Ok(offset)
    }
}

/// An integer constant as a signed number of 64 bits.
pub(super) fn sign_extend(bits: u128, ty: Type) -> i64 {
    let unused = 128 - ty.bits();
    (((bits << unused) as i128) >> unused) as i64
}
