//! Registers become variables again, so that the blocks that assign them can be copied: [`promote`](super::promote()) makes
//! registers of them afterwards, with the phis that the copies need.

use crate::analysis::ControlFlow;
use crate::function::{Body, Instruction, Slot};
use crate::ids::{BlockId, Reg, SlotId};
use crate::operation::Operation;
use crate::source::SourceLocation;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

/// Keeps what passes between the blocks, and from them to others, in variables: afterwards they have no phis, nor do those that
/// they lead to, and what they assign is used by themselves only.
pub(super) fn demote(body: &mut Body, blocks: &FxHashSet<BlockId>) {
    let flow = ControlFlow::new(body);
    let mut with_phis: Vec<BlockId> = blocks.iter().flat_map(|&block| flow.successors(block).to_vec()).collect();
    with_phis.extend(blocks);
    with_phis.sort_unstable();
    with_phis.dedup();
    let mut demotion = Demotion { variables: Vec::new() };
    for block in with_phis {
        demotion.phis(body, block);
    }
    demotion.registers(body, blocks);
    body.blocks[Body::ENTRY.index()].instructions.splice(0..0, demotion.variables);
}

struct Demotion {
    /// What makes the variables.
    variables: Vec<Instruction>,
}

impl Demotion {
    /// A variable for the register; answers with its address.
    fn variable(&mut self, body: &mut Body, reg: Reg) -> Value {
        let register = body.register(reg).clone();
        let size = register.ty.bytes();
        let align = size.next_power_of_two();
        body.slots.push(Slot { name: register.name, size: size.into(), align, debug_type: None, location: None });
        let address = body.add_register(Type::Ptr, None);
        let operation = Operation::Alloca { slot: SlotId::new(body.slots.len() - 1), count: None };
        self.variables.push(Instruction { results: smallvec![address], operation, location: None });
        Value::Reg(address)
    }

    fn phis(&mut self, body: &mut Body, block: BlockId) {
        let phis = std::mem::take(&mut body.blocks[block.index()].phis);
        let mut loads = Vec::with_capacity(phis.len());
        for phi in phis {
            let address = self.variable(body, phi.result);
            let ty = body.register(phi.result).ty;
            for (from, value) in phi.incoming {
                body.blocks[from.index()].instructions.push(store(address, value, ty, phi.location));
            }
            loads.push(load(address, phi.result, ty, phi.location));
        }
        body.blocks[block.index()].instructions.splice(0..0, loads);
    }

    /// What the blocks assign and others use.
    fn registers(&mut self, body: &mut Body, blocks: &FxHashSet<BlockId>) {
        let mut home: FxHashMap<Reg, BlockId> = FxHashMap::default();
        for &block in blocks {
            let results = body.block(block).instructions.iter().flat_map(|it| it.results.iter());
            home.extend(results.map(|&result| (result, block)));
        }
        let mut addresses: Vec<(Reg, Value)> = Vec::new();
        for block in body.block_ids() {
            let used = body.block(block).values().filter_map(Value::reg);
            let foreign = used.filter(|reg| home.get(reg).is_some_and(|home| *home != block));
            let foreign: FxHashSet<Reg> = foreign.collect();
            for reg in foreign {
                if addresses.iter().all(|it| it.0 != reg) {
                    let address = self.variable(body, reg);
                    addresses.push((reg, address));
                }
            }
        }
        addresses.sort_unstable_by_key(|it| it.0);
        let addresses: FxHashMap<Reg, Value> = addresses.into_iter().collect();
        for block in body.block_ids() {
            use_variables(body, block, &addresses, &home);
        }
    }
}

/// Lets the block store what it assigns, and load what others assign.
fn use_variables(body: &mut Body, block: BlockId, addresses: &FxHashMap<Reg, Value>, home: &FxHashMap<Reg, BlockId>) {
    let before = std::mem::take(&mut body.blocks[block.index()].instructions);
    let mut after = Vec::with_capacity(before.len());
    for mut instruction in before {
        let location = instruction.location;
        instruction.operation.for_each_value_mut(|value| {
            load_foreign(body, (block, value), (addresses, home), location, &mut after);
        });
        let results = instruction.results.clone();
        after.push(instruction);
        for result in results {
            if let (Some(&address), Some(home)) = (addresses.get(&result), home.get(&result))
                && *home == block
            {
                after.push(store(address, Value::Reg(result), body.register(result).ty, location));
            }
        }
    }
    let mut terminator = body.block(block).terminator.clone();
    let location = terminator.location;
    terminator.kind.for_each_value_mut(|value| {
        load_foreign(body, (block, value), (addresses, home), location, &mut after);
    });
    body.blocks[block.index()].terminator = terminator;
    body.blocks[block.index()].instructions.extend(after);
    // What phis are given is loaded where control comes from.
    let mut phis = std::mem::take(&mut body.blocks[block.index()].phis);
    for phi in &mut phis {
        for (from, value) in &mut phi.incoming {
            let mut loads = Vec::new();
            load_foreign(body, (*from, value), (addresses, home), phi.location, &mut loads);
            body.blocks[from.index()].instructions.extend(loads);
        }
    }
    body.blocks[block.index()].phis = phis;
}

fn load_foreign(
    body: &mut Body,
    (block, value): (BlockId, &mut Value),
    (addresses, home): (&FxHashMap<Reg, Value>, &FxHashMap<Reg, BlockId>),
    location: Option<SourceLocation>,
    to: &mut Vec<Instruction>,
) {
    let Some(reg) = value.reg().filter(|reg| home.get(reg).is_some_and(|home| *home != block)) else { return };
    let Some(&address) = addresses.get(&reg) else { return };
    let ty = body.register(reg).ty;
    let loaded = body.add_register(ty, None);
    to.push(load(address, loaded, ty, location));
    *value = Value::Reg(loaded);
}

fn load(address: Value, to: Reg, ty: Type, location: Option<SourceLocation>) -> Instruction {
    let align = ty.bytes().next_power_of_two();
    let operation = Operation::Load { address, align, volatile: false, ordering: None };
    Instruction { results: smallvec![to], operation, location }
}

fn store(address: Value, value: Value, ty: Type, location: Option<SourceLocation>) -> Instruction {
    let align = ty.bytes().next_power_of_two();
    let operation = Operation::Store { address, value, align, volatile: false, ordering: None };
    Instruction { results: smallvec![], operation, location }
}
