//! Atomic sections: from their first visible step to their last one, no other thread moves.
//!
//! Where a section begins or ends is no step here. A place knows whether it is in a section whose first visible step is
//! still to come, or in one that has begun.

use super::walk::Walk;
use crate::system::Section;

/// How deep a path is in atomic sections, and whether it has done something visible there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sections {
    depth: u32,
    is_used: bool,
}

impl Sections {
    pub(super) fn section(self) -> Section {
        match self {
            Sections { depth: 0, .. } => Section::Outside,
            Sections { is_used: false, .. } => Section::Enters,
            Sections { is_used: true, .. } => Section::Inside,
        }
    }

    /// After a visible step.
    pub(super) fn used(self) -> Self {
        Self { is_used: self.depth > 0, ..self }
    }
}

impl Walk {
    pub(super) fn begin_section(&mut self) {
        self.sections.depth += 1;
    }

    /// The end of the outermost section counts; a machine that runs the program takes a step for it, and one for the
    /// beginning too, which comes with the first visible step if there is one.
    pub(super) fn end_section(&mut self) {
        let Some(depth) = self.sections.depth.checked_sub(1) else { return };
        if depth == 0 {
            self.passed += if self.sections.is_used { 1 } else { 2 };
        }
        self.sections = Sections { depth, is_used: self.sections.is_used && depth > 0 };
    }
}
