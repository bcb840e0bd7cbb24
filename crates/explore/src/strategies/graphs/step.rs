//! The events of a step.
//!
//! An operation is a list of guarded accesses, and a step of the program carries out all of them at once. In the graph
//! the reads of all accesses come first, each with a source of its own; once they enable the step, the writes follow.
//! If the last read blocks, the reads are all there is, and the step waits. A write that depends on no read has none if
//! it is all that its operation does to memory.

use super::alternative::{Alternative, AlternativeKind, Revisiting};
use super::event::{Event, FIRST, Follows, Kind, Object, Outcome, Part, Position, Reached};
use super::graph::Graph;
use super::mail;
use super::touches::Touch;
use super::unsupported::Unsupported;
use super::{Added, Graphs};
use crate::packed::Packed;
use everyway_runtime::{Access, Condition, Effect, Operation, Ordering, Resolved, State, Then, ThreadId, Verb, Visit};

impl Graph {
    /// The event `template` as a load from `source`.
    #[inline(always)]
    fn load_event(template: Event, access: &Access, touch: Touch, source: Option<Position>) -> Event {
        let follows = match access.holds {
            Then::Next if template.access + 1 < template.accesses => Follows::Access,
            _ if template.writes_before > 0 => Follows::Writes,
            _ => Follows::Nothing,
        };
        let kind = Kind::Read { touch, source, outcome: Outcome::Reads, locked: false };
        Event { kind, ordering: access.ordering, follows, choice: FIRST, ..template }
    }

    /// The event `template` as a read of `source`, where it finds `found`.
    #[inline(always)]
    pub(super) fn read_event(&self, template: Event, touch: Touch, source: Option<Position>, found: u64) -> Event {
        let access = self.touches.access(touch);
        if let (Effect::Read, Condition::Always, Object::Memory) = (access.effect, access.when, touch.object)
            && access.holds != Then::Block
        {
            // Mostly it is a load.
            return Self::load_event(template, access, touch, source);
        }
        let Resolved { class, after, met } = access.resolve(access.bytes.set(0, found));
        let then = if met { access.holds } else { access.fails };
        let outcome = match (then, touch.object) {
            (Then::Block, _) => Outcome::Waits,
            (_, Object::Mailbox) => Outcome::Modifies { value: mail::left_by(access.effect, class) },
            _ if class.changes() => Outcome::Modifies { value: access.bytes.get(after) },
            (_, Object::Chained) => Outcome::Keeps { value: found },
            (_, Object::Memory) => Outcome::Reads,
        };
        let ordering = match touch.object {
            Object::Mailbox => Ordering::Relaxed,
            _ if met || outcome == Outcome::Waits => access.ordering,
            _ => access.ordering_unmet,
        };
        let writes = template.writes_before > 0 || outcome.written().is_some();
        let follows = match then {
            Then::Block => Follows::Nothing,
            Then::Next if template.access + 1 < template.accesses => Follows::Access,
            _ if writes => Follows::Writes,
            _ => Follows::Nothing,
        };
        // What is not even tried does not lock anything.
        let only_looks = || matches!(access.effect, Effect::Try(..)) && outcome == Outcome::Reads;
        let locked = touch.object != Object::Memory || access.effect.may_write() && !only_looks();
        let kind = Kind::Read { touch, source, outcome, locked };
        Event { kind, ordering, follows, choice: FIRST, ..template }
    }
}

/// What an operation with this verb accesses.
pub(super) fn object_of(verb: Verb, access: &Access) -> Object {
    match access.effect {
        Effect::Send(_) | Effect::Receive(_) | Effect::Peek(_) => Object::Mailbox,
        _ if verb == Verb::None || verb.is_memory_access() || verb.may_find_older() => Object::Memory,
        _ => Object::Chained,
    }
}

impl Graphs {
    /// What an access finds if it reads from `source`.
    pub(super) fn found(&self, touch: Touch, source: Option<Position>, state: &dyn State) -> u64 {
        match touch.object {
            Object::Mailbox => self.graph.mail(touch, source, None, state),
            Object::Memory | Object::Chained => self.graph.value(self.graph.touches.initial(touch), source),
        }
    }

    #[inline]
    pub(super) fn template(&self, thread: ThreadId) -> Event {
        let index = self.graph.threads[thread.index()].events.len() as u32 + 1;
        Event {
            thread,
            index,
            stamp: self.graph.next_stamp(),
            kind: Kind::Local,
            ordering: Ordering::Relaxed,
            choice: FIRST,
            origin: if index == 1 { self.graph.threads[thread.index()].origin } else { None },
            first: index,
            access: 0,
            accesses: 0,
            writes_before: 0,
            follows: Follows::Nothing,
            part: Part::Operation,
        }
    }

    /// The first event of the next step of a thread: a read of the newest write, a write without a place, or the first of
    /// its choices.
    #[inline(always)]
    fn first_event(&mut self, thread: ThreadId, state: &dyn State) -> Result<Event, Unsupported> {
        let operation = state.operation(thread);
        let template = Event { accesses: operation.accesses.len() as u32, ..self.template(thread) };
        let Some(access) = operation.accesses.first() else { return Ok(self.local_event(template, operation)) };
        let object = object_of(operation.verb, access);
        if object == Object::Memory && state.choices(thread) > 1 {
            return Err(Unsupported::ChoiceWithAccess);
        }
        if let ([_], Object::Memory, false, Effect::Write(value) | Effect::Store(value)) =
            (&operation.accesses[..], object, access.looks(), access.effect)
        {
            let cell = self.cells.of(thread, access)?;
            self.graph.make_cell(cell, access.location);
            let value = access.bytes.get(access.bytes.set(0, value));
            let kind = Kind::Write { cell, value, label: 0, modifies: false };
            return Ok(Event { kind, ordering: access.ordering, ..template });
        }
        self.access_event(template, access, object, state)
    }

    fn local_event(&self, template: Event, operation: &Operation) -> Event {
        let kind = match (operation.joins, operation.fence) {
            (Some(joined), _) => Kind::Join(self.graph.reached(joined)),
            (_, Some(_)) => Kind::Fence,
            _ => Kind::Local,
        };
        Event { kind, ordering: operation.fence.unwrap_or(Ordering::Relaxed), ..template }
    }

    /// The read of an access, from the newest write.
    #[inline(always)]
    pub(super) fn access_event(
        &mut self,
        template: Event,
        access: &Access,
        object: Object,
        state: &dyn State,
    ) -> Result<Event, Unsupported> {
        let touch = self.touch((template.thread, access), object, state)?;
        let newest = self.graph.newest(touch.cell);
        Ok(self.graph.read_event(template, touch, newest, self.found(touch, newest, state)))
    }

    /// What an access of a thread touches.
    #[inline(always)]
    pub(super) fn touch(
        &mut self,
        (thread, access): (ThreadId, &Access),
        object: Object,
        state: &dyn State,
    ) -> Result<Touch, Unsupported> {
        let initial = access.bytes.get(state.initial_value(access.location));
        if let Some(touch) = self.graph.touches.met(object, access, initial) {
            return Ok(touch);
        }
        self.meet_touch((thread, access), object, initial)
    }

    #[inline(never)]
    fn meet_touch(
        &mut self,
        (thread, access): (ThreadId, &Access),
        object: Object,
        initial: u64,
    ) -> Result<Touch, Unsupported> {
        let cell = self.cells.of(thread, access)?;
        self.graph.make_cell(cell, access.location);
        Ok(self.graph.touches.touch(cell, object, access, initial))
    }

    /// The read of the next access of a step, from the newest write.
    fn next_access(&mut self, last: Event, state: &dyn State) -> Result<Event, Unsupported> {
        let operation = state.operation(last.thread);
        let position = last.access + 1;
        let Some(access) = operation.accesses.get(position as usize) else { return Err(Unsupported::Sources) };
        let Kind::Read { outcome, .. } = last.kind else { return Err(Unsupported::Sources) };
        let writes_before = last.writes_before + u32::from(outcome.written().is_some());
        let template = Event { first: last.first, access: position, writes_before, ..self.template(last.thread) };
        let template = Event { accesses: last.accesses, ..template };
        self.access_event(template, access, object_of(operation.verb, access), state)
    }

    /// The next event of a thread, which is not a write that belongs to a read: a read of the newest write, a write
    /// without a place, or the first of its choices.
    #[inline(always)]
    pub(super) fn plain_event(&mut self, thread: ThreadId, state: &dyn State) -> Result<Event, Unsupported> {
        let last = self.graph.threads[thread.index()].events.last().map(|&last| self.graph.event(last));
        match last {
            Some(last) if last.follows == Follows::Access => self.next_access(*last, state),
            _ => self.first_event(thread, state),
        }
    }

    /// Adds the next event of a thread, and plans what else it could be.
    pub(super) fn add_next(&mut self, thread: ThreadId, state: &dyn State) -> Result<Added, Unsupported> {
        // It is looked at where it is: to copy it as soon as it is made would make the processor wait.
        let event = &mut self.plain_event(thread, state);
        let event = event.as_mut().map_err(|&mut unsupported| unsupported)?;
        match event.kind {
            Kind::Write { .. } => return Ok(self.add_write(event, state)),
            Kind::Read { touch, .. } => {
                let is_overtaken = self.graph.is_overtaken(event.thread, event.index);
                if is_overtaken || !self.graph.knows_newest(touch.cell, thread, self.graph.last_of(thread)) {
                    return Ok(self.add_read_of_several(*event, touch, state));
                }
            }
            Kind::Fence | Kind::Join(_) | Kind::Local | Kind::Overtaken { .. } => {
                let alternative = |choice| {
                    let kind = AlternativeKind::Add(Event { choice: Packed::some(choice), ..*event });
                    Alternative { depth: self.graph.len(), kind }
                };
                self.alternatives.extend((1..state.choices(thread)).map(alternative));
            }
        }
        // What it reads is the newest write: so it may wait.
        self.graph.push_newest(event);
        if event.access > 0 && !self.may_stay(event) {
            return Ok(Added::Inconsistent);
        }
        if event.follows == Follows::Writes && self.is_next_of_program() {
            // The program need not be asked before the write is added, too.
            self.known = self.graph.len();
            return Ok(match self.lone_write(event) {
                Some(write) => self.add_lone_write(event, write, state),
                None => self.add_writes(thread, state),
            });
        }
        Ok(Added::Consistent)
    }

    /// Adds the write of a read-modify-write, whose read of the newest write is the last event. The program is about to take
    /// this step.
    #[inline]
    fn add_lone_write(&mut self, read: &Event, mut write: Event, state: &dyn State) -> Added {
        let Kind::Write { cell, value, .. } = write.kind else { return Added::Inconsistent };
        let (thread, access) = (read.thread, read.access);
        let last = Position::new(self.graph.len() - 1);
        self.plan_revisits((|| Revisiting::Step { thread, access }, Some(last)), cell, value, state);
        if write.choice.is_none() && state.choices(thread) == 1 {
            write.choice = FIRST;
        }
        self.place(&mut write, self.graph.newest(cell)).into()
    }

    /// Whether the last event, which its writes follow, is all that the program does not know, and nothing else has to follow.
    #[inline]
    fn is_next_of_program(&self) -> bool {
        self.known + 1 == self.graph.len() && self.aftermaths.is_empty() && self.graph.unfinished == 1
    }

    /// Adds a read of the newest write, and plans what else it could read. Or the other way round, if it was overtaken, and
    /// may not read that.
    #[inline(never)]
    fn add_read_of_several(&mut self, event: Event, touch: Touch, state: &dyn State) -> Added {
        let newest = self.graph.newest(touch.cell);
        let floor = self.graph.floor(touch.cell, event.thread, self.graph.last_of(event.thread));
        let is_overtaken = self.graph.is_overtaken(event.thread, event.index);
        let is_free = |source| !is_overtaken || self.may_read(&event, touch, source, state);
        let sources = self.graph.sources_from(touch.cell, floor);
        let others = sources.filter(|&source| source != newest);
        let others = others.map(|source| (source, self.found(touch, source, state)));
        let access = self.graph.touches.access(touch);
        let goes_on = |found| !access.may_block() || access.when.holds(found);
        let others = others.filter(|&(source, found)| goes_on(found) && is_free(source));
        let mut others: smallvec::SmallVec<[_; 8]> = others.collect();
        let first = match is_free(newest) {
            true => event,
            false => match others.pop() {
                Some((source, found)) => self.graph.read_event(event, touch, source, found),
                None => return Added::Redundant,
            },
        };
        let depth = self.graph.len();
        let others = others.iter();
        let others = others.map(|&(source, found)| self.graph.read_event(event, touch, source, found));
        let alternative = |event| Alternative { depth, kind: AlternativeKind::Add(event) };
        self.alternatives.extend(others.filter(|event| !event.waits()).map(alternative));
        self.add_read(&first).into()
    }

    /// Adds an event that is not a write; whether the graph is consistent then. A read waits only where it sees the newest
    /// write. The reads before it in its step may see others: it may be satisfied yet.
    ///
    /// Under `sc`, the reads of a step may be possible one by one, and not all at once, if not all of them see the newest
    /// write. Then the step waits, too: a later write may let it be taken.
    pub(super) fn add_read(&mut self, event: &Event) -> bool {
        self.add(event) && self.may_stay(event)
    }

    /// Whether the event that was added last, which is not a write, and the graph is consistent with, may be there. It waits if its
    /// step cannot be taken at once.
    #[inline]
    fn may_stay(&mut self, event: &Event) -> bool {
        let Kind::Read { touch, source, .. } = event.kind else { return true };
        let is_complete = event.follows != Follows::Access && event.access > 0;
        let mut waits = event.waits();
        if is_complete && !waits && !self.store_order.is_atomic(&self.graph, Position::new(self.graph.len() - 1)) {
            self.truncate(self.graph.len() - 1);
            self.graph.push(&event.waiting());
            waits = true;
        }
        !waits || source == self.graph.newest(touch.cell)
    }

    /// The next write of a step whose reads are all there.
    pub(super) fn next_write(&self, thread: ThreadId) -> Option<Event> {
        let last = self.graph.event(*self.graph.threads[thread.index()].events.last()?);
        if last.follows != Follows::Writes {
            return None;
        }
        if last.is_alone() {
            return self.lone_write(last);
        }
        let is_later = |event: &Event| !last.is_write() || event.access > last.access;
        let writing = |event| match event {
            &Event { kind: Kind::Read { touch, outcome, .. }, part, .. } if part == last.part => {
                Some((event, touch, outcome.written()?))
            }
            _ => None,
        };
        let mut reads = self.graph.step(last).filter_map(|position| writing(self.graph.event(position)));
        let (read, touch, value) = match last.part {
            Part::Operation => reads.find(|(event, ..)| is_later(event))?,
            Part::Aftermath => reads.last()?,
        };
        let more = last.part == Part::Operation && reads_after(&self.graph, last, read.access);
        let follows = if more { Follows::Writes } else { Follows::Nothing };
        let decided = touch.object == Object::Memory || more || last.part == Part::Aftermath;
        let choice = if decided { FIRST } else { Packed::NONE };
        let kind = Kind::Write { cell: touch.cell, value, label: 0, modifies: true };
        let template =
            Event { first: read.first, access: read.access, accesses: read.accesses, ..self.template(thread) };
        Some(Event { kind, follows, choice, ordering: read.ordering, part: read.part, ..template })
    }

    /// The write of a read-modify-write that is all that its step does.
    #[inline]
    fn lone_write(&self, read: &Event) -> Option<Event> {
        let Kind::Read { touch, outcome, .. } = read.kind else { return None };
        if !read.is_alone() {
            return None;
        }
        let choice = if touch.object == Object::Memory { FIRST } else { Packed::NONE };
        let kind = Kind::Write { cell: touch.cell, value: outcome.written()?, label: 0, modifies: true };
        let (index, stamp) = (read.index + 1, self.graph.next_stamp());
        Some(Event { index, stamp, kind, choice, origin: None, follows: Follows::Nothing, ..*read })
    }

    /// Adds the writes that follow the reads of a step, and plans their revisits. Those are planned also if the graph turns
    /// out to be inconsistent: they may repair it.
    pub(super) fn add_writes(&mut self, thread: ThreadId, state: &dyn State) -> Added {
        let Some(&last) = self.graph.threads[thread.index()].events.last() else { return Added::Inconsistent };
        let last = self.graph.event(last);
        if let (Kind::Read { touch, outcome, .. }, true) = (last.kind, last.is_alone()) {
            let by = Revisiting::Step { thread, access: last.access };
            if let Some(value) = outcome.written() {
                self.plan_revisits((|| by, self.graph.last_of(thread)), touch.cell, value, state);
            }
        } else if last.is_read() {
            let first = if last.part == Part::Aftermath { last.index } else { last.first };
            for index in first..=last.index {
                let read = self.graph.event(self.graph.at(Reached { thread, index }));
                if let Kind::Read { touch, outcome, .. } = read.kind
                    && let Some(value) = outcome.written()
                {
                    let by = Revisiting::Step { thread, access: read.access };
                    self.plan_revisits((|| by, self.graph.last_of(thread)), touch.cell, value, state);
                }
            }
        }
        let depth = self.graph.len();
        if self.push_writes(thread) {
            return Added::Consistent;
        }
        self.truncate(depth);
        self.let_wait(thread).into()
    }

    /// Whether the write of the read-modify-write whose read was added last has no place, because another one comes right
    /// after what was read; then its revisits are planned, as when it is added. That is known without the program, which
    /// need not go back for it. Where there are mailboxes the program may be asked which messages match.
    pub(super) fn comes_too_late(&mut self, state: &dyn State) -> bool {
        let Some((thread, Follows::Writes)) = self.graph.unfinished() else { return false };
        let Some(last) = self.graph.last_of(thread).filter(|last| last.index() + 1 == self.graph.len()) else {
            return false;
        };
        let event = self.graph.event(last);
        let Kind::Read { touch, source, outcome, .. } = event.kind else { return false };
        let (Some(value), true, access) = (outcome.written(), event.is_alone(), event.access) else { return false };
        let next = self.graph.first_after(touch.cell, self.graph.label(source));
        let is_taken = next.is_some_and(|next| self.graph.event(next).modifies());
        if !is_taken || self.known < last.index() || self.graph.touches.have_mailbox() {
            return false;
        }
        let by = || Revisiting::Step { thread, access };
        self.plan_revisits((by, Some(last)), touch.cell, value, state);
        true
    }

    /// Lets a step wait that cannot be taken as its reads are, if there are several: a later write may be what another of
    /// them is to see, and change that. Whether its last read sees the newest write.
    fn let_wait(&mut self, thread: ThreadId) -> bool {
        let Some(position) = self.graph.last_of(thread) else { return false };
        let event = *self.graph.event(position);
        let Kind::Read { touch, source, .. } = event.kind else { return false };
        if event.access == 0 || event.part == Part::Aftermath || source != self.graph.newest(touch.cell) {
            return false;
        }
        let kind = AlternativeKind::Replace { position, event };
        self.alternatives.push(Alternative { depth: self.graph.len(), kind });
        self.graph.replace(position, event.waiting());
        self.deferred.changed_from(position.index());
        true
    }

    /// Adds the writes that follow the reads of a step; whether the graph is consistent then.
    pub(super) fn push_writes(&mut self, thread: ThreadId) -> bool {
        while let Some(mut write) = self.next_write(thread) {
            let source = self.graph.source_of(&write);
            if !self.place(&mut write, source) {
                return false;
            }
            if write.is_alone() {
                return true;
            }
        }
        self.graph.last_of(thread).is_none_or(|last| self.store_order.is_atomic(&self.graph, last))
    }
}

impl Graphs {
    /// Whether the step just taken did all that its events in the graph say. What came with it besides is another
    /// matter (`aftermath.rs`).
    pub(super) fn is_as_announced(&self, visits: &[Visit]) -> bool {
        let end = self.graph.event(Position::new(self.known - 1));
        let only = match end.accesses {
            0 => return true,
            1 if end.modifies() => self.graph.event(self.graph.read_of(end)),
            1 => end,
            _ => return self.are_announced(end, visits),
        };
        self.is_announced(only, visits)
    }

    #[inline(never)]
    fn are_announced(&self, end: &Event, visits: &[Visit]) -> bool {
        self.graph.operation(end).all(|position| self.is_announced(self.graph.event(position), visits))
    }

    /// Whether the access of an event is as the event says.
    #[inline(always)]
    fn is_announced(&self, event: &Event, visits: &[Visit]) -> bool {
        let Some(visit) = visits.get(event.access as usize) else { return event.cell().is_none() };
        let left = || visit.access.bytes.get(visit.after);
        match event.kind {
            Kind::Read { touch, outcome, .. } => {
                let is_same = match outcome {
                    Outcome::Modifies { .. } if touch.object == Object::Mailbox => true,
                    Outcome::Modifies { value } => visit.class.changes() && left() == value,
                    Outcome::Reads | Outcome::Keeps { .. } => !visit.class.changes(),
                    Outcome::Waits => false,
                };
                let access = self.graph.touches.access(touch);
                is_same && visit.access.location == access.location && visit.access.bytes == access.bytes
            }
            // Those of read-modify-writes were looked at with their reads.
            Kind::Write { cell, value, modifies: false, .. } => {
                let location = self.graph.accesses(cell).location;
                Some(visit.access.location) == location && visit.class.changes() && left() == value
            }
            Kind::Write { .. } | Kind::Fence | Kind::Join(_) | Kind::Local | Kind::Overtaken { .. } => true,
        }
    }
}

/// Whether some read of a step after that of an access is followed by a write.
fn reads_after(graph: &Graph, event: &Event, access: u32) -> bool {
    graph.step(event).map(|position| graph.event(position)).any(|other| {
        let writes = matches!(other.kind, Kind::Read { outcome, .. } if outcome.written().is_some());
        writes && other.access > access && other.part == Part::Operation
    })
}
