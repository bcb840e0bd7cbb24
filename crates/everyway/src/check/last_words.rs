//! The report of a check whose process ends: the execution that led to it, and how to run it again.

use super::identity::Identity;
use super::subject;
use crate::model::Failure;
use crate::model::crash::Crash;
use crate::model::program::Program;
use crate::model::watchdog::HANG_TIP;
use everyway_render::{terminal, text};
use everyway_report::replay::ReplayFile;
use everyway_report::{BugKind, Executions, Report, Verdict};
use std::io::{Write, stderr};

/// Shows the current execution of the program, and saves it.
pub(super) fn speak(program: &Program<'_>, crash: Crash, strategy: &str, identity: &Identity) {
    let (kind, message) = describe(crash);
    let thread = program.model().state().running;
    let because = match crash {
        Crash::Abort => program.model().panic_in_progress().map(|message| format!(" because of a panic: {message}")),
        _ => None,
    };
    let message = format!("{message}{}", because.unwrap_or_default());
    let failure = Failure { thread: Some(thread), ..Failure::new(kind, message) };
    let mut bug = subject::describe_crash(program, &failure);
    let mut notes = vec!["the process ends here: what else was explored is not known".to_owned()];
    let replay = identity.replay();
    let file = ReplayFile::new(identity.program(), program.schedule(), &bug);
    match file.save(&replay.file) {
        Ok(()) => bug.replay = Some(replay),
        Err(error) => notes.push(format!("the execution could not be saved for replay: {error}")),
    }
    bug.tips.extend(tip(crash).map(str::to_owned));
    let report = Report {
        verdict: Verdict::Bug,
        strategy: strategy.to_owned(),
        executions: Executions { failed: 1, ..Executions::default() },
        seconds: 0.0,
        cut: Vec::new(),
        set_aside: Vec::new(),
        assumed: Vec::new(),
        notes,
        bug: Some(bug),
        further_bugs: Vec::new(),
        solver: None,
        profile: None,
    };
    let words = format!("\n{}\n", text::render(&report, terminal::style(false)));
    // Not by `eprint!`, which tests capture; and what cannot be shown is not missed.
    let _ = stderr().write_all(words.as_bytes());
}

fn tip(crash: Crash) -> Option<&'static str> {
    match crash {
        Crash::StackOverflow => Some("give threads more stack with everyway::Builder::stack_size"),
        Crash::Hang => Some(HANG_TIP),
        _ => None,
    }
}

fn describe(crash: Crash) -> (BugKind, &'static str) {
    match crash {
        Crash::NullPointer => (BugKind::NullPointer, "the thread accesses memory at address 0, or near it"),
        Crash::InvalidPointer => (BugKind::InvalidPointer, "the thread accesses memory that is not there"),
        Crash::StackOverflow => (BugKind::StackOverflow, "the thread has overflowed its stack"),
        Crash::Abort => (BugKind::Abort, "the thread aborts the process"),
        Crash::IllegalInstruction => (BugKind::Abort, "the thread has come to an instruction that there is not"),
        Crash::Arithmetic => (BugKind::DivisionByZero, "the thread divides by 0, or the result is too large"),
        Crash::Exit => (BugKind::Abort, "the thread ends the process by calling exit"),
        Crash::Hang => (BugKind::Misuse, "the thread does not come to its next step"),
    }
}
