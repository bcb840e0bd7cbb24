//! Exceptions that cannot be: where nothing that is called can throw, there is no landing pad.
//!
//! A call that an exception may leave is followed by a call of [`UNWINDS`], which returns whether one has, and a branch on
//! the result. The virtual machine unwinds to such a call of `UNWINDS`, so a call that is followed by one must not be
//! inlined.

use super::prune::prune;
use crate::function::{Instruction, TerminatorKind};
use crate::module::Module;
use crate::operation::{Callee, Operation};

/// The external function that answers whether an exception has left the call before it. It gets whether the landing pad
/// cleans up, and the types that it catches, null for all.
pub const UNWINDS: &str = "__everyway_unwinds";

/// The external function that tells a landing pad the exception and the number of its type.
pub const LANDING: &str = "__everyway_landing";

/// Removes the questions whether an exception has left a call that cannot be left by one, and the landing pads that no
/// exception gets to; `throws` knows external functions by their names.
pub fn settle_exceptions(module: &mut Module, throws: &dyn Fn(&str) -> bool) {
    let Some(question) = module.functions.iter().position(|function| function.name == UNWINDS) else { return };
    let throwing = throwing_functions(module, throws);
    let may_throw = |instruction: &Instruction| calls_one(instruction, &throwing);
    let asks = |instruction: &Instruction| callee_of(instruction) == Some(Called::Function(question));
    for body in module.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        let mut is_changed = false;
        for index in 0..body.blocks.len() {
            let instructions = &body.blocks[index].instructions;
            let [.., call, last] = &instructions[..] else { continue };
            if !asks(last) || may_throw(call) {
                continue;
            }
            let TerminatorKind::Branch { then, otherwise, .. } = body.blocks[index].terminator.kind else { continue };
            body.blocks[index].instructions.pop();
            body.blocks[index].terminator.kind = TerminatorKind::Jump(otherwise);
            if then != otherwise {
                let from = crate::ids::BlockId::new(index);
                body.blocks[then.index()].phis.iter_mut().for_each(|phi| phi.incoming.retain(|it| it.0 != from));
            }
            is_changed = true;
        }
        if is_changed {
            prune(body);
        }
    }
}

/// Whether what follows a call in its block is the question whether an exception has left it.
pub(super) fn is_asked_about(module: &Module, instructions: &[Instruction], position: usize) -> bool {
    instructions.get(position + 1).is_some_and(|next| match callee_of(next) {
        Some(Called::Function(id)) => module.functions[id].name == UNWINDS,
        _ => false,
    })
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Called {
    Function(usize),
    Anything,
}

fn callee_of(instruction: &Instruction) -> Option<Called> {
    match &instruction.operation {
        Operation::Call { callee: Callee::Direct(id), .. } => Some(Called::Function(id.index())),
        Operation::Call { callee: Callee::Indirect(_), .. } => Some(Called::Anything),
        _ => None,
    }
}

/// Whether each function may throw, and whether what is called through a pointer may.
struct Throwing {
    functions: Vec<bool>,
    anything: bool,
}

fn calls_one(instruction: &Instruction, throwing: &Throwing) -> bool {
    match callee_of(instruction) {
        Some(Called::Function(id)) => throwing.functions[id],
        Some(Called::Anything) => throwing.anything,
        None => false,
    }
}

fn throwing_functions(module: &Module, throws: &dyn Fn(&str) -> bool) -> Throwing {
    let is_external = |function: &crate::function::Function| function.body.is_none() && throws(&function.name);
    let mut throwing = Throwing { functions: module.functions.iter().map(is_external).collect(), anything: false };
    loop {
        let mut is_changed = false;
        for (index, function) in module.functions.iter().enumerate() {
            let mut instructions = function.body.iter().flat_map(|body| &body.blocks).flat_map(|it| &it.instructions);
            if !throwing.functions[index] && instructions.any(|instruction| calls_one(instruction, &throwing)) {
                throwing.functions[index] = true;
                throwing.anything = true;
                is_changed = true;
            }
        }
        if !is_changed {
            return throwing;
        }
    }
}
