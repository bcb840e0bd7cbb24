//! The expected number of executions, for hosts that ask for it: estimated by random walks, and known exactly once the
//! exploration has ended.
//!
//! The walker has executions of its own, on a thread that has no others: the one that supervises the workers, or one
//! that is created when the host first asks.

use crate::memory_model::{Commuting, Rules};
use crate::settings::Settings;
use crate::subject::Subject;
use everyway_explore::{Algorithm, Estimate, MemoryModel, Prober};
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

/// How long it is walked each time the host asks.
const WALKS: Duration = Duration::from_millis(20);

/// What walks have come to.
#[derive(Clone, Copy, Debug, Default)]
struct Walked {
    /// How many executions there are in all.
    total: Option<f64>,
    /// Where the first walk takes long: how many there are at least, by what it has come to.
    least: Option<f64>,
}

impl Walked {
    /// How many there may be, where the exploration itself takes `seen` for typical and has explored so many.
    fn beside(self, seen: Option<f64>, explored: u64) -> Option<f64> {
        let least = self.least.filter(|&least| seen.is_none_or(|seen| seen < least));
        // What the exploration itself has seen may be wrong by any factor, until it has seen more than the walks tell of.
        self.total.or(least).filter(|&walked| walked > explored as f64).or(seen)
    }
}

/// Who walks in a program.
pub(crate) struct Walker<'a, S: Subject> {
    subject: &'a S,
    settings: &'a Settings,
    /// Made when the host first asks; none of what cannot be walked in, or where a walk has come to an end.
    prober: Option<Prober<S::Execution>>,
    has_begun: bool,
}

impl<'a, S: Subject> Walker<'a, S> {
    /// One that walks as the strategy of `settings` explores.
    fn new(subject: &'a S, settings: &'a Settings) -> Self {
        Self { subject, settings, prober: None, has_begun: false }
    }

    /// Walks for a while.
    fn walk(&mut self) -> Walked {
        if !std::mem::replace(&mut self.has_begun, true) && self.subject.is_probed() {
            self.prober = self.begin();
        }
        let Some(prober) = &mut self.prober else { return Walked::default() };
        prober.walk(WALKS);
        let walked = Walked { total: prober.total(), least: prober.at_least() };
        if walked.least.is_none() {
            // It has come to something that fails.
            let prober = self.prober.take();
            prober.into_iter().for_each(|prober| self.subject.abandon(&mut prober.into_program()));
        }
        walked
    }

    /// Where nothing commutes, `optimal` has as many executions as there are graphs under `sc`: it is walked among those, and
    /// a walk that finds that something does commute comes to nothing.
    fn begin(&self) -> Option<Prober<S::Execution>> {
        let Settings { algorithm, order, limits, .. } = self.settings;
        let (algorithm, execution) = match *algorithm {
            Algorithm::Optimal => {
                let mut subject = self.subject.clone();
                subject.run_under(Rules { commuting: Commuting::AssumedNone, ..Rules::told(MemoryModel::Sc) });
                (Algorithm::Graphs { model: MemoryModel::Sc }, subject.begin())
            }
            // What cannot be told in subtrees cannot be walked in.
            other => (other.root(1).map(|_| other)?, self.subject.begin()),
        };
        Prober::new(execution, algorithm, order.clone(), limits)
    }
}

/// What is known of how large an exploration is.
pub(crate) struct Expected<'a, S: Subject> {
    walker: RefCell<Walker<'a, S>>,
    /// What the last walks have come to.
    last: Cell<Walked>,
    /// How many executions were explored before, by other processes.
    before: u64,
}

impl<'a, S: Subject> Expected<'a, S> {
    /// Nothing yet. The calling thread is to run no other executions of the program.
    pub(crate) fn new(subject: &'a S, settings: &'a Settings, before: u64) -> Self {
        let walker = RefCell::new(Walker::new(subject, settings));
        Self { walker, last: Cell::default(), before }
    }

    /// How many there may be in all, where the exploration itself takes `seen` for typical.
    pub(crate) fn total(&self, seen: Estimate) -> Estimate {
        let walked = self.walker.borrow_mut().walk();
        // Walks that have come to an end have told something.
        let total = walked.total.or(self.last.get().total);
        self.last.set(Walked { total, ..walked });
        together(self.last.get(), seen, self.before)
    }
}

fn together(walked: Walked, seen: Estimate, before: u64) -> Estimate {
    let explored = seen.explored.saturating_add(before);
    let total = seen.total.map(|total| total + before as f64);
    Estimate { explored, total: walked.beside(total, explored) }
}

/// What a thread that walks is asked for, and has come to.
#[derive(Debug, Default)]
struct Asked {
    is_wanted: bool,
    is_over: bool,
    walked: Walked,
}

/// [`Expected`], for a single worker: another thread walks, from when the host first asks.
pub(crate) struct ExpectedElsewhere<'scope, 'env, S: Subject> {
    scope: &'scope Scope<'scope, 'env>,
    subject: &'env S,
    settings: &'env Settings,
    before: u64,
    asked: Arc<(Mutex<Asked>, Condvar)>,
    has_begun: Cell<bool>,
}

impl<'scope, 'env, S: Subject> ExpectedElsewhere<'scope, 'env, S> {
    /// Nothing yet.
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        subject: &'env S,
        settings: &'env Settings,
        before: u64,
    ) -> Self {
        Self { scope, subject, settings, before, asked: Arc::default(), has_begun: Cell::new(false) }
    }

    /// How many there may be in all, where the exploration itself takes `seen` for typical: by the walks so far. Others are
    /// asked for.
    pub(crate) fn total(&self, seen: Estimate) -> Estimate {
        if !self.has_begun.replace(true) && self.subject.is_probed() {
            let (subject, settings, asked) = (self.subject, self.settings, Arc::clone(&self.asked));
            let walk = move || walk_when_asked(&mut Walker::new(subject, settings), &asked);
            // If no thread can be made, there are no walks, and the estimate is the exploration's own.
            let _ = std::thread::Builder::new().name("everyway estimate".to_owned()).spawn_scoped(self.scope, walk);
        }
        let (asked, changed) = &*self.asked;
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.is_wanted = true;
        changed.notify_all();
        together(asked.walked, seen, self.before)
    }
}

impl<S: Subject> Drop for ExpectedElsewhere<'_, '_, S> {
    fn drop(&mut self) {
        let (asked, changed) = &*self.asked;
        asked.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        changed.notify_all();
    }
}

fn walk_when_asked<S: Subject>(walker: &mut Walker<'_, S>, (asked, changed): &(Mutex<Asked>, Condvar)) {
    let lock = || asked.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let waits = |asked: &mut Asked| !asked.is_wanted && !asked.is_over;
        let mut now = changed.wait_while(lock(), waits).unwrap_or_else(PoisonError::into_inner);
        if now.is_over {
            return;
        }
        now.is_wanted = false;
        drop(now);
        let walked = walker.walk();
        let mut now = lock();
        now.walked = Walked { total: walked.total.or(now.walked.total), ..walked };
    }
}
