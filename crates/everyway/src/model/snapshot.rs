//! Snapshots of the memory of a model's threads: their stacks and allocations.
//!
//! Two snapshots tell whether the code that ran in between has changed anything. They do not cover memory that was
//! allocated outside the execution, nor statics that are not everyway's: a test that depends on those is not
//! deterministic anyway.

use super::program::Program;
use std::ops::Range;
use std::ptr;

/// A copy of memory.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Snapshot {
    bytes: Vec<u8>,
}

/// More than this is not copied.
const LARGEST: usize = 32 << 20;

impl Snapshot {
    /// Copies what is there now; whether it was not too much.
    pub(super) fn take(&mut self, program: &Program<'_>) -> bool {
        self.bytes.clear();
        for stack in program.live_stacks() {
            self.bytes.extend_from_slice(&stack.start.to_ne_bytes());
            copy(stack, &mut self.bytes);
        }
        program.model().memory.copy(&mut self.bytes, LARGEST)
    }
}

/// Copies these addresses, which are part of a suspended coroutine's stack.
fn copy(stack: Range<usize>, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.reserve(stack.len());
    // SAFETY: the addresses are mapped, nothing runs that would write to them, and there is room for the copy.
    unsafe {
        let from = ptr::with_exposed_provenance::<u8>(stack.start);
        ptr::copy_nonoverlapping(from, bytes.as_mut_ptr().add(start), stack.len());
        bytes.set_len(start + stack.len());
    }
}
