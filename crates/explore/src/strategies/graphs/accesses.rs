//! The accesses to a cell, filed so that the cost of queries does not grow with their number.
//!
//! The events of a thread before a clock are a prefix of its events, and the later of two accesses of a thread to one
//! cell does not see less than the earlier one (coherence). So one access of each thread answers for all before it.

use super::event::{Event, Position};
use everyway_runtime::{Location, ThreadId};

/// The accesses to a cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    /// Where the cell is.
    pub(super) location: Option<Location>,
    /// In modification order.
    pub(super) writes: Vec<Position>,
    /// By thread, those that have accessed the cell in any graph so far.
    pub(super) of_threads: Vec<AccessesOfThread>,
    /// How many of these are not atomic.
    pub(super) plain: u32,
    /// The waits that were overtaken by a write to it.
    pub(super) overtaken: Vec<Position>,
}

/// The accesses of a thread to a cell, in program order, each with the index of its event.
#[derive(Clone, Debug)]
pub(super) struct AccessesOfThread {
    pub(super) thread: ThreadId,
    pub(super) reads: Vec<(u32, Position)>,
    pub(super) writes: Vec<(u32, Position)>,
}

impl AccessesOfThread {
    /// The last read among the first `index` events of the thread.
    pub(super) fn last_read(&self, index: u32) -> Option<Position> {
        // Mostly all are among them.
        let known = match self.reads.last() {
            Some(&(last, _)) if last <= index => self.reads.len(),
            _ => self.reads.partition_point(|&(read, _)| read <= index),
        };
        self.reads[..known].last().map(|&(_, position)| position)
    }

    /// The first read after the first `index` events of the thread.
    #[inline]
    pub(super) fn first_read_after(&self, index: u32) -> Option<Position> {
        match self.reads.last() {
            Some(&(last, _)) if last > index => {
                Some(self.reads[self.reads.partition_point(|&(read, _)| read <= index)].1)
            }
            _ => None,
        }
    }

    /// The index of the last event that accesses the cell.
    pub(super) fn last(&self) -> Option<u32> {
        let index = |list: &[(u32, Position)]| list.last().map(|&(index, _)| index);
        index(&self.reads).max(index(&self.writes))
    }
}

impl Accesses {
    /// Files a read.
    #[inline(always)]
    pub(super) fn push_read(&mut self, read: &Event, position: Position) {
        self.plain += u32::from(!read.ordering.is_atomic());
        self.make_of(read.thread).reads.push((read.index, position));
    }

    /// Files a write; its place in modification order is another matter.
    #[inline(always)]
    pub(super) fn push_write(&mut self, write: &Event, position: Position) {
        self.plain += u32::from(!write.ordering.is_atomic());
        self.make_of(write.thread).writes.push((write.index, position));
    }

    /// Takes the read that was filed last away.
    #[inline(always)]
    pub(super) fn pop_read(&mut self, read: &Event) {
        self.plain -= u32::from(!read.ordering.is_atomic());
        self.make_of(read.thread).reads.pop();
    }

    /// Takes the write that was filed last away; its place in modification order is another matter.
    #[inline(always)]
    pub(super) fn pop_write(&mut self, write: &Event) {
        self.plain -= u32::from(!write.ordering.is_atomic());
        self.make_of(write.thread).writes.pop();
    }

    /// The accesses of a thread, of which there may be none yet.
    #[inline(always)]
    fn make_of(&mut self, thread: ThreadId) -> &mut AccessesOfThread {
        let known = self.of_threads.iter().position(|accesses| accesses.thread == thread);
        let known = known.unwrap_or_else(|| self.meet(thread));
        &mut self.of_threads[known]
    }

    #[cold]
    fn meet(&mut self, thread: ThreadId) -> usize {
        self.of_threads.push(AccessesOfThread { thread, reads: Vec::new(), writes: Vec::new() });
        self.of_threads.len() - 1
    }

    /// The reads that see what the cell held initially, which `is_initial` tells: in each thread they come first.
    pub(super) fn initial_reads(&self, is_initial: impl Fn(&Position) -> bool) -> impl Iterator<Item = Position> {
        let of_thread = move |of: &AccessesOfThread| {
            let known = of.reads.partition_point(|(_, read)| is_initial(read));
            known.checked_sub(1).map(|last| of.reads[last].1)
        };
        self.of_threads.iter().filter_map(of_thread)
    }

    /// All reads, by thread.
    pub(super) fn reads(&self) -> impl Iterator<Item = &Position> {
        self.of_threads.iter().flat_map(|accesses| accesses.reads.iter().map(|(_, position)| position))
    }
}
