//! Random programs that try to lock and back off: what comes of them is the same whether rounds of their loops that do
//! nothing are left out, or all rounds are explored, up to more of them than it takes to see everything.
//!
//! Some of the programs look at whether a mutex is locked. There, rounds that lock one must not be left out.

use everyway_explore::Algorithm;
use everyway_ir::{LoopTreatment, Preparation, prepare};
use everyway_pipeline::program::{Setup, all_bugs, clang, load_text};
use everyway_vm::environment;
use fastrand::Rng;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

const PROGRAMS: u64 = 60;
const OUTCOMES: usize = 24;
const MUTEXES: [&str; 3] = ["a", "b", "c"];

/// Every outcome is a failure of its own.
fn text(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let threads = if random.u64(..4) == 0 { 3 } else { 2 };
    let statements = if threads == 3 { 1 } else { 2 };
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;\n\
         atomic_int x, y, flag;\n",
    );
    for thread in 0..threads {
        let _ = writeln!(text, "static void *t{thread}(void *u) {{");
        for number in 0..=random.u64(..statements) {
            text.push_str(&statement(&mut random, 2 + 2 * thread + number));
        }
        text.push_str("    atomic_store(&flag, 1);\n    return 0;\n}\n");
    }
    text.push_str("int main(void) {\n    pthread_t t[3];\n");
    for thread in 0..threads {
        let _ = writeln!(text, "    pthread_create(&t[{thread}], 0, t{thread}, 0);");
    }
    for thread in 0..threads {
        let _ = writeln!(text, "    pthread_join(t[{thread}], 0);");
    }
    let _ = writeln!(text, "    switch ((atomic_load(&x) * 5 + atomic_load(&y)) % {OUTCOMES}) {{");
    for outcome in 0..OUTCOMES {
        let _ = writeln!(text, "    case {outcome}: assert(!{outcome} && 0);");
    }
    text + "    }\n}\n"
}

fn statement(random: &mut Rng, number: u64) -> String {
    let first = random.u64(..3) as usize;
    let [p, q, r] = [0, 1, 2].map(|offset| MUTEXES[(first + offset * (1 + number as usize % 2)) % 3]);
    let change = format!("atomic_store(&x, atomic_load(&x) * 3 % 16 + {number});");
    let lock = |name: &str| format!("pthread_mutex_lock(&{name});");
    let unlock = |name: &str| format!("pthread_mutex_unlock(&{name});");
    let tries = |name: &str| format!("pthread_mutex_trylock(&{name})");
    let body = match random.u64(..8) {
        0 => format!("{} {change} {}", lock(p), unlock(p)),
        1 | 2 => format!(
            "for (;;) {{ {} if (!{}) break; {} }} {change} {} {}",
            lock(p),
            tries(q),
            unlock(p),
            unlock(q),
            unlock(p)
        ),
        3 => format!("while ({}) ; {change} {}", tries(p), unlock(p)),
        4 => format!(
            "for (;;) {{ {} if ({}) {{ {} continue; }} if (!{}) break; {} {} }} {change} {} {} {}",
            lock(p),
            tries(q),
            unlock(p),
            tries(r),
            unlock(q),
            unlock(p),
            unlock(r),
            unlock(q),
            unlock(p)
        ),
        // What is done if it fails can be seen.
        5 => format!("if (!{}) {{ {change} {} }} else atomic_fetch_add(&y, {number});", tries(p), unlock(p)),
        6 => format!(
            "for (int i = 0; i < 2; i++) {{ {} if (!{}) {{ {change} {} {} break; }} {} }}",
            lock(p),
            tries(q),
            unlock(q),
            unlock(p),
            unlock(p)
        ),
        _ => {
            format!("for (;;) {{ {} int seen = atomic_load(&flag); {} if (seen) break; }} {change}", lock(p), unlock(p))
        }
    };
    format!("    {body}\n")
}

#[test]
fn backing_off_comes_to_the_same_as_trying_again() {
    let Some(clang) = clang() else { return };
    let mut outcomes = 0;
    for seed in 0..PROGRAMS {
        let text = text(seed);
        let original = load_text(&clang, &text, &["-w"]).expect("C");
        let found = |loops: LoopTreatment| -> BTreeSet<String> {
            let mut module = original.clone();
            // Loops that could not be treated need the bound in any case.
            let preparation = Preparation { loops, rounds: None, spin_rounds: Some(3) };
            prepare(&mut module, preparation, environment(), &mut |_, _| {});
            let bugs = all_bugs(&Arc::new(module), &Setup::new(Algorithm::Optimal));
            bugs.into_iter().map(|bug| bug.message).collect()
        };
        let expected = found(LoopTreatment::Plain);
        assert_eq!(found(LoopTreatment::Await), expected, "await, seed {seed}:\n{text}");
        assert_eq!(found(LoopTreatment::Assume), expected, "assume, seed {seed}:\n{text}");
        outcomes += expected.len();
    }
    // The programs can tell something.
    assert!(outcomes > 2 * PROGRAMS as usize, "{outcomes}");
}
