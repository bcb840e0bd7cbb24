//! The programs, the strategies they are explored with, and what others take for them.

use everyway_explore::{Algorithm, MemoryModel};
use everyway_ir::LoopTreatment;

/// A program under a strategy, and what is known of it.
pub(crate) struct Row {
    pub(crate) algorithm: Algorithm,
    pub(crate) loops: LoopTreatment,
    pub(crate) name: &'static str,
    pub(crate) n: u32,
    pub(crate) complete: u64,
    pub(crate) blocked: u64,
    /// The seconds that Nidhugg takes for as many executions.
    pub(crate) nidhugg: Option<f64>,
    /// How many executions GenMC explores, blocked ones included, and the seconds they take.
    pub(crate) genmc: Option<(u64, f64)>,
}

impl Row {
    /// What it is called in tables.
    pub(crate) fn program(&self) -> String {
        format!("{}({})", self.name.replace('_', "-"), self.n)
    }

    pub(crate) fn executions(&self) -> u64 {
        self.complete + self.blocked
    }
}

const fn optimal(name: &'static str, n: u32, complete: u64, nidhugg: Option<f64>, genmc: Option<(u64, f64)>) -> Row {
    let (algorithm, loops) = (Algorithm::Optimal, LoopTreatment::Await);
    Row { algorithm, loops, name, n, complete, blocked: 0, nidhugg, genmc }
}

/// As execution graphs: GenMC's way, and what the command does with programs that are not small.
const fn graphs(name: &'static str, n: u32, complete: u64, nidhugg: Option<f64>, genmc: Option<f64>) -> Row {
    let genmc = match genmc {
        Some(seconds) => Some((complete, seconds)),
        None => None,
    };
    Row { algorithm: Algorithm::Graphs { model: MemoryModel::Sc }, ..optimal(name, n, complete, nidhugg, genmc) }
}

/// Without awaits: where others wait, Nidhugg has executions that block under this strategy, too.
const fn observers(name: &'static str, n: u32, complete: u64, nidhugg: f64) -> Row {
    let (algorithm, loops) = (Algorithm::Observers, LoopTreatment::Assume);
    Row { algorithm, loops, name, n, complete, blocked: 0, nidhugg: Some(nidhugg), genmc: None }
}

const fn reads_from(name: &'static str, n: u32, complete: u64, nidhugg: f64) -> Row {
    Row { algorithm: Algorithm::ReadsFrom, ..observers(name, n, complete, nidhugg) }
}

pub(crate) const ROWS: [Row; 51] = [
    optimal("readers", 13, 8_192, Some(3.7), Some((8_192, 0.38))),
    optimal("readers", 15, 32_768, None, Some((32_768, 0.89))),
    optimal("casw", 6, 1_270_080, None, Some((1_270_080, 6.87))),
    optimal("wakeup_stress", 8, 80_640, None, None),
    optimal("lastzero", 12, 15_360, Some(4.2), Some((15_360, 1.07))),
    optimal("casrot", 9, 8_597, Some(1.37), Some((8_597, 0.12))),
    optimal("fib_bench", 4, 19_605, Some(2.1), Some((19_605, 0.43))),
    optimal("sigma", 7, 135_135, Some(27.4), Some((135_135, 3.1))),
    optimal("lastwrite", 8, 40_320, Some(7.2), None),
    optimal("lastwrite", 9, 362_880, None, Some((362_880, 9.3))),
    optimal("circular_buffer", 7, 3_432, Some(1.5), Some((3_432, 2.4))),
    optimal("filesystem", 22, 512, Some(1.7), Some((512, 1.3))),
    optimal("indexer", 14, 512, Some(1.9), Some((512, 2.0))),
    optimal("lamport", 3, 9_216, Some(3.3), Some((9_216 + 5_527, 1.2))),
    optimal("approxds_append", 5, 127_740, Some(39.9), Some((127_740, 9.3))),
    graphs("readers", 13, 8_192, Some(3.7), Some(0.38)),
    graphs("readers", 15, 32_768, None, Some(0.89)),
    graphs("casw", 6, 1_270_080, None, Some(6.87)),
    graphs("wakeup_stress", 8, 80_640, None, None),
    graphs("lastzero", 12, 15_360, Some(4.2), Some(1.07)),
    graphs("casrot", 9, 8_597, Some(1.37), Some(0.12)),
    graphs("fib_bench", 4, 19_605, Some(2.1), Some(0.43)),
    graphs("sigma", 7, 135_135, Some(27.4), Some(3.1)),
    graphs("lastwrite", 8, 40_320, Some(7.2), None),
    graphs("lastwrite", 9, 362_880, None, Some(9.3)),
    graphs("circular_buffer", 7, 3_432, Some(1.5), Some(2.4)),
    graphs("filesystem", 22, 512, Some(1.7), Some(1.3)),
    graphs("indexer", 14, 512, Some(1.9), Some(2.0)),
    graphs("approxds_append", 5, 127_740, Some(39.9), Some(9.3)),
    observers("readers", 13, 8_192, 3.7),
    observers("lastzero", 12, 15_360, 6.4),
    observers("casrot", 9, 8_597, 1.76),
    observers("fib_bench", 4, 19_605, 2.4),
    observers("sigma", 7, 5_040, 1.16),
    observers("lastwrite", 9, 9, 0.08),
    observers("circular_buffer", 7, 3_432, 1.5),
    observers("filesystem", 22, 512, 2.0),
    observers("indexer", 14, 512, 2.5),
    Row { blocked: 6_132, ..observers("lamport", 3, 5_466, 3.1) },
    observers("approxds_append", 5, 33_125, 15.8),
    reads_from("readers", 13, 8_192, 3.8),
    reads_from("lastzero", 12, 15_360, 4.2),
    reads_from("casrot", 9, 8_597, 1.5),
    reads_from("fib_bench", 4, 19_605, 3.0),
    reads_from("sigma", 7, 5_040, 1.05),
    reads_from("lastwrite", 9, 9, 0.08),
    reads_from("circular_buffer", 7, 3_432, 2.5),
    reads_from("filesystem", 22, 512, 1.4),
    reads_from("indexer", 14, 512, 2.5),
    Row { blocked: 4_233, ..reads_from("lamport", 3, 3_942, 2.6) },
    reads_from("approxds_append", 5, 9_945, 3.0),
];
