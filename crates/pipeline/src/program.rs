//! A C program on its way: compiled, read, and explored.

use everyway_explore::{
    Algorithm, Counts, End, Execution, Explorer, Halt, Limits, Location, Matching, Operation, Order, Performed, State,
    Status, Step, ThreadId,
};
use everyway_ir::Module;
use everyway_llvm::clang::{Clang, ClangError};
use everyway_vm::{Failure, Machine, Settings};
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
}

impl Setup {
    /// Everything, by `algorithm`.
    pub fn new(algorithm: Algorithm) -> Self {
        let Settings { samples, commuting_adds, .. } = Settings::default();
        Self { algorithm, order: Order::Lowest, limits: Limits::default(), samples, commuting_adds }
    }
}

/// Explores `module`; deadlocks are counted like other executions that block. `observe` is shown the counts after
/// every execution.
///
/// # Errors
/// When an execution fails, or when not everything was explored for another reason than the number of executions.
pub fn explore(module: &Arc<Module>, setup: &Setup, mut observe: impl FnMut(&Counts)) -> Result<Counts, String> {
    let Setup { samples, commuting_adds, .. } = setup.clone();
    let settings = Settings { samples, commuting_adds, ..Settings::default() };
    let machine = Machine::new(Arc::clone(module), settings).map_err(|(_, failure)| explain(&failure))?;
    let mut machine = KeepGoing(machine);
    let mut strategy = setup.algorithm.strategy(setup.order.clone());
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, setup.limits.clone());
    let end = explorer.run(|progress| {
        observe(&progress.counts);
        ControlFlow::Continue(())
    });
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

/// A program whose deadlocks are not failures.
struct KeepGoing(Machine);

impl Matching for KeepGoing {}

impl State for KeepGoing {
    fn threads(&self) -> usize {
        self.0.threads()
    }

    fn status(&self, thread: ThreadId) -> Status {
        self.0.status(thread)
    }

    fn operation(&self, thread: ThreadId) -> &Operation {
        self.0.operation(thread)
    }

    fn choices(&self, thread: ThreadId) -> u32 {
        self.0.choices(thread)
    }

    fn value(&self, location: Location) -> u64 {
        self.0.value(location)
    }

    fn is_settled(&self, location: Location, depth: usize) -> bool {
        self.0.is_settled(location, depth)
    }

    fn has_lasting_numbers(&self) -> bool {
        self.0.has_lasting_numbers()
    }
}

impl Execution for KeepGoing {
    type Failure = Failure;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Failure>> {
        self.0.step(step, performed)
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Failure>> {
        self.0.rewind(depth)
    }

    fn blocked(&mut self) -> Option<Failure> {
        None
    }
}

/// The C program of this name, among those that the command is tested with.
pub fn papers_program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../cli/tests/programs/{name}.c"))
}
