//! The current execution for people to read: variables by name, source locations.

mod calls;
mod names;
mod verbs;
mod wording;

pub(crate) use calls::Stack;
pub(crate) use names::{demangled, is_foreign};
pub(crate) use verbs::word;
pub(crate) use wording::Wording;

use crate::machine::{Logged, Machine};
use crate::sync::Kind;
use crate::thread::{Phase, thread_numbered};
use crate::undo::Undo;
use everyway_driver::Done;
use everyway_explore::Trace;
use everyway_ir::SourceLocation;
use everyway_report::{Event, Execution, Thread, Wait};
use everyway_runtime::{EventId, Location, Source, State as _, Status, ThreadId, Verb, Waiting};

impl Machine {
    /// The current execution.
    pub fn describe(&self, trace: &Trace) -> Execution {
        let threads = self.threads.ids().map(|thread| Thread { name: self.thread_name(thread) });
        let wording = Wording::new(self);
        let events = self.steps.iter().enumerate().map(|(position, logged)| {
            let known = position < trace.len();
            let id = EventId::new(position);
            let object = wording.object_of(position);
            let ended_by = self.ended_by(logged);
            let done = Done {
                verb: logged.verb,
                visits: if known { trace.visits(id) } else { &[] },
                ended_by: ended_by.as_ref(),
                object: &object,
                lock: &|location| self.lock_name(location),
                show: &|whole| ended_by.map(|visit| wording.show_part(logged.address, whole, visit.access.bytes)),
            };
            Event {
                thread: logged.step.thread.index(),
                operation: word(logged.verb).to_owned(),
                value: wording.value_of(logged),
                effects: done.effects(),
                ordering: done.ordering().or(logged.fence).map_or(String::new(), |ordering| ordering.name().to_owned()),
                calls: self.stacks.get(position).map_or(Vec::new(), |stack| self.calls(stack)),
                object,
                source: self.source(self.place(logged.function, logged.pc)),
                happens_after: if known { indices(trace.predecessors(id)) } else { Vec::new() },
                reads_from: if known { indices(trace.reads_from(id)) } else { Vec::new() },
                ..Event::default()
            }
        });
        let mut execution = Execution { threads: threads.collect(), events: events.collect() };
        self.describe_sources(&mut execution);
        execution
    }

    /// Says of each read that was told its source where it got its value, and what it did not see.
    fn describe_sources(&self, execution: &mut Execution) {
        let wording = Wording::new(self);
        for (position, logged) in self.steps.iter().enumerate().filter(|_| self.is_told()) {
            let Some(visit) = self.ended_by(logged).filter(|visit| visit.access.looks()) else { continue };
            let Some(source) = self.told.sources(EventId::new(position)).first() else { continue };
            let read = match source {
                Source::Event(event) => Some(event.index()),
                Source::Initial => None,
            };
            let event = &mut execution.events[position];
            event.reads_from = read.into_iter().collect();
            let written = |other: &Logged| {
                let write = self.ended_by(other).filter(|write| write.class.changes());
                write.filter(|write| write.footprint().overlaps(&visit.footprint()))
            };
            let newest = match &self.told.orders {
                Some(orders) => {
                    let is_meant = |event: EventId| written(&self.steps[event.index()]).is_some();
                    let newest = orders.newest_before(visit.access.location, EventId::new(position), is_meant);
                    newest.map(EventId::index)
                }
                None => self.steps[..position].iter().rposition(|other| written(other).is_some()),
            };
            let Some(last) = newest else { continue };
            // What its own thread wrote it can only have missed for something newer.
            if Some(last) != read
                && self.steps[last].step.thread != logged.step.thread
                && logged.verb.is_memory_access()
                && let Some(write) = written(&self.steps[last])
            {
                let missed = wording.show_part(logged.address, write.after, write.access.bytes);
                let writer = self.thread_name(self.steps[last].step.thread);
                event.value += &format!(", not the {missed} of '{writer}'");
                event.could_read = vec![last];
            }
        }
    }

    /// Where in the source the step at this position is.
    pub(crate) fn place_of_step(&self, position: usize) -> Option<everyway_report::Source> {
        let logged = self.steps.get(position)?;
        self.source(self.place(logged.function, logged.pc))
    }

    /// What people call the lock at a location, if there is one.
    fn lock_name(&self, location: Location) -> Option<String> {
        let sync = self.syncs.of(location)?;
        let is_lock = matches!(self.syncs.state(sync).kind, Kind::Mutex | Kind::Spin | Kind::RwLock);
        is_lock.then(|| self.name_at(self.syncs.address(sync)))
    }

    /// A place as reports have it.
    pub fn source(&self, place: Option<SourceLocation>) -> Option<everyway_report::Source> {
        let place = place?;
        let file = self.module.files.get(place.file.index())?.clone();
        Some(everyway_report::Source { file, line: place.line, column: place.column })
    }

    /// Who waits for what, when no thread can go on.
    pub fn waits(&self) -> Vec<Wait> {
        let waiting = self.threads.ids().filter(|&thread| self.status(thread) == Status::Blocked);
        waiting.map(|thread| self.wait_of(thread)).collect()
    }

    fn wait_of(&self, thread: ThreadId) -> Wait {
        if let Some(wait) = self.spin_of(thread) {
            return wait;
        }
        let core = &self.threads[thread].core;
        let verb = self.threads[thread].operation.verb;
        let (mut operation, name) = (word(verb).to_owned(), self.name_at(core.address));
        if core.address != 0 {
            operation = format!("{operation} {name}");
        }
        let (waits_for, because) = match core.manner.waiting {
            _ if core.phase == Phase::Stuck => (None, "what it assumes does not hold".to_owned()),
            Waiting::Join(joined) => {
                operation = format!("join '{}'", self.thread_name(joined));
                (Some(joined), "which has not ended".to_owned())
            }
            _ if verb == Verb::Woken => {
                let sync = self.syncs.at(core.address);
                let is_futex = sync.is_some_and(|sync| self.syncs.state(sync).kind == Kind::Futex);
                operation = format!("{} {name}", word(if is_futex { Verb::FutexWait } else { Verb::Wait }));
                (None, self.why_not_woken(thread, core.address))
            }
            _ => self.holder(thread, core.address),
        };
        Wait {
            thread: thread.index(),
            operation,
            source: self.source(self.place_of(thread)),
            waits_for: waits_for.map(ThreadId::index),
            because,
        }
    }

    /// Why no signal has woken a thread that waits on the condition variable at `address`.
    fn why_not_woken(&self, thread: ThreadId, address: u64) -> String {
        let on_it = |logged: &&Logged| logged.address == address;
        let began = self.steps.iter().rposition(|step| step.address == address && step.step.thread == thread);
        let (before, since) = self.steps.split_at(began.unwrap_or(self.steps.len()));
        let signals = |logged: &&Logged| logged.verb.notifies();
        let place = |logged: &Logged| self.place_text(logged.function, logged.pc).unwrap_or_default();
        let mut later = (before.len()..).zip(since).filter(|(_, step)| on_it(step) && signals(step)).peekable();
        if let Some((_, first)) = later.peek().copied() {
            // Of those that wait, a signal for this thread wakes one.
            return match later.find(|&(at, _)| self.has_woken(at)) {
                Some((_, other)) => format!("the {} at {} woke another thread", word(other.verb), place(other)),
                None => format!("the {} at {} is for threads that wait for other bits", word(first.verb), place(first)),
            };
        }
        match before.iter().rev().filter(on_it).find(signals) {
            Some(early) => format!("the {} at {} came before it waited", word(early.verb), place(early)),
            None => "no thread signals it".to_owned(),
        }
    }

    /// Whether the step at this position has woken a thread.
    fn has_woken(&self, at: usize) -> bool {
        let end = self.steps.get(at + 1).map_or(self.log.changes.len(), |next| next.mark);
        let changes = self.log.changes.get(self.steps[at].mark..end).unwrap_or_default();
        changes
            .iter()
            .any(|change| matches!(change, Undo::Left { thread, .. } if *thread != self.steps[at].step.thread))
    }

    /// Who holds the lock at `address`, and since when.
    fn holder(&self, thread: ThreadId, address: u64) -> (Option<ThreadId>, String) {
        let Some(sync) = self.syncs.at(address) else { return (None, String::new()) };
        let value = self.sync_value(sync);
        let holder = match self.syncs.state(sync).kind {
            Kind::Mutex | Kind::Spin => thread_numbered(value),
            Kind::RwLock => thread_numbered(value & 0xffff_ffff).filter(|_| value >> 32 != 0),
            _ => None,
        };
        let Some(holder) = holder else { return (None, String::new()) };
        let takes =
            |logged: &&Logged| logged.step.thread == holder && logged.address == address && logged.verb.is_of_lock();
        let since = self.steps.iter().rev().find(takes);
        let since = since.and_then(|logged| self.place_text(logged.function, logged.pc));
        let since = since.map_or(String::new(), |place| format!(" since {place}"));
        let itself = if holder == thread { " itself" } else { "" };
        (Some(holder), format!("held by '{}'{itself}{since}", self.thread_name(holder)))
    }
}

fn indices(events: Vec<EventId>) -> Vec<usize> {
    events.into_iter().map(EventId::index).collect()
}
