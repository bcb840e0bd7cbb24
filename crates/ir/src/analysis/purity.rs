//! Under which conditions a round of a loop does nothing: Sect. III of FMCAD 2022.
//!
//! A round is pure if it begins and ends at the header of the loop, changes nothing that others can see, changes no
//! register that is used afterwards, and takes no inner back edge. Conditions for that are computed backwards from the
//! edges to the header (the paper's forward purity conditions, FPC), over registers, in disjunctive normal form.
//!
//! Beyond the paper:
//! - a condition that crosses an edge backwards has the phis of the block replaced by what they are on that edge,
//!   because unoptimised programs decide on phis of constants (`a && b`);
//! - a header is not just pure or impure along a back edge: it is pure where the value that a phi of the header is
//!   to have equals the one that it has, which is a condition like others;
//! - a read-modify-write changes nothing where what it would write is what it has found.

use super::condition::{Condition, Literal, Point};
use super::control_flow::ControlFlow;
use super::definitions::Definitions;
use super::dominators::Dominators;
use super::expression::{Expression, may_divide_by_zero};
use super::loops::Loop;
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::BlockId;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::{BinaryOp, IntPredicate, RmwOp};
use crate::source::SourceLocation;
use crate::types::Type;
use crate::value::{Symbol, Value};

/// Something that keeps a round, or some rounds, from being pure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What it is: `a store`.
    pub what: &'static str,
    /// Where.
    pub location: Option<SourceLocation>,
}

/// What the analysis of a loop gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Purity {
    /// When a round is pure: the forward purity condition at the start of the header.
    pub(crate) condition: Condition,
    /// What keeps other rounds from being pure.
    pub(crate) obstacles: Vec<Obstacle>,
    /// Whether there are no other rounds: whoever comes back to the header has done nothing.
    pub(crate) is_complete: bool,
}

/// A loop, and what is needed to analyse it.
pub(crate) struct Subject<'a> {
    pub(crate) module: &'a Module,
    pub(crate) body: &'a Body,
    pub(crate) flow: &'a ControlFlow,
    pub(crate) dominators: &'a Dominators,
    pub(crate) definitions: &'a Definitions,
    pub(crate) found: &'a Loop,
    /// Whether a call of the function of this name does nothing at all: `sched_yield`.
    pub(crate) is_idle: &'a dyn Fn(&str) -> bool,
    /// Edges that nobody can take any more, because all rounds of an inner loop are blocked.
    pub(crate) dead: &'a [(BlockId, BlockId)],
}

/// When a statement changes nothing.
enum Guard {
    Always,
    If(Condition),
    Never(&'static str),
}

impl Subject<'_> {
    /// Computes the condition under which a round of the loop is pure.
    pub(crate) fn analyse(&self) -> Purity {
        let mut purity = Purity { is_complete: self.inner_back_edges().is_empty(), ..Purity::default() };
        // The FPC at the start of each block; those of later blocks come first.
        let mut at_start: Vec<Condition> = vec![Condition::never(); self.body.blocks.len()];
        let mut blocks = self.found.body.clone();
        blocks.sort_by_key(|&block| std::cmp::Reverse(self.flow.position(block)));
        for block in blocks {
            let mut condition = self.at_end(block, &at_start, &mut purity);
            for (position, instruction) in self.body.block(block).instructions.iter().enumerate().rev() {
                if condition.disjuncts.is_empty() {
                    break;
                }
                condition = self.before(instruction, condition, &mut purity);
                if self.may_fail(instruction) {
                    condition = condition.after(Point { block, position: position + 1 });
                }
            }
            at_start[block.index()] = condition;
        }
        purity.condition = std::mem::take(&mut at_start[self.found.header.index()]);
        if purity.condition.is_truncated {
            purity.is_complete = false;
            purity.obstacles.push(Obstacle { what: "conditions that are too many or too long", location: None });
        }
        purity
    }

    /// The register as an expression over what is not computed in the loop.
    pub(crate) fn expression(&self, value: Value) -> Expression {
        Expression::of(self.body, self.definitions, value, &|block, _| self.found.contains(block))
    }

    /// The edges that go back, but not to the header, and can be taken.
    pub(crate) fn inner_back_edges(&self) -> Vec<(BlockId, BlockId)> {
        let edges = |&from: &BlockId| self.flow.successors(from).iter().map(move |&to| (from, to));
        let is_one = |&(from, to): &(BlockId, BlockId)| {
            self.found.contains(to) && self.goes_back_inside(from, to) && !self.dead.contains(&(from, to))
        };
        self.found.body.iter().flat_map(edges).filter(is_one).collect()
    }

    fn goes_back_inside(&self, from: BlockId, to: BlockId) -> bool {
        to != self.found.header && self.flow.position(to) <= self.flow.position(from)
    }

    /// The literals that hold wherever control comes to this block, because of how it comes there from the header.
    pub(crate) fn known_at(&self, block: BlockId) -> Vec<Literal> {
        let mut known = Vec::new();
        let mut at = block;
        while at != self.found.header {
            let Some(above) = self.dominators.immediate(at) else { break };
            if self.flow.predecessors(at) == [above]
                && let [only] = &self.taken(above, at).disjuncts[..]
            {
                known.extend(only.literals.iter().cloned());
            }
            at = above;
        }
        known
    }

    /// FPC(s.) to FPC(.s), with `g` as in the paper.
    fn before(&self, instruction: &Instruction, after: Condition, purity: &mut Purity) -> Condition {
        let guard = self.guard(instruction, &instruction.operation);
        purity.is_complete &= matches!(guard, Guard::Always);
        match guard {
            Guard::Always => after,
            Guard::If(condition) => after.and(&condition),
            Guard::Never(what) => {
                purity.obstacles.push(Obstacle { what, location: instruction.location });
                Condition::never()
            }
        }
    }

    fn guard(&self, instruction: &Instruction, operation: &Operation) -> Guard {
        match operation {
            Operation::Load { .. } | Operation::Fence { .. } | Operation::Assume { .. } | Operation::Round => {
                Guard::Always
            }
            Operation::Await { access, .. } => self.guard(instruction, access),
            Operation::Store { .. } | Operation::SetMemory { .. } | Operation::CopyMemory { .. } => {
                Guard::Never("a store")
            }
            Operation::AtomicRmw { op, value, .. } => self.unchanged(*op, instruction, *value),
            Operation::CompareExchange { .. } => {
                let replaced = Expression::Leaf(Value::Reg(instruction.results[1]));
                Guard::If(Condition::when(self.body, &replaced, false))
            }
            Operation::Call { callee: Callee::Direct(id), .. }
                if (self.is_idle)(&self.module.function(*id).name) && self.module.function(*id).body.is_none() =>
            {
                Guard::Always
            }
            Operation::Call { .. } => Guard::Never("a call"),
            Operation::Alloca { .. } | Operation::VariadicArea => Guard::Never("a new variable"),
            _ => Guard::Always,
        }
    }

    /// When a read-modify-write leaves what it finds.
    fn unchanged(&self, op: RmwOp, instruction: &Instruction, operand: Value) -> Guard {
        let old = Expression::Leaf(Value::Reg(instruction.results[0]));
        let ty = old.ty(self.body);
        let operand = self.expression(operand);
        let equal = |a: Expression, b: Expression| {
            let test = Expression::compare(IntPredicate::Eq, a, b);
            Guard::If(Condition::when(self.body, &test, true))
        };
        if ty.is_float() {
            return Guard::Never("a change of a float");
        }
        let function = match op {
            RmwOp::Xchg => return equal(old, operand),
            RmwOp::Add | RmwOp::Sub | RmwOp::Xor => {
                return equal(operand, Expression::Leaf(Value::constant(ty, 0)));
            }
            RmwOp::And => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Max => BinaryOp::SMax,
            RmwOp::Min => BinaryOp::SMin,
            RmwOp::UMax => BinaryOp::UMax,
            RmwOp::UMin => BinaryOp::UMin,
            _ => return Guard::Never("an atomic change"),
        };
        equal(Expression::binary(ty, function, old.clone(), operand), old)
    }

    /// FPC(A.): the disjunction over the edges out of the block.
    fn at_end(&self, from: BlockId, at_start: &[Condition], purity: &mut Purity) -> Condition {
        let mut all = Condition::never();
        for &to in self.flow.successors(from) {
            if !self.found.contains(to) || self.goes_back_inside(from, to) {
                continue;
            }
            let taken = self.taken(from, to);
            let beyond = if to == self.found.header {
                self.back_edge(from, purity)
            } else {
                at_start[to.index()].map(self.body, &|test| self.across(test, from, to))
            };
            all = all.or(beyond.and(&taken));
        }
        all
    }

    /// The expression, in which registers are those of the block `to`, at the end of `from`.
    fn across(&self, test: &Expression, from: BlockId, to: BlockId) -> Expression {
        test.replace(&|reg| {
            let phi = self.body.block(to).phis.iter().find(|phi| phi.result == reg)?;
            let incoming = phi.incoming.iter().find(|incoming| incoming.0 == from)?;
            Some(self.expression(incoming.1))
        })
    }

    /// When nothing that the header keeps changes along the back edge from this block.
    fn back_edge(&self, from: BlockId, purity: &mut Purity) -> Condition {
        let mut condition = Condition::always();
        let header = self.body.block(self.found.header);
        for phi in &header.phis {
            let Some(&(_, next)) = phi.incoming.iter().find(|incoming| incoming.0 == from) else { continue };
            let ty = self.body.register(phi.result).ty;
            if next == Value::Reg(phi.result) || phi.incoming.iter().all(|incoming| incoming.1 == next) {
                continue;
            }
            purity.is_complete = false;
            let current = Expression::Leaf(Value::Reg(phi.result));
            let test = Expression::compare(IntPredicate::Eq, self.expression(next), current);
            let same = match ty {
                Type::Int(_) | Type::Ptr => condition.and(&Condition::when(self.body, &test, true)),
                Type::F32 | Type::F64 => Condition::never(),
            };
            if same.disjuncts.is_empty() || ty.is_float() {
                let location = phi.location.or(self.body.block(from).terminator.location);
                purity.obstacles.push(Obstacle { what: "a variable that changes", location });
            }
            condition = same;
        }
        condition
    }

    /// When the block goes on to this successor.
    fn taken(&self, from: BlockId, to: BlockId) -> Condition {
        match &self.body.block(from).terminator.kind {
            TerminatorKind::Branch { condition, then, otherwise } if then != otherwise => {
                Condition::when(self.body, &self.expression(*condition), *then == to)
            }
            TerminatorKind::Switch { value, cases, default } => {
                let value = self.expression(*value);
                let ty = value.ty(self.body);
                let is = |case: u128, is: bool| {
                    let case = Expression::Leaf(Value::constant(ty, case));
                    Condition::when(self.body, &Expression::compare(IntPredicate::Eq, value.clone(), case), is)
                };
                let mut condition = Condition::never();
                for &(case, _) in cases.iter().filter(|case| case.1 == to) {
                    condition = condition.or(is(case, true));
                }
                if *default == to {
                    let others = cases.iter().fold(Condition::always(), |all, &(case, _)| all.and(&is(case, false)));
                    condition = condition.or(others);
                }
                condition
            }
            _ => Condition::always(),
        }
    }

    /// Whether the instruction may be an error, so that nothing may be blocked before it that would come to it.
    fn may_fail(&self, instruction: &Instruction) -> bool {
        let operation = match &instruction.operation {
            Operation::Await { access, .. } => access,
            operation => operation,
        };
        match operation.address() {
            Some(address) => {
                let size = instruction.results.first().map_or(0, |&result| self.body.register(result).ty.bytes());
                !self.is_in_bounds(address, 0, size.into())
            }
            None => may_divide_by_zero(operation),
        }
    }

    /// Whether there is an object of which `size` bytes can be accessed at `offset` beyond the address, at any time.
    fn is_in_bounds(&self, address: Value, offset: i64, size: u64) -> bool {
        let fits = |offset: i64, whole: u64| {
            u64::try_from(offset).is_ok_and(|offset| offset.checked_add(size).is_some_and(|end| end <= whole))
        };
        match address {
            Value::Address { symbol: Symbol::Global(id), offset: start } => {
                let global = self.module.global(id);
                global.initialiser.is_some() && !global.constant && fits(start.saturating_add(offset), global.size)
            }
            Value::Reg(reg) => {
                let Some((block, position)) = self.definitions.instruction(reg) else { return false };
                match &self.body.block(block).instructions[position].operation {
                    Operation::Alloca { slot, count: None } => fits(offset, self.body.slot(*slot).size),
                    Operation::Offset { base, offset: more, index: None } => {
                        self.is_in_bounds(*base, offset.saturating_add(*more), size)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
