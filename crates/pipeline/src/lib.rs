//! C programs through the whole pipeline: clang, the reader of LLVM IR, the virtual machine, the engine.
//!
//! [`program`] compiles and explores, [`columns`] reads what is expected of some programs, [`clock`], [`peers`] and
//! [`table`] are for benchmarks. `emit` writes programs of the oracle's tiny language as C, `express` first leaves out what C
//! cannot say, `classes` has the brute-force numbers under the conflicts that C programs have, and `compare` holds the
//! pipeline against them; `assertions` does so for what can fail, and `retold` looks at how that is told. `weak` writes
//! programs about memory orderings, `sections` those that poll in atomic sections and under locks.

pub mod assertions;
pub mod classes;
pub mod clock;
pub mod columns;
pub mod compare;
pub mod emit;
mod executions;
pub mod express;
mod handles;
pub mod peers;
pub mod program;
pub mod retold;
pub mod sections;
pub mod table;
pub mod weak;
