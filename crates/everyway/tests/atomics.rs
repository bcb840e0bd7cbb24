//! Every method of the atomic types gives what std's gives, inside of a model and outside.

#![cfg(feature = "model")]

use everyway::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use everyway::sync::atomic::{AtomicBool, AtomicI8, AtomicPtr, AtomicU8, AtomicU64, Ordering, fence};

fn inside_and_outside(f: fn()) {
    f();
    everyway::check(f);
}

#[test]
fn integers_wrap_and_compare_as_their_type() {
    inside_and_outside(|| {
        let signed = AtomicI8::new(-128);
        assert_eq!(signed.fetch_sub(1, SeqCst), -128);
        assert_eq!(signed.fetch_max(-5, SeqCst), 127);
        assert_eq!(signed.fetch_min(-5, Relaxed), 127);
        assert_eq!(signed.swap(3, AcqRel), -5);
        let unsigned = AtomicU8::new(250);
        assert_eq!(unsigned.fetch_add(10, SeqCst), 250);
        assert_eq!(unsigned.fetch_nand(6, SeqCst), 4);
        assert_eq!(unsigned.fetch_xor(0xff, SeqCst), 0xfb);
        assert_eq!(unsigned.fetch_or(3, SeqCst), 4);
        assert_eq!(unsigned.fetch_and(6, SeqCst), 7);
        assert_eq!(unsigned.into_inner(), 6);
    });
}

#[test]
fn updates_retry_until_they_fit() {
    inside_and_outside(|| {
        let number = AtomicU64::new(u64::MAX);
        assert_eq!(number.update(SeqCst, SeqCst, |n| n / 2), u64::MAX);
        assert_eq!(number.try_update(SeqCst, SeqCst, |n| n.checked_add(1)), Ok(u64::MAX / 2));
        assert_eq!(number.fetch_update(SeqCst, SeqCst, |_| None), Err(1 << 63));
        assert_eq!(number.compare_exchange(0, 1, SeqCst, Relaxed), Err(1 << 63));
        assert_eq!(number.compare_exchange_weak(1 << 63, 1, SeqCst, Acquire), Ok(1 << 63));
        #[allow(deprecated)]
        let old = number.compare_and_swap(1, 2, Release);
        assert_eq!((old, number.load(SeqCst)), (1, 2));
    });
}

#[test]
fn booleans_are_logical() {
    inside_and_outside(|| {
        let flag = AtomicBool::new(true);
        assert!(flag.fetch_and(true, SeqCst));
        assert!(flag.fetch_nand(true, SeqCst));
        assert!(!flag.fetch_or(true, SeqCst));
        assert!(flag.fetch_xor(true, SeqCst));
        assert!(!flag.fetch_not(SeqCst));
        assert!(flag.into_inner());
    });
}

#[test]
fn pointers_are_moved_by_values_and_bytes() {
    inside_and_outside(|| {
        let mut values = [1u32, 2, 3];
        let start: *mut u32 = values.as_mut_ptr();
        let pointer = AtomicPtr::new(start);
        assert_eq!(pointer.fetch_ptr_add(2, SeqCst), start);
        assert_eq!(pointer.fetch_byte_sub(4, Relaxed), start.wrapping_add(2));
        // SAFETY: it points to the second of the values.
        assert_eq!(unsafe { *pointer.load(Acquire) }, 2);
        assert_eq!(pointer.fetch_ptr_sub(1, AcqRel), start.wrapping_add(1));
        assert_eq!(pointer.fetch_or(1, SeqCst), start);
        assert_eq!(pointer.fetch_and(!1, SeqCst), start.wrapping_byte_add(1));
        assert_eq!(pointer.fetch_xor(0, SeqCst), start);
        assert_eq!(pointer.fetch_byte_add(0, SeqCst), start);
        assert!(AtomicPtr::<u8>::default().load(SeqCst).is_null());
    });
}

#[test]
fn orderings_that_make_no_sense_are_refused_as_by_std() {
    fn refused(f: impl Fn() + std::panic::UnwindSafe) -> bool {
        std::panic::catch_unwind(f).is_err()
    }
    for ordering in [Release, AcqRel] {
        assert!(refused(move || _ = AtomicU8::new(0).load(ordering)));
    }
    for ordering in [Acquire, AcqRel] {
        assert!(refused(move || AtomicU8::new(0).store(1, ordering)));
    }
    assert!(refused(|| fence(Ordering::Relaxed)));
}
