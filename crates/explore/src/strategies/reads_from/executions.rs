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

#[cfg(test)]
mod tests {
    use super::*;

    fn in_common(one: &[u8], other: &[u8]) -> usize {
        one.iter().zip(other).take_while(|(one, other)| one == other).count()
    }

    /// Never more than there is, and all of what each execution kept.
    #[test]
    fn what_is_in_common_is_known_from_below() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..1_000 {
            let mut executions = Executions::default();
            let mut explored: Vec<Vec<u8>> = vec![(0..8).map(|_| random.u8(0..2)).collect()];
            let mut known = vec![(executions.beginning(8), usize::MAX)];
            for _ in 0..12 {
                let kept = random.usize(0..=8);
                let last = &explored[explored.len() - 1];
                let next: Vec<u8> = last[..kept].iter().copied().chain((kept..8).map(|_| random.u8(0..2))).collect();
                executions.go_on_from(kept);
                known.iter_mut().for_each(|(_, least)| *least = kept.min(*least));
                for (execution, &(beginning, least)) in explored.iter().zip(&known) {
                    assert_eq!(executions.in_common(beginning), least.min(8));
                    assert!(executions.in_common(beginning) <= in_common(execution, &next));
                }
                explored.push(next);
                known.push((executions.beginning(8), usize::MAX));
            }
        }
    }
}
