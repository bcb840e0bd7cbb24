//! The attribute macro.
