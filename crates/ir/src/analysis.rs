//! What can be known of a body's control flow without running it.

mod condition;
mod control_flow;
mod definitions;
mod dominators;
mod expression;
mod loops;
mod purity;
mod used;

pub(crate) use condition::{Conjunction, Literal, Point};
pub use control_flow::ControlFlow;
pub(crate) use definitions::{Definition, Definitions};
pub use dominators::Dominators;
pub(crate) use expression::{Expression, is_repeatable};
pub use loops::{Loop, LoopId, Loops};
pub use purity::Obstacle;
pub(crate) use purity::Subject;
pub use used::used_registers;
