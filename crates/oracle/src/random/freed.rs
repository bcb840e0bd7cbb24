//! Statements about what ends while others may access it.

use super::{Generator, MUTEX, SUM};
use crate::program::{Condition, Place, Statement, Test};

impl Generator {
    pub(super) fn freed(&mut self, body: &mut Vec<Statement>) {
        match self.random.u8(0..24) {
            0..=2 => body.push(self.free()),
            // The thread that is the first or the last to leave.
            3..=5 => {
                let (register, condition) = (self.register(), Condition::Equals(self.random.u64(0..2)));
                body.push(Statement::FetchAdd(register, SUM, 1));
                body.push(Statement::If(Test { register, condition }, vec![self.free()]));
            }
            6..=8 => self.read_modify_write(body),
            9 => self.mutex(body),
            10 => body.push(Statement::Await(self.register(), self.place(), self.condition())),
            11 => self.waiting(body),
            12 => self.bytes(body),
            13 => self.sum(body),
            _ => self.memory(body),
        }
    }

    fn free(&mut self) -> Statement {
        let both = [Place::at(0), Place::at(1)];
        Statement::Free(match self.random.u8(0..12) {
            0 => vec![self.place()],
            1 => [&both[..], &[MUTEX]].concat(),
            2 => [&both[..], &[SUM]].concat(),
            3 => vec![both[1], SUM],
            _ => both.to_vec(),
        })
    }
}
