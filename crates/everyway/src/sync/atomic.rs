//! [`std::sync::atomic`], as models see it.
//!
//! Orderings and fences mean what they say, in what can be read and in telling data races, as RC11 has them: C++20's
//! model without load buffering. So a relaxed load does not see a store that has not taken place yet, although
//! compilers and some processors allow it in special cases. A compare-exchange does not fail spuriously.

use crate::alloc::lasting;
use crate::model::exposed::{Memory, Pointer, stand_in};
use crate::model::kind::Kind;
use crate::model::object::Handle;
use crate::model::{self, CodeSite, Label, Model, Outcome, Show};
use everyway_runtime::{Access, Condition, Effect, Location, Verb};
use std::fmt;
use std::panic::Location as Caller;
use std::ptr::with_exposed_provenance_mut;
pub use std::sync::atomic::Ordering;

mod fences;
mod pointer;

#[allow(deprecated)]
pub use fences::spin_loop_hint;
pub use fences::{compiler_fence, fence};

/// Carries out one access of a model to the atomic of this handle.
#[inline]
fn perform(model: &Model, handle: &Handle, verb: Verb, show: Show, caller: CodeSite, access: Access) -> Outcome {
    model.meet(access.ordering);
    model.meet(access.ordering_unmet);
    let label = Label { verb, object: Some(access.location), show, caller };
    match handle.exposed() {
        None => model.perform_access(access, label),
        Some(pointer) => model.perform_exposed(pointer, access, label),
    }
}

/// What a word that may be an address is in a model, and the other way round: what is recorded of an execution must be
/// the same when it is run again, though something may lie elsewhere.
#[inline]
fn word(bits: u64) -> u64 {
    usize::try_from(bits).map_or(bits, |address| lasting(address) as u64)
}

/// The ordering as operations have it.
#[inline]
fn runtime_ordering(ordering: Ordering) -> everyway_runtime::Ordering {
    match ordering {
        Ordering::Relaxed => everyway_runtime::Ordering::Relaxed,
        Ordering::Release => everyway_runtime::Ordering::Release,
        Ordering::Acquire => everyway_runtime::Ordering::Acquire,
        Ordering::AcqRel => everyway_runtime::Ordering::AcqRel,
        // The enumeration is not exhaustive: what may be added is taken for the strongest.
        _ => everyway_runtime::Ordering::SeqCst,
    }
}

#[track_caller]
fn check_load(ordering: Ordering) {
    assert!(
        !matches!(ordering, Ordering::Release | Ordering::AcqRel),
        "there is no such thing as a release load or an acquire-release load"
    );
}

#[track_caller]
fn check_store(ordering: Ordering) {
    assert!(
        !matches!(ordering, Ordering::Acquire | Ordering::AcqRel),
        "there is no such thing as an acquire store or an acquire-release store"
    );
}

/// What all atomic types have in common: loads, stores and exchanges of a value that fits into 64 bits.
macro_rules! atomic {
    ($(#[$doc:meta])* $name:ident $(<$t:ident>)?, $value:ty, $outside:ty, $show:expr, $into:expr, $from:expr) => {
        $(#[$doc])*
        // What stands for the memory of an `AtomicPtr` does so whatever that points to.
        #[repr(C)]
        pub struct $name $(<$t>)? {
            handle: Handle,
            outside: $outside,
        }

        impl $(<$t>)? $name $(<$t>)? {
            /// An atomic with this value.
            pub const fn new(value: $value) -> Self {
                Self { handle: Handle::new(), outside: <$outside>::new(value) }
            }

            #[inline]
            fn location(&self, model: &Model, caller: CodeSite) -> Location {
                let into: fn($value) -> u64 = $into;
                let initial = || into(self.in_memory().load(Ordering::Relaxed));
                self.handle.location(model, Kind::Atomic(stringify!($name)), caller, initial)
            }

            /// The atomic as code outside of models uses it.
            fn outside(&self) -> &$outside {
                let into: fn($value) -> u64 = $into;
                self.handle.before_outside_use(|| into(self.outside.load(Ordering::Relaxed)));
                self.in_memory()
            }

            /// The memory of the atomic, which is elsewhere if it was made by [`from_ptr`](Self::from_ptr).
            #[inline]
            fn in_memory(&self) -> &$outside {
                match self.handle.stands_for() {
                    None => &self.outside,
                    // SAFETY: promised by the caller of `from_ptr`.
                    Some(address) => unsafe { <$outside>::from_ptr(with_exposed_provenance_mut(address)) },
                }
            }

            /// How the values of atomics of this type are read from memory and written there.
            const MEMORY: Memory = Memory {
                size: size_of::<$value>(),
                read: |address| {
                    let into: fn($value) -> u64 = $into;
                    // SAFETY: the address is of an atomic whose memory is in use.
                    let memory = unsafe { <$outside>::from_ptr(with_exposed_provenance_mut(address)) };
                    into(memory.load(Ordering::Relaxed))
                },
                write: |address, bits| {
                    let from: fn(u64) -> $value = $from;
                    // SAFETY: as above.
                    let memory = unsafe { <$outside>::from_ptr(with_exposed_provenance_mut(address)) };
                    memory.store(from(bits), Ordering::Relaxed);
                },
            };

            fn access(&self, verb: Verb, ordering: Ordering, caller: CodeSite, effect: Effect) -> Option<$value> {
                let from: fn(u64) -> $value = $from;
                model::with(|model| {
                    let location = self.location(model, caller);
                    let access = Access::new(location, effect).ordered(runtime_ordering(ordering));
                    from(perform(model, &self.handle, verb, $show, caller, access).before)
                })
            }

            /// The value.
            ///
            /// # Panics
            /// If the ordering is not one for loads.
            #[track_caller]
            pub fn load(&self, ordering: Ordering) -> $value {
                check_load(ordering);
                self.access(Verb::Load, ordering, Caller::caller(), Effect::Read).unwrap_or_else(|| self.outside().load(ordering))
            }

            /// Replaces the value.
            ///
            /// # Panics
            /// If the ordering is not one for stores.
            #[track_caller]
            pub fn store(&self, value: $value, ordering: Ordering) {
                check_store(ordering);
                let into: fn($value) -> u64 = $into;
                if self.access(Verb::Store, ordering, Caller::caller(), Effect::Store(into(value))).is_none() {
                    self.outside().store(value, ordering);
                }
            }

            /// Replaces the value, and returns the old one.
            #[track_caller]
            pub fn swap(&self, value: $value, ordering: Ordering) -> $value {
                let into: fn($value) -> u64 = $into;
                self.access(Verb::Swap, ordering, Caller::caller(), Effect::Modify(|_, new| new, into(value)))
                    .unwrap_or_else(|| self.outside().swap(value, ordering))
            }

            /// Replaces the value if it is `current`.
            ///
            /// # Errors
            /// The value, if it is another one.
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                check_load(failure);
                let caller = Caller::caller();
                self.compare_exchange_inside(Verb::CompareExchange, [success, failure], caller, current, new)
                    .unwrap_or_else(|| self.outside().compare_exchange(current, new, success, failure))
            }

            /// [`compare_exchange`](Self::compare_exchange), which in a model does not fail spuriously either.
            ///
            /// # Errors
            /// The value, if it is another one.
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                check_load(failure);
                let caller = Caller::caller();
                if model::with(|model| model.happens_for_no_reason(caller)) == Some(true) {
                    return Err(self.load(failure));
                }
                self.compare_exchange_inside(Verb::CompareExchangeWeak, [success, failure], caller, current, new)
                    .unwrap_or_else(|| self.outside().compare_exchange_weak(current, new, success, failure))
            }

            fn compare_exchange_inside(
                &self,
                verb: Verb,
                [success, failure]: [Ordering; 2],
                caller: CodeSite,
                current: $value,
                new: $value,
            ) -> Option<Result<$value, $value>> {
                let into: fn($value) -> u64 = $into;
                let from: fn(u64) -> $value = $from;
                model::with(|model| {
                    let location = self.location(model, caller);
                    let write = Access::new(location, Effect::Write(into(new)));
                    let access = Access {
                        ordering: runtime_ordering(success),
                        ordering_unmet: runtime_ordering(failure),
                        ..write.if_now(Condition::Equals(into(current)))
                    };
                    let outcome = perform(model, &self.handle, verb, $show, caller, access);
                    if outcome.changed { Ok(from(outcome.before)) } else { Err(from(outcome.before)) }
                })
            }

            /// Replaces the value by a function of it, unless that is `None`: a load, then compare-exchanges
            /// until one succeeds.
            ///
            /// # Errors
            /// The value for which the function returned `None`.
            #[track_caller]
            pub fn fetch_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                mut f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                let mut found = self.load(fetch);
                while let Some(new) = f(found) {
                    match self.compare_exchange_weak(found, new, set, fetch) {
                        Ok(old) => return Ok(old),
                        Err(other) => found = other,
                    }
                }
                Err(found)
            }

            /// [`fetch_update`](Self::fetch_update), under its newer name.
            ///
            /// # Errors
            /// The value for which the function returned `None`.
            #[track_caller]
            pub fn try_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                self.fetch_update(set, fetch, f)
            }

            /// Replaces the value by a function of it, and returns the old one.
            #[track_caller]
            pub fn update(&self, set: Ordering, fetch: Ordering, mut f: impl FnMut($value) -> $value) -> $value {
                self.fetch_update(set, fetch, |value| Some(f(value))).unwrap_or_else(|value| value)
            }

            /// Replaces the value if it is `current`, and returns the old one.
            #[deprecated(note = "use `compare_exchange` or `compare_exchange_weak` instead")]
            #[track_caller]
            pub fn compare_and_swap(&self, current: $value, new: $value, ordering: Ordering) -> $value {
                let failure = match ordering {
                    Ordering::Release => Ordering::Relaxed,
                    Ordering::AcqRel => Ordering::Acquire,
                    other => other,
                };
                self.compare_exchange(current, new, ordering, failure).unwrap_or_else(|value| value)
            }

            /// The value: the borrow is exclusive.
            #[track_caller]
            pub fn get_mut(&mut self) -> &mut $value {
                self.bring_home();
                self.outside.get_mut()
            }

            /// The value.
            #[track_caller]
            pub fn into_inner(mut self) -> $value {
                self.bring_home();
                self.outside.into_inner()
            }

            /// A pointer to the value, which in a model is kept there from now on. As for std's atomics, accesses by it that are
            /// not atomic must be ordered with all others; that they are is not checked.
            #[track_caller]
            pub fn as_ptr(&self) -> *mut $value {
                let pointer = self.outside().as_ptr();
                if self.handle.exposed().is_none() {
                    let exposed = Pointer { address: pointer.expose_provenance(), home: None, memory: Self::MEMORY };
                    self.handle.expose(exposed, Caller::caller());
                }
                pointer
            }

            /// The atomic that is at this address. It is told from others by the address, and not `const` as std's is.
            ///
            /// What is written to it is there for those that read the memory by other means. As for std's atomics, such accesses
            /// must be ordered with all others if they are not atomic; that they are is not checked. What stands for the
            /// atomic lasts as long as the process, once for each address. In a model, the memory itself is not
            /// restored for the next execution, unless it is a static.
            ///
            /// # Safety
            /// As for std's: the pointer is aligned, can be read and written for `'a`, and no access that is not atomic
            /// is in a race with one that is.
            pub unsafe fn from_ptr<'a>(pointer: *mut $value) -> &'a Self {
                let address = pointer.expose_provenance();
                let made = stand_in(address, stringify!($name), || Self {
                    handle: Handle::standing_for(Pointer { address, home: None, memory: Self::MEMORY }),
                    outside: <$outside>::default(),
                });
                // SAFETY: it lasts, and all of this name have the same layout.
                unsafe { &*made }
            }

            /// Ends the atomic's part in a model, which keeps its value: it is the caller's alone.
            #[track_caller]
            fn bring_home(&mut self) {
                let from: fn(u64) -> $value = $from;
                let caller = Caller::caller();
                let value = model::with(|model| {
                    let location = self.location(model, caller);
                    if model.is_told() {
                        // Which write is the last one is not known from the order in which they were carried out.
                        let access = Access::new(location, Effect::Read).ordered(everyway_runtime::Ordering::Relaxed);
                        return from(perform(model, &self.handle, Verb::Load, $show, caller, access).before);
                    }
                    from(model.state().object(location).value)
                });
                if let Some(value) = value {
                    *self.outside.get_mut() = value;
                    self.handle.detach();
                }
            }
        }

        impl $(<$t>)? From<$value> for $name $(<$t>)? {
            fn from(value: $value) -> Self {
                Self::new(value)
            }
        }

        impl $(<$t>)? fmt::Debug for $name $(<$t>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.load(Ordering::Relaxed).fmt(f)
            }
        }
    };
}

/// Read-modify-writes of one atomic type.
macro_rules! read_modify_write {
    ($value:ty, $into:expr, $from:expr; $($(#[$doc:meta])* $method:ident($verb:ident, $f:expr);)*) => {
        $(
            $(#[$doc])*
            #[track_caller]
            pub fn $method(&self, value: $value, ordering: Ordering) -> $value {
                let into: fn($value) -> u64 = $into;
                let modify: fn(u64, u64) -> u64 = |old, operand| {
                    let (into, from): (fn($value) -> u64, fn(u64) -> $value) = ($into, $from);
                    let f: fn($value, $value) -> $value = $f;
                    into(f(from(old), from(operand)))
                };
                self.access(Verb::$verb, ordering, Caller::caller(), Effect::Modify(modify, into(value)))
                    .unwrap_or_else(|| self.outside().$method(value, ordering))
            }
        )*
    };
}

macro_rules! atomic_integer {
    ($($(#[$doc:meta])* $name:ident, $value:ty, $show:expr, $into:expr, $from:expr;)*) => {
        $(
            atomic!($(#[$doc])* $name, $value, std::sync::atomic::$name, $show, $into, $from);

            impl $name {
                read_modify_write! { $value, $into, $from;
                    /// Adds, wrapping, and returns the old value.
                    fetch_add(FetchAdd, |old, n| old.wrapping_add(n));
                    /// Subtracts, wrapping, and returns the old value.
                    fetch_sub(FetchSub, |old, n| old.wrapping_sub(n));
                    /// Bitwise "and"; returns the old value.
                    fetch_and(FetchAnd, |old, n| old & n);
                    /// Bitwise "nand"; returns the old value.
                    fetch_nand(FetchNand, |old, n| !(old & n));
                    /// Bitwise "or"; returns the old value.
                    fetch_or(FetchOr, |old, n| old | n);
                    /// Bitwise "xor"; returns the old value.
                    fetch_xor(FetchXor, |old, n| old ^ n);
                    /// The larger of the value and the argument; returns the old value.
                    fetch_max(FetchMax, |old, n| old.max(n));
                    /// The smaller of the value and the argument; returns the old value.
                    fetch_min(FetchMin, |old, n| old.min(n));
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    Self::new(0)
                }
            }
        )*
    };
}

atomic_integer! {
    /// As [`std::sync::atomic::AtomicU8`].
    AtomicU8, u8, Show::Unsigned, u64::from, |bits| bits as u8;
    /// As [`std::sync::atomic::AtomicU16`].
    AtomicU16, u16, Show::Unsigned, u64::from, |bits| bits as u16;
    /// As [`std::sync::atomic::AtomicU32`].
    AtomicU32, u32, Show::Unsigned, u64::from, |bits| bits as u32;
    /// As [`std::sync::atomic::AtomicU64`].
    AtomicU64, u64, Show::Unsigned, word, word;
    /// As [`std::sync::atomic::AtomicUsize`].
    AtomicUsize, usize, Show::Unsigned, |value| word(value as u64), |bits| word(bits) as usize;
    /// As [`std::sync::atomic::AtomicI8`].
    AtomicI8, i8, Show::Signed, |value| i64::from(value) as u64, |bits| bits as i8;
    /// As [`std::sync::atomic::AtomicI16`].
    AtomicI16, i16, Show::Signed, |value| i64::from(value) as u64, |bits| bits as i16;
    /// As [`std::sync::atomic::AtomicI32`].
    AtomicI32, i32, Show::Signed, |value| i64::from(value) as u64, |bits| bits as i32;
    /// As [`std::sync::atomic::AtomicI64`].
    AtomicI64, i64, Show::Signed, |value| word(value as u64), |bits| word(bits) as i64;
    /// As [`std::sync::atomic::AtomicIsize`].
    AtomicIsize, isize, Show::Signed, |value| word(value as i64 as u64), |bits| word(bits) as isize;
}

atomic!(
    /// As [`std::sync::atomic::AtomicBool`].
    AtomicBool, bool, std::sync::atomic::AtomicBool, Show::Bool, u64::from, |bits| bits != 0
);

impl AtomicBool {
    read_modify_write! { bool, u64::from, |bits| bits != 0;
        /// Logical "and"; returns the old value.
        fetch_and(FetchAnd, |old, b| old & b);
        /// Logical "nand"; returns the old value.
        fetch_nand(FetchNand, |old, b| !(old & b));
        /// Logical "or"; returns the old value.
        fetch_or(FetchOr, |old, b| old | b);
        /// Logical "xor"; returns the old value.
        fetch_xor(FetchXor, |old, b| old ^ b);
    }

    /// Logical "not"; returns the old value.
    #[track_caller]
    pub fn fetch_not(&self, ordering: Ordering) -> bool {
        self.access(Verb::FetchNot, ordering, Caller::caller(), Effect::Modify(|old, _| u64::from(old == 0), 0))
            .unwrap_or_else(|| self.outside().fetch_not(ordering))
    }
}

impl Default for AtomicBool {
    fn default() -> Self {
        Self::new(false)
    }
}

atomic!(
    /// As [`std::sync::atomic::AtomicPtr`].
    AtomicPtr<T>, *mut T, std::sync::atomic::AtomicPtr<T>, Show::Pointer,
    |pointer| word(pointer.expose_provenance() as u64),
    |bits| with_exposed_provenance_mut(word(bits) as usize)
);
