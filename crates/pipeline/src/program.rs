//! A C program on its way: compiled, read, and explored.

use everyway_driver::{AfterFailure, Host, Limits, ModelChoice, NoHost, SoFar};
use everyway_explore::{Algorithm, Counts, MemoryModel, Order, Verification};
use everyway_ir::{Module, Preparation, prepare};
use everyway_llvm::clang::Clang;
use everyway_report::{Bug, Report};
use everyway_vm::{Program, Settings, environment};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The clang of this machine: see [`Clang::for_tests`].
///
/// # Panics
/// If there is none, and nothing says that there need be none.
pub fn clang() -> Option<Clang> {
    Clang::for_tests()
}

/// Compiles and reads the C program at `path`; `arguments` are for clang.
///
/// # Errors
/// What clang or the reader says.
pub fn load(clang: &Clang, path: &Path, arguments: &[&str]) -> Result<Module, String> {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let text = clang.compile(path, &arguments).map_err(|error| error.to_string())?;
    everyway_llvm::read_program([(&*path.display().to_string(), &*text)]).map_err(|error| error.to_string())
}

/// Compiles and reads the C program at `path`, and prepares it as the command does.
///
/// # Errors
/// What clang or the reader says.
pub fn load_prepared(
    clang: &Clang,
    path: &Path,
    arguments: &[&str],
    preparation: Preparation,
) -> Result<Module, String> {
    let mut module = load(clang, path, arguments)?;
    prepare(&mut module, preparation, environment(), &mut |_, _| {});
    Ok(module)
}

/// Compiles and reads C that is not in a file.
///
/// # Errors
/// What clang or the reader says.
pub fn load_text(clang: &Clang, text: &str, arguments: &[&str]) -> Result<Module, String> {
    let file = Temporary::new(text).map_err(|error| error.to_string())?;
    load(clang, &file.0, arguments)
}

/// A file that is gone when it is no longer needed.
struct Temporary(PathBuf);

impl Temporary {
    fn new(text: &str) -> std::io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("everyway-{}-{number}.c", std::process::id()));
        std::fs::write(&path, text)?;
        Ok(Self(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A file that stays in the folder for temporary files is no loss.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// How an exploration is set up.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The strategy.
    pub algorithm: Algorithm,
    /// The memory model. That of the papers' counts is `sc`, whatever the orderings of a program.
    pub memory_model: MemoryModel,
    /// The order in which it tries threads.
    pub order: Order,
    /// How far it goes.
    pub limits: Limits,
    /// The values that nondeterministic integers are tried with.
    pub samples: Vec<i64>,
    /// Whether additions whose results are not used commute.
    pub commuting_adds: bool,
    /// Whether the engine checks itself.
    pub verification: Verification,
}

impl Setup {
    /// Everything, by `algorithm`.
    pub fn new(algorithm: Algorithm) -> Self {
        let Settings { samples, commuting_adds, .. } = Settings::default();
        let (order, limits, verification) = (Order::Lowest, Limits::default(), Verification::Off);
        let memory_model = MemoryModel::Sc;
        Self { algorithm, memory_model, order, limits, samples, commuting_adds, verification }
    }

    /// Everything, as execution graphs under `model`.
    pub fn graphs(model: MemoryModel) -> Self {
        Self { memory_model: model, ..Self::new(Algorithm::Graphs { model }) }
    }

    /// Everything, by `algorithm`, with the engine checking itself.
    pub fn verified(algorithm: Algorithm) -> Self {
        Self { verification: Verification::Full, ..Self::new(algorithm) }
    }

    /// How the machine is to run a program.
    pub fn machine_settings(&self) -> Settings {
        let Self { samples, commuting_adds, .. } = self.clone();
        Settings { samples, commuting_adds, ..Settings::default() }
    }
}

/// Explores `module`; deadlocks are counted like other executions that block. `observe` is shown the counts after
/// every execution.
///
/// # Errors
/// When an execution fails, or is too long.
pub fn explore(module: &Arc<Module>, setup: &Setup, observe: impl FnMut(&Counts) + Send) -> Result<Counts, String> {
    let mut host = Counting { counts: Counts::default(), observe };
    let report = check(module, setup, AfterFailure::Stop, &mut host);
    match &report.bug {
        None => Ok(host.counts),
        Some(bug) => Err(explain(bug)),
    }
}

/// Explores `module` to the end, and returns all bugs; executions that block are none.
pub fn all_bugs(module: &Arc<Module>, setup: &Setup) -> Vec<Bug> {
    let report = check(module, setup, AfterFailure::GoOn, &mut NoHost);
    report.bug.into_iter().chain(report.further_bugs).collect()
}

pub(crate) fn check(
    module: &Arc<Module>,
    setup: &Setup,
    after_failure: AfterFailure,
    host: &mut dyn Host<Program>,
) -> Report {
    let settings = Settings { allow_deadlocks: true, allow_livelocks: true, ..setup.machine_settings() };
    let Setup { algorithm, memory_model, order, limits, verification, .. } = setup.clone();
    let memory_model = ModelChoice::Explicit(memory_model);
    let common = everyway_driver::Settings { memory_model, order, limits, ..Default::default() };
    let check = everyway_driver::Settings { algorithm, after_failure, verification, ..common };
    everyway_driver::check(&mut Program::new(Arc::clone(module), settings), &check, host)
}

/// A bug in a line.
pub fn explain(bug: &Bug) -> String {
    let line = bug.source.as_ref().map_or(0, |source| source.line);
    format!("{:?} in line {line}: {}", bug.kind, bug.message)
}

/// Keeps the counts.
struct Counting<O> {
    counts: Counts,
    observe: O,
}

impl<O: FnMut(&Counts) + Send> Host<Program> for Counting<O> {
    fn executed(&mut self, so_far: &SoFar<'_>) {
        self.counts = so_far.counts;
        (self.observe)(&so_far.counts);
    }
}

/// The C program of this name, among those that the command is tested with.
pub fn papers_program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../cli/tests/programs/{name}.c"))
}
