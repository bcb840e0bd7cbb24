//! The machine again, rewinding the other way: by running from the start.

use crate::code::Code;
use crate::machine::Machine;
use crate::program::Program;
use everyway_runtime::{Execution, Halt, Performed, Source, Step};
use std::convert::Infallible;
use std::rc::Rc;

/// A machine that never undoes anything. The engine must not be able to tell.
#[derive(Clone, Debug)]
pub struct Reexecuting {
    code: Rc<Code>,
    machine: Machine,
    /// The steps, with the sources that their reads were told.
    steps: Vec<(Step, Option<Vec<Source>>)>,
}

impl Reexecuting {
    /// The program in its initial state.
    pub fn new(program: &Program) -> Self {
        let code = Rc::new(Code::new(program));
        Self { machine: Machine::of(code.clone()), code, steps: Vec::new() }
    }
}

crate::machine::state_of_machine!(Reexecuting);

impl Execution for Reexecuting {
    type Failure = Infallible;

    fn step(&mut self, step: Step, performed: &mut Performed) -> Result<(), Halt<Infallible>> {
        self.steps.push((step, None));
        self.machine.step(step, performed)
    }

    fn can_be_told(&self) -> bool {
        true
    }

    fn step_reading(
        &mut self,
        step: Step,
        sources: &[Source],
        performed: &mut Performed,
    ) -> Result<(), Halt<Infallible>> {
        self.steps.push((step, Some(sources.to_vec())));
        self.machine.step_reading(step, sources, performed)
    }

    fn rewind(&mut self, depth: usize) -> Result<(), Halt<Infallible>> {
        self.steps.truncate(depth);
        self.machine = Machine::of(self.code.clone());
        for (step, sources) in &self.steps {
            let performed = &mut Performed::default();
            match sources {
                None => self.machine.step(*step, performed)?,
                Some(sources) => self.machine.step_reading(*step, sources, performed)?,
            }
        }
        Ok(())
    }

    fn blocked(&mut self) -> Option<Infallible> {
        self.machine.blocked()
    }
}
