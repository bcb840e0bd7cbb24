//! Shares: sums that are added to by operations that wait, and never have to.
//!
//! To take a lock together with others is to add one to it, once no thread has it alone, and to give it back is to take one away
//! again. Where that is all that is done, no thread waits: the unit is a sum (`super::sum`), and its adds are in no order.
//!
//! What has been added when a thread comes to add is, of each thread, the first so many of its adds, whatever the execution. So
//! the sum is between the least and the most that the threads have added by then, each for itself; if a condition is met by
//! all numbers in between, an add under that condition never waits, wherever it comes ([`Range`]). Then it is an ordinary
//! add, which learns nothing.
//!
//! This is learnt from what was executed, as it is of latches (`super::latch`): let an execution be the shortest that shows
//! that a thread may have to wait, by a sum that is out of range. All that was added before is part of one that is explored,
//! with the same threads, and these have added as much there.

use everyway_runtime::{Access, Bytes, Condition, Effect, Then, ThreadId, Visit};

/// The condition of an access that waits, and only adds.
pub(super) fn adds_once(access: &Access) -> Option<Condition> {
    let waits = access.fails == Then::Block && access.holds != Then::Block;
    (waits && matches!(access.effect, Effect::Add(_))).then_some(access.when)
}

/// What a thread has added: now, at least and at most.
#[derive(Clone, Copy, Debug, Default)]
struct OfThread {
    now: i128,
    least: i128,
    most: i128,
}

/// What a sum may come to in an execution, in whatever order threads add.
#[derive(Debug)]
pub(super) struct Range {
    bytes: Bytes,
    start: i128,
    threads: Vec<OfThread>,
}

impl Range {
    /// Longer ones are not looked at.
    const LONGEST: i128 = 1 << 12;

    /// One that starts with what `visit` finds.
    pub(super) fn from(visit: &Visit) -> Self {
        let start = visit.access.bytes.get(visit.before).into();
        Self { bytes: visit.access.bytes, start, threads: Vec::new() }
    }

    /// Adds `number`, of which as many bits count as the bytes have.
    pub(super) fn add(&mut self, thread: ThreadId, number: u64) {
        if self.threads.len() <= thread.index() {
            self.threads.resize(thread.index() + 1, OfThread::default());
        }
        let unused = 64 - 8 * self.bytes.0.count_ones();
        let OfThread { now, least, most } = &mut self.threads[thread.index()];
        *now += i128::from((number << unused).cast_signed() >> unused);
        *least = (*least).min(*now);
        *most = (*most).max(*now);
    }

    /// Whether all that it may come to meets `condition`; not if that is not known.
    pub(super) fn meets(&self, condition: Condition) -> bool {
        let least = self.start + self.threads.iter().map(|thread| thread.least).sum::<i128>();
        let most = self.start + self.threads.iter().map(|thread| thread.most).sum::<i128>();
        let values = 0..1i128 << (8 * self.bytes.0.count_ones());
        let is_known = values.contains(&least) && values.contains(&most) && most - least <= Self::LONGEST;
        is_known && (least..=most).all(|value| condition.holds(value as u64))
    }
}
