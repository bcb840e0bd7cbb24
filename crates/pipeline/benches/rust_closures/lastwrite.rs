//! A closure that more than one benchmark explores.

use everyway::sync::Arc;
use everyway::sync::atomic::{AtomicU32, Ordering::SeqCst};
use everyway::thread;

/// Threads that all write to one place.
pub(crate) fn lastwrite(n: u32) {
    let x = Arc::new(AtomicU32::new(0));
    let threads: Vec<_> = (1..=n)
        .map(|i| {
            let x = x.clone();
            thread::spawn(move || x.store(i, SeqCst))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    x.load(SeqCst);
}
