//! Which global variables the atomic sections of a program touch, where that is known beforehand. Sections that touch different
//! ones are independent.
//!
//! A section is what can be reached from its beginning without passing its end, in the functions that it calls, too. All its
//! accesses have to be to global variables that it names, and all functions that it calls have to be known: one access through a
//! pointer, and nothing is known of any section, because others could touch the same. Nor is it if a section could begin or end
//! anywhere, because the functions that do so are called by pointers.

use super::definitions::Definitions;
use super::reached::{addressed_functions, reached_functions};
use super::scalars::Scalars;
use crate::environment::{Called, Environment, LockRole};
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, FunctionId, GlobalId};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::value::{Symbol, Value};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What a section may do to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Touch {
    /// It only reads it.
    Reads,
    /// It may write it.
    Writes,
}

/// An atomic section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The function that it begins in.
    pub function: FunctionId,
    /// The block that it begins in.
    pub block: BlockId,
    /// Where in the block the instruction is that begins it.
    pub position: usize,
    /// What it may touch.
    pub touched: BTreeMap<GlobalId, Touch>,
}

/// The atomic sections of the functions that a program may call; `None` if it is not known of one of them what it touches. A section that begins inside of
/// another one is among them.
pub fn known_sections(module: &Module, environment: &Environment) -> Option<Vec<Section>> {
    let is_mark = |name: &str| matches!((environment.lock_role)(name), Some(LockRole::Begins | LockRole::Ends));
    let addressed = addressed_functions(module);
    if module.functions.iter().zip(&addressed).any(|(function, addressed)| *addressed && is_mark(&function.name)) {
        return None;
    }
    let reached = reached_functions(module, addressed);
    let scalars = &Scalars::new(module);
    let mut sections = Vec::new();
    for (index, function) in module.functions.iter().enumerate() {
        let Some(body) = function.body.as_ref().filter(|_| reached[index]) else { continue };
        let begins = |instruction: &Instruction| role(module, environment, instruction) == Some(LockRole::Begins);
        if (environment.is_section)(&function.name) && !body.blocks[0].instructions.first().is_some_and(begins) {
            return None;
        }
        for block in body.block_ids() {
            let instructions = body.block(block).instructions.iter().enumerate();
            for (position, _) in instructions.filter(|(_, instruction)| begins(instruction)) {
                let mut search =
                    Search { module, scalars, environment, touched: BTreeMap::new(), called: FxHashSet::default() };
                search.follow(body, (block, position + 1), HowFar::Section)?;
                sections.push(Section { function: FunctionId::new(index), block, position, touched: search.touched });
            }
        }
    }
    Some(sections)
}

fn role(module: &Module, environment: &Environment, instruction: &Instruction) -> Option<LockRole> {
    environment.lock_role_of(module, &instruction.operation)
}

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HowFar {
    /// To the end of the section, in the function where it begins.
    Section,
    /// To the ends of a function that the section calls.
    Call,
}

/// What a section touches, as far as it is known.
struct Search<'m> {
    module: &'m Module,
    scalars: &'m Scalars,
    environment: &'m Environment,
    touched: BTreeMap<GlobalId, Touch>,
    called: FxHashSet<FunctionId>,
}

impl<'m> Search<'m> {
    /// Looks at all that can follow; `None` if it is not known what that is.
    fn follow(&mut self, body: &Body, (block, position): (BlockId, usize), how_far: HowFar) -> Option<()> {
        let definitions = Definitions::new(body);
        // With how many sections there are around what comes next.
        let mut work = vec![(block, position, 1)];
        let mut met = FxHashSet::default();
        'paths: while let Some((block, position, mut depth)) = work.pop() {
            for instruction in &body.block(block).instructions[position..] {
                match role(self.module, self.environment, instruction) {
                    Some(LockRole::Begins) => depth += 1,
                    Some(LockRole::Ends) if depth > 1 => depth -= 1,
                    Some(LockRole::Ends) if how_far == HowFar::Section => continue 'paths,
                    Some(_) => return None,
                    None => self.look_at(body, &definitions, &instruction.operation)?,
                }
            }
            let end = &body.block(block).terminator.kind;
            if matches!(end, TerminatorKind::Return(_)) && (how_far == HowFar::Section || depth != 1) {
                return None;
            }
            end.for_each_successor(|next| {
                if met.insert((next, depth)) {
                    work.push((next, 0, depth));
                }
            });
        }
        Some(())
    }

    fn look_at(&mut self, body: &Body, definitions: &Definitions, operation: &Operation) -> Option<()> {
        let (address, touch) = match operation {
            Operation::Await { access, .. } => return self.look_at(body, definitions, access),
            Operation::Load { address, .. } => (*address, Touch::Reads),
            Operation::Store { address, .. }
            | Operation::AtomicRmw { address, .. }
            | Operation::CompareExchange { address, .. } => (*address, Touch::Writes),
            Operation::Call { callee: Callee::Direct(function), .. } => return self.call(*function),
            Operation::Assume { .. } | Operation::Round | Operation::Fence { .. } => return Some(()),
            operation if !operation.has_effects() => return Some(()),
            _ => return None,
        };
        match self.global(body, definitions, address) {
            Some(global) => self.touch(global, touch),
            None => {
                let targets = self.pointed_to(body, definitions, address)?;
                targets.iter().for_each(|&global| self.touch(global, touch));
            }
        }
        Some(())
    }

    fn touch(&mut self, global: GlobalId, touch: Touch) {
        let all = self.touched.entry(global).or_insert(touch);
        *all = touch.max(*all);
    }

    /// The variables that an address may be of that was loaded from a variable, if it is known what that points to.
    fn pointed_to(&self, body: &Body, definitions: &Definitions, address: Value) -> Option<&'m BTreeSet<GlobalId>> {
        let (block, position) = definitions.instruction(address.reg()?)?;
        let Operation::Load { address: pointer, .. } = body.block(block).instructions[position].operation else {
            return None;
        };
        let targets = self.scalars.at(pointer)?.1.targets.as_ref()?;
        targets.iter().all(|&target| self.scalars.of(target).is_some()).then_some(targets)
    }

    fn call(&mut self, function: FunctionId) -> Option<()> {
        let called = self.module.function(function);
        let is_defined = called.body.is_some() && (self.environment.must_be_called)(&called.name) != Called::Seen;
        if !is_defined && (self.environment.touches_nothing)(&called.name) {
            return Some(());
        }
        let body = called.body.as_ref()?;
        if self.called.insert(function) { self.follow(body, (BlockId::new(0), 0), HowFar::Call) } else { Some(()) }
    }

    /// The variable that an address is in, which all threads share.
    fn global(&self, body: &Body, definitions: &Definitions, address: Value) -> Option<GlobalId> {
        match address {
            Value::Address { symbol: Symbol::Global(id), .. } if !self.module.global(id).thread_local => Some(id),
            Value::Reg(reg) => {
                let (block, position) = definitions.instruction(reg)?;
                match body.block(block).instructions[position].operation {
                    Operation::Offset { base, .. } => self.global(body, definitions, base),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
