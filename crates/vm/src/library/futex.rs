//! Waiting until memory changes: what `std::future`, `std::latch` and `std::counting_semaphore` come down to on Linux.
//!
//! Who waits does so until the value is another one. To wake is nothing: those who wait look again by themselves.

use super::{Answer, Invocation, Reply};
use crate::access::Mode;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use everyway_runtime::{Condition, Effect, Ordering, Verb};

impl Script<'_> {
    /// Waits until the `int` at `address` is not `value`.
    fn wait_while(&mut self, address: u64, value: u64) -> Paused<()> {
        self.perform(|machine| {
            let at = machine.follow(Cell::new(address), 4)?;
            let mode = Mode { verb: Verb::FutexWait, ordering: Ordering::Relaxed };
            let mut request = machine.access_request(at, 4, |_| Effect::Read, mode);
            if let Some(access) = request.accesses.last_mut() {
                *access = access.once(Condition::Differs(value & 0xffff_ffff));
            }
            Ok(request)
        })?;
        Ok(())
    }
}

/// `syscall(SYS_futex, address, operation, value, ...)`
pub(super) fn syscall(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    const FUTEX: u64 = 202;
    const FUTEX_ARM: u64 = 98;
    const WAIT: [u64; 2] = [0, 9];
    let number = call.number(0)?;
    if number != FUTEX && number != FUTEX_ARM {
        return Err(Failure::unsupported(format!("the program calls `syscall` with {number}, which is not modelled")));
    }
    let (address, operation, value) = (call.number(1)?, call.number(2)? & 0x7f, call.number(3)?);
    scripted(machine, call, |script| {
        if WAIT.contains(&operation) {
            script.wait_while(address, value)?;
        }
        Ok(Reply::word(0))
    })
}

/// `std::__future_base::_Result_base::_Result_base()`: behind its table, it has an exception, or null.
pub(super) fn result(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let this = call.number(0)?;
    scripted(machine, call, |script| {
        script.write(this + 8, 8, Cell::new(0))?;
        Ok(Reply::nothing())
    })
}

/// `std::__atomic_futex_unsigned_base::_M_futex_wait_until(address, value, ...)`: whether no time has run out.
pub(super) fn wait_until(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (address, value) = (call.number(1)?, call.number(2)?);
    scripted(machine, call, |script| {
        script.wait_while(address, value)?;
        Ok(Reply::word(1))
    })
}
