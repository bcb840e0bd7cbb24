//! The rules that every module keeps. Readers and passes call [`validate`] when they are done.
//!
//! Of a module:
//! - names of functions and globals are unique among both;
//! - ids of files, debug types, functions and globals are those of things that exist;
//! - only what is declared and not defined is weak;
//! - alignments are powers of two; initial bytes do not exceed the size of the global; relocations lie inside
//!   it, do not overlap, and come by increasing offset.
//!
//! Of a body:
//! - there is an entry block, and nothing goes back to it;
//! - ids of registers, slots and blocks are those of things that exist; integers have 1 to 128 bits;
//! - the first registers are the parameters, with the types of the signature;
//! - every register is assigned exactly once, a parameter by the call and the others by a phi or instruction;
//! - constants have no bits above the width of their type;
//! - a phi has one incoming value for each distinct predecessor of its block, of which there is at least one, and no
//!   others;
//! - every use of a register in a reachable block is dominated by its assignment; an incoming value of a phi
//!   is used at the end of the predecessor;
//! - operands and results have the types that [`Operation`](crate::Operation) says; a call has as many results
//!   as the callee's signature, if the callee is known, and a return as many values as the function;
//! - an await waits with a load, an atomic read-modify-write or a compare-exchange, of a pointer or an integer of at
//!   most 64 bits, for a condition without empty parts;
//! - the cases of a switch are distinct values of its type.
//!
//! Not a rule: that every block can be reached, or that the arguments of a call fit its callee (C programs
//! call across mismatched declarations; it is for the execution to judge).

mod body;
mod dominance;
mod module;
mod types;

use crate::ids::{BlockId, FunctionId};
use crate::module::Module;
use std::fmt;

/// A rule that a module breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The function in which it is broken, by name.
    pub function: Option<String>,
    /// The block.
    pub block: Option<BlockId>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "in `{function}`")?;
            self.block.map_or(Ok(()), |block| write!(f, ", {block}"))?;
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Violation {}

/// Checks all rules. The first violation of each function is enough to know that its reader or pass is wrong,
/// so checking stops there.
pub fn validate(module: &Module) -> Result<(), Vec<Violation>> {
    let mut violations = Vec::new();
    if let Err(message) = module::check(module) {
        violations.push(Violation { function: None, block: None, message });
    }
    for (index, function) in module.functions.iter().enumerate() {
        if let Err((block, message)) = body::check(module, FunctionId::new(index)) {
            violations.push(Violation { function: Some(function.name.clone()), block, message });
        }
    }
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

/// A rule about a body that is broken, and the block where, if it is one.
type Broken = (Option<BlockId>, String);

/// `Ok` if the condition holds, the message otherwise.
fn require(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}
