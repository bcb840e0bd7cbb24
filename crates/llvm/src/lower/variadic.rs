//! Variadic functions: `va_start` and its kin, and structures passed to `...`.
//!
//! clang expands `va_arg` into code that looks into registers saved by the callee, then into the part of the
//! argument area that lies in memory. We fill the `va_list` so that the registers appear to be used up.

use super::function::{Flat, Lowerer};
use crate::error::Result;
use crate::types::TypeId;
use everyway_ir::{Operation, Type, Value};

/// How the targets lay out a `va_list`: its size, where the pointer to the arguments in memory lies, and the
/// 4-byte numbers that say that no registers are left.
struct ListLayout {
    size: u64,
    area: u64,
    used_up: &'static [(u64, u32)],
}

const SYSTEM_V: ListLayout = ListLayout { size: 24, area: 8, used_up: &[(0, 48), (4, 176)] };
const AARCH64: ListLayout = ListLayout { size: 32, area: 0, used_up: &[(24, 0), (28, 0)] };
const POINTER: ListLayout = ListLayout { size: 8, area: 0, used_up: &[] };

fn list_layout(target: &str) -> ListLayout {
    let (apple, windows) = (target.contains("apple"), target.contains("windows"));
    match target.split('-').next().unwrap_or_default() {
        "x86_64" if !windows => SYSTEM_V,
        "aarch64" | "arm64" if !apple && !windows => AARCH64,
        _ => POINTER,
    }
}

impl Lowerer<'_, '_, '_> {
    pub(super) fn va_start(&mut self, list: Value) -> Result<Flat> {
        if !self.variadic {
            return self.error("`va_start` in a function without `...`");
        }
        let layout = list_layout(&self.context.unit.module.target);
        let area = self.emit_one(Operation::VariadicArea, Type::Ptr);
        for &(offset, number) in layout.used_up {
            self.store_field(list, offset, Value::constant(Type::I32, number.into()), 4);
        }
        self.store_field(list, layout.area, area, 8);
        Ok(Flat::new())
    }

    fn store_field(&mut self, list: Value, offset: u64, value: Value, align: u32) {
        let address = self.beyond(list, offset);
        self.emit(Operation::Store { address, value, align, volatile: false, ordering: None }, &[]);
    }

    pub(super) fn va_copy(&mut self, to: Value, from: Value) -> Result<Flat> {
        let size = list_layout(&self.context.unit.module.target).size;
        let length = Value::i64(size as i64);
        Ok(self.emit(Operation::CopyMemory { to, from, length, may_overlap: false, volatile: false }, &[]))
    }

    /// A structure that is passed by value to `...`, as the words that it takes in the argument area.
    pub(super) fn words_of(&mut self, ty: TypeId, address: Value) -> Result<Flat> {
        let size = self.context.layouts.layout(ty, self.line)?.size;
        if size > 4096 {
            return self.unsupported(format!("a structure of {size} bytes as a variadic argument"));
        }
        let mut words = Flat::new();
        for offset in (0..size).step_by(8) {
            let word = Type::Int((size - offset).min(8) as u8 * 8);
            let from = self.beyond(address, offset);
            let load = Operation::Load { address: from, align: 1, volatile: false, ordering: None };
            let value = self.emit_one(load, word);
            words.push(self.resize(value, Type::I64));
        }
        Ok(words)
    }
}
