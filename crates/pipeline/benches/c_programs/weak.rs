//! Programs under weak memory models, and what GenMC takes for them.

use crate::row::CProgram;
use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::LoopTreatment;
use everyway_pipeline::peers::{Peers, Taken};

/// What starting up and clang take of GenMC's times.
const START_SECONDS: f64 = 0.05;

/// A program under a weak model, with its executions and GenMC's seconds.
struct Weak {
    name: &'static str,
    definitions: &'static [&'static str],
    model: MemoryModel,
    complete: u64,
    genmc: f64,
}

const fn weak(
    name: &'static str,
    definitions: &'static [&'static str],
    model: MemoryModel,
    complete: u64,
    genmc: f64,
) -> Weak {
    Weak { name, definitions, model, complete, genmc }
}

/// With GenMC's counts.
const PROGRAMS: [Weak; 17] = [
    weak("sb", &["-DN=14"], MemoryModel::Tso, 16_384, 0.58),
    weak("sb", &["-DN=14"], MemoryModel::Rc11, 16_384, 0.59),
    weak("fib", &["-DN=5"], MemoryModel::Tso, 19_404, 0.71),
    weak("fib", &["-DN=5"], MemoryModel::Rc11, 19_404, 0.67),
    weak("coherence", &["-DN=7"], MemoryModel::Tso, 181_440, 1.95),
    weak("coherence", &["-DN=7"], MemoryModel::Rc11, 181_440, 2.02),
    weak("casrot", &["-DN=9"], MemoryModel::Tso, 8_597, 0.19),
    weak("casrot", &["-DN=9"], MemoryModel::Rc11, 8_597, 0.20),
    weak("ring", &["-DN=7"], MemoryModel::Tso, 46_311, 1.73),
    weak("ring", &["-DN=7"], MemoryModel::Rc11, 46_311, 1.70),
    weak("iriw", &["-DN=6"], MemoryModel::Tso, 2_187, 0.09),
    weak("iriw", &["-DN=6"], MemoryModel::Rc11, 4_096, 0.12),
    weak("lock", &["-DN=7"], MemoryModel::Tso, 5_040, 0.48),
    weak("lock", &["-DN=7"], MemoryModel::Rc11, 5_040, 0.50),
    weak("mp", &["-DN=14"], MemoryModel::Tso, 16_384, 0.48),
    weak("mp", &["-DN=14"], MemoryModel::Rc11, 16_384, 0.51),
    weak("mp", &["-DN=9", "-DW=memory_order_relaxed"], MemoryModel::Rc11, 19_683, 0.35),
];

impl Weak {
    /// `mp(9)`, and what else is defined for it.
    fn name(&self) -> String {
        let of = |definition: &&str| definition.strip_prefix("-DN=").map(str::to_owned);
        let size = self.definitions.iter().find_map(of).unwrap_or_default();
        let is_relaxed = self.definitions.iter().any(|definition| definition.ends_with("memory_order_relaxed"));
        format!("{}({size}){}", self.name, if is_relaxed { ", relaxed" } else { "" })
    }

    fn explored(&self) -> CProgram {
        let genmc = Taken { executions: self.complete, seconds: self.genmc, start: START_SECONDS };
        CProgram {
            path: format!("memory/{}", self.name),
            name: self.name(),
            definitions: self.definitions.iter().map(|&definition| definition.to_owned()).collect(),
            algorithm: Algorithm::Graphs { model: self.model },
            loops: LoopTreatment::Await,
            complete: self.complete,
            blocked: 0,
            peers: Peers { nidhugg: None, genmc: Some(genmc) },
        }
    }
}

/// The rows of the table.
pub(crate) fn rows() -> impl Iterator<Item = CProgram> {
    PROGRAMS.iter().map(Weak::explored)
}
