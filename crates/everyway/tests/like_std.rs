//! What can be done with std's types can be done with everyway's: the same code is compiled with both, and asked which traits
//! they have, and which they do not.
//!
//! Left out are what takes everyway's types to be as large as their contents (`Cell::from_mut`, `UnsafeCell::raw_get` and
//! `from_mut`), `into_inner` of atomics in constants, and what only the compiler knows of std's `Arc`.

// What is only there to be compiled is not called.
#![allow(dead_code, reason = "that it compiles is what is tested")]

/// That a type has all of these traits.
macro_rules! has {
    ($type:ty: $($bound:tt)+) => {
        const _: () = {
            const fn has<T: ?Sized + $($bound)+>() {}
            has::<$type>();
        };
    };
}

/// That a type does not have a trait: it would be ambiguous which of two implementations is meant.
macro_rules! has_not {
    ($type:ty: $($bound:tt)+) => {
        const _: fn() = || {
            trait Ambiguous<A> {
                fn is() {}
            }
            impl<T: ?Sized> Ambiguous<()> for T {}
            impl<T: ?Sized + $($bound)+> Ambiguous<u8> for T {}
            <$type as Ambiguous<_>>::is();
        };
    };
}

macro_rules! like_std {
    ($name:ident, $root:ident) => {
        mod $name {
            use $root::cell::{Cell, UnsafeCell};
            use $root::sync::atomic::*;
            use $root::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, TrySendError};
            use $root::sync::*;
            use $root::thread::{self, JoinHandle, LocalKey, Scope, ScopedJoinHandle, Thread, ThreadId};
            use std::any::Any;
            use std::borrow::{Borrow, Cow};
            use std::cell::RefCell;
            use std::error::Error;
            use std::ffi::{CStr, CString, OsStr, OsString};
            use std::fmt::{Debug, Display, Pointer};
            use std::hash::Hash;
            use std::mem::MaybeUninit;
            use std::ops::{Deref, DerefMut};
            use std::panic::{RefUnwindSafe, UnwindSafe};
            use std::path::{Path, PathBuf};
            use std::pin::Pin;
            use std::rc::Rc;
            use std::sync::atomic::Ordering::SeqCst;
            use std::task::{Wake, Waker};
            use std::time::Duration;

            type OnlySend = std::cell::Cell<u8>;

            has!(Mutex<OnlySend>: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<OnlySend> + Unpin);
            has_not!(Mutex<Rc<u8>>: Send);
            has_not!(Mutex<Rc<u8>>: Sync);
            has!(Mutex<[u8]>: Send + Sync);
            has!(Mutex<dyn Any>: UnwindSafe + RefUnwindSafe);
            has!(MutexGuard<'static, u8>: Sync + Debug + Display + DerefMut<Target = u8> + UnwindSafe + RefUnwindSafe + Unpin);
            has_not!(MutexGuard<'static, u8>: Send);
            has_not!(MutexGuard<'static, OnlySend>: Sync);
            has!(RwLock<u8>: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<u8> + Unpin);
            has!(RwLock<OnlySend>: Send);
            has_not!(RwLock<OnlySend>: Sync);
            has!(RwLock<dyn Any>: UnwindSafe + RefUnwindSafe);
            has!(RwLockReadGuard<'static, u8>: Sync + Debug + Display + Deref<Target = u8> + UnwindSafe + RefUnwindSafe + Unpin);
            has_not!(RwLockReadGuard<'static, u8>: Send);
            has!(RwLockWriteGuard<'static, u8>: Sync + Debug + Display + DerefMut<Target = u8> + UnwindSafe + RefUnwindSafe + Unpin);
            has_not!(RwLockWriteGuard<'static, u8>: Send);
            has!(Condvar: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + Unpin);
            has!(WaitTimeoutResult: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Copy + Eq + Unpin);
            has!(Barrier: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Unpin);
            has!(BarrierWaitResult: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Unpin);
            has!(Once: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Unpin);
            has!(OnceState: Debug + Send + Unpin);
            has!(OnceLock<u8>: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + Clone + From<u8> + Eq + Unpin);
            has!(OnceLock<OnlySend>: Send);
            has_not!(OnceLock<OnlySend>: Sync);
            has_not!(OnceLock<OnlySend>: RefUnwindSafe);
            has!(LazyLock<u8>: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + Deref<Target = u8> + Unpin);
            has!(LazyLock<OnlySend>: Send);
            has_not!(LazyLock<OnlySend>: Sync);
            has_not!(LazyLock<u8, Rc<u8>>: Send);
            has_not!(LazyLock<u8, Rc<u8>>: Sync);

            has!(Arc<u8>: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Display + Pointer + Default + Clone + Ord + Hash + Unpin);
            has!(Arc<u8>: Deref<Target = u8> + AsRef<u8> + Borrow<u8> + From<u8> + From<Box<u8>>);
            has_not!(Arc<OnlySend>: Send);
            has_not!(Arc<OnlySend>: Sync);
            has_not!(Arc<OnlySend>: UnwindSafe);
            has!(Arc<std::marker::PhantomPinned>: Unpin);
            has!(Arc<std::fmt::Error>: Error);
            has!(Arc<str>: Default + From<&'static str> + From<&'static mut str> + From<String> + From<Cow<'static, str>> + From<Box<str>>);
            has!(Arc<[u8]>: Default + From<&'static [u8]> + From<&'static mut [u8]> + From<[u8; 3]> + From<Vec<u8>> + FromIterator<u8>);
            has!(Arc<[u8]>: From<Arc<str>> + From<Cow<'static, [u8]>> + From<Box<[u8]>>);
            has!(Arc<[u8; 3]>: TryFrom<Arc<[u8]>, Error = Arc<[u8]>>);
            has!(Arc<CStr>: Default + From<&'static CStr> + From<&'static mut CStr> + From<CString>);
            has!(Arc<OsStr>: From<&'static OsStr> + From<&'static mut OsStr> + From<OsString>);
            has!(Arc<Path>: From<&'static Path> + From<&'static mut Path> + From<PathBuf>);
            has!(Weak<u8>: Send + Sync + Debug + Default + Clone + Unpin);
            has!(Weak<[u8]>: Send + Sync + Debug + Clone);

            has!(AtomicBool: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<bool> + Unpin);
            has!(AtomicI8: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<i8> + Unpin);
            has!(AtomicI16: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<i16> + Unpin);
            has!(AtomicI32: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<i32> + Unpin);
            has!(AtomicI64: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<i64> + Unpin);
            has!(AtomicIsize: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<isize> + Unpin);
            has!(AtomicU8: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<u8> + Unpin);
            has!(AtomicU16: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<u16> + Unpin);
            has!(AtomicU32: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<u32> + Unpin);
            has!(AtomicU64: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<u64> + Unpin);
            has!(AtomicUsize: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<usize> + Unpin);
            has!(AtomicPtr<Rc<u8>>: Send + Sync + UnwindSafe + RefUnwindSafe + Debug + Default + From<*mut Rc<u8>> + Pointer + Unpin);

            has!(Sender<OnlySend>: Send + Sync + Debug + Clone + UnwindSafe + RefUnwindSafe + Unpin);
            has!(SyncSender<OnlySend>: Send + Sync + Debug + Clone + UnwindSafe + RefUnwindSafe + Unpin);
            has!(Receiver<OnlySend>: Send + Debug + IntoIterator<Item = OnlySend> + UnwindSafe + RefUnwindSafe + Unpin);
            has_not!(Receiver<u8>: Sync);
            has_not!(Sender<Rc<u8>>: Send);
            has!(mpsc::Iter<'static, u8>: Debug + Iterator<Item = u8>);
            has!(mpsc::TryIter<'static, u8>: Debug + Iterator<Item = u8>);
            has!(mpsc::IntoIter<u8>: Debug + Iterator<Item = u8> + Send);

            has!(JoinHandle<Rc<u8>>: Send + Sync + Debug + Unpin);
            has!(ScopedJoinHandle<'static, u8>: Send + Sync + Debug + Unpin);
            has!(Scope<'static, 'static>: Send + Sync + Debug);
            has!(Thread: Send + Sync + Debug + Clone + UnwindSafe + RefUnwindSafe + Unpin);
            has!(ThreadId: Send + Sync + Debug + Copy + Eq + Hash + UnwindSafe + RefUnwindSafe + Unpin);
            has!(thread::Builder: Send + Sync + Debug + Unpin);
            has!(thread::AccessError: Send + Sync + Debug + Display + Error + Copy + Eq);
            has!(LocalKey<Rc<u8>>: Send + Sync + Debug + UnwindSafe + RefUnwindSafe + Unpin);

            has!(Cell<u8>: Send + Debug + Default + Clone + Ord + From<u8> + Unpin);
            has_not!(Cell<u8>: Sync);
            has_not!(Cell<u8>: RefUnwindSafe);
            has!(UnsafeCell<u8>: Send + Debug + Default + From<u8> + Unpin);
            has_not!(UnsafeCell<u8>: Sync);
            has_not!(UnsafeCell<u8>: RefUnwindSafe);

            struct Wakes;

            // What is woken is std's, outside of everyway's types.
            impl Wake for Wakes {
                fn wake(self: std::sync::Arc<Self>) {}
            }

            has!(Waker: From<Arc<Wakes>>);

            static MUTEX: Mutex<u8> = Mutex::new(1);
            static READERS: RwLock<u8> = RwLock::new(1);
            static CHANGED: Condvar = Condvar::new();
            static BARRIER: Barrier = Barrier::new(1);
            static ONCE: Once = Once::new();
            static CELL: OnceLock<u8> = OnceLock::new();
            static LAZY: LazyLock<u8> = LazyLock::new(|| 1);
            static NOTHING: std::sync::Mutex<Weak<u8>> = std::sync::Mutex::new(Weak::new());
            static POINTER: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());

            fn locks() {
                let mut mutex = Mutex::new(vec![1]);
                mutex.get_mut().unwrap().push(2);
                mutex.lock().unwrap().push(3);
                assert!(!mutex.is_poisoned());
                mutex.clear_poison();
                assert_eq!(mutex.try_lock().map(|guard| guard.len()).ok(), Some(3));
                let unsized_mutex: &Mutex<[u8]> = &Mutex::new([1, 2]);
                assert_eq!(unsized_mutex.lock().unwrap().len(), 2);
                assert_eq!(mutex.into_inner().unwrap(), [1, 2, 3]);
                let mut readers = RwLock::new(1);
                *readers.get_mut().unwrap() += 1;
                *readers.write().unwrap() += 1;
                assert_eq!((*readers.read().unwrap(), readers.is_poisoned()), (3, false));
                readers.clear_poison();
                assert!(readers.try_read().is_ok() && readers.try_write().is_ok());
                assert_eq!(readers.into_inner().unwrap(), 3);
                let unsized_readers: &RwLock<dyn Debug> = &RwLock::new(1);
                assert_eq!(format!("{:?}", unsized_readers.read().unwrap()), "1");
                assert_eq!((*MUTEX.lock().unwrap(), *READERS.read().unwrap()), (1, 1));
            }

            #[expect(deprecated, reason = "it is still there")]
            fn waits() {
                let guard = MUTEX.lock().unwrap();
                let (guard, timed_out) = CHANGED.wait_timeout(guard, Duration::ZERO).unwrap();
                assert!(timed_out.timed_out());
                let (guard, _) = CHANGED.wait_timeout_while(guard, Duration::ZERO, |_| false).unwrap();
                let guard = CHANGED.wait_while(guard, |_| false).unwrap();
                drop(CHANGED.wait_timeout_ms(guard, 0).unwrap());
                CHANGED.notify_one();
                CHANGED.notify_all();
                assert!(BARRIER.wait().is_leader());
            }

            fn once() {
                ONCE.call_once(|| {});
                ONCE.call_once_force(|state| assert!(!state.is_poisoned()));
                ONCE.wait();
                ONCE.wait_force();
                assert!(ONCE.is_completed());
                assert_eq!((CELL.get(), CELL.set(1), CELL.get_or_init(|| 2), CELL.wait()), (None, Ok(()), &1, &1));
                let mut cell = CELL.clone();
                *cell.get_mut().unwrap() += 1;
                assert_eq!((cell.take(), cell.into_inner()), (Some(2), None));
                assert_eq!((LazyLock::force(&LAZY), *LAZY), (&1, 1));
            }

            fn owners() {
                let mut arc = Arc::new(5);
                *Arc::get_mut(&mut arc).unwrap() += 1;
                *Arc::make_mut(&mut arc) += 1;
                let weak = Arc::downgrade(&arc);
                assert_eq!((Arc::strong_count(&arc), Arc::weak_count(&arc)), (1, 1));
                assert_eq!((weak.strong_count(), weak.weak_count(), weak.upgrade()), (1, 1, Some(arc.clone())));
                assert!(Arc::ptr_eq(&arc, &arc) && weak.ptr_eq(&weak) && weak.as_ptr() == Arc::as_ptr(&arc));
                let raw = Arc::into_raw(arc);
                // SAFETY: the owner that it is made of was given up, and those that are added are removed.
                let arc = unsafe {
                    Arc::increment_strong_count(raw);
                    Arc::decrement_strong_count(raw);
                    Arc::from_raw(raw)
                };
                assert_eq!((Arc::unwrap_or_clone(arc.clone()), Arc::try_unwrap(arc)), (7, Ok(7)));
                let slice: Arc<[u8]> = Arc::from([1, 2]);
                let weak: Weak<[u8]> = Arc::downgrade(&slice);
                // SAFETY: the reference was given up.
                let weak = unsafe { Weak::from_raw(weak.into_raw()) };
                assert_eq!(weak.upgrade().as_deref(), Some(&[1, 2][..]));
                assert_eq!(Arc::<[u8; 2]>::try_from(slice).unwrap()[1], 2);
                let any: Arc<dyn Any + Send + Sync> = everyway_unsize(Arc::new(8_u8));
                assert_eq!(Arc::into_inner(any.downcast::<u8>().unwrap()), Some(8));
                let pinned: Pin<Arc<u8>> = Arc::pin(1);
                assert_eq!(*pinned, 1);
                let cyclic = Arc::new_cyclic(|weak: &Weak<u8>| u8::from(weak.upgrade().is_none()));
                assert_eq!(*cyclic, 1);
                let mut unset: Arc<MaybeUninit<u8>> = Arc::new_uninit();
                Arc::get_mut(&mut unset).unwrap().write(4);
                // SAFETY: it was set.
                assert_eq!(*unsafe { unset.assume_init() }, 4);
                let mut unset: Arc<[MaybeUninit<u8>]> = Arc::new_uninit_slice(2);
                Arc::get_mut(&mut unset).unwrap().iter_mut().for_each(|value| _ = value.write(4));
                // SAFETY: as above.
                assert_eq!(unsafe { unset.assume_init() }[..], [4, 4]);
                assert!(NOTHING.lock().unwrap().upgrade().is_none());
            }

            fn everyway_unsize(value: Arc<u8>) -> Arc<dyn Any + Send + Sync> {
                Arc::from(Box::new(*value) as Box<dyn Any + Send + Sync>)
            }

            fn atomics() {
                let x = AtomicI32::new(1);
                assert_eq!((x.load(SeqCst), x.swap(2, SeqCst)), (1, 1));
                x.store(3, SeqCst);
                assert_eq!(x.compare_exchange(3, 4, SeqCst, SeqCst), Ok(3));
                assert_eq!(x.compare_exchange_weak(3, 4, SeqCst, SeqCst), Err(4));
                assert_eq!((x.fetch_add(1, SeqCst), x.fetch_sub(1, SeqCst)), (4, 5));
                assert_eq!((x.fetch_and(6, SeqCst), x.fetch_or(1, SeqCst), x.fetch_xor(1, SeqCst)), (4, 4, 5));
                assert_eq!((x.fetch_nand(0, SeqCst), x.fetch_max(2, SeqCst), x.fetch_min(0, SeqCst)), (4, -1, 2));
                assert_eq!(x.fetch_update(SeqCst, SeqCst, |x| Some(x + 1)), Ok(0));
                // SAFETY: it is read while nobody else knows of it.
                assert_eq!(unsafe { *AtomicU8::new(7).as_ptr() }, 7);
                let mut x = x;
                *x.get_mut() += 1;
                assert_eq!(x.into_inner(), 2);
                let flag = AtomicBool::new(true);
                assert_eq!((flag.fetch_not(SeqCst), flag.fetch_nand(true, SeqCst)), (true, false));
                assert!(POINTER.load(SeqCst).is_null());
                fence(SeqCst);
                compiler_fence(SeqCst);
            }

            fn channels() {
                let (sender, receiver) = mpsc::channel();
                sender.clone().send(1).unwrap();
                assert_eq!((receiver.recv(), receiver.try_recv()), (Ok(1), Err(TryRecvError::Empty)));
                assert_eq!(receiver.recv_timeout(Duration::ZERO), Err(RecvTimeoutError::Timeout));
                sender.send(2).unwrap();
                assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [2]);
                drop(sender);
                assert_eq!((receiver.iter().count(), (&receiver).into_iter().count()), (0, 0));
                let (sender, receiver) = mpsc::sync_channel(1);
                sender.send(1).unwrap();
                assert_eq!(sender.try_send(2), Err(TrySendError::Full(2)));
                drop(sender);
                assert_eq!(receiver.into_iter().collect::<Vec<_>>(), [1]);
            }

            $root::thread_local! {
                static COUNT: std::cell::Cell<u8> = const { std::cell::Cell::new(1) };
                static NAMES: RefCell<Vec<u8>> = RefCell::new(vec![]);
            }

            #[expect(deprecated, reason = "it is still there")]
            fn threads() {
                let thread = thread::Builder::new().name("one".to_owned()).stack_size(1 << 20).spawn(|| {
                    thread::park_timeout(Duration::ZERO);
                    thread::park_timeout_ms(0);
                    thread::yield_now();
                    thread::sleep(Duration::ZERO);
                    thread::sleep_ms(0);
                    (thread::current().id(), thread::panicking())
                });
                let thread = thread.unwrap();
                thread.thread().unpark();
                assert_eq!((thread.thread().name(), thread.thread().id()), (Some("one"), thread.thread().clone().id()));
                let _finished: bool = thread.is_finished();
                assert!(!thread.join().unwrap().1);
                let text = String::from("borrowed");
                let length = thread::scope(|scope| {
                    let named = thread::Builder::new().spawn_scoped(scope, || text.len()).unwrap();
                    assert!(named.thread().name().is_none());
                    scope.spawn(|| text.len()).join().unwrap() + named.join().unwrap()
                });
                assert_eq!(length, 16);
                // SAFETY: what it borrows outlives it.
                let unchecked = unsafe { thread::Builder::new().spawn_unchecked(|| text.len()) };
                assert_eq!(unchecked.unwrap().join().unwrap(), 8);
                COUNT.set(COUNT.get() + COUNT.take() + COUNT.replace(5));
                assert_eq!(COUNT.with(|count| count.get()), 2);
                NAMES.with_borrow_mut(|names| names.push(1));
                assert_eq!((NAMES.with_borrow(Vec::len), NAMES.replace(vec![1, 2]).len(), NAMES.take().len()), (1, 1, 2));
                NAMES.set(vec![]);
                assert!(NAMES.try_with(|names| names.borrow().is_empty()).unwrap());
                assert!(thread::available_parallelism().is_ok());
            }

            fn cells() {
                let mut cell = Cell::new(1);
                cell.set(cell.get() + 1);
                *cell.get_mut() += 1;
                cell.update(|value| value + 1);
                let other = Cell::new(9);
                cell.swap(&other);
                assert_eq!((cell.replace(2), cell.take(), other.into_inner()), (9, 2, 4));
                // SAFETY: nobody else knows of it.
                assert_eq!(unsafe { *cell.as_ptr() }, 0);
                let mut cell = UnsafeCell::new(1);
                *cell.get_mut() += 1;
                // SAFETY: nobody else knows of it.
                unsafe { *cell.get() += 1 };
                assert_eq!(cell.into_inner(), 3);
            }

            pub(super) fn everything() {
                locks();
                waits();
                once();
                owners();
                atomics();
                channels();
                threads();
                cells();
            }
        }
    };
}

like_std!(with_std, std);
like_std!(with_everyway, everyway);

#[test]
fn with_std_itself() {
    with_std::everything();
}

#[test]
fn outside_of_models() {
    with_everyway::everything();
}

#[cfg(feature = "model")]
#[test]
fn inside_of_a_model() {
    everyway::check(with_everyway::everything);
}
