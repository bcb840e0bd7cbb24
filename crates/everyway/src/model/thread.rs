//! Threads of a model: what is known of each, and how they begin and end.

use super::coroutine;
use super::detail::Detail;
use super::kind::Kind;
use super::names::Name;
use super::object::Named;
use super::panics;
use super::{Ended, Failure, Inner, Label, MAIN, Model, Outcome, Panics, Pending, Show, Waiting};
use everyway_report::BugKind;
use everyway_runtime::{Access, Condition, Effect, Location, Operation, Ordering, ThreadId, Verb, Visit};
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

/// A thread. Its number is its index, and is assigned from its path of spawns.
pub(crate) struct Thread {
    pub(crate) life: Life,
    pub(crate) name: Option<String>,
    /// What it announces; boxed, to be handed over as a pointer.
    pub(crate) pending: Box<Pending>,
    pub(crate) outcome: Outcome,
    /// Operations put off while a panic unwinds.
    pub(crate) deferred: Vec<Pending>,
    /// How many threads it has spawned.
    spawned: u32,
    /// How many objects without an address it has made.
    pub(crate) made: u32,
    /// Wakes it from a condition variable.
    pub(crate) token: u64,
    iteration: Iteration,
    /// Whether it may wait for messages when all others have ended.
    pub(crate) may_idle: bool,
    /// How many messages it has announced.
    pub(crate) sent: u32,
    pub(crate) locals: crate::thread::local::Locals,
    /// The addresses of its stack.
    pub(crate) stack: Range<usize>,
}

/// What a thread has done since its last hint to spin.
struct Iteration {
    /// For each location it read, the access that goes through when that would give something else.
    reads: Vec<Access>,
    /// Whether it did anything else.
    impure: bool,
    /// Whether there was no hint before.
    is_first: bool,
}

/// An iteration that reads more locations than this is not taken for a spin loop.
const MOST_READS: usize = 32;

impl Thread {
    fn new() -> Self {
        Self {
            life: Life::Absent,
            name: None,
            pending: Box::new(Pending::nothing()),
            outcome: Outcome::default(),
            deferred: Vec::new(),
            spawned: 0,
            made: 0,
            token: 0,
            iteration: Iteration { reads: Vec::new(), impure: false, is_first: true },
            may_idle: false,
            sent: 0,
            locals: Default::default(),
            stack: 0..0,
        }
    }

    pub(super) fn reset(&mut self) {
        self.life = Life::Absent;
        self.name = None;
        self.deferred.clear();
        self.spawned = 0;
        self.made = 0;
        self.token = 0;
        self.iteration.reads.clear();
        self.iteration.impure = false;
        self.iteration.is_first = true;
        self.may_idle = false;
        self.sent = 0;
        self.locals = Default::default();
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
        matches!(self.life, Life::Ended)
    }

    /// Keeps the record of the current iteration of what may be a spin loop. An exchange that leaves the
    /// value as it was counts as a read.
    pub(super) fn note_access(&mut self, visit: &Visit) {
        let Iteration { reads, impure, .. } = &mut self.iteration;
        if *impure {
            return;
        }
        let location = visit.access.location;
        let is_object = matches!(Named::of(location), Named::Object(_));
        let receives = visit.access.effect.receive();
        let took = receives.is_some() && visit.access.when.holds(visit.before);
        let sends = matches!(visit.access.effect, Effect::Send(_));
        if !is_object || visit.before != visit.after || took || sends || reads.len() == MOST_READS {
            *impure = true;
            return;
        }
        let change = match receives {
            // Messages that it does not match make no difference.
            Some(number) => Access::new(location, Effect::Peek(number)).or_else(visit.access.when),
            // It orders nothing: what follows looks again.
            None => {
                Access::new(location, Effect::Read).ordered(Ordering::Relaxed).or_else(Condition::Differs(visit.before))
            }
        };
        match reads.iter().find(|read| read.location == location) {
            None => reads.push(change),
            Some(read) if read.when == change.when => {}
            // It found two values: the next iteration may go another way although nothing changes any more.
            Some(_) => *impure = true,
        }
    }

    /// Takes note of a choice, which the next iteration may make in another way.
    pub(super) fn note_choice(&mut self) {
        self.iteration.impure = true;
    }

    /// Takes note of a spawn. One that comes before all reads of a thread's first iteration is taken for one
    /// that comes before the loop.
    fn note_spawn(&mut self) {
        let Iteration { reads, impure, is_first } = &mut self.iteration;
        *impure |= !*is_first || !reads.is_empty();
    }

    /// Ends an iteration; if nothing but reading happened in it, the operation that waits until it would go
    /// another way.
    fn end_iteration(&mut self) -> Option<Operation> {
        let Iteration { reads, impure, is_first } = &mut self.iteration;
        let operation = (!*impure && !reads.is_empty()).then(|| {
            let mut waits = Operation::new(reads.iter().copied());
            let last = waits.accesses.last_mut().expect("there are reads");
            *last = last.once(last.when);
            waits
        });
        reads.clear();
        *impure = false;
        *is_first = false;
        operation
    }
}

impl Inner {
    /// The location that holds 1 when `thread` has ended.
    fn end_of(&mut self, thread: ThreadId) -> Location {
        self.named_object(Name::End(thread), Kind::ThreadEnd, 0)
    }

    /// A new thread, the next child of the running one (or the main thread).
    fn add_thread(&mut self, parent: Option<ThreadId>, name: Option<String>, body: Box<dyn FnOnce()>) -> ThreadId {
        let id = match parent {
            None => MAIN,
            Some(parent) => {
                let thread = self.thread(parent);
                thread.note_spawn();
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
        let thread = self.thread(id);
        thread.reset();
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

    /// Runs a thread's code, then what is due at its end.
    pub(super) fn run_thread(&self, id: ThreadId, body: Box<dyn FnOnce()>) {
        let ended = catch_unwind(AssertUnwindSafe(body)).and_then(|()| {
            catch_unwind(AssertUnwindSafe(|| {
                self.catch_up();
                crate::thread::local::drop_all(self);
                self.announce_end(id);
            }))
        });
        if let Err(payload) = ended {
            self.thread_panicked(id, payload);
        }
        if self.state().tearing_down {
            // One by one: each that does something visible is unwound.
            while catch_unwind(AssertUnwindSafe(|| crate::thread::local::drop_all(self))).is_err() {}
        }
        self.state().thread(id).life = Life::Ended;
    }

    /// A panic has reached the bottom of a thread. (One that the thread's own code hands to whoever joins it
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

    /// Whether `thread` has ended. A thread that asks without waiting races with that end, which then
    /// has to be an event of its own.
    pub(crate) fn has_ended(&self, thread: ThreadId, caller: super::CodeSite) -> bool {
        self.needs(Detail::ThreadEnds);
        let end = self.state().end_of(thread);
        let label = Label { verb: Verb::IsFinished, object: Some(end), show: Show::Bool, caller };
        self.perform(Operation::new([Access::new(end, Effect::Read)]), label).before == 1
    }

    /// Makes the end of the running thread an event, if that is asked for.
    fn announce_end(&self, thread: ThreadId) {
        if self.has(Detail::ThreadEnds) {
            let end = self.state().end_of(thread);
            let label = Label {
                verb: Verb::End,
                object: Some(end),
                show: Show::Nothing,
                caller: std::panic::Location::caller(),
            };
            self.perform(Operation::new([Access::new(end, Effect::Write(1))]), label);
        }
    }

    /// Whether a panic of `thread` is to be handed to whoever joins it.
    pub(crate) fn hands_panics_over(&self) -> bool {
        self.settings.panics == Panics::Join
    }

    /// A hint to spin: ends an iteration of a loop, and if nothing happened in it waits until something can.
    pub(crate) fn hint(&self, verb: Verb, caller: super::CodeSite) {
        if std::thread::panicking() || !self.settings.await_hints {
            return;
        }
        self.needs(Detail::Rounds);
        let operation = self.state().current_thread().end_iteration();
        if let Some(operation) = operation {
            let object = operation.accesses.first().map(|access| access.location);
            let label = Label { verb, object, show: Show::Nothing, caller };
            let pending = Pending { waiting: Waiting::Spin, ..Pending::new(operation, label) };
            self.perform_pending(pending);
            // What the wait read is not part of the next iteration.
            self.state().current_thread().end_iteration();
        }
    }

    /// Ends the calling thread's part in the execution because an assumption does not hold.
    pub(crate) fn give_up(&self, caller: super::CodeSite) {
        let label = Label { verb: Verb::Assume, object: None, show: Show::Nothing, caller };
        let pending = Pending { waiting: Waiting::Assumption, ..Pending::new(Operation::local(), label) };
        self.perform_pending(pending);
    }
}
