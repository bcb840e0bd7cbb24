//! One function: its blocks in an order in which every value is known before it is used.

use super::{Context, flow};
use crate::ast::{self, Kind, Operand, Typed};
use crate::error::{Error, Result};
use crate::types::{Ty, TypeId};
use everyway_ir::{
    Block, BlockId, Body, Instruction, Operation, Reg, SlotId, SourceLocation, Terminator, TerminatorKind, Type, Value,
    compact,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The scalars that an LLVM value consists of.
pub(super) type Flat = SmallVec<[Value; 2]>;

/// Lowers the body of a function.
pub(super) fn lower<'a>(
    context: &mut Context<'_, 'a>,
    function: &ast::Function<'a>,
    blocks: &[ast::Block<'a>],
) -> Result<Body> {
    let graph = flow::Graph::new(function, blocks)?;
    let mut lowerer = Lowerer {
        context,
        function: function.name,
        variadic: function.variadic,
        body: Body::default(),
        locals: FxHashMap::default(),
        labels: graph.labels,
        entry_label: graph.entry_label,
        current: Body::ENTRY,
        location: None,
        line: function.line,
        phis: Vec::new(),
        slots: FxHashMap::default(),
        entry_allocas: Vec::new(),
        pads: FxHashMap::default(),
    };
    lowerer.parameters(function)?;
    lowerer.landing_pads(blocks)?;
    lowerer.body.blocks = graph.reachable.iter().map(|&index| empty_block(&blocks[index])).collect();
    let lowered = lowerer.blocks(blocks, &graph.order);
    lowered.map_err(|error| lowerer.with_source(error))?;
    let mut body = lowerer.body;
    // Slots that the lowering itself needs are made once, where the function starts.
    body.blocks[0].instructions.splice(0..0, lowerer.entry_allocas);
    let parameters = lowerer.context.signature(function)?.parameters.len();
    compact(&mut body, parameters);
    Ok(body)
}

fn empty_block(block: &ast::Block<'_>) -> Block {
    // Numbers say nothing to people.
    let label = block.label.filter(|label| !label.starts_with(|first: char| first.is_ascii_digit()));
    let kind = TerminatorKind::Unreachable;
    Block {
        label: label.map(Into::into),
        phis: Vec::new(),
        instructions: Vec::new(),
        terminator: Terminator { kind, location: None },
    }
}

/// What is known while a function is lowered.
pub(super) struct Lowerer<'c, 'm, 'a> {
    pub(super) context: &'c mut Context<'m, 'a>,
    pub(super) function: &'a str,
    pub(super) variadic: bool,
    pub(super) body: Body,
    /// The values of locals.
    locals: FxHashMap<&'a str, Flat>,
    /// The blocks that can be reached, by label.
    labels: FxHashMap<&'a str, BlockId>,
    /// The number of an entry block that has no label.
    entry_label: String,
    /// The block that instructions are added to.
    pub(super) current: BlockId,
    /// The place in the source of the instruction that is lowered.
    pub(super) location: Option<SourceLocation>,
    /// Its line in the LLVM IR.
    pub(super) line: u32,
    /// Phis whose incoming values are filled in when all values are known.
    pub(super) phis: Vec<flow::PendingPhi<'a>>,
    /// Which slot a register is the address of.
    slots: FxHashMap<Reg, SlotId>,
    entry_allocas: Vec<Instruction>,
    /// What is asked after an `invoke`, by the label of its landing pad.
    pub(super) pads: FxHashMap<&'a str, Vec<Value>>,
}

impl<'a> Lowerer<'_, '_, 'a> {
    fn parameters(&mut self, function: &ast::Function<'a>) -> Result<()> {
        for parameter in &function.parameters {
            let scalars = self.context.layouts.scalars(parameter.ty, self.line)?;
            let values = scalars.iter().map(|scalar| Value::Reg(self.body.add_register(scalar.0, None))).collect();
            if let Some(name) = parameter.name {
                self.locals.insert(name, values);
            }
        }
        Ok(())
    }

    fn blocks(&mut self, blocks: &[ast::Block<'a>], order: &[(usize, BlockId)]) -> Result<()> {
        for &(index, id) in order {
            self.current = id;
            for instruction in &blocks[index].instructions {
                self.line = instruction.line;
                self.location = self.context.debug.location(instruction.debug);
                let values = self.instruction(&instruction.kind)?;
                if let Some(name) = instruction.result {
                    self.locals.insert(name, values);
                }
            }
        }
        self.fill_phis()
    }

    fn with_source(&self, error: Error) -> Error {
        let source = self.location.map(|at| format!("{}:{}", self.context.debug.files[at.file.index()], at.line));
        Error { source, ..error }
    }

    /// Lowers one instruction; answers with the scalars of its result.
    fn instruction(&mut self, kind: &Kind<'a>) -> Result<Flat> {
        match kind {
            Kind::Binary(word, ty, lhs, rhs) => self.binary(word, *ty, lhs, rhs),
            Kind::Negate(value) => self.negate(value),
            Kind::Freeze(value) => self.freeze(value),
            Kind::Compare(predicate, ty, lhs, rhs) => self.compare(*predicate, *ty, lhs, rhs),
            Kind::FloatCompare(predicate, ty, lhs, rhs) => self.float_compare(*predicate, *ty, lhs, rhs),
            Kind::Cast(word, value, to) => self.cast(word, value, *to),
            Kind::Select(condition, then, otherwise) => self.select(condition, then, otherwise),
            Kind::Phi(ty, incoming) => self.phi(*ty, incoming),
            Kind::Load(ty, address, access) => self.load(*ty, address, *access),
            Kind::Store(value, address, access) => self.store(value, address, *access),
            Kind::Rmw(op, address, value, access) => self.rmw(*op, address, value, *access),
            Kind::CompareExchange { address, expected, new, weak, access, failure } => {
                self.compare_exchange(address, expected, new, *weak, *access, *failure)
            }
            Kind::Fence(ordering, single_thread) => {
                self.emit(Operation::Fence { ordering: *ordering, single_thread: *single_thread }, &[]);
                Ok(Flat::new())
            }
            Kind::Alloca(ty, count, align) => self.alloca(*ty, count.as_ref(), *align),
            Kind::Offset(ty, base, indices) => self.offset(*ty, base, indices),
            Kind::ExtractValue(value, indices) => self.extract_value(value, indices),
            Kind::InsertValue(value, part, indices) => self.insert_value(value, part, indices),
            Kind::ExtractElement(vector, index) => self.extract_element(vector, index),
            Kind::InsertElement(vector, element, index) => self.insert_element(vector, element, index),
            Kind::Shuffle(first, second, mask) => self.shuffle(first, second, mask),
            Kind::Call(call) => self.call(call),
            Kind::LandingPad(_) => Ok(self.landing()),
            Kind::Resume(exception) => self.resume(exception),
            Kind::Debug { operand, variable, is_value } => {
                self.debug_record(operand.as_ref(), *variable, *is_value);
                Ok(Flat::new())
            }
            Kind::Unsupported(word) => Err(Error::unsupported(self.line, format!("the instruction `{word}`"))),
            Kind::Jump(_)
            | Kind::Branch(..)
            | Kind::Switch(..)
            | Kind::IndirectJump(..)
            | Kind::Return(_)
            | Kind::Unreachable => self.terminator(kind),
        }
    }

    /// Adds an instruction with results of these types.
    pub(super) fn emit(&mut self, operation: Operation, results: &[Type]) -> Flat {
        let results: SmallVec<[Reg; 2]> = results.iter().map(|&ty| self.body.add_register(ty, None)).collect();
        let values = results.iter().map(|&reg| Value::Reg(reg)).collect();
        let instruction = Instruction { results, operation, location: self.location };
        self.body.blocks[self.current.index()].instructions.push(instruction);
        values
    }

    /// Adds an instruction with one result.
    pub(super) fn emit_one(&mut self, operation: Operation, result: Type) -> Value {
        self.emit(operation, &[result])[0]
    }

    /// Adds an alloca where the function starts.
    pub(super) fn emit_slot(&mut self, slot: SlotId) -> Value {
        let reg = self.body.add_register(Type::Ptr, None);
        let operation = Operation::Alloca { slot, count: None };
        self.entry_allocas.push(Instruction { results: SmallVec::from_slice(&[reg]), operation, location: None });
        Value::Reg(reg)
    }

    pub(super) fn note_slot(&mut self, address: Value, slot: SlotId) {
        if let Value::Reg(reg) = address {
            self.slots.insert(reg, slot);
        }
    }

    pub(super) fn unsupported<T>(&self, construct: impl std::fmt::Display) -> Result<T> {
        Err(Error::unsupported(self.line, construct))
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(Error::new(self.line, message))
    }

    /// The block with this label; `None` if it cannot be reached.
    pub(super) fn block(&self, label: &str) -> Option<BlockId> {
        self.labels.get(label).copied().or((label == self.entry_label).then_some(Body::ENTRY))
    }

    /// The scalars of an operand.
    pub(super) fn operand(&mut self, ty: TypeId, operand: &Operand<'a>) -> Result<Flat> {
        match operand {
            Operand::Local(name) => match self.locals.get(name) {
                Some(values) => {
                    let expected = self.context.layouts.scalars(ty, self.line)?.len();
                    if values.len() == expected {
                        Ok(values.clone())
                    } else {
                        self.error(format!("`%{name}` is not of the type that it is used with"))
                    }
                }
                None => self.error(format!("`%{name}` is used before it has a value")),
            },
            Operand::Constant(constant) => self.constant(ty, constant),
            Operand::Assembly(_) => self.unsupported("inline assembly as a value"),
            Operand::Metadata(..) => self.unsupported("metadata as a value"),
        }
    }

    pub(super) fn typed(&mut self, typed: &Typed<'a>) -> Result<Flat> {
        self.operand(typed.ty, &typed.value)
    }

    /// The only scalar of an operand, and its type.
    pub(super) fn scalar(&mut self, ty: TypeId, operand: &Operand<'a>) -> Result<(Value, Type)> {
        let scalar = self.context.layouts.scalar(ty, self.line)?;
        Ok((self.operand(ty, operand)?[0], scalar))
    }

    /// The first scalar of a local that has a value.
    pub(super) fn local(&self, operand: &Operand<'a>) -> Option<Value> {
        let Operand::Local(name) = operand else { return None };
        self.locals.get(name).and_then(|values| values.first().copied())
    }

    /// The only scalar of an operand, which must be a pointer.
    pub(super) fn pointer(&mut self, operand: &Operand<'a>) -> Result<Value> {
        let value = match operand {
            Operand::Constant(constant) => Some(self.address(constant)?),
            _ => self.local(operand),
        };
        match value.filter(|value| value.ty(&self.body) == Some(Type::Ptr)) {
            Some(value) => Ok(value),
            None => self.error("expected a pointer that has a value"),
        }
    }

    /// Takes the name of a variable from debug information.
    pub(super) fn debug_record(&mut self, operand: Option<&Typed<'a>>, variable: Option<u32>, is_value: bool) {
        let Some(Operand::Local(name)) = operand.map(|operand| &operand.value) else { return };
        let Some(&[Value::Reg(reg)]) = self.locals.get(name).map(SmallVec::as_slice) else { return };
        let Some(variable) = self.context.debug.variable(variable) else { return };
        let name: Option<Box<str>> = variable.name.map(Into::into);
        match self.slots.get(&reg) {
            Some(slot) if !is_value => {
                let slot = &mut self.body.slots[slot.index()];
                slot.name = name;
                slot.debug_type = variable.ty;
                slot.location = variable.location;
            }
            _ => {
                let register = &mut self.body.registers[reg.index()];
                register.name = register.name.take().or(name);
            }
        }
    }

    pub(super) fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self.context.layouts.ty(ty), Ty::Vector(..))
    }
}
