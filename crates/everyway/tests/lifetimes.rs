//! What is used or freed after it was freed, and what is never freed.

#![cfg(feature = "model")]

mod support;

use everyway::alloc::Track;
use everyway::report::BugKind;
use everyway::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex};
use everyway::{Builder, thread};
use std::ptr;
use support::{bug, bug_of, verified};

struct Node {
    value: AtomicUsize,
}

/// A reader looks at a node while another thread takes it out and frees it.
#[test]
fn a_node_that_is_freed_while_it_is_read() {
    let line = line!() + 9;
    let bug = bug(|| {
        let head = Arc::new(AtomicPtr::new(Box::into_raw(Box::new(Node { value: AtomicUsize::new(1) }))));
        let other = head.clone();
        thread::spawn(move || {
            let node = other.load(SeqCst);
            if !node.is_null() {
                // SAFETY: not at all; the memory stays where it is.
                unsafe { (*node).value.load(SeqCst) };
            }
        });
        let node = head.swap(ptr::null_mut(), SeqCst);
        // SAFETY: nothing else takes it out.
        drop(unsafe { Box::from_raw(node) });
    });
    assert_eq!(bug.kind, BugKind::UseAfterFree, "{}", bug.message);
    assert!(bug.message.contains("AtomicUsize"), "{}", bug.message);
    assert!(
        bug.message.contains(&format!("freed by 'main' after step 2, `swap` at {}:{}", file!(), line + 2)),
        "{}",
        bug.message
    );
    assert_eq!((bug.thread, bug.source.map(|source| source.line)), (Some(1), Some(line - 1)));
}

#[test]
fn a_node_that_is_freed_twice() {
    let bug = bug(|| {
        let head = Arc::new(AtomicPtr::new(Box::into_raw(Box::new(7_u64))));
        let other = head.clone();
        let free = |head: &AtomicPtr<u64>| {
            let node = head.load(SeqCst);
            if !node.is_null() {
                head.store(ptr::null_mut(), SeqCst);
                // SAFETY: not if both get here.
                drop(unsafe { Box::from_raw(node) });
            }
        };
        thread::spawn(move || free(&other));
        free(&head);
    });
    assert_eq!(bug.kind, BugKind::DoubleFree, "{}", bug.message);
    assert!(bug.message.contains("freed by"), "{}", bug.message);
}

#[test]
fn what_is_freed_once_by_whoever_takes_it_is_fine() {
    let report = Builder::new().leaks(true).explore(|| {
        let head = Arc::new(AtomicPtr::new(Box::into_raw(Box::new(Node { value: AtomicUsize::new(1) }))));
        let other = head.clone();
        let free = |head: &AtomicPtr<Node>| {
            let node = head.swap(ptr::null_mut(), SeqCst);
            if !node.is_null() {
                // SAFETY: only one thread gets it.
                assert_eq!(unsafe { Box::from_raw(node) }.value.load(SeqCst), 1);
            }
        };
        let thread = thread::spawn(move || free(&other));
        free(&head);
        thread.join().unwrap();
    });
    verified(&report);
}

#[test]
fn leaks_are_found_on_request() {
    let leak = || {
        let taken = Arc::new(Mutex::new(false));
        let other = taken.clone();
        let thread = thread::spawn(move || *other.lock().unwrap() = true);
        if !*taken.lock().unwrap() {
            std::mem::forget(Box::new(5_u64));
        }
        thread.join().unwrap();
    };
    verified(&everyway::explore(leak));
    let bug = bug_of(Builder::new().leaks(true), leak);
    assert_eq!(bug.kind, BugKind::Leak);
    assert!(bug.message.contains("1 block") && bug.message.contains("allocated by 'main'"), "{}", bug.message);
}

#[test]
fn what_is_tracked_must_be_dropped() {
    let line = line!() + 2;
    let bug = bug(|| {
        let tracked = Track::new(vec![1]);
        assert_eq!(tracked.len(), 1);
        let other = Arc::new(AtomicUsize::new(0));
        let seen = other.clone();
        let thread = thread::spawn(move || other.store(1, SeqCst));
        if seen.load(SeqCst) == 1 {
            std::mem::forget(tracked);
        }
        thread.join().unwrap();
    });
    assert_eq!((bug.kind, bug.source.map(|source| source.line)), (BugKind::Leak, Some(line)));
    verified(&everyway::explore(|| drop(Track::new(2))));
}
