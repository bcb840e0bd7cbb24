//! What an instruction can take as an operand.

use crate::function::Body;
use crate::ids::{FunctionId, GlobalId, Reg};
use crate::types::Type;

/// A register or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// What the register holds.
    Reg(Reg),
    /// A constant, as its bit pattern: an integer, a float, or an address that belongs to no object (null is
    /// 0). Bits above the width of the type are zero.
    Const {
        /// The type of the constant.
        ty: Type,
        /// Its bits.
        bits: u128,
    },
    /// The address of a global or a function, plus a number of bytes. For a thread-local global it is the
    /// address of the variable of the thread that evaluates it.
    Address {
        /// What is pointed to.
        symbol: Symbol,
        /// How many bytes beyond its start.
        offset: i64,
    },
    /// No particular value: what an uninitialised variable holds. It is never replaced by a convenient value,
    /// so that a decision which depends on it can be reported.
    Undef(Type),
}

/// What an address can be the address of before a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
}

impl Value {
    /// The null pointer.
    pub const NULL: Self = Value::Const { ty: Type::Ptr, bits: 0 };

    /// A constant of `ty` with the low bits of `bits`.
    pub fn constant(ty: Type, bits: u128) -> Self {
        Value::Const { ty, bits: bits & ty.mask() }
    }

    /// An `i64`.
    pub fn i64(value: i64) -> Self {
        Self::constant(Type::I64, value as u128)
    }

    /// A condition.
    pub fn bool(value: bool) -> Self {
        Self::constant(Type::BOOL, u128::from(value))
    }

    /// The type of the value in `body`, or `None` for a register that `body` does not have.
    pub fn ty(self, body: &Body) -> Option<Type> {
        match self {
            Value::Reg(reg) => body.registers.get(reg.index()).map(|register| register.ty),
            Value::Const { ty, .. } | Value::Undef(ty) => Some(ty),
            Value::Address { .. } => Some(Type::Ptr),
        }
    }

    /// The register, if it is one.
    #[inline]
    pub fn reg(self) -> Option<Reg> {
        if let Value::Reg(reg) = self { Some(reg) } else { None }
    }
}
