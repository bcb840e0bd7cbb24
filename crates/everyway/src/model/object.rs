//! Objects that threads share, and how an object finds its state in the current execution.
//!
//! An object is a value of the program - an atomic, a mutex - with a [`Handle`] in it. On its first use in an
//! execution, it is given a location there; the handle remembers the location together with the execution's epoch, and
//! travels with the object when it is moved. So constructors stay `const`.

use super::exposed::{self, Number, Pointer};
use super::kind::Kind;
use super::mailbox::Mailbox;
use super::names::Name;
use super::statics;
use super::turns::Turn;
use super::{CodeSite, Inner, Model};
use crate::alloc::{freed, is_unable};
use everyway_runtime::{Location, ThreadId, Waiters};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a location is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The object at this index.
    Object(usize),
    /// The token of a thread, which wakes it from a condition variable or a park.
    Token(ThreadId),
}

impl Named {
    pub(crate) fn of(location: Location) -> Self {
        match location.0 & 1 {
            0 => Named::Object(location.index() / 2),
            _ => Named::Token(ThreadId(location.0 / 2)),
        }
    }

    pub(crate) fn location(self) -> Location {
        match self {
            Named::Object(index) => Location::new(index * 2),
            Named::Token(thread) => Location(thread.0 * 2 + 1),
        }
    }
}

/// The state of an object in the current execution.
#[derive(Debug, Default)]
pub(crate) struct Object {
    /// The execution that the rest is about.
    pub(super) epoch: u64,
    /// Where it lies, if it is a value of the program.
    pub(super) address: Option<usize>,
    /// The object that lies at the same place after this one.
    pub(super) next_here: Option<usize>,
    /// If this is the first one at its place: the last one that was met there.
    pub(super) latest_here: Option<usize>,
    /// What it is: `Mutex`.
    pub(crate) kind: Kind,
    pub(crate) value: u64,
    /// What it was when it was met.
    pub(crate) initial: u64,
    /// Whether a panic unwound past a guard of it, if it is a lock and the poison comes with it ([`super::poison`]).
    pub(crate) poisoned: bool,
    /// Who waits on it, if it is a condition variable.
    pub(crate) waiters: Waiters,
    /// What has been done to it.
    pub(super) turn: Turn,
    /// How many rounds threads have arrived for, if it is a barrier.
    pub(crate) rounds: usize,
    /// The messages in it, if it is a mailbox.
    pub(crate) mailbox: Option<Box<Mailbox>>,
}

impl Inner {
    pub(crate) fn object(&self, location: Location) -> &Object {
        &self.objects[location.index() / 2]
    }

    pub(crate) fn object_mut(&mut self, location: Location) -> &mut Object {
        debug_assert!(matches!(Named::of(location), Named::Object(_)));
        &mut self.objects[location.index() / 2]
    }

    pub(super) fn meet(&mut self, index: usize, kind: Kind, value: u64) {
        let object = &mut self.objects[index];
        object.epoch = self.epoch;
        object.latest_here = None;
        object.address = None;
        object.kind = kind;
        object.value = value;
        object.initial = value;
        object.turn = Turn::default();
        object.poisoned = false;
        object.waiters.clear();
        object.rounds = 0;
        if kind != Kind::Channel {
            object.mailbox = None;
        }
        self.note_met(Named::Object(index).location());
    }

    /// The location of a barrier's round with this number, which is the next one at most.
    pub(crate) fn round(&mut self, barrier: Location, number: usize) -> Location {
        let round = self.named_object(Name::Round(barrier, number), Kind::Round, 0);
        let barrier = self.object_mut(barrier);
        barrier.rounds = barrier.rounds.max(number + 1);
        round
    }
}

/// The link from an object to its state. 0: it has not been used yet.
#[derive(Debug)]
pub(crate) struct Handle {
    stamp: AtomicU64,
}

/// How many bits of a stamp are the object's index; the rest are the epoch.
const INDEX_BITS: u32 = 26;

/// The stamp of an atomic that the program has a pointer to; the rest of the bits are the pointer's number.
const EXPOSED: u64 = 1 << 63;

/// The stamp of a static whose initial value has been saved, in an epoch that no execution has.
const SAVED: u64 = 1;

impl Handle {
    pub(crate) const fn new() -> Self {
        Self { stamp: AtomicU64::new(0) }
    }

    /// The link of what stands for memory that the program has this pointer to.
    pub(crate) fn standing_for(pointer: Pointer) -> Self {
        Self { stamp: AtomicU64::new(EXPOSED | exposed::number_of(pointer).0) }
    }

    /// The location of the object in the model's current execution, for what is done at this place; it is of this kind
    /// and, if it is used there for the first time, holds `initial`.
    #[inline]
    pub(crate) fn location(
        &self,
        model: &Model,
        kind: Kind,
        caller: CodeSite,
        initial: impl FnOnce() -> u64,
    ) -> Location {
        let address = (&raw const *self).addr();
        if let Some(moment) = freed(address) {
            model.use_after_free(kind, moment, caller);
        }
        let stamp = self.stamp.load(Ordering::Relaxed);
        let mut state = model.state();
        if stamp >> INDEX_BITS == state.epoch {
            let location = Named::Object((stamp & ((1 << INDEX_BITS) - 1)) as usize).location();
            // It may have been moved since it was met: its name stays, but what it lies in is another allocation.
            state.object_mut(location).address = Some(address);
            return location;
        }
        drop(state);
        self.new_location(model, kind, caller, initial)
    }

    /// [`location`](Self::location) of an object that has none yet in the current execution that its stamp tells of.
    #[inline(never)]
    fn new_location(&self, model: &Model, kind: Kind, caller: CodeSite, initial: impl FnOnce() -> u64) -> Location {
        match self.exposed() {
            None => self.register(&mut model.state(), kind, initial),
            Some(number) => self.exposed_location(model, exposed::pointer(number), kind, caller, initial),
        }
    }

    /// [`location`](Self::location) for an atomic that the program has a pointer to.
    #[cold]
    fn exposed_location(
        &self,
        model: &Model,
        pointer: Pointer,
        kind: Kind,
        caller: CodeSite,
        initial: impl FnOnce() -> u64,
    ) -> Location {
        let here = (&raw const *self).addr();
        if pointer.home.is_some_and(|home| home != here) {
            return self.moved_location(model, pointer, kind, initial);
        }
        if let Some(moment) = freed(pointer.address) {
            model.use_after_free(kind, moment, caller);
        }
        model.refuse_mixed(pointer, kind);
        let mut state = model.state();
        if let Some(location) = state.exposure.at(pointer.address) {
            state.object_mut(location).address = Some(pointer.home.unwrap_or(pointer.address));
            return location;
        }
        let location = match pointer.home {
            Some(_) => self.place(&mut state, kind, initial),
            None => state.place_object(pointer.address, kind, initial()),
        };
        let value = state.value(location);
        state.exposure.insert(pointer, location, value);
        location
    }

    /// The location of an atomic that was moved, so that pointers to its old place are invalid.
    fn moved_location(&self, model: &Model, pointer: Pointer, kind: Kind, initial: impl FnOnce() -> u64) -> Location {
        let mut state = model.state();
        match state.exposure.remove(pointer.address) {
            Some(location) => {
                self.set_stamp(state.epoch, location);
                location
            }
            None => self.register(&mut state, kind, initial),
        }
    }

    /// The number of the pointer that the program has to the atomic.
    #[inline]
    pub(crate) fn exposed(&self) -> Option<Number> {
        let stamp = self.stamp.load(Ordering::Relaxed);
        (stamp & EXPOSED != 0).then_some(Number(stamp & !EXPOSED))
    }

    /// Where the memory is that this stands for, if it is not its own.
    pub(crate) fn stands_for(&self) -> Option<usize> {
        let pointer = exposed::pointer(self.exposed()?);
        pointer.home.is_none().then_some(pointer.address)
    }

    /// From now on, the program has a pointer to the memory of the atomic.
    pub(crate) fn expose(&self, pointer: Pointer, caller: CodeSite) {
        let pointer = Pointer { home: Some((&raw const *self).addr()), ..pointer };
        super::with(|model| {
            let state = model.state();
            let stamp = self.stamp.load(Ordering::Relaxed);
            if stamp >> INDEX_BITS == state.epoch {
                let location = Named::Object((stamp & ((1 << INDEX_BITS) - 1)) as usize).location();
                drop(state);
                model.expose(pointer, location, caller);
            }
        });
        self.stamp.store(EXPOSED | exposed::number_of(pointer).0, Ordering::Relaxed);
    }

    fn register(&self, state: &mut Inner, kind: Kind, initial: impl FnOnce() -> u64) -> Location {
        let location = self.place(state, kind, initial);
        match state.exposure.home(location) {
            None => self.set_stamp(state.epoch, location),
            Some(pointer) => self.stamp.store(EXPOSED | exposed::number_of(pointer).0, Ordering::Relaxed),
        }
        location
    }

    /// A location for the object, which has none yet in the current execution that its stamp tells of.
    fn place(&self, state: &mut Inner, kind: Kind, initial: impl FnOnce() -> u64) -> Location {
        let address = (&raw const *self).addr();
        let is_static = statics::is_static(address);
        // Tests run in parallel: another model may have put its stamp over ours.
        if is_static && let Some(&location) = state.statics.get(&address) {
            return location;
        }
        let value = if is_static { self.initial_of_static(initial) } else { initial() };
        if !is_static && let Some(why) = is_unable() {
            state.refuse_on_heap(address, kind, why);
        }
        let location = state.place_object(address, kind, value);
        if is_static {
            state.statics.insert(address, location);
        }
        location
    }

    fn set_stamp(&self, epoch: u64, location: Location) {
        let index = (location.index() / 2) as u64;
        assert!(index < 1 << INDEX_BITS, "everyway: more than {} objects", 1 << INDEX_BITS);
        self.stamp.store(epoch << INDEX_BITS | index, Ordering::Relaxed);
    }

    /// To be called before the object's value changes outside of a model: saves the value of a static, which
    /// models start with.
    pub(crate) fn before_outside_use(&self, initial: impl FnOnce() -> u64) {
        if self.stamp.load(Ordering::Relaxed) == 0 && statics::is_static((&raw const *self).addr()) {
            self.initial_of_static(initial);
            self.stamp.store(SAVED, Ordering::Relaxed);
        }
    }

    /// The value that a static had when the program started. The bytes that are saved for it are those of
    /// the value, under the handle's address.
    fn initial_of_static(&self, initial: impl FnOnce() -> u64) -> u64 {
        let now: [MaybeUninit<u8>; 8] = initial().to_ne_bytes().map(MaybeUninit::new);
        statics::initial_bytes((&raw const *self).addr(), &now, |saved| {
            let mut bytes = [0; 8];
            for (byte, saved) in bytes.iter_mut().zip(saved) {
                // SAFETY: saved from `now`, which was initialised.
                *byte = unsafe { saved.assume_init() };
            }
            u64::from_ne_bytes(bytes)
        })
    }

    /// Forgets the link: the object starts over with the value it is found to have.
    pub(crate) fn detach(&mut self) {
        if let Some(number) = self.exposed() {
            let address = exposed::pointer(number).address;
            super::with(|model| model.state().exposure.remove(address));
        }
        *self.stamp.get_mut() = 0;
    }
}
