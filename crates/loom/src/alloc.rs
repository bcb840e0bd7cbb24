//! Memory, and what was not given back.

pub use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};

/// A value whose leak is to be noticed.
#[derive(Debug)]
pub struct Track<T>(T);

impl<T> Track<T> {
    /// The value, whose leak is noticed from now on.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value.
    pub fn get_ref(&self) -> &T {
        &self.0
    }

    /// The value: the borrow is exclusive.
    pub fn get_mut(&mut self) -> &mut T {
        &mut self.0
    }

    /// The value, whose leak is not noticed any more.
    pub fn into_inner(self) -> T {
        self.0
    }
}
