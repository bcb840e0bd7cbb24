//! The brute-force classes of a program under the conflicts that C programs have.
//!
//! The oracle's machine runs all interleavings, as it does for the engine's own tests. C differs from the tiny language in
//! what some steps do, and so in classes:
//!
//! - what `main` does before there is a second thread is no step, choices apart;
//! - a signal that wakes no thread only looks at its condition variable, and threads that begin to wait do not look at all;
//! - a woken thread takes its token away, which is to reads-from what writing is.
//!
//! Every access to a large object also looks whether it is alive, which is nothing to any of them, since no thread ends it.

use crate::handles::{Family, MAIN};
use everyway_explore::Algorithm;
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Program, Statement};
use everyway_oracle::relation::{Class, Deed, Fate, History, Manner, Wanted};
use everyway_oracle::sources::Ordering;
use everyway_runtime::{Execution, Location, Performed, State, Step, ThreadId, blocked, ready};
use rustc_hash::FxHashMap;

/// What all interleavings of a program come to.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// The classes by happens-before.
    pub by_conflicts: Partition,
    /// The classes by observed happens-before.
    pub by_observation: Partition,
    /// The classes by who reads from whom.
    pub by_sources: Partition,
    /// How many maximal interleavings there are.
    pub interleavings: u64,
}

/// Executions, divided into classes.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    relation: Relation,
    /// The classes, and whether some thread is stuck for good in their executions.
    classes: FxHashMap<Class, bool>,
}

/// What is the same in all executions of a class.
#[derive(Clone, Debug, Default)]
enum Relation {
    /// Happens-before.
    #[default]
    Conflicts,
    /// Happens-before as far as it is observed; stores to these locations are ordered always.
    Observation(Vec<u32>),
    /// Who reads from whom.
    Sources(Box<Ordering>),
}

impl Relation {
    fn class(&self, history: &History, fates: impl Iterator<Item = Fate>) -> Class {
        match self {
            Relation::Conflicts => history.class(fates),
            Relation::Observation(watched) => history.observed(watched).class(fates),
            Relation::Sources(ordering) => ordering.class(history, fates),
        }
    }
}

impl Partition {
    fn of<'e>(relation: Relation, ends: impl Iterator<Item = &'e End>) -> Self {
        let classes = ends.map(|end| (relation.class(&end.history, end.fates.iter().copied()), end.is_blocked()));
        Self { classes: classes.collect(), relation }
    }

    /// The class of an execution that ended with these fates; none if brute force has none like it, with a thread that is
    /// stuck for good or without.
    pub(crate) fn class(&self, history: &History, fates: &[Fate]) -> Option<Class> {
        let class = self.relation.class(history, fates.iter().copied());
        (self.classes.get(&class) == Some(&fates.contains(&Fate::Blocked))).then_some(class)
    }

    /// The number of classes in which every thread ends.
    pub fn complete(&self) -> u64 {
        self.classes.values().filter(|is_blocked| !**is_blocked).count() as u64
    }

    /// The number of classes in which some thread is stuck for good.
    pub fn blocked(&self) -> u64 {
        self.all() - self.complete()
    }

    /// The number of classes.
    pub fn all(&self) -> u64 {
        self.classes.len() as u64
    }
}

impl Classes {
    /// The number of classes by happens-before in which every thread ends.
    pub fn complete(&self) -> u64 {
        self.by_conflicts.complete()
    }

    /// The number of the others.
    pub fn blocked(&self) -> u64 {
        self.by_conflicts.blocked()
    }

    /// The number of classes by happens-before.
    pub fn all(&self) -> u64 {
        self.by_conflicts.all()
    }

    /// The classes of which a strategy is to explore an execution each.
    pub(crate) fn of(&self, algorithm: Algorithm) -> &Partition {
        match algorithm {
            Algorithm::Observers => &self.by_observation,
            Algorithm::ReadsFrom => &self.by_sources,
            _ => &self.by_conflicts,
        }
    }
}

/// Runs all interleavings of `program`; `None` if there are more than `limit`.
///
/// # Panics
/// When threads see different things in two executions of one class by sources: then the classes are too coarse.
pub fn enumerate(program: &Program, limit: u64) -> Option<Classes> {
    let mut search = Search {
        machine: Machine::new(program),
        history: History::default(),
        found: FxHashMap::default(),
        ordering: Ordering::default(),
        ends: Vec::new(),
        steps: Steps::of(program),
        limit,
    };
    search.explore(0).then(|| search.result())
}

/// The steps of a program as C takes them.
pub(crate) struct Steps {
    condvars: Vec<u32>,
    /// The first location of the machine that is not the program's, but a token of a thread.
    tokens: u32,
    /// By thread, what C puts threads in order by that wait on a condition variable.
    paths: Vec<Vec<(usize, usize)>>,
}

impl Steps {
    pub(crate) fn of(program: &Program) -> Self {
        let tokens = program.locations;
        let condvars = program.threads.iter().flat_map(|body| condvars(body)).collect();
        let family = Family::of(program);
        let path = |thread| family.as_ref().map(|family| family.path(thread)).unwrap_or_default();
        Self { condvars, tokens, paths: (0..program.threads.len()).map(path).collect() }
    }

    /// Whether the next step is none in C, because there is no other thread yet that could notice.
    pub(crate) fn is_unseen(&self, machine: &Machine, thread: ThreadId) -> bool {
        let is_alone = machine.fates().skip(MAIN + 1).all(|fate| fate == Fate::Unborn);
        is_alone && !machine.operation(thread).accesses.is_empty()
    }

    /// The step of the tiny program that a step of C stands for: the threads that a signal can wake are in the order in
    /// which they came to wait in the one, and in that of their families in the other.
    pub(crate) fn meant_by(&self, machine: &mut Machine, depth: usize, step: Step) -> Step {
        let choices = machine.choices(step.thread);
        if choices == 1 {
            return step;
        }
        let mut alternatives: Vec<(usize, u32)> = Vec::new();
        for choice in 0..choices {
            let deed = self.take(machine, Step { choice, ..step });
            let token = deed.touches.iter().find(|touch| touch.location >= self.tokens);
            alternatives.extend(token.map(|token| ((token.location - self.tokens) as usize, choice)));
            let Ok(()) = machine.rewind(depth);
        }
        alternatives.sort_by(|one, other| self.paths[one.0].cmp(&self.paths[other.0]));
        let choice = alternatives.get(step.choice as usize).map_or(step.choice, |&(_, choice)| choice);
        Step { choice, ..step }
    }

    /// Takes a step, and tells what it did as C sees it.
    pub(crate) fn take(&self, machine: &mut Machine, step: Step) -> Deed {
        let waiting = |machine: &Machine, condvar: u32| machine.value(Location(condvar));
        let before: Vec<_> = self.condvars.iter().map(|&condvar| waiting(machine, condvar)).collect();
        let Ok(()) = machine.step(step, &mut Performed::default());
        let mut deed = machine.deed().clone();
        for touch in &mut deed.touches {
            if let Some(position) = self.condvars.iter().position(|&condvar| condvar == touch.location) {
                touch.manner = match waiting(machine, touch.location) {
                    after if after > before[position] => Manner::Increase,
                    after if after == before[position] => Manner::Look,
                    _ => Manner::Replace,
                };
            } else if touch.location >= self.tokens {
                touch.manner = Manner::Replace;
            }
        }
        deed
    }
}

fn condvars(body: &[Statement]) -> Vec<u32> {
    let of = |statement: &Statement| match statement {
        Statement::Wait { condvar, .. } | Statement::NotifyOne(condvar) | Statement::NotifyAll(condvar) => {
            vec![condvar.base]
        }
        Statement::If(_, inner) | Statement::While(_, inner) => condvars(inner),
        _ => Vec::new(),
    };
    body.iter().flat_map(of).collect()
}

/// An execution that has ended.
struct End {
    history: History,
    fates: Vec<Fate>,
    seen: Vec<u64>,
    waits: Vec<Wanted>,
}

impl End {
    fn is_blocked(&self) -> bool {
        self.fates.contains(&Fate::Blocked)
    }
}

struct Search {
    machine: Machine,
    history: History,
    /// The classes, each with one of its executions.
    found: FxHashMap<Class, usize>,
    ordering: Ordering,
    /// All executions: what is ordered is known when all have been seen.
    ends: Vec<End>,
    steps: Steps,
    limit: u64,
}

impl Search {
    /// Explores everything from the current state; whether that stayed within the limit.
    fn explore(&mut self, depth: usize) -> bool {
        let threads: Vec<_> = ready(&self.machine).collect();
        if threads.is_empty() {
            self.end();
        }
        for thread in threads {
            let operation = self.machine.operation(thread).clone();
            let choices = self.machine.choices(thread);
            for choice in 0..choices {
                let is_unseen = self.steps.is_unseen(&self.machine, thread);
                let deed = self.steps.take(&mut self.machine, Step { thread, choice });
                if !is_unseen {
                    self.ordering.note(&operation, choices, Some(&deed));
                    // `main` has started this thread, so that it is never alone.
                    self.ordering.note_uses(&operation, &deed);
                }
                self.history.push(Deed { is_alone: is_unseen, ..deed });
                let within = self.explore(depth + 1);
                self.history.pop();
                let Ok(()) = self.machine.rewind(depth);
                if !within {
                    return false;
                }
            }
        }
        self.ends.len() as u64 <= self.limit
    }

    fn end(&mut self) {
        for thread in blocked(&self.machine) {
            self.ordering.note(self.machine.operation(thread), self.machine.choices(thread), None);
        }
        self.ordering.note_courses(&self.history);
        self.ordering.note_waiting(&self.machine, &self.history);
        self.found.entry(self.history.class(self.machine.fates())).or_insert(self.ends.len());
        self.ends.push(End {
            history: self.history.clone(),
            fates: self.machine.fates().collect(),
            seen: self.machine.seen(),
            waits: self.machine.waits(),
        });
    }

    fn result(mut self) -> Classes {
        let ends = || self.found.values().map(|&end| &self.ends[end]);
        let watched: Vec<u32> = ends().flat_map(|end| end.history.watched(&end.waits)).collect();
        self.ordering.order_waits();
        let by_sources = Relation::Sources(Box::new(self.ordering));
        assert_same_outcomes(&by_sources, &self.ends);
        Classes {
            by_conflicts: Partition::of(Relation::Conflicts, ends()),
            by_observation: Partition::of(Relation::Observation(watched), ends()),
            by_sources: Partition::of(by_sources, self.ends.iter()),
            interleavings: self.ends.len() as u64,
        }
    }
}

/// Asserts that in the executions of a class threads see the same: otherwise the classes are too coarse.
fn assert_same_outcomes(relation: &Relation, ends: &[End]) {
    let mut known: FxHashMap<Class, &End> = FxHashMap::default();
    for end in ends {
        let class = relation.class(&end.history, end.fates.iter().copied());
        let known = known.entry(class).or_insert(end);
        assert_eq!(known.seen, end.seen, "one class by sources, two outcomes:\n{}", end.history);
    }
}
