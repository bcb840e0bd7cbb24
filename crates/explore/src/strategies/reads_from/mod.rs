//! One execution per reads-from class: ReadsFrom-SMC.
//!
//! Abdulla, Atig, Jonsson, Lång, Ngo, Sagonas: Optimal Stateless Model Checking for Reads-From Equivalence under
//! Sequential Consistency. OOPSLA 2019. Two executions are equivalent if their threads do the same and every read gets
//! its value from the same write.
//!
//! | file | what of the paper |
//! |---|---|
//! | `mod.rs` | Algorithm 1: exploration (lines 2-3) and recursion (lines 12-15), as a strategy |
//! | `linearization.rs` | traces (Sect. 3), kept apart from executions |
//! | `unit.rs` | variables: how operations of this engine map to the paper's events |
//! | `sum.rs` | - (variables that are added to and read) |
//! | `share.rs` | - (variables that are added to under conditions) |
//! | `latch.rs` | - (variables that are waited at) |
//! | `life.rs` | - (variables that end together) |
//! | `view.rs` | what an event would do with another source |
//! | `node.rs`, `constraint.rs` | `schedules`, and marks |
//! | `detect.rs` | Algorithm 1, lines 4-11, and the extensions of Sect. 7 |
//! | `may_read.rs` | `MayRead` |
//! | `candidate.rs` | schedules under test |
//! | `direct_witness.rs`, `late_source.rs` | - (attempts that mostly spare what follows) |
//! | `witness.rs` | GetWitness and Algorithm 2 (Sects. 5, 5.2) |
//! | `saturation.rs` | saturation (Sects. 5.1, 7) |
//! | `decide.rs` | Algorithm 3 (Sect. 5.3) |
//! | `resume.rs` | - (which execution of a schedule) |
//! | `executions.rs` | - (how much executions have in common) |
//!
//! The recursion of Algorithm 1 is a stack of [`node::Node`]s: schedules of later events are explored first, and those
//! of earlier ones grow in the meantime (line 12). An execution of a schedule starts by following a witness, from
//! where that departs from the last execution.

mod candidate;
mod constraint;
mod decide;
mod detect;
mod direct_witness;
mod executions;
mod latch;
mod late_source;
mod life;
mod linearization;
mod may_read;
mod node;
mod resume;
mod saturation;
mod share;
mod sum;
#[cfg(test)]
mod tests;
mod unit;
mod view;
mod witness;

use super::{Choice, Continue, Guarantee, Guidance, Mistake, Order as FirstThread, Picker, Schedules, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::trace::Trace;
use constraint::{Constraint, Constraints, Required};
use detect::Detection;
use direct_witness::DirectWitness;
use everyway_runtime::{State, Status, Step, ThreadId};
use executions::Executions;
use linearization::{Linearization, Name};
use node::{Next, Node, Nodes};
use resume::Resumption;
use sum::steps_alone;
use unit::Units;
use view::View;

/// The strategy.
#[derive(Debug)]
pub(crate) struct ReadsFrom {
    picker: Picker,
    units: Units,
    trace: Linearization,
    /// The saturated order of a prefix of `trace`.
    order: saturation::Saturation,
    nodes: Nodes,
    constraints: Constraints,
    /// The execution that is being followed.
    witness: Vec<Step>,
    /// The first event of `trace` that no earlier execution had.
    fresh: usize,
    /// How many events of `trace` were planned.
    planned: usize,
    /// How many steps of the last execution were kept.
    kept: usize,
    /// Whether the units changed after executions had been compared by them.
    starts_over: bool,
    /// Whether a witness could not be followed.
    is_lost: bool,
    finished: u64,
    executions: Executions,
    direct: DirectWitness,
    resumption: Resumption,
}

impl ReadsFrom {
    /// In so many executions, old values are read first: that is where bugs are. Then what takes least is explored first.
    const OLD_VALUES_FIRST: u64 = 10;

    /// A search that tries threads in this order where the algorithm leaves it open.
    pub(crate) fn new(order: FirstThread) -> Self {
        Self {
            picker: Picker::new(order),
            units: Units::default(),
            trace: Linearization::default(),
            order: saturation::Saturation::default(),
            nodes: Nodes::default(),
            constraints: Constraints::default(),
            witness: Vec::new(),
            fresh: 0,
            planned: 0,
            kept: 0,
            starts_over: false,
            is_lost: false,
            finished: 0,
            executions: Executions::default(),
            direct: DirectWitness::default(),
            resumption: Resumption::default(),
        }
    }

    /// Makes `self.trace` the trace of the execution: lines 3-4 of Algorithm 1.
    fn record(&mut self, trace: &Trace, state: &dyn State, alone: usize) {
        let view = View::new(trace, state, &self.units, alone);
        self.trace.widen(state.threads());
        self.trace.reserve(trace.len());
        if self.order.threads() < state.threads() {
            self.order.reset(state.threads());
        }
        for entry in &self.trace.entries()[self.fresh..] {
            let as_planned = view.event(entry.name).is_some_and(|id| {
                let mut executed = view.entry(id);
                executed.see(&self.trace, &view, id);
                executed.identity() == entry.identity()
            });
            debug_assert!(as_planned, "{entry:?} is not as planned");
            self.is_lost |= !as_planned;
        }
        for id in trace.events_from(self.first_unplanned(trace)) {
            let name = view.name(id);
            if name.index as usize <= self.trace.positions_of(name.thread).len() {
                continue;
            }
            let mut entry = view.entry(id);
            entry.see(&self.trace, &view, id);
            if entry.reads() || entry.role.used().is_some() || trace.event(id).choices > 1 {
                self.nodes.push(Node::new(self.trace.len(), &entry, &view));
            }
            self.trace.push(entry);
        }
        let end = self.trace.len();
        let looks = |thread: &ThreadId| state.operation(*thread).may_block() && !view.has_no_choice(*thread);
        for thread in everyway_runtime::blocked(state).filter(looks) {
            let index = trace.events_of(thread).len() as u32 + 1;
            let of = Name { thread, index };
            self.constraints.make(self.nodes.len(), Constraint { of, source: Required::From(end) });
            self.nodes.push(Node::waiting(end, of));
        }
    }

    /// The first event of the execution that is not in `self.trace`.
    fn first_unplanned(&self, trace: &Trace) -> usize {
        if self.trace.len() == trace.len() {
            return trace.len();
        }
        let first =
            |thread| trace.events_of(ThreadId::new(thread)).get(self.trace.positions_of(ThreadId::new(thread)).len());
        (0..self.trace.threads()).filter_map(first).min().map_or(trace.len(), |id| id.index())
    }

    fn start_over(&mut self) -> Continue {
        self.trace.truncate(0);
        self.order.truncate(0);
        self.nodes.clear();
        self.constraints.drop_from(0);
        self.witness.clear();
        self.finished = 0;
        self.fresh = 0;
        self.planned = 0;
        self.kept = 0;
        self.starts_over = false;
        self.executions = Executions::default();
        Continue::StartOver
    }
}

impl Strategy for ReadsFrom {
    fn name(&self) -> &'static str {
        "reads-from"
    }

    fn guarantee(&self) -> Guarantee {
        if self.is_lost { Guarantee::Lost(Mistake::PlanNotFollowed) } else { Guarantee::Optimal }
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::Schedules(self)
    }

    fn learn(&mut self, trace: &Trace, state: &dyn State, budget: &Budget) {
        self.finished += 1;
        let alone = steps_alone(trace, state);
        if self.units.learn(trace, self.kept, state, alone) && self.finished > 1 {
            self.starts_over = true;
            return;
        }
        if trace.len() < self.witness.len() {
            return;
        }
        let first_new = self.nodes.len().saturating_sub(1);
        self.record(trace, state, alone);
        let Self { units, trace: linearization, order, nodes, constraints, executions, direct, .. } = self;
        let (fresh, planned) = (self.fresh, self.planned);
        let view = View::new(trace, state, units, alone);
        let waiting = Vec::new();
        let mut detection = Detection {
            view,
            trace: linearization,
            order,
            fresh,
            planned,
            constraints,
            executions,
            direct,
            budget,
            waiting,
            no_latch: None,
        };
        detection.run(nodes, first_new);
        if let Some(unit) = detection.no_latch {
            self.units.be_ordered(unit);
            self.starts_over = true;
        }
    }

    fn backtrack(&mut self, trace: &Trace, _: &dyn State) -> Continue {
        if self.starts_over {
            return self.start_over();
        }
        let next = if self.finished < Self::OLD_VALUES_FIRST { Next::Newest } else { Next::Closest };
        while let Some(at) = self.nodes.len().checked_sub(1) {
            let node = self.nodes.get_mut(at);
            let depth = node.depth;
            self.constraints.drop_from(at);
            let Some(schedule) = node.take(next, trace, &self.executions) else {
                self.nodes.pop();
                continue;
            };
            self.planned = depth + schedule.entries.len();
            self.fresh = self.planned - schedule.altered;
            self.order.truncate(depth);
            self.trace.replace_from(depth, &schedule.entries);
            if let Some(constraint) = schedule.constraint {
                self.constraints.make(at, constraint);
            }
            let common = schedule.in_common(trace, &self.executions);
            self.witness = std::mem::take(&mut schedule.witness);
            self.kept = self.resumption.resume(trace, &self.units, &self.trace, &mut self.witness, common);
            self.executions.go_on_from(self.kept);
            return Continue::From(self.kept);
        }
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        Estimate::from_branches(self.finished, self.nodes.iter().map(Node::branches))
    }
}

impl Schedules for ReadsFrom {
    fn needs_order(&self) -> bool {
        false
    }

    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        if let Some(&step) = self.witness.get(trace.len()) {
            let may = state.status(step.thread) == Status::Ready && step.choice < state.choices(step.thread);
            if !may {
                debug_assert!(may, "{step:?} was to be taken after {} steps", trace.len());
                self.is_lost = true;
                return Choice::Redundant;
            }
            return Choice::Take(step);
        }
        let thread = self.picker.pick(state, |_| true).expect("some thread is ready");
        Choice::Take(Step::of(thread))
    }
}
