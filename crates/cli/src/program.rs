//! The program that a user means: compiled, linked, and identified.

use crate::arguments::{ProgramArguments, Rules};
use crate::error::Error;
use crate::output::Outcome;
use everyway_ir::{AtomicOrdering, Module, Operation, bound_loops, promote};
use everyway_llvm::{Options, load};
use everyway_vm::{Privacy, Settings};
use std::sync::Arc;

/// Compiles and links the program.
pub(crate) fn compile(arguments: &ProgramArguments) -> Result<Arc<Module>, Error> {
    let options = Options { clang: arguments.clang.clone(), arguments: arguments.for_clang() };
    let mut module = load(&arguments.files, &options)?;
    for function in &mut module.functions {
        promote(function);
    }
    if let Some(rounds) = arguments.unroll {
        bound_loops(&mut module, rounds);
    }
    Ok(Arc::new(module))
}

/// `everyway ir`
pub(crate) fn print(arguments: &ProgramArguments) -> Result<Outcome, Error> {
    Ok(Outcome::Text(compile(arguments)?.to_string()))
}

/// How the virtual machine is to run the program.
pub(crate) fn settings(program: &ProgramArguments, rules: &Rules) -> Settings {
    let name = program.files.first().map(|file| file.with_extension("").display().to_string());
    Settings {
        arguments: name.into_iter().chain(program.arguments.iter().cloned()).collect(),
        leaks: rules.leaks,
        races: rules.races,
        spurious_wakeups: rules.spurious_wakeups,
        privacy: if rules.all_shared { Privacy::None } else { Privacy::Checked },
        ..Settings::default()
    }
}

/// Whether some atomic access asks for less than sequential consistency.
pub(crate) fn has_weak_orderings(module: &Module) -> bool {
    let weak = |ordering: &AtomicOrdering| *ordering != AtomicOrdering::SeqCst;
    let bodies = module.functions.iter().filter_map(|function| function.body.as_ref());
    let mut operations = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.instructions);
    operations.any(|instruction| match &instruction.operation {
        Operation::Load { ordering, .. } | Operation::Store { ordering, .. } => ordering.as_ref().is_some_and(weak),
        Operation::AtomicRmw { ordering, .. } | Operation::Fence { ordering, .. } => weak(ordering),
        Operation::CompareExchange { success, failure, .. } => weak(success) || weak(failure),
        _ => false,
    })
}

/// A hash of the program: FNV-1a over its text form, which no version of anything changes.
pub(crate) fn content(module: &Module) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in module.to_string().bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    format!("fnv1a:{hash:016x}")
}
