//! Panics inside of models: noted quietly, and shown by the report instead.

use super::Model;
use everyway_report::Source;
use std::any::Any;
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
    // While threads are unwound at the end of an execution, nobody is interested.
    let shown = model.settings.verbose && !state.tearing_down;
    state.panic = Some(noted);
    shown
}
