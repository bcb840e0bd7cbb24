//! Lives: objects of several words that end, by being freed, while other threads may use them.
//!
//! An end (`Effect::End`) is one event that concerns many locations. It does not make them one ordered unit. What is
//! guaranteed is that a thread which uses one of the locations afterwards takes no further step. So it is as if the end
//! wrote all of them, and nothing was written there any more:
//!
//! - A use of what has ended is *dead*: its source is the end, whatever it looks like otherwise. It has no unit and writes
//!   nothing, for no event observes what it finds or leaves. It is the last event of its thread.
//! - Any other use is *alive*. It has the unit and source that it would have anyway, and comes before the end if there is
//!   one. That is an edge in [`super::saturation`]; there are no rules, because the end is the last write wherever it writes.
//! - So every use is a choice: a store, too, which is dead or alive. The end itself is none.
//!
//! Two executions are equivalent if the same uses are dead, and otherwise as before. Algorithm 1 finds all of them. Let `u` be
//! a use, executed after the events `τ`, and `E` an execution that has all of `τ`, the alive ones alive.
//!
//! - Let `u` be dead in `E`. If the end `f` is in `τ`, that is tried as soon as `u` has been executed. Otherwise let `S` be
//!   `τ`, what `f` depends on, and `f`, in the order of `E`. Nothing in `S` depends on `f`: what is dead does, and it would
//!   have to be in `τ`, without its source, or before `f`. So `f` can be put at the end of `S`, where it takes no life, and
//!   `u`, which does not wait, right before it, where it is alive. In this execution there is `f`, so there `f` is tried.
//! - Let `u` be alive in `E`, and `s` its source, which is not in `τ`. Let `S` be `τ`, what `s` depends on, and `s`, in the
//!   order of `E`, with `u` where it is there. Nothing in `S` depends on `s`. Put `s` right behind `u`: between the two
//!   nothing is written to the unit, so `u` finds what was there before `s`, and so does `s` if it looks and `u` does not
//!   write; if both look and write, the two are turned around (OOPSLA 2019, Sect. 7). In `E` both come before `f`, and here
//!   they do so, too. This is the paper's induction. If `s` is in `τ`, it is tried as soon as `u` has been executed, dead or
//!   alive; so is that a store is alive.
//!
//! What is said of `u` holds only if it can be executed anywhere. An operation that waits, or has alternatives, or is about an
//! ordered unit for other reasons, is *tied* to the end: their units are one ordered unit, of which the end is a write
//! (`super::unit`). This is how it is with all uses if there is more than one end of a life in an execution, which is an
//! error of the program, if ends have only some of their locations in common, or if a thread goes on after a dead use. The end
//! is a choice then, among what is tied to it: other uses stay as they are. For what `q` depends on, which comes next after the source of `f` instead of it, is executed
//! before `f` (`super::detect`), and so alive.
//!
//! That there is a life, or that a use is to be tied, is learnt from what was executed, as it is of latches
//! (`super::latch`): what tells of it is a step, and all that comes before its first occurrence is executed as it should be.
//! Locations that end together are one life.

use super::detect::Detection;
use super::linearization::{Entry, Name, Source};
use super::node::Node;
use crate::happens_before::join;
use crate::ids::EventId;
use everyway_runtime::{Access, Effect, Location};
use smallvec::{SmallVec, smallvec};

/// What ends at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Life(u32);

impl Life {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an event has to do with lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing, or it is tied to an end.
    #[default]
    None,
    /// It uses what may end.
    Uses(Life),
    /// It ends something.
    Ends(Life),
}

impl Role {
    /// What the event ends.
    pub(super) fn ended(self) -> Option<Life> {
        if let Role::Ends(life) = self { Some(life) } else { None }
    }

    /// What it uses.
    pub(super) fn used(self) -> Option<Life> {
        if let Role::Uses(life) = self { Some(life) } else { None }
    }
}

/// What is known of a life. Only to be asked of the end of the chain.
#[derive(Clone, Copy, Debug, Default)]
struct OfLife {
    /// Whether all uses are tied to its end.
    is_strict: bool,
    /// How many locations it has.
    locations: usize,
    /// A location of it by which uses are tied to its end.
    knot: Option<Location>,
    /// Its end in the execution that was learnt last.
    end: Option<EventId>,
}

/// Which locations end, and with which others.
#[derive(Debug, Default)]
pub(super) struct Lives {
    /// By location, one of the same life; itself at the end of the chain. Nothing if it does not end.
    parent: Vec<Option<Location>>,
    lives: Vec<OfLife>,
    /// The ends in the execution that was learnt last, in order.
    ends: Vec<(EventId, Life)>,
}

impl Lives {
    /// Whether nothing ends.
    pub(super) fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// What a location is part of.
    pub(super) fn of(&self, location: Location) -> Option<Life> {
        let mut at = location;
        loop {
            match (*self.parent.get(at.index())?)? {
                parent if parent == at => return Some(Life(at.0)),
                parent => at = parent,
            }
        }
    }

    /// The first life that one of `accesses` is part of.
    pub(super) fn first<'a>(&self, mut accesses: impl Iterator<Item = &'a Access>) -> Option<(Life, Location)> {
        if self.is_empty() {
            return None;
        }
        accesses.find_map(|access| Some((self.of(access.location)?, access.location)))
    }

    /// Takes note that these locations, which are all different, end together; whether that was not known.
    pub(super) fn end_together(&mut self, locations: &[Location]) -> bool {
        let Some(&first) = locations.first() else { return false };
        let known = self.of(first);
        let is_one = known.is_some() && locations.iter().all(|&location| self.of(location) == known);
        if is_one && known.is_some_and(|life| self.lives[life.index()].locations == locations.len()) {
            return false;
        }
        let is_strict = locations.iter().any(|&location| self.of(location).is_some());
        for &location in locations {
            self.enter(location);
            self.unite(first, location);
        }
        let changed = self.of(first).is_some_and(|life| is_strict && self.be_strict(life));
        changed || !is_one
    }

    fn unite(&mut self, one: Location, other: Location) {
        let (Some(one), Some(other)) = (self.of(one), self.of(other)) else { return };
        if one == other {
            return;
        }
        let (root, child) = (one.min(other), one.max(other));
        self.parent[child.index()] = Some(Location(root.0));
        let (of_root, of_child) = (self.lives[root.index()], self.lives[child.index()]);
        let locations = of_root.locations + of_child.locations;
        // What is tied to either is tied to both when it is met again.
        let knot = of_root.knot.or(of_child.knot);
        let is_strict = of_root.is_strict | of_child.is_strict;
        self.lives[root.index()] = OfLife { is_strict, locations, knot, end: None };
    }

    fn enter(&mut self, location: Location) {
        if self.parent.len() <= location.index() {
            self.parent.resize(location.index() + 1, None);
            self.lives.resize(location.index() + 1, OfLife::default());
        }
        let parent = &mut self.parent[location.index()];
        if parent.is_none() {
            *parent = Some(location);
            self.lives[location.index()] = OfLife { locations: 1, ..OfLife::default() };
        }
    }

    /// Forgets the ends of the last execution from `start` on.
    pub(super) fn keep(&mut self, start: usize) {
        while let Some(&(event, life)) = self.ends.last()
            && event.index() >= start
        {
            self.ends.pop();
            self.lives[life.index()].end = None;
        }
    }

    /// Takes note of an end; whether there was another one.
    pub(super) fn end_at(&mut self, life: Life, event: EventId) -> bool {
        self.ends.push((event, life));
        self.lives[life.index()].end.replace(event).is_some()
    }

    /// The end of a life in the execution that was learnt last.
    pub(super) fn end(&self, life: Life) -> Option<EventId> {
        self.lives[life.index()].end
    }

    /// Whether a use by the event `id` of the execution that was learnt last comes after the end.
    pub(super) fn is_over(&self, life: Life, id: EventId) -> bool {
        self.end(life).is_some_and(|end| end < id)
    }

    /// A location of the life by which uses are tied to its end, if some are.
    pub(super) fn knot(&self, life: Life) -> Option<Location> {
        self.lives[life.index()].knot
    }

    /// Takes note that uses of this location are tied to the end of its life; the location by which others are.
    pub(super) fn tie(&mut self, life: Life, location: Location) -> Location {
        *self.lives[life.index()].knot.get_or_insert(location)
    }

    pub(super) fn is_strict(&self, life: Life) -> bool {
        self.lives[life.index()].is_strict
    }

    /// Ties all uses to the end of their life; whether they were not.
    pub(super) fn be_strict(&mut self, life: Life) -> bool {
        !std::mem::replace(&mut self.lives[life.index()].is_strict, true)
    }
}

/// Whether an access ends what its location is part of.
pub(super) fn is_end(access: &Access) -> bool {
    matches!(access.effect, Effect::End)
}

impl Entry {
    /// Whether it uses what has ended.
    pub(super) fn is_dead(&self) -> bool {
        self.role.used().is_some() && self.unit.is_none()
    }

    /// What it uses that has not ended.
    pub(super) fn lives_in(&self) -> Option<Life> {
        self.role.used().filter(|_| self.unit.is_some())
    }

    /// The same event after the end of what it uses.
    pub(super) fn dead(&self, end: Name) -> Self {
        let source = Source::Event(end);
        Self { unit: None, source, writes: false, may_write: false, ..self.clone() }
    }
}

impl Detection<'_> {
    /// The target of `node`, which uses `life`, after the end of it, or, if it is dead, without a look at what is there.
    pub(super) fn dead_or_alive(&mut self, node: &mut Node, life: Life) {
        let target = self.trace.entry(node.target);
        let is_fresh = node.target >= self.planned;
        let altered: SmallVec<[Entry; 2]> = if target.is_dead() {
            match self.view.alive(target) {
                Some(alive) if is_fresh && !alive.reads() => smallvec![alive],
                _ => return,
            }
        } else {
            let Some(end) = self.view.end(life) else { return };
            let at = self.trace.position(end);
            // Of a target that was planned, all others have been tried.
            if !is_fresh && at < self.fresh || self.trace.happens_before(target.name, at) {
                return;
            }
            smallvec![target.dead(end)]
        };
        let mut cut = node.before(self.trace);
        if let Source::Event(end) = altered[0].source {
            join(&mut cut, self.trace.clock(self.trace.position(end)));
        }
        self.try_schedule(node, super::candidate::Candidate { depth: node.depth, cut, altered }, None);
    }
}
