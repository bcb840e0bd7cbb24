//! Mutexes, spin locks and read-write locks.
//!
//! The value of a mutex is 0, or the number of its holder. That of a read-write lock is the number of readers,
//! or [`WRITER`] plus the number of the writer. Readers come and go by adding, which commutes.
//!
//! An attempt that fails orders nothing: the lock that it finds taken was taken by an operation that does not release.

use super::errno::{EBUSY, EDEADLK, EPERM, ETIMEDOUT};
use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::ids::SyncId;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use crate::sync::{Flavour, Kind, Stage, SyncState};
use crate::thread::number_of;
use everyway_runtime::{Condition, Effect, ThreadId, Verb};

/// More than there can be readers.
const WRITER: u64 = 1 << 32;

fn flavour(kind: u64) -> Flavour {
    match kind & 3 {
        1 => Flavour::Recursive,
        2 => Flavour::ErrorCheck,
        _ => Flavour::Normal,
    }
}

/// Makes a synchronisation object, with a value to start with.
pub(super) fn initialise(
    machine: &mut Machine,
    call: &Invocation<'_>,
    kind: Kind,
    flavour: Flavour,
    count: u64,
    value: u64,
) -> Answer {
    scripted(machine, call, |script| {
        begin(script, call, SyncState { stage: Stage::Ready, kind, flavour, count }, value)
    })
}

fn begin(script: &mut Script<'_>, call: &Invocation<'_>, state: SyncState, value: u64) -> Paused<Answer> {
    script.machine.reach(call.thread, call.cell(0), 1)?;
    let sync = script.machine.sync_at(call.number(0)?, state.kind);
    script.perform(|machine| {
        let access = machine.sync_access(sync, Effect::Write(value));
        let request = machine.sync_request(Verb::Init, sync);
        Ok(Request { uses: None, ..machine.with_gate(request, (sync, state.kind), Effect::Write(0)).with(access) })
    })?;
    script.machine.follow(call.cell(0), 1)?;
    script.machine.set_sync(sync, state);
    Ok(Reply::int(0))
}

/// Ends a synchronisation object, which must have the value `idle`.
pub(super) fn finish(machine: &mut Machine, call: &Invocation<'_>, kind: Kind, idle: fn(u64) -> bool) -> Answer {
    let sync = machine.sync(call.cell(0), kind)?;
    if call.stage == 0 {
        let access = machine.sync_access(sync, Effect::Modify(|value, _| value, 0));
        let request = machine.sync_request(Verb::Destroy, sync);
        return Ok(Reply::Visible(
            machine.with_gate(request, (sync, kind), Effect::Modify(|value, _| value, 0)).with(access),
        ));
    }
    if !idle(machine.outcome.before) {
        let name = machine.name_at(call.number(0)?);
        return Err(Failure::misuse(format!("the {} {name} is destroyed while it is in use", kind.name())));
    }
    let state = *machine.syncs.state(sync);
    machine.set_sync(sync, SyncState { stage: Stage::Destroyed, ..state });
    Reply::int(0)
}

pub(super) fn attribute_init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    store_int(machine, call, Cell::new(0))
}

pub(super) fn attribute_set(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    store_int(machine, call, call.cell(1))
}

pub(super) fn attribute_get(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (attributes, target) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let value = script.read(attributes, 4)?;
        script.write(target, 4, value)?;
        Ok(Reply::int(0))
    })
}

/// Mutexes whose holder may end are what they are without this; those that tell the next one of it are not modelled.
pub(super) fn set_robust(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    const PTHREAD_MUTEX_STALLED: i32 = 0;
    match call.int(1)? {
        PTHREAD_MUTEX_STALLED => Reply::int(0),
        _ => Err(Failure::unsupported("the program makes a mutex robust, which is not modelled")),
    }
}

/// Writes an `int` to where the first argument points.
pub(super) fn store_int(machine: &mut Machine, call: &Invocation<'_>, value: Cell) -> Answer {
    let target = call.number(0)?;
    scripted(machine, call, |script| {
        script.write(target, 4, value)?;
        Ok(Reply::int(0))
    })
}

pub(super) fn init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let attribute = call.number(1)?;
    scripted(machine, call, |script| {
        let kind = if attribute == 0 { 0 } else { script.read(attribute, 4)?.bits };
        let state = SyncState { stage: Stage::Ready, kind: Kind::Mutex, flavour: flavour(kind), count: 0 };
        begin(script, call, state, 0)
    })
}

pub(super) fn init_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let kind = call.number(1)? & 1;
    initialise(machine, call, Kind::Mutex, flavour(kind), 0, 0)
}

pub(super) fn destroy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    finish(machine, call, Kind::Mutex, |value| value == 0)
}

impl Machine {
    /// Whether the thread holds the mutex: no other thread can change that.
    pub(super) fn holds(&self, thread: ThreadId, sync: SyncId) -> bool {
        self.sync_value(sync) == number_of(thread)
    }

    /// Takes a mutex that the thread holds already, if its kind allows that.
    fn lock_again(&mut self, call: &Invocation<'_>, sync: SyncId, otherwise: i32) -> Option<Answer> {
        if call.stage != 0 || !self.holds(call.thread, sync) {
            return None;
        }
        let state = *self.syncs.state(sync);
        match state.flavour {
            Flavour::Recursive => {
                self.set_sync(sync, SyncState { count: state.count + 1, ..state });
                Some(Reply::int(0))
            }
            Flavour::ErrorCheck => Some(Reply::int(otherwise)),
            Flavour::Normal => None,
        }
    }
}

pub(super) fn lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let sync = machine.sync(call.cell(0), Kind::Mutex)?;
    if let Some(answer) = machine.lock_again(call, sync, EDEADLK) {
        return answer;
    }
    if call.stage != 0 {
        return Reply::int(0);
    }
    let take = machine.sync_access(sync, Effect::Write(number_of(call.thread))).locking().once(Condition::Equals(0));
    Ok(Reply::Visible(machine.sync_request(Verb::Lock, sync).with(take)))
}

fn attempt(machine: &mut Machine, call: &Invocation<'_>, verb: Verb, refusal: i32) -> Answer {
    let sync = machine.sync(call.cell(0), Kind::Mutex)?;
    if let Some(answer) = machine.lock_again(call, sync, refusal) {
        return answer;
    }
    if call.stage != 0 {
        if machine.outcome.changed {
            return Reply::int(0);
        }
        if verb == Verb::TimedLock {
            machine.has_given_up(call, 1);
        }
        return Reply::int(refusal);
    }
    let take = machine.sync_access(sync, Effect::Write(number_of(call.thread))).locking().if_now(Condition::Equals(0));
    Ok(Reply::Visible(machine.sync_request(verb, sync).with(take)))
}

pub(super) fn try_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::TryLock, EBUSY)
}

/// No time passes: it gives up if the mutex is held when the thread goes on.
pub(super) fn timed_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::TimedLock, ETIMEDOUT)
}

/// `thrd_busy`, as glibc has it.
const THRD_BUSY: i32 = 1;
/// `thrd_timedout`, as glibc has it.
pub(super) const THRD_TIMEDOUT: i32 = 4;

pub(super) fn try_lock_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::TryLock, THRD_BUSY)
}

pub(super) fn timed_lock_c11(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    attempt(machine, call, Verb::TimedLock, THRD_TIMEDOUT)
}

pub(super) fn unlock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::int(0);
    }
    let sync = machine.sync(call.cell(0), Kind::Mutex)?;
    let state = *machine.syncs.state(sync);
    if !machine.holds(call.thread, sync) {
        if machine.flavour(sync) != Flavour::Normal {
            return Reply::int(EPERM);
        }
        let name = machine.name_at(call.number(0)?);
        return Err(Failure::misuse(format!("the mutex {name} is unlocked by a thread that does not hold it")));
    }
    if state.count > 0 {
        machine.set_sync(sync, SyncState { count: state.count - 1, ..state });
        return Reply::int(0);
    }
    let access = machine.sync_access(sync, Effect::Write(0)).unlocking();
    Ok(Reply::Visible(machine.sync_request(Verb::Unlock, sync).with(access)))
}

pub(super) fn spin_init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    initialise(machine, call, Kind::Spin, Flavour::Normal, 0, 0)
}

pub(super) fn spin_destroy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    finish(machine, call, Kind::Spin, |value| value == 0)
}

pub(super) fn spin_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let sync = machine.sync(call.cell(0), Kind::Spin)?;
    if call.stage != 0 {
        return Reply::int(0);
    }
    let take = machine.sync_access(sync, Effect::Write(number_of(call.thread))).locking().once(Condition::Equals(0));
    Ok(Reply::Visible(machine.sync_request(Verb::SpinLock, sync).with(take)))
}

pub(super) fn spin_try_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let sync = machine.sync(call.cell(0), Kind::Spin)?;
    if call.stage != 0 {
        return Reply::int(if machine.outcome.changed { 0 } else { EBUSY });
    }
    let take = machine.sync_access(sync, Effect::Write(number_of(call.thread))).locking().if_now(Condition::Equals(0));
    Ok(Reply::Visible(machine.sync_request(Verb::SpinTryLock, sync).with(take)))
}

pub(super) fn spin_unlock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::int(0);
    }
    let sync = machine.sync(call.cell(0), Kind::Spin)?;
    if !machine.holds(call.thread, sync) {
        let name = machine.name_at(call.number(0)?);
        return Err(Failure::misuse(format!("the spin lock {name} is unlocked by a thread that does not hold it")));
    }
    let access = machine.sync_access(sync, Effect::Write(0)).unlocking();
    Ok(Reply::Visible(machine.sync_request(Verb::SpinUnlock, sync).with(access)))
}

pub(super) fn rw_init(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    initialise(machine, call, Kind::RwLock, Flavour::Normal, 0, 0)
}

pub(super) fn rw_destroy(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    finish(machine, call, Kind::RwLock, |value| value == 0)
}

/// How a read-write lock is asked for.
#[derive(Clone, Copy)]
struct Wish {
    verb: Verb,
    writes: bool,
    /// What is returned if it cannot be had now; `None` for waiting.
    refusal: Option<i32>,
}

fn acquire(machine: &mut Machine, call: &Invocation<'_>, wish: Wish) -> Answer {
    let sync = machine.sync(call.cell(0), Kind::RwLock)?;
    if call.stage != 0 {
        if let Some(refusal) = wish.refusal.filter(|_| !machine.outcome.changed) {
            if matches!(wish.verb, Verb::TimedReadLock | Verb::TimedWriteLock) {
                machine.has_given_up(call, 1);
            }
            return Reply::int(refusal);
        }
        if !wish.writes {
            machine.add_waiter(sync.into(), call.thread);
        }
        return Reply::int(0);
    }
    let (effect, condition) = if wish.writes {
        (Effect::Write(WRITER + number_of(call.thread)), Condition::Equals(0))
    } else {
        (Effect::Add(1), Condition::Below(WRITER))
    };
    let access = machine.sync_access(sync, effect).locking();
    let access = if wish.refusal.is_some() { access.if_now(condition) } else { access.once(condition) };
    Ok(Reply::Visible(machine.sync_request(wish.verb, sync).with(access)))
}

pub(super) fn read_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    acquire(machine, call, Wish { verb: Verb::ReadLock, writes: false, refusal: None })
}

pub(super) fn write_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    acquire(machine, call, Wish { verb: Verb::WriteLock, writes: true, refusal: None })
}

pub(super) fn try_read_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    acquire(machine, call, Wish { verb: Verb::TryReadLock, writes: false, refusal: Some(EBUSY) })
}

pub(super) fn try_write_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    acquire(machine, call, Wish { verb: Verb::TryWriteLock, writes: true, refusal: Some(EBUSY) })
}

pub(super) fn timed_read_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    acquire(machine, call, Wish { verb: Verb::TimedReadLock, writes: false, refusal: Some(ETIMEDOUT) })
}

pub(super) fn timed_write_lock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    acquire(machine, call, Wish { verb: Verb::TimedWriteLock, writes: true, refusal: Some(ETIMEDOUT) })
}

pub(super) fn rw_unlock(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::int(0);
    }
    let sync = machine.sync(call.cell(0), Kind::RwLock)?;
    // No other thread can change whether the thread has the lock.
    let writes = machine.sync_value(sync) == WRITER + number_of(call.thread);
    if !writes && !machine.syncs.waiters(sync).contains(call.thread) {
        let name = machine.name_at(call.number(0)?);
        return Err(Failure::misuse(format!(
            "the read-write lock {name} is unlocked by a thread that does not hold it"
        )));
    }
    if !writes {
        machine.remove_waiter(sync, call.thread);
    }
    let effect = if writes { Effect::Write(0) } else { Effect::Add(u64::MAX) };
    let access = machine.sync_access(sync, effect).unlocking();
    Ok(Reply::Visible(machine.sync_request(Verb::Unlock, sync).with(access)))
}
