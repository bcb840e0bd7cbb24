//! Abdulla, Atig, Jonsson, Lång, Ngo, Sagonas: Optimal Stateless Model Checking for Reads-From Equivalence under
//! Sequential Consistency, OOPSLA 2019. Counts are of all executions.

use super::{OBSERVERS, OPTIMAL, READS_FROM};
use crate::table::{Cell, Column, OPEN, Program, Table, begun};

pub(crate) fn tables() -> Vec<Table> {
    vec![same(), same_too(), coarser(), between(), corrected(), hit(), append()]
}

const COLUMNS: [Column; 3] = [OPTIMAL, OBSERVERS, READS_FROM];

/// A row in which all three explore as many.
const fn all(count: u64) -> [Cell; 3] {
    [begun(count), begun(count), begun(count)]
}

fn same() -> Table {
    let about = "Programs with as many classes by reads-from as by Mazurkiewicz.";
    let mut table = Table::new("OOPSLA 2019, Table 1", about, &COLUMNS);
    for (n, count) in [(7, 3432), (8, 12870), (9, 48620)] {
        table = table.row("circular-buffer", "circular_buffer", n, &all(count));
    }
    for (n, count) in [(9, 1536), (11, 7168), (13, 32768)] {
        table = table.row("lastzero", "lastzero", n, &all(count));
    }
    table
}

fn same_too() -> Table {
    let about = "More of them.";
    let mut table = Table::new("OOPSLA 2019, Table 2", about, &COLUMNS);
    for (n, count) in [(9, 512), (11, 2048), (13, 8192)] {
        table = table.row("readers", "readers", n, &all(count));
    }
    for (n, count) in [(8, 2048), (9, 8597), (10, 38486)] {
        table = table.row("casrot", "casrot", n, &all(count));
    }
    for (n, count) in [(2, 140), (4, 19605)] {
        table = table.row("fib-bench", "fib_bench", n, &all(count));
    }
    table.row("fib-bench", "fib_bench", 6, &all(2_364_418).map(Cell::large))
}

fn coarser() -> Table {
    let about = "Programs with far fewer classes by reads-from. What control-flow is the paper does not say; ours was made \
                 from its numbers, so that they agree says nothing of the algorithms.";
    let mut table = Table::new("OOPSLA 2019, Table 3", about, &COLUMNS);
    for (n, optimal) in [(2, 2), (7, 5040), (8, 40320), (9, 362_880)] {
        let few = begun(u64::from(n));
        table = table.row("lastwrite", "lastwrite", n, &[begun(optimal), few, few]);
    }
    for (n, optimal, few) in [(5, 945, 120), (6, 10395, 720), (7, 135_135, 5040)] {
        table = table.row("sigma", "sigma", n, &[begun(optimal), begun(few), begun(few)]);
    }
    table = table.row("sigma", "sigma", 8, &[begun(2_027_025).large(), begun(40320), begun(40320)]);
    for (n, optimal, observers) in [(6, begun(5040), 193), (8, begun(362_880), 1025), (12, OPEN.large(), 24577)] {
        table = table.row("floating-read", "floating_read", n, &[optimal, begun(observers), begun(u64::from(n) + 1)]);
    }
    table
        .row("floating-read", "floating_read", 16, &[OPEN.large(), begun(524_289).large(), begun(17)])
        .row("control-flow", "control_flow", 5, &[begun(5160), begun(193), begun(43)])
        .row("control-flow", "control_flow", 7, &[begun(720_720).large(), begun(1025), begun(143)])
        .row("control-flow", "control_flow", 11, &[OPEN.large(), begun(24577), begun(2071)])
        .row("control-flow", "control_flow", 13, &[OPEN.large(), begun(114_689), begun(8219)])
        .row("opt-lock", "opt_lock", 11, &[begun(300_090), begun(170), begun(127)])
        .row("opt-lock", "opt_lock", 13, &[begun(2_056_906).large(), begun(202), begun(151)])
        .row("opt-lock", "opt_lock", 100, &[OPEN.large(), begun(1594), begun(1195)])
        .row("opt-lock", "opt_lock", 1000, &[OPEN.large(), begun(15994).large(), begun(11995).large()])
}

fn between() -> Table {
    let about = "Programs in between. race-parametric is two threads that store to a variable and load it, N times each; \
                 parker is the race of LockSupport.park in Java. The paper does not say so, but its numbers are of those \
                 programs.";
    let mut table = Table::new("OOPSLA 2019, Table 4", about, &COLUMNS);
    for (n, traces, few) in [(4, 3334, 1107), (5, 34904, 8953), (6, 372_436, 73789)] {
        table = table.row("race-parametric", "race_parametric", n, &[begun(traces), begun(traces), begun(few)]);
    }
    let largest = [begun(4_027_216).large(), begun(4_027_216).large(), begun(616_227).large()];
    table = table.row("race-parametric", "race_parametric", 7, &largest);
    for (n, optimal, observers, few) in [(8, 3431, 3171, 3059), (12, 10541, 9759, 9407), (16, 23731, 21995, 21195)] {
        table = table.row("parker", "parker", n, &[begun(optimal), begun(observers), begun(few)]);
    }
    table
        .row("lamport", "lamport", 2, &[begun(32), begun(26), begun(22)])
        .row("lamport", "lamport", 3, &[begun(20741), begun(11598), begun(8175)])
        .without("exponential-bug: the paper does not describe the program.")
}

fn corrected() -> Table {
    let about = "reorder without its assertion: the executions of the corrected program.";
    let reorder = |n: u32| Program::C("reorder", vec![format!("-DN={n}"), "-DNO_ASSERTION".to_owned()]);
    Table::new("OOPSLA 2019, Table 5, total", about, &COLUMNS)
        .row_with("reorder_3".to_owned(), reorder(3), &[begun(56), begun(47), begun(21)])
        .row_with("reorder_4".to_owned(), reorder(4), &[begun(1248), begun(580), begun(64)])
        .row_with("reorder_5".to_owned(), reorder(5), &[begun(40032), begun(6565), begun(145)])
        .row_with("reorder_10".to_owned(), reorder(10), &[OPEN.large(), begun(432_764_218).large(), begun(1540)])
}

fn hit() -> Table {
    let about = "How many executions are begun until the bug of reorder is found. That depends on which thread is tried \
                 first, not on the algorithm alone; here it is the one that was started first. reorder_20 has several \
                 readers; how many of the 20 threads are some, the paper does not say, and half of ours are.";
    let luck = "Which of the executions comes first is a matter of the order in which threads are tried.";
    let many_readers = Program::C("reorder", vec!["-DN=20".to_owned(), "-DREADERS=10".to_owned()]);
    Table::new("OOPSLA 2019, Table 5, hit bug", about, &COLUMNS)
        .row("reorder_bad", "reorder", 3, &[begun(9), begun(9), begun(2)])
        .because(luck)
        .row("reorder_bad", "reorder", 4, &[begun(97), begun(71), begun(2)])
        .because(luck)
        .row("reorder_bad", "reorder", 5, &[begun(1513), begun(681), begun(4)])
        .because(luck)
        .row("reorder_bad", "reorder", 10, &[OPEN.large(), begun(51_398_385).large(), begun(5)])
        .because(luck)
        .row_with("reorder_20".to_owned(), many_readers, &[OPEN.large(), OPEN.large(), begun(2)])
}

fn append() -> Table {
    let about = "N threads append to an approximate data structure without synchronisation.";
    Table::new("OOPSLA 2019, Table 6", about, &COLUMNS)
        .row("approxds-append", "approxds_append", 4, &[begun(2460), begun(1048), begun(580)])
        .row("approxds-append", "approxds_append", 5, &[begun(127_740), begun(33125), begun(9945)])
        .row(
            "approxds-append",
            "approxds_append",
            6,
            &[begun(9_847_080).large(), begun(1_334_766).large(), begun(198_936)],
        )
}
