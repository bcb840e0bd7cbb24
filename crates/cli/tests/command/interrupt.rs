//! Explorations that are stopped before their end.

use crate::support::{Folder, everyway, has_clang, program};
use std::process::Command;
use std::thread;
use std::time::Duration;

#[test]
fn a_timeout_is_said() {
    if !has_clang() {
        return;
    }
    everyway(["check", &program("opt_lock.c"), "-DN=1000", "--timeout=200ms"])
        .ended_with(3)
        .says(&["incomplete", "the limit of 0.2 seconds was reached"]);
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

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_found() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let running = folder.start(["check", &program("opt_lock.c"), "-DN=1000"]);
    // Long enough for clang to have ended, whom the signal is not meant for.
    thread::sleep(Duration::from_secs(2));
    let killed =
        Command::new("kill").args(["-INT", &running.child.id().to_string()]).status().expect("there is a kill");
    assert!(killed.success());
    running.wait().ended_with(3).says(&["incomplete", "it was interrupted"]);
}
