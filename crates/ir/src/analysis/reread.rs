//! Loops that begin with a value that was read before them, and read it again at the end of a round.
//!
//! In `e = x; while (!compare_exchange(&x, &e, f(e)));` a round that fails leaves another value in `e`, so that by the
//! letter of FMCAD 2022, Sect. III, the header is impure along the back edge. But what is left there is only what the
//! load before the loop would have found, had it taken place when the round read the same location. So the round need
//! not be explored: whatever follows it follows the later load, too.
//!
//! The argument in full. Let a round be pure but for phis of the header that are computed, along its back edge, from one
//! read of a location, as they are computed from a load of that location along the edge by which the thread came to the
//! header. In an execution, take the first such round after an edge of another kind. That edge ends with the load,
//! after which nothing visible happens, and nothing but these phis depends on it; so the load can be put off until the
//! moment of the round's own read, and the rest of the round be left out, as it changes nothing: the thread stands at
//! the header with the same registers, and the other threads have noticed nothing. One round less; repeat. For this,
//! every edge to the header has to be one that
//! - ends with a load of the location in this way: the edge into the loop, and back edges of rounds that do something;
//! - or is taken by pure rounds only.
//!
//! Where the edge into the loop is a branch that depends on what was loaded, a load that is put off has to come out the
//! same: back edges have to be branches on the same condition.

use super::condition::Condition;
use super::expression::{Expression, is_repeatable};
use super::purity::{Question, Rounds, Subject};
use crate::function::{Body, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::operation::Operation;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// What a loop reads before it begins, and again in its rounds.
#[derive(Clone, Debug)]
pub(crate) struct Reread {
    /// The block before the loop, and the position of the load in it.
    pub(crate) entry: (BlockId, usize),
    /// The back edges along which the value has been read again, and the register that it was read to.
    reads: Vec<(BlockId, Reg)>,
    /// Of these, the blocks that end with the load, and its position.
    pub(crate) fresh: Vec<(BlockId, usize)>,
    /// The phis of the header that are computed from the value.
    phis: Vec<Reg>,
}

impl Reread {
    /// Whether what a phi becomes along the back edge from `latch` is what it could have been from the start.
    pub(crate) fn allows(&self, latch: BlockId, phi: Reg) -> bool {
        self.phis.contains(&phi) && self.reads.iter().any(|read| read.0 == latch)
    }

    /// What the loop reads again, if it is one of those that this is about.
    pub(crate) fn find(subject: &Subject<'_>) -> Option<Self> {
        let Candidate { entry, phis, loaded } = candidate(subject)?;
        let reads: Vec<(BlockId, Reg)> = subject
            .found
            .latches
            .iter()
            .filter_map(|&latch| {
                let read = phis.iter().find_map(|&phi| read_in(subject, latch, phi, loaded))?;
                let same = |&phi: &Reg| is_same(subject, (entry.0, loaded), (latch, read), phi);
                (phis.iter().all(same) && is_same_branch(subject, (entry.0, loaded), (latch, read)))
                    .then_some((latch, read))
            })
            .collect();
        let is_fresh = |&(latch, read): &(BlockId, Reg)| {
            let (block, position) = subject.definitions.instruction(read)?;
            (block == latch && last_read(subject.body, latch) == Some(position)).then_some((latch, position))
        };
        let fresh: Vec<(BlockId, usize)> = reads.iter().filter_map(is_fresh).collect();
        let found = Self { entry, reads, fresh, phis };
        let others = subject.found.latches.iter().filter(|latch| found.fresh.iter().all(|it| it.0 != **latch));
        let is_pure =
            |&latch: &BlockId| subject.inner_back_edges().is_empty() && found.has_pure_rounds_only(subject, latch);
        (!found.reads.is_empty() && others.into_iter().all(is_pure)).then_some(found)
    }

    /// Whether every round that ends with the back edge from `latch` is pure.
    fn has_pure_rounds_only(&self, subject: &Subject<'_>, latch: BlockId) -> bool {
        let ask = |question| {
            let rounds = Rounds { latches: &[latch], question, reread: Some(self) };
            subject.condition(&rounds, &mut Vec::new())
        };
        let pure: Condition = ask(Question::Pure);
        pure.covers(&ask(Question::Back))
    }
}

/// A load before a loop, and what is computed from it.
struct Candidate {
    entry: (BlockId, usize),
    phis: Vec<Reg>,
    loaded: Reg,
}

/// The load that the block before the loop ends with, if nothing but phis of the header depends on it.
fn candidate(subject: &Subject<'_>) -> Option<Candidate> {
    let body = subject.body;
    let header = subject.found.header;
    let mut outside = subject.flow.predecessors(header).iter().filter(|&&from| !subject.found.contains(from));
    let (&before, None) = (outside.next()?, outside.next()) else { return None };
    let position = last_read(body, before)?;
    let loaded = body.block(before).instructions[position].results[0];
    let mut derived = FxHashSet::from_iter([loaded]);
    for instruction in &body.block(before).instructions[position + 1..] {
        let values = instruction.operation.values();
        if values.iter().filter_map(|value| value.reg()).any(|reg| derived.contains(&reg)) {
            derived.extend(instruction.results.iter().copied());
        }
    }
    let is_derived = |value: Value| value.reg().is_some_and(|reg| derived.contains(&reg));
    if is_used_elsewhere(subject, before, &derived) {
        return None;
    }
    let from_before = |incoming: &(BlockId, Value)| incoming.0 == before && is_derived(incoming.1);
    let phis = body.block(header).phis.iter().filter(|phi| phi.incoming.iter().any(from_before));
    let phis: Vec<Reg> = phis.map(|phi| phi.result).collect();
    (!phis.is_empty()).then_some(Candidate { entry: (before, position), phis, loaded })
}

/// The position of the load that a block ends with, if only computations follow.
fn last_read(body: &Body, block: BlockId) -> Option<usize> {
    let instructions = &body.block(block).instructions;
    let position = instructions.iter().rposition(|instruction| !is_repeatable(&instruction.operation))?;
    matches!(instructions[position].operation, Operation::Load { .. }).then_some(position)
}

/// Whether one of the registers is used in another place than the block that computes it and the phis that come right
/// after it. What treated loops have added uses nothing else than the program did before.
fn is_used_elsewhere(subject: &Subject<'_>, home: BlockId, derived: &FxHashSet<Reg>) -> bool {
    let body = subject.body;
    let block = body.block(home);
    let operands = block.instructions.iter().flat_map(|instruction| instruction.operation.values());
    let after = subject.flow.successors(home).iter().flat_map(|&next| &body.block(next).phis);
    let incoming = after.flat_map(|phi| &phi.incoming).filter(|incoming| incoming.0 == home).map(|it| it.1);
    let here = operands.chain(block.terminator.kind.values()).chain(incoming).filter_map(Value::reg);
    let here = here.filter(|reg| derived.contains(reg)).count();
    let all: u32 = derived.iter().map(|reg| subject.uses.get(reg.index()).copied().unwrap_or(u32::MAX / 2)).sum();
    here < all as usize
}

/// What `phi` is along the edge from this block.
fn incoming(subject: &Subject<'_>, from: BlockId, phi: Reg) -> Option<Expression> {
    let phi = subject.body.block(subject.found.header).phis.iter().find(|it| it.result == phi)?;
    let incoming = phi.incoming.iter().find(|incoming| incoming.0 == from)?;
    Some(whole(subject, subject.chosen(incoming.1, from)))
}

/// The value, looking through all that can be computed again.
fn whole(subject: &Subject<'_>, value: Value) -> Expression {
    Expression::of(subject.body, subject.definitions, value, &|_, _| true)
}

/// A register from which `phi` is computed along a back edge, and to which the loop reads what was `loaded` before it.
fn read_in(subject: &Subject<'_>, latch: BlockId, phi: Reg, loaded: Reg) -> Option<Reg> {
    let address = |reg: Reg| {
        let (block, position) = subject.definitions.instruction(reg)?;
        let instruction = &subject.body.block(block).instructions[position];
        let is_read = !matches!(instruction.operation, Operation::Store { .. }) && instruction.results[0] == reg;
        let address = instruction.operation.address().filter(|_| is_read)?;
        Some((whole(subject, address), block))
    };
    let (wanted, _) = address(loaded)?;
    let ty = subject.body.register(loaded).ty;
    let mut found = None;
    incoming(subject, latch, phi)?.for_each_register(&mut |reg| {
        let is_it = subject.body.register(reg).ty == ty
            && address(reg).is_some_and(|(address, block)| address == wanted && subject.found.contains(block));
        found = found.or(is_it.then_some(reg));
    });
    found
}

/// Whether a phi is computed from `read` along a back edge as it is from `loaded` along the edge into the loop.
fn is_same(subject: &Subject<'_>, (before, loaded): (BlockId, Reg), (latch, read): (BlockId, Reg), phi: Reg) -> bool {
    let (Some(first), Some(again)) = (incoming(subject, before, phi), incoming(subject, latch, phi)) else {
        return false;
    };
    again.replace(&|reg| (reg == read).then_some(Expression::Leaf(Value::Reg(loaded)))) == first
}

/// Whether what is `read` in a round decides on the back edge as what was `loaded` decides on the edge into the loop.
fn is_same_branch(subject: &Subject<'_>, (before, loaded): (BlockId, Reg), (latch, read): (BlockId, Reg)) -> bool {
    let branch = |from: BlockId| match subject.body.block(from).terminator.kind {
        TerminatorKind::Branch { condition, then, otherwise } if then != otherwise => {
            Some((whole(subject, condition), then == subject.found.header))
        }
        _ => None,
    };
    match (&subject.body.block(before).terminator.kind, branch(before), branch(latch)) {
        (TerminatorKind::Jump(_), ..) => true,
        (_, Some((first, is)), Some((again, was))) => {
            is == was && again.replace(&|reg| (reg == read).then_some(Expression::Leaf(Value::Reg(loaded)))) == first
        }
        _ => false,
    }
}
