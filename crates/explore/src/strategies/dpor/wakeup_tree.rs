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

use super::observation::{Known, Relation, UnknownMatches};
use super::wakeup_sequence::Sequence;
use super::weak_initials::{Standing, Verdict};
use crate::trace::Trace;
use everyway_runtime::{Class, Footprint, State, Step};
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
    /// The steps of the sequence being inserted that the path through the tree has not taken yet.
    remaining: Vec<usize>,
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
        let insertion = Insertion { sequence, trace, state, relation };
        let parent = match self.descend(*root, &insertion, &mut remaining) {
            Descent::Root => Some(None),
            Descent::Node(parent) => Some(Some(parent)),
            Descent::Covered => None,
        };
        if let Some(parent) = parent {
            self.append_chain(root, parent, remaining.iter().map(|&position| sequence.step(trace, position)));
        }
        self.remaining = remaining;
    }

    /// Follows `remaining` down the tree, taking the steps out that it passes, to where the rest is to be appended.
    fn descend(&self, root: Branches, insertion: &Insertion<'_>, remaining: &mut Vec<usize>) -> Descent {
        let mut descent = Descent::Root;
        let mut branches = root;
        'down: loop {
            let mut child = branches.first;
            while let Some(id) = child {
                let node = self.node(id);
                match insertion.weak_initial(node, remaining) {
                    WeakInitial::No => child = node.next,
                    WeakInitial::Absent | WeakInitial::Unknown => return Descent::Covered,
                    WeakInitial::At(position) => {
                        remaining.remove(position);
                        if remaining.is_empty() || node.children.is_empty() {
                            return Descent::Covered;
                        }
                        descent = Descent::Node(id);
                        branches = node.children;
                        continue 'down;
                    }
                }
            }
            return descent;
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

/// Where the rest of a sequence is to be appended.
enum Descent {
    /// As a branch of the root.
    Root,
    /// Below this node.
    Node(NodeId),
    /// Nowhere: the tree has a leaf for it, or it is left out (see the module).
    Covered,
}

/// Whether a step is a weak initial of a sequence.
enum WeakInitial {
    /// It conflicts with one that precedes it.
    No,
    /// It is, and is not in the sequence: it is independent of all of it.
    Absent,
    /// It is, at this position, and independent of all before it.
    At(usize),
    /// That depends on what a receive of another execution matches.
    Unknown,
}

/// A sequence on its way into a tree.
struct Insertion<'a> {
    sequence: &'a Sequence,
    trace: &'a Trace,
    state: &'a dyn State,
    relation: &'a Known<'a>,
}

impl Insertion<'_> {
    /// Whether the step of `node` is a weak initial of the remaining steps.
    fn weak_initial(&self, node: &Node, remaining: &[usize]) -> WeakInitial {
        if self.knows_messages_of(node, remaining) {
            return self.find(node, remaining, self.relation);
        }
        let matches = UnknownMatches::default();
        match self.find(node, remaining, &self.relation.among(&matches)) {
            _ if matches.were_asked_for() => WeakInitial::Unknown,
            found => found,
        }
    }

    fn find(&self, node: &Node, remaining: &[usize], relation: &impl Relation) -> WeakInitial {
        let mut standing = Standing::default();
        let mut found = None;
        for (position, &index) in remaining.iter().enumerate() {
            let next = self.sequence.step(self.trace, index);
            match standing.pass((node.step, &node.footprints), next, relation) {
                Verdict::No => return WeakInitial::No,
                Verdict::Yes => return WeakInitial::At(found.unwrap_or(position)),
                Verdict::Open if standing.is_taken() => _ = found.get_or_insert(position),
                Verdict::Open => {}
            }
        }
        found.map_or(WeakInitial::Absent, WeakInitial::At)
    }

    /// Whether the present execution has the operation of `node`, if that sends or receives: it does not if the path
    /// to the node has passed the last step of the sequence, and the node's thread took that, unless it makes no
    /// difference to the thread.
    fn knows_messages_of(&self, node: &Node, remaining: &[usize]) -> bool {
        let passed_last = remaining.last() != Some(&(self.sequence.len() - 1));
        !passed_last
            || self.sequence.last_thread() != Some(node.step.thread)
            || !node.footprints.iter().any(|footprint| is_message(footprint.class))
            || self.sequence.repeats_last(self.trace, self.state)
    }
}

fn is_message(class: Class) -> bool {
    matches!(class, Class::Send(_) | Class::Receive { .. } | Class::Miss { .. })
}
