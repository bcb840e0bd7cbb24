//! Running the command `everyway`, as users do, and what it reports and takes.

use crate::peers::Beside;
use crate::table::Count;
use everyway_pipeline::program::papers_program;
use serde::Deserialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What came of a cell.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// Whether everything was explored, or the bug was found: not stopped by the time.
    pub(crate) is_finished: bool,
    pub(crate) complete: u64,
    pub(crate) blocked: u64,
    /// Begun in vain, or failed.
    pub(crate) redundant: u64,
    /// Of exploring, without clang.
    pub(crate) seconds: f64,
    /// The most memory that the process had, where it is known.
    pub(crate) mebibytes: Option<f64>,
    /// Of a symbolic search.
    pub(crate) solver: Option<Solver>,
    /// What other tools make of it.
    pub(crate) beside: Vec<Beside>,
}

impl Measured {
    /// The executions as a paper counts them.
    pub(crate) fn count(&self, like: Option<Count>) -> Count {
        match like {
            Some(Count::Split(..)) if self.redundant == 0 => Count::Split(self.complete, self.blocked),
            _ => Count::Begun(self.complete + self.blocked + self.redundant),
        }
    }
}

/// What a solver says of its search.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Solver {
    pub(crate) conflicts: Option<u64>,
}

/// The report of the command, as far as it is of interest here.
#[derive(Deserialize)]
struct Report {
    executions: Executions,
    seconds: f64,
    solver: Option<Solver>,
    verdict: String,
}

#[derive(Deserialize)]
struct Executions {
    blocked: u64,
    complete: u64,
    failed: u64,
    redundant: u64,
}

/// The command, built as it is shipped.
pub(crate) struct Everyway(PathBuf);

impl Everyway {
    /// One that is there.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Builds it.
    pub(crate) fn build() -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--release", "--package", "everyway-cli"])
            .current_dir(&root)
            .status()
            .map_err(|error| format!("cargo does not run: {error}"))?;
        if !status.success() {
            return Err("the command could not be built".to_owned());
        }
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Self(target.join("release/everyway")))
    }

    /// Explores a program of the command's tests under sequential consistency.
    pub(crate) fn check(&self, file: &str, flags: &[String], limit: Option<Duration>) -> Result<Measured, String> {
        let mut command = Command::new(&self.0);
        command.arg("check").arg(papers_program(file)).args(flags).args(["--memory-model", "sc"]);
        run(command, limit)
    }

    /// Lets the command keep what clang makes of a program.
    pub(crate) fn compile(&self, file: &str, flags: &[String]) -> Result<(), String> {
        let once = [flags, &["--max-executions".to_owned(), "1".to_owned()]].concat();
        self.check(file, &once, None).map(|_| ())
    }

    /// Asks the solver once, about all executions of up to so many steps.
    pub(crate) fn bmc(&self, file: &str, flags: &[String], limit: Option<Duration>) -> Result<Measured, String> {
        let mut command = Command::new(&self.0);
        command.arg("bmc").arg(papers_program(file)).args(flags);
        run(command, limit)
    }
}

fn run(mut command: Command, limit: Option<Duration>) -> Result<Measured, String> {
    command.args(["--format", "json", "--save", "/dev/null"]);
    if let Some(limit) = limit {
        command.arg("--timeout").arg(format!("{}ms", limit.as_millis()));
    }
    let shown = format!("{command:?}");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{shown} does not run: {error}"))?;
    let read = |stream: Option<&mut dyn Read>| {
        let mut text = String::new();
        stream.map(|stream| stream.read_to_string(&mut text)).transpose().map(|_| text)
    };
    // What goes to standard error is a line or two, and fits into its pipe.
    let text = read(child.stdout.as_mut().map(|stream| stream as &mut dyn Read)).map_err(|error| error.to_string())?;
    let complaint = read(child.stderr.as_mut().map(|stream| stream as &mut dyn Read)).unwrap_or_default();
    let mebibytes = wait(child);
    let report: Report = serde_json::from_str(&text).map_err(|_| format!("{shown}: {complaint}"))?;
    // Whatever else was cut, as executions are that are longer than those asked for, was meant to be.
    let is_stopped =
        report.verdict == "incomplete" && limit.is_some_and(|limit| report.seconds >= 0.95 * limit.as_secs_f64());
    Ok(Measured {
        is_finished: !is_stopped,
        complete: report.executions.complete,
        blocked: report.executions.blocked,
        redundant: report.executions.redundant + report.executions.failed,
        seconds: report.seconds,
        mebibytes,
        solver: report.solver,
        beside: Vec::new(),
    })
}

/// Waits for a process: the most memory that it had.
fn wait(child: Child) -> Option<f64> {
    let id = libc::pid_t::try_from(child.id()).ok()?;
    let mut status = 0;
    // SAFETY: a `rusage` of zeros is one.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to values that live until the call returns; the child was not waited for.
    let waited = unsafe { libc::wait4(id, &mut status, 0, &mut usage) };
    (waited == id).then_some(usage.ru_maxrss as f64 / 1024.0)
}
