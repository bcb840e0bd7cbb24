//! Calls by which a program states an assumption become operations.

use crate::function::Instruction;
use crate::ids::FunctionId;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::IntPredicate;
use crate::types::Type;
use crate::value::Value;
use smallvec::smallvec;

/// Replaces the calls of functions whose names `assumes` accepts, and which take one integer, by assumes that the
/// integer is not zero.
pub fn adopt_assumes(module: &mut Module, assumes: &dyn Fn(&str) -> bool) {
    let is_one: Vec<bool> = module.functions.iter().map(|function| assumes(&function.name)).collect();
    for body in module.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for index in 0..body.blocks.len() {
            let mut position = 0;
            while let Some(instruction) = body.blocks[index].instructions.get(position) {
                let location = instruction.location;
                if let Operation::Call { callee: Callee::Direct(FunctionId(callee)), arguments, .. } =
                    &instruction.operation
                    && let [argument] = arguments[..]
                    && is_one[*callee as usize]
                    && instruction.results.is_empty()
                    && let Some(ty @ Type::Int(_)) = argument.ty(body)
                {
                    let condition = body.add_register(Type::BOOL, None);
                    let zero = Value::constant(ty, 0);
                    let compare = Operation::Compare { predicate: IntPredicate::Ne, lhs: argument, rhs: zero };
                    let assume = Operation::Assume { condition: Value::Reg(condition), round: None };
                    let instructions = [
                        Instruction { results: smallvec![condition], operation: compare, location },
                        Instruction { results: smallvec![], operation: assume, location },
                    ];
                    body.blocks[index].instructions.splice(position..=position, instructions);
                    position += 1;
                }
                position += 1;
            }
        }
    }
}
