//! The interpreter: runs a thread up to its next visible operation.

use crate::access::Went;
use crate::arithmetic::{self, Lanes};
use crate::cell::Cell;
use crate::code::{Body, Code, Instruction, Operand};
use crate::failure::Failure;
use crate::machine::Machine;
use crate::memory::{Origin, address_of};
use everyway_ir::SlotId;
use everyway_report::BugKind;
use everyway_runtime::ThreadId;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The lanes of the running frame, and the constants.
pub(crate) struct Registers<'c> {
    pub(crate) lanes: Vec<Cell>,
    pub(crate) base: usize,
    pool: &'c [Cell],
}

impl Lanes for Registers<'_> {
    #[inline(always)]
    fn get(&self, operand: Operand) -> Cell {
        match operand.pooled() {
            Some(index) => self.pool[index],
            None => self.lanes[self.base + operand.0 as usize],
        }
    }

    #[inline(always)]
    fn set(&mut self, lane: u32, cell: Cell) {
        self.lanes[self.base + lane as usize] = cell;
    }
}

impl<'c> Registers<'c> {
    pub(crate) fn new(lanes: Vec<Cell>, base: usize, pool: &'c [Cell]) -> Self {
        Self { lanes, base, pool }
    }

    #[inline(always)]
    fn index(&mut self, to: u32, base: Operand, offset: i64, index: Operand, stride: i32) {
        let (base, index) = (self.get(base), self.get(index));
        let by = (index.bits as i64).wrapping_mul(stride.into()).wrapping_add(offset);
        let undef = if base.undef | index.undef == 0 { 0 } else { u64::MAX };
        self.set(to, Cell { bits: base.bits.wrapping_add_signed(by), undef });
    }
}

/// A thread that runs.
pub(crate) struct Run<'c> {
    pub(crate) code: &'c Code,
    pub(crate) body: &'c Body,
    pub(crate) registers: Registers<'c>,
    pub(crate) thread: ThreadId,
    pub(crate) pc: usize,
    /// Whether the instruction to execute is what the thread has announced, and the engine has carried it out.
    pub(crate) granted: bool,
    /// How often it may still jump backwards.
    jumps: u32,
}

impl Machine {
    /// Runs `thread` until it has announced its next operation, or has ended.
    pub(crate) fn run(&mut self, thread: ThreadId, granted: bool) -> Result<(), Failure> {
        let code = self.code_to_run.take().unwrap_or_else(|| Arc::clone(&self.code));
        let result = self.run_code(&code, thread, granted);
        self.code_to_run = Some(code);
        result
    }

    fn run_code(&mut self, code: &Code, thread: ThreadId, granted: bool) -> Result<(), Failure> {
        let Some(&frame) = self.threads[thread].frames.last() else { return Ok(()) };
        let Some(body) = code.body(frame.function) else { return Ok(()) };
        let lanes = std::mem::take(&mut self.threads[thread].lanes);
        let registers = Registers::new(lanes, frame.base as usize, &code.pool);
        let jumps = self.settings.local_jumps;
        let mut run = Run { code, body, registers, thread, pc: frame.pc as usize, granted, jumps };
        let result = self.execute(&mut run);
        let this = &mut self.threads[thread];
        this.lanes = run.registers.lanes;
        if let Some(frame) = this.frames.last_mut() {
            frame.pc = run.pc as u32;
        }
        result.map_err(|failure| self.locate_failure(thread, failure))
    }

    fn execute(&mut self, run: &mut Run<'_>) -> Result<(), Failure> {
        loop {
            match run.body.instructions[run.pc] {
                Instruction::Binary { op, width, to, a, b } => {
                    let (a, b) = (run.registers.get(a), run.registers.get(b));
                    match arithmetic::binary(op, width.into(), a, b) {
                        Ok(cell) => run.registers.set(to, cell),
                        Err(fault) => return Err(fault.into()),
                    }
                }
                Instruction::Compare { predicate, width, to, a, b } => {
                    let (a, b) = (run.registers.get(a), run.registers.get(b));
                    run.registers.set(to, arithmetic::compare(predicate, width.into(), a, b));
                }
                Instruction::Cast { op, from, width, to, a } => {
                    let value = run.registers.get(a);
                    run.registers.set(to, arithmetic::cast(op, from.into(), width.into(), value));
                }
                Instruction::Move { to, from } => {
                    let value = run.registers.get(from);
                    run.registers.set(to, value);
                }
                Instruction::Offset { to, base, offset } => {
                    let base = run.registers.get(base);
                    run.registers.set(to, Cell { bits: base.bits.wrapping_add_signed(offset), ..base });
                }
                Instruction::Index { to, base, offset, index, stride } => {
                    run.registers.index(to, base, offset, index, stride);
                }
                Instruction::Jump(to) => {
                    self.jump(run, to)?;
                    continue;
                }
                Instruction::Branch { condition, then, otherwise } => {
                    let condition = run.registers.get(condition);
                    if !condition.is_defined() {
                        return Err(undecided("a branch"));
                    }
                    self.jump(run, if condition.bits != 0 { then } else { otherwise })?;
                    continue;
                }
                Instruction::Load { to, address, size, ordering } => {
                    match self.load(run, to, address, size, ordering)? {
                        Went::On => {}
                        Went::Announced => return Ok(()),
                    }
                }
                Instruction::Store { address, value, size, ordering } => {
                    match self.store(run, address, value, size, ordering)? {
                        Went::On => {}
                        Went::Announced => return Ok(()),
                    }
                }
                _ => match self.execute_rare(run)? {
                    Flow::Next => {}
                    Flow::Moved => continue,
                    Flow::Stop => return Ok(()),
                },
            }
            run.pc += 1;
        }
    }

    fn execute_rare(&mut self, run: &mut Run<'_>) -> Result<Flow, Failure> {
        let went = match run.body.instructions[run.pc] {
            Instruction::General(index) => {
                arithmetic::general(run.code.generals[index as usize], &mut run.registers)?;
                Went::On
            }
            Instruction::Select { to, condition, then, otherwise, lanes } => {
                select(run, to, condition, then, otherwise, lanes);
                Went::On
            }
            Instruction::ThreadLocal { to, global, offset } => {
                let object = self.thread_local(run.thread, global);
                run.registers.set(to, Cell::new(address_of(object).wrapping_add_signed(offset)));
                Went::On
            }
            Instruction::Rmw { op, to, address, value, width, unused, ordering } => {
                self.rmw(run, (op, unused, ordering), to, address, value, width)?
            }
            Instruction::Await(index) => self.await_access(run, index)?,
            Instruction::Assume { condition, round } => self.assume(run, condition, round)?,
            Instruction::Round { to } => {
                run.registers.set(to, Cell::new(self.steps.len() as u64));
                Went::On
            }
            Instruction::FailWeakly { to, flag, address, size, ordering } => {
                self.fail_weakly(run, [to, flag], address, size, ordering)?
            }
            Instruction::CompareExchange { to, flag, address, expected, new, size, orderings } => {
                self.compare_exchange(run, [to, flag], address, [expected, new], size, orderings)?
            }
            Instruction::Fence(ordering) => self.fence(run, ordering),
            Instruction::CompilerBarrier(ordering) => {
                self.note_fence(run.thread, ordering);
                Went::On
            }
            Instruction::Scope { lane, mark } => self.scope(run, lane, mark)?,
            Instruction::Alloca { to, slot, count } => self.alloca(run, to, slot, count)?,
            Instruction::CopyMemory { to, from, length } => {
                let [to, from, length] = [to, from, length].map(|operand| run.registers.get(operand));
                self.copy_instruction(run, to, from, length)?
            }
            Instruction::SetMemory { to, byte, length } => {
                let [to, byte, length] = [to, byte, length].map(|operand| run.registers.get(operand));
                self.set_instruction(run, to, byte, length)?
            }
            Instruction::VariadicArea { to } => {
                let area = self.threads[run.thread].frames.last().map_or(0, |frame| frame.variadic);
                run.registers.set(to, Cell::new(area));
                Went::On
            }
            Instruction::Call(index) => return self.call(run, index),
            Instruction::Return(span) => return self.return_from(run, span),
            Instruction::Switch { value, lanes, table } => {
                let target = switch(run, value, lanes, table)?;
                self.jump(run, target)?;
                return Ok(Flow::Moved);
            }
            Instruction::Unreachable => return Err(unreachable()),
            _ => Went::On,
        };
        Ok(match went {
            Went::On => Flow::Next,
            Went::Announced => Flow::Stop,
        })
    }

    #[inline(always)]
    pub(crate) fn jump(&mut self, run: &mut Run<'_>, to: u32) -> Result<(), Failure> {
        if to as usize <= run.pc {
            match run.jumps.checked_sub(1) {
                Some(left) => {
                    run.jumps = left;
                    if left % JUMPS_PER_LOOK == 0 {
                        self.look_through_log();
                        self.look_for_cancellation()?;
                    }
                }
                None => return Err(endless(self.settings.local_jumps)),
            }
        }
        run.pc = to as usize;
        Ok(())
    }

    /// Whether to go on in the middle of a step.
    ///
    /// # Errors
    /// When everything is to end.
    #[cold]
    pub(crate) fn look_for_cancellation(&self) -> Result<(), Failure> {
        if self.settings.cancelled.load(Ordering::Relaxed) {
            return Err(Failure::new(BugKind::StepLimit, "it was stopped in the middle of a step"));
        }
        Ok(())
    }

    fn alloca(&mut self, run: &mut Run<'_>, to: u32, slot: SlotId, count: Option<Operand>) -> Result<Went, Failure> {
        if count.is_some() {
            self.look_for_vacancies(run);
        }
        let count = count.map_or(Cell::new(1), |count| run.registers.get(count));
        if !count.is_defined() {
            return Err(undecided("the size of an object"));
        }
        let thread = run.thread;
        let Some(frame) = self.threads[thread].frames.last() else { return Ok(Went::On) };
        let (function, older) = (frame.function, frame.objects);
        let size = self.module.function(function).body.as_ref().map_or(0, |body| body.slot(slot).size);
        let object = self.birth(thread, size.saturating_mul(count.bits), Origin::Stack(function, slot), false)?;
        self.memory.object_mut(object).state.link = older;
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.objects = Some(object);
        }
        run.registers.set(to, Cell::new(address_of(object)));
        Ok(Went::On)
    }
}

/// How often a thread jumps backwards within a step for each look whether everything is to end, and whether the log is long.
const JUMPS_PER_LOOK: u32 = 1 << 10;

/// Where an instruction leads.
pub(crate) enum Flow {
    /// To the next one.
    Next,
    /// To the one that it has set.
    Moved,
    /// Nowhere for now.
    Stop,
}

/// A decision depends on a value that was never set.
pub(crate) fn undecided(what: &str) -> Failure {
    Failure::new(BugKind::Uninitialised, format!("{what} depends on an uninitialised value"))
}

#[cold]
fn unreachable() -> Failure {
    Failure::new(BugKind::Abort, "control reaches a place that the program promises not to reach")
}

#[cold]
fn endless(limit: u32) -> Failure {
    let message = format!("a loop went round {limit} times without doing anything that another thread could notice");
    Failure::new(BugKind::StepLimit, message)
}

fn select(run: &mut Run<'_>, to: u32, condition: Operand, then: Operand, otherwise: Operand, lanes: u8) {
    let condition = run.registers.get(condition);
    let chosen = if condition.bits & 1 == 1 { then } else { otherwise };
    for lane in 0..u32::from(lanes) {
        let mut value = run.registers.get(Operand(chosen.0 + lane));
        if !condition.is_defined() {
            let other = run.registers.get(Operand(if chosen == then { otherwise.0 } else { then.0 } + lane));
            value.undef |= other.undef | value.bits ^ other.bits;
        }
        run.registers.set(to + lane, value);
    }
}

fn switch(run: &Run<'_>, value: Operand, lanes: u8, table: u32) -> Result<u32, Failure> {
    let low = run.registers.get(value);
    let high = if lanes == 2 { run.registers.get(value.high()) } else { Cell::new(0) };
    if !low.is_defined() || !high.is_defined() {
        return Err(undecided("a switch"));
    }
    let wanted = u128::from(low.bits) | u128::from(high.bits) << 64;
    let table = &run.code.tables[table as usize];
    let found = table.cases.binary_search_by_key(&wanted, |case| case.0);
    Ok(found.map_or(table.default, |index| table.cases[index].1))
}
