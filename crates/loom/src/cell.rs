//! Cells whose accesses are tracked.

mod unsafe_cell;

pub use everyway::cell::Cell;
pub use unsafe_cell::{ConstPtr, MutPtr, UnsafeCell};
