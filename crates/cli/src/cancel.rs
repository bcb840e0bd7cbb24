//! Ctrl-C, and SIGTERM: they end what is under way, and what was found so far is printed.

use crate::error::Error;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C and SIGTERM set. The second of them ends the command at once.
pub(crate) fn on_signals() -> Result<Arc<AtomicBool>, Error> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            process::exit(i32::from(crate::output::STOPPED));
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Error::new(format!("Ctrl-C cannot be handled: {error}")))?;
    Ok(flag)
}
