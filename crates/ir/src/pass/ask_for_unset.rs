//! Variables of a function that were not set have any value: where the rules say so, they are inputs of the program.
//!
//! Each is asked for where the variable comes to be. What is set before it is read is not asked for in the end, and one that is read
//! twice without having been set is the same both times.

use super::compact::compact;
use super::lock_all::declared;
use super::promote::candidates;
use super::prune::prune;
use super::sweep::sweep;
use crate::analysis::count_uses;
use crate::environment::{Environment, Locals};
use crate::function::{Body, Instruction};
use crate::ids::FunctionId;
use crate::module::Module;
use crate::operation::{Callee, Operation, ScopeMark};
use crate::source::SourceLocation;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::smallvec;

/// The functions that are asked for values of these types.
pub(super) type Asked = FxHashMap<Type, FunctionId>;

/// Lets variables that are to become registers be set to inputs first.
pub(super) fn ask_for_unset(module: &mut Module, environment: &Environment) -> Asked {
    let mut asked = Asked::default();
    if environment.locals == Locals::NoValue {
        return asked;
    }
    for index in 0..module.functions.len() {
        let Some(mut body) = module.functions[index].body.take() else { continue };
        prune(&mut body);
        ask_in(module, environment, &mut body, &mut asked);
        module.functions[index].body = Some(body);
    }
    asked
}

fn ask_in(module: &mut Module, environment: &Environment, body: &mut Body, asked: &mut Asked) {
    let candidates = candidates(body);
    for id in body.block_ids() {
        let before = std::mem::take(&mut body.blocks[id.index()].instructions);
        let mut after = Vec::with_capacity(before.len());
        for instruction in before {
            let address = match instruction.operation {
                Operation::Alloca { count: None, .. } => Some(Value::Reg(instruction.results[0])),
                Operation::Scope { address, mark: ScopeMark::Begins } => Some(address),
                _ => None,
            };
            let location = instruction.location;
            after.push(instruction);
            let variable = address.and_then(|address| Some((address, candidates.variable(address)?)));
            let Some((address, variable)) = variable else { continue };
            let ty = candidates.variables[variable].ty;
            if matches!(ty, Type::Int(1..=64)) {
                let name = || (environment.input_of)(ty.bits());
                let function = *asked.entry(ty).or_insert_with(|| declared(module, &name(), &[], &[ty]));
                let location = body.slot(candidates.variables[variable].slot).location.or(location);
                after.extend(set(body, (function, ty), address, location));
            }
        }
        body.blocks[id.index()].instructions = after;
    }
}

/// What asks for a value and stores it.
fn set(
    body: &mut Body,
    (function, ty): (FunctionId, Type),
    address: Value,
    location: Option<SourceLocation>,
) -> [Instruction; 2] {
    let result = body.add_register(ty, None);
    let call = Operation::Call { callee: Callee::Direct(function), arguments: Vec::new(), fixed: 0 };
    let store = Operation::Store { address, value: Value::Reg(result), align: 1, volatile: false, ordering: None };
    [
        Instruction { results: smallvec![result], operation: call, location },
        Instruction { results: smallvec![], operation: store, location },
    ]
}

/// Removes the questions whose answers nobody needs, now that variables are registers.
pub(super) fn drop_needless_questions(module: &mut Module, asked: &Asked) {
    if asked.is_empty() {
        return;
    }
    for function in &mut module.functions {
        sweep(function);
        let parameters = function.signature.parameters.len();
        let Some(body) = &mut function.body else { continue };
        let uses = count_uses(body);
        for block in &mut body.blocks {
            block.instructions.retain(|instruction| match &instruction.operation {
                Operation::Call { callee: Callee::Direct(id), .. } if asked.values().any(|it| it == id) => {
                    instruction.results.iter().any(|result| uses[result.index()] > 0)
                }
                _ => true,
            });
        }
        compact(body, parameters);
    }
}
