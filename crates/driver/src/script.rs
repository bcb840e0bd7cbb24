//! One execution, as the stable names of the threads that take its steps, and the sources of its reads if those are
//! told.

use crate::settings::exceeded;
use everyway_explore::{
    Budget, Choice, Continue, Cut, Ending, Estimate, Guarantee, Guidance, Limits, Schedules, Strategy, TellsSources,
    ToldChoice, ToldStep, Trace,
};
use everyway_report::replay::ScheduledStep;
use everyway_runtime::{
    Bytes, EventId, Location, ModificationOrders, Source, State, Status, Step, ThreadId, blocked, ready,
};
use std::time::Instant;

/// Takes the steps of a schedule and no others.
#[derive(Debug)]
pub(crate) struct Schedule {
    steps: Vec<ToldStep>,
    tells_sources: bool,
    /// The sources of the reads of the step that was chosen.
    sources: Vec<Source>,
    limits: Limits,
    started: Instant,
    stopped: Option<Cut>,
}

impl Schedule {
    /// A strategy that takes these steps, as long as the limits of what began at `started` allow.
    pub(crate) fn new(steps: &[ScheduledStep], limits: &Limits, started: Instant) -> Self {
        let tells_sources = Self::is_told(steps);
        let steps = told_steps(steps);
        Self { steps, tells_sources, sources: Vec::new(), limits: limits.clone(), started, stopped: None }
    }

    /// Whether reads are told their sources.
    pub(crate) fn is_told(steps: &[ScheduledStep]) -> bool {
        steps.iter().any(|step| !step.reads.is_empty())
    }

    /// What has kept it from taking all steps.
    pub(crate) fn stopped(&self) -> Option<Cut> {
        self.stopped
    }
}

/// The steps of a schedule.
pub(crate) fn told_steps(steps: &[ScheduledStep]) -> Vec<ToldStep> {
    let source = |&read: &u32| match read.checked_sub(1) {
        None => Source::Initial,
        Some(event) => Source::Event(EventId(event)),
    };
    let step = |step: &ScheduledStep| ToldStep {
        thread: step.thread.parse().ok(),
        choice: step.choice,
        sources: step.reads.iter().map(source).collect(),
        place: step.place.as_ref().map(source),
    };
    steps.iter().map(step).collect()
}

impl Schedule {
    /// The next step of those that are to be taken after the events of `trace`.
    fn next(&mut self, trace: &Trace, state: &dyn State) -> Next {
        let Some(ToldStep { thread: path, choice, sources, .. }) = self.steps.get(trace.len()) else {
            return Next::None;
        };
        self.stopped = exceeded(&self.limits, self.started);
        if self.stopped.is_some() {
            return Next::Stopped;
        }
        // The number of sources is that of the accesses, if it is the same program.
        self.sources.clone_from(sources);
        let mut threads = (0..state.threads()).map(ThreadId::new);
        let thread = threads.find(|thread| path.as_ref() == Some(&state.path(*thread)));
        Next::Step(Step { thread: thread.unwrap_or(ThreadId::new(state.threads())), choice: *choice })
    }
}

/// What comes next in a schedule.
enum Next {
    /// A step. Whether its thread can take it is for the program to say: if not, or if there is no such thread, it is not
    /// the same program.
    Step(Step),
    /// No step: all have been taken.
    None,
    /// No step, because of a limit.
    Stopped,
}

impl Strategy for Schedule {
    fn name(&self) -> &'static str {
        "replay"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Nothing
    }

    fn guidance(&mut self) -> Guidance<'_> {
        if self.tells_sources { Guidance::TellsSources(self) } else { Guidance::Schedules(self) }
    }

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {}

    fn backtrack(&mut self, _: &Trace, _: &dyn State) -> Continue {
        Continue::Finished
    }

    fn estimate(&self) -> Estimate {
        Estimate { explored: 0, total: None }
    }
}

impl Schedules for Schedule {
    fn needs_order(&self) -> bool {
        false
    }

    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        match self.next(trace, state) {
            Next::Step(step) => Choice::Take(step),
            Next::None | Next::Stopped => Choice::Redundant,
        }
    }
}

impl TellsSources for Schedule {
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> ToldChoice {
        let is_alive = |thread: ThreadId| thread.index() < state.threads() && state.status(thread) != Status::Ended;
        match self.next(trace, state) {
            Next::Step(step) if is_alive(step.thread) => ToldChoice::Take(step),
            Next::Step(step) => ToldChoice::Impossible(step),
            Next::None if ready(state).next().is_none() => {
                let waits = blocked(state).next().is_some();
                ToldChoice::End(if waits { Ending::Blocked } else { Ending::Complete })
            }
            Next::None | Next::Stopped => ToldChoice::End(Ending::Redundant),
        }
    }

    fn sources(&self) -> &[Source] {
        &self.sources
    }

    fn modification_orders(&self, trace: &Trace) -> ModificationOrders {
        let mut orders: Vec<(Location, Bytes, Vec<EventId>)> = Vec::new();
        for event in trace.events_from(0) {
            for visit in trace.visits(event).iter().filter(|visit| visit.class.changes()) {
                let (location, bytes) = (visit.access.location, visit.access.bytes);
                let is_known = |order: &(Location, Bytes, Vec<EventId>)| (order.0, order.1) == (location, bytes);
                let known = orders.iter().position(is_known).unwrap_or_else(|| {
                    orders.push((location, bytes, Vec::new()));
                    orders.len() - 1
                });
                let writes = &mut orders[known].2;
                let place = self.steps.get(event.index()).and_then(|step| step.place);
                let position = match place {
                    None => writes.len(),
                    Some(Source::Initial) => 0,
                    Some(Source::Event(before)) => {
                        writes.iter().position(|&write| write == before).map_or(writes.len(), |before| before + 1)
                    }
                };
                writes.insert(position, event);
            }
        }
        let orders = orders.into_iter().map(|(location, _, writes)| (location, writes));
        ModificationOrders::new(orders.collect())
    }
}
