//! Random C programs with what the oracle's programs do not have: atomic sections, memory that is given back, barriers,
//! waits with a limit and for values, results of threads, values by key, large arrays, threads that are detached or started in loops. The
//! solver and the explicit engine say the same of them.
//!
//! A campaign has more of them: `EVERYWAY_PROGRAMS=1000 EVERYWAY_SEED=100000 cargo test --release -p everyway-symbolic`.

mod common;

use common::{asked, compile, explicit, first_seed, programs, run_again};
use everyway_ir::Module;
use everyway_pipeline::program::clang;
use everyway_symbolic::{Asking, Reduction, Setup, Verdict, build};
use fastrand::Rng;
use std::fmt::Write;
use std::sync::Arc;

const PRELUDE: &str = "\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void reach_error(void);
int __VERIFIER_load_await_aint(atomic_int *address, int relation, int operand);
int __VERIFIER_xchg_await_aint(atomic_int *address, int value, int relation, int operand);
atomic_int x, y;
atomic_int table[32];
int *heap;
atomic_int freed;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_barrier_t barrier;
pthread_t handles[3];
pthread_key_t key;
static void destroy(void *value) { y++; }
static int __VERIFIER_atomic_swap(int value) {
    int before = x;
    x = value;
    return before;
}
";

/// What a program is about.
#[derive(Clone, Copy, Debug)]
enum Feature {
    Sections,
    Heap,
    Barriers,
    TimedWaits,
    Ends,
    Keys,
    Arrays,
    Awaits,
}

impl Feature {
    /// A statement of a thread.
    fn statement(self, random: &mut Rng) -> String {
        let number = random.u32(0..3);
        let variable = if random.bool() { "x" } else { "y" };
        let plain = |random: &mut Rng| match random.u32(0..4) {
            0 => format!("{variable} = {number};"),
            1 => format!("{variable}++;"),
            2 => format!("r = {variable};"),
            _ => format!("if (r == {number}) {variable} = 1;"),
        };
        if random.u32(0..3) == 0 {
            return plain(random);
        }
        match self {
            Feature::Sections => match random.u32(0..4) {
                0 => format!("r = __VERIFIER_atomic_swap({number});"),
                1 => format!(
                    "__VERIFIER_atomic_begin(); __VERIFIER_assume({variable} <= {number}); {variable}++; \
                     __VERIFIER_atomic_end();"
                ),
                2 => "__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();".to_owned(),
                _ => {
                    let (one, other) = (plain(random), plain(random));
                    format!("__VERIFIER_atomic_begin(); {one} {other} __VERIFIER_atomic_end();")
                }
            },
            Feature::Heap => match random.u32(0..4) {
                0 => "if (atomic_exchange(&freed, 1) == 0) free(heap);".to_owned(),
                1 => "if (!freed) r = *heap;".to_owned(),
                2 => format!("{{ int *own = malloc(4); *own = {number}; r = *own; free(own); }}"),
                _ => format!("if (r != 1 && {variable} < 2) *heap = {number};"),
            },
            Feature::Barriers => "if (!passed) { passed = 1; r = pthread_barrier_wait(&barrier); }".to_owned(),
            Feature::TimedWaits => match random.u32(0..4) {
                0 => "pthread_cond_signal(&condition);".to_owned(),
                1 => "pthread_cond_broadcast(&condition);".to_owned(),
                2 => format!(
                    "pthread_mutex_lock(&mutex); if ({variable} != {number}) pthread_cond_wait(&condition, &mutex); \
                     pthread_mutex_unlock(&mutex);"
                ),
                _ => "pthread_mutex_lock(&mutex); r = pthread_cond_timedwait(&condition, &mutex, &never) != 0; \
                      pthread_mutex_unlock(&mutex);"
                    .to_owned(),
            },
            Feature::Keys => match random.u32(0..3) {
                0 => format!("pthread_setspecific(key, {});", if number == 0 { "0" } else { "&x" }),
                1 => "r = pthread_getspecific(key) == (void *)&x;".to_owned(),
                _ => "r = pthread_getspecific(key) ? 2 : 0;".to_owned(),
            },
            Feature::Arrays => match random.u32(0..5) {
                0 => format!("table[(x + {number}) & 31] = {number};"),
                1 => format!("r = table[(r + {number}) & 31];"),
                2 => format!("r = atomic_fetch_add(&table[r & 31], {number});"),
                3 => {
                    format!("{{ int free = 0; r = atomic_compare_exchange_strong(&table[r & 31], &free, {number}); }}")
                }
                // As the indexer of TACAS 2008 has it.
                _ => format!(
                    "for (int i = 0, free = 0; i < 2; i++, r++, free = 0) \
                     while (!atomic_compare_exchange_strong(&table[r & 31], &free, {number} + 1)) {{ r++; free = 0; }}"
                ),
            },
            Feature::Awaits => wait_for_value(random, variable, number),
            Feature::Ends => match random.u32(0..4) {
                0 => format!("if (r == {number}) return (void *)1;"),
                1 => format!("if (r == {number}) pthread_exit((void *)2);"),
                2 => format!("if (r == {number}) exit(0);"),
                _ => "r = pthread_equal(pthread_self(), handles[0]) ? 1 : 2;".to_owned(),
            },
        }
    }

    /// What `main` does before it starts threads.
    fn setup(self) -> &'static str {
        match self {
            Feature::Heap => "    heap = malloc(sizeof *heap); *heap = 0;\n",
            Feature::Barriers => "    pthread_barrier_init(&barrier, 0, 2);\n",
            Feature::Awaits => "    __VERIFIER_xchg_await_aint(&x, 1, 13, 7);\n",
            Feature::Keys => "    pthread_key_create(&key, destroy);\n",
            _ => "",
        }
    }

    /// What `main` does about a thread.
    fn end(self, random: &mut Rng, thread: usize) -> String {
        match random.u32(0..3) {
            0 => format!("    pthread_join(handles[{thread}], 0);\n"),
            1 if !matches!(self, Feature::Keys) => format!(
                "    pthread_join(handles[{thread}], &result); if (result == (void *){}) reach_error();\n",
                random.u32(1..4)
            ),
            _ => format!("    pthread_detach(handles[{thread}]);\n"),
        }
    }
}

/// A statement that waits for a value, by a relation that may be any of sixteen, known or not.
fn wait_for_value(random: &mut Rng, variable: &str, number: u32) -> String {
    let relation = match random.u32(0..4) {
        0 => "r".to_owned(),
        1 => format!("{variable} + {}", random.u32(0..12)),
        _ => random.u32(0..16).to_string(),
    };
    let operand = if random.bool() { number.to_string() } else { "r - 1".to_owned() };
    match random.u32(0..5) {
        0 | 1 => format!("r = __VERIFIER_load_await_aint(&{variable}, {relation}, {operand});"),
        2 => format!("r = __VERIFIER_xchg_await_aint(&{variable}, {number}, {relation}, {operand});"),
        // What is nobody else's.
        3 => format!("{{ atomic_int own = r; __VERIFIER_load_await_aint(&own, {relation}, {operand}); r++; }}"),
        _ => format!(
            "pthread_mutex_lock(&mutex); __VERIFIER_xchg_await_aint(&{variable}, r, {relation}, {operand}); \
             pthread_mutex_unlock(&mutex);"
        ),
    }
}

fn program(feature: Feature, seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut text = PRELUDE.to_owned();
    let threads = random.usize(1..3);
    for thread in 0..threads {
        let _ = write!(text, "static void *t{thread}(void *argument) {{\n    int r = 0, passed = 0;\n");
        text.push_str("    struct timespec never = {0, 0};\n");
        for _ in 0..random.u32(1..4) {
            let _ = writeln!(text, "    {}", feature.statement(&mut random));
        }
        let _ = writeln!(text, "    if (r == {}) reach_error();\n    return (void *)3;\n}}", random.u32(1..4));
    }
    text.push_str("static void *(*const starts[])(void *) = {t0, ");
    text.push_str(if threads > 1 { "t1};\n" } else { "t0};\n" });
    text.push_str("int main(int argc, char **argv) {\n    void *result = 0;\n    if (argc != 1) reach_error();\n");
    text.push_str(feature.setup());
    let _ = writeln!(
        text,
        "    for (int i = 0; i < {threads}; i++) {{\n        pthread_create(&handles[i], 0, starts[i], 0);\n        {}\n    }}",
        if random.bool() { "x++;" } else { "" }
    );
    for thread in 0..threads {
        text.push_str(&feature.end(&mut random, thread));
    }
    let _ = writeln!(text, "    if (y == {}) reach_error();\n    pthread_exit(0);\n}}", random.u32(2..4));
    text
}

fn compare(module: &Arc<Module>, text: &str, index: usize) -> bool {
    let reduction = Reduction::ALL[index % 4];
    let asking = if index % 8 < 4 { Asking::EveryDepth(100) } else { Asking::GrowingDepths(100) };
    let checked = asked(module, reduction, asking);
    match (&checked.verdict, explicit(module, &[0])) {
        (Verdict::Verified { .. }, None) => false,
        (verdict @ Verdict::Bug(..), Some(_)) => {
            assert!(run_again(module, verdict).is_some(), "{verdict:?} does not fail when it is run:\n{text}");
            true
        }
        (verdict, expected) => panic!("{verdict:?}, but explored {expected:?}, with {}:\n{text}", reduction.name()),
    }
}

/// Compares this many programs.
fn agree(feature: Feature, default: usize) {
    let programs = programs(default);
    if clang().is_none() {
        return;
    }
    let (mut failing, mut fine) = (0, 0);
    for index in 0.. {
        if failing + fine == programs {
            break;
        }
        assert!(index < 2 * programs, "too few are supported: {failing} and {fine}");
        let text = program(feature, first_seed() + index as u64);
        let Some(module) = compile(&text, &["-w"]) else { return };
        if let Err(why) = build(&module, &Setup::default()) {
            println!("{feature:?} {index}: {why}");
            continue;
        }
        if compare(&module, &text, index) {
            failing += 1;
        } else {
            fine += 1;
        }
    }
    println!("{feature:?}: {failing} fail, {fine} do not");
    assert!(failing > 0 && fine > 0, "both kinds are there");
}

macro_rules! features {
    ($($name:ident: $feature:ident, $programs:literal;)*) => {
        $(#[test]
        fn $name() {
            agree(Feature::$feature, $programs);
        })*
    };
}

features! {
    atomic_sections: Sections, 40;
    memory_that_is_given_back: Heap, 40;
    barriers: Barriers, 20;
    waits_with_a_limit: TimedWaits, 30;
    ends_of_threads: Ends, 40;
    values_by_key: Keys, 30;
    large_arrays: Arrays, 40;
    waits_for_values: Awaits, 60;
}
