//! Awaits from assumes: a load, and an assume about what it has loaded, become a load that waits (FMCAD 2022, Sect. II-A
//! and V). So do exchanges and other atomic read-modify-writes, and compare-exchanges.
//!
//! Nothing that others can notice, or that can fail, may be between the two. The condition has to be one that can be
//! decided for any value without running code ([`Until`]): relations of the value, or of some of its bits, to operands
//! that are known before. Where it is not, the assume stays. So it does where the access is in a race, which is a failure, with
//! whatever else is done to the same memory: a load that waits for ever would not be in one.

use crate::analysis::{Expression, is_repeatable};
use crate::environment::{Races, Unordered};
use crate::function::{Body, Instruction};
use crate::ids::{BlockId, Reg};
use crate::module::Module;
use crate::operation::Operation;
use crate::operators::{BinaryOp, CastOp, IntPredicate};
use crate::source::SourceLocation;
use crate::types::Type;
use crate::until::{Clause, Test, Until};
use crate::value::Value;

/// Conditions with more tests stay assumes.
const TESTS: usize = 64;

/// Turns the assumes that can be into awaits; answers with how many there were.
pub fn introduce_awaits(module: &mut Module, unordered: Unordered) -> usize {
    let bodies = module.functions.iter_mut().filter_map(|function| function.body.as_mut());
    bodies.map(|body| body.block_ids().map(|block| in_block(body, block, unordered)).sum::<usize>()).sum()
}

fn in_block(body: &mut Body, block: BlockId, unordered: Unordered) -> usize {
    let mut count = 0;
    let instructions = std::mem::take(&mut body.blocks[block.index()].instructions);
    let mut done: Vec<Instruction> = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        if join(body, &mut done, &instruction, unordered).is_some() {
            count += 1;
        } else {
            done.push(instruction);
        }
    }
    body.blocks[block.index()].instructions = done;
    count
}

/// The position of the access that an assume after these instructions is about: the last one that does more than
/// compute. Which of several assumes stops a thread makes no difference.
fn access_before(body: &Body, before: &[Instruction]) -> Option<usize> {
    let is_nothing = |operation: &Operation| is_repeatable(operation) || matches!(operation, Operation::Assume { .. });
    let found = before.iter().rposition(|instruction| !is_nothing(&instruction.operation))?;
    let access = match &before[found].operation {
        Operation::Await { access, .. } => access,
        operation => operation,
    };
    let can_wait =
        matches!(access, Operation::Load { .. } | Operation::AtomicRmw { .. } | Operation::CompareExchange { .. });
    let ty = body.register(*before[found].results.first()?).ty;
    let is_simple = ty == Type::Ptr || ty.is_int() && ty.bits() <= 64 && ty.bits().is_multiple_of(8);
    (can_wait && is_simple).then_some(found)
}

/// Whether the access is a failure if nothing orders it with others.
fn may_race(access: &Operation, unordered: Unordered) -> bool {
    let Operation::Load { volatile, ordering: None, .. } = access else { return false };
    let races = if *volatile { unordered.volatile } else { unordered.plain };
    races == Races::Fail
}

/// Makes the access before an assume wait for what is assumed, if that is possible.
pub(super) fn join(
    body: &mut Body,
    done: &mut Vec<Instruction>,
    assume: &Instruction,
    unordered: Unordered,
) -> Option<()> {
    let Operation::Assume { condition, round } = assume.operation else { return None };
    let found = access_before(body, done).filter(|&found| !may_race(&done[found].operation, unordered))?;
    let between = |reg: Reg| done[found..].iter().find(|it| it.results.contains(&reg));
    let condition = Expression::looking_through(body, condition, &between);
    let access = done[found].clone();
    let is_later = |reg: Reg| !access.results.contains(&reg) && between(reg).is_some();
    if condition.has_register(&is_later) {
        return None;
    }
    let (it, flag) = (access.results[0], access.results.get(1).copied());
    let mut reader = Reader { it, flag, replaced: None, before: Vec::new(), location: access.location };
    let mut clauses = reader.clauses(body, &condition, &access.operation)?;
    done[found].operation = match access.operation {
        Operation::Await { access, until, round: other } => {
            clauses.splice(0..0, until.clauses);
            // It is enough that one of the two is no loop for the waiting not to be an error.
            let round = round.filter(|_| other.is_some());
            Operation::Await { access, until: Until { clauses }, round }
        }
        operation => Operation::Await { access: Box::new(operation), until: Until { clauses }, round },
    };
    done.splice(found..found, reader.before);
    Some(())
}

/// Reads a condition as one on the value that an access finds in memory.
struct Reader {
    /// The register that the value goes to.
    it: Reg,
    /// The second register that the access assigns.
    flag: Option<Reg>,
    /// The register that says whether a compare-exchange has replaced the value, and the value it expects.
    replaced: Option<(Reg, Value)>,
    /// Instructions to come before the access.
    before: Vec<Instruction>,
    location: Option<SourceLocation>,
}

impl Reader {
    fn clauses(&mut self, body: &mut Body, condition: &Expression, access: &Operation) -> Option<Vec<Clause>> {
        let access = match access {
            Operation::Await { access, .. } => access,
            access => access,
        };
        if let Operation::CompareExchange { expected, .. } = access {
            self.replaced = Some((self.flag?, *expected));
        }
        self.normal_form(body, condition, true)
    }

    fn is_about_it(&self, expression: &Expression) -> bool {
        expression.has_register(&|reg| reg == self.it || self.replaced.is_some_and(|replaced| replaced.0 == reg))
    }

    /// The condition that `test` is `is`, in conjunctive normal form.
    fn normal_form(&mut self, body: &mut Body, test: &Expression, is: bool) -> Option<Vec<Clause>> {
        if !self.is_about_it(test) {
            return None;
        }
        let Expression::Node(node) = test else {
            let (_, expected) = self.replaced?;
            let predicate = if is { IntPredicate::Eq } else { IntPredicate::Ne };
            return Some(vec![vec![Test { mask: None, predicate, operand: expected }]]);
        };
        if let Some((op, a, b)) = node.binary() {
            return match (op, b.as_constant()) {
                (BinaryOp::Xor, Some(1)) => self.normal_form(body, a, !is),
                (BinaryOp::And, _) => self.combine(body, a, b, is, is),
                (BinaryOp::Or, _) => self.combine(body, a, b, is, !is),
                _ => None,
            };
        }
        if let Some((condition, then, otherwise)) = node.select() {
            // What compilers make of `&&` and `||`.
            return match (then.as_constant(), otherwise.as_constant()) {
                (_, Some(0)) => self.combine(body, condition, then, is, is),
                (Some(1), _) => self.combine(body, condition, otherwise, is, !is),
                _ => None,
            };
        }
        if let Some((CastOp::Trunc, value)) = node.cast() {
            if let Some(condition) = value.as_condition(body) {
                return self.normal_form(body, condition, is);
            }
            let ty = value.ty(body);
            let constant = |bits| Expression::Leaf(Value::constant(ty, bits));
            let bit = Expression::binary(ty, BinaryOp::And, value.clone(), constant(1));
            let predicate = if is { IntPredicate::Ne } else { IntPredicate::Eq };
            return self.relation(body, predicate, &bit, &constant(0));
        }
        let (predicate, a, b) = node.compare()?;
        let predicate = if is { predicate } else { predicate.inverse() };
        if let (Some(condition), Some(bits @ 0..2)) = (a.as_condition(body), b.as_constant()) {
            match predicate {
                IntPredicate::Eq => return self.normal_form(body, condition, bits == 1),
                IntPredicate::Ne => return self.normal_form(body, condition, bits == 0),
                _ => {}
            }
        }
        match (self.is_about_it(a), self.is_about_it(b)) {
            (true, false) => self.relation(body, predicate, a, b),
            (false, true) => self.relation(body, predicate.swapped(), b, a),
            _ => None,
        }
    }

    fn combine(&mut self, body: &mut Body, a: &Expression, b: &Expression, is: bool, all: bool) -> Option<Vec<Clause>> {
        let (mut a, b) = (self.normal_form(body, a, is)?, self.normal_form(body, b, is)?);
        if all {
            a.extend(b);
        } else {
            a = a.iter().flat_map(|one| b.iter().map(move |other| [&one[..], &other[..]].concat())).collect();
        }
        (a.iter().map(Vec::len).sum::<usize>() <= TESTS).then_some(a)
    }

    /// A relation of something that is made from the value in memory to something that is not.
    fn relation(
        &mut self,
        body: &mut Body,
        predicate: IntPredicate,
        value: &Expression,
        operand: &Expression,
    ) -> Option<Vec<Clause>> {
        let is_equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        let node = match value {
            Expression::Leaf(_) => {
                if !self.is_it(value) {
                    return None;
                }
                let operand = self.value(body, operand);
                return Some(vec![vec![Test { mask: None, predicate, operand }]]);
            }
            Expression::Node(node) => node,
        };
        if let Some((op, a, b)) = node.binary() {
            let (inner, other) = if self.is_about_it(a) { (a, b) } else { (b, a) };
            if self.is_about_it(other) {
                return None;
            }
            let back = |op| Expression::binary(node.ty, op, operand.clone(), other.clone());
            return match op {
                BinaryOp::And if self.is_it(inner) => {
                    let (mask, operand) = (self.value(body, other), self.value(body, operand));
                    Some(vec![vec![Test { mask: Some(mask), predicate, operand }]])
                }
                // What is added can be taken away on the other side, as long as only equality counts.
                BinaryOp::Add if is_equality => self.relation(body, predicate, inner, &back(BinaryOp::Sub)),
                BinaryOp::Sub if is_equality && std::ptr::eq(inner, a) => {
                    self.relation(body, predicate, inner, &back(BinaryOp::Add))
                }
                BinaryOp::Xor if is_equality => self.relation(body, predicate, inner, &back(BinaryOp::Xor)),
                _ => None,
            };
        }
        let (cast, inner) = node.cast()?;
        self.converted(body, predicate, cast, inner, operand.as_constant()?, node.ty)
    }

    fn is_it(&self, value: &Expression) -> bool {
        *value == Expression::Leaf(Value::Reg(self.it))
    }

    /// A relation of a conversion of `inner` to `ty` to a constant.
    fn converted(
        &mut self,
        body: &mut Body,
        predicate: IntPredicate,
        cast: CastOp,
        inner: &Expression,
        constant: u128,
        ty: Type,
    ) -> Option<Vec<Clause>> {
        let from = inner.ty(body);
        let narrow = |bits: u128| Expression::Leaf(Value::constant(from, bits));
        let is_signed =
            matches!(predicate, IntPredicate::Slt | IntPredicate::Sle | IntPredicate::Sgt | IntPredicate::Sge);
        match cast {
            // All numbers are positive here, and so is the constant if it is one of them.
            CastOp::ZExt if constant <= from.mask() => {
                self.relation(body, if is_signed { predicate.unsigned() } else { predicate }, inner, &narrow(constant))
            }
            CastOp::SExt if sign_extended(constant & from.mask(), from, ty) == constant => {
                self.relation(body, predicate, inner, &narrow(constant & from.mask()))
            }
            // The bits that are cut off do not count.
            CastOp::Trunc if !is_signed && self.is_it(inner) => {
                let mask = Some(Value::constant(from, ty.mask()));
                let operand = Value::constant(from, constant);
                Some(vec![vec![Test { mask, predicate, operand }]])
            }
            CastOp::PtrToInt | CastOp::IntToPtr => self.relation(body, predicate, inner, &narrow(constant)),
            _ => None,
        }
    }

    /// The value of an expression that has nothing to do with the access, computed before it.
    fn value(&mut self, body: &mut Body, expression: &Expression) -> Value {
        expression.emit(body, self.location, &mut |_, reg| Value::Reg(reg), &mut self.before)
    }
}

fn sign_extended(bits: u128, from: Type, to: Type) -> u128 {
    let unused = 128 - from.bits();
    ((bits << unused) as i128 >> unused) as u128 & to.mask()
}
