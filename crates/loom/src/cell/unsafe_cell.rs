//! A cell for shared data that other synchronisation protects.

use everyway::cell::{Begun, Tracked as _};

/// A cell for shared data that other synchronisation protects. Two accesses that nothing puts in an order, at least one of
/// them a write, are a data race.
#[derive(Debug, Default)]
pub struct UnsafeCell<T: ?Sized>(everyway::cell::UnsafeCell<T>);

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    pub const fn new(value: T) -> Self {
        Self(everyway::cell::UnsafeCell::new(value))
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads the value in `f`.
    #[track_caller]
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        self.0.with(f)
    }

    /// Reads and changes the value in `f`.
    #[track_caller]
    pub fn with_mut<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        self.0.with_mut(f)
    }

    /// A pointer to read the value by; it is read for as long as that is kept.
    #[track_caller]
    pub fn get(&self) -> ConstPtr<T> {
        let (pointer, lasts) = self.0.begin_read();
        ConstPtr { pointer, _lasts: lasts }
    }

    /// A pointer to change the value by; it is written for as long as that is kept.
    #[track_caller]
    pub fn get_mut(&self) -> MutPtr<T> {
        let (pointer, lasts) = self.0.begin_write();
        MutPtr { pointer, _lasts: lasts }
    }
}

impl<T> From<T> for UnsafeCell<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

/// A pointer into an [`UnsafeCell`], to read by. While it exists, a write of another thread to the cell is reported as a race.
#[derive(Debug)]
pub struct ConstPtr<T: ?Sized> {
    pointer: *const T,
    _lasts: Begun,
}

impl<T: ?Sized> ConstPtr<T> {
    /// The value.
    ///
    /// # Safety
    /// As for a dereference of the pointer.
    pub unsafe fn deref(&self) -> &T {
        // SAFETY: promised by the caller.
        unsafe { &*self.pointer }
    }

    /// Calls `f` with the pointer, which must not be used afterwards.
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        f(self.pointer)
    }
}

/// A pointer into an [`UnsafeCell`], to read and write by. While it exists, an access of another thread to the cell is reported
/// as a race.
#[derive(Debug)]
pub struct MutPtr<T: ?Sized> {
    pointer: *mut T,
    _lasts: Begun,
}

impl<T: ?Sized> MutPtr<T> {
    /// The value.
    ///
    /// # Safety
    /// As for a dereference of the pointer.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn deref(&self) -> &mut T {
        // SAFETY: promised by the caller.
        unsafe { &mut *self.pointer }
    }

    /// Calls `f` with the pointer, which must not be used afterwards.
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        f(self.pointer)
    }
}
