//! Programs for 32 bits: the meaning of `-m32`.
//!
//! `int` and `long` have 32 bits, as on Windows, but the headers and macros are those of Linux for i386. Pointers have
//! 64 bits there, the only size that the virtual machine knows, which the verdict says.

use crate::arguments::ProgramArguments;
use crate::trace::FOLDER;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The flag.
const ILP32: &str = "-m32";

/// What clang is told in its place.
const FLAGS: [&str; 19] = [
    "--target=x86_64-w64-windows-gnu",
    "-isystem/usr/include/x86_64-linux-gnu",
    "-isystem/usr/include",
    "-U__x86_64__",
    "-U__x86_64",
    "-U_WIN32",
    "-U_WIN64",
    "-UWIN32",
    "-UWIN64",
    "-U__MINGW32__",
    "-U__MINGW64__",
    "-D__i386__=1",
    "-D__linux__=1",
    "-D__linux=1",
    "-D__gnu_linux__=1",
    "-D__unix__=1",
    "-D__unix=1",
    "-D__ELF__=1",
    "-Wno-unused-command-line-argument",
];

/// Where the one header is that glibc's others need for i386 and that is not installed with them. It says which functions are
/// missing, which is none that matters here.
fn folder() -> PathBuf {
    Path::new(FOLDER).join("i386")
}

/// What clang is told if the user says this.
pub(crate) fn meaning(flag: &str) -> Vec<OsString> {
    if flag != ILP32 {
        return vec![flag.into()];
    }
    let headers = format!("-isystem{}", folder().display());
    FLAGS.map(OsString::from).into_iter().chain([headers.into()]).collect()
}

impl ProgramArguments {
    /// Whether the program is one for 32 bits.
    pub(crate) fn is_32_bit(&self) -> bool {
        self.clang_flag.iter().rev().find(|flag| [ILP32, "-m64"].contains(&flag.as_str())).is_some_and(|it| it == ILP32)
    }

    /// Makes the header that such a program may need. If that cannot be, clang says what is missing.
    pub(crate) fn provide_headers(&self) {
        let folder = folder().join("gnu");
        let header = folder.join("stubs-32.h");
        if self.is_32_bit() && !header.exists() {
            let _ = fs::create_dir_all(&folder).and_then(|()| fs::write(header, ""));
        }
    }
}
