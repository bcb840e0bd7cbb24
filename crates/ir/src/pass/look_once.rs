//! Loops that look a number of times for something before they give up look once, if at all.
//!
//! `for (i = 0; i < 1000; i++) if (x > 0) break;` is how locks and semaphores try before they wait. A round that goes back to
//! the header has done nothing (FMCAD 2022, Sect. III), but for the count. So an execution in which a later look finds
//! something is one in which the first look comes at that time; and if all of them find nothing, any one of them tells the same. The
//! other way round, what one look finds the first of many can find, and all of many can find nothing where one does, by reading
//! the same again.
//!
//! The latter holds of rounds that look at one thing, with a mutex or without: what others do after that can come later, after
//! all further rounds. It also holds of some that load several ([`Counting::ends_alike`]). One that reads, and then fails to
//! exchange what it has read, could not do so again unless something changed again: a loop of such rounds stays as it is.

use super::compact::compact;
use super::fold::fold;
use super::idle_loops::Step;
use super::prune::prune;
use super::thread_jumps::thread_jumps;
use crate::analysis::{
    ControlFlow, Definition, Definitions, Dominators, Expression, Limits, Loop, Loops, Point, Subject, count_uses,
    locks_are_silent, only_computes, relevant_registers,
};
use crate::environment::{Environment, LockRole};
use crate::function::{Body, Instruction, Phi, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::module::Module;
use crate::operation::Operation;
use crate::operators::{AtomicOrdering, BinaryOp, IntPredicate};
use crate::ranges::Ranges;
use crate::types::Type;
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Loops of more rounds are left as they are.
const ROUNDS_LIMIT: u64 = 1 << 20;

/// Lets the loops of the program that look a fixed number of times look once.
pub(super) fn look_once(module: &mut Module, environment: Environment) {
    let is_silent = locks_are_silent(module, environment);
    for index in 0..module.functions.len() {
        let Some(mut body) = module.functions[index].body.take() else { continue };
        let mut has_changed = false;
        while let Some((found, count)) = find_threading(module, &mut body, environment, is_silent) {
            count.end_after_a_round(&mut body, &found);
            prune(&mut body);
            has_changed = true;
        }
        if has_changed {
            fold(&mut body);
            compact(&mut body, module.functions[index].signature.parameters.len());
        }
        module.functions[index].body = Some(body);
    }
}

/// A loop of which no round does anything but count; with ways led past blocks that only decide, if it takes that to see one.
fn find_threading(
    module: &Module,
    body: &mut Body,
    environment: Environment,
    locks_are_silent: bool,
) -> Option<(Loop, Count)> {
    let found = find(module, body, environment, locks_are_silent);
    if found.is_some() {
        return found;
    }
    let mut threaded = body.clone();
    if !thread_jumps(&mut threaded) {
        return None;
    }
    prune(&mut threaded);
    let found = find(module, &threaded, environment, locks_are_silent)?;
    *body = threaded;
    Some(found)
}

/// A loop of which no round does anything but count.
fn find(module: &Module, body: &Body, environment: Environment, locks_are_silent: bool) -> Option<(Loop, Count)> {
    let flow = ControlFlow::new(body);
    let dominators = Dominators::new(&flow, body.blocks.len());
    let definitions = Definitions::new(body);
    let looks = |instruction: &Instruction| {
        let only_keeps_others_out = matches!(
            environment.lock_role_of(module, &instruction.operation),
            Some(LockRole::Locks | LockRole::Unlocks | LockRole::Begins | LockRole::Ends)
        );
        !only_computes(&instruction.operation) && !only_keeps_others_out
    };
    let loops = Loops::new(&flow, &dominators);
    let counted = loops.iter().rev().filter_map(|(_, found)| {
        let counting = Counting { body, flow: &flow, dominators: &dominators, definitions: &definitions, found };
        Some((found, counting.count()?)).filter(|(_, count)| counting.can_be_repeated(&looks, count))
    });
    let (uses, relevant) = (count_uses(body), relevant_registers(body, &flow, &definitions));
    counted.into_iter().find_map(|(found, count)| {
        let mut relevant = relevant.clone();
        relevant[count.number.index()] = false;
        let subject = Subject {
            module,
            body,
            flow: &flow,
            dominators: &dominators,
            definitions: &definitions,
            found,
            environment,
            locks_are_silent,
            relevant: &relevant,
            limits: &Limits::default(),
            uses: &uses,
            dead: &[],
        };
        let purity = subject.analyse();
        (purity.is_complete && purity.reread.is_none()).then(|| (found.clone(), count))
    })
}

/// Where a round decides whether there is another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decides {
    /// Before it looks, in the header.
    First,
    /// After it has looked.
    Last,
}

/// How a loop counts.
struct Count {
    /// The phi of the header that does.
    number: Reg,
    decides: Decides,
    /// The block that leaves the loop when it has counted far enough, the one it goes on to otherwise, and where it leads.
    at: BlockId,
    stays: BlockId,
    beyond: BlockId,
}

/// A loop that may count.
struct Counting<'a> {
    body: &'a Body,
    flow: &'a ControlFlow,
    dominators: &'a Dominators,
    definitions: &'a Definitions,
    found: &'a Loop,
}

impl Counting<'_> {
    /// How the loop counts, if that is all that it remembers from round to round, and nothing else uses it.
    fn count(&self) -> Option<Count> {
        let [phi] = &self.body.block(self.found.header).phis[..] else { return None };
        let inside = |from: BlockId| self.found.contains(from);
        let mut starts = phi.incoming.iter().filter(|it| !inside(it.0)).map(|it| it.1);
        let start = starts.next()?;
        let steps: FxHashSet<Option<u128>> =
            phi.incoming.iter().filter(|it| inside(it.0)).map(|it| self.added(it.1, phi.result)).collect();
        let step = steps.iter().next().copied().flatten().filter(|_| steps.len() == 1)?;
        let ty = self.body.register(phi.result).ty;
        if starts.any(|other| other != start) || !ty.is_int() || ty.bits() > 64 {
            return None;
        }
        let (count, test) = self.test(phi.result)?;
        let is_worth_it = match (start, test.bound) {
            (Value::Const { bits, .. }, Value::Const { bits: bound, .. }) => {
                test.rounds(ty, bits, step, bound)? > u64::from(count.decides == Decides::First)
            }
            // However many rounds there are, none included, it is decided before the first.
            _ => count.decides == Decides::First && Step::of(ty, step)?.ends(test.strictly(ty)),
        };
        (is_worth_it && self.is_its_own(phi.result, count.at)).then_some(count)
    }

    /// Whether what follows a round that has found nothing may be another one that finds nothing.
    fn can_be_repeated(&self, looks: &dyn Fn(&Instruction) -> bool, count: &Count) -> bool {
        let in_block = |&block: &BlockId| {
            let instructions = self.body.block(block).instructions.iter().enumerate();
            instructions.filter(|(_, it)| looks(it)).map(move |(position, _)| Point { block, position })
        };
        let looks: Vec<Point> = self.found.body.iter().flat_map(in_block).collect();
        // One that looks at nothing only passes the time, if what it counts to has a value.
        looks.len() == 1 || !looks.is_empty() && self.ends_alike(&looks, count)
    }

    /// Whether rounds that come right after one that has found nothing, before another thread does anything, lead where the
    /// loop leads when it has counted far enough. What they load last is what it was; that must be all that decides whether they
    /// leave the loop for another place. What else they load may have changed since it was looked at: that may only make them leave
    /// it for that very place. (`seq_cst` loads are in an order with others, which such rounds would have to keep to.)
    fn ends_alike(&self, looks: &[Point], count: &Count) -> bool {
        let Some(last) = looks.iter().max_by_key(|it| (self.flow.position(it.block), it.position)) else { return true };
        let operation = |at: &Point| &self.body.block(at.block).instructions[at.position];
        let is_load = |at: &Point| matches!(operation(at).operation, Operation::Load { ordering, .. } if ordering != Some(AtomicOrdering::SeqCst));
        let in_every_round = self.found.latches.iter().all(|&latch| self.dominators.dominates(last.block, latch));
        let loaded = operation(last).results.first().copied();
        let is_known = |reg: Reg| Some(reg) == loaded || self.is_fixed(Value::Reg(reg));
        let depends_on_last = |value: Value| {
            let inside = |block, _| self.found.contains(block);
            let expression = Expression::of(self.body, self.definitions, value, &inside);
            !expression.has_register(&|reg| !is_known(reg))
        };
        // What is not after the last load is before it, as every round comes to it.
        let decides_alike = |&block: &BlockId| {
            let decides = self.body.block(block).terminator.kind.values();
            let ways_on = self.flow.successors(block).iter().filter(|&&to| self.found.contains(to)).count();
            let may_differ = ways_on <= 1 || !self.dominators.dominates(last.block, block);
            block == count.at
                || may_differ && self.leaves_alike(block, count)
                || self.dominators.dominates(last.block, block) && decides.into_iter().all(depends_on_last)
        };
        in_every_round && looks.iter().all(is_load) && self.found.body.iter().all(decides_alike)
    }

    /// Whether a block leaves the loop, if it does, as if the loop had counted far enough.
    fn leaves_alike(&self, block: BlockId, count: &Count) -> bool {
        let mut exits = self.flow.successors(block).iter().filter(|&&to| !self.found.contains(to));
        let from = |phi: &Phi, from: BlockId| phi.incoming.iter().find(|it| it.0 == from).map(|it| it.1);
        let is_same = |phi: &Phi| from(phi, block) == from(phi, count.at);
        exits.all(|&to| to == count.beyond && self.body.block(to).phis.iter().all(is_same))
    }

    /// The constant that is added to the number, if the value is that.
    fn added(&self, value: Value, number: Reg) -> Option<u128> {
        let (block, position) = self.definitions.instruction(value.reg()?)?;
        match self.body.block(block).instructions[position].operation {
            Operation::Binary { op: BinaryOp::Add, lhs, rhs: Value::Const { bits, .. } }
                if lhs == Value::Reg(number) =>
            {
                Some(bits)
            }
            _ => None,
        }
    }

    /// Whether a value is not computed in the loop.
    fn is_fixed(&self, value: Value) -> bool {
        match value.reg().map(|reg| self.definitions.of(reg)) {
            Some(Definition::Phi(block) | Definition::Instruction(block, _)) => !self.found.contains(block),
            Some(Definition::Parameter) | None => true,
        }
    }

    /// Where the number, or what is added to it, is compared in every round with something fixed, to leave the loop.
    fn test(&self, number: Reg) -> Option<(Count, Test)> {
        self.found.exits(self.flow).into_iter().find_map(|(at, beyond)| {
            let TerminatorKind::Branch { condition, then, otherwise } = self.body.block(at).terminator.kind else {
                return None;
            };
            let (block, position) = self.definitions.instruction(condition.reg()?)?;
            let Operation::Compare { predicate, lhs, rhs: bound } =
                self.body.block(block).instructions[position].operation
            else {
                return None;
            };
            if !self.is_fixed(bound) {
                return None;
            }
            let offset = if lhs == Value::Reg(number) { 0 } else { self.added(lhs, number)? };
            let (stays, stays_while) =
                if then == beyond { (otherwise, predicate.inverse()) } else { (then, predicate) };
            let in_every_round = self.found.latches.iter().all(|&latch| self.dominators.dominates(at, latch));
            let decides = self.decides(at, stays).filter(|_| in_every_round && then != otherwise)?;
            let count = Count { number, decides, at, stays, beyond };
            (decides == Decides::Last || self.can_leave(&count)).then_some((count, Test { stays_while, offset, bound }))
        })
    }

    fn decides(&self, at: BlockId, stays: BlockId) -> Option<Decides> {
        let header = self.found.header;
        let computes =
            |block: BlockId| self.body.block(block).instructions.iter().all(|it| only_computes(&it.operation));
        if at == header && computes(header) {
            return Some(Decides::First);
        }
        let goes_back = self.body.block(stays).terminator.kind == TerminatorKind::Jump(header) && computes(stays);
        (stays == header || goes_back).then_some(Decides::Last)
    }

    /// Whether rounds can lead to where the loop leads when it has counted far enough.
    fn can_leave(&self, count: &Count) -> bool {
        let header = self.found.header;
        // A latch may leave the loop as well, for that same place.
        let goes_back = |&latch: &BlockId| {
            let stays = |to: &BlockId| *to != header && self.found.contains(*to);
            !self.flow.successors(latch).iter().any(stays) && self.leaves_alike(latch, count)
        };
        let is_of_header = |value: Value| match value.reg().map(|reg| self.definitions.of(reg)) {
            Some(Definition::Phi(block) | Definition::Instruction(block, _)) => block == header,
            _ => false,
        };
        let comes_in = |&(from, value): &(BlockId, Value)| from == header && is_of_header(value);
        let mut incoming = self.body.block(count.beyond).phis.iter().flat_map(|phi| &phi.incoming);
        self.found.latches.iter().all(goes_back) && !incoming.any(comes_in)
    }

    /// Whether the number is used only to count, and to be compared where the loop is left.
    fn is_its_own(&self, number: Reg, at: BlockId) -> bool {
        let Some(condition) = self.body.block(at).terminator.kind.values().first().and_then(|it| it.reg()) else {
            return false;
        };
        let is_number = |value: Value| value == Value::Reg(number) || self.added(value, number).is_some();
        self.body.block_ids().all(|id| {
            let block = self.body.block(id);
            let counts = |instruction: &Instruction| {
                let result = instruction.results.first().copied();
                let is_test = result == Some(condition);
                is_test || result.is_some_and(|reg| is_number(Value::Reg(reg)))
            };
            let uses = |value: Value| is_number(value) || value == Value::Reg(condition);
            let used = block
                .instructions
                .iter()
                .filter(|it| !counts(it))
                .any(|it| it.operation.values().into_iter().any(uses));
            let phis = block.phis.iter().filter(|phi| phi.result != number);
            let carried = phis.flat_map(|phi| &phi.incoming).any(|incoming| uses(incoming.1));
            let decided = id != at && block.terminator.kind.values().into_iter().any(uses);
            !used && !carried && !decided
        })
    }
}

/// What is compared to leave a loop: the number and this, with this bound; it goes on while that is so.
struct Test {
    stays_while: IntPredicate,
    offset: u128,
    bound: Value,
}

impl Test {
    /// How often the loop goes on if the number starts with this, changes by this much, and is compared with this.
    fn rounds(&self, ty: Type, start: u128, step: u128, bound: u128) -> Option<u64> {
        let goes_on = Ranges::of(self.stays_while, bound as u64, ty.bits());
        let number =
            |round: u64| start.wrapping_add(step.wrapping_mul(round.into())).wrapping_add(self.offset) & ty.mask();
        (0..ROUNDS_LIMIT).find(|&round| !goes_on.contains(number(round) as u64))
    }

    /// The relation, as one to another number that excludes that: `i >= 0` is `i > -1`.
    fn strictly(&self, ty: Type) -> IntPredicate {
        let Value::Const { bits: bound, .. } = self.bound else { return self.stays_while };
        let most = ty.mask() >> 1;
        match self.stays_while {
            IntPredicate::Sge if bound != most + 1 => IntPredicate::Sgt,
            IntPredicate::Sle if bound != most => IntPredicate::Slt,
            IntPredicate::Uge if bound != 0 => IntPredicate::Ugt,
            IntPredicate::Ule if bound != ty.mask() => IntPredicate::Ult,
            other => other,
        }
    }
}

impl Count {
    /// Has the loop end where its first round would go back, as if it had counted far enough.
    fn end_after_a_round(&self, body: &mut Body, found: &Loop) {
        match self.decides {
            Decides::First => {
                for phi in &mut body.blocks[self.beyond.index()].phis {
                    let Some(value) = phi.incoming.iter().find(|it| it.0 == found.header).map(|it| it.1) else {
                        continue;
                    };
                    phi.incoming.retain(|incoming| !found.latches.contains(&incoming.0));
                    phi.incoming.extend(found.latches.iter().map(|&latch| (latch, value)));
                    phi.incoming.sort_by_key(|incoming| incoming.0);
                }
                for &latch in &found.latches {
                    body.blocks[latch.index()].terminator.kind.for_each_successor_mut(|target| *target = self.beyond);
                }
                let header = &mut body.blocks[found.header.index()].phis;
                header.iter_mut().for_each(|phi| phi.incoming.retain(|incoming| !found.contains(incoming.0)));
            }
            Decides::Last => {
                body.blocks[self.at.index()].terminator.kind = TerminatorKind::Jump(self.beyond);
                for phi in &mut body.blocks[self.stays.index()].phis {
                    phi.incoming.retain(|incoming| incoming.0 != self.at);
                }
            }
        }
    }
}
