//! The renaming half of promotion: loads become the values that were stored.

use super::promote::{Candidates, conversion};
use crate::analysis::{ControlFlow, Dominators};
use crate::function::Body;
use crate::ids::BlockId;
use crate::operation::Operation;
use crate::value::Value;
use smallvec::smallvec;

/// The phis that promotion added: for each block, the variable and the position among its phis.
pub(super) struct Promotion {
    phis: Vec<Vec<(usize, usize)>>,
    variables: usize,
}

impl Promotion {
    pub(super) fn new(body: &Body, variables: usize) -> Self {
        Self { phis: vec![Vec::new(); body.blocks.len()], variables }
    }

    pub(super) fn add_phi(&mut self, block: BlockId, variable: usize, position: usize) {
        self.phis[block.index()].push((variable, position));
    }
}

/// Replaces the loads of the candidates by what was stored, and removes their stores and allocas.
pub(super) fn rename(
    body: &mut Body,
    candidates: &Candidates,
    promotion: Promotion,
    dominators: &Dominators,
    flow: &ControlFlow,
) {
    let mut renamer = Renamer {
        candidates,
        phis: promotion.phis,
        current: candidates.variables.iter().map(|variable| Value::Undef(variable.ty)).collect(),
        replacement: vec![None; body.registers.len()],
    };
    debug_assert_eq!(renamer.current.len(), promotion.variables);
    // What to restore when the walk leaves a block: the assignments made in it.
    let mut stack = vec![(Body::ENTRY, 0, Vec::new())];
    while let Some((block, next_child, undo)) = stack.last_mut() {
        let block = *block;
        if *next_child == 0 {
            *undo = renamer.block(body, block, flow);
        }
        *next_child += 1;
        match dominators.children(block).get(*next_child - 1) {
            Some(&child) => stack.push((child, 0, Vec::new())),
            None => {
                let undo = std::mem::take(undo);
                undo.into_iter().rev().for_each(|(variable, value)| renamer.current[variable] = value);
                stack.pop();
            }
        }
    }
    renamer.finish(body);
}

struct Renamer<'a> {
    candidates: &'a Candidates,
    phis: Vec<Vec<(usize, usize)>>,
    /// The value of each variable at this point of the walk.
    current: Vec<Value>,
    /// What stands for a register that a removed load assigned.
    replacement: Vec<Option<Value>>,
}

impl Renamer<'_> {
    /// Renames in one block; answers with what the variables were before.
    fn block(&mut self, body: &mut Body, id: BlockId, flow: &ControlFlow) -> Vec<(usize, Value)> {
        let mut undo = Vec::new();
        for &(variable, position) in &self.phis[id.index()] {
            undo.push((variable, self.current[variable]));
            self.current[variable] = Value::Reg(body.block(id).phis[position].result);
        }
        let mut instructions = std::mem::take(&mut body.blocks[id.index()].instructions);
        for instruction in &mut instructions {
            instruction.operation.for_each_value_mut(|value| *value = self.resolve(*value));
            let Some(variable) = self.candidates.accessed(&instruction.operation) else { continue };
            let stored = self.candidates.variables[variable].ty;
            match instruction.operation {
                Operation::Load { .. } => {
                    let (result, value) = (instruction.results[0], self.current[variable]);
                    match conversion(stored, body.register(result).ty) {
                        Some(op) => instruction.operation = Operation::Cast { op, value },
                        None => self.replacement[result.index()] = Some(value),
                    }
                }
                Operation::Store { value, .. } => {
                    let mut new = value;
                    if let Some(op) = value.ty(body).and_then(|ty| conversion(ty, stored)) {
                        let result = body.add_register(stored, None);
                        instruction.operation = Operation::Cast { op, value };
                        instruction.results = smallvec![result];
                        self.replacement.push(None);
                        new = Value::Reg(result);
                    }
                    undo.push((variable, std::mem::replace(&mut self.current[variable], new)));
                    self.name(body, variable, new);
                }
                Operation::Scope { .. } => {
                    undo.push((variable, std::mem::replace(&mut self.current[variable], Value::Undef(stored))));
                }
                _ => {}
            }
        }
        body.blocks[id.index()].instructions = instructions;
        for &successor in flow.successors(id) {
            for &(variable, position) in &self.phis[successor.index()] {
                body.blocks[successor.index()].phis[position].incoming.push((id, self.current[variable]));
            }
        }
        undo
    }

    fn resolve(&self, value: Value) -> Value {
        value.reg().and_then(|reg| self.replacement[reg.index()]).unwrap_or(value)
    }

    /// A register that is stored to a variable is called after it, if it has no name yet.
    fn name(&self, body: &mut Body, variable: usize, value: Value) {
        if let Value::Reg(reg) = value {
            let name = &body.slots[self.candidates.variables[variable].slot.index()].name;
            let register = &mut body.registers[reg.index()];
            if register.name.is_none() {
                register.name.clone_from(name);
            }
        }
    }

    /// Removes what was promoted and resolves the uses that the walk met before the definition.
    fn finish(self, body: &mut Body) {
        for block in &mut body.blocks {
            block.instructions.retain(|instruction| match &instruction.operation {
                Operation::Alloca { .. } => self.candidates.variable(Value::Reg(instruction.results[0])).is_none(),
                operation => self.candidates.accessed(operation).is_none(),
            });
            for phi in &mut block.phis {
                phi.incoming.sort_by_key(|incoming| incoming.0);
                phi.incoming.iter_mut().for_each(|incoming| incoming.1 = self.resolve(incoming.1));
            }
            block.terminator.kind.for_each_value_mut(|value| *value = self.resolve(*value));
        }
    }
}
