//! The model: one execution of a closure, its threads and its objects, under the engine's control.
//!
//! All threads of a model are coroutines on one thread of the operating system. Whenever one of them is about to do
//! something that others can notice, it announces the operation ([`Model::perform`]) and yields; the engine picks the
//! next thread ([`program`]). The values of atomics and locks are kept here, not in the objects, so an object that
//! outlives an execution is fresh in the next one.
//!
//! Nothing here knows how executions are chosen, nor how results are shown.

pub(crate) mod access;
mod again;
mod announce;
pub(crate) mod calls;
mod carry_out;
mod commuting;
mod coroutine;
pub(crate) mod crash;
pub(crate) mod describe;
pub(crate) mod detail;
mod ended;
mod execution;
pub(crate) mod exposed;
mod keep_going;
pub(crate) mod kind;
mod lifetimes;
pub(crate) mod mailbox;
mod met;
pub(crate) mod names;
pub(crate) mod object;
mod overflow;
pub(crate) mod owners;
pub(crate) mod panics;
pub(crate) mod payload;
mod pending;
mod poison;
pub(crate) mod program;
pub(crate) mod races;
mod repetition;
mod resume;
mod rounds;
mod run_out;
mod settings;
mod shifted;
mod snapshot;
mod statics;
mod suspended;
pub(crate) mod thread;
mod told;
mod trial;
mod turns;
pub(crate) mod watchdog;
pub(crate) mod wording;

pub(crate) use coroutine::is_torn_down;
pub(crate) use ended::{Ended, Failure};
pub(crate) use everyway_runtime::{Outcome, Special, Waiting};
pub(crate) use pending::{Label, Pending, Show};
pub use settings::Panics;
pub(crate) use settings::{Leaks, Settings};

use crate::alloc::{self, Lease};
use crate::future::Origin;
use detail::Detail;
use everyway_driver::{Orderings, Reads};
use everyway_runtime::{Location, Operation, ThreadId, Threads, Verb, Visit};
use met::Met;
use names::Names;
use object::Object;
use payload::Copies;
use rustc_hash::FxHashMap;
use std::cell::{Cell, UnsafeCell};
use std::ops::{Deref, DerefMut};
use std::panic::Location as Caller;
use std::ptr;
use thread::Thread;

/// A place in the program that called into everyway.
pub(crate) type CodeSite = &'static Caller<'static>;

thread_local! {
    /// The model whose code is running on this thread of the operating system.
    static CURRENT: Cell<*const Model> = const { Cell::new(ptr::null()) };
}

/// Calls `f` with the model that the caller is part of; `None` outside of models.
#[inline]
pub(crate) fn with<R>(f: impl FnOnce(&Model) -> R) -> Option<R> {
    let model = CURRENT.with(Cell::get);
    // SAFETY: the code that sets `CURRENT` keeps the model alive until it sets it back (`Model::enter`).
    (!model.is_null()).then(|| f(unsafe { &*model }))
}

/// Whether the calling thread unwinds. Not inlined: what this leaves on the stack depends on whether any thread of the
/// process does.
#[inline(never)]
pub(crate) fn is_unwinding() -> bool {
    std::thread::panicking()
}

/// A hint to spin; whether the caller is part of a model.
#[inline]
pub(crate) fn hint(verb: Verb, caller: CodeSite) -> bool {
    if is_unwinding() {
        return with(|_| ()).is_some();
    }
    coroutine::scrub();
    with(|model| model.hint(verb, caller)).is_some()
}

/// One execution, and what its successors reuse.
pub(crate) struct Model {
    pub(crate) settings: Settings,
    /// Only to be accessed through a [`StateGuard`].
    state: UnsafeCell<Inner>,
    memory: Lease,
    /// Whether the pattern of a receive is being tried.
    in_pattern: Cell<bool>,
}

/// The state of an execution.
pub(crate) struct Inner {
    /// Tells the executions of this process apart; never 0.
    pub(crate) epoch: u64,
    /// The objects of all executions, by number.
    pub(crate) objects: Vec<Object>,
    pub(crate) names: Names,
    /// The objects of this execution, in the order in which they were met.
    met: Vec<Met>,
    /// Who was the first to add to an object without looking, in any execution.
    adders: FxHashMap<Location, ThreadId>,
    /// The objects that are statics, by address.
    pub(crate) statics: FxHashMap<usize, Location>,
    pub(crate) copies: Copies,
    /// The atomics that the program has pointers to.
    pub(crate) exposure: exposed::Exposure,
    /// Which futures the tasks of this execution drive, by what wakes them.
    pub(crate) origins: FxHashMap<Location, Origin>,
    pub(crate) threads: Vec<Thread>,
    /// What they are called.
    pub(crate) paths: Threads,
    /// The threads that exist, in the order of their creation.
    pub(crate) born: Vec<ThreadId>,
    /// How many of them have begun to run.
    pub(crate) begun: usize,
    pub(crate) running: ThreadId,
    /// The steps that are to be taken again.
    ahead: again::Ahead,
    /// What the current step did besides its operation.
    pub(crate) extra: Vec<Visit>,
    pub(crate) ended: Option<Box<Ended>>,
    /// The last panic, and where it was.
    pub(crate) panic: Option<panics::PanicInfo>,
    /// The one before it.
    earlier_panic: Option<panics::PanicInfo>,
    /// The thread that ended the execution, if it could have gone on.
    stopped: Option<ThreadId>,
    /// Whether the execution is given up, and goes on only to come to its end.
    running_out: bool,
    /// How many hints threads may still come to meanwhile.
    hints_left: usize,
    /// Whether the threads are being unwound because the execution is over.
    pub(crate) tearing_down: bool,
    /// Whether operations took place while a panic unwound, so that no other thread could come between.
    pub(crate) not_interleaved: bool,
    /// Whether, in any execution, something could have failed or woken up spuriously more often than it did.
    pub(crate) was_never_spurious: bool,
    /// Whether synchronisation between threads is tracked.
    pub(crate) synchronisation: bool,
    /// Who that is, and what races.
    pub(crate) detector: races::Detector,
    /// Whether it is known what threads have done since their last hints to spin.
    pub(super) rounds: bool,
    /// Whether the running thread goes round a loop on trial: nothing that it does counts.
    pub(crate) on_trial: bool,
    /// Whether it has changed something then that is not looked for in memory.
    changed_on_trial: bool,
    /// Where a thread was stopped that went round a loop, if one was.
    pub(crate) cut_rounds: Option<CodeSite>,
    /// The accesses to cells that last.
    open_accesses: Vec<access::Open>,
    /// How many accesses that last there were.
    accesses_begun: u64,
    /// What must not be leaked, by number, and where it was made.
    pub(crate) tracked: FxHashMap<u64, CodeSite>,
    /// What must be freed, by address, and where it was allocated.
    pub(crate) owed: Vec<(usize, CodeSite)>,
    /// What is shared, and has been accessed as such.
    pub(crate) owners: owners::Owners,
    /// Whether some process has sent something, and it is not known what it looks like.
    pub(crate) untold: bool,
    /// Where operations were announced, if that is asked for.
    announced: Vec<calls::Announced>,
}

/// The thread that runs the closure itself.
pub(crate) const MAIN: ThreadId = Threads::FIRST;

impl Model {
    pub(crate) fn new(settings: Settings) -> Self {
        // Found out here, because it takes an arena.
        let _ = alloc::is_unable();
        let mut state = Inner::new();
        state.synchronisation = settings.details.contains(Detail::Synchronisation);
        state.rounds = settings.details.contains(Detail::Rounds);
        let memory = Lease::new();
        memory.clear_memory(state.rounds);
        Self { settings, state: UnsafeCell::new(state), memory, in_pattern: Cell::new(false) }
    }

    /// The state; not to be held while other code of the program may run.
    ///
    /// # Panics
    /// If it is borrowed.
    #[inline]
    pub(crate) fn state(&self) -> StateGuard<'_> {
        self.try_state().expect("the state is not borrowed")
    }

    /// The state, unless it is borrowed.
    #[inline]
    fn try_state(&self) -> Option<StateGuard<'_>> {
        let _alone = self.memory.pause_alone()?;
        Some(StateGuard { state: &self.state, _alone })
    }

    /// Calls `f`, whose allocations have no names: what threads share below the program's own code grows when it must,
    /// which depends on the interleaving.
    pub(crate) fn unnamed<R>(&self, f: impl FnOnce() -> R) -> R {
        let _paused = self.memory.pause();
        f()
    }

    /// Runs `f` as code of this thread of the model.
    #[inline]
    fn enter<R>(&self, thread: ThreadId, f: impl FnOnce() -> R) -> R {
        self.state().running = thread;
        debug_assert!(CURRENT.get().is_null(), "a model is not run by another");
        CURRENT.with(|current| current.set(self));
        // The closure resumes a coroutine, which does not unwind into its resumer.
        let result = self.memory.run(thread.index(), f);
        CURRENT.with(|current| current.set(ptr::null()));
        result
    }

    /// Whether reads are told their sources.
    #[inline]
    pub(crate) fn is_told(&self) -> bool {
        self.settings.rules.reads == Reads::Told
    }

    /// An atomic access or a fence has this ordering. If all are assumed to be `SeqCst` and it is not, the execution ends
    /// here.
    #[inline]
    pub(crate) fn meet(&self, ordering: everyway_runtime::Ordering) {
        if ordering != everyway_runtime::Ordering::SeqCst && self.settings.rules.orderings == Orderings::AssumedSeqCst {
            self.needs(Detail::Orderings);
        }
    }

    /// A look with this ordering may not have found what other threads have done last.
    pub(crate) fn may_have_missed(&self, ordering: everyway_runtime::Ordering) {
        let has_company = self.state().current_thread().has_company();
        if has_company {
            self.meet(ordering);
        }
    }

    /// A fence of the running thread. Among interleavings it only adds to what synchronises, so it is no step.
    pub(crate) fn fence(&self, ordering: everyway_runtime::Ordering, caller: CodeSite) {
        self.meet(ordering);
        self.fence_now(ordering, caller);
    }

    fn fence_now(&self, ordering: everyway_runtime::Ordering, caller: CodeSite) {
        if self.is_told() {
            let label = Label { verb: Verb::Fence, object: None, show: Show::Word(ordering.name()), caller };
            self.perform(Operation::fence(ordering), label);
            return;
        }
        let mut state = self.state();
        if state.synchronisation && !state.tearing_down && !state.on_trial {
            let thread = state.running;
            state.detector.fence(thread, ordering);
        }
    }

    /// An acquire fence that is part of an operation of std's, and not one of the program's.
    pub(crate) fn fence_unseen(&self, ordering: everyway_runtime::Ordering, caller: CodeSite) {
        if !self.state().tearing_down {
            self.fence_now(ordering, caller);
        }
    }

    /// Ends the execution with `failure`. Returns only if a panic is unwinding.
    pub(crate) fn fail(&self, failure: Failure) {
        let thread = self.state().running;
        self.end(Ended::Failed(Failure { thread: failure.thread.or(Some(thread)), ..failure }));
    }

    /// Ends the execution. Returns only if a panic is unwinding, or if the execution is given up.
    fn end(&self, ended: Ended) {
        {
            let mut state = self.state();
            if state.tearing_down || state.running_out {
                return;
            }
            state.ended.get_or_insert(Box::new(ended));
            state.stopped = Some(state.running);
        }
        while !is_unwinding() && !self.state().running_out {
            coroutine::give_way();
        }
    }
}

/// The right to the state of a model. What is allocated meanwhile is not the program's, and has no name.
pub(crate) struct StateGuard<'a> {
    state: &'a UnsafeCell<Inner>,
    /// That there is no other.
    _alone: alloc::PausedAlone<'a>,
}

impl Deref for StateGuard<'_> {
    type Target = Inner;

    #[inline]
    fn deref(&self) -> &Inner {
        // SAFETY: there is one guard at a time.
        unsafe { &*self.state.get() }
    }
}

impl DerefMut for StateGuard<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Inner {
        // SAFETY: there is one guard at a time.
        unsafe { &mut *self.state.get() }
    }
}

impl Inner {
    fn new() -> Self {
        Self {
            epoch: 0,
            objects: Vec::new(),
            names: Names::default(),
            met: Vec::new(),
            adders: FxHashMap::default(),
            statics: FxHashMap::default(),
            copies: Copies::default(),
            exposure: exposed::Exposure::default(),
            origins: FxHashMap::default(),
            threads: Vec::new(),
            paths: Threads::new(),
            born: Vec::new(),
            begun: 0,
            running: MAIN,
            ahead: again::Ahead::NOTHING,
            extra: Vec::new(),
            ended: None,
            panic: None,
            earlier_panic: None,
            stopped: None,
            running_out: false,
            hints_left: 0,
            tearing_down: false,
            not_interleaved: false,
            was_never_spurious: false,
            synchronisation: false,
            detector: races::Detector::default(),
            rounds: false,
            on_trial: false,
            changed_on_trial: false,
            cut_rounds: None,
            open_accesses: Vec::new(),
            accesses_begun: 0,
            tracked: FxHashMap::default(),
            owed: Vec::new(),
            owners: owners::Owners::default(),
            untold: false,
            announced: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn thread(&mut self, thread: ThreadId) -> &mut Thread {
        &mut self.threads[thread.index()]
    }

    #[inline]
    pub(crate) fn current_thread(&mut self) -> &mut Thread {
        let running = self.running;
        self.thread(running)
    }

    /// What `location` holds.
    #[inline]
    pub(crate) fn value(&self, location: Location) -> u64 {
        match object::Named::of(location) {
            object::Named::Object(index) => self.objects[index].value,
            object::Named::Token(thread) => self.threads[thread.index()].token,
        }
    }

    /// What `location` held before anything was written to it.
    pub(crate) fn initial_value(&self, location: Location) -> u64 {
        match object::Named::of(location) {
            object::Named::Object(index) => self.objects[index].initial,
            object::Named::Token(_) => 0,
        }
    }

    #[inline]
    pub(super) fn set_value(&mut self, location: Location, value: u64) {
        match object::Named::of(location) {
            object::Named::Object(index) => self.objects[index].value = value,
            object::Named::Token(thread) => self.threads[thread.index()].token = value,
        }
    }

    /// Forgets the execution, keeping what the next one can use again.
    fn reset(&mut self, epoch: u64) {
        self.epoch = epoch;
        self.met.clear();
        self.statics.clear();
        self.exposure.reset();
        self.origins.clear();
        self.born.clear();
        self.begun = 0;
        self.threads.iter_mut().for_each(|thread| thread.steps = 0);
        self.extra.clear();
        self.ended = None;
        self.panic = None;
        self.earlier_panic = None;
        self.stopped = None;
        self.tearing_down = false;
        self.open_accesses.clear();
        self.tracked.clear();
        self.owed.clear();
        self.owners.reset();
        self.on_trial = false;
        self.changed_on_trial = false;
        self.detector.reset();
    }
}
