//! The calls that a step is in, inlined ones included.

use super::names::demangled;
use crate::machine::Machine;
use everyway_ir::{FunctionId, SourceLocation, is_system_file};
use everyway_report::Call;
use everyway_runtime::ThreadId;

/// So many of the innermost calls are known, and so many of the outermost ones: every step of an execution has its own, and
/// of a deep recursion the middle says nothing.
const INNERMOST: usize = 24;
const OUTERMOST: usize = 8;

/// The calls that a thread is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    /// Functions with the instruction that each is at, the innermost first.
    frames: Vec<(FunctionId, u32)>,
    /// How many are left out after the first [`INNERMOST`] ones.
    left_out: usize,
}

impl Machine {
    /// The calls that a thread is in.
    pub(crate) fn stack(&self, thread: ThreadId) -> Stack {
        let frames = &self.threads[thread].frames;
        let left_out = frames.len().saturating_sub(INNERMOST + OUTERMOST);
        let inner = frames.iter().rev().take(INNERMOST);
        let outer = frames.iter().rev().skip(INNERMOST + left_out);
        Stack { frames: inner.chain(outer).map(|frame| (frame.function, frame.pc)).collect(), left_out }
    }

    /// The calls as reports have them. How the system comes to call the first function of the program is left out.
    pub(crate) fn calls(&self, stack: &Stack) -> Vec<Call> {
        let mut calls: Vec<Call> = Vec::new();
        let mut shown = 0;
        for (depth, &(function, pc)) in stack.frames.iter().enumerate() {
            if let Some(inner) = calls.last_mut().filter(|_| depth == INNERMOST) {
                inner.left_out = stack.left_out;
            }
            let place = self.place(function, pc);
            let inlined = place.into_iter().flat_map(|place| self.module.frames_of(place));
            let inlined: Vec<_> =
                inlined.map(|frame| (self.symbol_name(&frame.function), Some(frame.location))).collect();
            let own = || vec![(self.function_name(function), place)];
            for (function, place) in if inlined.is_empty() { own() } else { inlined } {
                calls.push(Call { function, source: self.source(place), left_out: 0 });
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
