//! What an instruction does.
//!
//! Operands are of the types that the comments say; the validator checks it. Arithmetic wraps: overflow of a
//! signed integer is not an error here.

use crate::ids::{FunctionId, SlotId};
use crate::operators::{
    AtomicOrdering, BinaryOp, CastOp, FloatPredicate, IntPredicate, OverflowOp, RmwOp, TernaryOp, UnaryOp,
};
use crate::until::{Test, Until};
use crate::value::Value;
use smallvec::SmallVec;

/// What an instruction does. Unless said otherwise it has one result.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Two operands and a result of one type.
    Binary {
        /// The function computed.
        op: BinaryOp,
        /// The left operand.
        lhs: Value,
        /// The right operand.
        rhs: Value,
    },
    /// An integer operation that tells whether it wrapped. Two results: the wrapped value, and an `i1`.
    Overflow {
        /// The function computed.
        op: OverflowOp,
        /// The left operand.
        lhs: Value,
        /// The right operand.
        rhs: Value,
    },
    /// One operand and a result of the same type.
    Unary {
        /// The function computed.
        op: UnaryOp,
        /// The operand.
        value: Value,
    },
    /// Three operands and a result of one type.
    Ternary {
        /// The function computed.
        op: TernaryOp,
        /// The operands.
        values: [Value; 3],
    },
    /// Compares two integers or two pointers of one type; the result is an `i1`.
    Compare {
        /// The relation.
        predicate: IntPredicate,
        /// The left operand.
        lhs: Value,
        /// The right operand.
        rhs: Value,
    },
    /// Compares two floats of one type; the result is an `i1`.
    FloatCompare {
        /// The relation.
        predicate: FloatPredicate,
        /// The left operand.
        lhs: Value,
        /// The right operand.
        rhs: Value,
    },
    /// Converts to the type of the result.
    Cast {
        /// The kind of conversion.
        op: CastOp,
        /// The operand.
        value: Value,
    },
    /// One of two values of one type.
    Select {
        /// An `i1`.
        condition: Value,
        /// The result if it is 1.
        then: Value,
        /// The result if it is 0.
        otherwise: Value,
    },
    /// The pointer `base + offset + index * stride`, which belongs to the object of `base`.
    Offset {
        /// A pointer.
        base: Value,
        /// Bytes to add.
        offset: i64,
        /// A multiple to add.
        index: Option<Index>,
    },
    /// Reads memory; the type of the result says how many bytes and what they mean.
    Load {
        /// A pointer.
        address: Value,
        /// The alignment that the program promises, a power of two.
        align: u32,
        /// Whether the source says `volatile`.
        volatile: bool,
        /// The ordering of an atomic load; `None` if it is not atomic.
        ordering: Option<AtomicOrdering>,
    },
    /// Writes memory; the type of the value says how many bytes. No result.
    Store {
        /// A pointer.
        address: Value,
        /// What is written.
        value: Value,
        /// The alignment that the program promises, a power of two.
        align: u32,
        /// Whether the source says `volatile`.
        volatile: bool,
        /// The ordering of an atomic store; `None` if it is not atomic.
        ordering: Option<AtomicOrdering>,
    },
    /// Replaces a value in memory by a function of it, in one step. The result is the old value.
    AtomicRmw {
        /// The function.
        op: RmwOp,
        /// A pointer.
        address: Value,
        /// The other operand, of the type that is in memory.
        value: Value,
        /// The ordering.
        ordering: AtomicOrdering,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// Replaces a value in memory if it is the expected one, in one step. Two results: the old value, and an
    /// `i1` that says whether it was replaced.
    CompareExchange {
        /// A pointer.
        address: Value,
        /// The value that is looked for.
        expected: Value,
        /// The value to replace it by.
        new: Value,
        /// Whether it may fail although the value is the expected one.
        weak: bool,
        /// The ordering if it succeeds.
        success: AtomicOrdering,
        /// The ordering if it fails.
        failure: AtomicOrdering,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// A memory fence. No result.
    Fence {
        /// The ordering.
        ordering: AtomicOrdering,
        /// Whether it only concerns the compiler and signal handlers of the same thread.
        single_thread: bool,
    },
    /// Makes an object on the stack that lives until the function returns; the result is its address. Every
    /// execution makes a new object, whose bytes are uninitialised.
    Alloca {
        /// Which slot.
        slot: SlotId,
        /// The number of elements, an `i64`; `None` for one.
        count: Option<Value>,
    },
    /// The scope of a variable begins or ends: outside of it the object on the stack is not to be used. No result.
    Scope {
        /// The address of the object.
        address: Value,
        /// Which of the two.
        mark: ScopeMark,
    },
    /// Calls a function. As many results as the function has.
    Call {
        /// Whom.
        callee: Callee,
        /// The arguments: one for each parameter, then the variadic ones.
        arguments: Vec<Value>,
        /// How many of the arguments are for parameters; the others are variadic.
        fixed: u32,
    },
    /// Copies bytes. No result.
    CopyMemory {
        /// A pointer to write to.
        to: Value,
        /// A pointer to read from.
        from: Value,
        /// The number of bytes, an `i64`.
        length: Value,
        /// Whether the two ranges may overlap (`memmove`).
        may_overlap: bool,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// Sets bytes. No result.
    SetMemory {
        /// A pointer to write to.
        to: Value,
        /// An `i8`.
        byte: Value,
        /// The number of bytes, an `i64`.
        length: Value,
        /// Whether the source says `volatile`.
        volatile: bool,
    },
    /// A pointer to an object that holds the variadic arguments of the running call, in order: each starts at
    /// a multiple of 8 (16 for integers of more than 64 bits) and is followed by the next.
    ///
    /// This is `va_start`: the reader writes the pointer into the `va_list` of the target in the way that
    /// says that no argument is in a register. On x86-64 it lies at offset 8 of the list, after
    /// `gp_offset = 48` and `fp_offset = 176`; on AArch64 Linux at offset 0; otherwise the list is the pointer.
    VariadicArea,
    /// Lets the thread go on only if the condition holds. No result.
    Assume {
        /// An `i1`.
        condition: Value,
        /// The round of the loop that would do nothing if the condition did not hold, an `i64` from
        /// [`Operation::Round`]; `None` if the source says to assume it.
        round: Option<Value>,
    },
    /// A round of a loop begins. The result, an `i64`, tells the virtual machine when that was.
    Round,
    /// An access to memory that takes place once what it finds there meets a condition. It has the results of the
    /// access.
    Await {
        /// A load, an atomic read-modify-write or a compare-exchange of an integer of up to 64 bits or a pointer.
        access: Box<Operation>,
        /// What the value in memory has to be.
        until: Until,
        /// As for [`Operation::Assume`].
        round: Option<Value>,
    },
}

/// What is said of the scope of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeMark {
    /// It begins: the variable has no value.
    Begins,
    /// It ends.
    Ends,
}

/// A multiple that is added to a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// How many, an `i64`, signed.
    pub value: Value,
    /// Of how many bytes.
    pub stride: i64,
}

/// Whom a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// This function. The arguments need not fit its signature: C calls across mismatched declarations.
    Direct(FunctionId),
    /// The function that this pointer points to.
    Indirect(Value),
}

/// The operands of an operation.
pub type Values = SmallVec<[Value; 4]>;

// One list of operands, for reading them and for changing them: `$operation` is a shared or a mutable reference.
macro_rules! for_each_operand {
    ($operation:expr, $visit:ident) => {
        match $operation {
            Operation::Binary { lhs, rhs, .. }
            | Operation::Overflow { lhs, rhs, .. }
            | Operation::Compare { lhs, rhs, .. }
            | Operation::FloatCompare { lhs, rhs, .. } => {
                $visit(lhs);
                $visit(rhs);
            }
            Operation::Unary { value, .. } | Operation::Cast { value, .. } => $visit(value),
            Operation::Ternary { values, .. } => values.into_iter().for_each($visit),
            Operation::Select { condition, then, otherwise } => {
                $visit(condition);
                $visit(then);
                $visit(otherwise);
            }
            Operation::Offset { base, index, .. } => {
                $visit(base);
                if let Some(Index { value, .. }) = index {
                    $visit(value);
                }
            }
            Operation::Load { address, .. } | Operation::Scope { address, .. } => $visit(address),
            Operation::Store { address, value, .. } | Operation::AtomicRmw { address, value, .. } => {
                $visit(address);
                $visit(value);
            }
            Operation::CompareExchange { address, expected, new, .. } => {
                $visit(address);
                $visit(expected);
                $visit(new);
            }
            Operation::Alloca { count, .. } => {
                if let Some(count) = count {
                    $visit(count);
                }
            }
            Operation::Call { callee, arguments, .. } => {
                if let Callee::Indirect(pointer) = callee {
                    $visit(pointer);
                }
                arguments.into_iter().for_each($visit);
            }
            Operation::CopyMemory { to, from, length, .. } => {
                $visit(to);
                $visit(from);
                $visit(length);
            }
            Operation::SetMemory { to, byte, length, .. } => {
                $visit(to);
                $visit(byte);
                $visit(length);
            }
            Operation::Assume { condition, round } => {
                $visit(condition);
                if let Some(round) = round {
                    $visit(round);
                }
            }
            // Of an await, these are the operands besides those of its access.
            Operation::Await { until, round, .. } => {
                for Test { mask, operand, .. } in until.into_iter().flatten() {
                    if let Some(mask) = mask {
                        $visit(mask);
                    }
                    $visit(operand);
                }
                if let Some(round) = round {
                    $visit(round);
                }
            }
            Operation::Fence { .. } | Operation::VariadicArea | Operation::Round => {}
        }
    };
}

impl Operation {
    /// The operands, in the order in which the text form prints them.
    pub fn values(&self) -> Values {
        let mut values = Values::new();
        if let Operation::Await { access, .. } = self {
            values = access.values();
        }
        let mut visit = |value: &Value| values.push(*value);
        for_each_operand!(self, visit);
        values
    }

    /// Calls `visit` with every operand, to be changed in place.
    pub fn for_each_value_mut(&mut self, mut visit: impl FnMut(&mut Value)) {
        self.visit_values_mut(&mut visit);
    }

    fn visit_values_mut(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        if let Operation::Await { access, .. } = self {
            access.visit_values_mut(visit);
        }
        for_each_operand!(self, visit);
    }

    /// The address of an access to a single scalar in memory.
    pub fn address(&self) -> Option<Value> {
        match self {
            Operation::Load { address, .. }
            | Operation::Store { address, .. }
            | Operation::AtomicRmw { address, .. }
            | Operation::CompareExchange { address, .. } => Some(*address),
            Operation::Await { access, .. } => access.address(),
            _ => None,
        }
    }

    /// Whether the operation can touch memory that others may see, or do something else than compute its
    /// results.
    pub fn has_effects(&self) -> bool {
        !matches!(
            self,
            Operation::Binary { .. }
                | Operation::Overflow { .. }
                | Operation::Unary { .. }
                | Operation::Ternary { .. }
                | Operation::Compare { .. }
                | Operation::FloatCompare { .. }
                | Operation::Cast { .. }
                | Operation::Select { .. }
                | Operation::Offset { .. }
        )
    }
}
