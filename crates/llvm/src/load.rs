//! From files to a program.

use crate::clang::{Clang, ClangError, Until, is_unoptimised};
use crate::error::Error;
use crate::link::{Unit, link};
use crate::lower::Scopes;
use crate::support;
use crate::{read, read_unit};
use everyway_ir::Module;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How to load a program.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The clang to use; otherwise one is looked for when it is needed.
    pub clang: Option<PathBuf>,
    /// What clang is told besides: `-D`, `-I`, `-O`, `-std` and so on.
    pub arguments: Vec<OsString>,
    /// When clang is to be done.
    pub until: Until,
    /// The folder in which what clang makes is kept, if it is.
    pub cache: Option<PathBuf>,
}

impl Options {
    fn clang(&self) -> Result<Clang, ClangError> {
        Clang::find(self.clang.as_deref()).map(|clang| clang.cached_in(self.cache.clone()))
    }
}

/// Why a program could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A file of a kind that we know nothing about.
    #[error("`{}` is neither C (.c), C++ (.cc, .cpp, .cxx) nor LLVM IR (.ll)", .path.display())]
    UnknownKind {
        /// The file.
        path: PathBuf,
    },
    /// There is no LLVM IR.
    #[error(transparent)]
    Clang(#[from] ClangError),
    /// The LLVM IR cannot be read.
    #[error(transparent)]
    Reader(#[from] Error),
}

/// Loads C, C++ and LLVM IR files and links them into one program.
pub fn load(paths: &[PathBuf], options: &Options) -> Result<Module, LoadError> {
    let mut units: Vec<Unit> = paths.iter().map(|path| load_unit(path, options)).collect::<Result<_, _>>()?;
    for part in support::needed(&units) {
        let text = options.clang()?.compile_support(&part, &options.arguments, &options.until)?;
        let unit = read(&format!("LLVM IR of {}", part.name), &text)?;
        // What it sets up is there before the program starts.
        units.insert(0, unit.giving_way());
    }
    Ok(link(units)?)
}

fn load_unit(path: &Path, options: &Options) -> Result<Unit, LoadError> {
    let unreadable = |reason| LoadError::Unreadable { path: path.to_path_buf(), reason };
    // clang's own message about a missing file does not look like ours.
    std::fs::metadata(path).map_err(unreadable)?;
    let name = path.display().to_string();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("ll") => Ok(read(&name, &std::fs::read_to_string(path).map_err(unreadable)?)?),
        Some("c" | "i" | "cc" | "cpp" | "cxx" | "c++" | "C" | "ii") => {
            let text = options.clang()?.compile_until(path, &options.arguments, &options.until)?;
            let scopes = if is_unoptimised(&options.arguments) { Scopes::Watched } else { Scopes::Ignored };
            Ok(read_unit(&format!("LLVM IR of {name}"), &text, scopes)?)
        }
        _ => Err(LoadError::UnknownKind { path: path.to_path_buf() }),
    }
}
