//! The time that an exploration has left: a deadline, and a cancellation flag that other threads set.
//!
//! Everything that may take long consults it ([`Budget::is_exhausted`]): the explorer between steps and between
//! executions, and every search within a strategy whose length is not bounded by that of an execution. A search that
//! has to stop ends at once, with less than it might have found. The budget remembers that it stopped a search; the
//! exploration then does not count as finished.

use crate::explorer::Cut;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long an exploration may still go on.
#[derive(Debug)]
pub struct Budget {
    started: Instant,
    time: Option<Duration>,
    cancelled: Arc<AtomicBool>,
    /// How often it may be asked before it looks again.
    credit: Cell<u32>,
    exhausted: Cell<Option<Cut>>,
}

impl Budget {
    /// So often it is asked for each look at the clock.
    const ASKED_PER_LOOK: u32 = 256;

    /// A budget that starts now, and ends after `time` or when `cancelled` is set.
    pub fn new(time: Option<Duration>, cancelled: Arc<AtomicBool>) -> Self {
        let (credit, exhausted) = (Cell::new(Self::ASKED_PER_LOOK), Cell::new(None));
        Self { started: Instant::now(), time, cancelled, credit, exhausted }
    }

    /// A budget without an end.
    pub fn unlimited() -> Self {
        Self::new(None, Arc::default())
    }

    /// Whether to stop now. It takes next to no time to ask, and stays true once it is.
    #[inline]
    pub fn is_exhausted(&self) -> bool {
        match self.credit.get().checked_sub(1) {
            Some(credit) => {
                self.credit.set(credit);
                false
            }
            None => self.look().is_some(),
        }
    }

    /// Why to stop now, by a look at the clock.
    pub(crate) fn look(&self) -> Option<Cut> {
        if self.exhausted.get().is_none() {
            self.exhausted.set(self.cut());
        }
        let asked_per_look = if self.exhausted.get().is_some() { 0 } else { Self::ASKED_PER_LOOK };
        self.credit.set(asked_per_look);
        self.exhausted.get()
    }

    /// Why the answer was to stop, if it ever was.
    pub(crate) fn said_to_stop(&self) -> Option<Cut> {
        self.exhausted.get()
    }

    fn cut(&self) -> Option<Cut> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(Cut::Interrupted);
        }
        self.time.filter(|&time| self.started.elapsed() >= time).map(Cut::Time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_exhausted_and_remembers() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::new(None, Arc::clone(&flag));
        assert!((0..1000).all(|_| !budget.is_exhausted()) && budget.said_to_stop().is_none());
        flag.store(true, Ordering::Relaxed);
        assert!((0..=Budget::ASKED_PER_LOOK).any(|_| budget.is_exhausted()));
        flag.store(false, Ordering::Relaxed);
        assert!(budget.is_exhausted());
        assert_eq!(budget.said_to_stop(), Some(Cut::Interrupted));
    }

    #[test]
    fn time_runs_out() {
        let budget = Budget::new(Some(Duration::ZERO), Arc::default());
        assert!((0..=Budget::ASKED_PER_LOOK).any(|_| budget.is_exhausted()));
        assert_eq!(budget.said_to_stop(), Some(Cut::Time(Duration::ZERO)));
    }
}
