//! Loops that spin: what front ends make of them, and what they come to when they are run as they are.
//!
//! A loop can be run round for round, be cut where it would go round, wait for what it needs, or wait, at a hint in
//! it, for anything that it read to change. [`lower`] writes each of these down. Round for round it has infinitely many
//! executions, but finitely many states: a round in which nothing happens leads back to where it began. So what such
//! a program comes to is found by a search of states ([`outcomes`]), under a scheduler that is fair: a thread spins for
//! ever only if all others have ended, wait, or spin for ever as well.
//!
//! The search shares nothing with the engine but the machine.

use crate::machine::Machine;
use crate::program::{
    Arithmetic, Condition, Place, Program, REGISTERS, Register, Spin, Statement, Test, UPDATED, Value,
};
use everyway_runtime::{Execution, Performed, State, Step, ThreadId, ready};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// How loops that spin are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// As they are.
    Plain,
    /// A thread that would go round gives up.
    Assumes,
    /// Each look waits until it succeeds.
    Awaits,
    /// A thread that goes round waits until something that it saw has changed.
    Hints,
}

/// The register that tells whether a loop goes round.
const AGAIN: Register = Register(REGISTERS as u8 - 1);

/// `program` with its loops written down in this way.
#[must_use]
pub fn lower(program: &Program, loops: Loops) -> Program {
    let threads = program.threads.iter().map(|body| lower_body(body, loops)).collect();
    Program { threads, ..program.clone() }
}

/// Whether there are loops that spin.
pub fn has_spins(program: &Program) -> bool {
    has(program, |_| true)
}

/// Whether a thread may give up where a loop would go round, if the loops of `program` are written down in this way: it
/// has ended then as little as one that waits, and may not spin for ever. The next round of an
/// [update](Spin::Update) would replace another value, so to wait for the one of this round is to give up.
pub fn may_give_up(program: &Program, loops: Loops) -> bool {
    match loops {
        Loops::Plain | Loops::Hints => false,
        Loops::Assumes => true,
        Loops::Awaits => has(program, |spin| matches!(spin, Spin::Update(..))),
    }
}

fn has(program: &Program, is_meant: impl Fn(&Spin) -> bool + Copy) -> bool {
    fn within(body: &[Statement], is_meant: impl Fn(&Spin) -> bool + Copy) -> bool {
        body.iter().any(|statement| match statement {
            Statement::Spin(spin) => is_meant(spin),
            Statement::If(_, inner) | Statement::While(_, inner) => within(inner, is_meant),
            _ => false,
        })
    }
    program.threads.iter().any(|body| within(body, is_meant))
}

fn lower_body(body: &[Statement], loops: Loops) -> Vec<Statement> {
    let of = |statement: &Statement| match statement {
        Statement::Spin(spin) if loops == Loops::Awaits => awaits(spin),
        Statement::Spin(spin) if loops == Loops::Assumes => once(spin),
        Statement::Spin(spin) => again_and_again(spin, loops),
        Statement::If(test, inner) => vec![Statement::If(*test, lower_body(inner, loops))],
        Statement::While(test, inner) => vec![Statement::While(*test, lower_body(inner, loops))],
        _ => vec![statement.clone()],
    };
    body.iter().flat_map(of).collect()
}

fn set(register: Register, number: u64) -> Statement {
    Statement::Compute(register, Value::Number(number), Arithmetic::Plus, Value::Number(0))
}

fn awaits(spin: &Spin) -> Vec<Statement> {
    match spin {
        Spin::Reads(reads) => {
            reads.iter().map(|&(to, place, condition)| Statement::Await(to, place, condition)).collect()
        }
        Spin::Exchange(to, place, new) => {
            vec![Statement::AwaitExchange(*to, *place, Condition::Differs(*new), Value::Number(*new))]
        }
        Spin::CompareExchange(to, place, expected, new) => {
            let exchange = Statement::AwaitExchange(*to, *place, Condition::Equals(*expected), Value::Number(*new));
            vec![exchange, set(*to, 1)]
        }
        &Spin::Update(to, place, n) => {
            let replace = |v| Statement::AwaitExchange(to, place, Condition::Equals(v), Value::Number(v + n));
            [vec![Statement::Load(to, place)], by_value(to, &replace)].concat()
        }
    }
}

/// A statement that depends on what is in the register.
fn by_value(register: Register, statement: &dyn Fn(u64) -> Statement) -> Vec<Statement> {
    let is = |v| Test { register, condition: Condition::Equals(v) };
    (0..UPDATED).map(|v| Statement::If(is(v), vec![statement(v)])).collect()
}

/// Replaces what was read to the register; `AGAIN` tells whether it was there.
fn replace(to: Register, place: Place, n: u64) -> Vec<Statement> {
    let exchange = |v| Statement::CompareExchange(AGAIN, place, Value::Number(v), Value::Number(v + n));
    by_value(to, &exchange)
}

/// The looks of one round, each with the test by which the next one follows.
fn looks(spin: &Spin) -> Vec<(Statement, Test)> {
    match spin {
        Spin::Reads(reads) => {
            let look = |&(to, place, condition)| (Statement::Load(to, place), Test { register: to, condition });
            reads.iter().map(look).collect()
        }
        Spin::Exchange(to, place, new) => {
            let exchange = Statement::Exchange(*to, *place, Value::Number(*new));
            vec![(exchange, Test { register: *to, condition: Condition::Differs(*new) })]
        }
        Spin::CompareExchange(to, place, expected, new) => {
            let (expected, new) = (Value::Number(*expected), Value::Number(*new));
            let exchange = Statement::CompareExchange(*to, *place, expected, new);
            vec![(exchange, Test { register: *to, condition: Condition::Equals(1) })]
        }
        // An update reads before the first round.
        Spin::Update(..) => Vec::new(),
    }
}

fn once(spin: &Spin) -> Vec<Statement> {
    if let &Spin::Update(to, place, n) = spin {
        let succeeds = Test { register: AGAIN, condition: Condition::Equals(1) };
        let start = vec![Statement::Load(to, place), set(AGAIN, 1)];
        return [start, replace(to, place, n), vec![Statement::Assume(succeeds)]].concat();
    }
    looks(spin).into_iter().flat_map(|(look, test)| [look, Statement::Assume(test)]).collect()
}

fn again_and_again(spin: &Spin, loops: Loops) -> Vec<Statement> {
    let again = Test { register: AGAIN, condition: Condition::Equals(1) };
    let on = Test { register: AGAIN, condition: Condition::Equals(0) };
    if let &Spin::Update(to, place, n) = spin {
        // The value is read again on its own: a compare-exchange here does not tell what it has found. That can only
        // come to more than if it did.
        let is = |number| Test { register: AGAIN, condition: Condition::Equals(number) };
        let mut round = replace(to, place, n);
        round.push(Statement::If(is(0), vec![Statement::Load(to, place), set(AGAIN, 2)]));
        round.push(Statement::If(is(1), vec![set(AGAIN, 0)]));
        round.push(Statement::If(is(2), vec![set(AGAIN, 1)]));
        return vec![Statement::Load(to, place), set(AGAIN, 1), Statement::While(again, round)];
    }
    let mut round = vec![set(AGAIN, 0)];
    for (position, (look, test)) in looks(spin).into_iter().enumerate() {
        let failed = Test { condition: negated(test.condition), ..test };
        let waits = (loops == Loops::Hints).then(|| hint(spin, position)).flatten();
        let look = vec![look, Statement::If(failed, waits.into_iter().chain([set(AGAIN, 1)]).collect())];
        round.push(Statement::If(on, look));
    }
    vec![set(AGAIN, 1), Statement::While(again, round)]
}

/// The wait at a hint in a round that failed at its look at `position`.
fn hint(spin: &Spin, position: usize) -> Option<Statement> {
    match spin {
        Spin::Reads(reads) => {
            Some(Statement::AwaitChange(reads[..=position].iter().map(|&(to, place, _)| (to, place)).collect()))
        }
        Spin::Exchange(to, place, _) => Some(Statement::AwaitChange(vec![(*to, *place)])),
        // The value that was found is needed to wait for another one, but not told: it is not the expected one.
        Spin::CompareExchange(to, place, expected, _) => {
            Some(Statement::Await(*to, *place, Condition::Equals(*expected)))
        }
        Spin::Update(..) => None,
    }
}

fn negated(condition: Condition) -> Condition {
    match condition {
        Condition::Equals(v) => Condition::Differs(v),
        Condition::Differs(v) => Condition::Equals(v),
        Condition::AtLeast(v) => Condition::Below(v),
        Condition::Below(v) => Condition::AtLeast(v),
        Condition::Within { mask, low, high } => Condition::Outside { mask, low, high },
        Condition::Outside { mask, low, high } => Condition::Within { mask, low, high },
        Condition::Always => Condition::Below(0),
    }
}

/// What an execution comes to: how each thread ended, what shared locations hold, and what the registers of those
/// threads hold that have ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    /// By thread: its registers but the last, if it has ended.
    pub ended: Vec<Option<Vec<u64>>>,
    /// What shared locations hold.
    pub shared: Vec<u64>,
}

impl Outcome {
    /// Whether all threads have ended.
    pub fn is_complete(&self) -> bool {
        self.ended.iter().all(Option::is_some)
    }
}

/// What all executions of `program` come to under a fair scheduler; `None` if there are more states than `limit`.
pub fn outcomes(program: &Program, limit: usize) -> Option<BTreeSet<Outcome>> {
    let mut search =
        Search { machine: Machine::new(program), seen: FxHashSet::default(), outcomes: BTreeSet::new(), limit };
    search.explore(0).then_some(search.outcomes)
}

struct Search {
    machine: Machine,
    seen: FxHashSet<Vec<u64>>,
    outcomes: BTreeSet<Outcome>,
    limit: usize,
}

impl Search {
    /// Explores everything from the current state; whether that stayed within the limit.
    fn explore(&mut self, depth: usize) -> bool {
        if !self.seen.insert(self.machine.whole_state()) {
            return true;
        }
        if self.seen.len() > self.limit {
            return false;
        }
        let threads: Vec<_> = ready(&self.machine).collect();
        if threads.iter().all(|&thread| self.spins_for_ever(thread, depth)) {
            self.outcomes.insert(self.machine.outcome());
            // The states within a round of the same are no other outcomes.
            return true;
        }
        for thread in threads {
            for choice in 0..self.machine.choices(thread) {
                self.step(Step { thread, choice });
                let within = self.explore(depth + 1);
                self.rewind(depth);
                if !within {
                    return false;
                }
            }
        }
        true
    }

    /// Whether `thread`, if it goes on alone, comes back to where it was before without changing anything, nor spawning a
    /// thread. If all threads that can move do, none of them ever gets out: none changes what another one sees.
    fn spins_for_ever(&mut self, thread: ThreadId, depth: usize) -> bool {
        let others = self.machine.without(thread);
        let mut local = FxHashSet::default();
        let spins = loop {
            if !ready(&self.machine).any(|ready| ready == thread) || self.machine.choices(thread) > 1 {
                break false;
            }
            if !local.insert(self.machine.local(thread)) {
                break true;
            }
            self.step(Step { thread, choice: 0 });
            if self.machine.without(thread) != others {
                break false;
            }
        };
        self.rewind(depth);
        spins
    }

    fn step(&mut self, step: Step) {
        let Ok(()) = self.machine.step(step, &mut Performed::default());
    }

    fn rewind(&mut self, depth: usize) {
        let Ok(()) = self.machine.rewind(depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R: Register = Register(0);
    const X: Place = Place::at(0);

    fn store(number: u64) -> Statement {
        Statement::Store(X, Value::Number(number))
    }

    fn spin_until(number: u64) -> Statement {
        Statement::Spin(Spin::Reads(vec![(R, X, Condition::Equals(number))]))
    }

    #[test]
    fn a_thread_may_see_the_value_or_miss_it() {
        let program = Program::new(1, vec![vec![spin_until(1)], vec![store(1), store(2)]]);
        let found = outcomes(&lower(&program, Loops::Plain), 1_000).expect("few states");
        assert_eq!(found.iter().map(Outcome::is_complete).collect::<Vec<_>>(), [false, true]);
        assert_eq!(Some(&found), outcomes(&lower(&program, Loops::Awaits), 1_000).as_ref());
        assert_eq!(Some(found), outcomes(&lower(&program, Loops::Hints), 1_000));
    }

    #[test]
    fn a_thread_that_spawns_another_before_it_spins_does_something() {
        let child = Statement::Spawn(1);
        let program = Program::new(1, vec![vec![Statement::Load(R, X), child, spin_until(1)], vec![store(1)]]);
        let found = outcomes(&lower(&program, Loops::Plain), 1_000).expect("few states");
        assert!(found.len() == 1 && found.iter().all(Outcome::is_complete), "{found:?}");
    }

    #[test]
    fn a_fair_scheduler_lets_the_writer_go_on() {
        let program = Program::new(1, vec![vec![spin_until(1)], vec![store(1)]]);
        let found = outcomes(&lower(&program, Loops::Plain), 1_000).expect("few states");
        assert!(found.len() == 1 && found.iter().all(Outcome::is_complete));
    }
}
