//! Instructions of x86 that count bits.

use super::x86::Target;
use super::{Flags, Frame};
use crate::lower::function::Lowerer;
use everyway_ir::{BinaryOp, IntPredicate, Operation, Type, UnaryOp, Value};

impl Lowerer<'_, '_, '_> {
    /// `bsf` and `bsr`: the position of the lowest and the highest bit that is set; of zero there is none, which the zero flag
    /// says, and the destination stays what it was (AMD64, vol. 3). `popcnt`: how many there are.
    pub(super) fn count_bits(
        &mut self,
        frame: &mut Frame,
        name: &str,
        from: &Target,
        to: &Target,
        ty: Type,
    ) -> Option<()> {
        let ty = if ty == Type::Ptr { Type::I64 } else { ty };
        let value = self.read(frame, from, ty)?;
        let op = match name {
            "bsf" => UnaryOp::TrailingZeros,
            "bsr" => UnaryOp::LeadingZeros,
            _ => UnaryOp::CountOnes,
        };
        let count = self.emit_one(Operation::Unary { op, value }, ty);
        let zero = Operation::Compare { predicate: IntPredicate::Eq, lhs: value, rhs: Value::constant(ty, 0) };
        let is_zero = self.emit_one(zero, Type::BOOL);
        frame.flags = Flags::Zero(is_zero);
        let found = match name {
            "popcnt" => return self.write(frame, to, count, ty),
            "bsf" => count,
            _ => {
                let most = Value::constant(ty, u128::from(ty.bits()) - 1);
                self.emit_one(Operation::Binary { op: BinaryOp::Sub, lhs: most, rhs: count }, ty)
            }
        };
        let old = self.read(frame, to, ty)?;
        let kept = self.emit_one(Operation::Select { condition: is_zero, then: old, otherwise: found }, ty);
        self.write(frame, to, kept, ty)
    }
}
