//! New sources: what else the events of the current trace could have read (OOPSLA 2019, Algorithm 1, lines 4-11).
//!
//! On plain units it is the paper's algorithm. An event `e` that is a choice is given each write as its source that
//! passes the filter `MayRead`, and the trace of all that came before the choice, all that the write depends on, and
//! `e` with its new source is a schedule if it is consistent. If `e` is a read-modify-write and `f` reads from it, the
//! two are turned around: `f` reads what `e` did read, and `e` reads from `f` (Sect. 7).
//!
//! On ordered units operations can wait, and to ask what `e` could read is not enough: in other executions it may
//! wait for ever. There the question is what comes *next after the source* `s` of `e`, which is the last write of all
//! that came before the choice:
//!
//! - `e` itself with an older source, if it would not change anything: then it is moved before `s`.
//! - Another event `q` that changes the unit, whether it was executed or is still waiting, at a place where all it
//!   depends on is independent of `e`. Then `e` comes after `q`, or never; later choices heed that as a constraint.
//!
//! - At the end of the execution, an operation that waits, if it would find what it waits for at an earlier place and
//!   not change anything there. In the branch in which it goes on waiting, only what is written later may end that.
//!
//! These exclude each other. They leave nothing out: in an execution without `e` reading from `s` something comes
//! after `s`, or else `e`, which can be executed then, would come. And `q` is always found from the branch that has
//! `e` after `s`: without `q`, all that it depends on and `e` after it make an execution. For mutexes this is what
//! Sect. 7 says of locks that follow each other and of locks that wait at the end.
//!
//! Where the paper looks only at pairs of which one event is new, an event of a schedule with another source than before
//! counts as new here: a read-modify-write with another source is another write.

use super::candidate::{Candidate, Cut};
use super::constraint::{Constraint, Constraints, Required};
use super::direct_witness::DirectWitness;
use super::executions::Executions;
use super::late_source::with_late_source;
use super::life::Role;
use super::linearization::{Entry, Linearization, Name, Source};
use super::node::{Node, Nodes, Schedule, Vacancy};
use super::saturation::Saturation;
use super::unit::Unit;
use super::view::{Moved, Outcome, View};
use super::witness::witness;
use crate::budget::Budget;
use crate::happens_before::join;
use everyway_runtime::{Step, ThreadId, blocked, ready};
use smallvec::{SmallVec, smallvec};

/// The search for schedules in a finished execution.
pub(super) struct Detection<'a> {
    pub(super) view: View<'a>,
    pub(super) trace: &'a Linearization,
    /// The order of a prefix of `trace`.
    pub(super) order: &'a mut Saturation,
    /// The first event of `trace` that no earlier execution had. Those before `planned` that come after it are events
    /// of the schedule that are not copies.
    pub(super) fresh: usize,
    /// The first event of `trace` that was not planned.
    pub(super) planned: usize,
    pub(super) constraints: &'a Constraints,
    pub(super) executions: &'a Executions,
    pub(super) direct: &'a mut DirectWitness,
    pub(super) budget: &'a Budget,
    /// The operations that threads have announced and not carried out, as events.
    pub(super) waiting: Vec<Entry>,
    /// A unit that was taken for a latch, and is none.
    pub(super) no_latch: Option<Unit>,
}

impl Detection<'_> {
    /// Finds schedules for all of `nodes`, as far as the budget allows. The deepest come first, so that `order` is only ever cut back.
    ///
    /// Of nodes before `first_new`, whose targets were there before, only those are looked at whose units may be
    /// changed by what is new: there is nothing else that they could find.
    pub(super) fn run(&mut self, nodes: &mut Nodes, first_new: usize) {
        let waiting = blocked(self.view.state).chain(ready(self.view.state));
        self.waiting = waiting.map(|thread| self.announced(thread)).collect();
        let reversals = self.reversals();
        let concerned = self.concerned(nodes, first_new);
        let new = (first_new..nodes.len()).rev();
        for at in new.chain(concerned.into_iter().map(|at| at as usize)) {
            if self.budget.is_exhausted() || self.no_latch.is_some() {
                return;
            }
            let node = nodes.get_mut(at);
            if let Some(name) = node.waits.filter(|_| node.is_first) {
                if node.depth >= self.fresh {
                    self.waiting(at, node, name);
                }
                continue;
            }
            let target = self.trace.entry(node.target);
            if node.target >= self.fresh && !target.is_plain() {
                self.choices(node);
            }
            if let Some(sum) = target.sum.filter(|_| target.reads()) {
                self.other_sums(node, sum);
            }
            if let Some(life) = target.role.used() {
                self.dead_or_alive(node, life);
                if let Some(alive) = self.view.alive(target).filter(Entry::reads) {
                    self.plain(node, &alive);
                }
            }
            let Some(unit) = target.unit.filter(|_| target.reads()) else { continue };
            if target.is_ordered {
                self.ordered(at, node, unit);
            } else {
                self.plain(node, target);
                let first = reversals.partition_point(|&(read, _)| read < node.target);
                let read = node.target;
                for &(_, later) in reversals[first..].iter().take_while(|&&(other, _)| other == read) {
                    self.reversal(node, later);
                }
            }
        }
    }

    /// Where the nodes are before `end` that may find something in what is new; the last ones come first.
    ///
    /// What is new is an event, or an operation that waits, which may change the unit of the node's target. It is nothing to
    /// the target if that happens before it otherwise than as its source: then it comes after the target wherever both are.
    /// Targets are in the order of their nodes, so a look back ends where all that comes before is known to what is new.
    fn concerned(&self, nodes: &Nodes, end: usize) -> SmallVec<[u32; 32]> {
        let trace = self.trace;
        let mut found: SmallVec<[u32; 32]> = SmallVec::new();
        let mut room = Cut::new();
        let new = &trace.entries()[self.fresh..];
        let executed = (self.fresh..).zip(new).map(|(position, entry)| (Some(position), entry));
        let waiting = self.waiting.iter().map(|entry| (None, entry));
        for (position, entry) in executed.filter(|(_, entry)| entry.may_write).chain(waiting) {
            for of_unit in entry.units().map(|unit| nodes.of_unit(unit, end)).filter(|nodes| !nodes.is_empty()) {
                let past = trace.past(entry, &mut room);
                let first = trace.first_unknown(past);
                for &at in of_unit.iter().rev() {
                    let position_of_target = nodes.get(at as usize).target;
                    if position_of_target < first {
                        break;
                    }
                    let target = trace.entry(position_of_target);
                    let Name { thread, index } = target.name;
                    if past[thread.index()] < index && self.concerns(target, entry, position) {
                        found.push(at);
                    }
                }
            }
        }
        for life in new.iter().filter_map(|entry| entry.role.ended()) {
            found.extend_from_slice(nodes.of_life(life, end));
        }
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.dedup();
        found
    }

    /// Whether a new event, at this position if it was executed, may be something to a target that was there before. To one on
    /// a plain unit it is if the target may read from it, or may be turned around with it.
    fn concerns(&self, target: &Entry, new: &Entry, position: Option<usize>) -> bool {
        if !target.is_plain() || target.role != Role::None {
            return true;
        }
        position.is_some_and(|position| {
            new.source == Source::Event(target.name) || new.writes && !self.trace.happens_before(target.name, position)
        })
    }

    /// Pairs, on plain units, of a read-modify-write and an event that is new and reads from it, sorted.
    fn reversals(&self) -> SmallVec<[(usize, usize); 8]> {
        let mut found = SmallVec::new();
        for (offset, entry) in self.trace.entries()[self.fresh..].iter().enumerate() {
            if let (Source::Event(source), true) = (entry.source, entry.is_plain()) {
                let source = self.trace.position(source);
                if self.trace.entry(source).reads() {
                    found.push((source, self.fresh + offset));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The other alternatives of the target's operation.
    fn choices(&mut self, node: &mut Node) {
        let target = self.trace.entry(node.target);
        if !node.is_first && target.unit.is_none() && node.target == node.depth {
            // Nothing but the choice was altered, so all others were tried when the first one was.
            return;
        }
        let Some(event) = self.view.event(target.name) else { return };
        let choices = self.view.trace.event(event).choices;
        for choice in (0..choices).filter(|&choice| choice != target.choice) {
            let altered = smallvec![Entry { choice, ..target.clone() }];
            let candidate = Candidate { depth: node.depth, cut: self.trace.cut(node.target), altered };
            self.try_schedule(node, candidate, node.constraint);
        }
    }

    /// Lines 5-11 of Algorithm 1, for the target of `node`; if that is dead, for what it would be otherwise.
    fn plain(&mut self, node: &mut Node, target: &Entry) {
        let Some(unit) = target.unit else { return };
        // Of a target that was planned, all others have been tried.
        let is_fresh = node.target >= self.planned;
        if !is_fresh && self.trace.writers(unit).last().is_none_or(|&write| (write as usize) < self.fresh) {
            return;
        }
        let sources = if is_fresh { self.may_read(target, unit) } else { self.may_newly_read(target, unit) };
        if sources.is_empty() {
            return;
        }
        for source in sources {
            let mut cut = node.before(self.trace);
            if let Source::Event(write) = source {
                join(&mut cut, self.trace.clock(self.trace.position(write)));
            }
            self.read_from(node, target, source, cut);
        }
    }

    /// Tries `source` as the source of the target; `cut` is all that comes before the node, or that the source depends on.
    fn read_from(&mut self, node: &mut Node, target: &Entry, source: Source, cut: Cut) {
        let target = Entry { source, writes: false, members: None, ..target.clone() };
        let (name, unit) = (target.name, target.unit);
        let mut candidate = Candidate { depth: node.depth, cut, altered: smallvec![target] };
        // What it does then is the same whenever it reads that. Often, that is known.
        let Some(vacancy) = node.find_place(&candidate, self.trace) else { return };
        if let Some(Outcome { writes, members, .. }) = self.view.outcome(name, source, None) {
            let altered = &mut candidate.altered[0];
            (altered.writes, altered.members) = (writes, members);
            self.try_to_add(node, vacancy, &candidate, None);
        } else if self.would_wait(&candidate) {
            self.no_latch = unit;
        }
    }

    /// Tries to let the event at `later`, which reads from the target, come before it.
    fn reversal(&mut self, node: &mut Node, later: usize) {
        if self.trace.comes_before(self.trace.entry(node.target).name, self.trace.entry(later)) {
            return;
        }
        let (target, later) = (self.trace.entry(node.target), self.trace.entry(later));
        let Some(first) = self.view.outcome(later.name, target.source, None).filter(|outcome| outcome.writes) else {
            return;
        };
        let source = Source::Event(later.name);
        let Some(second) = self.view.outcome(target.name, source, Some(first.after)) else { return };
        let altered: SmallVec<[Entry; 2]> = smallvec![
            Entry { source: target.source, writes: true, ..later.clone() },
            Entry { source, writes: second.writes, ..target.clone() }
        ];
        let mut cut = node.before(self.trace);
        self.trace.join_predecessors(&altered[0], &mut cut);
        if let Source::Event(source) = altered[0].source {
            join(&mut cut, self.trace.clock(self.trace.position(source)));
        }
        let candidate = Candidate { depth: node.depth, cut, altered };
        self.try_schedule(node, candidate, None);
    }

    /// What may come after the source of the target of `node`, which is the node at `at`, instead of it.
    fn ordered(&mut self, at: usize, node: &mut Node, unit: Unit) {
        if !node.is_first {
            return;
        }
        let target = self.trace.entry(node.target);
        if node.target >= self.fresh {
            self.older_sources(at, node, target, unit);
        }
        // Of a target that was there before, what comes next among the events that were there has been tried.
        let start = if node.target >= self.fresh { node.depth } else { self.fresh.max(node.depth) };
        let trace = self.trace;
        let others = |thread: &ThreadId| *thread != target.name.thread;
        for &thread in trace.changing(unit).iter().filter(|thread| others(thread)) {
            let is_first = |writers: &[u32]| {
                let first = writers.partition_point(|&write| (write as usize) < node.depth);
                writers.get(first).is_none_or(|&write| write as usize >= start)
            };
            if start == node.depth || is_first(trace.writers_of(unit, thread)) {
                self.successors_of(node, target, unit, (thread, start));
            }
        }
        for at in 0..self.waiting.len() {
            let thread = self.waiting[at].name.thread;
            if others(&thread) && !trace.changing(unit).contains(&thread) {
                self.successors_of(node, target, unit, (thread, start));
            }
        }
    }

    /// The operation `name`, which waits at the end, where it finds what it waits for.
    fn waiting(&mut self, at: usize, node: &mut Node, name: Name) {
        let entry = self.announced(name.thread);
        if let Some(unit) = entry.unit {
            self.older_sources(at, node, &entry, unit);
        }
    }

    /// Tries to let `entry`, at the place of `node`, read from each of the writes that came before, if it does not
    /// change anything there.
    fn older_sources(&mut self, at: usize, node: &mut Node, entry: &Entry, unit: Unit) {
        if self.view.never_only_looks(entry.name) {
            return;
        }
        let mut room = Cut::new();
        let known = self.trace.past(entry, &mut room);
        let last_known = |&thread: &ThreadId| self.trace.last_known(self.trace.writers_of(unit, thread), known);
        // Writes come one after the other: those before one that is known are overwritten.
        let last = self.trace.changing(unit).iter().filter_map(last_known).max();
        let writers = self.trace.writers(unit);
        let first = last.map_or(0, |last| writers.partition_point(|&write| (write as usize) < last));
        let before = writers.partition_point(|&write| (write as usize) < node.depth);
        let writers = writers[first.min(before)..before].iter().map(|&write| write as usize);
        let required = self.constraints.on(entry.name, at);
        let allowed = writers.filter(|&write| required.iter().all(|required| required.allows(self.trace, write)));
        let mut sources: SmallVec<[Source; 16]> =
            allowed.map(|write| Source::Event(self.trace.entry(write).name)).collect();
        if last.is_none() && required.is_empty() {
            sources.push(Source::Initial);
        }
        for source in sources {
            if self.view.outcome(entry.name, source, None).is_some_and(|outcome| !outcome.writes) {
                let altered = smallvec![Entry { source, writes: false, members: None, ..entry.clone() }];
                let candidate = Candidate { depth: node.depth, cut: node.before(self.trace), altered };
                self.try_schedule(node, candidate, None);
            }
        }
    }

    /// The operations of a thread, from a position on, that might change `unit` right after the source of the target, had
    /// the target not come.
    fn successors_of(&mut self, node: &mut Node, target: &Entry, unit: Unit, (thread, start): (ThreadId, usize)) {
        let trace = self.trace;
        let changers = trace.changers_of(unit, thread);
        for &at in &changers[changers.partition_point(|&position| (position as usize) < start)..] {
            let entry = trace.entry(at as usize);
            self.come_next(node, target, entry, unit);
            if entry.writes {
                return;
            }
        }
        let waits = |entry: &&Entry| entry.name.thread == thread && entry.unit == Some(unit);
        if let Some(entry) = self.waiting.iter().find(waits).cloned() {
            self.come_next(node, target, &entry, unit);
        }
    }

    /// The operation that a thread has announced and not carried out, as an event.
    fn announced(&self, thread: ThreadId) -> Entry {
        let name = Name { thread, index: self.trace.positions_of(thread).len() as u32 + 1 };
        Entry {
            name,
            choice: 0,
            unit: self.view.unit(name),
            sum: None,
            seen: None,
            is_ordered: true,
            role: Role::None,
            source: Source::Initial,
            writes: false,
            members: None,
            may_write: true,
            after: [self.view.origin(name), None],
        }
    }

    /// Tries to let `entry` read from the source of the target, and change it.
    fn come_next(&mut self, node: &mut Node, target: &Entry, entry: &Entry, unit: Unit) {
        if self.trace.comes_before(target.name, entry) {
            return;
        }
        let outcome = self.view.outcome(entry.name, target.source, None).filter(|outcome| outcome.writes);
        let Some(Outcome { members, .. }) = outcome else { return };
        let mut room = Cut::new();
        let past = self.trace.past(entry, &mut room);
        // Writes are ordered here: what comes after one of them comes after the first.
        let writers = self.trace.writers(unit);
        let first = writers.partition_point(|&write| (write as usize) < node.depth);
        if let Some(&write) = writers.get(first) {
            let Name { thread, index } = self.trace.entry(write as usize).name;
            if past[thread.index()] >= index {
                return;
            }
        }
        let source = target.source;
        let altered = smallvec![Entry { source, writes: true, members, choice: 0, ..entry.clone() }];
        let candidate = Candidate { depth: node.depth, cut: self.with(node, past), altered };
        let constraint = Constraint { of: target.name, source: Required::Since(entry.name) };
        self.try_schedule(node, candidate, Some(constraint));
    }

    /// All that comes before `node`, and what `clock` knows.
    pub(super) fn with(&self, node: &mut Node, clock: &[u32]) -> Cut {
        let mut cut = node.before(self.trace);
        join(&mut cut, clock);
        cut
    }

    /// Adds `candidate` to the schedules of `node`, unless it is known, if it is consistent (Algorithm 1, lines 10-11).
    pub(super) fn try_schedule(&mut self, node: &mut Node, candidate: Candidate, constraint: Option<Constraint>) {
        if let Some(vacancy) = node.find_place(&candidate, self.trace) {
            self.try_to_add(node, vacancy, &candidate, constraint);
        }
    }

    /// Adds a candidate that is not known, if it is consistent.
    fn try_to_add(&mut self, node: &mut Node, vacancy: Vacancy, candidate: &Candidate, constraint: Option<Constraint>) {
        let direct = self.direct.try_out(&self.view, self.trace, candidate);
        let direct = direct.or_else(|| with_late_source(&self.view, self.trace, candidate));
        debug_assert!(
            direct.is_none() || self.decide(candidate).is_some() || self.budget.said_to_stop().is_some(),
            "what can be executed is consistent"
        );
        let Some((witness, kept)) = direct.or_else(|| Some((self.decide(candidate)?, 0))) else { return };
        let (entries, altered) = (candidate.to_entries(self.trace), candidate.altered.len());
        let beginning = self.executions.beginning(kept);
        node.add(vacancy, Schedule { entries, altered, constraint, witness, beginning });
    }

    /// An execution of all that comes before `candidate`, and `candidate`: GetWitness of the paper.
    pub(super) fn decide(&mut self, candidate: &Candidate) -> Option<Vec<Step>> {
        self.cut_back_to(candidate.depth);
        let appended = candidate.entries(self.trace).try_for_each(|entry| self.order.append(entry));
        let target = candidate.altered.last().expect("the target");
        let guide = Moved { view: self.view, name: target.name, behind: target.source };
        let witness = appended.ok().and_then(|()| witness(self.order, &guide, self.budget).execution());
        self.order.truncate(candidate.depth);
        witness
    }

    /// Makes `order` that of the first `depth` events.
    fn cut_back_to(&mut self, depth: usize) {
        self.order.truncate(depth);
        for position in self.order.len()..depth {
            let consistent = self.order.append(self.trace.entry(position));
            debug_assert!(consistent.is_ok(), "the trace of an execution is consistent");
        }
    }

    pub(super) fn clock(&self) -> SmallVec<[u32; 16]> {
        SmallVec::from_elem(0, self.trace.threads())
    }
}
