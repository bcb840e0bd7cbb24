//! Makes a program that shows a failure as small as it gets.

use crate::program::{Program, Statement};

/// The smallest program that can be had from `program` by leaving things out and that still `fails`.
pub fn shrink(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    'again: loop {
        for candidate in candidates(&smallest) {
            if fails(&candidate) {
                smallest = candidate;
                continue 'again;
            }
        }
        return smallest;
    }
}

/// Programs with one thing less, the largest things first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    let with = |thread: usize, body: Vec<Statement>| {
        let mut candidate = program.clone();
        candidate.threads[thread] = body;
        candidate
    };
    for (thread, body) in program.threads.iter().enumerate() {
        if body.len() > 1 {
            found.push(with(thread, Vec::new()));
        }
    }
    for (thread, body) in program.threads.iter().enumerate() {
        found.extend(bodies(body).into_iter().map(|body| with(thread, body)));
    }
    for position in 0..program.initial.len() {
        let mut candidate = program.clone();
        candidate.initial.remove(position);
        found.push(candidate);
    }
    found.retain(|candidate| candidate.threads.iter().all(|body| gives_back_what_it_took(body, &mut 0)));
    found
}

/// Whether readers of a lock leave it no more often than they took it: below zero, readers and writers cannot
/// be told apart, and leaving is no longer independent of taking.
fn gives_back_what_it_took(body: &[Statement], held: &mut u32) -> bool {
    body.iter().all(|statement| match statement {
        Statement::ReadLock(_) => {
            *held += 1;
            true
        }
        Statement::ReadUnlock(_) => held.checked_sub(1).inspect(|left| *held = *left).is_some(),
        Statement::If(_, body) | Statement::While(_, body) => gives_back_what_it_took(body, held),
        _ => true,
    })
}

/// Bodies with one statement less, or with one block opened. Computations stay: they keep indices in bounds.
fn bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    for (position, statement) in body.iter().enumerate() {
        let replaced = |by: &[Statement]| [&body[..position], by, &body[position + 1..]].concat();
        if !matches!(statement, Statement::Compute(..)) {
            found.push(replaced(&[]));
        }
        if let Statement::If(test, inner) = statement {
            found.push(replaced(inner));
            found.extend(bodies(inner).into_iter().map(|inner| replaced(&[Statement::If(*test, inner)])));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Place, Value};

    #[test]
    fn what_does_not_matter_goes() {
        let store = |value| Statement::Store(Place::at(0), Value::Number(value));
        let program = Program::new(1, vec![vec![store(1), store(2), store(3)], vec![store(4)]]);
        let small = shrink(&program, |program| program.threads[0].contains(&store(2)));
        assert_eq!(small.threads, [vec![store(2)], vec![]]);
    }
}
