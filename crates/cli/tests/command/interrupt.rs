//! Explorations that are stopped before their end.

use crate::support::{Folder, Ran, everyway, has_clang, program};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn a_timeout_is_said() {
    if !has_clang() {
        return;
    }
    everyway(["check", &program("opt_lock.c"), "-DN=1000", "--timeout=200ms"])
        .ended_with(3)
        .says(&["incomplete", "the limit of 0.2 seconds was reached"]);
}

/// A program that takes some seconds to be read and prepared.
fn long_program() -> String {
    let sums = (1..300_000).map(|sum| format!("  %{sum} = add i32 %{}, {sum}\n", sum - 1));
    let sums: String = std::iter::once("  %0 = add i32 1, 1\n".to_owned()).chain(sums).collect();
    format!("define i32 @main() {{\nentry:\n{sums}  ret i32 %299999\n}}\n")
}

#[test]
fn a_timeout_holds_while_the_program_is_compiled() {
    let folder = Folder::new();
    folder.write("long.ll", &long_program());
    for command in [
        "check",
        #[cfg(feature = "symbolic")]
        "bmc",
    ] {
        let started = Instant::now();
        folder
            .run([command, "long.ll", "--timeout=50ms"])
            .ended_with(3)
            .says(&["incomplete", "the limit of 0.05 seconds was reached while the program was compiled"]);
        assert!(started.elapsed() < Duration::from_secs(2), "{command} took {:?}", started.elapsed());
        folder.run([command, "long.ll", "--max-memory=20M"]).ended_with(3).says(&[
            "incomplete",
            "the limit of 20 MiB of memory (--max-memory) was reached while the program was compiled",
        ]);
    }
}

#[test]
fn samples_are_not_everything() {
    if !has_clang() {
        return;
    }
    everyway(["check", &program("two_threads.c"), "--algorithm=random", "--seed=5", "--max-executions=50"])
        .ended_with(3)
        .says(&["incomplete", "50 executions were picked at random (seed 5)"]);
}

/// A program that fails at once in one thread, and has more executions than can be explored in the others.
#[cfg(unix)]
const ENDLESS: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *fails(void *unused) {
    assert(!"at once");
    return 0;
}

static void *adds(void *unused) {
    for (int i = 0; i < 100; i++)
        x = x + 1;
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, adds, 0);
    pthread_create(&threads[1], 0, adds, 0);
    pthread_create(&threads[2], 0, fails, 0);
    return 0;
}
"#;

/// Starts a check, and presses Ctrl-C after a while.
#[cfg(unix)]
fn interrupted(folder: &Folder, arguments: &[&str]) -> Ran {
    signalled(folder, "-INT", arguments)
}

/// Starts a check, and sends it a signal after a while.
#[cfg(unix)]
fn signalled(folder: &Folder, signal: &str, arguments: &[&str]) -> Ran {
    let running = folder.start(arguments);
    // Long enough for clang to have ended, whom the signal is not meant for.
    thread::sleep(Duration::from_secs(2));
    let killed =
        Command::new("kill").args([signal, &running.child.id().to_string()]).status().expect("there is a kill");
    assert!(killed.success());
    running.wait()
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_found() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    interrupted(&folder, &["check", &program("opt_lock.c"), "-DN=1000"])
        .ended_with(3)
        .says(&["incomplete", "it was interrupted"]);
    folder.write("endless.c", ENDLESS);
    interrupted(&folder, &["check", "endless.c", "--keep-going"]).ended_with(1).says(&[
        "assertion failure in thread 'fails'",
        "it was interrupted",
        "everyway replay .everyway/endless.json",
    ]);
    interrupted(&folder, &["check", "endless.c", "--keep-going", "--format=json"])
        .ended_with(1)
        .says(&["\"verdict\": \"bug\"", "it was interrupted"]);
}

#[cfg(unix)]
#[test]
fn to_be_terminated_is_to_be_interrupted() {
    if !has_clang() {
        return;
    }
    signalled(&Folder::new(), "-TERM", &["check", &program("opt_lock.c"), "-DN=1000"])
        .ended_with(3)
        .says(&["incomplete", "it was interrupted"]);
}

/// What was found is not lost if the command is killed later on.
#[cfg(unix)]
#[test]
fn failures_are_saved_when_they_are_found() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("endless.c", ENDLESS);
    let killed = signalled(&folder, "-KILL", &["check", "endless.c", "--keep-going"]);
    assert_eq!(killed.stdout, "");
    folder.run(["replay", ".everyway/endless.json"]).ended_with(1).says(&["assertion failure in thread 'fails'"]);
}
