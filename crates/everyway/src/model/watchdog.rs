//! Checks without progress: a step that does not end.
//!
//! All threads of a model share one thread of the operating system. A thread that waits for a lock of std's, or loops
//! without doing anything visible, blocks it for good, and no limit is ever checked. So another thread watches, and
//! reports which thread it is, and its last step. It ends the process when the check's time limit is reached or,
//! without a limit, after a time that no test needs between two steps.

use super::CodeSite;
use everyway_runtime::ThreadId;
use std::cell::RefCell;
use std::io::{Write, stderr};
use std::panic::Location;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How far a check has come, for another thread to see. It is written to in every step, so that it has a cache line of its
/// own.
#[repr(align(128))]
#[derive(Debug)]
pub(crate) struct Pulse {
    /// The name of the check.
    check: String,
    /// When it has to end.
    deadline: Option<Instant>,
    /// Counts steps, those that are taken again included.
    beats: AtomicU64,
    /// Whether a thread of the model is running, and not everyway itself.
    is_running: AtomicBool,
    /// The thread of the model that was resumed last.
    last: AtomicU32,
    /// Where the last step was.
    caller: AtomicPtr<Location<'static>>,
    #[cfg(target_os = "linux")]
    thread: libc::pthread_t,
    /// How the system calls the thread.
    #[cfg(target_os = "linux")]
    number: libc::pid_t,
}

/// A step that takes longer than this is worth a word.
const PATIENCE: Duration = Duration::from_secs(4);

/// How often to look.
const INTERVAL: Duration = Duration::from_millis(200);

/// A thread that was found asleep so many times in a row waits for what only another thread of the model could do: they all
/// share this one of the operating system. That is 10 seconds, not counting those in which the whole process was stopped.
const HOPELESSLY_ASLEEP: u32 = 50;

/// A step that has computed for so long is in a loop without an end.
const HOPELESSLY_BUSY: Duration = Duration::from_secs(60);

/// What may be the matter with a thread that does not come to its next step.
pub(crate) const HANG_TIP: &str = "it may be in a loop that does nothing that everyway sees, wait for a lock of std's that \
    another thread of the model holds (use everyway::sync's), or be in a system call";

static WATCHED: Mutex<Vec<Weak<Pulse>>> = Mutex::new(Vec::new());

thread_local! {
    static CURRENT: RefCell<Option<Arc<Pulse>>> = const { RefCell::new(None) };
}

impl Pulse {
    fn new(check: String, deadline: Option<Instant>) -> Self {
        Self {
            check,
            deadline,
            beats: AtomicU64::new(0),
            is_running: AtomicBool::new(false),
            last: AtomicU32::new(0),
            caller: AtomicPtr::new(ptr::null_mut()),
            // SAFETY: asks which thread is running.
            #[cfg(target_os = "linux")]
            thread: unsafe { libc::pthread_self() },
            // SAFETY: as above.
            #[cfg(target_os = "linux")]
            number: unsafe { libc::gettid() },
        }
    }

    /// One of this thread of the operating system, which is watched.
    fn watched(check: &str, deadline: Option<Instant>) -> Arc<Self> {
        let pulse = Arc::new(Self::new(check.to_owned(), deadline));
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&pulse));
        pulse
    }

    /// That of the check on this thread of the operating system.
    pub(super) fn current() -> Arc<Self> {
        CURRENT.with_borrow(|current| current.clone()).unwrap_or_else(|| Arc::new(Self::new(String::new(), None)))
    }

    /// A step begins.
    #[inline]
    pub(super) fn beat(&self, caller: CodeSite) {
        self.caller.store(ptr::from_ref(caller).cast_mut(), Ordering::Relaxed);
        self.beats.store(self.beats.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// A thread of the model begins to run, or stops.
    #[inline]
    pub(super) fn runs(&self, thread: Option<ThreadId>) {
        if let Some(thread) = thread {
            self.last.store(thread.0, Ordering::Relaxed);
        }
        self.is_running.store(thread.is_some(), Ordering::Relaxed);
    }

    /// What the thread is about; `None` if that is not known.
    #[cfg(target_os = "linux")]
    fn activity(&self) -> Option<Activity> {
        let text = std::fs::read_to_string(format!("/proc/self/task/{}/stat", self.number)).ok()?;
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |field: usize| fields.get(field)?.parse::<u64>().ok();
        // Of the system's clock, which has 100 in a second.
        let run = Duration::from_millis(10 * (ticks(11)? + ticks(12)?));
        // Others are those of debuggers.
        Some(Activity { waits: matches!(*fields.first()?, "S" | "D"), run })
    }

    #[cfg(not(target_os = "linux"))]
    fn activity(&self) -> Option<Activity> {
        None
    }

    /// What it does, as far as is known from here.
    fn describe(&self, seconds: u64) -> String {
        // SAFETY: a place in the program, or null.
        let place = unsafe { self.caller.load(Ordering::Relaxed).as_ref() };
        let thread = match self.last.load(Ordering::Relaxed) {
            0 => "main".to_owned(),
            n => format!("thread-{n}"),
        };
        let since = place.map_or("the start of the test".to_owned(), |at| {
            format!("its last step, which was at {}:{}", at.file(), at.line())
        });
        format!(
            "\neveryway: in the check `{}`, thread '{thread}' has been running for {seconds} s since {since}, and \
             does not come to another one\n\
             tip: {HANG_TIP}\n",
            self.check
        )
    }
}

/// Calls `f`, a check that must not take longer than until `deadline`, and watches it.
pub(crate) fn watched<R>(check: &str, deadline: Option<Instant>, f: impl FnOnce() -> R) -> R {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        // If there is no thread to be had, nothing is watched.
        let _ = std::thread::Builder::new().name("everyway watchdog".to_owned()).spawn(watch);
    });
    let outer = CURRENT.replace(Some(Pulse::watched(check, deadline)));
    let result = f();
    CURRENT.replace(outer);
    result
}

/// Watches this thread of the operating system, which works at a check that is being watched, unless that is done already.
pub(crate) fn watch_worker(check: &str, deadline: Option<Instant>) {
    CURRENT.with_borrow_mut(|current| _ = current.get_or_insert_with(|| Pulse::watched(check, deadline)));
}

/// What a thread of the operating system is about.
#[derive(Clone, Copy, Debug)]
struct Activity {
    /// Whether it waits for something.
    waits: bool,
    /// How long it has run in all.
    run: Duration,
}

/// What was seen of a check.
struct Seen {
    pulse: Weak<Pulse>,
    beats: u64,
    since: Instant,
    /// How long its thread had run by then.
    run: Duration,
    /// How long it had run when it was last looked at,
    last_run: Duration,
    /// and how many times it has waited since, without having run in between.
    asleep: u32,
    has_been_told: bool,
}

impl Seen {
    fn new(pulse: Weak<Pulse>, now: Instant) -> Self {
        let (run, last_run) = (Duration::ZERO, Duration::ZERO);
        Self { pulse, beats: 0, since: now, run, last_run, asleep: 0, has_been_told: false }
    }

    /// The check has gone on since the last look.
    fn has_gone_on(&mut self, beats: u64, now: Instant, activity: Option<Activity>) {
        (self.beats, self.since, self.has_been_told, self.asleep) = (beats, now, false, 0);
        self.run = activity.map_or(Duration::ZERO, |activity| activity.run);
    }

    /// It has not.
    fn has_stood_still(&mut self, activity: Option<Activity>) {
        let Some(Activity { waits, run }) = activity else { return };
        self.asleep = if waits && run == self.last_run { self.asleep + 1 } else { 0 };
        self.last_run = run;
    }

    /// Whether a thread that has taken no step for so long does not get on by itself: it waits, or has run for a while. On a
    /// busy machine, it may just not have had its turn.
    fn is_stuck(&self, activity: Option<Activity>, waited: Duration) -> bool {
        match activity {
            Some(Activity { waits, run }) => waits || run.saturating_sub(self.run) > PATIENCE / 2,
            None => waited > 4 * PATIENCE,
        }
    }

    /// Why there is no use in waiting any longer for a thread that is stuck.
    fn why_end(&self, pulse: &Pulse, activity: Option<Activity>, now: Instant) -> Option<&'static str> {
        if pulse.deadline.is_some_and(|deadline| now > deadline) {
            return Some("the limit on time is reached, and the test cannot be stopped");
        }
        if self.asleep >= HOPELESSLY_ASLEEP {
            return Some("it has waited for 10 s, and while it waits no other thread of the test can go on");
        }
        let is_busy = activity.is_some_and(|activity| activity.run.saturating_sub(self.run) > HOPELESSLY_BUSY);
        is_busy.then_some("it has computed for 60 s, and while it does no other thread of the test can go on")
    }
}

fn watch() {
    let mut seen: Vec<Seen> = Vec::new();
    loop {
        std::thread::sleep(INTERVAL);
        let new = std::mem::take(&mut *WATCHED.lock().unwrap_or_else(PoisonError::into_inner));
        let now = Instant::now();
        seen.extend(new.into_iter().map(|pulse| Seen::new(pulse, now)));
        seen.retain_mut(|seen| look(seen, now));
    }
}

/// Looks at a check; whether it is still going on.
fn look(seen: &mut Seen, now: Instant) -> bool {
    let Some(pulse) = seen.pulse.upgrade() else { return false };
    let beats = pulse.beats.load(Ordering::Relaxed);
    let activity = pulse.activity();
    if beats != seen.beats || !pulse.is_running.load(Ordering::Relaxed) {
        seen.has_gone_on(beats, now, activity);
        return true;
    }
    seen.has_stood_still(activity);
    let waited = now - seen.since;
    if waited < PATIENCE || !seen.is_stuck(activity, waited) {
        return true;
    }
    if !seen.has_been_told {
        seen.has_been_told = true;
        // Not by `eprint!`, which tests capture; and what cannot be shown is not missed.
        let _ = stderr().write_all(pulse.describe(waited.as_secs()).as_bytes());
    }
    if let Some(why) = seen.why_end(&pulse, activity, now) {
        end(&pulse, why);
    }
    true
}

/// Ends the process, because a check does not go on and cannot be stopped.
fn end(pulse: &Pulse, why: &str) {
    let _ = stderr().write_all(format!("everyway: {why}: the process ends\n").as_bytes());
    #[cfg(target_os = "linux")]
    super::crash::interrupt(pulse.thread);
    // The handler ends the process, if it is let.
    std::thread::sleep(Duration::from_secs(10));
    let _ = pulse;
    std::process::exit(101);
}
