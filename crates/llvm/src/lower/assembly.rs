//! Inline assembly: the few idioms that say something about memory or nothing at all.

use super::function::{Flat, Lowerer};
use crate::ast::{Assembly, Call};
use crate::error::Result;
use crate::lex::unescape_text;
use everyway_ir::{AtomicOrdering, Operation};

impl<'a> Lowerer<'_, '_, 'a> {
    /// Accepts barriers (an empty template, fence instructions), pauses, alignment of code, and values that pass
    /// through nothing. What does anything else is an error.
    pub(super) fn assembly(&mut self, assembly: &Assembly<'a>, call: &Call<'a>) -> Result<Flat> {
        let template = unescape_text(assembly.template);
        let has_results = !self.context.layouts.scalars(call.result, self.line)?.is_empty();
        let single_thread = match template.trim().trim_end_matches(';').trim_end() {
            "" if has_results => return self.passed_through(assembly, call),
            _ if has_results => return self.unsupported(format!("the inline assembly \"{template}\" with results")),
            "" => true,
            "mfence" | "sfence" | "lfence" | "dmb ish" | "dmb sy" => false,
            "pause" | "nop" | "yield" | "rep; nop" | "rep;nop" | "rep nop" | "isb" => return Ok(Flat::new()),
            directive if directive.starts_with(".p2align") || directive.starts_with(".align") => return Ok(Flat::new()),
            _ => {
                let constraints = unescape_text(assembly.constraints);
                return self.unsupported(format!("the inline assembly \"{template}\" : \"{constraints}\""));
            }
        };
        Ok(self.emit(Operation::Fence { ordering: AtomicOrdering::SeqCst, single_thread }, &[]))
    }

    /// The results of an empty template, which are the operands that share their registers: `asm("" : "+r"(x))`
    /// hides a value from the optimiser.
    fn passed_through(&mut self, assembly: &Assembly<'a>, call: &Call<'a>) -> Result<Flat> {
        let constraints = unescape_text(assembly.constraints);
        let is_result = |constraint: &&str| constraint.starts_with('=') && !constraint.starts_with("=*");
        let count = constraints.split(',').take_while(is_result).count();
        let operands: Vec<&str> = constraints.split(',').skip(count).collect();
        let mut results = Flat::new();
        for result in 0..count {
            let position = operands.iter().position(|operand| operand.parse() == Ok(result));
            let Some(argument) = position.and_then(|position| call.arguments.get(position)) else {
                return self.unsupported(format!("the inline assembly \"\" : \"{constraints}\" with results"));
            };
            results.extend(self.typed(&argument.typed)?);
        }
        Ok(results)
    }
}
