//! Instructions of x86: loads and stores, locked instructions, fences, hints, and what turns flags into values.
//!
//! A locked instruction, and an exchange, is an atomic read-modify-write; `mov` is an atomic access that acquires or
//! releases, as the machine has it (Intel SDM, vol. 3, 9.2.2). An arithmetic instruction on memory without `lock` is a load
//! and a store. A locked instruction on the stack that changes nothing is a fence.

use super::{Flags, Frame, Place, Register, machine_register};
use crate::lower::function::Lowerer;
use everyway_ir::{AtomicOrdering, BinaryOp, Callee, IntPredicate, Operation, RmwOp, Signature, Type, Value};

/// One instruction, with its operands in the order of AT&T: the destination is the last one.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    is_locked: bool,
    mnemonic: String,
    operands: Vec<String>,
}

/// The instructions of a template.
pub(super) fn statements(template: &str) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut is_locked = false;
    for text in template.split([';', '\n']).map(str::trim) {
        let mut words = text.splitn(2, char::is_whitespace);
        let (mut mnemonic, mut rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default().trim());
        if mnemonic.ends_with(':') {
            statements.push(Statement { is_locked: false, mnemonic: mnemonic.to_owned(), operands: Vec::new() });
            words = rest.splitn(2, char::is_whitespace);
            (mnemonic, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default().trim());
        }
        if matches!(mnemonic, "lock" | "rep") {
            is_locked |= mnemonic == "lock";
            let mut words = rest.splitn(2, char::is_whitespace);
            (mnemonic, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default().trim());
        }
        if mnemonic.is_empty() {
            continue;
        }
        let operands = rest.split(',').map(|operand| operand.trim().to_owned());
        let operands = operands.filter(|operand| !operand.is_empty()).collect();
        statements.push(Statement { is_locked, mnemonic: mnemonic.to_owned(), operands });
        is_locked = false;
    }
    statements
}

/// Whether a template is a fence, or a load or a store and nothing else, which acquires or releases.
pub(super) fn orders_by_itself(template: &str) -> bool {
    let statements = statements(template);
    let orders = |name: &str| name.starts_with("mov") || name.ends_with("fence") || name == "dmb";
    !statements.is_empty() && statements.iter().all(|statement| orders(&statement.mnemonic))
}

/// What a statement works on.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Number(u128),
    Register(Register, Type),
    Memory(Value),
    /// The stack, of which nothing is known.
    Stack,
}

impl<'a> Lowerer<'_, '_, 'a> {
    /// Runs one instruction; `None` if it is not known.
    pub(super) fn instruction_of_assembly(&mut self, frame: &mut Frame, statement: &Statement) -> Option<()> {
        let name = statement.mnemonic.as_str();
        if let Some(label) = name.strip_suffix(':') {
            return self.label(frame, label);
        }
        match name {
            // What is left out by a jump may be nothing but computation.
            _ if frame.jump.is_some() => {}
            "mfence" | "sfence" | "lfence" => return self.fence(),
            // Those of the other machine that is common.
            "dmb" if matches!(statement.operands.first()?.as_str(), "ish" | "sy") => return self.fence(),
            "pause" | "nop" | "yield" | "isb" => return Some(()),
            name if name.starts_with(".p2align") || name.starts_with(".align") => return Some(()),
            "ud2" | "hlt" => return self.abort(),
            "rdtsc" => return self.cycles(frame),
            "cmpxchg16b" => return self.wide_compare_exchange(frame, statement),
            name if name.starts_with('j') => return self.jump(frame, &name[1..], statement.operands.first()?),
            _ => {}
        }
        let targets = statement.operands.iter().map(|operand| self.target_of_assembly(frame, operand));
        let targets: Vec<Target> = targets.collect::<Option<_>>()?;
        if frame.jump.is_some() && targets.iter().any(|target| matches!(target, Target::Memory(_) | Target::Stack)) {
            return None;
        }
        if let Some(condition) = name.strip_prefix("set") {
            let value = self.flag(frame, condition)?;
            let value = self.converted(value, Type::I8);
            return self.write(frame, targets.first()?, value, Type::I8);
        }
        let (name, ty) = self.sized(name, &targets)?;
        match (name, &targets[..]) {
            ("mov", [from, to]) => {
                let value = self.read(frame, from, ty)?;
                self.write(frame, to, value, ty)
            }
            ("xchg", [a, b]) => self.exchange(frame, a, b, ty),
            ("xadd", [value, memory @ Target::Memory(_)]) => {
                let operand = self.read(frame, value, ty)?;
                let old = self.change(frame, RmwOp::Add, memory, operand, ty)?;
                self.write(frame, value, old, ty)
            }
            ("cmpxchg", [new, Target::Memory(address)]) => self.compare_and_exchange(frame, new, *address, ty),
            ("bts" | "btr" | "btc", [bit, memory @ Target::Memory(_)]) if statement.is_locked => {
                self.bit_test(frame, name, bit, memory, ty)
            }
            ("bsf" | "bsr" | "popcnt", [from, to]) => self.count_bits(frame, name, from, to, ty),
            ("inc" | "dec" | "not", [to]) => {
                let (op, operand) = match name {
                    "inc" => (RmwOp::Add, 1),
                    "dec" => (RmwOp::Sub, 1),
                    _ => (RmwOp::Xor, ty.mask()),
                };
                self.arithmetic_of_assembly(frame, statement.is_locked, op, Value::constant(ty, operand), to, ty)
            }
            ("add" | "sub" | "and" | "or" | "xor", [from, to]) => {
                if matches!((from, to), (Target::Number(0), Target::Stack)) && statement.is_locked {
                    return self.fence();
                }
                let operand = self.read(frame, from, ty)?;
                self.arithmetic_of_assembly(frame, statement.is_locked, RmwOp::from_name(name)?, operand, to, ty)
            }
            _ => None,
        }
    }

    /// What an operand in the text is: `$1`, `$$0`, `%rax`, `8($4)`.
    fn target_of_assembly(&mut self, frame: &Frame, text: &str) -> Option<Target> {
        if let Some(number) = text.strip_prefix("$$") {
            return Some(Target::Number(parse(number)?.cast_unsigned().into()));
        }
        if let Some((displacement, base)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            let displacement = if displacement.is_empty() { 0 } else { parse(displacement)? };
            if matches!(base, "%rsp" | "%esp") {
                return Some(Target::Stack);
            }
            let Target::Register(register, Type::Ptr) = self.target_of_assembly(frame, base)? else { return None };
            let base = *frame.registers.get(&register)?;
            return Some(Target::Memory(self.beyond(base, displacement.cast_unsigned())));
        }
        if text.starts_with('%') {
            return Some(Target::Register(machine_register(text), Type::I64));
        }
        let number = text.strip_prefix('$')?;
        // `${1:q}` asks for another name of the same register.
        let number = number.strip_prefix('{').map_or(number, |it| it.split([':', '}']).next().unwrap_or(it));
        match frame.operands.get(number.parse::<usize>().ok()?)? {
            Place::Memory(address) => Some(Target::Memory(*address)),
            Place::Register(register, ty) => Some(Target::Register(register.clone(), *ty)),
            Place::Flag(_) => None,
        }
    }

    /// A mnemonic without the letter for its size, and the type that it works on: that of a register, if it has that size,
    /// because only it tells pointers from numbers.
    fn sized<'n>(&self, name: &'n str, targets: &[Target]) -> Option<(&'n str, Type)> {
        const KNOWN: [&str; 18] = [
            "mov", "xchg", "xadd", "cmpxchg", "bts", "btr", "btc", "bsf", "bsr", "popcnt", "inc", "dec", "not", "add",
            "sub", "and", "or", "xor",
        ];
        let is_known = |name: &str| KNOWN.contains(&name);
        let of_register = targets.iter().find_map(|target| match target {
            Target::Register(_, ty) if *ty == Type::Ptr || ty.is_int() => Some(*ty),
            _ => None,
        });
        if is_known(name) {
            return Some((
                name,
                of_register.or_else(|| targets.iter().any(|it| matches!(it, Target::Stack)).then_some(Type::I64))?,
            ));
        }
        let (name, letter) = name.split_at_checked(name.len().checked_sub(1)?)?;
        let bits = match letter {
            "b" => 8u8,
            "w" => 16,
            "l" => 32,
            "q" => 64,
            _ => return None,
        };
        let ty = of_register.filter(|ty| ty.bits() == u32::from(bits)).unwrap_or(Type::Int(bits));
        is_known(name).then_some((name, ty))
    }

    pub(super) fn read(&mut self, frame: &Frame, target: &Target, ty: Type) -> Option<Value> {
        match target {
            Target::Number(number) => Some(Value::constant(ty, *number & ty.mask())),
            Target::Register(register, _) => {
                // What a register holds that nothing was put into may be anything.
                let value = frame.registers.get(register).copied().unwrap_or(Value::constant(Type::I64, 0));
                Some(self.converted(value, ty))
            }
            Target::Memory(address) => {
                let (align, ordering) = (ty.bytes(), Some(AtomicOrdering::Acquire));
                Some(self.emit_one(Operation::Load { address: *address, align, volatile: false, ordering }, ty))
            }
            Target::Stack => None,
        }
    }

    pub(super) fn write(&mut self, frame: &mut Frame, target: &Target, value: Value, ty: Type) -> Option<()> {
        match target {
            Target::Register(register, _) => _ = frame.registers.insert(register.clone(), value),
            Target::Memory(address) => {
                let (align, ordering) = (ty.bytes(), Some(AtomicOrdering::Release));
                self.emit(Operation::Store { address: *address, value, align, volatile: false, ordering }, &[]);
            }
            Target::Number(_) | Target::Stack => return None,
        }
        Some(())
    }

    fn exchange(&mut self, frame: &mut Frame, a: &Target, b: &Target, ty: Type) -> Option<()> {
        match (a, b) {
            (memory @ Target::Memory(_), register) | (register, memory @ Target::Memory(_)) => {
                let new = self.read(frame, register, ty)?;
                let old = self.change(frame, RmwOp::Xchg, memory, new, ty)?;
                self.write(frame, register, old, ty)
            }
            _ => {
                let (first, second) = (self.read(frame, a, ty)?, self.read(frame, b, ty)?);
                self.write(frame, a, second, ty)?;
                self.write(frame, b, first, ty)
            }
        }
    }

    /// An atomic read-modify-write; tells the old value.
    fn change(&mut self, frame: &mut Frame, op: RmwOp, memory: &Target, operand: Value, ty: Type) -> Option<Value> {
        let Target::Memory(address) = *memory else { return None };
        // Sums are of numbers.
        let number = if ty == Type::Ptr { Type::I64 } else { ty };
        let value = self.converted(operand, number);
        let operation = Operation::AtomicRmw { op, address, value, ordering: AtomicOrdering::SeqCst, volatile: false };
        let old = self.emit_one(operation, number);
        frame.flags = match BinaryOp::from_name(op.name()) {
            Some(op) => Flags::Result { old, operand: value, op },
            None => Flags::Unknown,
        };
        Some(old)
    }

    fn arithmetic_of_assembly(
        &mut self,
        frame: &mut Frame,
        is_locked: bool,
        op: RmwOp,
        operand: Value,
        to: &Target,
        ty: Type,
    ) -> Option<()> {
        if is_locked {
            self.change(frame, op, to, operand, ty)?;
            return Some(());
        }
        let number = if ty == Type::Ptr { Type::I64 } else { ty };
        let (old, operand) = (self.read(frame, to, number)?, self.converted(operand, number));
        let op = BinaryOp::from_name(op.name())?;
        let new = self.emit_one(Operation::Binary { op, lhs: old, rhs: operand }, number);
        frame.flags = Flags::Result { old, operand, op };
        self.write(frame, to, new, number)
    }

    fn compare_and_exchange(&mut self, frame: &mut Frame, new: &Target, address: Value, ty: Type) -> Option<()> {
        let accumulator = machine_register("ax");
        let expected = *frame.registers.get(&accumulator)?;
        let (expected, new) = (self.converted(expected, ty), self.read(frame, new, ty)?);
        let (old, replaced) = self.replace(address, expected, new, ty);
        frame.registers.insert(accumulator, old);
        frame.flags = Flags::Zero(replaced);
        Some(())
    }

    fn replace(&mut self, address: Value, expected: Value, new: Value, ty: Type) -> (Value, Value) {
        let (success, failure) = (AtomicOrdering::SeqCst, AtomicOrdering::SeqCst);
        let operation =
            Operation::CompareExchange { address, expected, new, weak: false, success, failure, volatile: false };
        let results = self.emit(operation, &[ty, Type::BOOL]);
        (results[0], results[1])
    }

    /// `cmpxchg16b`: `dx:ax` are expected, `cx:bx` are the new value.
    fn wide_compare_exchange(&mut self, frame: &mut Frame, statement: &Statement) -> Option<()> {
        let Target::Memory(address) = self.target_of_assembly(frame, statement.operands.first()?)? else { return None };
        let wide = Type::Int(128);
        let mut pair = |high: &str, low: &str| {
            let mut half = |name: &str| {
                let value = frame.registers.get(&machine_register(name)).copied();
                let value = self.converted(value.unwrap_or(Value::constant(Type::I64, 0)), Type::I64);
                self.resize(value, wide)
            };
            let (high, low) = (half(high), half(low));
            let shifted = self.binary_of(BinaryOp::Shl, high, Value::constant(wide, 64), wide);
            self.binary_of(BinaryOp::Or, shifted, low, wide)
        };
        let (expected, new) = (pair("dx", "ax"), pair("cx", "bx"));
        let (old, replaced) = self.replace(address, expected, new, wide);
        let shifted = self.binary_of(BinaryOp::LShr, old, Value::constant(wide, 64), wide);
        let (low, high) = (self.resize(old, Type::I64), self.resize(shifted, Type::I64));
        frame.registers.insert(machine_register("ax"), low);
        frame.registers.insert(machine_register("dx"), high);
        frame.flags = Flags::Zero(replaced);
        Some(())
    }

    fn binary_of(&mut self, op: BinaryOp, lhs: Value, rhs: Value, ty: Type) -> Value {
        self.emit_one(Operation::Binary { op, lhs, rhs }, ty)
    }

    /// `bts` and the like: the carry flag is what the bit was.
    fn bit_test(&mut self, frame: &mut Frame, name: &str, bit: &Target, memory: &Target, ty: Type) -> Option<()> {
        let bit = self.read(frame, bit, ty)?;
        let bit = self.binary_of(BinaryOp::And, bit, Value::constant(ty, u128::from(ty.bits()) - 1), ty);
        let one = self.binary_of(BinaryOp::Shl, Value::constant(ty, 1), bit, ty);
        let (op, operand) = match name {
            "bts" => (RmwOp::Or, one),
            "btc" => (RmwOp::Xor, one),
            _ => (RmwOp::And, self.binary_of(BinaryOp::Xor, one, Value::constant(ty, ty.mask()), ty)),
        };
        let old = self.change(frame, op, memory, operand, ty)?;
        let was = self.binary_of(BinaryOp::And, old, one, ty);
        let zero = Value::constant(ty, 0);
        let carry = Operation::Compare { predicate: IntPredicate::Ne, lhs: was, rhs: zero };
        frame.flags = Flags::Carry(self.emit_one(carry, Type::BOOL));
        Some(())
    }

    /// Whether a condition holds, an `i1`.
    pub(super) fn flag(&mut self, frame: &Frame, condition: &str) -> Option<Value> {
        let is = !condition.starts_with('n');
        let value = match (condition.trim_start_matches('n'), frame.flags) {
            ("z" | "e", Flags::Zero(value)) | ("c" | "b", Flags::Carry(value)) => value,
            ("z" | "e", Flags::Result { old, operand, op }) => {
                let ty = old.ty(&self.body)?;
                let result = self.binary_of(op, old, operand, ty);
                let zero = Operation::Compare { predicate: IntPredicate::Eq, lhs: result, rhs: Value::constant(ty, 0) };
                self.emit_one(zero, Type::BOOL)
            }
            _ => return None,
        };
        Some(if is { value } else { self.binary_of(BinaryOp::Xor, value, Value::bool(true), Type::BOOL) })
    }

    fn fence(&mut self) -> Option<()> {
        self.emit(Operation::Fence { ordering: AtomicOrdering::SeqCst, single_thread: false }, &[]);
        Some(())
    }

    /// An instruction that is there to crash.
    fn abort(&mut self) -> Option<()> {
        let callee = Callee::Direct(self.context.external("abort", Signature::default));
        self.emit(Operation::Call { callee, arguments: Vec::new(), fixed: 0 }, &[]);
        Some(())
    }

    /// The counter of cycles: what `clock` says, in two halves.
    fn cycles(&mut self, frame: &mut Frame) -> Option<()> {
        let signature = || Signature { results: [Type::I64].into_iter().collect(), ..Signature::default() };
        let callee = Callee::Direct(self.context.external("clock", signature));
        let now = self.emit_one(Operation::Call { callee, arguments: Vec::new(), fixed: 0 }, Type::I64);
        let high = self.binary_of(BinaryOp::LShr, now, Value::constant(Type::I64, 32), Type::I64);
        let low = self.binary_of(BinaryOp::And, now, Value::constant(Type::I64, 0xffff_ffff), Type::I64);
        frame.registers.insert(machine_register("ax"), low);
        frame.registers.insert(machine_register("dx"), high);
        Some(())
    }
}

/// A number, in decimal or hexadecimal.
fn parse(text: &str) -> Option<i64> {
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
