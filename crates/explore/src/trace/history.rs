//! The accesses to a location, filed so that those which a later one comes directly after are found without a look at
//! all of them.
//!
//! Reads, adds and stores to the same bytes that follow each other form *runs*; anything else is a run by itself.
//!
//! - Reads commute with reads, and adds with adds. All of such a run conflict with all of the runs beside it. So what
//!   conflicts with an access and comes before the last run that does happens before that run; and an access whose thread
//!   has another one in its run comes after nothing that the other one does not come after.
//! - Stores come one after the other, and the last one stands for all; with observers, only if it is observed. A store
//!   that is not observed comes after none of them, and one that is after all.
//!
//! Where different bytes of a location are accessed there are no runs, and a search goes back access by access.
//!
//! In a mailbox receives are ordered one after the other, and so are sends; with observers and receives that match
//! everything, those whose messages were found. The last of each stands for all.

use super::record::Record;
use crate::happens_before::{At, Dependence};
use crate::ids::EventId;
use everyway_runtime::{Bytes, Class, Condition, Footprint, Location, Message, ThreadId};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// An access of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) event: EventId,
    pub(super) visit: u32,
    /// Where the run that it is part of begins; none if there are no runs.
    run: Option<u32>,
    /// The threads with accesses in the run up to this one: a bit for each of the first 64.
    threads: u64,
}

impl Entry {
    /// Where the run that it is part of begins; none if there are no runs.
    #[inline]
    pub(super) fn run_start(&self) -> Option<usize> {
        self.run.map(|run| run as usize)
    }

    /// Whether `thread` has an access in the run up to this one. Of threads beyond the first 64 that is not known.
    #[inline]
    fn is_run_of(&self, thread: ThreadId) -> bool {
        self.threads & bit(thread) != 0
    }
}

#[inline]
fn bit(thread: ThreadId) -> u64 {
    if thread.0 < u64::BITS { 1 << thread.0 } else { 0 }
}

/// Whether two accesses to the same bytes that follow each other are of one run.
#[inline]
fn are_alike(one: Class, other: Class) -> bool {
    matches!((one, other), (Class::Read, Class::Read) | (Class::Add, Class::Add) | (Class::Store, Class::Store))
}

/// The accesses to a location, in order.
#[derive(Debug, Default)]
pub(super) struct History {
    entries: Vec<Entry>,
    mail: Option<Box<Mail>>,
    /// What bytes of the location were accessed together, in any execution.
    sizes: SmallVec<[Bytes; 8]>,
}

/// The accesses to a mailbox by their class, as positions in its history.
#[derive(Debug, Default)]
struct Mail {
    sends: Vec<u32>,
    /// What takes messages, or looks for them.
    receives: Vec<u32>,
    /// Those of them that found nothing.
    misses: Vec<u32>,
}

impl Mail {
    fn lists(&mut self) -> [&mut Vec<u32>; 3] {
        [&mut self.sends, &mut self.receives, &mut self.misses]
    }
}

impl History {
    #[inline]
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Appends an access of `thread`, which follows the access `previous`. Whether it is part of a run: it is not if different
    /// bytes of the location are accessed.
    #[inline]
    pub(super) fn push(
        &mut self,
        (event, visit): (EventId, u32),
        thread: ThreadId,
        footprint: &Footprint,
        previous: Option<&Footprint>,
    ) -> bool {
        let position = self.entries.len() as u32;
        let (run, threads) = match (self.entries.last(), previous) {
            (Some(last), Some(previous)) => match last.run {
                Some(run) if previous.bytes == footprint.bytes => match are_alike(previous.class, footprint.class) {
                    true => (Some(run), last.threads),
                    false => (Some(position), 0),
                },
                _ => (None, 0),
            },
            _ => (Some(position), 0),
        };
        if previous.is_none_or(|previous| previous.bytes != footprint.bytes) && !self.sizes.contains(&footprint.bytes) {
            self.sizes.push(footprint.bytes);
        }
        self.entries.push(Entry { event, visit, run, threads: threads | bit(thread) });
        if footprint.class.is_message() {
            self.file_message(footprint.class, position);
        }
        run.is_some()
    }

    /// Whether some of these bytes are accessed together with others, or apart. What lies beside them is as good as another
    /// location.
    pub(super) fn has_other_sizes(&self, bytes: Bytes) -> bool {
        self.sizes.iter().any(|&other| other != bytes && other.overlaps(bytes))
    }

    /// Whether the same bytes are accessed by all accesses.
    #[inline]
    pub(super) fn has_one_size(&self) -> bool {
        self.sizes.len() == 1
    }

    #[cold]
    fn file_message(&mut self, class: Class, position: u32) {
        let mail = self.mail.get_or_insert_default();
        match class {
            Class::Send(_) => mail.sends.push(position),
            _ => mail.receives.push(position),
        }
        if matches!(class, Class::Miss { .. }) {
            mail.misses.push(position);
        }
    }

    /// Takes the last access away.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.entries.pop();
        if let Some(mail) = &mut self.mail {
            let length = self.entries.len() as u32;
            for list in mail.lists().into_iter().filter(|list| list.last() == Some(&length)) {
                list.pop();
            }
        }
    }

    /// The accesses by the events before `limit`.
    #[inline]
    pub(super) fn before(&self, limit: EventId) -> &[Entry] {
        match &self.entries[..] {
            // Mostly `limit` is the last event; but a whole execution may be put in order at once.
            [before @ .., last] if last.event == limit && before.last().is_none_or(|entry| entry.event < limit) => {
                before
            }
            entries => &entries[..entries.partition_point(|entry| entry.event < limit)],
        }
    }
}

/// A search for what an access comes directly after.
pub(crate) struct Search<'a> {
    /// Accesses by events before this one are looked at.
    pub(crate) limit: EventId,
    /// The access.
    pub(crate) later: &'a Footprint,
    /// The thread that has carried it out.
    pub(crate) thread: Option<ThreadId>,
}

impl Record {
    /// Calls `found` with the events whose accesses order them before the access that is searched for, latest first and
    /// until it says stop: with all of them but for such that happen before others of them. `orders` tells whether an
    /// access does so, and `ends` whether it stands for all before it that do.
    #[inline]
    pub(crate) fn search<R: Dependence>(
        &self,
        search: &Search<'_>,
        relation: &R,
        orders: impl Fn(At<'_>) -> bool,
        ends: impl Fn(At<'_>) -> bool,
        mut found: impl FnMut(EventId) -> ControlFlow<()>,
    ) {
        let &Search { limit, later, thread } = search;
        let Some(history) = self.history(later.location) else { return };
        let entries = history.before(limit);
        if let Some(mail) = &history.mail
            && later.class.is_message()
            && relation.orders_messages_one_by_one(later.location)
        {
            return self.search_mail(search, (mail, entries), orders, found);
        }
        let mut end = entries.len();
        let at = |entry: &Entry| (entry.event, self.footprint(entry));
        while let Some(last) = entries[..end].last() {
            let access = at(last);
            let class = access.1.class;
            let run = last.run.filter(|_| access.1.bytes == later.bytes);
            let start = run.map_or(end - 1, |run| run as usize);
            let rest = match class {
                Class::Read | Class::Add if run.is_some() && class == later.class => {
                    if thread.is_some_and(|thread| last.is_run_of(thread)) {
                        return;
                    }
                    start..start
                }
                Class::Read | Class::Add => start..end,
                // Whether stores are ordered before another one depends on that one alone.
                Class::Store if run.is_some() && later.class == Class::Store && !orders(access) => start..start,
                _ if orders(access) && found(last.event).is_break() || ends(access) => return,
                _ => start..end - 1,
            };
            let stands_for_all = run.is_some() && matches!(class, Class::Read | Class::Add) && class != later.class;
            for entry in entries[rest].iter().rev().filter(|entry| orders(at(entry))) {
                if found(entry.event).is_break() {
                    return;
                }
            }
            if stands_for_all {
                return;
            }
            end = start;
        }
    }

    #[cold]
    fn search_mail(
        &self,
        &Search { limit, later, .. }: &Search<'_>,
        (mail, entries): (&Mail, &[Entry]),
        orders: impl Fn(At<'_>) -> bool,
        found: impl FnMut(EventId) -> ControlFlow<()>,
    ) {
        let last = |list: &[u32], meets: &dyn Fn(At<'_>) -> bool| {
            let before = &list[..list.partition_point(|&position| (position as usize) < entries.len())];
            let mut before = before.iter().rev().map(|&position| &entries[position as usize]);
            before.find(|entry| meets((entry.event, self.footprint(entry)))).map(|entry| entry.event)
        };
        // Those that are ordered before another one come before those that are not.
        let last_send = || {
            let before = &mail.sends[..mail.sends.partition_point(|&position| (position as usize) < entries.len())];
            let at = |position: u32| (entries[position as usize].event, self.footprint(&entries[position as usize]));
            let ordered = match before.last() {
                Some(&last) if orders(at(last)) => before.len(),
                _ => before.partition_point(|&position| orders(at(position))),
            };
            before[..ordered].last().map(|&last| entries[last as usize].event)
        };
        let [one, other] = match later.class {
            // The last one stands for those before it.
            Class::Send(_) => [last_send(), last(&mail.misses, &orders)],
            Class::Receive { message, .. } => {
                [last(&mail.receives, &|_| true), self.sending(message).filter(|&event| event < limit)]
            }
            _ => [last(&mail.receives, &|_| true), last(&mail.sends, &orders)],
        };
        let _ = [one.max(other), one.min(other)].into_iter().flatten().try_for_each(found);
    }

    /// The last event that conflicts with what an access may do, among those that are not `known` to happen before it
    /// anyway, and come before `limit`.
    pub(crate) fn last_conflict(
        &self,
        potential: &Footprint,
        known: impl Fn(EventId) -> bool,
        limit: usize,
        relation: &impl Dependence,
    ) -> Option<EventId> {
        let mut latest = None;
        let orders = |(_, earlier): At<'_>| relation.conflict(earlier, potential);
        let ends = |earlier: At<'_>| orders(earlier) && earlier.1.dominates(potential);
        let search = Search { limit: EventId::new(limit), later: potential, thread: None };
        self.search(&search, relation, orders, ends, |event| {
            if known(event) {
                return ControlFlow::Continue(());
            }
            latest = Some(event);
            ControlFlow::Break(())
        });
        latest
    }

    /// Whether the event is a receive that waited for nothing but a message. It cannot come before that was sent: the
    /// messages that it matches and that were sent before had been taken by earlier receives, which happen before it was
    /// announced, and those that were sent later happen after the one that it took: sends are ordered, and with observers
    /// the receive observes the order of the two.
    pub(crate) fn waits_for_its_message(&self, event: EventId) -> bool {
        match (self.declared(event), self.visits(event)) {
            ([only], [visit]) => {
                only.when == Condition::Differs(0) && only.may_block() && matches!(visit.class, Class::Receive { .. })
            }
            _ => false,
        }
    }

    /// The event that sent a message.
    pub(crate) fn sending(&self, message: Message) -> Option<EventId> {
        self.sent(message).map(|sent| sent.event)
    }

    /// The events that found a message, by taking it or by a look at it, in order.
    pub(crate) fn receiving(&self, message: Message) -> &[EventId] {
        self.sent(message).map_or(&[], |sent| &sent.found_by)
    }

    #[inline]
    fn footprint(&self, entry: &Entry) -> &Footprint {
        self.footprint_of_visit(entry.visit)
    }

    /// Whether the last send before the event `limit` to this mailbox is another thread's.
    pub(crate) fn follows_send_of_another(&self, limit: EventId, mailbox: Location) -> bool {
        let history = self.filed_history(mailbox);
        let Some((history, mail)) = history.and_then(|history| Some((history, history.mail.as_ref()?))) else {
            return false;
        };
        let before = history.before(limit).len();
        let sends = &mail.sends[..mail.sends.partition_point(|&position| (position as usize) < before)];
        let thread = |event: EventId| self.event(event).step.thread;
        sends.last().is_some_and(|&last| thread(history.entries[last as usize].event) != thread(limit))
    }
}
