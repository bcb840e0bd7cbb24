//! Atomic sections: who waits for whom.
//!
//! A section is a lock that is taken when it begins. Where it is known beforehand which variables each of them touches
//! ([`everyway_ir::known_sections`]), there is a lock for all variables that the same sections touch: a section locks those of
//! what it writes, and comes as a reader to those of what it only reads; what happens outside of sections waits for the locks of
//! what it accesses, and for no others. So sections that touch different variables are independent, as if each were one step.
//! Otherwise there is one lock, which every visible operation respects.
//!
//! Under weak memory models there is one lock always: it orders all that is in sections, as those who use them expect. So it is
//! where reads are told what they see: to wait for several locks at once costs many executions there.

use crate::access::Request;
use crate::ids::{GuardId, SectionId};
use crate::library;
use crate::machine::{Machine, Place};
use crate::memory::Origin;
use crate::races::Role;
use crate::settings::Settings;
use crate::thread::number_of;
use everyway_driver::Reads;
use everyway_explore::MemoryModel;
use everyway_ir::{BlockId, FunctionId, GlobalId, Module, Section, Touch, known_sections};
use everyway_runtime::{Access, Condition, Effect, Location, Ordering, Then, ThreadId, Verb};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// More than there can be readers.
const WRITER: u64 = 1 << 32;

/// How sections keep others out.
#[derive(Debug, Default)]
pub(crate) enum Sections {
    /// There are none.
    #[default]
    None,
    /// One after the other.
    Whole(Commute),
    /// Those that touch the same.
    Apart(Apart),
}

/// Whether sections would commute where threads are interleaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Commute {
    /// They would not, as far as is known.
    No,
    /// Those that touch different variables would.
    Yes,
}

/// Which locks sections take.
#[derive(Debug, Default)]
pub(crate) struct Apart {
    /// By section.
    locks: Vec<Vec<(GuardId, Touch)>>,
    /// By global variable.
    guards: FxHashMap<GlobalId, GuardId>,
    /// How many locks there are.
    count: usize,
    /// By where they begin.
    at: FxHashMap<(FunctionId, BlockId, usize), SectionId>,
}

impl Sections {
    /// Those of a program, some of whose functions are named as sections are.
    pub(crate) fn of(module: &Module, settings: &Settings) -> Self {
        if !module.functions.iter().any(|function| function.name.starts_with(library::ATOMIC)) {
            return Self::None;
        }
        let known = known_sections(module, &library::environment());
        match known.filter(|_| settings.rules.model == MemoryModel::Sc) {
            Some(sections) if settings.rules.reads == Reads::Last => Self::Apart(Apart::new(&sections)),
            Some(_) => Self::Whole(Commute::Yes),
            None => Self::Whole(Commute::No),
        }
    }

    /// The section that begins at this place of the program.
    pub(crate) fn beginning_at(&self, function: FunctionId, block: BlockId, position: usize) -> Option<SectionId> {
        let Self::Apart(apart) = self else { return None };
        apart.at.get(&(function, block, position)).copied()
    }
}

impl Apart {
    fn new(sections: &[Section]) -> Self {
        let mut apart = Self::default();
        // Variables that the same sections touch alike need one lock.
        let mut touched_by: FxHashMap<GlobalId, Vec<(SectionId, Touch)>> = FxHashMap::default();
        for (index, section) in sections.iter().enumerate() {
            let id = SectionId::new(index);
            apart.at.insert((section.function, section.block, section.position), id);
            for (&global, &touch) in &section.touched {
                touched_by.entry(global).or_default().push((id, touch));
            }
        }
        apart.locks.resize_with(sections.len(), Vec::new);
        let mut known: FxHashMap<Vec<(SectionId, Touch)>, GuardId> = FxHashMap::default();
        let mut globals: Vec<_> = touched_by.into_iter().collect();
        globals.sort_unstable_by_key(|(global, _)| *global);
        for (global, by) in globals {
            let next = GuardId::new(known.len());
            let guard = *known.entry(by).or_insert_with_key(|by| {
                by.iter().for_each(|&(section, touch)| apart.locks[section.index()].push((next, touch)));
                next
            });
            apart.guards.insert(global, guard);
        }
        apart.count = known.len();
        apart
    }
}

impl Machine {
    /// Names the locks.
    pub(crate) fn prepare_sections(&mut self) {
        self.section = self.new_location(Place::Value(0), Role::Synchronisation);
        if let Sections::Apart(apart) = &self.code.sections {
            for _ in 0..apart.count {
                let guard = self.new_location(Place::Value(0), Role::Synchronisation);
                self.guards.push(guard);
            }
        }
    }

    pub(crate) fn has_sections(&self) -> bool {
        !matches!(self.code.sections, Sections::None)
    }

    pub(crate) fn in_section(&self, thread: ThreadId) -> bool {
        self.threads[thread].core.section.is_some()
            || self.locations[self.section.index()] == Place::Value(number_of(thread))
    }

    /// Whether there are sections that commute where it is assumed that nothing does.
    pub(crate) fn sections_refute(&self) -> bool {
        matches!(self.code.sections, Sections::Whole(Commute::Yes))
            && self.started > 1
            && self.assumes_nothing_commutes()
    }

    /// To begin a section.
    pub(crate) fn enter_section(&self, thread: ThreadId, section: Option<SectionId>) -> Request {
        let mut request = Request::new(Verb::AtomicBegin, 0);
        match (&self.code.sections, section) {
            (Sections::Apart(apart), Some(section)) => {
                let locks = apart.locks[section.index()].iter();
                request.accesses.extend(locks.map(|&(guard, touch)| {
                    let (effect, free) = match touch {
                        Touch::Reads => (Effect::Add(1), Condition::Below(WRITER)),
                        Touch::Writes => (Effect::Write(WRITER), Condition::Equals(0)),
                    };
                    let lock = Access::new(self.guards[guard.index()], effect).once(free);
                    // It takes all of them or none.
                    Access { holds: Then::Next, ..lock }
                }));
            }
            _ => {
                let enter = Access::new(self.section, Effect::Write(number_of(thread)));
                request.accesses.push(enter.once(Condition::Equals(0)));
            }
        }
        request
    }

    /// To end the section that a thread is in.
    pub(crate) fn leave_section(&self, thread: ThreadId) -> Request {
        let mut request = Request::new(Verb::AtomicEnd, 0);
        match (&self.code.sections, self.threads[thread].core.section) {
            (Sections::Apart(apart), Some(section)) => {
                let locks = apart.locks[section.index()].iter();
                request.accesses.extend(locks.map(|&(guard, touch)| {
                    let effect = if touch == Touch::Reads { Effect::Add(u64::MAX) } else { Effect::Write(0) };
                    Access::new(self.guards[guard.index()], effect)
                }));
            }
            _ => request.accesses.push(Access::new(self.section, Effect::Write(0))),
        }
        request
    }

    /// Makes an operation wait for the sections of other threads that it could be noticed by.
    pub(crate) fn keep_outside(&self, thread: ThreadId, request: &mut Request) {
        // What touches nothing may as well happen before or after the section of another thread. So may a
        // join: only another join of the same thread could notice.
        let touches = !request.accesses.is_empty() && request.joins.is_none();
        if !touches || request.verb == Verb::AtomicBegin || self.in_section(thread) {
            return;
        }
        let mut waits: SmallVec<[Access; 2]> = SmallVec::new();
        match &self.code.sections {
            Sections::None => {}
            Sections::Whole(_) => waits.push(outside(self.section, Condition::Equals(0))),
            Sections::Apart(apart) => {
                for access in &request.accesses {
                    let Place::Memory { object, .. } = self.locations[access.location.index()] else { continue };
                    let Origin::Global(global) = self.memory.object(object).state.origin else { continue };
                    let Some(guard) = apart.guards.get(&global) else { continue };
                    let location = self.guards[guard.index()];
                    // Those who only read do not disturb each other.
                    let free = if reads(access) { Condition::Below(WRITER) } else { Condition::Equals(0) };
                    match waits.iter_mut().find(|wait| wait.location == location) {
                        None => waits.push(outside(location, free)),
                        Some(known) if !reads(access) => known.when = free,
                        Some(_) => {}
                    }
                }
            }
        }
        request.accesses.insert_many(0, waits);
    }
}

/// A look at a lock, which has to be free.
fn outside(location: Location, free: Condition) -> Access {
    let look = Access::new(location, Effect::Read).ordered(Ordering::Relaxed);
    Access { when: free, fails: Then::Block, ..look }
}

fn reads(access: &Access) -> bool {
    matches!(access.effect, Effect::Read)
}
