//! The addresses that models allocate from: one range, reserved once, divided into extents.
//!
//! A comparison tells whether an address belongs to a model; an entry of a table at the start of the range tells its
//! extent. An extent is an array of slots of one size, a power of two. It is never released, so an address keeps its
//! name.
//!
//! Nothing here knows threads or executions.

use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Extents are made of granules of this size (as a power of two).
const GRANULE: u32 = 14;

/// Requests of up to this size (as a power of two) are served.
pub(super) const LARGEST: u32 = 30;

/// Where the range starts, and how many bytes it has. Asked for whenever something is allocated or freed, so that nothing
/// which changes is to share a cache line with it.
#[repr(align(128))]
struct Bounds {
    base: AtomicUsize,
    size: AtomicUsize,
}

static BOUNDS: Bounds = Bounds { base: AtomicUsize::new(0), size: AtomicUsize::new(0) };

/// Whether there was no memory for some extent.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// The range as it was reserved, with what is left of it.
static REGION: OnceLock<Option<Mutex<Rest>>> = OnceLock::new();

struct Rest {
    start: NonNull<u8>,
    /// The offset of the first byte that was not handed out.
    next: usize,
    size: usize,
}

// SAFETY: the memory belongs to the code it is handed out to.
unsafe impl Send for Rest {}

/// A moment of an execution: during which step, and what ran then. As little is kept as fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moment(u32);

impl Moment {
    const STEP_BITS: u32 = 22;

    /// After so many steps, by this thread of the model.
    #[inline]
    pub(crate) fn new(steps: usize, thread: usize) -> Self {
        let most = (1 << Self::STEP_BITS) - 1;
        Self((thread as u32) << Self::STEP_BITS | (steps as u32).min(most))
    }

    /// How many steps there were.
    pub(crate) fn steps(self) -> usize {
        (self.0 & ((1 << Self::STEP_BITS) - 1)) as usize
    }

    /// Which thread it was.
    pub(crate) fn thread(self) -> usize {
        (self.0 >> Self::STEP_BITS) as usize
    }
}

/// An array of slots.
pub(super) struct Extent {
    start: NonNull<u8>,
    /// The size of its slots, as a power of two.
    class: u32,
    /// Which slot is taken first. All extents are aligned alike, and the first slots of many are in use at the same
    /// time: they should not meet in one set of the processor's caches.
    first: u32,
    slots: Box<[Slot]>,
    /// By slot: which other slot has changed names with it; made when it is needed.
    partners: OnceLock<Box<[Partner]>>,
}

// SAFETY: the slots belong to the code that allocated them; what is recorded about them here is atomic.
unsafe impl Send for Extent {}
// SAFETY: as above.
unsafe impl Sync for Extent {}

/// What is known of a slot.
#[derive(Default)]
struct Slot {
    /// The execution that it was allocated in, 0 if it is free.
    live: AtomicU32,
    /// When it was allocated or freed last.
    changed: AtomicU32,
}

#[derive(Default)]
struct Partner {
    execution: AtomicU32,
    address: AtomicUsize,
}

/// How many bytes to ask for. Where so many cannot be had, less will do.
#[cfg(all(unix, target_pointer_width = "64"))]
const SIZES: [usize; 4] = [1 << 36, 1 << 34, 1 << 32, 1 << 30];
#[cfg(not(all(unix, target_pointer_width = "64")))]
const SIZES: [usize; 2] = [1 << 28, 1 << 26];

/// The table at the start of the range has a pointer for each granule.
const fn table(size: usize) -> usize {
    (size >> GRANULE) * size_of::<*const Extent>()
}

#[cfg(all(unix, target_pointer_width = "64"))]
fn reserve(size: usize) -> Option<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_NORESERVE;
    // SAFETY: a new mapping, at an address that the system chooses.
    let start = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
    if start == libc::MAP_FAILED { None } else { NonNull::new(start.cast()) }
}

#[cfg(not(all(unix, target_pointer_width = "64")))]
fn reserve(size: usize) -> Option<NonNull<u8>> {
    use std::alloc::{GlobalAlloc, Layout, System};
    let layout = Layout::from_size_align(size, 1 << GRANULE).ok()?;
    // SAFETY: the size is not 0.
    NonNull::new(unsafe { System.alloc_zeroed(layout) })
}

fn region() -> Option<&'static Mutex<Rest>> {
    REGION
        .get_or_init(|| {
            let reserved = SIZES.iter().find_map(|&size| Some((reserve(size)?, size)));
            EXHAUSTED.store(reserved.is_none(), Ordering::Relaxed);
            let (start, size) = reserved?;
            BOUNDS.base.store(start.addr().get(), Ordering::Relaxed);
            BOUNDS.size.store(size, Ordering::Release);
            Some(Mutex::new(Rest { start, next: table(size), size }))
        })
        .as_ref()
}

/// Whether there was no memory for some extent.
pub(super) fn is_exhausted() -> bool {
    EXHAUSTED.load(Ordering::Relaxed)
}

/// The extent of an address, if it is one of a model's.
#[inline]
pub(super) fn find(address: usize) -> Option<&'static Extent> {
    let base = BOUNDS.base.load(Ordering::Relaxed);
    let offset = address.wrapping_sub(base);
    // An address that is there to be found was made known to this thread after both were set.
    if offset >= BOUNDS.size.load(Ordering::Relaxed) {
        return None;
    }
    find_within(base, offset)
}

/// Whether an address is one that models allocate from.
#[inline]
pub(crate) fn is_allocated(address: usize) -> bool {
    address.wrapping_sub(BOUNDS.base.load(Ordering::Relaxed)) < BOUNDS.size.load(Ordering::Relaxed)
}

#[inline]
fn find_within(base: usize, offset: usize) -> Option<&'static Extent> {
    let entry = base + (offset >> GRANULE) * size_of::<*const Extent>();
    // SAFETY: the entry is within the table, which holds pointers to extents, or null, and changes only once: before
    // the first address of the extent becomes known to anything.
    unsafe { (*ptr::with_exposed_provenance::<*const Extent>(entry)).as_ref() }
}

impl Extent {
    /// How many slots of a class an extent has, as a power of two.
    pub(super) const fn count(class: u32) -> u32 {
        GRANULE.saturating_sub(class)
    }

    /// A new extent of slots of this class; `None` if there are no addresses left.
    pub(super) fn new(class: u32) -> Option<&'static Self> {
        let slots = 1_usize << Self::count(class);
        let size = slots << class;
        let mut rest = region()?.lock().unwrap_or_else(PoisonError::into_inner);
        let base = rest.start.addr().get();
        base.checked_add(rest.next)?;
        let offset = (base + rest.next).next_multiple_of(size) - base;
        if offset.checked_add(size)? > rest.size {
            EXHAUSTED.store(true, Ordering::Relaxed);
            return None;
        }
        rest.next = offset + size;
        rest.start.as_ptr().expose_provenance();
        // SAFETY: within the range.
        let start = unsafe { rest.start.add(offset) };
        let lines = ((offset >> GRANULE) * 5) << 6;
        let first = (lines >> class & (slots - 1)) as u32;
        let slots = (0..slots).map(|_| Slot::default()).collect();
        let extent = Self { start, class, first, slots, partners: OnceLock::new() };
        let extent: &'static Self = Box::leak(Box::new(extent));
        for granule in offset >> GRANULE..(offset + size) >> GRANULE {
            // SAFETY: an entry of the table, which only this writes, and nothing reads yet.
            unsafe { rest.start.cast::<*const Self>().add(granule).write(extent) };
        }
        Some(extent)
    }

    /// The size of its slots, as a power of two.
    pub(super) fn class(&self) -> u32 {
        self.class
    }

    /// The slot that is taken when so many were, of this extent or others.
    #[inline]
    pub(super) fn nth(&self, taken: u32) -> usize {
        (self.first.wrapping_add(taken) & ((1 << Self::count(self.class)) - 1)) as usize
    }

    /// The slot that an address of the extent belongs to.
    #[inline]
    pub(super) fn slot_of(&self, address: usize) -> usize {
        (address - self.start.addr().get()) >> self.class
    }

    #[inline]
    pub(super) fn memory(&self, slot: usize) -> NonNull<u8> {
        // SAFETY: within the extent.
        unsafe { self.start.add(slot << self.class) }
    }

    /// Allocates a slot, if it is free.
    #[inline]
    pub(super) fn take(&self, slot: usize, execution: u32, moment: Moment) -> bool {
        let Slot { live, changed } = &self.slots[slot];
        // Another thread of the operating system may have freed it.
        let is_free = live.load(Ordering::Acquire) == 0;
        if is_free {
            live.store(execution, Ordering::Relaxed);
            changed.store(moment.0, Ordering::Relaxed);
        }
        is_free
    }

    /// Frees a slot; if it was free already, when it had been freed.
    #[inline]
    pub(super) fn free(&self, slot: usize, moment: Moment) -> Option<Moment> {
        let Slot { live, changed } = &self.slots[slot];
        if live.load(Ordering::Relaxed) == 0 {
            return Some(Moment(changed.load(Ordering::Relaxed)));
        }
        changed.store(moment.0, Ordering::Relaxed);
        live.store(0, Ordering::Release);
        None
    }

    /// When the slot was freed, if it is free.
    #[inline]
    pub(super) fn freed(&self, slot: usize) -> Option<Moment> {
        let Slot { live, changed } = &self.slots[slot];
        (live.load(Ordering::Relaxed) == 0).then(|| Moment(changed.load(Ordering::Relaxed)))
    }

    /// When the slot was allocated or freed last.
    pub(super) fn changed(&self, slot: usize) -> Moment {
        Moment(self.slots[slot].changed.load(Ordering::Relaxed))
    }

    /// Clears a slot, unless it is large.
    #[cold]
    pub(super) fn clear(&self, slot: usize) {
        if self.class <= GRANULE {
            // SAFETY: the slot belongs to the caller, who has just allocated it.
            unsafe { self.memory(slot).write_bytes(0, 1 << self.class) };
        }
    }

    /// Adds the slot, if it was allocated in this execution, to `bytes`; whether that has not made it larger than
    /// `limit`.
    pub(super) fn copy(&self, slot: usize, execution: u32, bytes: &mut Vec<u8>, limit: usize) -> bool {
        if self.allocated_in(slot) != execution {
            bytes.push(0);
            return true;
        }
        let (start, size) = (bytes.len(), 1_usize << self.class);
        if start + size > limit {
            return false;
        }
        bytes.reserve(size);
        // SAFETY: the slot is mapped, and the code that uses it does not run; there is room for the copy.
        unsafe {
            ptr::copy_nonoverlapping(self.memory(slot).as_ptr(), bytes.as_mut_ptr().add(start), size);
            bytes.set_len(start + size);
        }
        true
    }

    /// [`Extent::copy`] for all slots.
    pub(super) fn copy_all(&self, execution: u32, bytes: &mut Vec<u8>, limit: usize) -> bool {
        (0..self.slots.len()).all(|slot| self.copy(slot, execution, bytes, limit))
    }

    /// The execution that the slot was allocated in; 0 if it is free.
    pub(super) fn allocated_in(&self, slot: usize) -> u32 {
        self.slots[slot].live.load(Ordering::Relaxed)
    }

    /// How many slots are not free.
    pub(super) fn live(&self) -> usize {
        self.slots.iter().filter(|slot| slot.live.load(Ordering::Relaxed) != 0).count()
    }

    fn partners(&self) -> &[Partner] {
        self.partners.get_or_init(|| self.slots.iter().map(|_| Partner::default()).collect())
    }

    /// In this execution, the slot goes by the name of the one at `address`.
    pub(super) fn set_partner(&self, slot: usize, execution: u32, address: usize) {
        let partner = &self.partners()[slot];
        partner.execution.store(execution, Ordering::Relaxed);
        partner.address.store(address, Ordering::Relaxed);
    }

    /// The address by whose name the slot goes in this execution, if that is not its own.
    pub(super) fn partner(&self, slot: usize, execution: u32) -> Option<usize> {
        let partner = &self.partners.get()?[slot];
        (partner.execution.load(Ordering::Relaxed) == execution).then(|| partner.address.load(Ordering::Relaxed))
    }
}
