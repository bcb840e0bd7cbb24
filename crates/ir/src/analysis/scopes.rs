//! Variables that are used in their own function after their scope has ended.
//!
//! A use of a variable by its name is in its scope. A pointer to it, kept in a variable that became a register, is the
//! address of the variable itself wherever it is used, after the end of the scope, too.

use super::control_flow::ControlFlow;
use crate::function::{Body, Instruction};
use crate::ids::{BlockId, Reg};
use crate::operation::{Operation, ScopeMark};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which registers are addresses of variables, and what becomes of these.
pub(crate) struct Scopes {
    /// For every register, the `alloca` of the variable that it is the address of, or of a part of.
    root: Vec<Option<Reg>>,
    /// The variables, by the registers of their addresses, that may be used when their scope has ended.
    overstayed: FxHashSet<Reg>,
}

impl Scopes {
    /// Of the function with this body.
    pub(crate) fn new(body: &Body) -> Self {
        let flow = ControlFlow::new(body);
        let root = roots(body, &flow);
        let marks = Marks::new(body);
        let overstayed = if marks.has_ends {
            let accesses = accesses(body, &root);
            accesses
                .into_iter()
                .filter(|(variable, at)| marks.may_have_ended(*variable, at, &flow))
                .map(|it| it.0)
                .collect()
        } else {
            FxHashSet::default()
        };
        Self { root, overstayed }
    }

    /// The variable that `value` is the address of, or of a part of.
    pub(crate) fn variable(&self, value: Value) -> Option<Reg> {
        value.reg().and_then(|reg| self.root[reg.index()])
    }

    /// Whether the variable with this address may be used when its scope has ended.
    pub(crate) fn is_overstayed(&self, address: Reg) -> bool {
        self.overstayed.contains(&address)
    }
}

fn roots(body: &Body, flow: &ControlFlow) -> Vec<Option<Reg>> {
    let mut root: Vec<Option<Reg>> = vec![None; body.registers.len()];
    for &block in flow.reverse_postorder() {
        for instruction in &body.block(block).instructions {
            match instruction.operation {
                Operation::Alloca { .. } => root[instruction.results[0].index()] = Some(instruction.results[0]),
                Operation::Offset { base, .. } => {
                    root[instruction.results[0].index()] = base.reg().and_then(|base| root[base.index()]);
                }
                _ => {}
            }
        }
    }
    root
}

/// Where in which blocks something else is done to variables, or to parts of them, than saying that they begin or end.
fn accesses(body: &Body, root: &[Option<Reg>]) -> FxHashMap<Reg, Vec<(BlockId, usize)>> {
    let mut found: FxHashMap<Reg, Vec<(BlockId, usize)>> = FxHashMap::default();
    let is_use = |instruction: &Instruction| {
        !matches!(instruction.operation, Operation::Offset { .. } | Operation::Scope { .. })
    };
    for block in body.block_ids() {
        for (position, instruction) in body.block(block).instructions.iter().enumerate().filter(|it| is_use(it.1)) {
            for reg in instruction.operation.values().into_iter().filter_map(Value::reg) {
                if let Some(variable) = root[reg.index()] {
                    found.entry(variable).or_default().push((block, position));
                }
            }
        }
    }
    found
}

/// Where scopes begin and end.
struct Marks {
    /// For every block, in order: the position, the variable, and what happens to it.
    by_block: Vec<Vec<(usize, Reg, ScopeMark)>>,
    has_ends: bool,
}

impl Marks {
    fn new(body: &Body) -> Self {
        let mut marks = Self { by_block: vec![Vec::new(); body.blocks.len()], has_ends: false };
        for (index, block) in body.blocks.iter().enumerate() {
            for (position, instruction) in block.instructions.iter().enumerate() {
                if let Operation::Scope { address: Value::Reg(variable), mark } = instruction.operation {
                    marks.by_block[index].push((position, variable, mark));
                    marks.has_ends |= mark == ScopeMark::Ends;
                }
            }
        }
        marks
    }

    /// Whether the scope of the variable may have ended, and not begun again, at one of these places: looks back from
    /// there up to where it has begun, which is near.
    fn may_have_ended(&self, variable: Reg, places: &[(BlockId, usize)], flow: &ControlFlow) -> bool {
        let mut seen = FxHashSet::default();
        let mut work: Vec<(BlockId, usize)> = places.to_vec();
        while let Some((block, before)) = work.pop() {
            let mut marks = self.by_block[block.index()].iter().rev();
            match marks.find(|mark| mark.0 < before && mark.1 == variable) {
                Some((.., ScopeMark::Ends)) => return true,
                Some((.., ScopeMark::Begins)) => {}
                None => {
                    let new = flow.predecessors(block).iter().filter(|&&before| seen.insert(before));
                    work.extend(new.map(|&before| (before, usize::MAX)));
                }
            }
        }
        false
    }
}
