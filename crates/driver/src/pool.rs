//! The state shared by workers that explore together.
//!
//! An idle worker waits for a subtree. The others check for this between two executions, by one flag, and leave it the
//! subtree nearest to the root. A check that saves its remaining work has all workers stop for a moment between two
//! executions: what they have then, together with the subtrees that wait to be taken, is the frontier.

use everyway_explore::{Counts, Cut, Estimate, Exchange, Left, Subtree};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A worker that could not give anything tries again after so many executions.
const PATIENCE: u32 = 16;
/// How often a worker that is alone looks at the clock, in executions.
const STRIDE: u32 = 64;

/// How many executions a worker has explored, on a cache line of its own.
#[repr(align(128))]
#[derive(Debug, Default)]
struct Slot {
    counts: [AtomicU64; 6],
    /// Which part of the whole that is, as bits; zero if it cannot be told.
    done: AtomicU64,
}

impl Slot {
    fn publish(&self, counts: Counts) {
        let Counts { complete, blocked, redundant, failed, too_long, steps } = counts;
        for (place, count) in self.counts.iter().zip([complete, blocked, redundant, failed, too_long, steps]) {
            place.store(count, Ordering::Relaxed);
        }
    }

    fn read(&self) -> Counts {
        let [complete, blocked, redundant, failed, too_long, steps] =
            [0, 1, 2, 3, 4, 5].map(|place| self.counts[place].load(Ordering::Relaxed));
        Counts { complete, blocked, redundant, failed, too_long, steps }
    }
}

/// What workers share.
pub(crate) struct Pool {
    /// Whether a worker waits for a subtree, or all are to pause: workers that explore ask this after every execution.
    attention: AtomicBool,
    /// Whether everything is to end.
    pub(crate) stop: Arc<AtomicBool>,
    /// How many executions there may be, and how many have begun.
    limit: Option<u64>,
    /// How many steps a worker takes before it gives away what it has left.
    alone: u64,
    begun: AtomicU64,
    slots: Vec<Slot>,
    shared: Mutex<Shared>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Vec<Subtree>,
    /// How many workers have nothing to do.
    idle: usize,
    /// How many have ended.
    gone: usize,
    /// Whether there is nothing to take any more.
    done: bool,
    pause: Option<Pause>,
}

/// A moment in which all workers stand still.
#[derive(Debug, Default)]
struct Pause {
    /// How many do.
    standing: usize,
    left: Vec<Subtree>,
}

impl Pool {
    /// A pool for this many workers, which begin with `subtrees`.
    pub(crate) fn new(jobs: usize, subtrees: Vec<Subtree>, limit: Option<u64>) -> Self {
        // Nothing is known of how large they are.
        let share = 1.0 / subtrees.len().max(1) as f64;
        let subtrees = subtrees.into_iter().map(|subtree| subtree.with_share(share)).collect();
        Self {
            attention: AtomicBool::new(false),
            stop: Arc::default(),
            limit,
            alone: 0,
            begun: AtomicU64::new(0),
            slots: (0..jobs).map(|_| Slot::default()).collect(),
            shared: Mutex::new(Shared { waiting: subtrees, ..Shared::default() }),
            changed: Condvar::new(),
        }
    }

    /// The same, in which workers take so many steps before they give away what they have left: what is small is explored
    /// by one, and in the same order whenever that is.
    pub(crate) fn sharing_after(self, steps: u64) -> Self {
        Self { alone: steps, ..self }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all workers have explored.
    pub(crate) fn counts(&self) -> Counts {
        let mut sum = Counts::default();
        self.slots.iter().for_each(|slot| sum += slot.read());
        sum
    }

    /// How many executions there may be in all, if what is done is typical.
    pub(crate) fn estimate(&self) -> Estimate {
        let done = self.slots.iter().map(|slot| f64::from_bits(slot.done.load(Ordering::Relaxed))).sum();
        Estimate::from_part(self.counts().executions(), done)
    }

    /// Ends everything.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let _shared = self.lock();
        self.changed.notify_all();
    }

    /// A worker has ended; unless it has because there is nothing to take, all do.
    pub(crate) fn leave(&self) {
        let mut shared = self.lock();
        shared.gone += 1;
        if !shared.done {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// Waits until all workers have ended, or for this long; whether they have.
    pub(crate) fn wait(&self, time: Duration) -> bool {
        let shared = self.lock();
        let all = self.slots.len();
        let waited = self.changed.wait_timeout_while(shared, time, |shared| shared.gone < all);
        let (shared, _) = waited.unwrap_or_else(PoisonError::into_inner);
        shared.gone >= all
    }

    /// The subtrees that no worker has taken.
    pub(crate) fn untaken(&self) -> Vec<Subtree> {
        std::mem::take(&mut self.lock().waiting)
    }

    /// What is left, and what was explored, at a moment in which all workers stand still; none if that does not come
    /// within `time`.
    pub(crate) fn snapshot(&self, time: Duration) -> Option<(Vec<Subtree>, Counts)> {
        let all = self.slots.len();
        let mut shared = self.lock();
        shared.pause = Some(Pause::default());
        self.attention.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        let is_moving = |shared: &mut Shared| {
            let standing = shared.pause.as_ref().map_or(0, |pause| pause.standing);
            standing + shared.idle + shared.gone < all
        };
        let waited = self.changed.wait_timeout_while(shared, time, is_moving);
        let (mut shared, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        let pause = shared.pause.take();
        self.changed.notify_all();
        if waited.timed_out() || shared.gone > 0 {
            return None;
        }
        let left = pause.into_iter().flat_map(|pause| pause.left).chain(shared.waiting.iter().cloned()).collect();
        Some((left, self.counts()))
    }
}

/// What happens when a worker that is alone looks at the clock.
pub(crate) type AtTimes<'a> = &'a mut dyn FnMut(Vec<Subtree>, Counts);

/// A worker, as far as it meets others.
pub(crate) struct Member<'a> {
    pool: &'a Pool,
    slot: &'a Slot,
    /// How many executions it had explored when it last began one.
    begun_at: Option<u64>,
    /// After so many executions it looks again.
    patience: u32,
    /// If it is alone: what to do from time to time, how often, and when next.
    at_times: Option<(AtTimes<'a>, Duration, Instant)>,
}

impl<'a> Member<'a> {
    pub(crate) fn new(pool: &'a Pool, number: usize) -> Self {
        Self { pool, slot: &pool.slots[number], begun_at: None, patience: 0, at_times: None }
    }

    /// The same worker, alone, which shows what is left from time to time.
    pub(crate) fn showing(self, period: Duration, at_times: AtTimes<'a>) -> Self {
        Self { at_times: Some((at_times, period, Instant::now() + period)), ..self }
    }

    /// Whether it may begin another execution.
    fn may_begin(&mut self, explored: u64) -> ControlFlow<Cut> {
        let Some(limit) = self.pool.limit else { return ControlFlow::Continue(()) };
        if self.begun_at == Some(explored) {
            // The last one came to nothing.
            return ControlFlow::Continue(());
        }
        self.begun_at = Some(explored);
        if self.pool.begun.fetch_add(1, Ordering::Relaxed) < limit {
            return ControlFlow::Continue(());
        }
        // Others finish what they have begun.
        let mut shared = self.pool.lock();
        shared.done = true;
        self.pool.changed.notify_all();
        ControlFlow::Break(Cut::Executions(limit))
    }

    /// Shares the remaining work with idle workers, or stops for a moment.
    #[cold]
    fn attend(&mut self, left: &mut Left<'_>) {
        let mut shared = self.pool.lock();
        if let Some(pause) = &mut shared.pause {
            pause.standing += 1;
            pause.left.extend(left.all());
            self.pool.changed.notify_all();
            while shared.pause.is_some() && !self.pool.stop.load(Ordering::Relaxed) {
                shared = self.pool.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
        }
        let is_shared = left.counts.steps >= self.pool.alone;
        if !is_shared {
            self.patience = PATIENCE;
        }
        while is_shared && shared.idle > shared.waiting.len() {
            match left.give() {
                Some(subtree) => shared.waiting.push(subtree),
                None => {
                    self.patience = PATIENCE;
                    break;
                }
            }
            self.pool.changed.notify_all();
        }
        let wanted = shared.idle > shared.waiting.len() || shared.pause.is_some();
        self.pool.attention.store(wanted, Ordering::Relaxed);
    }

    /// Does what is to be done from time to time, if it is time.
    fn look_at_clock(&mut self, left: &Left<'_>) {
        let Some((at_times, period, next)) = &mut self.at_times else { return };
        self.patience = STRIDE;
        if Instant::now() >= *next {
            at_times(left.all(), left.counts);
            *next = Instant::now() + *period;
        }
    }
}

impl Exchange for Member<'_> {
    fn take(&mut self, counts: Counts) -> Option<Subtree> {
        self.slot.publish(counts);
        let all = self.pool.slots.len();
        let mut shared = self.pool.lock();
        shared.idle += 1;
        if shared.pause.is_some() {
            // It stands still now.
            self.pool.changed.notify_all();
        }
        loop {
            if shared.done || self.pool.stop.load(Ordering::Relaxed) {
                return None;
            }
            if shared.pause.is_none() {
                // The one nearest to the root is likely to be the largest.
                let waiting = shared.waiting.iter().enumerate();
                if let Some((nearest, _)) = waiting.min_by_key(|(_, subtree)| subtree.depth()) {
                    shared.idle -= 1;
                    return Some(shared.waiting.swap_remove(nearest));
                }
                if shared.idle == all {
                    shared.done = true;
                    self.pool.changed.notify_all();
                    return None;
                }
                self.pool.attention.store(true, Ordering::Relaxed);
            }
            shared = self.pool.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn meet(&mut self, left: &mut Left<'_>) -> ControlFlow<Cut> {
        self.slot.publish(left.counts);
        self.slot.done.store(left.done().unwrap_or(0.0).to_bits(), Ordering::Relaxed);
        self.may_begin(left.counts.executions())?;
        match self.patience.checked_sub(1) {
            Some(patience) => self.patience = patience,
            None if self.at_times.is_some() => self.look_at_clock(left),
            None if self.pool.attention.load(Ordering::Relaxed) => self.attend(left),
            None => {}
        }
        ControlFlow::Continue(())
    }
}
