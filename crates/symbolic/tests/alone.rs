//! What the first thread does while it is the only one, as its inputs have it.

mod common;

use common::{compile, run_again, symbolic};
use everyway_symbolic::{Reduction, Verdict};

const PRELUDE: &str = r"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void reach_error(void);
";

/// Whether the program fails, and it is run again if it does; `None` without a clang.
fn fails(text: &str) -> Option<bool> {
    let module = compile(&format!("{PRELUDE}{text}"), &["-w"])?;
    let checked = symbolic(&module, Reduction::Simple, 60);
    match &checked.verdict {
        Verdict::Verified { .. } => Some(false),
        Verdict::Bug(..) => {
            assert!(run_again(&module, &checked.verdict).is_some(), "it fails when it is run:\n{text}");
            Some(true)
        }
        other => panic!("{other:?}:\n{text}"),
    }
}

/// Both of two programs that differ in these words.
fn only_fails_with(text: &str, right: &str, wrong: &str) {
    assert!(text.contains(right), "the words are there");
    assert_ne!(fails(text), Some(true), "{text}");
    assert_ne!(fails(&text.replace(right, wrong)), Some(false), "with {wrong}: {text}");
}

/// Keys are made, and threads started in a loop, while there is one way only.
#[test]
fn ways_that_end_at_once_leave_the_others_alone() {
    let text = r#"
pthread_key_t key;
pthread_t threads[2];
atomic_int x;
int n;
static void *run(void *argument) { if (n > 0) x++; return 0; }
int main(void) {
    int *freed = malloc(sizeof *freed);
    n = __VERIFIER_nondet_int();
    if (n < 0 || n == 7) { free(freed); return 1; }
    if (n > 9) exit(2);
    __VERIFIER_assume(n != 3 && n != 4);
    pthread_key_create(&key, 0);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    free(freed);
    if (n == 0) assert(x == 0); else assert(x == 2 && n != 3);
    return 0;
}
"#;
    only_fails_with(text, "n != 3);", "n != 5);");
    only_fails_with(text, "n != 3);", "n != 9);");
}

/// Different values meet again, those of semaphores too.
#[test]
fn ways_that_meet_are_one() {
    let text = r#"
sem_t free_slots;
atomic_int inside, most = 2;
pthread_t threads[3];
static void *run(void *argument) {
    sem_wait(&free_slots);
    assert(++inside <= most);
    inside--;
    sem_post(&free_slots);
    return 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), rounds = 0;
    if (n < 1) n = 1;
    n = n > 2 ? 2 : n;
    most = n;
    sem_init(&free_slots, 0, n);
    for (int i = 0; i < n; i++) rounds++;
    assert(rounds == n);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    return 0;
}
"#;
    only_fails_with(text, "sem_init(&free_slots, 0, n)", "sem_init(&free_slots, 0, 2)");
    only_fails_with(text, "assert(rounds == n)", "assert(rounds == 1)");
}

/// Inputs that only some ways ask for are told in their order.
#[test]
fn inputs_of_some_ways() {
    let text = r#"
static int a, b;
static void *run(void *argument) { assert(a == 5 || b != 6); return 0; }
int main(void) {
    pthread_t thread;
    if (__VERIFIER_nondet_int() == 17) a = __VERIFIER_nondet_int() ? 5 : 4;
    else { a = 5; b = __VERIFIER_nondet_int(); }
    if (a == 4) b = __VERIFIER_nondet_int() & 1;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
"#;
    only_fails_with(text, "& 1", "& 7");
}

/// Where ways do not meet before threads are started, they part at a place.
#[test]
fn ways_that_do_not_meet() {
    let text = r#"
atomic_int x;
static void *one(void *argument) { x++; return 0; }
static void *two(void *argument) { x += 2; return 0; }
int main(void) {
    pthread_t a, b;
    int before = 0, n = __VERIFIER_nondet_int();
    if (n == 1) {
        pthread_create(&a, 0, one, 0);
        before = 1;
    } else {
        pthread_create(&a, 0, two, 0);
        before = 2;
    }
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == before + 2);
    return 0;
}
"#;
    only_fails_with(text, "before + 2", "3");
}

/// What is given back before threads are started is gone afterwards.
#[test]
fn what_is_gone_before_threads_are_started() {
    let text = r#"
static void *run(void *argument) { return 0; }
int main(void) {
    pthread_t thread;
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    free(p);
    pthread_create(&thread, 0, run, 0);
    *q = 1;
    pthread_join(thread, 0);
    return *q - 1;
}
"#;
    only_fails_with(text, "*q = 1;", "*q = *p = 1;");
    only_fails_with(text, "*q = 1;", "*q = 1; free(p);");
}

/// Which of two elements threads use is a value of memory.
#[test]
fn elements_that_depend_on_input() {
    let text = r#"
static int account[2] = {100, 100};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct job { int from, to, amount; };
static void *transfer(void *argument) {
    struct job *job = argument;
    pthread_mutex_lock(&mutex);
    if (account[job->from] >= job->amount) {
        account[job->from] -= job->amount;
        account[job->to] += job->amount;
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), positive = n >= 0;
    struct job a = {0, 1, n & 0xff}, b = {positive, 0, 10 * positive};
    pthread_t s, t;
    pthread_create(&s, 0, transfer, &a);
    pthread_create(&t, 0, transfer, &b);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(account[0] + account[1] == 200 && account[1] >= 90);
    return 0;
}
"#;
    only_fails_with(text, ">= 90", "> 90");
}

/// A pointer that one way puts into what another one shares is shared, too.
#[test]
fn what_ways_share() {
    let text = r#"
struct node { int value; struct node *next; };
static struct node none, *global = &none;
static void *run(void *argument) {
    struct node *next = global->next;
    if (next) { next->value++; assert(next->value != 6); }
    return 0;
}
int main(void) {
    pthread_t thread;
    struct node *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    q->value = 4;
    q->next = 0;
    p->next = 0;
    if (__VERIFIER_nondet_int() != 77) p->next = q; else global = p;
    global = p;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
"#;
    only_fails_with(text, "q->value = 4", "q->value = 5");
}
