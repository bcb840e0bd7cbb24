//! Promotion of stack slots to registers.
//!
//! A slot becomes registers if only its own function can ever see it: its address is only used to load and store,
//! neither atomically nor as volatile, always the same number of bytes, and never when its scope has ended. A compiler without optimisation keeps every
//! variable in such a slot; without promotion every local variable would be memory, and no loop could be analysed.
//!
//! Where the types of the accesses differ, values are converted on the way, bit by bit: an atomic load of a pointer
//! goes through a slot that is stored to as an integer and loaded from as a pointer. Conversions keep bits that are
//! uninitialised, as memory does.
//!
//! The construction is the usual one (Cytron et al., 1991): phis at the iterated dominance frontiers of the
//! stores, where the slot is live, then a walk of the dominator tree that renames.
//!
//! Unlike compilers, it keeps what is uninitialised: a load that no store reaches becomes
//! [`Value::Undef`], and a phi of 1 and undef stays a phi. Where a scope begins or ends, the variable has no value.

use super::compact::compact;
use super::prune::prune;
use super::rename::{Promotion, rename};
use super::whole_copies::load_and_store_copies;
use crate::analysis::{ControlFlow, Dominators, Scopes};
use crate::function::{Body, Function, Phi};
use crate::ids::{BlockId, Reg, SlotId};
use crate::operation::Operation;
use crate::operators::CastOp;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Promotes the slots of `function` that can be, and removes blocks that cannot be reached. Answers with the
/// number of promoted slots.
pub fn promote(function: &mut Function) -> usize {
    let Some(body) = &mut function.body else { return 0 };
    prune(body);
    load_and_store_copies(body);
    let candidates = candidates(body);
    let promoted = candidates.variables.len();
    if promoted > 0 {
        let flow = ControlFlow::new(body);
        let dominators = Dominators::new(&flow, body.blocks.len());
        let phis = place_phis(body, &candidates, &flow, &dominators);
        rename(body, &candidates, phis, &dominators, &flow);
    }
    compact(body, function.signature.parameters.len());
    promoted
}

/// A slot to promote.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) slot: SlotId,
    pub(super) ty: Type,
}

/// The slots to promote, and which register holds the address of which.
pub(super) struct Candidates {
    pub(super) variables: Vec<Variable>,
    by_address: Vec<Option<u32>>,
}

impl Candidates {
    /// The index of the variable that `value` is the address of.
    pub(super) fn variable(&self, value: Value) -> Option<usize> {
        self.by_address.get(value.reg()?.index())?.map(|index| index as usize)
    }

    /// The index of the variable that an operation loads, stores, or says that its scope begins or ends.
    pub(super) fn accessed(&self, operation: &Operation) -> Option<usize> {
        match operation {
            Operation::Scope { address, .. } => self.variable(*address),
            _ => self.variable(operation.address()?),
        }
    }
}

/// The slots of a body that can be promoted.
pub(super) fn candidates(body: &Body) -> Candidates {
    // For every register: the slot whose address it is, until a use shows that it must stay in memory.
    let mut slot_of: Vec<Option<SlotId>> = vec![None; body.registers.len()];
    let mut allocas = vec![0; body.slots.len()];
    for (index, block) in body.blocks.iter().enumerate() {
        for instruction in &block.instructions {
            let Operation::Alloca { slot, count } = instruction.operation else { continue };
            allocas[slot.index()] += 1;
            if index == Body::ENTRY.index() && count.is_none() {
                slot_of[instruction.results[0].index()] = Some(slot);
            }
        }
    }
    let mut types: Vec<Option<Type>> = vec![None; body.slots.len()];
    for_each_use(body, |reg, access| {
        let Some(slot) = slot_of[reg.index()] else { return };
        let fits = access.is_some_and(|ty| {
            let first = *types[slot.index()].get_or_insert(ty);
            u64::from(ty.bytes()) <= body.slot(slot).size && (first == ty || conversion(ty, first).is_some())
        });
        if !fits {
            slot_of[reg.index()] = None;
        }
    });
    let scopes = Scopes::new(body);
    let mut found = Candidates { variables: Vec::new(), by_address: vec![None; body.registers.len()] };
    for (index, slot) in slot_of.iter().enumerate() {
        let Some(slot) = slot.filter(|slot| allocas[slot.index()] == 1 && !scopes.is_overstayed(Reg::new(index)))
        else {
            continue;
        };
        found.by_address[index] = Some(found.variables.len() as u32);
        // A slot that is never accessed has no type, and needs none.
        found.variables.push(Variable { slot, ty: types[slot.index()].unwrap_or(Type::I8) });
    }
    found
}

/// How bits in memory that were stored with one type are loaded with another; `None` for types that are the same, or
/// that do not have the same bits in memory.
pub(super) fn conversion(from: Type, to: Type) -> Option<CastOp> {
    match (from, to) {
        (Type::Ptr, Type::I64) => Some(CastOp::PtrToInt),
        (Type::I64, Type::Ptr) => Some(CastOp::IntToPtr),
        (Type::I64, Type::F64) | (Type::F64, Type::I64) | (Type::I32, Type::F32) | (Type::F32, Type::I32) => {
            Some(CastOp::Bitcast)
        }
        _ => None,
    }
}

/// Calls `visit` with every use of a register: with the type of the access if it is the address of a plain
/// load or store, with `None` otherwise.
fn for_each_use(body: &Body, mut visit: impl FnMut(Reg, Option<Type>)) {
    for block in &body.blocks {
        block.values_at_ends().filter_map(Value::reg).for_each(|reg| visit(reg, None));
        for instruction in &block.instructions {
            let access = match &instruction.operation {
                Operation::Load { address, volatile: false, ordering: None, .. } => {
                    Some((*address, body.register(instruction.results[0]).ty, None))
                }
                Operation::Store { address, value, volatile: false, ordering: None, .. } => {
                    value.ty(body).map(|ty| (*address, ty, Some(*value)))
                }
                _ => None,
            };
            if matches!(instruction.operation, Operation::Scope { .. }) {
                continue;
            }
            if let Some((address, ty, stored)) = access {
                address.reg().into_iter().for_each(|reg| visit(reg, Some(ty)));
                stored.and_then(Value::reg).into_iter().for_each(|reg| visit(reg, None));
            } else {
                instruction.operation.values().into_iter().filter_map(Value::reg).for_each(|reg| visit(reg, None));
            }
        }
    }
}

/// Adds the phis that the variables need, still without incoming values.
fn place_phis(body: &mut Body, candidates: &Candidates, flow: &ControlFlow, dominators: &Dominators) -> Promotion {
    let frontiers = dominators.frontiers(flow);
    let accesses = Accesses::new(body, candidates);
    let mut promotion = Promotion::new(body, candidates.variables.len());
    for (index, variable) in candidates.variables.iter().enumerate() {
        let mut work: Vec<BlockId> = accesses.stores[index].clone();
        if work.iter().all(|block| frontiers[block.index()].is_empty()) {
            continue;
        }
        let live = accesses.live_in(index, flow);
        let mut has_phi = FxHashSet::default();
        while let Some(block) = work.pop() {
            for &join in &frontiers[block.index()] {
                if !live.contains(&join) || !has_phi.insert(join) {
                    continue;
                }
                let result = body.add_register(variable.ty, body.slot(variable.slot).name.clone());
                promotion.add_phi(join, index, body.blocks[join.index()].phis.len());
                body.blocks[join.index()].phis.push(Phi { result, incoming: Vec::new(), location: None });
                work.push(join);
            }
        }
    }
    promotion
}

/// Which blocks access which variables.
struct Accesses {
    /// Blocks that store, by variable.
    stores: Vec<Vec<BlockId>>,
    /// Blocks that load before they store, by variable.
    exposed_loads: Vec<Vec<BlockId>>,
}

impl Accesses {
    fn new(body: &Body, candidates: &Candidates) -> Self {
        let count = candidates.variables.len();
        let mut accesses = Self { stores: vec![Vec::new(); count], exposed_loads: vec![Vec::new(); count] };
        for id in body.block_ids() {
            for instruction in &body.block(id).instructions {
                let Some(variable) = candidates.accessed(&instruction.operation) else { continue };
                let stored = accesses.stores[variable].last() == Some(&id);
                match instruction.operation {
                    Operation::Store { .. } | Operation::Scope { .. } if !stored => {
                        accesses.stores[variable].push(id);
                    }
                    Operation::Load { .. } if !stored => accesses.exposed_loads[variable].push(id),
                    _ => {}
                }
            }
        }
        accesses
    }

    /// At the start of which blocks the value of `variable` may still be loaded.
    fn live_in(&self, variable: usize, flow: &ControlFlow) -> FxHashSet<BlockId> {
        let mut live = FxHashSet::default();
        let stores: FxHashSet<BlockId> = self.stores[variable].iter().copied().collect();
        let mut work = self.exposed_loads[variable].clone();
        while let Some(block) = work.pop() {
            if live.insert(block) {
                work.extend(flow.predecessors(block).iter().filter(|before| !stores.contains(before)));
            }
        }
        live
    }
}
