//! Changes to a program: that do not change what it means, and bounds.

mod assume;
mod awaits;
mod bound;
mod carry;
mod compact;
mod cut;
mod fold;
mod inline;
mod merge;
mod prepare;
mod promote;
mod prune;
mod purity;
mod rename;
mod sink;
mod spin_once;
mod sweep;
mod unwind;

pub use assume::adopt_assumes;
pub use awaits::introduce_awaits;
pub use bound::{Bounded, LOOP_BOUND, bound_loops};
pub use compact::compact;
pub use cut::cut_dead_edges;
pub use fold::fold;
pub use inline::inline;
pub use merge::merge_blocks;
pub use prepare::{LoopTreatment, Pass, Preparation, prepare};
pub use promote::promote;
pub use prune::prune;
pub use purity::{Treated, TreatedLoop, eliminate_pure_rounds};
pub use sink::sink_assumes;
pub use spin_once::spin_once;
pub use sweep::sweep;
pub use unwind::{LANDING, UNWINDS, settle_exceptions};
