//! When a statement of a loop changes nothing: `g` of FMCAD 2022, Sect. III; and whether it may be an error.

use super::condition::{Condition, Point};
use super::expression::{Expression, is_repeatable, may_divide_by_zero};
use super::limits::called;
use super::purity::{Obstacle, Subject};
use crate::environment::{Failing, LockRole, Races};
use crate::function::Instruction;
use crate::ids::FunctionId;
use crate::operation::{Callee, Operation};
use crate::operators::{BinaryOp, IntPredicate, RmwOp};
use crate::types::Type;
use crate::value::{Symbol, Value};

/// When a statement changes nothing.
enum Guard {
    Always,
    /// If the condition holds.
    If(Condition),
    /// If the condition holds, and the statement has been seen.
    IfSeen(Condition),
    /// If the mutex is unlocked later.
    Locks(Expression),
    /// If this says that it fails; if it does not, as one that locks.
    Tries(Expression, Condition),
    /// If the mutex was locked before, and the statement has been seen.
    Unlocks(Expression),
    /// Likewise, if the condition holds.
    Rests(Expression, Condition),
    Never(&'static str),
}

/// What stands for atomic sections among mutexes.
const SECTION: Value = Value::Const { ty: Type::Ptr, bits: 0 };

impl Subject<'_> {
    /// FPC(s.) to FPC(.s), with `g` as in the paper. `point` is after the statement.
    pub(super) fn before(
        &self,
        instruction: &Instruction,
        point: Point,
        after: Condition,
        obstacles: &mut Vec<Obstacle>,
    ) -> Condition {
        match self.guard(instruction, &instruction.operation, point) {
            Guard::Always => after,
            Guard::If(condition) => after.and(&condition),
            Guard::IfSeen(condition) => after.and(&condition).after(point),
            Guard::Locks(mutex) => after.before_lock(&mutex),
            Guard::Tries(mutex, fails) => {
                let locked = after.clone().before_lock(&mutex).and(&self.tried(instruction, true));
                after.and(&fails).or(locked)
            }
            Guard::Unlocks(mutex) => after.before_unlock(&mutex, point),
            Guard::Rests(mutex, in_vain) => after.and(&in_vain).before_unlock(&mutex, point),
            Guard::Never(what) => {
                obstacles.push(Obstacle { what, location: instruction.location });
                Condition::never()
            }
        }
    }

    fn guard(&self, instruction: &Instruction, operation: &Operation, point: Point) -> Guard {
        match operation {
            _ if self.limits.allows(self.module, &self.environment, instruction) => Guard::Always,
            Operation::Load { .. }
            | Operation::Fence { .. }
            | Operation::Assume { .. }
            | Operation::Round
            // What begins in a round ends with it.
            | Operation::Scope { .. } => Guard::Always,
            Operation::Await { access, .. } => self.guard(instruction, access, point),
            Operation::Store { address, value, volatile, ordering: None, .. } => {
                self.stored_again(*address, *value, *volatile, point).unwrap_or(Guard::Never("a store"))
            }
            Operation::Store { .. } | Operation::SetMemory { .. } | Operation::CopyMemory { .. } => {
                Guard::Never("a store")
            }
            Operation::AtomicRmw { op, value, .. } => self.unchanged(*op, instruction, *value),
            Operation::CompareExchange { .. } => {
                let replaced = Expression::Leaf(Value::Reg(instruction.results[1]));
                Guard::If(Condition::when(self.body, &replaced, false))
            }
            // To ask for an input shows nothing to others: a round that only asks may be left out like one that only looks.
            Operation::Call { callee: Callee::Direct(id), .. }
                if (self.environment.gives_input)(&self.module.function(*id).name) =>
            {
                Guard::Always
            }
            Operation::Call { .. } if called(self.module, operation) == Some(self.environment.errno) => Guard::Always,
            Operation::Call { callee: Callee::Direct(id), .. } if self.failing(*id).is_some() => {
                Guard::If(self.tried(instruction, self.failing(*id) == Some(Failing::Zero)))
            }
            Operation::Call { callee: Callee::Direct(_), arguments, .. } => {
                let role = self.environment.lock_role_of(self.module, &instruction.operation);
                self.lock_call(role, instruction, arguments).unwrap_or(Guard::Never("a call"))
            }
            Operation::Call { .. } => Guard::Never("a call"),
            Operation::Alloca { .. } | Operation::VariadicArea => Guard::Never("a new variable"),
            _ => Guard::Always,
        }
    }

    /// How the function tells that it has failed, if it tries something else than to lock a mutex.
    fn failing(&self, id: FunctionId) -> Option<Failing> {
        let function = self.module.function(id);
        (self.environment.attempt)(&function.name).filter(|_| function.body.is_none())
    }

    fn lock_call(&self, role: Option<LockRole>, instruction: &Instruction, arguments: &[Value]) -> Option<Guard> {
        let mutex = || Some(self.expression(*arguments.first()?));
        match role? {
            LockRole::Locks if self.locks_are_silent => Some(Guard::Locks(mutex()?)),
            LockRole::Unlocks if self.locks_are_silent => Some(Guard::Unlocks(mutex()?)),
            LockRole::Rests if self.locks_are_silent => {
                Some(Guard::Rests(mutex()?, self.gave_up(instruction, *arguments.last()?)))
            }
            LockRole::Locks | LockRole::Unlocks | LockRole::Rests => None,
            LockRole::Tries if self.locks_are_silent => Some(Guard::Tries(mutex()?, self.tried(instruction, false))),
            LockRole::Tries => Some(Guard::If(self.tried(instruction, false))),
            // No thread can ask whether another is in an atomic section.
            LockRole::Begins => Some(Guard::Locks(Expression::Leaf(SECTION))),
            LockRole::Ends => Some(Guard::Unlocks(Expression::Leaf(SECTION))),
        }
    }

    /// When the result of a wait is the one for giving up.
    fn gave_up(&self, instruction: &Instruction, gives: Value) -> Condition {
        let Some(&result) = instruction.results.first() else { return Condition::never() };
        let result = Expression::Leaf(Value::Reg(result));
        let test = Expression::compare(IntPredicate::Eq, result, self.expression(gives));
        Condition::when(self.body, &test, true)
    }

    /// When the result of an attempt is zero, which is when one to lock a mutex succeeds; or when it is not.
    pub(super) fn tried(&self, instruction: &Instruction, is_zero: bool) -> Condition {
        let Some(&result) = instruction.results.first() else { return Condition::never() };
        let result = Expression::Leaf(Value::Reg(result));
        let zero = Expression::Leaf(Value::constant(result.ty(self.body), 0));
        let other = Expression::compare(IntPredicate::Ne, result, zero);
        Condition::when(self.body, &other, !is_zero)
    }

    /// A store to memory that is not atomic changes nothing if it stores what was loaded from there before in the same
    /// round: a thread that changes it in between, or can observe the store, is in a data race, which is a failure. For that to
    /// be found, the thread is not stopped before the store. (A queue that keeps a copy of the other side's index does this.)
    /// Where races are no failures, both have to be in one atomic section, and to find what was stored last.
    fn stored_again(&self, address: Value, value: Value, volatile: bool, point: Point) -> Option<Guard> {
        let (loaded, load) = self.loaded_before(address, value, point)?;
        let unordered = self.environment.unordered;
        match if volatile { unordered.volatile } else { unordered.plain } {
            Races::Fail => {}
            Races::Interleave if self.is_in_section(load) => {}
            Races::Interleave | Races::Weak => return None,
        }
        let same = Expression::compare(IntPredicate::Eq, self.expression(value), loaded);
        Some(Guard::IfSeen(Condition::when(self.body, &same, true)))
    }

    /// What was loaded from an address, as a value like this one, before `point` in the same round, where nothing changes in
    /// between; and the point before the load.
    fn loaded_before(&self, address: Value, value: Value, point: Point) -> Option<(Expression, Point)> {
        let address = self.expression(address);
        let ty = value.ty(self.body).filter(|ty| !ty.is_float())?;
        self.look_back(Point { position: point.position - 1, ..point }, |instruction| match &instruction.operation {
            Operation::Load { address: from, ordering: None, .. }
                if self.expression(*from) == address && self.body.register(instruction.results[0]).ty == ty =>
            {
                Some(Expression::Leaf(Value::Reg(instruction.results[0])))
            }
            _ => None,
        })
    }

    /// Whether an atomic section begins before `point` in the same round, and nothing changes in between.
    fn is_in_section(&self, point: Point) -> bool {
        let begins = |instruction: &Instruction| {
            let role = self.environment.lock_role_of(self.module, &instruction.operation);
            (role == Some(LockRole::Begins)).then_some(())
        };
        self.look_back(point, begins).is_some()
    }

    /// What is found in the last instruction before `point` of which `find` accepts one, as far as there is only one way
    /// from there in this round, on which nothing is done but to look; and the point before that instruction.
    fn look_back<T>(&self, point: Point, find: impl Fn(&Instruction) -> Option<T>) -> Option<(T, Point)> {
        let Point { mut block, position: mut end } = point;
        loop {
            for (position, instruction) in self.body.block(block).instructions[..end].iter().enumerate().rev() {
                if let Some(found) = find(instruction) {
                    return Some((found, Point { block, position }));
                }
                match &instruction.operation {
                    Operation::Load { .. } | Operation::Fence { .. } | Operation::Round | Operation::Assume { .. } => {}
                    operation if is_repeatable(operation) => {}
                    _ => return None,
                }
            }
            let [above] = self.flow.predecessors(block)[..] else { return None };
            if block == self.found.header {
                return None;
            }
            block = above;
            end = self.body.block(block).instructions.len();
        }
    }

    /// When a read-modify-write leaves what it finds.
    fn unchanged(&self, op: RmwOp, instruction: &Instruction, operand: Value) -> Guard {
        let old = Expression::Leaf(Value::Reg(instruction.results[0]));
        let ty = old.ty(self.body);
        let operand = self.expression(operand);
        let equal = |a: Expression, b: Expression| {
            let test = Expression::compare(IntPredicate::Eq, a, b);
            Guard::If(Condition::when(self.body, &test, true))
        };
        if ty.is_float() {
            return Guard::Never("a change of a float");
        }
        let function = match op {
            RmwOp::Xchg => return equal(old, operand),
            RmwOp::Add | RmwOp::Sub | RmwOp::Xor => {
                return equal(operand, Expression::Leaf(Value::constant(ty, 0)));
            }
            RmwOp::And => BinaryOp::And,
            RmwOp::Or => BinaryOp::Or,
            RmwOp::Max => BinaryOp::SMax,
            RmwOp::Min => BinaryOp::SMin,
            RmwOp::UMax => BinaryOp::UMax,
            RmwOp::UMin => BinaryOp::UMin,
            _ => return Guard::Never("an atomic change"),
        };
        equal(Expression::binary(ty, function, old.clone(), operand), old)
    }

    /// Whether the instruction may be an error, so that nothing may be blocked before it that would come to it.
    pub(super) fn may_fail(&self, instruction: &Instruction) -> bool {
        let operation = match &instruction.operation {
            Operation::Await { access, .. } => access,
            operation => operation,
        };
        match operation.address() {
            Some(address) => {
                let size = instruction.results.first().map_or(0, |&result| self.body.register(result).ty.bytes());
                !self.is_in_bounds(address, 0, size.into())
            }
            None => may_divide_by_zero(operation),
        }
    }

    /// Whether there is an object of which `size` bytes can be accessed at `offset` beyond the address, at any time.
    fn is_in_bounds(&self, address: Value, offset: i64, size: u64) -> bool {
        let fits = |offset: i64, whole: u64| {
            u64::try_from(offset).is_ok_and(|offset| offset.checked_add(size).is_some_and(|end| end <= whole))
        };
        match address {
            Value::Address { symbol: Symbol::Global(id), offset: start } => {
                let global = self.module.global(id);
                global.initialiser.is_some() && !global.constant && fits(start.saturating_add(offset), global.size)
            }
            Value::Reg(reg) => {
                let Some((block, position)) = self.definitions.instruction(reg) else { return false };
                match &self.body.block(block).instructions[position].operation {
                    Operation::Alloca { slot, count: None } => fits(offset, self.body.slot(*slot).size),
                    Operation::Offset { base, offset: more, index: None } => {
                        self.is_in_bounds(*base, offset.saturating_add(*more), size)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
