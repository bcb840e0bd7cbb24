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
//! - a value that is read again at the end of a round is no change ([`Reread`]), nor is a number that decides nothing
//!   ([`relevant_registers`](super::relevant_registers));
//! - a read-modify-write changes nothing where what it would write is what it has found, and so does a store of what
//!   was loaded from there before;
//! - a mutex that is locked and unlocked again is as it was before. A round that does this may hold up other threads,
//!   but shows them nothing, as long as no thread asks whether the mutex is locked
//!   ([`locks_are_silent`](super::locks_are_silent)); so it may be left out, but the thread must not be stopped while it
//!   holds the mutex: conditions are tested after the last unlock. The same holds for atomic sections.

use super::condition::{Condition, Literal, Point};
use super::control_flow::ControlFlow;
use super::definitions::{Definition, Definitions};
use super::dominators::Dominators;
use super::expression::{Expression, is_repeatable};
use super::limits::Limits;
use super::loops::Loop;
use super::reread::Reread;
use crate::environment::Environment;
use crate::function::{Body, Instruction, Phi, TerminatorKind};
use crate::ids::BlockId;
use crate::module::Module;
use crate::operation::Operation;
use crate::operators::IntPredicate;
use crate::source::SourceLocation;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashMap;

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
    /// Whether there are no other rounds: a round that comes back to the header has done nothing.
    pub(crate) is_complete: bool,
    /// What the loop reads again in every round.
    pub(crate) reread: Option<Reread>,
}

/// What is asked about rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// When a round comes back to the header and is pure.
    Pure,
    /// When it comes back to the header.
    Back,
    /// When it comes to the attempt to lock a mutex that is right before this point, which fails.
    Fails(Point),
}

/// The rounds that are asked about.
#[derive(Clone, Copy)]
pub(crate) struct Rounds<'a> {
    /// The blocks from which they go back to the header.
    pub(crate) latches: &'a [BlockId],
    pub(crate) question: Question,
    /// What is known to be read again.
    pub(crate) reread: Option<&'a Reread>,
}

/// A loop, and what is needed to analyse it.
pub(crate) struct Subject<'a> {
    pub(crate) module: &'a Module,
    pub(crate) body: &'a Body,
    pub(crate) flow: &'a ControlFlow,
    pub(crate) dominators: &'a Dominators,
    pub(crate) definitions: &'a Definitions,
    pub(crate) found: &'a Loop,
    /// What is known of functions by their names.
    pub(crate) environment: Environment,
    /// Whether no thread asks whether a mutex is locked.
    pub(crate) locks_are_silent: bool,
    /// Which registers decide anything. Those that have been added since do.
    pub(crate) relevant: &'a [bool],
    /// What only says until when to wait.
    pub(crate) limits: &'a Limits,
    /// How often registers are used in the program as it was before loops were treated.
    pub(crate) uses: &'a [u32],
    /// Edges that cannot be taken any more, because all rounds of an inner loop are blocked.
    pub(crate) dead: &'a [(BlockId, BlockId)],
}

impl Subject<'_> {
    /// Computes the condition under which a round of the loop is pure.
    pub(crate) fn analyse(&self) -> Purity {
        let reread = Reread::find(self);
        let latches = &self.found.latches[..];
        let mut obstacles = Vec::new();
        let rounds = Rounds { latches, question: Question::Pure, reread: reread.as_ref() };
        let condition = self.condition(&rounds, &mut obstacles);
        let back = self.condition(&Rounds { question: Question::Back, ..rounds }, &mut Vec::new());
        let is_complete = self.inner_back_edges().is_empty() && !condition.is_truncated && condition.covers(&back);
        if condition.is_truncated {
            obstacles.push(Obstacle { what: "conditions that are too many or too long", location: None });
        }
        Purity { condition, obstacles, is_complete, reread }
    }

    /// Whether the loop only polls: it does nothing but load, has no variables of its own, and no loop inside.
    pub(crate) fn only_polls(&self) -> bool {
        let does_nothing = |instruction: &Instruction| {
            let is_load = matches!(instruction.operation, Operation::Load { .. } | Operation::Fence { .. });
            is_load || is_repeatable(&instruction.operation)
        };
        let is_kept = |phi: &Phi| {
            phi.incoming.iter().all(|&(from, value)| !self.found.contains(from) || value == Value::Reg(phi.result))
        };
        self.inner_back_edges().is_empty()
            && self.body.block(self.found.header).phis.iter().all(is_kept)
            && self.found.body.iter().all(|&block| self.body.block(block).instructions.iter().all(does_nothing))
    }

    /// The forward purity condition at the start of the header, or when a round comes back there.
    pub(crate) fn condition(&self, rounds: &Rounds<'_>, obstacles: &mut Vec<Obstacle>) -> Condition {
        // The FPC at the start of each block; those of later blocks come first.
        let mut at_start: FxHashMap<BlockId, Condition> = FxHashMap::default();
        let mut blocks = self.found.body.clone();
        blocks.sort_by_key(|&block| std::cmp::Reverse(self.flow.position(block)));
        for block in blocks {
            let mut condition = self.at_end(block, &at_start, rounds, obstacles);
            for (position, instruction) in self.body.block(block).instructions.iter().enumerate().rev() {
                let point = Point { block, position: position + 1 };
                match rounds.question {
                    Question::Pure if condition.disjuncts.is_empty() => break,
                    Question::Pure => {}
                    Question::Back => break,
                    Question::Fails(attempt) => {
                        if attempt == point {
                            condition = condition.or(self.tried(instruction, false));
                        }
                        continue;
                    }
                }
                condition = self.before(instruction, point, condition, obstacles);
                if self.may_fail(instruction) {
                    condition = condition.after(point);
                }
            }
            at_start.insert(block, condition);
        }
        let condition = at_start.remove(&self.found.header).unwrap_or_default().balanced();
        match rounds.question {
            Question::Pure => condition.without(&|disjunct| self.limits.concern(disjunct)),
            Question::Back | Question::Fails(_) => condition,
        }
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

    /// A value along the back edge from `latch`: a phi, of which only one value is possible there,
    /// is that value. (Unoptimised programs have the value that a compare-exchange found as a phi, because it is kept
    /// only if the exchange failed.)
    pub(crate) fn chosen(&self, value: Value, latch: BlockId) -> Value {
        let mut known = self.known_at(latch);
        if self.found.contains(latch)
            && let [only] = &self.taken(latch, self.found.header).disjuncts[..]
        {
            known.extend(only.literals.iter().cloned());
        }
        let known = Condition::all(known);
        let mut value = value;
        while let Some(Definition::Phi(block)) = value.reg().map(|reg| self.definitions.of(reg))
            && block != self.found.header
            && self.found.contains(block)
        {
            let phi = self.body.block(block).phis.iter().find(|phi| value == Value::Reg(phi.result));
            let incoming = phi.iter().flat_map(|phi| &phi.incoming);
            let is_possible = |&&(from, _): &&(BlockId, Value)| {
                let taken = self.taken(from, block).and(&Condition::all(self.known_at(from)));
                // Other phis of the block may have decided on the way from there.
                let known = known.map(self.body, &|test| self.across(test, from, block));
                !known.and(&taken).disjuncts.is_empty()
            };
            let mut possible = incoming.filter(is_possible);
            let (Some(&(_, only)), None) = (possible.next(), possible.next()) else { break };
            value = only;
        }
        value
    }

    /// FPC(A.): the disjunction over the edges out of the block.
    fn at_end(
        &self,
        from: BlockId,
        at_start: &FxHashMap<BlockId, Condition>,
        rounds: &Rounds<'_>,
        obstacles: &mut Vec<Obstacle>,
    ) -> Condition {
        let mut all = Condition::never();
        for &to in self.flow.successors(from) {
            if !self.found.contains(to) || self.goes_back_inside(from, to) {
                continue;
            }
            let taken = self.taken(from, to);
            let beyond = if to != self.found.header {
                let there = at_start.get(&to);
                there.map_or_else(Condition::never, |it| it.map(self.body, &|test| self.across(test, from, to)))
            } else if !rounds.latches.contains(&from) {
                Condition::never()
            } else {
                match rounds.question {
                    Question::Pure => self.back_edge(from, rounds, obstacles),
                    Question::Back => Condition::always(),
                    Question::Fails(_) => Condition::never(),
                }
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
    fn back_edge(&self, from: BlockId, rounds: &Rounds<'_>, obstacles: &mut Vec<Obstacle>) -> Condition {
        let mut condition = Condition::always();
        let header = self.body.block(self.found.header);
        for phi in &header.phis {
            let Some(&(_, next)) = phi.incoming.iter().find(|incoming| incoming.0 == from) else { continue };
            let ty = self.body.register(phi.result).ty;
            if next == Value::Reg(phi.result) || phi.incoming.iter().all(|incoming| incoming.1 == next) {
                continue;
            }
            let decides = self.relevant.get(phi.result.index()).is_none_or(|decides| *decides);
            let is_limit = self.limits.is_one(phi.result);
            if !decides || is_limit || rounds.reread.is_some_and(|reread| reread.allows(from, phi.result)) {
                continue;
            }
            let current = Expression::Leaf(Value::Reg(phi.result));
            let test = Expression::compare(IntPredicate::Eq, self.expression(next), current);
            let same = match ty {
                Type::Int(_) | Type::Ptr => condition.and(&Condition::when(self.body, &test, true)),
                Type::F32 | Type::F64 => Condition::never(),
            };
            if same.disjuncts.is_empty() || ty.is_float() {
                let location = phi.location.or(self.body.block(from).terminator.location);
                obstacles.push(Obstacle { what: "a variable that changes", location });
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
}
