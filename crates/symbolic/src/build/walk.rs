//! Local execution: from one place of a thread along all paths to the next ones.
//!
//! Registers hold terms. Where a condition is a constant there is one path; else there are two, each with its guard.
//! A loop without visible steps is followed as long as its conditions are constants, and cut otherwise: where it
//! comes by again becomes a place.

use super::alone::Past;
use super::memory::Reach;
use super::sections::Sections;
use super::{Builder, Site, Undefined};
use crate::system::{Published, Started, Unsupported};
use crate::term::Term;
use everyway_ir::{
    BinaryOp, Block, BlockId, Body, CastOp, FunctionId, Instruction, Operation, Reg, SourceLocation, Type, Value,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// How many instructions may be executed between two places.
const BUDGET: u32 = 200_000;
/// After how many instructions of a path the limit is looked at.
const PERIOD: u32 = 64;
/// How many paths there may be between two places.
const PATHS: usize = 4_096;

/// A function that is being executed.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) function: FunctionId,
    /// By which calls it was reached.
    pub(super) call: u32,
    pub(super) block: BlockId,
    /// The instruction to execute, or the call that is being executed.
    pub(super) index: usize,
    pub(super) registers: FxHashMap<Reg, Term>,
}

impl Frame {
    /// Where it stands.
    pub(super) fn site(&self) -> Site {
        Site { call: self.call, block: self.block, index: self.index }
    }
}

/// Objects as one thread has them. While there are no others, these are all that were written.
pub(super) type Memory = FxHashMap<u32, Rc<Vec<Term>>>;

/// A path.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub(super) thread: usize,
    pub(super) frames: Vec<Frame>,
    /// The memory of the thread.
    pub(super) memory: Memory,
    pub(super) guard: Term,
    /// How often the path has divided.
    pub(super) forks: u32,
    /// How often it had, when a block was last entered.
    pub(super) visited: FxHashMap<(u32, BlockId), u32>,
    pub(super) budget: u32,
    /// How many threads it has started.
    pub(super) births: u32,
    /// The objects of the thread that others can reach by now, in order.
    pub(super) published: Vec<u32>,
    /// The place it comes from, as a number; 0 for the start of the program.
    pub(super) origin: u32,
    /// The atomic sections it is in.
    pub(super) sections: Sections,
    /// How many steps it has passed that are steps only for a machine that runs the program.
    pub(super) passed: u32,
    /// Which of its steps the call is at that the path stops before.
    pub(super) stage: u32,
    /// What the thread returns.
    pub(super) result: Option<Term>,
    /// How many values of the thread it has destroyed.
    pub(super) rounds: u32,
    /// Where it has allocated memory: call, block and instruction.
    pub(super) allocations: Vec<Site>,
    /// What it has done while it was the only one.
    pub(super) past: Past,
}

/// Where a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Before something visible.
    Visible,
    /// In the middle of a loop, or where the first thread's way depends on input.
    Cut,
    Ended,
    /// At the end of the program.
    Exited,
    Stuck,
}

/// All paths from a place.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub(super) stops: Vec<(Walk, Stop)>,
    pub(super) fails: Vec<Term>,
    /// What paths that fail have passed: thread, condition and how many steps.
    pub(super) passed: Vec<(usize, Term, u32)>,
    pub(super) unsupported: Vec<(Term, Unsupported)>,
    pub(super) born: Vec<Started>,
    /// What is done about the ends of threads that are started: variable, condition and value.
    pub(super) settled: Vec<(Term, Term, Term)>,
    pub(super) published: Vec<Published>,
}

impl Region {
    /// A path fails, when the condition holds.
    pub(super) fn fail(&mut self, walk: &Walk, when: Term) {
        self.fails.push(when);
        if walk.passed > 0 {
            self.passed.push((walk.thread, when, walk.passed));
        }
    }
}

/// What an instruction comes to.
pub(super) enum Flow {
    /// The path goes on with the next instruction.
    Next,
    /// The path goes on where it was sent.
    Moved,
    /// The path ends before the instruction.
    Stop(Stop),
    /// The path ends with a failure.
    Failed,
}

impl Walk {
    pub(super) fn new(thread: usize, guard: Term, origin: u32) -> Self {
        Self {
            thread,
            frames: Vec::new(),
            memory: Memory::default(),
            guard,
            forks: 0,
            visited: FxHashMap::default(),
            budget: BUDGET,
            births: 0,
            published: Vec::new(),
            origin,
            sections: Sections::default(),
            passed: 0,
            stage: 0,
            result: None,
            rounds: 0,
            allocations: Vec::new(),
            past: Past::default(),
        }
    }

    /// The path begins where it stands: to come by the beginning of this block again is to go round a loop.
    pub(super) fn begin(&mut self) {
        if let Some(frame) = self.frames.last().filter(|frame| frame.index == 0) {
            self.visited.insert((frame.call, frame.block), 0);
        }
    }

    pub(super) fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a path that goes on is in a function")
    }

    pub(super) fn set(&mut self, reg: Reg, term: Term) {
        self.top().registers.insert(reg, term);
    }
}

impl<'m> Builder<'m> {
    pub(super) fn body(&self, function: FunctionId) -> &'m Body {
        self.module.function(function).body.as_ref().expect("only functions with bodies are entered")
    }

    pub(super) fn block(&self, frame: &Frame) -> &'m Block {
        self.body(frame.function).block(frame.block)
    }

    /// Where the path is in the source.
    pub(super) fn here(&self, walk: &Walk) -> Option<SourceLocation> {
        let frame = walk.frames.last()?;
        let block = self.block(frame);
        match block.instructions.get(frame.index) {
            Some(instruction) => instruction.location,
            None => block.terminator.location,
        }
    }

    /// Ends the analysis if the limit is reached.
    pub(super) fn go_on(&mut self) -> Result<(), Unsupported> {
        if self.setup.limit.is_reached() {
            self.is_stopped = true;
            return self.unsupported("the analysis was stopped", None);
        }
        Ok(())
    }

    /// Follows all paths from `walk` on.
    pub(super) fn run(&mut self, walk: Walk, region: &mut Region) -> Result<(), Unsupported> {
        let mut work = vec![walk];
        self.go_on()?;
        while let Some(mut walk) = work.pop() {
            loop {
                self.count_instruction(&mut walk)?;
                match self.step(&mut walk, region, &mut work)? {
                    Flow::Next => walk.top().index += 1,
                    Flow::Moved => {}
                    Flow::Failed => break,
                    Flow::Stop(stop) => {
                        region.stops.push((walk, stop));
                        break;
                    }
                }
            }
            if region.stops.len() + work.len() > PATHS {
                let location = work.last().and_then(|walk| self.here(walk));
                return self.unsupported("there are too many ways from one visible step to the next", location);
            }
        }
        Ok(())
    }

    /// One instruction more on a path.
    pub(super) fn count_instruction(&mut self, walk: &mut Walk) -> Result<(), Unsupported> {
        if walk.budget == 0 {
            let location = self.here(walk);
            return self.unsupported("a loop that takes very long without a visible step", location);
        }
        walk.budget -= 1;
        if walk.budget.is_multiple_of(PERIOD) {
            self.go_on()?;
        }
        Ok(())
    }

    pub(super) fn step(
        &mut self,
        walk: &mut Walk,
        region: &mut Region,
        work: &mut Vec<Walk>,
    ) -> Result<Flow, Unsupported> {
        let Some(frame) = walk.frames.last() else { return Ok(Flow::Stop(Stop::Ended)) };
        let block = self.block(frame);
        match block.instructions.get(frame.index) {
            Some(instruction) => self.execute(walk, instruction, region),
            None => self.terminate(walk, block, work, region),
        }
    }

    pub(super) fn value(&mut self, walk: &Walk, value: Value) -> Result<Term, Unsupported> {
        let location = self.here(walk);
        Ok(match value {
            Value::Reg(reg) => {
                let known = walk.frames.last().and_then(|frame| frame.registers.get(&reg));
                *known.expect("a register is assigned before it is used")
            }
            Value::Const { ty: Type::F32 | Type::F64, .. } | Value::Undef(Type::F32 | Type::F64) => {
                return self.unsupported("floating point is not supported by bmc", location);
            }
            Value::Const { ty, bits } => self.terms.constant(ty.bits(), bits),
            Value::Address { symbol, offset } => {
                if let everyway_ir::Symbol::Global(id) = symbol {
                    let global = self.module.global(id);
                    if global.thread_local {
                        return self.unsupported("thread-local variables are not supported by bmc", location);
                    }
                    if global.initialiser.is_none() {
                        let what = format!("`{}` is not defined in the program", global.name);
                        return self.unsupported(what, location);
                    }
                }
                self.address(symbol, offset)
            }
            Value::Undef(ty) => self.undefined(walk, ty.bits()),
        })
    }

    /// No particular value: the same at one place in the program.
    pub(super) fn undefined(&mut self, walk: &Walk, width: u32) -> Term {
        let key = Undefined::Operand { thread: walk.thread, site: walk.frames.last().map(Frame::site), width };
        if let Some(&term) = self.undefined.get(&key) {
            return term;
        }
        let term = self.terms.variable("uninitialised", width);
        self.rigid.insert(term);
        self.undefined.insert(key, term);
        term
    }

    /// Fails where the condition holds; whether the path goes on where it does not.
    pub(super) fn fail_if(&mut self, walk: &mut Walk, condition: Term, region: &mut Region) -> bool {
        if self.terms.is_false(condition) {
            return true;
        }
        let fails = self.terms.and(walk.guard, condition);
        region.fail(walk, fails);
        let not = self.terms.not(condition);
        walk.guard = self.terms.and(walk.guard, not);
        !self.terms.is_false(walk.guard)
    }

    /// Whether the path must become a place here: there is only one thread yet, and which object it uses depends on
    /// input.
    pub(super) fn must_cut(&mut self, pointer: Term) -> bool {
        let object = self.object_of(pointer);
        self.alone && self.terms.value(object).is_none()
    }

    fn execute(
        &mut self,
        walk: &mut Walk,
        instruction: &'m Instruction,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        match &instruction.operation {
            Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::AtomicRmw { .. }
            | Operation::CompareExchange { .. } => self.execute_access(walk, instruction, None, region),
            Operation::Call { callee, arguments, .. } => {
                self.execute_call(walk, instruction, callee, arguments, region)
            }
            Operation::Fence { .. } | Operation::Scope { .. } => Ok(Flow::Next),
            Operation::Alloca { slot, count } => {
                let pointer = self.alloca(walk, *slot, *count)?;
                walk.set(instruction.results[0], pointer);
                Ok(Flow::Next)
            }
            Operation::CopyMemory { to, from, length, .. } => {
                let (to, from, length) = (self.value(walk, *to)?, self.value(walk, *from)?, self.value(walk, *length)?);
                self.copy(walk, to, from, length, region)
            }
            Operation::SetMemory { to, byte, length, .. } => {
                let (to, byte, length) = (self.value(walk, *to)?, self.value(walk, *byte)?, self.value(walk, *length)?);
                self.set_memory(walk, to, byte, length, region)
            }
            Operation::FloatCompare { .. } => self.unsupported("floating point is not supported by bmc", location),
            Operation::Await { access, until, .. } => {
                let access = Instruction { operation: (**access).clone(), ..instruction.clone() };
                self.execute_access(walk, &access, Some(until), region)
            }
            Operation::VariadicArea => self.unsupported("variadic functions are not supported by bmc", location),
            _ => self.compute(walk, instruction, region),
        }
    }

    /// Executes what only computes.
    fn compute(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        let frame = walk.frames.last().expect("a path that goes on is in a function");
        let ty = self.body(frame.function).register(instruction.results[0]).ty;
        let mut operands = SmallVec::<[Term; 4]>::new();
        for value in instruction.operation.values() {
            operands.push(self.value(walk, value)?);
        }
        let mut second = None;
        let result = match &instruction.operation {
            Operation::Binary { op, .. } => {
                let (a, b) = (operands[0], operands[1]);
                if let Some(flow) = self.check_binary(walk, *op, (a, b), region) {
                    return Ok(flow);
                }
                self.binary(*op, a, b)
            }
            Operation::Overflow { op, .. } => self.overflow(*op, operands[0], operands[1]).map(|(result, wrapped)| {
                second = Some(wrapped);
                result
            }),
            Operation::Unary { op, .. } => self.unary(*op, operands[0]),
            Operation::Compare { predicate, .. } => Some(self.compare(*predicate, operands[0], operands[1])),
            Operation::Cast { op, .. } => {
                if *op == CastOp::IntToPtr && !self.is_plain_pointer(operands[0]) {
                    return self.unsupported("a pointer that is combined with other bits", location);
                }
                if *op == CastOp::Trunc && self.was_pointer(walk, &instruction.operation) {
                    let is_address = self.is_address(operands[0]);
                    self.note_unsupported(walk, is_address, "an address of which some bits are left out", region);
                }
                self.cast(*op, operands[0], ty.bits())
            }
            Operation::Select { .. } => Some(self.terms.choose(operands[0], operands[1], operands[2])),
            Operation::Offset { offset, index, .. } => {
                let index = index.map(|index| (operands[1], index.stride));
                let (pointer, too_large) = self.offset(operands[0], *offset, index);
                if let Some(too_large) = too_large {
                    self.note_unsupported(walk, too_large, "an index of more than 32 bits", region);
                }
                Some(pointer)
            }
            _ => None,
        };
        let Some(result) = result.filter(|_| !ty.is_float()) else {
            return self.unsupported("this arithmetic is not supported by bmc", location);
        };
        walk.set(instruction.results[0], result);
        if let (Some(second), Some(&reg)) = (second, instruction.results.get(1)) {
            walk.set(reg, second);
        }
        Ok(Flow::Next)
    }

    /// Notes where an operation fails, or has no result; how the path goes on, if not with a result.
    fn check_binary(
        &mut self,
        walk: &mut Walk,
        op: BinaryOp,
        (a, b): (Term, Term),
        region: &mut Region,
    ) -> Option<Flow> {
        if let Some(fails) = self.binary_fails(op, a, b)
            && !self.fail_if(walk, fails, region)
        {
            return Some(Flow::Failed);
        }
        if let Some(undefined) = self.shift_is_undefined(op, b) {
            self.note_unsupported(walk, undefined, "a shift by the width or more", region);
        }
        None
    }

    /// If the condition holds, what comes is not what the program does.
    pub(super) fn note_unsupported(&mut self, walk: &Walk, condition: Term, what: &str, region: &mut Region) {
        let condition = self.terms.and(walk.guard, condition);
        if !self.terms.is_false(condition) {
            let location = self.here(walk);
            region.unsupported.push((condition, Unsupported { what: what.to_owned(), location }));
        }
    }

    /// The condition decides something: notes if it may depend on what was not initialised.
    pub(super) fn decides(&mut self, walk: &Walk, condition: Term) {
        if self.uninitialised.is_some() || self.undefined.is_empty() || self.terms.value(condition).is_some() {
            return;
        }
        let support = self.terms.support(condition);
        if self.undefined.values().any(|undefined| support.contains(undefined)) {
            let location = self.here(walk);
            let what = "something may depend on an uninitialised value, which was taken for any value";
            self.uninitialised = Some(Unsupported { what: what.to_owned(), location });
        }
    }

    /// Whom an access concerns, once it is known to be valid; `None` if it never is, or has to wait for a place.
    pub(super) fn valid_reach(
        &mut self,
        walk: &mut Walk,
        pointer: Term,
        bytes: u32,
        region: &mut Region,
    ) -> Result<Result<Reach, Flow>, Unsupported> {
        let location = self.here(walk);
        self.decides(walk, pointer);
        let valid = self.is_valid(pointer, bytes);
        if self.must_cut(pointer) {
            return Ok(Err(Flow::Stop(Stop::Cut)));
        }
        let invalid = self.terms.not(valid);
        if !self.fail_if(walk, invalid, region) {
            return Ok(Err(Flow::Failed));
        }
        let reach = self.reach(walk, pointer, location)?;
        if reach == Reach::Own && (!self.exists(walk, pointer) || self.is_dead_alone(walk, pointer)) {
            region.fail(walk, walk.guard);
            return Ok(Err(Flow::Failed));
        }
        Ok(Ok(reach))
    }
}
