//! Execution graphs under a memory model.

mod model;

pub use model::{MemoryModel, UnknownMemoryModel};
