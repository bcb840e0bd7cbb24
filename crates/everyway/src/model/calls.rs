//! The calls that steps are in. While executions are explored, only the caller of an operation is known: the outermost
//! place, where functions have `#[track_caller]`. An execution that is run again with `RUST_BACKTRACE` has all of them
//! looked up, down to the innermost.

use super::program::Program;
use super::{CodeSite, Model};
use everyway_report::{Call, Event, Execution, Source};
use everyway_runtime::ThreadId;
use std::backtrace::Backtrace;

/// Where an operation was announced.
pub(super) struct Announced {
    thread: ThreadId,
    caller: CodeSite,
    /// Its symbols are looked up when it is shown.
    stack: Backtrace,
}

/// Whether calls are asked for.
pub(crate) fn are_asked_for() -> bool {
    std::env::var_os("RUST_BACKTRACE").is_some_and(|value| !value.is_empty() && value != "0")
}

impl Model {
    /// Takes note of the calls that an operation is in, if they are asked for.
    #[inline]
    pub(super) fn note_calls(&self, caller: CodeSite) {
        if self.settings.calls {
            self.note_stack(caller);
        }
    }

    #[cold]
    fn note_stack(&self, caller: CodeSite) {
        let mut state = self.state();
        let announced = Announced { thread: state.running, caller, stack: Backtrace::force_capture() };
        state.announced.push(announced);
    }
}

impl Program<'_> {
    /// Adds to the events the calls that they are in, as far as they were taken note of.
    pub(super) fn describe_calls(&self, execution: &mut Execution) {
        let state = self.model().state();
        let mut announced: Vec<Option<&Announced>> = state.announced.iter().map(Some).collect();
        for (logged, event) in self.log().iter().zip(&mut execution.events) {
            // A thread takes its steps in the order in which it announces them; not all that it announces are steps.
            let is_meant = |other: &&mut Option<&Announced>| {
                other.is_some_and(|other| other.thread == logged.step.thread && other.caller == logged.label.caller)
            };
            if let Some(announced) = announced.iter_mut().find(is_meant).and_then(Option::take) {
                add_calls(event, calls(&announced.stack.to_string()));
            }
        }
    }
}

/// The innermost call of the program is where the step is.
fn add_calls(event: &mut Event, calls: Vec<Call>) {
    if let Some(place) = calls.first().and_then(|call| call.source.clone()) {
        event.source = Some(place);
    }
    event.calls = calls;
}

/// The functions of the program in a backtrace, as std prints it: `3: path::function`, and below `at file:line:column`.
fn calls(backtrace: &str) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let mut lines = backtrace.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        let Some((number, function)) = line.split_once(": ") else { continue };
        if function.starts_with("corosensei::") {
            // Behind it are the calls that resumed the coroutine.
            break;
        }
        let source = lines.peek().and_then(|line| line.strip_prefix("at ")).and_then(place);
        if number.parse::<u32>().is_ok() && is_of_program(function) && source.is_some() {
            calls.push(Call { function: function.to_owned(), source, left_out: 0 });
        }
    }
    calls
}

/// Whether a function is neither of std nor of everyway.
fn is_of_program(function: &str) -> bool {
    let path = function.trim_start_matches(['<', '&', '*']);
    let first = path.split("::").next().unwrap_or(path);
    !matches!(first, "std" | "core" | "alloc" | "everyway" | "everyway_loom") && path.contains("::")
}

/// `./src/lib.rs:12:5`.
fn place(text: &str) -> Option<Source> {
    let mut parts = text.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let file = parts.next()?;
    Some(Source { file: file.strip_prefix("./").unwrap_or(file).to_owned(), line, column })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_of_the_program_are_found() {
        let backtrace = "   0: std::backtrace_rs::backtrace::libunwind::trace
             at /rustc/1/library/std/src/backtrace.rs:117:9
   1: everyway::model::Model::perform
             at ./crates/everyway/src/model/mod.rs:210:5
   2: <flags::Flag as core::ops::Drop>::drop
             at ./src/flags.rs:12:9
   3: core::ops::function::FnOnce::call_once
             at /rustc/1/library/core/src/ops/function.rs:250:5
   4: test::works::{{closure}}
             at /elsewhere/a:b/test.rs:30:17
   5: __libc_start_main
   6: corosensei::unwind::CoroutineStop::run
             at /registry/corosensei/src/unwind.rs:1:1
   7: test::works
             at ./test.rs:1:1
";
        let call = |function: &str, file: &str, line, column| Call {
            function: function.to_owned(),
            source: Some(Source { file: file.to_owned(), line, column }),
            left_out: 0,
        };
        let expected = [
            call("<flags::Flag as core::ops::Drop>::drop", "src/flags.rs", 12, 9),
            call("test::works::{{closure}}", "/elsewhere/a:b/test.rs", 30, 17),
        ];
        assert_eq!(calls(backtrace), expected);
    }
}
