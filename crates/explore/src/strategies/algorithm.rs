//! The strategies by name, for callers that choose one at run time.

use super::bounded::Bounded;
use super::dpor::{Classic, Dpor, Observers, Optimal, Source};
use super::graphs::{Graphs, MemoryModel};
use super::naive::Naive;
use super::random::{Pct, RandomWalk, Sampling};
use super::reads_from::ReadsFrom;
use super::{Order, Strategy};
use crate::frontier::{GraphSubtree, Start, Subtree};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A strategy and its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Every interleaving.
    Naive,
    /// One execution per Mazurkiewicz trace that has an execution with at most so many preemptions, where a thread that
    /// could continue is interrupted.
    Bounded {
        /// The bound.
        preemptions: u32,
    },
    /// Persistent sets with sleep sets.
    Classic,
    /// Source sets.
    Source,
    /// Wakeup trees: one execution per Mazurkiewicz trace.
    #[default]
    Optimal,
    /// Wakeup trees with observers: one execution for all that differ only in the order of stores that is not
    /// observed.
    Observers,
    /// One execution per reads-from class.
    ReadsFrom,
    /// One execution per consistent execution graph under a memory model.
    Graphs {
        /// The model.
        model: MemoryModel,
    },
    /// A uniform random walk.
    Random {
        /// Its seed.
        seed: u64,
    },
    /// Probabilistic concurrency testing.
    Pct {
        /// Its seed.
        seed: u64,
        /// The number of ordering constraints of the bugs to look for.
        depth: usize,
    },
    /// Several of the others side by side ([`Algorithm::members`]): the first conclusive one ends all.
    Portfolio {
        /// The seed of those that sample.
        seed: u64,
    },
}

impl Algorithm {
    /// The names that [`Algorithm::from_str`] knows.
    pub const NAMES: [&'static str; 11] = [
        "naive",
        "bounded",
        "classic",
        "source",
        "optimal",
        "observers",
        "reads-from",
        "graphs",
        "random",
        "pct",
        Self::PORTFOLIO,
    ];

    /// The name of [`Algorithm::Portfolio`].
    pub const PORTFOLIO: &'static str = "portfolio";

    /// The members of a portfolio, the default strategy first; none for any other strategy.
    pub fn members(self) -> Option<Vec<Algorithm>> {
        let Algorithm::Portfolio { seed } = self else { return None };
        let depths = [3, 5, 10].map(|depth| Algorithm::Pct { seed, depth });
        let all = [Algorithm::default(), Algorithm::ReadsFrom].into_iter().chain(depths);
        Some(all.chain([Algorithm::Random { seed }]).collect())
    }

    /// Whether the remaining work of an exploration consists of subtrees that share nothing: then several workers can
    /// explore together, and an exploration that was stopped can be resumed.
    pub fn can_be_shared(self) -> bool {
        match self {
            Algorithm::Naive | Algorithm::Graphs { .. } | Algorithm::Random { .. } | Algorithm::Pct { .. } => true,
            Algorithm::Bounded { .. }
            | Algorithm::Classic
            | Algorithm::Source
            | Algorithm::Optimal
            | Algorithm::Observers
            | Algorithm::ReadsFrom
            | Algorithm::Portfolio { .. } => false,
        }
    }

    /// Whether it samples executions, and does not end by itself.
    pub fn is_sampling(self) -> bool {
        matches!(self, Algorithm::Random { .. } | Algorithm::Pct { .. })
    }

    /// The whole exploration, as a subtree; for samples, those with numbers below `samples`. None if it cannot be shared.
    pub fn root(self, samples: u64) -> Option<Subtree> {
        match self {
            Algorithm::Naive => Some(Subtree::steps(Vec::new())),
            Algorithm::Graphs { .. } => Some(Subtree::graph(GraphSubtree::new(Arc::from([]), 0, Start::Here))),
            Algorithm::Random { .. } | Algorithm::Pct { .. } => Some(Subtree::samples(0..samples.max(1), 1)),
            _ => None,
        }
    }

    /// Other strategies that may finish where this one does not, by the names that a user may write.
    pub fn instead(self) -> &'static [&'static str] {
        match self {
            Algorithm::Bounded { .. } => &["pct"],
            Algorithm::ReadsFrom => &["bounded", "pct"],
            Algorithm::Random { .. } | Algorithm::Pct { .. } | Algorithm::Portfolio { .. } => &[],
            _ => &["reads-from", "bounded", "pct"],
        }
    }

    /// Its name, as a user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Portfolio { .. } => Self::PORTFOLIO,
            _ => self.strategy(Order::Lowest).name(),
        }
    }

    /// [`Algorithm::strategy`], in which execution graphs keep at most about so many events for deferred revisits. With
    /// fewer, more steps are taken again; the executions are the same.
    pub fn strategy_keeping(self, events: usize, order: Order) -> Box<dyn Strategy> {
        match self {
            Algorithm::Graphs { model } => Box::new(Graphs::new(model, order).keeping(events)),
            _ => self.strategy(order),
        }
    }

    /// The strategy, ready to explore one program; for a portfolio, its first member.
    pub fn strategy(self, order: Order) -> Box<dyn Strategy> {
        match self {
            Algorithm::Naive => Box::new(Naive::new(order)),
            Algorithm::Bounded { preemptions } => Box::new(Bounded::new(preemptions, order)),
            Algorithm::Classic => Box::new(Dpor::<Classic>::new(order)),
            Algorithm::Source => Box::new(Dpor::<Source>::new(order)),
            Algorithm::Optimal => Box::new(Dpor::<Optimal>::new(order)),
            Algorithm::Observers => Box::new(Dpor::<Observers>::new(order)),
            Algorithm::ReadsFrom => Box::new(ReadsFrom::new(order)),
            Algorithm::Graphs { model } => Box::new(Graphs::new(model, order)),
            Algorithm::Random { seed } => Box::new(RandomWalk::new(seed)),
            Algorithm::Pct { seed, depth } => Box::new(Sampling::<Pct>::new(depth, seed)),
            Algorithm::Portfolio { .. } => Algorithm::default().strategy(order),
        }
    }
}

/// There is no strategy of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm(String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no strategy `{}`; there are {}", self.0, Algorithm::NAMES.join(", "))
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "naive" => Ok(Algorithm::Naive),
            "bounded" => Ok(Algorithm::Bounded { preemptions: 2 }),
            "classic" => Ok(Algorithm::Classic),
            "source" => Ok(Algorithm::Source),
            "optimal" => Ok(Algorithm::Optimal),
            "observers" => Ok(Algorithm::Observers),
            "reads-from" => Ok(Algorithm::ReadsFrom),
            "graphs" => Ok(Algorithm::Graphs { model: MemoryModel::default() }),
            "random" => Ok(Algorithm::Random { seed: 0 }),
            "pct" => Ok(Algorithm::Pct { seed: 0, depth: 3 }),
            Self::PORTFOLIO => Ok(Algorithm::Portfolio { seed: 0 }),
            _ => Err(UnknownAlgorithm(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Guarantee;
    use super::*;

    #[test]
    fn every_name_is_understood_and_kept() {
        for name in Algorithm::NAMES {
            let algorithm: Algorithm = name.parse().expect("a known name");
            assert_eq!(algorithm.name(), name);
        }
        for name in Algorithm::NAMES {
            let algorithm: Algorithm = name.parse().expect("a known name");
            assert_eq!(algorithm.root(1).is_some(), algorithm.can_be_shared(), "{name}");
            let mut strategy = algorithm.strategy(Order::Lowest);
            assert_eq!(strategy.divisible().is_some(), algorithm.can_be_shared(), "{name}");
            assert_eq!(strategy.guarantee() == Guarantee::Nothing, algorithm.is_sampling(), "{name}");
        }
        let error = "depth-first".parse::<Algorithm>().expect_err("an unknown name");
        assert!(error.to_string().contains("optimal"), "{error}");
    }
}
