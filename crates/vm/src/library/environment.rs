//! What the passes that prepare a program are told of functions, by their names.

use super::errno::ETIMEDOUT;
use super::locks::THRD_TIMEDOUT;
use super::names::{ATOMIC, takes_precedence};
use super::semaphores::{SEM_CLOCKWAIT, SEM_TIMEDWAIT, SEM_TRYWAIT};
use super::waiting::{RELOCK, REST};
use everyway_ir::{
    AwaitCall, Called, Clock, Environment, Failing, Holder, Locals, LockRole, LocksAll, Races, STRENGTHENED, TimedWait,
    Unordered, only_passes_the_time,
};

/// What the passes that prepare a program need to know of the functions that are modelled. Nothing is known of data races unless
/// the caller says it.
pub fn environment() -> Environment {
    Environment {
        unordered: Unordered { plain: Races::Weak, volatile: Races::Weak },
        locals: Locals::NoValue,
        input_of: |bits| format!("__VERIFIER_nondet_i{bits}_that_was_not_set"),
        is_idle: only_passes_the_time,
        must_be_called: |name| match name {
            name if takes_precedence(name) => Called::Seen,
            name if is_constructor(name) => Called::UnseenOfVariables,
            _ => Called::Unseen,
        },
        is_assumption: |name| name == "__VERIFIER_assume",
        awaits,
        throws,
        looks: |name| name.starts_with("_ZNSt8__detail13__atomic_spin").then_some(ATOMIC_SPIN_COUNT),
        lock_role,
        timed_wait,
        timed_wait_parts: [REST, RELOCK],
        clock,
        attempt,
        gives_error,
        errno: "__errno_location",
        limit,
        is_section: |name| name.starts_with(ATOMIC) && !takes_precedence(name),
        touches_nothing,
        gives_input,
        section_marks: ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"],
        locks_all,
        guards,
        swaps_pointers: |name| name.starts_with("_ZSt4swapIP"),
    }
}

/// `std::atomic<std::shared_ptr<T>>`, and the same of weak pointers, in libstdc++: a pointer, and one to the counts whose lowest
/// bit is a lock.
fn guards(name: &str) -> Option<usize> {
    let member = name.strip_prefix("_ZNSt10_Sp_atomicI").or_else(|| name.strip_prefix("_ZNKSt10_Sp_atomicI"))?;
    // The first argument of what returns a pointer says where to.
    let position = if member.contains("E4loadESt12memory_order") { 1 } else { 0 };
    let members = ["E4loadESt12memory_order", "E4swapER", "E23compare_exchange_strongER", "E4waitE"];
    members.iter().any(|known| member.contains(known)).then_some(position)
}

/// The functions of verification tasks that touch no memory, and what an assertion that fails calls.
fn touches_nothing(name: &str) -> bool {
    matches!(
        name,
        "reach_error" | "__VERIFIER_error" | "__VERIFIER_assert" | "__VERIFIER_assume" | "__assert_fail" | "abort"
    ) || gives_input(name)
}

/// The functions of verification tasks that give an input, whatever they gave before. (`rand` is none of them: it may give the
/// numbers of a sequence, and the next one may be what ends a loop.)
fn gives_input(name: &str) -> bool {
    name.strip_prefix("__VERIFIER_nondet_").is_some_and(|ty| ty != "memory")
}

/// The functions of the tool of FMCAD 2022 that wait, for values of any type.
fn awaits(name: &str) -> Option<AwaitCall> {
    match name.strip_prefix("__VERIFIER_")? {
        rest if rest.starts_with("load_await_") => Some(AwaitCall::Load),
        rest if rest.starts_with("xchg_await_") => Some(AwaitCall::Exchange),
        _ => None,
    }
}

/// `std::lock`, of mutexes or of locks of one type, by the name that libstdc++ gives it; and `std::mutex::lock`, which would
/// throw an exception if its mutex were of another kind than it is.
fn locks_all(name: &str) -> Option<LocksAll> {
    // The second type and those that follow are written as the first one again.
    const MUTEXES: [&str; 2] = ["_ZSt4lockISt5mutexS0_J", "S0_"];
    const LOCKS: [&str; 2] = ["_ZSt4lockISt11unique_lockISt5mutexES2_J", "S2_"];
    let is = |[first, again]: [&str; 2]| {
        let rest = name.strip_prefix(first).and_then(|rest| rest.strip_suffix("EEvRT_RT0_DpRT1_"));
        rest.is_some_and(|others| others.replace(again, "").is_empty())
    };
    let holder = match (is(MUTEXES) || name == "_ZNSt5mutex4lockEv", is(LOCKS)) {
        (true, _) => Holder::Itself,
        (_, true) => Holder::Pointer { owns: 8 },
        _ => return None,
    };
    Some(LocksAll { holder, functions: ["pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_unlock"] })
}

/// `std::__detail::__atomic_spin_count` of libstdc++: how often `std::atomic::wait` looks before it waits.
const ATOMIC_SPIN_COUNT: u64 = 16;

/// What a function does with the mutex that it is given.
fn lock_role(name: &str) -> Option<LockRole> {
    match name {
        "pthread_mutex_lock" | "mtx_lock" | RELOCK => Some(LockRole::Locks),
        "pthread_mutex_unlock" | "mtx_unlock" => Some(LockRole::Unlocks),
        "pthread_mutex_trylock"
        | "mtx_trylock"
        | "pthread_mutex_timedlock"
        | "pthread_mutex_clocklock"
        | "mtx_timedlock" => Some(LockRole::Tries),
        REST => Some(LockRole::Rests),
        "__VERIFIER_atomic_begin" | STRENGTHENED => Some(LockRole::Begins),
        "__VERIFIER_atomic_end" => Some(LockRole::Ends),
        _ => None,
    }
}

/// Functions that wait on a condition variable for some time.
fn timed_wait(name: &str) -> Option<TimedWait> {
    match name {
        "pthread_cond_timedwait" => Some(TimedWait { limit: 2, gives: ETIMEDOUT as u32 }),
        "pthread_cond_clockwait" => Some(TimedWait { limit: 3, gives: ETIMEDOUT as u32 }),
        "cnd_timedwait" => Some(TimedWait { limit: 2, gives: THRD_TIMEDOUT as u32 }),
        _ => None,
    }
}

/// How a function asks the clock.
fn clock(name: &str) -> Option<Clock> {
    match name {
        "clock_gettime" => Some(Clock::Writes(1)),
        "gettimeofday" | "timespec_get" => Some(Clock::Writes(0)),
        "_ZNSt6chrono3_V212steady_clock3nowEv" | "_ZNSt6chrono3_V212system_clock3nowEv" => Some(Clock::Gives),
        "__everyway_has_passed" => Some(Clock::Passes),
        _ => None,
    }
}

/// Attempts at something else than a mutex.
fn attempt(name: &str) -> Option<Failing> {
    match name {
        "__everyway_semaphore_try_acquire" => Some(Failing::Zero),
        "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_trywrlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_timedwrlock"
        | "pthread_rwlock_clockrdlock"
        | "pthread_rwlock_clockwrlock"
        | SEM_TRYWAIT
        | SEM_TIMEDWAIT
        | SEM_CLOCKWAIT => Some(Failing::Other),
        _ => None,
    }
}

/// What gives the error that a function writes to `errno`.
fn gives_error(name: &str) -> Option<&'static str> {
    match name {
        "sem_trywait" => Some(SEM_TRYWAIT),
        "sem_timedwait" => Some(SEM_TIMEDWAIT),
        "sem_clockwait" => Some(SEM_CLOCKWAIT),
        _ => None,
    }
}

/// Where a function that waits for some time is told until when.
fn limit(name: &str) -> Option<usize> {
    match name {
        "pthread_mutex_timedlock"
        | "mtx_timedlock"
        | "sem_timedwait"
        | SEM_TIMEDWAIT
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_timedwrlock" => Some(1),
        "pthread_mutex_clocklock"
        | "sem_clockwait"
        | SEM_CLOCKWAIT
        | "pthread_rwlock_clockrdlock"
        | "pthread_rwlock_clockwrlock"
        | REST => Some(2),
        name => timed_wait(name).map(|wait| wait.limit),
    }
}

/// Whether a function is a constructor of a C++ class, by which reports know what an object is.
fn is_constructor(name: &str) -> bool {
    // A lock that is held as long as its variable lives is called by what it locks.
    let guards = ["_ZNSt10lock_guardI", "_ZNSt11unique_lockI", "_ZNSt11scoped_lockI", "_ZNSt11shared_lockI"];
    name.starts_with("_ZN")
        && !guards.iter().any(|guard| name.starts_with(guard))
        && ["C1E", "C2E", "C1I", "C2I"].iter().any(|mark| name.contains(mark))
}

/// Whether an exception may leave a function that is not in the program.
fn throws(name: &str) -> bool {
    matches!(name, "__cxa_throw" | "__cxa_rethrow" | "_Unwind_Resume" | "__cxa_bad_cast")
        || name.starts_with("_ZSt17rethrow_exception")
        || name.starts_with("_ZSt") && name.contains("__throw_")
}
