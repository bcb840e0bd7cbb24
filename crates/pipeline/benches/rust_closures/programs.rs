//! The closures, and how many executions they have.

use crate::lastwrite::lastwrite;
use everyway::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex, mpsc};
use everyway::thread;
use everyway::{Algorithm, MemoryModel};

/// The strategies, in the order of the table.
pub(crate) const STRATEGIES: [Algorithm; 3] =
    [Algorithm::Optimal, Algorithm::Graphs { model: MemoryModel::Sc }, Algorithm::Observers];

/// A closure, and what is known of it.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) body: fn(),
    /// The executions of each strategy; none of one that has so many more that it does not come to an end.
    pub(crate) executions: [Option<u64>; STRATEGIES.len()],
}

pub(crate) const PROGRAMS: [Program; 8] = [
    Program { name: "readers(8)", body: || readers(8), executions: [Some(256); 3] },
    Program { name: "readers(13)", body: || readers(13), executions: [Some(8_192); 3] },
    Program { name: "lastzero(6)", body: || lastzero(6), executions: [Some(144); 3] },
    Program { name: "lastzero(10)", body: || lastzero(10), executions: [Some(3_328); 3] },
    Program { name: "indexer(15)", body: || indexer(15), executions: [Some(4_096); 3] },
    Program { name: "lastwrite(7)", body: || lastwrite(7), executions: [Some(5_040), Some(5_040), Some(7)] },
    Program { name: "mutex-counter(5)", body: || mutex_counter(5), executions: [Some(120); 3] },
    // Every access to a mailbox is ordered in a graph.
    Program { name: "senders(7)", body: || senders(7), executions: [Some(5_040), None, Some(5_040)] },
];

fn readers(n: usize) {
    let x = Arc::new(AtomicU32::new(0));
    let slots: Arc<Vec<AtomicU32>> = Arc::new((0..n).map(|_| AtomicU32::new(0)).collect());
    let writer = x.clone();
    thread::spawn(move || writer.store(1, SeqCst));
    for i in 0..n {
        let (x, slots) = (x.clone(), slots.clone());
        thread::spawn(move || {
            slots[i].load(SeqCst);
            x.load(SeqCst);
        });
    }
}

fn lastzero(n: usize) {
    let array: Arc<Vec<AtomicUsize>> = Arc::new((0..=n).map(|_| AtomicUsize::new(0)).collect());
    let searched = array.clone();
    thread::spawn(move || {
        let mut i = n;
        while searched[i].load(SeqCst) != 0 {
            i -= 1;
        }
    });
    for j in 1..=n {
        let array = array.clone();
        thread::spawn(move || array[j].store(array[j - 1].load(SeqCst) + 1, SeqCst));
    }
}

fn indexer(n: usize) {
    const SIZE: usize = 128;
    let table: Arc<Vec<AtomicUsize>> = Arc::new((0..SIZE).map(|_| AtomicUsize::new(0)).collect());
    for thread in 0..n {
        let table = table.clone();
        thread::spawn(move || {
            for message in 0..4 {
                let word = message * 11 + thread + 1;
                let mut slot = word * 7 % SIZE;
                while table[slot].compare_exchange(0, word, SeqCst, SeqCst).is_err() {
                    slot = (slot + 1) % SIZE;
                }
            }
        });
    }
}

fn mutex_counter(n: u32) {
    let counter = Arc::new(Mutex::new(0));
    let threads: Vec<_> = (0..n)
        .map(|_| {
            let counter = counter.clone();
            thread::spawn(move || *counter.lock().unwrap() += 1)
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*counter.lock().unwrap(), n);
}

fn senders(n: u32) {
    let (sender, receiver) = mpsc::channel();
    for i in 0..n {
        let sender = sender.clone();
        thread::spawn(move || sender.send(i).unwrap());
    }
    drop(sender);
    assert_eq!(receiver.into_iter().count(), n as usize);
}
