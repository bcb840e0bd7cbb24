//! Executions that a solver has found, and how a machine that runs the program one visible step at a time repeats them.

use crate::system::{Action, FIRST, System, UNBORN};

/// An execution that fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counterexample {
    /// The inputs that were asked for before the first step.
    pub first_inputs: Vec<InputValue>,
    /// The steps.
    pub steps: Vec<TakenStep>,
    /// Whether no thread can go on at its end; otherwise its last step fails.
    pub is_deadlock: bool,
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

/// The numbers that threads get in the order in which they come to be started.
struct Numbers(Vec<usize>);

impl Numbers {
    fn of(&mut self, thread: usize) -> usize {
        self.0.iter().position(|known| *known == thread).unwrap_or_else(|| {
            self.0.push(thread);
            self.0.len() - 1
        })
    }

    /// Those threads are numbered that this one is about to start where it stands, and can be noticed to.
    fn announce(&mut self, system: &System, thread: usize, counter: u16) {
        let place = system.threads[thread].place(counter);
        if let Some(place) = place.filter(|place| matches!(place.action, Action::Access(_))) {
            for (child, _) in &place.effect.started {
                self.of(*child);
            }
        }
    }
}

impl Counterexample {
    /// The execution as steps of a machine. Not all steps here are steps there: a loop that does nothing visible
    /// takes none, and while there is only one thread no other can notice what it does.
    pub fn script(&self, system: &System) -> Script {
        let mut script = Script::default();
        for &input in &self.first_inputs {
            let choice = script.choose(input);
            script.steps.push((0, choice));
        }
        let Some(first) = self.steps.first() else { return script };
        let mut numbers = Numbers(vec![0]);
        let exists = |counters: &[u16], thread: usize| counters[thread] != UNBORN;
        for thread in 0..first.counters.len() {
            if exists(&first.counters, thread) {
                numbers.of(thread);
                numbers.announce(system, thread, first.counters[thread]);
            }
        }
        for (index, step) in self.steps.iter().enumerate() {
            let is_alone = (1..step.counters.len()).all(|thread| !exists(&step.counters, thread));
            let place = system.threads[step.thread].place(step.counters[step.thread]);
            let is_silent = place.is_none_or(|place| matches!(place.action, Action::Nothing));
            let choice = step.input.map_or(0, |input| script.choose(input));
            if !is_silent && (!is_alone || step.input.is_some()) {
                script.steps.push((numbers.of(step.thread), choice));
            }
            if let Some(next) = self.steps.get(index + 1) {
                let born: Vec<usize> = (0..next.counters.len())
                    .filter(|&thread| !exists(&step.counters, thread) && exists(&next.counters, thread))
                    .collect();
                for &thread in &born {
                    numbers.of(thread);
                }
                for thread in std::iter::once(step.thread).chain(born) {
                    if next.counters[thread] >= FIRST {
                        numbers.announce(system, thread, next.counters[thread]);
                    }
                }
            }
        }
        script
    }
}
