//! A whole program, linked.

use crate::debug::DebugType;
use crate::function::{Body, Function};
use crate::ids::{DebugTypeId, FileId, FrameId, FunctionId, GlobalId};
use crate::operation::{Callee, Operation};
use crate::source::{Frame, SourceLocation};
use crate::value::Symbol;

/// A program: everything that was linked, under unique names.
///
/// Functions and globals share one space of names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The target triple that the program was compiled for, such as `x86_64-pc-linux-gnu`.
    pub target: String,
    /// Source files by [`FileId`], as the compiler was given them.
    pub files: Vec<String>,
    /// Calls whose place was taken by what is called, by [`FrameId`](crate::FrameId). Those further out come first.
    pub frames: Vec<Frame>,
    /// Debug types by [`DebugTypeId`].
    pub types: Vec<DebugType>,
    /// Globals by [`GlobalId`].
    pub globals: Vec<Global>,
    /// Functions by [`FunctionId`].
    pub functions: Vec<Function>,
    /// Functions to call, in this order, before `main`.
    pub constructors: Vec<FunctionId>,
    /// Functions to call, in this order, when the program ends.
    pub destructors: Vec<FunctionId>,
}

impl Module {
    /// How many bytes a `long` has, and with it what programs call a thread by: 4 where Windows' data model is that of the
    /// program, which has pointers of 64 bits all the same.
    pub fn long_bytes(&self) -> u32 {
        if self.target.contains("windows") { 4 } else { 8 }
    }
}

/// A global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    /// Its unique name among globals and functions.
    pub name: String,
    /// What the source calls it, where that is known. Static locals have the plain name of the variable.
    pub source_name: Option<String>,
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub align: u32,
    /// Whether it is a declaration of something that may be missing: its address is null if it is.
    pub weak: bool,
    /// Whether every thread has its own.
    pub thread_local: bool,
    /// Whether it may not be written.
    pub constant: bool,
    /// What it holds at the start; `None` if the program declares it but does not define it.
    pub initialiser: Option<Initialiser>,
    /// The type in the source.
    pub debug_type: Option<DebugTypeId>,
    /// Where it is defined.
    pub location: Option<SourceLocation>,
}

/// The contents of a global at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Initialiser {
    /// The leading bytes; those up to the size of the global are zero.
    pub bytes: Vec<u8>,
    /// Pointers among the bytes, by increasing offset. The bytes they cover are zero in `bytes`.
    pub relocations: Vec<Relocation>,
}

/// An 8-byte pointer within an initialiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Where in the global.
    pub offset: u64,
    /// What is pointed to.
    pub symbol: Symbol,
    /// How many bytes beyond its start.
    pub addend: i64,
}

impl Module {
    /// The function called `name`.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|function| function.name == name).map(FunctionId::new)
    }

    /// The global called `name`.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals.iter().position(|global| global.name == name).map(GlobalId::new)
    }

    /// Where the program starts: `main`, if it is defined.
    pub fn entry(&self) -> Option<FunctionId> {
        self.function_named("main").filter(|&id| self.function(id).body.is_some())
    }

    /// The function with this id.
    #[inline]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The global with this id.
    #[inline]
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// The path of this file.
    pub fn file(&self, id: FileId) -> &str {
        &self.files[id.index()]
    }

    /// The calls that a place is in, the innermost first: none if nothing was put in the place of a call there.
    pub fn frames_of(&self, location: SourceLocation) -> impl Iterator<Item = &Frame> {
        let frame = |id: FrameId| self.frames.get(id.index());
        std::iter::successors(location.inlined.and_then(frame), move |inner| inner.location.inlined.and_then(frame))
    }

    /// Whether a call of `setjmp` is in a body: what jumps back has to find the function that called it, with its registers
    /// as they were then.
    pub fn returns_twice_in(&self, body: &Body) -> bool {
        let mut operations =
            body.blocks.iter().flat_map(|block| &block.instructions).map(|instruction| &instruction.operation);
        operations.any(|operation| {
            let &Operation::Call { callee: Callee::Direct(id), .. } = operation else { return false };
            matches!(self.function(id).name.as_str(), "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp")
        })
    }

    /// The debug type with this id.
    pub fn debug_type(&self, id: DebugTypeId) -> &DebugType {
        &self.types[id.index()]
    }

    /// The unique name of a global or function.
    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Global(id) => &self.global(id).name,
            Symbol::Function(id) => &self.function(id).name,
        }
    }
}
