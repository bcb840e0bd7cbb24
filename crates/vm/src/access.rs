//! Accesses to memory: those that other threads can notice are announced, the others are carried out at once.

mod bulk;
mod modify;

pub(crate) use modify::modification;

use crate::arithmetic::Lanes;
use crate::cell::{Cell, mask};
use crate::code::Operand;
use crate::failure::Failure;
use crate::ids::{ObjectId, SyncId};
use crate::interpret::{Run, undecided};
use crate::machine::Machine;
use crate::memory::{MemoryFault, Origin, Owner, Part, parts};
use crate::sync::Queue;
use crate::thread::Phase;
use everyway_driver::Orderings;
use everyway_ir::RmwOp;
use everyway_runtime::{
    Access, Bytes, Choices, Condition, Effect, Location, Manner, Ordering, Special, ThreadId, Verb, Waiting,
};
use smallvec::SmallVec;

/// Whether the thread goes on, or waits for the engine to carry out what it has announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Went {
    On,
    Announced,
}

/// An operation that is to be announced.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) accesses: SmallVec<[Access; 2]>,
    pub(crate) joins: Option<ThreadId>,
    pub(crate) choices: Choices<Queue>,
    pub(crate) special: Special<Queue>,
    /// The synchronisation object that it uses: which it must be possible to use, when it is carried out.
    pub(crate) uses: Option<SyncId>,
    pub(crate) verb: Verb,
    /// On what.
    pub(crate) address: u64,
    /// The stage at which a modelled function goes on.
    pub(crate) stage: u8,
}

impl Request {
    pub(crate) fn new(verb: Verb, address: u64) -> Self {
        let (choices, special) = (Choices::One, Special::None);
        Self { accesses: SmallVec::new(), joins: None, choices, special, uses: None, verb, address, stage: 1 }
    }

    pub(crate) fn stage(self, stage: u8) -> Self {
        Self { stage, ..self }
    }

    pub(crate) fn special(self, special: Special<Queue>) -> Self {
        Self { special, ..self }
    }

    pub(crate) fn with(mut self, access: Access) -> Self {
        self.accesses.push(access);
        self
    }
}

/// An access to a part of a word.
pub(crate) fn part_access(location: Location, part: Part, effect: Effect, ordering: Ordering) -> Access {
    Access { bytes: Bytes(part.byte_mask()), ..Access::new(location, effect).ordered(ordering) }
}

/// What an access to memory is called, and how it is ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    pub(crate) verb: Verb,
    pub(crate) ordering: Ordering,
}

impl Mode {
    pub(crate) fn plain(verb: Verb) -> Self {
        Self { verb, ordering: Ordering::Plain }
    }

    fn load(ordering: Ordering) -> Self {
        Self { verb: if ordering.is_atomic() { Verb::Load } else { Verb::Read }, ordering }
    }

    fn store(ordering: Ordering) -> Self {
        Self { verb: if ordering.is_atomic() { Verb::Store } else { Verb::Write }, ordering }
    }
}

/// Objects of more than this many bytes have a location for their life, which every access to them reads;
/// the end of a smaller one is a write to all of its words.
pub(crate) const LARGE: u64 = 256;

impl Machine {
    /// Whether other threads can notice that `thread` accesses the object.
    #[inline(always)]
    pub(crate) fn is_visible(&self, thread: ThreadId, object: ObjectId) -> bool {
        let state = &self.memory.object(object).state;
        if self.started <= 1 || state.owner == Owner::Thread(thread) {
            return false;
        }
        if state.unobserved {
            self.use_unobserved(thread);
        }
        !(state.constant | state.unobserved)
    }

    /// Whether all that other threads have done happens before what `thread` does now, until it starts another one: it
    /// has joined them all. So no thread can notice that it ends an object, which is an access to many locations at once
    /// otherwise.
    pub(crate) fn is_alone(&self, thread: ThreadId) -> bool {
        let joined = self.threads[thread].core.joined;
        let has_joined = |other: ThreadId| other.0 < u64::BITS && joined >> other.0 & 1 == 1;
        let mut others = self.threads.ids().filter(|&other| other != thread);
        others.all(|other| self.threads[other].core.phase == Phase::Unborn || has_joined(other))
    }

    /// The object and offset of an access through `pointer`.
    #[inline(always)]
    pub(crate) fn follow(&self, pointer: Cell, size: u64) -> Result<(ObjectId, u64), Failure> {
        if !pointer.is_defined() {
            return Err(undecided("an address"));
        }
        match self.memory.locate(pointer.bits, size) {
            Ok(found) => Ok(found),
            Err(fault) => Err(self.memory_failure(fault)),
        }
    }

    /// [`Machine::follow`] for an access that is announced if others can notice it. That its object is gone by then
    /// is found when the access is carried out: who ended it may come before or after, and only then is it known.
    #[inline(always)]
    pub(crate) fn reach(&self, thread: ThreadId, pointer: Cell, size: u64) -> Result<(ObjectId, u64), Failure> {
        if !pointer.is_defined() {
            return Err(undecided("an address"));
        }
        match self.memory.locate(pointer.bits, size) {
            Ok(found) => Ok(found),
            Err(fault) => self.reach_dead(thread, size, fault),
        }
    }

    #[cold]
    fn reach_dead(&self, thread: ThreadId, size: u64, fault: MemoryFault) -> Result<(ObjectId, u64), Failure> {
        match fault {
            MemoryFault::Dead { object, offset }
                if self.is_visible(thread, object) && self.memory.holds(object, offset, size) =>
            {
                Ok((object, offset))
            }
            _ => Err(self.memory_failure(fault)),
        }
    }

    #[inline(always)]
    pub(crate) fn load(
        &mut self,
        run: &mut Run<'_>,
        to: u32,
        address: Operand,
        size: u8,
        ordering: Ordering,
    ) -> Result<Went, Failure> {
        let (object, offset) = self.reach(run.thread, run.registers.get(address), size.into())?;
        if self.is_visible(run.thread, object) {
            if !run.granted {
                let mode = Mode::load(ordering);
                self.announce_access(run.thread, (object, offset), size.into(), |_| Effect::Read, mode);
                return Ok(Went::Announced);
            }
            run.granted = false;
        }
        let low = self.memory.read(object, offset, u32::from(size).min(8));
        run.registers.set(to, low);
        if size > 8 {
            let high = self.memory.read(object, offset + 8, u32::from(size) - 8);
            run.registers.set(to + 1, high);
        }
        Ok(Went::On)
    }

    #[inline(always)]
    pub(crate) fn store(
        &mut self,
        run: &mut Run<'_>,
        address: Operand,
        value: Operand,
        size: u8,
        ordering: Ordering,
    ) -> Result<Went, Failure> {
        let (object, offset) = self.reach(run.thread, run.registers.get(address), size.into())?;
        let low = run.registers.get(value);
        let high = if size > 8 { run.registers.get(value.high()) } else { Cell::new(0) };
        if self.is_visible(run.thread, object) {
            if !run.granted {
                let effect = |part: Part| Effect::Store(piece(low, high, part));
                self.announce_access(run.thread, (object, offset), size.into(), effect, Mode::store(ordering));
                return Ok(Went::Announced);
            }
            run.granted = false;
            // The engine has written the bits, and made all of them defined.
            if low.undef | high.undef != 0 {
                self.write_wide(object, offset, size.into(), low, high);
            }
        } else {
            if self.memory.object(object).state.constant {
                return Err(self.memory_failure(MemoryFault::Constant { object }));
            }
            self.write_wide(object, offset, size.into(), low, high);
        }
        if size >= 8 {
            self.note_pointer(object, low);
            self.note_pointer(object, high);
        }
        Ok(Went::On)
    }

    /// A fence. It is a step only where reads are told what they see, which depends on it.
    pub(crate) fn fence(&mut self, run: &mut Run<'_>, ordering: Ordering) -> Went {
        self.meet_ordering(ordering);
        if self.is_told() && self.started > 1 && !std::mem::take(&mut run.granted) {
            self.announce(run.thread, &mut Request::new(Verb::Fence, 0));
            self.threads[run.thread].operation.fence = Some(ordering);
            return Went::Announced;
        }
        self.note_fence(run.thread, ordering);
        Went::On
    }

    /// Ends the execution if there should be no ordering as weak as this one.
    #[inline]
    fn meet_ordering(&mut self, ordering: Ordering) {
        let assumed = self.settings.rules.orderings == Orderings::AssumedSeqCst;
        let ordering = self.as_meant(ordering);
        if assumed && ordering.is_atomic() && ordering != Ordering::SeqCst && self.started > 1 {
            self.has_weak_ordering = true;
            self.failures.push(Failure::unsupported(format!("the ordering {ordering}, where all should be seq_cst")));
        }
    }

    /// The ordering of an access. Where data races are no failures, nothing is undefined: an access that is not atomic reads and
    /// writes as one that is.
    #[inline]
    fn as_meant(&self, ordering: Ordering) -> Ordering {
        match ordering {
            Ordering::Plain if !self.settings.races => Ordering::Relaxed,
            _ => ordering,
        }
    }

    /// The ordering of an access as the engine is told.
    #[inline]
    fn as_announced(&self, ordering: Ordering) -> Ordering {
        if self.is_told() { self.as_meant(ordering) } else { ordering }
    }

    /// Announces an access to a few bytes.
    fn announce_access(
        &mut self,
        thread: ThreadId,
        at: (ObjectId, u64),
        size: u64,
        effect: impl Fn(Part) -> Effect,
        mode: Mode,
    ) {
        let (object, offset) = at;
        let mode = Mode { ordering: self.as_announced(mode.ordering), ..mode };
        self.meet_ordering(mode.ordering);
        if self.has_sections() || self.has_lifetime(object) || self.is_split(mode.ordering) {
            let mut request = self.access_request(at, size, effect, mode);
            return self.announce(thread, &mut request);
        }
        // Nearly always, so in place.
        self.threads[thread].operation.clear();
        for part in parts(offset, size) {
            let location = self.location(object, part.granule);
            self.threads[thread].operation.accesses.push(part_access(location, part, effect(part), mode.ordering));
        }
        self.threads[thread].operation.verb = mode.verb;
        self.threads[thread].core.announce(crate::memory::address_of(object) + offset);
        self.meet_commuting(thread);
    }

    /// An access to a few bytes, as an operation.
    pub(crate) fn access_request(
        &mut self,
        (object, offset): (ObjectId, u64),
        size: u64,
        effect: impl Fn(Part) -> Effect,
        mode: Mode,
    ) -> Request {
        let mode = Mode { ordering: self.as_announced(mode.ordering), ..mode };
        let mut request = Request::new(mode.verb, crate::memory::address_of(object) + offset);
        self.hold(object, &mut request, mode.ordering);
        let at_once = if self.is_split(mode.ordering) { 1 } else { 8 };
        for part in parts(offset, size).flat_map(|part| part.pieces(at_once)) {
            let location = self.location(object, part.granule);
            request.accesses.push(part_access(location, part, effect(part), mode.ordering));
        }
        request
    }

    /// Makes an operation on an object depend on its being alive, where its accesses do not do that anyway. Where
    /// reads are told what they see, it is not: an access after the end is found when it is carried out, and one that
    /// the end does not wait for is found at the end (`end_object`).
    pub(crate) fn hold(&mut self, object: ObjectId, request: &mut Request, ordering: Ordering) {
        if self.has_lifetime(object) {
            let location = self.lifetime(object);
            // That it is there synchronises nothing.
            let ordering = if ordering.is_atomic() { Ordering::Relaxed } else { Ordering::Plain };
            request.accesses.push(Access::new(location, Effect::Read).ordered(ordering));
        }
    }

    fn has_lifetime(&self, object: ObjectId) -> bool {
        let state = &self.memory.object(object).state;
        state.size > LARGE && ends(state.origin) && !self.is_told()
    }

    /// Announces an operation.
    // The request stays where it is: to move it would be to copy room for several accesses, of which it mostly has one.
    pub(crate) fn announce(&mut self, thread: ThreadId, request: &mut Request) {
        if self.has_sections() {
            self.keep_outside(thread, request);
        }
        let this = &mut self.threads[thread];
        this.core.announce(request.address);
        this.core.uses = request.uses;
        this.core.stage = request.stage;
        this.operation.verb = request.verb;
        this.operation.accesses.clear();
        request.accesses.iter().for_each(|access| this.operation.accesses.push(*access));
        this.operation.joins = request.joins;
        let waiting = Waiting::of(&this.operation);
        this.core.manner = Manner { waiting, choices: request.choices, special: request.special };
        self.meet_commuting(thread);
    }

    pub(crate) fn rmw(
        &mut self,
        run: &mut Run<'_>,
        (op, unused, ordering): (RmwOp, bool, Ordering),
        to: u32,
        address: Operand,
        value: Operand,
        width: u8,
    ) -> Result<Went, Failure> {
        let size = u64::from(width).div_ceil(8);
        let (object, offset) = self.reach(run.thread, run.registers.get(address), size)?;
        let operand = run.registers.get(value);
        let Some(modify) = modification(op, width) else {
            return Err(Failure::unsupported(format!("atomic `{op}` on {width} bits")));
        };
        let old = if self.is_visible(run.thread, object) {
            if !run.granted {
                self.single_word(offset, size)?;
                let commutes = unused && self.settings.commuting_adds && operand.is_defined();
                let effect = |_| match op {
                    RmwOp::Add if commutes => Effect::Add(operand.bits),
                    RmwOp::Sub if commutes => Effect::Add(operand.bits.wrapping_neg()),
                    _ => Effect::Modify(modify, operand.bits),
                };
                self.announce_access(
                    run.thread,
                    (object, offset),
                    size,
                    effect,
                    Mode { verb: modify::verb(op), ordering },
                );
                return Ok(Went::Announced);
            }
            run.granted = false;
            let before = Cell::new(self.outcome.before >> (8 * (offset % 8)) & mask(width.into()));
            if !operand.is_defined() {
                self.write(
                    object,
                    offset,
                    size as u32,
                    Cell { bits: modify(before.bits, operand.bits), undef: mask(width.into()) },
                );
            }
            before
        } else {
            let old = self.memory.read(object, offset, size as u32);
            let undef = if old.is_defined() || op == RmwOp::Xchg { operand.undef } else { mask(width.into()) };
            self.write(object, offset, size as u32, Cell { bits: modify(old.bits, operand.bits), undef });
            old
        };
        self.note_pointer(object, operand);
        run.registers.set(to, old);
        Ok(Went::On)
    }

    pub(crate) fn compare_exchange(
        &mut self,
        run: &mut Run<'_>,
        [to, flag]: [u32; 2],
        address: Operand,
        [expected, new]: [Operand; 2],
        size: u8,
        [success, failure]: [Ordering; 2],
    ) -> Result<Went, Failure> {
        let (object, offset) = self.reach(run.thread, run.registers.get(address), size.into())?;
        let (wanted, value) = (run.registers.get(expected), run.registers.get(new));
        let visible = self.is_visible(run.thread, object);
        if visible && !run.granted {
            self.single_word(offset, size.into())?;
            if !wanted.is_defined() {
                return Err(undecided("a compare-exchange"));
            }
            self.announce_access(
                run.thread,
                (object, offset),
                size.into(),
                |_| Effect::Write(value.bits),
                Mode { verb: Verb::CompareExchange, ordering: success },
            );
            if let Some(access) = self.threads[run.thread].operation.accesses.last_mut() {
                *access = access.if_now(Condition::Equals(wanted.bits));
                access.ordering_unmet = failure;
            }
            self.meet_ordering(failure);
            return Ok(Went::Announced);
        }
        if size > 8 {
            return self.wide_compare_exchange(run, [to, flag], (object, offset), expected, new);
        }
        let (old, equal) = if visible {
            run.granted = false;
            (Cell::new(self.outcome.before >> (8 * (offset % 8)) & mask(8 * u32::from(size))), self.outcome.changed)
        } else {
            let old = self.memory.read(object, offset, size.into());
            if !old.is_defined() || !wanted.is_defined() {
                return Err(undecided("a compare-exchange"));
            }
            if old.bits == wanted.bits {
                self.write(object, offset, size.into(), value);
            }
            (old, old.bits == wanted.bits)
        };
        if equal {
            self.note_pointer(object, value);
        }
        run.registers.set(to, old);
        run.registers.set(flag, Cell::new(u64::from(equal)));
        Ok(Went::On)
    }

    /// A compare-exchange of 16 bytes that no other thread can notice.
    fn wide_compare_exchange(
        &mut self,
        run: &mut Run<'_>,
        [to, flag]: [u32; 2],
        (object, offset): (ObjectId, u64),
        expected: Operand,
        new: Operand,
    ) -> Result<Went, Failure> {
        let old = [self.memory.read(object, offset, 8), self.memory.read(object, offset + 8, 8)];
        let wanted = [run.registers.get(expected), run.registers.get(expected.high())];
        if old.iter().chain(&wanted).any(|cell| !cell.is_defined()) {
            return Err(undecided("a compare-exchange"));
        }
        if old == wanted {
            let (low, high) = (run.registers.get(new), run.registers.get(new.high()));
            self.write_wide(object, offset, 16, low, high);
            self.note_pointer(object, low);
            self.note_pointer(object, high);
        }
        run.registers.set(to, old[0]);
        run.registers.set(to + 1, old[1]);
        run.registers.set(flag, Cell::new(u64::from(old == wanted)));
        Ok(Went::On)
    }

    pub(crate) fn single_word(&self, offset: u64, size: u64) -> Result<(), Failure> {
        if offset % 8 + size <= 8 {
            return Ok(());
        }
        let what = if size > 8 { "to shared memory" } else { "that crosses a multiple of 8" };
        Err(Failure::unsupported(format!("an atomic access of {size} bytes {what} is not supported")))
    }
}

/// Whether an object of this origin can end while the program runs.
pub(crate) fn ends(origin: Origin) -> bool {
    matches!(origin, Origin::Heap(..) | Origin::New(..) | Origin::Stack(..) | Origin::ThreadLocal(_))
}

/// The bytes of a value of up to two lanes that belong to `part`.
pub(crate) fn piece(low: Cell, high: Cell, part: Part) -> u64 {
    let whole = u128::from(low.bits) | u128::from(high.bits) << 64;
    (whole >> (8 * part.at)) as u64 & mask(8 * part.bytes)
}
