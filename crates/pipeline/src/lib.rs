//! C programs through the whole pipeline: clang, the reader of LLVM IR, the virtual machine, the engine.
//!
//! [`program`] compiles and explores. With the feature `oracle`, `emit` writes programs of the oracle's tiny
//! language as C, `express` first leaves out what C cannot say, `classes` has the brute-force numbers under
//! the conflicts that C programs have, and `compare` holds the pipeline against them.

#[cfg(feature = "oracle")]
pub mod classes;
#[cfg(feature = "oracle")]
pub mod compare;
#[cfg(feature = "oracle")]
pub mod emit;
#[cfg(feature = "oracle")]
pub mod express;
#[cfg(feature = "oracle")]
mod handles;
pub mod program;
