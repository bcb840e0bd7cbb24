//! Programs whose inputs cannot be enumerated.

mod common;

use common::{compile, run_again, symbolic};
use everyway_symbolic::solver::BuiltIn;
use everyway_symbolic::{BuildError, Limit, Plan, Reduction, Setup, Verdict, build, check};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Two threads hand over a key; a third one opens with it. It fails for one value of 2^32, and only if the third one
/// looks between the two.
const LOCK: &str = r"
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
atomic_uint key, stage;
static void *first(void *argument) {
    unsigned input = __VERIFIER_nondet_uint();
    key = input * 2654435761u + 12345u;
    stage = 1;
    return 0;
}
static void *second(void *argument) {
    if (stage == 1) {
        unsigned old = key;
        key = old ^ 0x5bd1e995u;
        stage = 2;
    }
    return 0;
}
static void *third(void *argument) {
    unsigned before = stage;
    unsigned seen = key;
    assert(!(before == 1 && stage == LIMIT && seen == 0xcafebabeu));
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_create(&c, 0, third, 0);
    return 0;
}
";

#[test]
fn one_value_out_of_all_is_found() {
    let Some(module) = compile(LOCK, &["-DLIMIT=2"]) else { return };
    let checked = symbolic(&module, Reduction::Simple, 20);
    let Verdict::Bug(found, _) = &checked.verdict else { panic!("{:?}", checked.verdict) };
    let input = found.steps.iter().find_map(|step| step.input).expect("an input was taken");
    let key = (input.bits as u32).wrapping_mul(2_654_435_761).wrapping_add(12_345);
    assert!(key == 0xcafe_babe || key ^ 0x5bd1_e995 == 0xcafe_babe, "{input:?} is not the key");
    assert!(run_again(&module, &checked.verdict).is_some(), "it fails when it is run");
}

/// No stage is 3.
#[test]
fn without_the_bug_it_is_verified() {
    let Some(module) = compile(LOCK, &["-DLIMIT=3"]) else { return };
    let checked = symbolic(&module, Reduction::Simple, 20);
    // Three steps of the first, four of the second and three of the third.
    assert_eq!(checked.verdict, Verdict::Verified { steps: 10 });
}

/// An input that is taken before the first thread is started, and decides where threads write.
#[test]
fn inputs_of_main_reach_threads() {
    let text = r"
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_int slots[16];
static void *mark(void *argument) {
    unsigned at = (unsigned)(uintptr_t)argument;
    assert(atomic_fetch_add(&slots[at % 16], 1) == 0);
    return 0;
}
int main(void) {
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    pthread_t a, b;
    pthread_create(&a, 0, mark, (void *)(uintptr_t)i);
    pthread_create(&b, 0, mark, (void *)(uintptr_t)j);
    return 0;
}
";
    let Some(module) = compile(text, &[]) else { return };
    let checked = symbolic(&module, Reduction::Full, 10);
    let Verdict::Bug(found, _) = &checked.verdict else { panic!("{:?}", checked.verdict) };
    assert_eq!(found.first_inputs.len(), 2);
    assert_eq!(found.first_inputs[0].bits % 16, found.first_inputs[1].bits % 16);
    assert!(run_again(&module, &checked.verdict).is_some(), "it fails when it is run");
}

/// A wish to stop is honoured while the program is analysed, and while it is checked.
#[test]
fn what_is_to_stop_stops() {
    let Some(module) = compile(LOCK, &["-DLIMIT=3"]) else { return };
    let limit = Limit::none().or_when(Arc::new(AtomicBool::new(true)));
    let setup = Setup { limit: limit.clone(), ..Setup::default() };
    assert_eq!(build(&module, &setup).err(), Some(BuildError::Stopped));
    let system = build(&module, &Setup::default()).expect("the program is supported");
    let plan = Plan { limit: limit.clone(), ..Plan::every_depth(Reduction::Simple, 20) };
    let checked = check(system, &plan, &mut BuiltIn::with_limit(limit), &mut |_| {}).expect("it is no error");
    assert_eq!(checked.verdict, Verdict::Stopped { steps: 0 });
}
