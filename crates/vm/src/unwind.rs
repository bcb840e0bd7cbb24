//! Unwinding: an exception passes through the functions of its thread to the landing pad at which it ends.
//!
//! A call that an exception can leave is followed by a test whether one has left it (`UNWINDS`, in `everyway-ir`),
//! whose arguments describe the landing pad. First the pad that catches the exception is searched for: if there is
//! none, the program ends where it was thrown. Then functions are left up to the next pad that catches it, or that only
//! cleans up and continues with `_Unwind_Resume`.

use crate::access::Request;
use crate::cell::Cell;
use crate::code::{Callee, Instruction};
use crate::exception::Exception;
use crate::failure::Failure;
use crate::interpret::{Flow, Run};
use crate::library::Destination;
use crate::machine::Machine;
use crate::memory::Life;
use crate::thread::Back;
use everyway_ir::UNWINDS;
use everyway_report::BugKind;
use everyway_runtime::{ThreadId, Verb};

/// A landing pad that an exception comes to.
#[derive(Clone, Copy, Debug)]
struct Landing {
    /// The frame that it is in.
    depth: usize,
    /// What it catches the exception as.
    caught: Option<Caught>,
}

/// As what an exception is caught.
#[derive(Clone, Copy, Debug)]
struct Caught {
    /// The description of the type in the clause; 0 if it catches all.
    class: u64,
    /// What the handler is given.
    object: u64,
}

impl Machine {
    /// Leaves functions up to the next landing pad of the exception that is under way in the running thread.
    pub(crate) fn unwind(&mut self, run: &mut Run<'_>) -> Result<Flow, Failure> {
        let thread = run.thread;
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.pc = run.pc as u32;
        }
        let exception = Exception(self.threads[thread].core.exception);
        let landing = self.next_landing(run, exception)?;
        let is_announced = std::mem::take(&mut self.threads[thread].core.leaves);
        if !is_announced && self.announce_unwinding(thread, landing.depth) {
            return Ok(Flow::Stop);
        }
        while self.threads[thread].frames.len() - 1 > landing.depth {
            self.leave_frame(run);
        }
        self.resume_caller(run);
        let (class, object) = landing.caught.map_or((0, 0), |caught| (caught.class, caught.object));
        let core = &mut self.threads[thread].core;
        core.lands = true;
        core.selector = if landing.caught.is_some() { selector_of(class) } else { 0 };
        if landing.caught.is_some() {
            self.set_caught_object(exception, object);
        }
        run.pc += 1;
        Ok(Flow::Moved)
    }

    /// Leaves functions up to the one that a `longjmp` goes to, where `setjmp` returns once more.
    pub(crate) fn jump_back(&mut self, run: &mut Run<'_>, to: Destination) -> Result<Flow, Failure> {
        let thread = run.thread;
        if self.threads[thread].frames[to.depth + 1..].iter().any(|frame| matches!(frame.back, Back::Handler(_))) {
            return Err(Failure::unsupported("`longjmp` leaves a function that the library has called"));
        }
        let is_announced = std::mem::take(&mut self.threads[thread].core.leaves);
        if !is_announced && self.announce_unwinding(thread, to.depth) {
            return Ok(Flow::Stop);
        }
        while self.threads[thread].frames.len() - 1 > to.depth {
            self.leave_frame(run);
        }
        self.resume_caller(run);
        // Every jump counts as one backwards: a loop of jumps ends somewhere, too.
        run.pc = to.instruction as usize;
        self.jump(run, to.instruction)?;
        if let Some(cleanup) = to.cleanup {
            self.threads[thread].core.cleanup = cleanup;
        }
        if let Instruction::Call(index) = run.body.instructions[run.pc] {
            crate::calls::assign_results(run, &run.code.calls[index as usize], &[Cell::new(to.result)]);
        }
        Ok(Flow::Next)
    }

    /// The next landing pad that the exception comes to.
    ///
    /// # Errors
    /// When nothing catches it.
    fn next_landing(&self, run: &Run<'_>, exception: Exception) -> Result<Landing, Failure> {
        let mut first = None;
        for (depth, frame) in self.threads[run.thread].frames.iter().enumerate().rev() {
            if let Some(clauses) = self.clauses(run, depth) {
                let (cleans_up, classes) =
                    clauses.split_first().map_or((false, &[][..]), |it| (it.0.bits & 1 == 1, it.1));
                let caught = self.caught_by(exception, classes)?;
                if caught.is_some() {
                    return Ok(first.unwrap_or(Landing { depth, caught }));
                }
                if cleans_up && first.is_none() {
                    first = Some(Landing { depth, caught });
                }
            }
            if let Back::Handler(_) = frame.back {
                let message = "an exception leaves a function that the library has called, which is not modelled";
                return Err(Failure::unsupported(message));
            }
        }
        let message = format!("an exception is not caught: {}", self.class_name(self.class_of(exception)));
        Err(Failure::new(BugKind::Abort, message))
    }

    /// What is said after the call that a frame is in about its landing pad, if it has one.
    fn clauses(&self, run: &Run<'_>, depth: usize) -> Option<Vec<Cell>> {
        let frame = &self.threads[run.thread].frames[depth];
        let instructions = &run.code.body(frame.function)?.instructions;
        let Instruction::Call(index) = *instructions.get(frame.pc as usize + 1)? else { return None };
        let call = &run.code.calls[index as usize];
        let Callee::Direct(function) = call.callee else { return None };
        if self.module.function(function).name != UNWINDS {
            return None;
        }
        let arguments = call.arguments.of(&run.code.arguments).iter();
        Some(arguments.filter_map(|argument| Some(run.code.pool[argument.value.pooled()?])).collect())
    }

    /// The first of the types that the exception is, or is derived from.
    fn caught_by(&self, exception: Exception, classes: &[Cell]) -> Result<Option<Caught>, Failure> {
        let object = self.payload(exception);
        for class in classes.iter().map(|class| class.bits) {
            let found = if class == 0 { Some(object) } else { self.as_class(object, self.class_of(exception), class)? };
            if let Some(object) = found {
                return Ok(Some(Caught { class, object }));
            }
        }
        Ok(None)
    }

    /// Announces that functions are left, if others can notice that their variables end.
    fn announce_unwinding(&mut self, thread: ThreadId, depth: usize) -> bool {
        if self.started <= 1 || self.is_alone(thread) {
            return false;
        }
        let mut request = Request::new(Verb::Return, 0);
        for left in depth + 1..self.threads[thread].frames.len() {
            let objects = self.threads[thread].frames[left].objects;
            self.add_ends(objects, &mut request);
        }
        let visible = !request.accesses.is_empty() || request.address != 0;
        if visible {
            self.announce(thread, &mut request);
            self.threads[thread].core.leaves = true;
        }
        visible
    }

    /// Leaves the innermost function without a result.
    pub(crate) fn leave_frame(&mut self, run: &Run<'_>) {
        let thread = run.thread;
        let Some(frame) = self.threads[thread].frames.last().copied() else { return };
        let depth = self.threads[thread].frames.len() - 1;
        if depth < self.threads[thread].watermark {
            self.threads[thread].watermark = depth;
            self.save_frame(thread, depth, &run.registers.lanes);
        }
        let mut next = frame.objects;
        while let Some(object) = next {
            self.end_object(object, Life::Left);
            next = self.memory.object(object).state.link;
        }
        self.threads[thread].frames.pop();
    }
}

/// The number that stands for a type in a landing pad.
pub(crate) fn selector_of(class: u64) -> u32 {
    // A description is an object of its own, so its address without the offset tells it from others.
    (class >> crate::memory::STRETCH_BITS) as u32
}
