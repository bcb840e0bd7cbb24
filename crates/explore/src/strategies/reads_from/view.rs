//! The current execution as the reads-from strategy sees it: events with units and sources, and what operations
//! would do if they found something else.
//!
//! No code is run: an operation's outcome with another source is computed from recorded values.

use super::life::{Life, Role, is_end};
use super::linearization::{Entry, Name, Source};
use super::unit::{Members, Unit, Units, is_plain_read};
use super::witness::Guide;
use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{Access, Class, Condition, Effect, Message, State, ThreadId, Visit, evaluate};
use smallvec::SmallVec;

/// What an operation would do.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    /// Whether it changes its unit.
    pub(super) writes: bool,
    /// The members that it changes.
    pub(super) members: Members,
    /// What its location would hold then, if it has only one.
    pub(super) after: u64,
}

/// A finished execution.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) trace: &'a Trace,
    pub(super) state: &'a dyn State,
    pub(super) units: &'a Units,
    /// How many events were taken while there was only one thread.
    alone: usize,
}

impl<'a> View<'a> {
    /// The execution `trace`, which has ended in `state`, and of which the first `alone` events were of the only thread.
    pub(super) fn new(trace: &'a Trace, state: &'a dyn State, units: &'a Units, alone: usize) -> Self {
        Self { trace, state, units, alone }
    }

    /// Whether the event `name` was taken while there was only one thread.
    pub(super) fn is_alone(&self, name: Name) -> bool {
        self.event(name).is_some_and(|id| id.index() < self.alone)
    }

    /// The event of this name; `None` if the execution ended before it.
    pub(super) fn event(&self, name: Name) -> Option<EventId> {
        self.trace.events_of(name.thread).get(name.index as usize - 1).copied()
    }

    /// The name of an event.
    pub(super) fn name(&self, id: EventId) -> Name {
        let event = self.trace.event(id);
        Name { thread: event.step.thread, index: event.index }
    }

    /// The operation of this name, carried out or announced.
    pub(super) fn accesses(&self, name: Name) -> &[Access] {
        match self.event(name) {
            Some(id) => self.trace.declared(id),
            None => &self.state.operation(name.thread).accesses,
        }
    }

    /// What the event or announced operation accesses.
    pub(super) fn unit(&self, name: Name) -> Option<Unit> {
        let performed = self.event(name).map_or(&[][..], |id| self.trace.visits(id));
        let accesses = self.accesses(name).iter().chain(performed.iter().map(|visit| &visit.access));
        if !self.units.lives().is_empty()
            && let Some(end) = self.accesses(name).iter().find(|access| is_end(access))
        {
            return self.units.tied_to(self.units.lives().of(end.location)?);
        }
        self.units.primary(accesses).map(|access| self.units.of(access))
    }

    /// The event as it was executed.
    pub(super) fn entry(&self, id: EventId) -> Entry {
        let event = self.trace.event(id);
        let name = self.name(id);
        let end = |joined| self.trace.events_of(joined).last().copied().or(self.trace.origin(joined));
        let joined = event.joins.and_then(end).map(|end| self.name(end));
        let mut local = Entry {
            name,
            choice: event.step.choice,
            unit: None,
            sum: None,
            seen: None,
            is_ordered: false,
            role: Role::None,
            source: Source::Nowhere,
            writes: false,
            members: None,
            may_write: false,
            after: [self.origin(name), joined],
        };
        if let Some(sent) = self.received(id) {
            return Entry { after: [self.origin(name), Some(self.name(sent))], ..local };
        }
        let only = self.only_visit(id);
        let unit = match only {
            Some(visit) if self.units.lives().is_empty() => Some(self.units.of(&visit.access)),
            _ => self.unit(name),
        };
        if !self.units.lives().is_empty() {
            local.role = self.role(id, unit);
            match local.role {
                Role::Ends(_) => return self.ending(id, Entry { unit, ..local }),
                Role::Uses(life) if self.units.lives().is_over(life, id) => {
                    let source = self.end(life).map_or(Source::Nowhere, Source::Event);
                    return Entry { source, ..local };
                }
                Role::Uses(_) | Role::None => {}
            }
        }
        if let Some(sum) = unit.filter(|&unit| self.units.is_sum(unit)) {
            return match self.trace.visits(id).iter().any(|visit| visit.class == Class::Add) {
                _ if id.index() < self.alone => local,
                true => Entry { sum: Some(sum), writes: true, may_write: true, ..local },
                false => Entry { sum: Some(sum), source: Source::Adds, ..local },
            };
        }
        if let (Some(unit), Some(visit)) = (unit, only) {
            let is_ordered = self.units.is_one_ordered(unit);
            if is_ordered
                && event.choices == 1
                && is_plain_read(&visit.access)
                && let Some(member) = self.units.member(&visit.access)
            {
                return Entry { unit: Some(member), source: self.source(member, id), ..local };
            }
            let reads = is_ordered || !is_blind(visit);
            let source = if reads { self.source(unit, id) } else { Source::Nowhere };
            let writes = visit.class.changes();
            let may_write = writes || visit.access.effect.may_write();
            let members = if is_ordered { self.units.changed_members(std::iter::once(visit)) } else { None };
            return Entry { unit: Some(unit), is_ordered, source, writes, members, may_write, ..local };
        }
        self.entry_of_several(id, unit, local)
    }

    /// The event with its accesses, of which there are several.
    fn entry_of_several(&self, id: EventId, unit: Option<Unit>, local: Entry) -> Entry {
        let visits = || self.trace.visits(id).iter().filter(|visit| Some(self.units.of(&visit.access)) == unit);
        let is_ordered = visits().next().is_some_and(|visit| self.units.is_ordered(&visit.access));
        let source = match visits().find(|visit| is_ordered || !is_blind(visit)) {
            None => Source::Nowhere,
            Some(visit) => self.source(self.units.of(&visit.access), id),
        };
        let writes = visits().any(|visit| visit.class.changes());
        let members = if is_ordered { self.units.changed_members(visits()) } else { None };
        let may_write = writes || self.trace.declared(id).iter().any(|access| access.effect.may_write());
        Entry { unit, is_ordered, source, writes, members, may_write, ..local }
    }

    /// What the event `id`, which accesses `unit`, has to do with lives.
    fn role(&self, id: EventId, unit: Option<Unit>) -> Role {
        let lives = self.units.lives();
        let declared = self.trace.declared(id);
        if let Some(end) = declared.iter().find(|access| is_end(access)) {
            return lives.of(end.location).map_or(Role::None, Role::Ends);
        }
        let accesses = declared.iter().chain(self.trace.visits(id).iter().map(|visit| &visit.access));
        let is_tied = unit.is_some_and(|unit| self.units.is_one_ordered(unit));
        lives.first(accesses).filter(|_| !is_tied).map_or(Role::None, |(life, _)| Role::Uses(life))
    }

    /// The event `id`, which ends something, as `entry` has it: a write where something is tied to it, and otherwise nothing
    /// but an end.
    fn ending(&self, id: EventId, entry: Entry) -> Entry {
        let Some(unit) = entry.unit else { return entry };
        let source = self.source(unit, id);
        Entry { is_ordered: true, source, writes: true, may_write: true, ..entry }
    }

    /// The end of a life.
    pub(super) fn end(&self, life: Life) -> Option<Name> {
        self.units.lives().end(life).map(|end| self.name(end))
    }

    /// What a dead event would be otherwise, but for its source if it looks, and for what it writes then.
    pub(super) fn alive(&self, entry: &Entry) -> Option<Entry> {
        let access = self.units.primary(self.accesses(entry.name).iter()).filter(|_| entry.is_dead())?;
        let unit = Some(self.units.of(access));
        let is_blind = access.class_anywhere() == Some(Class::Store);
        let source = if is_blind { Source::Nowhere } else { entry.source };
        let may_write = access.effect.may_write();
        Some(Entry { unit, source, writes: is_blind, may_write, ..entry.clone() })
    }

    /// What the event did, if that is all that its operation was about. Nearly always.
    fn only_visit(&self, id: EventId) -> Option<&Visit> {
        match (self.trace.declared(id), self.trace.visits(id)) {
            ([declared], [visit]) if std::ptr::eq(declared, &visit.access) || *declared == visit.access => Some(visit),
            _ => None,
        }
    }

    /// Where what the event `id` found in `unit` comes from.
    fn source(&self, unit: Unit, id: EventId) -> Source {
        match self.units.last_writer(self.trace, unit, id.index()) {
            None => Source::Initial,
            Some(writer) => Source::Event(self.name(writer)),
        }
    }

    /// The sending of what an event took that waited for a message and did nothing else.
    ///
    /// Which message that is depends on the order of sends alone: it is the oldest one that the receive matches, and that
    /// no receive has taken before. Sends to one mailbox follow each other in every trace, so whenever the message is
    /// there, so is all that was sent before it; and to send something before it is to give its sending another source,
    /// in a schedule that does not have this event. So the event has no choice of its own, and comes after that sending.
    fn received(&self, id: EventId) -> Option<EventId> {
        let [Visit { access, class: Class::Receive { message, .. }, .. }] = self.trace.visits(id) else { return None };
        if !waits_for_message(self.trace.declared(id)) {
            return None;
        }
        debug_assert!(self.trace.sending(*message).is_some(), "{access:?} takes what was sent");
        self.trace.sending(*message)
    }

    /// Whether the operation that a thread has announced, and waits with at the end, could not have gone on at another
    /// time: it waits for a message and does nothing else, or at a latch, where nothing has been written.
    pub(super) fn has_no_choice(&self, thread: ThreadId) -> bool {
        let accesses = &self.state.operation(thread).accesses;
        let first = self.units.primary(accesses.iter());
        waits_for_message(accesses) || first.is_some_and(|access| !self.units.is_ordered(access))
    }

    /// What the location of the sum that `access` is to held when other threads came.
    pub(super) fn start_of_sum(&self, access: &Access) -> u64 {
        access.bytes.get(self.trace.value_after(self.alone, access.location).unwrap_or(0))
    }

    /// What the event `name` adds to the location of `access`.
    pub(super) fn added(&self, name: Name, access: &Access) -> u64 {
        let visits = self.event(name).map_or(&[][..], |id| self.trace.visits(id));
        let added = visits.iter().filter(|visit| visit.access.location == access.location);
        added.fold(0, |sum: u64, visit| match visit.access.effect {
            Effect::Add(number) => sum.wrapping_add(number),
            _ => sum,
        })
    }

    /// The event during which the thread of its first event was spawned.
    pub(super) fn origin(&self, name: Name) -> Option<Name> {
        let origin = self.trace.origin(name.thread).filter(|_| name.index == 1);
        origin.map(|origin| self.name(origin))
    }

    /// What the operation `name` would do if it read from `source`, of which `instead` says what it would leave if
    /// that is not what it left in this execution. `None` if it would wait.
    pub(super) fn outcome(&self, name: Name, source: Source, instead: Option<u64>) -> Option<Outcome> {
        let mut outcome = Outcome::default();
        let mut changes: SmallVec<[Visit; 1]> = SmallVec::new();
        let value = |access: &Access| instead.unwrap_or_else(|| self.value(access, source, name));
        let evaluation = evaluate(self.accesses(name), value, |visit| {
            outcome.writes |= visit.class.changes();
            outcome.after = visit.after;
            if visit.class.changes() && self.units.member(&visit.access).is_some() {
                changes.push(visit);
            }
        });
        outcome.members = self.units.changed_members(changes.iter());
        evaluation.is_enabled().then_some(outcome)
    }

    /// Whether the operation `name`, wherever it can be carried out, changes something. For most that wait: they are
    /// locks.
    pub(super) fn never_only_looks(&self, name: Name) -> bool {
        let changes = |effect| {
            matches!(
                effect,
                Effect::Write(_)
                    | Effect::Store(_)
                    | Effect::Add(_)
                    | Effect::Modify(..)
                    | Effect::End
                    | Effect::Send(_)
            )
        };
        let first = self.units.primary(self.accesses(name).iter());
        first.is_some_and(|access| changes(access.effect) && (access.when == Condition::Always || access.may_block()))
    }

    /// What the location of `access` holds after `source`; if that is a mailbox, what the operation `name` finds there.
    fn value(&self, access: &Access, source: Source, name: Name) -> u64 {
        let location = access.location;
        if let Effect::Receive(number) = access.effect {
            let last = if let Source::Event(name) = source { self.event(name) } else { None };
            // The order of sends is part of the trace. Who receives knows what it has taken, whenever that was.
            let is_own = |event| {
                let Name { thread, index } = self.name(event);
                thread == name.thread && index < name.index
            };
            let is_there = |event| last >= Some(event) || is_own(event);
            return Message::encode(self.trace.found(location, number, self.state, is_there));
        }
        let after = |id: EventId| {
            let same = |visit: &&Visit| visit.access.location == location && visit.access.bytes == access.bytes;
            match self.units.is_ordered(access) {
                // The order of writes is part of the trace, so that the execution tells.
                true => self.trace.value_after(id.index() + 1, location),
                false => self.trace.visits(id).iter().find(same).map(|visit| visit.after),
            }
        };
        let known = match source {
            Source::Event(name) => self.event(name).and_then(after),
            _ => self.trace.value_after(0, location),
        };
        known.unwrap_or_else(|| self.state.value(location))
    }
}

/// Whether an operation waits for a message and does nothing else.
fn waits_for_message(accesses: &[Access]) -> bool {
    matches!(accesses, [access] if access.may_block() && matches!(access.effect, Effect::Receive(_)))
}

/// Whether the access did not look at what was there. A `Write` tells what it replaced, or its order matters otherwise.
fn is_blind(visit: &Visit) -> bool {
    visit.class == Class::Store
}

/// The execution as a guide, in which one event stands elsewhere.
pub(super) struct Moved<'a> {
    pub(super) view: View<'a>,
    pub(super) name: Name,
    /// The event that it stands right behind, unless at the start.
    pub(super) behind: Source,
}

impl Guide for Moved<'_> {
    fn position(&self, thread: ThreadId, index: u32) -> u32 {
        let name = Name { thread, index };
        let name = match self.behind {
            _ if name != self.name => name,
            Source::Event(source) => source,
            Source::Initial => return 0,
            Source::Nowhere | Source::Adds => name,
        };
        self.view.event(name).map_or(u32::MAX, |id| id.0)
    }

    fn events(&self) -> impl Iterator<Item = (ThreadId, u32)> {
        let events = self.view.trace.events_from(0).map(|id| self.view.trace.event(id));
        events.map(|event| (event.step.thread, event.index))
    }
}
