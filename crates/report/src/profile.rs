//! Where the executions of an exploration come from.

use serde::{Deserialize, Serialize};

use crate::Source;

/// What multiplies the executions of a program, how long they are, and how many were expected when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// The places whose steps race, by how many executions come from that, the most first.
    pub pairs: Vec<RacingPlaces>,
    /// How many executions come from others.
    pub others: u64,
    /// How long executions are.
    pub lengths: Lengths,
    /// How many executions were expected in all, from the first estimate to the last.
    pub estimates: Vec<EstimateSoFar>,
}

/// Two places whose steps come in either order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RacingPlaces {
    /// One of them, if it is known.
    pub one: Option<Source>,
    /// The other one, if it is known.
    pub other: Option<Source>,
    /// How many executions were begun because their order was reversed.
    pub executions: u64,
}

/// How long executions are, in steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lengths {
    /// The shortest one.
    pub shortest: usize,
    /// The longest one.
    pub longest: usize,
    /// On average.
    pub mean: f64,
}

/// An estimate of the number of executions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimateSoFar {
    /// After how many executions it was made.
    pub executions: u64,
    /// After how many seconds.
    pub seconds: f64,
    /// How many there will be in all.
    pub total: f64,
}
