//! Running the command in a folder of its own, with a limit on its time.

use everyway_llvm::clang::Clang;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No command of these tests takes this long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// What came of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Ran {
    /// Asserts how the command has ended.
    #[track_caller]
    pub(crate) fn ended_with(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }

    /// Asserts that the words are among those printed to standard error.
    #[track_caller]
    pub(crate) fn complains(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is missing: {self:#?}");
        }
        self
    }

    /// Asserts that the words are among those printed to standard output.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stdout.contains(word), "`{word}` is missing: {self:#?}");
        }
        self
    }
}

/// A folder to run commands in, removed at the end of the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a folder for temporary files"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A file in it.
    pub(crate) fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).expect("a temporary file");
        path
    }

    /// A command in it that is under way.
    pub(crate) fn start(&self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Running<'_> {
        self.start_with(arguments, &[])
    }

    /// The same, with environment variables.
    pub(crate) fn start_with(
        &self,
        arguments: impl IntoIterator<Item: AsRef<OsStr>>,
        variables: &[(&str, &str)],
    ) -> Running<'_> {
        let file = |name: &str| File::create(self.path().join(name)).expect("a temporary file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_everyway"));
        command.args(arguments).current_dir(self.path()).env_remove("COLUMNS").env_remove("EVERYWAY_JOBS");
        command.envs(variables.iter().copied());
        let child = command.stdout(file(".stdout")).stderr(file(".stderr")).spawn().expect("the command starts");
        Running { folder: self, child }
    }

    /// Runs a command in it.
    pub(crate) fn run(&self, arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Ran {
        self.start(arguments).wait()
    }
}

/// A command that is under way.
pub(crate) struct Running<'a> {
    folder: &'a Folder,
    pub(crate) child: Child,
}

impl Running<'_> {
    /// Waits until it has ended.
    pub(crate) fn wait(mut self) -> Ran {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the command can be waited for") {
                break status;
            }
            if started.elapsed() > PATIENCE {
                // It is about to be reported; whether it could be killed does not matter any more.
                let _ = self.child.kill();
                let _ = self.child.wait();
                panic!("the command has not ended after {PATIENCE:?}");
            }
            thread::sleep(Duration::from_millis(5));
        };
        let read = |name: &str| {
            let bytes = fs::read(self.folder.path().join(name)).expect("a temporary file");
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Ran { stdout: read(".stdout"), stderr: read(".stderr"), status: status.code().unwrap_or(-1) }
    }
}

/// Runs a command in a folder of its own.
pub(crate) fn everyway(arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Ran {
    Folder::new().run(arguments)
}

/// The path of a program of these tests.
pub(crate) fn program(name: &str) -> String {
    format!("{}/tests/programs/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Whether there is a clang. Fails if there is none, unless the environment says that there need be none.
pub(crate) fn has_clang() -> bool {
    Clang::for_tests().is_some()
}
