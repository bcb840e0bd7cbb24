//! How a machine treats what a program leaves open.

/// How a machine treats what a program leaves open.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The arguments of the program, its name first.
    pub arguments: Vec<String>,
    /// Whether memory that was not freed in the end is a failure.
    pub leaks: bool,
    /// Whether two unordered accesses, one of them a write and not both atomic, are a failure.
    pub races: bool,
    /// Whether a wait on a condition variable may end for no reason.
    pub spurious_wakeups: bool,
    /// Whether output of the program is kept.
    pub output: bool,
    /// How often a thread may jump backwards within one step.
    pub local_jumps: u32,
    /// How deep functions may call each other.
    pub call_depth: usize,
    /// The values that `__VERIFIER_nondet_int` and the like are tried with.
    pub samples: Vec<i64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            arguments: vec!["program".to_owned()],
            leaks: false,
            races: false,
            spurious_wakeups: false,
            output: false,
            local_jumps: 10_000_000,
            call_depth: 10_000,
            samples: vec![0, 1, 2, -1],
        }
    }
}
