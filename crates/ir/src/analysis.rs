//! What can be known of a body's control flow without running it.

mod control_flow;
mod dominators;
mod loops;

pub use control_flow::ControlFlow;
pub use dominators::Dominators;
pub use loops::{Loop, LoopId, Loops};
