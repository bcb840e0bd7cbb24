//! The program that everyway executes and analyses: functions in SSA form over scalars and flat memory.
//!
//! Everything that a language decides before a program runs is already decided here: layouts are offsets, aggregates in
//! registers are separate scalars, names are dense ids. The result is small enough to execute quickly and to analyse by
//! hand:
//!
//! - [`Module`]: functions, globals with their initial bytes, and the tables of source files and debug types;
//! - [`Function`] and [`Body`]: blocks of [`Instruction`]s over typed, singly assigned registers;
//! - [`Operation`] and [`Terminator`]: what an instruction does, and where a block continues;
//! - [`Value`]: a register or a constant; [`Type`]: an integer, a float or a pointer;
//! - [`DebugType`]: the name of a byte of an object in a report (`queue.head`, `a[3]`).
//!
//! - [`validate()`]: the rules that a module keeps; [`parse`] and `Display`: its text form;
//! - [`ControlFlow`], [`Dominators`], [`Loops`]: analyses; [`promote`]: stack slots become registers.
//!
//! This crate knows no source language, and not how programs are explored.

mod analysis;
mod debug;
mod environment;
mod function;
mod fuzz;
mod ids;
mod module;
mod operation;
mod operators;
mod pass;
mod ranges;
mod source;
mod text;
mod types;
mod until;
mod validate;
mod value;
mod words;

pub use analysis::{
    ControlFlow, Dominators, Loop, LoopId, Loops, Obstacle, Section, Touch, known_sections, used_registers,
};
pub use debug::{DebugType, Encoding, Member, is_system_file};
pub use environment::{
    AwaitCall, Called, Clock, Environment, Failing, Holder, Locals, LockRole, LocksAll, Races, STACK_RESTORE,
    STACK_SAVE, TimedWait, Unordered,
};
pub use environment::{makes_no_difference, marks_verification_task, only_passes_the_time, passes_the_time};
pub use function::{Block, Body, Function, Instruction, Phi, Register, Signature, Slot, Terminator, TerminatorKind};
pub use fuzz::{exercise, fuzz};
pub use ids::{BlockId, DebugTypeId, FileId, FrameId, FunctionId, GlobalId, Reg, SlotId};
pub use module::{Global, Initialiser, Module, Relocation};
pub use operation::{Callee, Index, Operation, ScopeMark, Values};
pub use operators::{
    AtomicOrdering, BinaryOp, CastOp, FloatPredicate, IntPredicate, OverflowOp, RmwOp, TernaryOp, UnaryOp,
};
pub use pass::{
    Bounded, LANDING, LOOP_BOUND, LoopTreatment, Pass, Preparation, STRENGTHENED, Treated, TreatedLoop, UNWINDS,
    adopt_aborts, adopt_assumes, adopt_awaits, bound_loops, compact, cut_dead_edges, eliminate_pure_rounds, fold,
    has_early_ends, inline, introduce_awaits, merge_blocks, prepare, promote, prune, remove_idle_calls,
    settle_exceptions, sink_assumes, spin_once, sweep,
};
pub use ranges::Ranges;
pub use source::{Frame, SourceLocation};
pub use text::{DisplayFunction, ParseError, parse};
pub use types::Type;
pub use until::{Clause, Test, Until};
pub use validate::{Violation, validate};
pub use value::{Symbol, Value};
