//! Pointers into cells that say how long they are used.

#[cfg(feature = "model")]
use crate::model::access::Lasting;
use std::marker::PhantomData;

/// A pointer to read what is in a cell: until it is dropped, that must not change.
pub struct ConstPtr<'a, T: ?Sized> {
    pointer: *const T,
    #[cfg(feature = "model")]
    _lasting: Option<Lasting>,
    cell: PhantomData<&'a T>,
}

/// A pointer to read and change what is in a cell: until it is dropped, nothing else may access that.
pub struct MutPtr<'a, T: ?Sized> {
    pointer: *mut T,
    #[cfg(feature = "model")]
    _lasting: Option<Lasting>,
    cell: PhantomData<&'a T>,
}

impl<'a, T: ?Sized> ConstPtr<'a, T> {
    #[cfg(feature = "model")]
    pub(super) fn new(pointer: *const T, lasting: Option<Lasting>) -> Self {
        Self { pointer, _lasting: lasting, cell: PhantomData }
    }

    #[cfg(not(feature = "model"))]
    pub(super) fn new(pointer: *const T) -> Self {
        Self { pointer, cell: PhantomData }
    }

    /// What is in the cell.
    ///
    /// # Safety
    /// It must not change as long as the reference is used.
    pub unsafe fn deref(&self) -> &T {
        // SAFETY: what the caller promises.
        unsafe { &*self.pointer }
    }

    /// Calls `f` with the pointer.
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        f(self.pointer)
    }
}

impl<'a, T: ?Sized> MutPtr<'a, T> {
    #[cfg(feature = "model")]
    pub(super) fn new(pointer: *mut T, lasting: Option<Lasting>) -> Self {
        Self { pointer, _lasting: lasting, cell: PhantomData }
    }

    #[cfg(not(feature = "model"))]
    pub(super) fn new(pointer: *mut T) -> Self {
        Self { pointer, cell: PhantomData }
    }

    /// What is in the cell.
    ///
    /// # Safety
    /// Nothing else may access it as long as the reference is used.
    #[allow(clippy::mut_from_ref, reason = "what the caller promises makes it unique")]
    pub unsafe fn deref(&self) -> &mut T {
        // SAFETY: what the caller promises.
        unsafe { &mut *self.pointer }
    }

    /// Calls `f` with the pointer.
    pub fn with<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.pointer)
    }
}
