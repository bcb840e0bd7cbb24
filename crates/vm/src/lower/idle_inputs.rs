//! Inputs that decide nothing: whatever their values are, every thread does the same.
//!
//! Relevant is what decides where control goes, which memory is accessed, what a library function is given or what an atomic
//! update does, and what that is computed from: over all functions, and through variables whose addresses nothing is done with but to
//! load and store. Any other memory is taken to be read by somebody to whom it matters. An input that is not relevant is
//! the same for all values, so one of them is all.
//!
//! Pointers are relevant, and so is what is as wide as one where it is stored: which memory is lost depends on them.

use crate::library::{is_random, takes_precedence};
use everyway_ir::{BinaryOp, Body, Callee, FunctionId, GlobalId, Instruction, Module, Operation};
use everyway_ir::{Reg, SlotId, Symbol, TerminatorKind, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The registers that inputs are put into which decide nothing, by function.
pub(super) type IdleInputs = FxHashSet<(FunctionId, Reg)>;

/// The inputs of a program that decide nothing.
pub(super) fn idle_inputs(module: &Module) -> IdleInputs {
    if !module.functions.iter().any(|function| is_input(&function.name)) {
        return IdleInputs::default();
    }
    let mut relevance = Relevance::new(module);
    while std::mem::take(&mut relevance.has_grown) {
        for (index, body) in bodies(module) {
            relevance.look_at(index, body);
        }
    }
    let mut idle = IdleInputs::default();
    for (index, body) in bodies(module) {
        for instruction in instructions(body) {
            let Operation::Call { callee: Callee::Direct(callee), .. } = &instruction.operation else { continue };
            let is_relevant = |&result: &Reg| relevance.is_relevant(index, result);
            if is_input(&module.function(*callee).name) && !instruction.results.iter().any(is_relevant) {
                idle.extend(instruction.results.iter().map(|&result| (FunctionId::new(index), result)));
            }
        }
    }
    idle
}

fn is_input(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_") || is_random(name)
}

/// The bodies that are executed, by function: where a library function takes precedence, its body is not.
fn bodies(module: &Module) -> impl Iterator<Item = (usize, &Body)> {
    let functions = module.functions.iter().enumerate().filter(|(_, function)| !takes_precedence(&function.name));
    functions.filter_map(|(index, function)| Some((index, function.body.as_ref()?)))
}

fn instructions(body: &Body) -> impl Iterator<Item = &Instruction> {
    body.blocks.iter().flat_map(|block| &block.instructions)
}

/// Whether there are operands for which there is no result.
fn may_have_no_result(op: BinaryOp) -> bool {
    use BinaryOp::{AShr, LShr, SDiv, SRem, Shl, UDiv, URem};
    matches!(op, UDiv | SDiv | URem | SRem | Shl | LShr | AShr)
}

/// Memory that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Variable {
    Global(GlobalId),
    Slot(usize, SlotId),
}

struct Relevance<'a> {
    module: &'a Module,
    /// By function and register.
    registers: Vec<Vec<bool>>,
    /// By function: whether what it returns is.
    results: Vec<bool>,
    memory: FxHashSet<Variable>,
    /// The registers that point into a variable.
    pointing: FxHashMap<(usize, Reg), Variable>,
    has_grown: bool,
}

impl<'a> Relevance<'a> {
    fn new(module: &'a Module) -> Self {
        let registers = |function: &everyway_ir::Function| {
            let body = function.body.as_ref();
            body.map_or(Vec::new(), |body| body.registers.iter().map(|register| register.ty == Type::Ptr).collect())
        };
        let mut relevance = Self {
            module,
            registers: module.functions.iter().map(registers).collect(),
            results: vec![false; module.functions.len()],
            memory: FxHashSet::default(),
            pointing: FxHashMap::default(),
            has_grown: true,
        };
        if let Some(main) = module.entry() {
            relevance.results[main.index()] = true;
        }
        for (id, global) in module.globals.iter().enumerate() {
            match &global.initialiser {
                Some(initialiser) => {
                    initialiser.relocations.iter().for_each(|relocation| relevance.lead_to(relocation.symbol));
                }
                None => _ = relevance.memory.insert(Variable::Global(GlobalId::new(id))),
            }
        }
        for (index, body) in bodies(module) {
            relevance.find_pointing(index, body);
        }
        for (index, body) in bodies(module) {
            relevance.find_escaping(index, body);
        }
        relevance
    }

    /// Finds the registers that point into a variable: its address, and what is computed from it alone.
    fn find_pointing(&mut self, function: usize, body: &Body) {
        let mut known = None;
        while known != Some(self.pointing.len()) {
            known = Some(self.pointing.len());
            for Instruction { results, operation, .. } in instructions(body) {
                let variable = match operation {
                    Operation::Alloca { slot, .. } => Some(Variable::Slot(function, *slot)),
                    Operation::Offset { base, .. } => self.variable(function, *base),
                    _ => None,
                };
                if let (Some(variable), Some(&result)) = (variable, results.first()) {
                    self.pointing.insert((function, result), variable);
                }
            }
        }
    }

    /// The variable that an address is in, if it has a name.
    fn variable(&self, function: usize, address: Value) -> Option<Variable> {
        match address {
            Value::Reg(register) => self.pointing.get(&(function, register)).copied(),
            Value::Address { symbol: Symbol::Global(id), .. } => Some(Variable::Global(id)),
            _ => None,
        }
    }

    /// Takes note of addresses with which more is done than to load and store.
    fn find_escaping(&mut self, function: usize, body: &Body) {
        for block in &body.blocks {
            block.values_at_ends().for_each(|value| self.escape(function, value));
            block.phis.iter().flat_map(|phi| &phi.incoming).for_each(|&(_, value)| self.escape(function, value));
        }
        for Instruction { operation, .. } in instructions(body) {
            match operation {
                Operation::Load { .. } | Operation::Scope { .. } => {}
                Operation::Store { value, .. } => self.escape(function, *value),
                Operation::Offset { index, .. } => {
                    index.iter().for_each(|index| self.escape(function, index.value));
                }
                // A function that is called by its name is not led to.
                _ => operation.values().into_iter().for_each(|value| self.escape(function, value)),
            }
        }
    }

    fn escape(&mut self, function: usize, value: Value) {
        if let Some(variable) = self.variable(function, value) {
            self.memory.insert(variable);
        }
        if let Value::Address { symbol, .. } = value {
            self.lead_to(symbol);
        }
    }

    /// Something has the address of this, and may do with it whatever it likes.
    fn lead_to(&mut self, symbol: Symbol) {
        match symbol {
            Symbol::Global(id) => _ = self.memory.insert(Variable::Global(id)),
            Symbol::Function(id) => self.results[id.index()] = true,
        }
    }

    fn is_relevant(&self, function: usize, register: Reg) -> bool {
        self.registers[function].get(register.index()).copied().unwrap_or(true)
    }

    fn mark(&mut self, function: usize, value: Value) {
        if let Some(register) = value.reg()
            && let Some(is_relevant) = self.registers[function].get_mut(register.index())
        {
            self.has_grown |= !std::mem::replace(is_relevant, true);
        }
    }

    fn mark_all(&mut self, function: usize, values: impl IntoIterator<Item = Value>) {
        values.into_iter().for_each(|value| self.mark(function, value));
    }

    fn look_at(&mut self, function: usize, body: &Body) {
        for block in body.blocks.iter().rev() {
            match &block.terminator.kind {
                TerminatorKind::Return(_) if !self.results[function] => {}
                kind => self.mark_all(function, kind.values()),
            }
            for instruction in block.instructions.iter().rev() {
                self.look_at_instruction(function, body, instruction);
            }
            for phi in &block.phis {
                if self.is_relevant(function, phi.result) {
                    self.mark_all(function, phi.incoming.iter().map(|&(_, value)| value));
                }
            }
        }
    }

    fn look_at_instruction(&mut self, function: usize, body: &Body, instruction: &Instruction) {
        let Instruction { results, operation, .. } = instruction;
        let is_relevant = results.iter().any(|&result| self.is_relevant(function, result));
        match operation {
            Operation::Binary { op, .. } => {
                if is_relevant || may_have_no_result(*op) {
                    self.mark_all(function, operation.values());
                }
            }
            Operation::Overflow { .. }
            | Operation::Unary { .. }
            | Operation::Ternary { .. }
            | Operation::Compare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Cast { .. } => {
                if is_relevant {
                    self.mark_all(function, operation.values());
                }
            }
            Operation::Load { address, .. } => {
                if is_relevant && let Some(variable) = self.variable(function, *address) {
                    self.has_grown |= self.memory.insert(variable);
                }
            }
            Operation::Store { address, value, .. } => {
                let variable = self.variable(function, *address);
                let is_read = variable.is_none_or(|variable| self.memory.contains(&variable));
                let ty = value.ty(body).unwrap_or(Type::Ptr);
                if is_read || ty == Type::Ptr || ty.is_int() && ty.bits() >= 64 {
                    self.mark(function, *value);
                }
            }
            Operation::Call { callee: Callee::Direct(callee), arguments, fixed } => {
                self.look_at_call(function, *callee, (arguments, *fixed), is_relevant);
            }
            _ => self.mark_all(function, operation.values()),
        }
    }

    /// What a function is given is relevant where its parameter is; what it returns, where the caller's register is.
    fn look_at_call(
        &mut self,
        function: usize,
        callee: FunctionId,
        (arguments, fixed): (&[Value], u32),
        is_relevant: bool,
    ) {
        let called = self.module.function(callee);
        let is_executed = called.body.is_some() && !takes_precedence(&called.name);
        let parameters = called.signature.parameters.len().min(fixed as usize);
        for (position, &argument) in arguments.iter().enumerate() {
            let is_idle = is_executed && position < parameters && !self.is_relevant(callee.index(), Reg::new(position));
            if !is_idle {
                self.mark(function, argument);
            }
        }
        if is_relevant {
            self.has_grown |= !std::mem::replace(&mut self.results[callee.index()], true);
        }
    }
}
