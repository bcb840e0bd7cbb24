//! Random programs about memory orderings through both front ends, held against the oracle of memory models: as C through
//! the whole pipeline, and as Rust closures. The numbers of complete and of blocked executions are those of graphs; what
//! the threads of a closure read in all executions is what they read in all graphs.

use everyway_explore::MemoryModel;
use everyway_ir::{LoopTreatment, Preparation, prepare};
use everyway_oracle::program::{Condition, Ordering, Place, Program, REGISTERS, Statement, Value};
use everyway_oracle::weak::random::{Profile, program};
use everyway_oracle::weak::{Candidates, candidates};
use everyway_pipeline::compare::select;
use everyway_pipeline::emit::PRELUDE;
use everyway_pipeline::program::{Setup, clang, explore, load_text};
use everyway_pipeline::weak::emit;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The most ways to run the threads of a program.
const LIMIT: usize = 1_000;

/// How many programs of each profile are compared.
const PROGRAMS: usize = 60;

/// The first programs of a profile that can be expressed.
fn programs(profile: Profile) -> Vec<(Program, Candidates)> {
    let random = (0..).map(|seed| program(profile, seed)).filter(|program| emit(program, "p").is_some());
    random.filter_map(|program| candidates(&program, LIMIT).ok().map(|all| (program, all))).take(PROGRAMS).collect()
}

/// How many graphs are complete, and how many block.
fn counts(all: &Candidates, model: MemoryModel) -> (u64, u64) {
    let found = all.allowed(model);
    let complete = found.iter().filter(|found| found.is_complete).count();
    (complete as u64, (found.len() - complete) as u64)
}

fn check_c(profile: Profile) {
    let Some(clang) = clang() else { return };
    let programs = programs(profile);
    let emitted = programs.iter().enumerate().filter_map(|(index, (program, _))| emit(program, &format!("p{index}")));
    let text = PRELUDE.to_owned() + &emitted.collect::<String>();
    let module = load_text(&clang, &text, &["-w"]).unwrap_or_else(|error| panic!("{error}"));
    for (index, (program, all)) in programs.iter().enumerate() {
        let mut module = select(&module, &format!("p{index}"));
        let preparation = Preparation { loops: LoopTreatment::Await, rounds: None, spin_rounds: None };
        prepare(&mut module, preparation, everyway_vm::environment(), &mut |_, _| {});
        let module = Arc::new(module);
        for model in MemoryModel::ALL {
            let found = explore(&module, &Setup::graphs(model), |_| {});
            let found = found.unwrap_or_else(|error| panic!("{error} under {model}\n{program}"));
            assert_eq!((found.complete, found.blocked), counts(all, model), "C under {model}\n{program}");
        }
    }
}

#[test]
fn c_loads_and_stores() {
    check_c(Profile::Memory);
}

#[test]
fn c_read_modify_writes() {
    check_c(Profile::ReadModifyWrite);
}

#[test]
fn c_control() {
    check_c(Profile::Control);
}

#[test]
fn c_waits() {
    check_c(Profile::Waits);
}

/// A program as a closure.
mod closure {
    use super::*;
    use everyway::sync::atomic::{AtomicU64, Ordering as Std, fence};
    use everyway::thread;

    type Registers = [u64; REGISTERS];

    fn std_ordering(ordering: Ordering) -> Std {
        match ordering {
            Ordering::Plain | Ordering::Relaxed => Std::Relaxed,
            Ordering::Acquire => Std::Acquire,
            Ordering::Release => Std::Release,
            Ordering::AcqRel => Std::AcqRel,
            Ordering::SeqCst => Std::SeqCst,
        }
    }

    fn meets(condition: Condition, value: u64) -> bool {
        match condition {
            Condition::Equals(number) => value == number,
            Condition::Differs(number) => value != number,
            _ => unreachable!("programs that can be expressed have no other conditions"),
        }
    }

    fn run(body: &[Statement], registers: &mut Registers, variables: &[AtomicU64]) {
        let at = |place: &Place| (&variables[place.base as usize], std_ordering(place.ordering));
        for statement in body {
            let value = |value: &Value| match value {
                Value::Number(number) => *number,
                Value::Held(held) => registers[held.0 as usize],
            };
            let (to, read) = match statement {
                Statement::Load(to, place) => (to, at(place).0.load(at(place).1)),
                Statement::FetchAdd(to, place, n) => (to, at(place).0.fetch_add(*n, at(place).1)),
                Statement::Exchange(to, place, new) => (to, at(place).0.swap(value(new), at(place).1)),
                Statement::CompareExchange(to, place, expected, new) => {
                    let unmet = std_ordering(place.ordering_unmet);
                    let (variable, met) = at(place);
                    (to, u64::from(variable.compare_exchange(value(expected), value(new), met, unmet).is_ok()))
                }
                Statement::Compute(to, a, _, b) => (to, value(a).wrapping_add(value(b))),
                Statement::Store(place, new) => {
                    at(place).0.store(value(new), at(place).1);
                    continue;
                }
                Statement::Add(place, n) => {
                    at(place).0.fetch_add(*n, at(place).1);
                    continue;
                }
                Statement::Fence(ordering) => {
                    fence(std_ordering(*ordering));
                    continue;
                }
                Statement::If(test, body) => {
                    if meets(test.condition, registers[test.register.0 as usize]) {
                        run(body, registers, variables);
                    }
                    continue;
                }
                _ => unreachable!("programs that can be expressed have no other statements"),
            };
            registers[to.0 as usize] = read;
        }
    }

    /// How many executions are complete, and what threads read in them.
    pub(super) fn explore(program: &Program, model: MemoryModel) -> (u64, BTreeSet<Vec<Registers>>) {
        let seen = Mutex::new(BTreeSet::new());
        let algorithm = everyway::Algorithm::Graphs { model };
        let report = everyway::Builder::new().memory_model(model).algorithm(algorithm).explore(|| {
            let initial = |location: u32| program.initial.iter().rfind(|(at, _)| *at == location).map_or(0, |it| it.1);
            let variables: Vec<AtomicU64> = (0..program.locations).map(|at| AtomicU64::new(initial(at))).collect();
            let variables = everyway::sync::Arc::new(variables);
            let threads: Vec<_> = (program.threads.iter().cloned())
                .map(|body| {
                    let variables = variables.clone();
                    thread::spawn(move || {
                        let mut registers = [0; REGISTERS];
                        run(&body, &mut registers, &variables);
                        registers
                    })
                })
                .collect();
            let read = threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect();
            seen.lock().expect("nothing panics").insert(read);
        });
        assert_eq!(report.verdict, everyway::report::Verdict::Verified, "under {model}: {report:?}\n{program}");
        (report.executions.complete, seen.into_inner().expect("nothing panics"))
    }
}

fn check_rust(profile: Profile) {
    let waits = |program: &Program| program.threads.iter().flatten().any(|it| matches!(it, Statement::Await(..)));
    for (program, all) in programs(profile).into_iter().filter(|(program, _)| !waits(program)) {
        for model in MemoryModel::ALL {
            let found = all.allowed(model);
            let registers: BTreeSet<_> = found.iter().map(|found| found.registers.clone()).collect();
            let explored = closure::explore(&program, model);
            assert_eq!(explored, (found.len() as u64, registers), "Rust under {model}\n{program}");
        }
    }
}

#[test]
fn rust_loads_and_stores() {
    check_rust(Profile::Memory);
}

#[test]
fn rust_read_modify_writes() {
    check_rust(Profile::ReadModifyWrite);
}

#[test]
fn rust_control() {
    check_rust(Profile::Control);
}
