//! Threads: starting them, waiting for their end, and what they return.

use super::Builder;
use super::library::CreateShape;
use super::memory::Reach;
use super::walk::{Flow, Region, Stop, Walk};
use crate::system::{
    Access, AccessKind, Action, DETACHED, POINTER_BITS, RunAs, SETTLED_BITS, Settles, Settling, Started, Unsupported,
};
use crate::term::Term;
use everyway_ir::{FunctionId, Instruction};
use smallvec::smallvec;

/// `EINVAL`, as on Linux.
const EINVAL: u128 = 22;

impl Builder<'_> {
    /// A thread is started: at once if others cannot notice it.
    pub(super) fn create(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        shape: CreateShape,
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let handle = arguments[0];
        match self.valid_reach(walk, handle, self.module.long_bytes(), region)? {
            Err(flow) => return Ok(flow),
            Ok(Reach::Shared) => return Ok(Flow::Stop(Stop::Visible)),
            Ok(Reach::Own) => {}
        }
        // The handle comes first: with the first thread that is started, memory that is shared is out of reach.
        let is_detached = self.is_detached(walk, instruction, arguments, shape, region)?;
        let start = self.start_of(instruction, arguments[shape.function])?;
        let child = self.child_of(walk, start);
        let number = self.terms.constant(8 * self.module.long_bytes(), child as u128 + 1);
        self.write_own(walk, handle, number);
        self.give_birth(walk, instruction, start, arguments[shape.argument], region)?;
        self.detach_at_birth(walk, child, is_detached, region);
        self.give(walk, instruction, 0)
    }

    /// Whether the attributes say that the end of the thread will not be waited for.
    fn is_detached(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        shape: CreateShape,
        region: &mut Region,
    ) -> Result<bool, Unsupported> {
        let Some(attributes) = shape.attributes.map(|position| arguments[position]) else { return Ok(false) };
        if self.terms.value(attributes) == Some(0) {
            return Ok(false);
        }
        let is_own = matches!(self.valid_reach(walk, attributes, 4, region)?, Ok(Reach::Own));
        let value = if is_own { Some(self.read_own(walk, attributes, 4)) } else { None };
        match value.and_then(|value| self.terms.value(value)) {
            Some(value) => Ok(value == 1),
            None => {
                let what = "a thread is started with attributes that are not known before the program runs";
                self.unsupported(what, instruction.location)
            }
        }
    }

    fn detach_at_birth(&mut self, walk: &mut Walk, child: usize, is_detached: bool, region: &mut Region) {
        if is_detached {
            let detached = self.terms.constant(SETTLED_BITS, DETACHED);
            region.settled.push((self.threads[child].settled, walk.guard, detached));
            // A machine that runs the program takes a step for it, which makes no difference to others.
            walk.passed += 1;
        }
    }

    /// The function that a thread is started with.
    fn start_of(&mut self, instruction: &Instruction, function: Term) -> Result<FunctionId, Unsupported> {
        let Some(start) = self.function_at(function) else {
            let what = "a thread is started with a function that is not known before the program runs";
            return self.unsupported(what, instruction.location);
        };
        if self.module.function(start).body.is_none() {
            let what = format!("`{}` is not defined in the program", self.module.function(start).name);
            return self.unsupported(what, instruction.location);
        }
        Ok(start)
    }

    fn give_birth(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        start: FunctionId,
        argument: Term,
        region: &mut Region,
    ) -> Result<usize, Unsupported> {
        if self.alone {
            self.publish(walk, argument);
            self.end_of_solitude(walk);
        } else {
            self.publish_later(walk, argument, region, instruction.location)?;
        }
        let child = self.child_of(walk, start);
        walk.births += 1;
        if !region.born.iter().any(|started| started.child == child) {
            region.born.push(Started { parent: walk.thread, child, counters: Vec::new() });
        }
        let mut newborn = Walk::new(child, walk.guard, walk.origin);
        let arguments: Vec<Term> =
            self.module.function(start).signature.parameters.first().map(|_| argument).into_iter().collect();
        self.start_with_keys(&mut newborn);
        self.enter(&mut newborn, start, &arguments, instruction.location)?;
        self.run(newborn, region)?;
        Ok(child)
    }

    /// The action that starts a thread by writing its number where others can see it.
    pub(super) fn perform_create(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        shape: CreateShape,
        region: &mut Region,
    ) -> Result<Action, Unsupported> {
        let is_detached = self.is_detached(walk, instruction, arguments, shape, region)?;
        let start = self.start_of(instruction, arguments[shape.function])?;
        let child = self.give_birth(walk, instruction, start, arguments[shape.argument], region)?;
        self.detach_at_birth(walk, child, is_detached, region);
        let bytes = self.module.long_bytes();
        let number = self.terms.constant(8 * bytes, child as u128 + 1);
        let old = self.old(walk, 0, 8 * bytes);
        self.give(walk, instruction, 0)?;
        let divisor = self.aligned_divisor(arguments[0], bytes);
        let (kind, address) = (AccessKind::Memory, arguments[0]);
        let access = Access { kind, address, bytes, is_plain: true, divisor, old, new: Some(number), enabled: None };
        let mut action =
            Action { accesses: smallvec![access], creates: Some(child), run_as: RunAs::One, ..Action::default() };
        self.add_life(walk, arguments[0], &mut action, region);
        Ok(action)
    }

    /// The action that waits for the end of a thread.
    pub(super) fn perform_join(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        bytes: u32,
        region: &mut Region,
    ) -> Result<Action, Unsupported> {
        let (handle, target) = (self.terms.extend_zero(arguments[0], POINTER_BITS), arguments[1]);
        if self.terms.value(target) != Some(0) {
            self.wants_results = true;
            let mut result = self.terms.constant(POINTER_BITS, 0);
            for thread in 0..self.threads.len() {
                let number = self.terms.constant(POINTER_BITS, thread as u128 + 1);
                let is_it = self.terms.equal(handle, number);
                result = self.terms.choose(is_it, self.threads[thread].result, result);
            }
            let result = self.terms.extract(result, 0, 8 * bytes);
            self.write_result(walk, target, result, region, instruction)?;
        }
        self.give(walk, instruction, 0)?;
        let settles = Some(Settles { handle, how: Settling::Join });
        Ok(Action { settles, run_as: RunAs::One, ..Action::default() })
    }

    /// The action after which the end of a thread is not waited for.
    pub(super) fn perform_detach(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        handle: Term,
    ) -> Result<Action, Unsupported> {
        let handle = self.terms.extend_zero(handle, POINTER_BITS);
        self.give(walk, instruction, 0)?;
        let mut result = self.terms.constant(32, EINVAL);
        let (open, fine) = (self.terms.constant(SETTLED_BITS, 0), self.terms.constant(32, 0));
        for thread in 0..self.threads.len() {
            let number = self.terms.constant(POINTER_BITS, thread as u128 + 1);
            let is_it = self.terms.equal(handle, number);
            let is_open = self.terms.equal(self.threads[thread].settled, open);
            let is_fine = self.terms.and(is_it, is_open);
            result = self.terms.choose(is_fine, fine, result);
        }
        if let Some(&reg) = instruction.results.first() {
            walk.set(reg, result);
        }
        let settles = Some(Settles { handle, how: Settling::Detach });
        Ok(Action { settles, run_as: RunAs::One, ..Action::default() })
    }

    /// The thread returns a value, which others may come to know.
    pub(super) fn return_from_thread(
        &mut self,
        walk: &mut Walk,
        value: Option<Term>,
        region: &mut Region,
    ) -> Result<(), Unsupported> {
        let location = self.here(walk);
        let Some(value) = value.filter(|value| self.terms.width(*value) <= POINTER_BITS) else { return Ok(()) };
        let value = self.terms.extend_zero(value, POINTER_BITS);
        if walk.thread != 0 && self.wants_results {
            self.publish_later(walk, value, region, location)?;
        }
        walk.result = Some(value);
        Ok(())
    }
}
