//! The functions that programs written for verifiers use.

use super::{Answer, Invocation, Reply, is_random};
use crate::access::Request;
use crate::cell::{mask, sign_extend};
use crate::code::Looks;
use crate::failure::Failure;
use crate::machine::Machine;
use everyway_ir::FunctionId;
use everyway_report::BugKind;
use everyway_runtime::{Choices, Verb};
use std::fmt::{self, Display, Formatter};

/// `RAND_MAX`
const MOST_RANDOM: u64 = i32::MAX as u64;

pub(super) fn error(_: &mut Machine, _: &Invocation<'_>) -> Answer {
    Err(Failure::new(BugKind::Assertion, "the program reaches its error function"))
}

pub(super) fn assert(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.number(0)? as u32 != 0 {
        return Reply::nothing();
    }
    Err(Failure::new(BugKind::Assertion, "assertion failed"))
}

pub(super) fn assume(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.number(0)? as u32 != 0 { Reply::nothing() } else { Ok(Reply::Stuck) }
}

/// The question of a loop whether it may go on: see [`everyway_ir::bound_loops`].
pub(super) fn loop_bound(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.number(0)? <= call.number(1)? {
        return Reply::nothing();
    }
    let place = machine.place_of(call.thread);
    machine.cut_loops.insert(place);
    Ok(Reply::Stuck)
}

/// An atomic section (`sections.rs`). Sections inside of it are part of it.
pub(super) fn atomic_begin(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        machine.threads[call.thread].core.section = call.section;
        return Reply::nothing();
    }
    if machine.in_section(call.thread) {
        machine.threads[call.thread].core.nested_sections += 1;
        return Reply::nothing();
    }
    if machine.sections_refute() {
        return Err(machine.refute_commuting());
    }
    Ok(Reply::Visible(machine.enter_section(call.thread, call.section)))
}

pub(super) fn atomic_end(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        machine.threads[call.thread].core.section = None;
        return Reply::nothing();
    }
    if !machine.in_section(call.thread) {
        return Reply::nothing();
    }
    let nested = &mut machine.threads[call.thread].core.nested_sections;
    if *nested > 0 {
        *nested -= 1;
        return Reply::nothing();
    }
    Ok(Reply::Visible(machine.leave_section(call.thread)))
}

fn choose(call: &Invocation<'_>, verb: Verb, count: usize) -> Option<Answer> {
    (call.stage == 0).then(|| {
        let mut request = Request::new(verb, 0);
        request.choices = Choices::Among(count as u32);
        Ok(Reply::Visible(request))
    })
}

/// Either, or one for both where the program does not ask.
pub(super) fn nondet_bool(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let values = match call.looks {
        Looks::Among(values) if machine.settings.told_apart => values.of(&machine.code.inputs),
        _ => &[0, 1],
    };
    let value = |choice: u32| values.get(choice as usize).copied().unwrap_or(0);
    choose(call, Verb::Choose, values.len()).unwrap_or_else(|| Reply::word(value(machine.outcome.choice)))
}

/// A few values stand for all where the program only compares it with constants.
pub(super) fn nondet(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (count, is_all) = match call.looks {
        Looks::Among(values) if machine.settings.told_apart => (values.len as usize, true),
        _ => (machine.settings.samples.len().max(1), false),
    };
    machine.sampled |= !is_all;
    if let Some(answer) = choose(call, Verb::Input, count) {
        return answer;
    }
    Reply::word(machine.input(call.function, call.looks, machine.outcome.choice).bits())
}

/// What a function that asks for an input returns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    Integer { bits: u64, width: u32, is_unsigned: bool },
    Single(f32),
    Double(f64),
}

impl Input {
    fn bits(self) -> u64 {
        match self {
            Input::Integer { bits, .. } => bits,
            Input::Single(value) => value.to_bits().into(),
            Input::Double(value) => value.to_bits(),
        }
    }
}

/// As the program would write it.
impl Display for Input {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Input::Integer { bits, is_unsigned: true, .. } => write!(f, "{bits}"),
            Input::Integer { bits, width, .. } => write!(f, "{}", sign_extend(bits, width)),
            Input::Single(value) => write!(f, "{value}"),
            Input::Double(value) => write!(f, "{value}"),
        }
    }
}

impl Machine {
    /// What `function`, which asks for an input, returns when it is this alternative.
    pub(crate) fn input(&self, function: FunctionId, looks: Looks, choice: u32) -> Input {
        let function = self.module.function(function);
        let value = match looks {
            Looks::Among(values) if self.settings.told_apart => {
                values.of(&self.code.inputs).get(choice as usize).map_or(0, |&bits| bits as i64)
            }
            _ => self.settings.samples.get(choice as usize).copied().unwrap_or(0),
        };
        let result = function.signature.results.first();
        let width = result.map_or(64, |ty| ty.bits());
        match result {
            Some(ty) if ty.is_float() && width == 32 => Input::Single(value as f32),
            Some(ty) if ty.is_float() => Input::Double(value as f64),
            _ if is_random(&function.name) => {
                Input::Integer { bits: value as u64 & MOST_RANDOM, width, is_unsigned: false }
            }
            _ => {
                let kind = function.name.strip_prefix("__VERIFIER_nondet_").unwrap_or_default();
                let is_unsigned = kind.starts_with('u') || kind == "size_t";
                Input::Integer { bits: value as u64 & mask(width), width, is_unsigned }
            }
        }
    }
}
