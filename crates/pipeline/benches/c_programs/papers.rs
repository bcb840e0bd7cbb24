//! The papers' programs under sequential consistency, the strategies they are explored with, and what others take for them.
//!
//! Every row has as many executions as Nidhugg with the same strategy; for execution graphs that is its optimal one.

use crate::row::CProgram;
use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::LoopTreatment;
use everyway_pipeline::peers::{Peers, Taken};

/// What starting up and clang take of the others' times.
const START_SECONDS: f64 = 0.07;

/// A program, and what is known of it under each strategy.
#[derive(Clone, Copy)]
struct Program {
    name: &'static str,
    n: u32,
    /// How many Mazurkiewicz traces it has: the executions of `optimal`, and the execution graphs.
    traces: u64,
    /// The seconds that Nidhugg takes for them.
    nidhugg: Option<f64>,
    /// What GenMC takes: for the graphs, and where it waits, for executions that block.
    genmc: Option<(u64, f64)>,
    /// Whether it is explored as execution graphs, too.
    has_graphs: bool,
    observers: Option<Run>,
    reads_from: Option<Run>,
}

/// What a strategy that has fewer executions than there are traces explores, and the seconds that takes Nidhugg.
#[derive(Clone, Copy)]
struct Run {
    complete: u64,
    blocked: u64,
    nidhugg: f64,
}

impl Run {
    const fn new(complete: u64, nidhugg: f64) -> Option<Self> {
        Self::with_blocked(complete, 0, nidhugg)
    }

    const fn with_blocked(complete: u64, blocked: u64, nidhugg: f64) -> Option<Self> {
        Some(Self { complete, blocked, nidhugg })
    }
}

impl Program {
    /// A program that is explored by `optimal` and as execution graphs.
    const fn new(name: &'static str, n: u32, traces: u64) -> Self {
        Self { name, n, traces, nidhugg: None, genmc: None, has_graphs: true, observers: None, reads_from: None }
    }

    const fn nidhugg(self, seconds: f64) -> Self {
        Self { nidhugg: Some(seconds), ..self }
    }

    /// GenMC has as many executions, and takes so long.
    const fn genmc(self, seconds: f64) -> Self {
        Self { genmc: Some((self.traces, seconds)), ..self }
    }

    fn explored(&self, algorithm: Algorithm) -> CProgram {
        let taken = |executions, seconds| Taken { executions, seconds, start: START_SECONDS };
        CProgram {
            path: self.name.to_owned(),
            name: format!("{}({})", self.name.replace('_', "-"), self.n),
            definitions: vec![format!("-DN={}", self.n)],
            algorithm,
            loops: LoopTreatment::Await,
            complete: self.traces,
            blocked: 0,
            peers: Peers {
                nidhugg: self.nidhugg.map(|seconds| taken(self.traces, seconds)),
                genmc: self.genmc.map(|(executions, seconds)| taken(executions, seconds)),
            },
        }
    }

    /// Without awaits: where others wait, Nidhugg has executions that block under these strategies, too.
    fn explored_without_awaits(&self, algorithm: Algorithm, run: Run) -> CProgram {
        let Run { complete, blocked, nidhugg } = run;
        let nidhugg = Taken { executions: complete + blocked, seconds: nidhugg, start: START_SECONDS };
        let peers = Peers { nidhugg: Some(nidhugg), genmc: None };
        CProgram { loops: LoopTreatment::Assume, complete, blocked, peers, ..self.explored(algorithm) }
    }

    /// The program under a strategy, if it is explored so.
    fn under(&self, algorithm: Algorithm) -> Option<CProgram> {
        match algorithm {
            Algorithm::Graphs { .. } => self.has_graphs.then(|| self.explored(algorithm)),
            Algorithm::Observers => self.observers.map(|run| self.explored_without_awaits(algorithm, run)),
            Algorithm::ReadsFrom => self.reads_from.map(|run| self.explored_without_awaits(algorithm, run)),
            _ => Some(self.explored(algorithm)),
        }
    }
}

/// The strategies, in the order of the table. As execution graphs is GenMC's way, and what the command does with programs
/// that are not small.
const STRATEGIES: [Algorithm; 4] =
    [Algorithm::Optimal, Algorithm::Graphs { model: MemoryModel::Sc }, Algorithm::Observers, Algorithm::ReadsFrom];

/// The rows of the table.
pub(crate) fn rows() -> impl Iterator<Item = CProgram> {
    STRATEGIES.into_iter().flat_map(|algorithm| PROGRAMS.iter().filter_map(move |program| program.under(algorithm)))
}

const PROGRAMS: [Program; 18] = [
    Program {
        observers: Run::new(8_192, 3.7),
        reads_from: Run::new(8_192, 3.8),
        ..Program::new("readers", 13, 8_192).nidhugg(3.7).genmc(0.38)
    },
    Program::new("readers", 15, 32_768).genmc(0.89),
    Program::new("casw", 6, 1_270_080).genmc(6.87),
    Program::new("wakeup_stress", 8, 80_640),
    Program {
        observers: Run::new(15_360, 6.4),
        reads_from: Run::new(15_360, 4.2),
        ..Program::new("lastzero", 12, 15_360).nidhugg(4.2).genmc(1.07)
    },
    Program {
        observers: Run::new(8_597, 1.76),
        reads_from: Run::new(8_597, 1.5),
        ..Program::new("casrot", 9, 8_597).nidhugg(1.37).genmc(0.12)
    },
    Program {
        observers: Run::new(19_605, 2.4),
        reads_from: Run::new(19_605, 3.0),
        ..Program::new("fib_bench", 4, 19_605).nidhugg(2.1).genmc(0.43)
    },
    Program {
        observers: Run::new(5_040, 1.16),
        reads_from: Run::new(5_040, 1.05),
        ..Program::new("sigma", 7, 135_135).nidhugg(27.4).genmc(3.1)
    },
    Program::new("lastwrite", 8, 40_320).nidhugg(7.2),
    Program {
        observers: Run::new(9, 0.08),
        reads_from: Run::new(9, 0.08),
        ..Program::new("lastwrite", 9, 362_880).genmc(9.3)
    },
    Program {
        observers: Run::new(3_432, 1.5),
        reads_from: Run::new(3_432, 2.5),
        ..Program::new("circular_buffer", 7, 3_432).nidhugg(1.5).genmc(2.4)
    },
    Program {
        observers: Run::new(512, 2.0),
        reads_from: Run::new(512, 1.4),
        ..Program::new("filesystem", 22, 512).nidhugg(1.7).genmc(1.3)
    },
    Program {
        observers: Run::new(512, 2.5),
        reads_from: Run::new(512, 2.5),
        ..Program::new("indexer", 14, 512).nidhugg(1.9).genmc(2.0)
    },
    Program {
        genmc: Some((9_216 + 5_527, 1.2)),
        has_graphs: false,
        observers: Run::with_blocked(5_466, 6_132, 3.1),
        reads_from: Run::with_blocked(3_942, 4_233, 2.6),
        ..Program::new("lamport", 3, 9_216).nidhugg(3.3)
    },
    Program {
        observers: Run::new(33_125, 15.8),
        reads_from: Run::new(9_945, 3.0),
        ..Program::new("approxds_append", 5, 127_740).nidhugg(39.9).genmc(9.3)
    },
    Program::new("floating_read", 6, 5_040),
    Program::new("opt_lock", 11, 300_090),
    Program::new("groups", 20, 81),
];
