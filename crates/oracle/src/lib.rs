//! Brute force to compare the engine with.
//!
//! [`program`] is a tiny concurrent language as data, and [`machine`] runs it with the engine or without. [`brute`]
//! enumerates all interleavings and divides them into classes as [`relation`] defines them. [`compare`] holds every
//! strategy against that, [`bounded`] those with a bound, and [`assertions`] the failures that they find. Programs come
//! from [`random`]. [`own_process`] measures the memory and instructions of benchmarks.
//!
//! This crate does not know how the engine works: it computes conflicts and classes anew.

pub mod assertions;
pub mod bounded;
pub mod brute;
mod code;
pub mod compare;
mod declare;
pub mod machine;
mod observed;
pub mod own_process;
pub mod papers;
pub mod program;
pub mod random;
pub mod reexecuting;
pub mod relation;
pub mod sections;
pub mod shrink;
pub mod sources;
pub mod spin;
pub mod weak;
