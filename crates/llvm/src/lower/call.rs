//! Calls.

use super::function::{Flat, Lowerer};
use crate::ast::{Call, Constant, Operand};
use crate::error::Result;
use crate::types::TypeId;
use everyway_ir::{Callee, Operation, Signature, Symbol, Type, Value};

impl<'a> Lowerer<'_, '_, 'a> {
    pub(super) fn call(&mut self, call: &Call<'a>) -> Result<Flat> {
        let results = match &call.callee {
            Operand::Assembly(assembly) => self.assembly(assembly, call)?,
            Operand::Constant(Constant::Global(name)) if name.starts_with("llvm.") => self.intrinsic(name, call)?,
            callee => self.ordinary_call(callee, call)?,
        };
        if let Some(invoke) = call.invoke {
            self.invoke(invoke)?;
        }
        Ok(results)
    }

    fn ordinary_call(&mut self, callee: &Operand<'a>, call: &Call<'a>) -> Result<Flat> {
        let callee = match callee {
            Operand::Constant(constant) => self.address(constant)?,
            local => self.pointer(local)?,
        };
        let results = self.result_types(call.result)?;
        let (arguments, fixed) = self.arguments(call)?;
        let callee = match callee {
            // A call with other results than the callee has goes through a pointer, as in C.
            Value::Address { symbol: Symbol::Function(id), offset: 0 }
                if self.context.unit.module.function(id).signature.results.as_slice() == results =>
            {
                Callee::Direct(id)
            }
            pointer => Callee::Indirect(pointer),
        };
        Ok(self.emit(Operation::Call { callee, arguments, fixed }, &results))
    }

    fn result_types(&self, ty: TypeId) -> Result<Vec<Type>> {
        Ok(self.context.layouts.scalars(ty, self.line)?.iter().map(|scalar| scalar.0).collect())
    }

    /// The scalars of all arguments, and how many of them are for parameters.
    fn arguments(&mut self, call: &Call<'a>) -> Result<(Vec<Value>, u32)> {
        let parameters = match call.signature {
            Some((count, true)) => count,
            _ => call.arguments.len(),
        };
        let mut values = Vec::new();
        let mut fixed = 0;
        for (position, argument) in call.arguments.iter().enumerate() {
            let variadic = position >= parameters;
            match argument.by_value {
                Some(ty) => {
                    let original = self.pointer(&argument.typed.value)?;
                    if variadic {
                        values.extend(self.words_of(ty, original)?);
                    } else {
                        values.push(self.copy_of(ty, original)?);
                    }
                }
                None => values.extend(self.typed(&argument.typed)?),
            }
            if !variadic {
                fixed = values.len() as u32;
            }
        }
        Ok((values, fixed))
    }

    /// A copy of a structure that is passed by value, in a slot of the caller.
    fn copy_of(&mut self, ty: TypeId, from: Value) -> Result<Value> {
        let layout = self.context.layouts.layout(ty, self.line)?;
        let slot = self.add_slot(layout.size, layout.align)?;
        let to = self.emit_slot(slot);
        let length = Value::i64(layout.size as i64);
        self.emit(Operation::CopyMemory { to, from, length, may_overlap: false, volatile: false }, &[]);
        Ok(to)
    }

    /// A call of a function that the execution must know by name.
    pub(super) fn external_call(&mut self, name: &str, call: &Call<'a>) -> Result<Flat> {
        let results = self.result_types(call.result)?;
        let (arguments, _) = self.arguments_without_metadata(call)?;
        let parameters = arguments.iter().map(|value| value.ty(&self.body).unwrap_or(Type::Ptr)).collect();
        let signature = || Signature { parameters, results: results.iter().copied().collect(), variadic: false };
        let callee = Callee::Direct(self.context.external(name, signature));
        let fixed = arguments.len() as u32;
        Ok(self.emit(Operation::Call { callee, arguments, fixed }, &results))
    }

    fn arguments_without_metadata(&mut self, call: &Call<'a>) -> Result<(Vec<Value>, u32)> {
        let mut values = Vec::new();
        for argument in &call.arguments {
            if !matches!(argument.typed.value, Operand::Metadata(..)) {
                values.extend(self.typed(&argument.typed)?);
            }
        }
        let fixed = values.len() as u32;
        Ok((values, fixed))
    }
}
