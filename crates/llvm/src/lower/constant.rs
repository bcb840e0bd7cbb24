//! Constants as operands of instructions.

use super::function::{Flat, Lowerer};
use super::initialiser::Folded;
use super::number::float_bits;
use crate::ast::{Constant, Expression, Operand, Typed};
use crate::error::Result;
use crate::types::{Ty, TypeId};
use everyway_ir::{Operation, Type, Value};

impl<'a> Lowerer<'_, '_, 'a> {
    /// The scalars of a constant. Some constant expressions need instructions.
    pub(super) fn constant(&mut self, ty: TypeId, constant: &Constant<'a>) -> Result<Flat> {
        let scalars = self.context.layouts.scalars(ty, self.line)?;
        match constant {
            Constant::Zero | Constant::Null => Ok(scalars.iter().map(|scalar| Value::constant(scalar.0, 0)).collect()),
            Constant::Undef => Ok(scalars.iter().map(|scalar| Value::Undef(scalar.0)).collect()),
            Constant::Aggregate(elements) => {
                let mut values = Flat::new();
                for (ty, element) in elements {
                    values.extend(self.constant(*ty, element)?);
                }
                self.checked(values, scalars.iter().map(|scalar| scalar.0))
            }
            Constant::Splat(element) => {
                let Ty::Vector(count, _) = self.context.layouts.ty(ty) else {
                    return self.error("`splat` of something that is no vector");
                };
                let element = self.constant(element.0, &element.1)?;
                let values = (0..*count).flat_map(|_| element.clone()).collect();
                self.checked(values, scalars.iter().map(|scalar| scalar.0))
            }
            Constant::Characters(text) => {
                let values =
                    crate::lex::unescape(text).iter().map(|&byte| Value::constant(Type::I8, byte.into())).collect();
                self.checked(values, scalars.iter().map(|scalar| scalar.0))
            }
            _ => match *scalars {
                [(ty, _)] => self.scalar_constant(ty, constant).map(|value| Flat::from_slice(&[value])),
                _ => self.error("a scalar where an aggregate is expected"),
            },
        }
    }

    fn checked(&self, values: Flat, types: impl Iterator<Item = Type>) -> Result<Flat> {
        if types.map(Some).eq(values.iter().map(|value| value.ty(&self.body))) {
            return Ok(values);
        }
        self.error("the elements of a constant do not have the types they should have")
    }

    pub(super) fn scalar_constant(&mut self, ty: Type, constant: &Constant<'a>) -> Result<Value> {
        if let Constant::Undef = constant {
            return Ok(Value::Undef(ty));
        }
        if let Constant::Number(spelling) = constant {
            return Ok(Value::Const { ty, bits: float_bits(spelling, ty, self.line)? });
        }
        match (self.context.fold(constant, self.line), ty) {
            (Ok(Folded::Bits(bits)), Type::Int(_) | Type::Ptr) => Ok(Value::constant(ty, bits)),
            (Ok(Folded::Address(symbol, offset)), Type::Ptr) => Ok(Value::Address { symbol, offset }),
            (folded, _) => match constant {
                Constant::Expression(expression) => {
                    let value = self.expression(expression)?;
                    if value.ty(&self.body) == Some(ty) {
                        return Ok(value);
                    }
                    self.error("a constant does not have the type it should have")
                }
                _ => {
                    folded?;
                    self.error("a constant does not have the type it should have")
                }
            },
        }
    }

    /// A constant that must be a pointer.
    pub(super) fn address(&mut self, constant: &Constant<'a>) -> Result<Value> {
        match constant {
            Constant::Aggregate(_) | Constant::Splat(_) | Constant::Characters(_) | Constant::Number(_) => {
                self.unsupported("a constant of this kind as a pointer")
            }
            _ => self.scalar_constant(Type::Ptr, constant),
        }
    }

    /// Does what a constant expression says by instructions.
    fn expression(&mut self, expression: &Expression<'a>) -> Result<Value> {
        let operand = |constant: &Constant<'a>| Operand::Constant(constant.clone());
        let values = match expression {
            Expression::Cast(word, from, value, to) => {
                self.cast(word, &Typed { ty: *from, value: operand(value) }, *to)?
            }
            Expression::Offset(ty, base, indices) => {
                let base = self.address(base)?;
                let indices: Vec<Typed<'a>> =
                    indices.iter().map(|(ty, index)| Typed { ty: *ty, value: operand(index) }).collect();
                Flat::from_slice(&[self.offset_from(*ty, base, &indices)?])
            }
            Expression::Binary(word, ty, lhs, rhs) => self.binary(word, *ty, &operand(lhs), &operand(rhs))?,
            Expression::Compare(predicate, ty, lhs, rhs) => {
                self.compare(*predicate, *ty, &operand(lhs), &operand(rhs))?
            }
            Expression::Select(condition, ty, then, otherwise) => {
                let condition = self.scalar_constant(Type::BOOL, condition)?;
                let then = self.constant(*ty, then)?;
                let otherwise = self.constant(*ty, otherwise)?;
                let (&[then], &[otherwise]) = (then.as_slice(), otherwise.as_slice()) else {
                    return self.unsupported("a constant selection between aggregates");
                };
                let ty = self.context.layouts.scalar(*ty, self.line)?;
                self.emit(Operation::Select { condition, then, otherwise }, &[ty])
            }
        };
        match values.as_slice() {
            &[value] => Ok(value),
            _ => self.unsupported("a constant expression of an aggregate type"),
        }
    }
}
