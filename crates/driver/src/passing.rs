//! Why an execution fails: the execution that passes and has the longest beginning in common with it.
//!
//! The executions that begin as the failing one does are searched depth first, those that leave it last first. Where an
//! execution has left it, the steps that are left are taken in the order that they have in the failing one, so that what
//! is found differs in little else. Sleep sets (Godefroid, 1996) leave out what is equivalent to something that has
//! failed already. What is found was run, and passed: the search may give up, but it never guesses.
//!
//! This module knows nothing of how the failing execution was found. Executions whose reads are told their sources are
//! not searched: which sources a memory model allows is for its strategy to say.

use crate::effects::add_threads;
use crate::found::Found;
use crate::settings::exceeded;
use crate::subject::{Failure, Subject};
use everyway_explore::{
    AfterFailure, Budget, Choice, Continue, End, Ending, Estimate, Explorer, Limits, Progress, Strategy, Trace, Watcher,
};
use everyway_report::replay::ScheduledStep;
use everyway_report::{BugKind, Change, Execution, Passing};
use everyway_runtime::{Footprint, State, Step, ThreadId, ThreadPath, conflict, potentials, ready};
use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// So many executions are looked at.
const MOST_EXECUTIONS: u64 = 10_000;

/// So long.
const LONGEST: Duration = Duration::from_secs(2);

/// The execution that passes and has the longest beginning in common with what was found, if one is found soon.
pub(crate) fn passing<S: Subject>(subject: &S, found: &Found, limits: &Limits) -> Option<Passing> {
    let is_told = found.schedule.iter().any(|step| !step.reads.is_empty());
    let is_about_order = !matches!(
        found.bug.kind,
        BugKind::DataRace | BugKind::StepLimit | BugKind::Nondeterminism | BugKind::Unsupported
    );
    if is_told || !is_about_order || found.schedule.len() != found.bug.execution.events.len() {
        return None;
    }
    let mut search = Search::new(&found.schedule)?;
    let started = Instant::now();
    let time = limits.time.map_or(LONGEST, |limit| limit.min(LONGEST));
    let limits = Limits { time: Some(time), executions: Some(MOST_EXECUTIONS), ..limits.clone() };
    while exceeded(&limits, started).is_none() && search.executions < MOST_EXECUTIONS {
        match attempt(subject, &mut search, &limits, found) {
            Attempt::Passed(passing) => return Some(*passing),
            // This one fails, and cannot be taken back: the next one is begun anew.
            Attempt::Failed => match search.next() {
                Continue::From(_) => search.forget_sleepers(),
                Continue::StartOver | Continue::Finished => return None,
            },
            Attempt::None => return None,
        }
    }
    None
}

enum Attempt {
    Passed(Box<Passing>),
    Failed,
    None,
}

fn attempt<S: Subject>(subject: &S, search: &mut Search, limits: &Limits, found: &Found) -> Attempt {
    let mut execution = subject.begin();
    let mut explorer = Explorer::new(&mut execution, search, limits.clone());
    let mut watching = UntilPassed { subject, has_passed: false };
    let end = explorer.run_watched(&mut watching);
    let attempt = match end {
        End::Stopped(_) if watching.has_passed => {
            let (program, trace) = (explorer.program(), explorer.trace());
            let paths: Vec<ThreadPath> =
                (0..program.threads()).map(|thread| program.path(ThreadId::new(thread))).collect();
            let steps: Vec<ThreadPath> = trace.steps().map(|step| program.path(step.thread)).collect();
            let mut shown = subject.describe(program, trace);
            add_threads(&mut shown, trace);
            compare(found, shown, (&paths, &steps)).map_or(Attempt::None, |passing| Attempt::Passed(Box::new(passing)))
        }
        End::Failed(_) => Attempt::Failed,
        End::Finished | End::Stopped(_) | End::Diverged(_) => Attempt::None,
    };
    drop(explorer);
    if matches!(attempt, Attempt::Failed) {
        subject.abandon(&mut execution);
    }
    attempt
}

/// Watches until an execution passes.
struct UntilPassed<'a, S> {
    subject: &'a S,
    has_passed: bool,
}

impl<S: Subject> Watcher<S::Execution> for UntilPassed<'_, S> {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        self.has_passed = progress.ending == Ending::Complete;
        if self.has_passed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn failed(&mut self, failure: &Failure<S>, execution: &S::Execution, _: &Trace) -> AfterFailure {
        let goes_on = self.subject.can_go_on(failure) && self.subject.refuted(execution, failure).is_none();
        if goes_on { AfterFailure::GoOn(0) } else { AfterFailure::Stop }
    }
}

/// A step, by the lasting name of its thread.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Named {
    thread: ThreadPath,
    choice: u32,
}

/// A step with what it may do.
#[derive(Clone, Debug)]
struct Sleeper {
    step: Named,
    /// What it may do, wherever it comes.
    footprints: Vec<Footprint>,
}

/// A state on the current path.
struct Node {
    taken: Sleeper,
    todo: VecDeque<Sleeper>,
    /// Steps that need not be taken here.
    sleep: Vec<Sleeper>,
}

/// The search, as a strategy. It outlives an execution that fails and cannot be taken back.
struct Search {
    failing: Vec<Named>,
    /// The positions of each thread's steps in the failing execution.
    positions: BTreeMap<ThreadPath, Vec<usize>>,
    path: Vec<Node>,
    executions: u64,
}

impl Search {
    fn new(schedule: &[ScheduledStep]) -> Option<Self> {
        let named = |step: &ScheduledStep| Some(Named { thread: step.thread.parse().ok()?, choice: step.choice });
        let failing = schedule.iter().map(named).collect::<Option<Vec<Named>>>()?;
        let mut positions: BTreeMap<ThreadPath, Vec<usize>> = BTreeMap::new();
        for (position, step) in failing.iter().enumerate() {
            positions.entry(step.thread.clone()).or_default().push(position);
        }
        Some(Self { failing, positions, path: Vec::new(), executions: 0 })
    }

    /// Another execution may call locations by other names.
    fn forget_sleepers(&mut self) {
        self.path.iter_mut().for_each(|node| node.sleep.clear());
    }

    /// When a thread takes its next step in the failing execution; last, if it takes none.
    fn position(&self, thread: &ThreadPath) -> usize {
        let taken = self.path.iter().filter(|node| node.taken.step.thread == *thread).count();
        self.positions.get(thread).and_then(|positions| positions.get(taken)).copied().unwrap_or(usize::MAX)
    }

    /// What can be done in `state`, what the failing execution does first: first.
    fn candidates(&self, state: &dyn State) -> Vec<Sleeper> {
        let mut candidates: Vec<((usize, bool), Sleeper)> = Vec::new();
        for thread in ready(state) {
            let path = state.path(thread);
            let position = self.position(&path);
            let usual = self.failing.get(position).map_or(0, |step| step.choice);
            for choice in 0..state.choices(thread) {
                let footprints = potentials(&state.operation(thread).accesses, &[]).to_vec();
                let step = Named { thread: path.clone(), choice };
                candidates.push(((position, choice != usual), Sleeper { step, footprints }));
            }
        }
        candidates.sort_by_key(|(place, _)| *place);
        candidates.into_iter().map(|(_, sleeper)| sleeper).collect()
    }

    /// A state that the path has come to, if there is anything to do in it.
    fn arrive(&mut self, state: &dyn State) -> Option<&Node> {
        let sleep: Vec<Sleeper> = self.path.last().map_or(Vec::new(), |last| {
            let stays = |sleeper: &&Sleeper| {
                sleeper.step.thread != last.taken.step.thread
                    && !conflict(&sleeper.footprints, &last.taken.footprints, state)
            };
            last.sleep.iter().filter(stays).cloned().collect()
        });
        let is_awake = |candidate: &Sleeper| !sleep.iter().any(|sleeper| sleeper.step == candidate.step);
        let mut todo: VecDeque<Sleeper> = self.candidates(state).into_iter().filter(is_awake).collect();
        let taken = todo.pop_front()?;
        self.path.push(Node { taken, todo, sleep });
        self.path.last()
    }

    /// Goes on to the next execution.
    fn next(&mut self) -> Continue {
        self.executions += 1;
        while let Some(node) = self.path.last_mut() {
            if let Some(next) = node.todo.pop_front() {
                let done = std::mem::replace(&mut node.taken, next);
                node.sleep.push(done);
                return Continue::From(self.path.len() - 1);
            }
            self.path.pop();
        }
        Continue::Finished
    }
}

impl Strategy for Search {
    fn name(&self) -> &'static str {
        "neighbours"
    }

    fn needs_order(&self) -> bool {
        false
    }

    fn is_exhaustive(&self) -> bool {
        false
    }

    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        let depth = trace.len();
        if depth >= self.path.len() && self.arrive(state).is_none() {
            return Choice::Redundant;
        }
        let Named { thread: path, choice } = &self.path[depth].taken.step;
        let thread = (0..state.threads()).map(ThreadId::new).find(|&thread| state.path(thread) == *path);
        Choice::Take(Step { thread: thread.unwrap_or(ThreadId::new(state.threads())), choice: *choice })
    }

    fn taken(&mut self, _: &Trace, _: &dyn State) {}

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {}

    fn backtrack(&mut self, _: &Trace) -> Continue {
        self.next()
    }

    fn estimate(&self) -> Estimate {
        Estimate { explored: self.executions, total: None }
    }
}

/// What separates what was found from `passed`, whose threads have these paths and take these steps.
fn compare(found: &Found, mut passed: Execution, (paths, steps): (&[ThreadPath], &[ThreadPath])) -> Option<Passing> {
    let failing: Vec<ThreadPath> = found.schedule.iter().map(|step| step.thread.parse().ok()).collect::<Option<_>>()?;
    let number = numbering(&found.bug.execution, &failing, paths);
    passed.renumber_threads(|thread| number.get(thread).copied().unwrap_or(thread));
    let first_difference = failing.iter().zip(steps).take_while(|(one, other)| one == other).count();
    let (change, is_only) = change(&passed, &failing, steps, first_difference);
    Some(Passing { execution: passed, first_difference, change, is_only })
}

/// The first two steps that depend on each other and come in the other order than in the failing execution, and whether
/// that is all: whether in all such pairs a step of the one thread comes before one of the other.
fn change(
    passed: &Execution,
    failing: &[ThreadPath],
    steps: &[ThreadPath],
    first_difference: usize,
) -> (Option<Change>, bool) {
    let places: Vec<Option<usize>> =
        (0..steps.len()).map(|step| position_of(failing, nth_of_thread(steps, step)?)).collect();
    let reversed = |&(earlier, later): &(usize, usize)| {
        let is_moved = |overtaken: usize| places[earlier].is_none_or(|moved| moved > overtaken);
        steps[earlier] != steps[later] && places[later].is_some_and(is_moved)
    };
    let ordered = passed.events.iter().enumerate();
    let ordered = ordered.flat_map(|(later, event)| event.happens_after.iter().map(move |&earlier| (earlier, later)));
    let pairs: Vec<(usize, usize)> = ordered.filter(|(_, later)| *later < steps.len()).filter(reversed).collect();
    let Some(&(earlier, later)) = pairs.first() else { return (None, false) };
    // What a thread does first to what the other comes to tells more than what it does last: locks, not unlocks.
    let is_first =
        |&step: &usize| steps[step] == steps[earlier] && passed.events[step].object == passed.events[later].object;
    let moved = (first_difference..earlier).find(is_first).unwrap_or(earlier);
    let same_threads = |pair: &(usize, usize)| steps[pair.0] == steps[earlier] && steps[pair.1] == steps[later];
    let change = places[later].map(|overtaken| Change { overtaken, moved: places[moved], moved_to: moved });
    (change, pairs.iter().all(same_threads))
}

/// The thread of a step, and how many it has taken before.
fn nth_of_thread(steps: &[ThreadPath], position: usize) -> Option<(&ThreadPath, usize)> {
    let thread = steps.get(position)?;
    Some((thread, steps[..position].iter().filter(|other| *other == thread).count()))
}

fn position_of(steps: &[ThreadPath], (thread, nth): (&ThreadPath, usize)) -> Option<usize> {
    (0..steps.len()).filter(|&position| steps[position] == *thread).nth(nth)
}

/// The numbers that the threads with these paths get, such that those that take steps in `failing` have the same there.
fn numbering(failing: &Execution, steps: &[ThreadPath], paths: &[ThreadPath]) -> Vec<usize> {
    let known = |path: &ThreadPath| {
        let step = steps.iter().position(|step| step == path)?;
        failing.events.get(step).map(|event| event.thread).filter(|&thread| thread < paths.len())
    };
    let known: Vec<Option<usize>> = paths.iter().map(known).collect();
    let mut free = (0..paths.len()).filter(|number| !known.contains(&Some(*number)));
    known.iter().map(|known| known.or_else(|| free.next()).unwrap_or(0)).collect()
}
