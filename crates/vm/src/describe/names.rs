//! Names of threads and functions in reports, and locations in the user's own sources.

use crate::machine::{MAIN, Machine};
use crate::thread::{Phase, Thread};
use cpp_demangle::{DemangleOptions, Symbol};
use everyway_ir::{FunctionId, Module, SourceLocation, is_system_file};
use everyway_runtime::ThreadId;

/// Whether a function is not the user's: from a header of the C++ library, say.
pub(crate) fn is_foreign(module: &Module, location: Option<SourceLocation>) -> bool {
    let file = location.and_then(|location| module.files.get(location.file.index()));
    file.is_some_and(|file| is_system_file(file))
}

/// What a C++ symbol stands for, without parameters: `Queue<int>::push`.
pub(crate) fn demangled(symbol: &str) -> Option<String> {
    // A C function may be called `f`, which in C++ symbols stands for `float`.
    if !symbol.starts_with("_Z") {
        return None;
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    Symbol::new(symbol).ok()?.demangle_with_options(&options).ok()
}

impl Machine {
    /// What people call a function.
    pub(crate) fn function_name(&self, function: FunctionId) -> String {
        let Some(this) = self.module.functions.get(function.index()) else { return "a function".to_owned() };
        let name = demangled(&this.name).or_else(|| this.source_name.clone()).unwrap_or_else(|| this.name.clone());
        let name = name.trim_end_matches(" const").to_owned();
        match this.location {
            // A call operator without a name of its own.
            Some(location) if name.ends_with("operator()") && (name.contains('$') || name.contains("{lambda")) => {
                format!("lambda:{}", location.line)
            }
            _ => name,
        }
    }

    /// What people call a thread: the first function of their own that it runs, with a number if several do.
    pub(crate) fn thread_name(&self, thread: ThreadId) -> String {
        if thread == MAIN {
            return "main".to_owned();
        }
        let Some(this) = self.threads.get(thread) else { return format!("thread {thread}") };
        let function = match this.core.named {
            None => "thread".to_owned(),
            Some(function) => self.function_name(function),
        };
        // Numbered in the order of this execution, which a replay meets them in too.
        let is_alike = |other: &&Thread| other.core.phase != Phase::Unborn && other.core.named == this.core.named;
        let alike = self.threads.iter().skip(1).filter(is_alike);
        let older = alike.clone().filter(|other| other.core.born < this.core.born).count();
        if alike.count() < 2 { function } else { format!("{function} {}", older + 1) }
    }

    /// The innermost function of the user's own that the thread is in, and the instruction in it.
    pub(crate) fn user_place(&self, thread: ThreadId) -> (FunctionId, u32) {
        let frames = &self.threads[thread].frames;
        let is_own = |frame: &&crate::thread::Frame| self.code.body(frame.function).is_some_and(|body| !body.foreign);
        let frame = frames.iter().rev().find(is_own).or(frames.last());
        frame.map_or((FunctionId(0), 0), |frame| (frame.function, frame.pc))
    }

    /// Where in the source a thread is.
    pub(crate) fn place_of(&self, thread: ThreadId) -> Option<SourceLocation> {
        let (function, pc) = self.user_place(thread);
        let frames = self.threads[thread].frames.iter().rev();
        let anywhere = || frames.filter_map(|frame| self.place(frame.function, frame.pc)).next();
        self.place(function, pc).or_else(anywhere)
    }

    /// The place of an instruction in the source.
    pub(crate) fn place(&self, function: FunctionId, pc: u32) -> Option<SourceLocation> {
        self.code.body(function)?.places.get(pc as usize).copied()?
    }

    /// The same as text: `queue.c:12`.
    pub(crate) fn place_text(&self, function: FunctionId, pc: u32) -> Option<String> {
        let source = self.source(self.place(function, pc))?;
        Some(format!("{}:{}", source.file, source.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cxx_symbols_are_demangled() {
        assert_eq!(demangled("_ZN5QueueIiE4pushEi").as_deref(), Some("Queue<int>::push"));
        assert_eq!(demangled("f"), None);
    }
}
