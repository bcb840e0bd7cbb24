//! Calls: of functions of the program, and of those that it expects of its environment.

use super::library::{Builtin, is_atomic, known, takes_precedence};
use super::memory::Reach;
use super::places::VariableKey;
use super::sync::Performed;
use super::walk::{Flow, Region, Stop, Walk};
use super::{Builder, Owner};
use crate::system::{Access, AccessKind, Action, Choice, FirstInput, Input, POINTER_BITS, RunAs, Unsupported};
use crate::term::Term;
use everyway_ir::{Callee, FunctionId, Instruction, Type, Value};
use smallvec::smallvec;

impl<'m> Builder<'m> {
    /// Whether a function starts threads, or calls one that does.
    pub(super) fn starts_threads(&self, function: FunctionId, seen: &mut Vec<FunctionId>) -> bool {
        if seen.contains(&function) {
            return false;
        }
        seen.push(function);
        let declared = self.module.function(function);
        let Some(body) = &declared.body else {
            return matches!(known(&declared.name), Some(Builtin::Create(..)));
        };
        let instructions = body.blocks.iter().flat_map(|block| &block.instructions);
        instructions.into_iter().any(|instruction| self.call_starts_threads(instruction, seen))
    }

    pub(super) fn call_starts_threads(&self, instruction: &Instruction, seen: &mut Vec<FunctionId>) -> bool {
        match &instruction.operation {
            everyway_ir::Operation::Call { callee: Callee::Direct(callee), .. } => self.starts_threads(*callee, seen),
            _ => false,
        }
    }

    fn callee(&mut self, walk: &Walk, callee: &Callee) -> Result<Option<FunctionId>, Unsupported> {
        let pointer = match callee {
            Callee::Direct(function) => return Ok(Some(*function)),
            Callee::Indirect(pointer) => self.value(walk, *pointer)?,
        };
        Ok(self.function_at(pointer))
    }

    pub(super) fn function_at(&mut self, pointer: Term) -> Option<FunctionId> {
        let object = self.object_of(pointer);
        let object = self.terms.value(object)?;
        match self.things.get(object as usize)?.owner {
            Owner::Function(function) => Some(function),
            _ => None,
        }
    }

    pub(super) fn execute_call(
        &mut self,
        walk: &mut Walk,
        instruction: &'m Instruction,
        callee: &Callee,
        arguments: &[Value],
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        let Some(function) = self.callee(walk, callee)? else {
            return self.unsupported("a call through a pointer that is not known before the program runs", location);
        };
        let name = self.module.function(function).name.as_str();
        let has_body = self.module.function(function).body.is_some();
        if has_body && !takes_precedence(name) && name != "__VERIFIER_assert" {
            let mut terms = Vec::new();
            for &argument in arguments {
                terms.push(self.value(walk, argument)?);
            }
            if is_atomic(name) {
                walk.begin_section();
            }
            return self.enter(walk, function, &terms, location);
        }
        let Some(known) = known(name) else {
            return self.unsupported(format!("`{name}` is not modelled by bmc"), location);
        };
        let mut terms = Vec::new();
        // What is printed may have any type.
        for &argument in arguments.iter().filter(|_| !matches!(known, Builtin::Print(_) | Builtin::Nothing)) {
            terms.push(self.value(walk, argument)?);
        }
        if !known.accepts(&self.terms, &terms) {
            return self.unsupported(format!("the arguments of `{name}` do not fit"), location);
        }
        if let Builtin::Print(from) = known {
            return self.print(walk, instruction, arguments.get(from..).unwrap_or_default());
        }
        self.carry_out(walk, instruction, known, &terms, region)
    }

    /// Carries out a function of the environment, up to where others can notice it.
    fn carry_out(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        known: Builtin,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        match known {
            Builtin::Nothing => self.give(walk, instruction, 0),
            Builtin::Nondet if self.alone => self.first_input(walk, instruction),
            Builtin::Nondet => Ok(Flow::Stop(Stop::Visible)),
            Builtin::Create(_) | Builtin::CreateKey if self.is_parted => Ok(Flow::Stop(Stop::Cut)),
            Builtin::Create(shape) => self.create(walk, instruction, arguments, shape, region),
            Builtin::Join(_) | Builtin::Detach => Ok(Flow::Stop(Stop::Visible)),
            Builtin::This => self.give(walk, instruction, walk.thread as u128 + 1),
            Builtin::SameThread => {
                self.compare_threads(walk, instruction, arguments);
                Ok(Flow::Next)
            }
            Builtin::InitAttributes => {
                let joinable = self.terms.constant(POINTER_BITS, 0);
                self.set_attributes(walk, instruction, (arguments[0], joinable), region)
            }
            Builtin::SetDetached => {
                let detached = self.terms.extend_zero(arguments[1], POINTER_BITS);
                self.set_attributes(walk, instruction, (arguments[0], detached), region)
            }
            Builtin::Sync(op) => self.reach_sync(walk, instruction, op, arguments, region),
            Builtin::BeginSection => {
                walk.begin_section();
                Ok(Flow::Next)
            }
            Builtin::EndSection => {
                walk.end_section();
                Ok(Flow::Next)
            }
            Builtin::CreateKey => self.create_key(walk, instruction, arguments, region),
            Builtin::SetSpecific => self.set_specific(walk, instruction, (arguments[0], arguments[1]), region),
            Builtin::GetSpecific => self.get_specific(walk, instruction, arguments[0], region),
            Builtin::ExitThread => {
                self.return_from_thread(walk, arguments.first().copied(), region)?;
                self.leave_all(walk)?;
                self.end_thread(walk, Stop::Ended)
            }
            Builtin::ExitProgram => Ok(Flow::Stop(Stop::Exited)),
            Builtin::Print(_) => Ok(Flow::Next),
            Builtin::Assume => {
                let not = self.is_zero(walk, arguments[0]);
                Ok(self.assume_not(walk, not, region))
            }
            Builtin::Assert => {
                let not = self.is_zero(walk, arguments[0]);
                Ok(if self.fail_if(walk, not, region) { Flow::Next } else { Flow::Failed })
            }
            Builtin::Abort if self.is_verification_task => Ok(Flow::Stop(Stop::Stuck)),
            Builtin::Fail | Builtin::Abort => {
                region.fail(walk, walk.guard);
                Ok(Flow::Failed)
            }
            Builtin::Malloc | Builtin::Calloc => self.allocate(walk, instruction, known, arguments),
            Builtin::Free => self.free(walk, arguments[0], region),
        }
    }

    /// An input from before the first step, which does not change.
    fn first_input(&mut self, walk: &mut Walk, instruction: &Instruction) -> Result<Flow, Unsupported> {
        let input = self.input(walk, instruction)?;
        self.rigid.insert(input.term);
        self.first_inputs.push(FirstInput { input, when: walk.guard });
        let value = self.terms.extract(input.term, 0, input.bits);
        self.give_input(walk, instruction, input, value);
        Ok(Flow::Next)
    }

    /// Leaves all functions of a thread.
    fn leave_all(&mut self, walk: &mut Walk) -> Result<(), Unsupported> {
        while !walk.frames.is_empty() {
            self.forget_variables(walk)?;
            walk.frames.pop();
        }
        Ok(())
    }

    /// Whether two handles are of the same thread.
    fn compare_threads(&mut self, walk: &mut Walk, instruction: &Instruction, handles: &[Term]) {
        let [a, b] = [0, 1].map(|it| self.terms.extend_zero(handles[it], POINTER_BITS));
        let same = self.terms.equal(a, b);
        if let Some(&reg) = instruction.results.first() {
            let same = self.terms.extend_zero(same, 32);
            walk.set(reg, same);
        }
    }

    /// Writes whether threads are to be detached into attributes, which are memory like any other.
    fn set_attributes(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        (attributes, detached): (Term, Term),
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let detached = self.terms.extract(detached, 0, 32);
        match self.valid_reach(walk, attributes, 4, region)? {
            Err(flow) => return Ok(flow),
            Ok(Reach::Shared) => return Ok(Flow::Stop(Stop::Visible)),
            Ok(Reach::Own) => self.write_own(walk, attributes, detached),
        }
        self.give(walk, instruction, 0)
    }

    /// That a condition, which decides how the thread goes on, does not hold.
    fn is_zero(&mut self, walk: &Walk, condition: Term) -> Term {
        let zero = self.terms.constant(self.terms.width(condition), 0);
        let not = self.terms.equal(condition, zero);
        self.decides(walk, not);
        not
    }

    /// Where the condition holds the thread does not go on.
    pub(super) fn assume_not(&mut self, walk: &mut Walk, condition: Term, region: &mut Region) -> Flow {
        // What comes after it must not be part of the first state that an invariant is asked about.
        if self.alone && self.setup.invariant.is_some() && self.terms.value(condition).is_none() {
            return Flow::Stop(Stop::Cut);
        }
        let mut stuck = walk.clone();
        stuck.guard = self.terms.and(walk.guard, condition);
        if !self.terms.is_false(stuck.guard) {
            region.stops.push((stuck, Stop::Stuck));
        }
        let holds = self.terms.not(condition);
        walk.guard = self.terms.and(walk.guard, holds);
        if self.terms.is_false(walk.guard) { Flow::Failed } else { Flow::Next }
    }

    /// What is printed goes nowhere. Text that is shared would be read in visible steps.
    fn print(&mut self, walk: &mut Walk, instruction: &Instruction, arguments: &[Value]) -> Result<Flow, Unsupported> {
        let frame = walk.frames.last().expect("a path that goes on is in a function");
        let body = self.body(frame.function);
        for &argument in arguments {
            if argument.ty(body) != Some(Type::Ptr) {
                continue;
            }
            let pointer = self.value(walk, argument)?;
            let object = self.object_of(pointer);
            let mut found = Vec::new();
            let is_known = self.terms.leaves(object, &mut found);
            let owner = |thing: &u32| self.things.get(*thing as usize).map(|thing| thing.owner);
            if !is_known || found.iter().any(|thing| !matches!(owner(thing), Some(Owner::Constant | Owner::Null))) {
                let what = "printing something that is reached by a pointer is not supported by bmc";
                return self.unsupported(what, instruction.location);
            }
        }
        if let Some(&reg) = instruction.results.first() {
            let length = self.undefined(walk, 32);
            walk.set(reg, length);
        }
        Ok(Flow::Next)
    }

    /// The call returns this number.
    pub(super) fn give(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        value: u128,
    ) -> Result<Flow, Unsupported> {
        let frame = walk.frames.last().expect("a path that goes on is in a function");
        let body = self.body(frame.function);
        for &reg in &instruction.results {
            let term = self.terms.constant(body.register(reg).ty.bits(), value);
            walk.set(reg, term);
        }
        Ok(Flow::Next)
    }

    fn give_input(&mut self, walk: &mut Walk, instruction: &Instruction, input: Input, value: Term) {
        if let Some(&reg) = instruction.results.first() {
            let frame = walk.frames.last().expect("a path that goes on is in a function");
            let width = self.body(frame.function).register(reg).ty.bits();
            debug_assert!(input.bits <= width, "an input fits its register");
            let value = self.terms.extend_zero(value, width);
            walk.set(reg, value);
        }
    }

    /// A value from outside, for the call.
    fn input(&mut self, walk: &Walk, instruction: &Instruction) -> Result<Input, Unsupported> {
        let frame = walk.frames.last().expect("a path that goes on is in a function");
        let ty = instruction.results.first().map(|&reg| self.body(frame.function).register(reg).ty);
        let ty = ty.unwrap_or(Type::I64);
        if ty.is_float() {
            return self.unsupported("floating point is not supported by bmc", instruction.location);
        }
        let everyway_ir::Operation::Call { callee, .. } = &instruction.operation else {
            return self.unsupported("an input that is no call", instruction.location);
        };
        let function = self.callee(walk, callee)?;
        let name = function.map_or("", |function| self.module.function(function).name.as_str());
        let is_bool = matches!(name, "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool");
        let bits = if is_bool { 1 } else { ty.bits().min(64) };
        let term = match self.alone {
            true => self.terms.variable(format!("input{}", self.first_inputs.len()), 64),
            false => self.variable(VariableKey::Input { thread: walk.thread, origin: walk.origin }, "input", 64),
        };
        Ok(Input { term, bits, is_bool })
    }

    /// The action of a place before a call, which is carried out.
    pub(super) fn perform_call(
        &mut self,
        walk: &mut Walk,
        instruction: &'m Instruction,
        region: &mut Region,
    ) -> Result<Performed, Unsupported> {
        let location = instruction.location;
        let everyway_ir::Operation::Call { callee, arguments, .. } = &instruction.operation else {
            return self.unsupported("a visible step that is no call", location);
        };
        let mut terms = Vec::new();
        for &argument in arguments {
            terms.push(self.value(walk, argument)?);
        }
        let function = self.callee(walk, callee)?;
        let name = function.map_or("", |function| self.module.function(function).name.as_str());
        Ok(Performed::next(match known(name) {
            Some(Builtin::Nondet) => {
                let input = self.input(walk, instruction)?;
                let value = self.terms.extract(input.term, 0, input.bits);
                self.give_input(walk, instruction, input, value);
                Action { choice: Choice::Input(input), run_as: RunAs::One, ..Action::default() }
            }
            Some(Builtin::Create(shape)) => self.perform_create(walk, instruction, &terms, shape, region)?,
            Some(Builtin::Join(bytes)) => self.perform_join(walk, instruction, &terms, bytes, region)?,
            Some(Builtin::Detach) => self.perform_detach(walk, instruction, terms[0])?,
            Some(Builtin::Free) => self.perform_free(walk, terms[0], region)?,
            Some(Builtin::Sync(op)) => return self.perform_sync(walk, instruction, op, &terms, region),
            Some(known @ (Builtin::InitAttributes | Builtin::SetDetached)) => {
                let number = match known {
                    Builtin::SetDetached => self.terms.extend_zero(terms[1], POINTER_BITS),
                    _ => self.terms.constant(POINTER_BITS, 0),
                };
                let number = self.terms.extract(number, 0, 32);
                self.give(walk, instruction, 0)?;
                self.perform_store(walk, terms[0], number)
            }
            _ => return self.unsupported(format!("`{name}` is not modelled by bmc"), location),
        }))
    }

    /// The action that writes an `int` where others can see it.
    fn perform_store(&mut self, walk: &Walk, address: Term, value: Term) -> Action {
        let bytes = self.terms.width(value) / 8;
        let old = self.old(walk, 0, 8 * bytes);
        let divisor = self.aligned_divisor(address, bytes);
        let kind = AccessKind::Memory;
        let access = Access { kind, address, bytes, is_plain: true, divisor, old, new: Some(value), enabled: None };
        Action { accesses: smallvec![access], run_as: RunAs::One, ..Action::default() }
    }
}
