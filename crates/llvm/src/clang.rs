//! Finding a clang, and having it compile.
//!
//! clang is a program that we call. Its flags keep the program as it was written: optimisation folds racy
//! reads, hoists spin loops and invents accesses, so there is none unless the user asks for it.

use crate::cache::cached;
use crate::support::{Language, Support};
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The environment variable that names the clang to use.
pub const ENVIRONMENT_VARIABLE: &str = "EVERYWAY_CLANG";

/// The environment variable without which tests of C programs fail where there is no clang.
const WITHOUT_CLANG: &str = "EVERYWAY_WITHOUT_CLANG";

/// The oldest clang that is looked for by a name with a version.
const OLDEST_VERSION: u32 = 14;
/// The newest clang that is looked for by a name with a version.
const NEWEST_VERSION: u32 = 30;

/// Why there is no LLVM IR.
#[derive(Debug, thiserror::Error)]
pub enum ClangError {
    /// There is no clang.
    #[error(
        "no clang was found; install one (Debian and Ubuntu: `apt-get install clang`; Fedora: `dnf install clang`; \
         macOS: `xcode-select --install`), or name it with --clang or the environment variable {ENVIRONMENT_VARIABLE}"
    )]
    NotFound,
    /// The clang that was named does not exist or cannot be run.
    #[error("cannot run `{}`: {reason}", .path.display())]
    CannotRun {
        /// The program.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// clang was not done in time.
    #[error("the program could not be compiled in time")]
    TooLate,
    /// clang found errors in the program.
    #[error("`{}` could not compile `{}`:\n{messages}", .clang.display(), .source_file.display())]
    Failed {
        /// The program.
        clang: PathBuf,
        /// What it was to compile.
        source_file: PathBuf,
        /// What it said.
        messages: String,
    },
}

/// When clang is to be done.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// At this time, if there is one.
    pub deadline: Option<Instant>,
    /// As soon as this is set.
    pub cancelled: Arc<AtomicBool>,
}

impl Until {
    /// Whether that is now.
    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }
}

/// A clang.
#[derive(Clone, Debug)]
pub struct Clang {
    path: PathBuf,
    /// Where what it makes is kept.
    cache: Option<PathBuf>,
}

/// A part of the C++ library with a refusal where the headers are not those of libstdc++, which it is written for.
fn for_libstdcxx(part: &str, text: &str) -> String {
    format!(
        "#if __has_include(<bits/c++config.h>)\n{text}\n#else\n#error {part}: known of libstdc++ only, and this is another \
         C++ library\n#endif\n"
    )
}

impl Clang {
    /// The clang at this path or of this name on `PATH`.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), cache: None }
    }

    /// The same clang; what it makes is kept in this folder, and taken from there if it is known.
    pub fn cached_in(self, folder: Option<PathBuf>) -> Self {
        Self { cache: folder, ..self }
    }

    /// The clang that is given, or named by the environment, or the first of `clang`, `clang-30` ... `clang-14`
    /// on `PATH`.
    pub fn find(given: Option<&Path>) -> Result<Self, ClangError> {
        let named = given.map(Path::to_path_buf).or_else(|| std::env::var_os(ENVIRONMENT_VARIABLE).map(PathBuf::from));
        if let Some(path) = named.filter(|path| !path.as_os_str().is_empty()) {
            return Ok(Self::at(path));
        }
        let versions = (OLDEST_VERSION..=NEWEST_VERSION).rev().map(|version| format!("clang-{version}"));
        let mut names = std::iter::once("clang".to_owned()).chain(versions);
        names.find_map(|name| on_path(&name)).map(Self::at).ok_or(ClangError::NotFound)
    }

    /// The clang for tests of C programs. There is none only if there is no clang and the environment variable
    /// `EVERYWAY_WITHOUT_CLANG` is set, which says that those tests are to be left out.
    ///
    /// # Panics
    /// If there is no clang, and the variable is not set: a test that does nothing must not pass unnoticed.
    #[doc(hidden)]
    pub fn for_tests() -> Option<Self> {
        match Self::find(None) {
            Ok(clang) => Some(clang),
            Err(error) if std::env::var_os(WITHOUT_CLANG).is_none() => {
                panic!("{error}. With {WITHOUT_CLANG}=1, tests of C programs are left out")
            }
            Err(_) => {
                eprintln!("left out: there is no clang, and {WITHOUT_CLANG} is set");
                None
            }
        }
    }

    /// The program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The LLVM IR of a C or C++ file. `arguments` go to clang after ours: `-D`, `-I`, `-O`, `-std` and so on.
    pub fn compile(&self, source: &Path, arguments: &[OsString]) -> Result<String, ClangError> {
        self.compile_until(source, arguments, &Until::default())
    }

    /// The same, if clang is done until then.
    pub fn compile_until(&self, source: &Path, arguments: &[OsString], until: &Until) -> Result<String, ClangError> {
        let optimised = self.compile_with(source, arguments, &[], until)?;
        if is_unoptimised(arguments) {
            return Ok(optimised);
        }
        let flags = kept_apart(&optimised);
        if flags.is_empty() { Ok(optimised) } else { self.compile_with(source, arguments, &flags, until) }
    }

    fn compile_with(
        &self,
        source: &Path,
        arguments: &[OsString],
        more: &[String],
        until: &Until,
    ) -> Result<String, ClangError> {
        let mut command = self.command();
        let is_cxx = source.extension().is_some_and(|extension| extension != "c" && extension != "i");
        let preamble = if cfg!(target_os = "linux") && is_cxx { BEFORE } else { "" };
        if !preamble.is_empty() {
            command.args(["-include", "/dev/stdin"]);
        }
        if is_unoptimised(arguments) {
            command.args(SCOPES);
        }
        command.args(arguments).args(more);
        command.args(["-S", "-emit-llvm", "-o", "-", "--"]).arg(source);
        self.run(command, preamble, source, until)
    }

    /// LLVM IR of a part of the libraries, for a program that is compiled with these flags.
    ///
    /// # Errors
    /// When clang does not compile it.
    pub(crate) fn compile_support(
        &self,
        part: &Support,
        arguments: &[OsString],
        until: &Until,
    ) -> Result<String, ClangError> {
        // The places in it are those of a library.
        let (name, before, language) = match part.language {
            Language::Cxx => ("/usr/include/c++/everyway", BEFORE, "c++"),
            Language::C => ("/usr/include/everyway", "", "c"),
        };
        let mut command = self.command();
        command.args(&part.flags);
        if part.language == Language::Cxx {
            command.args(arguments);
        }
        command.args(["-S", "-emit-llvm", "-o", "-", "-x", language, "-"]);
        let text = format!("#line 1 \"{name}\"\n{}", part.text);
        let text = match part.language {
            Language::Cxx => for_libstdcxx(part.name, &text),
            Language::C => text,
        };
        self.run(command, &format!("{before}{text}"), Path::new(name), until)
    }

    /// clang, with the flags that all programs are compiled with.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-fno-discard-value-names"]);
        command.args(["-U_FORTIFY_SOURCE", "-fno-stack-protector"]);
        command.args(CHECKS);
        if cfg!(target_os = "linux") {
            // With optimisation, position-independent code gets tables of differences of addresses.
            command.arg("-fno-pic");
        }
        if cfg!(target_arch = "x86_64") {
            // Atomic accesses of 16 bytes as instructions rather than as calls of a library.
            command.arg("-mcx16");
        }
        command
    }

    fn run(&self, command: Command, input: &str, source: &Path, until: &Until) -> Result<String, ClangError> {
        match &self.cache {
            Some(folder) => cached(folder, command, input, |command| self.run_now(command, input, source, until)),
            None => self.run_now(command, input, source, until),
        }
    }

    fn run_now(&self, command: Command, input: &str, source: &Path, until: &Until) -> Result<String, ClangError> {
        let output = output_of(command, input, until)
            .map_err(|reason| ClangError::CannotRun { path: self.path.clone(), reason })?
            .ok_or(ClangError::TooLate)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let (clang, source_file) = (self.path.clone(), source.to_path_buf());
        Err(ClangError::Failed { clang, source_file, messages: String::from_utf8_lossy(&output.stderr).into_owned() })
    }
}

/// What memory cannot tell is checked where it happens: that a function returns what it promises, and that an index into an
/// array that is part of an object stays inside of the array. What fails is a call of `llvm.ubsantrap`, which says what, or
/// of a handler that is told the index and the type of the array.
const CHECKS: [&str; 3] =
    ["-fsanitize=return,array-bounds", "-fsanitize-trap=return", "-fno-sanitize-recover=array-bounds"];

/// The flags by which signed arithmetic is checked that is not defined. What fails is told as for what is always checked; whether a
/// shift is one of signed values is told to a handler only.
pub const OVERFLOW_CHECKS: [&str; 3] = [
    "-fsanitize=signed-integer-overflow,shift",
    "-fsanitize-trap=signed-integer-overflow",
    "-fno-sanitize-recover=shift",
];

/// The compiler says where scopes of variables begin and end, without checks of its own: it does so for a sanitizer that
/// is not there.
const SCOPES: [&str; 2] = ["-Xclang", "-fsanitize-address-use-after-scope"];

/// Whether clang is not told to optimise. If it is, the scopes of variables are no longer those of the source: what is
/// loaded outside of one has no value, which is no error.
pub(crate) fn is_unoptimised(arguments: &[OsString]) -> bool {
    let level = |argument: &OsString| argument.to_str().and_then(|text| text.strip_prefix("-O")).map(str::to_owned);
    arguments.iter().rev().find_map(level).is_none_or(|level| level == "0")
}

/// The flags by which functions stay what they are in a program that is optimised, though they could be put where they are
/// called: those that are atomic as a whole, by their names.
fn kept_apart(optimised: &str) -> Vec<String> {
    const NAMED: &str = " = distinct !DISubprogram(name: \"__VERIFIER_atomic_";
    let functions = optimised.lines().filter_map(|line| line.split_once(NAMED));
    let functions =
        functions.filter(|(_, about)| about.contains("DISPFlagDefinition") && !about.contains("linkageName"));
    let names = functions.filter_map(|(_, about)| about.split_once('"')).map(|(name, _)| name);
    let force = |attribute: &str, name: &str| {
        ["-mllvm".to_owned(), format!("-force-attribute=__VERIFIER_atomic_{name}:{attribute}")]
    };
    // What is known of them would let calls be moved.
    names
        .flat_map(|name| ["noinline", "optnone"].into_iter().flat_map(move |attribute| force(attribute, name)))
        .collect()
}

/// What comes before a C++ program. The places in it are those of a library.
const BEFORE: &str = concat!("#line 1 \"/usr/include/c++/everyway\"\n", include_str!("../support/before.hpp"));

/// Runs a command that reads `input`. There is no output if it was not done until then, and was ended.
fn output_of(mut command: Command, input: &str, until: &Until) -> std::io::Result<Option<Output>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // If it does not read, it will say why.
        let _ = stdin.write_all(input.as_bytes());
    }
    let (Some(output), Some(errors)) = (child.stdout.take(), child.stderr.take()) else { return Ok(None) };
    let (output, errors) = (read_all(output), read_all(errors));
    loop {
        if let Some(status) = child.try_wait()? {
            let bytes = |thread: JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
            return Ok(Some(Output { status, stdout: bytes(output), stderr: bytes(errors) }));
        }
        if until.is_over() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Reads what a command prints, on a thread of its own: it waits if what it prints is not read.
fn read_all(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could not be read is missing at the end, where the reader of LLVM IR notices.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

/// The file that a name means on `PATH`.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_clang_is_named() {
        let error = Clang::at("/no/such/clang").compile(Path::new("a.c"), &[]).expect_err("there is none");
        assert!(error.to_string().contains("/no/such/clang"), "{error}");
        assert!(ClangError::NotFound.to_string().contains("apt-get install clang"));
    }
}
