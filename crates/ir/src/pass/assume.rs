//! Calls by which a program states an assumption become operations: of a function that takes what is assumed, and of `abort`, if
//! the program is written for a verifier.

use crate::environment::marks_verification_task;
use crate::function::{Block, Body, Instruction, TerminatorKind};
use crate::ids::FunctionId;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::{BinaryOp, IntPredicate};
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

/// Replaces branches to nothing but an abort by assumes of the contrary, in a program that is written for a verifier.
pub fn adopt_aborts(module: &mut Module) {
    if !module.functions.iter().any(|function| marks_verification_task(&function.name)) {
        return;
    }
    let aborts: Vec<bool> = module.functions.iter().map(|it| it.name == "abort" && it.body.is_none()).collect();
    for body in module.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        let ends: Vec<bool> = body.blocks.iter().map(|block| only_aborts(block, &aborts)).collect();
        for index in 0..body.blocks.len() {
            let TerminatorKind::Branch { condition, then, otherwise } = body.blocks[index].terminator.kind else {
                continue;
            };
            let location = body.blocks[index].terminator.location;
            let (goes_on, holds) = match (ends[then.index()], ends[otherwise.index()]) {
                (true, false) => (otherwise, negation(body, index, condition)),
                (false, true) => (then, condition),
                _ => continue,
            };
            let block = &mut body.blocks[index];
            let assume = Operation::Assume { condition: holds, round: None };
            block.instructions.push(Instruction { results: smallvec![], operation: assume, location });
            block.terminator.kind = TerminatorKind::Jump(goes_on);
        }
    }
}

/// The contrary of the condition, computed at the end of a block.
fn negation(body: &mut Body, block: usize, condition: Value) -> Value {
    let result = body.add_register(Type::BOOL, None);
    let block = &mut body.blocks[block];
    let operation = Operation::Binary { op: BinaryOp::Xor, lhs: condition, rhs: Value::bool(true) };
    block.instructions.push(Instruction { results: smallvec![result], operation, location: block.terminator.location });
    Value::Reg(result)
}

/// Whether a block does nothing but abort.
fn only_aborts(block: &Block, aborts: &[bool]) -> bool {
    let is_abort = |instruction: &Instruction| matches!(&instruction.operation, Operation::Call { callee: Callee::Direct(id), .. } if aborts[id.index()]);
    block.terminator.kind == TerminatorKind::Unreachable
        && block.phis.is_empty()
        && matches!(&block.instructions[..], [instruction] if is_abort(instruction))
}
