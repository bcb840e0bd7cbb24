//! Backward revisits: which reads a new write may let read it, and what becomes of the graph.
//!
//! TruSt's condition: a read may be revisited by a write if it, and everything that was added after it and that the
//! write does not depend on, was *added maximally*: as one would add it if one had nothing to choose. So each
//! graph is reached in one way only.

use super::alternative::{Alternative, AlternativeKind};
use super::event::{Event, Kind, Outcome, Position};
use super::{Graphs, read_event};

impl Graphs {
    /// Plans the revisits of a write that is about to be added.
    pub(super) fn plan_revisits(&mut self, write: Event) {
        let Kind::Write { cell, value, modifies, .. } = write.kind else { return };
        let graph = &self.graph;
        let base = graph.last_of(write.thread);
        let mut latest = std::mem::take(&mut self.scratch);
        latest.clear();
        latest.extend((0..graph.len()).map(Position::new));
        if !graph.is_in_order_of_stamps() {
            latest.sort_unstable_by_key(|&position| graph.event(position).stamp);
        }
        for &position in latest.iter().rev() {
            let event = graph.event(position);
            if graph.is_porf_before(event, base) {
                continue;
            }
            if !self.is_maximal(position, base) {
                break;
            }
            let Kind::Read { touch, .. } = event.kind else { continue };
            if touch.cell != cell {
                continue;
            }
            let stays = |&&other: &&Position| {
                let other = graph.event(other);
                other.stamp < event.stamp || graph.is_porf_before(other, base)
            };
            let revisit = |after| Alternative {
                depth: graph.len(),
                kind: AlternativeKind::Revisit { write, after, read: position },
            };
            let writes = &graph.accesses(cell).writes;
            let satisfied = touch.access.when.holds(value) || !touch.access.may_block();
            if modifies {
                let before = base.map(|read| graph.event(read).kind);
                let Some(Kind::Read { source, .. }) = before else { continue };
                let is_last = || writes.iter().rev().find(stays).copied() == source;
                if satisfied || is_last() {
                    self.alternatives.push(revisit(source));
                }
            } else if satisfied {
                self.alternatives.push(revisit(None));
                self.alternatives.extend(writes.iter().filter(stays).map(|&after| revisit(Some(after))));
            } else {
                self.alternatives.push(revisit(writes.iter().rev().find(stays).copied()));
            }
        }
        self.scratch = latest;
    }

    /// Whether an event was added maximally, with respect to a write that comes after `base`.
    fn is_maximal(&self, position: Position, base: Option<Position>) -> bool {
        let graph = &self.graph;
        let event = graph.event(position);
        let is_there = |other: Position| {
            let other = graph.event(other);
            other.stamp <= event.stamp || graph.is_porf_before(other, base)
        };
        let is_newest = |cell| {
            let place = graph.place(position);
            let later = graph.accesses(cell).writes.iter().rev().take_while(|&&write| graph.place(write) > place);
            !later.copied().any(is_there)
        };
        match event.kind {
            Kind::Read { touch, source, .. } => source.is_none_or(is_there) && is_newest(touch.cell),
            Kind::Write { cell, .. } => {
                let reads_it = |&&read: &&Position| matches!(graph.event(read).kind, Kind::Read { source, .. } if source == Some(position));
                !graph.accesses(cell).reads.iter().filter(reads_it).any(|&read| is_there(read)) && is_newest(cell)
            }
            Kind::Local => event.choice == 0,
            Kind::Fence | Kind::Join(_) => true,
        }
    }

    /// Lets a read of the current graph read a new write; whether the graph that comes of it is consistent.
    pub(super) fn revisit(&mut self, write: Event, after: Option<Position>, read: Position) -> bool {
        let graph = &self.graph;
        let base = graph.last_of(write.thread);
        let revisited = *graph.event(read);
        let goes = |position: Position| {
            let event = graph.event(position);
            position == read || event.stamp > revisited.stamp && !graph.is_porf_before(event, base)
        };
        let all = (0..graph.len()).map(Position::new);
        let first = all.clone().find(|&position| goes(position)).unwrap_or(read).index();
        let mut moved = std::mem::take(&mut self.moved);
        moved.clear();
        let mut next = first;
        moved.extend(all.skip(first).map(|position| {
            let to = (!goes(position)).then(|| Position::new(next));
            next += usize::from(to.is_some());
            to
        }));
        let saved = self.saved.len();
        self.saved.extend_from_slice(&graph.events[first..]);
        self.alternatives.push(Alternative { depth: first, kind: AlternativeKind::Restore { saved } });
        self.truncate(first);
        let new = |old: Position| match old.index().checked_sub(first) {
            Some(later) => moved[later].expect("what stays depends on nothing that goes"),
            None => old,
        };
        for (offset, to) in moved.iter().enumerate() {
            if to.is_some() {
                let mut event = self.saved[saved + offset];
                if let Kind::Read { source, .. } = &mut event.kind {
                    *source = source.map(new);
                }
                self.graph.push(event);
            }
        }
        let after = after.map(new);
        self.moved = moved;
        if !self.place(write, after) {
            return false;
        }
        let source = Position::new(self.graph.len() - 1);
        let Kind::Read { touch, .. } = revisited.kind else { return false };
        let again = read_event(&self.graph, revisited, touch, Some(source));
        let waits = matches!(again.kind, Kind::Read { outcome: Outcome::Waits, .. });
        if waits && self.graph.newest(touch.cell) != Some(source) {
            return false;
        }
        self.add(again)
    }
}
