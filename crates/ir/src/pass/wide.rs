//! Atomic accesses to 16 bytes, as atomic sections of accesses to what the machine has words for.
//!
//! They are instructions (`cmpxchg16b`), or the calls that a compiler makes of them where it does not know that the processor
//! has these (`__atomic_compare_exchange_16`). A section is as atomic as they are, also for accesses to a half. It orders more
//! than an access does that is weaker than `seq_cst`: one for such an access begins with a call of [`STRENGTHENED`].

use super::lock_all::declared;
use crate::environment::Environment;
use crate::function::{Body, Instruction};
use crate::ids::{FunctionId, Reg};
use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::operators::{AtomicOrdering, BinaryOp, CastOp, IntPredicate, RmwOp};
use crate::types::Type;
use crate::value::Value;

/// The function that begins an atomic section for an atomic access that is explored as if it were stronger than it is.
pub const STRENGTHENED: &str = "__everyway_begin_strengthened";

const WIDE: Type = Type::Int(128);

/// `memory_order_seq_cst`, as compilers have it in calls.
const SEQ_CST: u128 = 5;

/// Replaces what is 16 bytes wide and atomic.
pub(super) fn split_wide_atomics(module: &mut Module, environment: &Environment) {
    let calls: Vec<Option<WideCall>> = module
        .functions
        .iter()
        .map(|function| WideCall::named(&function.name).filter(|_| function.body.is_none()))
        .collect();
    let is_wide = |body: &Body, instruction: &Instruction| Wide::of(body, instruction, &calls).is_some();
    for index in 0..module.functions.len() {
        let Some(body) = &module.functions[index].body else { continue };
        let mut instructions = body.blocks.iter().flat_map(|block| &block.instructions);
        if !instructions.any(|instruction| is_wide(body, instruction)) {
            continue;
        }
        let [begin, end] = environment.section_marks.map(|name| declared(module, name, &[], &[]));
        let strengthened = declared(module, STRENGTHENED, &[], &[]);
        let Some(body) = &mut module.functions[index].body else { continue };
        for block in 0..body.blocks.len() {
            for instruction in std::mem::take(&mut body.blocks[block].instructions) {
                let wide = Wide::of(body, &instruction, &calls);
                let Some(wide) = wide else {
                    body.blocks[block].instructions.push(instruction);
                    continue;
                };
                let is_weaker = has_weaker_ordering(body, &instruction.operation);
                let mut writer = Writer { body, block, like: instruction };
                writer.mark(if is_weaker { strengthened } else { begin });
                writer.write(wide);
                writer.mark(end);
            }
        }
    }
}

/// Whether an atomic access, or a call that stands for one, has an ordering that is, or may be, weaker than `seq_cst`.
fn has_weaker_ordering(body: &Body, operation: &Operation) -> bool {
    let is_weaker = |ordering: &AtomicOrdering| *ordering != AtomicOrdering::SeqCst;
    match operation {
        Operation::Load { ordering, .. } | Operation::Store { ordering, .. } => {
            ordering.as_ref().is_some_and(is_weaker)
        }
        Operation::AtomicRmw { ordering, .. } => is_weaker(ordering),
        Operation::CompareExchange { success, failure, .. } => is_weaker(success) || is_weaker(failure),
        Operation::Call { arguments, .. } => {
            let mut orderings = arguments.iter().filter(|value| value.ty(body) == Some(Type::Int(32)));
            orderings.any(|ordering| !matches!(ordering, Value::Const { bits: SEQ_CST, .. }))
        }
        _ => false,
    }
}

/// The functions that a compiler calls for such accesses.
#[derive(Clone, Copy, Debug)]
enum WideCall {
    Load,
    Store,
    Exchange,
    CompareExchange,
}

impl WideCall {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "__atomic_load_16" => Self::Load,
            "__atomic_store_16" => Self::Store,
            "__atomic_exchange_16" => Self::Exchange,
            "__atomic_compare_exchange_16" => Self::CompareExchange,
            _ => return None,
        })
    }
}

/// What is done to 16 bytes at an address.
#[derive(Clone, Copy, Debug)]
enum Wide {
    Load(Value),
    Store(Value, Value),
    /// Replaces them by what comes of them and an operand; without an operation, by the operand.
    Modify(Value, Option<BinaryOp>, Value),
    CompareExchange {
        address: Value,
        expected: Value,
        new: Value,
    },
    /// The same with the address of what is expected, where what was found is put.
    CompareExchangeAt {
        address: Value,
        expected: Value,
        new: Value,
    },
}

impl Wide {
    fn of(body: &Body, instruction: &Instruction, calls: &[Option<WideCall>]) -> Option<Self> {
        let is_wide = |value: &Value| value.ty(body) == Some(WIDE);
        let result = || instruction.results.first().map(|result| body.register(*result).ty);
        match &instruction.operation {
            Operation::Load { address, ordering: Some(_), .. } if result() == Some(WIDE) => Some(Self::Load(*address)),
            Operation::Store { address, value, ordering: Some(_), .. } if is_wide(value) => {
                Some(Self::Store(*address, *value))
            }
            Operation::AtomicRmw { op, address, value, .. } if is_wide(value) => match op {
                RmwOp::Xchg => Some(Self::Modify(*address, None, *value)),
                op => Some(Self::Modify(*address, Some(BinaryOp::from_name(op.name())?), *value)),
            },
            Operation::CompareExchange { address, expected, new, .. } if is_wide(new) => {
                Some(Self::CompareExchange { address: *address, expected: *expected, new: *new })
            }
            Operation::Call { callee: Callee::Direct(id), arguments, .. } => {
                match ((*calls.get(id.index())?)?, &arguments[..]) {
                    (WideCall::Load, [address, ..]) if result() == Some(WIDE) => Some(Self::Load(*address)),
                    (WideCall::Store, [address, value, ..]) if is_wide(value) => Some(Self::Store(*address, *value)),
                    (WideCall::Exchange, [address, value, ..]) if is_wide(value) && result() == Some(WIDE) => {
                        Some(Self::Modify(*address, None, *value))
                    }
                    (WideCall::CompareExchange, [address, expected, new, ..])
                        if is_wide(new) && result().is_some_and(Type::is_int) =>
                    {
                        Some(Self::CompareExchangeAt { address: *address, expected: *expected, new: *new })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Writes what stands for one instruction.
struct Writer<'a> {
    body: &'a mut Body,
    block: usize,
    /// The instruction.
    like: Instruction,
}

impl Writer<'_> {
    fn mark(&mut self, function: FunctionId) {
        self.push(None, Operation::Call { callee: Callee::Direct(function), arguments: Vec::new(), fixed: 0 });
    }

    fn write(&mut self, wide: Wide) {
        match wide {
            Wide::Load(address) => {
                self.load(self.result(0), address);
            }
            Wide::Store(address, value) => self.store(address, value),
            Wide::Modify(address, op, value) => {
                let old = self.load(self.result(0), address);
                let new = match op {
                    Some(op) => self.compute(Operation::Binary { op, lhs: old, rhs: value }, WIDE),
                    None => value,
                };
                self.store(address, new);
            }
            Wide::CompareExchange { address, expected, new } => {
                let old = self.load(self.result(0), address);
                self.replace(self.result(1), address, old, [expected, new]);
            }
            Wide::CompareExchangeAt { address, expected, new } => {
                let old = self.load(None, address);
                let ordering = None;
                let wanted = Operation::Load { address: expected, align: 16, volatile: false, ordering };
                let wanted = self.compute(wanted, WIDE);
                let equal = self.replace(None, address, old, [wanted, new]);
                let found = Operation::Store { address: expected, value: old, align: 16, volatile: false, ordering };
                self.push(None, found);
                if let Some(result) = self.result(0) {
                    let same = Operation::Compare { predicate: IntPredicate::Eq, lhs: old, rhs: wanted };
                    let widen = Operation::Cast { op: CastOp::ZExt, value: equal };
                    let is_bit = self.body.register(result).ty == Type::BOOL;
                    self.push(Some(result), if is_bit { same } else { widen });
                }
            }
        }
    }

    fn result(&self, index: usize) -> Option<Reg> {
        self.like.results.get(index).copied()
    }

    fn push(&mut self, result: Option<Reg>, operation: Operation) {
        let results = result.into_iter().collect();
        let instruction = Instruction { results, operation, location: self.like.location };
        self.body.blocks[self.block].instructions.push(instruction);
    }

    fn compute(&mut self, operation: Operation, ty: Type) -> Value {
        let result = self.body.add_register(ty, None);
        self.push(Some(result), operation);
        Value::Reg(result)
    }

    fn load(&mut self, result: Option<Reg>, address: Value) -> Value {
        let ordering = Some(AtomicOrdering::SeqCst);
        let result = result.unwrap_or_else(|| self.body.add_register(WIDE, None));
        self.push(Some(result), Operation::Load { address, align: 16, volatile: false, ordering });
        Value::Reg(result)
    }

    fn store(&mut self, address: Value, value: Value) {
        let ordering = Some(AtomicOrdering::SeqCst);
        self.push(None, Operation::Store { address, value, align: 16, volatile: false, ordering });
    }

    /// Stores the new value if what was found is what was expected, and otherwise that again; whether it is.
    fn replace(&mut self, result: Option<Reg>, address: Value, old: Value, [expected, new]: [Value; 2]) -> Value {
        let result = result.unwrap_or_else(|| self.body.add_register(Type::BOOL, None));
        self.push(Some(result), Operation::Compare { predicate: IntPredicate::Eq, lhs: old, rhs: expected });
        let condition = Value::Reg(result);
        let chosen = self.compute(Operation::Select { condition, then: new, otherwise: old }, WIDE);
        self.store(address, chosen);
        condition
    }
}
