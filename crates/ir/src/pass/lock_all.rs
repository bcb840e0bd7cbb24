//! `std::lock` as a loop that is easy to look through: lock the first mutex, try the others, back off if one is locked.
//!
//! What the library has starts its next try with the mutex that was locked. With which one makes no difference to those who
//! wait for mutexes: when all are locked at last, the first of them might as well have been locked right before the last
//! one, which is when all of them were free. It does to those who try: they can find the second one locked while the first
//! is free. So nothing is simplified where the program has other attempts to lock a mutex than these.

use crate::analysis::{addressed_functions, reached_functions};
use crate::environment::{Environment, Holder, LockRole, LocksAll};
use crate::function::{Block, Body, Function, Instruction, Register, Signature, Terminator, TerminatorKind};
use crate::ids::{BlockId, FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::IntPredicate;
use crate::source::SourceLocation;
use crate::types::Type;
use crate::value::Value;
use smallvec::{SmallVec, smallvec};

/// Gives the functions that lock mutexes, mostly several at once, a simple body.
pub(super) fn simplify_lock_all(module: &mut Module, environment: &Environment) {
    let mut originals: Vec<(usize, Option<Body>)> = Vec::new();
    for index in 0..module.functions.len() {
        let function = &module.functions[index];
        let all_pointers = function.signature.parameters.iter().all(|ty| *ty == Type::Ptr);
        let Some(how) = (environment.locks_all)(&function.name).filter(|_| function.body.is_some() && all_pointers)
        else {
            continue;
        };
        let (parameters, location) = (function.signature.parameters.len(), function.location);
        let functions = how.functions.map(|name| declared(module, name, &[Type::Ptr], &[Type::I32]));
        let body = Writer::new(parameters, location, functions).write(how);
        let original = module.functions[index].body.replace(body);
        if parameters > 1 {
            originals.push((index, original));
        }
    }
    if has_other_attempts(module, environment, &originals) {
        originals.into_iter().for_each(|(index, original)| module.functions[index].body = original);
    }
}

/// Whether a function that may be called, and was not simplified, tries to lock a mutex.
fn has_other_attempts(module: &Module, environment: &Environment, simplified: &[(usize, Option<Body>)]) -> bool {
    if simplified.is_empty() {
        return false;
    }
    let tries = |id: FunctionId| (environment.lock_role)(&module.function(id).name) == Some(LockRole::Tries);
    let addressed = addressed_functions(module);
    let has_address = (0..addressed.len()).any(|index| addressed[index] && tries(FunctionId::new(index)));
    let reached = reached_functions(module, addressed);
    let attempts = |function: &Function| {
        let blocks = function.body.iter().flat_map(|body| &body.blocks);
        blocks.flat_map(|block| &block.instructions).any(|instruction| match instruction.operation {
            Operation::Call { callee: Callee::Direct(id), .. } => tries(id),
            _ => false,
        })
    };
    let others = module
        .functions
        .iter()
        .enumerate()
        .filter(|(index, _)| reached[*index] && simplified.iter().all(|(simplified, _)| simplified != index));
    has_address || others.map(|(_, function)| function).any(attempts)
}

/// The function of the environment with this name.
pub(super) fn declared(module: &mut Module, name: &str, parameters: &[Type], results: &[Type]) -> FunctionId {
    module.function_named(name).unwrap_or_else(|| {
        let (parameters, results) = (parameters.to_vec(), SmallVec::from_slice(results));
        let signature = Signature { parameters, results, variadic: false };
        let name = name.to_owned();
        module.functions.push(Function { name, source_name: None, signature, location: None, weak: false, body: None });
        FunctionId::new(module.functions.len() - 1)
    })
}

struct Writer {
    body: Body,
    parameters: usize,
    location: Option<SourceLocation>,
    /// That lock, try to lock, and unlock.
    functions: [FunctionId; 3],
}

impl Writer {
    fn new(parameters: usize, location: Option<SourceLocation>, functions: [FunctionId; 3]) -> Self {
        let registers = vec![Register { ty: Type::Ptr, name: None }; parameters];
        let body = Body { registers, slots: Vec::new(), blocks: Vec::new() };
        Self { body, parameters, location, functions }
    }

    /// The entry; a block for each mutex; one to leave by; and for each mutex but the first, one to back off.
    fn write(mut self, how: LocksAll) -> Body {
        let count = self.parameters;
        let [again, end] = [1, count + 1].map(BlockId::new);
        let mut entry = Vec::new();
        let mutexes: Vec<Value> = (0..count).map(|index| self.mutex(index, how.holder, &mut entry)).collect();
        self.add_block(entry, TerminatorKind::Jump(again));
        for (index, &mutex) in mutexes.iter().enumerate() {
            let mut instructions = Vec::new();
            let next = BlockId::new(index + 2);
            let kind = if index == 0 {
                self.call(self.functions[0], mutex, &mut instructions);
                TerminatorKind::Jump(next)
            } else {
                let result = self.call(self.functions[1], mutex, &mut instructions);
                let rhs = Value::constant(Type::I32, 0);
                let test = Operation::Compare { predicate: IntPredicate::Eq, lhs: result, rhs };
                let condition = Value::Reg(self.emit(test, Type::BOOL, &mut instructions));
                TerminatorKind::Branch { condition, then: next, otherwise: BlockId::new(count + 1 + index) }
            };
            self.add_block(instructions, kind);
        }
        debug_assert_eq!(self.body.blocks.len(), end.index());
        let mut last = Vec::new();
        self.note_locked(how.holder, &mut last);
        self.add_block(last, TerminatorKind::Return(SmallVec::new()));
        for locked in 1..count {
            let mut instructions = Vec::new();
            for &mutex in mutexes[..locked].iter().rev() {
                self.call(self.functions[2], mutex, &mut instructions);
            }
            self.add_block(instructions, TerminatorKind::Jump(again));
        }
        self.body
    }

    fn mutex(&mut self, index: usize, holder: Holder, to: &mut Vec<Instruction>) -> Value {
        let address = Value::Reg(Reg(index as u32));
        match holder {
            Holder::Itself => address,
            Holder::Pointer { .. } => {
                let load = Operation::Load { address, align: 8, volatile: false, ordering: None };
                Value::Reg(self.emit(load, Type::Ptr, to))
            }
        }
    }

    fn note_locked(&mut self, holder: Holder, to: &mut Vec<Instruction>) {
        let Holder::Pointer { owns } = holder else { return };
        for index in 0..self.parameters {
            let base = Value::Reg(Reg(index as u32));
            let address = Value::Reg(self.emit(Operation::Offset { base, offset: owns, index: None }, Type::Ptr, to));
            let value = Value::constant(Type::I8, 1);
            let operation = Operation::Store { address, value, align: 1, volatile: false, ordering: None };
            to.push(Instruction { results: smallvec![], operation, location: self.location });
        }
    }

    fn call(&mut self, function: FunctionId, mutex: Value, to: &mut Vec<Instruction>) -> Value {
        let operation = Operation::Call { callee: Callee::Direct(function), arguments: vec![mutex], fixed: 1 };
        Value::Reg(self.emit(operation, Type::I32, to))
    }

    fn emit(&mut self, operation: Operation, ty: Type, to: &mut Vec<Instruction>) -> Reg {
        let result = self.body.add_register(ty, None);
        to.push(Instruction { results: smallvec![result], operation, location: self.location });
        result
    }

    fn add_block(&mut self, instructions: Vec<Instruction>, kind: TerminatorKind) {
        let terminator = Terminator { kind, location: self.location };
        self.body.blocks.push(Block { label: None, phis: Vec::new(), instructions, terminator });
    }
}
