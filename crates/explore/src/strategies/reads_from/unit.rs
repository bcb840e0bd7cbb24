//! What is read and written as one: the variables of the paper.
//!
//! The paper's events access one variable each. Operations of this engine may access several locations, parts of
//! locations, and may wait. A *unit* is what stands for a variable:
//!
//! - Bytes of a location that are always accessed together are a *plain* unit: only reads-from matters there.
//! - Such a part of a location is *ordered* if an operation on it can wait, or has alternatives, or sends or receives a
//!   message, or if it overlaps another part: then every access that changes it counts as a read-modify-write. Parts
//!   that overlap, and parts that one operation accesses together, are one ordered unit.
//! - A plain unit that is added to without a result, and read, and nothing else is a *sum* (`sum.rs`).
//! - So is one that is added to once something is there that always is (`share.rs`).
//! - What operations only look at, waiting where no thread has to wait once something is written, is a *latch*
//!   (`latch.rs`). It is plain.
//! - What ends together is no unit for that (`life.rs`).
//! - What does nothing but read a part of an ordered unit that has others besides reads that *member* of it (`members.rs`).
//! - A receive that waits for a message, and does nothing else, reads nothing: what it finds follows from the order of
//!   sends (`view.rs`).
//! - A location that an operation reads besides others, and that has never been changed, is left out of account: there
//!   is nothing to be read there but what was there first. (In C programs, that is whether a large object is alive.)
//!
//! So on ordered units executions are told apart by the order of writes, as they are under `optimal`: less is gained,
//! nothing is lost. For mutexes and other objects that are only ever read and changed at once, it is the same thing.
//!
//! What is ordered is found out as operations are announced. An exploration starts over when that turns out too late,
//! because traces that were taken to be the same are not.

mod ends;
mod members;
mod shares;

use super::latch::{Course, Latches, waits_for};
use super::life::{Lives, is_end};
use super::share::adds_once;
use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{Access, Bytes, Class, Condition, Effect, Location, State};
use smallvec::SmallVec;
use std::rc::Rc;

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Unit(pub(super) u32);

impl Unit {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether a location is left out of account where it is read besides others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Beside {
    /// It has not been read besides others.
    #[default]
    Unknown,
    /// Yes.
    LeftOut,
    /// No: it is changed.
    Counts,
}

/// Units, if there are some.
pub(super) type Members = Option<Rc<[Unit]>>;

/// How a unit is accessed.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    is_accessed: bool,
    is_added_to: bool,
    /// Whether it is accessed in other ways than by adds without a result, reads and waits.
    otherwise: bool,
}

impl Usage {
    fn is_sum(self) -> bool {
        self.is_added_to && !self.otherwise
    }
}

/// A part of a location, by its first byte: parts that have the same one overlap, and so are of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part(u32);

impl Part {
    /// There is a number for each byte that a part may begin with, and one for that part as a member (`members.rs`).
    const PER_LOCATION: u32 = 16;

    fn new(location: Location, bytes: Bytes) -> Self {
        Self(location.0 * Self::PER_LOCATION + bytes.0.trailing_zeros())
    }

    fn of(access: &Access) -> Self {
        Self::new(access.location, access.bytes)
    }

    fn location(self) -> Location {
        Location(self.0 / Self::PER_LOCATION)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// How parts of locations make up units.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// By part, one of the same unit; itself at the end of the chain.
    parent: Vec<Part>,
    /// By part, the next one of the same unit, all the way round.
    next: Vec<Part>,
    /// By part: whether its unit is ordered. Only to be asked of the end of the chain.
    ordered: Vec<bool>,
    /// By part: how its unit is accessed by those that are not alone. Only to be asked of the end of the chain.
    usage: Vec<Usage>,
    /// By location, the parts that were accessed.
    parts: Vec<SmallVec<[u8; 2]>>,
    /// By location: what is known of those that are read besides others.
    beside: Vec<Beside>,
    /// What is waited for. Only to be asked of the end of the chain.
    latches: Latches,
    /// What is waited for by operations that add. Only to be asked of the end of the chain.
    shares: Latches,
    lives: Lives,
}

impl Units {
    /// Learns from the events from `start` on and from the operations that threads have announced; whether that
    /// changed anything. The first `alone` events were of the only thread.
    pub(super) fn learn(&mut self, trace: &Trace, start: usize, state: &dyn State, alone: usize) -> bool {
        let mut changed = false;
        let mut news: SmallVec<[EventId; 16]> = SmallVec::new();
        for id in trace.events_from(start) {
            if self.is_news(trace, id, alone) {
                news.push(id);
            }
        }
        let waiting = || everyway_runtime::blocked(state).map(|thread| (thread, &state.operation(thread).accesses));
        // What is changed comes first: it is not left out of account.
        let performed = |&id: &EventId| trace.visits(id).iter().map(|visit| &visit.access);
        for access in news.iter().flat_map(|id| trace.declared(*id).iter().chain(performed(id))) {
            changed |= self.note_change(access);
        }
        for access in waiting().flat_map(|(_, accesses)| accesses) {
            changed |= self.note_change(access);
        }
        for id in &news {
            changed |= self.note(trace.declared(*id), performed(id), trace.event(*id).choices);
            if id.index() >= alone {
                changed |= self.use_all(trace.declared(*id).iter().chain(performed(id)));
            }
        }
        for (thread, accesses) in waiting() {
            changed |= self.note(accesses, [].iter(), state.choices(thread));
        }
        changed |= self.learn_lives(trace, (start, &news), state);
        changed |= self.order_broken_shares(trace, alone, state);
        changed | self.order_broken_latches(trace, alone, state) | self.order_broken_sums(trace, alone)
    }

    /// Whether something may be learnt from the event `id`; the first `alone` events were of the only thread.
    #[inline]
    fn is_news(&self, trace: &Trace, id: EventId, alone: usize) -> bool {
        match (trace.declared(id), trace.visits(id)) {
            // Nearly always.
            ([declared], [visit]) if declared.location == visit.access.location && trace.event(id).choices == 1 => {
                !self.is_nothing_new(declared) || id.index() >= alone && !self.is_used(declared)
            }
            ([], []) => false,
            _ => true,
        }
    }

    /// Orders the latches that are none because a thread waits there for ever although something has been written since
    /// there is more than one, from `start` on; whether there are some.
    fn order_broken_latches(&mut self, trace: &Trace, start: usize, state: &dyn State) -> bool {
        if self.latches.is_empty() {
            return false;
        }
        let mut changed = false;
        for thread in everyway_runtime::blocked(state) {
            let Some(access) = self.primary(state.operation(thread).accesses.iter()) else { continue };
            let unit = self.of(access);
            let written = self.last_writer(trace, unit, trace.len());
            if waits_for(access).is_some() && !self.is_sum(unit) && written.is_some_and(|id| id.index() >= start) {
                changed |= self.order(Part::of(access));
            }
        }
        changed
    }

    /// Orders the sums that are waited at and are no latches; `start` is where there is more than one thread.
    fn order_broken_sums(&mut self, trace: &Trace, start: usize) -> bool {
        let latches = self.latches.parts().map(|part| Part(part as u32));
        let sums: SmallVec<[Part; 4]> = latches.filter(|part| self.is_sum(Unit(part.0))).collect();
        let mut changed = false;
        for sum in sums {
            let visits = trace.events_from(start).flat_map(|id| trace.visits(id));
            let mut course: Option<Course> = None;
            for visit in visits.filter(|visit| self.root(Part::of(&visit.access)) == sum) {
                if let Effect::Add(number) = visit.access.effect {
                    course.get_or_insert_with(|| Course::from(visit)).add(number);
                }
            }
            if course.is_some_and(|course| self.latches.is_left(sum.index(), &course)) {
                changed |= self.order(sum);
            }
        }
        changed
    }

    fn note<'a>(&mut self, declared: &'a [Access], performed: impl Iterator<Item = &'a Access>, choices: u32) -> bool {
        let mut changed = false;
        let mut first = None;
        let waits = declared.iter().any(|access| access.may_block() || is_message(access));
        let is_more = declared.len() > 1;
        for access in declared.iter().chain(performed).filter(|access| !is_end(access)) {
            changed |= self.note_part(access);
            if is_more && is_plain_read(access) && self.leave_out(access.location) {
                continue;
            }
            match first {
                None => first = Some(access),
                Some(first) => changed |= self.unite(Part::of(first), Part::of(access)),
            }
        }
        let Some(first) = first.filter(|_| waits || choices > 1) else { return changed };
        let root = self.root(Part::of(first));
        let is_ordered = self.ordered[root.index()];
        // Whatever it accesses besides is one with it, and so ordered.
        match (waits_for(first), adds_once(first)) {
            (Some(condition), _) if choices == 1 => changed | !is_ordered & self.latches.add(root.index(), condition),
            (_, Some(condition)) if choices == 1 => changed | !is_ordered & self.shares.add(root.index(), condition),
            _ => changed | self.order(root),
        }
    }

    /// Takes note of how units are accessed; whether some unit is a sum now and was none, or the other way round.
    fn use_all<'a>(&mut self, accesses: impl Iterator<Item = &'a Access>) -> bool {
        let mut changed = false;
        for access in accesses.filter(|access| !is_end(access)) {
            let root = self.root(Part::of(access));
            let usage = &mut self.usage[root.index()];
            let before = *usage;
            usage.is_accessed = true;
            usage.is_added_to |= only_adds(access);
            usage.otherwise |= !only_looks(access) && !only_adds(access);
            changed |= before.is_accessed && before.is_sum() != usage.is_sum();
        }
        changed
    }

    /// Whether it is known that units are accessed as by this access.
    fn is_used(&self, access: &Access) -> bool {
        let usage = self.usage[self.root(Part::of(access)).index()];
        usage.is_accessed
            && match only_adds(access) {
                true => usage.is_added_to,
                false => only_looks(access) || usage.otherwise,
            }
    }

    /// Whether a unit is a sum.
    pub(super) fn is_sum(&self, unit: Unit) -> bool {
        !self.ordered[unit.index()] && self.usage[unit.index()].is_sum()
    }

    /// Whether nothing is to be learnt from an operation that is this access alone. Nearly always.
    fn is_nothing_new(&self, access: &Access) -> bool {
        let at = access.location.index();
        let parts = self.parts.get(at);
        parts.is_some_and(|parts| parts.contains(&access.bytes.0))
            && (is_plain_read(access) || self.beside[at] == Beside::Counts)
            && (!access.may_block() || self.is_awaited(access))
            && !is_message(access)
            && !is_end(access)
    }

    /// Whether it is known that what this access waits for is waited for.
    fn is_awaited(&self, access: &Access) -> bool {
        let root = self.root(Part::of(access)).index();
        self.ordered[root]
            || waits_for(access).is_some_and(|condition| self.latches.knows(root, condition))
            || adds_once(access).is_some_and(|condition| self.shares.knows(root, condition))
    }

    /// Makes room for the location of an access, and takes note of it if it may be changed; whether it had been left
    /// out of account.
    fn note_change(&mut self, access: &Access) -> bool {
        self.grow(access.location);
        let beside = &mut self.beside[access.location.index()];
        !is_plain_read(access) && !is_end(access) && std::mem::replace(beside, Beside::Counts) == Beside::LeftOut
    }

    /// Leaves a location that is read besides others out of account, unless it is changed.
    fn leave_out(&mut self, location: Location) -> bool {
        let beside = &mut self.beside[location.index()];
        if *beside == Beside::Unknown {
            *beside = Beside::LeftOut;
        }
        *beside == Beside::LeftOut
    }

    /// What the unit of an operation is about: the first access that is not left out of account.
    pub(super) fn primary<'a>(&self, mut accesses: impl Iterator<Item = &'a Access>) -> Option<&'a Access> {
        let first = accesses.next()?;
        let is_left_out =
            |access: &Access| is_plain_read(access) && self.beside[access.location.index()] == Beside::LeftOut;
        if is_left_out(first) { accesses.find(|access| !is_left_out(access)).or(Some(first)) } else { Some(first) }
    }

    fn grow(&mut self, location: Location) {
        while self.parts.len() <= location.index() {
            for _ in 0..Part::PER_LOCATION {
                let part = Part(self.parent.len() as u32);
                self.parent.push(part);
                self.next.push(part);
                self.ordered.push(false);
                self.usage.push(Usage::default());
            }
            self.parts.push(SmallVec::new());
            self.beside.push(Beside::Unknown);
        }
    }

    fn note_part(&mut self, access: &Access) -> bool {
        let Access { location, bytes, .. } = *access;
        let parts = &mut self.parts[location.index()];
        if parts.contains(&bytes.0) {
            return false;
        }
        let others: SmallVec<[u8; 8]> = parts.iter().copied().filter(|part| part & bytes.0 != 0).collect();
        parts.push(bytes.0);
        // What overlaps is no member any more.
        let mut changed = !others.is_empty();
        for other in others {
            changed |= self.unite(Part::new(location, Bytes(other)), Part::of(access));
            changed |= self.order(Part::of(access));
        }
        changed
    }

    fn order(&mut self, part: Part) -> bool {
        let root = self.root(part);
        !std::mem::replace(&mut self.ordered[root.index()], true)
    }

    fn unite(&mut self, one: Part, other: Part) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return false;
        }
        self.parent[one.max(other).index()] = one.min(other);
        self.next.swap(one.index(), other.index());
        self.ordered[one.min(other).index()] = true;
        true
    }

    fn root(&self, mut part: Part) -> Part {
        while self.parent[part.index()] != part {
            part = self.parent[part.index()];
        }
        part
    }

    /// Orders a unit.
    pub(super) fn be_ordered(&mut self, unit: Unit) {
        self.order(Part(unit.0));
    }

    /// Whether a unit is ordered.
    pub(super) fn is_one_ordered(&self, unit: Unit) -> bool {
        self.ordered[unit.index()]
    }

    /// Whether what an access touches is part of an ordered unit.
    pub(super) fn is_ordered(&self, access: &Access) -> bool {
        self.ordered[self.root(Part::of(access)).index()]
    }

    /// The unit that an access touches.
    pub(super) fn of(&self, access: &Access) -> Unit {
        Unit(self.root(Part::of(access)).0)
    }

    /// The last event before `limit` that changed `unit`.
    pub(super) fn last_writer(&self, trace: &Trace, unit: Unit, limit: usize) -> Option<EventId> {
        let root = Part(unit.0);
        if let Some(part) = root.of_member() {
            return trace.last_change(part.location(), limit, |bytes| Part::new(part.location(), bytes) == part);
        }
        let mut last = None;
        let mut part = root;
        loop {
            let location = part.location();
            let is_of_it = |bytes| self.root(Part::new(location, bytes)) == root;
            last = last.max(trace.last_change(location, limit, is_of_it));
            part = self.next[part.index()];
            if part == root {
                return last;
            }
        }
    }
}

/// Whether it does nothing but read, at once.
pub(super) fn is_plain_read(access: &Access) -> bool {
    matches!((access.effect, access.when), (Effect::Read, Condition::Always))
}

/// Whether it reads, perhaps once something is there.
fn only_looks(access: &Access) -> bool {
    is_plain_read(access) || waits_for(access).is_some()
}

/// Whether it adds without a result, perhaps once something is there.
fn only_adds(access: &Access) -> bool {
    access.class_anywhere() == Some(Class::Add) || adds_once(access).is_some()
}

fn is_message(access: &Access) -> bool {
    matches!(access.effect, Effect::Send(_) | Effect::Receive(_))
}
