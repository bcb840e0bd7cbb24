//! A test in a process of its own, with limits: a mutant may go on for ever, or take all memory there is.

use crate::Result;
use serde::{Deserialize, Serialize};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The most memory that a test may have, in bytes.
const MOST_MEMORY: u64 = 4 << 30;

/// A test waits for others on a machine that is busy; one that does nothing for so long does nothing for ever.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// A test: an executable that fails with these arguments if something is wrong.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Test {
    pub(crate) executable: PathBuf,
    pub(crate) folder: PathBuf,
    pub(crate) arguments: Vec<String>,
}

/// How a test has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Passed,
    Failed,
    OutOfTime,
}

impl Test {
    /// As people call it.
    pub(crate) fn name(&self) -> String {
        let name = self.executable.file_name().unwrap_or_default().to_string_lossy();
        format!("{name} {}", self.arguments.join(" "))
    }

    /// Runs the test with what it is told by its environment, for so many seconds of processor time; and how many it took.
    pub(crate) fn run(&self, environment: (&str, &str), seconds: u64) -> Result<(End, f64)> {
        let mut command = Command::new(&self.executable);
        command
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env_remove("EVERYWAY_MUTANT")
            .env(environment.0, environment.1);
        command.env("RUST_BACKTRACE", "0").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // SAFETY: between fork and exec, only setrlimit is called, which may be.
        unsafe {
            command.pre_exec(move || {
                limit(libc::RLIMIT_CPU, seconds)?;
                limit(libc::RLIMIT_AS, MOST_MEMORY)?;
                limit(libc::RLIMIT_CORE, 0)
            });
        }
        let before = processor_seconds();
        let status = wait(command.spawn()?)?;
        let end = match (status.code(), status.signal()) {
            (Some(0), _) => End::Passed,
            (_, Some(libc::SIGXCPU | libc::SIGKILL)) => End::OutOfTime,
            _ => End::Failed,
        };
        Ok((end, processor_seconds() - before))
    }
}

/// The names of the tests of an executable.
pub(crate) fn tests(executable: &Path, folder: &Path) -> Result<Vec<Test>> {
    let output = Command::new(executable).args(["--list", "--format=terse"]).current_dir(folder).output()?;
    let ignored =
        Command::new(executable).args(["--list", "--format=terse", "--ignored"]).current_dir(folder).output()?;
    let ignored = String::from_utf8(ignored.stdout)?;
    let names = String::from_utf8(output.stdout)?;
    let names = names.lines().filter(|line| !ignored.lines().any(|other| other == *line));
    let names = names.filter_map(|line| line.strip_suffix(": test"));
    let test = |name: &str| {
        let arguments = ["--exact", name, "--test-threads=1", "--quiet"].map(String::from).into();
        Test { executable: executable.into(), folder: folder.into(), arguments }
    };
    Ok(names.map(test).collect())
}

fn limit(resource: libc::__rlimit_resource_t, most: u64) -> std::io::Result<()> {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the pointer is to a limit that lives as long as the call.
    if unsafe { libc::setrlimit(resource, &limit) } == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

fn wait(mut child: Child) -> Result<ExitStatus> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > LONGEST_WAIT {
            child.kill()?;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The processor time of all processes that were started here and have ended.
fn processor_seconds() -> f64 {
    // SAFETY: a usage is plain numbers, and the call fills it in.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
