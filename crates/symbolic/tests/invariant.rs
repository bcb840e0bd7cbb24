//! Properties of the state that are checked after every step, against the explicit engine with a thread that looks at
//! the same in one atomic section.

mod common;

use common::{compile, explicit, papers_program};
use everyway_ir::Module;
use everyway_pipeline::program::clang;
use everyway_symbolic::solver::BuiltIn;
use everyway_symbolic::{Asking, Ending, Plan, Reduction, Setup, Verdict, build, check};
use fastrand::Rng;
use std::fmt::Write;

fn verdict(module: &Module, reduction: Reduction, asking: Asking) -> Verdict {
    let setup = Setup { invariant: Some("invariant".to_owned()), ..Setup::default() };
    let system = build(module, &setup).unwrap_or_else(|why| panic!("{why}"));
    let plan = Plan { asking, ..Plan::every_depth(reduction, 0) };
    check(system, &plan, &mut BuiltIn::new(), &mut |_| {}).expect("the solver answers").verdict
}

/// Two threads with a few accesses to three variables, and a property of those.
fn program(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut text = "#include <pthread.h>\n#include <stdatomic.h>\nvoid reach_error(void);\n\
                    void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\natomic_int v[3];\n"
        .to_owned();
    let (one, other) = (random.u32(0..3), random.u32(0..3));
    let (a, b) = (random.u32(0..3), random.u32(0..3));
    let _ =
        writeln!(text, "int invariant(void) {{\n    if (v[{one}] != {a}) return 1;\n    return v[{other}] != {b};\n}}");
    for thread in 0..2 {
        let _ = writeln!(text, "static void *t{thread}(void *unused) {{\n    int r = 0;");
        for _ in 0..random.u32(1..4) {
            let (at, number) = (random.u32(0..3), random.u32(1..3));
            let _ = match random.u32(0..3) {
                0 => writeln!(text, "    v[{at}] = {number};"),
                1 => writeln!(text, "    r = v[{at}];"),
                _ => writeln!(text, "    v[r > 1 ? 1 : {at}] = r + 1;"),
            };
        }
        text.push_str("    return 0;\n}\n");
    }
    text.push_str(
        "static void *observer(void *unused) {\n    __VERIFIER_atomic_begin();\n    int holds = invariant();\n    \
         __VERIFIER_atomic_end();\n    if (!holds) reach_error();\n    return 0;\n}\n\
         int main(void) {\n    pthread_t a, b, c;\n    pthread_create(&a, 0, t0, 0);\n    pthread_create(&b, 0, t1, 0);\n\
         #ifdef OBSERVED\n    pthread_create(&c, 0, observer, 0);\n#endif\n    pthread_exit(0);\n}\n",
    );
    text
}

#[test]
fn what_an_observer_can_see_is_found_without_one() {
    if clang().is_none() {
        return;
    }
    let (mut violated, mut kept) = (0, 0);
    for seed in 0..48 {
        let text = program(seed);
        let (Some(plain), Some(observed)) = (compile(&text, &["-w"]), compile(&text, &["-w", "-DOBSERVED"])) else {
            return;
        };
        let reduction = Reduction::ALL[seed as usize % 4];
        let asking = if seed % 8 < 4 { Asking::EveryDepth(20) } else { Asking::GrowingDepths(20) };
        match (verdict(&plain, reduction, asking), explicit(&observed, &[0])) {
            (Verdict::Bug(found, _), Some(_)) => {
                assert_eq!(found.ending, Ending::Violates, "{text}");
                violated += 1;
            }
            (Verdict::Verified { .. }, None) => kept += 1,
            (verdict, expected) => panic!("{verdict:?}, but observed {expected:?}, {}:\n{text}", reduction.name()),
        }
    }
    println!("{violated} violated, {kept} kept");
    assert!(violated > 5 && kept > 5, "both kinds are there");
}

/// The first property of the philosophers, without the step of an observer: each of the two takes 7.
#[test]
fn philosophers_do_not_all_eat() {
    let Some(module) = papers_program("phil", &["-DN=2", "-DINVARIANT"]) else { return };
    for reduction in Reduction::ALL {
        let verdict = verdict(&module, reduction, Asking::EveryDepth(20));
        assert_eq!(verdict, Verdict::Verified { steps: 14 }, "{}", reduction.name());
    }
}

/// An invariant reads; what does more is refused, and so is one that is not there.
#[test]
fn what_is_no_invariant_is_named() {
    let text = "int x;\nint invariant(void) { x = 1; return 1; }\nint other(int y) { return y; }\nint main(void) { return 0; }\n";
    let Some(module) = compile(text, &[]) else { return };
    let refusal = |name: &str| {
        let setup = Setup { invariant: Some(name.to_owned()), ..Setup::default() };
        build(&module, &setup).expect_err("it is refused").to_string()
    };
    assert!(refusal("invariant").contains("must not change anything"), "{}", refusal("invariant"));
    assert!(refusal("other").contains("takes nothing"), "{}", refusal("other"));
    assert!(refusal("missing").contains("no function `missing`"), "{}", refusal("missing"));
}
