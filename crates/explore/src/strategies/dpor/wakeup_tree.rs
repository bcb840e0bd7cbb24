//! Wakeup trees: the initial fragments of the executions still to be explored from a state (JACM, Sect. 6).
//!
//! The trees of all states on the stack live in one arena, so that handing a subtree to the next state is
//! handing over a list. A node holds a step and what the step does there.
//!
//! Branches come from different executions with a common prefix. Threads and locations have the same names in all of them,
//! so what a node does is known whichever execution is at hand - with one exception: whether a receive matches a message.
//! What a thread receives, or sends, after the last step of a sequence, which the present execution did not take there, it
//! does not know. A sequence for which that makes a difference is *left out*. Nothing is missed by that: the first branch
//! that it was about to join starts with a weak initial of it and is going to be explored, which is all that source sets
//! ask for (JACM, Theorem 5.2); so the executions in question are found by the races in those that start with this branch.
//! Nor is anything explored twice: what is in the tree is a wakeup tree without it.

use super::remaining::{Own, Remaining, WeakInitial};
use super::wakeup_sequence::Last;
use super::weak_initials::WeakInitialTest;
use crate::ids::EventId;
use everyway_runtime::{Footprint, State, Step};
use smallvec::SmallVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeId(u32);

#[derive(Debug)]
struct Node {
    step: Step,
    /// Which event of its thread it is, counted from 1.
    index: u32,
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
    /// The events of a sequence while it is inserted.
    events: Vec<EventId>,
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

    /// Adds a branch of one step that touches nothing, the event of its thread with this index.
    pub(crate) fn add_local(&mut self, branches: &mut Branches, step: Step, index: u32) {
        self.append(branches, step, index, SmallVec::new());
    }

    /// Adds a step to branches that play the part of a backtrack set, into which no sequence is inserted: what the
    /// step does is never compared.
    pub(crate) fn add_to_backtrack_set(&mut self, branches: &mut Branches, step: Step) {
        self.append(branches, step, 0, SmallVec::new());
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
    pub(crate) fn insert(&mut self, root: &mut Branches, mut insertion: Insertion<'_>) {
        let parent = match self.descend(*root, &mut insertion) {
            Descent::Root => None,
            Descent::Node(parent) => Some(parent),
            Descent::Covered => return,
        };
        let Remaining { sequence, ordered, last, .. } = insertion.remaining;
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        sequence.copy(ordered, &mut events);
        let mut end = parent;
        for &id in events.iter().filter(|&&event| insertion.remaining.is_left(event)) {
            let event = ordered.trace.event(id);
            end = Some(self.append_below(root, end, event.step, event.index, ordered.trace.footprints_of(event)));
        }
        if let Some(Last { step, index }) = last {
            self.append_below(root, end, step, index, sequence.last_footprints());
        }
        self.events = events;
    }

    /// Follows the sequence down the tree to where the rest of it is to be appended.
    fn descend(&self, root: Branches, insertion: &mut Insertion<'_>) -> Descent {
        let mut descent = Descent::Root;
        let mut child = root.first;
        while let Some(id) = child {
            let node = self.node(id);
            match insertion.weak_initial(node) {
                None | Some(WeakInitial::Absent) => return Descent::Covered,
                Some(WeakInitial::No) => child = node.next,
                Some(WeakInitial::Present) => {
                    // Of a sequence of which nothing is left, any child is a weak initial.
                    if node.children.is_empty() {
                        return Descent::Covered;
                    }
                    insertion.remaining.follow(node.step.thread, node.index);
                    descent = Descent::Node(id);
                    child = node.children.first;
                }
            }
        }
        descent
    }

    /// Appends a step as the last child of `parent`, or as the last branch of the root if there is none.
    fn append_below(
        &mut self,
        root: &mut Branches,
        parent: Option<NodeId>,
        step: Step,
        index: u32,
        footprints: &[Footprint],
    ) -> NodeId {
        let footprints = SmallVec::from_slice(footprints);
        let Some(NodeId(parent)) = parent else { return self.append(root, step, index, footprints) };
        let mut children = self.nodes[parent as usize].children;
        let child = self.append(&mut children, step, index, footprints);
        self.nodes[parent as usize].children = children;
        child
    }

    fn append(
        &mut self,
        branches: &mut Branches,
        step: Step,
        index: u32,
        footprints: SmallVec<[Footprint; 2]>,
    ) -> NodeId {
        let node = Node { step, index, footprints, children: Branches::default(), next: None };
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

/// Where the rest of a sequence is to be appended.
enum Descent {
    /// As a branch of the root.
    Root,
    /// Below this node.
    Node(NodeId),
    /// Nowhere: the tree has a leaf for it, or it is left out (see the module).
    Covered,
}

/// A sequence on its way into a tree.
pub(crate) struct Insertion<'a> {
    pub(crate) state: &'a dyn State,
    /// What is left of the sequence.
    pub(crate) remaining: Remaining<'a>,
}

impl Insertion<'_> {
    /// Whether the step of `node` is a weak initial of what is left; none if that depends on what a receive of another
    /// execution matches.
    fn weak_initial(&self, node: &Node) -> Option<WeakInitial> {
        let step = Own { steps: node.step.into(), index: node.index, footprints: &node.footprints };
        match self.knows_messages_of(node) {
            true => Some(self.remaining.weak_initial(&WeakInitialTest::default(), step)),
            false => self.remaining.weak_initial_of_unknown(step),
        }
    }

    /// Whether the present execution has the operation of `node`, if that sends or receives: it does not if the path
    /// to the node has passed the last step of the sequence, and the node's thread took that, unless it makes no
    /// difference to the thread.
    fn knows_messages_of(&self, node: &Node) -> bool {
        let Remaining { sequence, ordered, last, .. } = self.remaining;
        last.is_some()
            || !node.footprints.iter().any(|footprint| footprint.class.is_message())
            || sequence.last().map(|last| last.step.thread) != Some(node.step.thread)
            || sequence.repeats_last(ordered, self.state)
    }
}
