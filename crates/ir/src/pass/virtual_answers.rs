//! Virtual functions that do nothing but answer: `virtual bool is_deferred() const { return false; }`.
//!
//! Nothing is known of a call through a pointer, so that a loop with one has no rounds that do nothing. Where the pointer is one of a
//! class's table of functions, those that may be meant are known, but not by whose definition the object is made; so it is asked whether
//! the function is one of them, and called if not.

use super::inline::rename_predecessor;
use super::unwind::take_question;
use crate::analysis::{ControlFlow, Definitions, Dominators, Loops};
use crate::function::{Block, Body, Instruction, Phi, Terminator, TerminatorKind};
use crate::ids::{BlockId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::IntPredicate;
use crate::types::Type;
use crate::value::{Symbol, Value};
use smallvec::smallvec;

/// More than this may be meant.
const MEANT: usize = 4;
/// Where the functions begin in a table.
const FUNCTIONS: u64 = 16;

/// Asks which function is called, in loops, where it may be one that only answers.
pub(super) fn answer_virtual_calls(module: &mut Module) {
    for index in 0..module.functions.len() {
        let Some(body) = &module.functions[index].body else { continue };
        let found = virtual_calls(module, body);
        if found.is_empty() {
            continue;
        }
        let Some(mut body) = module.functions[index].body.take() else { continue };
        // From the last one on, so that those before it stay where they are.
        for (block, position, answers) in found.into_iter().rev() {
            answer(module, &mut body, (block, position), &answers);
        }
        module.functions[index].body = Some(body);
    }
}

/// A function, and what it answers.
type Answer = (FunctionId, Value);

/// The calls in loops of functions that may only answer.
fn virtual_calls(module: &Module, body: &Body) -> Vec<(BlockId, usize, Vec<Answer>)> {
    let mut found = Vec::new();
    let calls = body.block_ids().flat_map(|block| (0..body.block(block).instructions.len()).map(move |it| (block, it)));
    let calls = calls.filter(|&(block, position)| is_indirect(&body.block(block).instructions[position]));
    let mut calls = calls.peekable();
    if calls.peek().is_none() {
        return found;
    }
    let flow = ControlFlow::new(body);
    let loops = Loops::new(&flow, &Dominators::new(&flow, body.blocks.len()));
    let definitions = Definitions::new(body);
    for (block, position) in calls.filter(|&(block, _)| loops.innermost(block).is_some()) {
        let instruction = &body.block(block).instructions[position];
        let Some(place) = place_in_table(body, &definitions, instruction) else { continue };
        let answers = answers(module, body, instruction, place);
        if !answers.is_empty() && answers.len() <= MEANT {
            found.push((block, position, answers));
        }
    }
    found
}

fn is_indirect(instruction: &Instruction) -> bool {
    matches!(instruction.operation, Operation::Call { callee: Callee::Indirect(_), .. })
        && instruction.results.len() == 1
}

/// Where in a table that an object points to the function is found that is called.
fn place_in_table(body: &Body, definitions: &Definitions, call: &Instruction) -> Option<u64> {
    let Operation::Call { callee: Callee::Indirect(Value::Reg(function)), .. } = call.operation else { return None };
    let operation = |reg: Reg| {
        let (block, position) = definitions.instruction(reg)?;
        Some(&body.block(block).instructions[position].operation)
    };
    let Operation::Load { address: Value::Reg(address), ordering: None, .. } = operation(function)? else {
        return None;
    };
    match operation(*address)? {
        Operation::Offset { base: Value::Reg(table), offset, index: None } => {
            let is_loaded = matches!(operation(*table)?, Operation::Load { .. });
            u64::try_from(*offset).ok().filter(|_| is_loaded)
        }
        Operation::Load { .. } => Some(0),
        _ => None,
    }
}

/// The functions at this place of tables that only answer, and could be called like this.
fn answers(module: &Module, body: &Body, call: &Instruction, place: u64) -> Vec<Answer> {
    let Operation::Call { arguments, .. } = &call.operation else { return Vec::new() };
    let tables = module.globals.iter().filter(|global| global.name.starts_with("_ZTV"));
    let relocations = tables.filter_map(|global| global.initialiser.as_ref()).flat_map(|it| &it.relocations);
    let mut found: Vec<Answer> = Vec::new();
    for relocation in relocations.filter(|it| it.offset == place + FUNCTIONS && it.addend == 0) {
        let Symbol::Function(id) = relocation.symbol else { continue };
        let function = module.function(id);
        let signature = &function.signature;
        let fits = signature.results[..] == [body.register(call.results[0]).ty]
            && arguments.len() == signature.parameters.len()
            && arguments.iter().zip(&signature.parameters).all(|(it, ty)| it.ty(body) == Some(*ty));
        let Some(answer) = function.body.as_ref().filter(|_| fits).and_then(only_answer) else { continue };
        if found.iter().all(|it| it.0 != id) {
            found.push((id, answer));
        }
    }
    found
}

/// What a function returns that does nothing else.
fn only_answer(body: &Body) -> Option<Value> {
    let [block] = &body.blocks[..] else { return None };
    let TerminatorKind::Return(values) = &block.terminator.kind else { return None };
    match values[..] {
        [value @ Value::Const { .. }] if block.instructions.is_empty() => Some(value),
        _ => None,
    }
}

/// Takes the answer if it is one of these functions, and calls it otherwise.
fn answer(module: &Module, body: &mut Body, (block, position): (BlockId, usize), answers: &[Answer]) {
    let [call, rest] = [0, 1].map(|next| BlockId::new(body.blocks.len() + next));
    let split = &mut body.blocks[block.index()];
    let mut after = split.instructions.split_off(position + 1);
    let question = take_question(module, &mut after);
    let Some(mut instruction) = split.instructions.pop() else { return };
    let Operation::Call { callee: Callee::Indirect(function), .. } = instruction.operation else { return };
    let location = instruction.location;
    let jump = |to: BlockId| Terminator { kind: TerminatorKind::Jump(to), location };
    let terminator = std::mem::replace(&mut split.terminator, jump(call));
    rename_predecessor(body, &terminator.kind, block, rest);
    // What the call gives, and what is answered to the question whether an exception has left it.
    let outcome = |result: &mut Reg, body: &mut Body| {
        let original = *result;
        let register = body.register(original).clone();
        *result = body.add_register(register.ty, register.name);
        Phi { result: original, incoming: vec![(call, Value::Reg(*result))], location }
    };
    let mut phis = vec![outcome(&mut instruction.results[0], body)];
    let mut called = vec![instruction];
    if let Some(mut question) = question {
        phis.push(outcome(&mut question.results[0], body));
        called.push(question);
    }
    body.blocks.push(Block { label: None, phis: Vec::new(), instructions: called, terminator: jump(rest) });
    body.blocks.push(Block { label: None, phis: Vec::new(), instructions: after, terminator });
    let mut from = block;
    for (index, &(id, value)) in answers.iter().enumerate() {
        let rhs = Value::Address { symbol: Symbol::Function(id), offset: 0 };
        let is_it = body.add_register(Type::BOOL, None);
        let operation = Operation::Compare { predicate: IntPredicate::Eq, lhs: function, rhs };
        body.blocks[from.index()].instructions.push(Instruction { results: smallvec![is_it], operation, location });
        let next = if index + 1 < answers.len() { BlockId::new(body.blocks.len()) } else { call };
        let kind = TerminatorKind::Branch { condition: Value::Reg(is_it), then: rest, otherwise: next };
        body.blocks[from.index()].terminator = Terminator { kind, location };
        for (phi, value) in phis.iter_mut().zip([value, Value::bool(false)]) {
            phi.incoming.push((from, value));
        }
        if next != call {
            body.blocks.push(Block { label: None, phis: Vec::new(), instructions: Vec::new(), terminator: jump(call) });
        }
        from = next;
    }
    phis.iter_mut().for_each(|phi| phi.incoming.sort_by_key(|incoming| incoming.0));
    body.blocks[rest.index()].phis = phis;
}
