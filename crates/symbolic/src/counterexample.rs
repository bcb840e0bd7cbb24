//! Executions that a solver has found, in a form that a machine can repeat one visible step at a time.

use crate::system::{RunAs, Section, Started, System, UNBORN};
use rustc_hash::FxHashMap;

/// An execution that fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counterexample {
    /// The inputs that were asked for before the first step.
    pub first_inputs: Vec<InputValue>,
    /// The steps.
    pub steps: Vec<TakenStep>,
    /// How many beginnings and ends of atomic sections each thread has come by before the first step.
    pub first_passed: Vec<(usize, u32)>,
    /// What is wrong with it.
    pub ending: Ending,
}

/// What is wrong with an execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Its last step fails.
    #[default]
    Fails,
    /// No thread can go on after it, and some thread should.
    Deadlock,
    /// The invariant does not hold after it.
    Violates,
}

/// A value from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputValue {
    /// Its bits.
    pub bits: u64,
    /// How many of them there are.
    pub width: u32,
    /// Whether it is a truth value.
    pub is_bool: bool,
}

/// A step of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenStep {
    /// Who moved.
    pub thread: usize,
    /// The program counters of all threads before.
    pub counters: Vec<u16>,
    /// What it took from outside.
    pub input: Option<InputValue>,
    /// The threads that it could wake, and the one it woke, as bits.
    pub wakes: Option<(u64, u64)>,
    /// How many beginnings and ends of atomic sections each thread comes by after it.
    pub passed: Vec<(usize, u32)>,
}

/// An execution as steps of a machine: which thread moves, and which of the values it takes where it asks for one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Threads, numbered in the order in which they come to be started, and choices.
    pub steps: Vec<(usize, u32)>,
    /// The values that inputs which are no truth values are chosen from.
    pub values: Vec<i64>,
}

impl Script {
    fn choose(&mut self, input: InputValue) -> u32 {
        if input.is_bool {
            return u32::from(input.bits & 1 == 1);
        }
        let shift = 64 - input.width.min(64);
        let value = ((input.bits << shift) as i64) >> shift;
        let position = self.values.iter().position(|known| *known == value).unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        position as u32
    }
}

/// What a machine that runs the program calls its threads.
struct Names<'a> {
    system: &'a System,
    /// By the number that the machine gives them: they get one as they come to be started.
    numbered: Vec<usize>,
    /// By thread here: by whom it was started, and as the how many-th, from the first thread on.
    paths: FxHashMap<usize, Vec<u32>>,
    children: FxHashMap<usize, u32>,
}

impl<'a> Names<'a> {
    fn new(system: &'a System) -> Self {
        let paths = FxHashMap::from_iter([(0, Vec::new())]);
        Self { system, numbered: vec![0], paths, children: FxHashMap::default() }
    }

    fn number(&self, thread: usize) -> usize {
        self.numbered.iter().position(|known| *known == thread).unwrap_or(0)
    }

    fn add(&mut self, parent: usize, child: usize) {
        if self.paths.contains_key(&child) {
            return;
        }
        let nth = self.children.entry(parent).or_default();
        let mut path = self.paths.get(&parent).cloned().unwrap_or_default();
        path.push(*nth);
        *nth += 1;
        self.paths.insert(child, path);
        self.numbered.push(child);
    }

    /// A thread has moved, or was started, and stands where `counters` says. The threads it has started on its way
    /// come first, then the one that it is about to start, if it can be noticed to; then it is their turn.
    fn moved(&mut self, thread: usize, started: &[Started], counters: &[u16]) {
        let mut turn = vec![thread];
        let mut position = 0;
        while let Some(&thread) = turn.get(position) {
            position += 1;
            let born = |it: &&Started| it.parent == thread && counters[it.child] != UNBORN;
            for Started { child, .. } in started.iter().filter(born) {
                self.add(thread, *child);
                turn.push(*child);
            }
            let place = self.system.threads[thread].place(counters[thread]);
            if let Some(child) = place.and_then(|place| place.action.creates) {
                self.add(thread, child);
            }
        }
    }

    /// The position of the thread that is woken among those that could be, as the machine sorts them.
    fn position_of_woken(&self, waiting: u64, woken: u64) -> u32 {
        let mut waiting: Vec<usize> = (0..64).filter(|thread| waiting >> thread & 1 == 1).collect();
        waiting.sort_by_key(|thread| self.paths.get(thread));
        waiting.iter().position(|thread| woken >> thread & 1 == 1).unwrap_or(0) as u32
    }
}

impl Counterexample {
    /// The execution as steps of a machine. Not all steps here are steps there: a loop that does nothing visible
    /// takes none, and while there is only one thread what it does cannot be noticed. Atomic sections begin and end in
    /// steps there.
    pub fn script(&self, system: &System) -> Script {
        let mut script = Script::default();
        for &input in &self.first_inputs {
            let choice = script.choose(input);
            script.steps.push((0, choice));
        }
        let Some(first) = self.steps.first() else { return script };
        let mut names = Names::new(system);
        names.moved(0, &system.first_started, &first.counters);
        let is_alone = |step: &TakenStep| step.counters[1..].iter().all(|counter| *counter == UNBORN);
        if !is_alone(first) {
            script.pass(&names, &self.first_passed);
        }
        for (index, step) in self.steps.iter().enumerate() {
            let Some(place) = system.threads[step.thread].place(step.counters[step.thread]) else { continue };
            let number = names.number(step.thread);
            let mut choice = step.input.map_or(0, |input| script.choose(input));
            if let Some((waiting, woken)) = step.wakes {
                choice = names.position_of_woken(waiting, woken);
            }
            let before = usize::from(place.section == Section::Enters) + usize::from(place.action.run_as == RunAs::Two);
            if !is_alone(step) {
                script.steps.extend((0..before).map(|_| (number, 0)));
            }
            if place.action.run_as != RunAs::Nothing && (!is_alone(step) || step.input.is_some()) {
                script.steps.push((number, choice));
            }
            if let Some(next) = self.steps.get(index + 1) {
                names.moved(step.thread, &place.effect.started, &next.counters);
                if !is_alone(next) {
                    script.pass(&names, &step.passed);
                }
            } else if !is_alone(step) {
                script.pass(&names, &step.passed);
            }
        }
        script
    }
}

impl Script {
    fn pass(&mut self, names: &Names<'_>, passed: &[(usize, u32)]) {
        for &(thread, count) in passed {
            let number = names.number(thread);
            self.steps.extend((0..count).map(|_| (number, 0)));
        }
    }
}
