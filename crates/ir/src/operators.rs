//! The small vocabularies of operations: arithmetic, predicates, conversions, orderings.
//!
//! Each word is listed once, with the name it has in the text form.

use crate::words::words;

words!(
    /// Functions of two values of one type.
    BinaryOp {
        /// Integer addition.
        Add = "add",
        /// Integer subtraction.
        Sub = "sub",
        /// Integer multiplication.
        Mul = "mul",
        /// Unsigned division; by zero it is an error.
        UDiv = "udiv",
        /// Signed division, towards zero; by zero it is an error, and so is the least value by -1.
        SDiv = "sdiv",
        /// Unsigned remainder; by zero it is an error.
        URem = "urem",
        /// Signed remainder, with the sign of the dividend; an error where `SDiv` is one.
        SRem = "srem",
        /// Shift left; by the width or more the result is undefined.
        Shl = "shl",
        /// Shift right, zeros come in; by the width or more the result is undefined.
        LShr = "lshr",
        /// Shift right, the sign comes in; by the width or more the result is undefined.
        AShr = "ashr",
        /// Bitwise and.
        And = "and",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// The lesser, signed.
        SMin = "smin",
        /// The greater, signed.
        SMax = "smax",
        /// The lesser, unsigned.
        UMin = "umin",
        /// The greater, unsigned.
        UMax = "umax",
        /// Signed addition that stops at the ends.
        SAddSat = "sadd.sat",
        /// Unsigned addition that stops at the ends.
        UAddSat = "uadd.sat",
        /// Signed subtraction that stops at the ends.
        SSubSat = "ssub.sat",
        /// Unsigned subtraction that stops at the ends.
        USubSat = "usub.sat",
        /// Float addition.
        FAdd = "fadd",
        /// Float subtraction.
        FSub = "fsub",
        /// Float multiplication.
        FMul = "fmul",
        /// Float division.
        FDiv = "fdiv",
        /// Float remainder, as `fmod`.
        FRem = "frem",
        /// The lesser float; a number is preferred to NaN, as `fmin`.
        FMin = "fmin",
        /// The greater float; a number is preferred to NaN, as `fmax`.
        FMax = "fmax",
        /// The size of the left with the sign of the right, as `copysign`.
        CopySign = "copysign",
    }
);

words!(
    /// Integer functions that tell whether they wrapped.
    OverflowOp {
        /// Signed addition.
        SAdd = "sadd",
        /// Unsigned addition.
        UAdd = "uadd",
        /// Signed subtraction.
        SSub = "ssub",
        /// Unsigned subtraction.
        USub = "usub",
        /// Signed multiplication.
        SMul = "smul",
        /// Unsigned multiplication.
        UMul = "umul",
    }
);

words!(
    /// Functions of one value, of the same type.
    UnaryOp {
        /// The value itself, or some fixed value if it is undefined.
        Freeze = "freeze",
        /// The size of a signed integer; the least value stays what it is.
        Abs = "abs",
        /// The number of bits that are set.
        CountOnes = "ctpop",
        /// The number of zero bits above the highest set bit; the width for zero.
        LeadingZeros = "ctlz",
        /// The number of zero bits below the lowest set bit; the width for zero.
        TrailingZeros = "cttz",
        /// The bytes in opposite order.
        ByteSwap = "bswap",
        /// The bits in opposite order.
        BitReverse = "bitreverse",
        /// The float with the other sign.
        FNeg = "fneg",
        /// The float without its sign.
        FAbs = "fabs",
        /// The square root.
        Sqrt = "sqrt",
        /// Rounded down.
        Floor = "floor",
        /// Rounded up.
        Ceil = "ceil",
        /// Rounded towards zero.
        Trunc = "ftrunc",
        /// Rounded to the nearest, halves away from zero.
        Round = "round",
        /// Rounded to the nearest, halves to even (also `rint` and `nearbyint` in the default mode).
        RoundEven = "roundeven",
    }
);

words!(
    /// Functions of three values of one type.
    TernaryOp {
        /// `a * b + c`, rounded once.
        Fma = "fma",
        /// `a * b + c`, rounded twice: what a compiler may contract.
        MulAdd = "fmuladd",
        /// The high half of `a:b` shifted left by `c` modulo the width.
        FunnelShiftLeft = "fshl",
        /// The low half of `a:b` shifted right by `c` modulo the width.
        FunnelShiftRight = "fshr",
    }
);

words!(
    /// Relations of integers and pointers.
    IntPredicate {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Unsigned greater.
        Ugt = "ugt",
        /// Unsigned greater or equal.
        Uge = "uge",
        /// Unsigned less.
        Ult = "ult",
        /// Unsigned less or equal.
        Ule = "ule",
        /// Signed greater.
        Sgt = "sgt",
        /// Signed greater or equal.
        Sge = "sge",
        /// Signed less.
        Slt = "slt",
        /// Signed less or equal.
        Sle = "sle",
    }
);

words!(
    /// Relations of floats: those with `o` are false if one is NaN, those with `u` are true.
    FloatPredicate {
        /// Never.
        False = "false",
        /// Equal.
        Oeq = "oeq",
        /// Greater.
        Ogt = "ogt",
        /// Greater or equal.
        Oge = "oge",
        /// Less.
        Olt = "olt",
        /// Less or equal.
        Ole = "ole",
        /// Not equal.
        One = "one",
        /// Neither is NaN.
        Ord = "ord",
        /// Equal, or NaN.
        Ueq = "ueq",
        /// Greater, or NaN.
        Ugt = "ugt",
        /// Greater or equal, or NaN.
        Uge = "uge",
        /// Less, or NaN.
        Ult = "ult",
        /// Less or equal, or NaN.
        Ule = "ule",
        /// Not equal, or NaN.
        Une = "une",
        /// One is NaN.
        Uno = "uno",
        /// Always.
        True = "true",
    }
);

words!(
    /// Conversions.
    CastOp {
        /// An integer to a narrower one.
        Trunc = "trunc",
        /// An integer to a wider one, with zeros.
        ZExt = "zext",
        /// An integer to a wider one, with its sign.
        SExt = "sext",
        /// A float to an unsigned integer, towards zero.
        FpToUi = "fptoui",
        /// A float to a signed integer, towards zero.
        FpToSi = "fptosi",
        /// An unsigned integer to a float.
        UiToFp = "uitofp",
        /// A signed integer to a float.
        SiToFp = "sitofp",
        /// A double to a single.
        FpTrunc = "fptrunc",
        /// A single to a double.
        FpExt = "fpext",
        /// A pointer to an integer of 64 bits.
        PtrToInt = "ptrtoint",
        /// An integer of 64 bits to a pointer.
        IntToPtr = "inttoptr",
        /// The same bits as another type of the same width, neither being a pointer.
        Bitcast = "bitcast",
    }
);

words!(
    /// What an atomic read-modify-write writes, from the old value and the operand.
    RmwOp {
        /// The operand.
        Xchg = "xchg",
        /// The sum.
        Add = "add",
        /// The difference.
        Sub = "sub",
        /// Bitwise and.
        And = "and",
        /// Bitwise and, inverted.
        Nand = "nand",
        /// Bitwise or.
        Or = "or",
        /// Bitwise exclusive or.
        Xor = "xor",
        /// The greater, signed.
        Max = "max",
        /// The lesser, signed.
        Min = "min",
        /// The greater, unsigned.
        UMax = "umax",
        /// The lesser, unsigned.
        UMin = "umin",
        /// The sum of floats.
        FAdd = "fadd",
        /// The difference of floats.
        FSub = "fsub",
        /// The greater float.
        FMax = "fmax",
        /// The lesser float.
        FMin = "fmin",
        /// One more, or 0 if the old value is the operand or more.
        UIncWrap = "uinc_wrap",
        /// One less, or the operand if the old value is 0 or more than the operand.
        UDecWrap = "udec_wrap",
    }
);

words!(
    /// How an atomic access orders others. Execution treats all of them as `SeqCst`.
    AtomicOrdering {
        /// Java's volatile: `unordered`.
        Unordered = "unordered",
        /// C's `memory_order_relaxed`.
        Monotonic = "monotonic",
        /// C's `memory_order_acquire` (and `consume`).
        Acquire = "acquire",
        /// C's `memory_order_release`.
        Release = "release",
        /// C's `memory_order_acq_rel`.
        AcqRel = "acq_rel",
        /// C's `memory_order_seq_cst`.
        SeqCst = "seq_cst",
    }
);

impl IntPredicate {
    /// The relation that holds if this one does not.
    pub fn inverse(self) -> Self {
        match self {
            IntPredicate::Eq => IntPredicate::Ne,
            IntPredicate::Ne => IntPredicate::Eq,
            IntPredicate::Ugt => IntPredicate::Ule,
            IntPredicate::Uge => IntPredicate::Ult,
            IntPredicate::Ult => IntPredicate::Uge,
            IntPredicate::Ule => IntPredicate::Ugt,
            IntPredicate::Sgt => IntPredicate::Sle,
            IntPredicate::Sge => IntPredicate::Slt,
            IntPredicate::Slt => IntPredicate::Sge,
            IntPredicate::Sle => IntPredicate::Sgt,
        }
    }

    /// The relation of unsigned integers that a relation of signed ones is where both are positive.
    pub fn unsigned(self) -> Self {
        match self {
            IntPredicate::Sgt => IntPredicate::Ugt,
            IntPredicate::Sge => IntPredicate::Uge,
            IntPredicate::Slt => IntPredicate::Ult,
            IntPredicate::Sle => IntPredicate::Ule,
            other => other,
        }
    }

    /// The relation of the operands in the other order.
    pub fn swapped(self) -> Self {
        match self {
            IntPredicate::Eq | IntPredicate::Ne => self,
            IntPredicate::Ugt => IntPredicate::Ult,
            IntPredicate::Uge => IntPredicate::Ule,
            IntPredicate::Ult => IntPredicate::Ugt,
            IntPredicate::Ule => IntPredicate::Uge,
            IntPredicate::Sgt => IntPredicate::Slt,
            IntPredicate::Sge => IntPredicate::Sle,
            IntPredicate::Slt => IntPredicate::Sgt,
            IntPredicate::Sle => IntPredicate::Sge,
        }
    }
}
