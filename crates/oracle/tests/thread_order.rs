//! Which accesses of a thread stay in order under a memory model, whatever is between them: every litmus test of two threads in
//! which one has two accesses with something in between, and the other one looks. Brute force says what is right.

use everyway_explore::MemoryModel;
use everyway_oracle::program::{Condition, Ordering, Place, Program, Register, Statement, Test, Value};
use everyway_oracle::weak::compare::compare;

const X: u32 = 0;
const Y: u32 = 1;
const Z: u32 = 2;
const LOCATIONS: u32 = 3;

fn store(location: u32, ordering: Ordering) -> Statement {
    Statement::Store(Place::at(location).ordered(ordering), Value::Number(1))
}

fn load(register: u8, location: u32, ordering: Ordering) -> Statement {
    Statement::Load(Register(register), Place::at(location).ordered(ordering))
}

fn relaxed(location: u32) -> Place {
    Place::at(location).ordered(Ordering::Relaxed)
}

/// What may be between two accesses: nothing, fences, and other accesses.
fn separators() -> Vec<Vec<Statement>> {
    let fences = [Ordering::Acquire, Ordering::Release, Ordering::AcqRel, Ordering::SeqCst].map(Statement::Fence);
    let (zero, one) = (Value::Number(0), Value::Number(1));
    let accesses = [
        load(2, Z, Ordering::Relaxed),
        // What the thread itself may just have stored, and others cannot see yet.
        load(2, X, Ordering::Relaxed),
        store(Z, Ordering::Relaxed),
        store(Z, Ordering::Release),
        store(Z, Ordering::SeqCst),
        Statement::FetchAdd(Register(2), relaxed(Z), 1),
        // One that fails.
        Statement::CompareExchange(Register(2), relaxed(Z), one, zero),
    ];
    // Of two, the first may hide that the second one is there.
    let barrier_and_store = vec![Statement::Fence(Ordering::Release), store(Z, Ordering::Relaxed)];
    let singly = fences.into_iter().chain(accesses).map(|statement| vec![statement]);
    [Vec::new(), barrier_and_store].into_iter().chain(singly).collect()
}

/// The accesses of a thread to a location, each with what another thread does to see their order.
fn accesses(location: u32, register: u8) -> Vec<(Statement, Statement)> {
    let load = |ordering| load(register, location, ordering);
    let store = |ordering| store(location, ordering);
    let stores = [Ordering::Relaxed, Ordering::Release, Ordering::SeqCst].map(store);
    let seen = stores.iter().map(|store| (store.clone(), load(Ordering::SeqCst)));
    let overwritten = stores.iter().map(|stored| (stored.clone(), store(Ordering::SeqCst)));
    let loads = [Ordering::Relaxed, Ordering::Acquire, Ordering::SeqCst].map(load);
    let add = Statement::FetchAdd(Register(register), relaxed(location), 2);
    let changed = loads.into_iter().chain([add]).map(|access| (access, store(Ordering::SeqCst)));
    seen.chain(overwritten).chain(changed).collect()
}

/// Asserts that graphs are what brute force finds, under every model.
fn agrees(program: &Program, seed: u64) {
    for model in MemoryModel::ALL {
        match compare(program, model, 10_000, seed) {
            Ok(Some(agreement)) => assert!(agreement.graphs > 0, "{program}"),
            Ok(None) => panic!("brute force has too much to do:\n{program}"),
            Err(difference) => panic!("{difference}\n{program}"),
        }
    }
}

#[test]
fn two_accesses_of_a_thread_with_something_between_them() {
    let mut seed = 0;
    for (first, seen_last) in accesses(X, 0) {
        for (second, seen_first) in accesses(Y, 1) {
            for between in separators() {
                let observer = vec![seen_first.clone(), Statement::Fence(Ordering::SeqCst), seen_last.clone()];
                let observed = [vec![first.clone()], between, vec![second.clone()]].concat();
                agrees(&Program::new(LOCATIONS, vec![observed, observer]), seed);
                seed += 1;
            }
        }
    }
}

/// The same across the start and the end of a thread, and with the second access in a branch.
#[test]
fn two_accesses_around_a_spawn_a_join_or_a_branch() {
    let mut seed = 0;
    for (first, seen_last) in accesses(X, 0) {
        for (second, seen_first) in accesses(Y, 1) {
            let observer = vec![seen_first.clone(), Statement::Fence(Ordering::SeqCst), seen_last.clone()];
            let (first, second) = (vec![first.clone()], vec![second.clone()]);
            let spawns = [first.clone(), vec![Statement::Spawn(2)]].concat();
            let joins = [vec![Statement::Join(2)], second.clone()].concat();
            let is_seen = Test { register: Register(2), condition: Condition::Equals(0) };
            let looks = vec![load(2, Z, Ordering::Relaxed), Statement::If(is_seen, second.clone())];
            let branches = [first.clone(), looks].concat();
            for threads in [
                vec![spawns, observer.clone(), second],
                vec![joins, observer.clone(), first],
                vec![branches, observer, vec![store(Z, Ordering::Relaxed)]],
            ] {
                agrees(&Program::new(LOCATIONS, threads), seed);
                seed += 1;
            }
        }
    }
}
