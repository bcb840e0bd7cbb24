//! C programs for the tests: each is a file whose first lines say what is expected of it.

#![allow(dead_code, reason = "not every test uses all of it")]

use everyway_explore::{Algorithm, Counts, End, Explorer, Limits, Order};
use everyway_ir::Module;
use everyway_report::Execution;
use everyway_vm::{Failure, Machine, Settings};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The C programs in a folder of the tests, in order.
pub(crate) fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder of test programs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "cpp")));
    files.sort();
    assert!(!files.is_empty(), "{} holds no programs", folder.display());
    files
}

/// The program, compiled with these arguments, its local variables in registers.
pub(crate) fn load(file: &Path, arguments: &[&str]) -> Arc<Module> {
    let arguments = arguments.iter().map(Into::into).collect();
    let options = everyway_llvm::Options { arguments, ..Default::default() };
    let mut module = match everyway_llvm::load(&[file.to_path_buf()], &options) {
        Ok(module) => module,
        Err(error) => panic!("{}: {error}", file.display()),
    };
    module.functions.iter_mut().for_each(|function| {
        everyway_ir::promote(function);
    });
    Arc::new(module)
}

/// What came of an exploration.
pub(crate) struct Explored {
    pub(crate) counts: Counts,
    pub(crate) failure: Option<Failure>,
    pub(crate) finished: bool,
    /// The failing execution.
    pub(crate) execution: Execution,
    pub(crate) machine: Option<Machine>,
}

/// Explores a program.
pub(crate) fn explore(module: &Arc<Module>, settings: Settings, algorithm: Algorithm, order: Order) -> Explored {
    let mut machine = match Machine::new(Arc::clone(module), settings) {
        Ok(machine) => machine,
        Err((machine, failure)) => {
            let counts = Counts::default();
            let execution = Execution::default();
            return Explored { counts, failure: Some(failure), finished: false, execution, machine: Some(*machine) };
        }
    };
    let mut strategy = algorithm.strategy(order);
    let mut explorer = Explorer::new(&mut machine, strategy.as_mut(), Limits::default());
    let end = explorer.run(|_| ControlFlow::Continue(()));
    let counts = explorer.counts();
    let execution = explorer.program().describe(explorer.trace());
    let finished = matches!(end, End::Finished);
    let failure = match end {
        End::Failed(failure) | End::Diverged(failure) => Some(failure),
        End::Finished => None,
        End::Stopped(cut) => panic!("stopped: {cut:?}"),
    };
    Explored { counts, failure, finished, execution, machine: Some(machine) }
}

/// The lines `// word: rest` at the top of a program, for this word.
pub(crate) fn headers(file: &Path, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a test program");
    let lines = text.lines().map_while(|line| line.strip_prefix("// "));
    lines.filter_map(|line| line.strip_prefix(word)?.strip_prefix(": ").map(str::to_owned)).collect()
}
