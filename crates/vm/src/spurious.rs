//! Weak compare-exchanges that fail spuriously.
//!
//! One that does is a load. Whether it does is chosen in a step of its own before it, where that is asked for. A loop could
//! choose so for ever: each thread does it once at most, and a verdict says so.

use crate::access::{Request, Went};
use crate::arithmetic::Lanes;
use crate::cell::Cell;
use crate::code::Operand;
use crate::failure::Failure;
use crate::fixed::Fixed;
use crate::interpret::Run;
use crate::machine::Machine;
use everyway_runtime::{Choices, Ordering, Verb};

/// The alternative in which it fails.
pub(crate) const FAILS: u32 = 1;

impl Machine {
    /// What comes before a weak compare-exchange, which is the next instruction: if it fails spuriously, the value of
    /// `to` and `flag`, and the next instruction is left out.
    pub(crate) fn fail_weakly(
        &mut self,
        run: &mut Run<'_>,
        [to, flag]: [u32; 2],
        address: Operand,
        size: u8,
        ordering: Ordering,
    ) -> Result<Went, Failure> {
        // To choose is no access.
        let has_chosen = self.steps.last().is_some_and(|logged| logged.ended_by.is_none());
        match (run.granted, has_chosen) {
            (false, _) => return Ok(self.choose_whether_to_fail(run, address)),
            (true, true) => {
                run.granted = false;
                if self.outcome.choice != FAILS {
                    return Ok(Went::On);
                }
                self.threads[run.thread].core.failed_weakly = true;
            }
            // It has been loaded.
            (true, false) => {}
        }
        let went = self.load(run, to, address, size, ordering)?;
        if went == Went::On {
            run.registers.set(flag, Cell::new(0));
            run.pc += 1;
        }
        Ok(went)
    }

    fn choose_whether_to_fail(&mut self, run: &Run<'_>, address: Operand) -> Went {
        if !self.settings.spurious_failures {
            self.fix(Fixed::WeakFailures);
            return Went::On;
        }
        if self.threads[run.thread].core.failed_weakly {
            self.fix(Fixed::FurtherWeakFailures);
            return Went::On;
        }
        let request = Request::new(Verb::CompareExchange, run.registers.get(address).bits);
        self.announce(run.thread, &mut Request { choices: Choices::Among(2), ..request });
        Went::Announced
    }
}
