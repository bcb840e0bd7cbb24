//! How many executions there may be in all, for somebody who wants to know: as walks at random have it, and at last as the
//! exploration itself does, which knows it in the end.

use crate::memory_model::{Commuting, Rules};
use crate::settings::Settings;
use crate::subject::Subject;
use everyway_explore::{Algorithm, Estimate, MemoryModel, Prober};
use std::cell::RefCell;
use std::time::Duration;

/// So long it is walked whenever somebody wants to know.
const WALKS: Duration = Duration::from_millis(20);

/// What is known of how large an exploration is.
pub(crate) struct Expected<'a, S: Subject> {
    subject: &'a S,
    settings: &'a Settings,
    /// How many executions were explored before, by other processes.
    before: u64,
    /// Made when somebody first wants to know.
    prober: RefCell<Option<Prober<S::Execution>>>,
}

impl<'a, S: Subject> Expected<'a, S> {
    /// Nothing yet, of an exploration by the strategy of `settings`.
    pub(crate) fn new(subject: &'a S, settings: &'a Settings, before: u64) -> Self {
        Self { subject, settings, before, prober: RefCell::new(None) }
    }

    /// How many there may be in all, where the exploration itself takes `seen` for typical.
    pub(crate) fn total(&self, seen: Estimate) -> Estimate {
        let total = seen.total.map(|total| total + self.before as f64);
        let explored = seen.explored.saturating_add(self.before);
        let mut prober = self.prober.borrow_mut();
        if self.subject.is_probed() && prober.is_none() {
            *prober = self.prober();
        }
        let walked = prober.as_mut().and_then(|prober| {
            prober.walk(WALKS);
            // Where programs are large the first walk takes long, and what it has come to says that they are.
            let least = prober.at_least().filter(|&least| total.is_none_or(|total| total < least));
            prober.total().or(least)
        });
        // What the exploration itself has seen may be wrong by any factor, until it has seen more than the walks tell of.
        Estimate { explored, total: walked.filter(|&walked| walked > explored as f64).or(total) }
    }

    /// Those who walk. Where nothing commutes, `optimal` has as many executions as there are graphs under `sc`: it is
    /// walked among those, and a walk that finds that something does commute comes to nothing.
    fn prober(&self) -> Option<Prober<S::Execution>> {
        let Settings { algorithm, order, limits, .. } = self.settings;
        let graphs = Algorithm::Graphs { model: MemoryModel::Sc };
        let (algorithm, execution) = match algorithm {
            Algorithm::Optimal => {
                let mut subject = self.subject.clone();
                subject.run_under(Rules { commuting: Commuting::AssumedNone, ..Rules::told(MemoryModel::Sc) });
                (graphs, subject.begin())
            }
            _ => (*algorithm, self.subject.begin()),
        };
        Prober::new(execution, algorithm, order.clone(), limits)
    }
}
