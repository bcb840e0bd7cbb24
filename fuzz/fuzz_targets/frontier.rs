//! What is left of an exploration, from a file: the file, and subtrees that are explored in a small program.

#![no_main]

use everyway_explore::{Algorithm, Counts, Cut, Exchange, Explorer, Left, Limits, MemoryModel, Order, Subtree};
use everyway_oracle::machine::Machine;
use everyway_oracle::weak::random::{Profile, program};
use everyway_report::frontier::FrontierFile;
use std::ops::ControlFlow;

/// Hands out one subtree.
struct One(Option<Subtree>);

impl Exchange for One {
    fn take(&mut self, _: Counts) -> Option<Subtree> {
        self.0.take()
    }

    fn meet(&mut self, left: &mut Left<'_>) -> ControlFlow<Cut> {
        for subtree in left.all() {
            assert_eq!(subtree.to_string().parse(), Ok(subtree));
        }
        if left.counts.executions() > 20 { ControlFlow::Break(Cut::Interrupted) } else { ControlFlow::Continue(()) }
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Ok(file) = FrontierFile::parse(input) {
        if let Ok(subtrees) = Subtree::read_all(&file.exploration.subtrees) {
            assert_eq!(Subtree::read_all(&Subtree::write_all(&subtrees)), Ok(subtrees));
        }
    }
    let Ok(text) = std::str::from_utf8(input) else { return };
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if let Ok(subtrees) = Subtree::read_all(&lines) {
        assert_eq!(Subtree::read_all(&Subtree::write_all(&subtrees)), Ok(subtrees));
    }
    let Ok(subtree) = text.parse::<Subtree>() else { return };
    for seed in 0..4 {
        let program = program(Profile::Mixed, seed);
        let mut machine = Machine::new(&program);
        let mut strategy = Algorithm::Graphs { model: MemoryModel::ALL[seed as usize] }.strategy(Order::Lowest);
        let mut one = One(Some(subtree.clone()));
        let mut explorer = Explorer::new(&mut machine, &mut *strategy, Limits::default()).shared_with(&mut one);
        explorer.run(|_| ControlFlow::Continue(()));
    }
});
