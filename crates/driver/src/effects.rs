//! The effects of a step on locks, values and waiting threads, for reports: derived from its verb and its accesses,
//! whatever the language calls them.

use everyway_explore::Trace;
use everyway_report::{Effect, Execution, Mode};
use everyway_runtime::{EventId, Location, Ordering, ThreadId, Verb, Visit};

/// A step, with the names that a front end has for what is in it.
pub struct Done<'a> {
    /// What was done.
    pub verb: Verb,
    /// All its accesses; none if they are not known.
    pub visits: &'a [Visit],
    /// The access that ended it.
    pub ended_by: Option<&'a Visit>,
    /// What it was about, as events call it.
    pub object: &'a str,
    /// What the lock at a location is called, if there is a lock.
    pub lock: &'a dyn Fn(Location) -> Option<String>,
    /// A value of the object, from all bytes of its location, if it is one that people read.
    pub show: &'a dyn Fn(u64) -> Option<String>,
}

/// How a verb uses the object of its step.
enum Use {
    Takes(Mode),
    GivesBack,
    Downgrades,
    Waits,
    Accesses,
    Other,
}

fn use_of(verb: Verb) -> Use {
    use Verb::*;
    match verb {
        Lock | TryLock | TimedLock | Relock | WriteLock | TryWriteLock | TimedWriteLock | SpinLock | SpinTryLock => {
            Use::Takes(Mode::Exclusive)
        }
        ReadLock | TryReadLock | TimedReadLock => Use::Takes(Mode::Shared),
        Unlock | SpinUnlock => Use::GivesBack,
        Downgrade => Use::Downgrades,
        Wait | TimedWait | Arrive => Use::Waits,
        // What they look at is no memory of the program, but it is a value that is read.
        OnceIsDone | Get | IsFinished | IsPoisoned | StrongCount | WeakCount => Use::Accesses,
        verb if verb.is_memory_access() => Use::Accesses,
        _ => Use::Other,
    }
}

impl Done<'_> {
    /// What the step did, but for threads that it started or joined.
    pub fn effects(&self) -> Vec<Effect> {
        let object = || self.object.to_owned();
        let changes = self.ended_by.is_some_and(|visit| visit.class.changes());
        match use_of(self.verb) {
            Use::Takes(mode) if changes => vec![Effect::Acquires { object: object(), mode }],
            Use::GivesBack => vec![Effect::Releases { object: object() }],
            Use::Downgrades => {
                vec![Effect::Releases { object: object() }, Effect::Acquires { object: object(), mode: Mode::Shared }]
            }
            Use::Waits => self.waits(),
            Use::Accesses => self.values(),
            Use::Takes(_) | Use::Other => Vec::new(),
        }
    }

    /// A thread that waits to be woken gives its lock back meanwhile. In Rust, being woken has the same verb, and gives
    /// nothing back.
    fn waits(&self) -> Vec<Effect> {
        let changed = self.visits.iter().filter(|visit| visit.class.changes());
        let released = changed.filter_map(|visit| (self.lock)(visit.access.location));
        let released: Vec<Effect> = released.map(|object| Effect::Releases { object }).collect();
        if released.is_empty() && self.verb != Verb::Arrive {
            return released;
        }
        released.into_iter().chain([Effect::Waits { object: self.object.to_owned() }]).collect()
    }

    fn values(&self) -> Vec<Effect> {
        let Some(visit) = self.ended_by else { return Vec::new() };
        let object = || self.object.to_owned();
        let read = (self.show)(visit.before).filter(|_| visit.access.looks());
        let written = (self.show)(visit.after).filter(|_| visit.class.changes());
        let read = read.map(|value| Effect::Reads { object: object(), value });
        read.into_iter().chain(written.map(|value| Effect::Writes { object: object(), value })).collect()
    }

    /// The memory ordering of an atomic access, where it is weaker than `seq_cst`: then it makes a difference.
    pub fn ordering(&self) -> Option<Ordering> {
        let visit = self.ended_by.filter(|_| self.verb.is_memory_access())?;
        let is_met = visit.class.changes() || matches!(visit.access.effect, everyway_runtime::Effect::Read);
        let ordering = if is_met { visit.access.ordering } else { visit.access.ordering_unmet };
        Some(ordering).filter(|&ordering| ordering.is_atomic() && ordering != Ordering::SeqCst)
    }
}

/// Adds which threads were started and joined by the events of `execution`, as far as `trace` goes.
pub(crate) fn add_threads(execution: &mut Execution, trace: &Trace) {
    for thread in 0..execution.threads.len() {
        let origin = trace.origin(ThreadId::new(thread));
        if let Some(event) = origin.and_then(|origin| execution.events.get_mut(origin.index())) {
            event.effects.push(Effect::Starts { thread });
        }
    }
    for (index, event) in execution.events.iter_mut().enumerate().take(trace.len()) {
        let joined = trace.event(EventId::new(index)).joins;
        event.effects.extend(joined.map(|thread| Effect::Joins { thread: thread.index() }));
    }
}

/// Adds in which order the writes of `program` took effect, where that is not the order of the events.
pub(crate) fn add_orders(execution: &mut Execution, program: &impl everyway_runtime::Execution) {
    let Some(orders) = program.modification_orders() else { return };
    for (_, writes) in orders.iter().filter(|(_, writes)| !writes.is_sorted()) {
        for pair in writes.windows(2) {
            if let Some(event) = execution.events.get_mut(pair[1].index()) {
                event.overwrites = Some(pair[0].index());
            }
        }
    }
}
