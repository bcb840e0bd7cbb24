//! Atomics whose memory the program has a pointer to: what `from_ptr` makes of a pointer, and what was asked for `as_ptr`.
//!
//! The value of an atomic is in the model; accesses through a pointer read and write memory. So a step that writes also writes to
//! memory, and before each step memory is compared: if it is not what was written last, the program has written it in
//! between, and that counts as a write of the thread that notices. The language requires such accesses to be ordered with all
//! others, so a read of memory is one of the newest write, and no thread can tell which others have noticed. This is not checked.
//!
//! Where reads are told their sources, steps do not come in the order of the writes. They do if every store is ordered with all
//! other writes by what happens before it: read-modify-writes come after what they read. Other programs are refused
//! there, and so are those that write to memory themselves after an atomic access.

use super::kind::Kind;
use super::names::Name;
use super::races::Mode;
use super::statics::is_static;
use super::{CodeSite, Ended, Failure, Label, Model, Outcome, Pending, detail::Detail};
use everyway_report::BugKind;
use everyway_runtime::{Access, Effect, Location, Operation, Ordering, Verb};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// What cannot be done where reads are told their sources.
const STORES: &str = "stores to the memory of an atomic that others write, too, in no order (`from_ptr`, `as_ptr`)";
const LATE: &str = "`as_ptr` of an atomic that has been used";
const PLAIN: &str = "plain writes to the memory of an atomic after it was used (`from_ptr`, `as_ptr`)";

/// How values are read from memory and written there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    pub(crate) size: usize,
    pub(crate) read: fn(usize) -> u64,
    pub(crate) write: fn(usize, u64),
}

/// A pointer that the program has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointer {
    pub(crate) address: usize,
    /// Where the link of the atomic lay whose memory this is, unless the pointer is all that there is.
    pub(crate) home: Option<usize>,
    pub(crate) memory: Memory,
}

/// Which pointer a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number(pub(crate) u64);

/// The pointers of all models, which last: links remember their numbers.
#[derive(Default)]
struct Pointers {
    all: Vec<Pointer>,
    numbers: FxHashMap<(usize, Option<usize>, usize), Number>,
    /// What stands for memory, by its address and what it is called.
    stand_ins: FxHashMap<(usize, &'static str), usize>,
}

static POINTERS: LazyLock<Mutex<Pointers>> = LazyLock::new(Mutex::default);

fn pointers() -> MutexGuard<'static, Pointers> {
    POINTERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `f`, whose allocations are not the program's.
fn unnamed<R>(f: impl FnOnce() -> R) -> R {
    let mut f = Some(f);
    let inside = super::with(|model| f.take().map(|f| model.unnamed(f))).flatten();
    match (inside, f) {
        (Some(result), _) => result,
        (None, Some(f)) => f(),
        (None, None) => unreachable!("it is called where it is taken"),
    }
}

/// The number of this pointer.
pub(crate) fn number_of(pointer: Pointer) -> Number {
    unnamed(|| {
        let mut pointers = pointers();
        let Pointers { all, numbers, .. } = &mut *pointers;
        *numbers.entry((pointer.address, pointer.home, pointer.memory.write as usize)).or_insert_with(|| {
            all.push(pointer);
            Number(all.len() as u64 - 1)
        })
    })
}

/// The pointer of this number.
pub(super) fn pointer(number: Number) -> Pointer {
    pointers().all[number.0 as usize]
}

/// The address of what stands for the memory at `address` as something of this name, which is made if there is none. It lasts.
pub(crate) fn stand_in<T>(address: usize, name: &'static str, make: impl FnOnce() -> T) -> *const T {
    let known = pointers().stand_ins.get(&(address, name)).copied();
    let place = known.unwrap_or_else(|| {
        unnamed(|| {
            let made: *const T = Box::leak(Box::new(make()));
            let place = made.expose_provenance();
            *pointers().stand_ins.entry((address, name)).or_insert(place)
        })
    });
    std::ptr::with_exposed_provenance(place)
}

/// An atomic of the current execution that is in memory, too.
#[derive(Clone, Copy, Debug)]
struct Exposed {
    location: Location,
    pointer: Pointer,
    /// What memory is known to hold,
    known: u64,
    /// and what it held at first.
    initial: u64,
}

/// Those of the current execution, by address.
#[derive(Debug, Default)]
pub(crate) struct Exposure(std::collections::BTreeMap<usize, Exposed>);

impl Exposure {
    /// Forgets the execution. Statics hold again what they held before it.
    pub(super) fn reset(&mut self) {
        for (address, exposed) in std::mem::take(&mut self.0) {
            if is_static(address) {
                (exposed.pointer.memory.write)(address, exposed.initial);
            }
        }
    }

    /// Whether there is nothing exposed.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The atomic at this address.
    pub(super) fn at(&self, address: usize) -> Option<Location> {
        Some(self.0.get(&address)?.location)
    }

    /// The pointer to this atomic, if there is one to where it is at home.
    #[inline]
    pub(super) fn home(&self, location: Location) -> Option<Pointer> {
        if self.0.is_empty() {
            return None;
        }
        let exposed = self.0.values().find(|exposed| exposed.location == location && exposed.pointer.home.is_some())?;
        Some(exposed.pointer)
    }

    pub(super) fn remove(&mut self, address: usize) -> Option<Location> {
        Some(self.0.remove(&address)?.location)
    }

    pub(super) fn insert(&mut self, pointer: Pointer, location: Location, initial: u64) {
        self.0.insert(pointer.address, Exposed { location, pointer, known: initial, initial });
    }

    /// Whether part of this memory is in use with another size.
    fn is_mixed(&self, pointer: Pointer) -> bool {
        let end = pointer.address + pointer.memory.size;
        let last = self.0.range(..end).next_back();
        last.is_some_and(|(&start, other)| {
            let size = other.pointer.memory.size;
            start + size > pointer.address && (start, size) != (pointer.address, pointer.memory.size)
        })
    }
}

impl Model {
    /// Fails if part of this memory is in use with another size.
    pub(super) fn refuse_mixed(&self, pointer: Pointer, kind: Kind) {
        if self.state().exposure.is_mixed(pointer) {
            let message =
                format!("the {kind} at this address overlaps with one of another size, which is not modelled");
            self.fail(Failure::new(BugKind::Misuse, message));
        }
    }

    /// The program is given a pointer to an atomic that has been used: from now on, memory holds what it does.
    pub(super) fn expose(&self, pointer: Pointer, location: Location, caller: CodeSite) {
        if self.is_told() {
            self.end(Ended::Refused(LATE, caller));
        }
        let mut state = self.state();
        if !state.tearing_down && !state.on_trial {
            let (initial, value) = ((pointer.memory.read)(pointer.address), state.value(location));
            (pointer.memory.write)(pointer.address, value);
            state.exposure.0.insert(pointer.address, Exposed { location, pointer, known: value, initial });
        }
    }

    /// Carries out an access to an atomic that is in memory, too.
    #[cold]
    pub(crate) fn perform_exposed(&self, number: Number, access: Access, label: Label) -> Outcome {
        if self.is_told() {
            self.needs(Detail::Synchronisation);
        }
        let pointer = pointer(number);
        self.notice_plain_write(pointer, access.location, label);
        let outcome = self.perform_access(access, label);
        let writes = match access.effect {
            Effect::Read => false,
            Effect::Write(_) => outcome.changed,
            _ => true,
        };
        if writes {
            self.write_through(pointer, access, label);
        }
        outcome
    }

    fn write_through(&self, pointer: Pointer, access: Access, label: Label) {
        let mut state = self.state();
        if state.on_trial || state.tearing_down {
            return;
        }
        let after = state.value(access.location);
        (pointer.memory.write)(pointer.address, after);
        if let Some(exposed) = state.exposure.0.get_mut(&pointer.address) {
            exposed.known = after;
        }
        if !self.is_told() {
            return;
        }
        let order = state.named_object(Name::Memory(access.location), Kind::Unknown, 0);
        let mode = if matches!(access.effect, Effect::Store(_)) { Mode::Write } else { Mode::Read };
        let is_unordered = state.access_cell(order, mode, label.caller).is_some();
        drop(state);
        if is_unordered {
            self.end(Ended::Refused(STORES, label.caller));
        }
    }

    /// If memory is not what was written last, something else was written in between.
    fn notice_plain_write(&self, pointer: Pointer, location: Location, label: Label) {
        let now = (pointer.memory.read)(pointer.address);
        let mut state = self.state();
        if state.on_trial || state.tearing_down {
            return;
        }
        let Some(exposed) = state.exposure.0.get_mut(&pointer.address) else { return };
        if exposed.known == now {
            return;
        }
        exposed.known = now;
        if self.is_told() {
            drop(state);
            return self.end(Ended::Refused(PLAIN, label.caller));
        }
        let write = Access::new(location, Effect::Store(now)).ordered(Ordering::Relaxed);
        let pending = Pending::new(Operation::one(write), Label { verb: Verb::Store, ..label });
        state.carry_out_besides(&pending);
    }
}
