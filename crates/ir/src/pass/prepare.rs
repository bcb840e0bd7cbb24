//! The passes, in the order in which a program is prepared for exploration.

use super::assume::adopt_assumes;
use super::awaits::introduce_awaits;
use super::bound::bound_loops;
use super::inline::inline;
use super::promote::promote;
use super::purity::{TreatedLoop, eliminate_pure_rounds};
use super::sweep::sweep;
use crate::module::Module;
use crate::words::words;

words!(
    /// What is done about loops in which nothing happens.
    LoopTreatment {
        /// Nothing.
        Plain = "plain",
        /// Rounds that do nothing are blocked by assumes.
        Assume = "assume",
        /// Assumes become awaits where that is possible.
        Await = "await",
    }
);

words!(
    /// A pass.
    Pass {
        /// Nothing was done yet.
        Read = "read",
        /// Stack slots became registers.
        Promote = "promote",
        /// Small functions were put where they are called.
        Inline = "inline",
        /// Assumptions that the program makes became operations.
        Assumes = "assumes",
        /// Rounds of loops that do nothing were blocked.
        Purity = "purity",
        /// Assumes became awaits.
        Awaits = "awaits",
        /// Loops were bounded.
        Bound = "bound",
    }
);

/// How to prepare a program.
#[derive(Clone, Copy, Debug)]
pub struct Preparation {
    /// What is done about loops in which nothing happens.
    pub loops: LoopTreatment,
    /// How many rounds of a loop are explored.
    pub rounds: Option<u64>,
}

/// What is known of functions by their names.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// Whether calling this external function does nothing: `sched_yield`.
    pub is_idle: fn(&str) -> bool,
    /// Whether calls of the function have to be seen, even if the program defines it.
    pub must_be_called: fn(&str) -> bool,
    /// Whether the function stops the thread if its argument is zero.
    pub is_assumption: fn(&str) -> bool,
}

/// Prepares a program; tells `watch` of the program after each pass. Answers with what became of the loops.
pub fn prepare(
    module: &mut Module,
    preparation: Preparation,
    environment: Environment,
    watch: &mut dyn FnMut(Pass, &Module),
) -> Vec<TreatedLoop> {
    watch(Pass::Read, module);
    for function in &mut module.functions {
        promote(function);
    }
    watch(Pass::Promote, module);
    let mut treated = Vec::new();
    if preparation.loops != LoopTreatment::Plain {
        inline(module, &environment.must_be_called);
        watch(Pass::Inline, module);
        adopt_assumes(module, &environment.is_assumption);
        watch(Pass::Assumes, module);
        treated = eliminate_pure_rounds(module, &environment.is_idle);
        watch(Pass::Purity, module);
    }
    if preparation.loops == LoopTreatment::Await {
        introduce_awaits(module);
        module.functions.iter_mut().for_each(sweep);
        watch(Pass::Awaits, module);
    }
    if let Some(rounds) = preparation.rounds {
        bound_loops(module, rounds);
        watch(Pass::Bound, module);
    }
    treated
}
