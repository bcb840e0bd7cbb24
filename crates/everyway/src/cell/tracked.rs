//! The cells as models see them.

use super::Tracked;
use crate::model::describe::{object_name, source};
use crate::model::detail::Detail;
use crate::model::kind::Kind;
use crate::model::object::Handle;
use crate::model::payload::Payload;
use crate::model::{self, CodeSite, Failure, Model};
use everyway_report::{BugKind, RacingAccess};
use everyway_runtime::ThreadId;
use std::fmt;
use std::mem;
use std::panic::Location;
use std::ptr;

/// An access to a cell: by whom, when by its own clock, and where.
#[derive(Clone, Copy, Debug)]
struct Stamp {
    thread: ThreadId,
    time: u32,
    caller: CodeSite,
}

/// The accesses to a cell that a later one may race with.
#[derive(Debug, Default)]
pub(crate) struct Accesses {
    write: Option<(Stamp, Mode)>,
    /// Since that write, the last one of each thread.
    reads: Vec<Stamp>,
}

impl Accesses {
    pub(crate) fn clear(&mut self) {
        self.write = None;
        self.reads.clear();
    }
}

/// What reports call an access through a pointer that may be used for either.
pub(crate) const GET: &str = "get, which counts as a write,";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Read,
    Write,
    /// Through a pointer that may be used for either.
    Get,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Get => GET,
        }
    }
}

/// Notes an access of the running thread to the cell of `handle`, and fails if it races with an earlier one.
fn note(model: &Model, handle: &Handle, kind: Kind, mode: Mode, caller: CodeSite) {
    model.needs(Detail::Synchronisation);
    let location = handle.location(model, kind, || 0);
    let mut guard = model.state();
    let state = &mut *guard;
    let running = state.running;
    let clock = &state.threads[running.index()].clock;
    let now = Stamp { thread: running, time: clock.get(running), caller };
    let unordered = |stamp: &&Stamp| stamp.thread != running && stamp.time > clock.get(stamp.thread);
    let accesses = &state.objects[location.index() / 2].accesses;
    let race = accesses.write.iter().find(|(stamp, _)| unordered(&stamp)).copied().or_else(|| {
        let reads = accesses.reads.iter().filter(|_| mode != Mode::Read);
        reads.clone().find(unordered).map(|stamp| (*stamp, Mode::Read))
    });
    if let Some((earlier, earlier_mode)) = race {
        let object = object_name(state, location);
        let access = |stamp: Stamp, mode: Mode| RacingAccess {
            thread: stamp.thread.index(),
            operation: mode.name().to_owned(),
            object: object.clone(),
            source: Some(source(stamp.caller)),
        };
        let failure = Failure {
            source: Some(source(caller)),
            accesses: vec![access(earlier, earlier_mode), access(now, mode)],
            ..Failure::new(BugKind::DataRace, format!("two unordered accesses to {object}, one of them a write"))
        };
        drop(guard);
        return model.fail(failure);
    }
    let accesses = &mut state.object_mut(location).accesses;
    match mode {
        Mode::Write | Mode::Get => {
            accesses.write = Some((now, mode));
            accesses.reads.clear();
        }
        Mode::Read => match accesses.reads.iter_mut().find(|stamp| stamp.thread == running) {
            Some(stamp) => *stamp = now,
            None => accesses.reads.push(now),
        },
    }
}

/// A cell for shared data that other synchronisation protects, with its accesses tracked.
///
/// What is done with the pointer that [`UnsafeCell::get`] returns cannot be seen, so it counts as a write. Use
/// [`Tracked::with`] for reads and [`Tracked::with_mut`] for writes.
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

    /// A pointer to the value. Counts as a write: what is done with the pointer cannot be seen.
    #[track_caller]
    pub fn get(&self) -> *mut T {
        self.pointer(Mode::Get, Location::caller())
    }

    /// The value: the borrow is exclusive.
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
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
        f(self.pointer(Mode::Read, Location::caller()))
    }

    #[track_caller]
    fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.pointer(Mode::Write, Location::caller()))
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
