//! Checking a closure: [`check`], [`explore`] and the settings of a check ([`Builder`]).

mod archive;
mod attendance;
mod environment;
mod identity;
mod interrupt;
mod keep;
mod last_words;
mod page;
mod replay;
mod subject;

pub use crate::model::Panics;
pub use everyway_explore::{Algorithm, MemoryModel};

use crate::model::detail::Details;
use crate::model::{Leaks, Settings};
use attendance::attended;
use environment::Environment;
use everyway_driver::{AfterFailure, Contradiction, Limits, ModelChoice, Profiling, Rules, Suitability, TooLong};
use everyway_explore::Order;
use everyway_render::{terminal, text};
use everyway_report::checked::Checked;
use everyway_report::{Report, Verdict};
use std::io::{IsTerminal, stderr};
use std::num::NonZeroUsize;
use std::panic::Location;
use std::time::Duration;

/// Runs `f` in every way that its threads can interleave, once per way that makes a difference.
///
/// # Panics
/// If one of them fails. The message shows the execution, and the command that runs it again.
///
/// ```should_panic
/// use everyway::sync::Arc;
/// use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
/// use everyway::thread;
///
/// everyway::check(|| {
///     let counter = Arc::new(AtomicU32::new(0));
///     let other = counter.clone();
///     let thread = thread::spawn(move || other.store(other.load(SeqCst) + 1, SeqCst));
///     counter.store(counter.load(SeqCst) + 1, SeqCst);
///     thread.join().unwrap();
///     assert_eq!(counter.load(SeqCst), 2);
/// });
/// ```
#[track_caller]
pub fn check(f: impl Fn() + Sync) {
    Builder::new().check(f);
}

/// Like [`check`], but returns what was found.
///
/// ```
/// use everyway::thread;
///
/// let report = everyway::explore(|| {
///     let thread = thread::spawn(|| 6 * 7);
///     assert_eq!(thread.join().unwrap(), 42);
/// });
/// assert_eq!(report.verdict, everyway::report::Verdict::Verified);
/// ```
#[track_caller]
pub fn explore(f: impl Fn() + Sync) -> Report {
    Builder::new().explore(f)
}

/// Whether the caller runs inside a check.
///
/// ```
/// assert!(!everyway::is_checked());
/// everyway::check(|| assert!(everyway::is_checked()));
/// ```
pub fn is_checked() -> bool {
    crate::model::with(|_| ()).is_some()
}

/// Concludes with a report as [`check`] does: panics if an execution fails, and prints what was left out. The report of a check
/// that found nothing wrong is printed if `summary` is set.
///
/// # Panics
/// If an execution fails.
#[track_caller]
pub fn conclude(report: &Report, summary: bool) {
    let style = terminal::style(stderr().is_terminal());
    match report.verdict {
        Verdict::Verified if !summary && report.profile.is_none() => {}
        Verdict::Verified | Verdict::Incomplete => eprintln!("{}", text::render(report, style)),
        Verdict::Bug => panic!("\n{}", text::render(report, style)),
    }
}

/// Settings of a check.
///
/// Environment variables override them: `EVERYWAY_STRATEGY`, `EVERYWAY_SEED`, `EVERYWAY_MAX_EXECUTIONS`,
/// `EVERYWAY_MAX_SECONDS`, `EVERYWAY_MAX_STEPS`, `EVERYWAY_MEMORY_MODEL`, `EVERYWAY_JOBS`, `EVERYWAY_KEEP_GOING`.
///
/// ```
/// use everyway::{Algorithm, Builder};
///
/// let report = Builder::new().algorithm(Algorithm::Naive).max_executions(1000).explore(|| {});
/// assert_eq!(report.executions.complete, 1);
/// ```
#[derive(Clone, Debug)]
#[must_use = "settings do nothing until `check` or `explore` is called"]
pub struct Builder {
    check: everyway_driver::Settings,
    settings: Settings,
    name: Option<String>,
    summary: bool,
    jobs: Option<NonZeroUsize>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

impl Builder {
    /// The default settings.
    pub fn new() -> Self {
        Self {
            check: everyway_driver::Settings {
                limits: Limits { alone: 30, ..Limits::default() },
                ..everyway_driver::Settings::default()
            },
            settings: Settings {
                panics: Panics::Fail,
                await_hints: true,
                max_rounds: 4,
                stack_size: 512 << 10,
                verbose: false,
                calls: false,
                details: Details::default(),
                counted: Vec::new(),
                spurious: false,
                leaks: Leaks::Nothing,
                keeps_going: false,
                repeats: true,
                rules: Rules::INTERLEAVED,
            },
            name: None,
            summary: false,
            jobs: None,
        }
    }

    /// How to explore; the default is [`Algorithm::Optimal`]. With several workers ([`Builder::jobs`]), or a limit on time or
    /// executions, a program that is not small is explored by [`Algorithm::Graphs`] instead, unless it has operations that
    /// commute: graphs can be shared among workers, and resumed after a stop.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.check.algorithm = algorithm;
        self.check.suitability = Suitability::Given;
        self
    }

    /// The memory model to explore under.
    ///
    /// The default is what the program asks for: interleavings ([`MemoryModel::Sc`]) as long as every ordering is
    /// `SeqCst`, and [`MemoryModel::Rc11`], the model of the language, if there is a weaker one. Under any model but
    /// `Sc` the strategy is [`Algorithm::Graphs`]. Data races on cells follow the orderings in any case.
    pub fn memory_model(mut self, model: MemoryModel) -> Self {
        self.check.memory_model = ModelChoice::Explicit(model);
        self
    }

    /// Explores one execution of each class that has one with at most `bound` preemptions, where a thread that could continue
    /// is interrupted ([`Algorithm::Bounded`]), for programs that are too large to explore completely. Most bugs need few
    /// preemptions; the verdict says what was left out, which includes what weak memory orderings allow.
    pub fn preemptions(self, bound: u32) -> Self {
        self.algorithm(Algorithm::Bounded { preemptions: bound })
    }

    /// Stop after this many executions. [`Algorithm::Random`] and [`Algorithm::Pct`] never end by themselves; without a
    /// limit they stop after 10,000.
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.check.limits.executions = Some(executions);
        self
    }

    /// Stop after this time. A check that cannot be stopped, because a thread does not come to its next step - it waits
    /// for a lock of std's, or loops without a step - ends the process then.
    pub fn max_time(mut self, time: Duration) -> Self {
        self.check.limits.time = Some(time);
        self
    }

    /// The maximum number of steps of an execution; the default is 10,000. One that has more is a failure, with a tip about
    /// the loop it is in; under [`Algorithm::Random`] and [`Algorithm::Pct`] it is cut, and counted. Steps of a thread before
    /// it has spawned others, and after it has joined them, do not count, up to thirty times as many.
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.check.limits.steps = steps;
        self
    }

    /// The effect of a panic that ends a thread; the default is [`Panics::Fail`].
    pub fn panics(mut self, panics: Panics) -> Self {
        self.settings.panics = panics;
        self
    }

    /// How often a thread may come to the same [`hint::spin_loop`](crate::hint::spin_loop),
    /// [`thread::yield_now`](crate::thread::yield_now) or [`thread::sleep`](crate::thread::sleep) without having found
    /// anything new, while other threads could continue; the default is 4. Then it waits until something that it has
    /// accessed changes, and the verdict says so: what it would have done otherwise was not explored.
    ///
    /// This concerns loops that do not repeat, because they write, or count their rounds. A loop that only reads, and does
    /// the same in each round, is explored without any bound.
    pub fn max_rounds(mut self, rounds: u32) -> Self {
        self.settings.max_rounds = rounds;
        self
    }

    /// Whether [`hint::spin_loop`](crate::hint::spin_loop), [`thread::yield_now`](crate::thread::yield_now)
    /// and [`thread::sleep`](crate::thread::sleep) make a thread wait where that loses nothing, or that has gone round a
    /// loop too often ([`Builder::max_rounds`]); the default is that they do. Without it, spin loops run into the limit
    /// on steps.
    pub fn wait_at_hints(mut self, wait: bool) -> Self {
        self.settings.await_hints = wait;
        self
    }

    /// Whether memory that is allocated in an execution and not freed when all threads have ended is a failure; the
    /// default is that it is not. [`alloc::Track`](crate::alloc::Track) tracks single values.
    pub fn leaks(mut self, leaks: bool) -> Self {
        self.settings.leaks = if leaks { Leaks::Everything } else { Leaks::Nothing };
        self
    }

    /// Whether what is shared by an [`Arc`](crate::sync::Arc) that is never dropped is a failure, as it is to loom.
    #[doc(hidden)]
    pub fn leaks_of_arcs(mut self, leaks: bool) -> Self {
        self.settings.leaks = if leaks { Leaks::Arcs } else { Leaks::Nothing };
        self
    }

    /// Whether the spurious failures and wake-ups that std permits are explored: that
    /// [`compare_exchange_weak`](crate::sync::atomic::AtomicUsize::compare_exchange_weak) fails although the value is the
    /// expected one, and that [`Condvar::wait`](crate::sync::Condvar::wait) and [`thread::park`](crate::thread::park) return
    /// although nothing has woken the thread. The default is that they are not. They are explored at most once in each thread.
    pub fn spurious(mut self, spurious: bool) -> Self {
        self.settings.spurious = spurious;
        self
    }

    /// Whether the exploration continues after a failure, to find others; the default is that it ends there. A thread that
    /// fails stops, and the others continue. All failures that differ in their kind or places are reported, each with an
    /// execution and the number of executions that it was found in.
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.check.after_failure = if keep_going { AfterFailure::GoOn } else { AfterFailure::Stop };
        self.settings.keeps_going = keep_going;
        self
    }

    /// The size of each thread's stack, in bytes; the default is 512 KiB. A thread that needs more ends the
    /// process with a segmentation fault.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.stack_size = bytes;
        self
    }

    /// Which thread to try first where the strategy leaves it open. The number of executions under
    /// [`Algorithm::Optimal`] does not depend on it.
    pub fn order(mut self, order: Order) -> Self {
        self.check.order = order;
        self
    }

    /// How many workers explore, each a thread of the operating system with executions of its own; 0 stands for
    /// the default. That is 1 in tests, which run side by side anyway, and otherwise as many as there are
    /// processors. The counts of an exploration that comes to its end, and its verdict, do not depend on it.
    ///
    /// [`Algorithm::Graphs`], [`Algorithm::Naive`], [`Algorithm::Random`] and [`Algorithm::Pct`] can be shared among
    /// workers; the others use one. Small programs are explored by one worker in any case, unless [`Builder::algorithm`]
    /// was called.
    pub fn jobs(self, jobs: usize) -> Self {
        Self { jobs: NonZeroUsize::new(jobs), ..self }
    }

    /// How many steps are tried before a program is known not to be small, for tests of that.
    #[doc(hidden)]
    pub fn trial(mut self, steps: u64) -> Self {
        self.check.trial = steps;
        self
    }

    /// Whether steps that are taken again, where an execution begins as the one before it did, are not carried out anew; the
    /// default is that they are not. It makes no difference but in time: for tests of that.
    #[doc(hidden)]
    pub fn repeats(mut self, repeats: bool) -> Self {
        self.settings.repeats = repeats;
        self
    }

    /// What the check is called in reports and replay files; the default is the name of the test.
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Whether [`Builder::check`] prints its result if nothing is wrong, too; the default is that it does not.
    pub fn summary(self, summary: bool) -> Self {
        Self { summary, ..self }
    }

    /// Checks `f`; see [`check`].
    ///
    /// # Panics
    /// If an execution fails.
    #[track_caller]
    pub fn check(self, f: impl Fn() + Sync) {
        let summary = self.summary;
        conclude(&self.explore(f), summary);
    }

    /// Explores `f`; see [`explore`].
    ///
    /// # Panics
    /// If called inside a check, or with invalid settings or environment variables.
    #[track_caller]
    pub fn explore(self, f: impl Fn() + Sync) -> Report {
        let caller = Location::caller();
        assert!(crate::model::with(|_| ()).is_none(), "everyway: a check cannot be part of another check");
        let environment = Environment::read().unwrap_or_else(|error| panic!("everyway: {error}"));
        let builder = environment.apply(self);
        if let Some(Contradiction { what, tip }) = builder.check.contradiction() {
            panic!("everyway: {what}; {tip}");
        }
        let identity = identity::Identity::of(builder.name.as_deref(), caller);
        let mut builder = builder;
        builder.check.jobs = builder.jobs.unwrap_or_else(|| identity.jobs());
        builder.suit(environment.resume.is_some());
        if builder.check.algorithm.is_sampling() {
            // One sample that is too long says nothing of the others.
            builder.check.too_long = TooLong::IsCut;
        }
        let report = match &environment.replay {
            Some(saved) => replay::run(&builder, &f, saved, &identity),
            None => run(&builder, &f, &identity, &environment),
        };
        let mut report = report;
        if builder.jobs.is_some_and(|jobs| jobs.get() > 1) {
            everyway_driver::note_one_worker(&mut report);
        }
        let (mut report, page) = page::with_page(report);
        if let Some(folder) = &environment.results
            && let Err(error) = Checked::new(identity.name(), &report, page).save(folder)
        {
            report.notes.push(format!("the result could not be written to {}: {error}", folder.display()));
        }
        report
    }
}

impl Builder {
    /// Where no strategy was asked for, and several workers explore, or the check may be gone on with, it is explored in a
    /// way that can be shared if it is not small.
    fn suit(&mut self, is_resumed: bool) {
        let check = &mut self.check;
        let has_to_be_optimal = check.after_failure == AfterFailure::GoOn || check.profiling == Profiling::On;
        let is_limited = check.limits.time.is_some() || check.limits.executions.is_some();
        let is_divided = check.jobs.get() > 1 || is_limited || is_resumed;
        if check.suitability == Suitability::Unasked && is_divided && !has_to_be_optimal {
            check.algorithm = Algorithm::Graphs { model: MemoryModel::Sc };
            check.suitability = Suitability::Assumed;
        }
    }
}

/// Explores `f`, or goes on with the exploration that the environment names.
///
/// # Panics
/// If that is one of this check, and cannot be gone on with.
fn run(builder: &Builder, f: &(dyn Fn() + Sync), identity: &identity::Identity, environment: &Environment) -> Report {
    crate::model::panics::install_hook();
    let mut archive = archive::Archive::new(identity, builder, &environment.files);
    let resume = environment.resume.as_deref();
    let saved = resume.and_then(|path| keep::load(path, identity, &keep::settings(builder)));
    let (interruptible, stop) = interrupt::Interruptible::new();
    let mut settings = builder.check.clone();
    settings.limits.cancelled = stop;
    let mut report = attended(builder, identity, |attendance| {
        let mut closure = subject::Closure { body: f, settings: builder.settings.clone(), refused: None, attendance };
        match saved {
            None => everyway_driver::check(&mut closure, &settings, &mut archive),
            Some(saved) => {
                archive.goes_on();
                let report = everyway_driver::resume(&mut closure, &settings, &mut archive, saved);
                report.unwrap_or_else(|error| panic!("everyway: {error}"))
            }
        }
    });
    let note = |short| format!("EVERYWAY_REPLAY also takes the execution as a string: {short}");
    report.notes.extend(archive.short().map(note));
    interruptible.ended(&report);
    report
}
