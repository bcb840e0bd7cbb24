//! What a benchmark takes in a process of its own: memory, and instructions, which other processes do not change.
//!
//! The process is the benchmark itself, with arguments that make it do one thing once. Instructions are counted by
//! Valgrind, where it is installed, from when exploring begins to when it ends.

use std::process::Command;

/// The function whose instructions count, with those that it calls.
const EXPLORING: &str = "--toggle-collect=*Explorer*run_watched*";

/// The instructions that exploring takes with these arguments; none without Valgrind.
pub fn instructions(arguments: &[&str]) -> Option<u64> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", EXPLORING]);
    let output = command.arg(std::env::current_exe().ok()?).args(arguments).output().ok()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let (_, counted) = told.split_once("Collected : ")?;
    counted.split_whitespace().next()?.parse().ok()
}

/// The most memory that the process has had with these arguments, in KiB; none where the system does not say.
pub fn peak_kib(arguments: &[&str]) -> Option<u64> {
    let output = Command::new(std::env::current_exe().ok()?).args(arguments).output().ok()?;
    let told = String::from_utf8_lossy(&output.stdout);
    told.lines().find_map(|line| line.strip_prefix(PEAK))?.trim().parse().ok()
}

/// Tells the process that started this one about its memory.
pub fn tell_peak() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    if let Some(kib) = peak.and_then(|peak| peak.split_whitespace().next()) {
        println!("{PEAK}{kib}");
    }
}

const PEAK: &str = "peak KiB: ";
