//! What is missing between two accesses that race: what would have ordered them.

use super::execution::step;
use super::names::Names;
use super::wrap::clean;
use crate::picture::{Picture, Span, SpanKind};
use everyway_report::{Bug, BugKind, Event, RacingAccess};

/// `thread 'a' holds m at its write (step 3), thread 'b' holds no lock at its read (step 7): ...`; nothing if `bug` is no
/// data race, or its accesses are no steps of the execution.
pub(super) fn sentence(bug: &Bug) -> Option<String> {
    if bug.kind != BugKind::DataRace {
        return None;
    }
    let race = Race::of(bug)?;
    race.unheard().or_else(|| race.locked()).or_else(|| Some(race.unlocked()))
}

/// Two accesses that race, as the execution has them.
struct Race<'a> {
    bug: &'a Bug,
    names: Names,
    picture: Picture,
    /// As indices, the earlier one first.
    accesses: [usize; 2],
    /// `read` or `write`, of each.
    operations: [String; 2],
}

impl<'a> Race<'a> {
    fn of(bug: &'a Bug) -> Option<Self> {
        let [one, other] = bug.accesses.as_slice() else { return None };
        let place = |access: &RacingAccess| {
            let is_it = |event: &Event| event.thread == access.thread && event.source == access.source;
            bug.execution.events.iter().rposition(is_it)
        };
        // What comes after a comma explains the word.
        let word = |access: &RacingAccess| clean(access.operation.split(',').next().unwrap_or_default());
        let mut both = [(place(one)?, word(one)), (place(other)?, word(other))];
        both.sort();
        let accesses = [both[0].0, both[1].0];
        let operations = both.map(|(_, operation)| operation);
        Some(Self { bug, names: Names::new(&bug.execution), picture: Picture::of_bug(bug), accesses, operations })
    }

    fn event(&self, index: usize) -> &'a Event {
        &self.bug.execution.events[index]
    }

    fn thread(&self, access: usize) -> String {
        self.names.thread(self.event(self.accesses[access]).thread)
    }

    /// `its write (step 3)`.
    fn access(&self, access: usize) -> String {
        format!("its {} ({})", self.operations[access], step(self.accesses[access]))
    }

    /// The later thread has read what the earlier one wrote after its access, but that does not synchronise.
    fn unheard(&self) -> Option<String> {
        let [earlier, later] = self.accesses;
        let (writer, reader) = (self.event(earlier).thread, self.event(later).thread);
        let is_weak = |event: &Event| !event.ordering.is_empty();
        let events = &self.bug.execution.events;
        let reads = events[..later].iter().enumerate().filter(|(_, read)| read.thread == reader);
        let pairs = reads.flat_map(|(read, event)| event.reads_from.iter().map(move |&write| (read, write)));
        let (read, write) =
            pairs.filter(|&(_, write)| write > earlier && write < events.len()).find(|&(read, write)| {
                events[write].thread == writer && (is_weak(&events[write]) || is_weak(&events[read]))
            })?;
        let told = |index: usize| {
            let event = self.event(index);
            let ordering = if is_weak(event) { format!(", {}", clean(&event.ordering)) } else { String::new() };
            format!("`{} {}` ({}{ordering})", clean(&event.operation), clean(&event.object), step(index))
        };
        Some(format!(
            "{} reads from {}, but the two do not synchronise: if the write released and the read acquired, {} would \
             come before {}",
            told(read),
            told(write),
            self.whose(0),
            self.whose(1),
        ))
    }

    /// `the write of thread 'a'`.
    fn whose(&self, access: usize) -> String {
        format!("the {} of {}", self.operations[access], self.thread(access))
    }

    /// The locks that are held at an access.
    fn held(&self, access: usize) -> Vec<&Span> {
        let at = self.accesses[access];
        let thread = self.event(at).thread;
        let is_held =
            |span: &&Span| span.kind != SpanKind::Waits && span.thread == thread && span.from < at && span.to > at;
        self.picture.spans.iter().filter(is_held).collect()
    }

    /// At one access at least a lock is held, but none that excludes the other.
    fn locked(&self) -> Option<String> {
        let held = [self.held(0), self.held(1)];
        if held.iter().all(Vec::is_empty) {
            return None;
        }
        let shared = held[0].iter().find(|one| held[1].iter().any(|other| other.object == one.object));
        if let Some(span) = shared {
            let lock = quoted(span);
            return Some(format!(
                "{lock} is held at both accesses, but shared: a thread that writes has to hold it exclusively"
            ));
        }
        let holds = |access: usize| {
            let locks: Vec<String> = held[access].iter().map(|span| quoted(span)).collect();
            let locks = if locks.is_empty() { "no lock".to_owned() } else { locks.join(" and ") };
            format!("{} holds {locks} at {}", self.thread(access), self.access(access))
        };
        let would = match held.iter().find(|held| held.len() == 1).filter(|_| held.iter().any(Vec::is_empty)) {
            Some(only) => format!("{} held at both", quoted(only[0])),
            None => "one lock held at both".to_owned(),
        };
        Some(format!("{}, {}: {would} would order them", holds(0), holds(1)))
    }

    /// No lock is held at all.
    fn unlocked(&self) -> String {
        format!(
            "neither access is under a lock, and before {} {} waits for nothing that {} does after {}: a lock held \
             at both would order them, or a join, a flag or a message in between",
            self.access(1),
            self.thread(1),
            self.thread(0),
            self.access(0),
        )
    }
}

/// What a lock is called, as told from the words around it.
fn quoted(lock: &Span) -> String {
    format!("`{}`", clean(&lock.object))
}
