//! Assumptions about what a phi chooses become assumptions where control comes from.
//!
//! A compiler without optimisation has `assume(a && b)` as a phi of false and `b`, and the assume after it, where no
//! load is near that could wait. In the blocks that control comes from, the phi is a value of its own: false on the
//! edge where `a` does not hold, which may not be taken any more, and `b` after the load of it. Nothing is between the
//! two places but computations, so that the thread stops at the same operation.

use crate::analysis::{Condition, Expression, is_repeatable};
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::module::Module;
use crate::operation::Operation;
use crate::source::SourceLocation;
use crate::value::Value;
use smallvec::smallvec;

/// Moves the assumes that the source makes about phis into the blocks before, where that is possible.
pub fn sink_assumes(module: &mut Module) {
    for body in module.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for block in body.block_ids() {
            while let Some(position) = first_assume(body, block) {
                if !sink(body, block, position) {
                    break;
                }
            }
        }
    }
}

/// The assume of the source that the block begins with, if nothing but computations are before it.
fn first_assume(body: &Body, block: BlockId) -> Option<usize> {
    let block = body.block(block);
    let is_computed = |instruction: &Instruction| is_repeatable(&instruction.operation);
    let position = block.instructions.iter().position(|instruction| !is_computed(instruction))?;
    let is_one = matches!(block.instructions[position].operation, Operation::Assume { round: None, .. });
    (is_one && !block.phis.is_empty()).then_some(position)
}

/// What has to be done about an edge.
enum Edge {
    /// The assumption holds along it.
    Nothing,
    /// It is assumed at the end of the block, which goes nowhere else.
    Assume(Expression),
    /// It does not hold: the block has to go to its other successor.
    Forbid { condition: Value, other: BlockId, is: bool },
}

/// Moves the assume at `position` of a block; whether that was possible.
fn sink(body: &mut Body, block: BlockId, position: usize) -> bool {
    let instruction = &body.block(block).instructions[position];
    let Operation::Assume { condition, .. } = instruction.operation else { return false };
    let location = instruction.location;
    let this = body.block(block);
    let before = |reg: Reg| this.instructions[..position].iter().find(|it| it.results.contains(&reg));
    let test = Expression::looking_through(body, condition, &before);
    let is_phi = |reg: Reg| this.phis.iter().any(|phi| phi.result == reg);
    if !test.has_register(&is_phi) {
        return false;
    }
    let predecessors: Vec<BlockId> = this.phis.iter().take(1).flat_map(|phi| &phi.incoming).map(|it| it.0).collect();
    let edges: Option<Vec<Edge>> =
        predecessors.iter().map(|&from| edge(body, from, block, &along(body, &test, from, block))).collect();
    let Some(edges) = edges.filter(|edges| edges.iter().any(|edge| !matches!(edge, Edge::Nothing))) else {
        return false;
    };
    body.blocks[block.index()].instructions.remove(position);
    for (from, edge) in predecessors.into_iter().zip(edges) {
        apply(body, from, block, edge, location);
    }
    true
}

/// The test at the end of `from`.
fn along(body: &Body, test: &Expression, from: BlockId, to: BlockId) -> Expression {
    test.replace(&|reg| {
        let phi = body.block(to).phis.iter().find(|phi| phi.result == reg)?;
        phi.incoming.iter().find(|incoming| incoming.0 == from).map(|incoming| Expression::Leaf(incoming.1))
    })
}

fn edge(body: &Body, from: BlockId, to: BlockId, test: &Expression) -> Option<Edge> {
    let condition = Condition::when(body, test, true);
    if condition == Condition::always() {
        return Some(Edge::Nothing);
    }
    match body.block(from).terminator.kind {
        TerminatorKind::Jump(_) => Some(Edge::Assume(test.clone())),
        TerminatorKind::Branch { condition: decides, then, otherwise }
            if then != otherwise && condition == Condition::never() =>
        {
            let is = then != to;
            Some(Edge::Forbid { condition: decides, other: if is { then } else { otherwise }, is })
        }
        _ => None,
    }
}

fn apply(body: &mut Body, from: BlockId, to: BlockId, edge: Edge, location: Option<SourceLocation>) {
    let mut instructions = Vec::new();
    let condition = match edge {
        Edge::Nothing => return,
        Edge::Assume(test) => test.emit(body, location, &mut |_, reg| Value::Reg(reg), &mut instructions),
        Edge::Forbid { condition, other, is } => {
            body.blocks[from.index()].terminator.kind = TerminatorKind::Jump(other);
            for phi in &mut body.blocks[to.index()].phis {
                phi.incoming.retain(|incoming| incoming.0 != from);
            }
            let test = Expression::Leaf(condition).equals_bool(is);
            test.emit(body, location, &mut |_, reg| Value::Reg(reg), &mut instructions)
        }
    };
    let operation = Operation::Assume { condition, round: None };
    instructions.push(Instruction { results: smallvec![], operation, location });
    body.blocks[from.index()].instructions.extend(instructions);
}
