//! The JSON that the command prints: an interface.

use crate::support::{Folder, everyway, has_clang, program};
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("one JSON value and nothing else")
}

#[test]
fn a_verified_program_has_no_bug() {
    if !has_clang() {
        return;
    }
    let ran = everyway(["check", "--format=json", &program("two_threads.c")]).ended_with(0);
    let mut result = parse(&ran.stdout);
    assert!(result["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0), "{result}");
    result["seconds"] = json!(0);
    let expected = json!({
        "verdict": "verified",
        "algorithm": "optimal",
        "strategy": "optimal",
        "memory_model": "sc",
        "executions": {"complete": 4, "blocked": 0, "redundant": 0, "failed": 0},
        "seconds": 0,
        "cut": [],
        "assumed": [],
        "notes": [],
        "bug": null,
        "bugs": [],
    });
    assert_eq!(result, expected);
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_bug_has_its_place_and_its_steps() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let ran = folder
        .run(["check", "--format=json", &program("assertion.c"), "--memory-model=sc", "--save=trace.json"])
        .ended_with(1);
    let result = parse(&ran.stdout);
    assert_eq!(result["verdict"], "bug");
    let bug = &result["bug"];
    let expected = [
        "accesses",
        "calls",
        "divergence",
        "execution",
        "executions",
        "file",
        "kind",
        "line",
        "message",
        "passing",
        "replay",
        "source",
        "thread",
        "tips",
        "trace",
        "unreceived",
        "waits",
    ];
    assert_eq!(keys(bug), expected);
    assert_eq!(result["bugs"], json!([bug]));
    assert_eq!(result["executions"]["failed"], 1);
    assert_eq!(bug["executions"], 1);
    assert_eq!(bug["kind"], "assertion");
    assert!(bug["message"].as_str().is_some_and(|message| message.contains("counter == 2")), "{bug}");
    assert!(bug["file"].as_str().is_some_and(|file| file.ends_with("assertion.c")), "{bug}");
    assert_eq!(bug["line"], 21);
    assert_eq!(bug["replay"], json!({"file": "trace.json", "command": "everyway replay trace.json"}));
    let trace = bug["trace"].as_array().expect("steps");
    for step in trace {
        assert_eq!(keys(step), ["file", "line", "object", "operation", "thread", "value"]);
    }
    assert_eq!(trace.len(), bug["execution"]["events"].as_array().map_or(0, Vec::len));
    let increments = trace.iter().filter(|step| step["object"] == "counter" && step["thread"] == "increment").count();
    assert_eq!(increments, 2, "a load and a store: {trace:#?}");
}

#[test]
fn what_keeps_it_from_running_is_an_object_too() {
    let ran = everyway(["check", "--format=json", "missing.c"]).ended_with(2).complains(&["missing.c"]);
    let result = parse(&ran.stdout);
    assert_eq!(keys(&result), ["error", "verdict"]);
    assert_eq!(result["verdict"], "error");
    assert_eq!(keys(&result["error"]), ["file", "line", "message"]);
    assert!(result["error"]["message"].as_str().is_some_and(|message| message.contains("missing.c")), "{result}");
}

#[test]
fn what_is_not_supported_has_its_place() {
    if !has_clang() {
        return;
    }
    let ran = everyway(["check", "--format=json", &program("unsupported.c")]).ended_with(2);
    let error = &parse(&ran.stdout)["error"];
    assert!(error["file"].as_str().is_some_and(|file| file.ends_with("unsupported.c")), "{error}");
    assert_eq!(error["line"], 8);
}

#[test]
fn of_a_deep_recursion_the_middle_is_left_out() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let text = "#include <assert.h>\n#include <pthread.h>\nint x;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                static void deeper(int depth) {\n  if (depth == 0) assert(x == 1);\n  else deeper(depth - 1);\n  x++;\n}\n\
                static void *run(void *p) { pthread_mutex_lock(&m); x++; deeper(100); pthread_mutex_unlock(&m); return 0; }\n\
                int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, run, 0);\n  run(0);\n  pthread_join(t, 0);\n}\n";
    folder.write("deep.c", text);
    let ran = folder.run(["check", "--format=json", "deep.c"]).ended_with(1);
    let bug = &parse(&ran.stdout)["bug"];
    let calls = bug["calls"].as_array().expect("the calls");
    let left_out: u64 = calls.iter().filter_map(|call| call["left_out"].as_u64()).sum();
    assert!(calls.len() < 50 && calls.len() as u64 + left_out >= 100, "{calls:#?}");
    let outermost = calls.last().and_then(|call| call["function"].as_str());
    assert!(matches!(outermost, Some("main" | "run")), "{calls:#?}");
}
