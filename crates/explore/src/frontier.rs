//! The frontier: the remainder of an exploration, as data.
//!
//! At any moment an exploration consists of its counts and its *frontier*: the list of [`Subtree`]s that are still to
//! be explored. A subtree is a list of choices from which any process can continue. Subtrees share nothing: nothing
//! that is found in one of them makes a difference to another. Everything else follows from this:
//!
//! - a *worker* takes a subtree, explores some of it, and returns counts and the remaining subtrees;
//! - *all cores* are several workers in a process. An idle one receives from a busy one the subtree nearest to the root
//!   ([`Left::give`]), which is likely to be large;
//! - *stopping and resuming* is writing the frontier to a file, and reading it;
//! - *many machines* get parts of a frontier.
//!
//! # What a subtree consists of
//!
//! | strategy | a subtree | what is in it |
//! |---|---|---|
//! | `graphs` | a graph, and an alternative in it (`frontier/graph.rs`) | what the alternative leads to |
//! | `naive` | steps | all interleavings that begin with them |
//! | `random`, `pct` | numbers | the executions that have these numbers: each has a generator of its own |
//!
//! The others - `classic`, `source`, `optimal`, `observers`, `reads-from` - add to the work of an *earlier* state
//! whenever they find a race. Their subtrees are not independent, so they are not [`Divisible`]
//! ([`Algorithm::can_be_shared`](crate::Algorithm::can_be_shared)).
//!
//! # Names
//!
//! A subtree made by one process is explored by another, which has met other threads before, or in another order. So
//! threads are named by their paths of spawns, and events by their positions in the subtree's own list. Locations and
//! values do not occur: the program is run along the list, and shows what its threads access and write. Where a
//! strategy chooses a thread, it also does so by paths: the choice has to be the same in every process.
//!
//! # Rules
//!
//! **The counts of a finished exploration do not depend on how it was shared.** Every execution is in one subtree. The
//! steps taken on the way to a subtree do not count as an execution, only as steps.
//!
//! **A subtree is untrusted data.** It may be damaged, made up, or of another program. Each of its choices is checked
//! against the program's behaviour before it is taken; a mismatch ends the exploration with
//! [`Unsupported::Subtree`](crate::Unsupported::Subtree), not with a panic.
//!
//! **Nothing is shared while steps are taken.** An exploration communicates between two executions only
//! ([`Exchange::meet`]), and then checks one flag.
//!
//! This module knows neither how the workers of a process meet nor the format of files.

mod graph;
mod text;

pub(crate) use graph::{Chosen, Entry, GraphSubtree, Start};
pub use text::NotASubtree;

use crate::estimate::Share;
use crate::explorer::{Counts, Cut};
use crate::strategies::Divisible;
use everyway_runtime::{State, ThreadPath};
use std::ops::{ControlFlow, Range};

/// A part of an exploration that nothing else depends on. Its text form ([`Display`](std::fmt::Display),
/// [`FromStr`](std::str::FromStr)) is for files.
///
/// ```
/// use everyway_explore::Subtree;
///
/// let subtree: Subtree = "steps 0 0.1:2".parse().expect("a subtree");
/// assert_eq!(subtree.to_string(), "steps 0 0.1:2");
/// assert!("steps 1".parse::<Subtree>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtree {
    pub(crate) shape: Shape,
    /// How much of the exploration it may be; known to workers that explore together.
    pub(crate) share: Share,
}

/// What a subtree consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Of execution graphs.
    Graph(GraphSubtree),
    /// Of interleavings: all that begin with these steps, each a thread and its choice.
    Steps(Vec<(ThreadPath, u32)>),
    /// Of samples: those with these numbers. The longest of those that they learn from had this length.
    Samples { numbers: Range<u64>, longest: usize },
}

impl Subtree {
    fn of(shape: Shape) -> Self {
        Self { shape, share: Share(1.0) }
    }

    /// The same subtree, which may be this part of the exploration.
    pub fn with_share(self, share: f64) -> Self {
        Self { share: Share(share), ..self }
    }

    pub(crate) fn steps(steps: Vec<(ThreadPath, u32)>) -> Self {
        Self::of(Shape::Steps(steps))
    }

    pub(crate) fn samples(numbers: Range<u64>, longest: usize) -> Self {
        Self::of(Shape::Samples { numbers, longest })
    }

    pub(crate) fn graph(graph: GraphSubtree) -> Self {
        Self::of(Shape::Graph(graph))
    }

    /// The best available indication of its size: how many events remain as they are, and the kind of its first action, as a
    /// number. A revisit removes what comes after the read, except for what its write depends on.
    pub(crate) fn stratum(&self) -> (usize, u8) {
        match &self.shape {
            Shape::Graph(graph) => match graph.start() {
                Start::Here => (self.depth(), 0),
                Start::Add(_) => (self.depth(), 1),
                Start::Place(_) => (self.depth(), 2),
                Start::RevisitByWrite { write, read } => (graph.kept(*read, &write.thread), 3),
                Start::RevisitByStep { thread, read, .. } => (graph.kept(*read, thread), 4),
            },
            Shape::Steps(_) | Shape::Samples { .. } => (self.depth(), 0),
        }
    }

    /// Its distance from the root, in choices of its strategy.
    pub fn depth(&self) -> usize {
        match &self.shape {
            Shape::Graph(graph) => graph.entries().len(),
            Shape::Steps(steps) => steps.len(),
            Shape::Samples { .. } => 0,
        }
    }
}

/// The exchange of subtrees between an exploration and others.
pub trait Exchange {
    /// The next subtree, at the beginning and whenever the last one is finished; none ends the exploration. May block.
    /// `counts` has what was explored so far.
    fn take(&mut self, counts: Counts) -> Option<Subtree>;

    /// Called between two executions, and before the first of a subtree: `left` is still to be explored. May end the
    /// exploration there.
    fn meet(&mut self, left: &mut Left<'_>) -> ControlFlow<Cut>;
}

/// The remaining work of an exploration, between two executions.
pub struct Left<'a> {
    pub(crate) strategy: &'a mut dyn Divisible,
    pub(crate) state: &'a dyn State,
    /// What was explored so far.
    pub counts: Counts,
}

impl Left<'_> {
    /// Gives away the subtree nearest to the root, to be explored elsewhere; none if the remaining work cannot be divided.
    pub fn give(&mut self) -> Option<Subtree> {
        self.strategy.give(self.state)
    }

    /// All of it.
    pub fn all(&self) -> Vec<Subtree> {
        self.strategy.frontier(self.state).unwrap_or_default()
    }

    /// The fraction of the whole that has been explored, by the shares of subtrees, if it is known.
    pub fn done(&self) -> Option<f64> {
        self.strategy.done()
    }
}
