//! The schedules that the reductions leave, against all interleavings: Theorems 1 and 2, and the example with three
//! threads of Sect. 3.2.

mod common;

use common::{compile, promoted};
use everyway_oracle::brute;
use everyway_oracle::machine::Machine;
use everyway_oracle::program::Program;
use everyway_oracle::random::Profile;
use everyway_oracle::relation::{Class, History};
use everyway_pipeline::compare::{Case, select};
use everyway_pipeline::emit::{PRELUDE, Style, is_step_by_step};
use everyway_pipeline::program::{clang, load_text};
use everyway_runtime::{Execution, Location, Performed, State, Step, ThreadId};
use everyway_symbolic::solver::BuiltIn;
use everyway_symbolic::{Reduction, Setup, build, schedules};
use std::collections::{BTreeSet, HashSet};

const LIMIT: u64 = 300;

/// The schedules of a C program that a reduction leaves.
fn left(module: &everyway_ir::Module, reduction: Reduction, depth: usize) -> Vec<Vec<usize>> {
    let system = build(module, &Setup::default()).expect("the program is supported");
    schedules(system, reduction, depth, &mut BuiltIn::new()).expect("the solver answers")
}

/// The class of a schedule, and what it leaves in memory, by running it.
fn run(program: &Program, schedule: &[usize]) -> (Class, Vec<u64>) {
    let mut machine = Machine::new(program);
    let mut history = History::default();
    for &thread in schedule {
        let Ok(()) = machine.step(Step::of(ThreadId::new(thread)), &mut Performed::default());
        history.push(machine.deed().clone());
    }
    let memory = (0..program.locations).map(|location| machine.value(Location(location))).collect();
    (history.class(machine.fates()), memory)
}

/// What all interleavings leave in memory.
fn outcomes(program: &Program) -> BTreeSet<Vec<u64>> {
    fn explore(machine: &mut Machine, program: &Program, depth: usize, found: &mut BTreeSet<Vec<u64>>) {
        let ready: Vec<ThreadId> = everyway_runtime::ready(machine).collect();
        if ready.is_empty() {
            found.insert((0..program.locations).map(|location| machine.value(Location(location))).collect());
        }
        for thread in ready {
            let Ok(()) = machine.step(Step::of(thread), &mut Performed::default());
            explore(machine, program, depth + 1, found);
            let Ok(()) = machine.rewind(depth);
        }
    }
    let mut found = BTreeSet::new();
    explore(&mut Machine::new(program), program, 0, &mut found);
    found
}

/// Random programs of two threads with the same visible steps in C.
fn two_threads(profile: Profile, programs: usize) -> Vec<Case> {
    let fits =
        |case: &Case| case.program.threads.len() == 2 && is_step_by_step(&case.program) && case.classes.all() > 1;
    let cases = (0..).filter_map(|seed| Case::random(profile, seed, LIMIT, &[Style::Atomic, Style::Plain]));
    cases.filter(fits).take(programs).collect()
}

/// Theorem 2: no two schedules that are left are equivalent. Theorem 1: nothing is lost. If `is_exact`, one is left of
/// each of the oracle's classes; rule 4, and the classes of compare-exchanges, tell fewer or more apart.
fn check(profile: Profile, programs: usize, reduction: Reduction, is_exact: bool) {
    let Some(clang) = clang() else { return };
    let cases = two_threads(profile, programs);
    let name = |index: usize| format!("p{index}");
    let source: String = cases.iter().enumerate().map(|(index, case)| case.text(&name(index))).collect();
    let module = load_text(&clang, &(PRELUDE.to_owned() + &source), &["-w"]).expect("the programs compile");
    let (mut kept, mut classes) = (0, 0);
    for (index, case) in cases.iter().enumerate() {
        let program = &case.program;
        let left = left(&promoted(select(&module, &name(index))), reduction, 30);
        let runs: Vec<(Class, Vec<u64>)> = left.iter().map(|schedule| run(program, schedule)).collect();
        let distinct: HashSet<&Class> = runs.iter().map(|(class, _)| class).collect();
        assert_eq!(distinct.len(), left.len(), "two schedules of one class: {left:?}\n{program}");
        let reached: BTreeSet<Vec<u64>> = runs.iter().map(|(_, memory)| memory.clone()).collect();
        assert_eq!(reached, outcomes(program), "an outcome is lost: {left:?}\n{program}");
        let all = brute::enumerate(program, LIMIT as usize).expect("the program is small").classes.len();
        assert!(left.len() <= all, "{} schedules of {all} classes\n{program}", left.len());
        if is_exact {
            assert_eq!(left.len(), all, "a class is lost: {left:?}\n{program}");
        }
        kept += left.len();
        classes += all;
    }
    println!("{profile:?}, {}: {kept} schedules of {classes} classes", reduction.name());
}

#[test]
fn two_threads_with_loads_and_stores_have_one_schedule_for_each_class() {
    check(Profile::Memory, 20, Reduction::Simple, true);
}

#[test]
fn rule_4_leaves_at_most_one_schedule_of_each_class_and_loses_no_outcome() {
    check(Profile::Memory, 20, Reduction::Full, false);
    check(Profile::ReadModifyWrite, 20, Reduction::Full, false);
    check(Profile::Mutex, 20, Reduction::Full, false);
}

/// Three threads of one store each, in this order; the names are those of Sect. 3.2.
fn three(first: &str, second: &str, third: &str) -> Option<Vec<Vec<usize>>> {
    let thread = |name: &str, store: &str| format!("void *{name}(void *a) {{ {store}; return 0; }}\n");
    let create = |name: &str| format!("pthread_create(&t, 0, {name}, 0);");
    let text = format!(
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\n{}{}{}int main(void) {{ pthread_t t; {}{}{} }}\n",
        thread("tA", "x = 1"),
        thread("talpha", "y = 1"),
        thread("tx", "x = 2"),
        create(first),
        create(second),
        create(third),
    );
    Some(left(&*compile(&text, &[])?, Reduction::Full, 4))
}

/// `tA` and `tx` are dependent, `talpha` is independent of both. In this order one redundant schedule is left: that of
/// `tx; tA; talpha` and `talpha; tx; tA`, both of which are.
#[test]
fn three_threads_may_keep_a_redundant_schedule() {
    let Some(mut left) = three("tA", "talpha", "tx") else { return };
    left.sort();
    assert_eq!(left, [[1, 2, 3], [2, 3, 1], [3, 1, 2]]);
}

/// In the order `tA`, `tx`, `talpha` it is removed: two schedules for the two classes.
#[test]
fn three_threads_in_another_order_do_not() {
    let Some(mut left) = three("tA", "tx", "talpha") else { return };
    left.sort();
    assert_eq!(left, [[1, 2, 3], [2, 1, 3]]);
}
