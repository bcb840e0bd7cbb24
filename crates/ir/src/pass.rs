//! Changes to a program: that do not change what it means, and bounds.

mod bound;
mod compact;
mod promote;
mod prune;
mod rename;

pub use bound::{LOOP_BOUND, bound_loops};
pub use compact::compact;
pub use promote::promote;
pub use prune::prune;
