//! A C program under a strategy, prepared as `everyway check` does it.

use everyway_driver::Limits;
use everyway_explore::{Algorithm, Counts, MemoryModel};
use everyway_ir::{LoopTreatment, Module, Preparation};
use everyway_llvm::clang::Clang;
use everyway_pipeline::peers::Peers;
use everyway_pipeline::program::{Setup, clang, explore, load_prepared, papers_program};
use everyway_pipeline::table::{Exploring, Row};
use std::sync::Arc;

/// A C program under a strategy, and what is known of it.
pub(crate) struct CProgram {
    /// Where it is, among the programs that the command is tested with.
    pub(crate) path: String,
    /// What it is called in the table.
    pub(crate) name: String,
    /// What is defined for clang.
    pub(crate) definitions: Vec<String>,
    pub(crate) algorithm: Algorithm,
    pub(crate) loops: LoopTreatment,
    pub(crate) complete: u64,
    pub(crate) blocked: u64,
    pub(crate) peers: Peers,
}

impl Row for CProgram {
    fn program(&self) -> String {
        self.name.clone()
    }

    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    fn executions(&self) -> u64 {
        self.complete + self.blocked
    }

    fn peers(&self) -> Peers {
        self.peers
    }

    fn prepared(&self) -> Box<dyn FnMut() + '_> {
        let clang = clang().expect("a clang, which was there before");
        let module = compile(&clang, &self.path, &self.definitions, self.loops);
        Box::new(move || {
            let counts = explore_all(&self.name, &module, self.algorithm, Limits::default(), |_| {});
            let expected = (self.complete, self.blocked, 0);
            assert_eq!((counts.complete, counts.blocked, counts.redundant), expected, "{}", self.name);
        })
    }

    fn exploring(&self) -> Exploring {
        Exploring::Within("*Explorer*run_watched*")
    }
}

/// Compiles and prepares a program.
pub(crate) fn compile(clang: &Clang, path: &str, definitions: &[String], loops: LoopTreatment) -> Arc<Module> {
    let preparation = Preparation { loops, rounds: None, spin_rounds: None };
    let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
    let module = load_prepared(clang, &papers_program(path), &definitions, preparation);
    Arc::new(module.unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// Explores a program.
pub(crate) fn explore_all(
    name: &str,
    module: &Arc<Module>,
    algorithm: Algorithm,
    limits: Limits,
    observe: impl FnMut(&Counts) + Send,
) -> Counts {
    let memory_model = if let Algorithm::Graphs { model } = algorithm { model } else { MemoryModel::Sc };
    // Adds conflict, as in the papers.
    let setup = Setup { limits, memory_model, commuting_adds: false, ..Setup::new(algorithm) };
    explore(module, &setup, observe).unwrap_or_else(|error| panic!("{name}: {error}"))
}
