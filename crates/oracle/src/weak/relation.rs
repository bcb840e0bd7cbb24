//! Relations between at most 64 nodes, as matrices of bits.

/// A relation between the nodes `0..n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation(Vec<u64>);

impl Relation {
    /// The relation of all pairs for which `holds`.
    pub(super) fn new(nodes: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        assert!(nodes <= 64, "a graph of the oracle has at most 64 nodes");
        let row = |a| (0..nodes).filter(|&b| holds(a, b)).fold(0, |row, b| row | 1 << b);
        Self((0..nodes).map(row).collect())
    }

    /// Each node of which `holds` with itself.
    pub(super) fn identity(nodes: usize, holds: impl Fn(usize) -> bool) -> Self {
        Self::new(nodes, |a, b| a == b && holds(a))
    }

    pub(super) fn has(&self, a: usize, b: usize) -> bool {
        self.0[a] >> b & 1 == 1
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    /// The pairs of which `holds`.
    pub(super) fn only(&self, holds: impl Fn(usize, usize) -> bool) -> Self {
        Self::new(self.0.len(), |a, b| self.has(a, b) && holds(a, b))
    }

    pub(super) fn inverse(&self) -> Self {
        Self::new(self.0.len(), |a, b| self.has(b, a))
    }

    /// First this, then the other.
    pub(super) fn then(&self, other: &Self) -> Self {
        let successors = |row: &u64| {
            other.0.iter().enumerate().filter(|(b, _)| row >> b & 1 == 1).fold(0, |all, (_, next)| all | next)
        };
        Self(self.0.iter().map(successors).collect())
    }

    /// Once or more often.
    pub(super) fn closure(mut self) -> Self {
        for middle in 0..self.0.len() {
            let next = self.0[middle];
            for row in &mut self.0 {
                if *row >> middle & 1 == 1 {
                    *row |= next;
                }
            }
        }
        self
    }

    /// Or not at all.
    pub(super) fn maybe(&self) -> Self {
        Self(self.0.iter().enumerate().map(|(a, row)| row | 1 << a).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    pub(super) fn is_irreflexive(&self) -> bool {
        (0..self.0.len()).all(|a| !self.has(a, a))
    }

    pub(super) fn is_acyclic(&self) -> bool {
        self.clone().closure().is_irreflexive()
    }
}
