//! Removal of calls that only pass the time: `nanosleep(&pause, 0)`.
//!
//! No time passes here, so they do nothing. What they are given need not be computed either, nor kept in memory: a pause
//! that grows from try to try decides nothing.

use super::compact::compact;
use super::inline::replace_registers;
use super::unread::remove_unread;
use crate::ids::{FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::value::Value;

/// Removes the calls of external functions that do nothing and give 0, as `is_idle` says by name and arguments.
pub fn remove_idle_calls(module: &mut Module, is_idle: fn(&str, &[Value]) -> bool) {
    for index in 0..module.functions.len() {
        let Some(mut body) = module.functions[index].body.take() else { continue };
        let is_one = |operation: &Operation| {
            let Operation::Call { callee: Callee::Direct(id), arguments, .. } = operation else { return false };
            let function = module.function(*id);
            function.body.is_none() && *id != FunctionId::new(index) && is_idle(&function.name, arguments)
        };
        let (mut replaced, mut given): (Vec<(Reg, Value)>, Vec<Reg>) = Default::default();
        for block in &mut body.blocks {
            for instruction in block.instructions.extract_if(.., |instruction| is_one(&instruction.operation)) {
                let zero = |&result: &Reg| (result, Value::constant(body.registers[result.index()].ty, 0));
                replaced.extend(instruction.results.iter().map(zero));
                given.extend(instruction.operation.values().into_iter().filter_map(Value::reg));
            }
        }
        replace_registers(&mut body, &replaced);
        remove_unread(&mut body, &module.globals, &given);
        if !replaced.is_empty() || !given.is_empty() {
            compact(&mut body, module.functions[index].signature.parameters.len());
        }
        module.functions[index].body = Some(body);
    }
}
