//! Checks that are stopped, killed, divided, and gone on with: they come to what a check comes to that is left alone.

use crate::support::{Folder, Ran, everyway, has_clang, program};
use serde_json::Value;
use std::fs;
use std::thread;
use std::time::Duration;

/// The counts of sigma(6) are those of its loads and stores: 3 * 5 * 7 * 9 * 11 (OOPSLA 2019, Table 2).
const SIGMA: u64 = 10_395;

fn sigma(more: &[&str]) -> Vec<String> {
    let all = ["check", &program("sigma.c"), "-DN=6", "--algorithm=graphs", "--format=json", "--frontier=left"];
    all.iter().chain(more).map(|&word| word.to_owned()).collect()
}

fn resume(more: &[&str]) -> Vec<String> {
    ["resume", "left", "--format=json"].iter().chain(more).map(|&word| word.to_owned()).collect()
}

#[track_caller]
fn complete(ran: &Ran) -> u64 {
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
    report["executions"]["complete"].as_u64().expect("a number")
}

#[test]
fn a_check_that_was_stopped_goes_on() {
    if !has_clang() {
        return;
    }
    for (stop, jobs) in [("--max-executions=1000", "--jobs=1"), ("--max-executions=4000", "--jobs=3")] {
        let folder = Folder::new();
        let first = folder.run(sigma(&[stop, jobs])).ended_with(3);
        let first = first.says(&["to go on from here: everyway resume left"]);
        assert!(complete(&first) < SIGMA);
        while folder.path().join("left").exists() {
            let next = folder.run(resume(&[stop, jobs]));
            if next.status == 0 {
                assert_eq!(complete(&next), SIGMA);
            } else {
                assert!(complete(&next.ended_with(3)) < SIGMA);
            }
        }
    }
}

/// Kills a check, and what goes on with it, at moments that have nothing to do with what it does.
fn killed(times: u32, seed: u64) {
    let folder = Folder::new();
    let mut random = fastrand::Rng::with_seed(seed);
    let mut kills = 0;
    while kills < times {
        let arguments = match folder.path().join("left").exists() {
            true => resume(&["--checkpoint=1ms", "--jobs=2"]),
            false => sigma(&["--checkpoint=1ms", "--jobs=2"]),
        };
        let mut running = folder.start(arguments);
        thread::sleep(Duration::from_millis(random.u64(..400)));
        if running.child.try_wait().expect("it can be waited for").is_some() {
            assert_eq!(complete(&running.wait().ended_with(0)), SIGMA);
            continue;
        }
        running.child.kill().expect("it is ours");
        running.wait();
        kills += 1;
    }
    let last = match folder.path().join("left").exists() {
        true => folder.run(resume(&[])),
        false => folder.run(sigma(&[])),
    };
    assert_eq!(complete(&last.ended_with(0)), SIGMA);
}

#[test]
fn a_check_that_was_killed_goes_on() {
    if has_clang() {
        killed(4, 1);
    }
}

#[test]
#[ignore = "takes a minute"]
fn a_check_that_was_killed_a_hundred_times_goes_on() {
    if has_clang() {
        killed(100, 2);
    }
}

#[test]
fn parts_come_to_the_whole() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.run(sigma(&["--max-executions=500", "--jobs=1"])).ended_with(3);
    let parts = folder.run(["split", "left", "-n", "3"]).ended_with(0);
    assert_eq!(parts.stdout, "left-0.part\nleft-1.part\nleft-2.part\n");
    folder.run(["explore", "left-1.part"]).ended_with(3).says(&["this is part 1 of 3"]);
    // One worker, going depth first, leaves nearly everything to the first part.
    folder.run(["explore", "left-0.part", "--max-executions=600"]).ended_with(3).says(&["limit of 600 executions"]);
    folder.run(["explore", "left-2.part", "--jobs=1"]).ended_with(3);
    let merge = |files: &[&str]| folder.run(["merge", "--format=json", "--output-file=rest"].iter().chain(files));
    let results = ["left-0.result", "left-1.result", "left-2.result"];
    let missing = merge(&results[..2]).ended_with(3).says(&["the results of parts 2 are missing"]);
    assert!(complete(&missing) < SIGMA);
    let rest = merge(&["left-2.result", "left-0.result", "left-1.result", "left-0.result"]).ended_with(3);
    let rest = rest.says(&["subtrees are left to explore", "to go on from here: everyway resume rest"]);
    assert!(complete(&rest) < SIGMA);
    let whole = folder.run(["resume", "rest", "--format=json"]).ended_with(0);
    assert_eq!(complete(&whole), SIGMA);
    folder.run(["explore", "left-0.part"]).ended_with(3);
    assert_eq!(complete(&merge(&results).ended_with(0)), SIGMA);
}

/// Of more parts than there are subtrees, some are empty, and come to nothing.
#[test]
fn there_may_be_more_parts_than_subtrees() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.run(sigma(&["--max-executions=2"])).ended_with(3);
    let parts = folder.run(["split", "left", "-n", "40"]).ended_with(0);
    let mut results = vec!["merge".to_owned(), "--format=json".to_owned()];
    let mut empty = 0;
    for part in parts.stdout.lines() {
        let explored = folder.run(["explore", part, "--jobs=1"]).ended_with(3);
        empty += usize::from(explored.stdout.contains("there is nothing to explore in this part"));
        results.push(part.replace(".part", ".result"));
    }
    assert!(empty > 0, "{}", parts.stdout);
    assert_eq!(complete(&folder.run(results).ended_with(0)), SIGMA);
}

#[test]
fn a_strategy_that_was_asked_for_is_used_or_it_is_said() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("relaxed.c", RELAXED);
    let said = "`optimal` explores interleavings, which is not all that rc11 allows";
    folder.run(["check", "relaxed.c", "--algorithm=optimal", "--format=json"]).ended_with(0).says(&[said]);
    for flags in [&["--jobs=1"][..], &["--keep-going"], &["--profile"], &["--algorithm=graphs"]] {
        let ran = folder.run(["check", "relaxed.c", "--format=json"].iter().chain(flags)).ended_with(0);
        assert!(!ran.stdout.contains(said), "{flags:?}: {}", ran.stdout);
    }
}

/// Whoever goes on comes to the same end, so nobody is told to.
#[test]
fn what_was_refused_is_not_to_be_gone_on_with() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("mixed.c", MIXED);
    let refused = folder.run(["check", "mixed.c", "--algorithm=graphs", "--checkpoint=1ms"]).ended_with(3);
    refused.says(&["accesses to the same bytes with different sizes (mixed.c:15)"]);
    assert!(!folder.path().join(".everyway/mixed.frontier").exists());
}

#[test]
fn what_is_not_of_this_check_is_refused() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("two.c", &fs::read_to_string(program("sigma.c")).expect("a program"));
    folder.run(["check", "two.c", "-DN=5", "--algorithm=graphs", "--max-executions=9"]).ended_with(3);
    let path = folder.path().join(".everyway/two.frontier");
    let saved = fs::read_to_string(&path).expect("it was saved");
    folder.write("two.c", "int main(void) { return 0; }");
    let refused = |words: &[&str]| folder.run(["resume", ".everyway/two.frontier"]).ended_with(2).complains(words);
    refused(&["two.c", "has changed since the check was stopped"]);
    // The program is in the file.
    fs::remove_file(folder.path().join("two.c")).expect("it was there");
    fs::write(&path, saved.replace(env!("CARGO_PKG_VERSION"), "0.0.1")).expect("a file");
    refused(&["checksum"]);
    fs::write(&path, &saved[..saved.len() - 100]).expect("a file");
    refused(&["is no frontier"]);
    let mut value: Value = serde_json::from_str(&saved).expect("JSON");
    value["checksum"] = Value::Null;
    value["everyway"] = "0.0.1".into();
    fs::write(&path, value.to_string()).expect("a file");
    refused(&["saved by everyway 0.0.1"]);
    value["everyway"] = env!("CARGO_PKG_VERSION").into();
    value["exploration"]["subtrees"] = serde_json::json!(["graph 0.7w- > here"]);
    fs::write(&path, value.to_string()).expect("a file");
    let other = folder.run(["resume", ".everyway/two.frontier"]).ended_with(3);
    other.says(&["what was saved of an exploration is not of this program"]);
    everyway(["resume", "nothing.frontier"]).ended_with(2).complains(&["nothing.frontier", "tip: "]);
}

#[test]
fn damage_never_makes_a_check_verified() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let all = ["check", &program("sigma.c"), "-DN=4", "--algorithm=graphs", "--max-executions=40", "--frontier=left"];
    folder.run(all).ended_with(3);
    let path = folder.path().join("left");
    let saved = fs::read(&path).expect("it was saved");
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..40 {
        let mut damaged = saved.clone();
        let at = random.usize(..damaged.len());
        match random.u8(..3) {
            0 => damaged[at] = random.u8(..),
            1 => damaged.truncate(at),
            _ => _ = damaged.remove(at),
        }
        if serde_json::from_slice::<Value>(&damaged).ok() == serde_json::from_slice(&saved).ok() {
            continue;
        }
        fs::write(&path, &damaged).expect("a file");
        folder.run(["resume", "left"]).ended_with(2);
    }
}

/// A program with so many executions that it is not explored in a moment.
fn large(more: &[&str]) -> Vec<String> {
    let all = ["check", &program("sigma.c"), "-DN=8", "--format=json", "--frontier=left"];
    all.iter().chain(more).map(|&word| word.to_owned()).collect()
}

#[test]
fn what_cannot_be_shared_is_refused() {
    if !has_clang() {
        return;
    }
    for (flags, words) in [
        (["--jobs=2", "--algorithm=optimal"], ["`optimal` cannot be shared among several", "`graphs`"]),
        (["--jobs=2", "--preemptions=2"], ["`bounded` cannot be shared among several", "tip: leave --jobs out"]),
        (["--frontier=left", "--preemptions=2"], ["--frontier is given", "under `bounded` cannot be saved"]),
        (
            ["--checkpoint=1s", "--algorithm=reads-from"],
            ["--checkpoint is given", "under `reads-from` cannot be saved"],
        ),
    ] {
        everyway(["check", &program("sigma.c"), "-DN=3"].iter().chain(&flags)).ended_with(2).complains(&words);
    }
    everyway(["check", &program("sigma.c"), "-DN=3", "--jobs=1", "--preemptions=2"]).ended_with(3);
    let folder = Folder::new();
    let no_number = folder.start_with(["check", &program("sigma.c"), "-DN=3"], &[("EVERYWAY_JOBS", "many")]);
    no_number.wait().ended_with(2).complains(&["EVERYWAY_JOBS is `many`"]);
}

#[test]
fn what_is_no_interleaving_is_not_explored_as_one() {
    if !has_clang() {
        return;
    }
    let all =
        ["portfolio", "bounded", "pct", "random", "naive", "classic", "source", "optimal", "observers", "reads-from"];
    for name in all {
        let flags = [format!("--algorithm={name}"), "--memory-model=rc11".to_owned()];
        let ran = everyway(["check", &program("sigma.c"), "-DN=3"].map(str::to_owned).iter().chain(&flags));
        ran.ended_with(2)
            .complains(&[&format!("`{name}` explores interleavings"), "`graphs` explores what rc11 allows"]);
    }
}

/// By default a program that is not small is shared among all processors, saved, and gone on with as it began.
#[test]
fn what_was_begun_by_default_goes_on() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.run(large(&["--jobs=2", "--max-executions=300"])).ended_with(3).says(&["everyway resume left"]);
    let saved = fs::read_to_string(folder.path().join("left")).expect("it was saved");
    assert!(saved.contains("--algorithm=auto"), "{saved}");
    folder.run(resume(&["--max-executions=300", "--jobs=2"])).ended_with(3).says(&["\"strategy\": \"graphs\""]);
}

#[test]
fn nothing_left_is_not_verified() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.run(sigma(&["--max-executions=500"])).ended_with(3);
    let path = folder.path().join("left");
    let mut value: Value = serde_json::from_slice(&fs::read(&path).expect("it was saved")).expect("JSON");
    value["checksum"] = Value::Null;
    value["exploration"]["subtrees"] = serde_json::json!([]);
    fs::write(&path, value.to_string()).expect("a file");
    folder.run(resume(&[])).ended_with(2).complains(&["nothing left to explore", "everyway merge left"]);
    value["exploration"]["executions"] = serde_json::json!({"complete": 0, "blocked": 0, "redundant": 0, "failed": 0});
    fs::write(&path, value.to_string()).expect("a file");
    folder.run(["merge", "left"]).ended_with(2).complains(&["nothing was explored"]);
}

/// Threads with weak orderings: whoever assumes that there are none starts over.
const RELAXED: &str = r"#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *one(void *unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return (void *)(long)atomic_load_explicit(&y, memory_order_relaxed);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(thread, 0);
    return seen;
}
";

/// Accesses to the same bytes with different sizes, which execution graphs do not know.
const MIXED: &str = r"#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned x;

static void *one(void *unused) {
    (void)unused;
    atomic_store((_Atomic unsigned char *)&x, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    atomic_store(&x, 256);
    pthread_join(thread, 0);
    return 0;
}
";

#[test]
fn parts_that_all_start_over_are_counted_once() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("relaxed.c", RELAXED);
    // Two reads, each with two sources, in any combination.
    assert_eq!(complete(&folder.run(["check", "relaxed.c", "--format=json"]).ended_with(0)), 4);
    folder.run(["check", "relaxed.c", "--algorithm=graphs", "--max-executions=1", "--frontier=left"]).ended_with(3);
    let path = folder.path().join("left");
    let mut value: Value = serde_json::from_slice(&fs::read(&path).expect("it was saved")).expect("JSON");
    value["checksum"] = Value::Null;
    value["exploration"] = serde_json::json!({
        "stage": "assuming", "executions": {"complete": 0, "blocked": 0, "redundant": 0, "failed": 0},
        "milliseconds": 0, "subtrees": ["graph > here", "graph > here"],
    });
    fs::write(&path, value.to_string()).expect("a file");
    folder.run(["split", "left", "-n", "2"]).ended_with(0);
    folder.run(["explore", "left-0.part"]).ended_with(3);
    folder.run(["explore", "left-1.part"]).ended_with(3);
    let merged = folder.run(["merge", "left-0.result", "left-1.result", "--format=json"]).ended_with(0);
    assert_eq!(complete(&merged), 4);
}
