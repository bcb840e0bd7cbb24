//! What is assumed of something that an atomic section has read is waited for before the section.
//!
//! `begin; done = count == 2; end; if (!done) abort();` rules out all executions in which the section comes too early, one by
//! one. With an await of `count` before the section, there are none. The executions that go on are the same: the section can come
//! at once after an await of what it finds. If others change that in between, the assumption rules the execution out as before.
//!
//! The executions that are ruled out must not be missed, either: with an await, the section does not happen in them. So nothing
//! of it may be noticed. It stores to no variable that other threads could read before the assumption stops this one, and
//! nothing in it can fail: it loads and stores at places that are inside of variables for certain.
//!
//! The section is one block, what is assumed depends on one load in it, and `done` is a register, or a variable that the program
//! uses in `main` only. Where races are failures, nothing is done: the await reads outside of the section.

use super::awaits::join;
use crate::analysis::{Expression, is_repeatable};
use crate::environment::{Environment, LockRole, Unordered};
use crate::function::{Block, Body, Instruction};
use crate::ids::{BlockId, FunctionId, GlobalId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::types::Type;
use crate::value::{Symbol, Value};
use smallvec::smallvec;

/// Puts awaits before the sections after which something is assumed.
pub(super) fn await_before_sections(module: &mut Module, environment: &Environment) {
    if environment.unordered != Unordered::INTERLEAVED {
        return;
    }
    let own = variables_of_main(module);
    for index in 0..module.functions.len() {
        let id = FunctionId::new(index);
        let Some(body) = &module.function(id).body else { continue };
        let own = if Some(id) == module.entry() { &own[..] } else { &[] };
        let found: Vec<Found> = body
            .block_ids()
            .filter_map(|block| Search { module, environment, body, block: body.block(block), own }.find(block))
            .collect();
        let Some(body) = &mut module.functions[index].body else { continue };
        for found in found {
            insert(body, found);
        }
    }
}

/// The variables that only `main` uses, by name, if nothing calls `main`.
fn variables_of_main(module: &Module) -> Vec<GlobalId> {
    let Some(entry) = module.entry() else { return Vec::new() };
    let mut is_own = vec![true; module.globals.len()];
    let mut uses = |value: Value| match value {
        Value::Address { symbol: Symbol::Global(id), .. } => is_own[id.index()] = false,
        Value::Address { symbol: Symbol::Function(id), .. } if id == entry => is_own.fill(false),
        _ => {}
    };
    for (index, function) in module.functions.iter().enumerate() {
        for block in function.body.iter().flat_map(|body| &body.blocks) {
            block.values_at_ends().for_each(&mut uses);
            for instruction in &block.instructions {
                match &instruction.operation {
                    Operation::Call { callee: Callee::Direct(id), .. } if *id == entry => {
                        uses(Value::Address { symbol: Symbol::Function(entry), offset: 0 });
                    }
                    Operation::Load { .. } if FunctionId::new(index) == entry => {}
                    Operation::Store { value, .. } if FunctionId::new(index) == entry => uses(*value),
                    operation => operation.values().into_iter().for_each(&mut uses),
                }
            }
        }
    }
    let initialisers = module.globals.iter().filter_map(|global| global.initialiser.as_ref());
    for relocation in initialisers.flat_map(|initialiser| &initialiser.relocations) {
        uses(Value::Address { symbol: relocation.symbol, offset: 0 });
    }
    (0..is_own.len()).filter(|&index| is_own[index]).map(GlobalId::new).collect()
}

/// An await to be inserted.
struct Found {
    block: BlockId,
    /// Where the section begins.
    begin: usize,
    /// The load in the section.
    load: Instruction,
    /// What is assumed, of the result of the load.
    assumed: Expression,
}

struct Search<'a> {
    module: &'a Module,
    environment: &'a Environment,
    body: &'a Body,
    block: &'a Block,
    /// The variables that nothing else uses.
    own: &'a [GlobalId],
}

impl Search<'_> {
    /// The first section of the block that something is assumed after.
    fn find(&self, block: BlockId) -> Option<Found> {
        let instructions = &self.block.instructions;
        let role = |instruction: &Instruction| self.environment.lock_role_of(self.module, &instruction.operation);
        let begin = instructions.iter().position(|it| role(it) == Some(LockRole::Begins))?;
        let end = begin + 1 + instructions[begin + 1..].iter().position(|it| role(it).is_some())?;
        if role(&instructions[end]) != Some(LockRole::Ends) {
            return None;
        }
        let after = &instructions[end + 1..];
        let assume = after.iter().position(|it| !is_repeatable(&it.operation) && self.loads_own(it).is_none())?;
        let Operation::Assume { condition, round: None } = after[assume].operation else { return None };
        if !instructions[begin + 1..end].iter().all(|it| self.is_unnoticed(it)) {
            return None;
        }
        let inside = begin..end + 1 + assume;
        let assigned = |reg: Reg| instructions[inside.clone()].iter().find(|it| it.results.contains(&reg));
        let look = |value: Value| Expression::looking_through(self.body, value, &assigned);
        // What is loaded after the section is what was stored in it.
        let stored = |reg: Reg| {
            let own = self
                .loads_own(assigned(reg)?)
                .filter(|_| after[..assume].iter().any(|it| it.results.contains(&reg)))?;
            let ty = self.body.register(reg).ty;
            let last = instructions[begin + 1..end].iter().rev().find(|it| stores_to_variable_of(it, own))?;
            let last = stored_at(last, own)?;
            (last.ty(self.body) == Some(ty)).then(|| look(last))
        };
        let assumed = look(condition).replace(&stored);
        let mut registers = Vec::new();
        assumed.for_each_register(&mut |reg| registers.extend(assigned(reg).map(|_| reg)));
        registers.dedup();
        let [loaded] = registers[..] else { return None };
        let position = instructions[begin..end].iter().position(|it| it.results.contains(&loaded))? + begin;
        let load = instructions[position].clone();
        let Operation::Load { address, .. } = load.operation else { return None };
        let is_changed = instructions[begin..position].iter().any(|it| stores_to_variable_of(it, address));
        (!is_changed).then_some(Found { block, begin, load, assumed })
    }

    /// Whether nothing can tell if the instruction was executed before this thread stopped for good: it cannot fail, and only
    /// this thread reads what it stores.
    fn is_unnoticed(&self, instruction: &Instruction) -> bool {
        let holds = |address: Value, ty: Type| {
            let Value::Address { symbol: Symbol::Global(id), offset } = address else { return None };
            let global = self.module.global(id);
            let is_inside = u64::try_from(offset).ok()?.checked_add(ty.bytes().into())? <= global.size;
            (global.initialiser.is_some() && is_inside).then_some(id)
        };
        match instruction.operation {
            Operation::Load { address, .. } => holds(address, self.body.register(instruction.results[0]).ty).is_some(),
            Operation::Store { address, value, .. } => {
                let stored = value.ty(self.body).and_then(|ty| holds(address, ty));
                stored.is_some_and(|id| self.own.contains(&id) && !self.module.global(id).constant)
            }
            ref operation => is_repeatable(operation),
        }
    }

    /// The address in a variable of its own that an instruction loads from, if it does.
    fn loads_own(&self, instruction: &Instruction) -> Option<Value> {
        let Operation::Load { address, .. } = instruction.operation else { return None };
        let Value::Address { symbol: Symbol::Global(global), .. } = address else { return None };
        self.own.contains(&global).then_some(address)
    }
}

/// What an instruction stores to this address, if it does.
fn stored_at(instruction: &Instruction, at: Value) -> Option<Value> {
    match instruction.operation {
        Operation::Store { address, value, .. } if address == at => Some(value),
        _ => None,
    }
}

/// Whether an instruction stores to the variable that an address is in.
fn stores_to_variable_of(instruction: &Instruction, at: Value) -> bool {
    let Value::Address { symbol: Symbol::Global(global), .. } = at else { return false };
    matches!(
        instruction.operation,
        Operation::Store { address: Value::Address { symbol, .. }, .. } if symbol == Symbol::Global(global)
    )
}

/// Inserts an await before a section, if what is assumed can be waited for.
fn insert(body: &mut Body, Found { block, begin, mut load, assumed }: Found) {
    let loaded = load.results[0];
    let again = body.add_register(body.register(loaded).ty, None);
    load.results = smallvec![again];
    let location = load.location;
    let mut before = vec![load];
    let name = &mut |_: &mut Body, reg: Reg| Value::Reg(if reg == loaded { again } else { reg });
    let condition = assumed.emit(body, location, name, &mut before);
    let operation = Operation::Assume { condition, round: None };
    let assume = Instruction { results: smallvec![], operation, location };
    if join(body, &mut before, &assume, Unordered::INTERLEAVED).is_some() {
        body.blocks[block.index()].instructions.splice(begin..begin, before);
    }
}
