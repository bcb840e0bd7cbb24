//! The passes, in the order in which a program is prepared for exploration.

use super::ask_for_unset::{ask_for_unset, drop_needless_questions};
use super::assume::{adopt_aborts, adopt_assumes};
use super::await_calls::adopt_awaits;
use super::awaits::introduce_awaits;
use super::bound::{Bounded, bound_loops};
use super::cut::cut_dead_edges;
use super::errno_attempts::split_attempts;
use super::idle_calls::remove_idle_calls;
use super::idle_loops::remove_idle_loops;
use super::inline::inline;
use super::lean_sections::simplify_sections;
use super::lock_all::simplify_lock_all;
use super::look_once::look_once;
use super::own_lock::adopt_own_locks;
use super::own_volatile::adopt_own_volatile;
use super::promote::promote;
use super::purity::{Treated, TreatedLoop, eliminate_pure_rounds};
use super::rotate::rotate_loops;
use super::scopes::trim_scopes;
use super::section_awaits::await_before_sections;
use super::sections::open_sections;
use super::sink::sink_assumes;
use super::spin_once::spin_once;
use super::split::split;
use super::success::tell_success;
use super::sweep::sweep;
use super::unwind::settle_exceptions;
use super::virtual_answers::answer_virtual_calls;
use super::wide::split_wide_atomics;
use crate::environment::Environment;
use crate::module::Module;
use crate::words::words;

words!(
    /// What is done about loops in which nothing happens.
    LoopTreatment {
        /// Nothing.
        Plain = "plain",
        /// Rounds of loops that do nothing but poll are blocked by assumes, as the tool that FMCAD 2022 compares with has
        /// it (Table I, "Baseline").
        Baseline = "baseline",
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
    /// How many rounds of any loop are explored.
    pub rounds: Option<u64>,
    /// How many rounds are explored of loops that do not count, and were not treated.
    pub spin_rounds: Option<u64>,
}

/// Prepares a program; tells `watch` of the program after each pass. Answers with what became of the loops.
pub fn prepare(
    module: &mut Module,
    preparation: Preparation,
    environment: Environment,
    watch: &mut dyn FnMut(Pass, &Module),
) -> Vec<TreatedLoop> {
    split_wide_atomics(module, &environment);
    if preparation.loops != LoopTreatment::Plain {
        simplify_lock_all(module, &environment);
    }
    settle_exceptions(module, &environment.throws);
    watch(Pass::Read, module);
    if preparation.loops != LoopTreatment::Plain {
        remove_idle_calls(module, environment.is_idle);
    }
    adopt_own_volatile(module);
    let asked = ask_for_unset(module, &environment);
    for function in &mut module.functions {
        promote(function);
        trim_scopes(function);
    }
    drop_needless_questions(module, &asked);
    adopt_own_locks(module, &environment);
    watch(Pass::Promote, module);
    let mut treated = Vec::new();
    if preparation.loops != LoopTreatment::Plain {
        spin_once(module, &environment.looks);
        open_sections(module, &environment);
        inline(module, &environment);
        adopt_own_volatile(module);
        for function in &mut module.functions {
            split(function);
            promote(function);
        }
        remove_idle_loops(module);
        if preparation.loops != LoopTreatment::Baseline {
            look_once(module, environment);
            simplify_sections(module, &environment);
        }
        watch(Pass::Inline, module);
        // With the constants that small functions were called with.
        adopt_awaits(module, &environment);
        adopt_assumes(module, &environment.is_assumption);
        adopt_aborts(module);
        module.functions.iter_mut().for_each(tell_success);
        answer_virtual_calls(module);
        split_attempts(module, &environment);
        sink_assumes(module);
        module.functions.iter_mut().for_each(sweep);
        watch(Pass::Assumes, module);
        let which = if preparation.loops == LoopTreatment::Baseline { Treated::Polling } else { Treated::All };
        if which == Treated::All {
            rotate_loops(module, environment);
        }
        treated = eliminate_pure_rounds(module, which, environment);
        cut_dead_edges(module, &treated);
        module.functions.iter_mut().for_each(sweep);
        watch(Pass::Purity, module);
    } else {
        adopt_awaits(module, &environment);
    }
    if preparation.loops == LoopTreatment::Await {
        await_before_sections(module, &environment);
        introduce_awaits(module, environment.unordered);
        module.functions.iter_mut().for_each(sweep);
        watch(Pass::Awaits, module);
    }
    let bounds = [(Bounded::Spinning, preparation.spin_rounds), (Bounded::All, preparation.rounds)];
    for (which, rounds) in bounds.into_iter().filter_map(|(which, rounds)| Some((which, rounds?))) {
        bound_loops(module, which, rounds);
        watch(Pass::Bound, module);
    }
    treated
}
