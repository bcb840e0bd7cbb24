//! What atomic pointers have beyond other atomics.

use super::{AtomicPtr, Ordering};
use everyway_runtime::{Effect, Verb};
use std::fmt;
use std::panic::Location as Caller;

/// Arithmetic on the address of a pointer: in one step, inside of models and outside.
macro_rules! pointer_arithmetic {
    ($($(#[$doc:meta])* $method:ident($verb:ident, $value:ident => $operand:expr, $f:expr);)*) => {
        impl<T> AtomicPtr<T> {
            $(
                $(#[$doc])*
                #[track_caller]
                pub fn $method(&self, $value: usize, ordering: Ordering) -> *mut T {
                    let (operand, f): (usize, fn(usize, usize) -> usize) = ($operand, $f);
                    let modify: fn(u64, u64) -> u64 = |old, operand| {
                        let f: fn(usize, usize) -> usize = $f;
                        f(old as usize, operand as usize) as u64
                    };
                    let effect = Effect::Modify(modify, operand as u64);
                    self.access(Verb::$verb, ordering, Caller::caller(), effect).unwrap_or_else(|| {
                        let fetch = if ordering == Ordering::SeqCst { ordering } else { Ordering::Relaxed };
                        let update = |old: *mut T| Some(old.map_addr(|address| f(address, operand)));
                        self.outside().fetch_update(ordering, fetch, update).unwrap_or_else(|old| old)
                    })
                }
            )*
        }
    };
}

pointer_arithmetic! {
    /// Moves the pointer on by `count` values, and returns the old one.
    fetch_ptr_add(FetchPtrAdd, count => count.wrapping_mul(size_of::<T>()), usize::wrapping_add);
    /// Moves the pointer back by `count` values, and returns the old one.
    fetch_ptr_sub(FetchPtrSub, count => count.wrapping_mul(size_of::<T>()), usize::wrapping_sub);
    /// Moves the pointer on by `bytes`, and returns the old one.
    fetch_byte_add(FetchByteAdd, bytes => bytes, usize::wrapping_add);
    /// Moves the pointer back by `bytes`, and returns the old one.
    fetch_byte_sub(FetchByteSub, bytes => bytes, usize::wrapping_sub);
    /// Bitwise "or" with the address; returns the old pointer.
    fetch_or(FetchOr, bits => bits, |address, bits| address | bits);
    /// Bitwise "and" with the address; returns the old pointer.
    fetch_and(FetchAnd, bits => bits, |address, bits| address & bits);
    /// Bitwise "xor" with the address; returns the old pointer.
    fetch_xor(FetchXor, bits => bits, |address, bits| address ^ bits);
}

impl<T> Default for AtomicPtr<T> {
    fn default() -> Self {
        Self::new(std::ptr::null_mut())
    }
}

impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.load(Ordering::Relaxed), f)
    }
}
