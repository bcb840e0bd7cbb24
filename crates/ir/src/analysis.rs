//! Analyses of a body's control flow and data flow, without running it.

mod condition;
mod control_flow;
mod counted;
mod definitions;
mod dominators;
mod effects;
mod expression;
mod limits;
mod loops;
mod purity;
mod reached;
mod relevance;
mod reread;
mod scopes;
mod sections;
mod silence;
mod used;

pub(crate) use condition::{Condition, Conjunction, Literal, Point};
pub use control_flow::ControlFlow;
pub(crate) use counted::is_counted;
pub(crate) use definitions::{Definition, Definitions};
pub use dominators::Dominators;
pub(crate) use expression::{Expression, is_repeatable, only_computes};
pub(crate) use limits::Limits;
pub use loops::{Loop, LoopId, Loops};
pub use purity::Obstacle;
pub(crate) use purity::{Purity, Subject};
pub(crate) use reached::{addressed_functions, reached_functions};
pub(crate) use relevance::relevant_registers;
pub(crate) use reread::Reread;
pub(crate) use scopes::Scopes;
pub use sections::{Section, Touch, known_sections};
pub(crate) use silence::locks_are_silent;
pub(crate) use used::count_uses;
pub use used::used_registers;
