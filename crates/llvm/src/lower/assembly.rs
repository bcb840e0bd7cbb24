//! Inline assembly: barriers, pauses, and the x86 instructions that libraries have for atomic accesses.
//!
//! The operands of a template are places: memory that the program gives the address of, or registers, some of which the
//! constraints name. [`x86`] has the instructions. What is not known is an error that quotes the template.

mod bits;
mod jump;
mod x86;

use super::function::{Flat, Lowerer};
use crate::ast::{Assembly, Call};
use crate::error::Result;
use crate::lex::unescape_text;
use everyway_ir::{AtomicOrdering, CastOp, Operation, Type, Value};
use jump::Jump;
use rustc_hash::FxHashMap;

/// A register of the machine (`ax`), or one that the compiler chooses for an operand (`$3`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Register {
    Named(String),
    Chosen(usize),
}

/// What an operand of a template is.
#[derive(Clone, Debug)]
enum Place {
    /// What is at this address.
    Memory(Value),
    /// What is in a register, of this type.
    Register(Register, Type),
    /// A flag, by the condition that the constraint names: `z`.
    Flag(String),
}

/// What is known while a template is run.
#[derive(Debug, Default)]
struct Frame {
    operands: Vec<Place>,
    /// The operands that are results, and their types.
    results: Vec<(usize, Type)>,
    registers: FxHashMap<Register, Value>,
    flags: Flags,
    /// The jump whose target is further on.
    jump: Option<Jump>,
}

/// What the flags say of.
#[derive(Clone, Copy, Debug, Default)]
enum Flags {
    /// Nothing that is known.
    #[default]
    Unknown,
    /// The zero flag is this `i1`.
    Zero(Value),
    /// The carry flag is this `i1`.
    Carry(Value),
    /// The result of an instruction on memory, which is computed only if a flag is looked at: without, nothing looks at
    /// what was in memory before.
    Result { old: Value, operand: Value, op: everyway_ir::BinaryOp },
}

impl<'a> Lowerer<'_, '_, 'a> {
    /// Inline assembly that is known.
    pub(super) fn assembly(&mut self, assembly: &Assembly<'a>, call: &Call<'a>) -> Result<Flat> {
        let template = unescape_text(assembly.template);
        let constraints = unescape_text(assembly.constraints);
        let unknown = || format!("the inline assembly \"{template}\" : \"{constraints}\"");
        let Some(mut frame) = self.frame(&constraints, call)? else { return self.unsupported(unknown()) };
        for statement in x86::statements(&template) {
            if self.instruction_of_assembly(&mut frame, &statement).is_none() {
                return self.unsupported(unknown());
            }
        }
        if frame.jump.is_some() {
            return self.unsupported(unknown());
        }
        if constraints.contains("~{memory}") && !x86::orders_by_itself(&template) {
            self.emit(Operation::Fence { ordering: AtomicOrdering::SeqCst, single_thread: true }, &[]);
        }
        let mut results = Flat::new();
        for (operand, ty) in std::mem::take(&mut frame.results) {
            let value = match frame.operands[operand].clone() {
                Place::Register(register, _) => frame.registers.get(&register).copied(),
                Place::Flag(condition) => self.flag(&frame, &condition),
                Place::Memory(_) => None,
            };
            let Some(value) = value else { return self.unsupported(unknown()) };
            results.push(self.converted(value, ty));
        }
        Ok(results)
    }

    /// The operands of a template, and what is in registers at its start.
    fn frame(&mut self, constraints: &str, call: &Call<'a>) -> Result<Option<Frame>> {
        let types = self.context.layouts.scalars(call.result, self.line)?;
        let mut types = types.iter().map(|scalar| scalar.0);
        let mut arguments = call.arguments.iter();
        let mut frame = Frame::default();
        for constraint in constraints.split(',').filter(|it| !it.is_empty() && !it.starts_with('~')) {
            let index = frame.operands.len();
            let place = if constraint.contains('*') {
                let Some(argument) = arguments.next() else { return Ok(None) };
                Place::Memory(self.pointer(&argument.typed.value)?)
            } else if let Some(kind) = constraint.strip_prefix('=') {
                let Some(ty) = types.next() else { return Ok(None) };
                frame.results.push((index, ty));
                match named(kind) {
                    Some(name) => match name.strip_prefix("@cc") {
                        Some(condition) => Place::Flag(condition.to_owned()),
                        None => Place::Register(machine_register(name), ty),
                    },
                    None => Place::Register(Register::Chosen(index), ty),
                }
            } else {
                let Some(argument) = arguments.next() else { return Ok(None) };
                let (value, ty) = self.scalar(argument.typed.ty, &argument.typed.value)?;
                let register = match constraint.parse::<usize>() {
                    Ok(same) => match frame.operands.get(same) {
                        Some(Place::Register(register, _)) => register.clone(),
                        _ => return Ok(None),
                    },
                    Err(_) => named(constraint).map_or(Register::Chosen(index), machine_register),
                };
                frame.registers.insert(register.clone(), value);
                Place::Register(register, ty)
            };
            frame.operands.push(place);
        }
        Ok(Some(frame))
    }

    /// The bits of a value as another type: cut off, or with zeros.
    fn converted(&mut self, value: Value, to: Type) -> Value {
        let from = value.ty(&self.body).unwrap_or(to);
        if from == to {
            return value;
        }
        let number = match from {
            Type::Ptr => self.emit_one(Operation::Cast { op: CastOp::PtrToInt, value }, Type::I64),
            _ => value,
        };
        if to == Type::Ptr {
            let value = self.resize(number, Type::I64);
            return self.emit_one(Operation::Cast { op: CastOp::IntToPtr, value }, to);
        }
        self.resize(number, to)
    }
}

/// The name in a constraint for one register: `{ax}`.
fn named(constraint: &str) -> Option<&str> {
    constraint.trim_start_matches('&').strip_prefix('{')?.strip_suffix('}')
}

/// A register of the machine, by any of its names.
fn machine_register(name: &str) -> Register {
    let name = name.trim_start_matches('%');
    let short = name.strip_prefix(['r', 'e']).filter(|short| short.len() == 2 && !short.starts_with(char::is_numeric));
    let name = match name {
        "al" => "ax",
        "bl" => "bx",
        "cl" => "cx",
        "dl" => "dx",
        name => short.unwrap_or(name),
    };
    Register::Named(name.to_owned())
}
