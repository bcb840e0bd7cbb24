//! Exceptions that cannot be: where nothing that is called can throw, there is no landing pad.
//!
//! A call that an exception may leave is followed by a call of [`UNWINDS`], which returns whether one has, and a branch on
//! the result. The virtual machine unwinds to such a call of `UNWINDS`. Where the call is replaced by what is called, the question is
//! asked after every call there that an exception may leave ([`lead_exceptions`]).

use super::inline::rename_predecessor;
use super::prune::prune;
use crate::function::{Block, Body, Instruction, Terminator, TerminatorKind};
use crate::ids::BlockId;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::types::Type;
use crate::value::Value;
use smallvec::smallvec;

/// The external function that answers whether an exception has left the call before it. It gets whether the landing pad
/// cleans up, and the types that it catches, null for all.
pub const UNWINDS: &str = "__everyway_unwinds";

/// The external function that tells a landing pad the exception and the number of its type.
pub const LANDING: &str = "__everyway_landing";

/// Removes the questions whether an exception has left a call that cannot be left by one, and the landing pads that no
/// exception gets to; `throws` knows external functions by their names.
pub fn settle_exceptions(module: &mut Module, throws: &dyn Fn(&str) -> bool) {
    let Some(question) = module.functions.iter().position(|function| function.name == UNWINDS) else { return };
    let throwing = Throwing::of(module, throws);
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
                let from = BlockId::new(index);
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

/// Takes the question whether an exception has left a call from the beginning of what comes after the call.
pub(super) fn take_question(module: &Module, after: &mut Vec<Instruction>) -> Option<Instruction> {
    let is_question = |first: &Instruction| match callee_of(first) {
        Some(Called::Function(id)) => module.functions[id].name == UNWINDS,
        _ => false,
    };
    after.first().is_some_and(is_question).then(|| after.remove(0))
}

/// Asks the question about every call that an exception may leave, in the blocks from `first` up to `rest`, and goes on to `rest` if
/// one has. There, the last phi is the answer; the others are what the function would have returned.
pub(super) fn lead_exceptions(
    body: &mut Body,
    (first, rest): (usize, BlockId),
    throwing: &Throwing,
    question: &Instruction,
) {
    let mut work: Vec<usize> = (first..rest.index()).collect();
    while let Some(index) = work.pop() {
        let may_throw = |instruction: &Instruction| calls_one(instruction, throwing);
        let Some(position) = body.blocks[index].instructions.iter().position(may_throw) else { continue };
        let (from, next) = (BlockId::new(index), BlockId::new(body.blocks.len()));
        let location = body.blocks[index].instructions[position].location;
        let answer = body.add_register(Type::BOOL, None);
        let block = &mut body.blocks[index];
        let after = block.instructions.split_off(position + 1);
        block.instructions.push(Instruction { results: smallvec![answer], location, ..question.clone() });
        let kind = TerminatorKind::Branch { condition: Value::Reg(answer), then: rest, otherwise: next };
        let terminator = std::mem::replace(&mut block.terminator, Terminator { kind, location });
        rename_predecessor(body, &terminator.kind, from, next);
        body.blocks.push(Block { label: None, phis: Vec::new(), instructions: after, terminator });
        let mut undefined: Vec<Value> =
            body.block(rest).phis.iter().map(|phi| Value::Undef(body.register(phi.result).ty)).collect();
        if let Some(answer) = undefined.last_mut() {
            *answer = Value::bool(true);
        }
        for (phi, value) in body.blocks[rest.index()].phis.iter_mut().zip(undefined) {
            phi.incoming.push((from, value));
            phi.incoming.sort_by_key(|incoming| incoming.0);
        }
        work.push(next.index());
    }
}

/// Whether each function may throw, and whether what is called through a pointer may.
pub(super) struct Throwing {
    functions: Vec<bool>,
    anything: bool,
    /// The function that answers whether an exception has left a call.
    question: Option<usize>,
}

impl Throwing {
    /// Finds it out; `throws` knows external functions by their names.
    pub(super) fn of(module: &Module, throws: &dyn Fn(&str) -> bool) -> Self {
        let is_external = |function: &crate::function::Function| function.body.is_none() && throws(&function.name);
        let functions = module.functions.iter().map(is_external).collect();
        let question = module.functions.iter().position(|function| function.name == UNWINDS);
        let mut throwing = Self { functions, anything: false, question };
        loop {
            let mut is_changed = false;
            for (index, function) in module.functions.iter().enumerate() {
                let mut instructions =
                    function.body.iter().flat_map(|body| &body.blocks).flat_map(|it| &it.instructions);
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

    /// Whether there is a landing pad in the body.
    pub(super) fn asks(&self, body: &Body) -> bool {
        let is_question = |instruction: &Instruction| match (callee_of(instruction), self.question) {
            (Some(Called::Function(id)), Some(question)) => id == question,
            _ => false,
        };
        body.blocks.iter().flat_map(|block| &block.instructions).any(is_question)
    }
}

fn calls_one(instruction: &Instruction, throwing: &Throwing) -> bool {
    match callee_of(instruction) {
        Some(Called::Function(id)) => throwing.functions[id],
        Some(Called::Anything) => throwing.anything,
        None => false,
    }
}
