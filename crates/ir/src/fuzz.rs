//! What holds for arbitrary input, for fuzzing: of this crate, and of the readers of programs.

use crate::environment::{
    AwaitCall, Called, Clock, Environment, Failing, Holder, Locals, LockRole, LocksAll, TimedWait, Unordered,
};
use crate::module::Module;
use crate::pass::{LoopTreatment, Preparation, prepare};
use crate::text::parse;
use crate::validate::validate;

/// Parses arbitrary bytes: whatever they are, the answer is a program or an error.
///
/// # Panics
/// When something is wrong with this crate.
pub fn fuzz(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(module) = parse(&text) {
        exercise(module);
    }
}

/// Does all that can be done to a program without running it.
///
/// # Panics
/// When its text form is not that program, or a pass breaks what the validator has found to be whole.
pub fn exercise(mut module: Module) {
    same_as_text(&module);
    if validate(&module).is_err() {
        return;
    }
    let preparation = Preparation { loops: LoopTreatment::Await, rounds: Some(3), spin_rounds: Some(2) };
    let environment = Environment {
        unordered: Unordered::INTERLEAVED,
        locals: Locals::Inputs,
        input_of: |bits| format!("input{bits}"),
        is_idle: |name, _| name == "sched_yield",
        must_be_called: |name| match name {
            name if name.starts_with("__VERIFIER_") => Called::Seen,
            name if name.starts_with("make") => Called::UnseenOfVariables,
            _ => Called::Unseen,
        },
        is_assumption: |name| name == "__VERIFIER_assume",
        awaits: |name| match name {
            "load_await" => Some(AwaitCall::Load),
            "exchange_await" => Some(AwaitCall::Exchange),
            _ => None,
        },
        throws: |name| name == "throw",
        looks: |name| name.starts_with("spin").then_some(16),
        lock_role: |name| match name {
            "lock" => Some(LockRole::Locks),
            "unlock" => Some(LockRole::Unlocks),
            "trylock" => Some(LockRole::Tries),
            "begin" => Some(LockRole::Begins),
            "end" => Some(LockRole::Ends),
            "rest" => Some(LockRole::Rests),
            "relock" => Some(LockRole::Locks),
            _ => None,
        },
        timed_wait: |name| (name == "wait").then_some(TimedWait { limit: 2, gives: 1 }),
        timed_wait_parts: ["rest", "relock"],
        clock: |name| match name {
            "now" => Some(Clock::Gives),
            "time" => Some(Clock::Writes(0)),
            _ => None,
        },
        attempt: |name| (name == "attempt").then_some(Failing::Zero),
        gives_error: |name| (name == "attempt_telling").then_some("attempt_giving"),
        errno: "errno",
        limit: |name| matches!(name, "wait" | "rest").then_some(2),
        is_section: |name| name.starts_with("atomic"),
        touches_nothing: |name| name == "fail",
        gives_input: |name| name == "input",
        section_marks: ["begin", "end"],
        locks_all: |name| {
            let functions = ["lock", "trylock", "unlock"];
            (name == "lock_all").then_some(LocksAll { holder: Holder::Pointer { owns: 8 }, functions })
        },
        guards: |name| name.starts_with("guard").then_some(0),
        swaps_pointers: |name| name == "swap",
    };
    prepare(&mut module, preparation, environment, &mut |pass, module| {
        if let Err(violations) = validate(module) {
            panic!("after {pass}: {}", violations[0]);
        }
    });
    same_as_text(&module);
}

fn same_as_text(module: &Module) {
    let printed = module.to_string();
    let parsed = parse(&printed);
    assert_eq!(parsed.as_ref(), Ok(module), "the text form of a program is that program");
}
