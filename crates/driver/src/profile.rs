//! A profile of an exploration: which races multiply its executions, how long they are, and how the estimate of their
//! number developed. With it a user can make a test smaller.
//!
//! An execution branches off the one before it because two of its steps came in the other order: the step that the
//! former took there, and one that now comes before it. It is counted for the source locations of these two.

use crate::subject::Subject;
use everyway_explore::{Progress, Trace};
use everyway_report::{EstimateSoFar, Lengths, Profile, RacingPlaces, Source};
use everyway_runtime::{EventId, Step};
use std::collections::HashMap;
use std::time::Instant;

/// So many pairs of places are reported.
const MOST_PAIRS: usize = 20;

/// Two places, in order.
type Places = (Option<Source>, Option<Source>);

/// Watches executions for a profile.
pub(crate) struct Profiler {
    started: Instant,
    previous: Vec<Step>,
    pairs: HashMap<Places, u64>,
    executions: u64,
    lengths: Lengths,
    steps: u64,
    estimates: Vec<EstimateSoFar>,
}

impl Profiler {
    pub(crate) fn new(started: Instant) -> Self {
        let lengths = Lengths { shortest: usize::MAX, longest: 0, mean: 0.0 };
        let (previous, pairs, estimates) = (Vec::new(), HashMap::new(), Vec::new());
        Self { started, previous, pairs, executions: 0, lengths, steps: 0, estimates }
    }

    /// An execution has ended.
    pub(crate) fn ended<S: Subject>(&mut self, subject: &S, execution: &S::Execution, trace: &Trace) {
        let steps: Vec<Step> = trace.steps().collect();
        if self.executions > 0 {
            let branch = self.previous.iter().zip(&steps).take_while(|(one, other)| one == other).count();
            let place = |event: Option<EventId>| event.and_then(|event| subject.place(execution, event));
            let (one, other) = self.reversed(trace, branch);
            let (one, other) = (place(one), place(other));
            let key = |place: &Option<Source>| place.as_ref().map(|place| (place.file.clone(), place.line));
            let pair = if key(&one) <= key(&other) { (one, other) } else { (other, one) };
            *self.pairs.entry(pair).or_default() += 1;
        }
        self.executions += 1;
        self.steps += steps.len() as u64;
        self.lengths.shortest = self.lengths.shortest.min(steps.len());
        self.lengths.longest = self.lengths.longest.max(steps.len());
        self.previous = steps;
    }

    /// The step that the previous execution took where this one branches off, and the one that comes before it now.
    fn reversed(&self, trace: &Trace, branch: usize) -> (Option<EventId>, Option<EventId>) {
        let first = trace.events_from(branch).next();
        let Some(old) = self.previous.get(branch) else { return (None, first) };
        let own = |event: &EventId| trace.event(*event).step.thread == old.thread;
        let Some(overtaken) = trace.events_from(branch).find(own) else { return (None, first) };
        let races = trace.races(overtaken).iter().copied().filter(|race| race.index() >= branch);
        (Some(overtaken), races.min().or(first.filter(|first| *first != overtaken)))
    }

    /// Takes note of the estimate, at the first execution, the second, the fourth and so on.
    pub(crate) fn estimate(&mut self, progress: &Progress<'_>) {
        if !self.executions.is_power_of_two() {
            return;
        }
        let total = progress.estimate().total;
        let seconds = self.started.elapsed().as_secs_f64();
        self.estimates.extend(total.map(|total| EstimateSoFar { executions: self.executions, seconds, total }));
    }

    /// The exploration starts over.
    pub(crate) fn start_over(&mut self) {
        *self = Self::new(self.started);
    }

    /// What two workers have found out.
    pub(crate) fn and(mut self, other: Self) -> Self {
        for (pair, executions) in other.pairs {
            *self.pairs.entry(pair).or_default() += executions;
        }
        self.executions += other.executions;
        self.steps += other.steps;
        self.lengths.shortest = self.lengths.shortest.min(other.lengths.shortest);
        self.lengths.longest = self.lengths.longest.max(other.lengths.longest);
        // Each knows of its own part only.
        self.estimates.clear();
        self
    }

    /// What was found out.
    pub(crate) fn finish(self) -> Profile {
        let mut pairs: Vec<RacingPlaces> =
            self.pairs.into_iter().map(|((one, other), executions)| RacingPlaces { one, other, executions }).collect();
        let key = |place: &Option<Source>| place.as_ref().map(|place| (place.file.clone(), place.line, place.column));
        pairs.sort_by_key(|pair| (std::cmp::Reverse(pair.executions), key(&pair.one), key(&pair.other)));
        let others = pairs.iter().skip(MOST_PAIRS).map(|pair| pair.executions).sum();
        pairs.truncate(MOST_PAIRS);
        let lengths = Lengths {
            shortest: if self.executions == 0 { 0 } else { self.lengths.shortest },
            mean: self.steps as f64 / self.executions.max(1) as f64,
            ..self.lengths
        };
        Profile { pairs, others, lengths, estimates: self.estimates }
    }
}
