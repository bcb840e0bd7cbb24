//! Ctrl-C, and SIGTERM: they end the running check, and what was found so far is printed.

use crate::error::Error;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is under way, and ends once its flag is set.
static UNDER_WAY: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);
/// Whether there was a signal.
static CAME: AtomicBool = AtomicBool::new(false);

/// A flag that Ctrl-C and SIGTERM set, in the place of an earlier one. The second of them ends the command at once.
pub(crate) fn on_signals() -> Result<Arc<AtomicBool>, Error> {
    let flag = Arc::new(AtomicBool::new(has_come()));
    let earlier = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner).replace(Arc::clone(&flag));
    if earlier.is_none() {
        ctrlc::set_handler(handle).map_err(|error| Error::new(format!("Ctrl-C cannot be handled: {error}")))?;
    }
    Ok(flag)
}

fn handle() {
    let under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
    let is_set = under_way.as_ref().is_some_and(|flag| flag.swap(true, Ordering::Relaxed));
    if CAME.swap(true, Ordering::Relaxed) || is_set {
        process::exit(i32::from(crate::output::STOPPED));
    }
}

/// Whether there was a signal.
pub(crate) fn has_come() -> bool {
    CAME.load(Ordering::Relaxed)
}
