//! Condition variables.
//!
//! The value of a condition variable is the number of threads that wait on it. A wait is three steps: the
//! thread unlocks the mutex and joins those that wait, in one; it takes the token that a signal gives it; it
//! locks the mutex. Threads come and go by adding to the value without looking at it, so that only signals are
//! ordered with respect to the others. A signal that finds no waiter is a read.

use super::errno::ETIMEDOUT;
use super::locks::{THRD_TIMEDOUT, finish, initialise};
use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::fixed::Fixed;
use crate::ids::SyncId;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use crate::sync::{Flavour, Kind, SyncState};
use crate::thread::number_of;
use everyway_runtime::{Access, Choices, Condition, Effect, Ordering, Reasons, Special, ThreadId, Verb};

pub(super) fn init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    initialise(machine, call, Kind::Condvar, Flavour::Normal, 0, 0)
}

pub(super) fn destroy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    finish(machine, call, Kind::Condvar, |waiting| waiting == 0)
}

/// The two parts of a wait that may give up, where a loop waits again and again.
pub(super) const REST: &str = "__everyway_rest";
pub(super) const RELOCK: &str = "__everyway_relock";

/// How a wait may end other than by a signal.
#[derive(Clone, Copy)]
enum Patience {
    Endless,
    /// It gives up with this result if it has not been signalled when the thread goes on.
    Gives(i32),
    /// It may end spuriously.
    Idle,
    /// It gives up when this is the case.
    Until(Access),
}

fn wait_on(script: &mut Script<'_>, condvar: Cell, mutex: Cell, patience: Patience) -> Paused<Answer> {
    let result = rest_on(script, condvar, mutex, patience)?;
    lock_again(script, mutex)?;
    Ok(Reply::int(result.bits as i32))
}

/// Waits on a condition variable; the mutex is not locked afterwards.
fn rest_on(script: &mut Script<'_>, condvar: Cell, mutex: Cell, patience: Patience) -> Paused<Cell> {
    let condvar = script.machine.sync(condvar, Kind::Condvar)?;
    let mutex = script.machine.sync(mutex, Kind::Mutex)?;
    let thread = script.thread;
    script.perform(|machine| {
        if !machine.holds(thread, mutex) {
            let name = machine.name_at(machine.syncs.address(mutex));
            return Err(Failure::misuse(format!("a thread waits with the mutex {name}, which it does not hold")));
        }
        let unlock = machine.sync_access(mutex, Effect::Write(0));
        let come = machine.sync_access(condvar, Effect::Add(1));
        let mut request = machine.sync_request(Verb::Wait, condvar).with(unlock);
        if !machine.is_told() {
            let binds = Effect::Try(|bound, mutex| (bound != mutex).then_some(mutex), number_of_mutex(mutex));
            request = request.with(machine.binding(condvar, binds));
        }
        Ok(request.with(come).special(Special::Enqueue(condvar.into())))
    })?;
    script.once(|machine| meet(machine, thread, condvar, mutex).map(|()| Cell::default()))?;
    script.perform(|machine| {
        let token = Access::new(machine.threads[thread].token, Effect::Write(0)).ordered(Ordering::Relaxed);
        let request = Request::new(Verb::Woken, machine.syncs.address(condvar));
        let mut request = match patience {
            Patience::Endless => return Ok(request.with(token.once(Condition::Equals(1)))),
            _ => request.with(token.or_else(Condition::Equals(1))),
        };
        if let Patience::Until(happens) = patience {
            request = request.with(happens);
        }
        if !machine.is_told() {
            request = request.with(machine.binding(condvar, Effect::Read));
        }
        let leave = machine.sync_access(condvar, Effect::Add(u64::MAX));
        Ok(request.with(leave).special(Special::Dequeue(condvar.into())))
    })?;
    script.once(|machine| {
        machine.threads[thread].core.woken_for_nothing |= matches!(patience, Patience::Idle) && machine.outcome.is_last;
        Ok(Cell::new(match patience {
            Patience::Gives(result) if machine.outcome.is_last => result as u64,
            _ => 0,
        }))
    })
}

/// What stands for a mutex where 0 is none.
fn number_of_mutex(mutex: SyncId) -> u64 {
    u64::from(mutex.0) + 1
}

impl Machine {
    /// An access to the number of the mutex with which threads wait on a condition variable. To come with another one than those
    /// before is a write, to give up a read: a thread that gives up is no longer in the way, so that the order of the two makes a
    /// difference, other than that of those who come with the same mutex. Where reads are told what they see, all that
    /// come and go are ordered.
    fn binding(&mut self, condvar: SyncId, effect: Effect) -> Access {
        Access::new(self.round(condvar, 0), effect).ordered(Ordering::Relaxed)
    }
}

/// The thread has come to wait on a condition variable: all that wait on it at once have to have unlocked the same mutex.
fn meet(machine: &mut Machine, thread: ThreadId, condvar: SyncId, mutex: SyncId) -> Result<(), Failure> {
    let (state, number) = (*machine.syncs.state(condvar), number_of_mutex(mutex));
    if state.count == number {
        return Ok(());
    }
    let is_alone = machine.syncs.waiters(condvar).reached_by(Reasons::ALL).all(|waiting| waiting == thread);
    if state.count != 0 && !is_alone {
        let name = |sync: SyncId| machine.name_at(machine.syncs.address(sync));
        let (condvar, mutex, other) = (name(condvar), name(mutex), name(SyncId(state.count as u32 - 1)));
        let message = format!("a thread waits on {condvar} with the mutex {mutex} while another one does with {other}");
        return Err(Failure::misuse(message));
    }
    machine.set_sync(condvar, SyncState { count: number, ..state });
    Ok(())
}

fn lock_again(script: &mut Script<'_>, mutex: Cell) -> Paused<u64> {
    let mutex = script.machine.sync(mutex, Kind::Mutex)?;
    let thread = script.thread;
    script.perform(|machine| {
        let take = machine.sync_access(mutex, Effect::Write(number_of(thread))).once(Condition::Equals(0));
        Ok(machine.sync_request(Verb::Relock, mutex).with(take))
    })
}

/// Whether a wait of the thread may end spuriously. A loop could wait so for ever: each thread is woken so once at most, and a verdict
/// says so.
fn may_wake_for_nothing(machine: &mut Machine, thread: ThreadId) -> bool {
    if !machine.settings.spurious_wakeups {
        machine.fix(Fixed::WakeUps);
        return false;
    }
    let may = !machine.threads[thread].core.woken_for_nothing;
    if !may {
        machine.fix(Fixed::FurtherWakeUps);
    }
    may
}

/// Waits without a limit on time; with spurious wake-ups if the settings ask for them.
pub(super) fn wait_with(script: &mut Script<'_>, condvar: Cell, mutex: Cell) -> Paused<Answer> {
    let may_wake = may_wake_for_nothing(script.machine, script.thread);
    wait_on(script, condvar, mutex, if may_wake { Patience::Idle } else { Patience::Endless })
}

pub(super) fn wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    scripted(machine, call, |script| wait_with(script, call.cell(0), call.cell(1)))
}

/// `__everyway_cond_wait(condition, mutex, request)`: until the thread is asked to end as well, unless there is no request.
pub(super) fn wait_until_asked(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.number(2)? == 0 {
        return wait(machine, call);
    }
    let patience = if may_wake_for_nothing(machine, call.thread) {
        Patience::Idle
    } else {
        Patience::Until(machine.until_asked(call.cell(2))?)
    };
    scripted(machine, call, |script| wait_on(script, call.cell(0), call.cell(1), patience))
}

/// A wait that gives up with this result when the time is up.
fn until_late(
    machine: &mut Machine,
    call: &Invocation<'_>,
    result: i32,
    wait: impl FnOnce(&mut Script<'_>, Patience) -> Paused<Answer>,
) -> Answer {
    let answer = scripted(machine, call, |script| wait(script, Patience::Gives(result)))?;
    if matches!(&answer, Reply::Return(lanes) if lanes.first().is_some_and(|given| given.bits == result as u64)) {
        machine.has_given_up(call, 2);
    }
    Ok(answer)
}

fn wait_and_give(machine: &mut Machine, call: &Invocation<'_>, result: i32) -> Answer {
    until_late(machine, call, result, |script, patience| wait_on(script, call.cell(0), call.cell(1), patience))
}

pub(super) fn timed_wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    wait_and_give(machine, call, ETIMEDOUT)
}

pub(super) fn timed_wait_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    wait_and_give(machine, call, THRD_TIMEDOUT)
}

/// `__everyway_rest(mutex, condition, limit, result)`: a wait that may give up, as far as the mutex is unlocked.
pub(super) fn rest(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    until_late(machine, call, call.int(3)?, |script, patience| {
        Ok(Reply::int(rest_on(script, call.cell(1), call.cell(0), patience)?.bits as i32))
    })
}

/// `__everyway_relock(mutex)`: what comes after that.
pub(super) fn relock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    scripted(machine, call, |script| {
        lock_again(script, call.cell(0))?;
        Ok(Reply::int(0))
    })
}

pub(super) fn signal(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let condvar = machine.sync(call.cell(0), Kind::Condvar)?;
    if call.stage != 0 || machine.started <= 1 {
        return Reply::int(0);
    }
    let one = machine.sync_access(condvar, Effect::Modify(|waiting, _| waiting - 1, 0));
    let mut request = machine.sync_request(Verb::NotifyOne, condvar).with(one.if_now(Condition::Differs(0)));
    request.choices = Choices::Waiters(condvar.into());
    Ok(Reply::Visible(request.special(Special::WakeOne(condvar.into()))))
}

pub(super) fn broadcast(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let condvar = machine.sync(call.cell(0), Kind::Condvar)?;
    if call.stage != 0 {
        return Reply::int(0);
    }
    let all = machine.sync_access(condvar, Effect::Write(0)).if_now(Condition::Differs(0));
    Ok(Reply::Visible(
        machine.sync_request(Verb::NotifyAll, condvar).with(all).special(Special::WakeAll(condvar.into())),
    ))
}
