//! LLVM assembly as it is written, before it means anything.
//!
//! Names are slices of the text. Types are interned; constants are trees.

use crate::types::TypeId;
use everyway_ir::{AtomicOrdering, FloatPredicate, IntPredicate, RmwOp};
use rustc_hash::FxHashMap;

/// The name of a local value or label.
pub(crate) type Name<'a> = &'a str;

/// One file of LLVM assembly.
#[derive(Debug, Default)]
pub(crate) struct Module<'a> {
    pub(crate) data_layout: Option<&'a str>,
    pub(crate) target: Option<&'a str>,
    pub(crate) types: crate::types::Types<'a>,
    pub(crate) globals: Vec<Global<'a>>,
    pub(crate) aliases: Vec<Alias<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
    pub(crate) metadata: FxHashMap<u32, Node<'a>>,
}

/// How a symbol meets others of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    External,
    /// `internal` and `private`.
    Internal,
    /// `linkonce`, `weak`, `available_externally`: one of several equal definitions.
    Weak,
    /// A C variable without an initialiser in old dialects.
    Common,
    /// Arrays that are concatenated: constructors.
    Appending,
}

#[derive(Debug)]
pub(crate) struct Global<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) linkage: Linkage,
    pub(crate) ty: TypeId,
    pub(crate) initialiser: Option<Constant<'a>>,
    pub(crate) constant: bool,
    /// `extern_weak`
    pub(crate) weak: bool,
    pub(crate) thread_local: bool,
    pub(crate) align: Option<u32>,
    pub(crate) debug: Option<u32>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) struct Alias<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) target: Constant<'a>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) linkage: Linkage,
    pub(crate) result: TypeId,
    pub(crate) parameters: Vec<Parameter<'a>>,
    pub(crate) variadic: bool,
    /// `extern_weak`
    pub(crate) weak: bool,
    pub(crate) debug: Option<u32>,
    pub(crate) line: u32,
    /// `None` for a declaration.
    pub(crate) blocks: Option<Vec<Block<'a>>>,
}

#[derive(Debug)]
pub(crate) struct Parameter<'a> {
    pub(crate) ty: TypeId,
    pub(crate) name: Option<Name<'a>>,
}

#[derive(Debug)]
pub(crate) struct Block<'a> {
    /// `None` for a block that takes the next number.
    pub(crate) label: Option<Name<'a>>,
    pub(crate) instructions: Vec<Instruction<'a>>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    pub(crate) result: Option<Name<'a>>,
    pub(crate) kind: Kind<'a>,
    /// The `!dbg` attachment.
    pub(crate) debug: Option<u32>,
    pub(crate) line: u32,
}

/// A value and its type.
#[derive(Clone, Debug)]
pub(crate) struct Typed<'a> {
    pub(crate) ty: TypeId,
    pub(crate) value: Operand<'a>,
}

/// What an instruction operates on.
#[derive(Clone, Debug)]
pub(crate) enum Operand<'a> {
    Local(Name<'a>),
    Constant(Constant<'a>),
    Assembly(Assembly<'a>),
    /// A metadata operand: of a value, of a node, or of something of no interest.
    Metadata(Option<Box<Typed<'a>>>, Option<u32>),
}

#[derive(Clone, Debug)]
pub(crate) struct Assembly<'a> {
    pub(crate) template: &'a str,
    pub(crate) constraints: &'a str,
}

/// A constant whose type is known from where it stands.
#[derive(Clone, Debug)]
pub(crate) enum Constant<'a> {
    Global(Name<'a>),
    /// Two's complement, as far as 128 bits go.
    Int(u128),
    /// The spelling of a number for a floating point type.
    Number(&'a str),
    Null,
    Zero,
    Undef,
    Characters(&'a str),
    /// Elements of an array, structure or vector.
    Aggregate(Vec<(TypeId, Constant<'a>)>),
    /// The same element for the whole vector.
    Splat(Box<(TypeId, Constant<'a>)>),
    BlockAddress(Name<'a>, Name<'a>),
    Expression(Box<Expression<'a>>),
}

/// A constant expression.
#[derive(Clone, Debug)]
pub(crate) enum Expression<'a> {
    Cast(&'a str, TypeId, Constant<'a>, TypeId),
    Offset(TypeId, Constant<'a>, Vec<(TypeId, Constant<'a>)>),
    Binary(&'a str, TypeId, Constant<'a>, Constant<'a>),
    Compare(IntPredicate, TypeId, Constant<'a>, Constant<'a>),
    Select(Constant<'a>, TypeId, Constant<'a>, Constant<'a>),
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Access {
    pub(crate) align: Option<u32>,
    pub(crate) volatile: bool,
    pub(crate) ordering: Option<AtomicOrdering>,
}

/// What a call says.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) result: TypeId,
    /// The number of parameters and whether more may follow, if the call spells the type of the function.
    pub(crate) signature: Option<(usize, bool)>,
    pub(crate) callee: Operand<'a>,
    pub(crate) arguments: Vec<Argument<'a>>,
    /// Where an `invoke` goes on.
    pub(crate) invoke: Option<Invoke<'a>>,
}

/// Where an `invoke` goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Invoke<'a> {
    /// When the function returns.
    pub(crate) normal: Name<'a>,
    /// When an exception leaves it.
    pub(crate) unwind: Name<'a>,
}

/// What a landing pad is for.
#[derive(Debug)]
pub(crate) struct LandingPad<'a> {
    /// Whether it is gone through by every exception.
    pub(crate) cleans_up: bool,
    /// The types of exceptions that end there; null is for all.
    pub(crate) catches: Vec<Constant<'a>>,
}

#[derive(Debug)]
pub(crate) struct Argument<'a> {
    pub(crate) typed: Typed<'a>,
    /// The type of a copy that the callee gets.
    pub(crate) by_value: Option<TypeId>,
}

/// What an instruction is.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    Binary(&'a str, TypeId, Operand<'a>, Operand<'a>),
    Negate(Typed<'a>),
    Freeze(Typed<'a>),
    Compare(IntPredicate, TypeId, Operand<'a>, Operand<'a>),
    FloatCompare(FloatPredicate, TypeId, Operand<'a>, Operand<'a>),
    Cast(&'a str, Typed<'a>, TypeId),
    Select(Typed<'a>, Typed<'a>, Typed<'a>),
    Phi(TypeId, Vec<(Operand<'a>, Name<'a>)>),
    Load(TypeId, Operand<'a>, Access),
    Store(Typed<'a>, Operand<'a>, Access),
    Rmw(RmwOp, Operand<'a>, Typed<'a>, Access),
    CompareExchange {
        address: Operand<'a>,
        expected: Typed<'a>,
        new: Typed<'a>,
        weak: bool,
        access: Access,
        failure: AtomicOrdering,
    },
    Fence(AtomicOrdering, bool),
    Alloca(TypeId, Option<Typed<'a>>, Option<u32>),
    Offset(TypeId, Typed<'a>, Vec<Typed<'a>>),
    ExtractValue(Typed<'a>, Vec<u32>),
    InsertValue(Typed<'a>, Typed<'a>, Vec<u32>),
    ExtractElement(Typed<'a>, Typed<'a>),
    InsertElement(Typed<'a>, Typed<'a>, Typed<'a>),
    Shuffle(Typed<'a>, Typed<'a>, Typed<'a>),
    LandingPad(LandingPad<'a>),
    Resume(Typed<'a>),
    Call(Call<'a>),
    /// A debug record: the variable whose address (or, if the flag is set, value) an operand is.
    Debug {
        operand: Option<Typed<'a>>,
        variable: Option<u32>,
        is_value: bool,
    },
    Jump(Name<'a>),
    Branch(Operand<'a>, Name<'a>, Name<'a>),
    Switch(Typed<'a>, Name<'a>, Vec<(u128, Name<'a>)>),
    IndirectJump(Operand<'a>, Vec<Name<'a>>),
    Return(Option<Typed<'a>>),
    Unreachable,
    /// Known to LLVM, not to us; an error if it can be reached.
    Unsupported(&'a str),
}

/// A metadata node.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    /// `!{...}`
    Tuple(Vec<Metadata<'a>>),
    /// `!DILocation(line: 3, ...)`
    Record(&'a str, Vec<(&'a str, Metadata<'a>)>),
}

/// A field or element of a metadata node.
#[derive(Clone, Debug)]
pub(crate) enum Metadata<'a> {
    Node(u32),
    Number(i128),
    Text(&'a str),
    Word(&'a str),
    /// Of no interest here.
    Other,
}

impl<'a> Node<'a> {
    /// The field of a record.
    pub(crate) fn field(&self, name: &str) -> Option<&Metadata<'a>> {
        let Node::Record(_, fields) = self else { return None };
        fields.iter().find(|field| field.0 == name).map(|field| &field.1)
    }

    /// The field of a record that refers to another node.
    pub(crate) fn node(&self, name: &str) -> Option<u32> {
        if let Some(Metadata::Node(id)) = self.field(name) { Some(*id) } else { None }
    }

    /// The field of a record that is a number; 0 if it is left out.
    pub(crate) fn number(&self, name: &str) -> i128 {
        if let Some(Metadata::Number(number)) = self.field(name) { *number } else { 0 }
    }

    /// The field of a record that is text; empty if it is left out.
    pub(crate) fn text(&self, name: &str) -> &'a str {
        if let Some(Metadata::Text(text)) = self.field(name) { text } else { "" }
    }

    /// The field of a record that is a word; empty if it is left out.
    pub(crate) fn word(&self, name: &str) -> &'a str {
        if let Some(Metadata::Word(word)) = self.field(name) { word } else { "" }
    }
}
