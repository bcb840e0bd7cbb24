//! What a benchmark takes of the machine: memory, and instructions, which other processes do not change.
//!
//! Instructions are counted by Valgrind, where it is installed, in a process of their own: the benchmark itself, with
//! arguments that make it do one thing once.

use std::process::Command;

/// Which instructions of a process count.
#[derive(Clone, Copy, Debug)]
pub enum Counted<'a> {
    /// All.
    All,
    /// Those of the functions whose names fit this pattern, with those that they call.
    Within(&'a str),
}

/// The instructions that this program takes with these arguments; none without Valgrind.
pub fn instructions(counted: Counted<'_>, arguments: &[&str]) -> Option<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    if let Counted::Within(pattern) = counted {
        command.arg(format!("--toggle-collect={pattern}"));
    }
    let output = command.arg(std::env::current_exe().ok()?).args(arguments).output().ok()?;
    let told = String::from_utf8_lossy(&output.stderr);
    told.lines().find_map(|line| line.split_once("Collected :"))?.1.trim().parse().ok()
}

/// The most memory that this program has had with these arguments, in KiB; none where the system does not say.
pub fn peak_kib(arguments: &[&str]) -> Option<u64> {
    let output = Command::new(std::env::current_exe().ok()?).args(arguments).output().ok()?;
    let told = String::from_utf8_lossy(&output.stdout);
    told.lines().find_map(|line| line.strip_prefix(PEAK))?.trim().parse().ok()
}

/// Tells the process that started this one about its memory.
pub fn tell_peak() {
    if let Some(kib) = status_kib("VmHWM:") {
        println!("{PEAK}{kib}");
    }
}

/// The memory that this process has now, in KiB; none where the system does not say.
pub fn resident_kib() -> Option<u64> {
    status_kib("VmRSS:")
}

fn status_kib(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(field))?;
    value.split_whitespace().next()?.parse().ok()
}

const PEAK: &str = "peak KiB: ";
