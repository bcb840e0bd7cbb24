//! Functions that look a fixed number of times before they wait look once.
//!
//! A look that finds nothing changes nothing, so an execution in which a later one finds something is one in which the
//! first one comes at that time. What comes after all of them have failed looks again by itself: it does not depend on how
//! many there were.

use crate::module::Module;
use crate::operation::Operation;
use crate::operators::IntPredicate;
use crate::value::Value;

/// Lets the loops of the functions for which `looks` knows how often they go round go round once.
pub fn spin_once(module: &mut Module, looks: &dyn Fn(&str) -> Option<u64>) {
    for function in &mut module.functions {
        let Some(rounds) = looks(&function.name) else { continue };
        let instructions =
            function.body.iter_mut().flat_map(|body| &mut body.blocks).flat_map(|it| &mut it.instructions);
        for instruction in instructions {
            if let Operation::Compare { predicate: IntPredicate::Slt | IntPredicate::Ult, rhs, .. } =
                &mut instruction.operation
                && let Value::Const { bits, .. } = rhs
                && *bits == u128::from(rounds)
            {
                *bits = 1;
            }
        }
    }
}
