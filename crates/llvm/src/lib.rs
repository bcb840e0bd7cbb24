//! Reads the textual LLVM IR that clang writes, into everyway's own representation.
//!
//! We read the text ourselves and link no LLVM library: any clang from 14 to the newest works, and none is
//! needed to build. The steps, one module each:
//!
//! - [`clang`]: finds a clang and has it compile C and C++;
//! - `lex` and `parse`: text to a syntax tree;
//! - `lower`: the tree to [`everyway_ir`], with layouts, constants and debug information resolved;
//! - [`link()`]: several files to one program; [`load()`]: all of it.
//!
//! The reader is generous with attributes and metadata that it does not need, and strict with everything that
//! has meaning: what it does not know is an [`Error`] that names the construct, its line in the LLVM IR, and
//! the line of the source where that is known.

mod ast;
mod cache;
pub mod clang;
mod error;
mod lex;
mod link;
mod load;
mod lower;
mod parse;
mod support;
mod types;

pub use error::Error;
pub use link::{Unit, link};
pub use load::{LoadError, Options, load};

use everyway_ir::{Module, validate};
use lower::Scopes;

/// Reads one file of LLVM assembly. `name` is what messages call it.
pub fn read(name: &str, text: &str) -> Result<Unit, Error> {
    read_unit(name, text, Scopes::Ignored)
}

/// Reads one file of LLVM assembly. What it says of the scopes of variables counts if it comes from a compiler that has not
/// optimised.
fn read_unit(name: &str, text: &str, scopes: Scopes) -> Result<Unit, Error> {
    let in_file = |error: Error| Error { file: name.into(), ..error };
    let tree = parse::parse(text).map_err(in_file)?;
    let mut unit = lower::lower(&tree, scopes).map_err(in_file)?;
    unit.name = name.into();
    // LLVM checks more than the parser does; what it would refuse breaks our own rules.
    match validate(&unit.module) {
        Ok(()) => Ok(unit),
        Err(violations) => Err(in_file(Error::new(0, format!("this is no valid LLVM IR: {}", violations[0])))),
    }
}

/// Reads and links files of LLVM assembly, each given by its name and its text.
pub fn read_program<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Module, Error> {
    let units = files.into_iter().map(|(name, text)| read(name, text)).collect::<Result<_, _>>()?;
    link(units)
}

/// Reads arbitrary bytes: whatever they are, the answer is a program or an error.
///
/// # Panics
/// When something is wrong with this crate, or with what it makes of programs.
pub fn fuzz(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(module) = read_program([("fuzz.ll", &*text)]) {
        everyway_ir::exercise(module);
    }
}
