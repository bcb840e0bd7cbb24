//! The memory of one exploration: the address of the n-th allocation of a thread does not depend on the interleaving.
//!
//! Each thread has an array of slots for each size, and takes them in order: the address of an allocation is determined
//! by the thread, the size and the number of earlier allocations of this size by the thread, and so is the same in
//! every execution. A freed slot is not reused before the next execution, when all arrays are taken from their start
//! again.
//!
//! A slot that is still in use then - leaked, or kept in a static by the test - stays where it is. The allocation that
//! belongs there is *displaced*: it lies elsewhere and, for this execution, exchanges names with that slot
//! ([`lasting`]).

use super::region::{self, Extent, Moment};
use std::cell::{Cell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Requests are rounded up to a power of two, to this one at least.
const SMALLEST: u32 = 4;
/// So many executions are numbered at a time.
const NUMBERS: u64 = 256;
const CLASSES: usize = (region::LARGEST - SMALLEST + 1) as usize;

thread_local! {
    /// The arena that code on this thread of the operating system allocates from, unless it is paused; null outside of
    /// models.
    static ACTIVE: Cell<*const Shared> = const { Cell::new(ptr::null()) };
    /// The current execution, if some allocation of it was displaced; otherwise 0.
    static DISPLACED: Cell<u32> = const { Cell::new(0) };
}

/// An arena, and what tells whether it may be used.
struct Shared {
    /// How many reasons there are not to allocate from it: everyway's own code is running. Not part of the arena, whose
    /// own code looks at it while it is borrowed.
    paused: Cell<u32>,
    arena: UnsafeCell<Arena>,
}

/// Memory for the threads of an exploration.
struct Arena {
    execution: u32,
    /// Those of the next executions.
    numbers: Range<u64>,
    /// Those of the running thread; never dangling while the arena is active.
    running: *mut Slabs,
    threads: Vec<Slabs>,
    displaced: [Overflow; CLASSES],
    /// Whether memory is cleared before it is handed out, so that what the program leaves undefined is the same in every
    /// execution.
    clears: bool,
    /// How many steps the execution has, and which thread is running.
    now: Moment,
    /// Something that was freed when it was free already, and when it had been freed before.
    double_free: Option<Moment>,
}

/// The arrays of one thread.
struct Slabs {
    /// For what may contain objects of models.
    objects: [Slab; CLASSES],
    /// For what cannot, because it is not aligned for them. It has a count of its own: what the standard library and
    /// tests keep from one execution to the next, and allocate only when it has to grow, are mostly buffers of bytes.
    bytes: [Slab; CLASSES],
    /// How much of the former was ever taken.
    counted: u32,
}

/// The alignment of what finds an object's state.
const OBJECT: usize = align_of::<crate::model::object::Handle>();

/// The slots of one thread and one size.
#[derive(Default)]
struct Slab {
    /// The execution that the following is about.
    execution: u32,
    /// How many were taken.
    taken: u32,
    extents: Vec<&'static Extent>,
}

/// Slots of one size for what is displaced.
#[derive(Default)]
struct Overflow {
    /// The next slot to try, counting over all extents.
    next: usize,
    /// How far to go before it is worth while to look from the start for what has become free.
    turn: usize,
    extents: Vec<&'static Extent>,
}

// SAFETY: the arena is used by one thread at a time, and `running` points into it.
unsafe impl Send for Arena {}

/// The class of a request, if it is one that is served.
#[inline]
pub(super) fn class_of(size: usize, align: usize) -> Option<u32> {
    let wanted = size.max(align).max(1 << SMALLEST);
    // Slots are aligned to their size.
    (wanted <= 1 << region::LARGEST).then(|| usize::BITS - (wanted - 1).leading_zeros())
}

impl Arena {
    fn new() -> Self {
        let displaced = std::array::from_fn(|_| Overflow::default());
        Self {
            execution: 0,
            numbers: 0..0,
            running: ptr::null_mut(),
            threads: Vec::new(),
            displaced,
            clears: false,
            now: Moment::default(),
            double_free: None,
        }
    }

    #[inline]
    fn run(&mut self, thread: usize) {
        if self.threads.len() <= thread {
            self.add_threads(thread + 1);
        }
        self.now = Moment::new(self.now.steps(), thread);
        self.running = &raw mut self.threads[thread];
    }

    #[cold]
    fn add_threads(&mut self, count: usize) {
        while self.threads.len() < count {
            let slabs = || std::array::from_fn(|_| Slab::default());
            self.threads.push(Slabs { objects: slabs(), bytes: slabs(), counted: 0 });
        }
    }

    #[inline]
    fn allocate(&mut self, class: u32, align: usize, paused: &Cell<u32>) -> Option<NonNull<u8>> {
        // SAFETY: set by `run`, which alone adds threads.
        let slabs = unsafe { &mut *self.running };
        let slabs = if align < OBJECT {
            &mut slabs.bytes
        } else {
            slabs.counted = slabs.counted.wrapping_add(1);
            &mut slabs.objects
        };
        let slab = &mut slabs[(class - SMALLEST) as usize];
        if slab.execution != self.execution {
            slab.execution = self.execution;
            slab.taken = 0;
        }
        let (per_extent, nth) = (Extent::count(class), slab.taken);
        let extent = match slab.extents.get((nth >> per_extent) as usize) {
            Some(&extent) => extent,
            None => {
                let _paused = pause(paused);
                slab.grow(class)?
            }
        };
        slab.taken += 1;
        let slot = extent.nth(nth);
        if extent.take(slot, self.execution, self.now) {
            if self.clears {
                extent.clear(slot);
            }
            return Some(extent.memory(slot));
        }
        let _paused = pause(paused);
        self.displace(class, extent, slot)
    }

    /// Allocates something in place of a slot that is not free.
    #[cold]
    fn displace(&mut self, class: u32, home: &Extent, home_slot: usize) -> Option<NonNull<u8>> {
        let per_extent = 1_usize << Extent::count(class);
        let overflow = &mut self.displaced[(class - SMALLEST) as usize];
        let (extent, slot) = loop {
            let (extent, slot) = (overflow.next / per_extent, overflow.next % per_extent);
            if overflow.extents.len() == extent {
                overflow.extents.push(Extent::new(class)?);
            }
            overflow.next += 1;
            if overflow.extents[extent].take(slot, self.execution, self.now) {
                break (overflow.extents[extent], slot);
            }
        };
        if self.clears {
            extent.clear(slot);
        }
        let memory = extent.memory(slot);
        let home_address = home.memory(home_slot).addr().get();
        extent.set_partner(slot, self.execution, home_address);
        home.set_partner(home_slot, self.execution, memory.addr().get());
        DISPLACED.with(|displaced| displaced.set(self.execution));
        Some(memory)
    }

    /// Adds what was allocated in this execution and not freed to `bytes`, with how much was; whether `bytes` has not
    /// become larger than `limit`.
    fn copy(&self, bytes: &mut Vec<u8>, limit: usize) -> bool {
        let slabs = self.threads.iter().flat_map(|thread| thread.objects.iter().chain(&thread.bytes));
        for slab in slabs.filter(|slab| slab.execution == self.execution) {
            bytes.extend_from_slice(&slab.taken.to_ne_bytes());
            for nth in 0..slab.taken {
                let extent = slab.extents[(nth >> Extent::count(slab.extents[0].class())) as usize];
                if !extent.copy(extent.nth(nth), self.execution, bytes, limit) {
                    return false;
                }
            }
        }
        let displaced = self.displaced.iter().flat_map(|overflow| &overflow.extents);
        displaced.into_iter().all(|extent| extent.copy_all(self.execution, bytes, limit))
    }

    fn live(&self) -> Vec<(usize, Moment)> {
        let slabs = self.threads.iter().flat_map(|thread| thread.objects.iter().chain(&thread.bytes));
        let mut found = Vec::new();
        for slab in slabs.filter(|slab| slab.execution == self.execution) {
            for nth in 0..slab.taken {
                let extent = slab.extents[(nth >> Extent::count(slab.extents[0].class())) as usize];
                let slot = extent.nth(nth);
                if extent.allocated_in(slot) == self.execution {
                    found.push((1 << extent.class(), extent.changed(slot)));
                }
            }
        }
        for extent in self.displaced.iter().flat_map(|overflow| &overflow.extents) {
            let slots =
                (0..1 << Extent::count(extent.class())).filter(|&slot| extent.allocated_in(slot) == self.execution);
            found.extend(slots.map(|slot| (1 << extent.class(), extent.changed(slot))));
        }
        found
    }

    /// A number that no other execution has, of any arena: what one has allocated may get into the hands of another's
    /// threads. They are taken some at a time from a count that all share, as that would go back and forth between processors
    /// for every execution otherwise.
    #[inline]
    fn number(&mut self) -> u64 {
        static EXECUTIONS: AtomicU64 = AtomicU64::new(1);
        self.numbers.next().unwrap_or_else(|| {
            let first = EXECUTIONS.fetch_add(NUMBERS, Ordering::Relaxed);
            self.numbers = first + 1..first + NUMBERS;
            first
        })
    }

    /// The execution of this number begins.
    fn begin(&mut self, number: u64) {
        // 0 is what a free slot has.
        self.execution = (number as u32).max(1);
        self.now = Moment::default();
        self.double_free = None;
        DISPLACED.with(|displaced| displaced.set(0));
        for overflow in &mut self.displaced {
            overflow.begin();
        }
    }
}

impl Slab {
    #[cold]
    fn grow(&mut self, class: u32) -> Option<&'static Extent> {
        let extent = Extent::new(class)?;
        self.extents.push(extent);
        Some(extent)
    }
}

impl Overflow {
    /// Goes back to the start where as many slots have been passed since the last time as were in use then: what is
    /// leaked is not passed over and over again.
    fn begin(&mut self) {
        if self.next > self.turn {
            let live: usize = self.extents.iter().map(|extent| extent.live()).sum();
            self.turn = 2 * live;
            self.next = 0;
        }
    }
}

/// The arena that is active, unless it is paused.
#[inline]
fn active<'a>() -> Option<&'a Shared> {
    // SAFETY: the code that makes an arena active keeps it alive while it is; the result is not kept.
    unsafe { ACTIVE.with(Cell::get).as_ref() }.filter(|shared| shared.paused.get() == 0)
}

/// Allocates from the arena that is active, if there is one.
#[inline]
pub(super) fn allocate(size: usize, align: usize) -> Option<NonNull<u8>> {
    let Shared { paused, arena } = active()?;
    let class = class_of(size, align)?;
    // SAFETY: it is not borrowed: every borrower has paused it, or does not allocate.
    unsafe { &mut *arena.get() }.allocate(class, align, paused)
}

/// Frees a slot. A double free is recorded for the model.
#[inline]
pub(super) fn free(extent: &Extent, slot: usize) {
    // SAFETY: the code that makes an arena active keeps it alive while it is.
    let Some(shared) = (unsafe { ACTIVE.with(Cell::get).as_ref() }) else {
        extent.free(slot, Moment::default());
        return;
    };
    let arena = shared.arena.get();
    // SAFETY: the arena is borrowed by nothing that frees.
    let now = unsafe { (*arena).now };
    if let Some(before) = extent.free(slot, now) {
        // SAFETY: as above.
        unsafe { (*arena).double_free.get_or_insert(before) };
    }
}

/// If this address is part of something that was freed: when.
#[inline]
pub(crate) fn freed(address: usize) -> Option<Moment> {
    let extent = region::find(address)?;
    extent.freed(extent.slot_of(address))
}

/// Whether this address is part of something that a model has allocated.
pub(crate) fn is_named(address: usize) -> bool {
    region::find(address).is_some()
}

/// Whether a slot was allocated in the execution of the arena that is active.
pub(super) fn is_of_this_execution(extent: &Extent, slot: usize) -> bool {
    // SAFETY: as in `allocate`.
    active().is_some_and(|shared| unsafe { &*shared.arena.get() }.execution == extent.allocated_in(slot))
}

/// The address that goes by the name of this one in every execution; the other way round it is the same.
#[inline]
pub(crate) fn lasting(address: usize) -> usize {
    match DISPLACED.with(Cell::get) {
        0 => address,
        execution => exchange(address, execution),
    }
}

#[cold]
fn exchange(address: usize, execution: u32) -> usize {
    let Some(extent) = region::find(address) else { return address };
    let slot = extent.slot_of(address);
    let start = extent.memory(slot).addr().get();
    extent.partner(slot, execution).map_or(address, |partner| partner + (address - start))
}

/// Until this is dropped, allocations on this thread are not the model's. It counts for so much.
pub(crate) struct Paused<'a, const REASON: u32 = ANY>(&'a Cell<u32>);

/// The same, of which there is one at a time.
pub(crate) type PausedAlone<'a> = Paused<'a, ALONE>;

/// The lowest bit. (The highest one would be written as a byte, and then read as part of a word: the processor waits for that.)
const ALONE: u32 = 1;
const ANY: u32 = 2;

#[inline]
fn pause(reasons: &Cell<u32>) -> Paused<'_> {
    reasons.set(reasons.get() + ANY);
    Paused(reasons)
}

impl<const REASON: u32> Drop for Paused<'_, REASON> {
    #[inline]
    fn drop(&mut self) {
        self.0.set(self.0.get() - REASON);
    }
}

/// The right to an arena.
pub(crate) struct Lease {
    shared: ManuallyDrop<Box<Shared>>,
    /// Whether what is allocated in it may go on to be used although nothing frees it.
    is_burnt: Cell<bool>,
}

/// Arenas that are not in use.
#[expect(clippy::vec_box, reason = "they are boxed in use, and go back and forth")]
static IDLE: Mutex<Vec<Box<Shared>>> = Mutex::new(Vec::new());

impl Lease {
    pub(crate) fn new() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let new = || Box::new(Shared { paused: Cell::new(0), arena: UnsafeCell::new(Arena::new()) });
        Self { shared: ManuallyDrop::new(idle.unwrap_or_else(new)), is_burnt: Cell::new(false) }
    }

    /// A number for the next execution, which no other one has, and which is not 0.
    pub(crate) fn number(&self) -> u64 {
        // SAFETY: the lease owns the arena, and this does not allocate.
        unsafe { &mut *self.shared.arena.get() }.number()
    }

    /// Another execution begins, of this number.
    pub(crate) fn begin(&self, number: u64) {
        let _paused = self.pause();
        // SAFETY: the lease owns the arena, which is not used by allocations while it is paused.
        unsafe { &mut *self.shared.arena.get() }.begin(number);
    }

    /// A number that changes whenever the running thread allocates something that may contain objects.
    pub(crate) fn allocated(&self) -> u32 {
        // SAFETY: as in `begin`; `running` is set as long as a thread runs.
        unsafe { (*(*self.shared.arena.get()).running).counted }
    }

    /// The execution has so many steps from now on.
    #[inline]
    pub(crate) fn at_step(&self, steps: usize) {
        // SAFETY: as in `begin`.
        let now = unsafe { &mut (*self.shared.arena.get()).now };
        *now = Moment::new(steps, now.thread());
    }

    /// Whether something was freed that was free already.
    #[inline]
    pub(crate) fn has_double_free(&self) -> bool {
        // SAFETY: as in `begin`.
        unsafe { &*self.shared.arena.get() }.double_free.is_some()
    }

    /// When something was freed that was then freed once more, if there is such a thing.
    #[inline]
    pub(crate) fn take_double_free(&self) -> Option<Moment> {
        // SAFETY: as in `begin`.
        unsafe { &mut *self.shared.arena.get() }.double_free.take()
    }

    /// What the execution has allocated and not freed: how many bytes, and when.
    pub(crate) fn live(&self) -> Vec<(usize, Moment)> {
        let _paused = self.pause();
        // SAFETY: as in `begin`.
        unsafe { &*self.shared.arena.get() }.live()
    }

    /// Whether memory is cleared before it is handed out.
    pub(crate) fn clear_memory(&self, clears: bool) {
        // SAFETY: as in `begin`.
        unsafe { &mut *self.shared.arena.get() }.clears = clears;
    }

    /// Makes allocations those of everyway itself.
    #[inline]
    pub(crate) fn pause(&self) -> Paused<'_> {
        pause(&self.shared.paused)
    }

    /// The same, unless it is so by this already.
    #[inline]
    pub(crate) fn pause_alone(&self) -> Option<PausedAlone<'_>> {
        let paused = &self.shared.paused;
        let reasons = paused.get();
        (reasons & ALONE == 0).then(|| {
            paused.set(reasons + ALONE);
            Paused(paused)
        })
    }

    /// Calls `f`, whose allocations are those of this thread of the model.
    #[inline]
    pub(crate) fn run<R>(&self, thread: usize, f: impl FnOnce() -> R) -> R {
        // SAFETY: as in `begin`; no arena is active where this is called.
        unsafe { &mut *self.shared.arena.get() }.run(thread);
        debug_assert!(ACTIVE.get().is_null(), "a model is not run by another");
        ACTIVE.with(|active| active.set(&**self.shared));
        let result = f();
        ACTIVE.with(|active| active.set(ptr::null()));
        result
    }

    /// Adds what the current execution has allocated to `bytes`; whether that has not made it larger than `limit`.
    pub(crate) fn copy(&self, bytes: &mut Vec<u8>, limit: usize) -> bool {
        let _paused = self.pause();
        // SAFETY: as in `begin`.
        unsafe { &*self.shared.arena.get() }.copy(bytes, limit)
    }

    /// What was allocated is abandoned: the arena is not used again.
    pub(crate) fn burn(&self) {
        self.is_burnt.set(true);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        DISPLACED.with(|displaced| displaced.set(0));
        // SAFETY: taken once, here.
        let shared = unsafe { ManuallyDrop::take(&mut self.shared) };
        if !self.is_burnt.get() {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(shared);
        }
    }
}
