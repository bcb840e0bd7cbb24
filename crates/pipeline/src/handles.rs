//! Which thread starts which, and which threads have a handle to join another.
//!
//! In the tiny language a thread can be joined by any other, even before it exists. In C that takes a handle,
//! which exists when the thread has been created. The first thread, `main`, creates all threads that no statement
//! spawns, those with higher numbers first, before anything else.

use everyway_oracle::program::{Program, Statement};

/// The thread that `main` runs.
pub(crate) const MAIN: usize = 0;

/// Where a handle is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handle {
    /// In a variable of the function that creates the thread.
    Local,
    /// In a global: others need it.
    Shared,
}

/// The family tree of a program's threads.
pub(crate) struct Family {
    /// For each thread that a statement spawns: the thread and the position there.
    spawned: Vec<Option<(usize, usize)>>,
}

impl Family {
    /// The family of `program`; `None` if its first thread is spawned by another, or a thread in a branch.
    pub(crate) fn of(program: &Program) -> Option<Self> {
        let mut spawned = vec![None; program.threads.len()];
        for (parent, body) in program.threads.iter().enumerate() {
            for (position, statement) in body.iter().enumerate() {
                match statement {
                    Statement::Spawn(child) => spawned[*child as usize] = Some((parent, position)),
                    Statement::If(_, inner) | Statement::While(_, inner) if spawns(inner) => return None,
                    _ => {}
                }
            }
        }
        spawned[MAIN].is_none().then_some(Self { spawned })
    }

    /// The threads that `main` creates by itself, in order.
    pub(crate) fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        (MAIN + 1..self.spawned.len()).rev().filter(|&thread| self.spawned[thread].is_none())
    }

    fn parent(&self, thread: usize) -> usize {
        self.spawned[thread].map_or(MAIN, |(parent, _)| parent)
    }

    /// When a thread is created, as its parent's time goes: roots come before everything else.
    fn birthday(&self, thread: usize) -> (usize, usize) {
        match self.spawned[thread] {
            Some((_, position)) => (1, position),
            None => (0, self.spawned.len() - thread),
        }
    }

    /// The birthdays of a thread's ancestors and its own: threads of C programs are told apart, and put in order, by them.
    pub(crate) fn path(&self, thread: usize) -> Vec<(usize, usize)> {
        if thread == MAIN {
            return Vec::new();
        }
        let mut path = self.path(self.parent(thread));
        path.push(self.birthday(thread));
        path
    }

    /// Whether `joined` certainly has been created, by a thread whose creations it knows of, when the statement at
    /// `position` of `joiner` runs.
    pub(crate) fn knows(&self, joiner: usize, position: usize, joined: usize) -> bool {
        if joined == MAIN || joined == joiner {
            return false;
        }
        let parent = self.parent(joined);
        if parent == joiner {
            return self.birthday(joined) < (1, position);
        }
        let mut ancestor = joiner;
        while ancestor != MAIN {
            if self.parent(ancestor) == parent {
                return self.birthday(joined) < self.birthday(ancestor);
            }
            ancestor = self.parent(ancestor);
        }
        false
    }

    /// Where the handle of `thread` must be kept.
    pub(crate) fn handle(&self, program: &Program, thread: usize) -> Handle {
        let parent = self.parent(thread);
        let joins = |body: &[Statement]| body.contains(&Statement::Join(thread as u32));
        let elsewhere = program.threads.iter().enumerate().any(|(joiner, body)| joiner != parent && joins(body));
        if elsewhere { Handle::Shared } else { Handle::Local }
    }

    /// The threads that `parent` creates.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = usize> + '_ {
        (MAIN + 1..self.spawned.len()).filter(move |&thread| self.parent(thread) == parent)
    }
}

fn spawns(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Spawn(_) => true,
        Statement::If(_, inner) | Statement::While(_, inner) => spawns(inner),
        _ => false,
    })
}
