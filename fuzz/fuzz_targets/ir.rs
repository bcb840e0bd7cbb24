//! The parser of everyway's own text form of programs.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| everyway_ir::fuzz(input));
