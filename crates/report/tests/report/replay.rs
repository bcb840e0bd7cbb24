//! Replay files, written and read, and everything that can be wrong with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use everyway_report::BugKind;
use everyway_report::replay::{Expected, FORMAT, ProgramId, ProgramKind, ReplayError, ReplayFile, ScheduledStep};

use crate::samples::{at, deadlock};

/// A folder for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("everyway-report-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }

    fn file(&self, content: &str) -> PathBuf {
        let path = self.0.join("replay.json");
        fs::write(&path, content).expect("a temporary file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind in a folder for temporary files is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn sample() -> ReplayFile {
    let name = "locks::ab_ba".to_owned();
    let program = ProgramId { kind: ProgramKind::Rust, name, source: at(3), content: None, arguments: Vec::new() };
    let schedule = [("0", 0), ("0", 0), ("0.0", 0), ("0.1", 1)];
    let schedule = schedule.map(|(thread, choice)| ScheduledStep {
        thread: thread.to_owned(),
        choice,
        reads: Vec::new(),
        place: None,
    });
    ReplayFile::new(program, schedule.into(), &deadlock().bug.expect("a bug"))
}

/// The error of loading a file with this content, without its path.
fn error(test: &str, content: &str) -> String {
    let folder = Folder::new(test);
    let path = folder.file(content);
    let error = ReplayFile::load(&path).expect_err("it should be refused");
    assert_eq!(error.path(), path);
    error.to_string().replace(&path.display().to_string(), "PATH")
}

const SAMPLE: &str = r#"{
  "format": 2,
  "program": {
    "kind": "rust",
    "name": "locks::ab_ba",
    "source": {
      "file": "src/x.rs",
      "line": 3,
      "column": 9
    },
    "content": null
  },
  "schedule": "0 0 0.0 0.1:1",
  "outcome": {
    "kind": "deadlock",
    "message": "no thread can go on"
  },
  "steps_described": [
    "main: spawn a",
    "main: spawn b",
    "a: lock Mutex #1",
    "b: lock Mutex #2"
  ]
}
"#;

#[test]
fn a_file_can_be_read_by_people() {
    let folder = Folder::new("people");
    let path = folder.0.join("replay.json");
    sample().save(&path).expect("it can be written");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), SAMPLE);
}

#[test]
fn what_is_saved_is_loaded_again() {
    let folder = Folder::new("again");
    let path = folder.0.join("new/folder/replay.json");
    let mut file = sample();
    file.save(&path).expect("folders are made");
    assert_eq!(ReplayFile::load(&path).expect("it is there"), file);

    file.schedule.clear();
    file.outcome = Expected { kind: None, message: String::new() };
    file.save(&path).expect("it is replaced");
    assert_eq!(ReplayFile::load(&path).expect("it is there"), file);
    assert_eq!(names(path.parent().expect("a folder")), ["replay.json"], "nothing else is left there");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn many_can_write_the_same_file() {
    let folder = Folder::new("many");
    let path = folder.0.join("replay.json");
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    sample().save(&path).expect("it can be written");
                    assert_eq!(ReplayFile::load(&path).expect("it is whole"), sample());
                }
            });
        }
    });
    assert_eq!(names(&folder.0), ["replay.json"]);
}

#[test]
fn a_missing_file() {
    let error = ReplayFile::load("no/such/file.json").expect_err("there is none");
    let expected = "there is no replay file `no/such/file.json`\n\
        tip: check the path; a failing check prints where it wrote the file";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_folder_is_no_file() {
    let folder = Folder::new("folder");
    let error = ReplayFile::load(&folder.0).expect_err("it is a folder");
    assert!(matches!(error, ReplayError::Unreadable { .. }), "{error}");
    assert!(std::error::Error::source(&error).is_some());
    let error = sample().save(&folder.0).expect_err("it is a folder");
    assert!(matches!(error, ReplayError::Unwritable { .. }), "{error}");
    assert!(sample().save("/").is_err() && sample().save("").is_err());
}

#[test]
fn a_truncated_file() {
    let anew = "\ntip: run the check again without replay, to write the file anew";
    assert_eq!(error("empty", ""), format!("the replay file `PATH` is cut off in line 1{anew}"));
    let half = &SAMPLE[..SAMPLE.len() / 2];
    let line = half.lines().count();
    assert_eq!(error("half", half), format!("the replay file `PATH` is cut off in line {line}{anew}"));
}

#[test]
fn every_truncation_is_noticed() {
    let folder = Folder::new("every");
    for length in 0..SAMPLE.trim_end().len() {
        let path = folder.file(&SAMPLE[..length]);
        assert!(matches!(ReplayFile::load(path), Err(ReplayError::Truncated { .. })), "after {length} bytes");
    }
}

#[test]
fn a_file_that_is_something_else() {
    let expected = "`PATH` is not a replay file, which would be JSON: expected value at line 1 column 1\n\
        tip: check that the path is right, or run the check again without replay, to write the file anew";
    assert_eq!(error("something", "int main() {}"), expected);
    let text = error("other", "{\"name\": 1}");
    assert!(text.starts_with("`PATH` is JSON, but not a replay file: missing field `format` at line 1"), "{text}");
    let text = error("list", "[1]");
    assert!(text.starts_with("`PATH` is JSON, but not a replay file: "), "{text}");
}

#[test]
fn a_file_of_another_version() {
    let expected = "the replay file `PATH` was written by a newer version of everyway: it has format 7, but only \
        format 2 is known here\n\
        tip: use the version of everyway that wrote it, or run the check again without replay, to write it anew";
    assert_eq!(FORMAT, 2);
    assert_eq!(error("version", "{\"format\": 7, \"steps\": []}"), expected);
    let text = error("older", &SAMPLE.replace("\"format\": 2", "\"format\": 1"));
    assert!(text.contains("written by an older version of everyway: it has format 1"), "{text}");
}

#[test]
fn a_file_that_was_edited_badly() {
    let text = error("schedule", &SAMPLE.replace("0.1:1", "0.1;1"));
    assert!(text.contains("step 4 of the schedule is `0.1;1`"), "{text}");
    assert!(text.contains("line 13"), "{text}");
    let text = error("kind", &SAMPLE.replace("deadlock", "deadlok"));
    assert!(text.contains("unknown variant `deadlok`"), "{text}");
    let text = error("field", &SAMPLE.replace("outcome", "outcom"));
    assert!(text.contains("missing field `outcome`"), "{text}");
}

#[test]
fn the_outcome_is_the_one_of_the_bug() {
    let expected = Expected { kind: Some(BugKind::Deadlock), message: "no thread can go on".to_owned() };
    assert_eq!(sample().outcome, expected);
}

/// A test that is run by the administrator must not replace what is not a file.
#[cfg(unix)]
#[test]
fn devices_are_written_to_and_not_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};

    let folder = std::env::temp_dir().join(format!("everyway-device-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let link = folder.join("null");
    symlink("/dev/null", &link).expect("a link can be made");
    sample().save(&link).expect("nothing is written");
    let kind = std::fs::metadata(&link).expect("it is still there").file_type();
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    assert!(kind.is_char_device(), "the device is still one");
}
