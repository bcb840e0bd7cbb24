//! The text form: printed, parsed and compared.
//!
//! ```text
//! target "x86_64-pc-linux-gnu"
//! file f0 = "counter.c"
//! type t0 = scalar "int" 4 signed
//! global @x size 4 align 4 named "x" type t0 at f0:1:5 = ""
//! declare @pthread_self() -> i64
//! function @get(%0:ptr "p") -> i32 at f0:3:1 {
//!   slot s0 size 4 align 4 named "r" type t0 at f0:4:7
//! b0 "entry":
//!   %1:i32 = load %0 align 4 at f0:5:10
//!   %2:i32 = add %1, 1:i32 at f0:5:12
//!   return %2 at f0:5:3
//! }
//! ```
//!
//! One item or instruction per line, so that two programs can be compared by `diff`. `;` starts a comment.
//! Registers have their type where they are assigned, constants always. Numbers of floating point are decimal
//! (`1.5:f64`) where that is exact and finite, and bits (`0x7ff0000000000000:f64`) otherwise.

mod escape;
mod lex;
mod parse;
mod parse_body;
mod parse_operation;
mod print;
mod print_body;

pub use parse::{ParseError, parse};
pub use print::DisplayFunction;
pub(crate) use print_body::Shown;
