//! Random programs with loops that spin, as C: what the passes make of the loops has as many classes as brute force finds
//! for the program with awaits, or assumptions, in their place.
//!
//! Where the passes leave an assumption instead of an await, no class in which all threads end is lost or added, and no
//! more are blocked than with nothing but assumptions. That must be rare.

use everyway_explore::Algorithm;
use everyway_ir::{LoopTreatment, Preparation, prepare};
use everyway_oracle::program::{Program, Register, Statement};
use everyway_oracle::random::{Profile, program};
use everyway_oracle::spin::{Loops, has_spins, lower};
use everyway_pipeline::classes::{Classes, enumerate};
use everyway_pipeline::compare::select;
use everyway_pipeline::emit::{PRELUDE, Style, emit};
use everyway_pipeline::program::{Setup, clang, explore, load_text};
use everyway_vm::environment;
use std::sync::Arc;

/// How many interleavings a program may have.
const LIMIT: u64 = 300;
const PROGRAMS: usize = 80;

/// The program where additions tell the old value, to a register that is not used: they do not commute then.
fn without_commuting_adds(body: &[Statement]) -> Vec<Statement> {
    let of = |statement: &Statement| match statement {
        Statement::Add(place, n) => Statement::FetchAdd(Register(6), *place, *n),
        Statement::If(test, inner) => Statement::If(*test, without_commuting_adds(inner)),
        _ => statement.clone(),
    };
    body.iter().map(of).collect()
}

/// What is explored of a program, and what brute force has for it and for the program with assumptions.
struct Way {
    loops: LoopTreatment,
    commuting_adds: bool,
    expected: Classes,
    assumed: Classes,
}

fn ways(program: &Program) -> Option<Vec<Way>> {
    let conflicting =
        Program { threads: program.threads.iter().map(|b| without_commuting_adds(b)).collect(), ..program.clone() };
    let way = |program: &Program, loops, lowered, commuting_adds| {
        let expected = enumerate(&lower(program, lowered), LIMIT)?;
        Some(Way { loops, commuting_adds, expected, assumed: enumerate(&lower(program, Loops::Assumes), LIMIT)? })
    };
    Some(vec![
        way(program, LoopTreatment::Await, Loops::Awaits, true)?,
        way(&conflicting, LoopTreatment::Await, Loops::Awaits, false)?,
        way(&conflicting, LoopTreatment::Assume, Loops::Assumes, false)?,
    ])
}

#[test]
fn loops_are_awaited_or_assumed_as_brute_force_has_it() {
    let Some(clang) = clang() else { return };
    let candidates = (0..)
        .map(|seed| program(if seed % 2 == 0 { Profile::Spin } else { Profile::Update }, seed, LIMIT as usize))
        .filter(has_spins);
    let cases: Vec<_> = candidates.filter_map(|program| Some((ways(&program)?, program))).take(PROGRAMS).collect();
    let name = |index: usize| format!("p{index}");
    let texts = cases.iter().enumerate().map(|(index, (_, program))| emit(program, &name(index), Style::Atomic));
    let texts: String = texts.map(|text| text.expect("C has all of it")).collect();
    let module = load_text(&clang, &(PRELUDE.to_owned() + &texts), &["-w"]).expect("C");
    let (mut runs, mut less) = (0, 0);
    for (index, (ways, program)) in cases.iter().enumerate() {
        for way in ways {
            let mut module = select(&module, &name(index));
            let preparation = Preparation { loops: way.loops, rounds: None, spin_rounds: None };
            prepare(&mut module, preparation, environment(), &mut |_, _| {});
            let module = Arc::new(module);
            for algorithm in [Algorithm::Optimal, Algorithm::Source] {
                let setup = Setup { commuting_adds: way.commuting_adds, ..Setup::verified(algorithm) };
                let counts = explore(&module, &setup, |_| {}).unwrap_or_else(|error| panic!("{error}\n{program}"));
                let about = format!("{algorithm:?}, {:?}, adds commute: {}\n{program}", way.loops, way.commuting_adds);
                assert_eq!(counts.complete, way.expected.complete(), "{about}");
                let blocked = way.expected.blocked()..=way.assumed.blocked();
                assert!(blocked.contains(&counts.blocked), "{} blocked, not {blocked:?}: {about}", counts.blocked);
                runs += 1;
                less += usize::from(counts.blocked != way.expected.blocked());
            }
        }
    }
    println!("{less} of {runs} explorations have assumptions instead of awaits");
    assert!(less * 10 < runs, "{less} of {runs} explorations have assumptions instead of awaits");
}
