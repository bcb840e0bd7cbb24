//! The findings of all workers of a check.
//!
//! Two failures are the same bug if they are of the same kind and in the same places: the line of a failed assertion,
//! the two lines of a data race, the lines in which threads wait for each other.

use crate::check::sum;
use crate::found::Found;
use crate::subject::{Failure, Host, SoFar, Subject};
use everyway_explore::Counts;
use everyway_report::frontier::{Exploration, FoundBug};
use everyway_report::{BugKind, SetAside, Source};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// So many bugs are collected; with them, the exploration ends.
pub(crate) const MOST_BUGS: usize = 100;

/// A bug that was found.
pub(crate) struct Collected<S> {
    pub(crate) found: Found,
    pub(crate) identity: Identity,
    /// The same program in more detail, if that is wanted for describing the bug.
    pub(crate) in_detail: Option<S>,
}

/// What was found. Workers ask for it when something fails, which is rare.
pub(crate) struct Findings<'h, S: Subject> {
    /// What was explored before, by other processes.
    pub(crate) before: Counts,
    inner: Mutex<Inner<'h, S>>,
}

pub(crate) struct Inner<'h, S: Subject> {
    pub(crate) host: &'h mut dyn Host<S>,
    pub(crate) found: Vec<Collected<S>>,
    /// Why executions could not be saved.
    pub(crate) notes: Vec<String>,
    /// Failures that were not looked for.
    pub(crate) set_aside: Vec<SetAside>,
    /// What the verdict takes for granted.
    pub(crate) assumed: Vec<String>,
    /// What was left out in executions that workers have explored so far, for a later run if this process is killed.
    pub(crate) left_out: Vec<String>,
    /// The place of the first sample that was too long.
    pub(crate) too_long: Option<String>,
}

impl<'h, S: Subject> Findings<'h, S> {
    /// Nothing but what was found before.
    pub(crate) fn new(host: &'h mut dyn Host<S>, before: &Exploration) -> Self {
        let collected = |FoundBug { bug, places }: &FoundBug| Collected {
            identity: Identity { kind: bug.kind, lines: places.clone() },
            found: Found { bug: bug.clone(), schedule: Vec::new(), interleaving: None },
            in_detail: None,
        };
        let found = before.bugs.iter().map(collected).collect();
        let (assumed, set_aside) = (before.assumed.clone(), before.set_aside.clone());
        let inner = Inner { host, found, notes: Vec::new(), set_aside, assumed, left_out: Vec::new(), too_long: None };
        Self { before: sum(before, Counts::default()), inner: Mutex::new(inner) }
    }

    /// A worker that panics takes the check with it, so what it leaves behind is not looked at.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner<'h, S>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn into_inner(self) -> Inner<'h, S> {
        self.inner.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn executed(&self, so_far: &SoFar<'_>) {
        self.lock().host.executed(so_far);
    }
}

impl<S: Subject> Inner<'_, S> {
    /// Whether there are enough bugs.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MOST_BUGS
    }

    /// These failures were set aside, too.
    pub(crate) fn set_aside(&mut self, failures: Vec<SetAside>) {
        for failure in failures {
            if !self.set_aside.contains(&failure) {
                self.set_aside.push(failure);
            }
        }
    }

    /// The verdict takes this for granted, too.
    pub(crate) fn assume(&mut self, assumed: Vec<String>) {
        for what in assumed {
            if !self.assumed.contains(&what) {
                self.assumed.push(what);
            }
        }
    }

    /// The number of a bug that is known.
    pub(crate) fn number(&self, identity: &Identity) -> Option<usize> {
        self.found.iter().position(|known| known.identity == *identity)
    }

    /// Saves what was found in `execution`, and keeps it.
    pub(crate) fn keep(&mut self, mut found: Found, identity: Identity, subject: &S, execution: &S::Execution) {
        found.save(subject, self.host, self.found.len(), &mut self.notes);
        self.found.push(Collected { found, identity, in_detail: subject.in_detail(execution) });
    }
}

/// What makes two failures the same bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) kind: BugKind,
    /// Files and lines, in order.
    pub(crate) lines: Vec<(String, u32)>,
}

impl Identity {
    pub(crate) fn of<S: Subject>(subject: &S, execution: &S::Execution, failure: &Failure<S>) -> Self {
        Self::new(subject.kind(failure), subject.places(execution, failure))
    }

    /// That of a bug in these places.
    pub(crate) fn new(kind: BugKind, places: impl IntoIterator<Item = Source>) -> Self {
        let mut lines: Vec<_> = places.into_iter().map(|source| (source.file, source.line)).collect();
        lines.sort_unstable();
        lines.dedup();
        Self { kind, lines }
    }

    /// That of a bug which ends the exploration.
    pub(crate) fn last(found: &Found) -> Self {
        let lines = found.bug.source.iter().map(|source| (source.file.clone(), source.line)).collect();
        Self { kind: found.bug.kind, lines }
    }
}
