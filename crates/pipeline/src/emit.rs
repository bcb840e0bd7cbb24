//! Programs of the tiny language as C, one visible step for one visible step.
//!
//! Thread 0 is `main`; it creates the threads that no statement spawns before it does anything else. Registers are local
//! variables, locations are globals that the compiler knows nothing about, or an array that threads are passed. One
//! source file holds many programs, each with names of its own, because starting clang takes longer than compiling.

use crate::express::{Kind, Kinds};
use crate::handles::{Family, Handle, MAIN};
use everyway_oracle::program::{
    Arithmetic, Condition, Place, Program, REGISTERS, Register, Spin, Statement, Test, Value,
};
use std::fmt::Write;

/// How a program is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Variables are `_Atomic`, and accessed through `stdatomic.h`. `main` returns.
    Atomic,
    /// Variables are plain, and accessed as such where that is possible.
    Plain,
    /// Variables are atomic, and four of them share a word.
    Narrow,
    /// Variables are plain, and local to `main`, which passes them to all threads.
    Stack,
    /// Variables are atomic, and in a large object on the heap.
    Heap,
}

impl Style {
    /// All styles.
    pub const ALL: [Style; 5] = [Style::Atomic, Style::Plain, Style::Narrow, Style::Stack, Style::Heap];
    /// The styles whose accesses survive optimisation.
    pub const ATOMIC: [Style; 3] = [Style::Atomic, Style::Narrow, Style::Heap];

    fn is_plain(self) -> bool {
        matches!(self, Style::Plain | Style::Stack)
    }

    /// Whether threads are passed the variables.
    fn is_passed(self) -> bool {
        matches!(self, Style::Stack | Style::Heap)
    }
}

/// What every file begins with.
pub const PRELUDE: &str = "\
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
void __VERIFIER_assume(int);
bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
";

/// The size of a large object, in bytes.
const LARGE: u32 = 4096;

/// The values that `__VERIFIER_nondet_int` must be tried with: a choice among three.
pub const SAMPLES: [i64; 3] = [0, 1, 2];

/// Whether the visible steps of the C program are those of `program`, one to one. Handles that others need are
/// stored in steps of their own, which conflict with nothing.
pub fn is_step_by_step(program: &Program) -> bool {
    let local =
        |family: Family| (1..program.threads.len()).all(|thread| family.handle(program, thread) == Handle::Local);
    Family::of(program).is_some_and(local)
}

/// The name of the function that takes the place of `main` for the program called `name`.
pub fn main_of(name: &str) -> String {
    format!("{name}_main")
}

/// The thread that a thread of the C program called `name` stands for, by the name of its first function.
pub(crate) fn thread_of(function: &str, name: &str) -> Option<usize> {
    match function {
        "main" => Some(MAIN),
        _ => function.strip_prefix(name)?.strip_prefix("_t")?.parse().ok(),
    }
}

/// Whether `object` is a handle that others need, in the C program called `name`.
pub(crate) fn is_handle(object: &str, name: &str) -> bool {
    object.strip_prefix(name).is_some_and(|rest| rest.starts_with("_h"))
}

/// `program` as C, all its names beginning with `name`; `None` if C cannot express it.
pub fn emit(program: &Program, name: &str, style: Style) -> Option<String> {
    let bytes = program.threads.iter().any(|body| has_bytes(body));
    let style = if bytes && style == Style::Narrow { Style::Atomic } else { style };
    let family = Family::of(program)?;
    let kinds = Kinds::of(program);
    let mut emitter = Emitter { program, name, style, bytes, family, kinds, text: String::new() };
    emitter.globals();
    for thread in 1..program.threads.len() {
        emitter.line(0, &format!("static void *{name}_t{thread}(void *);"));
    }
    for thread in 1..program.threads.len() {
        emitter.line(0, &format!("static void *{name}_t{thread}(void *argument) {{"));
        if style.is_passed() {
            emitter.line(1, &format!("{name}_v *x = argument;"));
        }
        emitter.function(thread)?;
        emitter.line(1, "return 0;");
        emitter.line(0, "}");
    }
    emitter.main()?;
    Some(emitter.text)
}

fn has_bytes(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::LoadByte(..) | Statement::StoreByte(..) => true,
        Statement::If(_, inner) | Statement::While(_, inner) => has_bytes(inner),
        _ => false,
    })
}

fn test(test: &Test) -> String {
    let register = register(test.register);
    match test.condition {
        Condition::Always => "1".to_owned(),
        Condition::Equals(number) => format!("{register} == {number}u"),
        Condition::Differs(number) => format!("{register} != {number}u"),
        Condition::AtLeast(number) => format!("{register} >= {number}u"),
        Condition::Below(number) => format!("{register} < {number}u"),
        Condition::Within { mask, low, high } => {
            format!("(({register} & {mask}u) >= {low}u && ({register} & {mask}u) <= {high}u)")
        }
        Condition::Outside { mask, low, high } => {
            format!("(({register} & {mask}u) < {low}u || ({register} & {mask}u) > {high}u)")
        }
    }
}

/// A register of the program as a variable of C.
pub(crate) fn register(register: Register) -> String {
    format!("r{}", register.0)
}

/// A value as an expression of C.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("{number}u"),
        Value::Held(held) => register(*held),
    }
}

struct Emitter<'a> {
    program: &'a Program,
    name: &'a str,
    style: Style,
    /// Whether variables are accessed in bytes, too.
    bytes: bool,
    family: Family,
    kinds: Kinds,
    text: String,
}

impl Emitter<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let indent = 4 * depth;
        writeln!(self.text, "{:indent$}{line}", "").expect("text can be appended to text");
    }

    fn globals(&mut self) {
        let (name, locations) = (self.name, self.program.locations);
        let word = match self.style {
            Style::Atomic | Style::Heap => "_Atomic uint64_t",
            Style::Plain | Style::Stack => "uint64_t",
            Style::Narrow => "_Atomic uint16_t",
        };
        let byte = if self.style.is_plain() { "uint8_t" } else { "_Atomic uint8_t" };
        let ty = if self.bytes { format!("union {{ {word} w; {byte} b[8]; }}") } else { word.to_owned() };
        self.line(0, &format!("typedef {ty} {name}_v;"));
        if !self.style.is_passed() {
            let initial = self.initial();
            self.line(0, &format!("{name}_v {name}_x[{locations}] = {initial};"));
        }
        for (kind, ty, letter) in [
            (Kind::Mutex, "pthread_mutex_t", "m"),
            (Kind::ReadWriteLock, "pthread_rwlock_t", "l"),
            (Kind::Condvar, "pthread_cond_t", "c"),
            (Kind::Semaphore, "sem_t", "s"),
        ] {
            // All zero is how all of these but the last start. An array of locks has room for all its elements.
            if self.kinds.locations(kind).next().is_some() {
                self.line(0, &format!("{ty} {name}_{letter}[{locations}];"));
            }
        }
        let threads = self.program.threads.len();
        self.line(0, &format!("pthread_t {name}_h[{threads}];"));
    }

    /// The initialiser of all variables.
    fn initial(&self) -> String {
        let of = |(location, value): &(u32, u64)| match self.kinds.at(&Place::at(*location)) {
            Kind::Variable if self.bytes => format!("[{location}] = {{{value}u}}, "),
            Kind::Variable => format!("[{location}] = {value}u, "),
            _ => String::new(),
        };
        format!("{{{}}}", self.program.initial.iter().map(of).collect::<String>())
    }

    /// Makes the variables that are passed to threads.
    fn passed(&mut self) {
        let (name, locations, initial) = (self.name, self.program.locations, self.initial());
        match self.style {
            Style::Stack => self.line(1, &format!("{name}_v x[{locations}] = {initial};")),
            Style::Heap => {
                self.line(1, &format!("static const {name}_v initially[{locations}] = {initial};"));
                self.line(1, &format!("{name}_v *x = malloc({LARGE});"));
                let member = if self.bytes { ".w" } else { "" };
                let copy = format!("atomic_init(&x[i]{member}, initially[i]{member});");
                self.line(1, &format!("for (int i = 0; i < {locations}; i++) {copy}"));
            }
            _ => {}
        }
    }

    fn main(&mut self) -> Option<()> {
        let name = self.name;
        self.line(0, &format!("int {}(void) {{", main_of(name)));
        self.passed();
        for location in self.kinds.locations(Kind::Semaphore).collect::<Vec<_>>() {
            let initial = self.program.initial.iter().rfind(|(at, _)| *at == location).map_or(0, |(_, value)| *value);
            self.line(1, &format!("sem_init(&{name}_s[{location}], 0, {initial});"));
        }
        self.function(MAIN)?;
        // To return from `main` would end the program, and with it the threads that wait.
        self.line(1, "pthread_exit(0);");
        self.line(0, "}");
        Some(())
    }

    /// The variables and statements of a thread.
    fn function(&mut self, thread: usize) -> Option<()> {
        let registers: Vec<_> = (0..REGISTERS).map(|register| format!("r{register} = 0")).collect();
        self.line(1, &format!("uint64_t {};", registers.join(", ")));
        for child in self.family.children(thread).collect::<Vec<_>>() {
            if self.family.handle(self.program, child) == Handle::Local {
                self.line(1, &format!("pthread_t h{child};"));
            }
        }
        if thread == MAIN {
            for root in self.family.roots().collect::<Vec<_>>() {
                let create = self.create(root);
                self.line(1, &create);
            }
        }
        self.body(&self.program.threads[thread], 1)
    }

    fn body(&mut self, body: &[Statement], depth: usize) -> Option<()> {
        for statement in body {
            match statement {
                Statement::If(condition, inner) | Statement::While(condition, inner) => {
                    let word = if matches!(statement, Statement::If(..)) { "if" } else { "while" };
                    self.line(depth, &format!("{word} ({}) {{", test(condition)));
                    self.body(inner, depth + 1)?;
                    self.line(depth, "}");
                }
                Statement::Spin(spin) => self.spin(spin, depth),
                _ => {
                    let text = self.memory(statement).or_else(|| self.synchronisation(statement))?;
                    self.line(depth, &text);
                }
            }
        }
        Some(())
    }

    /// A loop that goes round until a round succeeds.
    fn spin(&mut self, spin: &Spin, depth: usize) {
        if self.reads_first(spin, depth) {
            return;
        }
        self.line(depth, "for (;;) {");
        match spin {
            Spin::Reads(reads) => {
                for &(to, place, condition) in reads {
                    self.round(&Statement::Load(to, place), depth);
                    let test = test(&Test { register: to, condition });
                    self.line(depth + 1, &format!("if (!({test})) continue;"));
                }
                self.line(depth + 1, "break;");
            }
            &Spin::Exchange(to, place, new) => {
                self.round(&Statement::Exchange(to, place, Value::Number(new)), depth);
                self.line(depth + 1, &format!("if ({} != {new}u) break;", register(to)));
            }
            &Spin::CompareExchange(to, place, expected, new) => {
                let (expected, new) = (Value::Number(expected), Value::Number(new));
                self.round(&Statement::CompareExchange(to, place, expected, new), depth);
                self.line(depth + 1, &format!("if ({}) break;", register(to)));
            }
            Spin::Update(..) => {}
        }
        self.line(depth, "}");
    }

    /// A loop that begins with a value that was read before it, and reads it again: updates, and half of those that read
    /// one place. Whether it is such a one.
    fn reads_first(&mut self, spin: &Spin, depth: usize) -> bool {
        let (to, place) = match spin {
            &Spin::Update(to, place, _) => (to, place),
            Spin::Reads(reads) if reads.len() == 1 && reads[0].0.0 % 2 == 1 => (reads[0].0, reads[0].1),
            _ => return false,
        };
        let Some(load) = self.memory(&Statement::Load(to, place)) else { return false };
        match spin {
            &Spin::Update(_, _, n) => {
                let update = self.update(&self.variable(&place), n);
                let ty = if self.style == Style::Narrow { "uint16_t" } else { "uint64_t" };
                let to = register(to);
                self.line(depth, &format!("{{ {load} {ty} old = {to}; {update} {to} = old; }}"));
            }
            Spin::Reads(reads) => {
                let test = test(&Test { register: to, condition: reads[0].2 });
                self.line(depth, &format!("{load} while (!({test})) {{ {load} }}"));
            }
            _ => {}
        }
        true
    }

    /// A loop that adds to what is in `old`, until that is what it finds. Whether it is, a compare-exchange says, or what it
    /// has found.
    fn update(&self, variable: &str, n: u64) -> String {
        let found = format!("__sync_val_compare_and_swap(&{variable}, old, old + {n}u)");
        match self.style {
            Style::Plain | Style::Stack if n.is_multiple_of(2) => {
                format!("while (!__atomic_compare_exchange_n(&{variable}, &old, old + {n}u, 0, 5, 5)) ;")
            }
            Style::Plain => format!("uint64_t found; while ((found = {found}) != old) old = found;"),
            Style::Stack => format!("for (;;) {{ uint64_t found = {found}; if (found == old) break; old = found; }}"),
            _ => format!("while (!atomic_compare_exchange_strong(&{variable}, &old, old + {n}u)) ;"),
        }
    }

    /// What a round of a loop does to memory.
    fn round(&mut self, statement: &Statement, depth: usize) {
        if let Some(text) = self.memory(statement) {
            self.line(depth + 1, &text);
        }
    }

    fn create(&self, child: usize) -> String {
        let argument = if self.style.is_passed() { "x" } else { "0" };
        format!("pthread_create(&{}, 0, {}_t{child}, {argument});", self.handle(child), self.name)
    }

    fn handle(&self, thread: usize) -> String {
        match self.family.handle(self.program, thread) {
            Handle::Local => format!("h{thread}"),
            Handle::Shared => format!("{}_h[{thread}]", self.name),
        }
    }

    /// A location as an element of the array of its kind.
    fn object(&self, letter: char, place: &Place) -> String {
        let array = match letter {
            'x' if self.style.is_passed() => "x".to_owned(),
            _ => format!("{}_{letter}", self.name),
        };
        match place.index {
            None => format!("{array}[{}]", place.base),
            Some(index) => format!("{array}[{} + {}]", place.base, register(index)),
        }
    }

    fn variable(&self, place: &Place) -> String {
        self.object('x', place) + if self.bytes { ".w" } else { "" }
    }

    fn memory(&self, statement: &Statement) -> Option<String> {
        let plain = self.style.is_plain();
        let byte = |place: &Place, byte: &u8| format!("{}.b[{byte}]", self.object('x', place));
        let load = |to: &Register, from: String| match plain {
            true => format!("{} = {from};", register(*to)),
            false => format!("{} = atomic_load(&{from});", register(*to)),
        };
        let store = |to: String, new: &Value| match plain {
            true => format!("{to} = {};", value(new)),
            false => format!("atomic_store(&{to}, {});", value(new)),
        };
        let is_variable = |place: &Place| self.kinds.at(place) == Kind::Variable;
        Some(match statement {
            Statement::Load(to, place) if is_variable(place) => load(to, self.variable(place)),
            Statement::Store(place, new) if is_variable(place) => store(self.variable(place), new),
            Statement::LoadByte(to, place, number) => load(to, byte(place, number)),
            Statement::StoreByte(place, number, new) => store(byte(place, number), new),
            Statement::FetchAdd(to, place, n) => {
                let function = if plain { "__sync_fetch_and_add" } else { "atomic_fetch_add" };
                format!("{} = {function}(&{}, {n}u);", register(*to), self.variable(place))
            }
            Statement::Exchange(to, place, new) => match plain {
                true => {
                    let place = self.variable(place);
                    format!("{} = __atomic_exchange_n(&{place}, {}, __ATOMIC_SEQ_CST);", register(*to), value(new))
                }
                false => format!("{} = atomic_exchange(&{}, {});", register(*to), self.variable(place), value(new)),
            },
            Statement::Add(place, n) if is_variable(place) => {
                format!("(void)atomic_fetch_add(&{}, {n}u);", self.variable(place))
            }
            Statement::CompareExchange(to, place, expected, new) => {
                let (to, place, expected, new) = (register(*to), self.variable(place), value(expected), value(new));
                let exchange = format!("{to} = atomic_compare_exchange_strong(&{place}, &old, {new});");
                match self.style {
                    Style::Plain | Style::Stack => {
                        format!("{to} = __sync_bool_compare_and_swap(&{place}, {expected}, {new});")
                    }
                    Style::Atomic | Style::Heap => format!("{{ uint64_t old = {expected}; {exchange} }}"),
                    Style::Narrow => format!("{{ uint16_t old = {expected}; {exchange} }}"),
                }
            }
            Statement::Compute(to, a, arithmetic, b) => {
                let operator = match arithmetic {
                    Arithmetic::Plus => '+',
                    Arithmetic::Minus => '-',
                    Arithmetic::Modulo => '%',
                };
                format!("{} = {} {operator} {};", register(*to), value(a), value(b))
            }
            _ => return None,
        })
    }

    fn synchronisation(&self, statement: &Statement) -> Option<String> {
        let mutex = |place: &Place| self.object('m', place);
        let lock = |place: &Place| self.object('l', place);
        let condvar = |place: &Place| self.object('c', place);
        let semaphore = |place: &Place| self.object('s', place);
        let is_semaphore = |place: &Place| self.kinds.at(place) == Kind::Semaphore;
        Some(match statement {
            Statement::Lock(place) => format!("pthread_mutex_lock(&{});", mutex(place)),
            Statement::Unlock(place) => format!("pthread_mutex_unlock(&{});", mutex(place)),
            Statement::TryLock(to, place) => {
                format!("{} = pthread_mutex_trylock(&{}) == 0;", register(*to), mutex(place))
            }
            Statement::ReadLock(place) => format!("pthread_rwlock_rdlock(&{});", lock(place)),
            Statement::WriteLock(place) => format!("pthread_rwlock_wrlock(&{});", lock(place)),
            Statement::ReadUnlock(place) | Statement::WriteUnlock(place) => {
                format!("pthread_rwlock_unlock(&{});", lock(place))
            }
            Statement::Wait { condvar: place, mutex: held } => {
                format!("pthread_cond_wait(&{}, &{});", condvar(place), mutex(held))
            }
            Statement::NotifyOne(place) => format!("pthread_cond_signal(&{});", condvar(place)),
            Statement::NotifyAll(place) => format!("pthread_cond_broadcast(&{});", condvar(place)),
            Statement::Acquire(place) => format!("sem_wait(&{});", semaphore(place)),
            Statement::Add(place, 1) if is_semaphore(place) => format!("sem_post(&{});", semaphore(place)),
            Statement::Load(to, place) if is_semaphore(place) => {
                format!("{{ int left; sem_getvalue(&{}, &left); {} = left; }}", semaphore(place), register(*to))
            }
            Statement::Spawn(child) => self.create(*child as usize),
            Statement::Join(joined) => format!("pthread_join({}, 0);", self.handle(*joined as usize)),
            Statement::Choose(to, 2) => format!("{} = __VERIFIER_nondet_bool();", register(*to)),
            Statement::Choose(to, 3) => format!("{} = __VERIFIER_nondet_int();", register(*to)),
            Statement::Assume(condition) => format!("__VERIFIER_assume({});", test(condition)),
            _ => return None,
        })
    }
}
