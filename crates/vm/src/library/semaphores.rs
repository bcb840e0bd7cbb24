//! POSIX semaphores. The value is the number of units that are left. To look at it, or to find that it is 0, orders nothing.

use super::errno::{EAGAIN, ETIMEDOUT};
use super::locks::{finish, initialise};
use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::machine::Machine;
use crate::script::scripted;
use crate::sync::{Flavour, Kind};
use everyway_runtime::{Condition, Effect, Ordering, Verb};

pub(super) fn init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let value = call.number(2)?;
    initialise(machine, call, Kind::Semaphore, Flavour::Normal, 0, value)
}

pub(super) fn destroy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    finish(machine, call, Kind::Semaphore, |_| true)
}

const TAKE: Effect = Effect::Modify(|left, _| left - 1, 0);

pub(super) fn wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let semaphore = machine.sync(call.cell(0), Kind::Semaphore)?;
    if call.stage != 0 {
        return Reply::int(0);
    }
    let take = machine.sync_access(semaphore, TAKE).locking().once(Condition::AtLeast(1));
    Ok(Reply::Visible(machine.sync_request(Verb::SemWait, semaphore).with(take)))
}

/// `__everyway_sem_wait(semaphore, request)`: until the thread is asked to end as well, unless there is no request; whether
/// it was that.
pub(super) fn wait_until_asked(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.number(1)? == 0 {
        return wait(machine, call);
    }
    let semaphore = machine.sync(call.cell(0), Kind::Semaphore)?;
    if call.stage != 0 {
        return Reply::int(i32::from(machine.outcome.is_last));
    }
    let take = machine.sync_access(semaphore, TAKE).locking().or_else(Condition::AtLeast(1));
    let asked = machine.until_asked(call.cell(1))?;
    Ok(Reply::Visible(machine.sync_request(Verb::SemWait, semaphore).with(take).with(asked)))
}

/// What gives an error, in loops, rather than to write it to `errno`.
pub(super) const SEM_TRYWAIT: &str = "__everyway_attempt_sem_trywait";
pub(super) const SEM_TIMEDWAIT: &str = "__everyway_attempt_sem_timedwait";
pub(super) const SEM_CLOCKWAIT: &str = "__everyway_attempt_sem_clockwait";

/// How the reason is told if it fails.
type Refuse = fn(&mut Machine, &Invocation<'_>, i32) -> Answer;

fn attempt(machine: &mut Machine, call: &Invocation<'_>, verb: Verb, refuse: (Refuse, i32)) -> Answer {
    let semaphore = machine.sync(call.cell(0), Kind::Semaphore)?;
    if call.stage != 0 {
        if machine.outcome.changed {
            return Reply::int(0);
        }
        if verb == Verb::SemTimedWait {
            machine.has_given_up(call, 1);
        }
        return refuse.0(machine, call, refuse.1);
    }
    let take = machine.sync_access(semaphore, TAKE).locking().if_now(Condition::AtLeast(1));
    Ok(Reply::Visible(machine.sync_request(verb, semaphore).with(take)))
}

fn in_errno(machine: &mut Machine, call: &Invocation<'_>, reason: i32) -> Answer {
    machine.minus_one(call.thread, reason)
}

fn by_result(_: &mut Machine, _: &Invocation<'_>, reason: i32) -> Answer {
    Reply::int(reason)
}

pub(super) fn try_wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::SemTryWait, (in_errno, EAGAIN))
}

pub(super) fn timed_wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::SemTimedWait, (in_errno, ETIMEDOUT))
}

/// `__everyway_attempt_sem_trywait(semaphore)`
pub(super) fn attempt_at_once(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::SemTryWait, (by_result, EAGAIN))
}

/// `__everyway_attempt_sem_timedwait(semaphore, limit)`
pub(super) fn attempt_in_time(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::SemTimedWait, (by_result, ETIMEDOUT))
}

pub(super) fn post(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let semaphore = machine.sync(call.cell(0), Kind::Semaphore)?;
    if call.stage != 0 {
        return Reply::int(0);
    }
    let give = machine.sync_access(semaphore, Effect::Add(1)).unlocking();
    Ok(Reply::Visible(machine.sync_request(Verb::SemPost, semaphore).with(give)))
}

pub(super) fn get(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let semaphore = machine.sync(call.cell(0), Kind::Semaphore)?;
    let target = call.number(1)?;
    scripted(machine, call, |script| {
        let value = script.perform(|machine| {
            let look = machine.sync_access(semaphore, Effect::Read).ordered(Ordering::Relaxed);
            Ok(machine.sync_request(Verb::SemGetValue, semaphore).with(look))
        })?;
        script.write(target, 4, Cell::new(value))?;
        Ok(Reply::int(0))
    })
}
