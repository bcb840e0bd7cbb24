//! The command on a real terminal: colours, the width of pages, and the line of progress.

use crate::support::{Folder, has_clang, program};
use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::{Command, Stdio};
use std::ptr::null_mut;

/// Both ends of a terminal with so many columns: ours, and that of the command.
fn terminal(columns: u16) -> (File, OwnedFd) {
    let (mut ours, mut theirs) = (-1, -1);
    let mut size = libc::winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the pointers are to two integers and a size, or null where that is allowed.
    let status = unsafe { libc::openpty(&raw mut ours, &raw mut theirs, null_mut(), null_mut(), &raw mut size) };
    assert_eq!(status, 0, "a terminal: {}", std::io::Error::last_os_error());
    // SAFETY: both were opened just now, and nobody else has them.
    unsafe { (File::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs)) }
}

/// What is seen of a command whose outputs both go to a terminal.
fn seen(folder: &Folder, columns: u16, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let (mut ours, theirs) = terminal(columns);
    let mut command = Command::new(env!("CARGO_BIN_EXE_everyway"));
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    let both = theirs.try_clone().expect("the same end again");
    command.args(arguments).current_dir(folder.path()).env("TERM", "xterm").envs(variables.iter().copied());
    let mut child = command.stdout(theirs).stderr(both).stdin(Stdio::null()).spawn().expect("the command starts");
    // Only the child has the other end now: reading ends when it does.
    drop(command);
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    while let Ok(count) = ours.read(&mut part)
        && count > 0
    {
        bytes.extend_from_slice(&part[..count]);
    }
    child.wait().expect("the command ends");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn colours_are_for_terminals_that_have_them() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let check = ["check", &program("lost_wakeup.c")];
    let shown = seen(&folder, 100, &check, &[]);
    assert!(shown.contains("\x1b[") && shown.contains("deadlock: no thread can go on"), "{shown:?}");
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb"), ("CLICOLOR", "0")] {
        let shown = seen(&folder, 100, &check, &[variable]);
        assert!(!shown.contains('\x1b') && shown.contains("deadlock"), "{variable:?}: {shown:?}");
    }
}

#[test]
fn tables_are_as_wide_as_the_terminal() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let widest = |columns: u16| {
        let shown = seen(&folder, columns, &["check", &program("livelock.c")], &[("NO_COLOR", "1")]);
        // The place may be longer than any terminal is wide.
        let table = shown.lines().filter(|line| line.contains(" | ")).map(|line| line.trim_end().len());
        table.max().expect("a table")
    };
    assert!(widest(120) <= 120 && widest(70) <= 70, "{} {}", widest(120), widest(70));
    assert!(widest(60) < widest(120), "what is narrower is laid out differently");
}

/// What a line of progress says once it is known how many executions there may be.
const ESTIMATED: &str = " executions of perhaps ";

#[test]
fn progress_is_one_line_that_disappears() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    // Far more executions than there is time for.
    let sigma = program("sigma.c");
    let check = |seconds| ["check", &sigma, "-DN=12", "--timeout", seconds];
    for columns in [100, 80] {
        // On a machine that is busy an estimate takes its time.
        let mut shown = String::new();
        for seconds in ["3", "30"] {
            shown = seen(&folder, columns, &check(seconds), &[]);
            if shown.matches(ESTIMATED).count() > 3 {
                break;
            }
        }
        let lines: Vec<&str> = shown.split("\r\x1b[K").collect();
        let [first, progress @ .., last] = lines.as_slice() else { panic!("{shown:?}") };
        assert_eq!(*first, "", "nothing comes before the progress");
        for line in progress {
            assert!(line.chars().count() < usize::from(columns) && !line.contains('\n'), "{line:?}");
        }
        // Once there is an estimate, every line has one.
        let unknown = progress.iter().take_while(|line| !line.contains(ESTIMATED)).count();
        let (unknown, estimated) = progress.split_at(unknown);
        let says_rate = |line: &&str| line.contains(" executions, ") && line.ends_with(" a second");
        assert!(unknown.iter().all(says_rate), "{unknown:?}");
        assert!(estimated.len() > 3, "{shown:?}");
        for line in estimated {
            assert!(line.contains(ESTIMATED) && line.contains(" a second, ") && line.ends_with(" left"), "{line:?}");
        }
        assert!(estimated.iter().any(|line| line.contains(" to ") && line.contains('(')), "no interval: {estimated:?}");
        assert!(last.contains("incomplete"), "{last:?}");
    }
    // In a pipe there is nothing of it, nor on a terminal that cannot take it back.
    let ran = folder.run(check("3")).ended_with(3);
    assert_eq!(ran.stderr, "");
    let shown = seen(&folder, 100, &check("3"), &[("TERM", "dumb")]);
    assert!(!shown.contains('\x1b') && shown.starts_with("incomplete"), "{shown:?}");
}

#[test]
fn where_there_is_no_end_the_line_says_what_to_try() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let shown = seen(&folder, 100, &["check", &program("sigma.c"), "-DN=40", "--timeout", "15"], &[]);
    assert!(shown.contains(" left; try --algorithm "), "{shown:?}");
}
