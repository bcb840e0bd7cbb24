//! Programs as the machine runs them: statements without nesting, with jumps.

use crate::program::{Program, Statement, Test};
use crate::spin::{self, Loops};

#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    /// A statement without a body. Of a wait, the first of its three steps.
    Do(Statement),
    /// The second step of a wait: to have been woken. The third one is a lock.
    Woken,
    /// Goes to this position unless the test succeeds.
    Unless(Test, usize),
    /// Goes to this position.
    Jump(usize),
}

/// A program ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) threads: Vec<Vec<Instruction>>,
    /// The threads that no statement spawns.
    pub(crate) roots: Vec<usize>,
    pub(crate) locations: u32,
    pub(crate) initial: Vec<(u32, u64)>,
}

impl Code {
    pub(crate) fn new(program: &Program) -> Self {
        let program = &spin::lower(program, Loops::Awaits);
        let mut spawned = Vec::new();
        let mut threads = Vec::new();
        for body in &program.threads {
            let mut instructions = Vec::new();
            translate(body, &mut instructions, &mut spawned);
            threads.push(instructions);
        }
        let roots = (0..threads.len()).filter(|&thread| !spawned.contains(&(thread as u32))).collect();
        Self { threads, roots, locations: program.locations, initial: program.initial.clone() }
    }
}

fn translate(body: &[Statement], to: &mut Vec<Instruction>, spawned: &mut Vec<u32>) {
    for statement in body {
        match statement {
            Statement::If(test, body) => {
                let start = to.len();
                to.push(Instruction::Jump(0));
                translate(body, to, spawned);
                to[start] = Instruction::Unless(*test, to.len());
            }
            Statement::While(test, body) => {
                let start = to.len();
                to.push(Instruction::Jump(0));
                translate(body, to, spawned);
                to.push(Instruction::Jump(start));
                to[start] = Instruction::Unless(*test, to.len());
            }
            Statement::Wait { mutex, .. } => {
                to.push(Instruction::Do(statement.clone()));
                to.push(Instruction::Woken);
                to.push(Instruction::Do(Statement::Lock(*mutex)));
            }
            Statement::Spawn(thread) => {
                assert!(!spawned.contains(thread), "t{thread} is spawned twice");
                spawned.push(*thread);
                to.push(Instruction::Do(statement.clone()));
            }
            _ => to.push(Instruction::Do(statement.clone())),
        }
    }
}
