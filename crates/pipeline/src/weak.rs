//! Programs about memory orderings as C, for comparing the way of C programs with the oracle of memory models.
//!
//! Every access has its ordering. Threads are started by a `main` that does nothing else. What has no one statement of C
//! for it - locks with orderings of their own, exchanges that wait - is not expressed.

use crate::emit::{main_of, register, value};
use everyway_oracle::program::{Arithmetic, Condition, Ordering, Place, Program, REGISTERS, Statement, Test};
use std::fmt::Write;

/// `program` as C, all its names beginning with `name`; `None` if this cannot be expressed.
pub fn emit(program: &Program, name: &str) -> Option<String> {
    let initial = program.initial.iter().map(|(location, value)| format!("[{location}] = {value}u, "));
    let (locations, initial) = (program.locations, initial.collect::<String>());
    let mut text = format!("_Atomic uint64_t {name}_x[{locations}] = {{{initial}}};\n");
    let mut main = String::new();
    for (thread, body) in program.threads.iter().enumerate() {
        let registers: Vec<String> = (0..REGISTERS).map(|register| format!("r{register} = 0")).collect();
        let registers = registers.join(", ");
        writeln!(text, "static void *{name}_t{thread}(void *argument) {{\nuint64_t {registers};").ok()?;
        for statement in body {
            text += &line(statement, name)?;
        }
        text += "return 0;\n}\n";
        writeln!(main, "pthread_t h{thread}; pthread_create(&h{thread}, 0, {name}_t{thread}, 0);").ok()?;
    }
    writeln!(text, "int {}(void) {{\n{main}pthread_exit(0);\n}}", main_of(name)).ok()?;
    Some(text)
}

fn ordering(ordering: Ordering) -> Option<&'static str> {
    Some(match ordering {
        Ordering::Plain => return None,
        Ordering::Relaxed => "memory_order_relaxed",
        Ordering::Acquire => "memory_order_acquire",
        Ordering::Release => "memory_order_release",
        Ordering::AcqRel => "memory_order_acq_rel",
        Ordering::SeqCst => "memory_order_seq_cst",
    })
}

fn test(&Test { register: at, condition }: &Test) -> Option<String> {
    let register = register(at);
    Some(match condition {
        Condition::Equals(number) => format!("{register} == {number}u"),
        Condition::Differs(number) => format!("{register} != {number}u"),
        _ => return None,
    })
}

fn line(statement: &Statement, name: &str) -> Option<String> {
    let variable = |place: &Place| place.index.is_none().then(|| format!("&{name}_x[{}]", place.base));
    let order = |place: &Place| ordering(place.ordering);
    let text = match statement {
        Statement::Load(to, place) => {
            format!("{} = atomic_load_explicit({}, {});", register(*to), variable(place)?, order(place)?)
        }
        Statement::Store(place, new) => {
            format!("atomic_store_explicit({}, {}, {});", variable(place)?, value(new), order(place)?)
        }
        Statement::Add(place, n) => {
            format!("(void)atomic_fetch_add_explicit({}, {n}u, {});", variable(place)?, order(place)?)
        }
        Statement::FetchAdd(to, place, n) => {
            let (to, place, order) = (register(*to), variable(place)?, order(place)?);
            format!("{to} = atomic_fetch_add_explicit({place}, {n}u, {order});")
        }
        Statement::Exchange(to, place, new) => {
            let (to, place, order) = (register(*to), variable(place)?, order(place)?);
            format!("{to} = atomic_exchange_explicit({place}, {}, {order});", value(new))
        }
        Statement::CompareExchange(to, place, expected, new) => {
            let (met, unmet) = (order(place)?, ordering(place.ordering_unmet)?);
            let (to, place, expected, new) = (register(*to), variable(place)?, value(expected), value(new));
            let exchange = format!("atomic_compare_exchange_strong_explicit({place}, &old, {new}, {met}, {unmet})");
            format!("{{ uint64_t old = {expected}; {to} = {exchange}; }}")
        }
        Statement::Await(to, place, condition) => {
            let load = line(&Statement::Load(*to, *place), name)?;
            format!(
                "do {{ {} }} while (!({}));",
                load.trim_end(),
                test(&Test { register: *to, condition: *condition })?
            )
        }
        Statement::Fence(order) => format!("atomic_thread_fence({});", ordering(*order)?),
        Statement::Compute(to, a, Arithmetic::Plus, b) => format!("{} = {} + {};", register(*to), value(a), value(b)),
        Statement::If(condition, body) => {
            let body: Option<String> = body.iter().map(|statement| line(statement, name)).collect();
            format!("if ({}) {{ {} }}", test(condition)?, body?)
        }
        _ => return None,
    };
    Some(text + "\n")
}
