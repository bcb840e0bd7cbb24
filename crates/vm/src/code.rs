//! The program in the form in which it is executed: flat, with every operand resolved.
//!
//! A frame is a run of 64-bit lanes; an integer of more than 64 bits takes two. An operand is a lane of the
//! frame or an entry of the program's pool of constants. Blocks are positions in a vector of instructions, and
//! phis are moves on the way between them.

use crate::cell::Cell;
use crate::ids::SectionId;
use crate::library::Handler;
use crate::sections::Sections;
use everyway_ir::{
    BinaryOp, CastOp, FloatPredicate, FunctionId, GlobalId, IntPredicate, OverflowOp, RmwOp, ScopeMark, SlotId,
    SourceLocation, TernaryOp, UnaryOp,
};
use everyway_runtime::Ordering;

/// A lane of the frame, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operand(pub(crate) u32);

impl Operand {
    const CONSTANT: u32 = 1 << 31;

    pub(crate) fn lane(lane: u32) -> Self {
        Self(lane)
    }

    pub(crate) fn constant(index: usize) -> Self {
        Self(index as u32 | Self::CONSTANT)
    }

    /// The index into the pool, if it is a constant.
    #[inline(always)]
    pub(crate) fn pooled(self) -> Option<usize> {
        (self.0 & Self::CONSTANT != 0).then_some((self.0 & !Self::CONSTANT) as usize)
    }

    /// The second lane of a wide value.
    pub(crate) fn high(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A run of entries in one of the program's pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Span {
    pub(crate) fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..(self.start + self.len) as usize]
    }
}

/// An instruction. `width` and `bits` are numbers of bits, `size` is a number of bytes, `to` is a lane.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    Binary {
        op: BinaryOp,
        width: u8,
        to: u32,
        a: Operand,
        b: Operand,
    },
    /// Operations that are not worth a path of their own: over 128 bits, floats, and rare ones.
    General(u32),
    Compare {
        predicate: IntPredicate,
        width: u8,
        to: u32,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: u8,
        width: u8,
        to: u32,
        a: Operand,
    },
    Select {
        to: u32,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
        lanes: u8,
    },
    Offset {
        to: u32,
        base: Operand,
        offset: i64,
    },
    Index {
        to: u32,
        base: Operand,
        offset: i64,
        index: Operand,
        stride: i32,
    },
    ThreadLocal {
        to: u32,
        global: GlobalId,
        offset: i64,
    },
    Move {
        to: u32,
        from: Operand,
    },
    Load {
        to: u32,
        address: Operand,
        size: u8,
        ordering: Ordering,
    },
    Store {
        address: Operand,
        value: Operand,
        size: u8,
        ordering: Ordering,
    },
    Rmw {
        op: RmwOp,
        to: u32,
        address: Operand,
        value: Operand,
        width: u8,
        /// Whether no instruction reads the result.
        unused: bool,
        ordering: Ordering,
    },
    /// What comes before a weak compare-exchange: whether it fails spuriously.
    FailWeakly {
        to: u32,
        flag: u32,
        address: Operand,
        size: u8,
        ordering: Ordering,
    },
    CompareExchange {
        to: u32,
        flag: u32,
        address: Operand,
        expected: Operand,
        new: Operand,
        size: u8,
        /// If it succeeds, and if it fails.
        orderings: [Ordering; 2],
    },
    /// An access that waits, in the pool of awaits.
    Await(u32),
    Assume {
        condition: Operand,
        round: Option<Operand>,
    },
    /// A round of a loop begins.
    Round {
        to: u32,
    },
    Fence(Ordering),
    /// A fence that the machine of the program needs no instruction for: it orders accesses, and is no step.
    CompilerBarrier(Ordering),
    /// The scope of a variable begins or ends; the lane holds its address, which is another one each time it begins.
    Scope {
        lane: u32,
        mark: ScopeMark,
    },
    Alloca {
        to: u32,
        slot: SlotId,
        count: Option<Operand>,
    },
    Call(u32),
    CopyMemory {
        to: Operand,
        from: Operand,
        length: Operand,
    },
    SetMemory {
        to: Operand,
        byte: Operand,
        length: Operand,
    },
    VariadicArea {
        to: u32,
    },
    Jump(u32),
    Branch {
        condition: Operand,
        then: u32,
        otherwise: u32,
    },
    Switch {
        value: Operand,
        lanes: u8,
        table: u32,
    },
    Return(Span),
    Unreachable,
}

/// What [`Instruction::General`] does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum General {
    Binary { op: BinaryOp, float: bool, width: u32, to: u32, a: Operand, b: Operand },
    Unary { op: UnaryOp, width: u32, to: u32, a: Operand },
    Ternary { op: TernaryOp, float: bool, width: u32, to: u32, values: [Operand; 3] },
    Overflow { op: OverflowOp, width: u32, to: u32, flag: u32, a: Operand, b: Operand },
    Compare { predicate: IntPredicate, width: u32, to: u32, a: Operand, b: Operand },
    FloatCompare { predicate: FloatPredicate, width: u32, to: u32, a: Operand, b: Operand },
    Cast { op: CastOp, from: u32, width: u32, to: u32, a: Operand },
}

/// Whom a call calls, with what, and where the results go.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) callee: Callee,
    /// In the pool of arguments.
    pub(crate) arguments: Span,
    /// How many of them, counted in lanes, are for parameters.
    pub(crate) fixed: u32,
    /// Lanes, in the pool of lanes.
    pub(crate) results: Span,
    pub(crate) looks: Looks,
    /// The atomic section that it begins, if it is known what that touches.
    pub(crate) section: Option<SectionId>,
}

/// What a caller wants to know of what a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Nothing.
    Away,
    /// Of an input, which of these values it is like, in the pool of inputs.
    Among(Span),
    /// Everything.
    At,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Callee {
    Direct(FunctionId),
    Indirect(Operand),
}

/// An access that waits.
#[derive(Clone, Debug)]
pub(crate) struct Await {
    /// The access, as it would be without waiting.
    pub(crate) access: Instruction,
    /// The lane that what is found in memory goes to.
    pub(crate) found: u32,
    /// The number of bits that are accessed.
    pub(crate) width: u8,
    /// What is waited for: one test of each of these.
    pub(crate) until: Vec<Vec<Test>>,
    /// The round of the loop that would do nothing.
    pub(crate) round: Option<Operand>,
    /// The place of that loop.
    pub(crate) place: Option<SourceLocation>,
}

/// A part of what is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) mask: Option<Operand>,
    pub(crate) predicate: IntPredicate,
    pub(crate) operand: Operand,
}

/// A lane of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) value: Operand,
    /// The width of the argument in bits; more than 64 for both lanes of a wide one.
    pub(crate) width: u8,
}

/// A switch.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// By increasing value.
    pub(crate) cases: Vec<(u128, u32)>,
    pub(crate) default: u32,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) enum Function {
    Defined(Body),
    /// One that the machine knows, and a body that calls it: for when the machine itself has to.
    Modelled(Handler, Body),
    Unknown,
}

/// A function that is defined in the program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) instructions: Vec<Instruction>,
    /// The places of the instructions in the source.
    pub(crate) places: Vec<Option<SourceLocation>>,
    /// The lanes of a frame.
    pub(crate) lanes: u32,
    /// The lanes of the parameters, which come first.
    pub(crate) parameters: u32,
    pub(crate) variadic: bool,
    /// Whether it is an atomic section as a whole, and does not say so inside.
    pub(crate) atomic: bool,
    /// Whether it comes from a header of the system, and not from the user.
    pub(crate) foreign: bool,
}

/// The program.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// By [`FunctionId`].
    pub(crate) functions: Vec<Function>,
    pub(crate) pool: Vec<Cell>,
    pub(crate) generals: Vec<General>,
    pub(crate) calls: Vec<Call>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) lanes: Vec<u32>,
    /// Values of inputs.
    pub(crate) inputs: Vec<u64>,
    pub(crate) tables: Vec<Table>,
    pub(crate) awaits: Vec<Await>,
    /// How atomic sections keep others out.
    pub(crate) sections: Sections,
    /// Whether something may be registered to be called at the end of the program.
    pub(crate) has_exit_handlers: bool,
    /// Whether the program is written for a verifier, whose `abort` is the end of an execution it rules out.
    pub(crate) is_verification_task: bool,
}

impl Code {
    /// The body of a function; none if it is not defined.
    pub(crate) fn body(&self, function: FunctionId) -> Option<&Body> {
        match self.functions.get(function.index()) {
            Some(Function::Defined(body) | Function::Modelled(_, body)) => Some(body),
            _ => None,
        }
    }
}
