//! Wang, Yang, Kahlon, Gupta: Peephole Partial Order Reduction, TACAS 2008: Table 1.

/// A row: what is checked, and what the paper reports for none, static, simple and full.
pub(crate) struct Row {
    /// As the paper calls it.
    pub(crate) name: &'static str,
    /// Our program, and the flags it is compiled with.
    pub(crate) program: &'static str,
    pub(crate) flags: &'static [&'static str],
    /// The depth.
    pub(crate) steps: usize,
    /// Whether an execution of up to so many steps violates the property.
    pub(crate) is_violated: bool,
    /// Seconds; `None` is a timeout.
    pub(crate) seconds: [Option<f64>; 4],
    /// Thousands of conflicts.
    pub(crate) conflicts: [Option<f64>; 4],
}

const fn row(
    name: &'static str,
    program: &'static str,
    flags: &'static [&'static str],
    (steps, is_violated): (usize, bool),
    seconds: [f64; 4],
    conflicts: [f64; 4],
) -> Row {
    let mut row = Row { name, program, flags, steps, is_violated, seconds: [None; 4], conflicts: [None; 4] };
    let mut column = 0;
    while column < 4 {
        if seconds[column] > 0.0 {
            row.seconds[column] = Some(seconds[column]);
            row.conflicts[column] = Some(conflicts[column]);
        }
        column += 1;
    }
    row
}

/// A timeout.
const T: f64 = 0.0;

/// All rows, in the paper's order.
pub(crate) const TABLE: [Row; 14] = [
    row("phil2-pa", "bmc/phil", &["-DN=2"], (15, false), [0.3, 0.1, 0.1, 0.1], [0.5, 0.1, 0.1, 0.9]),
    row("phil3-pa", "bmc/phil", &["-DN=3"], (22, false), [27.0, 6.0, 1.2, 0.7], [17.0, 5.0, 2.0, 1.0]),
    row("phil4-pa", "bmc/phil", &["-DN=4"], (29, false), [69.0, 50.0, 26.0, 28.0], [39.0, 28.0, 13.0, 13.0]),
    row("phil2-pb", "bmc/phil", &["-DN=2", "-DPB"], (15, true), [0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1]),
    row("phil3-pb", "bmc/phil", &["-DN=3", "-DPB"], (22, true), [1.7, 0.8, 0.4, 1.4], [2.0, 1.1, 0.4, 1.0]),
    row("phil4-pb", "bmc/phil", &["-DN=4", "-DPB"], (29, true), [19.0, 17.0, 1.5, 2.9], [12.0, 9.0, 1.0, 2.0]),
    row("indexer2", "bmc/indexer", &["-DN=2"], (10, false), [0.3, 0.2, 0.1, 0.1], [0.3, 0.3, 0.1, 0.1]),
    row("indexer3", "bmc/indexer", &["-DN=3"], (15, false), [31.0, 23.0, 0.4, 0.3], [14.0, 14.0, 0.4, 0.3]),
    row("indexer4", "bmc/indexer", &["-DN=4"], (20, false), [T, 1791.0, 1.2, 1.7], [T, 344.0, 1.0, 1.0]),
    row("indexer5", "bmc/indexer", &["-DN=5"], (25, false), [T, T, 5.1, 6.6], [T, T, 2.0, 2.0]),
    row("indexer2", "bmc/indexer", &["-DN=2"], (11, true), [3.0, 2.0, 0.4, 0.7], [1.5, 1.5, 0.3, 0.6]),
    row("indexer3", "bmc/indexer", &["-DN=3"], (16, true), [22.0, 17.0, 4.0, 3.0], [5.0, 5.0, 1.0, 1.0]),
    row("indexer4", "bmc/indexer", &["-DN=4"], (21, true), [179.0, 177.0, 12.0, 6.0], [283.0, 283.0, 3.0, 2.0]),
    row("indexer5", "bmc/indexer", &["-DN=5"], (26, true), [T, T, 38.0, 35.0], [T, T, 4.0, 4.0]),
];
