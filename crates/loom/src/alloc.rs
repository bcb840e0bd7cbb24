//! Memory, and what was not given back.

pub use std::alloc::{Layout, dealloc};

/// Allocates memory; as [`std::alloc::alloc`]. A model that ends without having freed it fails.
///
/// # Safety
/// As for std's.
#[track_caller]
pub unsafe fn alloc(layout: Layout) -> *mut u8 {
    // SAFETY: promised by the caller.
    let memory = unsafe { std::alloc::alloc(layout) };
    everyway::alloc::must_be_freed(memory);
    memory
}

/// Allocates memory that is filled with zeros; as [`std::alloc::alloc_zeroed`]. A model that ends without having freed it fails.
///
/// # Safety
/// As for std's.
#[track_caller]
pub unsafe fn alloc_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: promised by the caller.
    let memory = unsafe { std::alloc::alloc_zeroed(layout) };
    everyway::alloc::must_be_freed(memory);
    memory
}

/// A value whose leak is noticed: a model that ends without having dropped it fails, with the place where it was made.
#[derive(Debug)]
pub struct Track<T>(everyway::alloc::Track<T>);

impl<T> Track<T> {
    /// The value, whose leak is noticed from now on.
    #[track_caller]
    pub fn new(value: T) -> Self {
        Self(everyway::alloc::Track::new(value))
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    /// The value: the borrow is exclusive.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }

    /// The value, whose leak is not noticed any more.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}
