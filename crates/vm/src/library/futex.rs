//! Waiting until memory changes: `futex`, and what `std::atomic::wait`, `std::future` and the like come
//! down to on Linux.
//!
//! A wait looks at the value and joins those that wait in one step; it has to be woken, as a thread that waits on a
//! condition variable has (`waiting.rs`). The value of a futex is how often threads have come to wait, which nothing looks
//! at. A wait may be for some reasons only, which are bits; a wake-up reaches those that wait for one of its own. To come there and to wake both change it, so that they synchronise: who comes after the wake sees what was written
//! before it, as the kernel's barriers have it.

use super::errno::{EAGAIN, EINVAL, ENOSYS, ETIMEDOUT};
use super::{Answer, Invocation, Reply};
use crate::access::{Mode, Request};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::fixed::Fixed;
use crate::ids::SyncId;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use crate::sync::{Kind, Queue, Stage, SyncState};
use everyway_runtime::{Access, Choices, Condition, Effect, Ordering, Reasons, Special, Then, Verb};

/// How a wait came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Woken {
    /// The value was another one to begin with.
    Differs,
    /// By another thread.
    ByAnother,
    /// By a timeout, or spuriously.
    ByItself,
}

/// Whether a wait may end by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    Endless,
    Limited,
}

/// Where the value is that is waited for, and how many bytes it has.
#[derive(Clone, Copy)]
struct Word {
    address: u64,
    size: u64,
}

impl Word {
    /// What the kernel knows.
    fn int(address: u64) -> Self {
        Self { address, size: 4 }
    }
}

impl Machine {
    fn futex(&mut self, address: u64) -> SyncId {
        let sync = self.sync_at(address, Kind::Futex);
        let state = *self.syncs.state(sync);
        if state.stage == Stage::Fresh {
            self.syncs.restore(sync, SyncState { kind: Kind::Futex, ..state });
        }
        sync
    }
}

impl Script<'_> {
    /// Waits while what is at `address` is `value`, until it is woken for one of these reasons.
    fn futex_wait(
        &mut self,
        Word { address, size }: Word,
        value: u64,
        reasons: Reasons,
        patience: Patience,
    ) -> Paused<Woken> {
        let (thread, futex) = (self.thread, self.machine.futex(address));
        let queue = Queue { sync: futex, reasons };
        self.perform(|machine| {
            let at = machine.reach(thread, Cell::new(address), size)?;
            let mode = Mode { verb: Verb::FutexWait, ordering: Ordering::Relaxed };
            let mut request = machine.access_request(at, size, |_| Effect::Read, mode);
            if let Some(look) = request.accesses.last_mut() {
                *look = Access {
                    when: Condition::Equals(value & (u64::MAX >> (64 - 8 * size))),
                    fails: Then::Done,
                    ..*look
                };
            }
            let come = machine.sync_access(futex, Effect::Add(1));
            request.accesses.insert(0, come);
            Ok(request.special(Special::Enqueue(queue)))
        })?;
        let is_equal = self.once(|machine| Ok(Cell::new(machine.outcome.enqueued.into())))?;
        if is_equal.bits == 0 {
            return Ok(Woken::Differs);
        }
        self.perform(|machine| {
            let token = Access::new(machine.threads[thread].token, Effect::Write(0)).ordered(Ordering::Relaxed);
            let request = Request::new(Verb::Woken, address);
            if patience == Patience::Endless {
                return Ok(request.with(token.once(Condition::Equals(1))));
            }
            let leave = machine.sync_access(futex, Effect::Add(1));
            Ok(request.with(token.or_else(Condition::Equals(1))).with(leave).special(Special::Dequeue(queue)))
        })?;
        let by_itself =
            self.once(|machine| Ok(Cell::new((patience == Patience::Limited && machine.outcome.is_last).into())))?;
        Ok(if by_itself.bits == 1 { Woken::ByItself } else { Woken::ByAnother })
    }

    /// Wakes up to `most` threads that wait at `address` for one of these reasons; how many there were.
    fn futex_wake(&mut self, address: u64, most: u64, reasons: Reasons) -> Paused<u64> {
        if self.machine.started <= 1 {
            return Ok(0);
        }
        let futex = self.machine.futex(address);
        let queue = Queue { sync: futex, reasons };
        self.perform(|machine| {
            let look = machine.sync_access(futex, Effect::Modify(|comers, _| comers, 0));
            let request = Request::new(Verb::FutexWake, address).with(look);
            if most > 1 {
                return Ok(request.special(Special::WakeAll(queue)));
            }
            Ok(Request { choices: Choices::Waiters(queue), ..request.special(Special::WakeOne(queue)) })
        })?;
        let woken = self.once(|machine| Ok(Cell::new(machine.outcome.woken.into())))?.bits;
        if woken > most.max(1) {
            let message =
                format!("FUTEX_WAKE is to wake {most} of {woken} threads, which is not modelled; only one, or all");
            return Err(Failure::unsupported(message).into());
        }
        Ok(woken)
    }
}

/// What `futex` does by its second argument, without the flags `FUTEX_PRIVATE_FLAG` and `FUTEX_CLOCK_REALTIME`.
const OPERATIONS: [&str; 14] = [
    "FUTEX_WAIT",
    "FUTEX_WAKE",
    "FUTEX_FD",
    "FUTEX_REQUEUE",
    "FUTEX_CMP_REQUEUE",
    "FUTEX_WAKE_OP",
    "FUTEX_LOCK_PI",
    "FUTEX_UNLOCK_PI",
    "FUTEX_TRYLOCK_PI",
    "FUTEX_WAIT_BITSET",
    "FUTEX_WAKE_BITSET",
    "FUTEX_WAIT_REQUEUE_PI",
    "FUTEX_CMP_REQUEUE_PI",
    "FUTEX_LOCK_PI2",
];
const FLAGS: u64 = 128 | 256;

/// `syscall(SYS_futex, address, operation, value, ...)`
pub(super) fn syscall(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    const FUTEX: u64 = 202;
    const FUTEX_ARM: u64 = 98;
    const MEMBARRIER: u64 = 324;
    const MEMBARRIER_ARM: u64 = 283;
    let number = call.number(0)?;
    if number == MEMBARRIER || number == MEMBARRIER_ARM {
        // As a kernel that is older. Programs then have barriers of their own.
        machine.fix(Fixed::Membarrier);
        return machine.syscall_fails(call.thread, ENOSYS);
    }
    if number != FUTEX && number != FUTEX_ARM {
        return Err(Failure::unsupported(format!("the program calls `syscall` with {number}, which is not modelled")));
    }
    let operation = call.number(2)? & 0xffff_ffff & !FLAGS;
    let name = OPERATIONS.get(operation as usize).copied().unwrap_or("an unknown operation");
    let waits = match name {
        "FUTEX_WAIT" | "FUTEX_WAIT_BITSET" => true,
        "FUTEX_WAKE" | "FUTEX_WAKE_BITSET" => false,
        _ => {
            let message = format!("the program calls `futex` with {name}, which is not modelled");
            return Err(Failure::unsupported(message));
        }
    };
    let reasons = if name.ends_with("BITSET") { Reasons(call.number(6)? as u32) } else { Reasons::ALL };
    let address = call.number(1)?;
    if address % 4 != 0 || reasons == Reasons(0) {
        return machine.syscall_fails(call.thread, EINVAL);
    }
    if waits {
        return wait(machine, call, address, reasons);
    }
    let most = call.number(3)? & 0xffff_ffff;
    scripted(machine, call, |script| Ok(Reply::word(script.futex_wake(address, most, reasons)?)))
}

fn wait(machine: &mut Machine, call: &Invocation<'_>, address: u64, reasons: Reasons) -> Answer {
    let value = call.number(3)?;
    // C programs leave out what they do not need, and what is passed for it has no value.
    let has_limit = call.arguments.get(4).is_some_and(|limit| limit.is_defined() && limit.bits != 0);
    scripted(machine, call, |script| {
        let patience = script.patience(has_limit);
        Ok(match script.futex_wait(Word::int(address), value, reasons, patience)? {
            Woken::Differs => script.machine.syscall_fails(call.thread, EAGAIN),
            Woken::ByItself if has_limit => script.machine.syscall_fails(call.thread, ETIMEDOUT),
            Woken::ByAnother | Woken::ByItself => Reply::word(0),
        })
    })
}

impl Script<'_> {
    fn patience(&self, has_limit: bool) -> Patience {
        let is_limited = has_limit || self.machine.settings.spurious_wakeups;
        if is_limited { Patience::Limited } else { Patience::Endless }
    }
}

/// `std::__future_base::_Result_base::_Result_base()`: behind its table, it has an exception, or null.
pub(super) fn result(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let this = call.number(0)?;
    scripted(machine, call, |script| {
        script.write(this + 8, 8, Cell::new(0))?;
        Ok(Reply::nothing())
    })
}

/// `std::__atomic_futex_unsigned_base::_M_futex_wait_until(address, value, has_limit, ...)`: whether no time has run out.
pub(super) fn wait_until(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (address, value, has_limit) = (call.number(1)?, call.number(2)?, call.number(3)? & 1 == 1);
    scripted(machine, call, |script| {
        let patience = script.patience(has_limit);
        let woken = script.futex_wait(Word::int(address), value, Reasons::ALL, patience)?;
        Ok(Reply::word(u64::from(!(has_limit && woken == Woken::ByItself))))
    })
}

/// `std::__atomic_futex_unsigned_base::_M_futex_notify_all(address)`, which is static.
pub(super) fn notify_all(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| {
        script.futex_wake(address, u64::from(u32::MAX), Reasons::ALL)?;
        Ok(Reply::nothing())
    })
}

/// `__everyway_wait(address, size, value)`: `std::atomic::wait` (`llvm/support/before.hpp`).
pub(super) fn atomic_wait(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (word, value) = (Word { address: call.number(0)?, size: call.number(1)? }, call.number(2)?);
    if !matches!(word.size, 1 | 2 | 4 | 8) {
        return Err(Failure::unsupported(format!("a wait for a value of {} bytes, which is not modelled", word.size)));
    }
    scripted(machine, call, |script| {
        let patience = script.patience(false);
        script.futex_wait(word, value, Reasons::ALL, patience)?;
        Ok(Reply::nothing())
    })
}

/// `__everyway_notify(address, all)`
pub(super) fn atomic_notify(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (address, all) = (call.number(0)?, call.number(1)? & 1 == 1);
    scripted(machine, call, |script| {
        script.futex_wake(address, if all { u64::from(u32::MAX) } else { 1 }, Reasons::ALL)?;
        Ok(Reply::nothing())
    })
}
