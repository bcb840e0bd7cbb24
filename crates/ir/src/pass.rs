//! Changes to a program that do not change what it means.

mod compact;
mod promote;
mod prune;
mod rename;

pub use compact::compact;
pub use promote::promote;
pub use prune::prune;
