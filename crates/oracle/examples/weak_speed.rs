//! How many execution graphs there are of some programs, and how long each takes.

use everyway_explore::{Algorithm, Explorer, Limits, MemoryModel, Order};
use everyway_oracle::machine::Machine;
use everyway_oracle::program::{Ordering, Program};
use everyway_oracle::weak::programs::{
    Orderings, coherence, fibonacci, independent_reads, lock, message_passing, ring, rotation, store_buffering,
};
use std::ops::ControlFlow;

/// The time that this process has had a processor.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn measure(name: &str, program: &Program, algorithm: Algorithm) {
    let mut strategy = algorithm.strategy(Order::Lowest);
    let mut machine = Machine::new(program);
    let start = seconds();
    let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default());
    explorer.run(|_| ControlFlow::Continue(()));
    let seconds = seconds() - start;
    let counts = explorer.counts();
    let executions = counts.executions();
    println!(
        "{name:12} {algorithm:?}: {} complete, {} redundant, {:.1} steps each, {:.0} executions a second",
        counts.complete,
        counts.redundant,
        counts.steps as f64 / executions as f64,
        executions as f64 / seconds
    );
}

fn main() {
    let programs = [
        ("sb(12)", store_buffering(12, Orderings::RELAXED, None)),
        ("fib(5)", fibonacci(5)),
        ("coherence(6)", coherence(6)),
        ("casrot(8)", rotation(8)),
        ("ring(6)", ring(6, Ordering::Acquire, Ordering::Release)),
        ("iriw(6)", independent_reads(6, Orderings::RELEASE_ACQUIRE)),
        ("iriw(4) sc", independent_reads(4, Orderings::SEQ_CST)),
        ("lock(6)", lock(6, Ordering::Acquire)),
        ("mp(12)", message_passing(12, Orderings::RELEASE_ACQUIRE, [None; 2])),
    ];
    for (name, program) in &programs {
        for model in MemoryModel::ALL {
            measure(name, program, Algorithm::Graphs { model });
        }
    }
}
