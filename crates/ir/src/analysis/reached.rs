//! Which functions of a program may be called.

use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::value::{Symbol, Value};

/// The functions that are named otherwise than by being called.
pub(crate) fn addressed_functions(module: &Module) -> Vec<bool> {
    let mut addressed = vec![false; module.functions.len()];
    let mut note = |symbol: Symbol| {
        if let Symbol::Function(id) = symbol {
            addressed[id.index()] = true;
        }
    };
    let initialisers = module.globals.iter().filter_map(|global| global.initialiser.as_ref());
    initialisers.flat_map(|it| &it.relocations).for_each(|relocation| note(relocation.symbol));
    for block in module.functions.iter().filter_map(|function| function.body.as_ref()).flat_map(|body| &body.blocks) {
        for value in block.values() {
            if let Value::Address { symbol, .. } = value {
                note(symbol);
            }
        }
    }
    addressed
}

/// The functions that may be called, of which some are named otherwise.
pub(crate) fn reached_functions(module: &Module, addressed: Vec<bool>) -> Vec<bool> {
    if module.entry().is_none() {
        // The rest of the program may call any of them.
        return vec![true; module.functions.len()];
    }
    let mut reached = addressed;
    let roots = module.entry().into_iter().chain(module.constructors.iter().chain(&module.destructors).copied());
    roots.for_each(|root| reached[root.index()] = true);
    let mut work: Vec<usize> = (0..reached.len()).filter(|&index| reached[index]).collect();
    while let Some(index) = work.pop() {
        let blocks = module.functions[index].body.iter().flat_map(|body| &body.blocks);
        for instruction in blocks.flat_map(|block| &block.instructions) {
            if let Operation::Call { callee: Callee::Direct(id), .. } = instruction.operation
                && !std::mem::replace(&mut reached[id.index()], true)
            {
                work.push(id.index());
            }
        }
    }
    reached
}
