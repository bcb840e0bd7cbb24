//! What the passes have to know, by name, about functions that are not in the program.

use crate::module::Module;
use crate::operation::{Callee, Operation};
use crate::value::Value;

/// What a function that takes a mutex for its first argument does with it, or what it does about atomic sections, of which
/// there is one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockRole {
    /// Locks it, and waits until it can.
    Locks,
    /// Unlocks it.
    Unlocks,
    /// Locks it if it can; if it cannot, changes nothing, and the result is not zero.
    Tries,
    /// Unlocks it, and waits for something, or for some time: the result is its last argument if it was only for the time, and
    /// then it changes nothing else; otherwise, it is zero.
    Rests,
    /// Begins an atomic section, and waits until it can.
    Begins,
    /// Ends an atomic section.
    Ends,
}

/// A function that waits on a condition variable, its first argument, with a mutex, its second one, which it unlocks meanwhile, until
/// it is notified or gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedWait {
    /// Which argument says when it gives up.
    pub limit: usize,
    /// The result if it does, which is 0 otherwise.
    pub gives: u32,
}

/// How a function that asks the clock says what time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// By its result.
    Gives,
    /// By what it writes to where this argument points.
    Writes(usize),
    /// It does not, but lets some time pass for its thread.
    Passes,
}

/// How a function tells that what it tried has failed, so that nothing has changed, by its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// It is zero.
    Zero,
    /// It is not zero.
    Other,
}

/// How a function that locks several mutexes is given them: by pointers to what it calls by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The mutex.
    Itself,
    /// A structure that begins with a pointer to the mutex.
    Pointer {
        /// Where it has a byte that says whether it has locked the mutex.
        owns: i64,
    },
}

/// A function that locks mutexes, in an order that does not matter, and does nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocksAll {
    /// What its arguments point to.
    pub holder: Holder,
    /// The functions that lock, try to lock, and unlock one.
    pub functions: [&'static str; 3],
}

/// A function that waits for what is at its first argument to be in a relation to its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwaitCall {
    /// The result is what it finds then.
    Load,
    /// Likewise, and its second argument takes the place of what it finds.
    Exchange,
}

/// Whether calls of a function have to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// They do not.
    Unseen,
    /// Those that are given a variable of the caller first do not: a constructor tells what is made, which its variable does, too.
    UnseenOfVariables,
    /// They do.
    Seen,
}

/// What accesses of different threads are that nothing orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Races {
    /// Failures.
    Fail,
    /// Steps like others, all of which are in one order.
    Interleave,
    /// Accesses under a memory model in which a load may miss what was stored before.
    Weak,
}

/// What races are, by how a program makes accesses that it does not call atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unordered {
    /// Of accesses that are nothing else.
    pub plain: Races,
    /// Of volatile ones.
    pub volatile: Races,
}

impl Unordered {
    /// Where the threads of a program are interleaved, and nothing else.
    pub const INTERLEAVED: Self = Self { plain: Races::Interleave, volatile: Races::Interleave };
}

/// What variables of functions hold that were not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locals {
    /// No value: a decision that depends on it is a failure.
    NoValue,
    /// Any value, if they are integers whose addresses are not taken.
    Inputs,
}

/// What is known of functions by their names, and of what is a failure.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// What data races are.
    pub unordered: Unordered,
    /// What variables hold that were not set.
    pub locals: Locals,
    /// The name of the function that is asked for an input of so many bits that no variable was set to.
    pub input_of: fn(u32) -> String,
    /// Whether calling this external function with these arguments does nothing, and gives 0: `sched_yield`.
    pub is_idle: fn(&str, &[Value]) -> bool,
    /// Whether calls of the function have to be seen, even if the program defines it.
    pub must_be_called: fn(&str) -> Called,
    /// Whether the function stops the thread if its argument is zero.
    pub is_assumption: fn(&str) -> bool,
    /// How the function waits, if it does: see [`crate::adopt_awaits`].
    pub awaits: fn(&str) -> Option<AwaitCall>,
    /// Whether an exception may leave this external function.
    pub throws: fn(&str) -> bool,
    /// How often the function looks at something before it gives up, if that often is no better than once.
    pub looks: fn(&str) -> Option<u64>,
    /// What the function does with a mutex.
    pub lock_role: fn(&str) -> Option<LockRole>,
    /// How the function waits for some time, if it does.
    pub timed_wait: fn(&str) -> Option<TimedWait>,
    /// The function that does the first part of that, which is given the mutex, the condition variable, the limit and the result for
    /// giving up; and the function that does the second, which is given the mutex, and locks it again.
    pub timed_wait_parts: [&'static str; 2],
    /// How the function asks the clock, if it does.
    pub clock: fn(&str) -> Option<Clock>,
    /// How the function tells that it has failed, if it tries something that is not about mutexes.
    pub attempt: fn(&str) -> Option<Failing>,
    /// What is called like this function and gives 0 or an error, which this one writes to `errno` and gives -1.
    pub gives_error: fn(&str) -> Option<&'static str>,
    /// The function that tells where the thread has its `errno`.
    pub errno: &'static str,
    /// Which argument of the function points to what only says until when it waits.
    pub limit: fn(&str) -> Option<usize>,
    /// Whether all that the function does is one atomic section.
    pub is_section: fn(&str) -> bool,
    /// Whether the function, if the program does not define it, touches no memory and waits for nothing: it fails, ends the execution, or gives an input.
    pub touches_nothing: fn(&str) -> bool,
    /// Whether the function does nothing but to give an input.
    pub gives_input: fn(&str) -> bool,
    /// The functions that begin and end an atomic section.
    pub section_marks: [&'static str; 2],
    /// What the function locks, if it is one that locks several mutexes.
    pub locks_all: fn(&str) -> Option<LocksAll>,
    /// Which argument of the function, a pointer to a pointer, it accesses under a lock of its own, which orders less than a mutex.
    pub guards: fn(&str) -> Option<usize>,
    /// Whether the function swaps the pointers that its two arguments point to.
    pub swaps_pointers: fn(&str) -> bool,
}

impl Environment {
    /// Nothing is known of any function, and threads are interleaved.
    pub const NOTHING: Self = Self {
        unordered: Unordered::INTERLEAVED,
        locals: Locals::NoValue,
        input_of: |bits| format!("input{bits}"),
        is_idle: |_, _| false,
        must_be_called: |_| Called::Unseen,
        is_assumption: |_| false,
        awaits: |_| None,
        throws: |_| false,
        looks: |_| None,
        lock_role: |_| None,
        timed_wait: |_| None,
        timed_wait_parts: ["rest", "relock"],
        clock: |_| None,
        attempt: |_| None,
        gives_error: |_| None,
        errno: "errno",
        limit: |_| None,
        is_section: |_| false,
        touches_nothing: |_| false,
        gives_input: |_| false,
        section_marks: ["begin", "end"],
        locks_all: |_| None,
        guards: |_| None,
        swaps_pointers: |_| false,
    };

    /// What the operation does with a mutex, or about atomic sections, if it is a call of a modelled function that does.
    pub fn lock_role_of(&self, module: &Module, operation: &Operation) -> Option<LockRole> {
        let Operation::Call { callee: Callee::Direct(id), .. } = operation else { return None };
        let function = module.function(*id);
        let is_modelled = function.body.is_none() || (self.must_be_called)(&function.name) == Called::Seen;
        (self.lock_role)(&function.name).filter(|_| is_modelled)
    }
}

/// Whether calling the function does nothing that the program can tell, here, where no time passes. It returns 0.
pub fn passes_the_time(name: &str) -> bool {
    matches!(
        name,
        "sched_yield"
            | "pthread_yield"
            | "usleep"
            | "sleep"
            | "nanosleep"
            | "clock_nanosleep"
            | "thrd_yield"
            | "thrd_sleep"
    )
}

/// Whether a call does nothing here because it only waits for a time: also one that waits for no file.
pub fn only_passes_the_time(name: &str, arguments: &[Value]) -> bool {
    let is_zero = |index: usize| matches!(arguments.get(index), Some(Value::Const { bits: 0, .. }));
    match name {
        "poll" | "ppoll" => is_zero(1),
        "select" | "pselect" => (1..4).all(is_zero),
        name => passes_the_time(name),
    }
}

/// Whether a program that names this function is written for a verifier, whose `abort` is the end of an execution that it rules
/// out.
pub fn marks_verification_task(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || name == "reach_error"
}

/// The function that says which variables of its caller there are whose sizes are known at run time only.
pub const STACK_SAVE: &str = "llvm.stacksave";
/// The function that ends the scope of those that came after that. Where it is not checked whether variables are still there, both
/// make no difference.
pub const STACK_RESTORE: &str = "llvm.stackrestore";

/// Whether the function sets something about threads, locks or streams that makes no difference here. It returns 0.
pub fn makes_no_difference(name: &str) -> bool {
    matches!(
        name,
        "pthread_attr_destroy"
            | "pthread_attr_setstacksize"
            | "pthread_attr_setscope"
            | "pthread_setname_np"
            | "pthread_setaffinity_np"
            | "pthread_setconcurrency"
            | "pthread_setcancelstate"
            | "pthread_setcanceltype"
            | "pthread_testcancel"
            | "pthread_condattr_init"
            | "pthread_condattr_destroy"
            | "pthread_condattr_setclock"
            | "pthread_condattr_setpshared"
            | "pthread_mutexattr_destroy"
            | "pthread_mutexattr_setpshared"
            | "pthread_mutexattr_setprotocol"
            | "pthread_rwlockattr_init"
            | "pthread_rwlockattr_destroy"
            | "pthread_rwlockattr_setpshared"
            | "pthread_rwlockattr_setkind_np"
            | "pthread_barrierattr_init"
            | "pthread_barrierattr_destroy"
            | "pthread_barrierattr_setpshared"
            | "setvbuf"
            | "setbuf"
            | "setlocale"
            | STACK_SAVE
            | STACK_RESTORE
    )
}
