//! Threads of a model: their state, and how they begin and end.

use super::coroutine;
use super::detail::Detail;
use super::kind::Kind;
use super::names::Name;
use super::object::Named;
use super::panics;
use super::races::Mode;
use super::rounds::{Hint, Rounds};
use super::turns::Turn;
use super::{Ended, Failure, Inner, Label, MAIN, Model, Outcome, Panics, Pending, Show, Waiting};
use everyway_report::BugKind;
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Ordering, ThreadId, Verb};
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How far a thread has come.
pub(crate) enum Life {
    /// Not part of this execution.
    Absent,
    /// Spawned, not yet run.
    Unborn(Box<dyn FnOnce()>),
    /// Running, or suspended before its announced operation.
    Alive,
    Ended,
}

/// No position of a step.
pub(super) const NONE: u32 = u32::MAX;

/// A thread. Its number is its index, and is assigned from its path of spawns.
pub(crate) struct Thread {
    pub(crate) life: Life,
    pub(crate) name: Option<String>,
    /// What it announces; boxed, to be handed over as a pointer.
    pub(crate) pending: Box<Pending>,
    pub(crate) outcome: Outcome,
    /// Operations put off while a panic unwinds.
    pub(crate) deferred: Vec<Pending>,
    /// How many steps it has taken.
    pub(super) steps: u32,
    /// How many steps the execution had when it was spawned,
    pub(super) born_at: u32,
    /// and after the last one that it has taken.
    pub(super) at: u32,
    /// The position of its first step in the last execution in which it took one.
    pub(super) first: u32,
    /// How many threads it has spawned.
    spawned: u32,
    /// How many objects without an address it has made.
    pub(crate) made: u32,
    /// Wakes it from a condition variable.
    pub(crate) token: u64,
    /// What has been done to that.
    pub(super) token_turn: Turn,
    /// What it has done since its last hint to spin.
    pub(super) rounds: Rounds,
    /// The hint that it has come to.
    pub(super) hint: Option<Hint>,
    /// How many threads it knows of that it has not joined: those that it has spawned, and those that are left over from
    /// those that it has joined.
    pub(super) unjoined: u32,
    is_main: bool,
    /// Whether it has failed or woken up spuriously before.
    had_spurious: bool,
    /// Whether it may wait for messages when all others have ended.
    pub(crate) may_idle: bool,
    /// Whether a scope waits for it.
    pub(crate) is_in_scope: bool,
    /// The locks that it holds for reading.
    pub(crate) reading: Vec<Location>,
    /// How many messages it has announced.
    pub(crate) sent: u32,
    pub(crate) locals: crate::thread::local::Locals,
    /// Whether it has failed, and does not go on, although others do.
    pub(super) has_failed: bool,
    /// The addresses of its stack.
    pub(crate) stack: Range<usize>,
}

impl Thread {
    fn new() -> Self {
        Self {
            life: Life::Absent,
            name: None,
            pending: Box::new(Pending::nothing()),
            outcome: Outcome::default(),
            deferred: Vec::new(),
            steps: 0,
            born_at: 0,
            at: 0,
            first: NONE,
            spawned: 0,
            made: 0,
            token: 0,
            token_turn: Turn::default(),
            rounds: Rounds::default(),
            hint: None,
            unjoined: 0,
            is_main: false,
            had_spurious: false,
            may_idle: false,
            is_in_scope: false,
            has_failed: false,
            reading: Vec::new(),
            sent: 0,
            locals: Default::default(),
            stack: 0..0,
        }
    }

    /// Forgets the execution, in which it is known or not what it has done since its last hints.
    pub(super) fn reset(&mut self, rounds: bool) {
        self.life = Life::Absent;
        self.name = None;
        self.deferred.clear();
        self.steps = 0;
        self.spawned = 0;
        self.made = 0;
        self.token = 0;
        self.token_turn = Turn::default();
        if rounds {
            self.rounds.reset();
        }
        self.hint = None;
        self.unjoined = 0;
        self.had_spurious = false;
        self.reading.clear();
        self.may_idle = false;
        self.is_in_scope = false;
        self.has_failed = false;
        self.sent = 0;
        self.locals.reset();
    }

    /// Whether there is something to be done when its code has come to its end.
    #[inline]
    fn owes(&self) -> bool {
        !self.deferred.is_empty() || !self.locals.is_empty()
    }

    /// What it is to run, if it has not begun to.
    pub(super) fn take_unborn(&mut self) -> Option<Box<dyn FnOnce()>> {
        match std::mem::replace(&mut self.life, Life::Ended) {
            Life::Unborn(body) => Some(body),
            life => {
                self.life = life;
                None
            }
        }
    }

    /// Forgets what it owns of the program, without running destructors.
    pub(super) fn leak(&mut self) {
        std::mem::forget(self.take_unborn());
        std::mem::forget(std::mem::take(&mut self.locals));
    }

    pub(crate) fn has_ended(&self) -> bool {
        matches!(self.life, Life::Ended) && !self.has_failed
    }

    /// Sets the outcome of its operation, of which no byte is left undefined: threads copy it to their stacks, which are
    /// compared.
    #[inline]
    pub(super) fn set_outcome(&mut self, outcome: Outcome) {
        let Outcome { last, before, changed, is_last, choice, enqueued, woken } = outcome;
        self.outcome.last = last;
        self.outcome.before = before;
        self.outcome.changed = changed;
        self.outcome.is_last = is_last;
        self.outcome.choice = choice;
        self.outcome.enqueued = enqueued;
        self.outcome.woken = woken;
    }

    /// Whether other threads may be there that have not ended, as far as what happens before the present tells.
    pub(super) fn has_company(&self) -> bool {
        self.unjoined > 0 || !self.is_main
    }
}

impl Inner {
    /// How much of what has no address there is, as far as `thread` may have made it.
    pub(super) fn made_so_far(&mut self, thread: ThreadId) -> impl PartialEq + use<> {
        let &mut Thread { made, spawned, sent, .. } = self.thread(thread);
        (made, spawned, sent, self.born.len(), self.met.len(), self.changed_on_trial)
    }

    /// The running thread, which goes round a loop on trial, accesses a cell. What is in a static is not where changes
    /// are looked for.
    pub(crate) fn touch_on_trial(&mut self, cell: Location, mode: Mode) {
        self.changed_on_trial |= mode != Mode::Read && self.statics.values().any(|&location| location == cell);
    }

    /// The location that holds 1 when the code of `thread` has come to its end.
    fn end_of(&mut self, thread: ThreadId) -> Location {
        self.named_object(Name::End(thread), Kind::ThreadEnd, 0)
    }

    /// A new thread, the next child of the running one (or the main thread).
    fn add_thread(&mut self, parent: Option<ThreadId>, name: Option<String>, body: Box<dyn FnOnce()>) -> ThreadId {
        let id = match parent {
            None => MAIN,
            Some(parent) => {
                let thread = self.thread(parent);
                thread.rounds.note_action();
                thread.unjoined += 1;
                thread.spawned += 1;
                let nth = thread.spawned - 1;
                self.paths.child(parent, nth)
            }
        };
        while self.threads.len() <= id.index() {
            self.threads.push(Thread::new());
        }
        if self.synchronisation
            && let Some(parent) = parent
        {
            self.detector.spawn(parent, id);
        }
        let rounds = self.rounds;
        let born_at = parent.map_or(0, |parent| self.thread(parent).at);
        let thread = self.thread(id);
        thread.reset(rounds);
        (thread.born_at, thread.at) = (born_at, born_at);
        thread.is_main = parent.is_none();
        thread.life = Life::Unborn(body);
        // A copy: what is kept here outlives the execution.
        thread.name = name.as_deref().map(str::to_owned);
        self.born.push(id);
        id
    }
}

impl Model {
    /// Adds the main thread, which runs `body`.
    pub(super) fn spawn_main(&self, body: Box<dyn FnOnce()>) {
        self.state().add_thread(None, None, body);
    }

    /// Adds a thread that runs `body`, as a child of the running one.
    pub(crate) fn spawn(&self, name: Option<String>, body: Box<dyn FnOnce()>) -> ThreadId {
        let mut state = self.state();
        let parent = state.running;
        state.add_thread(Some(parent), name, body)
    }

    /// Runs a thread that has been spawned.
    pub(super) fn run_unborn(&self, id: ThreadId) {
        let life = std::mem::replace(&mut self.state().thread(id).life, Life::Alive);
        if let Life::Unborn(body) = life {
            self.run_thread(id, body);
        }
    }

    /// Runs a thread's code, then what is due at its end.
    fn run_thread(&self, id: ThreadId, body: Box<dyn FnOnce()>) {
        let ended = catch_unwind(AssertUnwindSafe(|| {
            body();
            let owes = self.state().current_thread().owes();
            if owes {
                self.catch_up();
            }
            self.announce_end(id);
            if owes {
                crate::thread::local::drop_all(self);
            }
        }));
        if let Err(payload) = ended {
            self.thread_panicked(id, payload);
        }
        let mut state = self.state();
        if state.tearing_down {
            drop(state);
            // One by one: each that does something visible is unwound.
            while catch_unwind(AssertUnwindSafe(|| crate::thread::local::drop_all(self))).is_err() {}
            state = self.state();
        }
        state.thread(id).life = Life::Ended;
    }

    /// A panic has reached the bottom of a thread. (One that the thread's own code hands to the joining thread
    /// does not get here.)
    fn thread_panicked(&self, id: ThreadId, payload: Box<dyn Any + Send>) {
        if coroutine::is_torn_down(&*payload) {
            return;
        }
        let mut state = self.state();
        if state.tearing_down {
            return;
        }
        let info = panics::PanicInfo::of_payload(&*payload);
        // The last panic that was noted may be another one, if this one was caught and then resumed.
        let info = state.panic.take().filter(|noted| noted.message == info.message).unwrap_or(info);
        let failure = Failure { source: info.source, thread: Some(id), ..Failure::new(BugKind::Panic, info.message) };
        state.ended.get_or_insert(Box::new(Ended::Failed(failure)));
    }

    /// Whether the code of `thread` has come to its end. A thread that asks without waiting races with that end, which then
    /// has to be an event of its own; to be told so orders nothing, as in std.
    pub(crate) fn has_ended(&self, thread: ThreadId, caller: super::CodeSite) -> bool {
        self.meet(Ordering::Relaxed);
        self.needs(Detail::ThreadEnds);
        if !self.has(Detail::ThreadEnds) {
            return self.state().thread(thread).has_ended();
        }
        let end = self.state().end_of(thread);
        let label = Label { verb: Verb::IsFinished, object: Some(end), show: Show::Bool, caller };
        self.perform(Operation::one(Access::new(end, Effect::Read).ordered(Ordering::Relaxed)), label).before == 1
    }

    /// Waits for the end of a thread of a scope. That is the end of its code: what its thread-local variables do when they are
    /// dropped may come later.
    pub(crate) fn await_end_in_scope(&self, thread: ThreadId, caller: super::CodeSite) {
        if !self.has(Detail::ThreadEnds) {
            return self.join(thread, caller);
        }
        let end = self.state().end_of(thread);
        let label = Label { verb: Verb::Join, object: Some(end), show: Show::Nothing, caller };
        let wait = Access::new(end, Effect::Read).ordered(Ordering::Acquire).once(Condition::Equals(1));
        self.perform(Operation::one(wait), label);
    }

    /// Waits for `thread` to end.
    pub(crate) fn join(&self, thread: ThreadId, caller: super::CodeSite) {
        let object = Some(Named::Token(thread).location());
        self.perform(Operation::join(thread), Label { verb: Verb::Join, object, show: Show::Nothing, caller });
    }

    /// The code of the running thread has come to its end, which is made an event if that is asked for.
    fn announce_end(&self, thread: ThreadId) {
        let state = self.state();
        let thread_of_scope = &state.threads[thread.index()];
        let ends_later = thread_of_scope.is_in_scope && thread_of_scope.locals.have_destructors();
        drop(state);
        if ends_later {
            self.needs(Detail::ThreadEnds);
        }
        if self.has(Detail::ThreadEnds) {
            let end = self.state().end_of(thread);
            let label = Label {
                verb: Verb::End,
                object: Some(end),
                show: Show::Nothing,
                caller: std::panic::Location::caller(),
            };
            self.perform(Operation::one(Access::new(end, Effect::Write(1)).unlocking()), label);
        }
    }

    /// Whether a panic of `thread` is handed to the thread that joins it.
    pub(crate) fn hands_panics_over(&self) -> bool {
        self.settings.panics == Panics::Join
    }

    /// A hint to spin: ends a round of a loop. What comes of it is decided where threads are resumed (`trial`).
    pub(crate) fn hint(&self, verb: Verb, caller: super::CodeSite) {
        if !self.settings.await_hints {
            return;
        }
        self.refuse_in_pattern(verb, caller);
        self.needs(Detail::Rounds);
        self.catch_up();
        self.come_to(Hint { verb, caller });
    }

    fn come_to(&self, hint: Hint) {
        let mut state = self.state();
        if state.tearing_down {
            drop(state);
            coroutine::unwind();
        }
        state.current_thread().hint = Some(hint);
        drop(state);
        coroutine::give_way();
    }

    /// The thread is about to announce something at this place: if it has been reading in vain there for a while, that
    /// is taken for a loop without a hint.
    #[cold]
    pub(super) fn look_for_loop(&self, caller: super::CodeSite) {
        let is_in_loop = self.state().current_thread().rounds.is_in_loop(caller);
        if is_in_loop && self.settings.await_hints && !super::is_unwinding() {
            self.come_to(Hint { verb: Verb::AwaitLoad, caller });
        }
    }

    /// Whether something that may happen spuriously happens now: both are explored.
    pub(crate) fn happens_for_no_reason(&self, caller: super::CodeSite) -> bool {
        if !self.settings.spurious || super::is_unwinding() || self.state().current_thread().had_spurious {
            self.state().was_never_spurious = true;
            return false;
        }
        let label = Label { verb: Verb::Choose, object: None, show: Show::Word("spuriously"), caller };
        let happens = self.perform_pending(Pending::new(Operation::local(), label).choosing(2)).choice == 1;
        self.state().current_thread().had_spurious = happens;
        happens
    }

    /// Ends the calling thread's part in the execution because an assumption does not hold.
    pub(crate) fn give_up(&self, caller: super::CodeSite) {
        let label = Label { verb: Verb::Assume, object: None, show: Show::Nothing, caller };
        let pending = Pending::new(Operation::local(), label).waiting(Waiting::Assumption);
        self.perform_pending(pending);
    }
}
