//! Printing what is in a function.

use super::escape::{Quoted, SymbolName};
use super::print::{write_location, write_origin};
use crate::function::{Block, Body, Instruction, Phi, TerminatorKind};
use crate::ids::{BlockId, Reg, SlotId};
use crate::module::Module;
use crate::operation::{Callee, Operation, ScopeMark};
use crate::types::Type;
use crate::until::{Test, Until};
use crate::value::Value;
use std::fmt;

pub(super) fn write_body(f: &mut fmt::Formatter<'_>, module: &Module, body: &Body) -> fmt::Result {
    for (index, slot) in body.slots.iter().enumerate() {
        write!(f, "  slot {} size {} align {}", SlotId::new(index), slot.size, slot.align)?;
        write_origin(f, slot.name.as_deref(), slot.debug_type, slot.location)?;
        writeln!(f)?;
    }
    let printer = Printer { module, body };
    body.blocks.iter().enumerate().try_for_each(|(index, block)| printer.block(f, BlockId::new(index), block))
}

/// `%3:i32 "name"`.
pub(super) fn write_definition(f: &mut fmt::Formatter<'_>, body: &Body, reg: Reg) -> fmt::Result {
    let Some(register) = body.registers.get(reg.index()) else { return write!(f, "{reg}:?") };
    write!(f, "{reg}:{}", register.ty)?;
    register.name.as_ref().map_or(Ok(()), |name| write!(f, " {}", Quoted(name.as_bytes())))
}

struct Printer<'a> {
    module: &'a Module,
    body: &'a Body,
}

/// A value with the module that knows the names of its symbols.
pub(crate) struct Shown<'a>(pub(crate) &'a Module, pub(crate) Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Value::Reg(reg) => write!(f, "{reg}"),
            Value::NULL => f.write_str("null"),
            Value::Const { ty, bits } => write_constant(f, ty, bits),
            Value::Address { symbol, offset } => {
                write!(f, "{}", SymbolName(self.0.symbol_name(symbol)))?;
                if offset == 0 { Ok(()) } else { write!(f, "{offset:+}") }
            }
            Value::Undef(ty) => write!(f, "undef:{ty}"),
        }
    }
}

fn write_constant(f: &mut fmt::Formatter<'_>, ty: Type, bits: u128) -> fmt::Result {
    match ty {
        Type::Int(1) => write!(f, "{bits}:i1"),
        Type::Int(width) => {
            let unused = 128 - u32::from(width);
            write!(f, "{}:{ty}", ((bits << unused) as i128) >> unused)
        }
        Type::F32 if f32::from_bits(bits as u32).is_finite() => write!(f, "{:?}:f32", f32::from_bits(bits as u32)),
        Type::F64 if f64::from_bits(bits as u64).is_finite() => write!(f, "{:?}:f64", f64::from_bits(bits as u64)),
        Type::F32 | Type::F64 | Type::Ptr => write!(f, "0x{bits:x}:{ty}"),
    }
}

impl<'a> Printer<'a> {
    fn show(&self, value: Value) -> Shown<'a> {
        Shown(self.module, value)
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, values: &[Value]) -> fmt::Result {
        values
            .iter()
            .enumerate()
            .try_for_each(|(index, &value)| write!(f, "{}{}", if index > 0 { ", " } else { "" }, self.show(value)))
    }

    fn block(&self, f: &mut fmt::Formatter<'_>, id: BlockId, block: &Block) -> fmt::Result {
        write!(f, "{id}")?;
        if let Some(label) = &block.label {
            write!(f, " {}", Quoted(label.as_bytes()))?;
        }
        writeln!(f, ":")?;
        block.phis.iter().try_for_each(|phi| self.phi(f, phi))?;
        block.instructions.iter().try_for_each(|instruction| self.instruction(f, instruction))?;
        f.write_str("  ")?;
        self.terminator(f, &block.terminator.kind)?;
        write_location(f, block.terminator.location)?;
        writeln!(f)
    }

    fn phi(&self, f: &mut fmt::Formatter<'_>, phi: &Phi) -> fmt::Result {
        f.write_str("  ")?;
        write_definition(f, self.body, phi.result)?;
        f.write_str(" = phi ")?;
        for (index, &(block, value)) in phi.incoming.iter().enumerate() {
            write!(f, "{}{block}: {}", if index > 0 { ", " } else { "" }, self.show(value))?;
        }
        write_location(f, phi.location)?;
        writeln!(f)
    }

    fn instruction(&self, f: &mut fmt::Formatter<'_>, instruction: &Instruction) -> fmt::Result {
        f.write_str("  ")?;
        for (index, &result) in instruction.results.iter().enumerate() {
            f.write_str(if index > 0 { ", " } else { "" })?;
            write_definition(f, self.body, result)?;
        }
        f.write_str(if instruction.results.is_empty() { "" } else { " = " })?;
        self.operation(f, &instruction.operation)?;
        write_location(f, instruction.location)?;
        writeln!(f)
    }

    fn operation(&self, f: &mut fmt::Formatter<'_>, operation: &Operation) -> fmt::Result {
        match operation {
            Operation::Binary { op, .. } => write!(f, "{op} ")?,
            Operation::Unary { op, .. } => write!(f, "{op} ")?,
            Operation::Ternary { op, .. } => write!(f, "{op} ")?,
            Operation::Cast { op, .. } => write!(f, "{op} ")?,
            Operation::Overflow { op, .. } => write!(f, "overflow.{op} ")?,
            Operation::Compare { predicate, .. } => write!(f, "cmp.{predicate} ")?,
            Operation::FloatCompare { predicate, .. } => write!(f, "fcmp.{predicate} ")?,
            Operation::Select { .. } => f.write_str("select ")?,
            Operation::Offset { base, offset, index } => {
                write!(f, "offset {} + {offset}", self.show(*base))?;
                return index.map_or(Ok(()), |index| write!(f, " + {} * {}", self.show(index.value), index.stride));
            }
            Operation::Alloca { slot, count } => {
                write!(f, "alloca {slot}")?;
                return count.map_or(Ok(()), |count| write!(f, " count {}", self.show(count)));
            }
            Operation::Call { callee, arguments, fixed } => return self.call(f, callee, arguments, *fixed),
            Operation::VariadicArea => return f.write_str("variadic_area"),
            Operation::Round => return f.write_str("new_round"),
            Operation::Assume { condition, round } => {
                write!(f, "assume {}", self.show(*condition))?;
                return self.round(f, *round);
            }
            Operation::Await { access, until, round } => {
                f.write_str("await ")?;
                self.operation(f, access)?;
                self.until(f, until)?;
                return self.round(f, *round);
            }
            _ => return self.access(f, operation),
        }
        self.list(f, &operation.values())
    }

    /// `until (ne 1:i32 or eq %5) and (mask 4:i32 eq 0:i32)`.
    fn until(&self, f: &mut fmt::Formatter<'_>, until: &Until) -> fmt::Result {
        for (index, clause) in until.clauses.iter().enumerate() {
            f.write_str(if index == 0 { " until (" } else { " and (" })?;
            for (index, &Test { mask, predicate, operand }) in clause.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { " or " })?;
                mask.map_or(Ok(()), |mask| write!(f, "mask {} ", self.show(mask)))?;
                write!(f, "{predicate} {}", self.show(operand))?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }

    fn round(&self, f: &mut fmt::Formatter<'_>, round: Option<Value>) -> fmt::Result {
        round.map_or(Ok(()), |round| write!(f, " in {}", self.show(round)))
    }

    fn access(&self, f: &mut fmt::Formatter<'_>, operation: &Operation) -> fmt::Result {
        match operation {
            Operation::Load { .. } => f.write_str("load ")?,
            Operation::Store { .. } => f.write_str("store ")?,
            Operation::AtomicRmw { op, .. } => write!(f, "rmw.{op} ")?,
            Operation::CompareExchange { .. } => f.write_str("cmpxchg ")?,
            Operation::CopyMemory { may_overlap: true, .. } => f.write_str("memmove ")?,
            Operation::CopyMemory { .. } => f.write_str("memcpy ")?,
            Operation::SetMemory { .. } => f.write_str("memset ")?,
            Operation::Scope { mark: ScopeMark::Begins, .. } => f.write_str("scope_begins ")?,
            Operation::Scope { mark: ScopeMark::Ends, .. } => f.write_str("scope_ends ")?,
            Operation::Fence { .. } => f.write_str("fence")?,
            _ => {}
        }
        self.list(f, &operation.values())?;
        let mut words = |condition: bool, word: &str| if condition { f.write_str(word) } else { Ok(()) };
        match operation {
            Operation::Load { align, volatile, ordering, .. } | Operation::Store { align, volatile, ordering, .. } => {
                words(true, &format!(" align {align}"))?;
                words(*volatile, " volatile")?;
                ordering.map_or(Ok(()), |ordering| words(true, &format!(" {ordering}")))
            }
            Operation::AtomicRmw { ordering, volatile, .. } => {
                words(*volatile, " volatile")?;
                words(true, &format!(" {ordering}"))
            }
            Operation::CompareExchange { weak, success, failure, volatile, .. } => {
                words(*weak, " weak")?;
                words(*volatile, " volatile")?;
                words(true, &format!(" {success} {failure}"))
            }
            Operation::CopyMemory { volatile, .. } | Operation::SetMemory { volatile, .. } => {
                words(*volatile, " volatile")
            }
            Operation::Fence { ordering, single_thread } => {
                words(*single_thread, " single_thread")?;
                words(true, &format!(" {ordering}"))
            }
            _ => Ok(()),
        }
    }

    fn call(&self, f: &mut fmt::Formatter<'_>, callee: &Callee, arguments: &[Value], fixed: u32) -> fmt::Result {
        match callee {
            Callee::Direct(function) => write!(f, "call {}(", SymbolName(&self.module.function(*function).name))?,
            Callee::Indirect(pointer) => write!(f, "call *{}(", self.show(*pointer))?,
        }
        let (parameters, variadic) = arguments.split_at((fixed as usize).min(arguments.len()));
        self.list(f, parameters)?;
        if !variadic.is_empty() {
            f.write_str(if parameters.is_empty() { "| " } else { " | " })?;
            self.list(f, variadic)?;
        }
        f.write_str(")")
    }

    fn terminator(&self, f: &mut fmt::Formatter<'_>, kind: &TerminatorKind) -> fmt::Result {
        match kind {
            TerminatorKind::Jump(block) => write!(f, "jump {block}"),
            TerminatorKind::Branch { condition, then, otherwise } => {
                write!(f, "branch {}, {then}, {otherwise}", self.show(*condition))
            }
            TerminatorKind::Switch { value, cases, default } => {
                write!(f, "switch {}, {default}", self.show(*value))?;
                cases.iter().try_for_each(|(case, block)| write!(f, ", {case}: {block}"))
            }
            TerminatorKind::Return(values) => {
                f.write_str(if values.is_empty() { "return" } else { "return " })?;
                self.list(f, values)
            }
            TerminatorKind::Unreachable => f.write_str("unreachable"),
        }
    }
}
