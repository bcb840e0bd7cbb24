//! The names of the modelled functions.

use super::{
    Handler, barriers, cancellation, characters, checks, clock, containers, counters, cxx, exceptions, futex,
    generic_atomics, heap, input, jumps, keys, locks, memory, numbers, once, phased_barriers, print, process, scan,
    semaphores, sort, stack, streams, strings,
};
use super::{text, threads, types, verifier, waiting, zero};
use everyway_ir::{
    LANDING, LOOP_BOUND, STACK_RESTORE, STACK_SAVE, STRENGTHENED, UNWINDS, makes_no_difference, passes_the_time,
};

/// Whether our version of a function is taken even if the program defines one: the definitions that
/// verification tasks bring along are stubs.
pub(crate) fn takes_precedence(name: &str) -> bool {
    matches!(
        name,
        "reach_error" | "__VERIFIER_error" | "__VERIFIER_assume" | "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end"
    ) || name.starts_with("__VERIFIER_nondet_")
}

/// Whether a function returns random numbers of 31 bits.
pub(crate) fn is_random(name: &str) -> bool {
    matches!(name, "rand" | "random" | "lrand48")
}

/// What the names of functions begin with that are atomic sections as a whole.
pub(crate) const ATOMIC: &str = "__VERIFIER_atomic_";

/// How the function called `name` is modelled.
pub(crate) fn find(name: &str) -> Option<Handler> {
    // The same functions under the names that C libraries give them for large files, ISO C and so on.
    let name = name.strip_prefix("__isoc99_").or(name.strip_prefix("__isoc23_")).unwrap_or(name);
    synchronisation(name).or_else(|| c11_threads(name)).or_else(|| library(name)).or_else(|| cxx(name))
}

fn synchronisation(name: &str) -> Option<Handler> {
    Some(match name {
        "pthread_create" => threads::create,
        "pthread_join" => threads::join,
        "pthread_detach" => threads::detach,
        "__everyway_request_of" => cancellation::request_of,
        "__everyway_has_been_asked" => cancellation::has_been_asked,
        "__everyway_asynchronous_cancellation" => cancellation::asynchronous,
        "__everyway_join" => threads::join,
        "__everyway_cond_wait" => waiting::wait_until_asked,
        waiting::REST => waiting::rest,
        waiting::RELOCK => waiting::relock,
        "__everyway_cond_timedwait" => waiting::timed_wait,
        "__everyway_sem_wait" => semaphores::wait_until_asked,
        "__everyway_sem_timedwait" => semaphores::timed_wait,
        "pthread_exit" => jumps::exit_thread,
        "pthread_self" => threads::this,
        "pthread_equal" | "thrd_equal" => threads::equal,
        STACK_SAVE => stack::save,
        STACK_RESTORE => stack::restore,
        STRENGTHENED => generic_atomics::begin_strengthened,
        name if passes_the_time(name) || makes_no_difference(name) => zero,
        "pthread_attr_init" => locks::attribute_init,
        "pthread_attr_setdetachstate" => locks::attribute_set,
        "pthread_attr_getdetachstate" | "pthread_mutexattr_gettype" => locks::attribute_get,
        "pthread_attr_getstacksize" => threads::stack_size,
        name => return locks(name),
    })
}

fn locks(name: &str) -> Option<Handler> {
    Some(match name {
        "pthread_mutexattr_init" => locks::attribute_init,
        "pthread_mutexattr_settype" => locks::attribute_set,
        "pthread_mutexattr_setrobust" => locks::set_robust,
        "pthread_mutex_init" => locks::init,
        "pthread_mutex_destroy" => locks::destroy,
        "pthread_mutex_lock" => locks::lock,
        "pthread_mutex_trylock" => locks::try_lock,
        "pthread_mutex_timedlock" | "pthread_mutex_clocklock" => locks::timed_lock,
        "pthread_mutex_unlock" => locks::unlock,
        "pthread_spin_init" => locks::spin_init,
        "pthread_spin_destroy" => locks::spin_destroy,
        "pthread_spin_lock" => locks::spin_lock,
        "pthread_spin_trylock" => locks::spin_try_lock,
        "pthread_spin_unlock" => locks::spin_unlock,
        "pthread_rwlock_init" => locks::rw_init,
        "pthread_rwlock_destroy" => locks::rw_destroy,
        "pthread_rwlock_rdlock" => locks::read_lock,
        "pthread_rwlock_wrlock" => locks::write_lock,
        "pthread_rwlock_tryrdlock" => locks::try_read_lock,
        "pthread_rwlock_trywrlock" => locks::try_write_lock,
        "pthread_rwlock_timedrdlock" | "pthread_rwlock_clockrdlock" => locks::timed_read_lock,
        "pthread_rwlock_timedwrlock" | "pthread_rwlock_clockwrlock" => locks::timed_write_lock,
        "pthread_rwlock_unlock" => locks::rw_unlock,
        name => return signals(name),
    })
}

fn signals(name: &str) -> Option<Handler> {
    Some(match name {
        "pthread_cond_init" => waiting::init,
        "pthread_cond_destroy" => waiting::destroy,
        "pthread_cond_wait" => waiting::wait,
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => waiting::timed_wait,
        "pthread_cond_signal" => waiting::signal,
        "pthread_cond_broadcast" => waiting::broadcast,
        "pthread_barrier_init" => barriers::init,
        "pthread_barrier_destroy" => barriers::destroy,
        "pthread_barrier_wait" => barriers::wait,
        "__everyway_barrier_init" => phased_barriers::init,
        "__everyway_barrier_arrive" => phased_barriers::arrive,
        "__everyway_barrier_complete" => phased_barriers::complete,
        "__everyway_barrier_wait" => phased_barriers::wait,
        "__everyway_barrier_destroy" => barriers::destroy,
        "pthread_once" | "call_once" => once::once,
        "__everyway_once_begin" => once::once_begin,
        "__everyway_once_end" => once::once_end,
        "pthread_key_create" | "__pthread_key_create" => keys::create,
        "pthread_key_delete" => keys::delete,
        "pthread_setspecific" => keys::set,
        "pthread_getspecific" => keys::get,
        "sem_init" => semaphores::init,
        "sem_destroy" => semaphores::destroy,
        "sem_wait" => semaphores::wait,
        "sem_trywait" => semaphores::try_wait,
        semaphores::SEM_TRYWAIT => semaphores::attempt_at_once,
        semaphores::SEM_TIMEDWAIT | semaphores::SEM_CLOCKWAIT => semaphores::attempt_in_time,
        "sem_timedwait" | "sem_clockwait" => semaphores::timed_wait,
        "sem_post" => semaphores::post,
        "sem_getvalue" => semaphores::get,
        _ => return None,
    })
}

fn c11_threads(name: &str) -> Option<Handler> {
    Some(match name {
        "thrd_create" => threads::create_c11,
        "thrd_join" => threads::join_c11,
        "thrd_detach" => threads::detach,
        "thrd_exit" => threads::exit,
        "thrd_current" => threads::this,
        "mtx_init" => locks::init_c11,
        "mtx_destroy" => locks::destroy,
        "mtx_lock" => locks::lock,
        "mtx_trylock" => locks::try_lock_c11,
        "mtx_timedlock" => locks::timed_lock_c11,
        "mtx_unlock" => locks::unlock,
        "cnd_init" => waiting::init,
        "cnd_destroy" => waiting::destroy,
        "cnd_wait" => waiting::wait,
        "cnd_timedwait" => waiting::timed_wait_c11,
        "cnd_signal" => waiting::signal,
        "cnd_broadcast" => waiting::broadcast,
        "tss_create" => keys::create,
        "tss_delete" => keys::delete,
        "tss_set" => keys::set,
        "tss_get" => keys::get,
        _ => return None,
    })
}

fn library(name: &str) -> Option<Handler> {
    Some(match name {
        "__atomic_load" => generic_atomics::load,
        "__atomic_store" => generic_atomics::store,
        "__atomic_exchange" => generic_atomics::exchange,
        "__atomic_compare_exchange" => generic_atomics::compare_exchange,
        "__atomic_is_lock_free" => generic_atomics::is_lock_free,
        "mmap" | "mmap64" => heap::map,
        "munmap" => heap::unmap,
        "malloc" => heap::malloc,
        "calloc" => heap::calloc,
        "realloc" => heap::realloc,
        "free" => heap::free,
        "aligned_alloc" | "memalign" => heap::aligned,
        "posix_memalign" => heap::posix_memalign,
        "malloc_usable_size" => heap::usable_size,
        "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => memory::copy,
        "mempcpy" => memory::copy_and_end,
        "memset" | "__memset_chk" => memory::set,
        "bzero" => memory::clear,
        "memcmp" | "bcmp" => text::memcmp,
        "memchr" => text::memchr,
        "strlen" => text::strlen,
        "strnlen" => text::strnlen,
        "strcmp" => text::strcmp,
        "strncmp" => text::strncmp,
        "strcasecmp" => text::strcasecmp,
        "strncasecmp" => text::strncasecmp,
        "strchr" | "index" => text::strchr,
        "strrchr" | "rindex" => text::strrchr,
        "strstr" => text::strstr,
        "strspn" => text::strspn,
        "strcspn" => text::strcspn,
        "strpbrk" => text::strpbrk,
        "strcpy" | "__strcpy_chk" => strings::strcpy,
        "stpcpy" => strings::stpcpy,
        "strncpy" | "__strncpy_chk" => strings::strncpy,
        "strcat" | "__strcat_chk" => strings::strcat,
        "strncat" => strings::strncat,
        "strdup" => strings::strdup,
        "strndup" => strings::strndup,
        "strtok_r" => strings::strtok_r,
        "strerror" => strings::strerror,
        name => return arithmetic(name),
    })
}

fn arithmetic(name: &str) -> Option<Handler> {
    Some(match name {
        "atoi" => numbers::atoi,
        "atol" | "atoll" => numbers::atol,
        "atof" => numbers::atof,
        "strtol" | "strtoll" => numbers::strtol,
        "strtoul" | "strtoull" => numbers::strtoul,
        "strtod" => numbers::strtod,
        "abs" => numbers::abs,
        "labs" | "llabs" => numbers::labs,
        name if is_random(name) => numbers::rand,
        "ffs" | "ffsl" | "ffsll" => numbers::first_set,
        "rand_r" => numbers::rand_r,
        "_ZNSt13random_device9_M_getvalEv" => numbers::random_device,
        name if name.starts_with("_ZN") && name.contains("St13random_device") => zero,
        "srand" | "srandom" | "srand48" => numbers::srand,
        "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "ispunct" | "isxdigit" | "isprint"
        | "isgraph" | "iscntrl" | "isblank" => numbers::classify,
        "__ctype_b_loc" | "__ctype_toupper_loc" | "__ctype_tolower_loc" => characters::table,
        "toupper" => numbers::toupper,
        "tolower" => numbers::tolower,
        "sin" | "cos" | "tan" | "exp" | "log" | "log2" | "log10" | "sqrt" | "floor" | "ceil" | "fabs" | "round"
        | "trunc" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "cbrt" | "exp2" => numbers::function,
        "rint" | "nearbyint" => numbers::function,
        "sinf" | "cosf" | "tanf" | "expf" | "logf" | "log2f" | "log10f" | "sqrtf" | "floorf" | "ceilf" | "fabsf"
        | "roundf" | "truncf" | "cbrtf" | "rintf" => numbers::function_single,
        "lround" | "llround" | "lrint" | "llrint" => numbers::to_integer,
        "div" => numbers::div,
        "ldiv" | "lldiv" => numbers::ldiv,
        "ldexp" | "scalbn" => numbers::ldexp,
        "frexp" => numbers::frexp,
        "modf" => numbers::modf,
        "llvm.modf.f64" => numbers::modf_in_registers,
        "pow" | "atan2" | "fmod" | "hypot" | "fmin" | "fmax" => numbers::function_of_two,
        "sscanf" => scan::sscanf,
        "qsort" => sort::qsort,
        "bsearch" => sort::bsearch,
        name => return output(name),
    })
}

fn output(name: &str) -> Option<Handler> {
    Some(match name {
        "printf" => print::printf,
        "fprintf" => print::fprintf,
        "dprintf" => print::fprintf,
        "vprintf" => print::vprintf,
        "vfprintf" => print::vfprintf,
        "sprintf" => print::sprintf,
        "snprintf" => print::snprintf,
        "vsprintf" => print::vsprintf,
        "vsnprintf" => print::vsnprintf,
        "__printf_chk" => print::fprintf,
        "__fprintf_chk" => print::fprintf_checked,
        "puts" => print::puts,
        "fputs" => print::fputs,
        "putchar" | "fputc" | "putc" | "_IO_putc" => print::putchar,
        "fwrite" => print::fwrite,
        "perror" => print::perror,
        "write" | "__everyway_write" => print::write,
        "getchar" | "fgetc" | "getc" | "scanf" | "fscanf" | "vscanf" => input::end,
        "fgets" => input::no_line,
        "read" | "__everyway_read" => input::read,
        "__everyway_vfprintf" => print::vfprintf,
        "__everyway_keep" => heap::keep,
        "__everyway_no_file" => input::no_file,
        "__everyway_refuse" => input::refuse,
        "__everyway_seal" => streams::seal,
        "__everyway_unobserved" => streams::unobserved,
        "poll" | "ppoll" => input::poll,
        "select" | "pselect" => input::select,
        "getrlimit" | "getrlimit64" => input::limits,
        "fflush" | "fclose" => zero,
        name => return process(name),
    })
}

fn process(name: &str) -> Option<Handler> {
    Some(match name {
        "__assert_fail" | "__assert" => process::assert_fail,
        "llvm.ubsantrap" => checks::trap,
        "__ubsan_handle_out_of_bounds_abort" => checks::index,
        "__ubsan_handle_shift_out_of_bounds_abort" => checks::shift,
        "abort" | "llvm.trap" | "llvm.debugtrap" | "__builtin_trap" => process::abort,
        "exit" => process::exit,
        "_exit" | "_Exit" | "quick_exit" => process::exit_at_once,
        "atexit" => process::at_exit,
        "__errno_location" | "__error" => process::errno,
        "getenv" | "secure_getenv" => process::getenv,
        "getpid" | "gettid" => process::one,
        "time" => clock::time,
        "clock" => clock::used,
        "clock_gettime" | "gettimeofday" | "timespec_get" => clock::get,
        "sysconf" | "get_nprocs" | "get_nprocs_conf" => process::processors,
        "syscall" => futex::syscall,
        "llvm.x86.sse2.pause" | "llvm.aarch64.hint" => zero,
        "signal" | "sigaction" | "alarm" => process::signal,
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => jumps::set,
        "longjmp" | "_longjmp" | "siglongjmp" => jumps::jump,
        "__pthread_register_cancel" => jumps::register,
        "__pthread_unregister_cancel" => jumps::unregister,
        "__pthread_unwind_next" => jumps::next_handler,
        "reach_error" | "__VERIFIER_error" => verifier::error,
        "__VERIFIER_assert" => verifier::assert,
        "__VERIFIER_assume" => verifier::assume,
        LOOP_BOUND => verifier::loop_bound,
        "__VERIFIER_atomic_begin" => verifier::atomic_begin,
        "__VERIFIER_atomic_end" => verifier::atomic_end,
        "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool" => verifier::nondet_bool,
        name if name.starts_with("__VERIFIER_nondet_") => verifier::nondet,
        _ => return None,
    })
}

fn cxx(name: &str) -> Option<Handler> {
    Some(match name {
        "_Znwm" | "_Znam" | "_ZnwmRKSt9nothrow_t" | "_ZnamRKSt9nothrow_t" => heap::new,
        "_ZnwmSt11align_val_t" | "_ZnamSt11align_val_t" => heap::new,
        "_ZnwmSt11align_val_tRKSt9nothrow_t" | "_ZnamSt11align_val_tRKSt9nothrow_t" => heap::new,
        "__cxa_atexit" => process::cxa_at_exit,
        "__cxa_thread_atexit" => keys::at_thread_exit,
        "__cxa_guard_acquire" => once::guard_acquire,
        "__cxa_guard_release" => once::guard_release,
        "__cxa_guard_abort" => once::guard_abort,
        "__cxa_pure_virtual" => cxx::pure_virtual,
        "_ZSt9terminatev" | "__clang_call_terminate" => cxx::terminate,
        "_ZNSt6thread4joinEv" => cxx::thread_join,
        "_ZNSt6thread6detachEv" => cxx::thread_detach,
        "_ZNSt6thread20hardware_concurrencyEv" => process::processors,
        "_ZNSt6thread6_StateD2Ev" | "_ZNSt6thread6_StateD1Ev" => zero,
        "_ZNSt18condition_variableC1Ev" | "_ZNSt18condition_variableC2Ev" => waiting::init,
        "_ZNSt18condition_variableD1Ev" | "_ZNSt18condition_variableD2Ev" => waiting::destroy,
        "_ZNSt18condition_variable10notify_oneEv" => waiting::signal,
        "_ZNSt18condition_variable10notify_allEv" => waiting::broadcast,
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE" => cxx::condition_wait,
        "__dynamic_cast" => types::dynamic_cast,
        "__cxa_bad_cast" => exceptions::throw_unnamed,
        "_ZNSt13__future_base12_Result_baseC2Ev" => futex::result,
        "_ZNSt13__future_base12_Result_baseD2Ev" => zero,
        name if name.contains("19_M_futex_wait_until") || name.contains("26_M_futex_wait_until_steady") => {
            futex::wait_until
        }
        name if name.contains("19_M_futex_notify_all") => futex::notify_all,
        "__everyway_wait" => futex::atomic_wait,
        "__everyway_notify" => futex::atomic_notify,
        "__everyway_has_passed" => clock::has_passed,
        "__everyway_latch_count_down" => counters::count_down,
        "__everyway_latch_wait" => counters::wait,
        "__everyway_semaphore_release" => counters::release,
        "__everyway_semaphore_acquire" => counters::acquire,
        "__everyway_semaphore_try_acquire" => counters::try_acquire,
        // What is said to a sanitizer.
        name if name.starts_with("__tsan_mutex_") => zero,
        name => return exceptions(name),
    })
}

fn exceptions(name: &str) -> Option<Handler> {
    Some(match name {
        UNWINDS => exceptions::unwinds,
        LANDING => exceptions::landing,
        "llvm.eh.typeid.for" | "llvm.eh.typeid.for.p0" => exceptions::selector,
        "__cxa_allocate_exception" => exceptions::allocate,
        "__cxa_free_exception" => exceptions::free,
        "__cxa_init_primary_exception" => exceptions::initialise,
        "__cxa_throw" => exceptions::throw,
        "__cxa_rethrow" => exceptions::rethrow,
        "_Unwind_Resume" => exceptions::resume,
        "__cxa_begin_catch" => exceptions::begin_catch,
        "__cxa_end_catch" => exceptions::end_catch,
        "__cxa_get_exception_ptr" => exceptions::caught_object,
        "_ZSt19uncaught_exceptionsv" => exceptions::uncaught,
        "_ZSt18uncaught_exceptionv" => exceptions::is_uncaught,
        "_ZSt17current_exceptionv" => exceptions::current,
        "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE" => exceptions::rethrow_pointer,
        "_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv" => exceptions::add_reference,
        "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"
        | "_ZNSt15__exception_ptr13exception_ptrD1Ev"
        | "_ZNSt15__exception_ptr13exception_ptrD2Ev" => exceptions::drop_reference,
        "_ZNSt15__exception_ptr13exception_ptrC1ERKS0_" | "_ZNSt15__exception_ptr13exception_ptrC2ERKS0_" => {
            exceptions::copy_pointer
        }
        "_ZNSt15__exception_ptr13exception_ptrC1EPv" | "_ZNSt15__exception_ptr13exception_ptrC2EPv" => {
            exceptions::make_pointer
        }
        name => return containers(name),
    })
}

fn containers(name: &str) -> Option<Handler> {
    Some(match name {
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc" => streams::put_string,
        "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c" => streams::put_char,
        "_ZNSolsEPFRSoS_E" => streams::manipulate,
        "_ZNSolsEi" | "_ZNSolsEj" | "_ZNSolsEs" | "_ZNSolsEt" | "_ZNSolsEb" | "_ZNSolsEl" | "_ZNSolsEm"
        | "_ZNSolsEx" | "_ZNSolsEy" | "_ZNSolsEd" | "_ZNSolsEf" => streams::put_number,
        "_ZNSo5flushEv" => streams::flush,
        name if name.starts_with("_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostream")
            && name.contains("basic_string") =>
        {
            streams::put_std_string
        }
        name if name.starts_with("_ZSt29_Rb_tree_insert_and_rebalance") => containers::tree_insert,
        name if name.starts_with("_ZSt28_Rb_tree_rebalance_for_erase") => containers::tree_erase,
        name if name.starts_with("_ZSt18_Rb_tree_increment") => containers::tree_next,
        name if name.starts_with("_ZSt18_Rb_tree_decrement") => containers::tree_previous,
        name if name.starts_with("_ZNSt8__detail15_List_node_base7_M_hook") => containers::list_hook,
        name if name.starts_with("_ZNSt8__detail15_List_node_base9_M_unhook") => containers::list_unhook,
        name if name.starts_with("_ZNSt8__detail15_List_node_base11_M_transfer") => containers::list_transfer,
        name if name.starts_with("_ZNSt8__detail15_List_node_base4swap") => containers::list_swap,
        name if name.contains("_Prime_rehash_policy11_M_next_bkt") => containers::next_buckets,
        name if name.contains("_Prime_rehash_policy14_M_need_rehash") => containers::need_rehash,
        name if name.starts_with("_ZSt11_Hash_bytes") => containers::hash_bytes,
        "_ZNSt8ios_base4InitC1Ev" | "_ZNSt8ios_base4InitD1Ev" => zero,
        "_ZNSt6chrono3_V212steady_clock3nowEv" | "_ZNSt6chrono3_V212system_clock3nowEv" => clock::now,
        // The constructors and destructors of std::allocator.
        name if name.starts_with("_ZNSaI") => zero,
        name if name.starts_with("_ZNSt6thread15_M_start_thread") => cxx::start_thread,
        name if name.starts_with("_ZSt") && name.contains("__throw_") => exceptions::throw_unnamed,
        // operator delete, in all its forms: only the pointer matters.
        name if name.starts_with("_ZdlPv") || name.starts_with("_ZdaPv") => heap::delete,
        _ => return None,
    })
}
