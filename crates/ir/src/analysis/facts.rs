//! What is known of a function before its loops are looked at.

use super::control_flow::ControlFlow;
use super::definitions::Definitions;
use super::dominators::Dominators;
use super::limits::Limits;
use super::loops::{Loop, Loops};
use super::purity::Subject;
use super::relevance::relevant_registers;
use super::used::count_uses;
use crate::environment::Environment;
use crate::function::Body;
use crate::module::Module;

/// What is known of a function.
pub(crate) struct Facts {
    pub(crate) flow: ControlFlow,
    pub(crate) dominators: Dominators,
    pub(crate) loops: Loops,
    definitions: Definitions,
    relevant: Vec<bool>,
    uses: Vec<u32>,
}

impl Facts {
    /// Finds it out.
    pub(crate) fn of(body: &Body) -> Self {
        let flow = ControlFlow::new(body);
        let dominators = Dominators::new(&flow, body.blocks.len());
        let definitions = Definitions::new(body);
        let relevant = relevant_registers(body, &flow, &definitions);
        let loops = Loops::new(&flow, &dominators);
        Self { relevant, uses: count_uses(body), flow, dominators, definitions, loops }
    }

    /// A loop of the function, in a program in which locks are silent.
    pub(crate) fn subject<'a>(
        &'a self,
        (module, body): (&'a Module, &'a Body),
        environment: Environment,
        (found, limits): (&'a Loop, &'a Limits),
    ) -> Subject<'a> {
        Subject {
            module,
            body,
            flow: &self.flow,
            dominators: &self.dominators,
            definitions: &self.definitions,
            found,
            environment,
            locks_are_silent: true,
            relevant: &self.relevant,
            limits,
            uses: &self.uses,
            dead: &[],
        }
    }
}
