//! Makes programs of the tiny language such that C can say the same, step by step.
//!
//! What has no counterpart is left out or replaced, in the program that brute force is given as well:
//!
//! - queues go;
//! - an await becomes a load, or an exchange, and an assumption, and so does a loop that spins; one that waits for any
//!   change of several locations goes;
//! - an add whose result is not used becomes a fetch-and-add: in C they do not commute. Those to semaphores are
//!   posts, which do;
//! - joins of threads that may not have been created yet go, and so do looks into locks.

use crate::handles::Family;
use everyway_oracle::program::{Place, Program, Register, Statement, Test};
use everyway_oracle::spin::{Loops, lower};

/// Takes what a fetch-and-add returns where the program does not want it.
const UNUSED: Register = Register(7);

/// What a location is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A variable, or nothing at all.
    Variable,
    Mutex,
    ReadWriteLock,
    Condvar,
    Semaphore,
}

/// What the locations of a program are used for.
pub(crate) struct Kinds(Vec<Kind>);

impl Kinds {
    pub(crate) fn of(program: &Program) -> Self {
        let mut kinds = Self(vec![Kind::Variable; program.locations as usize]);
        program.threads.iter().for_each(|body| kinds.note(body));
        kinds
    }

    fn note(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::Lock(mutex) | Statement::TryLock(_, mutex) => self.set(mutex, Kind::Mutex),
                Statement::ReadLock(lock) | Statement::WriteLock(lock) => self.set(lock, Kind::ReadWriteLock),
                Statement::ReadUnlock(lock) | Statement::WriteUnlock(lock) => self.set(lock, Kind::ReadWriteLock),
                Statement::Wait { condvar, .. } => self.set(condvar, Kind::Condvar),
                Statement::NotifyOne(condvar) | Statement::NotifyAll(condvar) => self.set(condvar, Kind::Condvar),
                Statement::Acquire(semaphore) => self.set(semaphore, Kind::Semaphore),
                Statement::If(_, inner) | Statement::While(_, inner) => self.note(inner),
                _ => {}
            }
        }
    }

    fn set(&mut self, place: &Place, kind: Kind) {
        self.0[place.base as usize] = kind;
    }

    /// What `place` is used for. The elements of an array are used like its first one.
    pub(crate) fn at(&self, place: &Place) -> Kind {
        self.0[place.base as usize]
    }

    /// The locations used for this.
    pub(crate) fn locations(&self, kind: Kind) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len() as u32).filter(move |&location| self.0[location as usize] == kind)
    }
}

/// The part of `program` that C can express; `None` if its threads start each other in a way that C cannot.
pub fn expressible(program: &Program) -> Option<Program> {
    let mut result = lower(program, Loops::Assumes);
    let kinds = Kinds::of(&result);
    for body in &mut result.threads {
        *body = statements(body, &kinds);
    }
    let family = Family::of(&result)?;
    for (joiner, body) in result.threads.iter_mut().enumerate() {
        let mut position = 0;
        body.retain(|statement| {
            position += 1;
            !matches!(statement, Statement::Join(joined) if !family.knows(joiner, position - 1, *joined as usize))
        });
    }
    Some(result)
}

fn statements(body: &[Statement], kinds: &Kinds) -> Vec<Statement> {
    body.iter().flat_map(|statement| replacement(statement, kinds)).collect()
}

fn replacement(statement: &Statement, kinds: &Kinds) -> Vec<Statement> {
    let is = |place: &Place, kind: Kind| kinds.at(place) == kind;
    match statement {
        Statement::Send(..)
        | Statement::Receive(..)
        | Statement::TryReceive(..)
        | Statement::ReceiveUnlessClosed(..)
        | Statement::TryReceiveUnlessClosed(..)
        | Statement::SendBounded(..)
        | Statement::ReceiveBounded(..) => Vec::new(),
        Statement::Await(to, place, condition) if is(place, Kind::Variable) => {
            vec![Statement::Load(*to, *place), Statement::Assume(Test { register: *to, condition: *condition })]
        }
        Statement::AwaitByte(to, place, byte, condition) => {
            vec![
                Statement::LoadByte(*to, *place, *byte),
                Statement::Assume(Test { register: *to, condition: *condition }),
            ]
        }
        Statement::AwaitExchange(to, place, condition, new) if is(place, Kind::Variable) => {
            vec![
                Statement::Exchange(*to, *place, *new),
                Statement::Assume(Test { register: *to, condition: *condition }),
            ]
        }
        Statement::Await(..) | Statement::AwaitExchange(..) | Statement::AwaitChange(..) => Vec::new(),
        Statement::Add(place, n) if is(place, Kind::Variable) => vec![Statement::FetchAdd(UNUSED, *place, *n)],
        Statement::If(test, inner) => vec![Statement::If(*test, statements(inner, kinds))],
        Statement::While(test, inner) => vec![Statement::While(*test, statements(inner, kinds))],
        _ => vec![statement.clone()],
    }
}
