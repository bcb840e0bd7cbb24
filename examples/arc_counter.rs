//! A reference count like that of `Arc`. The broken version reads the count and then decrements it: two threads that
//! let go at the same time may both see another owner left, or both believe that they are the last.

use everyway::cell::{Tracked as _, UnsafeCell};
use everyway::render::text::plain;
use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicUsize, Ordering};
use everyway::thread;

struct Counted {
    references: AtomicUsize,
    /// How often the value has been dropped.
    dropped: UnsafeCell<u32>,
}

// SAFETY: `dropped` is accessed only by the last owner, and after all have let go. (It is the point of this
// example that one of the two ways of letting go does not keep this promise.)
unsafe impl Sync for Counted {}

impl Counted {
    fn drop_value(&self) {
        // SAFETY: the last reference is gone.
        self.dropped.with_mut(|times| unsafe { *times += 1 });
    }

    /// Looking and decrementing are two steps: this is the bug.
    fn let_go_in_two_steps(&self) {
        let references = self.references.load(Ordering::Acquire);
        self.references.store(references - 1, Ordering::Release);
        if references == 1 {
            self.drop_value();
        }
    }

    fn let_go(&self) {
        if self.references.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.drop_value();
        }
    }
}

/// Two threads have a reference each, and let go.
fn share(let_go: fn(&Counted)) {
    let value = Arc::new(Counted { references: AtomicUsize::new(2), dropped: UnsafeCell::new(0) });
    let other = value.clone();
    let thread = thread::spawn(move || let_go(&other));
    let_go(&value);
    thread.join().unwrap();
    // SAFETY: both have let go.
    assert_eq!(value.dropped.with(|times| unsafe { *times }), 1, "the value is dropped once");
}

fn main() {
    println!("The count is looked at, then written:\n");
    println!("{}", plain(&everyway::explore(|| share(Counted::let_go_in_two_steps))));
    println!("The count is decremented in one step:\n");
    println!("{}", plain(&everyway::explore(|| share(Counted::let_go))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use everyway::report::BugKind;

    #[test]
    fn the_value_is_leaked() {
        let report = everyway::explore(|| share(Counted::let_go_in_two_steps));
        let bug = report.bug.expect("the bug is found");
        assert_eq!(bug.kind, BugKind::Panic);
        assert!(bug.message.contains("dropped once"), "{}", bug.message);
    }

    #[everyway::test]
    fn the_value_is_dropped_once() {
        share(Counted::let_go);
    }
}
