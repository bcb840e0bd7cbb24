//! From where to where atomic sections go, in one function.
//!
//! Not every section has an extent here. It has to end in the function that it begins in, on all ways but those that end the
//! execution; nobody may come in but by its beginning; and it goes round in no loop. What is in it accesses variables that it
//! names, and otherwise only computes, assumes, or calls what touches nothing.

use super::definitions::Definitions;
use crate::analysis::{ControlFlow, is_repeatable};
use crate::environment::{Called, Environment, LockRole};
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, FunctionId, GlobalId};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::types::Type;
use crate::value::{Symbol, Value};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// How deep calls are looked into.
const MOST_CALLS: u32 = 8;

/// An instruction, by its block and its position there.
pub(crate) type Place = (BlockId, usize);

/// From where to where an atomic section goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// What begins it.
    pub(crate) begin: Place,
    /// What is in it: of some blocks, these instructions.
    pub(crate) parts: Vec<(BlockId, Range<usize>)>,
    /// What ends it.
    pub(crate) ends: Vec<Place>,
}

impl Extent {
    /// Where the instructions are that are in it.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.parts.iter().flat_map(|(block, part)| part.clone().map(|position| (*block, position)))
    }
}

/// The extents of the sections that begin in a body, as far as they have any.
pub(crate) fn extents(module: &Module, environment: &Environment, body: &Body) -> Vec<Extent> {
    let search =
        Search { module, environment, body, flow: ControlFlow::new(body), definitions: Definitions::new(body) };
    let mut found = Vec::new();
    for id in body.block_ids().filter(|&id| search.flow.is_reachable(id)) {
        for (position, instruction) in body.block(id).instructions.iter().enumerate() {
            if environment.lock_role_of(module, &instruction.operation) == Some(LockRole::Begins) {
                found.extend(search.from((id, position)));
            }
        }
    }
    found
}

/// The global variable that an access is to that names it, and how many bytes into it.
pub(crate) fn named(address: Value) -> Option<(GlobalId, i64)> {
    match address {
        Value::Address { symbol: Symbol::Global(id), offset } => Some((id, offset)),
        _ => None,
    }
}

/// Whether an access of this type is to a global variable that it names and that the program defines, and inside of it.
pub(crate) fn is_inside(module: &Module, address: Value, ty: Type) -> bool {
    named(address).is_some_and(|(id, offset)| {
        let global = module.global(id);
        let end = u64::try_from(offset).ok().and_then(|start| start.checked_add(ty.bytes().into()));
        global.initialiser.is_some() && !global.thread_local && end.is_some_and(|end| end <= global.size)
    })
}

struct Search<'a> {
    module: &'a Module,
    environment: &'a Environment,
    body: &'a Body,
    flow: ControlFlow,
    definitions: Definitions,
}

impl Search<'_> {
    fn from(&self, begin: Place) -> Option<Extent> {
        let mut extent = Extent { begin, parts: Vec::new(), ends: Vec::new() };
        let mut met = FxHashSet::default();
        let mut work = vec![(begin.0, begin.1 + 1)];
        while let Some((id, start)) = work.pop() {
            let instructions = &self.body.block(id).instructions;
            let role = |it: &Instruction| self.environment.lock_role_of(self.module, &it.operation);
            let mark = (start..instructions.len()).find(|&at| role(&instructions[at]).is_some());
            let part = start..mark.unwrap_or(instructions.len());
            if !instructions[part.clone()].iter().all(|it| self.may_be_inside(it)) {
                return None;
            }
            extent.parts.push((id, part));
            if let Some(at) = mark {
                (role(&instructions[at]) == Some(LockRole::Ends)).then_some(())?;
                extent.ends.push((id, at));
                continue;
            }
            if matches!(self.body.block(id).terminator.kind, TerminatorKind::Return(_)) {
                return None;
            }
            for &next in self.flow.successors(id) {
                if self.flow.position(next) <= self.flow.position(id) {
                    return None;
                }
                if met.insert(next) {
                    work.push((next, 0));
                }
            }
        }
        let goes_on =
            |id: &BlockId| !extent.ends.iter().any(|end| end.0 == *id) && (met.contains(id) || *id == begin.0);
        met.iter().all(|&id| self.flow.predecessors(id).iter().all(goes_on)).then_some(extent)
    }

    fn may_be_inside(&self, instruction: &Instruction) -> bool {
        match &instruction.operation {
            Operation::Load { address, .. } | Operation::Store { address, .. } => self.is_of_variable(*address),
            Operation::Assume { .. } => true,
            Operation::Call { callee: Callee::Direct(function), .. } => self.touches_nothing(*function, MOST_CALLS),
            operation => is_repeatable(operation),
        }
    }

    /// Whether an address is that of a global variable that it names, or of a variable of the function.
    fn is_of_variable(&self, address: Value) -> bool {
        named(address).is_some() || self.is_own(&self.definitions, self.body, address)
    }

    fn is_own(&self, definitions: &Definitions, body: &Body, address: Value) -> bool {
        let instruction = address.reg().and_then(|reg| definitions.instruction(reg));
        instruction.is_some_and(|(block, at)| {
            matches!(body.block(block).instructions[at].operation, Operation::Alloca { count: None, .. })
        })
    }

    /// Whether a function touches nothing but variables of its own.
    fn touches_nothing(&self, function: FunctionId, calls: u32) -> bool {
        let called = self.module.function(function);
        let Some(body) =
            called.body.as_ref().filter(|_| (self.environment.must_be_called)(&called.name) != Called::Seen)
        else {
            return (self.environment.touches_nothing)(&called.name);
        };
        let definitions = Definitions::new(body);
        let mut instructions = body.blocks.iter().flat_map(|block| &block.instructions);
        calls > 0
            && instructions.all(|instruction| match &instruction.operation {
                Operation::Load { address, .. } | Operation::Store { address, .. } => {
                    self.is_own(&definitions, body, *address)
                }
                Operation::Alloca { count: None, .. } | Operation::Scope { .. } | Operation::Assume { .. } => true,
                Operation::Call { callee: Callee::Direct(next), .. } => self.touches_nothing(*next, calls - 1),
                operation => is_repeatable(operation),
            })
    }
}
