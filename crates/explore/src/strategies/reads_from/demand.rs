//! What branches demand of the sources of later events, so that no two branches of a node lead to the same trace.

use super::linearization::{Linearization, Name};

/// A demand on the source of an event, if that comes at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Demand {
    /// The event whose source it is about.
    pub(super) of: Name,
    /// What the source is to be.
    pub(super) source: Demanded,
}

/// What a source is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demanded {
    /// This event, or one that happens after it.
    Since(Name),
    /// At this position of the linearization or later.
    From(usize),
}

/// The demands of the branches under way, each with the position of its node on the stack.
#[derive(Debug, Default)]
pub(super) struct Demands {
    made: Vec<(usize, Demand)>,
}

impl Demands {
    /// Adds a demand of the branch under way of the node at `node`, the last one on the stack.
    pub(super) fn make(&mut self, node: usize, demand: Demand) {
        self.made.push((node, demand));
    }

    /// Drops the demands of the node at `node`, and of all after it.
    pub(super) fn drop_from(&mut self, node: usize) {
        while self.made.last().is_some_and(|&(at, _)| at >= node) {
            self.made.pop();
        }
    }

    fn on(&self, name: Name, node: usize) -> impl Iterator<Item = Demanded> + '_ {
        let concerns = move |(at, demand): &&(usize, Demand)| *at < node && demand.of == name;
        self.made.iter().filter(concerns).map(|(_, demand)| demand.source)
    }

    /// Whether `name` may have the initial value as its source, as far as the nodes before that at `node` say.
    pub(super) fn allow_initial(&self, name: Name, node: usize) -> bool {
        self.on(name, node).next().is_none()
    }

    /// Whether `name` may have the event at `position` as its source.
    pub(super) fn allow(&self, trace: &Linearization, name: Name, position: usize, node: usize) -> bool {
        self.on(name, node).all(|demanded| match demanded {
            Demanded::Since(first) => trace.happens_before(first, position),
            Demanded::From(start) => position >= start,
        })
    }
}
