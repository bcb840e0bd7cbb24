//! How the cost of an execution grows with its length: `cargo bench -p everyway-oracle --bench growth`.
//!
//! Each shape of program is explored at lengths that double. What an execution costs ought to grow as its length does at
//! most: the exponent - the slope of the cost over the length, both as logarithms, between the shortest and the longest -
//! is 1 then, and 0 where executions have most of their beginning in common. More than [`MOST`] is a loss.
//!
//! The machine underneath (`straight.rs`) takes a step and takes it back at a cost that does not depend on anything, so
//! that what grows is the engine's.
//!
//! What the operating system takes to hand out memory is left out: a search asks for it once, and goes on for millions of
//! executions, while here every search is a short one.
//!
//! Costs are times of the processor, the shortest of some; with `--instructions` they are instructions, which do not depend
//! on what else the machine does, counted by `valgrind`. Other arguments pick shapes and strategies whose names contain
//! one of them.

mod straight;

use everyway_explore::{Algorithm, End, Explorer, Limits, Order};
use everyway_oracle::own_process::{self, Counted};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use straight::{Do, Straight};

/// The largest exponent that is not a loss: lines are not quite straight.
const MOST: f64 = 1.1;

/// A shape of program.
struct Shape {
    name: &'static str,
    /// The program of a length.
    program: fn(u32) -> Vec<Vec<Do>>,
    /// The shortest length.
    shortest: u32,
}

/// So many times is each shape doubled.
const DOUBLINGS: u32 = 3;

/// The location that all threads share; those above are of one thread each.
const SHARED: u32 = 0;

const SHAPES: [Shape; 9] = [
    Shape { name: "own stores, then a shared one", program: own_then_shared, shortest: 100 },
    Shape { name: "adds", program: adds, shortest: 250 },
    Shape { name: "adds, then reads", program: adds_then_reads, shortest: 250 },
    Shape { name: "sends and receives", program: sends, shortest: 125 },
    Shape { name: "long readers", program: readers, shortest: 250 },
    Shape { name: "a writer and a reader", program: writer_and_reader, shortest: 50 },
    Shape { name: "races in the past", program: past, shortest: 25 },
    Shape { name: "alternatives", program: alternatives, shortest: 100 },
    Shape { name: "threads", program: threads, shortest: 16 },
];

/// Four threads with stores to words of their own, and one to a shared word in the end: 4! executions.
fn own_then_shared(length: u32) -> Vec<Vec<Do>> {
    (1..=4).map(|own| [vec![Do::Write(own); length as usize], vec![Do::Write(SHARED)]].concat()).collect()
}

/// Two threads that add to one word: 1 execution.
fn adds(length: u32) -> Vec<Vec<Do>> {
    vec![vec![Do::Add(SHARED); length as usize]; 2]
}

/// A thread that adds, and one that reads many times: one execution for each number of adds before a read would be too
/// many, so the reads come after a handover.
fn adds_then_reads(length: u32) -> Vec<Vec<Do>> {
    let adds = [vec![Do::Add(SHARED); length as usize], vec![Do::Write(1)]].concat();
    vec![adds, [vec![Do::Await(1)], vec![Do::Read(SHARED); length as usize]].concat()]
}

/// A thread that sends, and one that receives: 1 execution.
fn sends(length: u32) -> Vec<Vec<Do>> {
    vec![vec![Do::Send(SHARED); length as usize], vec![Do::Receive(SHARED); length as usize]]
}

/// Two threads that read one word many times, and one that writes another which each reads in the end: 4 executions.
fn readers(length: u32) -> Vec<Vec<Do>> {
    let reader = [vec![Do::Read(SHARED); length as usize], vec![Do::Read(1)]].concat();
    vec![reader.clone(), reader, vec![Do::Write(1)]]
}

/// One thread that writes many times, and one that reads once: an execution for each write, and one.
fn writer_and_reader(length: u32) -> Vec<Vec<Do>> {
    vec![vec![Do::Write(SHARED); length as usize], vec![Do::Read(SHARED)]]
}

/// Two threads that hand over to each other many times, so that there are races all along, each of which could only go one
/// way; and then two others that write one word.
fn past(length: u32) -> Vec<Vec<Do>> {
    let turns = (0..length).flat_map(|turn| [Do::AwaitValue(SHARED, turn), Do::Set(SHARED, turn + 1)]);
    vec![turns.collect(), vec![Do::Write(1); 2], vec![Do::Write(1); 2]]
}

/// One thread that chooses among many alternatives: an execution for each.
fn alternatives(length: u32) -> Vec<Vec<Do>> {
    vec![vec![Do::Choose(length), Do::Write(1)], vec![Do::Write(2)]]
}

/// Many threads that write words of their own, of which the last two write one word: 2 executions.
fn threads(length: u32) -> Vec<Vec<Do>> {
    let own = (0..length).map(|thread| vec![Do::Write(thread + 1); 4]);
    own.chain([vec![Do::Write(SHARED)], vec![Do::Write(SHARED)]]).collect()
}

const STRATEGIES: [&str; 4] = ["optimal", "observers", "reads-from", "graphs"];

/// Explores a program; how many executions there are, if that does not take too long.
fn explore(shape: &Shape, strategy: &str, length: u32) -> Option<u64> {
    let algorithm: Algorithm = strategy.parse().expect("a strategy");
    let mut program = Straight::new((shape.program)(length));
    let mut strategy = algorithm.strategy(Order::Lowest);
    let limits = Limits { steps: usize::MAX, time: Some(Duration::from_secs(2)), ..Limits::default() };
    let mut explorer = Explorer::new(&mut program, &mut *strategy, limits);
    let end = explorer.run(|_| ControlFlow::Continue(()));
    matches!(end, End::Finished).then(|| explorer.counts().executions())
}

/// The exponent of a cost that has been measured at two lengths.
fn exponent([first, last]: [(u32, f64); 2]) -> f64 {
    (last.1 / first.1).ln() / (f64::from(last.0) / f64::from(first.0)).ln()
}

/// What costs are measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Nanoseconds,
    Instructions,
}

/// What an execution of the program of this length costs, if that can be said.
fn cost(shape: &Shape, strategy: &str, length: u32, unit: Unit) -> Option<f64> {
    let executions = explore(shape, strategy, length)?;
    let all = match unit {
        Unit::Nanoseconds => shortest_time(|| explore(shape, strategy, length)).as_nanos() as f64,
        Unit::Instructions => instructions(shape, strategy, length),
    };
    Some(all / executions as f64)
}

/// The least time of the processor that something takes, of as many times as are done in a tenth of a second.
fn shortest_time(mut run: impl FnMut() -> Option<u64>) -> Duration {
    let started = Instant::now();
    let mut best = Duration::MAX;
    for times in 1.. {
        let before = processor_time();
        run();
        best = best.min(processor_time() - before);
        if times > 2 && started.elapsed() > Duration::from_millis(100) {
            break;
        }
    }
    best
}

/// The time of the processor that this process has used.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time is written to a value that is there.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "the system says how long a process has run");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Runs this program under valgrind to explore one program: how many instructions that takes.
fn instructions(shape: &Shape, strategy: &str, length: u32) -> f64 {
    let arguments = ["--one", shape.name, strategy, &length.to_string()];
    let counted = own_process::instructions(Counted::Within("*growth::explore*"), &arguments);
    counted.expect("valgrind is installed") as f64
}

/// Lets the allocator keep all memory that it ever had from the system.
#[cfg(target_env = "gnu")]
fn keep_memory() {
    const MOST: libc::c_int = 1 << 30;
    for option in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: this changes nothing but where memory comes from and when it is given back.
        let accepted = unsafe { libc::mallopt(option, MOST) };
        assert_eq!(accepted, 1, "the allocator has these options");
    }
}

/// Where the allocator has no such options, the numbers are a little worse.
#[cfg(not(target_env = "gnu"))]
fn keep_memory() {}

fn main() {
    keep_memory();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [one, name, strategy, length] = &arguments[..]
        && one == "--one"
    {
        let shape = SHAPES.iter().find(|shape| shape.name == name).expect("a shape");
        explore(shape, strategy, length.parse().expect("a length"));
        return;
    }
    let (options, wanted): (Vec<_>, Vec<_>) = arguments.iter().partition(|argument| argument.starts_with("--"));
    let unit = if options.is_empty() { Unit::Nanoseconds } else { Unit::Instructions };
    let is_wanted = |name: &str, all: &[&str]| {
        !wanted.iter().any(|w| all.iter().any(|n| n.contains(&w[..]))) || wanted.iter().any(|w| name.contains(&w[..]))
    };
    let shapes: Vec<&str> = SHAPES.iter().map(|shape| shape.name).collect();
    println!("| shape | strategy | {unit:?} per execution, by length | exponent |");
    println!("|---|---|---|--:|");
    for shape in SHAPES.iter().filter(|shape| is_wanted(shape.name, &shapes)) {
        for strategy in STRATEGIES.into_iter().filter(|strategy| is_wanted(strategy, &STRATEGIES)) {
            let lengths = (0..=DOUBLINGS).map(|doubling| shape.shortest << doubling);
            let costs = lengths.map_while(|length| Some((length, cost(shape, strategy, length, unit)?)));
            let costs: Vec<(u32, f64)> = costs.collect();
            let shown: Vec<String> = costs.iter().map(|(length, cost)| format!("{length}: {cost:.0}")).collect();
            let exponent = match &costs[..] {
                [first, .., last] if costs.len() as u32 > DOUBLINGS => exponent([*first, *last]),
                _ => f64::INFINITY,
            };
            let mark = if exponent > MOST { " (!)" } else { "" };
            println!("| {} | {strategy} | {} | {exponent:.2}{mark} |", shape.name, shown.join(", "));
        }
    }
}
