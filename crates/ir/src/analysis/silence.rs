//! Whether it makes a difference that a mutex is locked for a while and unlocked again.
//!
//! It does if a thread asks whether the mutex is locked, and does something else if it is. One that only tries again is
//! not noticed: where every attempt to lock that fails leaves nothing but a round of a loop that does nothing, all those rounds
//! can be left out of an execution together. What is left of it is an execution: locks that were waited for are free
//! earlier, and of the attempts only those are there that succeed, which they do with fewer mutexes locked as well. That
//! such rounds do nothing is concluded under the assumption that mutexes may be locked and unlocked unnoticed, which this
//! confirms for all of them at once.

use super::facts::Facts;
use super::limits::Limits;
use super::purity::{Question, Rounds, Subject};
use super::reached::{addressed_functions, reached_functions};
use super::reread::Reread;
use super::{Condition, Point};
use crate::environment::{Environment, LockRole};
use crate::function::{Body, Instruction};
use crate::ids::FunctionId;
use crate::module::Module;
use crate::operation::{Callee, Operation};

/// Whether no thread can tell that a mutex was locked and unlocked again.
pub(crate) fn locks_are_silent(module: &Module, environment: Environment) -> bool {
    let tries = |id: FunctionId| (environment.lock_role)(&module.function(id).name) == Some(LockRole::Tries);
    let ids = || (0..module.functions.len()).map(FunctionId::new);
    if !ids().any(tries) {
        return true;
    }
    let addressed = addressed_functions(module);
    if ids().any(|id| tries(id) && (module.function(id).body.is_some() || addressed[id.index()])) {
        return false;
    }
    let reached = reached_functions(module, addressed);
    ids().filter(|id| reached[id.index()]).all(|id| {
        let body = module.function(id).body.as_ref();
        body.is_none_or(|body| fails_in_vain(module, body, environment, &tries))
    })
}

/// Whether every attempt in a function that fails makes its round of a loop one that does nothing.
fn fails_in_vain(module: &Module, body: &Body, environment: Environment, tries: &dyn Fn(FunctionId) -> bool) -> bool {
    let is_attempt = |instruction: &Instruction| match instruction.operation {
        Operation::Call { callee: Callee::Direct(id), .. } => tries(id),
        _ => false,
    };
    let mut attempts = Vec::new();
    for block in body.block_ids() {
        for (position, instruction) in body.block(block).instructions.iter().enumerate() {
            if is_attempt(instruction) {
                attempts.push(Point { block, position: position + 1 });
            }
        }
    }
    if attempts.is_empty() {
        return true;
    }
    let facts = Facts::of(body);
    attempts.into_iter().filter(|attempt| facts.flow.is_reachable(attempt.block)).all(|attempt| {
        let Some(innermost) = facts.loops.innermost(attempt.block) else { return false };
        let found = facts.loops.get(innermost);
        let limits = Limits::of((module, body, &facts.flow), &environment, found);
        let subject = facts.subject((module, body), environment, (found, &limits));
        subject.inner_back_edges().is_empty() && subject.is_vain(attempt)
    })
}

impl Subject<'_> {
    /// Whether every round in which the attempt at this point fails is pure.
    fn is_vain(&self, attempt: Point) -> bool {
        let reread = Reread::find(self);
        let ask = |question| {
            let rounds = Rounds { latches: &self.found.latches, question, reread: reread.as_ref() };
            self.condition(&rounds, &mut Vec::new())
        };
        let (pure, fails): (Condition, Condition) = (ask(Question::Pure), ask(Question::Fails(attempt)));
        !fails.disjuncts.is_empty() && pure.covers(&fails)
    }
}
