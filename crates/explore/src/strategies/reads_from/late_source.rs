//! Witnesses in which the source of the altered event comes later than it did.
//!
//! Where the altered event `a` depends on a write that follows its source `s` in the last execution, that write cannot be
//! delayed behind `a` (`direct_witness.rs`): a thread that has joined two others reads what one of them has written, and
//! is to read what the other has. Then `s` is delayed. Let `D` be a set of copies that has `s`, and all that depends on
//! something in `D`; `C` are the other copies. The execution has `C` as they were, then `D` as they were, and then `a`.
//!
//! - Everything comes after what it depends on: what is in `C` depends on nothing in `D`.
//! - What is in `C` finds its source, which is in `C`, too: there is less between the two than there was.
//! - So does what is in `D`, if its source is in `D`: between the two is what was there of `D`.
//! - If the source of `d` in `D` is in `C`, or nothing, there must be no write between the two. A write in `D` that now is was
//!   before the source, and so before `d`; a write in `C` that now is was after `d`. There is no witness of this kind if
//!   there is such a write.
//! - `a` finds `s`, if nothing that comes after `s` in `D` writes its unit.
//!
//! All this is about units. Sums and lives (`sum.rs`, `life.rs`) have other rules: there is no witness of this kind, either,
//! if something in `D` has to do with them.
//!
//! Two sets are tried. The smallest one, `s` and what depends on it, leaves most as it was. The largest one leaves in `C` what
//! comes before `s`, what overwrites it, and what that depends on: it helps if the thread of `s` goes on to write something
//! that others, which do not depend on `s`, would find then.

use super::candidate::{Candidate, Cut};
use super::direct_witness::first_left_out;
use super::life::Role;
use super::linearization::{Entry, Linearization, Name, Source};
use super::unit::Unit;
use super::view::View;
use crate::happens_before::join;
use crate::ids::EventId;
use everyway_runtime::Step;
use smallvec::SmallVec;

/// An execution of all that comes before the candidate, and the candidate, with the source of its only altered event delayed, and
/// how many steps at its start are those of the execution in `view`, at least. `trace` is the trace of that.
pub(super) fn with_late_source(
    view: &View<'_>,
    trace: &Linearization,
    candidate: &Candidate,
) -> Option<(Vec<Step>, usize)> {
    let [altered] = &candidate.altered[..] else { return None };
    let Source::Event(source) = altered.source else { return None };
    let unit = altered.unit.filter(|_| altered.is_plain() && altered.role == Role::None)?;
    let first = view.event(source)?;
    let (kept, start) = (first_left_out(view, trace, candidate).min(first.index()), first.index());
    let order = Order { view, trace, candidate, source, unit, kept, start };
    let steps = order.of(|_, position| trace.happens_before(source, position)).or_else(|| {
        let ahead = order.overwriters();
        let comes_ahead = |Name { thread, index }: Name| ahead[thread.index()] >= index;
        (!comes_ahead(source)).then(|| order.of(|name, _| !comes_ahead(name))).flatten()
    });
    Some((steps?, kept))
}

/// An execution to be.
struct Order<'a> {
    view: &'a View<'a>,
    trace: &'a Linearization,
    candidate: &'a Candidate,
    source: Name,
    /// The unit of the source.
    unit: Unit,
    /// How many steps it has in common with the execution in `view`, at least.
    kept: usize,
    /// Where the source is there: nothing before it is delayed.
    start: usize,
}

impl Order<'_> {
    /// The copies from an event of the execution on.
    fn copies(&self, from: usize) -> impl Iterator<Item = (EventId, Name)> {
        let named = (from..self.view.trace.len()).map(|at| (EventId::new(at), self.view.name(EventId::new(at))));
        named.filter(|&(_, name)| self.candidate.cut[name.thread.index()] >= name.index)
    }

    /// What overwrites the source, and what that depends on.
    fn overwriters(&self) -> Cut {
        let mut cut: Cut = SmallVec::from_elem(0, self.trace.threads());
        for &writer in self.trace.writers(self.unit) {
            let Name { thread, index } = self.trace.entry(writer as usize).name;
            let is_copy = self.candidate.cut[thread.index()] >= index && cut[thread.index()] < index;
            if is_copy && self.view.event(Name { thread, index }).is_some_and(|id| id.index() > self.start) {
                join(&mut cut, self.trace.clock(writer as usize));
            }
        }
        cut
    }

    /// The execution with those events delayed, unless some event does not find its source then.
    fn of(&self, is_delayed: impl Fn(Name, usize) -> bool) -> Option<Vec<Step>> {
        let trace = self.trace;
        let mut steps = Vec::with_capacity(self.candidate.depth + self.candidate.count_copies() + 1);
        steps.extend(self.view.trace.steps().take(self.kept));
        let mut delayed = Delayed::default();
        for (id, name) in self.copies(self.kept) {
            let position = trace.position(name);
            let entry = trace.entry(position);
            if id.index() < self.start || !is_delayed(name, position) {
                if !delayed.may_follow(entry) {
                    return None;
                }
                steps.push(entry.step());
                continue;
            }
            let is_source_delayed = match entry.source {
                Source::Event(of) => {
                    self.view.event(of).is_some_and(|id| id.index() >= self.start) && is_delayed(of, trace.position(of))
                }
                _ => false,
            };
            let overwrites = entry.writes && name != self.source && entry.units().any(|unit| unit == self.unit);
            if overwrites || !delayed.add(entry, is_source_delayed) {
                return None;
            }
        }
        steps.extend(delayed.steps);
        steps.extend(self.candidate.altered.iter().map(Entry::step));
        Some(steps)
    }
}

/// What is known of the delayed events.
#[derive(Default)]
struct Delayed {
    steps: SmallVec<[Step; 32]>,
    /// The units that they write.
    written: SmallVec<[Unit; 8]>,
    /// The units of those whose sources are not delayed.
    read: SmallVec<[Unit; 8]>,
}

impl Delayed {
    /// Adds an event; whether it finds its source, as far as the delayed events are concerned.
    fn add(&mut self, entry: &Entry, is_source_delayed: bool) -> bool {
        if entry.sum.is_some() || entry.role != Role::None {
            return false;
        }
        if let Some(unit) = entry.unit.filter(|_| entry.reads() && !is_source_delayed) {
            if self.written.contains(&unit) {
                return false;
            }
            self.read.push(unit);
        }
        if entry.writes {
            self.written.extend(entry.units());
        }
        self.steps.push(entry.step());
        true
    }

    /// Whether they still find their sources if an event that came after them comes before them.
    fn may_follow(&self, entry: &Entry) -> bool {
        !entry.writes || self.read.is_empty() || !entry.units().any(|unit| self.read.contains(&unit))
    }
}
