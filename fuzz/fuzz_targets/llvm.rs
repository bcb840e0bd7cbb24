//! The reader of LLVM IR, and everything after it that works on what it has read.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| everyway_llvm::fuzz(input));
