//! Dynamic partial order reduction: classic, source, optimal, and optimal with observers.
//!
//! They share the depth-first search, the sleep sets and the analysis of races, and differ in one thing: how
//! a sequence that a race asks for becomes a choice at the state it starts from (a [`Planner`]). Choices are
//! kept as wakeup trees; where a planner remembers only first steps, the trees have one level and play the
//! part of backtrack sets.
//!
//! `observers` is Algorithm 1 of TACAS 2018: `optimal` with the conflict relation of `observation.rs`, the
//! happens-before relation that it gives, and sequences that reach to an observer (`races.rs`; lines 6-8 there). Its
//! test for redundancy by `done` sets over all prefixes (line 11) is what sleep sets come to once they keep stores
//! that were overtaken (`sleep_set.rs`), and its wakeup trees differ in nothing but the relation.
//!
//! Deviations from the papers: races are planned for when an execution has ended also under source sets,
//! where JACM's Algorithm 1 does it before each step. Nothing returns to the states concerned in between, so
//! the choices there are the same.

mod enabling_prefixes;
mod initials;
mod invariants;
mod observation;
mod races;
mod reach;
mod remaining;
mod sleep_set;
mod wakeup_sequence;
mod wakeup_tree;
mod weak_initials;

use super::{Choice, Continue, Guarantee, Guidance, Order, Picker, Schedules, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::happens_before::{Conflicts, HappensBefore, Ordered};
use crate::ids::EventId;
use crate::trace::{Event, Trace};
use crate::verify;
use everyway_runtime::{State, Step, ThreadId, ready};
use initials::Ends;
use observation::{Assumption, Observation, ObservedConflicts, first_yet_to_be_observed};
use races::{Plans, Scope};
use remaining::{Remaining, are_told_by_clocks};
use sleep_set::SleepSet;
use std::marker::PhantomData;
use wakeup_sequence::Sequence;
use wakeup_tree::{Branches, Forest, Insertion};

/// How a sequence that a race asks for becomes a future choice.
pub(super) trait Planner {
    /// The strategy's name.
    const NAME: &'static str;
    /// Whether backtrack sets are persistent sets.
    const PERSISTENT: bool = false;
    /// Whether redundant executions are never started.
    const OPTIMAL: bool;
    /// Whether stores conflict only when they are observed.
    const OBSERVERS: bool = false;
    fn plan(node: &mut Node, forest: &mut Forest, sequence: &mut Sequence, context: &Context<'_>);
}

/// What a sequence comes from.
pub(super) struct Context<'a> {
    ordered: Ordered<'a>,
    state: &'a dyn State,
    observation: &'a Observation,
}

/// A state on the stack.
#[derive(Debug, Default)]
pub(super) struct Node {
    sleep: SleepSet,
    /// What is still to be explored; the branch under way is not in it.
    wakeup: Branches,
    /// The branch under way, and those explored before it.
    started: Vec<Step>,
    /// The steps that can be taken, where backtrack sets are persistent sets.
    enabled: Vec<Step>,
    /// The thread that chooses here, and none of whose alternatives is left to be planned.
    chosen: Option<ThreadId>,
}

impl Node {
    fn reset(&mut self) {
        self.sleep.clear();
        self.wakeup = Branches::default();
        self.started.clear();
        self.enabled.clear();
        self.chosen = None;
    }

    /// Whether `step` is in `backtrack(E)`: explored from here, or going to be.
    fn in_backtrack(&self, forest: &Forest, step: Step) -> bool {
        self.started.contains(&step) || forest.contains(self.wakeup, step)
    }
}

/// Source sets (JACM, Algorithm 1; with blocking, Algorithms 3 and 5).
#[derive(Debug)]
pub(super) enum Source {}

impl Planner for Source {
    const NAME: &'static str = "source";
    const OPTIMAL: bool = false;

    fn plan(node: &mut Node, forest: &mut Forest, sequence: &mut Sequence, context: &Context<'_>) {
        sequence.list(context.ordered);
        let initials = Ends::new(sequence, context.ordered).initials(context.state);
        // What starts with a sleeping step has been explored. Algorithm 1 does not say so: the backtrack sets of its line 9
        // may grow by any initial. With it, the counts are those of Table 3.
        if !initials.iter().any(|&step| node.sleep.contains(step)) {
            add_one_of(node, forest, &initials);
        }
    }
}

/// Persistent sets with sleep sets: the algorithm of Flanagan and Godefroid, in the form of JACM, Sect. 5.1.
#[derive(Debug)]
pub(super) enum Classic {}

impl Planner for Classic {
    const NAME: &'static str = "classic";
    const PERSISTENT: bool = true;
    const OPTIMAL: bool = false;

    fn plan(node: &mut Node, forest: &mut Forest, sequence: &mut Sequence, context: &Context<'_>) {
        sequence.list(context.ordered);
        let ends = Ends::new(sequence, context.ordered);
        if sequence.last().is_some() {
            return add_one_of(node, forest, &ends.initials_before_last(context.state));
        }
        // The step that the race is about is disabled here. If nothing that happens before it can be taken either,
        // whatever can may lead to it.
        if !ends.is_empty() {
            return add_one_of(node, forest, &ends.initials(context.state));
        }
        for step in std::mem::take(&mut node.enabled) {
            add_one_of(node, forest, &[step]);
        }
    }
}

/// Makes sure that one of the initials is in the backtrack set (JACM, Algorithm 1, lines 8-9).
fn add_one_of(node: &mut Node, forest: &mut Forest, initials: &[Step]) {
    if let Some(&first) = initials.first()
        && !initials.iter().any(|&step| node.in_backtrack(forest, step))
    {
        forest.add_to_backtrack_set(&mut node.wakeup, first);
    }
}

/// Wakeup trees (JACM, Algorithm 2; with blocking, Algorithms 4 and 6 as refined by FMCAD 2022).
#[derive(Debug)]
pub(super) enum Optimal {}

impl Planner for Optimal {
    const NAME: &'static str = "optimal";
    const OPTIMAL: bool = true;

    fn plan(node: &mut Node, forest: &mut Forest, sequence: &mut Sequence, context: &Context<'_>) {
        let &Context { ordered, state, observation } = context;
        let relation = observation.among(state);
        if !are_told_by_clocks(ordered, &relation) {
            // It is gone through for each sleeping step, and for each node on the way down the tree.
            sequence.list(ordered);
        }
        let remaining = Remaining::new(sequence, ordered, &relation);
        if !node.sleep.covers(&remaining) {
            forest.insert(&mut node.wakeup, Insertion { state, remaining });
        }
    }
}

/// Wakeup trees with observers (TACAS 2018, Algorithm 1).
#[derive(Debug)]
pub(super) enum Observers {}

impl Planner for Observers {
    const NAME: &'static str = "observers";
    const OPTIMAL: bool = true;
    const OBSERVERS: bool = true;

    fn plan(node: &mut Node, forest: &mut Forest, sequence: &mut Sequence, context: &Context<'_>) {
        Optimal::plan(node, forest, sequence, context);
    }
}

/// Depth-first search with sleep sets and race analysis.
#[derive(Debug)]
pub(super) struct Dpor<P> {
    /// The states on the stack, and, beyond the current depth, spare ones.
    nodes: Vec<Node>,
    forest: Forest,
    picker: Picker,
    /// The first event that was not part of an earlier execution.
    fresh: usize,
    scratch: Sequence,
    observation: Observation,
    /// Happens-before with observers, of the last execution that was learnt from.
    observed: HappensBefore,
    /// Whether the exploration has to start over: stores were taken for unordered that are not.
    starts_over: bool,
    finished: u64,
    planner: PhantomData<P>,
}

impl<P: Planner> Dpor<P> {
    /// A search that tries threads in this order where the algorithm leaves it open.
    pub(super) fn new(order: Order) -> Self {
        Self {
            nodes: vec![Node::default()],
            forest: Forest::default(),
            picker: Picker::new(order),
            fresh: 0,
            scratch: Sequence::default(),
            observation: if P::OBSERVERS { Observation::of_stores_and_sends() } else { Observation::default() },
            observed: HappensBefore::default(),
            starts_over: false,
            finished: 0,
            planner: PhantomData,
        }
    }

    fn plan_for_races(&mut self, trace: &Trace, state: &dyn State, assumption: Assumption, budget: &Budget) {
        let fresh = self.fresh;
        let Self { nodes, forest, scratch, observation, observed, .. } = self;
        let is_as_before = P::OBSERVERS && {
            let relation = observation.among(state);
            match assumption {
                Assumption::Holds => observe_again(observed, trace, fresh, &relation),
                _ => {
                    observe(observed, trace, &relation);
                    false
                }
            }
        };
        let ordered = if P::OBSERVERS { Ordered { trace, order: observed } } else { Ordered::by_conflicts(trace) };
        let context = Context { ordered, state, observation };
        let mut plans = Planning::<P> { nodes, forest, context, planner: PhantomData };
        if P::OBSERVERS {
            // What is observed later may put in order what came before: then races of old events are new.
            let is_known = trace.unobserved().first().is_none_or(|event| event.index() >= fresh) || is_as_before;
            let scope = if is_known { Scope::NewSequences(fresh) } else { Scope::All };
            races::analyse(ordered, &observation.among(state), state, scope, budget, scratch, &mut plans);
        } else {
            let scope = match () {
                () if P::OPTIMAL => Scope::NewSequences(fresh),
                () if P::PERSISTENT => Scope::Persistent(fresh),
                () => Scope::Since(fresh),
            };
            races::analyse(ordered, &Conflicts(state), state, scope, budget, scratch, &mut plans);
        }
    }
}

/// The states on the stack while races are planned for.
struct Planning<'a, P> {
    nodes: &'a mut [Node],
    forest: &'a mut Forest,
    context: Context<'a>,
    planner: PhantomData<P>,
}

impl<P: Planner> Plans for Planning<'_, P> {
    fn plan(&mut self, sequence: &mut Sequence) {
        P::plan(&mut self.nodes[sequence.prefix], self.forest, sequence, &self.context);
    }

    /// With wakeup trees, if the event does nothing but choose: an alternative that sleeps, or is a leaf of the tree by
    /// itself, is a weak initial of whatever is independent of the event followed by the alternative.
    ///
    /// If nothing sleeps and nothing is planned, all alternatives become leaves at once. When one of them is taken, nothing
    /// sleeps but others of them, and none after it: all that follows is new.
    fn plan_alternatives(&mut self, event: EventId) -> bool {
        let trace = self.context.ordered.trace;
        let Event { step, index, choices, .. } = *trace.event(event);
        let is_local = trace.declared(event).is_empty() && trace.footprints(event).is_empty();
        let node = &mut self.nodes[event.index()];
        if P::OPTIMAL && is_local && node.chosen != Some(step.thread) {
            if node.sleep.is_empty() && node.wakeup.is_empty() {
                for choice in (0..choices).filter(|&choice| choice != step.choice) {
                    self.forest.add_local(&mut node.wakeup, Step { thread: step.thread, choice }, index);
                }
            }
            let is_alternative =
                |(other, _, below): &(Step, _, Branches)| other.thread == step.thread && below.is_empty();
            let planned = self.forest.branches(node.wakeup).filter(is_alternative).count();
            if planned as u32 + node.sleep.count_local(step.thread) + 1 == choices {
                node.chosen = Some(step.thread);
            }
        }
        node.chosen == Some(step.thread)
    }
}

impl<P: Planner> Strategy for Dpor<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn guarantee(&self) -> Guarantee {
        if P::OPTIMAL { Guarantee::Optimal } else { Guarantee::Sound }
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::Schedules(self)
    }

    fn learn(&mut self, trace: &Trace, state: &dyn State, budget: &Budget) {
        self.finished += 1;
        let assumption = self.observation.learn(trace, state);
        self.starts_over = assumption == Assumption::Refuted;
        if !self.starts_over {
            self.plan_for_races(trace, state, assumption, budget);
        }
    }

    fn backtrack(&mut self, trace: &Trace, _: &dyn State) -> Continue {
        if self.starts_over {
            self.forest = Forest::default();
            self.nodes.iter_mut().for_each(Node::reset);
            (self.fresh, self.finished) = (0, 0);
            return Continue::StartOver;
        }
        for depth in (0..trace.len()).rev() {
            let event = EventId::new(depth);
            let node = &mut self.nodes[depth];
            if node.wakeup.is_empty() {
                continue;
            }
            node.sleep.add(trace.event(event), trace.footprints(event));
            while let Some(step) = self.forest.first(node.wakeup) {
                if !node.sleep.contains(step) {
                    self.fresh = depth;
                    return Continue::From(depth);
                }
                debug_assert!(!P::OPTIMAL, "a wakeup tree leads into the sleep set");
                self.forest.take_first(&mut node.wakeup);
            }
        }
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        let branches = self.nodes.iter().map(|node| (node.started.len(), self.forest.count(node.wakeup)));
        Estimate::from_branches(self.finished, branches)
    }
}

impl<P: Planner> Schedules for Dpor<P> {
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        let node = &mut self.nodes[trace.len()];
        if P::PERSISTENT && node.started.is_empty() {
            node.enabled.clear();
            node.enabled.extend(ready(state).map(Step::of));
        }
        if let Some(step) = self.forest.first(node.wakeup) {
            return Choice::Take(step);
        }
        // Lemma 7.1: with nothing planned, nothing sleeps.
        if P::OPTIMAL && !node.sleep.is_empty() {
            return Choice::Contradiction;
        }
        let awake = |thread| {
            let mut steps = (0..state.choices(thread)).map(|choice| Step { thread, choice });
            steps.find(|&step| !node.sleep.contains(step))
        };
        match self.picker.pick(state, |thread| awake(thread).is_some()).and_then(awake) {
            Some(step) => Choice::Take(step),
            None => Choice::Redundant,
        }
    }

    /// With observers it has an order of its own, that of a whole execution.
    fn needs_order(&self) -> bool {
        !P::OBSERVERS
    }

    fn taken(&mut self, trace: &Trace, state: &dyn State) {
        let event = EventId::new(trace.len() - 1);
        let step = trace.event(event).step;
        if self.nodes.len() <= trace.len() {
            self.nodes.push(Node::default());
        }
        let [.., node, next] = &mut self.nodes[..=trace.len()] else {
            unreachable!("the new event's node and the next")
        };
        next.reset();
        next.wakeup = self.forest.take_first(&mut node.wakeup);
        let relation = self.observation.among(state);
        next.sleep.assign_independent(&node.sleep, step, trace.footprints(event), &relation);
        node.started.push(step);
    }

    fn has_explored(&self, trace: &Trace) -> bool {
        P::OBSERVERS && !self.nodes[trace.len()].sleep.is_empty()
    }

    fn verify_step(&self, trace: &Trace, state: &dyn State) {
        if let [.., node, next] = &self.nodes[..=trace.len()] {
            invariants::explored_branches_sleep(&node.sleep, &node.started);
            next.sleep.verify(state);
        }
    }

    fn verify_execution(&mut self, trace: &Trace, state: &dyn State) {
        if self.starts_over {
            return;
        }
        let Self { nodes, forest, observation, observed, .. } = self;
        observation.unrecorded(|observation| {
            if P::OBSERVERS {
                let relation = observation.among(state);
                observe(observed, trace, &relation);
                verify::order(Ordered { trace, order: observed }, &relation);
            }
            if P::OPTIMAL {
                for (event, node) in trace.events_from(0).zip(nodes.iter()) {
                    let under_way = (trace.event(event).step, trace.footprints(event));
                    invariants::wakeup_tree(forest, node.wakeup, &node.sleep, under_way, observation);
                }
            }
        });
    }
}

/// Makes `order` the happens-before relation of `trace` with observers.
fn observe(order: &mut HappensBefore, trace: &Trace, relation: &ObservedConflicts<'_>) {
    order.truncate(0);
    complete_with_observers(order, trace, relation);
}

/// Puts the events of `trace` in order that are not yet. As long as the order of all can be observed, it is that of all
/// conflicts.
fn complete_with_observers(order: &mut HappensBefore, trace: &Trace, relation: &ObservedConflicts<'_>) {
    let first = trace.unobserved().first().map_or(trace.len(), |event| event.index());
    order.complete(trace, first, &relation.all());
    order.complete(trace, trace.len(), relation);
}

/// The same, where `order` is that of an execution with the same first `fresh` events; whether these are in the same order
/// as they were there. Only stores and sends whose order could still be observed after them may not be.
fn observe_again(order: &mut HappensBefore, trace: &Trace, fresh: usize, relation: &ObservedConflicts<'_>) -> bool {
    if order.len() < fresh {
        observe(order, trace, relation);
        return false;
    }
    let unobserved = trace.unobserved();
    let old = &unobserved[..unobserved.partition_point(|event| event.index() < fresh)];
    let first = first_yet_to_be_observed(trace, old, fresh).map_or(fresh, EventId::index);
    let before = order.part(first, fresh);
    order.truncate(first);
    complete_with_observers(order, trace, relation);
    order.part(first, fresh) == before
}
