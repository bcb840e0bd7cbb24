//! Sums: units that are added to and read, or waited at, and nothing else.
//!
//! An add without a result learns nothing, and what a read finds is the sum of what was added before it, in whatever
//! order. So two executions are equivalent if their threads do the same and every read of a sum comes after the same adds.
//! Of each thread these are the first so many: the source of the read is the last of them, for every thread
//! ([`Seen`]). It is as if each thread added to a variable of its own, and the read read all of them at once. Adds have
//! no source, and any number of them that no event reads is one execution.
//!
//! A variable that one thread writes asks for less than others do. That the read finds what it is to find is that it comes
//! after the last add that it saw and before the next one, of each thread: nothing remains to be decided, so in
//! [`super::saturation`] these are edges, and no rules. In Algorithm 1 the source that is tried is one of all
//! combinations of which no add happens after the read or after one that is not seen: when a combination is possible, there
//! is an explored execution that has all its adds (they do not depend on the read, which may come before or after each),
//! and there it is found.
//!
//! A wait is a read of a sum that is a latch (`super::latch`): of the combinations, those are tried that it would go on with.
//!
//! What the program does while it has only one thread does not count: it is the same in every execution, and comes before
//! everything else. So a sum may be initialised by a store.

use super::candidate::Candidate;
use super::detect::Detection;
use super::linearization::{Entry, Linearization, Name};
use super::node::Node;
use super::unit::Unit;
use super::view::View;
use crate::budget::Budget;
use crate::trace::Trace;
use everyway_runtime::{Access, State, Status, ThreadId};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// By thread, the index of the last add that a read comes after; 0 if it comes after none. The last entry is not 0, so
/// that threads that there are only in some executions make no difference.
pub(super) type Seen = Rc<[u32]>;

fn seen(last: &[u32]) -> Seen {
    last[..last.iter().rposition(|&index| index > 0).map_or(0, |last| last + 1)].into()
}

/// How many events at the start of the execution were taken while there was only one thread.
pub(super) fn steps_alone(trace: &Trace, state: &dyn State) -> usize {
    if trace.is_empty() {
        return 0;
    }
    let first = trace.event(crate::ids::EventId::new(0)).step.thread;
    let others = (0..state.threads()).map(ThreadId::new).filter(|&thread| thread != first);
    let does_nothing =
        |thread: &ThreadId| trace.events_of(*thread).is_empty() && state.status(*thread) == Status::Ended;
    let steps = |thread| trace.origin(thread).map_or(0, |origin| origin.index() + 1);
    others.filter(|thread| !does_nothing(thread)).map(steps).min().unwrap_or(trace.len())
}

/// The adds that a read comes after, as names.
pub(super) fn names(seen: &[u32]) -> impl Iterator<Item = Name> + '_ {
    let seen = seen.iter().enumerate().filter(|&(_, &index)| index > 0);
    seen.map(|(thread, &index)| Name { thread: ThreadId::new(thread), index })
}

impl Linearization {
    /// The adds to `sum` for which `is_before` holds, which are the first ones of each thread.
    pub(super) fn seen(&self, sum: Unit, is_before: impl Fn(Name) -> bool) -> Seen {
        let last = |thread| {
            let adds = self.writers_of(sum, ThreadId::new(thread));
            let name = |position: u32| self.entry(position as usize).name;
            let count = match adds.last() {
                Some(&last) if is_before(name(last)) => adds.len(),
                _ => adds.partition_point(|&add| is_before(name(add))),
            };
            count.checked_sub(1).map_or(0, |last| name(adds[last]).index)
        };
        seen(&(0..self.threads()).map(last).collect::<Clock>())
    }

    /// The next add of `thread` to `sum` after what was seen.
    pub(super) fn next_add(&self, sum: Unit, thread: usize, seen: &[u32]) -> Option<Name> {
        let adds = self.writers_of(sum, ThreadId::new(thread));
        let known = seen.get(thread).copied().unwrap_or(0);
        let first = adds.partition_point(|&add| self.entry(add as usize).name.index <= known);
        adds.get(first).map(|&add| self.entry(add as usize).name)
    }
}

/// A clock.
type Clock = SmallVec<[u32; 16]>;

/// What a wait has to come to see.
struct Wanted {
    access: Access,
    /// What was there first.
    start: u64,
    /// By thread and option, what it has added by then.
    added: Vec<SmallVec<[u64; 4]>>,
    /// By thread, what it and those after it have added at most.
    most: Vec<u64>,
}

impl Wanted {
    fn new(view: &View<'_>, trace: &Linearization, target: &Entry, options: &[Options]) -> Option<Self> {
        let (access, sum) = (view.accesses(target.name).iter().find(|access| access.may_block())?, target.sum?);
        let of_thread = |(thread, options): (usize, &Options)| {
            let adds = trace.writers_of(sum, ThreadId::new(thread)).iter().map(|&add| trace.entry(add as usize).name);
            let until = |&last: &u32| {
                let added = adds.clone().take_while(|name| name.index <= last).map(|name| view.added(name, access));
                added.fold(0, u64::wrapping_add)
            };
            options.iter().map(until).collect()
        };
        let added: Vec<SmallVec<[u64; 4]>> = options.iter().enumerate().map(of_thread).collect();
        let mut most = vec![0; added.len() + 1];
        for thread in (0..added.len()).rev() {
            most[thread] = added[thread].last().copied().unwrap_or(0).wrapping_add(most[thread + 1]);
        }
        Some(Self { access: *access, start: view.start_of_sum(access), added, most })
    }

    /// Whether it may be seen if the threads before `thread` have added `sum`. What is wanted is not left again once it is
    /// there (`latch.rs`), so it is not reached by less if it is not by all.
    fn is_in_reach(&self, sum: u64, thread: usize) -> bool {
        let Access { bytes, when, .. } = self.access;
        let value = self.start.wrapping_add(sum).wrapping_add(self.most[thread]);
        when.holds(bytes.get(bytes.set(0, value)))
    }
}

/// The adds of a thread to choose among: the last one that the read knows of anyway, or none, and those after it.
type Options = SmallVec<[u32; 4]>;

/// A search for what a read could have seen.
struct Combinations<'a> {
    trace: &'a Linearization,
    sum: Unit,
    /// By thread.
    options: Vec<Options>,
    wanted: Option<Wanted>,
    /// Adds from this position on are new.
    fresh: usize,
    /// There may be as many combinations as sets of threads.
    budget: &'a Budget,
    found: Vec<(Seen, Clock)>,
}

impl Combinations<'_> {
    /// Chooses for the thread at `chosen.len()` and those after it; `clock` is what the choices depend on, and `sum` what
    /// they come to, if that matters.
    fn choose(&mut self, chosen: &mut Clock, clock: &Clock, is_new: bool, sum: u64) {
        let thread = chosen.len();
        if self.wanted.as_ref().is_some_and(|wanted| !wanted.is_in_reach(sum, thread)) {
            return;
        }
        if thread == self.options.len() {
            let is_closed = |thread: usize| self.last_known(thread, clock) <= chosen[thread];
            if is_new && (0..thread).all(is_closed) {
                self.found.push((seen(chosen), clock.clone()));
            }
            return;
        }
        let least = self.last_known(thread, clock);
        for at in 0..self.options[thread].len() {
            let index = self.options[thread][at];
            if index < least {
                continue;
            }
            if self.budget.is_exhausted() {
                return;
            }
            let mut clock = clock.clone();
            let mut is_new = is_new;
            if index > 0 {
                let position = self.trace.position(Name { thread: ThreadId::new(thread), index });
                crate::happens_before::join(&mut clock, self.trace.clock(position));
                is_new |= position >= self.fresh;
            }
            let added = self.wanted.as_ref().map_or(0, |wanted| wanted.added[thread][at]);
            chosen.push(index);
            self.choose(chosen, &clock, is_new, sum.wrapping_add(added));
            chosen.pop();
        }
    }

    /// The last add of `thread` that `clock` knows of.
    fn last_known(&self, thread: usize, clock: &[u32]) -> u32 {
        let last = self.trace.last_known(self.trace.writers_of(self.sum, ThreadId::new(thread)), clock);
        last.map_or(0, |position| self.trace.entry(position).name.index)
    }
}

impl Detection<'_> {
    /// What else the target of `node`, which reads `sum`, may come after (Algorithm 1, lines 5-11).
    pub(super) fn other_sums(&mut self, node: &mut Node, sum: Unit) {
        let target = self.trace.entry(node.target).clone();
        // Of a target that was planned, all combinations without new adds have been tried.
        let is_fresh = node.target >= self.planned;
        if !is_fresh && self.trace.writers(sum).last().is_none_or(|&add| (add as usize) < self.fresh) {
            return;
        }
        for (seen, clock) in self.combinations(&target, sum, is_fresh) {
            if target.seen.as_ref() == Some(&seen) {
                continue;
            }
            if self.budget.is_exhausted() {
                return;
            }
            let altered = smallvec![Entry { seen: Some(seen), ..target.clone() }];
            let candidate = Candidate { depth: node.depth, cut: self.with(node, &clock), altered };
            self.try_schedule(node, candidate, None);
        }
    }

    fn combinations(&self, target: &Entry, sum: Unit, is_fresh: bool) -> Vec<(Seen, Clock)> {
        let trace = self.trace;
        let mut known = self.clock();
        trace.join_predecessors(target, &mut known);
        let options = |thread| {
            let adds = trace.writers_of(sum, ThreadId::new(thread));
            let last = trace.last_known(adds, &known);
            let first = last.map_or(0, |last| adds.partition_point(|&add| add as usize <= last));
            let later = adds[first..].iter().map(|&add| add as usize);
            let later = later.take_while(|&add| !trace.happens_before(target.name, add));
            let index = |add: usize| trace.entry(add).name.index;
            std::iter::once(last.map_or(0, index)).chain(later.map(index)).collect()
        };
        let options: Vec<Options> = (0..trace.threads()).map(options).collect();
        let wanted = Wanted::new(&self.view, trace, target, &options);
        let mut search =
            Combinations { trace, sum, options, wanted, fresh: self.fresh, budget: self.budget, found: Vec::new() };
        search.choose(&mut Clock::new(), &self.clock(), is_fresh, 0);
        search.found
    }
}
