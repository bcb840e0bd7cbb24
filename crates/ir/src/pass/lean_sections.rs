//! Atomic sections do what they have to, and no more.
//!
//! Programs that model weak memory by sections, as tools make them, have sections that flush buffers nothing is ever in, copy
//! back what they have read, and choose what nobody asks for. Each orders threads, so that there are executions for every order
//! of what does nothing. Here
//!
//! - sections work on copies of variables (`section_copies`);
//! - variables that always hold what they held at the start are constants (`analysis/contents`);
//! - what is stored where it was loaded, or where nobody loads, is not stored, and what is loaded in vain is not loaded;
//! - a section with one access, or one that adds a constant, is that access (`single_access`).
//!
//! None of it is noticed where accesses of different threads are steps in one order, and races are no failures.

use super::fold::fold;
use super::inline::replace_registers;
use super::number::number;
use super::promote::promote;
use super::section_copies::copy_in_sections;
use super::single_access::open_single_accesses;
use super::sweep::sweep;
use crate::analysis::{Content, Contents, ControlFlow, Dominators, Extent, Loops, Place, Reader};
use crate::analysis::{count_uses, extents, is_inside, named};
use crate::environment::{Environment, Unordered};
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, GlobalId, Reg};
use crate::module::Module;
use crate::operation::Operation;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// Variables may turn out to be constants one after the other; so many times it is looked.
const MOST_ROUNDS: usize = 8;

/// Removes from sections what does nothing.
pub(super) fn simplify_sections(module: &mut Module, environment: &Environment) {
    if environment.unordered != Unordered::INTERLEAVED {
        return;
    }
    let all = (0..module.functions.len()).map(|index| (index, extents_in(module, environment, index)));
    let found: Vec<(usize, Vec<Extent>)> = all.filter(|(_, extents)| !extents.is_empty()).collect();
    if found.is_empty() {
        return;
    }
    let with_sections: Vec<usize> = found.iter().map(|(index, _)| *index).collect();
    for (index, mut extents) in found {
        let Some(mut body) = module.functions[index].body.take() else { continue };
        leave_loops(&body, &mut extents);
        let has_copies = copy_in_sections(module, &mut body, &extents);
        module.functions[index].body = Some(body);
        if has_copies {
            promote(&mut module.functions[index]);
        }
    }
    for _ in 0..MOST_ROUNDS {
        let before = size(module);
        let contents = Contents::new(module, environment);
        for index in 0..module.functions.len() {
            let Some(mut body) = module.functions[index].body.take() else { continue };
            drop_what_is_known(&mut body, &contents);
            if with_sections.contains(&index) {
                simplify(module, environment, &mut body, &contents);
            }
            module.functions[index].body = Some(body);
            sweep(&mut module.functions[index]);
        }
        if size(module) == before {
            break;
        }
    }
    for index in with_sections {
        let extents = extents_in(module, environment, index);
        let Some(mut body) = module.functions[index].body.take() else { continue };
        open_single_accesses(module, environment, &mut body, &extents);
        module.functions[index].body = Some(body);
        sweep(&mut module.functions[index]);
    }
}

/// Leaves sections in loops to those who look at loops: one that changes a variable at times only is one that looks at others.
fn leave_loops(body: &Body, extents: &mut Vec<Extent>) {
    let flow = ControlFlow::new(body);
    let loops = Loops::new(&flow, &Dominators::new(&flow, body.blocks.len()));
    let goes_round = |block: BlockId| loops.innermost(block).is_some() || !loops.irreducible().is_empty();
    extents.retain(|extent| !goes_round(extent.begin.0));
}

fn extents_in(module: &Module, environment: &Environment, function: usize) -> Vec<Extent> {
    let body = module.functions[function].body.as_ref();
    body.map_or(Vec::new(), |body| extents(module, environment, body))
}

fn size(module: &Module) -> usize {
    let blocks = module.functions.iter().filter_map(|function| function.body.as_ref()).flat_map(|body| &body.blocks);
    blocks.map(|block| 1 + block.phis.len() + block.instructions.len()).sum()
}

/// Replaces loads of variables that are constants, and drops stores that nobody reads.
fn drop_what_is_known(body: &mut Body, contents: &Contents) {
    let mut replacements = Vec::new();
    for block in &mut body.blocks {
        block.instructions.retain(|instruction| match instruction.operation {
            Operation::Load { address, .. } => match contents.at(address) {
                Content::Known(value) => {
                    replacements.push((instruction.results[0], value));
                    false
                }
                _ => true,
            },
            Operation::Store { address, .. } => {
                !contents.is_unread(address) && !matches!(contents.at(address), Content::Known(_))
            }
            _ => true,
        });
    }
    replace_registers(body, &replacements);
}

/// Removes from a function what does nothing in its sections.
fn simplify(module: &Module, environment: &Environment, body: &mut Body, contents: &Contents) {
    number(body, &truths(module, environment, body, contents));
    fold(body);
    join_ways(module, environment, body, contents);
    fold(body);
    let extents = extents(module, environment, body);
    let uses = count_uses(body);
    let idle: FxHashSet<Place> = extents.iter().flat_map(|extent| idle_accesses(module, body, extent, &uses)).collect();
    for id in body.block_ids() {
        let mut position = 0;
        body.blocks[id.index()].instructions.retain(|_| {
            position += 1;
            !idle.contains(&(id, position - 1))
        });
    }
}

/// For every register, whether it holds 0 or 1.
fn truths(module: &Module, environment: &Environment, body: &Body, contents: &Contents) -> Vec<bool> {
    let reader = Reader::new(module, environment, contents, body, &ControlFlow::new(body));
    (0..body.registers.len()).map(|index| reader.of(Value::Reg(Reg::new(index))).is_truth()).collect()
}

/// Lets a block go on where it goes either way, if what decides has a value.
fn join_ways(module: &Module, environment: &Environment, body: &mut Body, contents: &Contents) {
    let reader = Reader::new(module, environment, contents, body, &ControlFlow::new(body));
    let mut joined: Vec<(BlockId, BlockId)> = Vec::new();
    for id in body.block_ids() {
        if let TerminatorKind::Branch { condition, then, otherwise } = body.block(id).terminator.kind
            && then == otherwise
            && reader.of(condition) != Content::Any
        {
            joined.push((id, then));
        }
    }
    for (id, next) in joined {
        body.blocks[id.index()].terminator.kind = TerminatorKind::Jump(next);
    }
}

/// The stores of a section to variables that it only stores to what it has loaded from there, and the loads of variables whose
/// results nobody uses.
fn idle_accesses(module: &Module, body: &Body, extent: &Extent, uses: &[u32]) -> Vec<Place> {
    let instruction = |(block, position): Place| &body.block(block).instructions[position];
    let mut loaded: FxHashMap<Reg, Value> = FxHashMap::default();
    for place in extent.places() {
        if let Operation::Load { address, .. } = instruction(place).operation {
            loaded.insert(instruction(place).results[0], address);
        }
    }
    let is_back = |it: &Instruction| match it.operation {
        Operation::Store { address, value: Value::Reg(value), .. } => loaded.get(&value) == Some(&address),
        _ => false,
    };
    // Of such a variable, all stores are of that kind: it is the same all along.
    let mut changed: FxHashSet<GlobalId> = FxHashSet::default();
    for place in extent.places() {
        if let Operation::Store { address, .. } = instruction(place).operation
            && !is_back(instruction(place))
        {
            changed.extend(named(address).map(|it| it.0));
        }
    }
    let is_idle = |&place: &Place| match instruction(place).operation {
        Operation::Store { address, .. } => {
            let is_left = |id: GlobalId| !changed.contains(&id) && !module.global(id).constant;
            is_back(instruction(place)) && named(address).is_some_and(|(id, _)| is_left(id))
        }
        Operation::Load { address, .. } => {
            let result = instruction(place).results[0];
            uses[result.index()] == 0 && is_inside(module, address, body.register(result).ty)
        }
        _ => false,
    };
    extent.places().filter(is_idle).collect()
}
