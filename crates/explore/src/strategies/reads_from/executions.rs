//! How much the executions have in common that were explored one after the other: what need not be looked at again to tell
//! how much one of them has in common with the last one.

/// The executions so far.
#[derive(Debug, Default)]
pub(super) struct Executions {
    /// The number of the last one.
    last: u64,
    /// Numbers of executions, and how many steps of the one before they began with. Both grow: what is known of an execution
    /// is left out if a later one began with as few or fewer.
    kept: Vec<(u64, usize)>,
}

/// That an execution begins with so many steps of another one, at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beginning {
    /// The number of the other one.
    of: u64,
    steps: usize,
}

impl Executions {
    /// The next execution begins with so many steps of the last one.
    pub(super) fn go_on_from(&mut self, steps: usize) {
        self.last += 1;
        while self.kept.last().is_some_and(|&(_, kept)| kept >= steps) {
            self.kept.pop();
        }
        self.kept.push((self.last, steps));
    }

    /// So many steps of the last execution.
    pub(super) fn beginning(&self, steps: usize) -> Beginning {
        Beginning { of: self.last, steps }
    }

    /// With how many steps of the last execution something begins that begins so, at least. Each execution since then began
    /// with as many steps of the one before.
    pub(super) fn in_common(&self, beginning: Beginning) -> usize {
        let later = self.kept.partition_point(|&(nth, _)| nth <= beginning.of);
        self.kept.get(later).map_or(beginning.steps, |&(_, kept)| kept.min(beginning.steps))
    }
}
