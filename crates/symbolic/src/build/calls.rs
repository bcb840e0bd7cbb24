//! The functions that programs expect of their environment, as far as bmc has them.

use super::memory::{Reach, Target};
use super::places::VariableKey;
use super::walk::{Flow, Region, Stop, Walk};
use super::{Builder, Owner};
use crate::system::{Access, AccessKind, Action, Input, POINTER_BITS, Unsupported};
use crate::term::Term;
use everyway_ir::{Callee, FunctionId, Instruction, Type, Value};
use std::rc::Rc;

/// What memory from the heap is called.
const HEAP: &str = "allocated memory";
/// `EBUSY`, as on Linux, and `thrd_busy`, as glibc has it.
const EBUSY: u128 = 16;
const THRD_BUSY: u128 = 1;

/// What a function of the environment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It starts a thread; the positions of function and argument.
    Create(usize, usize),
    Join,
    Lock,
    TryLock(u128),
    Unlock,
    /// It makes a lock.
    InitLock,
    /// It ends a lock.
    DestroyLock,
    Nondet,
    Assume,
    Assert,
    Fail,
    /// It fails, but rules out the execution in programs for verifiers.
    Abort,
    Malloc,
    Calloc,
    Free,
    /// The thread ends.
    Exit,
    /// It prints.
    Print,
    /// It does nothing that matters here, and returns 0.
    Nothing,
}

fn known(name: &str) -> Option<Known> {
    Some(match name {
        "pthread_create" => Known::Create(2, 3),
        "thrd_create" => Known::Create(1, 2),
        "pthread_join" | "thrd_join" => Known::Join,
        "pthread_mutex_lock" | "mtx_lock" | "pthread_spin_lock" => Known::Lock,
        "pthread_mutex_trylock" | "pthread_spin_trylock" => Known::TryLock(EBUSY),
        "mtx_trylock" => Known::TryLock(THRD_BUSY),
        "pthread_mutex_unlock" | "mtx_unlock" | "pthread_spin_unlock" => Known::Unlock,
        "pthread_mutex_init" | "mtx_init" | "pthread_spin_init" => Known::InitLock,
        "pthread_mutex_destroy" | "mtx_destroy" | "pthread_spin_destroy" => Known::DestroyLock,
        "pthread_exit" | "thrd_exit" => Known::Exit,
        "printf" | "puts" | "putchar" => Known::Print,
        "__VERIFIER_assume" => Known::Assume,
        "__VERIFIER_assert" => Known::Assert,
        "__assert_fail" | "__assert" | "reach_error" | "__VERIFIER_error" => Known::Fail,
        "abort" | "llvm.trap" => Known::Abort,
        "free" => Known::Free,
        "malloc" => Known::Malloc,
        "calloc" => Known::Calloc,
        "sched_yield"
        | "pthread_yield"
        | "usleep"
        | "sleep"
        | "thrd_yield"
        | "pthread_attr_init"
        | "pthread_attr_destroy" => Known::Nothing,
        name if name.starts_with("__VERIFIER_nondet_") => Known::Nondet,
        _ => return None,
    })
}

/// Whether our version of a function is taken even if the program defines one.
fn takes_precedence(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error" | "__VERIFIER_assume") || name.starts_with("__VERIFIER_nondet_")
}

impl<'m> Builder<'m> {
    /// Whether a function starts threads, or calls one that does.
    pub(super) fn starts_threads(&self, function: FunctionId, seen: &mut Vec<FunctionId>) -> bool {
        if seen.contains(&function) {
            return false;
        }
        seen.push(function);
        let declared = self.module.function(function);
        let Some(body) = &declared.body else {
            return matches!(known(&declared.name), Some(Known::Create(..)));
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

    fn function_at(&mut self, pointer: Term) -> Option<FunctionId> {
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
            if name.starts_with("__VERIFIER_atomic") {
                return self.unsupported(format!("`{name}`: atomic sections are not supported by bmc"), location);
            }
            let mut terms = Vec::new();
            for &argument in arguments {
                terms.push(self.value(walk, argument)?);
            }
            return self.enter(walk, function, &terms, location);
        }
        let Some(known) = known(name) else {
            return self.unsupported(format!("`{name}` is not modelled by bmc"), location);
        };
        let mut terms = Vec::new();
        for &argument in arguments {
            terms.push(self.value(walk, argument)?);
        }
        self.carry_out(walk, instruction, known, &terms, region)
    }

    /// Carries out a function of the environment, up to where others can notice it.
    fn carry_out(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        known: Known,
        arguments: &[Term],
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        match known {
            Known::Nothing => self.give(walk, instruction, 0),
            Known::Nondet if self.alone => {
                let input = self.input(walk, instruction)?;
                self.rigid.insert(input.term);
                self.first_inputs.push(input);
                let value = self.terms.extract(input.term, 0, input.bits);
                self.give_input(walk, instruction, input, value);
                Ok(Flow::Next)
            }
            Known::Nondet => Ok(Flow::Stop(Stop::Visible)),
            Known::Create(function, argument) => {
                self.create(walk, instruction, arguments, (function, argument), region)
            }
            Known::Join => Ok(Flow::Stop(Stop::Visible)),
            Known::Lock | Known::TryLock(_) | Known::Unlock | Known::InitLock | Known::DestroyLock => {
                self.reach_lock(walk, instruction, known, arguments, region)
            }
            Known::Exit => {
                walk.frames.clear();
                Ok(Flow::Stop(Stop::Ended))
            }
            Known::Print => self.print(walk, instruction, arguments),
            Known::Assume | Known::Assert => {
                let zero = self.terms.constant(self.terms.width(arguments[0]), 0);
                let not = self.terms.equal(arguments[0], zero);
                self.decides(walk, not);
                if self.must_cut(not) {
                    return Ok(Flow::Stop(Stop::Cut));
                }
                if known == Known::Assert {
                    return Ok(if self.fail_if(walk, not, region) { Flow::Next } else { Flow::Failed });
                }
                let mut stuck = walk.clone();
                stuck.guard = self.terms.and(walk.guard, not);
                if !self.terms.is_false(stuck.guard) {
                    region.stops.push((stuck, Stop::Stuck));
                }
                let holds = self.terms.not(not);
                walk.guard = self.terms.and(walk.guard, holds);
                Ok(if self.terms.is_false(walk.guard) { Flow::Failed } else { Flow::Next })
            }
            Known::Abort if self.is_verification_task => Ok(Flow::Stop(Stop::Stuck)),
            Known::Fail | Known::Abort => {
                region.fails.push(walk.guard);
                Ok(Flow::Failed)
            }
            Known::Malloc | Known::Calloc => self.allocate(walk, instruction, known, arguments),
            Known::Free => self.free(walk, instruction, arguments[0]),
        }
    }

    /// What is printed is not seen. Text that is shared would be read in visible steps.
    fn print(&mut self, walk: &mut Walk, instruction: &Instruction, arguments: &[Term]) -> Result<Flow, Unsupported> {
        for &argument in arguments {
            let object = (self.terms.width(argument) == POINTER_BITS).then(|| self.object_of(argument));
            let is_text = |builder: &Self, object: Term| {
                let mut found = Vec::new();
                let is_known = builder.leaves(object, &mut found);
                let owner = |thing: &u32| builder.things.get(*thing as usize).map(|thing| thing.owner);
                !is_known || found.iter().any(|thing| !matches!(owner(thing), Some(Owner::Constant | Owner::Null)))
            };
            if object.is_some_and(|object| is_text(self, object)) {
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

    fn allocate(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        known: Known,
        arguments: &[Term],
    ) -> Result<Flow, Unsupported> {
        let location = instruction.location;
        let factors = arguments.iter().map(|&factor| self.terms.value(factor));
        let size = factors.into_iter().try_fold(1u128, |size, factor| size.checked_mul(factor?));
        let Some(size) = size.and_then(|size| u32::try_from(size).ok()).filter(|size| *size < 1 << 20) else {
            return self.unsupported("an allocation whose size is not known before the program runs", location);
        };
        let thing = self.heap_object(walk, size);
        if walk.memory.contains_key(&thing) || walk.published.contains(&thing) {
            let what =
                "memory is allocated in a loop whose number of rounds is not known, which is not supported by bmc";
            return self.unsupported(what, location);
        }
        let mut byte = self.terms.constant(8, 0);
        if known == Known::Malloc {
            byte = self.variable(VariableKey::Fresh { thing }, "uninitialised", 8);
            self.rigid.insert(byte);
            self.undefined.insert((walk.thread, u32::MAX, thing, 0), byte);
        }
        let bytes = vec![byte; size as usize];
        if self.alone {
            self.things[thing as usize].bytes = bytes;
        } else {
            walk.memory.insert(thing, Rc::new(bytes));
        }
        let pointer = self.pointer_to(thing, 0);
        if let Some(&reg) = instruction.results.first() {
            walk.set(reg, pointer);
        }
        Ok(Flow::Next)
    }

    /// Memory that only the thread itself knows is given back.
    fn free(&mut self, walk: &mut Walk, instruction: &Instruction, pointer: Term) -> Result<Flow, Unsupported> {
        if self.terms.value(pointer) == Some(0) {
            return Ok(Flow::Next);
        }
        let own = match self.target(pointer) {
            Target::One(object) if walk.memory.contains_key(&object) || self.alone => Some(object),
            _ => None,
        };
        let offset = self.offset_of(pointer);
        let is_start = self.terms.value(offset) == Some(0);
        let is_heap = |object: &u32| self.things.get(*object as usize).is_some_and(|t| t.name == HEAP);
        let Some(object) = own.filter(is_heap).filter(|_| is_start && !self.alone) else {
            let what = "freeing what other threads may know is not supported by bmc";
            return self.unsupported(what, instruction.location);
        };
        walk.memory.remove(&object);
        Ok(Flow::Next)
    }

    /// The object of an allocation: a new one while there is only one thread; else the same at one place.
    fn heap_object(&mut self, walk: &Walk, size: u32) -> u32 {
        let new = |builder: &mut Self| builder.thing(HEAP, size, Owner::Thread(walk.thread));
        let Some(frame) = walk.frames.last().filter(|_| !self.alone) else { return new(self) };
        let key = (self.unrolled_from(walk), frame.call, frame.block.0, frame.index);
        if let Some(&known) = self.heap.get(&key) {
            return known;
        }
        let thing = new(self);
        self.heap.insert(key, thing);
        thing
    }

    /// A thread is started: at once if others cannot notice it.
    fn create(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        arguments: &[Term],
        (function, argument): (usize, usize),
        region: &mut Region,
    ) -> Result<Flow, Unsupported> {
        let handle = arguments[0];
        match self.valid_reach(walk, handle, 8, region)? {
            Err(flow) => return Ok(flow),
            Ok(Reach::Shared) => return Ok(Flow::Stop(Stop::Visible)),
            Ok(Reach::Own) => {}
        }
        // The handle comes first: with the first thread that is started, memory that is shared is out of reach.
        let start = self.start_of(instruction, arguments[function])?;
        let child = self.child_of(walk, start);
        let number = self.terms.constant(POINTER_BITS, child as u128 + 1);
        self.write_own(walk, handle, number);
        self.give_birth(walk, instruction, start, arguments[argument], region)?;
        self.give(walk, instruction, 0)
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
            self.publish(argument);
            self.end_of_solitude(walk);
        } else {
            self.publish_later(walk, argument, region, instruction.location)?;
        }
        let child = self.child_of(walk, start);
        walk.births += 1;
        let mut newborn = Walk::new(child, walk.guard, walk.origin);
        let arguments: Vec<Term> =
            self.module.function(start).signature.parameters.first().map(|_| argument).into_iter().collect();
        self.enter(&mut newborn, start, &arguments, instruction.location)?;
        self.run(newborn, region)?;
        if !region.born.contains(&child) {
            region.born.push(child);
        }
        Ok(child)
    }

    /// The action of a place before a call, which is carried out.
    pub(super) fn perform_call(
        &mut self,
        walk: &mut Walk,
        instruction: &'m Instruction,
        region: &mut Region,
    ) -> Result<Action, Unsupported> {
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
        match known(name) {
            Some(Known::Nondet) => {
                let input = self.input(walk, instruction)?;
                let value = self.terms.extract(input.term, 0, input.bits);
                self.give_input(walk, instruction, input, value);
                Ok(Action::Input(input))
            }
            Some(Known::Create(function, argument)) => {
                let start = self.start_of(instruction, terms[function])?;
                let child = self.give_birth(walk, instruction, start, terms[argument], region)?;
                let number = self.terms.constant(POINTER_BITS, child as u128 + 1);
                let old = self.old(walk, POINTER_BITS);
                self.give(walk, instruction, 0)?;
                let divisor = self.aligned_divisor(terms[0], 8);
                Ok(Action::Access(Access {
                    kind: AccessKind::Memory,
                    address: terms[0],
                    bytes: 8,
                    divisor,
                    old,
                    new: Some(number),
                    enabled: None,
                }))
            }
            Some(Known::Join) => {
                if self.terms.value(terms[1]) != Some(0) {
                    return self.unsupported("joining a thread for its result is not supported by bmc", location);
                }
                self.give(walk, instruction, 0)?;
                Ok(Action::Join { handle: terms[0] })
            }
            Some(known) => self.perform_lock(walk, instruction, known, terms[0], region),
            None => self.unsupported(format!("`{name}` is not modelled by bmc"), location),
        }
    }
}
