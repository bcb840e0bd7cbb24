//! Wakeup trees: the initial fragments of the executions still to be explored from a state (JACM, Sect. 6).
//!
//! The trees of all states on the stack live in one arena, so that handing a subtree to the next state is
//! handing over a list. A node holds a step and what the step does there. The *locations* in it are not to
//! be relied on: one that was not in use within the common prefix may be numbered otherwise in the present
//! execution. They are taken from the present execution instead, which has the node's operation at the same
//! place of the same thread: insertion only ever descends past steps that both have.

use crate::execution::State;
use crate::ids::{EventId, Step, ThreadId};
use crate::operation::{Access, Footprint, conflict};
use crate::sequence::Sequence;
use crate::trace::Trace;
use smallvec::SmallVec;

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
    remaining: Vec<Remaining>,
}

/// A step of the sequence being inserted that the path through the tree has not taken yet.
#[derive(Clone, Debug)]
struct Remaining {
    step: Step,
    footprints: SmallVec<[Footprint; 2]>,
}

impl Forest {
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

    /// The number of branches.
    pub(crate) fn count(&self, branches: Branches) -> usize {
        self.iter(branches).count()
    }

    /// Inserts `sequence` into the tree whose root has the branches `root`, unless the tree has a leaf that
    /// is consistent with it (JACM, Sect. 6.2; FMCAD 2022, Algorithm 1, lines 34-44).
    pub(crate) fn insert(&mut self, root: &mut Branches, sequence: &Sequence, trace: &Trace, state: &dyn State) {
        let mut remaining = std::mem::take(&mut self.remaining);
        remaining.clear();
        remaining.extend(
            sequence
                .steps(trace)
                .map(|(step, footprints)| Remaining { step, footprints: SmallVec::from_slice(footprints) }),
        );
        if let Some(parent) = self.descend(*root, sequence, &mut remaining, trace, state) {
            self.append_chain(root, parent, &remaining);
        }
        self.remaining = remaining;
    }

    /// Follows `remaining` down the tree, taking the steps out that it passes, to where the rest is to be
    /// appended: at a node, or (inner `None`) at the root. The answer is `None` if there is nothing to do.
    fn descend(
        &self,
        root: Branches,
        sequence: &Sequence,
        remaining: &mut Vec<Remaining>,
        trace: &Trace,
        state: &dyn State,
    ) -> Option<Option<NodeId>> {
        let mut parent = None;
        let mut branches = root;
        let mut path: SmallVec<[ThreadId; 16]> = SmallVec::new();
        'down: loop {
            let mut child = branches.first;
            while let Some(id) = child {
                let node = self.node(id);
                let accesses = present_accesses(node.step.thread, sequence, &path, trace, state);
                match find_weak_initial(node, accesses, remaining) {
                    WeakInitial::No => child = node.next,
                    WeakInitial::Absent => return None,
                    WeakInitial::At(position) => {
                        remaining.remove(position);
                        if remaining.is_empty() || node.children.is_empty() {
                            return None;
                        }
                        path.push(node.step.thread);
                        parent = Some(id);
                        branches = node.children;
                        continue 'down;
                    }
                }
            }
            return Some(parent);
        }
    }

    fn append_chain(&mut self, root: &mut Branches, parent: Option<NodeId>, steps: &[Remaining]) {
        let mut parent = parent;
        for Remaining { step, footprints } in steps {
            parent = Some(match parent {
                None => self.append(root, *step, footprints.clone()),
                Some(id) => {
                    let mut children = self.node(id).children;
                    let child = self.append(&mut children, *step, footprints.clone());
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

/// Whether the step of `node` is a weak initial of `remaining`.
fn find_weak_initial(node: &Node, accesses: &[Access], remaining: &[Remaining]) -> WeakInitial {
    let mut footprints: SmallVec<[Footprint; 2]> = node.footprints.clone();
    for (footprint, access) in footprints.iter_mut().zip(accesses) {
        footprint.location = access.location;
    }
    for (position, other) in remaining.iter().enumerate() {
        if other.step.thread == node.step.thread {
            return if other.step == node.step { WeakInitial::At(position) } else { WeakInitial::No };
        }
        if conflict(&footprints, &other.footprints) {
            return WeakInitial::No;
        }
    }
    WeakInitial::Absent
}

/// The operation that `thread` has, in the present execution, after the prefix of `sequence` and as many steps
/// of its own as `path` holds. There is none to be had after the last step of the sequence, which the present
/// execution did not take there.
fn present_accesses<'a>(
    thread: ThreadId,
    sequence: &Sequence,
    path: &[ThreadId],
    trace: &'a Trace,
    state: &'a dyn State,
) -> &'a [Access] {
    let events = trace.events_of(thread);
    let in_prefix = events.partition_point(|event: &EventId| event.index() < sequence.prefix);
    let on_path = path.iter().filter(|&&t| t == thread).count();
    if on_path > sequence.taken_over_from(trace, thread) {
        return &[];
    }
    match events.get(in_prefix + on_path) {
        Some(&event) => trace.declared(event),
        None => &state.operation(thread).accesses,
    }
}
