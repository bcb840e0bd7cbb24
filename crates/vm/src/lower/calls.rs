//! Calls: whom, with what, where the results go, and what the caller wants to know of them.

use super::body::{Builder, append};
use super::lanes::lanes_for;
use crate::code::{Argument, Call, Callee, Instruction, Looks};
use everyway_ir as ir;
use everyway_ir::Value;

impl Builder<'_, '_> {
    pub(super) fn call(&mut self, callee: &ir::Callee, arguments: &[Value], fixed: u32, instruction: &ir::Instruction) {
        let callee = match callee {
            ir::Callee::Direct(function) => Callee::Direct(*function),
            ir::Callee::Indirect(pointer) => Callee::Indirect(self.operand(*pointer)),
        };
        let mut list = Vec::new();
        let mut fixed_lanes = 0;
        for (index, &argument) in arguments.iter().enumerate() {
            let width = self.ty(argument).bits() as u8;
            let value = self.operand(argument);
            list.push(Argument { value, width });
            if width > 64 {
                list.push(Argument { value: value.high(), width });
            }
            if index + 1 == fixed as usize {
                fixed_lanes = list.len() as u32;
            }
        }
        let mut results = Vec::new();
        for &register in &instruction.results {
            let first = self.lanes.of(register);
            results.extend(first..first + lanes_for(self.source.register(register).ty));
        }
        let looks = match instruction.results[..] {
            [result] if self.lowering.input_classes.contains_key(&(self.function, result)) => {
                let values = self.lowering.input_classes[&(self.function, result)].clone();
                Looks::Among(append(&mut self.lowering.code.inputs, values))
            }
            ref results if results.iter().all(|result| !self.used[result.index()]) => Looks::Away,
            _ => Looks::At,
        };
        let (block, position) = self.at;
        let section = self.lowering.code.sections.beginning_at(self.function, block, position);
        let code = &mut self.lowering.code;
        let call = Call {
            looks,
            section,
            callee,
            arguments: append(&mut code.arguments, list),
            fixed: fixed_lanes,
            results: append(&mut code.lanes, results),
        };
        code.calls.push(call);
        let index = code.calls.len() as u32 - 1;
        self.emit(Instruction::Call(index));
    }
}
