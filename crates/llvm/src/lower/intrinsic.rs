//! Intrinsics: operations that LLVM spells as calls.
//!
//! Hints vanish, arithmetic becomes operations, mathematics becomes calls of the C library. What is left keeps
//! its name and is called as an external function, so that an execution that reaches it can name it.

use super::Scopes;
use super::function::{Flat, Lowerer};
use crate::ast::{Call, Operand};
use crate::error::Result;
use everyway_ir::{
    BinaryOp, CastOp, FloatPredicate, Index, Operation, OverflowOp, STACK_RESTORE, STACK_SAVE, ScopeMark, TernaryOp,
    Type, UnaryOp, Value,
};

/// The masks by which `llvm.is.fpclass` asks whether a number is NaN, infinite, finite.
const NAN_CLASS: u128 = 0x3;
const INFINITE_CLASS: u128 = 0x204;
const FINITE_CLASS: u128 = 0x1f8;

/// Intrinsics without a meaning for us.
fn is_hint(name: &str) -> bool {
    const HINTS: &[&str] = &[
        "lifetime.",
        "invariant.start",
        "invariant.end",
        "assume",
        "donothing",
        "prefetch",
        "var.annotation",
        "experimental.noalias.scope.decl",
        "va_end",
        "sideeffect",
        "pseudoprobe",
        "dbg.",
        "fake.use",
        "instrprof.",
        "x86.sse2.pause",
        "aarch64.hint",
        "aarch64.isb",
        "arm.hint",
    ];
    HINTS.iter().any(|hint| name.starts_with(hint))
}

/// What an intrinsic says of the scope of a variable.
fn scope_mark(name: &str) -> Option<ScopeMark> {
    match name.strip_prefix("lifetime.")?.split('.').next()? {
        "start" => Some(ScopeMark::Begins),
        "end" => Some(ScopeMark::Ends),
        _ => None,
    }
}

/// Intrinsics whose result is their first argument.
fn is_identity(name: &str) -> bool {
    const IDENTITIES: &[&str] = &[
        "expect.",
        "launder.invariant.group",
        "strip.invariant.group",
        "ssa.copy",
        "ptr.annotation",
        "annotation.",
        "threadlocal.address",
        "arithmetic.fence",
    ];
    IDENTITIES.iter().any(|identity| name.starts_with(identity))
}

impl<'a> Lowerer<'_, '_, 'a> {
    /// `llvm.name(...)`
    pub(super) fn intrinsic(&mut self, full_name: &str, call: &Call<'a>) -> Result<Flat> {
        let name = full_name.strip_prefix("llvm.").unwrap_or(full_name);
        if let "dbg.declare" | "dbg.value" | "dbg.addr" = name {
            self.debug_call(call, name == "dbg.value");
            return Ok(Flat::new());
        }
        if let Some(mark) = scope_mark(name).filter(|_| self.context.scopes == Scopes::Watched) {
            return self.scope(mark, call);
        }
        if is_hint(name) {
            return Ok(Flat::new());
        }
        if is_identity(name) && !call.arguments.is_empty() {
            return self.typed(&call.arguments[0].typed);
        }
        // The first word decides; what follows are the types.
        let word = name.split('.').next().unwrap_or_default();
        match word {
            "memcpy" | "memmove" | "memset" => self.memory_intrinsic(word, call),
            "va_start" => {
                let list = self.pointer_argument(call, 0)?;
                self.va_start(list)
            }
            "va_copy" => {
                let (to, from) = (self.pointer_argument(call, 0)?, self.pointer_argument(call, 1)?);
                self.va_copy(to, from)
            }
            "stacksave" => self.external_call(STACK_SAVE, call),
            "stackrestore" => self.external_call(STACK_RESTORE, call),
            "frameaddress" | "returnaddress" => Ok(Flat::from_slice(&[Value::NULL])),
            "ptrmask" => self.pointer_mask(call),
            "objectsize" => self.object_size(call),
            _ if name.starts_with("is.constant") => Ok(Flat::from_slice(&[Value::bool(false)])),
            _ if name.starts_with("is.fpclass") => self.float_class(full_name, call),
            _ => self.arithmetic_intrinsic(full_name, name, word, call),
        }
    }

    /// `llvm.lifetime.start(size, variable)`, without the size from LLVM 22 on.
    fn scope(&mut self, mark: ScopeMark, call: &Call<'a>) -> Result<Flat> {
        let address = self.pointer_argument(call, call.arguments.len().saturating_sub(1))?;
        Ok(self.emit(Operation::Scope { address, mark }, &[]))
    }

    /// The debug intrinsics of LLVM up to 18.
    fn debug_call(&mut self, call: &Call<'a>, is_value: bool) {
        let mut operands = call.arguments.iter().map(|argument| &argument.typed.value);
        if let (Some(Operand::Metadata(value, _)), Some(Operand::Metadata(_, variable))) =
            (operands.next(), operands.next())
        {
            self.debug_record(value.as_deref(), *variable, is_value);
        }
    }

    fn scalar_argument(&mut self, call: &Call<'a>, index: usize) -> Result<Value> {
        match call.arguments.get(index) {
            Some(argument) => Ok(self.scalar(argument.typed.ty, &argument.typed.value)?.0),
            None => self.error("an intrinsic has too few arguments"),
        }
    }

    fn pointer_argument(&mut self, call: &Call<'a>, index: usize) -> Result<Value> {
        match call.arguments.get(index) {
            Some(argument) => self.pointer(&argument.typed.value),
            None => self.error("an intrinsic has too few arguments"),
        }
    }

    fn memory_intrinsic(&mut self, word: &str, call: &Call<'a>) -> Result<Flat> {
        let to = self.pointer_argument(call, 0)?;
        let length = self.scalar_argument(call, 2)?;
        let length = self.resize(length, Type::I64);
        let volatile = self.scalar_argument(call, 3)? == Value::bool(true);
        let operation = if word == "memset" {
            Operation::SetMemory { to, byte: self.scalar_argument(call, 1)?, length, volatile }
        } else {
            let from = self.pointer_argument(call, 1)?;
            Operation::CopyMemory { to, from, length, may_overlap: word == "memmove", volatile }
        };
        Ok(self.emit(operation, &[]))
    }

    /// A pointer with some bits of its address cleared; it still belongs to its object.
    fn pointer_mask(&mut self, call: &Call<'a>) -> Result<Flat> {
        let (base, mask) = (self.pointer_argument(call, 0)?, self.scalar_argument(call, 1)?);
        let address = self.emit_one(Operation::Cast { op: CastOp::PtrToInt, value: base }, Type::I64);
        let masked = self.emit_one(Operation::Binary { op: BinaryOp::And, lhs: address, rhs: mask }, Type::I64);
        let value = self.emit_one(Operation::Binary { op: BinaryOp::Sub, lhs: masked, rhs: address }, Type::I64);
        let index = Some(Index { value, stride: 1 });
        Ok(self.emit(Operation::Offset { base, offset: 0, index }, &[Type::Ptr]))
    }

    /// The size of an object is not known before the program runs: the answer that promises nothing.
    fn object_size(&mut self, call: &Call<'a>) -> Result<Flat> {
        let ty = self.context.layouts.scalar(call.result, self.line)?;
        let least = self.scalar_argument(call, 1)? == Value::bool(true);
        Ok(Flat::from_slice(&[Value::constant(ty, if least { 0 } else { u128::MAX })]))
    }

    /// `isnan`, `isinf`, `isfinite`.
    fn float_class(&mut self, name: &str, call: &Call<'a>) -> Result<Flat> {
        let value = self.scalar_argument(call, 0)?;
        let Value::Const { bits: class, .. } = self.scalar_argument(call, 1)? else {
            return self.error("the class of a number is no constant");
        };
        let ty = value.ty(&self.body).unwrap_or(Type::F64);
        let infinity = match ty {
            Type::F32 => u128::from(f32::INFINITY.to_bits()),
            _ => u128::from(f64::INFINITY.to_bits()),
        };
        let predicate = match class {
            NAN_CLASS => FloatPredicate::Uno,
            INFINITE_CLASS => FloatPredicate::Oeq,
            FINITE_CLASS => FloatPredicate::Olt,
            _ => return self.external_call(name, call),
        };
        let lhs = self.emit_one(Operation::Unary { op: UnaryOp::FAbs, value }, ty);
        let rhs = if predicate == FloatPredicate::Uno { lhs } else { Value::constant(ty, infinity) };
        Ok(self.emit(Operation::FloatCompare { predicate, lhs, rhs }, &[Type::BOOL]))
    }

    /// The elements of a vector combined into one, after a value to start from where there is one.
    fn reduce(&mut self, op: BinaryOp, call: &Call<'a>) -> Result<Flat> {
        let mut elements = Flat::new();
        for argument in &call.arguments {
            elements.extend(self.typed(&argument.typed)?);
        }
        let ty = self.context.layouts.scalar(call.result, self.line)?;
        let combined = elements.into_iter().reduce(|lhs, rhs| self.emit_one(Operation::Binary { op, lhs, rhs }, ty));
        match combined {
            Some(value) => Ok(Flat::from_slice(&[value])),
            None => self.error("a reduction of nothing"),
        }
    }

    fn arithmetic_intrinsic(&mut self, full_name: &str, name: &str, word: &str, call: &Call<'a>) -> Result<Flat> {
        if let Some(op) = name.split_once(".with.overflow").and_then(|(word, _)| OverflowOp::from_name(word)) {
            let (lhs, rhs) = (self.scalar_argument(call, 0)?, self.scalar_argument(call, 1)?);
            let ty = lhs.ty(&self.body).unwrap_or(Type::I64);
            return Ok(self.emit(Operation::Overflow { op, lhs, rhs }, &[ty, Type::BOOL]));
        }
        if let Some(op) = name.strip_prefix("vector.reduce.").and_then(reduction) {
            return self.reduce(op, call);
        }
        let saturating = match name.split('.').nth(1) {
            Some("sat") => BinaryOp::from_name(&format!("{word}.sat")),
            _ => None,
        };
        if let Some(op) = saturating.or(binary_intrinsic(word)) {
            let [first, second, ..] = call.arguments.as_slice() else {
                return self.error("an intrinsic has too few arguments");
            };
            let scalars = self.context.layouts.scalars(first.typed.ty, self.line)?;
            let (lhs, rhs) = (self.typed(&first.typed)?, self.typed(&second.typed)?);
            let pairs = lhs.into_iter().zip(rhs).zip(scalars.iter());
            return Ok(pairs.map(|((lhs, rhs), s)| self.emit_one(Operation::Binary { op, lhs, rhs }, s.0)).collect());
        }
        if let (Some(op), Some(argument)) = (unary_intrinsic(word), call.arguments.first()) {
            return self.unary(op, &argument.typed);
        }
        if let (Some(op), [a, b, c, ..]) = (TernaryOp::from_name(word), call.arguments.as_slice()) {
            let scalars = self.context.layouts.scalars(a.typed.ty, self.line)?;
            let (a, b, c) = (self.typed(&a.typed)?, self.typed(&b.typed)?, self.typed(&c.typed)?);
            let triples = a.into_iter().zip(b).zip(c).zip(scalars.iter());
            let operation = |a, b, c| Operation::Ternary { op, values: [a, b, c] };
            return Ok(triples.map(|(((a, b), c), s)| self.emit_one(operation(a, b, c), s.0)).collect());
        }
        match library_function(name) {
            Some(function) => self.external_call(&function, call),
            None => self.external_call(full_name, call),
        }
    }
}

/// The operation of `vector.reduce.add.v4i32` and its like, after the prefix.
fn reduction(rest: &str) -> Option<BinaryOp> {
    match rest.split('.').next()? {
        "fmin" => Some(BinaryOp::FMin),
        "fmax" => Some(BinaryOp::FMax),
        word @ ("add" | "mul" | "and" | "or" | "xor" | "smin" | "smax" | "umin" | "umax" | "fadd" | "fmul") => {
            BinaryOp::from_name(word)
        }
        _ => None,
    }
}

fn binary_intrinsic(word: &str) -> Option<BinaryOp> {
    Some(match word {
        "smin" => BinaryOp::SMin,
        "smax" => BinaryOp::SMax,
        "umin" => BinaryOp::UMin,
        "umax" => BinaryOp::UMax,
        "minnum" => BinaryOp::FMin,
        "maxnum" => BinaryOp::FMax,
        "copysign" => BinaryOp::CopySign,
        _ => return None,
    })
}

fn unary_intrinsic(word: &str) -> Option<UnaryOp> {
    Some(match word {
        "abs" => UnaryOp::Abs,
        "ctpop" => UnaryOp::CountOnes,
        "ctlz" => UnaryOp::LeadingZeros,
        "cttz" => UnaryOp::TrailingZeros,
        "bswap" => UnaryOp::ByteSwap,
        "bitreverse" => UnaryOp::BitReverse,
        "fabs" => UnaryOp::FAbs,
        "sqrt" => UnaryOp::Sqrt,
        "floor" => UnaryOp::Floor,
        "ceil" => UnaryOp::Ceil,
        "trunc" => UnaryOp::Trunc,
        "round" => UnaryOp::Round,
        "roundeven" | "rint" | "nearbyint" => UnaryOp::RoundEven,
        _ => return None,
    })
}

/// The function of the C library that an intrinsic such as `sin.f64` stands for.
fn library_function(name: &str) -> Option<String> {
    const FUNCTIONS: &[&str] = &[
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "exp10", "log",
        "log2", "log10", "pow", "ldexp", "lround", "llround", "lrint", "llrint",
    ];
    let mut parts = name.split('.');
    let function = parts.next().filter(|function| FUNCTIONS.contains(function))?;
    match parts.next_back()? {
        "f64" => Some(function.into()),
        "f32" => Some(format!("{function}f")),
        "f80" | "f128" => Some(format!("{function}l")),
        _ => None,
    }
}
