//! Barriers of POSIX, and what all barriers have in common if the order of arrivals is not explored.
//!
//! Each round of a barrier has a location of its own then. A thread takes the round after those that it has passed for the
//! next one, arrives by adding to its location, and passes once that holds as many as the round lets through; so threads that
//! pass a round do not meet those that arrive for the next. In fact the round of an arrival is the first one that is not full when
//! it comes. The two are the same as long as no thread arrives twice without having passed in between, and no arrival finds
//! its round full:
//!
//! By induction over an execution, let all arrivals so far have been for the rounds that they took for theirs. A thread that
//! has passed `k` rounds has passed the first `k` ones, so that these are full, and its next arrival is for round `k` or a
//! later one. If it is for a later one, round `k` is full, and it finds it so. Then the program does not fit, and the
//! order of arrivals is explored from then on.
//!
//! It is enough that some order of the arrivals shows it: all orders of independent events have the same arrivals for
//! round `k`, and if there are more than it lets through, the last one finds it full.
//!
//! An arrival knows how many its round lets through: all that the barrier was made for, but those that have left it for good in
//! earlier rounds. These arrived in rounds that the thread has passed, so they happen before it.

use super::locks::{finish, initialise};
use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::code::Looks;
use crate::failure::Failure;
use crate::ids::SyncId;
use crate::machine::Machine;
use crate::settings::Arrivals;
use crate::sync::{Flavour, Kind};
use everyway_runtime::{Access, Condition, Effect, Ordering, ThreadId, Verb};

/// Makes a barrier that lets `count` threads through, with a value to start with.
pub(super) fn make(machine: &mut Machine, call: &Invocation<'_>, count: u64, value: u64) -> Answer {
    let known = machine.syncs.at(call.number(0)?);
    if known.is_some_and(|barrier| machine.syncs.has_arrivals(barrier)) {
        // Its rounds begin anew.
        return Err(machine.order_arrivals());
    }
    initialise(machine, call, Kind::Barrier, Flavour::Normal, count, value)
}

pub(super) fn init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match call.number(2)? {
        0 => Reply::int(super::errno::EINVAL),
        count => make(machine, call, count, 0),
    }
}

pub(super) fn destroy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    finish(machine, call, Kind::Barrier, |_| true)
}

/// What one of the threads that pass a barrier is told.
const SERIAL_THREAD: i32 = -1;

/// The value of a barrier is the number of those that have arrived since the start, or 0 if their order is not explored. Who is the last
/// one in its round opens the barrier for the others, in a step of its own: so these do not interact with threads that arrive for the next one.
pub(super) fn wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let barrier = machine.sync(call.cell(0), Kind::Barrier)?;
    if machine.arrives_in_any_order()? {
        return wait_in_any_order(machine, call, barrier);
    }
    let count = machine.syncs.state(barrier).count;
    match call.stage {
        0 => {
            let arrive = machine.sync_access(barrier, Effect::Modify(|arrived, _| arrived + 1, 0));
            Ok(Reply::Visible(machine.sync_request(Verb::Arrive, barrier).with(arrive)))
        }
        1 => {
            let arrived = machine.outcome.before;
            let (round, is_last) = (arrived / count, (arrived + 1).is_multiple_of(count));
            Ok(Reply::Visible(match is_last {
                true => machine.opening(barrier, round).stage(2),
                false => machine.passing(barrier, round).stage(3),
            }))
        }
        2 => Reply::int(SERIAL_THREAD),
        _ => Reply::int(0),
    }
}

/// That one of them is told that it was the last one makes a difference only if it looks.
fn wait_in_any_order(machine: &mut Machine, call: &Invocation<'_>, barrier: SyncId) -> Answer {
    match call.stage {
        0 if call.looks != Looks::Away => Err(machine.order_arrivals()),
        0 => Ok(Reply::Visible(machine.arrival(barrier, call.thread)?)),
        1 => {
            let round = machine.arrived(barrier, call.thread)?;
            Ok(Reply::Visible(machine.passage(barrier, call.thread, round)?.stage(2)))
        }
        _ => {
            machine.take_turn(barrier, call.thread);
            Reply::int(0)
        }
    }
}

/// What is explored if the order of arrivals is: rounds end one after the other, though threads may say so in another order.
impl Machine {
    /// How many rounds of a barrier are over.
    fn gate(&mut self, barrier: SyncId, effect: Effect) -> Access {
        let ordering = if matches!(effect, Effect::Read) { Ordering::Acquire } else { Ordering::AcqRel };
        Access::new(self.round(barrier, 0), effect).ordered(ordering)
    }

    /// This round is over.
    pub(super) fn opening(&mut self, barrier: SyncId, round: u64) -> Request {
        let open = self.gate(barrier, Effect::Modify(u64::max, round + 1));
        self.sync_request(Verb::OpenBarrier, barrier).with(open)
    }

    /// Waits until this round is over.
    pub(super) fn passing(&mut self, barrier: SyncId, round: u64) -> Request {
        let pass = self.gate(barrier, Effect::Read).once(Condition::AtLeast(round + 1));
        self.sync_request(Verb::Pass, barrier).with(pass)
    }

    /// The request, with an access to the gate of the barrier if it has one.
    pub(super) fn with_gate(&mut self, request: Request, (sync, kind): (SyncId, Kind), effect: Effect) -> Request {
        let is_open = kind == Kind::Barrier && (self.settings.arrivals != Arrivals::AnyOrder || self.is_told());
        if is_open { request.with(self.gate(sync, effect)) } else { request }
    }
}

/// A round of a barrier, if the order of arrivals is not explored.
pub(super) type Round = u32;

impl Machine {
    /// Whether it is assumed that the order in which threads arrive at barriers makes no difference.
    pub(super) fn arrives_in_any_order(&mut self) -> Result<bool, Failure> {
        if self.settings.arrivals != Arrivals::AnyOrder {
            return Ok(false);
        }
        if self.assumes_nothing_commutes() {
            return Err(self.refute_commuting());
        }
        Ok(!self.is_told())
    }

    /// The order in which threads arrive at barriers makes a difference.
    pub(super) fn order_arrivals(&mut self) -> Failure {
        self.ordered_arrivals = true;
        Failure::unsupported("the order in which threads arrive at a barrier makes a difference")
    }

    /// The next arrival of a thread, which has passed all rounds that it arrived for.
    pub(super) fn arrival(&mut self, barrier: SyncId, thread: ThreadId) -> Result<Request, Failure> {
        let turns = self.syncs.turns(barrier, thread);
        if !turns.is_multiple_of(2) {
            return Err(self.order_arrivals());
        }
        let round = self.round(barrier, turns / 2);
        Ok(self.at_round(Verb::Arrive, barrier, Access::new(round, Effect::Add(1))))
    }

    /// The thread has arrived, for this round.
    pub(super) fn arrived(&mut self, barrier: SyncId, thread: ThreadId) -> Result<Round, Failure> {
        let round = self.syncs.turns(barrier, thread) / 2;
        if self.outcome.before >= self.lets_through(barrier, round) {
            return Err(self.order_arrivals());
        }
        self.take_turn(barrier, thread);
        Ok(round)
    }

    /// A thread passes the round that it has arrived for.
    pub(super) fn passage(&mut self, barrier: SyncId, thread: ThreadId, round: Round) -> Result<Request, Failure> {
        if self.syncs.turns(barrier, thread) != 2 * round + 1 {
            return Err(self.order_arrivals());
        }
        let full = Condition::AtLeast(self.lets_through(barrier, round));
        let location = self.round(barrier, round);
        Ok(self.at_round(Verb::Pass, barrier, Access::new(location, Effect::Read).once(full)))
    }

    /// How many threads a round lets through.
    fn lets_through(&self, barrier: SyncId, round: Round) -> u64 {
        self.syncs.state(barrier).count.saturating_sub(self.syncs.drops_before(barrier, round))
    }

    fn at_round(&mut self, verb: Verb, barrier: SyncId, access: Access) -> Request {
        // Whether it is still there: those that initialise or destroy it come before or after.
        let look = self.sync_access(barrier, Effect::Read);
        self.sync_request(verb, barrier).with(look).with(access.ordered(Ordering::AcqRel))
    }
}
