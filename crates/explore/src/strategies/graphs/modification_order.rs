//! Modification order: the order of the writes to a cell, by increasing labels.

use super::Graphs;
use super::event::{Cell, Event, Kind, Label, Position};
use super::graph::Graph;

/// So many writes are looked at one by one.
const FEW: usize = 4;

/// The gap that is left between writes for others to come in between.
const GAP: Label = 1 << 32;

impl Graph {
    #[inline]
    pub(super) fn label(&self, write: Option<Position>) -> Label {
        match write.map(|write| self.event(write).kind) {
            Some(Kind::Write { label, .. }) => label,
            _ => 0,
        }
    }

    /// The place of what a read reads, or of a write.
    #[inline]
    pub(super) fn place(&self, position: Position) -> Label {
        match self.event(position).kind {
            Kind::Read { source, .. } => self.label(source),
            Kind::Write { label, .. } => label,
            _ => 0,
        }
    }

    /// The last write to a cell in modification order.
    #[inline]
    pub(super) fn newest(&self, cell: Cell) -> Option<Position> {
        self.accesses(cell).writes.last().copied()
    }

    /// The write that comes right after an event, or after what it reads, in modification order. A write that is not in the
    /// graph yet may be later than the newest.
    #[inline]
    pub(super) fn next_after(&self, event: &Event) -> Option<Position> {
        match event.kind {
            // Mostly it reads the newest, or is it.
            Kind::Read { touch, source, .. } if source == self.newest(touch.cell) => None,
            Kind::Read { touch, source, .. } => self.first_after(touch.cell, self.label(source)),
            Kind::Write { cell, label, .. } if label >= self.label(self.newest(cell)) => None,
            Kind::Write { cell, label, .. } => self.first_after(cell, label),
            Kind::Fence | Kind::Join(_) | Kind::Local | Kind::Overtaken { .. } => None,
        }
    }

    /// The first write to a cell that comes after a place.
    pub(super) fn first_after(&self, cell: Cell, place: Label) -> Option<Position> {
        self.writes_after(cell, place).first().copied()
    }

    /// The writes to a cell that come after a place, in modification order.
    #[inline]
    pub(super) fn writes_after(&self, cell: Cell, place: Label) -> &[Position] {
        let writes = &self.accesses(cell).writes;
        let is_later = |&write: &Position| self.label(Some(write)) > place;
        // Mostly it is near the end.
        let (earlier, last) = writes.split_at(writes.len().saturating_sub(FEW));
        let start = match last.first() {
            Some(first) if is_later(first) => earlier.partition_point(|write| !is_later(write)),
            _ => writes.len() - last.iter().rev().take_while(|&write| is_later(write)).count(),
        };
        &writes[start..]
    }

    /// A label for a write that comes after the newest.
    #[inline]
    pub(super) fn label_beyond(&self, newest: Option<Position>) -> Label {
        self.label(newest) + GAP
    }

    /// A label for a write just after another one; `None` if there is no room.
    pub(super) fn label_after(&self, cell: Cell, write: Option<Position>) -> Option<Label> {
        let low = self.label(write);
        let next = if write == self.newest(cell) { None } else { self.first_after(cell, low) };
        match next {
            None => Some(self.label_beyond(write)),
            Some(next) => {
                let gap = self.label(Some(next)) - low;
                (gap > 1).then_some(low + gap / 2)
            }
        }
    }

    pub(super) fn relabel(&mut self, cell: Cell, new: impl Fn(Label) -> Label) {
        for position in self.cells[cell.index()].writes.clone() {
            if let Kind::Write { label, .. } = &mut self.events[position.index()].kind {
                *label = new(*label);
            }
        }
    }

    /// The label of a write at the place of the `rank`-th of all known labels.
    pub(super) fn spread(rank: usize) -> Label {
        (rank as Label + 1) * GAP
    }
}

impl Graphs {
    /// A label for a write just after another one.
    pub(super) fn label_after(&mut self, cell: Cell, after: Option<Position>) -> Label {
        if let Some(label) = self.graph.label_after(cell, after) {
            return label;
        }
        self.spread_labels(cell);
        self.graph.label_after(cell, after).unwrap_or(Label::MAX)
    }

    /// Spreads all labels that are known of a cell anew, to make room between them. Only their order matters.
    #[cold]
    fn spread_labels(&mut self, cell: Cell) {
        let label_of = |event: &Event| match event.kind {
            Kind::Write { cell: other, label, .. } if other == cell => Some(label),
            _ => None,
        };
        let mut labels: Vec<Label> =
            self.graph.events.iter().chain(self.deferred.kept()).filter_map(label_of).collect();
        labels.sort_unstable();
        labels.dedup();
        let new = |old: Label| Graph::spread(labels.partition_point(|&label| label < old));
        self.graph.relabel(cell, new);
        for event in self.deferred.kept_mut() {
            if let Kind::Write { cell: other, label, .. } = &mut event.kind
                && *other == cell
            {
                *label = new(*label);
            }
        }
    }
}
