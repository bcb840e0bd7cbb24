//! The identity of a check: its name, its replay file, and the command that runs it again.

use crate::model::CodeSite;
use everyway_report::replay::{ProgramId, ProgramKind};
use everyway_report::{Replay, Source};
use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// A check.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    /// The test's name, with a number if it is not its first check.
    name: String,
    /// The test's name, as test runners want it.
    test: Option<String>,
    source: Source,
}

thread_local! {
    /// How many checks of each name there have been on this thread: a test may have several.
    static CHECKS: RefCell<HashMap<String, usize>> = RefCell::default();
}

impl Identity {
    /// The check that is called at `caller`.
    pub(super) fn of(name: Option<&str>, caller: CodeSite) -> Self {
        let test = test_name();
        let base = name.map(str::to_owned).or(test.clone()).or_else(program_name).unwrap_or_else(|| "check".to_owned());
        let number = CHECKS.with_borrow_mut(|checks| {
            let count = checks.entry(base.clone()).or_default();
            *count += 1;
            *count
        });
        let name = if number == 1 { base } else { format!("{base}#{number}") };
        Self { name, test, source: crate::model::describe::source(caller) }
    }

    /// As replay files have it.
    pub(super) fn program(&self) -> ProgramId {
        let (name, source) = (self.name.clone(), Some(self.source.clone()));
        ProgramId { kind: ProgramKind::Rust, name, source, content: None, arguments: Vec::new() }
    }

    /// Whether a replay file is about this check.
    pub(super) fn is(&self, program: &ProgramId) -> bool {
        program.kind == ProgramKind::Rust && program.name == self.name
    }

    /// How many workers explore unless something else is said: tests run side by side.
    pub(super) fn jobs(&self) -> NonZeroUsize {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        if self.test.is_some() { NonZeroUsize::MIN } else { all() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A mark of the check that is shorter than its name: 24 bits of the FNV-1a hash of it.
    pub(super) fn mark(&self) -> String {
        let hash =
            self.name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        format!("{:06x}", hash & 0x00ff_ffff)
    }

    /// Where its replay file is, and the command that runs that execution again.
    pub(super) fn replay(&self) -> Replay {
        self.replay_of(0)
    }

    /// The replay file of the bug with this number.
    pub(super) fn replay_of(&self, bug: usize) -> Replay {
        match bug {
            0 => self.command("EVERYWAY_REPLAY", "json"),
            _ => self.command("EVERYWAY_REPLAY", &format!("{}.json", bug + 1)),
        }
    }

    /// Where what is left of it is kept, and the command that goes on from there.
    pub(super) fn frontier(&self) -> Replay {
        self.command("EVERYWAY_RESUME", "frontier")
    }

    /// A file of this kind, and the command that uses it by this variable.
    fn command(&self, variable: &str, extension: &str) -> Replay {
        let file = self.file(extension);
        let shown = file.display();
        let command = match (&self.test, example_name()) {
            (Some(test), _) => {
                let package = env::var("CARGO_PKG_NAME").map_or(String::new(), |package| format!(" -p {package}"));
                format!("{variable}={shown} cargo test{package} {test} -- --exact --nocapture")
            }
            (None, Some(example)) => format!("{variable}={shown} cargo run --example {example}"),
            (None, None) => {
                let program = env::current_exe().map_or("the program".to_owned(), |exe| exe.display().to_string());
                format!("{variable}={shown} {program}")
            }
        };
        Replay { file: shown.to_string(), command }
    }

    fn file(&self, extension: &str) -> PathBuf {
        let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let name: String = self.name.replace("::", ".").chars().map(safe).collect();
        // Two test files may have tests of the same name.
        let file = match test_file_name().filter(|_| self.test.is_some()) {
            Some(test_file) => format!("{test_file}.{name}.{extension}"),
            None => format!("{name}.{extension}"),
        };
        target_folder().join("everyway").join(file)
    }
}

/// The name of the running test: libtest calls its threads by it, unless it runs only one at a time. Then the
/// name is an argument if the runner starts a process for each test, as nextest does.
fn test_name() -> Option<String> {
    let thread = std::thread::current();
    if let Some(name) = thread.name().filter(|name| *name != "main") {
        return Some(name.to_owned());
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--exact") {
        return None;
    }
    arguments.into_iter().find(|argument| !argument.starts_with('-'))
}

fn program_name() -> Option<String> {
    let exe = env::current_exe().ok()?;
    exe.file_stem().map(|stem| stem.to_string_lossy().into_owned())
}

/// The name of the running test's file: that of the program, without the hash that cargo adds.
fn test_file_name() -> Option<String> {
    let program = program_name()?;
    let is_hash = |text: &str| text.len() == 16 && text.chars().all(|c| c.is_ascii_hexdigit());
    match program.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => Some(name.to_owned()),
        _ => Some(program),
    }
}

/// The name of the running example.
fn example_name() -> Option<String> {
    let exe = env::current_exe().ok()?;
    (exe.parent()?.file_name() == Some(OsStr::new("examples"))).then(program_name)?
}

/// The folder that cargo builds into: the running program is in `debug/deps` or the like below it.
fn target_folder() -> PathBuf {
    let folder = env::current_exe().ok().and_then(|exe| {
        let kind = exe.parent()?;
        let below = [OsStr::new("deps"), OsStr::new("examples")];
        let profile = if below.contains(&kind.file_name()?) { kind.parent()? } else { kind };
        profile.parent().map(Path::to_owned)
    });
    folder.unwrap_or_else(|| PathBuf::from("target"))
}
