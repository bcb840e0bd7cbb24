//! Functions that are atomic as a whole say so inside: they begin with the beginning of an atomic section, and end with its
//! end. So they can be put where they are called, and loops that ask them can be looked through.
//!
//! Those that are still called are atomic in two ways, which is no more than in one: sections inside of a section are
//! part of it.

use super::lock_all::declared;
use crate::environment::Environment;
use crate::function::{Instruction, TerminatorKind};
use crate::ids::FunctionId;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::source::SourceLocation;
use smallvec::smallvec;

/// Puts the beginning and the end of a section into the functions that are atomic as a whole.
pub(super) fn open_sections(module: &mut Module, environment: &Environment) {
    for index in 0..module.functions.len() {
        let function = &module.functions[index];
        if function.body.is_none() || !(environment.is_section)(&function.name) {
            continue;
        }
        let [begin, end] = environment.section_marks.map(|name| declared(module, name, &[], &[]));
        let function = &mut module.functions[index];
        let location = function.location;
        let Some(body) = &mut function.body else { continue };
        body.blocks[0].instructions.insert(0, call(begin, location));
        for block in &mut body.blocks {
            if matches!(block.terminator.kind, TerminatorKind::Return(_)) {
                block.instructions.push(call(end, block.terminator.location));
            }
        }
    }
}

fn call(function: FunctionId, location: Option<SourceLocation>) -> Instruction {
    let operation = Operation::Call { callee: Callee::Direct(function), arguments: Vec::new(), fixed: 0 };
    Instruction { results: smallvec![], operation, location }
}
