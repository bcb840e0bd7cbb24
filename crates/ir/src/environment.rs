//! What the passes have to know of functions that are not in the program, by their names.

use crate::function::Instruction;
use crate::module::Module;
use crate::operation::{Callee, Operation};

/// What a function that takes a mutex for its first argument does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockRole {
    /// Locks it, and waits until it can.
    Locks,
    /// Unlocks it.
    Unlocks,
    /// Locks it if it can; if it cannot, changes nothing, and the result is not zero.
    Tries,
}

/// What is known of functions by their names.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// Whether calling this external function does nothing: `sched_yield`.
    pub is_idle: fn(&str) -> bool,
    /// Whether calls of the function have to be seen, even if the program defines it.
    pub must_be_called: fn(&str) -> bool,
    /// Whether the function stops the thread if its argument is zero.
    pub is_assumption: fn(&str) -> bool,
    /// Whether an exception may leave this external function.
    pub throws: fn(&str) -> bool,
    /// How often the function looks at something before it gives up, if that often is no better than once.
    pub looks: fn(&str) -> Option<u64>,
    /// What the function does with a mutex.
    pub lock_role: fn(&str) -> Option<LockRole>,
}

impl Environment {
    /// Whether the instruction is a call of an external function that does nothing.
    pub fn is_idle_call(&self, module: &Module, instruction: &Instruction) -> bool {
        let Operation::Call { callee: Callee::Direct(id), .. } = instruction.operation else { return false };
        let function = module.function(id);
        function.body.is_none() && (self.is_idle)(&function.name)
    }

    /// Whether no function that the program could call tells whether a mutex is locked.
    pub fn locks_are_silent(&self, module: &Module) -> bool {
        module.functions.iter().all(|function| (self.lock_role)(&function.name) != Some(LockRole::Tries))
    }
}
