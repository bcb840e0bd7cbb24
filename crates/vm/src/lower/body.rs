//! One function: blocks to positions, registers to lanes, phis to moves.

use super::lanes::{Lanes, lanes_for};
use super::{Lowering, atomic};
use crate::cell::{Cell, mask};
use crate::code::{Argument, Await, Body, Call, Callee, General, Instruction, Looks, Operand, Span, Table, Test};
use crate::sections::Sections;
use crate::settings::CompilerBarrier;
use everyway_ir as ir;
use everyway_ir::{BlockId, CastOp, Operation, SourceLocation, TerminatorKind, Type, Value};
use everyway_runtime::Ordering;

/// Where an access puts what it finds.
#[derive(Clone, Copy)]
struct Results {
    to: u32,
    flag: u32,
    /// Whether no instruction reads it.
    unused: bool,
}

/// A function that is being lowered.
pub(super) struct Builder<'a, 'b> {
    pub(super) lowering: &'a mut Lowering<'b>,
    pub(super) function: ir::FunctionId,
    pub(super) source: &'a ir::Body,
    /// The block and the position of the instruction.
    pub(super) at: (ir::BlockId, usize),
    body: Body,
    pub(super) lanes: Lanes<'a>,
    /// The position of each block, once it is known.
    start_of: Vec<u32>,
    /// The registers that some instruction reads.
    pub(super) used: Vec<bool>,
    place: Option<SourceLocation>,
}

impl Lowering<'_> {
    pub(super) fn body(&mut self, id: ir::FunctionId, source: &ir::Body) -> Body {
        let function = self.module.function(id);
        let may_share = !self.module.returns_twice_in(source);
        let lanes = Lanes::new(source, function.signature.parameters.len(), may_share);
        let body = Body {
            parameters: function.signature.parameters.iter().map(|&ty| lanes_for(ty)).sum(),
            variadic: function.signature.variadic,
            atomic: function.name.starts_with(crate::library::ATOMIC)
                && matches!(self.code.sections, Sections::Whole(_)),
            foreign: crate::describe::is_foreign(self.module, function.location),
            ..Body::default()
        };
        let start_of = vec![0; source.blocks.len()];
        let used = ir::used_registers(source);
        let (at, place) = ((ir::BlockId::new(0), 0), None);
        let mut builder = Builder { lowering: self, function: id, source, at, body, lanes, start_of, used, place };
        builder.blocks();
        Body { lanes: builder.lanes.count(), ..builder.body }
    }

    /// A body that calls the function itself and returns what that returns.
    pub(super) fn stub(&mut self, index: usize, function: &ir::Function) -> Body {
        let mut arguments = Vec::new();
        for &ty in &function.signature.parameters {
            for _ in 0..lanes_for(ty) {
                let value = Operand::lane(arguments.len() as u32);
                arguments.push(Argument { value, width: ty.bits() as u8 });
            }
        }
        let parameters = arguments.len() as u32;
        let results: u32 = function.signature.results.iter().map(|&ty| lanes_for(ty)).sum();
        let code = &mut self.code;
        let call = Call {
            callee: Callee::Direct(ir::FunctionId::new(index)),
            arguments: append(&mut code.arguments, arguments),
            fixed: parameters,
            results: append(&mut code.lanes, (parameters..parameters + results).collect()),
            looks: if results == 0 { Looks::Away } else { Looks::At },
            section: None,
        };
        code.calls.push(call);
        let values = (parameters..parameters + results).map(Operand::lane).collect();
        let returns = Instruction::Return(append(&mut code.operands, values));
        let instructions = vec![Instruction::Call(code.calls.len() as u32 - 1), returns];
        Body { places: vec![None; 2], instructions, lanes: parameters + results, parameters, ..Body::default() }
    }
}

impl Builder<'_, '_> {
    fn blocks(&mut self) {
        for id in self.source.block_ids() {
            self.start_of[id.index()] = self.here();
            let block = self.source.block(id);
            for (position, instruction) in block.instructions.iter().enumerate() {
                self.place = instruction.location;
                self.at = (id, position);
                self.instruction(instruction);
                self.lanes.release(instruction, position);
            }
            self.place = block.terminator.location;
            self.terminator(id, &block.terminator.kind);
            self.lanes.release_at_end();
        }
        self.resolve();
    }

    fn here(&self) -> u32 {
        self.body.instructions.len() as u32
    }

    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.body.instructions.push(instruction);
        self.body.places.push(self.place);
    }

    pub(super) fn ty(&self, value: Value) -> Type {
        value.ty(self.source).unwrap_or(Type::I64)
    }

    pub(super) fn operand(&mut self, value: Value) -> Operand {
        match value {
            Value::Reg(register) => Operand::lane(self.lanes.of(register)),
            Value::Const { ty, bits } if lanes_for(ty) == 2 => {
                self.lowering.pooled_wide(Cell::new(bits as u64), Cell::new((bits >> 64) as u64))
            }
            Value::Const { bits, .. } => self.lowering.pooled(Cell::new(bits as u64)),
            Value::Undef(ty) if lanes_for(ty) == 2 => {
                let unset = self.lowering.unset;
                self.lowering.pooled_wide(unset.cell(64), unset.cell(ty.bits() - 64))
            }
            Value::Undef(ty) => self.lowering.pooled(self.lowering.unset.cell(ty.bits())),
            Value::Address { symbol: ir::Symbol::Global(global), offset }
                if self.lowering.module.global(global).thread_local =>
            {
                let to = self.lanes.temporary(1);
                self.emit(Instruction::ThreadLocal { to, global, offset });
                Operand::lane(to)
            }
            Value::Address { symbol, offset } => {
                let address = self.lowering.addresses.of(symbol).wrapping_add_signed(offset);
                self.lowering.pooled(Cell::new(address))
            }
        }
    }

    fn general(&mut self, general: General) {
        self.lowering.code.generals.push(general);
        self.emit(Instruction::General(self.lowering.code.generals.len() as u32 - 1));
    }

    /// Where the results of an instruction go. One that is missing goes to lanes that are never read.
    fn results(&mut self, instruction: &ir::Instruction) -> Results {
        let lane = |this: &mut Self, index: usize, width: u32| match instruction.results.get(index) {
            Some(&register) => this.lanes.of(register),
            None => this.lanes.temporary(width),
        };
        let unused = instruction.results.first().is_some_and(|register| !self.used[register.index()]);
        Results { to: lane(self, 0, 2), flag: lane(self, 1, 1), unused }
    }

    fn instruction(&mut self, instruction: &ir::Instruction) {
        let ty = instruction.results.first().map_or(Type::I64, |register| self.source.register(*register).ty);
        let results @ Results { to, flag, .. } = self.results(instruction);
        match &instruction.operation {
            Operation::Call { callee, arguments, fixed } => self.call(callee, arguments, *fixed, instruction),
            Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::AtomicRmw { .. }
            | Operation::CompareExchange { .. } => self.access(&instruction.operation, ty, results),
            Operation::Await { access, until, round } => self.awaited(access, until, *round, ty, results),
            Operation::Assume { condition, round } => {
                let (condition, round) = (self.operand(*condition), round.map(|round| self.operand(round)));
                self.emit(Instruction::Assume { condition, round });
            }
            Operation::Round => self.emit(Instruction::Round { to }),
            Operation::Fence { single_thread: true, .. } => match self.lowering.compiler_barrier {
                CompilerBarrier::OrdersNothing => {}
                CompilerBarrier::Acquires => self.emit(Instruction::CompilerBarrier(Ordering::Acquire)),
                CompilerBarrier::AcquiresAndReleases => self.emit(Instruction::CompilerBarrier(Ordering::AcqRel)),
            },
            Operation::Fence { ordering, .. } => self.emit(Instruction::Fence(atomic(*ordering))),
            Operation::Scope { address, mark } => {
                if let Some(reg) = address.reg() {
                    let lane = self.lanes.of(reg);
                    self.emit(Instruction::Scope { lane, mark: *mark });
                }
            }
            Operation::Alloca { slot, count } => {
                let count = count.map(|count| self.operand(count));
                self.emit(Instruction::Alloca { to, slot: *slot, count });
            }
            Operation::CopyMemory { to, from, length, .. } => {
                let (to, from, length) = (self.operand(*to), self.operand(*from), self.operand(*length));
                self.emit(Instruction::CopyMemory { to, from, length });
            }
            Operation::SetMemory { to, byte, length, .. } => {
                let (to, byte, length) = (self.operand(*to), self.operand(*byte), self.operand(*length));
                self.emit(Instruction::SetMemory { to, byte, length });
            }
            Operation::VariadicArea => self.emit(Instruction::VariadicArea { to }),
            computation => self.computation(computation, ty, to, flag),
        }
    }

    fn computation(&mut self, operation: &Operation, ty: Type, to: u32, flag: u32) {
        match *operation {
            Operation::Binary { op, lhs, rhs } => {
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                let (width, float) = (ty.bits(), ty.is_float());
                if width > 64 || float {
                    self.general(General::Binary { op, float, width, to, a, b });
                } else {
                    self.emit(Instruction::Binary { op, width: width as u8, to, a, b });
                }
            }
            Operation::Overflow { op, lhs, rhs } => {
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                self.general(General::Overflow { op, width: ty.bits(), to, flag, a, b });
            }
            Operation::Unary { op, value } => {
                let a = self.operand(value);
                self.general(General::Unary { op, width: ty.bits(), to, a });
            }
            Operation::Ternary { op, values } => {
                let values = values.map(|value| self.operand(value));
                self.general(General::Ternary { op, float: ty.is_float(), width: ty.bits(), to, values });
            }
            Operation::Compare { predicate, lhs, rhs } => {
                let width = self.ty(lhs).bits();
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                if width > 64 {
                    self.general(General::Compare { predicate, width, to, a, b });
                } else {
                    self.emit(Instruction::Compare { predicate, width: width as u8, to, a, b });
                }
            }
            Operation::FloatCompare { predicate, lhs, rhs } => {
                let width = self.ty(lhs).bits();
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                self.general(General::FloatCompare { predicate, width, to, a, b });
            }
            Operation::Cast { op, value } => self.cast(op, value, ty, to),
            Operation::Select { condition, then, otherwise } => {
                let condition = self.operand(condition);
                let (then, otherwise) = (self.operand(then), self.operand(otherwise));
                self.emit(Instruction::Select { to, condition, then, otherwise, lanes: lanes_for(ty) as u8 });
            }
            Operation::Offset { base, offset, index } => self.offset(to, base, offset, index),
            _ => self.emit(Instruction::Unreachable),
        }
    }

    fn offset(&mut self, to: u32, base: Value, offset: i64, index: Option<ir::Index>) {
        let base = self.operand(base);
        let Some(index) = index else { return self.emit(Instruction::Offset { to, base, offset }) };
        let value = self.operand(index.value);
        if let Ok(stride) = i32::try_from(index.stride) {
            return self.emit(Instruction::Index { to, base, offset, index: value, stride });
        }
        let (scaled, stride) = (self.lanes.temporary(1), self.lowering.pooled(Cell::new(index.stride as u64)));
        self.emit(Instruction::Binary { op: ir::BinaryOp::Mul, width: 64, to: scaled, a: value, b: stride });
        self.emit(Instruction::Index { to, base, offset, index: Operand::lane(scaled), stride: 1 });
    }

    fn cast(&mut self, op: CastOp, value: Value, ty: Type, to: u32) {
        let from = self.ty(value).bits();
        let a = self.operand(value);
        let simple = matches!(
            op,
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast
        );
        if simple && from <= 64 && ty.bits() <= 64 {
            self.emit(Instruction::Cast { op, from: from as u8, width: ty.bits() as u8, to, a });
        } else {
            self.general(General::Cast { op, from, width: ty.bits(), to, a });
        }
    }

    fn access(&mut self, operation: &Operation, ty: Type, Results { to, flag, unused }: Results) {
        match *operation {
            Operation::Load { address, ordering, volatile, .. } => {
                let address = self.operand(address);
                let (size, ordering) = (ty.bytes() as u8, self.lowering.ordering(ordering, volatile));
                self.emit(Instruction::Load { to, address, size, ordering });
                // A `_Bool` of one bit lies in a byte.
                if !ty.bits().is_multiple_of(8) && ty.bits() < 64 {
                    let (a, b) = (Operand::lane(to), self.lowering.pooled(Cell::new(mask(ty.bits()))));
                    self.emit(Instruction::Binary { op: ir::BinaryOp::And, width: 64, to, a, b });
                }
            }
            Operation::Store { address, value, ordering, volatile, .. } => {
                let size = self.ty(value).bytes() as u8;
                let (address, value) = (self.operand(address), self.operand(value));
                let ordering = self.lowering.ordering(ordering, volatile);
                self.emit(Instruction::Store { address, value, size, ordering });
            }
            Operation::AtomicRmw { op, address, value, ordering, .. } => {
                let width = self.ty(value).bits() as u8;
                let (address, value) = (self.operand(address), self.operand(value));
                self.emit(Instruction::Rmw { op, to, address, value, width, unused, ordering: atomic(ordering) });
            }
            Operation::CompareExchange { address, expected, new, weak, success, failure, .. } => {
                let size = self.ty(new).bytes() as u8;
                let address = self.operand(address);
                let (expected, new) = (self.operand(expected), self.operand(new));
                let orderings = [success, failure].map(atomic);
                if weak && size <= 8 {
                    self.emit(Instruction::FailWeakly { to, flag, address, size, ordering: atomic(failure) });
                }
                self.emit(Instruction::CompareExchange { to, flag, address, expected, new, size, orderings });
            }
            _ => self.emit(Instruction::Unreachable),
        }
    }

    /// An access that waits: the access itself, taken back from where it was put, and what it waits for.
    fn awaited(&mut self, access: &Operation, until: &ir::Until, round: Option<Value>, ty: Type, results: Results) {
        let test = |this: &mut Self, &ir::Test { mask, predicate, operand }: &ir::Test| Test {
            mask: mask.map(|mask| this.operand(mask)),
            predicate,
            operand: this.operand(operand),
        };
        let until = until.into_iter().map(|clause| clause.iter().map(|it| test(self, it)).collect()).collect();
        let place = round.and_then(|round| self.place_of(round));
        let round = round.map(|round| self.operand(round));
        self.access(access, ty, results);
        let (Some(access), Some(_)) = (self.body.instructions.pop(), self.body.places.pop()) else { return };
        let index = self.lowering.code.awaits.len() as u32;
        self.lowering.code.awaits.push(Await {
            access,
            found: results.to,
            width: ty.bits() as u8,
            until,
            round,
            place,
        });
        self.emit(Instruction::Await(index));
    }

    /// The place of the instruction that assigns a register.
    fn place_of(&self, value: Value) -> Option<SourceLocation> {
        let register = value.reg()?;
        let mut instructions = self.source.blocks.iter().flat_map(|block| &block.instructions);
        instructions.find(|instruction| instruction.results.contains(&register))?.location
    }

    fn terminator(&mut self, from: BlockId, kind: &TerminatorKind) {
        match kind {
            TerminatorKind::Jump(to) => {
                self.moves(from, *to);
                self.emit(Instruction::Jump(to.0));
            }
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = self.operand(*condition);
                let branch = self.body.instructions.len();
                self.emit(Instruction::Unreachable);
                let (then, otherwise) = (self.edge(from, *then), self.edge(from, *otherwise));
                self.body.instructions[branch] = Instruction::Branch { condition, then, otherwise };
            }
            TerminatorKind::Switch { value, cases, default } => {
                let lanes = lanes_for(self.ty(*value)) as u8;
                let value = self.operand(*value);
                let table = self.lowering.code.tables.len() as u32;
                self.lowering.code.tables.push(Table { cases: Vec::new(), default: 0 });
                self.emit(Instruction::Switch { value, lanes, table });
                let mut list: Vec<(u128, u32)> =
                    cases.iter().map(|&(value, block)| (value, self.edge(from, block))).collect();
                list.sort_unstable_by_key(|case| case.0);
                let default = self.edge(from, *default);
                self.lowering.code.tables[table as usize] = Table { cases: list, default };
            }
            TerminatorKind::Return(values) => {
                let mut operands = Vec::new();
                for &value in values {
                    let operand = self.operand(value);
                    operands.push(operand);
                    if lanes_for(self.ty(value)) == 2 {
                        operands.push(operand.high());
                    }
                }
                let span = append(&mut self.lowering.code.operands, operands);
                self.emit(Instruction::Return(span));
            }
            TerminatorKind::Unreachable => self.emit(Instruction::Unreachable),
        }
    }

    /// The position at which the way from one block to another begins: moves, then a jump. Where there is
    /// nothing to move it is the jump alone, which `resolve` looks through.
    fn edge(&mut self, from: BlockId, to: BlockId) -> u32 {
        let position = self.here();
        self.moves(from, to);
        self.emit(Instruction::Jump(to.0));
        position
    }

    /// The phis of `to` on the way from `from`. All values are read before any is assigned.
    fn moves(&mut self, from: BlockId, to: BlockId) {
        let mut list: Vec<(u32, Operand)> = Vec::new();
        for phi in &self.source.block(to).phis {
            let Some(&(_, value)) = phi.incoming.iter().find(|(block, _)| *block == from) else { continue };
            let operand = self.operand(value);
            let lane = self.lanes.of(phi.result);
            list.push((lane, operand));
            if lanes_for(self.source.register(phi.result).ty) == 2 {
                list.push((lane + 1, operand.high()));
            }
        }
        list.retain(|&(to, from)| Operand::lane(to) != from);
        let clobbers = list
            .iter()
            .enumerate()
            .any(|(i, &(to, _))| list[i + 1..].iter().any(|&(_, from)| from == Operand::lane(to)));
        if clobbers {
            for entry in &mut list {
                let temporary = self.lanes.temporary(1);
                self.emit(Instruction::Move { to: temporary, from: entry.1 });
                entry.1 = Operand::lane(temporary);
            }
        }
        for (to, from) in list {
            self.emit(Instruction::Move { to, from });
        }
    }

    /// Replaces blocks by positions, and jumps to jumps by jumps.
    fn resolve(&mut self) {
        for instruction in &mut self.body.instructions {
            if let Instruction::Jump(block) = instruction {
                *block = self.start_of[*block as usize];
            }
        }
        let instructions = self.body.instructions.clone();
        let shorten = |target: &mut u32| {
            for _ in 0..8 {
                let Instruction::Jump(next) = instructions[*target as usize] else { break };
                *target = next;
            }
        };
        for instruction in &mut self.body.instructions {
            match instruction {
                Instruction::Jump(to) => shorten(to),
                Instruction::Branch { then, otherwise, .. } => {
                    shorten(then);
                    shorten(otherwise);
                }
                Instruction::Switch { table, .. } => {
                    let table = &mut self.lowering.code.tables[*table as usize];
                    table.cases.iter_mut().for_each(|case| shorten(&mut case.1));
                    shorten(&mut table.default);
                }
                _ => {}
            }
        }
    }
}

pub(super) fn append<T>(pool: &mut Vec<T>, list: Vec<T>) -> Span {
    let span = Span { start: pool.len() as u32, len: list.len() as u32 };
    pool.extend(list);
    span
}
