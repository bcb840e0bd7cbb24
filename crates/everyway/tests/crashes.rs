//! Tests that take the process with them, or never end: what led to it is said, and can be run again.
//!
//! Each runs itself in another process.

#![cfg(all(feature = "model", target_os = "linux"))]

use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst};
use everyway::{Builder, thread};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use std::{env, ptr};

/// Runs the test with this name again, in a process in which it does what it is about.
fn run(test: &str, replay: Option<&str>) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture"]).env("EVERYWAY_CRASHES", "1");
    command.envs(replay.map(|file| ("EVERYWAY_REPLAY", file)));
    command.output().unwrap()
}

fn is_child() -> bool {
    env::var_os("EVERYWAY_CRASHES").is_some()
}

/// Asserts that the test ends its process with all of these words, also when it is run again from its file.
fn crashes(test: &str, words: &[&str]) {
    let output = run(test, None);
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    for word in words.iter().chain(&["step |", "to run this execution again", "EVERYWAY_REPLAY="]) {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
    let file = text.split("EVERYWAY_REPLAY=").nth(1).unwrap().split_whitespace().next().unwrap();
    let again = run(test, Some(file));
    let text = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && words.iter().all(|word| text.contains(word)), "{text}");
}

/// A thread takes a pointer, and follows it without looking.
fn follow_null() {
    everyway::check(|| {
        let shared = Arc::new(AtomicPtr::new(Box::into_raw(Box::new(1_u32))));
        let other = shared.clone();
        thread::spawn(move || _ = other.swap(ptr::null_mut(), SeqCst));
        let pointer = shared.load(SeqCst);
        // SAFETY: it may be null; that is what the test is about.
        assert_eq!(unsafe { ptr::read_volatile(pointer) }, 1);
    });
}

#[test]
fn a_null_pointer() {
    if is_child() {
        return follow_null();
    }
    crashes("a_null_pointer", &["null pointer", "swap AtomicPtr #1", "load AtomicPtr #1: null"]);
}

#[test]
fn an_abort() {
    if is_child() {
        return everyway::check(|| {
            let counter = Arc::new(AtomicUsize::new(0));
            let other = counter.clone();
            thread::spawn(move || other.store(1, SeqCst));
            if counter.load(SeqCst) == 1 {
                std::process::abort();
            }
        });
    }
    crashes("an_abort", &["abort", "load AtomicUsize #1: 1"]);
}

/// What the compiler checks where debug assertions are on ends the process by a panic that does not unwind.
#[cfg(debug_assertions)]
#[test]
fn a_panic_that_does_not_unwind() {
    if is_child() {
        return everyway::check(|| {
            let shared = Arc::new(AtomicUsize::new(0));
            let other = shared.clone();
            thread::spawn(move || other.store(1, SeqCst));
            let values = [1_u8];
            // SAFETY: there is no second one; that is what the test is about.
            assert_eq!(unsafe { *values.get_unchecked(shared.load(SeqCst)) }, 1);
        });
    }
    let words = ["abort", "because of a panic: unsafe precondition(s) violated", "load AtomicUsize #1: 1"];
    crashes("a_panic_that_does_not_unwind", &words);
}

#[expect(unconditional_recursion, reason = "that is what the test is about")]
fn deeper(n: &mut [u64; 64]) -> u64 {
    n[0] += 1;
    let mut below = *n;
    deeper(&mut below) + n[0]
}

#[test]
fn a_stack_that_overflows() {
    if is_child() {
        return everyway::check(|| {
            let counter = Arc::new(AtomicUsize::new(0));
            let other = counter.clone();
            thread::spawn(move || other.store(1, SeqCst));
            if counter.load(SeqCst) == 1 {
                std::hint::black_box(deeper(&mut [0; 64]));
            }
        });
    }
    crashes("a_stack_that_overflows", &["overflowed its stack", "stack_size", "load AtomicUsize #1: 1"]);
}

/// The address of what is not there is one that no memory can have: the system does not tell it.
#[test]
fn an_index_that_is_not_checked() {
    if is_child() {
        return everyway::check(|| {
            let counter = Arc::new(AtomicUsize::new(0));
            let other = counter.clone();
            thread::spawn(move || other.store(1 << 44, SeqCst));
            let (array, index) = (vec![1_u64], counter.load(SeqCst));
            // SAFETY: there is no such element; that is what the test is about.
            assert_eq!(unsafe { array.as_ptr().wrapping_add(index).read_volatile() }, 1);
        });
    }
    crashes("an_index_that_is_not_checked", &["invalid pointer", "not there", "load AtomicUsize #1: 17592186044416"]);
}

/// Whoever calls `exit` in a test has not passed it, whatever the status.
#[test]
fn an_exit() {
    if is_child() {
        return everyway::check(|| {
            let counter = Arc::new(AtomicUsize::new(0));
            let other = counter.clone();
            thread::spawn(move || other.store(1, SeqCst));
            if counter.load(SeqCst) == 1 {
                std::process::exit(0);
            }
        });
    }
    crashes("an_exit", &["calling exit", "load AtomicUsize #1: 1"]);
}

/// One thread holds a lock of std's while another one wants it.
fn hold_a_lock_of_std_over_a_step() {
    let lock = Arc::new((std::sync::Mutex::new(()), AtomicUsize::new(0)));
    let other = lock.clone();
    let hold = |lock: &(std::sync::Mutex<()>, AtomicUsize)| {
        let _guard = lock.0.lock().unwrap();
        lock.1.fetch_add(1, SeqCst);
    };
    thread::spawn(move || hold(&other));
    hold(&lock);
}

/// Asserts that the test ends its process in time, with all of these words.
fn hangs(test: &str, words: &[&str]) {
    let started = Instant::now();
    let output = run(test, None);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && started.elapsed() < Duration::from_secs(60), "{text}");
    for word in words.iter().chain(&["does not come to another one", "lock of std's", "EVERYWAY_REPLAY="]) {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
}

#[test]
fn a_lock_of_std_that_is_held_over_a_step() {
    if is_child() {
        return Builder::new().max_time(Duration::from_secs(1)).check(hold_a_lock_of_std_over_a_step);
    }
    hangs("a_lock_of_std_that_is_held_over_a_step", &["the limit on time"]);
}

#[test]
fn a_lock_of_std_that_is_held_over_a_step_without_a_limit() {
    if is_child() {
        return everyway::check(hold_a_lock_of_std_over_a_step);
    }
    hangs("a_lock_of_std_that_is_held_over_a_step_without_a_limit", &["it has waited for 10 s"]);
}

/// Of several workers, one meets the null pointer.
#[test]
fn a_null_pointer_in_a_worker() {
    if is_child() {
        return Builder::new().algorithm(everyway::Algorithm::Naive).jobs(2).check(|| {
            let shared = Arc::new(AtomicPtr::new(Box::into_raw(Box::new(1_u32))));
            let other = shared.clone();
            thread::spawn(move || _ = other.swap(ptr::null_mut(), SeqCst));
            let pointer = shared.load(SeqCst);
            // SAFETY: it may be null; that is what the test is about.
            assert_eq!(unsafe { ptr::read_volatile(pointer) }, 1);
        });
    }
    crashes("a_null_pointer_in_a_worker", &["null pointer", "swap AtomicPtr #1", "load AtomicPtr #1: null"]);
}

#[test]
fn a_loop_in_a_worker() {
    if is_child() {
        let builder = Builder::new().algorithm(everyway::Algorithm::Naive).jobs(2).max_time(Duration::from_secs(1));
        return builder.check(|| {
            let counter = Arc::new(AtomicUsize::new(0));
            let other = counter.clone();
            thread::spawn(move || other.store(1, SeqCst));
            if counter.load(SeqCst) == 1 {
                loop {
                    std::hint::black_box(());
                }
            }
        });
    }
    let output = run("a_loop_in_a_worker", None);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{text}");
    for word in ["in the check `a_loop_in_a_worker`", "does not come to another one", "the limit on time", "step |"] {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
}
