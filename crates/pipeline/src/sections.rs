//! Programs with atomic sections and locks that are polled, as C: what they come to, by the engine.
//!
//! At the end of `main` there is a line for each outcome that brute force has found, with an assertion that fails there, and
//! one for all others. So which outcomes there are is told by the lines at which the check finds bugs.

use crate::compare::select;
use crate::emit::{PRELUDE, main_of};
use crate::program::load_text;
use everyway_driver::{AfterFailure, Limits, ModelChoice, NoHost};
use everyway_explore::{Algorithm, MemoryModel, Order, Verification};
use everyway_ir::{Environment, LoopTreatment, Module, Preparation, Unordered, prepare};
use everyway_llvm::clang::Clang;
use everyway_oracle::sections::{
    Act, MUTEXES, Outcome, Outcomes, Poll, Program, REGISTERS, Statement, Under, VARIABLES,
};
use everyway_report::{Bug, BugKind};
use everyway_vm::{Settings, environment};
use std::fmt::Write as _;
use std::sync::Arc;

/// A program, and what brute force says of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// What it comes to.
    pub outcomes: Outcomes,
    /// What its variables are in C.
    pub storage: Storage,
}

/// What variables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Atomic elements of an array.
    Elements,
    /// Plain variables of their own.
    Plain,
}

/// How programs are explored.
const EXPLORED: [(Algorithm, Order); 4] = [
    (Algorithm::Optimal, Order::Lowest),
    (Algorithm::Optimal, Order::Highest),
    (Algorithm::Source, Order::Lowest),
    (Algorithm::Graphs { model: MemoryModel::Sc }, Order::Lowest),
];

/// As many execution graphs are explored at most: where threads poll and lock, many of them may be begun in vain.
const MOST_GRAPHS: u64 = 3_000;

/// Checks cases, which are compiled together; in how many explorations there were too many graphs.
///
/// # Errors
/// The first program whose outcomes are not those of brute force.
pub fn compare(clang: &Clang, cases: &[Case]) -> Result<usize, String> {
    let name = |index: usize| format!("p{index}");
    let mut text = format!(
        "{PRELUDE}#include <errno.h>\n#include <sched.h>\n#include <time.h>\nvoid __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\n"
    );
    text.push_str("void __VERIFIER_assert(int);\n");
    cases.iter().enumerate().for_each(|(index, case)| text.push_str(&emit(case, &name(index))));
    let module = load_text(clang, &text, &["-w"])?;
    let mut too_many = 0;
    for (index, case) in cases.iter().enumerate() {
        let alone = select(&module, &name(index));
        for loops in [LoopTreatment::Await, LoopTreatment::Assume] {
            for (algorithm, order) in EXPLORED {
                let about = format!("{loops:?}, {algorithm:?}, {order:?}");
                let found = reached(&alone, loops, algorithm, order, &text, &name(index))
                    .map_err(|what| format!("{what}: {about}\n{}", emit(case, "p")))?;
                let Some(found) = found else {
                    too_many += 1;
                    continue;
                };
                // An assumption says nothing of what goes on for ever.
                let stuck = if loops == LoopTreatment::Await { case.outcomes.stuck } else { found.stuck };
                let expected = Outcomes { stuck, ..case.outcomes.clone() };
                if found != expected {
                    return Err(format!("{found:?} instead of {expected:?}: {about}\n{}", emit(case, "p")));
                }
            }
        }
    }
    Ok(too_many)
}

/// What the engine finds that a program comes to; nothing if there are too many graphs.
fn reached(
    module: &Module,
    loops: LoopTreatment,
    algorithm: Algorithm,
    order: Order,
    text: &str,
    name: &str,
) -> Result<Option<Outcomes>, String> {
    let mut module = module.clone();
    let environment = Environment { unordered: Unordered::INTERLEAVED, ..environment() };
    prepare(&mut module, Preparation { loops, rounds: None, spin_rounds: None }, environment, &mut |_, _| {});
    let memory_model = ModelChoice::Explicit(MemoryModel::Sc);
    let executions = matches!(algorithm, Algorithm::Graphs { .. }).then_some(MOST_GRAPHS);
    let check = everyway_driver::Settings {
        algorithm,
        order,
        memory_model,
        after_failure: AfterFailure::GoOn,
        verification: Verification::Full,
        limits: Limits { executions, ..Limits::default() },
        ..Default::default()
    };
    let mut program = everyway_vm::Program::new(Arc::new(module), Settings::default());
    let report = everyway_driver::check(&mut program, &check, &mut NoHost);
    let mut found = Outcomes::default();
    for bug in report.bug.iter().chain(&report.further_bugs) {
        match bug.kind {
            BugKind::Deadlock | BugKind::Livelock => found.stuck = true,
            BugKind::Assertion => {
                found.ended.insert(outcome_at(bug, text, name).ok_or("an outcome that there is not")?);
            }
            _ => return Err(crate::program::explain(bug)),
        }
    }
    match report.cut.is_empty() {
        true => Ok(Some(found)),
        false if executions.is_some_and(|most| report.executions.all() >= most) => Ok(None),
        false => Err(format!("not all was explored: {:?}", report.cut)),
    }
}

/// The outcome whose line the bug is in.
fn outcome_at(bug: &Bug, text: &str, name: &str) -> Option<Outcome> {
    let line = text.lines().nth(bug.source.as_ref()?.line as usize - 1)?;
    let list = line.split_once(&format!("// {name}:"))?.1;
    list.split(' ').map(|number| number.parse().ok()).collect()
}

/// No variable holds as much.
const BASE: u64 = 64;

/// The number that stands for an outcome.
fn key(outcome: &[u8]) -> u64 {
    outcome.iter().fold(0, |key, &number| BASE * key + u64::from(number))
}

/// The program in C, whose `main` is called by `name`.
fn emit(case: &Case, name: &str) -> String {
    let threads = case.program.threads.len();
    let mut text = String::new();
    (0..VARIABLES).for_each(|variable| text.push_str(&declaration(case.storage, name, variable)));
    let mutexes = ["PTHREAD_MUTEX_INITIALIZER"; MUTEXES].join(", ");
    let _ = writeln!(text, "static pthread_mutex_t {name}_m[{MUTEXES}] = {{{mutexes}}};");
    let conditions = ["PTHREAD_COND_INITIALIZER"; MUTEXES].join(", ");
    let _ = writeln!(text, "static pthread_cond_t {name}_c[{MUTEXES}] = {{{conditions}}};");
    let _ = writeln!(text, "static int {name}_r[{threads}][{REGISTERS}];");
    for (index, body) in case.program.threads.iter().enumerate() {
        let _ = writeln!(text, "static void *{name}_t{index}(void *_) {{");
        (0..REGISTERS).for_each(|register| _ = writeln!(text, "    int r{register} = 0;"));
        body.iter().for_each(|statement| text.push_str(&of_statement(statement, name)));
        (0..REGISTERS).for_each(|register| _ = writeln!(text, "    {name}_r[{index}][{register}] = r{register};"));
        text.push_str("    return 0;\n}\n");
    }
    let _ = writeln!(text, "int {}(void) {{\n    pthread_t t[{threads}];", main_of(name));
    (0..threads).for_each(|index| _ = writeln!(text, "    pthread_create(&t[{index}], 0, {name}_t{index}, 0);"));
    (0..threads).for_each(|index| _ = writeln!(text, "    pthread_join(t[{index}], 0);"));
    let variables = (0..VARIABLES).map(|variable| format!("{name}_v{variable}"));
    let registers = (0..threads * REGISTERS).map(|at| format!("{name}_r[{}][{}]", at / REGISTERS, at % REGISTERS));
    text.push_str("    unsigned long key = 0;\n");
    variables.chain(registers).for_each(|value| _ = writeln!(text, "    key = {BASE} * key + {value};"));
    text.push_str("    switch (key) {\n");
    for outcome in &case.outcomes.ended {
        let list: Vec<String> = outcome.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "    case {}: __VERIFIER_assert(0); // {name}:{}", key(outcome), list.join(" "));
    }
    text.push_str("    default: __VERIFIER_assert(0); // none\n    }\n    return 0;\n}\n");
    text
}

/// A variable, so that its name can be used.
fn declaration(storage: Storage, name: &str, variable: usize) -> String {
    match (storage, variable) {
        (Storage::Plain, _) => format!("static int {name}_v{variable};\n"),
        (Storage::Elements, 0) => {
            format!("static _Atomic int {name}_v[{VARIABLES}];\n#define {name}_v0 {name}_v[0]\n")
        }
        (Storage::Elements, _) => format!("#define {name}_v{variable} {name}_v[{variable}]\n"),
    }
}

fn of_statement(statement: &Statement, name: &str) -> String {
    match statement {
        Statement::Act(act) => format!("    {}\n", of_act(act, name)),
        Statement::Under(under, acts) => {
            let [begin, end] = marks(*under, name);
            // Whoever waits there looks again, as it would when its time is up.
            let signal = match under {
                Under::Mutex(mutex) => format!("pthread_cond_signal(&{name}_c[{mutex}]); "),
                Under::Section | Under::Nothing => String::new(),
            };
            format!("    {begin}{}{signal}{end}\n", of_acts(acts, name))
        }
        Statement::Poll(poll) => of_poll(poll, name),
        Statement::Both(first, second, acts) => {
            let [lock, unlock] = marks(Under::Mutex(*first), name);
            let other = marks(Under::Mutex(*second), name)[1].clone();
            let tries = format!("if (pthread_mutex_trylock(&{name}_m[{second}]) == 0) break; {unlock}");
            format!("    for (;;) {{ {lock}{tries}}}\n    {}{other}{unlock}\n", of_acts(acts, name))
        }
    }
}

/// What a round of a loop is made of.
struct Parts {
    begin: String,
    end: String,
    reads: String,
    then: String,
    /// Whether to go on.
    test: String,
}

impl Parts {
    fn of(poll: &Poll, name: &str) -> Self {
        let [begin, end] = marks(poll.under, name);
        let reads: Vec<Act> = poll.reads.iter().map(|&(to, from)| Act::Load(to, from)).collect();
        let (reads, then) = (of_acts(&reads, name), of_acts(&poll.then, name));
        let relation = if poll.until.equal { "==" } else { "!=" };
        let test = format!("r{} {relation} {}", poll.until.register, poll.until.number);
        Self { begin, end, reads, then, test }
    }
}

fn of_poll(poll: &Poll, name: &str) -> String {
    let Parts { begin, end, reads, then, test } = Parts::of(poll, name);
    if let Some(most) = poll.most {
        let round = format!("{begin}{reads}int done = {test}; if (done) {{ {then}}} {end}if (done) break;");
        return match poll.style % 4 {
            0 => format!("    for (int i = 0; i < {most}; i++) {{ {round} }}\n"),
            1 => format!("    {{ int left = {most}; while (--left >= 0) {{ {round} }} }}\n"),
            2 => format!("    for (unsigned left = {most}; left; left--) {{ {round} }}\n"),
            _ => format!("    {{ int left = {most}; do {{ {round} }} while (--left); }}\n"),
        };
    }
    if let (Under::Mutex(mutex), 4..) = (poll.under, poll.style) {
        return of_poll_that_rests(poll, mutex, name);
    }
    match poll.style % 4 {
        1 => format!("    for (int on = 1; on;) {{ {begin}{reads}if ({test}) {{ {then}on = 0; }} {end}}}\n"),
        2 if poll.then.is_empty() => format!("    do {{ {begin}{reads}{end}}} while (!({test}));\n"),
        3 => {
            let round = format!("{begin}{reads}int done = {test}; if (done) {{ {then}}} {end}if (done) break;");
            format!("    while (1) {{ {round} }}\n")
        }
        _ => format!("    for (;;) {{ {begin}{reads}if ({test}) {{ {then}{end}break; }} {end}}}\n"),
    }
}

/// The mutex is held at all times but between two rounds: it is given back for a moment, or until a signal that never comes.
fn of_poll_that_rests(poll: &Poll, mutex: usize, name: &str) -> String {
    let Parts { begin, end, reads, then, test } = Parts::of(poll, name);
    let looks = format!("{reads}if ({test}) break; ");
    let wait = format!("pthread_cond_timedwait(&{name}_c[{mutex}], &{name}_m[{mutex}], &until); ");
    let between = match poll.style {
        4 => format!("{end}{begin}"),
        5 => format!("{end}sched_yield(); {begin}"),
        6 if poll.then.is_empty() => return of_poll_that_asks(poll, mutex, name),
        6 => wait,
        _ => format!("clock_gettime(CLOCK_REALTIME, &until); until.tv_sec++; {wait}"),
    };
    format!("    {{ struct timespec until = {{0}}; {begin}for (;;) {{ {looks}{between}}} {then}{end}}}\n")
}

/// As `std::condition_variable::wait_for` has it: it asks whether to go on before it waits and when it has given up, and is asked again.
fn of_poll_that_asks(poll: &Poll, mutex: usize, name: &str) -> String {
    let Parts { begin, end, reads, then, test } = Parts::of(poll, name);
    let wait = format!("pthread_cond_timedwait(&{name}_c[{mutex}], &{name}_m[{mutex}], &until)");
    format!(
        "    {begin}for (int on = 1; on;) {{ struct timespec until; clock_gettime(CLOCK_REALTIME, &until); until.tv_sec++; \
         for (;;) {{ {reads}if ({test}) {{ on = 0; break; }} if ({wait} == ETIMEDOUT) {{ {reads}on = !({test}); break; }} }} }} \
         {then}{end}\n"
    )
}

/// What begins and ends what is done under this.
fn marks(under: Under, name: &str) -> [String; 2] {
    match under {
        Under::Section => ["__VERIFIER_atomic_begin(); ", "__VERIFIER_atomic_end(); "].map(str::to_owned),
        Under::Mutex(mutex) => ["lock", "unlock"].map(|what| format!("pthread_mutex_{what}(&{name}_m[{mutex}]); ")),
        Under::Nothing => [String::new(), String::new()],
    }
}

fn of_acts(acts: &[Act], name: &str) -> String {
    acts.iter().map(|act| format!("{} ", of_act(act, name))).collect()
}

fn of_act(act: &Act, name: &str) -> String {
    match act {
        Act::Load(to, from) => format!("r{to} = {name}_v{from};"),
        Act::Store(to, number) => format!("{name}_v{to} = {number};"),
        Act::Keep(to, from) => format!("{name}_v{to} = r{from};"),
        Act::Copy(to, from) => format!("{name}_v{to} = {name}_v{from};"),
        Act::Add(to) => format!("{name}_v{to} = {name}_v{to} + 1;"),
        Act::Clear(to, register) => format!("{name}_v{to} = r{register} ? 0 : {name}_v{to};"),
    }
}
