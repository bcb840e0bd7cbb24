//! `thread_local!`: a value for each thread of a model, dropped when the thread ends.

use crate::model::{self, Model};
use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// The values of one thread, in the order in which they were initialised.
#[derive(Default)]
pub(crate) struct Locals {
    values: Vec<(usize, Rc<dyn Any>)>,
    /// Whether one of them has had a destructor.
    have_destructors: bool,
    /// Keys whose values are being dropped or have been.
    dropped: Vec<usize>,
}

impl Locals {
    /// Whether there are values to be dropped.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether to drop them may do something.
    pub(crate) fn have_destructors(&self) -> bool {
        self.have_destructors
    }

    /// Forgets the execution.
    pub(crate) fn reset(&mut self) {
        self.have_destructors = false;
        self.values.clear();
        self.dropped.clear();
    }
}

/// Drops the values of the running thread, last one first, as long as there are any: their destructors may
/// bring others into being.
pub(crate) fn drop_all(model: &Model) {
    loop {
        let value = {
            let mut state = model.state();
            let locals = &mut state.current_thread().locals;
            let Some((key, value)) = locals.values.pop() else { return };
            locals.dropped.push(key);
            value
        };
        drop(value);
    }
}

/// A key of `thread_local!`; as [`std::thread::LocalKey`].
pub struct LocalKey<T: 'static> {
    init: fn() -> T,
    outside: &'static std::thread::LocalKey<T>,
}

impl<T: 'static> LocalKey<T> {
    #[doc(hidden)]
    pub const fn new(init: fn() -> T, outside: &'static std::thread::LocalKey<T>) -> Self {
        Self { init, outside }
    }

    fn key(&'static self) -> usize {
        (&raw const *self).addr()
    }

    /// The calling thread's value, in a model. `Err` if it has been dropped.
    fn value(&'static self, model: &Model) -> Result<Rc<dyn Any>, ()> {
        let found = |model: &Model| {
            let mut state = model.state();
            let locals = &mut state.current_thread().locals;
            if locals.dropped.contains(&self.key()) {
                return Some(Err(()));
            }
            locals.values.iter().find(|(key, _)| *key == self.key()).map(|(_, value)| Ok(value.clone()))
        };
        if let Some(found) = found(model) {
            return found;
        }
        // The initialiser is the program's code: it may use the model, or this very key.
        let value: Rc<dyn Any> = Rc::new((self.init)());
        if found(model).is_none() {
            let mut state = model.state();
            let locals = &mut state.current_thread().locals;
            locals.have_destructors |= std::mem::needs_drop::<T>();
            locals.values.push((self.key(), value));
        }
        found(model).expect("just put there")
    }

    /// Calls `f` with the calling thread's value.
    ///
    /// # Panics
    /// If the value has been dropped, as std does.
    pub fn with<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        match model::with(|model| self.value(model)) {
            None => self.outside.with(f),
            Some(Ok(value)) => f(value.downcast_ref().expect("a key has one type")),
            Some(Err(())) => panic!("cannot access a Thread Local Storage value during or after destruction"),
        }
    }

    /// Calls `f` with the calling thread's value, unless it has been dropped.
    ///
    /// # Errors
    /// If the value has been dropped.
    pub fn try_with<R>(&'static self, f: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        match model::with(|model| self.value(model)) {
            None => self.outside.try_with(f).map_err(|_| AccessError),
            Some(Ok(value)) => Ok(f(value.downcast_ref().expect("a key has one type"))),
            Some(Err(())) => Err(AccessError),
        }
    }
}

/// The value of a [`LocalKey`] has been dropped; as [`std::thread::AccessError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessError;

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("already destroyed")
    }
}

impl std::error::Error for AccessError {}

/// What std has for keys of a `Cell`, for std's and for ours.
macro_rules! key_of_cell {
    ($($cell:ty),*) => {
        $(impl<T: 'static> LocalKey<$cell> {
            /// Sets the calling thread's value.
            pub fn set(&'static self, value: T) {
                self.with(|cell| cell.set(value));
            }

            /// A copy of the calling thread's value.
            pub fn get(&'static self) -> T
            where
                T: Copy,
            {
                self.with(<$cell>::get)
            }

            /// Takes the calling thread's value, leaving the default one.
            pub fn take(&'static self) -> T
            where
                T: Default,
            {
                self.with(<$cell>::take)
            }

            /// Replaces the calling thread's value.
            pub fn replace(&'static self, value: T) -> T {
                self.with(|cell| cell.replace(value))
            }
        })*
    };
}

key_of_cell!(std::cell::Cell<T>, crate::cell::Cell<T>);

impl<T: 'static> LocalKey<std::cell::RefCell<T>> {
    /// Borrows the calling thread's value.
    pub fn with_borrow<R>(&'static self, f: impl FnOnce(&T) -> R) -> R {
        self.with(|cell| f(&cell.borrow()))
    }

    /// Borrows the calling thread's value mutably.
    pub fn with_borrow_mut<R>(&'static self, f: impl FnOnce(&mut T) -> R) -> R {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// Sets the calling thread's value.
    pub fn set(&'static self, value: T) {
        self.with(|cell| *cell.borrow_mut() = value);
    }

    /// Takes the calling thread's value, leaving the default one.
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(std::cell::RefCell::take)
    }

    /// Replaces the calling thread's value.
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// Declares values of which every thread has its own; as [`std::thread_local!`].
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attr:meta])* $vis:vis static $name:ident : $t:ty = const $init:block $(; $($rest:tt)*)?) => {
        $crate::thread_local!(@one $(#[$attr])* $vis $name, $t, $init);
        $($crate::thread_local!($($rest)*);)?
    };
    ($(#[$attr:meta])* $vis:vis static $name:ident : $t:ty = $init:expr $(; $($rest:tt)*)?) => {
        $crate::thread_local!(@one $(#[$attr])* $vis $name, $t, $init);
        $($crate::thread_local!($($rest)*);)?
    };
    (@one $(#[$attr:meta])* $vis:vis $name:ident, $t:ty, $init:expr) => {
        $(#[$attr])*
        $vis static $name: $crate::thread::LocalKey<$t> = {
            fn init() -> $t {
                $init
            }
            ::std::thread_local!(static OUTSIDE: $t = init());
            $crate::thread::LocalKey::new(init, &OUTSIDE)
        };
    };
}
