//! The calls that a step is in, inlined ones included.

use super::names::demangled;
use crate::machine::Machine;
use everyway_ir::{FunctionId, SourceLocation, is_system_file};
use everyway_report::Call;
use everyway_runtime::ThreadId;

/// Functions with the instruction that each is at, the innermost first.
pub(crate) type Stack = Vec<(FunctionId, u32)>;

impl Machine {
    /// The calls that a thread is in.
    pub(crate) fn stack(&self, thread: ThreadId) -> Stack {
        self.threads[thread].frames.iter().rev().map(|frame| (frame.function, frame.pc)).collect()
    }

    /// The calls as reports have them. How the system comes to call the first function of the program is left out.
    pub(crate) fn calls(&self, stack: &[(FunctionId, u32)]) -> Vec<Call> {
        let mut calls = Vec::new();
        let mut shown = 0;
        for &(function, pc) in stack {
            let place = self.place(function, pc);
            let inlined = place.into_iter().flat_map(|place| self.module.frames_of(place));
            let inlined: Vec<_> =
                inlined.map(|frame| (self.symbol_name(&frame.function), Some(frame.location))).collect();
            let own = || vec![(self.function_name(function), place)];
            for (function, place) in if inlined.is_empty() { own() } else { inlined } {
                calls.push(Call { function, source: self.source(place) });
                if self.is_of_program(place) {
                    shown = calls.len();
                }
            }
        }
        calls.truncate(shown);
        calls
    }

    /// What people call the function with this symbol, which need not be in the program any more.
    fn symbol_name(&self, symbol: &str) -> String {
        let known = self.module.functions.iter().position(|function| function.name == symbol);
        known.map_or_else(
            || demangled(symbol).unwrap_or_else(|| symbol.to_owned()),
            |known| self.function_name(FunctionId::new(known)),
        )
    }

    fn is_of_program(&self, place: Option<SourceLocation>) -> bool {
        let file = place.and_then(|place| self.module.files.get(place.file.index()));
        file.is_some_and(|file| !is_system_file(file))
    }
}
