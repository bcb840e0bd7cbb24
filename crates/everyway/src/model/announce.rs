//! The announcements of threads, and their treatment while a panic unwinds.

use super::detail::Detail;
use super::pending::keep_promise;
use super::{CodeSite, Ended, Failure, Inner, Label, Model, Outcome, Pending, StateGuard};
use super::{coroutine, is_unwinding, wording};
use everyway_driver::Commuting;
use everyway_report::BugKind;
use everyway_runtime::{Access, Operation, ThreadId};
use std::slice;

impl Model {
    /// Announces the operation, waits for the engine to carry it out, and returns what came of it.
    pub(crate) fn perform(&self, mut operation: Operation, label: Label) -> Outcome {
        if self.has(Detail::Rounds) || operation.fence.is_some() {
            return self.perform_pending(Pending::new(operation, label));
        }
        operation.accesses.iter_mut().for_each(|access| keep_promise(access, label.verb));
        self.perform_plainly(&operation.accesses, operation.joins, &label)
    }

    /// [`Model::perform`] of one access, which is what threads mostly do.
    #[inline(always)]
    pub(crate) fn perform_access(&self, mut access: Access, label: Label) -> Outcome {
        keep_promise(&mut access, label.verb);
        // Not by way of an array: what was just written would be copied in other pieces, which the processor waits for.
        let accesses = slice::from_ref(&access);
        if self.has(Detail::Rounds) {
            return self.perform_as_pending(accesses, None, &label);
        }
        self.perform_plainly(accesses, None, &label)
    }

    /// [`Model::perform`] of these accesses, tried in order.
    #[inline]
    pub(crate) fn perform_accesses<const N: usize>(&self, mut accesses: [Access; N], label: Label) -> Outcome {
        accesses.iter_mut().for_each(|access| keep_promise(access, label.verb));
        if self.has(Detail::Rounds) {
            return self.perform_as_pending(&accesses, None, &label);
        }
        self.perform_plainly(&accesses, None, &label)
    }

    /// Performs what is nothing but accesses, which [keep](keep_promise) what is promised of them, or a join. Mostly, and in
    /// particular if the step is taken again, there is nothing else to look at.
    ///
    /// Not where stacks are compared: what this leaves undefined on its own depends on the way that it took before.
    #[inline(never)]
    fn perform_plainly(&self, accesses: &[Access], joins: Option<ThreadId>, label: &Label) -> Outcome {
        let is_met = self.settings.rules.commuting == Commuting::AssumedNone
            && accesses.iter().any(|access| access.may_commute(label.verb));
        let is_plain = !is_met && !self.in_pattern.get() && !self.settings.calls && !is_unwinding();
        let mut state = self.state();
        if !is_plain || state.has_to_look_around() || !state.current_thread().deferred.is_empty() {
            drop(state);
            return self.perform_as_pending(accesses, joins, label);
        }
        if let Some(outcome) = self.go_on_again(&mut state, accesses, joins, label) {
            return *outcome;
        }
        state.current_thread().pending.announce(accesses, joins, label);
        drop(state);
        coroutine::give_way_here();
        self.state().current_thread().outcome
    }

    fn perform_as_pending(&self, accesses: &[Access], joins: Option<ThreadId>, label: &Label) -> Outcome {
        let operation = self.unnamed(|| Operation::new(accesses.iter().copied()));
        self.perform_pending(Pending::new(Operation { joins, ..operation }, *label))
    }

    /// [`Model::perform`] for operations that are more than their accesses.
    pub(crate) fn perform_pending(&self, pending: Pending) -> Outcome {
        self.refuse_in_pattern(pending.label.verb, pending.label.caller);
        self.meet_commuting(&pending);
        let unwinds = is_unwinding();
        let mut state = self.state();
        if unwinds || !state.current_thread().deferred.is_empty() {
            drop(state);
            return self.perform_after_others(pending);
        }
        self.announce_in(state, pending)
    }

    /// Carries out what was put off, and then this.
    #[cold]
    fn perform_after_others(&self, pending: Pending) -> Outcome {
        self.catch_up();
        if is_unwinding() { self.perform_at_once(&pending) } else { self.announce_in(self.state(), pending) }
    }

    #[inline]
    fn announce_in<'a>(&'a self, mut state: StateGuard<'a>, pending: Pending) -> Outcome {
        if state.has_to_look_around() {
            // Where stacks are compared, what is left undefined from here on is to be the same each time.
            coroutine::scrub();
            state = self.look_around(state, pending.label.caller);
        }
        let caller = pending.label.caller;
        *state.current_thread().pending = pending;
        drop(state);
        self.note_calls(caller);
        coroutine::give_way();
        self.state().current_thread().outcome
    }

    /// What has to be looked at before the running thread announces something at this place.
    #[cold]
    fn look_around<'a>(&'a self, mut state: StateGuard<'a>, caller: CodeSite) -> StateGuard<'a> {
        if let Some(of) = state.owners.unseen_drop() {
            drop(state);
            self.end(Ended::WantsCount(of));
            state = self.state();
        }
        if state.rounds {
            drop(state);
            self.look_for_loop(caller);
            state = self.state();
        }
        if state.tearing_down {
            drop(state);
            coroutine::unwind();
        }
        state
    }

    /// Puts an operation off until the panic that is unwinding has been caught. For those without
    /// an outcome that the thread needs: to the others it has merely not got round to it yet.
    pub(crate) fn defer(&self, pending: Pending) {
        let mut state = self.state();
        if state.tearing_down {
            return;
        }
        state.current_thread().deferred.push(pending);
    }

    /// Carries out what [`Model::defer`] has put off: the thread comes to something that follows it.
    pub(crate) fn catch_up(&self) {
        loop {
            let mut state = self.state();
            let deferred = &mut state.current_thread().deferred;
            if deferred.is_empty() {
                return;
            }
            let pending = deferred.remove(0);
            drop(state);
            if is_unwinding() {
                self.perform_at_once(&pending);
            } else {
                self.announce_in(self.state(), pending);
            }
        }
    }

    /// Carries out an operation while a panic unwinds, when the thread must not give way: as part of the
    /// current step. If it ought to wait, the execution fails at the end of the step: what follows is not what
    /// the program would do.
    fn perform_at_once(&self, pending: &Pending) -> Outcome {
        let mut state = self.state();
        if !state.tearing_down {
            // An execution that is given up, and may come to panic only because of that, is not told of.
            state.not_interleaved |= !state.running_out;
            if !state.can_go(pending) {
                let failure = state.waits_while_unwinding(pending);
                state.ended.get_or_insert(Box::new(Ended::Failed(failure)));
            }
        }
        state.carry_out_besides(pending)
    }
}

impl Inner {
    /// Whether there may be something that a thread has to look at before it announces anything.
    #[inline]
    fn has_to_look_around(&self) -> bool {
        self.rounds || self.tearing_down || self.owners.unseen_drop().is_some()
    }

    /// Carries out an operation of the running thread as part of its current step.
    pub(super) fn carry_out_besides(&mut self, pending: &Pending) -> Outcome {
        let thread = self.running;
        let mut visits = std::mem::take(&mut self.extra);
        let before = visits.len();
        let outcome = self.carry_out(thread, pending, 0, &mut visits, None);
        visits[before..].iter().for_each(|visit| _ = self.take_turn(visit));
        self.extra = visits;
        outcome
    }

    /// The failure of a thread that unwinds and ought to wait.
    fn waits_while_unwinding(&self, pending: &Pending) -> Failure {
        let Label { verb, caller, .. } = pending.label;
        let what = wording::word(verb);
        let panic = self.panic.clone();
        let message = format!(
            "{}\nthen, while this panic unwound, a destructor had to wait in `{what}` at {}:{}, which cannot be explored",
            panic.as_ref().map_or("a panic", |panic| &panic.message),
            caller.file(),
            caller.line()
        );
        let source = panic.and_then(|panic| panic.source);
        Failure { source, thread: Some(self.running), ..Failure::new(BugKind::Panic, message) }
    }
}
