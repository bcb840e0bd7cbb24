//! Random programs with small inputs: the solver and the explicit engine say the same.
//!
//! The programs are the oracle's, written as C. Each thread fails if a register of its has a certain value in the end,
//! so that some programs fail and others do not; some have deadlocks.

mod common;

use common::{asked, explicit, first_seed, programs, promoted, run_again};
use everyway_oracle::random::Profile;
use everyway_pipeline::compare::{Case, select};
use everyway_pipeline::emit::{PRELUDE, SAMPLES, Style, main_of};
use everyway_pipeline::program::{clang, load_text};
use everyway_symbolic::{Asking, Reduction, Setup, Verdict, build};

/// How many interleavings a program may have.
const LIMIT: u64 = 600;

/// The C program of a case, with assertions, and with the inputs that the case means.
fn text(case: &Case, name: &str) -> String {
    let wanted = case.seed % 4;
    let text = case.text(name).replace(
        "    return 0;\n}",
        &format!("    if (r{} == {wanted}u) reach_error();\n    return 0;\n}}", case.seed % 3),
    );
    // `main` ends as other threads do: whether a thread still waits when the program ends is a question of its own.
    let main = text.find(&main_of(name)).expect("a program has a main function");
    let text = text[..main].to_owned() + &text[main..].replace("    return 0;\n}", "    pthread_exit(0);\n}");
    let assumed = |line: &str| match line.trim().strip_suffix(" = __VERIFIER_nondet_int();") {
        Some(register) => format!("{line} __VERIFIER_assume({register} < 3u);\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(assumed).collect()
}

#[derive(Debug, Default)]
struct Tally {
    failing: usize,
    fine: usize,
    unsupported: usize,
}

/// Compares this many programs of a profile that are supported.
fn agree(profile: Profile, default: usize) -> Tally {
    let programs = programs(default);
    let mut tally = Tally::default();
    let Some(clang) = clang() else { return tally };
    let styles = [Style::Atomic, Style::Plain, Style::Narrow, Style::Stack, Style::Heap];
    let cases: Vec<Case> =
        (first_seed()..).filter_map(|seed| Case::random(profile, seed, LIMIT, &styles)).take(2 * programs).collect();
    let name = |index: usize| format!("p{index}");
    let source: String = cases.iter().enumerate().map(|(index, case)| text(case, &name(index))).collect();
    let source = format!("{PRELUDE}void reach_error(void);\n{source}");
    let module = load_text(&clang, &source, &["-w"]).expect("the programs compile");
    for (index, case) in cases.iter().enumerate() {
        if tally.failing + tally.fine == programs {
            break;
        }
        let module = promoted(select(&module, &name(index)));
        if let Err(why) = build(&module, &Setup::default()) {
            println!("{profile:?} {}: {why}", case.seed);
            tally.unsupported += 1;
            continue;
        }
        let reduction = Reduction::ALL[index % 4];
        // Both ways of asking that come to an end by themselves.
        let asking = if index % 8 < 4 { Asking::EveryDepth(100) } else { Asking::GrowingDepths(100) };
        let checked = asked(&module, reduction, asking);
        let expected = explicit(&module, &SAMPLES);
        let describe = || format!("{profile:?} {} with {reduction:?}:\n{}", case.seed, text(case, "p"));
        match (&checked.verdict, expected) {
            (Verdict::Verified { .. }, None) => tally.fine += 1,
            (verdict @ Verdict::Bug(..), Some(_)) => {
                tally.failing += 1;
                assert!(
                    run_again(&module, verdict).is_some(),
                    "{verdict:?} does not fail when it is run: {}",
                    describe()
                );
            }
            (verdict, expected) => panic!("{verdict:?}, but explored {expected:?}: {}", describe()),
        }
    }
    println!("{profile:?}: {tally:?}");
    tally
}

macro_rules! profiles {
    ($($name:ident: $profile:ident, $programs:literal;)*) => {
        $(#[test]
        fn $name() {
            let tally = agree(Profile::$profile, $programs);
            assert!(tally.failing + tally.fine == programs($programs) || clang().is_none(), "too few are supported: {tally:?}");
        })*
    };
}

profiles! {
    memory: Memory, 40;
    read_modify_write: ReadModifyWrite, 40;
    mutex: Mutex, 40;
    read_write_lock: ReadWriteLock, 30;
    condition_variable: Condvar, 30;
    semaphore: Semaphore, 30;
    mixed: Mixed, 20;
    spawn_and_join: SpawnJoin, 20;
    choice: Choice, 40;
    bytes: Bytes, 20;
}
