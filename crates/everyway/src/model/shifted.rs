//! Stacks that begin at different offsets within a page.
//!
//! Stacks are aligned to pages, and their uppermost bytes are always in use. If all of them began at the start of a
//! page, the stacks of a dozen threads would compete for the same few sets of the processor's first-level cache, which
//! has a dozen ways or less, and each switch would load the stack again. So each thread's stack begins a bit lower than
//! the one before.

use corosensei::stack::{DefaultStack, Stack, StackPointer};
use everyway_runtime::ThreadId;

/// So many different beginnings there are,
const SHIFTS: usize = 16;

/// so far apart. Together they are as large as what lies at the same place of that cache, or larger.
const SHIFT: usize = 256;

/// So many bytes of a stack may be left unused.
pub(super) const MOST: usize = SHIFTS * SHIFT;

/// A stack of which the uppermost bytes are not used.
pub(super) struct Shifted {
    stack: DefaultStack,
    by: usize,
}

impl Shifted {
    /// The stack of this thread, which always begins at the same place of it.
    pub(super) fn new(stack: DefaultStack, thread: ThreadId) -> Self {
        Self { stack, by: thread.index() % SHIFTS * SHIFT }
    }

    /// The stack as it is.
    pub(super) fn into_inner(self) -> DefaultStack {
        self.stack
    }
}

// SAFETY: it is the upper part of the other one that is left out, so that the guard page is where it was. The caller makes
// the other one larger by `MOST`. All distances are multiples of the alignment.
unsafe impl Stack for Shifted {
    #[inline]
    fn base(&self) -> StackPointer {
        let base = self.stack.base();
        StackPointer::new(base.get() - self.by).unwrap_or(base)
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.stack.limit()
    }

    #[cfg(windows)]
    fn teb_fields(&self) -> corosensei::stack::StackTebFields {
        self.stack.teb_fields()
    }

    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.stack.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}
