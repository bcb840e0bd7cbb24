//! Cells: bytes of locations that are always accessed together.

use super::event::Cell;
use super::unsupported::Unsupported;
use everyway_runtime::{Access, Bytes, ThreadId};
use smallvec::SmallVec;

/// The cells of all locations, in all executions.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// By location.
    known: Vec<SmallVec<[(Bytes, Cell); 1]>>,
    count: usize,
}

impl Cells {
    /// The cell that an access of a thread is about.
    #[inline]
    pub(super) fn of(&mut self, thread: ThreadId, access: &Access) -> Result<Cell, Unsupported> {
        // Mostly it is all that is accessed there.
        match self.known.get(access.location.index()).and_then(|cells| cells.first()) {
            Some(&(bytes, cell)) if bytes == access.bytes => Ok(cell),
            _ => self.meet(thread, access),
        }
    }

    #[inline(never)]
    fn meet(&mut self, thread: ThreadId, access: &Access) -> Result<Cell, Unsupported> {
        let location = access.location.index();
        if self.known.len() <= location {
            self.known.resize_with(location + 1, SmallVec::new);
        }
        let cells = &mut self.known[location];
        if let Some(&(_, cell)) = cells.iter().find(|(bytes, _)| *bytes == access.bytes) {
            return Ok(cell);
        }
        if cells.iter().any(|(bytes, _)| bytes.overlaps(access.bytes)) {
            return Err(Unsupported::MixedSizes(thread));
        }
        let cell = Cell::new(self.count);
        self.count += 1;
        cells.push((access.bytes, cell));
        Ok(cell)
    }
}
