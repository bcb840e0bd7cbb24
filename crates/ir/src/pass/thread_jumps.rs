//! Ways that are decided before the block that decides: `a && b`, which unoptimised programs make a phi of constants and then
//! branch on; or on its negation.

use crate::analysis::count_uses;
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::operation::Operation;
use crate::operators::BinaryOp;
use crate::value::Value;

/// Leads those past a block that does nothing but decide by a phi for whom the phi is a constant. Whether there were any.
pub(super) fn thread_jumps(body: &mut Body) -> bool {
    let uses = count_uses(body);
    let mut has_changed = false;
    for id in body.block_ids() {
        let Some(decision) = Decision::of(body, id, &uses) else { continue };
        for (from, value) in body.block(id).phis[0].incoming.clone() {
            if let Value::Const { bits, .. } = value {
                let target = if bits == 1 { decision.then } else { decision.otherwise };
                has_changed |= lead_past(body, from, id, target);
            }
        }
    }
    has_changed
}

/// Where a block leads that only decides by its phi: where it goes on if that is 1, and otherwise.
struct Decision {
    then: BlockId,
    otherwise: BlockId,
}

impl Decision {
    fn of(body: &Body, id: BlockId, uses: &[u32]) -> Option<Self> {
        let block = body.block(id);
        let [phi] = &block.phis[..] else { return None };
        let TerminatorKind::Branch { condition: Value::Reg(condition), then, otherwise } = block.terminator.kind else {
            return None;
        };
        let is_used_once = |reg: Reg| uses.get(reg.index()) == Some(&1);
        let (decides_by, negated) = match &block.instructions[..] {
            [] => (condition, false),
            [
                Instruction {
                    results,
                    operation: Operation::Binary { op: BinaryOp::Xor, lhs: Value::Reg(phi), rhs },
                    ..
                },
            ] if *rhs == Value::bool(true) && results[..] == [condition] && is_used_once(condition) => (*phi, true),
            _ => return None,
        };
        let (then, otherwise) = if negated { (otherwise, then) } else { (then, otherwise) };
        let only_decides = phi.result == decides_by && is_used_once(decides_by);
        (only_decides && then != otherwise && then != id && otherwise != id).then_some(Self { then, otherwise })
    }
}

/// Leads what goes from `from` to `past` on to `target`, where `past` would lead it. What is used there has been assigned before
/// `past`, which assigns nothing that is used elsewhere, and so before `from`.
fn lead_past(body: &mut Body, from: BlockId, past: BlockId, target: BlockId) -> bool {
    let incoming = |body: &Body, phi: usize, block: BlockId| {
        body.block(target).phis[phi].incoming.iter().find(|incoming| incoming.0 == block).map(|incoming| incoming.1)
    };
    let phis = 0..body.block(target).phis.len();
    let comes_alike = |phi| incoming(body, phi, from).is_none_or(|value| Some(value) == incoming(body, phi, past));
    if from == past || !phis.clone().all(comes_alike) {
        return false;
    }
    for phi in phis {
        let Some(value) = incoming(body, phi, past) else { return false };
        if incoming(body, phi, from).is_none() {
            let incoming = &mut body.blocks[target.index()].phis[phi].incoming;
            incoming.push((from, value));
            incoming.sort_by_key(|it| it.0);
        }
    }
    body.blocks[past.index()].phis[0].incoming.retain(|it| it.0 != from);
    body.blocks[from.index()].terminator.kind.for_each_successor_mut(|successor| {
        if *successor == past {
            *successor = target;
        }
    });
    true
}
