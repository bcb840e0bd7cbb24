//! Executions per second of Rust closures, one core: `cargo bench -p everyway`.
//!
//! An argument picks the programs whose names contain it. Each program is explored as often as fits into a
//! second, at least once; the best rate counts. For instructions per execution, which do not depend on what
//! else the machine does: `valgrind --tool=callgrind` on the same program with `--once`.

use everyway::Builder;
use everyway::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex, mpsc};
use everyway::thread;
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
    executions: u64,
}

const PROGRAMS: [Program; 7] = [
    Program { name: "readers(8)", body: || readers(8), executions: 256 },
    Program { name: "readers(13)", body: || readers(13), executions: 8192 },
    Program { name: "lastzero(6)", body: || lastzero(6), executions: 144 },
    Program { name: "lastzero(10)", body: || lastzero(10), executions: 3328 },
    Program { name: "lastwrite(7)", body: || lastwrite(7), executions: 5040 },
    Program { name: "mutex counter(5)", body: || mutex_counter(5), executions: 120 },
    Program { name: "senders(7)", body: || senders(7), executions: 5040 },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let once = arguments.iter().any(|argument| argument == "--once");
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    println!("{:<20} {:>12} {:>16} {:>12}", "program", "executions", "a second", "ns each");
    for program in &PROGRAMS {
        if wanted.is_some_and(|wanted| !program.name.contains(wanted.as_str())) {
            continue;
        }
        let (executions, time) = measure(program, once);
        assert_eq!(executions, program.executions, "{}", program.name);
        let each = time.as_nanos() as f64 / executions as f64;
        println!("{:<20} {executions:>12} {:>16.0} {each:>12.0}", program.name, 1e9 / each);
    }
}

/// The number of executions, and the shortest time that exploring them took.
fn measure(program: &Program, once: bool) -> (u64, Duration) {
    let started = Instant::now();
    let mut best = Duration::MAX;
    loop {
        let run = Instant::now();
        let report = Builder::new().explore(program.body);
        best = best.min(run.elapsed());
        assert!(report.bug.is_none(), "{}", program.name);
        if once || started.elapsed() > Duration::from_secs(1) {
            return (report.executions.complete, best);
        }
    }
}
