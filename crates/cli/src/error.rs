//! Errors that keep the command from running: what, where, and what to do about it.

use everyway_llvm::LoadError;
use everyway_llvm::clang::ClangError;
use everyway_report::Source;
use everyway_report::replay::ReplayError;
use std::fmt;

/// Why the command could not run.
#[derive(Clone, Debug)]
pub(crate) struct Error {
    pub(crate) message: String,
    pub(crate) source: Option<Source>,
    pub(crate) tip: Option<String>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), source: None, tip: None }
    }

    pub(crate) fn with_tip(self, tip: impl Into<String>) -> Self {
        Self { tip: Some(tip.into()), ..self }
    }
}

/// As the command prints it, without the end of the last line.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message.trim_end())?;
        if let Some(source) = &self.source {
            write!(f, "\n  --> {source}")?;
        }
        self.tip.as_ref().map_or(Ok(()), |tip| write!(f, "\ntip: {tip}"))
    }
}

/// What to do about a program that was compiled with libc++.
pub(crate) const OTHER_LIBRARY: &str = "C++ is checked with libstdc++, the library of GCC: leave -stdlib=libc++ out, or say \
                                        -stdlib=libstdc++ if it is what clang takes otherwise";

/// Whether a message is about a program that was compiled with libc++.
pub(crate) fn is_of_other_library(message: &str) -> bool {
    message.contains("std::__1::") || message.contains("known of libstdc++ only")
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        let tip = match &error {
            LoadError::Unreadable { .. } => Some("check the path; files are looked for from the current folder"),
            LoadError::UnknownKind { .. } => {
                Some("rename the file, or compile it with `clang -S -emit-llvm -g` to a .ll")
            }
            LoadError::Clang(ClangError::CannotRun { .. }) => {
                Some("name another one with --clang or the environment variable EVERYWAY_CLANG")
            }
            _ if is_of_other_library(&error.to_string()) => Some(OTHER_LIBRARY),
            LoadError::Clang(ClangError::Failed { .. }) => Some(
                "macros, headers and the standard are given with -D, -I and -std=, anything else with --clang-flag",
            ),
            LoadError::Clang(_) | LoadError::Reader(_) => None,
        };
        let message = Self::new(error.to_string());
        tip.map_or(message.clone(), |tip| message.with_tip(tip))
    }
}

/// The message has its own tip.
impl From<ReplayError> for Error {
    fn from(error: ReplayError) -> Self {
        Self::new(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_of_another_library_has_a_tip_of_its_own() {
        assert!(is_of_other_library(
            "the program calls `std::__1::mutex::lock`, which is neither defined nor modelled"
        ));
        assert!(!is_of_other_library(
            "the program calls `std::filesystem::remove`, which is neither defined nor modelled"
        ));
    }
}
