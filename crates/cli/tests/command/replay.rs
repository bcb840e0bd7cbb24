//! Saved executions, run again.

use crate::support::{Folder, has_clang, program};
use std::fs;

/// A program that fails, and prints what it sees.
const PRINTING: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int counter;

static void *increment(void *unused) {
    counter++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    increment(0);
    pthread_join(thread, 0);
    printf("the counter is %d\n", counter);
    assert(counter == 2);
    return 0;
}
"#;

#[test]
fn the_command_that_is_printed_shows_the_same_failure() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("printing.c", PRINTING);
    let checked = folder.run(["check", "printing.c", "--memory-model=sc"]).ended_with(1);
    assert!(!checked.stdout.contains("the counter is"), "{checked:#?}");
    checked.says(&["assertion failure", "printing.c:18", "everyway replay .everyway/printing.json"]);
    folder
        .run(["replay", ".everyway/printing.json"])
        .ended_with(1)
        .says(&["the counter is 1\n", "assertion failure", "printing.c:18"])
        .complains(&["printing.c"]);
}

#[test]
fn every_failing_program_is_replayed_from_its_file() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let checks = [
        ("ab_ba.c", "", "deadlock"),
        ("use_after_free.c", "", "use after free"),
        ("double_free.c", "", "double free"),
        ("leak.c", "--leaks", "leak"),
        ("spurious_wakeup.c", "--spurious-wakeups", "assertion failure"),
        ("reorder.c", "-DN=4", "assertion failure"),
        ("livelock.c", "", "livelock"),
        ("livelock.c", "--algorithm=reads-from", "livelock"),
        ("counter.cpp", "-DBROKEN", "assertion failure"),
    ];
    for (name, flag, words) in checks {
        let arguments = ["check", &program(name), "--memory-model=sc", "--save=trace.json", flag].map(str::to_owned);
        folder.run(arguments.iter().filter(|argument| !argument.is_empty())).ended_with(1).says(&[words]);
        let again = folder.run(["replay", "trace.json"]).ended_with(1).says(&[words]);
        assert!(!again.stdout.contains("it used to end with"), "{name}: {again:#?}");
        assert!(!again.stderr.contains("has changed"), "{name}: {again:#?}");
    }
}

/// What reads see is part of what is saved.
#[test]
fn executions_under_weak_memory_models_are_replayed() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let checks = [
        ("relaxed.c", "", "assertion failure"),
        ("relaxed.c", "--memory-model=tso", "not the 1 of 'main'"),
        ("relaxed.c", "--memory-model=pso", "assertion failure"),
        ("orderings/peterson.c", "-DTURN=memory_order_release", "data race"),
        ("orderings/seqlock.c", "-DBEGIN_FENCE=memory_order_relaxed", "assertion failure"),
        ("orderings/dekker.c", "-DLOOK_0=memory_order_acquire", "data race"),
    ];
    for (name, flag, words) in checks {
        let arguments = ["check", &program(name), "--save=trace.json", flag].map(str::to_owned);
        folder.run(arguments.iter().filter(|argument| !argument.is_empty())).ended_with(1).says(&[words]);
        let again = folder.run(["replay", "trace.json"]).ended_with(1).says(&[words]);
        assert!(!again.stdout.contains("it used to end with"), "{name}: {again:#?}");
    }
}

/// A thread waits in a loop, and finds that it was told too early.
const HANDOVER: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int data, ready;

static void *give(void *unused) {
    atomic_store(&ready, 1);
    atomic_store(&data, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, give, 0);
    while (!atomic_load(&ready))
        ;
    assert(atomic_load(&data) == 1);
    return 0;
}
"#;

/// A file has what was done about loops, and not with which algorithm.
#[test]
fn loops_are_treated_as_when_the_failure_was_found() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("handover.c", HANDOVER);
    let cases: [(&[&str], &str); 4] = [
        (&[], "--loops=await"),
        (&["--algorithm=reads-from"], "--loops=await"),
        (&["--algorithm=reads-from", "--loops=assume"], "--loops=assume"),
        (&["--algorithm=observers", "--loops=assume"], "--loops=assume"),
    ];
    for (flags, treatment) in cases {
        let check = ["check", "handover.c", "--save=trace.json"];
        folder.run(check.iter().chain(flags)).ended_with(1).says(&["assertion failure", "handover.c:18"]);
        let trace = fs::read_to_string(folder.path().join("trace.json")).expect("a trace");
        assert!(trace.contains(treatment), "{flags:?}: {trace}");
        let again = folder.run(["replay", "trace.json"]).ended_with(1).says(&["assertion failure", "handover.c:18"]);
        assert!(!again.stdout.contains("it used to end with"), "{flags:?}: {again:#?}");
        assert!(!again.stderr.contains("has changed"), "{flags:?}: {again:#?}");
    }
}

#[test]
fn arguments_and_flags_are_those_of_the_check() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let path = program("arguments.c");
    folder.run(["check", path.as_str(), "--save=folder/trace.json", "--", "one"]).ended_with(1);
    let trace = fs::read_to_string(folder.path().join("folder/trace.json")).expect("a trace");
    assert!(trace.contains("\"one\"") && trace.contains("fnv1a:"), "{trace}");
    folder.run(["replay", "folder/trace.json"]).ended_with(1).says(&["assertion failure"]);
}

#[test]
fn a_program_that_has_changed_is_noticed() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("printing.c", PRINTING);
    folder.run(["check", "printing.c", "--memory-model=sc", "--save=trace.json"]).ended_with(1);
    // The same steps with another outcome.
    folder.write("printing.c", &PRINTING.replace("counter == 2", "counter < 3"));
    folder
        .run(["replay", "trace.json"])
        .ended_with(3)
        .complains(&["has changed since"])
        .says(&["the counter is 1", "it used to end with"]);
    // Other steps.
    folder.write("printing.c", &PRINTING.replace("int counter", "int x, counter").replace("increment(0);", "x = 1;"));
    folder.run(["replay", "trace.json"]).ended_with(2).complains(&["not the program", "step", "tip"]);
    fs::remove_file(folder.path().join("printing.c")).expect("the program");
    folder.run(["replay", "trace.json"]).ended_with(2).complains(&["cannot read `printing.c`", "tip"]);
}

#[test]
fn a_trace_that_cannot_be_saved_does_not_hide_the_bug() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("file", "");
    folder
        .run(["check", &program("abort.c"), "--save=file/trace.json"])
        .ended_with(1)
        .says(&["abort", "could not be saved"]);
}
