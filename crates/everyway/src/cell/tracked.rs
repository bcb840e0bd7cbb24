//! The cells as models see them.

use super::{ConstPtr, MutPtr, Tracked};
use crate::model::access::Lasting;
use crate::model::detail::Detail;
use crate::model::kind::Kind;
use crate::model::object::Handle;
use crate::model::payload::Payload;
use crate::model::races::Mode;
use crate::model::{self, CodeSite, Model};
use std::fmt;
use std::mem;
use std::panic::Location;
use std::ptr;

/// Notes an access of the running thread to the cell of `handle`, and fails if it races with an earlier one.
fn note(model: &Model, handle: &Handle, kind: Kind, mode: Mode, caller: CodeSite) {
    model.needs(Detail::Synchronisation);
    let location = handle.location(model, kind, caller, || 0);
    if model.state().on_trial {
        model.state().touch_on_trial(location, mode);
        return;
    }
    model.look_for_overlap(location, mode, caller);
    let race = model.state().access_cell(location, mode, caller);
    if let Some(failure) = race {
        model.fail(failure);
    }
}

/// A cell for shared data that other synchronisation protects, with its accesses tracked.
///
/// What is done with the pointer that [`UnsafeCell::get`] returns cannot be seen, so it counts as a write, which is over
/// at once. Use [`Tracked::with`] or [`Tracked::read`] for reads, and [`Tracked::with_mut`] or [`Tracked::write`] for
/// writes: those last until the closure returns, or the pointer is dropped.
pub struct UnsafeCell<T: ?Sized> {
    handle: Handle,
    data: Payload<T>,
}

// SAFETY: as for std's, the cell can be sent if its contents can.
unsafe impl<T: ?Sized + Send> Send for UnsafeCell<T> {}

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    pub const fn new(value: T) -> Self {
        Self { handle: Handle::new(), data: Payload::new(value) }
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    fn pointer(&self, mode: Mode, caller: CodeSite) -> *mut T {
        model::with(|model| {
            note(model, &self.handle, Kind::Cell, mode, caller);
            self.data.inside(model)
        })
        .unwrap_or_else(|| self.data.outside())
    }

    /// A pointer to the value, whose access lasts until the second is dropped.
    fn lasting(&self, mode: Mode, caller: CodeSite) -> (*mut T, Option<Lasting>) {
        let pointer = self.pointer(mode, caller);
        (pointer, model::with(|model| model.begin_access(&self.handle, mode, caller)).flatten())
    }

    /// A pointer to the value. Counts as a write: what is done with the pointer cannot be seen.
    #[track_caller]
    pub fn get(&self) -> *mut T {
        self.pointer(Mode::Get, Location::caller())
    }

    /// [`Tracked::read`] for pointers without a lifetime: the access lasts until what comes with it is dropped.
    #[doc(hidden)]
    #[track_caller]
    pub fn begin_read(&self) -> (*const T, Begun) {
        let (pointer, lasting) = self.lasting(Mode::Read, Location::caller());
        (pointer, Begun(lasting))
    }

    /// [`Tracked::write`] for pointers without a lifetime.
    #[doc(hidden)]
    #[track_caller]
    pub fn begin_write(&self) -> (*mut T, Begun) {
        let (pointer, lasting) = self.lasting(Mode::Write, Location::caller());
        (pointer, Begun(lasting))
    }

    /// The value: the borrow is exclusive.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }
}

/// An access that has begun, and ends when this is dropped.
#[doc(hidden)]
pub struct Begun(#[expect(dead_code, reason = "it is dropped")] Option<Lasting>);

impl fmt::Debug for Begun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Begun").finish_non_exhaustive()
    }
}

impl<T: Default> Default for UnsafeCell<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsafeCell").finish_non_exhaustive()
    }
}

impl<T: ?Sized> Tracked<T> for UnsafeCell<T> {
    #[track_caller]
    fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        let (pointer, _lasting) = self.lasting(Mode::Read, Location::caller());
        f(pointer)
    }

    #[track_caller]
    fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        let (pointer, _lasting) = self.lasting(Mode::Write, Location::caller());
        f(pointer)
    }

    #[track_caller]
    fn read(&self) -> ConstPtr<'_, T> {
        let (pointer, lasting) = self.lasting(Mode::Read, Location::caller());
        ConstPtr::new(pointer, lasting)
    }

    #[track_caller]
    fn write(&self) -> MutPtr<'_, T> {
        let (pointer, lasting) = self.lasting(Mode::Write, Location::caller());
        MutPtr::new(pointer, lasting)
    }
}

/// [`std::cell::Cell`] with its accesses tracked.
///
/// Like std's it is not `Sync`: only `unsafe` code can make two threads access one.
#[derive(Default)]
pub struct Cell<T: ?Sized> {
    cell: UnsafeCell<T>,
}

impl<T> Cell<T> {
    /// A cell with this value.
    pub const fn new(value: T) -> Self {
        Self { cell: UnsafeCell::new(value) }
    }

    /// Replaces the value.
    #[track_caller]
    pub fn set(&self, value: T) {
        self.replace(value);
    }

    /// Replaces the value, and returns the old one.
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        // SAFETY: the cell is not shared between threads of the operating system, and no reference to its
        // contents is ever handed out.
        self.cell.with_mut(|data| unsafe { mem::replace(&mut *data, value) })
    }

    /// Exchanges the values of two cells.
    #[track_caller]
    pub fn swap(&self, other: &Self) {
        if std::ptr::eq(self, other) {
            return;
        }
        // SAFETY: as in `replace`; the cells are different ones.
        self.cell.with_mut(|one| other.cell.with_mut(|two| unsafe { ptr::swap(one, two) }));
    }

    /// The value.
    pub fn into_inner(self) -> T {
        self.cell.into_inner()
    }
}

impl<T: Copy> Cell<T> {
    /// A copy of the value.
    #[track_caller]
    pub fn get(&self) -> T {
        // SAFETY: as in `replace`.
        self.cell.with(|data| unsafe { *data })
    }

    /// Replaces the value by a function of it.
    #[track_caller]
    pub fn update(&self, f: impl FnOnce(T) -> T) {
        self.set(f(self.get()));
    }
}

impl<T: Default> Cell<T> {
    /// Takes the value, leaving the default one.
    #[track_caller]
    pub fn take(&self) -> T {
        self.replace(T::default())
    }
}

impl<T: ?Sized> Cell<T> {
    /// The value: the borrow is exclusive.
    pub fn get_mut(&mut self) -> &mut T {
        self.cell.get_mut()
    }

    /// A pointer to the value. Counts as a write.
    #[track_caller]
    pub fn as_ptr(&self) -> *mut T {
        self.cell.get()
    }
}

impl<T: Copy + fmt::Debug> fmt::Debug for Cell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").field("value", &self.get()).finish()
    }
}

impl<T: Copy + PartialEq> PartialEq for Cell<T> {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Copy + Eq> Eq for Cell<T> {}

impl<T: Copy + PartialOrd> PartialOrd for Cell<T> {
    #[track_caller]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<T: Copy + Ord> Ord for Cell<T> {
    #[track_caller]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.get().cmp(&other.get())
    }
}

impl<T: Copy> Clone for Cell<T> {
    fn clone(&self) -> Self {
        Self::new(self.get())
    }
}

impl<T> From<T> for Cell<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}
