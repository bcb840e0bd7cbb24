//! What time it is. No time passes, but that a wait which has given up has lasted as long as it was to: a thread that looks at the
//! clock afterwards finds that the time has come. Otherwise a loop would wait again and again until it has.
//!
//! Each thread has a clock of its own, so that threads do not see from it how long others have waited.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::fixed::Fixed;
use crate::machine::Machine;
use crate::script::scripted;

const SECOND: u64 = 1_000_000_000;
const MICROSECOND: u64 = 1_000;

impl Machine {
    /// A wait of the thread has given up whose limit is the argument after those that it has in common with one without a limit.
    /// (Functions that are told which clock is meant have that before the limit.)
    pub(super) fn has_given_up(&mut self, call: &Invocation<'_>, in_common: usize) {
        let tells_clock = self.module.function(call.function).name.contains("clock");
        let limit = call.cell(in_common + usize::from(tells_clock));
        let word = |offset: u64| {
            let (object, offset) = self.memory.locate(limit.bits.wrapping_add(offset), 8).ok()?;
            let cell = self.memory.read(object, offset, 8);
            cell.is_defined().then_some(cell.bits)
        };
        // What the limit is others do not change meanwhile, or there is a data race.
        if let (true, Some(seconds), Some(rest)) = (limit.is_defined(), word(0), word(8)) {
            self.come_to(call, seconds.saturating_mul(SECOND).saturating_add(rest));
        }
    }

    /// Lets the clock of the thread be no earlier.
    fn come_to(&mut self, call: &Invocation<'_>, time: u64) {
        let clock = &mut self.threads[call.thread].core.clock;
        *clock = (*clock).max(time);
    }

    /// In nanoseconds since some time before the start.
    fn clock(&mut self, call: &Invocation<'_>) -> u64 {
        self.fix(Fixed::Time);
        self.threads[call.thread].core.clock
    }
}

/// `time(target)`
pub(super) fn time(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let seconds = machine.clock(call) / SECOND;
    let target = call.arguments.first().filter(|target| target.bits != 0 && target.is_defined());
    scripted(machine, call, |script| {
        if let Some(target) = target {
            script.write(target.bits, 8, Cell::new(seconds))?;
        }
        Ok(Reply::word(seconds))
    })
}

/// `std::chrono::steady_clock::now()` and that of the system's clock.
pub(super) fn now(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(machine.clock(call))
}

/// `__everyway_has_passed(time, from_now)`: a wait has given up that is not one of a function that is modelled.
pub(super) fn has_passed(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (time, from_now) = (call.number(0)?.cast_signed().max(0).unsigned_abs(), call.number(1)? & 1 == 1);
    let start = if from_now { machine.clock(call) } else { 0 };
    machine.come_to(call, start.saturating_add(time));
    Reply::nothing()
}

/// `clock()`: to wait uses no processor.
pub(super) fn used(machine: &mut Machine, _: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::Time);
    Reply::word(0)
}

/// `clock_gettime`, `gettimeofday` and `timespec_get`
pub(super) fn get(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let clock = machine.clock(call);
    let name = &machine.module.function(call.function).name;
    let (position, unit) = (usize::from(name == "clock_gettime"), if name == "gettimeofday" { MICROSECOND } else { 1 });
    let target = call.number(position)?;
    scripted(machine, call, |script| {
        script.write(target, 8, Cell::new(clock / SECOND))?;
        script.write(target + 8, 8, Cell::new(clock % SECOND / unit))?;
        Ok(Reply::int(0))
    })
}
