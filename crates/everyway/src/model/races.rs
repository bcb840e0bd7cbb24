//! Synchronisation between threads, and data races between accesses to cells.
//!
//! The runtime decides both, by the rules of the language. This module passes it the accesses, and describes what it
//! finds.

use super::describe::{object_name, source};
use super::object::Named;
use super::wording::word;
use super::{CodeSite, Failure, Inner, Pending};
use everyway_report::{BugKind, RacingAccess};
use everyway_runtime::{
    Bytes, Epoch, EventId, Location, Ordering, Race, Races, Site, Source, Stamp, ThreadId, Touch, Verb, Visit, Weak,
};

/// What reports call an access through a pointer that may be used for either.
pub(crate) const GET: &str = "get, which counts as a write,";

/// How a cell is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// Through a pointer that may be used for either.
    Get,
}

impl Mode {
    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Get => GET,
        }
    }

    fn touch(self) -> Touch {
        match self {
            Mode::Read => Touch::Read,
            Mode::Write | Mode::Get => Touch::Write,
        }
    }
}

/// What was done at a site.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// An access to a cell, by a thread that had taken so many steps.
    Cell(Mode, u32),
    /// An access of an operation, with its ordering.
    Access(Verb, Ordering),
}

/// Which write each access of an operation is told to read, and which event the operation is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) event: EventId,
}

/// The races of an execution, and the places that they are told by.
#[derive(Debug, Default)]
pub(crate) struct Detector {
    races: Races,
    /// By site.
    sites: Vec<(CodeSite, Action)>,
}

impl Detector {
    /// Forgets the execution.
    pub(crate) fn reset(&mut self) {
        self.races.reset();
        self.sites.clear();
    }

    fn site(&mut self, caller: CodeSite, action: Action) -> Site {
        self.sites.push((caller, action));
        Site::new(self.sites.len() - 1)
    }

    /// `parent` spawns `child`.
    pub(crate) fn spawn(&mut self, parent: ThreadId, child: ThreadId) {
        self.races.spawn(parent, child);
    }

    /// `thread` leaves something shared, by a change of its count that is no step.
    pub(crate) fn leave(&mut self, thread: ThreadId, visit: &Visit, caller: CodeSite) {
        let site = self.site(caller, Action::Access(Verb::DropArc, visit.ordering()));
        self.races.synchronise(thread, Verb::DropArc, visit, site);
        self.races.tick(thread);
    }

    /// The present moment of `thread`.
    pub(super) fn now(&self, thread: ThreadId) -> Epoch {
        self.races.now(thread)
    }

    /// A fence of `thread`.
    pub(crate) fn fence(&mut self, thread: ThreadId, ordering: Ordering) {
        self.races.fence(thread, ordering);
    }

    /// Whether all that was released by accesses to the location happens before what `thread` does next.
    pub(crate) fn has_acquired(&self, thread: ThreadId, location: Location) -> bool {
        self.races.has_acquired(thread, location)
    }

    /// Why two accesses are not ordered although their threads communicated.
    fn weakness(&self, weak: Weak) -> Option<String> {
        let (Weak::Write(site) | Weak::Read(site)) = weak;
        match self.sites.get(site.index())? {
            (caller, Action::Access(verb, ordering)) => {
                let (file, line) = (caller.file(), caller.line());
                Some(format!(": the {ordering} {} does not synchronise ({file}:{line})", word(*verb)))
            }
            (_, Action::Cell(..)) => None,
        }
    }
}

impl Inner {
    /// Takes note of what `thread` releases and acquires by an operation that is one access.
    pub(super) fn note_one(&mut self, thread: ThreadId, verb: Verb, caller: CodeSite, visit: &Visit) {
        let Self { detector, .. } = self;
        if matches!(Named::of(visit.access.location), Named::Object(_)) {
            let site = detector.site(caller, Action::Access(verb, visit.ordering()));
            detector.races.synchronise(thread, verb, visit, site);
        }
        detector.races.tick(thread);
    }

    /// Takes note of what `thread` releases and acquires by an operation that did `visits`.
    pub(super) fn note_synchronisation(
        &mut self,
        thread: ThreadId,
        pending: &Pending,
        visits: &[Visit],
        told: Option<Told<'_>>,
    ) {
        let Self { detector, .. } = self;
        let (verb, caller) = (pending.label.verb, pending.label.caller);
        for (position, visit) in visits.iter().enumerate() {
            let location = visit.access.location;
            // A condition variable orders nothing by itself; its mutex does.
            let orders = matches!(Named::of(location), Named::Object(_)) && pending.condvar() != Some(location);
            if !orders {
                continue;
            }
            let site = detector.site(caller, Action::Access(verb, visit.ordering()));
            match told {
                None => detector.races.synchronise(thread, verb, visit, site),
                Some(Told { sources, event }) => {
                    let source = sources.get(position).copied().unwrap_or(Source::Initial);
                    detector.races.synchronise_told(thread, verb, visit, site, (source, event));
                }
            }
        }
        if let Some(joined) = pending.operation.joins {
            detector.races.join(thread, joined);
        }
        if let Some(ordering) = pending.operation.fence {
            detector.races.fence(thread, ordering);
        }
        detector.races.tick(thread);
    }

    /// Takes note of an access of the running thread to a cell; the race of it with an earlier one, if there is one.
    pub(crate) fn access_cell(&mut self, cell: Location, mode: Mode, caller: CodeSite) -> Option<Failure> {
        let (thread, mut found) = (self.running, None);
        let steps = self.threads[thread.index()].steps;
        let site = self.detector.site(caller, Action::Cell(mode, steps));
        let place = (cell, Bytes::ALL);
        self.detector.races.touch(thread, place, mode.touch(), site, None, |race| _ = found.get_or_insert(race));
        found.map(|race| self.race(cell, &race))
    }

    fn race(&self, cell: Location, race: &Race) -> Failure {
        let object = object_name(self, cell);
        let access = |stamp: &Stamp| {
            let (caller, action) = self.detector.sites[stamp.site.index()];
            RacingAccess {
                thread: stamp.epoch.thread.index(),
                operation: match action {
                    Action::Cell(mode, _) => mode.name().to_owned(),
                    Action::Access(verb, _) => word(verb).to_owned(),
                },
                object: object.clone(),
                source: Some(source(caller)),
                steps_before: match action {
                    Action::Cell(_, steps) => Some(steps as usize),
                    Action::Access(..) => None,
                },
            }
        };
        let reason = race.because.and_then(|weak| self.detector.weakness(weak)).unwrap_or_default();
        let message = format!("two unordered accesses to {object}, one of them a write{reason}");
        let (caller, _) = self.detector.sites[race.later.site.index()];
        Failure {
            source: Some(source(caller)),
            accesses: vec![access(&race.earlier), access(&race.later)],
            ..Failure::new(BugKind::DataRace, message)
        }
    }
}
