//! The registers that a function may still use, by place: others are no part of the state.

use everyway_ir::{Body, Instruction, Reg, Value};
use rustc_hash::FxHashSet;

/// The registers that are live at the beginning of each block, its phis done.
#[derive(Debug)]
pub(super) struct Liveness {
    at_start: Vec<FxHashSet<Reg>>,
    at_end: Vec<FxHashSet<Reg>>,
}

impl Liveness {
    pub(super) fn of(body: &Body) -> Self {
        let empty = vec![FxHashSet::default(); body.blocks.len()];
        let mut this = Self { at_start: empty.clone(), at_end: empty };
        let mut changed = true;
        while changed {
            changed = false;
            for block in body.block_ids().rev() {
                let end = this.live_out(body, block);
                let mut live = end.clone();
                use_values(&mut live, body.block(block).terminator.kind.values());
                for instruction in body.block(block).instructions.iter().rev() {
                    step_back(&mut live, instruction);
                }
                changed |= this.at_start[block.index()] != live || this.at_end[block.index()] != end;
                this.at_start[block.index()] = live;
                this.at_end[block.index()] = end;
            }
        }
        this
    }

    /// What the successors need, and what their phis take from this block.
    fn live_out(&self, body: &Body, block: everyway_ir::BlockId) -> FxHashSet<Reg> {
        let mut live = FxHashSet::default();
        body.block(block).terminator.kind.for_each_successor(|next| {
            live.extend(&self.at_start[next.index()]);
        });
        body.block(block).terminator.kind.for_each_successor(|next| {
            for phi in &body.block(next).phis {
                live.remove(&phi.result);
            }
        });
        body.block(block).terminator.kind.for_each_successor(|next| {
            for phi in &body.block(next).phis {
                let taken = phi.incoming.iter().filter(|(from, _)| *from == block).map(|(_, value)| *value);
                use_values(&mut live, taken);
            }
        });
        live
    }

    /// The registers that are live before the instruction at `index` of the block, in order.
    pub(super) fn before(&self, body: &Body, block: everyway_ir::BlockId, index: usize) -> Vec<Reg> {
        let mut live = self.at_end[block.index()].clone();
        let block = body.block(block);
        use_values(&mut live, block.terminator.kind.values());
        for instruction in block.instructions[index..].iter().rev() {
            step_back(&mut live, instruction);
        }
        sorted(live)
    }

    /// The registers that are live after the call at `index` of the block, its results apart.
    pub(super) fn across(&self, body: &Body, block: everyway_ir::BlockId, index: usize) -> Vec<Reg> {
        let mut live: FxHashSet<Reg> = self.before(body, block, index + 1).into_iter().collect();
        for result in &body.block(block).instructions[index].results {
            live.remove(result);
        }
        sorted(live)
    }
}

fn sorted(live: FxHashSet<Reg>) -> Vec<Reg> {
    let mut live: Vec<Reg> = live.into_iter().collect();
    live.sort_unstable();
    live
}

fn use_values(live: &mut FxHashSet<Reg>, values: impl IntoIterator<Item = Value>) {
    live.extend(values.into_iter().filter_map(Value::reg));
}

fn step_back(live: &mut FxHashSet<Reg>, instruction: &Instruction) {
    for result in &instruction.results {
        live.remove(result);
    }
    use_values(live, instruction.operation.values());
}
