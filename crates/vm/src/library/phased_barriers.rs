//! `std::barrier` of C++20, in the place of libstdc++'s (`llvm/support/before.hpp`).
//!
//! The value of a barrier is the number of its phase, how many arrivals the phase still waits for, and how many the next
//! one will (\[thread.barrier.class\]). The last arrival of a phase begins the next, in one step, unless there is a completion
//! function: then it calls that, and begins the next phase afterwards. Without one, arrivals are as good as independent of each other as
//! long as each thread waits for the phase that it has arrived for (`barriers.rs`).

use super::barriers::{Round, make};
use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::ids::SyncId;
use crate::machine::Machine;
use crate::script::scripted;
use crate::sync::Kind;
use everyway_runtime::{Effect, Verb};

/// How many bits of the value count arrivals, twice; the others have the phase.
const WIDTH: u32 = 20;
const MASK: u64 = (1 << WIDTH) - 1;

/// The value of a barrier.
#[derive(Clone, Copy)]
struct Value {
    phase: u64,
    /// How many arrivals are still to come in this phase.
    missing: u64,
    /// How many there are in the next one.
    expected: u64,
}

impl Value {
    fn of(bits: u64) -> Self {
        Self { phase: bits >> (2 * WIDTH), missing: bits >> WIDTH & MASK, expected: bits & MASK }
    }

    fn bits(self) -> u64 {
        self.phase << (2 * WIDTH) | self.missing << WIDTH | self.expected
    }

    fn next_phase(self) -> Self {
        Self { phase: self.phase + 1, missing: self.expected, ..self }
    }
}

/// An arrival: for how many, whether for the last time, and whether there is a completion function.
#[derive(Clone, Copy)]
struct Arrival {
    update: u64,
    drops: bool,
    completes: bool,
}

impl Arrival {
    fn of(bits: u64) -> Self {
        Self { update: bits >> 2, drops: bits & 1 == 1, completes: bits & 2 == 2 }
    }

    fn bits(self) -> u64 {
        self.update << 2 | u64::from(self.completes) << 1 | u64::from(self.drops)
    }
}

/// What an arrival makes of the value. (One that is not expected is found afterwards.)
fn after(value: u64, arrival: u64) -> u64 {
    let (value, arrival) = (Value::of(value), Arrival::of(arrival));
    let missing = value.missing.saturating_sub(arrival.update);
    let left = Value { missing, expected: value.expected.saturating_sub(arrival.drops.into()), ..value };
    if missing == 0 && !arrival.completes { left.next_phase().bits() } else { left.bits() }
}

/// `__everyway_barrier_init(barrier, expected)`
pub(super) fn init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match call.number(1)? as i64 {
        expected if expected < 0 => Err(Failure::misuse(format!("a barrier is made for {expected} threads"))),
        expected if expected as u64 > MASK => {
            Err(Failure::unsupported(format!("a barrier for {expected} threads, which is not modelled")))
        }
        expected => {
            let expected = expected as u64;
            make(machine, call, expected, Value { phase: 0, missing: expected, expected }.bits())
        }
    }
}

/// `__everyway_barrier_arrive(barrier, update, drops, completes)`: twice the phase, and one more if the caller is to complete it.
pub(super) fn arrive(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let barrier = machine.sync(call.cell(0), Kind::Barrier)?;
    let update = call.number(1)?;
    if (update as i64) <= 0 {
        let message = format!("a thread arrives {} times at the barrier {}", update as i64, named(machine, barrier));
        return Err(Failure::misuse(message));
    }
    let arrival =
        Arrival { update: update.min(MASK + 1), drops: call.number(2)? & 1 == 1, completes: call.number(3)? & 1 == 1 };
    if machine.arrives_in_any_order()? {
        return arrive_in_any_order(machine, call, barrier, arrival);
    }
    scripted(machine, call, |script| {
        script.perform(|machine| {
            let arrive = machine.sync_access(barrier, Effect::Modify(after, arrival.bits()));
            Ok(machine.sync_request(Verb::Arrive, barrier).with(arrive))
        })?;
        let found = Value::of(script.once(|machine| Ok(Cell::new(machine.outcome.before)))?.bits);
        if found.missing < arrival.update {
            return Err(unexpected(script.machine, barrier, found, arrival).into());
        }
        let is_last = found.missing == arrival.update;
        if is_last && !arrival.completes {
            script.perform(|machine| Ok(machine.opening(barrier, found.phase)))?;
        }
        Ok(Reply::word(found.phase << 1 | u64::from(is_last && arrival.completes)))
    })
}

fn arrive_in_any_order(machine: &mut Machine, call: &Invocation<'_>, barrier: SyncId, arrival: Arrival) -> Answer {
    if arrival.completes || arrival.update != 1 {
        return Err(machine.order_arrivals());
    }
    if call.stage == 0 {
        return Ok(Reply::Visible(machine.arrival(barrier, call.thread)?));
    }
    let round = machine.arrived(barrier, call.thread)?;
    if arrival.drops {
        machine.drop_out(barrier, round);
    }
    Reply::word(u64::from(round) << 1)
}

fn named(machine: &Machine, barrier: SyncId) -> String {
    machine.name_at(machine.syncs.address(barrier))
}

fn unexpected(machine: &Machine, barrier: SyncId, found: Value, arrival: Arrival) -> Failure {
    let name = named(machine, barrier);
    if found.missing == 0 && found.expected > 0 && arrival.completes {
        return Failure::misuse(format!("a thread arrives at the barrier {name} while its completion function runs"));
    }
    let arrivals = |count: u64| if count == 1 { "1 arrival".to_owned() } else { format!("{count} arrivals") };
    let (come, missing) = (arrivals(arrival.update), found.missing);
    Failure::misuse(format!("{come} at the barrier {name}, which expects only {missing} more in this phase"))
}

/// `__everyway_barrier_complete(barrier, phase)`: the completion function has returned.
pub(super) fn complete(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::nothing();
    }
    let barrier = machine.sync(call.cell(0), Kind::Barrier)?;
    let next = machine.sync_access(barrier, Effect::Modify(|value, _| Value::of(value).next_phase().bits(), 0));
    Ok(Reply::Visible(machine.opening(barrier, call.number(1)?).with(next)))
}

/// `__everyway_barrier_wait(barrier, phase)`
pub(super) fn wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let barrier = machine.sync(call.cell(0), Kind::Barrier)?;
    let phase = call.number(1)?;
    if machine.arrives_in_any_order()? {
        if call.stage == 0 {
            return Ok(Reply::Visible(machine.passage(barrier, call.thread, phase as Round)?));
        }
        machine.take_turn(barrier, call.thread);
        return Reply::nothing();
    }
    if call.stage == 0 {
        return Ok(Reply::Visible(machine.passing(barrier, phase)));
    }
    if machine.outcome.before > phase + 1 {
        let name = named(machine, barrier);
        return Err(Failure::misuse(format!("a thread waits at the barrier {name} for a phase before the last one")));
    }
    Reply::nothing()
}
