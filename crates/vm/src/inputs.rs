//! The values that `__VERIFIER_nondet_int` and the like are tried with when a property is checked and none are given: a
//! few small ones; those that the program compares with, their neighbours, and the values below a small one; and the
//! extremes of their types.

use crate::fixed::uses_parameters;
use crate::library::is_random;
use everyway_ir::{Callee, Function, Module, Operation, TerminatorKind, Type, Value, is_system_file};
use std::collections::BTreeSet;

/// How many combinations of the values of all calls there may be, each counted once.
const COMBINATIONS: f64 = 4096.0;
/// How many values there may be.
const MOST: usize = 64;
/// Up to this number, all that are below one that something is compared with are tried.
const SMALL: i64 = 16;

/// How many values there may be of each of so many inputs.
pub(crate) fn values_of_each(calls: usize) -> usize {
    (COMBINATIONS.powf(1.0 / calls.max(1) as f64) as usize).min(MOST)
}

/// The values to try `__VERIFIER_nondet_int` and the like of this program with: `first`, and as many others as are worth it.
pub fn input_values(module: &Module, first: &[i64], with_extremes: bool) -> Vec<i64> {
    let asked = asked(module);
    if asked.is_empty() {
        return first.to_vec();
    }
    let most = values_of_each(asked.len());
    let mut values = first.to_vec();
    let widths: BTreeSet<u32> = asked.iter().filter(|ty| ty.is_int()).map(|ty| ty.bits().clamp(8, 64)).collect();
    let extremes = widths.iter().rev().flat_map(|bits| [i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)]);
    let extremes = extremes.filter(|_| with_extremes);
    let compared = compared(module);
    let near = [0, 1, -1].into_iter().flat_map(|by| compared.iter().map(move |value| value.wrapping_add(by)));
    // An index into something small has to be tried with every place in it.
    let bound = compared.iter().copied().filter(|value| (0..=SMALL).contains(value)).max().unwrap_or(0);
    for value in extremes.chain(near).chain(0..bound) {
        if values.len() < most && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Whether the environment of this program decides something that is no input as those of `__VERIFIER_nondet_int` are, and has a part in what
/// its threads do: the arguments it is called with, or a wait on a condition variable, which may end spuriously.
pub fn is_up_to_environment(module: &Module) -> bool {
    const WAITS: [&str; 2] = ["pthread_cond_wait", "cnd_wait"];
    let waits = called(module).any(|function| WAITS.contains(&&function.name[..]));
    waits || module.entry().is_some_and(|main| uses_parameters(module.function(main)))
}

/// The functions of the program itself.
fn own_functions(module: &Module) -> impl Iterator<Item = &Function> {
    let is_system =
        |function: &Function| function.location.is_some_and(|location| is_system_file(module.file(location.file)));
    module.functions.iter().filter(move |function| !is_system(function))
}

/// The functions that the program itself calls by name, call by call.
fn called(module: &Module) -> impl Iterator<Item = &Function> {
    let bodies = own_functions(module).filter_map(|function| function.body.as_ref());
    let instructions = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.instructions);
    instructions.filter_map(|instruction| match &instruction.operation {
        Operation::Call { callee: Callee::Direct(id), .. } => Some(module.function(*id)),
        _ => None,
    })
}

/// The types of what is asked of the environment, call by call.
fn asked(module: &Module) -> Vec<Type> {
    let is_asked = |function: &&Function| {
        is_random(&function.name)
            || function.name.starts_with("__VERIFIER_nondet_") && !function.name.to_lowercase().ends_with("bool")
    };
    called(module).filter(is_asked).filter_map(|function| function.signature.results.first().copied()).collect()
}

/// What integers are compared with, the smallest first.
fn compared(module: &Module) -> Vec<i64> {
    let mut found = BTreeSet::new();
    let mut note = |ty: Type, bits: u128| {
        if let Type::Int(width @ 8..=64) = ty {
            let unused = 64 - u32::from(width);
            found.insert(((bits as u64) << unused) as i64 >> unused);
        }
    };
    for body in own_functions(module).filter_map(|function| function.body.as_ref()) {
        for block in &body.blocks {
            for instruction in &block.instructions {
                let Operation::Compare { lhs, rhs, .. } = &instruction.operation else { continue };
                for value in [lhs, rhs] {
                    if let Value::Const { ty, bits } = value {
                        note(*ty, *bits);
                    }
                }
            }
            if let TerminatorKind::Switch { value: Value::Reg(reg), cases, .. } = &block.terminator.kind {
                let ty = body.registers[reg.index()].ty;
                cases.iter().for_each(|(bits, _)| note(ty, *bits));
            }
        }
    }
    let mut list: Vec<i64> = found.into_iter().collect();
    list.sort_by_key(|value| value.unsigned_abs());
    list
}
