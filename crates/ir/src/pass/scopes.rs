//! Which scopes of variables have to be watched.
//!
//! A compiler marks where the scope of every variable begins and ends. Most marks say nothing new: a use of a variable by
//! its name is in its scope, and where only the return from the function follows the end of a scope, the return ends the
//! variable as well. The marks that matter are those of variables that end before their function does, and whose address
//! escapes, or is used after the end through a pointer that became a register.

use crate::analysis::{ControlFlow, Scopes};
use crate::function::{Body, Function, Instruction, TerminatorKind};
use crate::ids::{BlockId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Operation, ScopeMark};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Removes the marks of scopes of `function` that need not be watched.
pub(super) fn trim_scopes(function: &mut Function) {
    let Some(body) = &mut function.body else { return };
    if !marks(body).any(|_| true) {
        return;
    }
    let hidden = hidden_addresses(body);
    drop_last_ends(body, &hidden);
    let ending = marks(body).filter(|(_, mark)| *mark == ScopeMark::Ends).map(|(address, _)| address);
    let ending: FxHashSet<Value> = ending.filter(|address| !is_hidden(&hidden, *address)).collect();
    for block in &mut body.blocks {
        block.instructions.retain(|instruction| match instruction.operation {
            Operation::Scope { address, .. } => ending.contains(&address),
            _ => true,
        });
    }
}

/// Whether the program has a variable that others can use when it is gone: when its scope has ended, or when its function
/// has returned, but for `main`.
pub fn has_early_ends(module: &Module) -> bool {
    let entry = module.entry();
    module.functions.iter().enumerate().any(|(index, function)| {
        let Some(body) = &function.body else { return false };
        let hidden = hidden_addresses(body);
        let is_known = |instruction: &Instruction| {
            matches!(instruction.operation, Operation::Alloca { .. }) && !hidden[instruction.results[0].index()]
        };
        let mut instructions = body.blocks.iter().flat_map(|block| &block.instructions);
        marks(body).any(|(_, mark)| mark == ScopeMark::Ends)
            || entry != Some(FunctionId::new(index)) && instructions.any(is_known)
    })
}

fn marks(body: &Body) -> impl Iterator<Item = (Value, ScopeMark)> + '_ {
    let operations = body.blocks.iter().flat_map(|block| &block.instructions).map(|instruction| &instruction.operation);
    operations.filter_map(|operation| match operation {
        Operation::Scope { address, mark } => Some((*address, *mark)),
        _ => None,
    })
}

fn is_hidden(hidden: &[bool], address: Value) -> bool {
    address.reg().is_some_and(|reg| hidden[reg.index()])
}

/// For every register, whether it is the address of a variable, or of a part of one, that goes nowhere: it is only used to
/// load and to store, while the variable is there.
fn hidden_addresses(body: &Body) -> Vec<bool> {
    let scopes = Scopes::new(body);
    let mut shown = vec![false; body.registers.len()];
    let mut show = |value: Value| {
        if let Some(variable) = scopes.variable(value) {
            shown[variable.index()] = true;
        }
    };
    for block in &body.blocks {
        block.values_at_ends().for_each(&mut show);
        for instruction in &block.instructions {
            let operation = &instruction.operation;
            let mut values = operation.values();
            match operation {
                Operation::Offset { base, .. } | Operation::Scope { address: base, .. } => {
                    values.retain(|value| value != base);
                }
                _ => {
                    // The first operand is the address, if there is one; it may be stored to itself.
                    let is_access = operation.address().is_some();
                    values.drain(..usize::from(is_access));
                }
            }
            values.into_iter().for_each(&mut show);
        }
    }
    let is_hidden = |variable: Reg| !shown[variable.index()] && !scopes.is_overstayed(variable);
    let registers = (0..body.registers.len()).map(|index| Value::Reg(Reg::new(index)));
    registers.map(|reg| scopes.variable(reg).is_some_and(is_hidden)).collect()
}

/// Removes the ends of scopes after which nothing happens but the return.
fn drop_last_ends(body: &mut Body, hidden: &[bool]) {
    let is_quiet = |instruction: &Instruction| match &instruction.operation {
        Operation::Scope { mark: ScopeMark::Ends, .. } => true,
        Operation::Load { address, .. } | Operation::Store { address, .. } => is_hidden(hidden, *address),
        operation => !operation.has_effects(),
    };
    let mut quiet = vec![false; body.blocks.len()];
    let flow = ControlFlow::new(body);
    let ends_quietly = |body: &Body, index: usize, quiet: &[bool]| match &body.blocks[index].terminator.kind {
        TerminatorKind::Return(_) => true,
        TerminatorKind::Unreachable => false,
        _ => flow.successors(BlockId::new(index)).iter().all(|next| quiet[next.index()]),
    };
    for &block in flow.reverse_postorder().iter().rev() {
        let index = block.index();
        quiet[index] = ends_quietly(body, index, &quiet) && body.blocks[index].instructions.iter().all(is_quiet);
    }
    for index in 0..body.blocks.len() {
        if !ends_quietly(body, index, &quiet) {
            continue;
        }
        let instructions = &mut body.blocks[index].instructions;
        let from = instructions.iter().rposition(|it| !is_quiet(it)).map_or(0, |position| position + 1);
        let mut position = 0;
        instructions.retain(|instruction| {
            position += 1;
            position <= from || !matches!(instruction.operation, Operation::Scope { .. })
        });
    }
}
