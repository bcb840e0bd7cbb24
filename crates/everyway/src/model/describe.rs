//! The execution of a model for people to read.

use super::kind::Kind;
use super::object::Named;
use super::program::{Logged, Program};
use super::wording;
use super::{CodeSite, Failure, Inner, MAIN, Pending, Show, Waiting};
use crate::future::Origin;
use everyway_driver::Done;
use everyway_explore::{EventId, Trace};
use everyway_report::replay::ScheduledStep;
use everyway_report::{BugKind, Effect, Event, Execution, Thread, Wait};
use everyway_runtime::{
    Access, Class, Condition, Location, ModificationOrders, Ordering, Source, State as _, ThreadId, Verb, Visit,
};

/// The place as reports have it.
pub(crate) fn source(caller: CodeSite) -> everyway_report::Source {
    everyway_report::Source { file: caller.file().to_owned(), line: caller.line(), column: caller.column() }
}

/// What is wrong with the current execution, which ended with threads waiting, if anything is.
pub(super) fn blocked(program: &Program<'_>) -> Option<Failure> {
    let waits = |wanted| program.all_pending().any(|(_, pending)| pending.manner.waiting == wanted);
    if waits(Waiting::Assumption) || waits(Waiting::Turn) {
        // An execution that the program itself ruled out, or that was cut; others may wait for the thread that gave up.
        None
    } else if waits(Waiting::Spin) {
        let message = "no thread can go on, and some of them spin for ever".to_owned();
        Some(Failure::new(BugKind::Livelock, message))
    } else if program.all_idle() {
        None
    } else {
        Some(Failure::new(BugKind::Deadlock, "no thread can go on".to_owned()))
    }
}

impl Program<'_> {
    /// The current execution.
    pub(crate) fn describe(&self, trace: &Trace) -> Execution {
        let mut execution = self.describe_steps(self.log());
        for (position, event) in execution.events.iter_mut().enumerate().take(trace.len()) {
            let id = EventId::new(position);
            event.happens_after = indices(trace.predecessors(id));
            event.reads_from = indices(trace.reads_from(id));
            event.effects = done(&self.model().state(), &self.log()[position], trace.visits(id), &event.object).0;
        }
        if self.model().is_told() {
            self.describe_sources(&mut execution);
        }
        self.describe_calls(&mut execution);
        execution
    }

    /// The current execution, without what happens before what.
    pub(crate) fn describe_untraced(&self) -> Execution {
        let mut execution = self.describe_steps(self.log());
        if self.model().is_told() {
            self.describe_sources(&mut execution);
        }
        execution
    }

    /// The steps of the current execution, as replay files have them.
    pub(crate) fn schedule(&self) -> Vec<ScheduledStep> {
        let read = |source: &Source| match source {
            Source::Initial => 0,
            Source::Event(event) => event.index() as u32 + 1,
        };
        let places = self.orders.as_ref().map(ModificationOrders::places).unwrap_or_default();
        let scheduled = |(position, logged): (usize, &Logged)| ScheduledStep {
            thread: self.path(logged.step.thread).to_string(),
            choice: logged.step.choice,
            reads: self.sources(position).iter().map(read).collect(),
            place: places.get(&EventId::new(position)).map(read),
        };
        self.log().iter().enumerate().map(scheduled).collect()
    }

    /// Says of each read that was told its source where it got its value, and what it did not see.
    fn describe_sources(&self, execution: &mut Execution) {
        let state = self.model().state();
        for (position, logged) in self.log().iter().enumerate() {
            let Some(visit) = logged.ended_by() else { continue };
            let (Some(source), true) = (self.sources(position).get(logged.last()), visit.access.looks()) else {
                continue;
            };
            let location = visit.access.location;
            let read = match source {
                Source::Event(event) => Some(event.index()),
                Source::Initial => None,
            };
            let event = &mut execution.events[position];
            event.reads_from = read.into_iter().collect();
            let writes = |logged: &Logged| {
                logged.ended_by().is_some_and(|other| other.access.location == location && other.class.changes())
            };
            let last = match &self.orders {
                Some(orders) => orders.newest_before(location, EventId::new(position), |_| true).map(EventId::index),
                None => self.log()[..position].iter().rposition(writes),
            };
            if let Some(last) = last.filter(|_| last != read) {
                let missed = self.log()[last].ended_by().map_or(0, |other| other.access.bytes.get(other.after));
                let writer = thread_name(&state, self.log()[last].step.thread);
                let missed = match logged.label.show {
                    // Pointers look all the same.
                    Show::Pointer if missed != 0 => "one".to_owned(),
                    show => show_value(show, missed),
                };
                event.value += &format!(", not the {missed} of '{writer}'");
                event.could_read = vec![last];
            }
        }
    }

    /// These steps, which may be those of an earlier execution.
    pub(crate) fn describe_steps(&self, log: &[Logged]) -> Execution {
        let state = self.model().state();
        let threads = (0..state.threads.len()).map(|t| Thread { name: thread_name(&state, ThreadId::new(t)) });
        let events = log.iter().map(|logged| describe_event(&state, logged));
        Execution { threads: threads.collect(), events: events.collect() }
    }

    /// What the thread that took the logged step at `depth` is about to do now.
    pub(crate) fn describe_announced(&self, depth: usize) -> Option<Event> {
        let step = self.log().get(depth)?.step;
        let label = self.pending(step.thread)?.label;
        Some(describe_event(&self.model().state(), &Logged::announced(step, label)))
    }

    /// The threads that have not ended, with what each has announced.
    fn all_pending(&self) -> impl Iterator<Item = (ThreadId, &Pending)> {
        (0..self.threads()).map(ThreadId::new).filter_map(|thread| Some((thread, self.pending(thread)?)))
    }

    /// Whether all threads that wait are processes that have nothing to do.
    fn all_idle(&self) -> bool {
        let state = self.model().state();
        self.all_pending().all(|(thread, pending)| wording::is_idle(&state, thread, pending))
    }

    /// Whether some thread waits in a loop without a hint.
    pub(crate) fn spins_without_hint(&self) -> bool {
        self.all_pending().any(|(_, pending)| pending.label.verb == Verb::AwaitLoad)
    }

    /// Who waits for what.
    pub(crate) fn waits(&self) -> Vec<Wait> {
        let state = self.model().state();
        let waits = |(_, pending): &(ThreadId, &Pending)| {
            let depends = pending.waits_at_accesses() && self.model().is_told();
            depends || !state.can_go(pending)
        };
        let waiting = self.all_pending().filter(waits);
        waiting.map(|(thread, pending)| self.describe_wait(&state, thread, pending)).collect()
    }

    fn describe_wait(&self, state: &Inner, thread: ThreadId, pending: &Pending) -> Wait {
        let mut operation = wording::word(pending.label.verb).to_owned();
        let message = wording::reason(state, pending);
        if let Some(object) = pending.label.object.filter(|_| message.is_none()) {
            operation = format!("{operation} {}", object_name(state, object));
        }
        let (waits_for, because) = match pending.manner.waiting {
            Waiting::Join(joined) => {
                operation = format!("join '{}'", thread_name(state, joined));
                (Some(joined), "which has not ended".to_owned())
            }
            Waiting::Spin | Waiting::Turn => (None, self.seen_in_vain(state, pending)),
            _ => match (message, pending.label.object) {
                (Some(message), _) => (None, message),
                (None, Some(object)) => self.reason(state, thread, pending, object),
                (None, None) => (None, String::new()),
            },
        };
        Wait {
            thread: thread.index(),
            operation,
            source: Some(source(pending.label.caller)),
            waits_for: waits_for.map(ThreadId::index),
            because,
        }
    }

    /// What a thread that spins has read, which does not change any more, and who wrote it.
    fn seen_in_vain(&self, state: &Inner, pending: &Pending) -> String {
        let reads = pending.operation.accesses.iter().map(|access| {
            let location = access.location;
            let touches = |logged: &&Logged| logged.ended_by().is_some_and(|visit| visit.access.location == location);
            let shows = |logged: &&Logged| !matches!(logged.label.show, Show::Nothing | Show::Choice);
            let show = self.log().iter().rev().filter(touches).find(shows).map_or(Show::Nothing, |l| l.label.show);
            let name = object_name(state, location);
            let value = show_value(show, access.bytes.get(state.value(location)));
            let writes = |logged: &&Logged| logged.ended_by().is_some_and(|visit| visit.class.changes());
            match self.log().iter().rev().filter(touches).find(writes) {
                Some(last) => {
                    let (writer, place) = (thread_name(state, last.step.thread), source(last.label.caller));
                    format!(
                        "{name} is {value}, last changed by '{writer}' in {} at {}:{}",
                        wording::word(last.label.verb),
                        place.file,
                        place.line
                    )
                }
                None => format!("{name} is {value}, as it was in the beginning"),
            }
        });
        reads.collect::<Vec<_>>().join("; ")
    }

    /// Why `thread` waits in an operation on the object, and for whom.
    fn reason(
        &self,
        state: &Inner,
        thread: ThreadId,
        pending: &Pending,
        object: Location,
    ) -> (Option<ThreadId>, String) {
        match (state.object(object).kind, pending.operation.accesses.first()) {
            (Kind::Barrier, Some(Access { location, when: Condition::AtLeast(size), .. })) => {
                (None, format!("{} of {size} threads have arrived", state.value(*location)))
            }
            (Kind::Task, _) => (None, self.never_woken(state, thread, object)),
            (Kind::Condvar, _) => (None, "no thread is left to notify it".to_owned()),
            _ => self.holder(state, thread, object),
        }
    }

    /// Which future is never polled again, where its task was made, and what it did last.
    fn never_woken(&self, state: &Inner, thread: ThreadId, task: Location) -> String {
        let Some(Origin { future, caller }) = state.origins.get(&task) else { return String::new() };
        // What the compiler makes of an async function is called a closure of it.
        let name = future.trim_end_matches("::{{closure}}");
        let (file, line) = (caller.file(), caller.line());
        let future = format!("no waker of the future `{name}` of {file}:{line} is called any more");
        match self.log().iter().rev().find(|logged| logged.step.thread == thread) {
            Some(last) => {
                let (word, place) = (wording::word(last.label.verb), source(last.label.caller));
                format!("{future}; the last that it did was {word} at {}:{}", place.file, place.line)
            }
            None => future,
        }
    }

    /// Who made the object what it is, so that `thread` waits: the holder of a lock, or the last to write.
    fn holder(&self, state: &Inner, thread: ThreadId, object: Location) -> (Option<ThreadId>, String) {
        let touches = |logged: &&Logged| {
            logged.ended_by().is_some_and(|visit| visit.access.location == object && visit.class.changes())
        };
        let mut last = self.log().iter().rev().find(touches);
        if state.object(object).kind == Kind::RwLock {
            last = lock_still_held(self.log().iter().filter(touches)).or(last);
        }
        let Some(last) = last else { return (None, String::new()) };
        let place = source(last.label.caller);
        let name = thread_name(state, last.step.thread);
        if state.object(object).kind.is_lock() {
            let itself = if last.step.thread == thread { " itself" } else { "" };
            return (Some(last.step.thread), format!("held by '{name}'{itself} since {}:{}", place.file, place.line));
        }
        (
            None,
            format!("last changed by '{name}' in {} at {}:{}", wording::word(last.label.verb), place.file, place.line),
        )
    }
}

/// The first of these steps on a lock for many readers that took it and whose thread has not left it again.
fn lock_still_held<'l>(steps: impl Iterator<Item = &'l Logged>) -> Option<&'l Logged> {
    let mut held: Vec<&Logged> = Vec::new();
    for step in steps {
        if step.label.verb == Verb::Unlock {
            let theirs = held.iter().rposition(|lock| lock.step.thread == step.step.thread);
            theirs.map(|position| held.remove(position));
        } else if step.label.verb != Verb::Downgrade {
            held.push(step);
        }
    }
    held.first().copied()
}

pub(super) fn thread_name(state: &Inner, thread: ThreadId) -> String {
    match state.threads.get(thread.index()).and_then(|t| t.name.clone()) {
        Some(name) => name,
        None if thread == MAIN => "main".to_owned(),
        // By the order of birth, which is the same when the execution is run again.
        None => {
            format!("thread-{}", state.count_born_before(thread).unwrap_or(thread.index()))
        }
    }
}

/// What an object is called: its kind, and a number among the objects of the execution.
pub(crate) fn object_name(state: &Inner, location: Location) -> String {
    match Named::of(location) {
        Named::Object(_) => {
            let kind = state.object(location).kind;
            let number = state.count_met(location, |met| state.object(met).kind == kind);
            let Some(number) = number else { return String::new() };
            format!("{kind} #{number}")
        }
        Named::Token(thread) => format!("'{}'", thread_name(state, thread)),
    }
}

fn describe_event(state: &Inner, logged: &Logged) -> Event {
    let (object, value) = wording::done(state, logged).unwrap_or_else(|| {
        let object = logged.label.object.map_or(String::new(), |object| object_name(state, object));
        (object, describe_value(logged))
    });
    let (effects, ordering) = done(state, logged, &[], &object);
    Event {
        thread: logged.step.thread.index(),
        operation: wording::word(logged.label.verb).to_owned(),
        object,
        value,
        source: Some(source(logged.label.caller)),
        effects,
        ordering: ordering.to_owned(),
        ..Event::default()
    }
}

/// What a step with these accesses, as far as they are known, did to the object, and with which memory ordering.
fn done(state: &Inner, logged: &Logged, visits: &[Visit], object: &str) -> (Vec<Effect>, &'static str) {
    let lock = |location: Location| {
        let is_lock = matches!(Named::of(location), Named::Object(_)) && state.object(location).kind.is_lock();
        is_lock.then(|| object_name(state, location))
    };
    let done = Done {
        verb: logged.label.verb,
        visits,
        ended_by: logged.ended_by(),
        object,
        lock: &lock,
        show: &|whole| value_of(logged, whole),
    };
    (done.effects(), done.ordering().map_or("", spelled))
}

fn describe_value(logged: &Logged) -> String {
    match (logged.label.show, logged.ended_by()) {
        (Show::Nothing, _) => String::new(),
        (Show::Word(word), _) => word.to_owned(),
        (Show::Choice, _) => logged.step.choice.to_string(),
        (Show::Ending(words), _) => words.get(logged.last()).copied().unwrap_or_default().to_owned(),
        (_, None) => String::new(),
        (Show::Found(words), Some(visit)) => words.get(visit.before as usize).copied().unwrap_or_default().to_owned(),
        (Show::Success(yes, no), Some(visit)) => (if visit.class.changes() { yes } else { no }).to_owned(),
        (show, Some(visit)) => describe_change(show, visit),
    }
}

/// A value of what a step accessed, if it is one that people read.
fn value_of(logged: &Logged, whole: u64) -> Option<String> {
    let visit = logged.ended_by()?;
    match logged.label.show {
        show @ (Show::Unsigned | Show::Signed | Show::Bool | Show::Pointer) => {
            Some(show_value(show, visit.access.bytes.get(whole)))
        }
        Show::Nothing | Show::Success(..) | Show::Ending(_) | Show::Found(_) | Show::Choice | Show::Word(_) => None,
    }
}

/// A memory ordering as Rust spells it.
fn spelled(ordering: Ordering) -> &'static str {
    match ordering {
        Ordering::Plain => "",
        Ordering::Relaxed => "Relaxed",
        Ordering::Acquire => "Acquire",
        Ordering::Release => "Release",
        Ordering::AcqRel => "AcqRel",
        Ordering::SeqCst => "SeqCst",
    }
}

fn show_value(show: Show, value: u64) -> String {
    match show {
        Show::Signed => (value as i64).to_string(),
        Show::Bool => (value != 0).to_string(),
        Show::Pointer if value == 0 => "null".to_owned(),
        Show::Pointer => "a pointer".to_owned(),
        _ => value.to_string(),
    }
}

fn describe_change(show: Show, visit: &Visit) -> String {
    let part = |whole: u64| visit.access.bytes.get(whole);
    let value = |value: u64| show_value(show, value);
    let conditional = visit.access.when != everyway_runtime::Condition::Always;
    match (visit.class, visit.access.effect) {
        (Class::Read, everyway_runtime::Effect::Read) => value(part(visit.before)),
        (Class::Read, _) => format!("failed, is {}", value(part(visit.before))),
        (Class::Write | Class::Store, everyway_runtime::Effect::Write(new) | everyway_runtime::Effect::Store(new))
            if !conditional =>
        {
            value(new)
        }
        _ => format!("{} -> {}", value(part(visit.before)), value(part(visit.after))),
    }
}

fn indices(events: Vec<EventId>) -> Vec<usize> {
    events.into_iter().map(EventId::index).collect()
}
