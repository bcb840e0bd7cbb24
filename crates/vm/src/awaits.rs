//! Accesses that wait until the value they find meets a condition, and assumptions.
//!
//! The condition is turned into one of the engine, which can decide it for any value of the location. Where that is not
//! possible, because the values that meet it are in several intervals, for example, the access takes place, and the
//! thread gives up if the condition is not met: the await becomes a load followed by an assumption.

use crate::access::Went;
use crate::arithmetic::Lanes;
use crate::cell::{Cell, mask};
use crate::code::{Await, Instruction, Operand, Test};
use crate::failure::Failure;
use crate::interpret::{Run, undecided};
use crate::machine::Machine;
use crate::thread::Phase;
use everyway_ir::{Ranges, RmwOp};
use everyway_runtime::{Access, Condition, Operation, Ordering, ThreadId, Verb, Waiting};

/// The values that meet what is waited for, as far as intervals tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The bits of the value that count.
    pub(crate) mask: u64,
    /// What they have to be.
    pub(crate) values: Ranges,
}

impl Wanted {
    /// The condition of the engine that says the same.
    fn condition(&self, width: u32) -> Option<Condition> {
        let Self { mask, ref values } = *self;
        let holes = values.complement();
        let is_whole = mask == crate::cell::mask(width);
        Some(match (values.intervals(), holes.intervals()) {
            ([], _) => Condition::Below(0),
            (_, []) => Condition::Always,
            (&[(low, high)], _) if is_whole && low == high => Condition::Equals(low),
            (_, &[(low, high)]) if is_whole && low == high => Condition::Differs(low),
            (&[(0, high)], _) if is_whole => Condition::Below(high + 1),
            (_, &[(0, high)]) if is_whole => Condition::AtLeast(high + 1),
            // A value of fewer bits than a word has zeros above, so that all bits may count.
            (&[(low, high)], _) => Condition::Within { mask: if is_whole { u64::MAX } else { mask }, low, high },
            (_, &[(low, high)]) => Condition::Outside { mask: if is_whole { u64::MAX } else { mask }, low, high },
            _ => return None,
        })
    }
}

impl Await {
    /// What is waited for, with operands that have values now; `None` if intervals do not tell, or if it depends on
    /// what has no value.
    pub(crate) fn wanted(&self, lanes: &impl Lanes) -> Option<Wanted> {
        let width = u32::from(self.width);
        let mut common: Option<u64> = None;
        let mut all = Ranges::all(width);
        for clause in &self.until {
            let mut any = Ranges::none(width);
            for &Test { mask: bits, predicate, operand } in clause {
                let (bits, operand) = (bits.map_or(Cell::new(u64::MAX), |bits| lanes.get(bits)), lanes.get(operand));
                if !bits.is_defined() || !operand.is_defined() {
                    return None;
                }
                let bits = bits.bits & mask(width);
                if *common.get_or_insert(bits) != bits {
                    return None;
                }
                any = any.union(&Ranges::of(predicate, operand.bits, width));
            }
            all = all.intersection(&any);
        }
        Some(Wanted { mask: common.unwrap_or(mask(width)), values: all })
    }

    /// Whether a value meets what is waited for; `None` if that depends on what has no value.
    fn holds(&self, value: Cell, lanes: &impl Lanes) -> Option<bool> {
        let width = u32::from(self.width);
        for clause in &self.until {
            let mut any = false;
            for &Test { mask: bits, predicate, operand } in clause {
                let (bits, operand) = (bits.map_or(Cell::new(u64::MAX), |bits| lanes.get(bits)), lanes.get(operand));
                if bits.undef | operand.undef | value.undef & bits.bits != 0 {
                    return None;
                }
                any |= Ranges::of(predicate, operand.bits, width).contains(value.bits & bits.bits);
            }
            if !any {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl Machine {
    /// An access that waits.
    pub(crate) fn await_access(&mut self, run: &mut Run<'_>, index: u32) -> Result<Went, Failure> {
        let spec = &run.code.awaits[index as usize];
        let went = match spec.access {
            Instruction::Load { to, address, size, ordering } => self.load(run, to, address, size, ordering)?,
            Instruction::Rmw { op, to, address, value, width, ordering, .. } => {
                self.rmw(run, (op, false, ordering), to, address, value, width)?
            }
            Instruction::CompareExchange { to, flag, address, expected, new, size, orderings } => {
                self.compare_exchange(run, [to, flag], address, [expected, new], size, orderings)?
            }
            _ => Went::On,
        };
        if went == Went::Announced {
            self.wait_for(run, spec);
            return Ok(went);
        }
        let found = run.registers.get(Operand::lane(spec.found));
        match spec.holds(found, &run.registers) {
            Some(true) => Ok(Went::On),
            Some(false) => {
                let round = round_of(run, spec.round);
                self.give_up(run.thread, round);
                Ok(Went::Announced)
            }
            // A loop will decide on what has no value, and fail there.
            None if spec.round.is_some() => Ok(Went::On),
            None => Err(undecided("an assumption")),
        }
    }

    /// Makes the access that the thread has announced wait.
    fn wait_for(&mut self, run: &Run<'_>, spec: &Await) {
        let Some(wanted) = spec.wanted(&run.registers) else { return };
        let width = u32::from(spec.width);
        let Some(condition) = wanted.condition(width) else { return };
        let this = &mut self.threads[run.thread];
        // The value is looked at in one access.
        let is_whole = |access: &Access| 8 * u32::from(access.bytes.0).count_ones() >= width;
        let Some(access) = this.operation.accesses.last_mut().filter(|access| is_whole(access)) else { return };
        if condition == Condition::Always {
            return;
        }
        // A compare-exchange has a condition of its own, and there is room for one.
        let is_free = access.when == Condition::Always;
        if !is_free && access.when != condition {
            return;
        }
        *access = access.once(condition);
        this.core.manner.waiting = Waiting::Access;
        this.operation.verb = match spec.access {
            Instruction::Load { ordering: Ordering::Plain, .. } => Verb::AwaitRead,
            Instruction::Load { .. } => Verb::AwaitLoad,
            Instruction::CompareExchange { .. } => Verb::AwaitCompareExchange,
            Instruction::Rmw { op: RmwOp::Xchg, .. } => Verb::AwaitSwap,
            _ => Verb::AwaitUpdate,
        };
        this.core.round = round_of(run, spec.round);
    }

    /// An assumption: where it does not hold, the thread does not go on.
    pub(crate) fn assume(
        &mut self,
        run: &Run<'_>,
        condition: Operand,
        round: Option<Operand>,
    ) -> Result<Went, Failure> {
        let condition = run.registers.get(condition);
        if !condition.is_defined() {
            // A loop will decide on what has no value, and fail there.
            return if round.is_some() { Ok(Went::On) } else { Err(undecided("an assumption")) };
        }
        if condition.bits != 0 {
            return Ok(Went::On);
        }
        self.give_up(run.thread, round_of(run, round));
        Ok(Went::Announced)
    }

    /// The thread does not go on.
    pub(crate) fn give_up(&mut self, thread: ThreadId, round: Option<u32>) {
        let this = &mut self.threads[thread];
        this.core.phase = Phase::Stuck;
        this.core.round = round;
        this.operation = Operation::local().named(Verb::Assume);
    }
}

fn round_of(run: &Run<'_>, round: Option<Operand>) -> Option<u32> {
    round.map(|round| run.registers.get(round).bits as u32)
}
