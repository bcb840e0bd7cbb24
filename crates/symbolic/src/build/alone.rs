//! The first thread while it is the only one.
//!
//! It comes to no places: what its memory holds is a term over the inputs that it has asked for. Where its way depends
//! on those, all ways are followed, each with a memory of its own, those that are behind first. Where two of them meet
//! they go on as one, and what differs between them is a choice by the condition that one was taken. Ways that end
//! before that, as in `if (n < 0) return 1;`, are done.
//!
//! What others will notice, as the start of a thread, waits until there is one way only. If that never comes, the
//! thread becomes a place where the ways have parted, and is explored like any other from there on.

use super::order::Order;
use super::walk::{Flow, Frame, Region, Stop, Walk};
use super::{Builder, Owner};
use crate::system::Unsupported;
use crate::term::Term;
use everyway_ir::{FunctionId, TerminatorKind};
use std::collections::BTreeMap;
use std::rc::Rc;

/// So often may ways part before they have all met again.
const PARTINGS: usize = 64;
/// So often may they part in all.
const PARTINGS_IN_ALL: usize = 1024;

/// What a thread has done while it was the only one, its memory apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// The values of synchronisation objects, by object and offset.
    pub(super) syncs: BTreeMap<(u32, u32), Term>,
    /// The objects that were given back.
    pub(super) dead: Vec<u32>,
}

/// A way that is followed.
struct Way {
    walk: Walk,
    /// It has come to something that has to wait for the other ways to end, or to meet it.
    waits: bool,
}

/// Where the only way has parted.
struct Parting {
    walk: Walk,
    /// How much there was of the region, and how many inputs.
    stops: usize,
    fails: usize,
    passed: usize,
    unsupported: usize,
    inputs: usize,
    /// How often ways have parted since.
    count: usize,
}

impl Parting {
    /// Whether no way has ended since.
    fn has_all(&self, region: &Region) -> bool {
        (self.stops, self.fails) == (region.stops.len(), region.fails.len())
    }
}

impl Builder<'_> {
    /// Follows all ways of the first thread from its start.
    pub(super) fn run_alone(&mut self, walk: Walk, region: &mut Region) -> Result<(), Unsupported> {
        // The state that ways have in common is what an invariant is asked about: none may have ended before.
        let most = if self.setup.invariant.is_some() { 0 } else { PARTINGS };
        let mut ways = vec![Way { walk, waits: false }];
        let mut parting: Option<Parting> = None;
        let mut partings = 0;
        while self.alone {
            if let [only] = &mut ways[..] {
                only.waits = false;
                if let Some(parting) = parting.take().filter(|parting| parting.has_all(region)) {
                    only.walk.guard = parting.walk.guard;
                }
            }
            let Some(next) = self.hindmost(&ways) else { break };
            let walk = ways.swap_remove(next).walk;
            if parting.is_none() && self.may_part(&walk) {
                parting = Some(self.parting(&walk, region));
            }
            let more = self.step_alone(walk, &mut ways, region)?;
            partings += more;
            if let Some(parting) = &mut parting {
                parting.count += more;
                if parting.count > most || partings > PARTINGS_IN_ALL {
                    break;
                }
            }
        }
        self.is_parted = false;
        match parting.filter(|_| self.alone && !ways.is_empty()) {
            Some(parting) => {
                self.go_back(parting, region);
                Ok(())
            }
            // It has started a thread, which it does as the only way.
            None => ways.into_iter().try_for_each(|way| self.run(way.walk, region)),
        }
    }

    /// The next instruction of one way, and the ways that there are after it; how many there are more.
    fn step_alone(&mut self, mut walk: Walk, ways: &mut Vec<Way>, region: &mut Region) -> Result<usize, Unsupported> {
        self.is_parted = !ways.is_empty();
        self.count_instruction(&mut walk)?;
        let mut others = Vec::new();
        let flow = self.step(&mut walk, region, &mut others)?;
        let more = others.len();
        for walk in others {
            self.add_way(ways, Way { walk, waits: false });
        }
        match flow {
            Flow::Next => {
                walk.top().index += 1;
                self.add_way(ways, Way { walk, waits: false });
            }
            Flow::Moved => self.add_way(ways, Way { walk, waits: false }),
            Flow::Failed => {}
            Flow::Stop(Stop::Visible | Stop::Cut) if self.is_parted => self.add_way(ways, Way { walk, waits: true }),
            Flow::Stop(stop) => region.stops.push((walk, stop)),
        }
        Ok(more)
    }

    /// From now on there are other threads: the memory of the first one goes where that of threads is.
    pub(super) fn end_of_solitude(&mut self, walk: &mut Walk) {
        if !std::mem::replace(&mut self.alone, false) {
            return;
        }
        self.publish_contents(walk);
        for (index, bytes) in std::mem::take(&mut walk.memory) {
            let thing = &mut self.things[index as usize];
            match thing.owner {
                // What was given back is gone for good.
                Owner::Thread(_) if walk.past.dead.contains(&index) => {}
                Owner::Thread(_) => _ = walk.memory.insert(index, bytes),
                _ => thing.bytes = bytes.to_vec(),
            }
        }
        self.past = std::mem::take(&mut walk.past);
    }

    /// Whether the ways that the walk stands for may be several after its next step.
    fn may_part(&self, walk: &Walk) -> bool {
        walk.frames.last().is_some_and(|frame| {
            let block = self.block(frame);
            let is_choice =
                matches!(block.terminator.kind, TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. });
            is_choice && frame.index == block.instructions.len()
        })
    }

    fn parting(&self, walk: &Walk, region: &Region) -> Parting {
        Parting {
            walk: walk.clone(),
            stops: region.stops.len(),
            fails: region.fails.len(),
            passed: region.passed.len(),
            unsupported: region.unsupported.len(),
            inputs: self.first_inputs.len(),
            count: 0,
        }
    }

    /// The thread is at a place where its ways have parted: what came of them is forgotten.
    fn go_back(&mut self, parting: Parting, region: &mut Region) {
        region.stops.truncate(parting.stops);
        region.fails.truncate(parting.fails);
        region.passed.truncate(parting.passed);
        region.unsupported.truncate(parting.unsupported);
        self.first_inputs.truncate(parting.inputs);
        region.stops.push((parting.walk, Stop::Cut));
    }

    /// The way that is to go on: one that no other one is behind, so that it meets those that it can meet.
    fn hindmost(&mut self, ways: &[Way]) -> Option<usize> {
        let mut open: Vec<usize> = (0..ways.len()).filter(|&index| !ways[index].waits).collect();
        if open.len() > 1 {
            open.sort_by_cached_key(|&index| self.position(&ways[index].walk));
        }
        open.first().copied()
    }

    /// How far a walk has come, as its frames have it.
    fn position(&mut self, walk: &Walk) -> Vec<(usize, usize)> {
        let mut position = Vec::new();
        for frame in &walk.frames {
            let order = self.order_of(frame.function);
            position.push((order.position(frame.block), frame.index));
        }
        position
    }

    fn order_of(&mut self, function: FunctionId) -> Rc<Order> {
        let body = self.body(function);
        Rc::clone(self.orders.entry(function).or_insert_with(|| Rc::new(Order::of(body))))
    }

    /// A way, which may have met another one.
    fn add_way(&mut self, ways: &mut Vec<Way>, way: Way) {
        match ways.iter().position(|other| can_meet(&other.walk, &way.walk)) {
            Some(met) => {
                let other = ways.swap_remove(met);
                let walk = self.meet(other.walk, way.walk);
                self.add_way(ways, Way { walk, waits: other.waits && way.waits });
            }
            None => ways.push(way),
        }
    }

    /// Two ways that stand at the same instruction as one.
    fn meet(&mut self, one: Walk, other: Walk) -> Walk {
        let by = one.guard;
        let guard = self.terms.or(one.guard, other.guard);
        let budget = one.budget.min(other.budget);
        let mut met = Walk { guard, budget, ..other };
        for (frame, before) in met.frames.iter_mut().zip(one.frames) {
            for (reg, value) in before.registers {
                let there = frame.registers.entry(reg).or_insert(value);
                *there = self.terms.choose(by, value, *there);
            }
        }
        let is_own = |this: &Self, object: u32| matches!(this.things[object as usize].owner, Owner::Thread(_));
        let objects: Vec<u32> = one.memory.keys().chain(met.memory.keys()).copied().collect();
        for object in objects {
            let (a, b) = match (one.memory.get(&object), met.memory.get(&object)) {
                (Some(a), Some(b)) if Rc::ptr_eq(a, b) => continue,
                // What was made on one of the ways is nothing to the other.
                (Some(a), None) if is_own(self, object) => (Rc::clone(a), Rc::clone(a)),
                (None, Some(_)) if is_own(self, object) => continue,
                _ => (self.own_bytes(&one.memory, object), self.own_bytes(&met.memory, object)),
            };
            let bytes = a.iter().zip(b.iter()).map(|(&a, &b)| self.terms.choose(by, a, b)).collect();
            met.memory.insert(object, Rc::new(bytes));
        }
        let untouched = self.number(0);
        let spots: Vec<(u32, u32)> = one.past.syncs.keys().chain(met.past.syncs.keys()).copied().collect();
        for spot in spots {
            let [a, b] = [&one.past, &met.past].map(|past| past.syncs.get(&spot).copied().unwrap_or(untouched));
            let value = self.terms.choose(by, a, b);
            met.past.syncs.insert(spot, value);
        }
        met
    }
}

/// Whether two ways stand at the same instruction, and differ in nothing but values.
fn can_meet(one: &Walk, other: &Walk) -> bool {
    let at = |frame: &Frame| (frame.call, frame.block, frame.index);
    let counts = |walk: &Walk| (walk.stage, walk.births, walk.passed, walk.rounds, walk.sections);
    one.frames.len() == other.frames.len()
        && one.frames.iter().zip(&other.frames).all(|(a, b)| at(a) == at(b))
        && counts(one) == counts(other)
        && one.past.dead == other.past.dead
}
