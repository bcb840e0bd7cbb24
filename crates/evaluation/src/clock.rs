//! How long a cell may take, so that all of them together take about as long as was asked for.

use std::time::{Duration, Instant};

/// The time of a run.
#[derive(Debug)]
pub(crate) struct Clock {
    /// When it ends, if it does by itself.
    end: Option<Instant>,
    /// The most that a cell may take.
    most: Duration,
}

impl Clock {
    pub(crate) fn new(total: Option<Duration>, most: Duration) -> Self {
        Self { end: total.map(|total| Instant::now() + total), most }
    }

    /// How long the next cell may take: not more than a tenth of what is left, and never less than a second, since most
    /// need no more.
    pub(crate) fn limit(&self) -> Option<Duration> {
        let left = self.end?.saturating_duration_since(Instant::now());
        Some(self.most.min((left / 10).max(Duration::from_secs(1))))
    }

    /// What others take does not count.
    pub(crate) fn spend_elsewhere(&mut self, time: Duration) {
        self.end = self.end.map(|end| end + time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_get_less_towards_the_end() {
        let seconds = Duration::from_secs;
        assert_eq!(Clock::new(Some(seconds(600)), seconds(20)).limit(), Some(seconds(20)));
        let late = Clock::new(Some(seconds(100)), seconds(20)).limit().expect("there is a limit");
        assert!(late <= seconds(10) && late > seconds(8), "{late:?}");
        let mut over = Clock::new(Some(seconds(0)), seconds(20));
        assert_eq!(over.limit(), Some(seconds(1)));
        over.spend_elsewhere(seconds(1000));
        assert_eq!(over.limit(), Some(seconds(20)));
        assert_eq!(Clock::new(None, seconds(20)).limit(), None);
    }
}
