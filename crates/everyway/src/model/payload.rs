//! The data inside a lock or a once-cell.
//!
//! It lives in the object itself, unless the object is a static: then each execution works on a copy of the static's
//! initial bytes, which is dropped when the execution ends.

use super::{Model, statics};
use rustc_hash::FxHashMap;
use std::alloc::{self, Layout};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Data that models copy if it is part of a static.
#[derive(Debug)]
pub(crate) struct Payload<T: ?Sized> {
    saved: AtomicBool,
    data: UnsafeCell<T>,
}

impl<T> Payload<T> {
    pub(crate) const fn new(data: T) -> Self {
        Self { saved: AtomicBool::new(false), data: UnsafeCell::new(data) }
    }

    pub(crate) fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> Payload<T> {
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    /// The data as code outside of models sees it.
    pub(crate) fn outside(&self) -> *mut T {
        if !self.saved.load(Ordering::Relaxed) && statics::is_static(self.data.get().addr()) {
            statics::initial_bytes(self.data.get().addr(), self.bytes(), |_| {});
            self.saved.store(true, Ordering::Relaxed);
        }
        self.data.get()
    }

    /// The data as the current execution of `model` sees it.
    pub(crate) fn inside(&self, model: &Model) -> *mut T {
        let original = self.data.get();
        if !statics::is_static(original.addr()) {
            return original;
        }
        let mut state = model.state();
        let copy = state.copies.by_address.entry(original.addr()).or_insert_with(|| Copied::new(original));
        if !copy.is_live {
            statics::initial_bytes(original.addr(), self.bytes(), |bytes| copy.fill(bytes));
        }
        copy.pointer(original)
    }

    fn bytes(&self) -> &[MaybeUninit<u8>] {
        // SAFETY: the bytes of a live object; `MaybeUninit` allows any. `outside` is called before any change to them, so
        // that what is read here is saved only if it was not changed.
        unsafe { std::slice::from_raw_parts(self.data.get().cast(), size_of_val(&*self.data.get())) }
    }
}

/// The copies, by the address of the original. Each stays where it is for as long as the model lasts, so that what is
/// in it has the same address in every execution.
#[derive(Default)]
pub(crate) struct Copies {
    by_address: FxHashMap<usize, Copied>,
}

impl Copies {
    /// Drops the values of the current execution, each by `run`, while the state is not borrowed: their destructors are
    /// the program's code.
    pub(crate) fn drop_all(&mut self, run: impl Fn(Contents<'_>)) {
        for copy in self.by_address.values_mut().filter(|copy| copy.is_live) {
            copy.is_live = false;
            run(Contents(copy));
        }
    }

    /// Forgets all copies without running their destructors.
    pub(crate) fn leak(&mut self) {
        self.by_address.drain().for_each(|(_, copy)| std::mem::forget(copy));
    }
}

/// The value of a copy: dropping it runs the value's destructor.
pub(crate) struct Contents<'a>(&'a Copied);

impl Drop for Contents<'_> {
    fn drop(&mut self) {
        (self.0.drop)(self.0.memory);
    }
}

/// A copy of the data of a static.
pub(crate) struct Copied {
    memory: *mut u8,
    layout: Layout,
    drop: Box<dyn Fn(*mut u8)>,
    /// Whether it has a value in the current execution.
    is_live: bool,
}

impl Copied {
    fn new<T: ?Sized>(original: *mut T) -> Self {
        // SAFETY: the original is alive; only its size and alignment are looked at.
        let layout = Layout::for_value(unsafe { &*original });
        let memory = match layout.size() {
            0 => ptr::without_provenance_mut(layout.align()),
            // SAFETY: the size is not 0.
            _ => unsafe { alloc::alloc(layout) },
        };
        if memory.is_null() {
            alloc::handle_alloc_error(layout);
        }
        let address = original.addr();
        let metadata = SendPointer(original);
        let drop = move |memory: *mut u8| {
            let SendPointer(original) = metadata;
            debug_assert_eq!(original.addr(), address);
            // SAFETY: the copy holds a value of the original's type, and is not used again.
            unsafe { ptr::drop_in_place(with_data_pointer(original, memory)) };
        };
        let drop: Box<dyn Fn(*mut u8) + '_> = Box::new(drop);
        // SAFETY: only the lifetime is changed; the closure keeps a pointer to a static, for its metadata.
        let drop: Box<dyn Fn(*mut u8)> = unsafe { std::mem::transmute(drop) };
        Self { memory, layout, drop, is_live: false }
    }

    fn fill(&mut self, bytes: &[MaybeUninit<u8>]) {
        debug_assert_eq!(bytes.len(), self.layout.size());
        // SAFETY: as many bytes as were allocated.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr().cast(), self.memory, bytes.len()) };
        self.is_live = true;
    }

    fn pointer<T: ?Sized>(&self, original: *mut T) -> *mut T {
        with_data_pointer(original, self.memory)
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        if self.layout.size() > 0 {
            // SAFETY: allocated with this layout.
            unsafe { alloc::dealloc(self.memory, self.layout) };
        }
    }
}

#[derive(Clone, Copy)]
struct SendPointer<T: ?Sized>(*mut T);

/// `pointer` with its address and provenance replaced by those of `data`, keeping its metadata.
fn with_data_pointer<T: ?Sized>(mut pointer: *mut T, data: *mut u8) -> *mut T {
    // SAFETY: the first word of a pointer is its address, whatever follows.
    unsafe { (&raw mut pointer).cast::<*mut u8>().write(data) };
    pointer
}
