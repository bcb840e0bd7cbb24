//! Limits that hold whatever the command is doing: a thread monitors the time and the memory in use, and sets the flag
//! that everything which may take long checks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it looks.
const PERIOD: Duration = Duration::from_millis(20);
/// The engine looks at the clock itself, and can say more about what it was doing; so it is given this much longer.
const GRACE: Duration = Duration::from_millis(300);

/// A thread that watches over limits.
#[derive(Debug)]
pub(crate) struct Watchdog {
    memory: Option<u64>,
    /// Whether the memory in use went beyond its limit.
    is_out_of_memory: Arc<AtomicBool>,
}

impl Watchdog {
    /// Sets `stop` when the deadline has passed, or when more than so many bytes of memory are in use: by default, half of
    /// what the machine has.
    pub(crate) fn start(deadline: Option<Instant>, memory: Option<u64>, stop: Arc<AtomicBool>) -> Self {
        let memory = memory.or_else(|| Some(memory_of_the_machine()? / 2));
        let is_out_of_memory = Arc::new(AtomicBool::new(false));
        let noticed = Arc::clone(&is_out_of_memory);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(PERIOD);
                if memory.is_some_and(|limit| memory_in_use().is_some_and(|used| used > limit)) {
                    noticed.store(true, Ordering::Relaxed);
                    stop.store(true, Ordering::Relaxed);
                }
                if deadline.is_some_and(|deadline| Instant::now() > deadline + GRACE) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        Self { memory, is_out_of_memory }
    }

    /// What was cut because there was not enough memory, in a sentence.
    pub(crate) fn cut(&self) -> Option<String> {
        let limit = self.memory.filter(|_| self.is_out_of_memory.load(Ordering::Relaxed))?;
        Some(format!("the limit of {} MiB of memory (--max-memory) was reached", limit >> 20))
    }

    /// Why a compilation was cut short, in a sentence.
    pub(crate) fn cut_compilation(&self, time: Option<Duration>) -> String {
        let why = self.cut().unwrap_or_else(|| match time {
            Some(limit) if !crate::cancel::has_come() => {
                format!("the limit of {} seconds was reached", limit.as_secs_f64())
            }
            _ => "it was interrupted".to_owned(),
        });
        format!("{why} while the program was compiled")
    }
}

/// How many bytes of memory this process uses, where the system tells.
fn memory_in_use() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmRSS:")
}

/// How many bytes of memory there are for this process, where the system tells.
fn memory_of_the_machine() -> Option<u64> {
    let all = kilobytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|limit| limit.trim().parse().ok());
    Some(group.map_or(all, |limit: u64| limit.min(all)))
}

/// A line of a file of `/proc`, such as `VmRSS:  1234 kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_proc_are_read() {
        assert_eq!(kilobytes("VmPeak:\t    20 kB\nVmRSS:\t    12 kB\n", "VmRSS:"), Some(12 << 10));
        assert_eq!(kilobytes("VmPeak:\t    20 kB\n", "VmRSS:"), None);
    }
}
