//! The rules about bodies, except dominance and types.

use super::module::{check_debug_id, check_location, check_symbol};
use super::{Broken, dominance, require, types};
use crate::analysis::ControlFlow;
use crate::function::{Block, Body, Function, TerminatorKind};
use crate::ids::{BlockId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashSet;

pub(super) fn check(module: &Module, id: FunctionId) -> Result<(), Broken> {
    let function = &module.functions[id.index()];
    let Some(body) = &function.body else { return Ok(()) };
    // Later checks index by ids, so that these come first.
    let checker = Checker { module, function, body };
    checker.tables().map_err(|message| (None, message))?;
    for block in body.block_ids() {
        checker.block(body.block(block)).map_err(|message| (Some(block), message))?;
    }
    checker.assigned_once().map_err(|message| (None, message))?;
    let flow = ControlFlow::new(body);
    require(flow.predecessors(Body::ENTRY).is_empty(), || "something goes back to the entry".into())
        .map_err(|message| (Some(Body::ENTRY), message))?;
    for block in body.block_ids() {
        check_phis(body, &flow, block).map_err(|message| (Some(block), message))?;
        types::check(module, function, body, block).map_err(|message| (Some(block), message))?;
    }
    dominance::check(body, &flow)
}

struct Checker<'a> {
    module: &'a Module,
    function: &'a Function,
    body: &'a Body,
}

impl Checker<'_> {
    fn tables(&self) -> Result<(), String> {
        require(!self.body.blocks.is_empty(), || "there is no entry block".into())?;
        for (index, register) in self.body.registers.iter().enumerate() {
            require(!matches!(register.ty, Type::Int(0 | 129..)), || {
                format!("%{index} has an integer type of unsupported width")
            })?;
        }
        let parameters = &self.function.signature.parameters;
        require(parameters.len() <= self.body.registers.len(), || "there are fewer registers than parameters".into())?;
        for (register, ty) in self.body.registers.iter().zip(parameters) {
            require(register.ty == *ty, || "the first registers do not have the types of the parameters".into())?;
        }
        for (index, slot) in self.body.slots.iter().enumerate() {
            require(slot.align.is_power_of_two(), || format!("the alignment of s{index} is no power of two"))?;
            check_debug_id(self.module, slot.debug_type)?;
            check_location(self.module, slot.location)?;
        }
        Ok(())
    }

    fn block(&self, block: &Block) -> Result<(), String> {
        for phi in &block.phis {
            self.register(phi.result)?;
            check_location(self.module, phi.location)?;
            for &(from, value) in &phi.incoming {
                self.block_id(from)?;
                self.value(value)?;
            }
        }
        for instruction in &block.instructions {
            instruction.results.iter().try_for_each(|&result| self.register(result))?;
            instruction.operation.values().into_iter().try_for_each(|value| self.value(value))?;
            check_location(self.module, instruction.location)?;
            self.operation(&instruction.operation)?;
        }
        let mut targets = Ok(());
        block.terminator.kind.for_each_successor(|target| {
            if targets.is_ok() {
                targets = self.block_id(target);
            }
        });
        targets?;
        check_location(self.module, block.terminator.location)?;
        block.terminator.kind.values().into_iter().try_for_each(|value| self.value(value))?;
        if let TerminatorKind::Switch { value, cases, .. } = &block.terminator.kind {
            let mask = value.ty(self.body).map_or(0, Type::mask);
            let mut seen = FxHashSet::default();
            for (case, _) in cases {
                require(case & !mask == 0, || format!("case {case} is no value of the type of the switch"))?;
                require(seen.insert(case), || format!("case {case} occurs twice"))?;
            }
        }
        Ok(())
    }

    fn operation(&self, operation: &Operation) -> Result<(), String> {
        match operation {
            Operation::Alloca { slot, .. } => {
                require(slot.index() < self.body.slots.len(), || format!("there is no slot {slot}"))
            }
            Operation::Call { callee, arguments, fixed } => {
                require(*fixed as usize <= arguments.len(), || "a call has fewer arguments than it says".into())?;
                match callee {
                    Callee::Direct(id) => {
                        require(id.index() < self.module.functions.len(), || format!("there is no function {id}"))
                    }
                    Callee::Indirect(_) => Ok(()),
                }
            }
            Operation::Load { align, .. } | Operation::Store { align, .. } => {
                require(align.is_power_of_two(), || "an alignment is no power of two".into())
            }
            Operation::Await { access, until, .. } => {
                let can_wait = matches!(
                    **access,
                    Operation::Load { .. } | Operation::AtomicRmw { .. } | Operation::CompareExchange { .. }
                );
                require(can_wait, || "only a load, a read-modify-write or a compare-exchange can wait".into())?;
                let is_empty = until.clauses.is_empty() || until.clauses.iter().any(Vec::is_empty);
                require(!is_empty, || "the condition of an await, or an alternative in it, is empty".into())?;
                self.operation(access)
            }
            _ => Ok(()),
        }
    }

    fn register(&self, reg: Reg) -> Result<(), String> {
        require(reg.index() < self.body.registers.len(), || format!("there is no register {reg}"))
    }

    fn block_id(&self, block: BlockId) -> Result<(), String> {
        require(block.index() < self.body.blocks.len(), || format!("there is no block {block}"))
    }

    fn value(&self, value: Value) -> Result<(), String> {
        match value {
            Value::Reg(reg) => self.register(reg),
            Value::Const { ty, bits } => {
                require(!matches!(ty, Type::Int(0 | 129..)), || "a constant has an unsupported width".into())?;
                require(bits & !ty.mask() == 0, || format!("the constant {bits} does not fit its type {ty}"))
            }
            Value::Address { symbol, .. } => check_symbol(self.module, symbol),
            Value::Undef(ty) => {
                require(!matches!(ty, Type::Int(0 | 129..)), || "an undef has an unsupported width".into())
            }
        }
    }

    fn assigned_once(&self) -> Result<(), String> {
        let mut assigned = vec![false; self.body.registers.len()];
        assigned[..self.function.signature.parameters.len()].fill(true);
        for block in &self.body.blocks {
            let phis = block.phis.iter().map(|phi| phi.result);
            let results = block.instructions.iter().flat_map(|instruction| instruction.results.iter().copied());
            for reg in phis.chain(results) {
                let before = std::mem::replace(&mut assigned[reg.index()], true);
                require(!before, || format!("{reg} is assigned twice"))?;
            }
        }
        match assigned.iter().position(|assigned| !assigned) {
            Some(index) => Err(format!("%{index} is never assigned")),
            None => Ok(()),
        }
    }
}

fn check_phis(body: &Body, flow: &ControlFlow, block: BlockId) -> Result<(), String> {
    let predecessors = flow.predecessors(block);
    for phi in &body.block(block).phis {
        let mut from: Vec<_> = phi.incoming.iter().map(|incoming| incoming.0).collect();
        from.sort_unstable();
        require(!from.is_empty(), || format!("the phi of {} has no values", phi.result))?;
        require(from == predecessors, || {
            format!("the phi of {} has values from {from:?}, but the predecessors are {predecessors:?}", phi.result)
        })?;
    }
    Ok(())
}
