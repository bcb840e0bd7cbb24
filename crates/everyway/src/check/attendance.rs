//! The supervision of a running check: an execution that ends the process, or does not end, is reported.

use super::Builder;
use super::identity::Identity;
use super::last_words;
use crate::model::crash::{self, Crash};
use crate::model::program::Program;
use crate::model::watchdog;
use std::time::Instant;

/// What there is to say of a check whose process ends.
type Words<'a> = dyn Fn(&Program<'_>, Crash) + Sync + 'a;

/// Those who look after a check.
pub(super) struct Attendance<'a> {
    check: &'a str,
    deadline: Option<Instant>,
    words: &'a Words<'a>,
}

/// Calls `f`, which makes a check, and has it looked after.
pub(super) fn attended<R>(builder: &Builder, identity: &Identity, f: impl FnOnce(&Attendance<'_>) -> R) -> R {
    let strategy = builder.check.algorithm.name();
    let words = |program: &Program<'_>, crash| last_words::speak(program, crash, strategy, identity);
    let deadline = builder.check.limits.time.map(|limit| Instant::now() + limit);
    let attendance = Attendance { check: identity.name(), deadline, words: &words };
    watchdog::watched(identity.name(), deadline, || crash::with_last_words(&words, || f(&attendance)))
}

impl Attendance<'_> {
    /// Looks after the calling thread of the operating system, too, which is about to run executions of the check.
    pub(super) fn look_after_worker(&self) {
        watchdog::watch_worker(self.check, self.deadline);
        // SAFETY: it is the thread that has called `attended`, for which words speak, or a worker, which the check does not
        // outlive.
        unsafe { crash::lend_last_words(self.words) };
    }
}
