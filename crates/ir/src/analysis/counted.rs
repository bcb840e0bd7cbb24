//! Loops that count: in every round, an exit compares a number that grows or shrinks by a constant.
//!
//! Such a loop ends by itself, unless what it counts up to runs away; the others wait for something, or work until there
//! is nothing left to do.

use super::definitions::{Definition, Definitions};
use super::dominators::Dominators;
use super::expression::Expression;
use super::loops::Loop;
use crate::function::{Body, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::operators::BinaryOp;
use crate::value::Value;

/// Whether a loop counts.
pub(crate) fn is_counted(body: &Body, definitions: &Definitions, dominators: &Dominators, found: &Loop) -> bool {
    let decides = |&block: &BlockId| {
        let TerminatorKind::Branch { condition, then, otherwise } = body.block(block).terminator.kind else {
            return false;
        };
        let leaves = found.contains(then) != found.contains(otherwise);
        let in_every_round = found.latches.iter().all(|&latch| dominators.dominates(block, latch));
        leaves && in_every_round && compares_a_count(body, definitions, found, condition)
    };
    found.body.iter().any(decides)
}

fn compares_a_count(body: &Body, definitions: &Definitions, found: &Loop, condition: Value) -> bool {
    let mut test = Expression::of(body, definitions, condition, &|block, _| found.contains(block));
    // `!(i < n)` is a comparison, too.
    while let Some((BinaryOp::Xor, inner, _)) = test.as_node().and_then(|node| node.binary()) {
        test = inner.clone();
    }
    let Some((_, a, b)) = test.as_node().and_then(|node| node.compare()) else { return false };
    [a, b].into_iter().any(|side| {
        counted(side).is_some_and(|reg| {
            definitions.of(reg) == Definition::Phi(found.header) && counts(body, definitions, found, reg)
        })
    })
}

/// The register that an expression is, but for conversions and constants that are added.
fn counted(expression: &Expression) -> Option<Reg> {
    let Some(node) = expression.as_node() else {
        let Expression::Leaf(value) = expression else { return None };
        return value.reg();
    };
    if let Some((BinaryOp::Add | BinaryOp::Sub, a, b)) = node.binary() {
        return b.as_constant().and_then(|_| counted(a));
    }
    node.cast().and_then(|(_, inner)| counted(inner))
}

/// Whether a phi of the header has a constant added in every round.
fn counts(body: &Body, definitions: &Definitions, found: &Loop, reg: Reg) -> bool {
    let phi = body.block(found.header).phis.iter().find(|phi| phi.result == reg);
    let current = Expression::Leaf(Value::Reg(reg));
    let mut rounds = phi.iter().flat_map(|phi| &phi.incoming).filter(|incoming| found.contains(incoming.0));
    rounds.all(|&(_, next)| {
        let next = Expression::of(body, definitions, next, &|block, _| found.contains(block));
        next.differs_by_constant(&current)
    })
}
