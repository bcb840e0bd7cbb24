//! How many executions there will be, guessed from the part of the search tree that is known.

/// An estimate of the number of executions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many have been explored.
    pub explored: u64,
    /// How many there may be in all, if one can tell.
    pub total: Option<f64>,
}

impl Estimate {
    pub(crate) fn unknown(explored: u64) -> Self {
        Self { explored, total: None }
    }

    /// Knuth's estimate, weighted: a state with `n` known branches gives each of them an equal share of its
    /// own share, so that the explored branches along the current path make up a fraction of the whole tree.
    ///
    /// `branches` has, for each state from the root down, how many branches were begun (the last of them is
    /// under way) and how many are known to remain. Branches found later shrink the fraction, so the estimate
    /// starts low and grows.
    pub(crate) fn from_branches(explored: u64, branches: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut share = 1.0;
        let mut done = 0.0;
        for (started, remaining) in branches {
            if started == 0 {
                break;
            }
            share /= (started + remaining) as f64;
            done += share * (started - 1) as f64;
        }
        // The path itself, to be explored just now, counts as done.
        Self { explored, total: Some((explored as f64 / (done + share).min(1.0)).max(explored as f64)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_binary_tree_is_half() {
        let estimate = Estimate::from_branches(2, [(1, 1), (2, 0)].into_iter());
        assert_eq!(estimate.total, Some(4.0));
    }

    #[test]
    fn a_finished_tree_is_known() {
        let estimate = Estimate::from_branches(4, [(2, 0), (2, 0)].into_iter());
        assert_eq!(estimate.total, Some(4.0));
    }
}
