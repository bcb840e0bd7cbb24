//! What clang made of a program is kept, and is not used where it would be wrong.

use crate::support::{Folder, Ran, has_clang};
use everyway_llvm::clang::Clang;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// A folder with a program in it, and a clang that counts how often it is called.
struct Counted {
    folder: Folder,
    /// Apart, since what a folder has beside clang tells which clang it is.
    clang: Folder,
}

impl Counted {
    fn new() -> Option<Self> {
        if !has_clang() {
            return None;
        }
        let (folder, clang) = (Folder::new(), Folder::new());
        let real = Clang::find(None).expect("there is one").path().display().to_string();
        let calls = folder.write("calls", "").display().to_string();
        let script = clang.write("clang", &format!("#!/bin/sh\necho call >> '{calls}'\nexec '{real}' \"$@\"\n"));
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).expect("a script");
        let counted = Self { folder, clang };
        counted.write("first/own.h", "int unused;\n");
        counted.write("second/limit.h", "#define LIMIT 1\n");
        counted.write(
            "a.c",
            "#include <assert.h>\n#include \"limit.h\"\nint main(void) { assert(LIMIT < 2); return 0; }\n",
        );
        Some(counted)
    }

    /// Writes a file, as if it had been there for a while.
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        let before = SystemTime::now() - Duration::from_secs(60);
        File::options().append(true).open(&path).and_then(|file| file.set_modified(before)).expect("a time");
        path
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let clang = format!("--clang={}", self.clang.path().join("clang").display());
        let all = ["check", "a.c", "-Ifirst", "-Isecond", &clang];
        all.iter().chain(more).map(|&word| word.to_owned()).collect()
    }

    /// Checks the program, and says how often clang was called for it.
    fn check(&self, more: &[&str]) -> (Ran, usize) {
        let before = self.calls();
        let ran = self.folder.run(self.arguments(more));
        (ran, self.calls() - before)
    }

    fn calls(&self) -> usize {
        fs::read_to_string(self.folder.path().join("calls")).expect("a file").lines().count()
    }

    #[track_caller]
    fn expect(&self, more: &[&str], status: i32, calls: usize) {
        let (ran, called) = self.check(more);
        assert_eq!((ran.status, called), (status, calls), "{more:?}: {ran:#?}");
    }
}

#[test]
fn clang_is_called_once_for_the_same() {
    let Some(counted) = Counted::new() else { return };
    counted.expect(&[], 0, 1);
    counted.expect(&[], 0, 0);
    // Options that are not for clang make no difference, and those that are do.
    counted.expect(&["--algorithm=source"], 0, 0);
    counted.expect(&["-DOTHER"], 0, 1);
    counted.expect(&["-DOTHER"], 0, 0);
    counted.expect(&["-O1"], 0, 1);
    counted.expect(&[], 0, 0);
    counted.expect(&["--no-cache"], 0, 1);
}

#[test]
fn what_has_changed_is_compiled_again() {
    let Some(counted) = Counted::new() else { return };
    counted.expect(&[], 0, 1);
    counted.write("second/limit.h", "#define LIMIT 2\n");
    counted.expect(&[], 1, 1);
    counted.expect(&[], 1, 0);
    // As it was before.
    counted.write("second/limit.h", "#define LIMIT 1\n");
    counted.expect(&[], 0, 0);
    // A header that is found before the one that was read.
    let before = counted.write("first/limit.h", "#define LIMIT 3\n");
    counted.expect(&[], 1, 1);
    fs::remove_file(before).expect("a file");
    let (ran, _) = counted.check(&[]);
    ran.ended_with(0);
    let beside = counted.write("limit.h", "#define LIMIT 4\n");
    counted.expect(&[], 1, 1);
    fs::remove_file(beside).expect("a file");
    // Nothing is compiled if it is not there.
    fs::remove_file(counted.folder.path().join("second/limit.h")).expect("a file");
    let (ran, called) = counted.check(&[]);
    assert_eq!((ran.status, called), (2, 1), "{ran:#?}");
    ran.complains(&["limit.h"]);
}

#[test]
fn what_may_change_by_itself_is_not_kept() {
    let Some(counted) = Counted::new() else { return };
    counted.write("a.c", "const char *when = __TIME__;\nint main(void) { return 0; }\n");
    counted.expect(&[], 0, 1);
    counted.expect(&[], 0, 1);
    counted.write("a.c", "#if __has_include(\"new.h\")\n#include \"new.h\"\n#endif\nint main(void) { return 0; }\n");
    counted.expect(&[], 0, 1);
    counted.expect(&[], 0, 1);
    counted.write("a.c", "int main(void) { return 0; }\n");
    counted.expect(&["--clang-flag=-march=native"], 0, 1);
    counted.expect(&["--clang-flag=-march=native"], 0, 1);
    // A file that is written while clang may read it.
    fs::write(counted.folder.path().join("a.c"), "int main(void) { return 0; } // now\n").expect("a file");
    let soon = SystemTime::now() + Duration::from_secs(60);
    let file = File::options().append(true).open(counted.folder.path().join("a.c")).expect("a file");
    file.set_modified(soon).expect("a time");
    counted.expect(&[], 0, 1);
    counted.expect(&[], 0, 1);
}

#[test]
fn what_is_damaged_is_compiled_again() {
    let Some(counted) = Counted::new() else { return };
    counted.expect(&[], 0, 1);
    let kept: Vec<PathBuf> = fs::read_dir(counted.folder.path().join(".everyway/cache"))
        .expect("a folder")
        .map(|file| file.expect("a file").path())
        .collect();
    assert_eq!(kept.len(), 2, "{kept:?}");
    for file in kept {
        let text = fs::read_to_string(&file).expect("a text");
        for damaged in ["", &text[..text.len() / 2], &text.replace(' ', "  ")] {
            fs::write(&file, damaged).expect("a file");
            let (ran, _) = counted.check(&[]);
            ran.ended_with(0);
        }
    }
    counted.expect(&[], 0, 0);
}

#[test]
fn many_may_do_so_at_once() {
    let Some(counted) = Counted::new() else { return };
    std::thread::scope(|scope| {
        for number in 0..12 {
            let counted = &counted;
            scope.spawn(move || {
                let output = std::process::Command::new(env!("CARGO_BIN_EXE_everyway"))
                    .args(counted.arguments(&[&format!("-DN={}", number % 3)]))
                    .current_dir(counted.folder.path())
                    .output()
                    .expect("the command starts");
                assert!(output.status.success(), "{output:?}");
            });
        }
    });
    for number in 0..3 {
        counted.expect(&[&format!("-DN={number}")], 0, 0);
    }
    let kept = fs::read_dir(counted.folder.path().join(".everyway/cache")).expect("a folder");
    let names: Vec<String> =
        kept.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(names.len(), 6, "{names:?}");
}
