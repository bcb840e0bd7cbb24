//! Panics inside models: recorded silently, and shown by the report instead.

use super::{Inner, Model};
use everyway_report::Source;
use std::any::Any;
use std::io::{Write, stderr};
use std::panic::{self, PanicHookInfo};
use std::sync::Once;

/// What is known of a panic.
#[derive(Clone, Debug)]
pub(crate) struct PanicInfo {
    pub(crate) message: String,
    pub(crate) source: Option<Source>,
}

impl PanicInfo {
    pub(crate) fn of_payload(payload: &(dyn Any + Send)) -> Self {
        let message = if let Some(text) = payload.downcast_ref::<&str>() {
            (*text).to_owned()
        } else if let Some(text) = payload.downcast_ref::<String>() {
            text.clone()
        } else {
            "a panic without a message".to_owned()
        };
        Self { message, source: None }
    }
}

impl Model {
    /// What the panic says that is in progress, and where it is.
    pub(crate) fn panic_in_progress(&self) -> Option<String> {
        let state = self.try_state().filter(|_| super::is_unwinding())?;
        let PanicInfo { message, source } = state.panic.as_ref()?;
        let place = source.as_ref().map_or(String::new(), |at| format!(" ({}:{})", at.file, at.line));
        Some(format!("{message}{place}"))
    }
}

/// Makes sure that panics inside of models are noted there.
pub(crate) fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let shown = super::with(|model| note(model, info)).unwrap_or(true);
            if shown {
                previous(info);
            }
        }));
    });
}

/// Whether the usual message is to be printed, too.
fn note(model: &Model, info: &PanicHookInfo<'_>) -> bool {
    let mut noted = PanicInfo::of_payload(info.payload());
    noted.source =
        info.location().map(|at| Source { file: at.file().to_owned(), line: at.line(), column: at.column() });
    // A panic of everyway's own, while it works on the state, is not the program's.
    let Some(mut state) = model.try_state() else { return true };
    if FATAL.contains(&&*noted.message) {
        show_last_words(&state, &noted);
        return false;
    }
    // While threads are unwound at the end of an execution, panics mean nothing.
    let shown = model.settings.verbose && !state.tearing_down;
    state.earlier_panic = state.panic.replace(noted);
    shown
}

/// What the standard library says when it ends the process because a panic cannot unwind.
const FATAL: [&str; 2] = ["panic in a destructor during cleanup", "panic in a function that cannot unwind"];

/// Shows what led to the end of the process, while there still is one: no report will.
fn show_last_words(state: &Inner, fatal: &PanicInfo) {
    let mut words = format!("\neveryway: {}, which ends the process. Before that:\n", fatal.message);
    for panic in [&state.earlier_panic, &state.panic].into_iter().flatten() {
        let place = panic.source.as_ref().map_or(String::new(), |at| format!("{}:{}: ", at.file, at.line));
        words += &format!("  {place}{}\n", panic.message);
    }
    words += "tip: while a panic unwinds, threads do not wait for each other, and a thread that is joined has left no\n\
        result; a destructor that waits can look at std::thread::panicking() first\n";
    // Not by `eprint!`, which tests capture; and what cannot be shown is not missed.
    let _ = stderr().write_all(words.as_bytes());
}
