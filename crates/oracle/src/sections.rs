//! Programs with atomic sections, mutexes that are polled under, and locks that are tried and given back: a small language
//! of its own, whose programs are run as they are, round for round.
//!
//! A round that fails leads back to where it began, so there are infinitely many executions but finitely many states. What a
//! program comes to under a fair scheduler is found by a search of all states: the states in which all threads have ended,
//! and whether there is one from which none of these can be reached any more, where threads wait or go round for ever. (A
//! scheduler is fair here if whatever can happen again and again happens at last: two threads that try each other's locks do
//! not get into each other's way for ever.) The search shares nothing with the engine, nor with the machine that the other
//! programs of this crate run on.

use fastrand::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How many shared variables there are.
pub const VARIABLES: usize = 2;
/// How many mutexes there are.
pub const MUTEXES: usize = 2;
/// How many registers a thread has.
pub const REGISTERS: usize = 2;
/// Values are taken modulo this.
pub const VALUES: u8 = 3;

/// What is done to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Reads a variable to a register.
    Load(usize, usize),
    /// Writes a number to a variable.
    Store(usize, u8),
    /// Writes what a register holds.
    Keep(usize, usize),
}

/// What a register must hold for a loop to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The register.
    pub register: usize,
    /// The number.
    pub number: u8,
    /// Whether it must hold this, or anything else.
    pub equal: bool,
}

/// What a round of a loop is done under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    /// An atomic section.
    Section,
    /// This mutex.
    Mutex(usize),
    /// Nothing.
    Nothing,
}

/// A loop: each round reads, and the first one that passes the test does something as well, while it is still under the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    /// What a round is done under.
    pub under: Under,
    /// What it reads, to registers: variables.
    pub reads: Vec<(usize, usize)>,
    /// What ends it.
    pub until: Test,
    /// What the last round does besides.
    pub then: Vec<Act>,
    /// After how many rounds in vain it gives up, if it does.
    pub most: Option<u8>,
    /// How it is written in C.
    pub style: u8,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// One access.
    Act(Act),
    /// All at once, or under a mutex, or one after the other.
    Under(Under, Vec<Act>),
    /// Polls.
    Poll(Poll),
    /// Locks one mutex and tries another one; if that cannot be had, gives back the first and starts over. Does something
    /// with both, and gives them back.
    Both(usize, usize, Vec<Act>),
}

/// A program: what its threads do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The threads.
    pub threads: Vec<Vec<Statement>>,
}

/// What an execution comes to: what variables hold, and what the registers of threads do.
pub type Outcome = Vec<u8>;

/// What a program comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Where all threads have ended.
    pub ended: BTreeSet<Outcome>,
    /// Whether it can come to a state from which not all threads can end.
    pub stuck: bool,
}

/// A step of a thread, small enough that nothing comes in between.
#[derive(Clone, Debug)]
enum Step {
    Acts(Vec<Act>),
    Lock(usize),
    Unlock(usize),
    /// Goes on here if the mutex can be had, and otherwise there.
    Try(usize, usize),
    /// Goes there unless the test passes.
    Unless(Test, usize),
    /// Reads, and if the test passes does the rest and goes there; otherwise to the second.
    Round(Poll, [usize; 2]),
    Goto(usize),
}

/// The steps of a thread. A test between two accesses is no step of its own.
fn steps(body: &[Statement]) -> Vec<Step> {
    let mut steps = Vec::new();
    for statement in body {
        match statement {
            Statement::Act(act) => steps.push(Step::Acts(vec![*act])),
            Statement::Under(under, acts) => add_under(&mut steps, *under, acts),
            Statement::Poll(poll) => add_polls(&mut steps, poll),
            Statement::Both(first, second, acts) => {
                let start = steps.len();
                steps.push(Step::Lock(*first));
                steps.push(Step::Try(*second, start + 4));
                // Both are held.
                steps.push(Step::Goto(start + 6));
                steps.push(Step::Goto(start + 6));
                steps.push(Step::Unlock(*first));
                steps.push(Step::Goto(start));
                steps.extend(acts.iter().map(|act| Step::Acts(vec![*act])));
                steps.extend([Step::Unlock(*second), Step::Unlock(*first)]);
            }
        }
    }
    steps
}

fn add_under(steps: &mut Vec<Step>, under: Under, acts: &[Act]) {
    match under {
        Under::Section => steps.push(Step::Acts(acts.to_vec())),
        Under::Mutex(mutex) => {
            steps.push(Step::Lock(mutex));
            steps.extend(acts.iter().map(|act| Step::Acts(vec![*act])));
            steps.push(Step::Unlock(mutex));
        }
        Under::Nothing => steps.extend(acts.iter().map(|act| Step::Acts(vec![*act]))),
    }
}

/// A loop that never gives up goes back to its round; of one that does, there are so many rounds one after the other.
fn add_polls(steps: &mut Vec<Step>, poll: &Poll) {
    let start = steps.len();
    let length = match poll.under {
        Under::Section => 1,
        Under::Nothing => poll.reads.len() + 2 + poll.then.len(),
        Under::Mutex(_) => poll.reads.len() + poll.then.len() + 6,
    };
    let rounds = usize::from(poll.most.unwrap_or(1));
    let end = start + rounds * length;
    for round in 0..rounds {
        let next = start + (round + 1) * length;
        add_round(steps, poll, [end, if poll.most.is_some() { next } else { start }]);
        assert_eq!(steps.len(), next, "a round has as many steps as it has");
    }
}

/// A round, and where it goes on if the test passes and if it does not.
fn add_round(steps: &mut Vec<Step>, poll: &Poll, [found, failed]: [usize; 2]) {
    let reads = poll.reads.iter().map(|&(to, from)| Step::Acts(vec![Act::Load(to, from)]));
    let then = poll.then.iter().map(|act| Step::Acts(vec![*act]));
    match poll.under {
        Under::Section => steps.push(Step::Round(poll.clone(), [found, failed])),
        Under::Nothing => {
            steps.extend(reads);
            steps.push(Step::Unless(poll.until, failed));
            steps.extend(then);
            steps.push(Step::Goto(found));
        }
        Under::Mutex(mutex) => {
            steps.push(Step::Lock(mutex));
            steps.extend(reads);
            let unlocks = steps.len() + poll.then.len() + 3;
            steps.push(Step::Unless(poll.until, unlocks));
            steps.extend(then);
            steps.extend([Step::Unlock(mutex), Step::Goto(found)]);
            steps.extend([Step::Unlock(mutex), Step::Goto(failed)]);
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// By thread, its next step.
    at: Vec<usize>,
    registers: Vec<[u8; REGISTERS]>,
    variables: [u8; VARIABLES],
    held: [bool; MUTEXES],
}

impl State {
    fn act(&mut self, thread: usize, act: Act) {
        match act {
            Act::Load(to, from) => self.registers[thread][to] = self.variables[from],
            Act::Store(to, number) => self.variables[to] = number,
            Act::Keep(to, from) => self.variables[to] = self.registers[thread][from],
        }
    }

    fn passes(&self, thread: usize, test: Test) -> bool {
        (self.registers[thread][test.register] == test.number) == test.equal
    }

    /// Takes the next step of a thread, if it can be taken.
    fn step(&mut self, thread: usize, steps: &[Step]) -> bool {
        let at = self.at[thread];
        self.at[thread] += 1;
        match &steps[at] {
            Step::Acts(acts) => acts.iter().for_each(|&act| self.act(thread, act)),
            Step::Lock(mutex) if self.held[*mutex] => return false,
            Step::Lock(mutex) => self.held[*mutex] = true,
            Step::Unlock(mutex) => self.held[*mutex] = false,
            Step::Try(mutex, otherwise) if self.held[*mutex] => self.at[thread] = *otherwise,
            Step::Try(mutex, _) => self.held[*mutex] = true,
            Step::Unless(test, otherwise) => {
                if !self.passes(thread, *test) {
                    self.at[thread] = *otherwise;
                }
            }
            Step::Goto(to) => self.at[thread] = *to,
            Step::Round(poll, [found, failed]) => {
                poll.reads.iter().for_each(|&(to, from)| self.act(thread, Act::Load(to, from)));
                let passes = self.passes(thread, poll.until);
                if passes {
                    poll.then.iter().for_each(|&act| self.act(thread, act));
                }
                self.at[thread] = if passes { *found } else { *failed };
            }
        }
        true
    }
}

/// What a program comes to; `None` if it has more states than `limit`.
pub fn outcomes(program: &Program, limit: usize) -> Option<Outcomes> {
    let threads: Vec<Vec<Step>> = program.threads.iter().map(|body| steps(body)).collect();
    let start = State {
        at: vec![0; threads.len()],
        registers: vec![[0; REGISTERS]; threads.len()],
        variables: [0; VARIABLES],
        held: [false; MUTEXES],
    };
    let mut numbers: FxHashMap<State, usize> = FxHashMap::default();
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    let mut next = vec![start.clone()];
    let (mut found, mut ends) = (Outcomes::default(), Vec::new());
    numbers.insert(start, 0);
    while let Some(state) = next.pop() {
        let number = numbers[&state];
        if (0..threads.len()).all(|thread| state.at[thread] == threads[thread].len()) {
            let registers = state.registers.iter().flatten().copied();
            found.ended.insert(state.variables.iter().copied().chain(registers).collect());
            ends.push(number);
        }
        for (thread, steps) in threads.iter().enumerate() {
            let mut after = state.clone();
            if state.at[thread] == steps.len() || !after.step(thread, steps) {
                continue;
            }
            let known = numbers.get(&after).copied();
            let target = known.unwrap_or_else(|| {
                before.push(Vec::new());
                numbers.insert(after.clone(), before.len() - 1);
                next.push(after);
                before.len() - 1
            });
            before[target].push(number);
        }
        if before.len() > limit {
            return None;
        }
    }
    found.stuck = reaching(&before, ends).len() < before.len();
    Some(found)
}

/// The states from which one of these can be reached.
fn reaching(before: &[Vec<usize>], ends: Vec<usize>) -> FxHashSet<usize> {
    let mut reached: FxHashSet<usize> = ends.iter().copied().collect();
    let mut next = ends;
    while let Some(state) = next.pop() {
        next.extend(before[state].iter().filter(|&&earlier| reached.insert(earlier)));
    }
    reached
}

/// A random program.
pub fn random(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let threads = rng.usize(2..4);
    let longest = if threads == 2 { 3 } else { 2 };
    let body = |rng: &mut Rng| (0..rng.usize(1..=longest)).map(|_| statement(rng)).collect();
    Program { threads: (0..threads).map(|_| body(&mut rng)).collect() }
}

fn statement(rng: &mut Rng) -> Statement {
    match rng.u8(0..10) {
        0..2 => Statement::Act(act(rng)),
        2..4 => Statement::Under(under(rng), acts(rng, 1..3)),
        4 => {
            let first = rng.usize(0..MUTEXES);
            Statement::Both(first, 1 - first, acts(rng, 1..2))
        }
        _ => {
            let under = if rng.u8(0..5) == 0 { Under::Nothing } else { under(rng) };
            let mut reads: Vec<(usize, usize)> = (0..VARIABLES).map(|at| (at, at)).collect();
            rng.shuffle(&mut reads);
            reads.truncate(rng.usize(1..=VARIABLES));
            let register = reads[rng.usize(0..reads.len())].0;
            let until = Test { register, number: rng.u8(0..VALUES), equal: rng.u8(0..3) != 0 };
            let then = if under == Under::Nothing { Vec::new() } else { acts(rng, 0..3) };
            // Other loops that give up have very many executions: every round counts.
            let looks_once = reads.len() == 1 && then.is_empty();
            let most = (looks_once && rng.u8(0..3) == 0).then(|| rng.u8(2..4));
            Statement::Poll(Poll { under, reads, until, then, most, style: rng.u8(0..8) })
        }
    }
}

fn under(rng: &mut Rng) -> Under {
    if rng.bool() { Under::Section } else { Under::Mutex(rng.usize(0..MUTEXES)) }
}

fn acts(rng: &mut Rng, count: std::ops::Range<usize>) -> Vec<Act> {
    (0..rng.usize(count)).map(|_| act(rng)).collect()
}

fn act(rng: &mut Rng) -> Act {
    match rng.u8(0..5) {
        0 => Act::Load(rng.usize(0..REGISTERS), rng.usize(0..VARIABLES)),
        1 => Act::Keep(rng.usize(0..VARIABLES), rng.usize(0..REGISTERS)),
        _ => Act::Store(rng.usize(0..VARIABLES), rng.u8(0..VALUES)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait_for(number: u8, under: Under, most: Option<u8>) -> Statement {
        let until = Test { register: 0, number, equal: true };
        Statement::Poll(Poll { under, reads: vec![(0, 0)], until, then: vec![], most, style: 0 })
    }

    #[test]
    fn a_loop_ends_when_what_it_waits_for_is_there() {
        let store = |number| Statement::Act(Act::Store(0, number));
        for under in [Under::Section, Under::Mutex(0), Under::Nothing] {
            let program = |last: &[u8]| Program {
                threads: vec![vec![wait_for(1, under, None)], last.iter().map(|&number| store(number)).collect()],
            };
            let sees = outcomes(&program(&[1]), 1000).expect("few states");
            assert!(!sees.stuck && sees.ended.len() == 1, "{sees:?}");
            let misses = outcomes(&program(&[1, 2]), 1000).expect("few states");
            // It sees 1 before 2 is there, or never.
            assert!(misses.stuck && misses.ended.len() == 1, "{misses:?}");
        }
    }

    #[test]
    fn a_loop_that_gives_up_ends() {
        for under in [Under::Section, Under::Mutex(0), Under::Nothing] {
            let stores = [1, 2].map(|number| Statement::Act(Act::Store(0, number))).to_vec();
            let program = Program { threads: vec![vec![wait_for(1, under, Some(2))], stores] };
            let found = outcomes(&program, 1000).expect("few states");
            // It gives up having read 0 or 2, or has read 1.
            assert!(!found.stuck && found.ended.len() == 3, "{found:?}");
        }
    }

    #[test]
    fn locks_that_are_given_back_do_not_deadlock() {
        let both = |first| vec![Statement::Both(first, 1 - first, vec![Act::Store(0, 1)])];
        let tried = outcomes(&Program { threads: vec![both(0), both(1)] }, 1000).expect("few states");
        assert!(!tried.stuck && tried.ended.len() == 1);
    }
}
