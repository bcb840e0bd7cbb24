//! Values of the current round of a loop, in places that their assignment does not dominate.
//!
//! "For registers that do not reach the insertion location, arbitrary values can be used when execution does not pass
//! their definitions" (FMCAD 2022, Sect. III): phis carry the register or a default. They are made on demand, going
//! backwards to the header, where a round begins.

use crate::analysis::{ControlFlow, Loop};
use crate::function::{Body, Phi};
use crate::ids::BlockId;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is carried through a round: a default at its beginning, and something else after a block or an edge.
pub(super) struct Carried<'a> {
    flow: &'a ControlFlow,
    header: BlockId,
    ty: Type,
    default: Value,
    /// The value after a block, and the block.
    assigned: Option<(BlockId, Value)>,
    /// The value after one of the edges.
    edges: (Vec<(BlockId, BlockId)>, Value),
    /// The blocks that control can come to in the same round after the value is another one.
    concerned: FxHashSet<BlockId>,
    known: FxHashMap<BlockId, Value>,
}

impl<'a> Carried<'a> {
    /// A register that is assigned in `block`.
    pub(super) fn register(flow: &'a ControlFlow, found: &Loop, block: BlockId, value: Value, ty: Type) -> Self {
        let starts = flow.successors(block).to_vec();
        let default = Value::constant(ty, 0);
        Self::new(flow, found, ty, default, Some((block, value)), (Vec::new(), default), starts)
    }

    /// Whether one of the edges was taken, an `i1`.
    pub(super) fn edges(flow: &'a ControlFlow, found: &Loop, edges: Vec<(BlockId, BlockId)>) -> Self {
        let starts = edges.iter().map(|edge| edge.1).collect();
        Self::new(flow, found, Type::BOOL, Value::bool(false), None, (edges, Value::bool(true)), starts)
    }

    fn new(
        flow: &'a ControlFlow,
        found: &Loop,
        ty: Type,
        default: Value,
        assigned: Option<(BlockId, Value)>,
        edges: (Vec<(BlockId, BlockId)>, Value),
        mut work: Vec<BlockId>,
    ) -> Self {
        let mut concerned = FxHashSet::default();
        while let Some(block) = work.pop() {
            if block != found.header && found.contains(block) && concerned.insert(block) {
                work.extend(flow.successors(block));
            }
        }
        Self { flow, header: found.header, ty, default, assigned, edges, concerned, known: FxHashMap::default() }
    }

    /// The value at the start of a block of the loop.
    pub(super) fn at_start(&mut self, body: &mut Body, block: BlockId) -> Value {
        if block == self.header || !self.concerned.contains(&block) {
            return self.default;
        }
        if let Some(&value) = self.known.get(&block) {
            return value;
        }
        let predecessors = self.flow.predecessors(block).to_vec();
        if let [only] = predecessors[..] {
            let value = self.along(body, only, block);
            self.known.insert(block, value);
            return value;
        }
        let result = body.add_register(self.ty, None);
        self.known.insert(block, Value::Reg(result));
        let incoming = predecessors.into_iter().map(|from| (from, self.along(body, from, block))).collect();
        body.blocks[block.index()].phis.push(Phi { result, incoming, location: None });
        Value::Reg(result)
    }

    fn along(&mut self, body: &mut Body, from: BlockId, to: BlockId) -> Value {
        if self.edges.0.contains(&(from, to)) {
            return self.edges.1;
        }
        match self.assigned {
            Some((block, value)) if block == from => value,
            _ => self.at_start(body, from),
        }
    }
}
