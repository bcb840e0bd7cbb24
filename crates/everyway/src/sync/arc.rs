//! [`std::sync::Arc`] and [`std::sync::Weak`], as models see them.
//!
//! Both are std's with their counts seen (`model::owners`): as long as the program cannot tell how many owners there are,
//! or which is the last one, they take no steps at all. Where it can, every order is explored.
//!
//! Three things cannot be had on stable Rust for a type that is not the standard library's:
//!
//! - **coercion to trait objects and slices.** `let a: Arc<dyn Trait> = Arc::new(x)` does not compile. Write
//!   [`unsize!`](crate::unsize)`(Arc::new(x) => dyn Trait)`, or [`Arc::from`]`(Box::new(x) as Box<dyn Trait>)`, which also
//!   compile where everyway's `Arc` is std's.
//! - **methods on `self: Arc<Self>`.** Write `this: Arc<Self>`, or use `&self`. For [`std::task::Wake`], which has one, use
//!   std's `Arc`; a [`Waker`] can be made from either.
//! - **moving out of patterns** and the like, which only the compiler knows of std's.

mod conversions;
mod weak;

use crate::model::owners::{Count, Shared};
use crate::model::{self, CodeSite, Leaks};
use everyway_runtime::{Condition, Effect, Ordering, Verb};
use std::any::{Any, type_name};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Deref;
use std::panic::Location;
use std::pin::Pin;
use std::sync;
#[cfg(doc)]
use std::task::Waker;

/// [`std::sync::Arc`] whose counts are seen by models.
pub struct Arc<T: ?Sized>(ManuallyDrop<sync::Arc<T>>);

/// [`std::sync::Weak`] whose counts are seen by models.
pub struct Weak<T: ?Sized>(ManuallyDrop<sync::Weak<T>>);

/// Calls `f` with what is shared, as models know it.
fn with_shared<T: ?Sized, R>(arc: &sync::Arc<T>, f: impl FnOnce(Shared<'_>) -> R) -> R {
    let counts = || (sync::Arc::strong_count(arc), sync::Arc::weak_count(arc));
    f(Shared { address: sync::Arc::as_ptr(arc).addr(), of: type_name::<T>(), counts: &counts })
}

impl<T> Arc<T> {
    /// Something shared, with one owner.
    #[track_caller]
    pub fn new(value: T) -> Self {
        let arc = sync::Arc::new(value);
        let caller = Location::caller();
        model::with(|model| {
            if model.settings.leaks == Leaks::Arcs {
                model.owe(sync::Arc::as_ptr(&arc).addr(), caller);
            }
        });
        Self::from_std(arc)
    }

    /// Something shared that refers to itself.
    pub fn new_cyclic(f: impl FnOnce(&Weak<T>) -> T) -> Self {
        Self::from_std(sync::Arc::new_cyclic(|weak| {
            // What `f` sees does not own the reference: it is not dropped here.
            let weak = ManuallyDrop::new(Weak(ManuallyDrop::new(weak.clone())));
            let value = f(&weak);
            drop(ManuallyDrop::into_inner(ManuallyDrop::into_inner(weak).into_std_by_value()));
            value
        }))
    }

    /// Something shared that has not been set yet.
    #[track_caller]
    pub fn new_uninit() -> Arc<MaybeUninit<T>> {
        Arc::new(MaybeUninit::uninit())
    }

    /// Something shared that does not move.
    #[track_caller]
    pub fn pin(value: T) -> Pin<Self> {
        // SAFETY: what an `Arc` points to does not move as long as it is shared, and `get_mut` needs `Unpin` of a
        // pinned one.
        unsafe { Pin::new_unchecked(Self::new(value)) }
    }

    /// What is shared, if this is its only owner.
    ///
    /// # Errors
    /// The owner itself, if it is not the only one.
    #[track_caller]
    pub fn try_unwrap(this: Self) -> Result<T, Self> {
        if this.take_if_unique(Location::caller()) {
            sync::Arc::try_unwrap(this.into_std_unseen()).map_err(Self::from_std)
        } else {
            Err(this)
        }
    }

    /// What is shared, if this was its last owner.
    #[track_caller]
    pub fn into_inner(this: Self) -> Option<T> {
        let caller = Location::caller();
        model::with(|model| {
            with_shared(&this.0, |shared| {
                let sub = |access| with_effect(access, Effect::Modify(u64::wrapping_sub, 1)).ordered(Ordering::Release);
                if model.change_owners(shared, Count::Strong, Verb::DropArc, caller, sub).before == 1 {
                    model.fence_unseen(Ordering::Acquire, caller);
                }
            });
        });
        sync::Arc::into_inner(this.into_std_unseen())
    }

    /// What is shared, if this is its only owner; a clone of it otherwise.
    #[track_caller]
    pub fn unwrap_or_clone(this: Self) -> T
    where
        T: Clone,
    {
        Self::try_unwrap(this).unwrap_or_else(|this| (*this).clone())
    }
}

pub(super) fn with_effect(access: everyway_runtime::Access, effect: Effect) -> everyway_runtime::Access {
    everyway_runtime::Access { effect, ..access }
}

impl<T: ?Sized> Arc<T> {
    /// The same owner, of std's type.
    pub fn into_std(this: Self) -> sync::Arc<T> {
        this.into_std_unseen()
    }

    pub(super) fn into_std_unseen(self) -> sync::Arc<T> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: taken once: `this` is not dropped.
        unsafe { ManuallyDrop::take(&mut this.0) }
    }

    /// The same owner, of everyway's type.
    pub fn from_std(arc: sync::Arc<T>) -> Self {
        Self(ManuallyDrop::new(arc))
    }

    /// A pointer to what is shared.
    pub fn as_ptr(this: &Self) -> *const T {
        sync::Arc::as_ptr(&this.0)
    }

    /// Gives up ownership without leaving: see [`Arc::from_raw`].
    #[must_use = "losing the pointer leaks what is shared"]
    pub fn into_raw(this: Self) -> *const T {
        sync::Arc::into_raw(this.into_std_unseen())
    }

    /// Takes ownership back.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::from_raw`].
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        // SAFETY: what the caller promises.
        Self::from_std(unsafe { sync::Arc::from_raw(pointer) })
    }

    /// Adds an owner.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::increment_strong_count`].
    #[track_caller]
    pub unsafe fn increment_strong_count(pointer: *const T) {
        // SAFETY: what the caller promises; the owner that is made of the pointer is not dropped.
        let owner = ManuallyDrop::new(unsafe { Self::from_raw(pointer) });
        let _added = ManuallyDrop::new(owner.add(Location::caller()));
    }

    /// Removes an owner.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::decrement_strong_count`].
    #[track_caller]
    pub unsafe fn decrement_strong_count(pointer: *const T) {
        // SAFETY: what the caller promises.
        unsafe { Self::from_raw(pointer) }.leave(Location::caller());
    }

    /// A reference that does not own.
    #[track_caller]
    pub fn downgrade(this: &Self) -> Weak<T> {
        let caller = Location::caller();
        model::with(|model| {
            with_shared(&this.0, |shared| model.add_owner(shared, Count::Weak, 1, Verb::DowngradeArc, caller));
        });
        Weak(ManuallyDrop::new(sync::Arc::downgrade(&this.0)))
    }

    /// How many owners there are.
    #[track_caller]
    pub fn strong_count(this: &Self) -> usize {
        let caller = Location::caller();
        let count =
            |model: &model::Model| with_shared(&this.0, |shared| model.count_owners(shared, Count::Strong, caller));
        model::with(count).unwrap_or_else(|| sync::Arc::strong_count(&this.0))
    }

    /// How many references there are that do not own.
    #[track_caller]
    pub fn weak_count(this: &Self) -> usize {
        let caller = Location::caller();
        let count =
            |model: &model::Model| with_shared(&this.0, |shared| model.count_owners(shared, Count::Weak, caller));
        model::with(count).unwrap_or_else(|| sync::Arc::weak_count(&this.0))
    }

    /// Whether both own the same.
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        sync::Arc::ptr_eq(&this.0, &other.0)
    }

    /// What is shared, if this is its only owner, and nothing else refers to it.
    #[track_caller]
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        let caller = Location::caller();
        let is_unique = model::with(|model| with_shared(&this.0, |shared| model.is_unique(shared, caller)));
        if is_unique == Some(false) { None } else { sync::Arc::get_mut(&mut this.0) }
    }

    /// Takes what is shared from its owner, if that is the only one, so that nothing else can become one; always outside
    /// of models, where std decides.
    fn take_if_unique(&self, caller: CodeSite) -> bool {
        model::with(|model| {
            with_shared(&self.0, |shared| {
                let take = |access| {
                    with_effect(access, Effect::Write(0)).ordered(Ordering::Relaxed).if_now(Condition::Equals(1))
                };
                let taken = model.change_owners(shared, Count::Strong, Verb::UnwrapArc, caller, take).changed;
                if taken {
                    model.fence_unseen(Ordering::Acquire, caller);
                } else {
                    model.may_have_missed(Ordering::Relaxed);
                }
                taken
            })
        })
        .unwrap_or(true)
    }

    fn add(&self, caller: CodeSite) -> Self {
        model::with(|model| {
            with_shared(&self.0, |shared| model.add_owner(shared, Count::Strong, 1, Verb::CloneArc, caller));
        });
        Self::from_std(sync::Arc::clone(&self.0))
    }

    fn leave(self, caller: CodeSite) {
        let mut this = ManuallyDrop::new(self);
        this.leave_by_reference(caller);
    }

    /// Leaves; to be called once, last.
    fn leave_by_reference(&mut self, caller: CodeSite) {
        // SAFETY: taken once, as the caller promises.
        let arc = unsafe { ManuallyDrop::take(&mut self.0) };
        let mut arc = Some(arc);
        model::with(|model| {
            if model.ignores_owners() && arc.as_ref().is_some_and(|arc| sync::Arc::strong_count(arc) > 1) {
                return;
            }
            // The counts are looked at while the owner is still there.
            let pointer: *const sync::Arc<T> = arc.as_ref().map_or(std::ptr::null(), |arc| arc);
            // SAFETY: `free` is the last thing that is called, and `Shared` is not used after it.
            with_shared(unsafe { &*pointer }, |shared| model.drop_owner(shared, caller, || drop(arc.take())));
        });
        drop(arc);
    }
}

impl<T> Arc<MaybeUninit<T>> {
    /// The same, of what has been set.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::assume_init`].
    pub unsafe fn assume_init(self) -> Arc<T> {
        // SAFETY: what the caller promises.
        Arc::from_std(unsafe { self.into_std_unseen().assume_init() })
    }
}

impl<T> Arc<[MaybeUninit<T>]> {
    /// The same, of values that have all been set.
    ///
    /// # Safety
    /// As for [`std::sync::Arc::assume_init`].
    pub unsafe fn assume_init(self) -> Arc<[T]> {
        // SAFETY: what the caller promises.
        Arc::from_std(unsafe { self.into_std_unseen().assume_init() })
    }
}

impl<T> Arc<[T]> {
    /// So many values that have not been set yet.
    pub fn new_uninit_slice(len: usize) -> Arc<[MaybeUninit<T>]> {
        Arc::from_std(sync::Arc::new_uninit_slice(len))
    }
}

impl<T: Clone> Arc<T> {
    /// What is shared, to be changed: that of another allocation, with a clone of it, if this is not the only owner.
    #[track_caller]
    pub fn make_mut(this: &mut Self) -> &mut T {
        let caller = Location::caller();
        let is_owner = this.take_if_unique(caller);
        if !is_owner {
            *this = Self::new((**this).clone());
        } else {
            model::with(|model| {
                with_shared(&this.0, |shared| {
                    // If nothing else refers to it, it stays where it is, and has an owner again.
                    if model.has_owners_only(shared, caller) {
                        let again = |access| with_effect(access, Effect::Write(1)).ordered(Ordering::Release);
                        model.change_owners(shared, Count::Strong, Verb::IsUniqueArc, caller, again);
                    }
                });
            });
        }
        sync::Arc::make_mut(&mut this.0)
    }
}

impl Arc<dyn Any + Send + Sync> {
    /// What is shared, as a value of type `T`.
    ///
    /// # Errors
    /// The owner itself, if it is of another type.
    pub fn downcast<T: Any + Send + Sync>(self) -> Result<Arc<T>, Self> {
        self.into_std_unseen().downcast().map(Arc::from_std).map_err(Self::from_std)
    }
}

impl<T: ?Sized> Drop for Arc<T> {
    #[track_caller]
    fn drop(&mut self) {
        self.leave_by_reference(Location::caller());
    }
}

impl<T: ?Sized> Clone for Arc<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        self.add(Location::caller())
    }
}

impl<T: ?Sized> Deref for Arc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
