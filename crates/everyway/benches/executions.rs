//! Executions per second of Rust closures, one core: `cargo bench -p everyway`.
//!
//! Each program is explored by `optimal` and by `observers`. Where nothing is gained by observers, because there are
//! as many executions, the last column says how much longer one takes. Where memory is shared it must not be more than
//! 1.3 times as long; with mailboxes whose messages are all received it is more, because what each receive would have
//! found elsewhere is looked up message by message.
//!
//! An argument picks the programs whose names contain it. Each program is explored as often as fits into a
//! second, at least once; the best rate counts. For instructions per execution, which do not depend on what
//! else the machine does: `valgrind --tool=callgrind` on the same program with `--once`.

use everyway::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex, mpsc};
use everyway::thread;
use everyway::{Algorithm, Builder};
use std::time::{Duration, Instant};

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

fn lastwrite(n: u32) {
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

struct Program {
    name: &'static str,
    body: fn(),
    /// The executions of `optimal`, and those of `observers`.
    executions: [u64; 2],
}

const PROGRAMS: [Program; 8] = [
    Program { name: "readers(8)", body: || readers(8), executions: [256, 256] },
    Program { name: "readers(13)", body: || readers(13), executions: [8192, 8192] },
    Program { name: "lastzero(6)", body: || lastzero(6), executions: [144, 144] },
    Program { name: "lastzero(10)", body: || lastzero(10), executions: [3328, 3328] },
    Program { name: "indexer(15)", body: || indexer(15), executions: [4096, 4096] },
    Program { name: "lastwrite(7)", body: || lastwrite(7), executions: [5040, 7] },
    Program { name: "mutex counter(5)", body: || mutex_counter(5), executions: [120, 120] },
    Program { name: "senders(7)", body: || senders(7), executions: [5040, 5040] },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let once = arguments.iter().any(|argument| argument == "--once");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    println!(
        "{:<20} {:>12} {:>12} {:>10} {:>12} {:>10} {:>8}",
        "program", "executions", "a second", "ns each", "observers", "ns each", "times"
    );
    for program in &PROGRAMS {
        if wanted.is_some_and(|wanted| !program.name.contains(wanted.as_str())) {
            continue;
        }
        let [optimal, observers] = measure(program, once);
        let each = |time: Duration, executions: u64| time.as_nanos() as f64 / executions as f64;
        let [all, fewer] = program.executions;
        let times =
            if all == fewer { format!("{:.2}", each(observers, fewer) / each(optimal, all)) } else { "-".into() };
        println!(
            "{:<20} {all:>12} {:>12.0} {:>10.0} {fewer:>12} {:>10.0} {times:>8}",
            program.name,
            1e9 / each(optimal, all),
            each(optimal, all),
            each(observers, fewer),
        );
    }
}

/// The shortest times that exploring took by `optimal` and by `observers`, which take turns.
fn measure(program: &Program, once: bool) -> [Duration; 2] {
    let started = Instant::now();
    let mut best = [Duration::MAX; 2];
    loop {
        for (which, algorithm) in [Algorithm::Optimal, Algorithm::Observers].into_iter().enumerate() {
            let run = Instant::now();
            let report = Builder::new().algorithm(algorithm).explore(program.body);
            best[which] = best[which].min(run.elapsed());
            assert!(report.bug.is_none(), "{}", program.name);
            assert_eq!(report.executions.complete, program.executions[which], "{} by {algorithm:?}", program.name);
        }
        if once || started.elapsed() > Duration::from_secs(2) {
            return best;
        }
    }
}
