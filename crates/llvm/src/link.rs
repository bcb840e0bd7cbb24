//! Linking: several files become one program, by name.
//!
//! Internal symbols stay apart, under new names where needed. Of the others, declarations meet definitions,
//! weak definitions give way, common variables merge into the biggest, and two strong definitions are an error.

mod merge;
mod rewrite;

use crate::ast::Linkage;
use crate::error::Error;
use everyway_ir::{Callee, Function, Module, Operation, Symbol, Value};

/// One file, read: a module and what linking needs to know of its symbols.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The name of the file, for messages.
    pub(crate) name: String,
    pub(crate) module: Module,
    /// The linkage of each global.
    pub(crate) globals: Vec<Linkage>,
    /// The linkage of each function.
    pub(crate) functions: Vec<Linkage>,
    /// Further names for symbols, with a number of bytes beyond them.
    pub(crate) aliases: Vec<(String, Symbol, i64)>,
}

impl Unit {
    /// The file as a library: where the program has a function of the same name, that is taken.
    pub(crate) fn giving_way(mut self) -> Self {
        let external = self.functions.iter_mut().filter(|linkage| **linkage == Linkage::External);
        external.for_each(|linkage| *linkage = Linkage::Weak);
        self
    }

    /// The file as a program of its own, which may lack definitions.
    pub fn module(&self) -> &Module {
        &self.module
    }
}

/// Links files into one program.
pub fn link(mut units: Vec<Unit>) -> Result<Module, Error> {
    let mut module = match units.len() {
        0 => return Err(Error::new(0, "there is nothing to link")),
        1 => units.remove(0).module,
        _ => rewrite::build(&units, merge::merge(&units)?),
    };
    settle_calls(&mut module);
    Ok(module)
}

/// Lets direct calls agree with the signatures that linking has found: the definition of a function that was
/// declared without a prototype knows how many parameters there are.
fn settle_calls(module: &mut Module) {
    let signatures: Vec<_> = module.functions.iter().map(|function| function.signature.clone()).collect();
    for body in module.functions.iter_mut().filter_map(|function: &mut Function| function.body.as_mut()) {
        let registers = &body.registers;
        for instruction in body.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            let Operation::Call { callee, arguments, fixed } = &mut instruction.operation else { continue };
            let Callee::Direct(id) = *callee else { continue };
            let signature = &signatures[id.index()];
            if !signature.variadic {
                *fixed = arguments.len() as u32;
            }
            let results = instruction.results.iter().map(|result| registers[result.index()].ty);
            if !results.eq(signature.results.iter().copied()) {
                *callee = Callee::Indirect(Value::Address { symbol: Symbol::Function(id), offset: 0 });
            }
        }
    }
}
