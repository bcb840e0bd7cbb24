//! Attempts that tell in `errno` why they have failed: `while (sem_timedwait(&s, &end) == -1 && errno == ETIMEDOUT) ...`.
//!
//! The first one that fails makes a difference, as `errno` is another one afterwards. The next one does not, which is only seen if
//! telling is apart from trying: in loops, a call of one that gives its error is put in the place of the call, and `errno` is written to
//! if it is not that already.

use super::inline::rename_predecessor;
use super::lock_all::declared;
use crate::analysis::{ControlFlow, Dominators, Loops, called};
use crate::environment::Environment;
use crate::function::{Block, Body, Instruction, Phi, Terminator, TerminatorKind};
use crate::ids::{BlockId, FunctionId};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::IntPredicate;
use crate::types::Type;
use crate::value::Value;
use smallvec::smallvec;

/// Tells what attempts in loops do apart.
pub(super) fn split_attempts(module: &mut Module, environment: &Environment) {
    for index in 0..module.functions.len() {
        let Some(body) = &module.functions[index].body else { continue };
        let found = attempts(module, body, environment);
        if found.is_empty() {
            continue;
        }
        let errno = declared(module, environment.errno, &[], &[Type::Ptr]);
        let functions: Vec<FunctionId> = found.iter().map(|it| giving(module, it.1, it.2)).collect();
        let Some(mut body) = module.functions[index].body.take() else { continue };
        // From the last one on, so that those before it stay where they are.
        for (&((block, position), ..), gives) in found.iter().zip(functions).rev() {
            split(&mut body, (block, position), gives, errno);
        }
        module.functions[index].body = Some(body);
    }
}

/// A call of a function, and the name of what gives its error.
type Attempt = ((BlockId, usize), FunctionId, &'static str);

/// The attempts in loops.
fn attempts(module: &Module, body: &Body, environment: &Environment) -> Vec<Attempt> {
    let mut found = Vec::new();
    for block in body.block_ids() {
        for (position, instruction) in body.block(block).instructions.iter().enumerate() {
            let Operation::Call { callee: Callee::Direct(id), .. } = &instruction.operation else { continue };
            let gives = called(module, &instruction.operation).and_then(environment.gives_error);
            let result = instruction.results.first().map(|&result| body.register(result).ty);
            if let (Some(gives), Some(Type::I32)) = (gives, result) {
                found.push(((block, position), *id, gives));
            }
        }
    }
    if !found.is_empty() {
        let flow = ControlFlow::new(body);
        let loops = Loops::new(&flow, &Dominators::new(&flow, body.blocks.len()));
        found.retain(|attempt| loops.innermost(attempt.0.0).is_some());
    }
    found
}

/// The function with this name that is called like the other one.
fn giving(module: &mut Module, original: FunctionId, name: &str) -> FunctionId {
    let signature = module.function(original).signature.clone();
    declared(module, name, &signature.parameters, &signature.results)
}

/// Puts a call that gives an error in the place of one that writes it to `errno` and gives -1.
fn split(body: &mut Body, (block, position): (BlockId, usize), gives: FunctionId, errno: FunctionId) {
    let [failed, writes, done, rest] = [0, 1, 2, 3].map(|next| BlockId::new(body.blocks.len() + next));
    let [error, old] = [0, 1].map(|_| body.add_register(Type::I32, None));
    let [has_failed, is_same] = [0, 1].map(|_| body.add_register(Type::BOOL, None));
    let address = body.add_register(Type::Ptr, None);
    let split = &mut body.blocks[block.index()];
    let after = split.instructions.split_off(position + 1);
    let Some(call) = split.instructions.last_mut() else { return };
    let (original, location) = (call.results[0], call.location);
    call.results[0] = error;
    if let Operation::Call { callee, .. } = &mut call.operation {
        *callee = Callee::Direct(gives);
    }
    let instruction = |result, operation| Instruction { results: smallvec![result], operation, location };
    let constant = |bits: u32| Value::constant(Type::I32, bits.into());
    let branch = |condition, then, otherwise| {
        let kind = TerminatorKind::Branch { condition: Value::Reg(condition), then, otherwise };
        Terminator { kind, location }
    };
    let jump = |to| Terminator { kind: TerminatorKind::Jump(to), location };
    let compare = |predicate, lhs, rhs| Operation::Compare { predicate, lhs: Value::Reg(lhs), rhs };
    split.instructions.push(instruction(has_failed, compare(IntPredicate::Ne, error, constant(0))));
    let terminator = std::mem::replace(&mut split.terminator, branch(has_failed, failed, rest));
    rename_predecessor(body, &terminator.kind, block, rest);
    let address_of = Operation::Call { callee: Callee::Direct(errno), arguments: Vec::new(), fixed: 0 };
    let load = Operation::Load { address: Value::Reg(address), align: 4, volatile: false, ordering: None };
    let looks = vec![
        instruction(address, address_of),
        instruction(old, load),
        instruction(is_same, compare(IntPredicate::Eq, old, Value::Reg(error))),
    ];
    let (address, value) = (Value::Reg(address), Value::Reg(error));
    let store = Operation::Store { address, value, align: 4, volatile: false, ordering: None };
    let store = Instruction { results: smallvec![], operation: store, location };
    let result = Phi { result: original, incoming: vec![(block, constant(0)), (done, constant(u32::MAX))], location };
    let add = |body: &mut Body, phis, instructions, terminator| {
        body.blocks.push(Block { label: None, phis, instructions, terminator });
    };
    add(body, Vec::new(), looks, branch(is_same, done, writes));
    add(body, Vec::new(), vec![store], jump(done));
    add(body, Vec::new(), Vec::new(), jump(rest));
    add(body, vec![result], after, terminator);
}
