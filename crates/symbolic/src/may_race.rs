//! Whether a program could have data races.
//!
//! The solver searches interleavings, in which all accesses are atomic: it would have to look at pairs of steps, and in all
//! orders of those around them, to see that nothing orders two. What it finds does not depend on whether there are any.

use crate::system::{Access, AccessKind, OBJECT_BITS, OFFSET_BITS, Section, System, Thread};
use crate::term::Terms;

/// An access of some thread.
struct Use {
    thread: usize,
    is_plain: bool,
    writes: bool,
    /// The objects that it may be to; none if they are not known.
    objects: Option<Vec<u32>>,
}

impl Use {
    fn of(terms: &mut Terms, thread: usize, access: &Access, is_in_section: bool) -> Self {
        let object = terms.extract(access.address, OFFSET_BITS, OBJECT_BITS);
        let mut objects = Vec::new();
        let objects = terms.leaves(object, &mut objects).then_some(objects);
        Self { thread, is_plain: access.is_plain && !is_in_section, writes: access.new.is_some(), objects }
    }

    fn may_race(&self, other: &Self) -> bool {
        let may_meet = match (&self.objects, &other.objects) {
            (Some(one), Some(other)) => one.iter().any(|object| other.contains(object)),
            _ => true,
        };
        self.thread != other.thread && (self.is_plain || other.is_plain) && (self.writes || other.writes) && may_meet
    }
}

/// The accesses of a thread to memory.
fn accesses(thread: &Thread) -> impl Iterator<Item = (&Access, bool)> {
    let of_memory = |access: &&Access| access.kind == AccessKind::Memory;
    thread.places.iter().flat_map(move |place| {
        let is_in_section = place.section != Section::Outside;
        place.action.accesses.iter().filter(of_memory).map(move |access| (access, is_in_section))
    })
}

impl System {
    /// Whether two threads access the same object, one of them to write and one not atomically: nothing may order them.
    pub fn may_race(&mut self) -> bool {
        let Self { terms, threads, .. } = self;
        let of_thread = |(number, thread)| accesses(thread).map(move |access| (number, access));
        let all = threads.iter().enumerate().flat_map(of_thread);
        let uses: Vec<Use> = all.map(|(thread, (access, inside))| Use::of(terms, thread, access, inside)).collect();
        uses.iter().any(|one| one.is_plain && uses.iter().any(|other| one.may_race(other)))
    }
}
