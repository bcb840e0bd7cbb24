//! What other tools read, and the page.

use crate::support::{Folder, has_clang};
use serde_json::Value;
use std::fs;

const PROGRAM: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
static void *add(void *unused) {
    x = x + 1; // <b>&amp;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
}
";

#[test]
fn sarif_annotations_and_graphs() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("add.c", PROGRAM);
    let printed = folder.run(["check", "add.c", "--memory-model=sc", "--format", "sarif"]).ended_with(1);
    let log: Value = serde_json::from_str(&printed.stdout).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&log["version"], &result["ruleId"]), (&"2.1.0".into(), &"assertion".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 14);
    assert_eq!(result["codeFlows"][0]["threadFlows"].as_array().map(Vec::len), Some(3));
    let printed = folder.run(["check", "add.c", "--memory-model=sc", "--format", "github"]).ended_with(1);
    let command = printed.stdout.lines().next().unwrap_or_default();
    assert!(
        command.starts_with("::error file=add.c,line=14,col=5,title=assertion failure in thread 'main' at"),
        "{command}"
    );
    let printed = folder.run(["check", "add.c", "--memory-model=sc", "--format", "dot"]).ended_with(1);
    assert!(printed.stdout.contains("label=\"reads from\""), "{}", printed.stdout);
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("a file")
}

#[test]
fn the_page_has_the_source() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("add.c", PROGRAM);
    folder.run(["check", "add.c", "--memory-model=sc", "--html", "add.html"]).ended_with(1);
    let page = read(&folder, "add.html");
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    assert!(page.contains("// \\u003cb\\u003e\\u0026amp;"), "the source is in the page, and is nothing but text");

    // From a saved execution, and from a report.
    let printed = folder.run(["view", ".everyway/add.json"]).ended_with(0);
    assert_eq!(printed.stdout, ".everyway/add.html\n");
    assert!(read(&folder, ".everyway/add.html").contains("x = x + 1;"));
    let report = folder.run(["check", "add.c", "--memory-model=sc", "--format", "json"]).ended_with(1);
    folder.write("report.json", &report.stdout);
    folder.run(["view", "report.json", "--output", "page.html"]).ended_with(0);
    assert!(read(&folder, "page.html").contains("x = x + 1;"));

    let refused = folder.run(["check", "add.c", "--memory-model=sc", "--html", "missing/add.html"]).ended_with(2);
    refused.complains(&["the page cannot be written to `missing/add.html`"]).says(&["everyway replay"]);
    folder.run(["view", "missing.json"]).ended_with(2).complains(&["missing.json"]);
}

#[test]
fn a_witness_ends_with_what_races() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "race.c",
        "#include <pthread.h>\nint x, y;\nstatic void *set(void *unused) {\n    y = 1;\n    x = 1;\n    return 0;\n}\n\
         int main(void) {\n    pthread_t thread;\n    pthread_create(&thread, 0, set, 0);\n    int found = x;\n    \
         pthread_join(thread, 0);\n    return found & y;\n}\n",
    );
    folder.run(["check", "race.c", "--property", "no-data-race", "--witness", "race.yml"]).ended_with(1);
    let witness: Value = serde_json::from_str(&read(&folder, "race.yml")).expect("YAML that is JSON");
    let segments = witness[0]["content"].as_array().expect("segments");
    let points = |segment: &Value| -> Vec<Value> {
        let waypoints = segment["segment"].as_array().expect("waypoints").iter();
        waypoints.map(|point| point["waypoint"].clone()).collect()
    };
    let place = |point: &Value| (point["thread_id"].as_u64(), point["location"]["line"].as_u64());
    let (last, before) = segments.split_last().expect("a last one");
    let mut targets: Vec<_> = points(last).iter().map(place).collect();
    targets.sort_unstable();
    assert_eq!(targets, [(Some(0), Some(11)), (Some(1), Some(5))], "{witness:#}");
    assert!(points(last).iter().all(|point| point["type"] == "target"), "{witness:#}");
    for point in before.iter().flat_map(points) {
        assert!(point["action"] == "follow" && !targets.contains(&place(&point)), "{witness:#}");
    }
}
