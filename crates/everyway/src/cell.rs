//! Cells whose accesses are tracked.
//!
//! Two accesses to one cell, at least one of them a write, that no synchronisation orders are a data race, and reported
//! with both places. Accesses to cells are not points where threads are interleaved: if all of them are ordered, the
//! interleaving makes no difference, and if not, the race is reported.

//! ```
//! use everyway::cell::{Tracked as _, UnsafeCell};
//!
//! let cell = UnsafeCell::new(1);
//! // SAFETY: no other thread has the cell.
//! cell.with_mut(|value| unsafe { *value += 1 });
//! assert_eq!(cell.with(|value| unsafe { *value }), 2);
//! ```

#[cfg(not(feature = "model"))]
pub use std::cell::{Cell, UnsafeCell};

#[cfg(feature = "model")]
#[doc(hidden)]
pub use tracked::Begun;
#[cfg(feature = "model")]
pub use tracked::{Cell, UnsafeCell};

mod pointers;
#[cfg(feature = "model")]
mod tracked;

pub use pointers::{ConstPtr, MutPtr};
pub use std::cell::{BorrowError, BorrowMutError, LazyCell, OnceCell, Ref, RefCell, RefMut};

/// Accesses that say whether they read or write.
pub trait Tracked<T: ?Sized> {
    /// Reads the value in `f`.
    fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R;

    /// Reads and changes the value in `f`.
    fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R;

    /// Begins to read the value: until the pointer is dropped, it must not change.
    fn read(&self) -> ConstPtr<'_, T>;

    /// Begins to read and change the value: until the pointer is dropped, nothing else may access it.
    fn write(&self) -> MutPtr<'_, T>;
}

#[cfg(not(feature = "model"))]
impl<T: ?Sized> Tracked<T> for UnsafeCell<T> {
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.get())
    }

    #[inline(always)]
    fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.get())
    }

    #[inline(always)]
    fn read(&self) -> ConstPtr<'_, T> {
        ConstPtr::new(self.get())
    }

    #[inline(always)]
    fn write(&self) -> MutPtr<'_, T> {
        MutPtr::new(self.get())
    }
}
