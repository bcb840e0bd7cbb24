//! Which values of inputs have to be tried: for every class of values that make no difference, one.
//!
//! Relevant is what decides where control goes, which memory is accessed, what a library function is given or what an atomic
//! update does, and what that is computed from: over all functions, and through variables whose addresses nothing is done with but to
//! load and store. Any other memory is taken to be read by somebody to whom it matters. An input that is not relevant is
//! the same for all values. One that is only copied and compared with constants is the same for all values that compare alike:
//! two executions whose inputs do take the same ways, and differ in nothing but copies of those. Where more is done with one, but only
//! while it is between two constants that are close to each other, each of the values between them is a class of its own.
//!
//! Pointers are relevant, and so is what is as wide as one where it is stored: which memory is lost depends on them.

mod asked;
mod ranges;

use crate::inputs::values_of_each;
use crate::library::{is_random, takes_precedence};
use asked::Asked;
use everyway_ir::{BinaryOp, Body, Callee, CastOp, FunctionId, GlobalId, Instruction, IntPredicate, Module, Operation};
use everyway_ir::{Reg, SlotId, Symbol, TerminatorKind, Type, Value};
use ranges::{Point, Ranges};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many values are always tried.
const FEW: usize = 4;

/// By function and the register that an input is put into: the values to be tried, where there are few and they are enough.
pub(super) type Classes = FxHashMap<(FunctionId, Reg), Vec<u64>>;

/// The inputs of a program of which few values stand for all.
pub(super) fn classes(module: &Module) -> Classes {
    if !module.functions.iter().any(|function| is_input(&function.name)) {
        return Classes::default();
    }
    let mut relevance = Relevance::new(module);
    while std::mem::take(&mut relevance.has_grown) {
        for (index, body) in bodies(module) {
            relevance.look_at(index, body);
        }
    }
    let mut classes = Classes::default();
    let mut others = 0;
    for (index, body) in bodies(module) {
        for instruction in instructions(body) {
            let Operation::Call { callee: Callee::Direct(callee), .. } = &instruction.operation else { continue };
            let [result] = instruction.results[..] else { continue };
            if !is_input(&module.function(*callee).name) {
                continue;
            }
            match relevance.asked(index, result).representatives(body.register(result).ty.bits()) {
                Some(values) => _ = classes.insert((FunctionId::new(index), result), values),
                None => others += 1,
            }
        }
    }
    // Where there are many inputs, all combinations of many values would never end.
    let open = others + classes.values().filter(|values| values.len() > 1).count();
    let most = values_of_each(open).max(FEW);
    classes.retain(|_, values| values.len() <= most);
    classes
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

/// A point in a function.
#[derive(Clone, Copy, Debug)]
struct Place {
    function: usize,
    point: Point,
}

struct Relevance<'a> {
    module: &'a Module,
    /// By function and register.
    registers: Vec<Vec<Asked>>,
    /// By function: about what it returns.
    results: Vec<Asked>,
    memory: FxHashMap<Variable, Asked>,
    /// The variables that are accessed in different sizes, or in other places than those where their elements begin.
    mixed: FxHashSet<Variable>,
    /// By function.
    ranges: Vec<Option<Ranges<'a>>>,
    /// The registers that point into a variable.
    pointing: FxHashMap<(usize, Reg), Variable>,
    has_grown: bool,
}

impl<'a> Relevance<'a> {
    fn new(module: &'a Module) -> Self {
        let registers = |function: &everyway_ir::Function| {
            let body = function.body.as_ref();
            let about = |ty: Type| if ty == Type::Ptr { Asked::Everything } else { Asked::Nothing };
            body.map_or(Vec::new(), |body| body.registers.iter().map(|register| about(register.ty)).collect())
        };
        let mut relevance = Self {
            module,
            registers: module.functions.iter().map(registers).collect(),
            results: vec![Asked::Nothing; module.functions.len()],
            memory: FxHashMap::default(),
            mixed: FxHashSet::default(),
            ranges: module.functions.iter().map(|function| function.body.as_ref().map(Ranges::new)).collect(),
            pointing: FxHashMap::default(),
            has_grown: true,
        };
        if let Some(main) = module.entry() {
            relevance.results[main.index()] = Asked::Everything;
        }
        for (id, global) in module.globals.iter().enumerate() {
            match &global.initialiser {
                Some(initialiser) => {
                    initialiser.relocations.iter().for_each(|relocation| relevance.lead_to(relocation.symbol));
                }
                None => relevance.everything_about(Variable::Global(GlobalId::new(id))),
            }
        }
        for (index, body) in bodies(module) {
            relevance.find_pointing(index, body);
        }
        for (index, body) in bodies(module) {
            relevance.find_escaping(index, body);
        }
        relevance.find_mixed();
        relevance
    }

    /// Finds the variables that are accessed in different ways.
    fn find_mixed(&mut self) {
        let mut known: FxHashMap<Variable, Type> = FxHashMap::default();
        for (function, body) in bodies(self.module) {
            for Instruction { results, operation, .. } in instructions(body) {
                let (address, ty) = match operation {
                    Operation::Load { address, .. } => (*address, body.register(results[0]).ty),
                    Operation::Store { address, value, .. } => (*address, value.ty(body).unwrap_or(Type::Ptr)),
                    _ => continue,
                };
                let Some(variable) = self.variable(function, address) else { continue };
                let is_whole =
                    ty.is_int() && ty.bits() == 8 * ty.bytes() && self.is_element(function, address, ty.bytes().into());
                if !is_whole || *known.entry(variable).or_insert(ty) != ty {
                    self.mixed.insert(variable);
                }
            }
        }
    }

    /// Whether an address in a variable is that of one of the elements of this size that it is made of.
    fn is_element(&self, function: usize, address: Value, bytes: i64) -> bool {
        match address {
            Value::Address { offset, .. } => offset % bytes == 0,
            Value::Reg(register) => match self.ranges[function].as_ref().and_then(|it| it.operation(register)) {
                Some(Operation::Alloca { .. }) => true,
                Some(Operation::Offset { base, offset, index }) => {
                    let is_whole = index.is_none_or(|index| index.stride % bytes == 0);
                    offset % bytes == 0 && is_whole && self.is_element(function, *base, bytes)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn everything_about(&mut self, variable: Variable) {
        self.memory.insert(variable, Asked::Everything);
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
            self.everything_about(variable);
        }
        if let Value::Address { symbol, .. } = value {
            self.lead_to(symbol);
        }
    }

    /// Something has the address of this, and may do with it whatever it likes.
    fn lead_to(&mut self, symbol: Symbol) {
        match symbol {
            Symbol::Global(id) => self.everything_about(Variable::Global(id)),
            Symbol::Function(id) => self.results[id.index()] = Asked::Everything,
        }
    }

    fn asked(&self, function: usize, register: Reg) -> Asked {
        self.registers[function].get(register.index()).cloned().unwrap_or(Asked::Everything)
    }

    /// What is asked about all that an instruction gives.
    fn asked_of(&self, function: usize, results: &[Reg]) -> Asked {
        let mut all = Asked::Nothing;
        results.iter().for_each(|&result| _ = all.add(&self.asked(function, result)));
        all
    }

    fn ask(&mut self, at: Place, value: Value, asked: &Asked) {
        let Some(register) = value.reg() else { return };
        let Some(known) = self.registers[at.function].get_mut(register.index()) else { return };
        if *known == Asked::Everything {
            return;
        }
        let few = match (asked, &self.ranges[at.function]) {
            (Asked::Everything, Some(ranges)) => ranges.values(register, at.point),
            _ => None,
        };
        let few = few.map(|values| Asked::cases(values.into_iter()));
        self.has_grown |= known.add(few.as_ref().unwrap_or(asked));
    }

    fn ask_everything(&mut self, at: Place, values: impl IntoIterator<Item = Value>) {
        values.into_iter().for_each(|value| self.ask(at, value, &Asked::Everything));
    }

    fn look_at(&mut self, function: usize, body: &Body) {
        for id in body.block_ids().rev() {
            let block = body.block(id);
            let place = |block, position| Place { function, point: Point { block, position } };
            let at = place(id, block.instructions.len());
            match &block.terminator.kind {
                TerminatorKind::Return(values) => {
                    let asked = self.results[function].clone();
                    values.iter().for_each(|&value| self.ask(at, value, &asked));
                }
                TerminatorKind::Switch { value, cases, .. } if is_word(*value, body) => {
                    let asked = Asked::cases(cases.iter().map(|(bits, _)| *bits as u64));
                    self.ask(at, *value, &asked);
                }
                kind => self.ask_everything(at, kind.values()),
            }
            for (position, instruction) in block.instructions.iter().enumerate().rev() {
                self.look_at_instruction(place(id, position), body, instruction);
            }
            for phi in &block.phis {
                let asked = self.asked(function, phi.result);
                for &(from, value) in &phi.incoming {
                    self.ask(place(from, body.block(from).instructions.len()), value, &asked);
                }
            }
        }
    }

    fn look_at_instruction(&mut self, at: Place, body: &Body, instruction: &Instruction) {
        let function = at.function;
        let Instruction { results, operation, .. } = instruction;
        let asked = self.asked_of(function, results);
        match operation {
            Operation::Binary { op, .. } => {
                if !asked.is_nothing() || may_have_no_result(*op) {
                    self.ask_everything(at, operation.values());
                }
            }
            Operation::Compare { .. } | Operation::Cast { .. } | Operation::Select { .. } if asked.is_nothing() => {}
            Operation::Compare { predicate, lhs, rhs } => self.look_at_comparison(at, body, (*predicate, *lhs, *rhs)),
            Operation::Cast { op: CastOp::SExt | CastOp::ZExt, value } if is_word(*value, body) => {
                let width = value.ty(body).map_or(64, Type::bits);
                self.ask(at, *value, &asked.of_extended(width));
            }
            Operation::Select { condition, then, otherwise } => {
                self.ask_everything(at, [*condition]);
                [*then, *otherwise].into_iter().for_each(|value| self.ask(at, value, &asked));
            }
            Operation::Overflow { .. }
            | Operation::Unary { .. }
            | Operation::Ternary { .. }
            | Operation::FloatCompare { .. }
            | Operation::Cast { .. } => {
                if !asked.is_nothing() {
                    self.ask_everything(at, operation.values());
                }
            }
            Operation::Load { address, .. } => {
                if let Some(variable) = self.variable(function, *address).filter(|_| !asked.is_nothing()) {
                    let asked = if self.mixed.contains(&variable) { Asked::Everything } else { asked };
                    self.has_grown |= self.memory.entry(variable).or_default().add(&asked);
                }
            }
            Operation::Store { address, value, .. } => {
                let variable = self.variable(function, *address);
                let read = variable.map(|variable| self.memory.get(&variable).cloned().unwrap_or_default());
                let ty = value.ty(body).unwrap_or(Type::Ptr);
                let is_wide = ty == Type::Ptr || ty.is_int() && ty.bits() >= 64;
                let asked = read.filter(|_| !is_wide).unwrap_or(Asked::Everything);
                self.ask(at, *value, &asked);
            }
            Operation::Call { callee: Callee::Direct(callee), arguments, fixed } => {
                let given = results.iter().map(|&result| body.register(result).ty);
                let is_alike = given.eq(self.module.function(*callee).signature.results.iter().copied());
                let asked = if is_alike || asked.is_nothing() { asked } else { Asked::Everything };
                self.look_at_call((at, body), *callee, (arguments, *fixed), &asked);
            }
            _ => self.ask_everything(at, operation.values()),
        }
    }

    /// A comparison whose outcome is relevant.
    fn look_at_comparison(&mut self, at: Place, body: &Body, compared: (IntPredicate, Value, Value)) {
        let (predicate, value, constant) = match compared {
            (predicate, value, Value::Const { bits, .. }) => (predicate, value, bits),
            (predicate, Value::Const { bits, .. }, value) => (predicate.swapped(), value, bits),
            (_, lhs, rhs) => return self.ask_everything(at, [lhs, rhs]),
        };
        if is_word(value, body) {
            let width = value.ty(body).map_or(64, Type::bits);
            self.ask(at, value, &Asked::comparison(predicate, constant as u64, width));
        } else {
            self.ask_everything(at, [value]);
        }
    }

    /// What a function is given is relevant where its parameter is; what it returns, where the caller's register is.
    fn look_at_call(
        &mut self,
        (at, body): (Place, &Body),
        callee: FunctionId,
        (arguments, fixed): (&[Value], u32),
        asked: &Asked,
    ) {
        let called = self.module.function(callee);
        let is_executed = called.body.is_some() && !takes_precedence(&called.name);
        let parameters = called.signature.parameters.len().min(fixed as usize);
        for (position, &argument) in arguments.iter().enumerate() {
            let mut asked = Asked::Everything;
            if is_executed && position < parameters {
                let parameter = self.asked(callee.index(), Reg::new(position));
                let is_alike = argument.ty(body) == called.signature.parameters.get(position).copied();
                if is_alike || parameter.is_nothing() {
                    asked = parameter;
                }
            }
            self.ask(at, argument, &asked);
        }
        self.has_grown |= self.results[callee.index()].add(asked);
    }
}

/// Whether a value is an integer of up to 64 bits.
fn is_word(value: Value, body: &Body) -> bool {
    value.ty(body).is_some_and(|ty| ty.is_int() && ty.bits() <= 64)
}
