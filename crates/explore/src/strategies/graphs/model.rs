//! Memory models by name.

use std::fmt;
use std::str::FromStr;

/// Which executions there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MemoryModel {
    /// Sequential consistency: interleavings.
    #[default]
    Sc,
    /// Total store order, as x86 has it: writes wait in a buffer, in order.
    Tso,
    /// Partial store order: writes wait in a buffer per location.
    Pso,
    /// RC11: the model of C, C++ and Rust, without load buffering.
    Rc11,
}

impl MemoryModel {
    /// All models, the strongest first.
    pub const ALL: [MemoryModel; 4] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Rc11];

    /// As a user writes it.
    pub fn name(self) -> &'static str {
        match self {
            MemoryModel::Sc => "sc",
            MemoryModel::Tso => "tso",
            MemoryModel::Pso => "pso",
            MemoryModel::Rc11 => "rc11",
        }
    }
}

impl fmt::Display for MemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no memory model of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMemoryModel(String);

impl fmt::Display for UnknownMemoryModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = MemoryModel::ALL.map(MemoryModel::name).join(", ");
        write!(f, "there is no memory model `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownMemoryModel {}

impl FromStr for MemoryModel {
    type Err = UnknownMemoryModel;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = MemoryModel::ALL.into_iter().find(|model| model.name() == name);
        known.ok_or_else(|| UnknownMemoryModel(name.to_owned()))
    }
}
