//! Control flow: branches, calls and returns of a path.

use super::library::is_atomic;
use super::walk::{Flow, Frame, Region, Stop, Walk};
use super::{Builder, Call};
use crate::system::Unsupported;
use crate::term::Term;
use everyway_ir::{Block, BlockId, Body, FunctionId, Reg, SourceLocation, TerminatorKind, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

impl<'m> Builder<'m> {
    /// Goes where the end of a block says: all ways that are open.
    pub(super) fn terminate(
        &mut self,
        walk: &mut Walk,
        block: &'m Block,
        work: &mut Vec<Walk>,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let choices: Vec<(Term, BlockId)> = match &block.terminator.kind {
            TerminatorKind::Jump(to) => return self.enter_block(walk, *to),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = self.value(walk, *condition)?;
                self.decides(walk, condition);
                let not = self.terms.not(condition);
                vec![(condition, *then), (not, *otherwise)]
            }
            TerminatorKind::Switch { value, cases, default } => {
                let value = self.value(walk, *value)?;
                self.decides(walk, value);
                self.switch(value, cases, *default)
            }
            TerminatorKind::Return(values) => return self.leave(walk, values, region),
            TerminatorKind::Unreachable => {
                // Getting here is an error in the program.
                region.fail(walk, walk.guard);
                return Ok(Flow::Failed);
            }
        };
        let mut open: Vec<(Term, BlockId)> =
            choices.into_iter().filter(|(condition, _)| !self.terms.is_false(*condition)).collect();
        if open.len() > 1 && self.alone {
            open = self.feasible_ways(walk, open)?;
        } else if open.len() > 1 {
            walk.forks += 1;
        }
        let last = open.pop();
        for (condition, to) in open {
            let mut other = walk.clone();
            other.guard = self.terms.and(walk.guard, condition);
            match self.enter_block(&mut other, to)? {
                _ if self.terms.is_false(other.guard) => {}
                Flow::Stop(stop) => region.stops.push((other, stop)),
                _ => work.push(other),
            }
        }
        let Some((condition, to)) = last else { return Ok(Flow::Failed) };
        walk.guard = self.terms.and(walk.guard, condition);
        if self.terms.is_false(walk.guard) {
            return Ok(Flow::Failed);
        }
        self.enter_block(walk, to)
    }

    /// The ways of a switch, each with its condition.
    fn switch(&mut self, value: Term, cases: &[(u128, BlockId)], default: BlockId) -> Vec<(Term, BlockId)> {
        let width = self.terms.width(value);
        let mut rest = self.terms.bool(true);
        let mut choices = Vec::new();
        for &(bits, to) in cases {
            let case = self.terms.constant(width, bits);
            let equal = self.terms.equal(value, case);
            let not = self.terms.not(equal);
            rest = self.terms.and(rest, not);
            choices.push((equal, to));
        }
        choices.push((rest, default));
        choices
    }

    /// Goes to a block of the same function: its phis take their values.
    fn enter_block(&mut self, walk: &mut Walk, to: BlockId) -> Result<Flow, Unsupported> {
        let frame = walk.frames.last().expect("a path that goes on is in a function");
        let (function, from, call) = (frame.function, frame.block, frame.call);
        let mut taken = Vec::new();
        for phi in &self.body(function).block(to).phis {
            let incoming = phi.incoming.iter().find(|(block, _)| *block == from);
            let value = incoming.map(|(_, value)| *value).expect("a phi has a value for every predecessor");
            taken.push((phi.result, self.value(walk, value)?));
        }
        let frame = walk.top();
        (frame.block, frame.index) = (to, 0);
        frame.registers.extend(taken);
        let before = walk.visited.insert((call, to), walk.forks);
        let divided = before.is_some_and(|before| before < walk.forks);
        Ok(if divided { Flow::Stop(Stop::Cut) } else { Flow::Moved })
    }

    /// Enters a function of the program.
    pub(super) fn enter(
        &mut self,
        walk: &mut Walk,
        function: FunctionId,
        arguments: &[Term],
        location: Option<SourceLocation>,
    ) -> Result<Flow, Unsupported> {
        let name = &self.module.function(function).name;
        if walk.frames.iter().any(|frame| frame.function == function) {
            return self.unsupported(format!("`{name}` calls itself; recursion is not supported by bmc"), location);
        }
        if self.module.function(function).signature.variadic {
            return self.unsupported(format!("`{name}` is variadic, which is not supported by bmc"), location);
        }
        let site = walk.frames.last().map(Frame::site);
        let next = self.calls.len() as u32 + 1;
        let call = *self.calls.entry(Call { thread: walk.thread, site, function }).or_insert(next);
        walk.visited.retain(|(other, _), _| *other != call);
        walk.visited.insert((call, Body::ENTRY), walk.forks);
        let parameters = &self.module.function(function).signature.parameters;
        let mut registers = FxHashMap::default();
        for (index, ty) in parameters.iter().enumerate() {
            let argument = match arguments.get(index) {
                Some(&argument) if self.terms.width(argument) == ty.bits() && !ty.is_float() => argument,
                _ => return self.unsupported(format!("the arguments of `{name}` do not fit"), location),
            };
            registers.insert(Reg::new(index), argument);
        }
        walk.frames.push(Frame { function, call, block: Body::ENTRY, index: 0, registers });
        Ok(Flow::Moved)
    }

    /// A thread ends, after its destructors.
    pub(super) fn end_thread(&mut self, walk: &mut Walk, end: Stop) -> Result<Flow, Unsupported> {
        if end == Stop::Exited {
            return Ok(Flow::Stop(end));
        }
        match self.next_destructor(walk)? {
            None => Ok(Flow::Stop(end)),
            Some((destructor, value)) => {
                let location = self.module.function(destructor).location;
                self.enter(walk, destructor, &[value], location)
            }
        }
    }

    fn leave(&mut self, walk: &mut Walk, values: &[Value], region: &mut Region) -> Result<Flow, Unsupported> {
        let mut results = SmallVec::<[Term; 2]>::new();
        for &value in values {
            results.push(self.value(walk, value)?);
        }
        if walk.frames.len() == 1 {
            self.return_from_thread(walk, results.first().copied(), region)?;
        }
        self.forget_variables(walk)?;
        if walk.frames.pop().is_some_and(|frame| is_atomic(&self.module.function(frame.function).name)) {
            walk.end_section();
        }
        // The end of the first function is that of the program.
        let end = if walk.thread == 0 { Stop::Exited } else { Stop::Ended };
        let Some(frame) = walk.frames.last() else { return self.end_thread(walk, end) };
        let instruction = &self.block(frame).instructions[frame.index];
        for (&reg, &result) in instruction.results.iter().zip(&results) {
            walk.set(reg, result);
        }
        Ok(Flow::Next)
    }
}
