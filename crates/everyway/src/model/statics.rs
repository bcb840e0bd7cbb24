//! Statics: objects that outlive executions, and must be fresh in each.
//!
//! A static's initial value was computed by the compiler, so a copy of its bytes is as good as evaluating its
//! initialiser again. A model never changes a static: it works on its own copy. Code outside models may change it, so
//! its bytes are saved before that.

use crate::alloc::is_allocated;
use rustc_hash::FxHashMap;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The writable data segments of the program and of the libraries loaded with it, by address.
static SEGMENTS: LazyLock<Vec<Range<usize>>> = LazyLock::new(segments);

/// The bytes of the statics in use, as they were when the program started, by address.
static PRISTINE: LazyLock<Mutex<FxHashMap<usize, Bytes>>> = LazyLock::new(Mutex::default);

type Bytes = Box<[MaybeUninit<u8>]>;

/// Whether `address` belongs to a static.
#[inline]
pub(super) fn is_static(address: usize) -> bool {
    // Mostly it is something that the model has allocated.
    !is_allocated(address) && is_in_segment(address)
}

fn is_in_segment(address: usize) -> bool {
    let after = SEGMENTS.partition_point(|segment| segment.start <= address);
    after > 0 && SEGMENTS[after - 1].contains(&address)
}

/// Whether models can tell statics from other objects on this system.
#[cfg(test)]
pub(super) const SUPPORTED: bool = cfg!(target_os = "linux");

/// The initial bytes of the static at `address`: those that were saved when this was first called for it, which
/// are `now`, its bytes at present.
pub(super) fn initial_bytes<R>(
    address: usize,
    now: &[MaybeUninit<u8>],
    read: impl FnOnce(&[MaybeUninit<u8>]) -> R,
) -> R {
    let mut saved = PRISTINE.lock().unwrap_or_else(PoisonError::into_inner);
    read(saved.entry(address).or_insert_with(|| now.into()))
}

#[cfg(target_os = "linux")]
fn segments() -> Vec<Range<usize>> {
    unsafe extern "C" fn visit(
        info: *mut libc::dl_phdr_info,
        _: libc::size_t,
        found: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: the C library passes a valid description of a loaded object, and our own vector.
        let (info, found) = unsafe { (&*info, &mut *found.cast::<Vec<Range<usize>>>()) };
        for header in 0..usize::from(info.dlpi_phnum) {
            // SAFETY: the object has this many program headers.
            let header = unsafe { &*info.dlpi_phdr.add(header) };
            if header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_W != 0 {
                let start = (info.dlpi_addr + header.p_vaddr) as usize;
                found.push(start..start + header.p_memsz as usize);
            }
        }
        0
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    // SAFETY: `visit` expects what it is given here, and does not unwind.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found.sort_unstable_by_key(|segment| segment.start);
    found
}

/// Not known on this system: statics keep their state between executions.
#[cfg(not(target_os = "linux"))]
fn segments() -> Vec<Range<usize>> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    static ZERO: AtomicU32 = AtomicU32::new(0);
    static SEVEN: AtomicU32 = AtomicU32::new(7);

    #[test]
    fn statics_are_told_from_the_heap_and_the_stack() {
        let local = AtomicU32::new(0);
        let boxed = Box::new(AtomicU32::new(0));
        assert_eq!(is_static((&raw const ZERO).addr()), SUPPORTED);
        assert_eq!(is_static((&raw const SEVEN).addr()), SUPPORTED);
        assert!(!is_static((&raw const local).addr()));
        assert!(!is_static((&raw const *boxed).addr()));
    }
}
