//! Wakeup trees: the initial fragments of the executions still to be explored from a state (JACM, Sect. 6).
//!
//! The trees of all states on the stack live in one arena, so that handing a subtree to the next state is
//! handing over a list. A node holds a step and what the step does there.
//!
//! The *locations* in a node are not to be relied on: one that was not yet in use within the common prefix may
//! be numbered otherwise in the present execution. They are taken from the present execution instead, which has
//! the node's operation at the same place of the same thread - except after the last step of a sequence, which
//! it did not take there, if that tells its thread something else. Then two locations that are both new may or may
//! not be the same, and it may not be known whether a receive matches a message. That is guessed, and remembered: a wrong
//! guess puts a sequence where it is not needed, and it is missing where it is. So a strategy that has guessed starts over
//! without wakeup trees: the price of front ends that number locations as threads come to them. Those whose numbers do
//! not depend on the interleaving do not pay it.

use super::observation::{Conflict, Known, Relation, Sight, sight_of_message, sight_of_store};
use super::wakeup_sequence::Sequence;
use super::weak_initials::{Standing, Verdict};
use crate::trace::Trace;
use everyway_runtime::{Access, Class, EventId, Footprint, State, Step, ThreadId};
use smallvec::SmallVec;
use std::cell::Cell;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeId(u32);

#[derive(Debug)]
struct Node {
    step: Step,
    footprints: SmallVec<[Footprint; 2]>,
    children: Branches,
    next: Option<NodeId>,
}

/// The branches of a wakeup tree below one of its nodes, in the order in which they are to be explored.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Branches {
    first: Option<NodeId>,
    last: Option<NodeId>,
}

impl Branches {
    pub(crate) fn is_empty(self) -> bool {
        self.first.is_none()
    }
}

/// The nodes of all wakeup trees.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    /// The steps of the sequence being inserted that the path through the tree has not taken yet.
    remaining: Vec<usize>,
    /// Whether two locations were ever taken to be the same without knowing.
    guessed: Cell<bool>,
}

impl Forest {
    /// Whether some sequence may be in the wrong place: see the module's documentation.
    pub(crate) fn guessed(&self) -> bool {
        self.guessed.get()
    }

    /// The step of the first branch.
    pub(crate) fn first(&self, branches: Branches) -> Option<Step> {
        branches.first.map(|node| self.node(node).step)
    }

    /// Removes the first branch and returns what is below it: `subtree(wut(E), p)`.
    pub(crate) fn take_first(&mut self, branches: &mut Branches) -> Branches {
        let Some(first) = branches.first else { return Branches::default() };
        let node = self.node(first);
        let (children, next) = (node.children, node.next);
        branches.first = next;
        if next.is_none() {
            branches.last = None;
        }
        self.free.push(first);
        children
    }

    /// Adds a branch of one step.
    pub(crate) fn add_step(&mut self, branches: &mut Branches, step: Step) {
        self.append(branches, step, SmallVec::new());
    }

    /// Whether some branch starts with `step`.
    pub(crate) fn contains(&self, branches: Branches, step: Step) -> bool {
        self.iter(branches).any(|node| node.step == step)
    }

    /// The branches, each with its first step, what that does, and what is below it.
    pub(crate) fn branches(&self, branches: Branches) -> impl Iterator<Item = (Step, &[Footprint], Branches)> {
        self.iter(branches).map(|node| (node.step, &node.footprints[..], node.children))
    }

    /// All but the first branch.
    pub(crate) fn after_first(&self, branches: Branches) -> Branches {
        let first = branches.first.and_then(|first| self.node(first).next);
        Branches { first, last: branches.last.filter(|_| first.is_some()) }
    }

    /// The number of branches.
    pub(crate) fn count(&self, branches: Branches) -> usize {
        self.iter(branches).count()
    }

    /// Inserts `sequence` into the tree whose root has the branches `root`, unless the tree has a leaf that
    /// is consistent with it (JACM, Sect. 6.2; FMCAD 2022, Algorithm 1, lines 34-44).
    pub(crate) fn insert(
        &mut self,
        root: &mut Branches,
        sequence: &Sequence,
        trace: &Trace,
        state: &dyn State,
        relation: &Known<'_>,
    ) {
        let mut remaining = std::mem::take(&mut self.remaining);
        remaining.clear();
        remaining.extend(0..sequence.len());
        let insertion = Insertion { sequence, trace, state, relation, guessed: &self.guessed };
        if let Some(parent) = self.descend(*root, &insertion, &mut remaining) {
            self.append_chain(root, parent, remaining.iter().map(|&position| sequence.step(trace, position)));
        }
        self.remaining = remaining;
    }

    /// Follows `remaining` down the tree, taking the steps out that it passes, to where the rest is to be
    /// appended: at a node, or (inner `None`) at the root. The answer is `None` if there is nothing to do.
    fn descend(&self, root: Branches, insertion: &Insertion<'_>, remaining: &mut Vec<usize>) -> Option<Option<NodeId>> {
        let mut parent = None;
        let mut branches = root;
        // How many steps of each thread are on the path.
        let mut passed: SmallVec<[u32; 16]> = SmallVec::new();
        'down: loop {
            let mut child = branches.first;
            while let Some(id) = child {
                let node = self.node(id);
                match insertion.weak_initial(node, &passed, remaining) {
                    WeakInitial::No => child = node.next,
                    WeakInitial::Absent => return None,
                    WeakInitial::At(position) => {
                        remaining.remove(position);
                        if remaining.is_empty() || node.children.is_empty() {
                            return None;
                        }
                        let thread = node.step.thread.index();
                        passed.resize(passed.len().max(thread + 1), 0);
                        passed[thread] += 1;
                        parent = Some(id);
                        branches = node.children;
                        continue 'down;
                    }
                }
            }
            return Some(parent);
        }
    }

    fn append_chain<'a>(
        &mut self,
        root: &mut Branches,
        mut parent: Option<NodeId>,
        steps: impl Iterator<Item = (Step, &'a [Footprint])>,
    ) {
        for (step, footprints) in steps {
            let footprints = SmallVec::from_slice(footprints);
            parent = Some(match parent {
                None => self.append(root, step, footprints),
                Some(id) => {
                    let mut children = self.node(id).children;
                    let child = self.append(&mut children, step, footprints);
                    self.nodes[id.0 as usize].children = children;
                    child
                }
            });
        }
    }

    fn append(&mut self, branches: &mut Branches, step: Step, footprints: SmallVec<[Footprint; 2]>) -> NodeId {
        let node = Node { step, footprints, children: Branches::default(), next: None };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id.0 as usize] = node;
                id
            }
            None => {
                self.nodes.push(node);
                NodeId(self.nodes.len() as u32 - 1)
            }
        };
        match branches.last {
            Some(last) => self.nodes[last.0 as usize].next = Some(id),
            None => branches.first = Some(id),
        }
        branches.last = Some(id);
        id
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn iter(&self, branches: Branches) -> impl Iterator<Item = &Node> {
        std::iter::successors(branches.first, |&id| self.node(id).next).map(|id| self.node(id))
    }
}

enum WeakInitial {
    /// The step conflicts with one that precedes it.
    No,
    /// The step is not in the sequence, and independent of all of it.
    Absent,
    /// The step is at this position, and independent of all before it.
    At(usize),
}

/// A sequence on its way into a tree.
struct Insertion<'a> {
    sequence: &'a Sequence,
    trace: &'a Trace,
    state: &'a dyn State,
    relation: &'a Known<'a>,
    guessed: &'a Cell<bool>,
}

impl<'a> Insertion<'a> {
    /// Whether the step of `node` is a weak initial of the remaining steps; the path to it has `passed` this many
    /// steps of each thread.
    fn weak_initial(&self, node: &Node, passed: &[u32], remaining: &[usize]) -> WeakInitial {
        match self.present_accesses(node.step.thread, passed, remaining) {
            Some(accesses) if is_named_so(&node.footprints, accesses) => {
                self.find(node.step, &node.footprints, remaining, self.relation)
            }
            Some(accesses) => self.find(node.step, &renamed(&node.footprints, accesses), remaining, self.relation),
            None => self.find(node.step, &node.footprints, remaining, &Guess { insertion: self }),
        }
    }

    fn find(&self, step: Step, footprints: &[Footprint], remaining: &[usize], relation: &impl Relation) -> WeakInitial {
        let mut standing = Standing::default();
        let mut found = None;
        for (position, &index) in remaining.iter().enumerate() {
            let next = self.sequence.step(self.trace, index);
            match standing.pass((step, footprints), next, relation) {
                Verdict::No => return WeakInitial::No,
                Verdict::Yes => return WeakInitial::At(found.unwrap_or(position)),
                Verdict::Open if standing.is_taken() => _ = found.get_or_insert(position),
                Verdict::Open => {}
            }
        }
        found.map_or(WeakInitial::Absent, WeakInitial::At)
    }

    /// The operation that `thread` has, in the present execution, after the prefix of the sequence and as many
    /// steps of its own as were `passed`. There is none to be had after the last step of the sequence, which the
    /// present execution did not take there, unless it makes no difference to the thread.
    fn present_accesses(&self, thread: ThreadId, passed: &[u32], remaining: &[usize]) -> Option<&'a [Access]> {
        let passed_last = remaining.last() != Some(&(self.sequence.len() - 1));
        if passed_last
            && self.sequence.last_thread() == Some(thread)
            && !self.sequence.repeats_last(self.trace, self.state)
        {
            return None;
        }
        let events = self.trace.events_of(thread);
        let in_prefix = events.partition_point(|event: &EventId| event.index() < self.sequence.prefix);
        let on_path = passed.get(thread.index()).map_or(0, |&count| count as usize);
        Some(match events.get(in_prefix + on_path) {
            Some(&event) => self.trace.declared(event),
            None => &self.state.operation(thread).accesses,
        })
    }
}

/// How an access of a node relates to one of a step, as far as the numbers of locations tell. If one misses the
/// other's message, that is taken to matter: the present execution did not try.
struct Guess<'a> {
    insertion: &'a Insertion<'a>,
}

impl Guess<'_> {
    /// Whether both are settled (then their numbers tell), or neither (then they may be the same), or (`None`) they
    /// are not the same.
    fn are_settled(&self, node: &Footprint, step: &Footprint) -> Option<bool> {
        let Insertion { state, sequence, .. } = self.insertion;
        let settled = |f: &Footprint| state.is_settled(f.location, sequence.prefix);
        let node = settled(node);
        (node == settled(step)).then_some(node)
    }

    fn guess(&self) {
        self.insertion.guessed.set(true);
    }
}

impl Relation for Guess<'_> {
    fn are_elsewhere(&self, _: &Footprint, _: &Footprint) -> bool {
        false
    }

    fn conflict(&self, node: &Footprint, step: &Footprint) -> Conflict {
        let Some(settled) = self.are_settled(node, step) else { return Conflict::Never };
        if settled && !node.overlaps(step) {
            return Conflict::Never;
        }
        let conflicts = node.class.conflicts(step.class, |_, _| {
            self.guess();
            true
        });
        if !conflicts {
            return Conflict::Never;
        }
        if !settled {
            self.guess();
        }
        self.insertion.relation.refine(node, step)
    }

    fn sight(&self, first: &Footprint, node: &Footprint, both: bool, access: &Footprint) -> Sight {
        let Some(settled) = self.are_settled(node, access) else { return Sight::Nothing };
        if settled && !access.overlaps(node) {
            return Sight::Nothing;
        }
        match first.class {
            Class::Send(taken) => sight_of_message(taken, access.class, |_| {
                self.guess();
                true
            }),
            _ if !both => Sight::Nothing,
            _ if settled => sight_of_store(node, access),
            // If they are the same.
            _ if access.class != Class::Store => Sight::Seen,
            _ => Sight::Nothing,
        }
    }
}

/// Whether the locations of a node's accesses are those of `accesses`.
fn is_named_so(node: &[Footprint], accesses: &[Access]) -> bool {
    node.iter().zip(accesses).all(|(footprint, access)| footprint.location == access.location)
}

/// The accesses of a node, with their locations replaced by those of `accesses`.
fn renamed(node: &[Footprint], accesses: &[Access]) -> SmallVec<[Footprint; 2]> {
    let mut footprints = SmallVec::from_slice(node);
    // What comes beyond the operation's accesses is numbered the same in all executions.
    footprints.iter_mut().zip(accesses).for_each(|(footprint, access): (&mut Footprint, _)| {
        footprint.location = access.location;
    });
    footprints
}
