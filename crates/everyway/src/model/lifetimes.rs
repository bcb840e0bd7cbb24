//! Uses of freed memory, double frees, and leaks.
//!
//! The allocator (`alloc`) does not reuse freed memory until the execution ends, and knows when it was freed. So an
//! object of the program that lies in freed memory can be inspected, and the error be reported, before anything else
//! lies there.

use super::describe::{source, thread_name};
use super::detail::Detail;
use super::kind::Kind;
use super::object::Named;
use super::program::Program;
use super::wording::word;
use super::{CodeSite, Ended, Failure, Inner, Leaks, Model, Pending, Waiting};
use crate::alloc::{Moment, freed, is_named};
use everyway_report::BugKind;
use everyway_runtime::{Location, State as _, Status, ThreadId};

impl Model {
    /// An object of this kind is used, at this place, although what it lies in was freed then.
    #[cold]
    pub(super) fn use_after_free(&self, kind: Kind, moment: Moment, caller: CodeSite) {
        let state = self.state();
        if state.tearing_down || state.on_trial {
            return;
        }
        drop(state);
        let failure = Failure::new(BugKind::UseAfterFree, used_after_free(kind));
        self.fail(Failure { moment: Some(moment), source: Some(source(caller)), ..failure });
    }

    /// What was allocated at this address has to be freed before the execution ends.
    pub(crate) fn owe(&self, address: usize, caller: CodeSite) {
        // What is not allocated by the model is not seen when it is freed.
        if is_named(address) {
            self.state().owed.push((address, caller));
        }
    }
}

impl Inner {
    /// Whether something is to be freed or dropped that is looked after by itself.
    fn owes(&self) -> bool {
        !self.tracked.is_empty() || !self.owed.is_empty()
    }

    /// What is wrong with an operation that is about to be carried out, if it is on an object in memory that was freed
    /// after it was announced.
    pub(super) fn dangles(&self, thread: ThreadId, pending: &Pending) -> Option<Failure> {
        // A thread that waits at a hint has read, and will read again; it does not do so now.
        if matches!(pending.manner.waiting, Waiting::Spin | Waiting::Turn) {
            return None;
        }
        let object = |location: Location| match Named::of(location) {
            Named::Object(_) => Some(self.object(location)),
            Named::Token(_) => None,
        };
        let mut objects = pending.operation.accesses.iter().filter_map(|access| object(access.location));
        let (kind, moment) = objects.find_map(|object| Some((object.kind, freed(object.address?)?)))?;
        let (message, place) = (used_after_free(kind), Some(source(pending.label.caller)));
        let failure = Failure::new(BugKind::UseAfterFree, message);
        Some(Failure { moment: Some(moment), thread: Some(thread), source: place, ..failure })
    }
}

fn used_after_free(kind: Kind) -> String {
    format!("the {kind} is used, but the memory that it lies in has been freed")
}

impl Program<'_> {
    /// What is wrong with the memory of the execution after a step.
    #[inline]
    pub(super) fn look_at_memory(&self) -> Option<Ended> {
        let model = self.model();
        // Mostly; the rest need not be looked at.
        let looks = model.settings.leaks == Leaks::Everything || model.state().owes();
        if !looks && !model.memory.has_double_free() {
            return None;
        }
        self.look_closely_at_memory()
    }

    #[cold]
    fn look_closely_at_memory(&self) -> Option<Ended> {
        let model = self.model();
        if let Some(moment) = model.memory.take_double_free() {
            let message = "something is freed that has been freed already".to_owned();
            let thread = Some(model.state().running);
            let failure = Failure { moment: Some(moment), thread, ..Failure::new(BugKind::DoubleFree, message) };
            return Some(Ended::Failed(failure));
        }
        let looks = model.settings.leaks == Leaks::Everything || model.state().owes();
        if !looks || (0..self.threads()).any(|thread| self.status(ThreadId::new(thread)) != Status::Ended) {
            return None;
        }
        self.leak()
    }

    /// What all threads have left behind, who have ended.
    fn leak(&self) -> Option<Ended> {
        self.drop_statics();
        let lost = |message: &str, site| {
            let failure = Failure::new(BugKind::Leak, message.to_owned());
            Some(Ended::Failed(Failure { source: Some(source(site)), ..failure }))
        };
        let state = self.model().state();
        if let Some(site) = state.tracked.values().next() {
            return lost("something is tracked, and was never dropped", site);
        }
        if let Some((_, site)) = state.owed.iter().find(|(address, _)| freed(*address).is_none()) {
            return lost("what was allocated here was never freed", site);
        }
        drop(state);
        if self.model().settings.leaks != Leaks::Everything {
            return None;
        }
        let live = self.model().memory.live();
        let &(size, moment) = live.first()?;
        if !self.model().has(Detail::Repetition) {
            // What is allocated once, and kept for good, is there next time.
            return Some(Ended::Wants(Detail::Repetition));
        }
        let (count, blocks) = (live.len(), if live.len() == 1 { "block" } else { "blocks" });
        let message = format!(
            "{count} {blocks} of memory not freed when all threads have ended, the first of up to {size} bytes"
        );
        Some(Ended::Failed(Failure { moment: Some(moment), ..Failure::new(BugKind::Leak, message) }))
    }

    /// When something was freed, or allocated.
    pub(crate) fn describe_moment(&self, failure: &Failure, moment: Moment) -> String {
        let what = if failure.kind == BugKind::Leak { "allocated" } else { "freed" };
        let thread = thread_name(&self.model().state(), ThreadId::new(moment.thread()));
        let Some(last) = moment.steps().checked_sub(1).and_then(|step| self.log().get(step)) else {
            return format!("{what} by '{thread}' before the first step");
        };
        let (verb, place) = (word(last.label.verb), source(last.label.caller));
        let step = moment.steps();
        if last.step.thread.index() == moment.thread() {
            format!("{what} by '{thread}' after step {step}, `{verb}` at {}:{}", place.file, place.line)
        } else {
            format!("{what} by '{thread}', which step {step} started")
        }
    }
}
