//! Choices made, and schedules: what else is to be explored from where they were made (OOPSLA 2019, Algorithm 1:
//! `schedules`).
//!
//! Each event that found something - or that had alternatives - is a choice, unless it came as part of a schedule: then
//! it is *marked* in the sense of the paper, a copy for which other sources are sought elsewhere. Here it is marked by
//! having no node. The last event of a schedule is the one that takes the place of the choice, its *target*.

use super::candidate::{Candidate, Cut};
use super::constraint::Constraint;
use super::executions::{Beginning, Executions};
use super::life::Life;
use super::linearization::{Entry, Linearization, Name, Source};
use super::sum::Seen;
use super::unit::Unit;
use super::view::View;
use crate::trace::Trace;
use everyway_runtime::Step;

/// How else to go on from a node.
#[derive(Debug)]
pub(super) struct Schedule {
    /// The events `σ`; the target is the last one.
    pub(super) entries: Box<[Entry]>,
    /// How many of them, at the end, are not copies of events that were executed.
    pub(super) altered: usize,
    /// What is required of later events.
    pub(super) constraint: Option<Constraint>,
    /// An execution of all that comes before the node, and the events of the schedule. Gone once it is explored.
    pub(super) witness: Vec<Step>,
    /// What that is known to begin with.
    pub(super) beginning: Beginning,
}

impl Schedule {
    /// How many steps of the `last` execution its witness begins with.
    pub(super) fn in_common(&mut self, last: &Trace, executions: &Executions) -> usize {
        let known = executions.in_common(self.beginning).min(last.len());
        debug_assert!(last.steps().zip(&self.witness).take(known).all(|(one, other)| one == *other));
        let steps = last.events_from(known).map(|id| last.event(id).step);
        let common = known + steps.zip(&self.witness[known..]).take_while(|(one, other)| one == *other).count();
        self.beginning = executions.beginning(common);
        common
    }

    /// Whether it has the same events as `candidate`, in whatever order.
    fn is(&self, candidate: &Candidate, trace: &Linearization) -> bool {
        let copied = candidate.count_copies();
        if self.entries.len() != copied + candidate.altered.len() {
            return false;
        }
        let (copies, altered) = self.entries.split_at(copied);
        let cut = &candidate.cut[..];
        let is_copy = |known: &Entry| {
            let Name { thread, index } = known.name;
            let is_there = cut.get(thread.index()).is_some_and(|&count| count >= index);
            is_there && trace.entry(trace.position(known.name)).is_same(known)
        };
        // There are as many of them.
        altered.iter().zip(&candidate.altered).all(|(one, other)| one.is_same(other)) && copies.iter().all(is_copy)
    }
}

/// Which schedule of a node is explored next: for Algorithm 1 it may be any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The newest one. Of those that are found at once it is the one with the oldest value.
    Newest,
    /// The one whose witness has most in common with the last execution, so that least is to be executed.
    Closest,
}

impl Next {
    /// How many schedules are compared.
    const LOOKED_AT: usize = 16;
}

/// A choice.
#[derive(Debug)]
pub(super) struct Node {
    /// The length of the linearization before it: `pre(τ, e_R)`.
    pub(super) depth: usize,
    /// Where the target of the branch under way is; beyond the linearization if it waits for ever.
    pub(super) target: usize,
    /// Whether the first branch is that the operation of this name waits for ever.
    pub(super) waits: Option<Name>,
    /// Whether the branch under way is the first one.
    pub(super) is_first: bool,
    /// What the branch under way constraints of later events.
    pub(super) constraint: Option<Constraint>,
    /// The events before it, once they were asked for.
    before: Option<Cut>,
    /// All schedules there ever were.
    schedules: Vec<Schedule>,
    /// The hashes of the schedules, sorted, with their positions.
    known: Vec<(u64, u32)>,
    /// Those that are still to be explored.
    waiting: Vec<u32>,
    /// The event of the first branch: its name, its alternative and its sources.
    first: Option<(Name, u32, Source, Option<Seen>)>,
    /// What the target accesses, or would if it were not dead.
    unit: Option<Unit>,
    /// What the target uses that may end.
    life: Option<Life>,
}

/// A place for a schedule that is not known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vacancy {
    hash: u64,
    at: usize,
}

impl Node {
    /// The choice that the event `entry` made at the end of a linearization of length `depth`.
    pub(super) fn new(depth: usize, entry: &Entry, view: &View<'_>) -> Self {
        let first = (entry.name, entry.choice, entry.source, entry.seen.clone());
        let unit = if entry.is_dead() { view.unit(entry.name) } else { entry.unit.or(entry.sum) };
        Self { first: Some(first), unit, life: entry.role.used(), ..Self::begin(depth, None) }
    }

    /// That the operation `name` waits at the end of a linearization of length `depth`.
    pub(super) fn waiting(depth: usize, name: Name) -> Self {
        Self::begin(depth, Some(name))
    }

    fn begin(depth: usize, waits: Option<Name>) -> Self {
        Self {
            depth,
            target: depth,
            waits,
            is_first: true,
            constraint: None,
            before: None,
            schedules: Vec::new(),
            known: Vec::new(),
            waiting: Vec::new(),
            first: None,
            unit: None,
            life: None,
        }
    }

    /// The events before it, in the trace that it is a choice of.
    pub(super) fn before(&mut self, trace: &Linearization) -> Cut {
        let before = self.before.get_or_insert_with(|| trace.cut(self.depth));
        // There may be more threads than there were.
        before.resize(trace.threads(), 0);
        Cut::from_slice(before)
    }

    /// A place for `candidate`, unless there is, or has been, a branch with these events.
    pub(super) fn find_place(&self, candidate: &Candidate, trace: &Linearization) -> Option<Vacancy> {
        if let ([only], Some((name, choice, source, seen))) = (&candidate.altered[..], &self.first)
            && only.identity() == (*name, *choice, *source, seen.as_ref())
            && candidate.count_copies() == 0
        {
            return None;
        }
        let hash = candidate.hash(trace);
        let at = self.known.partition_point(|&(known, _)| known < hash);
        let alike = self.known[at..].iter().take_while(|&&(known, _)| known == hash);
        let is_known = alike.into_iter().any(|&(_, id)| self.schedules[id as usize].is(candidate, trace));
        (!is_known).then_some(Vacancy { hash, at })
    }

    /// Adds a schedule that is not known.
    pub(super) fn add(&mut self, Vacancy { hash, at }: Vacancy, schedule: Schedule) {
        let id = self.schedules.len() as u32;
        self.known.insert(at, (hash, id));
        self.waiting.push(id);
        self.schedules.push(schedule);
    }

    /// Takes the next schedule to explore.
    pub(super) fn take(&mut self, next: Next, last: &Trace, executions: &Executions) -> Option<&mut Schedule> {
        let newest = self.waiting.len().checked_sub(1)?;
        let at = match next {
            Next::Newest => newest,
            Next::Closest => {
                let in_common = |&at: &usize| self.schedules[self.waiting[at] as usize].in_common(last, executions);
                (self.waiting.len().saturating_sub(Next::LOOKED_AT)..=newest).max_by_key(in_common).unwrap_or(newest)
            }
        };
        let schedule = &mut self.schedules[self.waiting.remove(at) as usize];
        self.target = self.depth + schedule.entries.len() - 1;
        self.is_first = false;
        self.constraint = schedule.constraint;
        Some(schedule)
    }

    /// How many branches were begun, and how many are waiting.
    pub(super) fn branches(&self) -> (usize, usize) {
        (self.known.len() + 1 - self.waiting.len(), self.waiting.len())
    }
}

/// The choices made, the last one at the top of a stack, and by unit.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    stack: Vec<Node>,
    /// By unit, where on the stack are the nodes whose targets access it.
    by_unit: Vec<Vec<u32>>,
    /// By life, where those are whose targets use it.
    by_life: Vec<Vec<u32>>,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn get_mut(&mut self, at: usize) -> &mut Node {
        &mut self.stack[at]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.stack.iter()
    }

    pub(super) fn push(&mut self, node: Node) {
        let file = |lists: &mut Vec<Vec<u32>>, index: usize| {
            if lists.len() <= index {
                lists.resize_with(index + 1, Vec::new);
            }
            lists[index].push(self.stack.len() as u32);
        };
        if let Some(unit) = node.unit {
            file(&mut self.by_unit, unit.index());
        }
        if let Some(life) = node.life {
            file(&mut self.by_life, life.index());
        }
        self.stack.push(node);
    }

    pub(super) fn pop(&mut self) {
        let Some(Node { unit, life, .. }) = self.stack.pop() else { return };
        if let Some(unit) = unit {
            self.by_unit[unit.index()].pop();
        }
        if let Some(life) = life {
            self.by_life[life.index()].pop();
        }
    }

    pub(super) fn clear(&mut self) {
        self.stack.clear();
        self.by_unit.iter_mut().for_each(Vec::clear);
        self.by_life.iter_mut().for_each(Vec::clear);
    }

    /// The choice at a position of the stack.
    pub(super) fn get(&self, at: usize) -> &Node {
        &self.stack[at]
    }

    /// Where the nodes are before `end` whose targets access `unit`.
    pub(super) fn of_unit(&self, unit: Unit, end: usize) -> &[u32] {
        before(self.by_unit.get(unit.index()), end)
    }

    /// Where the nodes are before `end` whose targets use `life`.
    pub(super) fn of_life(&self, life: Life, end: usize) -> &[u32] {
        before(self.by_life.get(life.index()), end)
    }
}

/// Those of `nodes` that are before `end`.
fn before(nodes: Option<&Vec<u32>>, end: usize) -> &[u32] {
    let nodes = nodes.map_or(&[][..], |nodes| nodes);
    match nodes {
        [first, ..] if (*first as usize) < end => &nodes[..nodes.partition_point(|&at| (at as usize) < end)],
        _ => &[],
    }
}
