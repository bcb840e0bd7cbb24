//! Other tools that do the same, which are run beside ours where they are installed: Nidhugg (`nidhuggc`) and GenMC
//! (`genmc`). They get the same program, under sequential consistency.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nidhugg,
    GenMc,
}

/// A tool that is installed.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    kind: Kind,
    path: PathBuf,
}

/// What a tool says of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Beside {
    pub(crate) name: &'static str,
    /// All executions that it began; `None` if it did not come to an end.
    pub(crate) executions: Option<u64>,
    /// In all, with its start and its compiler.
    pub(crate) seconds: f64,
}

impl Peer {
    /// The tools that are found along a search path.
    pub(crate) fn installed(path: Option<&OsStr>) -> Vec<Self> {
        let folders: Vec<PathBuf> = path.map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
        let find = |(kind, command): (Kind, &str)| {
            let path = folders.iter().map(|folder| folder.join(command)).find(|path| path.is_file())?;
            Some(Self { kind, path })
        };
        [(Kind::Nidhugg, "nidhuggc"), (Kind::GenMc, "genmc")].into_iter().filter_map(find).collect()
    }

    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            Kind::Nidhugg => "Nidhugg",
            Kind::GenMc => "GenMC",
        }
    }

    /// Runs it on a program as a column has it. `None` if it has no such algorithm, or does not take the program.
    pub(crate) fn run(&self, file: &Path, flags: &[String], column: &str, limit: Option<Duration>) -> Option<Beside> {
        let mut command = self.command(file, flags, column)?;
        let started = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
        // What they write fits into a pipe.
        while child.try_wait().ok()?.is_none() {
            if limit.is_some_and(|limit| started.elapsed() > limit) {
                child.kill().ok()?;
                child.wait().ok()?;
                return Some(Beside { name: self.name(), executions: None, seconds: started.elapsed().as_secs_f64() });
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let seconds = started.elapsed().as_secs_f64();
        let output = child.wait_with_output().ok()?;
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        Some(Beside { name: self.name(), executions: Some(self.executions(&text)?), seconds })
    }

    fn command(&self, file: &Path, flags: &[String], column: &str) -> Option<Command> {
        // What a program is defined with they take as well; what else ours is told they do not know.
        if flags.iter().any(|flag| !flag.starts_with("-D")) {
            return None;
        }
        let mut command = Command::new(&self.path);
        match (self.kind, column) {
            (Kind::Nidhugg, "source" | "optimal" | "observers" | "reads-from") => {
                let algorithm = if column == "reads-from" { "--rf".to_owned() } else { format!("--{column}") };
                command.args(flags).args(["--", "--sc", &algorithm]).arg(file);
            }
            // It explores execution graphs, which under sequential consistency are as many as traces.
            (Kind::GenMc, "optimal") => {
                command.args(["--sc", "--disable-estimation", "--"]).args(flags).arg(file);
            }
            _ => return None,
        }
        Some(command)
    }

    /// How many executions there were, by what the tool has printed.
    fn executions(&self, text: &str) -> Option<u64> {
        let after = |start: &str| text.lines().find_map(|line| line.trim().strip_prefix(start));
        let sum = |line: &str| -> Option<u64> {
            let numbers = line.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
            numbers.map(|digits| digits.parse::<u64>().ok()).sum()
        };
        match self.kind {
            // `Trace count: 8 (also 2 sleepset blocked)`
            Kind::Nidhugg => sum(after("Trace count: ")?),
            Kind::GenMc => {
                let complete = sum(after("Number of complete executions explored: ")?)?;
                let blocked = after("Number of blocked executions seen: ").and_then(sum).unwrap_or(0);
                Some(complete + blocked)
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A folder with a tool that only prints.
    fn folder(name: &str, command: &str, script: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("everyway-peers-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for a tool can be made");
        let path = folder.join(command);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("the tool can be written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be made to run");
        folder
    }

    #[test]
    fn tools_are_found_and_run() {
        let first = folder("nidhugg", "nidhuggc", "echo \"$*\" >&2; echo 'Trace count: 8 (also 2 sleepset blocked)'");
        let second = folder(
            "genmc",
            "genmc",
            "echo 'Number of complete executions explored: 5'; echo 'Number of blocked executions seen: 2'",
        );
        let path = std::env::join_paths([&first, &second]).expect("folders make a search path");
        let peers = Peer::installed(Some(&path));
        assert_eq!(peers.iter().map(Peer::name).collect::<Vec<_>>(), ["Nidhugg", "GenMC"]);
        let run = |peer: &Peer, flag: &str, column: &str| {
            peer.run(Path::new("p.c"), &[flag.to_owned()], column, None).and_then(|beside| beside.executions)
        };
        assert_eq!(run(&peers[0], "-DN=3", "observers"), Some(10));
        assert_eq!(run(&peers[0], "-DN=3", "classic"), None, "there is no such algorithm");
        assert_eq!(run(&peers[0], "--unroll=3", "optimal"), None, "there is no such flag");
        assert_eq!(run(&peers[1], "-DN=3", "optimal"), Some(7));
        assert_eq!(run(&peers[1], "-DN=3", "reads-from"), None);
        let shown = peers[0].command(Path::new("p.c"), &["-DN=3".to_owned()], "reads-from").map(|it| {
            it.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(shown.as_deref(), Some("-DN=3 -- --sc --rf p.c"));
        assert!(Peer::installed(None).is_empty());
        for folder in [first, second] {
            std::fs::remove_dir_all(folder).expect("the folder can be removed");
        }
    }

    #[test]
    fn a_tool_that_takes_too_long_is_ended() {
        let folder = folder("slow", "nidhuggc", "exec sleep 60");
        let peers = Peer::installed(Some(folder.as_os_str()));
        let beside = peers[0].run(Path::new("p.c"), &[], "optimal", Some(Duration::from_millis(50)));
        let beside = beside.expect("it was run");
        assert_eq!(beside.executions, None);
        assert!(beside.seconds < 30.0, "{beside:?}");
        std::fs::remove_dir_all(folder).expect("the folder can be removed");
    }
}
