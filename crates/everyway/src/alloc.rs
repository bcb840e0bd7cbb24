//! Memory that models allocate.
//!
//! An exploration runs a test again and again, and has to know which object of one execution corresponds to which of
//! another. An object on the heap is identified by its allocation, and an allocation by its thread and the number of
//! earlier allocations of that thread. So everyway installs a global allocator, which does this for the code of models;
//! everything else in the process gets its memory from [`System`], or from the allocator that [`Allocator`] wraps.
//!
//! **A program that has a global allocator of its own** leaves out the feature `allocator` (`default-features = false,
//! features = ["model"]`), so that everyway installs none, and wraps its own in [`Allocator`]. Otherwise objects on the
//! heap cannot be identified, and a check of a test that uses one fails with a message that says so.
//!
//! ```ignore
//! #[global_allocator]
//! static ALLOCATOR: everyway::alloc::Allocator<MyAllocator> = everyway::alloc::Allocator::new(MyAllocator);
//! ```
//!
//! Memory stays ordinary memory: objects that a test keeps beyond an execution, in a static of std's, stay where they
//! are. Freed memory is not reused within the execution.
//!
//! A test should allocate what it keeps before the check, or at its end: an allocation that only the first execution
//! makes counts as one of the thread's, and later ones of the same size then have other numbers than before. If that
//! turns out, the exploration starts over once. Buffers of bytes, such as strings, and reallocations of memory that was
//! allocated elsewhere do not count.

mod arena;
mod region;
mod track;

pub use track::{Track, must_be_freed};

pub(crate) use arena::{Lease, PausedAlone, freed, is_named, lasting};
pub(crate) use region::{Moment, is_allocated};

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

/// A global allocator that names what models allocate, around one that serves everything else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<A = System> {
    others: A,
}

impl<A> Allocator<A> {
    /// An allocator that leaves everything that models do not allocate to `others`.
    pub const fn new(others: A) -> Self {
        Self { others }
    }
}

/// Why what models allocate has no names, if it has none.
pub(crate) fn is_unable() -> Option<&'static str> {
    if !is_installed() {
        return Some(
            "the program has a global allocator of its own, so it is not known which object on the heap is which in \
             another execution; put everyway::alloc::Allocator around it, or, if there is none, turn on everyway's feature `allocator`",
        );
    }
    region::is_exhausted().then_some(
        "there are no addresses left for what models allocate, so it is not known which object on the heap is which in \
         another execution",
    )
}

/// Whether the global allocator is an [`Allocator`].
fn is_installed() -> bool {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    *INSTALLED.get_or_init(|| {
        let layout = Layout::new::<u64>();
        let lease = Lease::new();
        lease.begin(lease.number());
        // SAFETY: the size is not 0.
        let memory = lease.run(0, || unsafe { std::alloc::alloc(layout) });
        let is_ours = region::find(memory.addr()).is_some();
        if !memory.is_null() {
            // SAFETY: just allocated.
            unsafe { std::alloc::dealloc(memory, layout) };
        }
        is_ours
    })
}

fn pointer(memory: Option<NonNull<u8>>) -> Option<*mut u8> {
    memory.map(NonNull::as_ptr)
}

// SAFETY: memory is either that of `others`, or a slot of an arena, which is large enough, aligned to its size, and not
// handed out to anything else until it is freed. Nothing here unwinds: what the arenas need for themselves they get from
// `others`.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(memory) = pointer(arena::allocate(layout.size(), layout.align())) {
            return memory;
        }
        // SAFETY: what the caller promises.
        unsafe { self.others.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if let Some(memory) = pointer(arena::allocate(layout.size(), layout.align())) {
            // SAFETY: the slot is as large as this at least.
            unsafe { ptr::write_bytes(memory, 0, layout.size()) };
            return memory;
        }
        // SAFETY: what the caller promises.
        unsafe { self.others.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        match region::find(memory.addr()) {
            Some(extent) => arena::free(extent, extent.slot_of(memory.addr())),
            // SAFETY: what the caller promises.
            None => unsafe { self.others.dealloc(memory, layout) },
        }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(extent) = region::find(memory.addr()) else {
            // Not made by this execution, and so not to be counted as something that it does.
            // SAFETY: what the caller promises.
            return unsafe { self.others.realloc(memory, layout, size) };
        };
        let slot = extent.slot_of(memory.addr());
        let class = arena::class_of(size, layout.align());
        if class == Some(extent.class()) {
            return memory;
        }
        let is_counted = arena::is_of_this_execution(extent, slot);
        let ours = if is_counted { arena::allocate(size, layout.align()) } else { None };
        let moved = pointer(ours).unwrap_or_else(|| {
            // SAFETY: the caller promises that size and alignment make a layout.
            unsafe { self.others.alloc(Layout::from_size_align_unchecked(size, layout.align())) }
        });
        if !moved.is_null() {
            // SAFETY: both are as large as this at least.
            unsafe { ptr::copy_nonoverlapping(memory, moved, layout.size().min(size)) };
            arena::free(extent, slot);
        }
        moved
    }
}

#[cfg(feature = "allocator")]
#[global_allocator]
static GLOBAL: Allocator = Allocator::new(System);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_given_by_thread_size_and_count() {
        let lease = Lease::new();
        let execution = |first: usize| {
            lease.begin(lease.number());
            let boxes = |thread| lease.run(thread, || (0..3_u64).map(Box::new).collect::<Vec<_>>());
            let (one, another) = (boxes(first), boxes(1 - first));
            let addresses = |boxes: &[Box<u64>]| boxes.iter().map(|b| (&raw const **b).addr()).collect::<Vec<_>>();
            let mut found = [addresses(&one), addresses(&another)];
            found.rotate_left(first);
            found
        };
        assert_eq!(execution(0), execution(1));
    }

    #[test]
    fn what_is_freed_is_not_handed_out_again_before_the_next_execution() {
        let lease = Lease::new();
        let execution = || {
            lease.begin(lease.number());
            lease.run(0, || (0..100).map(|n| (&raw const *Box::new(n)).addr()).collect::<Vec<_>>())
        };
        let mut first = execution();
        assert_eq!(first, execution());
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 100);
    }

    #[test]
    fn what_is_kept_stays_and_the_names_do_too() {
        let lease = Lease::new();
        let execution = || {
            lease.begin(lease.number());
            lease.run(0, || {
                let kept = Box::new([7_u32; 5]);
                let name = lasting((&raw const *kept).addr());
                assert_eq!(lasting(name), (&raw const *kept).addr());
                let inner = lasting((&raw const kept[2]).addr());
                assert_eq!(inner - name, 8);
                (kept, name)
            })
        };
        let kept: Vec<_> = (0..50).map(|_| execution()).collect();
        assert!(kept.iter().all(|(_, name)| *name == kept[0].1));
        assert!(kept.iter().all(|(memory, _)| **memory == [7; 5]));
        // Another thread of the operating system frees it.
        std::thread::spawn(move || drop(kept)).join().expect("frees");
        let (memory, name) = execution();
        assert_eq!((&raw const *memory).addr(), name);
    }

    #[test]
    fn all_kinds_of_requests() {
        let lease = Lease::new();
        lease.begin(lease.number());
        lease.run(0, || {
            #[repr(align(4096))]
            struct Page([u8; 5000]);
            let page = Box::new(Page([1; 5000]));
            assert!((&raw const *page).addr().is_multiple_of(4096));
            assert_eq!(page.0[4999], 1);
            let mut growing = Vec::new();
            (0..100_000_u32).for_each(|n| growing.push(n));
            assert!(growing.iter().copied().eq(0..100_000));
            growing.truncate(3);
            growing.shrink_to_fit();
            assert_eq!(growing, [0, 1, 2]);
            drop(vec![3_u8; 1000]);
            assert_eq!(vec![0_u8; 70_000], [0; 70_000]);
            // SAFETY: the layout is valid, and the memory is freed with it.
            unsafe {
                let large = Layout::from_size_align(3 << 30, 1 << 21).expect("a layout");
                let memory = std::alloc::alloc(large);
                assert!(memory.addr().is_multiple_of(1 << 21));
                std::alloc::dealloc(memory, large);
            }
        });
    }

    #[test]
    fn memory_changes_hands_between_models_and_the_rest() {
        assert!(is_installed());
        let lease = Lease::new();
        lease.begin(lease.number());
        let mut outside = vec![1_u8; 20];
        lease.run(0, || outside.extend([2; 100]));
        assert!(region::find(outside.as_ptr().addr()).is_none());
        let mut inside = lease.run(0, || vec![3_u8; 20]);
        assert!(region::find(inside.as_ptr().addr()).is_some());
        inside.extend([4; 100]);
        assert!(region::find(inside.as_ptr().addr()).is_none());
        assert_eq!((inside[19], inside[20], outside[119]), (3, 4, 2));
    }
}
