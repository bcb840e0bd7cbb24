//! `std::latch` and `std::counting_semaphore` of C++20, whose counters are in memory as libstdc++ has them
//! (`llvm/support/before.hpp`). What waits for a counter goes on once it can, without being woken: that the library wakes
//! whom it should is taken for granted.
//!
//! To count down, or to release, is an addition without a result, so the order in which threads do so is not explored.
//!
//! The orderings are release and acquire, as the standard has them: who counts down does not see what was written before
//! others did. They do not make the memory model weaker than sequential consistency, as those of locks do not:
//!
//! - A counter of a latch does not fall below 0, by the standard's precondition. A wait finds its last value, to which all
//!   that count down have led: it is ordered after all of them, and there is no write that it misses. Nothing tells in which order
//!   they came, so let it be that of an interleaving. (`try_wait` may miss the newest value: it is a load, with the ordering
//!   that it has.)
//! - All that changes the counter of a semaphore is a read-modify-write. One that acquires is ordered after the releases that came
//!   before it, and releases need not be ordered. An attempt that fails tells nothing: it may do so spuriously.

use super::{Answer, Invocation, Reply};
use crate::access::Mode;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::ids::ObjectId;
use crate::machine::Machine;
use everyway_runtime::{Access, Condition, Effect, Ordering, Verb};

/// The size of a counter.
const SIZE: u64 = 4;

/// A counter that is reached.
struct Counter {
    object: ObjectId,
    offset: u64,
    /// Whether others can see it.
    is_visible: bool,
}

impl Machine {
    fn counter(&mut self, call: &Invocation<'_>) -> Result<Counter, Failure> {
        let (object, offset) = self.reach(call.thread, call.cell(0), SIZE)?;
        self.single_word(offset, SIZE)?;
        Ok(Counter { object, offset, is_visible: self.is_visible(call.thread, object) })
    }

    fn count(&self, counter: &Counter) -> Cell {
        self.memory.read(counter.object, counter.offset, SIZE as u32)
    }

    /// Changes a counter that no other thread can see.
    fn change_alone(&mut self, counter: &Counter, by: u32) {
        let old = self.count(counter);
        let bits = (old.bits as u32).wrapping_add(by).into();
        self.write(counter.object, counter.offset, SIZE as u32, Cell { bits, ..old });
    }

    fn counter_request(
        &mut self,
        counter: &Counter,
        effect: Effect,
        mode: Mode,
        when: impl FnOnce(Access) -> Access,
    ) -> Answer {
        let mut request = self.access_request((counter.object, counter.offset), SIZE, |_| effect, mode);
        if let Some(access) = request.accesses.last_mut() {
            *access = when(*access);
        }
        Ok(Reply::Visible(request))
    }

    /// Adds to a counter, in a step that has no result.
    fn add_to_counter(&mut self, call: &Invocation<'_>, verb: Verb, by: u32) -> Answer {
        if call.stage != 0 {
            return Reply::nothing();
        }
        let counter = self.counter(call)?;
        if !counter.is_visible {
            self.change_alone(&counter, by);
            return Reply::nothing();
        }
        let effect =
            if self.settings.commuting_adds { Effect::Add(by.into()) } else { Effect::Modify(plus, by.into()) };
        self.counter_request(&counter, effect, Mode { verb, ordering: Ordering::Release }, |access| access)
    }
}

fn plus(count: u64, by: u64) -> u64 {
    u64::from((count as u32).wrapping_add(by as u32))
}

const TAKE: Effect = Effect::Modify(plus, u32::MAX as u64);
const IS_LEFT: Condition = Condition::AtLeast(1);

/// `__everyway_latch_count_down(counter, update)`
pub(super) fn count_down(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let update = call.number(1)? as u32;
    machine.add_to_counter(call, Verb::FetchSub, update.wrapping_neg())
}

/// `__everyway_latch_wait(counter)`
pub(super) fn wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::nothing();
    }
    let counter = machine.counter(call)?;
    let mode = Mode { verb: Verb::AwaitLoad, ordering: Ordering::Acquire };
    machine.counter_request(&counter, Effect::Read, mode, |look| look.once(Condition::Equals(0)))
}

/// `__everyway_semaphore_release(counter, update)`
pub(super) fn release(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let update = call.number(1)? as u32;
    machine.add_to_counter(call, Verb::FetchAdd, update)
}

/// `__everyway_semaphore_acquire(counter)`
pub(super) fn acquire(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::nothing();
    }
    let counter = machine.counter(call)?;
    if !counter.is_visible && machine.count(&counter).bits > 0 {
        machine.change_alone(&counter, u32::MAX);
        return Reply::nothing();
    }
    let mode = Mode { verb: Verb::AwaitUpdate, ordering: Ordering::Acquire };
    machine.counter_request(&counter, TAKE, mode, |take| take.once(IS_LEFT))
}

/// `__everyway_semaphore_try_acquire(counter)`: whether there was something left.
pub(super) fn try_acquire(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::word(machine.outcome.changed.into());
    }
    let counter = machine.counter(call)?;
    if !counter.is_visible {
        let is_left = machine.count(&counter).bits > 0;
        if is_left {
            machine.change_alone(&counter, u32::MAX);
        }
        return Reply::word(is_left.into());
    }
    let mode = Mode { verb: Verb::FetchUpdate, ordering: Ordering::Acquire };
    machine.counter_request(&counter, TAKE, mode, |take| {
        let take = take.if_now(IS_LEFT);
        Access { ordering_unmet: Ordering::Relaxed, ..take }
    })
}
