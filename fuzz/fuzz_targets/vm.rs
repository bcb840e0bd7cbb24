//! The virtual machine, with programs that the reader has accepted.

#![no_main]

use everyway_vm::{Leaks, Machine, Settings};
use std::sync::Arc;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    if let Ok(mut module) = everyway_llvm::read_program([("fuzz.ll", &*text)]) {
        for function in &mut module.functions {
            everyway_ir::promote(function);
        }
        let settings =
            Settings { local_jumps: 1_000, call_depth: 100, races: true, leaks: Leaks::NeverFreed, ..Settings::default() };
        Machine::run_once(Arc::new(module), settings, 200);
    }
});
