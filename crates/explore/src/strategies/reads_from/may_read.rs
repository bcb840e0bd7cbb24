//! Which writes an event may read from instead: `MayRead` (OOPSLA 2019, Algorithm 1), and writes that are not among them for
//! any execution.

use super::candidate::Cut;
use super::detect::Detection;
use super::linearization::{Entry, Source};
use super::unit::Unit;
use smallvec::SmallVec;

impl Detection<'_> {
    /// The new writes that `target`, which is not new, may read from instead.
    pub(super) fn may_newly_read(&self, target: &Entry, unit: Unit) -> SmallVec<[Source; 8]> {
        let mut found: SmallVec<[Source; 8]> = SmallVec::new();
        for &write in self.trace.writers(unit).iter().rev() {
            let write = write as usize;
            if write < self.fresh {
                break;
            }
            let source = Source::Event(self.trace.entry(write).name);
            if source != target.source && !self.trace.happens_before(target.name, write) {
                found.push(source);
            }
        }
        found.reverse();
        found
    }

    /// What `target` may read instead, in order: `MayRead`, with happens-before where the paper has program order. Of each
    /// thread they follow each other.
    pub(super) fn may_read(&self, target: &Entry, unit: Unit) -> SmallVec<[Source; 8]> {
        let trace = self.trace;
        let threads = trace.changing(unit);
        let is_alone = threads.iter().all(|&thread| thread == target.name.thread);
        if is_alone && !self.trace.entry(self.trace.position(target.name)).is_dead() {
            // What it has written itself is all that it may read.
            return SmallVec::new();
        }
        let mut room = Cut::new();
        let known = trace.past(target, &mut room);
        if self.is_settled(target, unit, known) {
            return SmallVec::new();
        }
        let overwritten = self.overwritten(unit, known);
        let previous = trace.previous(target.name).filter(|&previous| {
            let previous = trace.entry(previous);
            previous.unit == Some(unit) && previous.reads()
        });
        let mut writes: SmallVec<[usize; 8]> = SmallVec::new();
        let mut initial = Some(Source::Initial);
        for &thread in threads {
            let writers = trace.writers_of(unit, thread);
            if trace.count_known(writers, known) > 0 {
                initial = None;
            }
            let gone = overwritten[thread.index()];
            let first = writers.partition_point(|&write| trace.entry(write as usize).name.index <= gone);
            for &write in &writers[first..] {
                if trace.happens_before(target.name, write as usize) {
                    break;
                }
                if !previous.is_some_and(|read| self.is_passed_over(read, write as usize)) {
                    writes.push(write as usize);
                }
            }
        }
        writes.sort_unstable();
        // What comes last is explored first: an old value is where bugs are.
        let writes = writes.into_iter().map(|write| Source::Event(trace.entry(write).name));
        writes.chain(initial).filter(|&source| source != target.source).collect()
    }

    /// Whether `target`, which knows of `known`, may read nothing but its source: whatever else is written to `unit` is
    /// known to that, or comes after `target`. As it is with what a lock protects.
    fn is_settled(&self, target: &Entry, unit: Unit, known: &[u32]) -> bool {
        let trace = self.trace;
        let Source::Event(source) = target.source else { return false };
        let at = trace.position(source);
        if known[source.thread.index()] < source.index || trace.entry(at).unit != Some(unit) {
            return false;
        }
        trace.changing(unit).iter().all(|&thread| {
            let writers = trace.writers_of(unit, thread);
            let count = trace.count_known(writers, known);
            let comes_after = |&next: &u32| trace.happens_before(target.name, next as usize);
            let is_gone = |&last: &u32| trace.happens_before(trace.entry(last as usize).name, at);
            writers.get(count).is_none_or(comes_after) && writers[..count].last().is_none_or(is_gone)
        })
    }

    /// Whether what is written at `write` is overwritten for all that comes after the event at `read`, which found something
    /// else there, although it comes after `write`: what it found was written in between.
    fn is_passed_over(&self, read: usize, write: usize) -> bool {
        let name = self.trace.entry(write).name;
        let is_other = read != write && self.trace.entry(read).source != Source::Event(name);
        is_other && self.trace.happens_before(name, read)
    }

    /// By thread, how many of its events wrote to `unit` what is overwritten for any event that comes after `known`.
    fn overwritten(&self, unit: Unit, known: &[u32]) -> SmallVec<[u32; 16]> {
        let mut counts: SmallVec<[u32; 16]> = SmallVec::from_elem(0, known.len());
        for &thread in self.trace.changing(unit) {
            let Some(last) = self.trace.last_known(self.trace.writers_of(unit, thread), known) else { continue };
            for (other, (count, &overwritten)) in counts.iter_mut().zip(self.trace.clock(last)).enumerate() {
                // What it has written itself is not gone by that.
                *count = (*count).max(overwritten - u32::from(other == thread.index()));
            }
        }
        counts
    }
}
