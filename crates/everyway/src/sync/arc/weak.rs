//! References that do not own.

use super::{Arc, Weak, with_effect};
use crate::model;
use crate::model::owners::{Count, Shared};
use everyway_runtime::{Condition, Effect, Ordering, Verb};
use std::any::type_name;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::Location;
use std::sync;

/// [`with_shared`](super::with_shared) for a `Weak`, which may have no owner. One that never had any shares nothing.
fn with_shared_weakly<T: ?Sized, R>(weak: &sync::Weak<T>, f: impl FnOnce(Shared<'_>) -> R) -> Option<R> {
    let counts = || (weak.strong_count(), weak.weak_count());
    let address = weak.as_ptr().addr();
    (address != usize::MAX).then(|| f(Shared { address, of: type_name::<T>(), counts: &counts }))
}

impl<T> Weak<T> {
    /// A reference to nothing.
    pub const fn new() -> Self {
        Self(ManuallyDrop::new(sync::Weak::new()))
    }
}

impl<T: ?Sized> Weak<T> {
    pub(super) fn into_std_by_value(self) -> ManuallyDrop<sync::Weak<T>> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: taken once: `this` is not dropped.
        ManuallyDrop::new(unsafe { ManuallyDrop::take(&mut this.0) })
    }

    /// The same reference, of everyway's type.
    pub fn from_std(weak: sync::Weak<T>) -> Self {
        Self(ManuallyDrop::new(weak))
    }

    /// The same reference, of std's type.
    pub fn into_std(this: Self) -> sync::Weak<T> {
        ManuallyDrop::into_inner(this.into_std_by_value())
    }

    /// An owner, if there still is one.
    #[track_caller]
    pub fn upgrade(&self) -> Option<Arc<T>> {
        let caller = Location::caller();
        let upgrades = |model: &model::Model| {
            with_shared_weakly(&self.0, |shared| {
                let add = |access| {
                    let added = with_effect(access, Effect::Modify(u64::wrapping_add, 1));
                    added.locking().if_now(Condition::Differs(0))
                };
                let is_owner = model.change_owners(shared, Count::Strong, Verb::UpgradeWeak, caller, add).changed;
                if !is_owner {
                    // To find that there is none is a relaxed load.
                    model.meet(Ordering::Relaxed);
                }
                is_owner
            })
        };
        match model::with(upgrades) {
            Some(Some(false)) => None,
            _ => self.0.upgrade().map(Arc::from_std),
        }
    }

    /// How many owners there are.
    #[track_caller]
    pub fn strong_count(&self) -> usize {
        let caller = Location::caller();
        let count = |model: &model::Model| {
            with_shared_weakly(&self.0, |shared| model.count_owners(shared, Count::Strong, caller))
        };
        model::with(count).flatten().unwrap_or_else(|| self.0.strong_count())
    }

    /// How many references there are that do not own; 0 if there is no owner.
    #[track_caller]
    pub fn weak_count(&self) -> usize {
        let caller = Location::caller();
        let count = |model: &model::Model| {
            with_shared_weakly(&self.0, |shared| match model.count_owners(shared, Count::Strong, caller) {
                0 => 0,
                _ => model.count_owners(shared, Count::Weak, caller),
            })
        };
        model::with(count).flatten().unwrap_or_else(|| self.0.weak_count())
    }

    /// A pointer to what is shared; it may not be there any more.
    pub fn as_ptr(&self) -> *const T {
        self.0.as_ptr()
    }

    /// Whether both refer to the same.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Gives up the reference without dropping it: see [`Weak::from_raw`].
    #[must_use = "losing the pointer leaks the allocation"]
    pub fn into_raw(self) -> *const T {
        Self::into_std(self).into_raw()
    }

    /// Takes the reference back.
    ///
    /// # Safety
    /// As for [`std::sync::Weak::from_raw`].
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        // SAFETY: what the caller promises.
        Self::from_std(unsafe { sync::Weak::from_raw(pointer) })
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        let caller = Location::caller();
        model::with(|model| {
            with_shared_weakly(&self.0, |shared| model.add_owner(shared, Count::Weak, 1, Verb::CloneWeak, caller));
        });
        Self(self.0.clone())
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    #[track_caller]
    fn drop(&mut self) {
        let caller = Location::caller();
        model::with(|model| {
            let drop = |shared: Shared<'_>| model.add_owner(shared, Count::Weak, u64::MAX, Verb::DropWeak, caller);
            with_shared_weakly(&self.0, drop);
        });
        // SAFETY: not used after this.
        unsafe { ManuallyDrop::drop(&mut self.0) };
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}
