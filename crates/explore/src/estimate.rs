//! An estimate of the number of executions, extrapolated from the known part of the search tree.

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
        Self::from_part(explored, done + share)
    }

    /// There are as many executions in what is left as in what is `done`, in proportion.
    pub fn from_part(explored: u64, done: f64) -> Self {
        let explored_so_far = explored as f64;
        let total = (done > 0.0).then(|| (explored_so_far / done.min(1.0)).max(explored_so_far));
        Self { explored, total: total.filter(|total| total.is_finite()) }
    }
}

/// Which part of the whole has been explored, where alternatives are left for later one by one.
///
/// It is the same idea: at a place with some alternatives each of them is left an equal share of what was under way, which
/// goes on with as much. What has come to its end is done, with its share. A share may be given away, with the subtree that it
/// is of; so those of several workers add up.
#[derive(Debug)]
pub(crate) struct Shares {
    /// That of what is under way.
    current: f64,
    /// Those of the alternatives that are left, as they lie on their stack.
    left: Vec<f64>,
    done: f64,
}

impl Shares {
    /// Everything is under way.
    pub(crate) fn whole() -> Self {
        Self { current: 1.0, left: Vec::new(), done: 0.0 }
    }

    /// There are `count` alternatives on the stack now: the new ones are of what is under way.
    #[inline]
    pub(crate) fn divide(&mut self, count: usize) {
        if count > self.left.len() {
            self.current /= (count - self.left.len() + 1) as f64;
            self.left.resize(count, self.current);
        }
    }

    /// What was under way is put off, with its share.
    pub(crate) fn put_off(&mut self) -> Share {
        Share(std::mem::take(&mut self.current))
    }

    /// What was under way has come to its end, and what was put off with this share is under way.
    pub(crate) fn go_on(&mut self, share: Share) {
        self.done += self.current;
        self.current = share.0;
    }

    /// What was under way has come to its end, and the alternative on the top of the stack is under way.
    pub(crate) fn pop(&mut self) {
        self.done += self.current;
        self.current = self.left.pop().unwrap_or(0.0);
    }

    /// Gives away the alternative at this place of the stack.
    pub(crate) fn give(&mut self, position: usize) -> Share {
        Share(self.left.remove(position))
    }

    /// A subtree with this share is all that is under way, and left. What was before has come to its end, or was given away.
    pub(crate) fn adopt(&mut self, share: Share) {
        self.left.clear();
        self.current = share.0;
    }

    /// The part that is done.
    pub(crate) fn done(&self) -> f64 {
        self.done
    }
}

/// How much of the whole a subtree may be. That makes no difference to what it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share(pub(crate) f64);

impl PartialEq for Share {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Share {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_binary_tree_is_half() {
        let estimate = Estimate::from_branches(2, [(1, 1), (2, 0)].into_iter());
        assert_eq!(estimate.total, Some(4.0));
    }

    /// A binary tree of depth two, of which one half was given away.
    #[test]
    fn shares_of_all_add_up() {
        let (mut one, mut other) = (Shares::whole(), Shares::whole());
        one.divide(1);
        one.divide(2);
        one.pop();
        assert_eq!(one.done(), 0.25);
        let given = one.give(0);
        other.adopt(given);
        other.divide(1);
        other.pop();
        other.pop();
        assert_eq!(other.done(), 0.5);
        let put_off = one.put_off();
        one.pop();
        assert_eq!(one.done(), 0.25);
        one.go_on(put_off);
        one.pop();
        assert_eq!(one.done(), 0.5);
        assert_eq!(Estimate::from_part(2, one.done()).total, Some(4.0));
    }

    #[test]
    fn what_cannot_be_told_is_not_told() {
        assert_eq!(Estimate::from_part(2, 0.0).total, None);
        assert_eq!(Estimate::from_part(u64::MAX, f64::MIN_POSITIVE).total, None);
    }

    #[test]
    fn a_finished_tree_is_known() {
        let estimate = Estimate::from_branches(4, [(2, 0), (2, 0)].into_iter());
        assert_eq!(estimate.total, Some(4.0));
    }
}
