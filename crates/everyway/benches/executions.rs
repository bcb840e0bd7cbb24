//! Executions per second of Rust closures, one core: `cargo bench -p everyway`.
//!
//! Each program is explored by `optimal`, by `observers` and by `graphs` under sequential consistency. Where an algorithm has
//! as many executions as `optimal`, the last column says how much longer one takes. Observers gain nothing then; where memory is
//! shared they must not take more than 1.3 times as long. With mailboxes whose messages are all received they do, because
//! what each receive would have found elsewhere is looked up message by message.
//!
//! Each program is explored as often as fits into a second, at least once; the best rate counts. Arguments:
//!
//! - a name: only the programs whose names contain it;
//! - `--by NAME`: only this algorithm;
//! - `--instructions`: what an execution costs in instructions, too, which do not depend on what else the machine does.
//!   They are counted by `valgrind --tool=callgrind`, which has to be installed: the same program is run under it twice, once
//!   with one exploration and once with two;
//! - `--rounds N`: explores so many times, and says nothing. So the costs of an execution are seen function by function:
//!   `valgrind --tool=callgrind target/release/deps/executions-... 'readers(8)' --by optimal --rounds 10`.

mod programs;

use everyway::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use everyway::sync::{Arc, Mutex, mpsc};
use everyway::thread;
use everyway::{Algorithm, Builder, MemoryModel};
use everyway_oracle::own_process::{self, Counted};
use programs::lastwrite;

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

/// How a program is explored: a name, and what it stands for.
type By = (&'static str, Algorithm);

const BY: [By; 3] = [
    ("optimal", Algorithm::Optimal),
    ("observers", Algorithm::Observers),
    ("graphs", Algorithm::Graphs { model: MemoryModel::Sc }),
];

struct Program {
    name: &'static str,
    body: fn(),
    /// The executions of each algorithm; none of one that has so many more that it does not come to an end.
    executions: [Option<u64>; BY.len()],
}

const PROGRAMS: [Program; 8] = [
    Program { name: "readers(8)", body: || readers(8), executions: [Some(256); 3] },
    Program { name: "readers(13)", body: || readers(13), executions: [Some(8192); 3] },
    Program { name: "lastzero(6)", body: || lastzero(6), executions: [Some(144); 3] },
    Program { name: "lastzero(10)", body: || lastzero(10), executions: [Some(3328); 3] },
    Program { name: "indexer(15)", body: || indexer(15), executions: [Some(4096); 3] },
    Program { name: "lastwrite(7)", body: || lastwrite(7), executions: [Some(5040), Some(7), Some(5040)] },
    Program { name: "mutex counter(5)", body: || mutex_counter(5), executions: [Some(120); 3] },
    // Every access to a mailbox is ordered in a graph.
    Program { name: "senders(7)", body: || senders(7), executions: [Some(5040), Some(5040), None] },
];

/// What was asked for.
#[derive(Default)]
struct Wanted {
    program: Option<String>,
    by: Option<String>,
    instructions: bool,
    rounds: Option<u32>,
}

impl Wanted {
    fn from_arguments() -> Self {
        let mut wanted = Self::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--by" => wanted.by = arguments.next(),
                "--instructions" => wanted.instructions = true,
                "--rounds" => wanted.rounds = arguments.next().and_then(|rounds| rounds.parse().ok()),
                // What cargo passes to every benchmark.
                "--bench" => {}
                _ => wanted.program = Some(argument),
            }
        }
        wanted
    }
}

fn main() {
    let wanted = Wanted::from_arguments();
    let is_wanted = |program: &&Program| wanted.program.as_ref().is_none_or(|name| program.name.contains(name));
    let is_asked_for = |(name, _): &By| wanted.by.as_ref().is_none_or(|by| by == name);
    if wanted.rounds.is_none() {
        println!(
            "{:<18} {:<10} {:>11} {:>10} {:>9} {:>13} {:>6}",
            "program", "by", "executions", "a second", "ns each", "instructions", "times"
        );
    }
    for program in PROGRAMS.iter().filter(is_wanted) {
        let mut optimal = None;
        for (which, by) in BY.iter().enumerate().filter(|(_, by)| is_asked_for(by)) {
            let Some(executions) = program.executions[which] else { continue };
            if let Some(rounds) = wanted.rounds {
                (0..rounds).for_each(|_| _ = explore(program, by, executions));
                continue;
            }
            let each = measure(program, by, executions).as_nanos() as f64 / executions as f64;
            optimal = optimal.or((which == 0).then_some(each));
            let instructions = if wanted.instructions { instructions(program, by, executions) } else { None };
            let instructions = instructions.map_or("-".to_owned(), |count| count.to_string());
            let times = optimal.filter(|_| which > 0 && Some(executions) == program.executions[0]);
            let times = times.map_or("-".to_owned(), |optimal| format!("{:.2}", each / optimal));
            let (name, rate) = (program.name, 1e9 / each);
            println!("{name:<18} {:<10} {executions:>11} {rate:>10.0} {each:>9.0} {instructions:>13} {times:>6}", by.0);
        }
    }
}

/// Explores a program, which has so many executions; how long that took.
fn explore(program: &Program, (name, algorithm): &By, executions: u64) -> Duration {
    let started = Instant::now();
    let report = Builder::new().algorithm(*algorithm).jobs(1).explore(program.body);
    let time = started.elapsed();
    assert!(report.bug.is_none(), "{}", program.name);
    assert_eq!(report.executions.complete, executions, "{} by {name}", program.name);
    time
}

/// The shortest time that exploring took.
fn measure(program: &Program, by: &By, executions: u64) -> Duration {
    let started = Instant::now();
    let mut best = Duration::MAX;
    while best == Duration::MAX || started.elapsed() < Duration::from_secs(1) {
        best = best.min(explore(program, by, executions));
    }
    best
}

/// How many instructions an execution takes, as callgrind counts them; `None` if it cannot be run.
fn instructions(program: &Program, (by, _): &By, executions: u64) -> Option<u64> {
    let of_rounds = |rounds| own_process::instructions(Counted::All, &[program.name, "--by", by, "--rounds", rounds]);
    Some((of_rounds("2")? - of_rounds("1")?) / executions)
}
