//! Control flow: which blocks can be reached, phis, and terminators.

use super::function::{Flat, Lowerer};
use crate::ast::{self, Kind, Operand};
use crate::error::{Error, Result};
use crate::types::TypeId;
use everyway_ir::{BlockId, CastOp, Operation, Phi, Reg, Terminator, TerminatorKind, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The blocks of a function that its entry reaches.
pub(super) struct Graph<'a> {
    /// Their ids, by label.
    pub(super) labels: FxHashMap<&'a str, BlockId>,
    /// The label that an entry block without one has implicitly.
    pub(super) entry_label: String,
    /// Their positions in the text, in its order. Ids follow it.
    pub(super) reachable: Vec<usize>,
    /// Position and id in an order in which blocks come after those that dominate them.
    pub(super) order: Vec<(usize, BlockId)>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(function: &ast::Function<'a>, blocks: &[ast::Block<'a>]) -> Result<Self> {
        let unnamed = function.parameters.iter().filter(|parameter| {
            parameter.name.is_none_or(|name| name.starts_with(|first: char| first.is_ascii_digit()))
        });
        let entry_label = unnamed.count().to_string();
        let mut positions: FxHashMap<&'a str, usize> = FxHashMap::default();
        for (index, block) in blocks.iter().enumerate() {
            if let Some(label) = block.label
                && positions.insert(label, index).is_some()
            {
                return Err(Error::new(block.line, format!("the label `{label}` is defined twice")));
            }
        }
        let mut successors = Vec::with_capacity(blocks.len());
        for block in blocks {
            let mut targets = Vec::new();
            if let Some(last) = block.instructions.last() {
                for label in labels_of(&last.kind) {
                    match positions.get(label) {
                        Some(&target) => targets.push(target),
                        None => return Err(Error::new(last.line, format!("there is no label `%{label}`"))),
                    }
                }
            }
            successors.push(targets);
        }
        let visited = reverse_postorder(&successors);
        let mut reachable = visited.clone();
        reachable.sort_unstable();
        let id = |position: usize| BlockId::new(reachable.partition_point(|&other| other < position));
        let order = visited.iter().map(|&position| (position, id(position))).collect();
        let labels = reachable.iter().filter_map(|&position| Some((blocks[position].label?, id(position)))).collect();
        Ok(Self { labels, entry_label, reachable, order })
    }
}

/// Where a terminator goes.
fn labels_of<'a>(kind: &Kind<'a>) -> Vec<&'a str> {
    match kind {
        Kind::Jump(label) => vec![label],
        Kind::Branch(_, then, otherwise) => vec![then, otherwise],
        Kind::Switch(_, default, cases) => cases.iter().map(|case| case.1).chain(std::iter::once(*default)).collect(),
        Kind::IndirectJump(_, targets) => targets.clone(),
        Kind::Call(call) => call.invoke.iter().flat_map(|invoke| [invoke.normal, invoke.unwind]).collect(),
        _ => Vec::new(),
    }
}

fn reverse_postorder(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    seen[0] = true;
    let mut stack = vec![(0, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target], true) {
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// A phi of LLVM, whose scalars have their registers and not yet their values.
pub(super) struct PendingPhi<'a> {
    block: BlockId,
    /// The position of its first scalar among the phis of the block.
    first: usize,
    ty: TypeId,
    incoming: Vec<(Operand<'a>, &'a str)>,
    line: u32,
}

impl<'a> Lowerer<'_, '_, 'a> {
    pub(super) fn phi(&mut self, ty: TypeId, incoming: &[(Operand<'a>, &'a str)]) -> Result<Flat> {
        let scalars = self.context.layouts.scalars(ty, self.line)?;
        let registers: SmallVec<[Reg; 2]> =
            scalars.iter().map(|scalar| self.body.add_register(scalar.0, None)).collect();
        let location = self.location;
        let block = &mut self.body.blocks[self.current.index()];
        let first = block.phis.len();
        block.phis.extend(registers.iter().map(|&result| Phi { result, incoming: Vec::new(), location }));
        let (block, line) = (self.current, self.line);
        self.phis.push(PendingPhi { block, first, ty, incoming: incoming.to_vec(), line });
        Ok(registers.into_iter().map(Value::Reg).collect())
    }

    /// Gives phis their incoming values. Constants that need instructions get them at the end of the
    /// predecessor.
    pub(super) fn fill_phis(&mut self) -> Result<()> {
        for phi in std::mem::take(&mut self.phis) {
            let mut seen = FxHashSet::default();
            for (operand, label) in &phi.incoming {
                let Some(from) = self.block(label).filter(|&from| seen.insert(from)) else { continue };
                self.current = from;
                self.line = phi.line;
                self.location = None;
                let values = self.operand(phi.ty, operand)?;
                let phis = &mut self.body.blocks[phi.block.index()].phis[phi.first..];
                for (phi, value) in phis.iter_mut().zip(values) {
                    phi.incoming.push((from, value));
                }
            }
        }
        Ok(())
    }

    pub(super) fn terminate(&mut self, kind: TerminatorKind) {
        self.body.blocks[self.current.index()].terminator = Terminator { kind, location: self.location };
    }

    /// A block that is the target of a terminator which can be reached.
    pub(super) fn target(&self, label: &str) -> Result<BlockId> {
        match self.block(label) {
            Some(block) => Ok(block),
            None => self.error(format!("there is no label `%{label}`")),
        }
    }

    pub(super) fn terminator(&mut self, kind: &Kind<'a>) -> Result<Flat> {
        let kind = match kind {
            Kind::Jump(label) => TerminatorKind::Jump(self.target(label)?),
            Kind::Branch(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                TerminatorKind::Branch { condition, then: self.target(then)?, otherwise: self.target(otherwise)? }
            }
            Kind::Switch(value, default, cases) => {
                let (value, ty) = self.scalar(value.ty, &value.value)?;
                let default = self.target(default)?;
                let case = |(bits, label): &(u128, &str)| Ok((bits & ty.mask(), self.target(label)?));
                TerminatorKind::Switch { value, cases: cases.iter().map(case).collect::<Result<_>>()?, default }
            }
            Kind::IndirectJump(address, targets) => self.indirect_jump(address, targets)?,
            Kind::Return(Some(value)) => TerminatorKind::Return(self.typed(value)?.into_iter().collect()),
            Kind::Return(None) => TerminatorKind::Return(SmallVec::new()),
            _ => TerminatorKind::Unreachable,
        };
        self.terminate(kind);
        Ok(Flat::new())
    }

    fn condition(&mut self, operand: &Operand<'a>) -> Result<Value> {
        let value = match operand {
            Operand::Constant(constant) => Some(self.scalar_constant(Type::BOOL, constant)?),
            _ => self.local(operand),
        };
        match value.filter(|value| value.ty(&self.body) == Some(Type::BOOL)) {
            Some(value) => Ok(value),
            None => self.error("expected a condition that has a value"),
        }
    }

    /// A computed goto is a switch over the numbers that stand for its targets.
    fn indirect_jump(&mut self, address: &Operand<'a>, targets: &[&'a str]) -> Result<TerminatorKind> {
        let address = self.pointer(address)?;
        let value = self.emit_one(Operation::Cast { op: CastOp::PtrToInt, value: address }, Type::I64);
        let known = self.context.addressed.get(self.function).cloned().unwrap_or_default();
        let mut cases = Vec::new();
        for (index, label) in known.iter().enumerate().filter(|(_, label)| targets.contains(label)) {
            cases.push((index as u128 + 1, self.target(label)?));
        }
        // What is not in the list is undefined behaviour; some block has to be named.
        let Some(&(_, default)) = cases.last() else { return Ok(TerminatorKind::Unreachable) };
        Ok(TerminatorKind::Switch { value, cases, default })
    }
}
