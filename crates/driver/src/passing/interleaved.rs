//! Interleavings that begin as a failing execution does, depth first, those that leave it last first.
//!
//! Where an execution has left the failing one, the remaining steps are taken in the order that they have there, so
//! that the executions found differ in little else. Sleep sets (Godefroid, 1996) leave out executions that are
//! equivalent to one that has failed already.

use super::{MOST_EXECUTIONS, Passed, Rerun, UntilPassed};
use crate::found::Found;
use crate::settings::exceeded;
use crate::subject::Subject;
use everyway_explore::{
    Budget, Choice, Continue, End, Estimate, Explorer, Guarantee, Guidance, Limits, Schedules, Strategy, Trace,
};
use everyway_report::replay::ScheduledStep;
use everyway_runtime::{Footprint, State, Step, ThreadId, ThreadPath, conflict, potentials, ready};
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// The execution that passes and has the longest beginning in common with what was found, if one is found soon.
pub(super) fn search<S: Subject>(subject: &S, found: &Found, limits: &Limits) -> Option<Passed> {
    let mut search = Search::new(&found.schedule)?;
    let started = Instant::now();
    let mut rerun = Rerun::new(subject);
    while exceeded(limits, started).is_none() && search.executions < MOST_EXECUTIONS {
        match attempt(&mut rerun, &mut search, limits) {
            Attempt::Passed(passed) => return Some(*passed),
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
    Passed(Box<Passed>),
    Failed,
    None,
}

fn attempt<S: Subject>(rerun: &mut Rerun<'_, S>, search: &mut Search, limits: &Limits) -> Attempt {
    if !rerun.begin() {
        return Attempt::None;
    }
    let &mut Rerun { subject, initial, .. } = rerun;
    let mut explorer = Explorer::new(&mut rerun.execution, search, limits.clone());
    let mut watching = UntilPassed::new(subject);
    match explorer.run_watched(&mut watching) {
        End::Stopped(_) if watching.has_passed => {
            Attempt::Passed(Box::new(Passed::new(subject, explorer.program(), explorer.trace(), initial)))
        }
        End::Failed(_) => {
            rerun.abandon();
            Attempt::Failed
        }
        End::Finished | End::Stopped(_) | End::Diverged(_) => Attempt::None,
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
    /// How many steps of each thread are on the path.
    taken: BTreeMap<ThreadPath, usize>,
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
        Some(Self { failing, positions, path: Vec::new(), taken: BTreeMap::new(), executions: 0 })
    }

    /// Another execution may call locations by other names.
    fn forget_sleepers(&mut self) {
        self.path.iter_mut().for_each(|node| node.sleep.clear());
    }

    /// When a thread takes its next step in the failing execution; last, if it takes none.
    fn position(&self, thread: &ThreadPath) -> usize {
        let taken = self.taken.get(thread).copied().unwrap_or(0);
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
        *self.taken.entry(taken.step.thread.clone()).or_default() += 1;
        self.path.push(Node { taken, todo, sleep });
        self.path.last()
    }

    /// Goes on to the next execution.
    fn next(&mut self) -> Continue {
        self.executions += 1;
        while let Some(node) = self.path.last_mut() {
            if let Some(taken) = self.taken.get_mut(&node.taken.step.thread) {
                *taken -= 1;
            }
            if let Some(next) = node.todo.pop_front() {
                *self.taken.entry(next.step.thread.clone()).or_default() += 1;
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

    fn guarantee(&self) -> Guarantee {
        Guarantee::Nothing
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::Schedules(self)
    }

    fn learn(&mut self, _: &Trace, _: &dyn State, _: &Budget) {}

    fn backtrack(&mut self, _: &Trace, _: &dyn State) -> Continue {
        self.next()
    }

    fn estimate(&self) -> Estimate {
        Estimate { explored: self.executions, total: None }
    }
}

impl Schedules for Search {
    fn needs_order(&self) -> bool {
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
}
