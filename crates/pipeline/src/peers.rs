//! What other tools reach, where that was measured on another machine.

/// What another tool takes for a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// The executions that it explores, blocked ones included.
    pub executions: u64,
    /// The seconds of the processor that it takes in all, with two digits after the point: where little is left of them without
    /// its start-up, little can be said.
    pub seconds: f64,
    /// Those of them that it takes to start, and clang takes.
    pub start: f64,
}

impl Taken {
    /// The executions that it explores in a second, once it has started.
    pub fn rate(&self) -> f64 {
        self.executions as f64 / (self.seconds - self.start)
    }
}

/// What other tools take for a program under a strategy like ours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peers {
    /// Nidhugg 0.4.
    pub nidhugg: Option<Taken>,
    /// GenMC 0.11.
    pub genmc: Option<Taken>,
}
