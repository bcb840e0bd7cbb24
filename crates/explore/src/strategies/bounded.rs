//! All executions with at most so many preemptions, one of each class.
//!
//! A preemption is a switch away from a thread that could go on (Musuvathi and Qadeer, *Iterative context bounding for
//! systematic testing of multithreaded programs*, PLDI 2007). What is promised is: every execution with at most `K`
//! preemptions is equivalent to an explored one, and no two that are counted are equivalent. So the number of executions
//! is that of the classes that have a member with at most `K` preemptions, in whatever order threads are tried, and for
//! large `K` it is that of `optimal`.
//!
//! # Why not races
//!
//! The races of the executions within a bound do not lead to all others within it: to turn one race around may take an
//! execution beyond the bound from which a second race leads back. Marmanis and Vafeiadis (*Reconciling Preemption
//! Bounding with DPOR*, TACAS 2023) go on beyond the bound for as many preemptions as there are threads but two; Coons,
//! Musuvathi and McKinley (*Bounded partial-order reduction*, OOPSLA 2013) plan more than races ask for. Here, the
//! interleavings within the bound are gone through one by one, and what is left out are those that begin like an explored one:
//! happens-before caching (Musuvathi and Qadeer, *Partial-order reduction for context-bounded state exploration*,
//! MSR-TR-2007-12). With few preemptions there are few interleavings, and memory, which is the price, is no issue.
//!
//! # Why it is sound
//!
//! Let `p` be a prefix with `c(p)` preemptions, whose last step was by `r(p)`. Equivalent prefixes lead to the same state,
//! so what can follow one can follow the other. Let `q` *dominate* `p` if they are equivalent and, whichever thread is next,
//! `q` has no more preemptions with it than `p`. If `r(p)` and `r(q)` are the same that is `c(q) <= c(p)`. If they differ, `r(p)`
//! is the next thread that matters, as it is free after `p` alone: `c(q) + 1 <= c(p)` if `r(q)` can go on, and
//! `c(q) <= c(p)` if it cannot. If `r(p)` cannot go on, no switch after `p` is a preemption, and `r(p)` counts as undefined.
//!
//! The search keeps every prefix from which it goes on in more than one way, and turns back at one that is dominated by
//! one that was kept. *Claim:* if it did not turn back at `p`, and `p.w` is maximal and within the bound, something
//! equivalent to `p.w` is explored. By induction on the length of `w`: it is clear if `w` is empty. Otherwise let `s` be
//! its first step, and `w'` the rest. The search comes to `p.s`, which is within the bound. If it does not turn back there,
//! the claim holds for `p.s` and `w'`. If it does, `p.s` is dominated by some `q` at which it did not turn back; `q.w'` is
//! within the bound and equivalent to `p.w`, and the claim holds for `q` and `w'`. Nothing is said about the order in
//! which anything is explored.
//!
//! # Names of classes
//!
//! A prefix is known by 128 bits that are the sum, over its events, of a hash of the thread, how many steps it had taken,
//! its choice, and the event's vector clock: these are the same in equivalent executions, and tell those that are not
//! equivalent apart. That two of a million classes have the same bits is less likely than one in 10^26. A bounded search
//! verifies nothing, in any case.

use super::todo::Todo;
use super::{Choice, Continue, Guarantee, Guidance, Order, Picker, Schedules, Strategy};
use crate::budget::Budget;
use crate::estimate::Estimate;
use crate::ids::EventId;
use crate::trace::Trace;
use everyway_runtime::{State, Status, ThreadId, ready};
use rustc_hash::FxHashMap;

/// So many prefixes are kept at most, which take about 100 MiB. Beyond that, equivalent executions may be explored and
/// counted more than once.
const MOST_KEPT: usize = 7 << 19;

/// The name of a class of prefixes: what is the same in all equivalent ones, and in no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Class(u128);

impl Class {
    /// The class of a prefix of this class followed by the last event of `trace`.
    fn followed_by_last(self, trace: &Trace) -> Self {
        let id = EventId::new(trace.len() - 1);
        let event = trace.event(id);
        let own = u64::from(event.step.thread.0) << 32 | u64::from(event.index);
        let mut hash = mix(mix(0, own), u64::from(event.step.choice));
        for (thread, &count) in trace.order().clock(id).iter().enumerate().filter(|&(_, &count)| count > 0) {
            hash = mix(hash, (thread as u64) << 32 | u64::from(count));
        }
        Self(self.0.wrapping_add(finish(hash)))
    }

    /// The key of its prefixes that `last` can go on from, or, without one, of those that stand for all of them.
    fn key(self, last: Option<ThreadId>) -> Key {
        let key = finish(mix(self.0, last.map_or(0, |thread| u64::from(thread.0) + 1)));
        [key as u64, (key >> 64) as u64]
    }
}

/// A class, and who took the last step.
type Key = [u64; 2];

/// One round of a hash with 128 bits.
fn mix(hash: u128, word: u64) -> u128 {
    // The multiplier of PCG's 128-bit generator (O'Neill, PCG, HMC-CS-2014-0905).
    let mixed = (hash ^ u128::from(word)).wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
    mixed ^ (mixed >> 71)
}

/// Lets every bit depend on every other: sums of what was not mixed so would cancel out.
fn finish(hash: u128) -> u128 {
    mix(mix(hash, 0x9e37_79b9_7f4a_7c15), 0xbf58_476d_1ce4_e5b9)
}

/// The prefixes that were kept: by class and last thread, with how many preemptions they can be had.
#[derive(Debug, Default)]
struct Kept(FxHashMap<Key, u32>);

impl Kept {
    /// Whether a prefix is dominated by one that was kept.
    fn dominates(&self, class: Class, last: Option<ThreadId>, preemptions: u32) -> bool {
        let has = |last| self.0.get(&class.key(last)).is_some_and(|&kept| kept <= preemptions);
        has(None) || last.is_some() && has(last)
    }

    fn keep(&mut self, class: Class, last: Option<ThreadId>, preemptions: u32) {
        if self.0.len() >= MOST_KEPT {
            return;
        }
        // Whichever thread is next, it takes at most one preemption more.
        let for_all = preemptions + u32::from(last.is_some());
        for (last, preemptions) in [(None, for_all)].into_iter().chain(last.map(|last| (Some(last), preemptions))) {
            let known = self.0.entry(class.key(last)).or_insert(preemptions);
            *known = preemptions.min(*known);
        }
    }
}

/// The steps from one state.
#[derive(Debug)]
struct Node {
    todo: Todo,
    class: Class,
    /// Who took the step to this state, if that thread can go on.
    running: Option<ThreadId>,
    /// How many preemptions it took to come here.
    preemptions: u32,
}

/// Depth-first search over the interleavings within a bound, without those that begin like others.
#[derive(Debug)]
pub(super) struct Bounded {
    /// The states of the current execution, from the initial one on.
    nodes: Vec<Node>,
    kept: Kept,
    picker: Picker,
    finished: u64,
    bound: u32,
}

impl Bounded {
    /// A search among executions with at most `bound` preemptions that tries threads in this order.
    pub(super) fn new(bound: u32, order: Order) -> Self {
        Self { nodes: Vec::new(), kept: Kept::default(), picker: Picker::new(order), finished: 0, bound }
    }

    /// The class of `trace`, whose states but the last one are known.
    fn class(&self, trace: &Trace) -> Class {
        let before = trace.len().checked_sub(1).map(|before| self.nodes[before].class);
        before.map_or_else(Class::default, |before| before.followed_by_last(trace))
    }

    /// The state that the last step has led to; none if it need not be gone on from.
    fn arrived(&mut self, trace: &Trace, state: &dyn State) -> Option<Node> {
        let class = self.class(trace);
        let (mut running, mut preemptions) = (None, 0);
        if let Some(before) = self.nodes.last() {
            let last = trace.event(EventId::new(trace.len() - 1)).step.thread;
            preemptions = before.preemptions + u32::from(before.running.is_some_and(|running| running != last));
            running = Some(last).filter(|&last| state.status(last) == Status::Ready);
        }
        if self.kept.dominates(class, running, preemptions) {
            return None;
        }
        // The thread that is running goes first, so that executions with few preemptions come before others.
        let first = running.or_else(|| self.picker.pick(state, |_| true)).expect("some thread is ready");
        let is_used_up = running.is_some() && preemptions >= self.bound;
        let others = ready(state).filter(|&thread| thread != first && !is_used_up);
        let todo = Todo::new(first, others, state);
        if todo.len() > 1 {
            self.kept.keep(class, running, preemptions);
        }
        Some(Node { todo, class, running, preemptions })
    }
}

impl Strategy for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Sound
    }

    fn guidance(&mut self) -> Guidance<'_> {
        Guidance::Schedules(self)
    }

    fn learn(&mut self, trace: &Trace, state: &dyn State, _: &Budget) {
        self.finished += 1;
        if ready(state).next().is_none() {
            let class = self.class(trace);
            self.kept.keep(class, None, 0);
        }
    }

    fn backtrack(&mut self, _: &Trace, _: &dyn State) -> Continue {
        while self.nodes.last().is_some_and(|node| node.todo.next().is_none()) {
            self.nodes.pop();
        }
        self.nodes.len().checked_sub(1).map_or(Continue::Finished, Continue::From)
    }

    fn estimate(&self) -> Estimate {
        Estimate::from_branches(self.finished, self.nodes.iter().map(|node| node.todo.branches()))
    }
}

impl Schedules for Bounded {
    fn choose(&mut self, trace: &Trace, state: &dyn State) -> Choice {
        if self.nodes.len() == trace.len() {
            let Some(node) = self.arrived(trace, state) else { return Choice::Redundant };
            self.nodes.push(node);
        }
        Choice::Take(self.nodes[trace.len()].todo.next().expect("gone back to for a reason"))
    }

    fn taken(&mut self, trace: &Trace, _: &dyn State) {
        self.nodes[trace.len() - 1].todo.take();
    }

    fn has_explored(&self, trace: &Trace) -> bool {
        self.kept.dominates(self.class(trace), None, u32::MAX)
    }
}
