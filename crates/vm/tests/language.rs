//! Programs that exercise C and C++, one theme each: what they print and return here is what they print and
//! return when they are compiled and run.
//!
//! What they print does not depend on the schedule, they have no data races, and they free what they allocate: so
//! they also run under random schedules, going back from one to the next, with races and leaks as failures.
//!
//! `EVERYWAY_CLANG` names the clang; `EVERYWAY_PROGRAM` selects the programs whose names contain it.

use everyway_ir::Module;
use everyway_llvm::clang::Clang;
use everyway_llvm::{Options, load};
use everyway_runtime::{Execution, Halt, Performed, Step, ThreadId, blocked, ready};
use everyway_vm::{Ended, Failure, Leaks, Machine, Settings};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long a compiled program may run.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How many steps that others could notice a program may take.
const STEPS: usize = 1_000_000;
/// How many random schedules are tried.
const SCHEDULES: usize = 20;
/// As much stack as the main thread of a program has.
const STACK_BYTES: usize = 64 << 20;

/// What others see of a run.
#[derive(Debug, PartialEq, Eq)]
struct Observed {
    output: String,
    status: i32,
}

#[test]
fn programs_do_what_their_binaries_do() {
    let Some(clang) = Clang::for_tests() else { return };
    let binaries = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("language-{}", std::process::id()));
    std::fs::create_dir_all(&binaries).expect("a directory for the binaries can be made");
    let programs = programs();
    assert!(!programs.is_empty(), "no program has such a name");
    let results = in_parallel(&programs, |program| compare(&clang, program, &binaries));
    std::fs::remove_dir_all(&binaries).expect("the directory of the binaries can be removed");
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    let (failed, all) = (failures.len(), programs.len());
    assert!(failures.is_empty(), "{failed} of {all} programs fail:\n\n{}", failures.join("\n"));
}

/// All programs, by name.
fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language");
    let wanted = std::env::var("EVERYWAY_PROGRAM").unwrap_or_default();
    let entries = std::fs::read_dir(directory).expect("the programs are there");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let mut programs: Vec<PathBuf> = paths.filter(|path| name(path).contains(&wanted)).collect();
    programs.sort();
    programs
}

fn name(program: &Path) -> String {
    program.file_name().expect("a file").to_string_lossy().into_owned()
}

/// The results of `f` for all items, in their order.
fn in_parallel<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mine = std::iter::from_fn(|| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            Some((index, f(items.get(index)?)))
        });
        mine.collect::<Vec<_>>()
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, worker);
        let handles: Vec<_> = (0..workers).map(spawn).collect();
        let joined = handles.into_iter().map(|handle| handle.expect("a thread can be started").join());
        joined.flat_map(|results| results.expect("comparing does not panic")).collect()
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Whether a program does here what it does when compiled; if not, how it differs.
fn compare(clang: &Clang, program: &Path, binaries: &Path) -> Result<(), String> {
    let name = name(program);
    let compare = || {
        let expected = natively(clang, program, &binaries.join(&name))?;
        let options =
            Options { clang: Some(clang.path().to_owned()), arguments: arguments(program), ..Options::default() };
        let module = Arc::new(load(&[program.to_owned()], &options).map_err(|error| error.to_string())?);
        agree(&expected, &run_once(Arc::clone(&module))?)?;
        run_at_random(Arc::clone(&module), &expected)?;
        agree(&expected, &run_once(Arc::new(inlined(&module)?))?).map_err(|reason| format!("inlined: {reason}"))
    };
    let compared = std::panic::catch_unwind(compare).unwrap_or_else(|_| Err("panicked".to_owned()));
    compared.map_err(|reason| format!("{name}: {reason}\n"))
}

/// The program with local variables in registers, and small functions where they are called.
fn inlined(module: &Module) -> Result<Module, String> {
    let mut module = module.clone();
    module.functions.iter_mut().for_each(|function| _ = everyway_ir::promote(function));
    everyway_ir::inline(&mut module, &everyway_vm::environment());
    everyway_ir::validate(&module).map_err(|violations| format!("{:?}", violations.first()))?;
    Ok(module)
}

/// Whether two runs look the same; if not, the first lines that differ.
fn agree(expected: &Observed, ours: &Observed) -> Result<(), String> {
    const SHOWN: usize = 5;
    if ours == expected {
        return Ok(());
    }
    let [theirs, our] = [expected, ours].map(|observed| observed.output.split('\n').collect::<Vec<_>>());
    let line =
        |lines: &[&str], index: usize| lines.get(index).map_or("(nothing more)".to_owned(), |line| format!("{line:?}"));
    let differing = (0..theirs.len().max(our.len())).filter(|&index| theirs.get(index) != our.get(index));
    let shown = differing.take(SHOWN).map(|index| {
        let (a, b) = (line(&theirs, index), line(&our, index));
        format!("\n    line {} should be {a}\n    {:>width$} and is {b}", index + 1, "", width = 4)
    });
    let lines: String = shown.collect();
    Err(format!("the status should be {} and is {}{lines}", expected.status, ours.status))
}

/// What clang is told besides about a program.
fn arguments(program: &Path) -> Vec<OsString> {
    let is_cxx = program.extension().is_some_and(|extension| extension == "cpp");
    vec![if is_cxx { "-std=c++17" } else { "-std=gnu11" }.into()]
}

/// Compiles and runs a program.
fn natively(clang: &Clang, program: &Path, binary: &Path) -> Result<Observed, String> {
    let mut command = Command::new(clang.path());
    command.args(arguments(program)).args(["-Wall", "-Wextra", "-Werror", "-O0", "-pthread", "-o"]);
    command.arg(binary).arg(program).arg("-lm");
    if program.extension().is_some_and(|extension| extension == "cpp") {
        command.arg("-lstdc++");
    }
    let compiled = command.output().map_err(|error| format!("cannot run clang: {error}"))?;
    if !compiled.status.success() {
        return Err(format!("does not compile:\n{}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let mut running = Command::new(binary);
    running.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = running.spawn().map_err(|error| format!("cannot run the binary: {error}"))?;
    let output = within(child, TIMEOUT)?;
    let status = output.status.code().ok_or_else(|| format!("the binary ends with {}", output.status))?;
    Ok(Observed { output: String::from_utf8_lossy(&output.stdout).into_owned(), status })
}

/// Waits for a program that prints less than a pipe holds.
fn within(mut child: Child, timeout: Duration) -> Result<std::process::Output, String> {
    let deadline = Instant::now() + timeout;
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if Instant::now() > deadline {
            child.kill().map_err(|error| error.to_string())?;
            return Err("the binary does not end".to_owned());
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().map_err(|error| error.to_string())
}

fn settings() -> Settings {
    Settings { output: true, leaks: Leaks::NeverFreed, races: true, ..Settings::default() }
}

fn described(failure: &Failure, output: &[u8]) -> String {
    let line = failure.location.map_or(String::new(), |location| format!(" (line {})", location.line));
    let output = String::from_utf8_lossy(output);
    let last = output.lines().last().unwrap_or("(nothing)");
    format!("{:?}: {}{line}, after printing\n    {last}", failure.kind, failure.message)
}

/// Runs a program in the virtual machine.
fn run_once(module: Arc<Module>) -> Result<Observed, String> {
    let ran = Machine::run_once(module, settings(), STEPS);
    match ran.ended {
        Ended::Normally(status) => {
            Ok(Observed { output: String::from_utf8_lossy(&ran.output).into_owned(), status: status & 0xff })
        }
        Ended::TooLong => Err(format!("takes more than {STEPS} steps")),
        Ended::Failed(failure) => Err(described(&failure, &ran.output)),
    }
}

/// Runs a program under random schedules, each of which has a part of its beginning from the one before it.
fn run_at_random(module: Arc<Module>, expected: &Observed) -> Result<(), String> {
    let mut machine = Machine::new(module, settings()).map_err(|(_, failure)| described(&failure, &[]))?;
    let mut random = Random(1);
    let mut taken: usize = 0;
    for schedule in 1..=SCHEDULES {
        let depth = random.below(taken + 1);
        let rewound = machine.rewind(depth);
        assert!(rewound.is_ok(), "going back cannot fail");
        let (steps, result) = go_on(&mut machine, &mut random);
        taken = depth + steps;
        result.map_err(|failure| {
            format!(
                "schedule {schedule}, {taken} steps, {depth} of them common: {}",
                described(&failure, machine.output())
            )
        })?;
        let output = String::from_utf8_lossy(machine.output()).into_owned();
        let ours = Observed { output, status: expected.status };
        agree(expected, &ours).map_err(|difference| format!("schedule {schedule}: {difference}"))?;
    }
    Ok(())
}

/// Steps at random to the end of the execution: how many, and what goes wrong.
fn go_on(machine: &mut Machine, random: &mut Random) -> (usize, Result<(), Failure>) {
    let mut performed = Performed::default();
    for taken in 0.. {
        let threads: Vec<ThreadId> = ready(machine).collect();
        if threads.is_empty() {
            let is_blocked = blocked(machine).next().is_some();
            return (taken, is_blocked.then(|| machine.blocked()).flatten().map_or(Ok(()), Err));
        }
        performed.clear();
        let step = Step::of(threads[random.below(threads.len())]);
        if let Err(Halt::Failure(failure) | Halt::Diverged(failure)) = machine.step(step, &mut performed) {
            return (taken + 1, Err(failure));
        }
    }
    unreachable!("all executions end")
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
