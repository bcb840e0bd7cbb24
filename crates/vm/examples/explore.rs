//! Explores a C program and says how many executions there were, and how fast.
//!
//!     cargo run --release -p everyway-vm --example explore -- FILE.c [ALGORITHM | run] [-DN=...]...

use everyway_explore::{Algorithm, Explorer, Limits, Order};
use everyway_vm::{Machine, Settings};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a C file");
    let (flags, names): (Vec<String>, Vec<String>) = arguments.partition(|argument| argument.starts_with('-'));
    let runs = names.iter().any(|name| name == "run");
    let algorithm: Algorithm =
        names.first().filter(|_| !runs).map_or(Ok(Algorithm::Optimal), |name| name.parse()).expect("a strategy");
    let arguments = flags.into_iter().map(Into::into).collect();
    let options = everyway_llvm::Options { arguments, ..Default::default() };
    let mut module = everyway_llvm::load(&[file.into()], &options).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2)
    });
    module.functions.iter_mut().for_each(|function| {
        everyway_ir::promote(function);
    });
    let module = Arc::new(module);
    if runs {
        let arguments = ["program", "one", "two"].map(str::to_owned).to_vec();
        let ran = Machine::run_once(module, Settings { arguments, ..Settings::default() }, 1_000_000);
        print!("{}", String::from_utf8_lossy(&ran.output));
        println!("{:?}", ran.ended);
        return;
    }
    let start = Instant::now();
    let mut machine = Machine::new(module, Settings::default()).unwrap_or_else(|(_, failure)| {
        eprintln!("{failure:?}");
        std::process::exit(1)
    });
    let mut strategy = algorithm.strategy(Order::Lowest);
    let mut explorer = Explorer::new(&mut machine, strategy.as_mut(), Limits::default());
    let end = explorer.run(|_| ControlFlow::Continue(()));
    let (counts, seconds) = (explorer.counts(), start.elapsed().as_secs_f64());
    let rate = counts.executions() as f64 / seconds;
    println!("{end:?}: {counts:?} in {seconds:.3} s, {rate:.0} executions/s");
    if !matches!(end, everyway_explore::End::Finished) {
        for event in explorer.program().describe(explorer.trace()).events {
            let place = event.source.as_ref().map(ToString::to_string).unwrap_or_default();
            println!("  {} {event}   {place}", event.thread);
        }
        for wait in explorer.program().waits() {
            println!("  {wait:?}");
        }
    }
}
