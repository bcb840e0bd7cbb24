//! Statements about what is added to.

use super::{Generator, SUM};
use crate::program::{Condition, Statement};

impl Generator {
    pub(super) fn sum(&mut self, body: &mut Vec<Statement>) {
        match self.random.u8(0..16) {
            0..=7 => body.push(Statement::Add(SUM, self.random.u64(1..3))),
            8..=10 => body.push(Statement::Load(self.register(), SUM)),
            11 => body.push(Statement::Await(self.register(), SUM, self.condition())),
            12 => body.push(Statement::Await(self.register(), SUM, Condition::AtLeast(self.random.u64(1..5)))),
            13 if self.random.u8(0..4) == 0 => body.push(Statement::FetchAdd(self.register(), SUM, 1)),
            _ => self.memory(body),
        }
    }
}
