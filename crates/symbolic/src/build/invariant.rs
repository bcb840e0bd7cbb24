//! A property of the state: a function of the program that must return a value other than 0 after every step.
//!
//! It is no thread of the program. Its result is computed as one term over what it reads, so it takes no step and adds
//! no interleavings.

use super::Builder;
use super::walk::{Flow, Region, Stop, Walk};
use crate::system::{Access, AccessKind, Invariant, POINTER_BITS, Unsupported};
use crate::term::Term;
use everyway_ir::{FunctionId, Instruction};

impl Builder<'_> {
    /// The property that the function with this name has.
    pub(super) fn invariant(&mut self, name: &str) -> Result<Invariant, Unsupported> {
        let is_it = |function: &everyway_ir::Function| {
            function.source_name.as_deref().unwrap_or(&function.name) == name && function.body.is_some()
        };
        let Some(position) = self.module.functions.iter().position(is_it) else {
            return self.unsupported(format!("the program defines no function `{name}`"), None);
        };
        let (id, location) = (FunctionId::new(position), self.module.functions[position].location);
        let signature = &self.module.functions[position].signature;
        if !signature.parameters.is_empty() || signature.results.len() != 1 {
            return self.unsupported(format!("an invariant takes nothing and returns a number: `{name}`"), location);
        }
        self.observed = Some(Vec::new());
        let always = self.terms.bool(true);
        // It has the memory of no thread.
        let mut walk = Walk::new(self.threads.len(), always, 0);
        let mut region = Region::default();
        self.enter(&mut walk, id, &[], location)?;
        self.run(walk, &mut region)?;
        let reads = self.observed.take().unwrap_or_default();
        let mut holds = Vec::new();
        for (walk, stop) in &region.stops {
            let Some(result) = walk.result.filter(|_| *stop == Stop::Ended) else {
                let what = format!("the invariant `{name}` does more than to compute something of what it reads");
                return self.unsupported(what, location);
            };
            let zero = self.terms.constant(POINTER_BITS, 0);
            let is_zero = self.terms.equal(result, zero);
            let is_set = self.terms.not(is_zero);
            holds.push(self.terms.and(walk.guard, is_set));
        }
        if let Some((_, what)) = region.unsupported.into_iter().next() {
            return Err(what);
        }
        let holds = self.terms.any(holds);
        Ok(Invariant { name: name.to_owned(), reads, holds })
    }

    /// Reads what is shared for the invariant, which takes no step for it; `None` if it is no invariant that reads.
    pub(super) fn observe(
        &mut self,
        walk: &mut Walk,
        instruction: &Instruction,
        (address, bytes, align): (Term, u32, u32),
    ) -> Result<Option<Flow>, Unsupported> {
        if self.observed.is_none() {
            return Ok(None);
        }
        let old = self.terms.variable("observed", 8 * bytes);
        if self.results(walk, instruction, old)?.is_some() {
            return self.unsupported("an invariant must not change anything", instruction.location);
        }
        let divisor = self.aligned_divisor(address, align);
        let kind = AccessKind::Memory;
        let access = Access { kind, address, bytes, is_plain: false, divisor, old, new: None, enabled: None };
        self.observed.get_or_insert_default().push(access);
        Ok(Some(Flow::Next))
    }
}
