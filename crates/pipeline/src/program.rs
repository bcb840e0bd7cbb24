//! A C program on its way: compiled, read, and explored.

use everyway_explore::{
    AfterFailure, Algorithm, Counts, End, Explorer, Limits, Order, Progress, Trace, Verification, Watcher,
};
use everyway_ir::{Module, Preparation, prepare};
use everyway_llvm::clang::{Clang, ClangError};
use everyway_report::BugKind;
use everyway_vm::{Failure, Machine, Settings, environment};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The clang of this machine, if it has one; otherwise says so.
pub fn clang() -> Option<Clang> {
    match Clang::find(None) {
        Ok(clang) => Some(clang),
        Err(ClangError::NotFound) => {
            eprintln!("skipped: there is no clang on this machine");
            None
        }
        Err(error) => panic!("{error}"),
    }
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
    /// The order in which it tries threads.
    pub order: Order,
    /// How far it goes.
    pub limits: Limits,
    /// The values that nondeterministic integers are tried with.
    pub samples: Vec<i64>,
    /// Whether additions whose results nobody uses commute.
    pub commuting_adds: bool,
    /// Whether the engine checks itself.
    pub verification: Verification,
}

impl Setup {
    /// Everything, by `algorithm`.
    pub fn new(algorithm: Algorithm) -> Self {
        let Settings { samples, commuting_adds, .. } = Settings::default();
        let (order, limits, verification) = (Order::Lowest, Limits::default(), Verification::Off);
        Self { algorithm, order, limits, samples, commuting_adds, verification }
    }

    /// Everything, by `algorithm`, with the engine checking itself.
    pub fn verified(algorithm: Algorithm) -> Self {
        Self { verification: Verification::Full, ..Self::new(algorithm) }
    }

    /// The machine that runs `module`, at the beginning.
    pub fn machine(&self, module: &Arc<Module>) -> Machine {
        let Self { samples, commuting_adds, .. } = self.clone();
        Machine::begin(Arc::clone(module), Settings { samples, commuting_adds, ..Settings::default() })
    }
}

/// Explores `module`; deadlocks are counted like other executions that block. `observe` is shown the counts after
/// every execution.
///
/// # Errors
/// When an execution fails, or when not everything was explored for another reason than the number of executions.
pub fn explore(module: &Arc<Module>, setup: &Setup, observe: impl FnMut(&Counts)) -> Result<Counts, String> {
    explore_watched(module, setup, &mut Blocking(observe))
}

/// The same with somebody who decides about failures.
///
/// # Errors
/// When a failure ends the exploration, or not everything was explored for another reason than the number of
/// executions.
pub fn explore_watched(
    module: &Arc<Module>,
    setup: &Setup,
    watcher: &mut dyn Watcher<Machine>,
) -> Result<Counts, String> {
    explore_machine(&mut setup.machine(module), setup, watcher)
}

/// The same with a machine that stays.
///
/// # Errors
/// As [`explore_watched`].
pub fn explore_machine(
    machine: &mut Machine,
    setup: &Setup,
    watcher: &mut dyn Watcher<Machine>,
) -> Result<Counts, String> {
    let mut strategy = setup.algorithm.strategy(setup.order.clone());
    let mut explorer = Explorer::new(machine, &mut *strategy, setup.limits.clone()).verified(setup.verification);
    let end = explorer.run_watched(watcher);
    let counts = explorer.counts();
    match end {
        End::Finished => Ok(counts),
        End::Stopped(everyway_explore::Cut::Executions(_)) => Ok(counts),
        End::Stopped(cut) => Err(format!("stopped by {cut:?}")),
        End::Failed(failure) => Err(explain(&failure)),
        End::Diverged(failure) => Err(format!("diverged: {}", explain(&failure))),
    }
}

fn explain(failure: &Failure) -> String {
    let line = failure.location.map_or(0, |location| location.line);
    format!("{:?} in line {line}: {}", failure.kind, failure.message)
}

/// Goes on if nobody can, and after nothing else.
struct Blocking<O>(O);

impl<O: FnMut(&Counts)> Watcher<Machine> for Blocking<O> {
    fn executed(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        (self.0)(&progress.counts);
        ControlFlow::Continue(())
    }

    fn failed(&mut self, failure: &Failure, _: &Machine, _: &Trace) -> AfterFailure {
        match failure.kind {
            BugKind::Deadlock | BugKind::Livelock => AfterFailure::GoOn(0),
            _ => AfterFailure::Stop,
        }
    }
}

/// The C program of this name, among those that the command is tested with.
pub fn papers_program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../cli/tests/programs/{name}.c"))
}
