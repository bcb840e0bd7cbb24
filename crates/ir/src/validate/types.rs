//! The rules about the types of operands and results.

use super::require;
use crate::function::{Body, Function, Instruction, TerminatorKind};
use crate::ids::BlockId;
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::{BinaryOp, CastOp, RmwOp, TernaryOp, UnaryOp};
use crate::types::Type;
use crate::until::{Test, Until};
use crate::value::Value;

pub(super) fn check(module: &Module, function: &Function, body: &Body, id: BlockId) -> Result<(), String> {
    let block = body.block(id);
    let checker = Types { module, body };
    for phi in &block.phis {
        let ty = body.register(phi.result).ty;
        phi.incoming.iter().try_for_each(|incoming| checker.expect(incoming.1, ty, "an incoming value"))?;
    }
    for instruction in &block.instructions {
        let describe = |message| format!("{message} (of the instruction that assigns {:?})", instruction.results);
        checker.instruction(instruction).map_err(describe)?;
    }
    match &block.terminator.kind {
        TerminatorKind::Branch { condition, .. } => checker.expect(*condition, Type::BOOL, "the condition"),
        TerminatorKind::Switch { value, .. } => {
            require(checker.ty(*value).is_int(), || "the value of a switch is no integer".into())
        }
        TerminatorKind::Return(values) => {
            let results = &function.signature.results;
            require(values.len() == results.len(), || "a return has the wrong number of values".into())?;
            values.iter().zip(results).try_for_each(|(value, ty)| checker.expect(*value, *ty, "a returned value"))
        }
        TerminatorKind::Jump(_) | TerminatorKind::Unreachable => Ok(()),
    }
}

struct Types<'a> {
    module: &'a Module,
    body: &'a Body,
}

impl Types<'_> {
    fn ty(&self, value: Value) -> Type {
        // Ids have been checked before.
        value.ty(self.body).unwrap_or(Type::Ptr)
    }

    fn expect(&self, value: Value, ty: Type, what: &str) -> Result<(), String> {
        let found = self.ty(value);
        require(found == ty, || format!("{what} is {found}, not {ty}"))
    }

    fn all(&self, values: &[Value], ty: Type) -> Result<(), String> {
        values.iter().try_for_each(|value| self.expect(*value, ty, "an operand"))
    }

    fn results(&self, instruction: &Instruction, types: &[Type]) -> Result<(), String> {
        let found: Vec<Type> = instruction.results.iter().map(|&result| self.body.register(result).ty).collect();
        require(found == types, || format!("the results are {found:?}, not {types:?}"))
    }

    fn instruction(&self, instruction: &Instruction) -> Result<(), String> {
        // The type of the first result, for operations whose operands have the same type.
        let result = instruction.results.first().map_or(Type::Ptr, |&result| self.body.register(result).ty);
        let kind = |float: bool| {
            let fits = if float { result.is_float() } else { result.is_int() };
            require(fits, || format!("{result} is no type for this operation"))
        };
        match &instruction.operation {
            Operation::Binary { op, lhs, rhs } => {
                kind(is_float_operation(*op))?;
                self.all(&[*lhs, *rhs], result)?;
                self.results(instruction, &[result])
            }
            Operation::Overflow { lhs, rhs, .. } => {
                kind(false)?;
                self.all(&[*lhs, *rhs], result)?;
                self.results(instruction, &[result, Type::BOOL])
            }
            Operation::Unary { op, value } => {
                if *op != UnaryOp::Freeze {
                    kind(*op >= UnaryOp::FNeg)?;
                }
                self.all(&[*value], result)?;
                self.results(instruction, &[result])
            }
            Operation::Ternary { op, values } => {
                kind(matches!(op, TernaryOp::Fma | TernaryOp::MulAdd))?;
                self.all(values, result)?;
                self.results(instruction, &[result])
            }
            Operation::Select { condition, then, otherwise } => {
                self.expect(*condition, Type::BOOL, "the condition")?;
                self.all(&[*then, *otherwise], result)?;
                self.results(instruction, &[result])
            }
            Operation::Compare { lhs, rhs, .. } | Operation::FloatCompare { lhs, rhs, .. } => {
                let ty = self.ty(*lhs);
                let float = matches!(instruction.operation, Operation::FloatCompare { .. });
                require(ty.is_float() == float, || format!("{ty} cannot be compared so"))?;
                self.expect(*rhs, ty, "the right operand")?;
                self.results(instruction, &[Type::BOOL])
            }
            Operation::Cast { op, value } => {
                let from = self.ty(*value);
                require(cast_fits(*op, from, result), || format!("{op} from {from} to {result}"))?;
                self.results(instruction, &[result])
            }
            _ => self.memory(instruction, result),
        }
    }

    fn memory(&self, instruction: &Instruction, result: Type) -> Result<(), String> {
        if let Some(address) = instruction.operation.address() {
            self.expect(address, Type::Ptr, "the address")?;
        }
        match &instruction.operation {
            Operation::Load { .. } => self.results(instruction, &[result]),
            Operation::AtomicRmw { op, value, .. } => {
                let float = matches!(op, RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin);
                let ty = self.ty(*value);
                require(*op == RmwOp::Xchg || ty.is_float() == float, || format!("{op} on {ty}"))?;
                self.results(instruction, &[ty])
            }
            Operation::CompareExchange { expected, new, .. } => {
                let ty = self.ty(*expected);
                self.expect(*new, ty, "the new value")?;
                self.results(instruction, &[ty, Type::BOOL])
            }
            Operation::Offset { base, index, .. } => {
                self.expect(*base, Type::Ptr, "the base")?;
                index.map_or(Ok(()), |index| self.expect(index.value, Type::I64, "the index"))?;
                self.results(instruction, &[Type::Ptr])
            }
            Operation::Scope { address, .. } => {
                self.expect(*address, Type::Ptr, "the address")?;
                self.results(instruction, &[])
            }
            Operation::Alloca { count, .. } => {
                count.map_or(Ok(()), |count| self.expect(count, Type::I64, "the count"))?;
                self.results(instruction, &[Type::Ptr])
            }
            Operation::CopyMemory { to, from, length, .. } => {
                self.all(&[*to, *from], Type::Ptr)?;
                self.expect(*length, Type::I64, "the length")?;
                self.results(instruction, &[])
            }
            Operation::SetMemory { to, byte, length, .. } => {
                self.expect(*to, Type::Ptr, "the address")?;
                self.expect(*byte, Type::I8, "the byte")?;
                self.expect(*length, Type::I64, "the length")?;
                self.results(instruction, &[])
            }
            Operation::VariadicArea => self.results(instruction, &[Type::Ptr]),
            Operation::Round => self.results(instruction, &[Type::I64]),
            Operation::Assume { condition, round } => {
                self.expect(*condition, Type::BOOL, "the condition")?;
                self.round(*round)?;
                self.results(instruction, &[])
            }
            Operation::Await { access, until, round } => {
                self.until(until, result)?;
                self.round(*round)?;
                self.memory(&Instruction { operation: (**access).clone(), ..instruction.clone() }, result)
            }
            Operation::Call { callee, .. } => self.call(instruction, callee),
            _ => self.results(instruction, &[]),
        }
    }

    fn round(&self, round: Option<Value>) -> Result<(), String> {
        round.map_or(Ok(()), |round| self.expect(round, Type::I64, "the round"))
    }

    /// What is waited for fits a value of type `ty` in memory.
    fn until(&self, until: &Until, ty: Type) -> Result<(), String> {
        require(ty == Type::Ptr || ty.is_int() && ty.bits() <= 64, || format!("nothing can wait for an {ty}"))?;
        for Test { mask, operand, .. } in until.into_iter().flatten() {
            mask.map_or(Ok(()), |mask| self.expect(mask, ty, "a mask"))?;
            self.expect(*operand, ty, "what is waited for")?;
        }
        Ok(())
    }

    fn call(&self, instruction: &Instruction, callee: &Callee) -> Result<(), String> {
        match callee {
            Callee::Direct(id) => self.results(instruction, &self.module.function(*id).signature.results),
            Callee::Indirect(pointer) => self.expect(*pointer, Type::Ptr, "the callee"),
        }
    }
}

fn is_float_operation(op: BinaryOp) -> bool {
    op >= BinaryOp::FAdd
}

fn cast_fits(op: CastOp, from: Type, to: Type) -> bool {
    let ints = from.is_int() && to.is_int();
    match op {
        CastOp::Trunc => ints && from.bits() > to.bits(),
        CastOp::ZExt | CastOp::SExt => ints && from.bits() < to.bits(),
        CastOp::FpToUi | CastOp::FpToSi => from.is_float() && to.is_int(),
        CastOp::UiToFp | CastOp::SiToFp => from.is_int() && to.is_float(),
        CastOp::FpTrunc => (from, to) == (Type::F64, Type::F32),
        CastOp::FpExt => (from, to) == (Type::F32, Type::F64),
        CastOp::PtrToInt => (from, to) == (Type::Ptr, Type::I64),
        CastOp::IntToPtr => (from, to) == (Type::I64, Type::Ptr),
        CastOp::Bitcast => from.bits() == to.bits() && from != Type::Ptr && to != Type::Ptr && from != to,
    }
}
