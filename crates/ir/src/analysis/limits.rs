//! Variables that only say until when to wait, and what the clock says for them: `clock_gettime(CLOCK_REALTIME, &end);
//! end.tv_sec++; pthread_cond_timedwait(&c, &m, &end);`.
//!
//! How long a wait is makes no difference, so that such a variable may be another one in every round of a loop. It is one of
//! those if all that is done with it is to write to it, to read it in order to write to such variables again, and to give it to
//! functions that wait, or let time pass. What is read of it may also decide on a way through a round, if the ways come to the same: conditions
//! for a round to do nothing must not mention what depends on it ([`Limits::concern`]). What comes after the loop must not
//! be decided by it, as it may tell how many rounds there were.

use super::condition::Conjunction;
use super::control_flow::ControlFlow;
use super::expression::is_repeatable;
use super::loops::Loop;
use crate::environment::{Clock, Environment};
use crate::function::{Body, Instruction, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is only about how long to wait.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    /// The variable that a register points into, for those that are limits.
    inside: FxHashMap<Reg, Reg>,
    /// What is needed for something else.
    needed: FxHashSet<Reg>,
    /// What depends on a limit, or on the clock.
    timed: FxHashSet<Reg>,
}

impl Limits {
    /// The limits in a function, for a loop of it.
    pub(crate) fn of(subject: (&Module, &Body, &ControlFlow), environment: &Environment, found: &Loop) -> Self {
        let (module, body, flow) = subject;
        let asks = |instruction: &Instruction| {
            let name = called(module, &instruction.operation);
            name.is_some_and(|name| is_about_time(environment, name))
        };
        // Mostly nothing in it waits for some time.
        if !found.body.iter().flat_map(|&block| &body.block(block).instructions).any(asks) {
            return Self::default();
        }
        let mut limits = Self { inside: addresses(body), ..Self::default() };
        let later = after(found, flow);
        while limits.leave_out_used(module, body, environment, &later) {}
        limits.find_timed(module, body, environment);
        limits
    }

    /// Whether an address is one in a limit.
    fn has(&self, address: Value) -> bool {
        address.reg().is_some_and(|reg| self.inside.contains_key(&reg))
    }

    /// Whether an operation changes nothing but limits: it writes to one, or asks the clock for one.
    pub(crate) fn allows(&self, module: &Module, environment: &Environment, instruction: &Instruction) -> bool {
        match &instruction.operation {
            Operation::Store { address, ordering: None, volatile: false, .. } => self.has(*address),
            Operation::CopyMemory { to, volatile: false, .. } => self.has(*to),
            Operation::Call { arguments, .. } => {
                let clock = called(module, &instruction.operation).and_then(environment.clock);
                match clock {
                    Some(Clock::Gives | Clock::Passes) => {
                        instruction.results.iter().all(|result| !self.needed.contains(result))
                    }
                    Some(Clock::Writes(position)) => {
                        arguments.get(position).is_some_and(|&to| self.has(to))
                            && instruction.results.iter().all(|result| !self.needed.contains(result))
                    }
                    None => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a condition depends on a limit or on the clock.
    pub(crate) fn concern(&self, condition: &Conjunction) -> bool {
        condition.literals.iter().any(|literal| literal.test.has_register(&|reg| self.timed.contains(&reg)))
    }

    /// Whether a register is nothing but a limit, as a variable in memory can be: it may be another one in every round.
    pub(crate) fn is_one(&self, reg: Reg) -> bool {
        self.timed.contains(&reg) && !self.needed.contains(&reg)
    }

    /// Leaves out the variables that are used for something else, as far as that is known now; whether there were any.
    fn leave_out_used(
        &mut self,
        module: &Module,
        body: &Body,
        environment: &Environment,
        later: &FxHashSet<BlockId>,
    ) -> bool {
        let mut needed: Vec<Reg> = Vec::new();
        let mut others: FxHashSet<Reg> = FxHashSet::default();
        for (index, block) in body.blocks.iter().enumerate() {
            let terminator = &block.terminator.kind;
            if later.contains(&BlockId::new(index)) || matches!(terminator, TerminatorKind::Return(_)) {
                needed.extend(terminator.values().into_iter().filter_map(Value::reg));
            }
            // A variable that a phi may stand for is one that is not followed.
            let at_ends = block.values_at_ends().filter_map(Value::reg);
            others.extend(at_ends.filter_map(|reg| self.inside.get(&reg)));
            for instruction in &block.instructions {
                for value in self.used(module, environment, instruction) {
                    let Some(reg) = value.reg() else { continue };
                    match self.inside.get(&reg) {
                        Some(&variable) => _ = others.insert(variable),
                        None if is_repeatable(&instruction.operation) => {}
                        None => needed.push(reg),
                    }
                }
            }
        }
        self.needed = closure(body, needed);
        for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
            if let Operation::Load { address: Value::Reg(address), .. } = instruction.operation
                && instruction.results.iter().any(|result| self.needed.contains(result))
            {
                others.extend(self.inside.get(&address));
            }
        }
        let before = self.inside.len();
        self.inside.retain(|_, variable| !others.contains(variable));
        self.inside.len() < before
    }

    /// The values that an instruction uses for something else than for limits.
    fn used(&self, module: &Module, environment: &Environment, instruction: &Instruction) -> Vec<Value> {
        let mut values = instruction.operation.values().to_vec();
        let mut forget = |value: Value| {
            if let Some(position) = values.iter().position(|it| *it == value) {
                values.remove(position);
            }
        };
        match &instruction.operation {
            Operation::Load { address, ordering: None, volatile: false, .. } if self.has(*address) => forget(*address),
            Operation::Store { address, value, ordering: None, volatile: false, .. } if self.has(*address) => {
                forget(*address);
                if !self.has(*value) {
                    forget(*value);
                }
            }
            Operation::SetMemory { to, .. } if self.has(*to) => forget(*to),
            Operation::CopyMemory { to, from, .. } if self.has(*to) => {
                forget(*to);
                if self.has(*from) {
                    forget(*from);
                }
            }
            Operation::Offset { base, index: None, .. } => forget(*base),
            Operation::Scope { address, .. } => forget(*address),
            Operation::Call { arguments, .. } => {
                let name = called(module, &instruction.operation);
                let limit = name.and_then(environment.limit);
                let target = match name.and_then(environment.clock) {
                    Some(Clock::Writes(position)) => Some(position),
                    Some(Clock::Passes) => {
                        values.clear();
                        return values;
                    }
                    Some(Clock::Gives) | None => None,
                };
                limit.or(target).and_then(|position| arguments.get(position)).into_iter().for_each(|it| forget(*it));
            }
            _ => {}
        }
        values
    }

    /// Finds what depends on limits and on the clock.
    fn find_timed(&mut self, module: &Module, body: &Body, environment: &Environment) {
        loop {
            let before = self.timed.len();
            for block in &body.blocks {
                for phi in &block.phis {
                    let mut values = phi.incoming.iter().filter_map(|incoming| incoming.1.reg());
                    if values.any(|reg| self.timed.contains(&reg)) {
                        self.timed.insert(phi.result);
                    }
                }
                for instruction in &block.instructions {
                    let mut values = instruction.operation.values().into_iter().filter_map(Value::reg);
                    let is_timed = match &instruction.operation {
                        Operation::Load { address, .. } => self.has(*address),
                        operation if is_repeatable(operation) => values.any(|reg| self.timed.contains(&reg)),
                        operation => called(module, operation).and_then(environment.clock).is_some(),
                    };
                    if is_timed {
                        self.timed.extend(instruction.results.iter().copied());
                    }
                }
            }
            if self.timed.len() == before {
                return;
            }
        }
    }
}

/// The blocks outside a loop that control may come to after it.
fn after(found: &Loop, flow: &ControlFlow) -> FxHashSet<BlockId> {
    let mut reached = FxHashSet::default();
    let mut work = vec![found.header];
    while let Some(block) = work.pop() {
        if reached.insert(block) {
            work.extend(flow.successors(block));
        }
    }
    reached.retain(|&block| !found.contains(block));
    reached
}

/// Whether a function asks what time it is, or waits for some time.
pub(crate) fn is_about_time(environment: &Environment, name: &str) -> bool {
    (environment.clock)(name).is_some() || (environment.limit)(name).is_some()
}

/// The name of the function that is called, if it is not in the program.
pub(crate) fn called<'a>(module: &'a Module, operation: &Operation) -> Option<&'a str> {
    let Operation::Call { callee: Callee::Direct(id), .. } = operation else { return None };
    let function = module.function(*id);
    function.body.is_none().then_some(&*function.name)
}

/// The variables of a function, by the registers that point into them at a fixed place.
fn addresses(body: &Body) -> FxHashMap<Reg, Reg> {
    let mut inside: FxHashMap<Reg, Reg> = FxHashMap::default();
    loop {
        let before = inside.len();
        for instruction in body.blocks.iter().flat_map(|block| &block.instructions) {
            match instruction.operation {
                Operation::Alloca { count: None, .. } => {
                    inside.insert(instruction.results[0], instruction.results[0]);
                }
                Operation::Offset { base: Value::Reg(base), index: None, .. } => {
                    if let Some(&variable) = inside.get(&base) {
                        inside.insert(instruction.results[0], variable);
                    }
                }
                _ => {}
            }
        }
        if inside.len() == before {
            return inside;
        }
    }
}

/// The registers, and all that they are computed from.
fn closure(body: &Body, registers: Vec<Reg>) -> FxHashSet<Reg> {
    let mut from: FxHashMap<Reg, Vec<Reg>> = FxHashMap::default();
    for block in &body.blocks {
        for phi in &block.phis {
            from.insert(phi.result, phi.incoming.iter().filter_map(|incoming| incoming.1.reg()).collect());
        }
        for instruction in block.instructions.iter().filter(|it| is_repeatable(&it.operation)) {
            let values: Vec<Reg> = instruction.operation.values().into_iter().filter_map(Value::reg).collect();
            instruction.results.iter().for_each(|&result| _ = from.insert(result, values.clone()));
        }
    }
    let (mut found, mut work) = (FxHashSet::default(), registers);
    while let Some(reg) = work.pop() {
        if found.insert(reg) {
            work.extend(from.get(&reg).into_iter().flatten());
        }
    }
    found
}
