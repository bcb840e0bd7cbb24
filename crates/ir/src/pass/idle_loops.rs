//! Removal of loops that only pass the time: `for (i = 0; i < n; i++) pause();`.
//!
//! A thread that backs off goes round such a loop between two tries. It does nothing and ends by itself, and nothing looks
//! at what it has computed; so it may as well not be there, and the number of its rounds, which grows from try to try,
//! decides nothing.

use super::compact::compact;
use super::prune::prune;
use crate::analysis::{ControlFlow, Definition, Definitions, Dominators, Loop, Loops, is_counted, only_computes};
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::module::Module;
use crate::operation::Operation;
use crate::operators::{BinaryOp, IntPredicate};
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Removes the loops of the program that only pass the time.
pub(super) fn remove_idle_loops(module: &mut Module) {
    for index in 0..module.functions.len() {
        let Some(mut body) = module.functions[index].body.take() else { continue };
        if remove_one(&mut body) {
            while remove_one(&mut body) {}
            compact(&mut body, module.functions[index].signature.parameters.len());
        }
        module.functions[index].body = Some(body);
    }
}

fn remove_one(body: &mut Body) -> bool {
    let flow = ControlFlow::new(body);
    let dominators = Dominators::new(&flow, body.blocks.len());
    let loops = Loops::new(&flow, &dominators);
    let definitions = Definitions::new(body);
    let is_one = |found: &Loop| {
        let computes = |instruction: &Instruction| only_computes(&instruction.operation);
        let does_nothing = |&block: &BlockId| body.block(block).instructions.iter().all(computes);
        found.body.iter().all(does_nothing)
            && is_counted(body, &definitions, &dominators, found)
            && found.exits(&flow).iter().all(|exit| ends(body, &definitions, found, exit.0))
    };
    let bypass = loops.iter().rev().filter(|(_, found)| is_one(found)).find_map(|(_, found)| {
        let beyond = beyond(body, found, &flow, &definitions)?;
        Some((found.clone(), beyond))
    });
    let Some((found, beyond)) = bypass else { return false };
    skip(body, &found, &flow, beyond);
    prune(body);
    true
}

/// Whether a block leaves the loop at some time because of a number that is counted, whatever it starts with and is compared
/// with. Whether these have values at all would be found out by the loop.
fn ends(body: &Body, definitions: &Definitions, found: &Loop, id: BlockId) -> bool {
    let TerminatorKind::Branch { condition, then, otherwise } = body.block(id).terminator.kind else { return false };
    let Some(&Operation::Compare { predicate, lhs, rhs }) = operation(body, definitions, condition) else {
        return false;
    };
    let stays_while = match (found.contains(then), found.contains(otherwise)) {
        (true, false) => predicate,
        (false, true) => predicate.inverse(),
        _ => return false,
    };
    let is_fixed = |value: Value| match value.reg().map(|reg| definitions.of(reg)) {
        Some(Definition::Phi(block) | Definition::Instruction(block, _)) => !found.contains(block),
        Some(Definition::Parameter) | None => true,
    };
    is_fixed(rhs)
        && has_value(body, definitions, rhs, &mut FxHashSet::default())
        && step(body, definitions, found, lhs).is_some_and(|step| step.ends(stays_while))
}

/// By how much a number changes in every round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Up,
    Down,
}

impl Step {
    /// What adding a constant does.
    pub(super) fn of(ty: Type, bits: u128) -> Option<Self> {
        match bits {
            1 => Some(Step::Up),
            bits if bits == ty.mask() => Some(Step::Down),
            _ => None,
        }
    }

    /// Whether a loop ends that goes on while what is counted is in this relation to something fixed. A number that is counted to
    /// what it is compared with comes there before it wraps; one that is to be equal to it comes there after it has wrapped, if
    /// not before.
    pub(super) fn ends(self, stays_while: IntPredicate) -> bool {
        match stays_while {
            IntPredicate::Ne => true,
            IntPredicate::Slt | IntPredicate::Ult => self == Step::Up,
            IntPredicate::Sgt | IntPredicate::Ugt => self == Step::Down,
            _ => false,
        }
    }
}

/// How a number is counted that is a phi of the loop's header, or what that will be in the next round.
fn step(body: &Body, definitions: &Definitions, found: &Loop, count: Value) -> Option<Step> {
    let steps = |value: Value| match operation(body, definitions, value) {
        Some(&Operation::Binary { op: BinaryOp::Add, lhs: Value::Reg(reg), rhs: Value::Const { ty, bits } }) => {
            Some((reg, Step::of(ty, bits)?))
        }
        _ => None,
    };
    let header = &body.block(found.header).phis;
    let phi_of = |reg: Reg| header.iter().find(|phi| phi.result == reg);
    let reg = count.reg()?;
    let phi = phi_of(reg).or_else(|| steps(count).and_then(|(before, _)| phi_of(before)))?;
    let mut found_step = None;
    for &(from, value) in &phi.incoming {
        if !found.contains(from) {
            has_value(body, definitions, value, &mut FxHashSet::default()).then_some(())?;
            continue;
        }
        let (before, step) = steps(value)?;
        let is_same = found_step.is_none_or(|other| other == step);
        (before == phi.result && is_same).then_some(())?;
        found_step = Some(step);
    }
    found_step
}

/// The operation that a value is the result of.
fn operation<'b>(body: &'b Body, definitions: &Definitions, value: Value) -> Option<&'b Operation> {
    match definitions.of(value.reg()?) {
        Definition::Instruction(block, at) => Some(&body.block(block).instructions[at].operation),
        Definition::Parameter | Definition::Phi(_) => None,
    }
}

/// Whether a value is computed from constants alone, so that it never is that of something uninitialised.
pub(super) fn has_value(body: &Body, definitions: &Definitions, value: Value, met: &mut FxHashSet<Reg>) -> bool {
    let reg = match value {
        Value::Reg(reg) => reg,
        Value::Const { .. } => return true,
        Value::Address { .. } | Value::Undef(_) => return false,
    };
    if !met.insert(reg) {
        return true;
    }
    match definitions.of(reg) {
        Definition::Parameter => false,
        Definition::Phi(block) => {
            let phi = body.block(block).phis.iter().find(|phi| phi.result == reg);
            phi.is_some_and(|phi| phi.incoming.iter().all(|incoming| has_value(body, definitions, incoming.1, met)))
        }
        Definition::Instruction(block, at) => {
            let operation = &body.block(block).instructions[at].operation;
            let is_computed = matches!(
                operation,
                Operation::Binary { .. }
                    | Operation::Cast { .. }
                    | Operation::Select { .. }
                    | Operation::Compare { .. }
            );
            is_computed && operation.values().into_iter().all(|operand| has_value(body, definitions, operand, met))
        }
    }
}

/// Where a loop always leads, if nothing that it computes is used there or later, and threads that may come there without the loop as well
/// bring the same there. Whether what makes them come there has a value would be found out, so it has to have one.
fn beyond(body: &Body, found: &Loop, flow: &ControlFlow, definitions: &Definitions) -> Option<BlockId> {
    let mut exits = found.exits(flow).into_iter();
    let (from, beyond) = exits.next()?;
    if exits.any(|exit| exit.1 != beyond) {
        return None;
    }
    let own: FxHashSet<Reg> = found.body.iter().flat_map(|&block| assigned(body, block)).collect();
    let is_own = |value: Value| value.reg().is_some_and(|reg| own.contains(&reg));
    let uses_own = |id: BlockId| body.block(id).values().any(is_own);
    let others = body.block_ids().filter(|&id| !found.contains(id) && flow.is_reachable(id));
    let before: Vec<BlockId> =
        flow.predecessors(found.header).iter().copied().filter(|&id| !found.contains(id)).collect();
    let decides_well = |id: &BlockId| match body.block(*id).terminator.kind {
        TerminatorKind::Branch { condition, .. } => has_value(body, definitions, condition, &mut FxHashSet::default()),
        _ => false,
    };
    let mut both_ways = before.iter().filter(|id| flow.predecessors(beyond).contains(id));
    let value_from = |phi: &crate::function::Phi, from: BlockId| {
        phi.incoming.iter().find(|incoming| incoming.0 == from).map(|incoming| incoming.1)
    };
    let is_same = body.block(beyond).phis.iter().all(|phi| {
        let comes = |&&(id, _): &&(BlockId, Value)| found.contains(id) || before.contains(&id);
        phi.incoming.iter().filter(comes).all(|incoming| Some(incoming.1) == value_from(phi, from))
    });
    (both_ways.all(decides_well) && is_same && !others.into_iter().any(uses_own)).then_some(beyond)
}

fn assigned(body: &Body, block: BlockId) -> impl Iterator<Item = Reg> + '_ {
    let block = body.block(block);
    let results = block.instructions.iter().flat_map(|instruction| instruction.results.iter().copied());
    block.phis.iter().map(|phi| phi.result).chain(results)
}

/// Makes threads that come to the loop pass it by.
fn skip(body: &mut Body, found: &Loop, flow: &ControlFlow, beyond: BlockId) {
    let before: Vec<BlockId> =
        flow.predecessors(found.header).iter().copied().filter(|&id| !found.contains(id)).collect();
    for &id in &before {
        let kind = &mut body.blocks[id.index()].terminator.kind;
        kind.for_each_successor_mut(|target| {
            if *target == found.header {
                *target = beyond;
            }
        });
        if let TerminatorKind::Branch { then, otherwise, .. } = *kind
            && then == otherwise
        {
            *kind = TerminatorKind::Jump(then);
        }
    }
    for phi in &mut body.blocks[beyond.index()].phis {
        let Some(value) = phi.incoming.iter().find(|incoming| found.contains(incoming.0)).map(|it| it.1) else {
            continue;
        };
        phi.incoming.retain(|incoming| !found.contains(incoming.0) && !before.contains(&incoming.0));
        phi.incoming.extend(before.iter().map(|&id| (id, value)));
        phi.incoming.sort_by_key(|incoming| incoming.0);
    }
}
