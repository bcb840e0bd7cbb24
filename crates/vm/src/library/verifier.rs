//! The functions that programs written for verifiers use.

use super::{Answer, Invocation, Reply};
use crate::access::Request;
use crate::code::Looks;
use crate::failure::Failure;
use crate::machine::Machine;
use everyway_report::BugKind;
use everyway_runtime::{Access, Choices, Condition, Effect, Verb};

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

/// An atomic section: a lock that every visible operation of others respects. Sections inside of it are part of it.
pub(super) fn atomic_begin(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 {
        return Reply::nothing();
    }
    if machine.in_section(call.thread) {
        machine.threads[call.thread].core.nested_sections += 1;
        return Reply::nothing();
    }
    let enter = Access::new(machine.section, Effect::Write(crate::thread::number_of(call.thread)));
    Ok(Reply::Visible(Request::new(Verb::AtomicBegin, 0).with(enter.once(Condition::Equals(0)))))
}

pub(super) fn atomic_end(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if call.stage != 0 || !machine.in_section(call.thread) {
        return Reply::nothing();
    }
    let nested = &mut machine.threads[call.thread].core.nested_sections;
    if *nested > 0 {
        *nested -= 1;
        return Reply::nothing();
    }
    let leave = Access::new(machine.section, Effect::Write(0));
    Ok(Reply::Visible(Request::new(Verb::AtomicEnd, 0).with(leave)))
}

fn choose(call: &Invocation<'_>, verb: Verb, count: usize) -> Option<Answer> {
    (call.stage == 0).then(|| {
        let mut request = Request::new(verb, 0);
        request.choices = Choices::Among(count as u32);
        Ok(Reply::Visible(request))
    })
}

pub(super) fn nondet_bool(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    choose(call, Verb::Choose, 2).unwrap_or_else(|| Reply::word(machine.outcome.choice.into()))
}

/// A few values stand for all: two of them do where the program only wants to know whether it is 0.
pub(super) fn nondet(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    nondet_within(machine, call, u64::MAX)
}

/// The same, with the bits of `mask` alone.
pub(super) fn nondet_within(machine: &mut Machine, call: &Invocation<'_>, mask: u64) -> Answer {
    let samples = &machine.settings.samples;
    let is_truth = machine.settings.truth_of_inputs && call.looks != Looks::At && samples.starts_with(&[0, 1]);
    let count = if is_truth { 2 } else { samples.len().max(1) };
    machine.sampled |= !is_truth;
    if let Some(answer) = choose(call, Verb::Input, count) {
        return answer;
    }
    let samples = &machine.settings.samples;
    let value = samples.get(machine.outcome.choice as usize).copied().unwrap_or(0);
    let results = &machine.module.function(call.function).signature.results;
    let width = results.first().map_or(64, |ty| ty.bits());
    let is_float = results.first().is_some_and(|ty| ty.is_float());
    let bits = match (is_float, width) {
        (true, 32) => u64::from((value as f32).to_bits()),
        (true, _) => (value as f64).to_bits(),
        _ => value as u64 & mask,
    };
    Reply::word(bits & crate::cell::mask(width))
}
