//! The functions that programs expect of their environment, as far as bmc has them: their names and arguments.

use super::sync::SyncOp;
use crate::system::POINTER_BITS;
use crate::term::{Term, Terms};
use everyway_ir::{STRENGTHENED, makes_no_difference, passes_the_time};

/// `EBUSY`, `EAGAIN` and `ETIMEDOUT` as on Linux; `thrd_busy` and `thrd_timedout`, as glibc has them.
const EBUSY: i32 = 16;
const ETIMEDOUT: i32 = 110;
const THRD_BUSY: i32 = 1;
const THRD_TIMEDOUT: i32 = 4;

/// What a function of the environment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    /// It starts a thread.
    Create(CreateShape),
    /// It waits for the end of a thread, whose result has so many bytes.
    Join(u32),
    Detach,
    /// It gives the number of the calling thread.
    This,
    /// It compares two numbers of threads.
    SameThread,
    /// It makes attributes of threads, or sets whether they are detached.
    InitAttributes,
    SetDetached,
    /// It does something to a synchronisation object.
    Sync(SyncOp),
    Nondet,
    Assume,
    Assert,
    Fail,
    /// It fails, but rules out the execution in programs for verifiers.
    Abort,
    Malloc,
    Calloc,
    Free,
    /// An atomic section begins.
    BeginSection,
    /// An atomic section ends.
    EndSection,
    /// It makes a key for values that every thread has for itself.
    CreateKey,
    SetSpecific,
    GetSpecific,
    /// The thread ends.
    ExitThread,
    /// The program ends.
    ExitProgram,
    /// It prints, from this argument on.
    Print(usize),
    /// It does nothing that matters here, and returns 0.
    Nothing,
}

/// Where a function that starts a thread has its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CreateShape {
    pub(super) attributes: Option<usize>,
    pub(super) function: usize,
    pub(super) argument: usize,
}

const PTHREAD_CREATE: CreateShape = CreateShape { attributes: Some(1), function: 2, argument: 3 };
const THRD_CREATE: CreateShape = CreateShape { attributes: None, function: 1, argument: 2 };

/// What the function with this name does, if it is modelled.
pub(super) fn known(name: &str) -> Option<Builtin> {
    Some(match name {
        "pthread_create" => Builtin::Create(PTHREAD_CREATE),
        "thrd_create" => Builtin::Create(THRD_CREATE),
        "pthread_join" => Builtin::Join(8),
        "thrd_join" => Builtin::Join(4),
        "pthread_detach" | "thrd_detach" => Builtin::Detach,
        "pthread_self" | "thrd_current" => Builtin::This,
        "pthread_equal" | "thrd_equal" => Builtin::SameThread,
        "pthread_attr_init" => Builtin::InitAttributes,
        "pthread_attr_setdetachstate" => Builtin::SetDetached,
        "pthread_exit" | "thrd_exit" => Builtin::ExitThread,
        "exit" | "_exit" | "_Exit" => Builtin::ExitProgram,
        "printf" | "puts" | "putchar" => Builtin::Print(0),
        "fprintf" | "fflush" => Builtin::Print(1),
        "fputs" => Builtin::Print(0),
        "__VERIFIER_assume" => Builtin::Assume,
        "__VERIFIER_assert" => Builtin::Assert,
        "__VERIFIER_atomic_begin" | STRENGTHENED => Builtin::BeginSection,
        "__VERIFIER_atomic_end" => Builtin::EndSection,
        "__assert_fail" | "__assert" | "reach_error" | "__VERIFIER_error" => Builtin::Fail,
        "abort" | "llvm.trap" => Builtin::Abort,
        // A check that clang has put there.
        "llvm.ubsantrap" | "__ubsan_handle_out_of_bounds_abort" | "__ubsan_handle_shift_out_of_bounds_abort" => {
            Builtin::Fail
        }
        "free" => Builtin::Free,
        "malloc" => Builtin::Malloc,
        "calloc" => Builtin::Calloc,
        "pthread_key_create" | "tss_create" => Builtin::CreateKey,
        "pthread_setspecific" | "tss_set" => Builtin::SetSpecific,
        "pthread_getspecific" | "tss_get" => Builtin::GetSpecific,
        name if name.starts_with("__VERIFIER_nondet_") => Builtin::Nondet,
        // No destructor runs when a key is deleted.
        "pthread_key_delete" | "tss_delete" => Builtin::Nothing,
        name if passes_the_time(name) || makes_no_difference(name) => Builtin::Nothing,
        name => Builtin::Sync(synchronisation(name)?),
    })
}

fn synchronisation(name: &str) -> Option<SyncOp> {
    Some(match name {
        "pthread_mutex_lock" | "mtx_lock" | "pthread_spin_lock" => SyncOp::Lock,
        "pthread_mutex_trylock" | "pthread_spin_trylock" => SyncOp::TryLock(EBUSY),
        "pthread_mutex_timedlock" => SyncOp::TryLock(ETIMEDOUT),
        "mtx_trylock" => SyncOp::TryLock(THRD_BUSY),
        "mtx_timedlock" => SyncOp::TryLock(THRD_TIMEDOUT),
        "pthread_mutex_unlock" | "mtx_unlock" | "pthread_spin_unlock" => SyncOp::Unlock,
        "pthread_mutex_init" => SyncOp::InitMutex,
        "mtx_init" | "pthread_spin_init" | "pthread_rwlock_init" | "pthread_cond_init" | "cnd_init" => SyncOp::Init,
        "pthread_mutex_destroy"
        | "mtx_destroy"
        | "pthread_spin_destroy"
        | "pthread_rwlock_destroy"
        | "pthread_cond_destroy"
        | "cnd_destroy" => SyncOp::DestroyIdle,
        "sem_destroy" | "pthread_barrier_destroy" => SyncOp::Destroy,
        "pthread_rwlock_rdlock" => SyncOp::ReadLock,
        "pthread_rwlock_wrlock" => SyncOp::WriteLock,
        "pthread_rwlock_tryrdlock" => SyncOp::TryReadLock(EBUSY),
        "pthread_rwlock_trywrlock" => SyncOp::TryWriteLock(EBUSY),
        "pthread_rwlock_timedrdlock" => SyncOp::TryReadLock(ETIMEDOUT),
        "pthread_rwlock_timedwrlock" => SyncOp::TryWriteLock(ETIMEDOUT),
        "pthread_rwlock_unlock" => SyncOp::UnlockRw,
        "sem_init" => SyncOp::InitSemaphore,
        "sem_wait" => SyncOp::Take,
        "sem_trywait" | "sem_timedwait" => SyncOp::TryTake,
        "sem_post" => SyncOp::Give,
        "sem_getvalue" => SyncOp::Count,
        "pthread_cond_wait" | "cnd_wait" => SyncOp::Wait,
        "pthread_cond_timedwait" => SyncOp::TimedWait(ETIMEDOUT),
        "cnd_timedwait" => SyncOp::TimedWait(THRD_TIMEDOUT),
        "pthread_cond_signal" | "cnd_signal" => SyncOp::Signal,
        "pthread_cond_broadcast" | "cnd_broadcast" => SyncOp::Broadcast,
        "pthread_barrier_init" => SyncOp::InitBarrier,
        "pthread_barrier_wait" => SyncOp::Arrive,
        _ => return None,
    })
}

/// Whether our version of a function is taken even if the program defines one.
pub(super) fn takes_precedence(name: &str) -> bool {
    matches!(
        name,
        "reach_error" | "__VERIFIER_error" | "__VERIFIER_assume" | "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end"
    ) || name.starts_with("__VERIFIER_nondet_")
}

/// Whether a function that the program defines is an atomic section as a whole.
pub(super) fn is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && !takes_precedence(name)
}

/// What an argument has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wants {
    Pointer,
    Number,
}

impl Builtin {
    /// Whether a call has the arguments that the function needs; programs without prototypes may not.
    pub(super) fn accepts(self, terms: &Terms, arguments: &[Term]) -> bool {
        let fits = |(wants, argument): (&Wants, &Term)| match wants {
            Wants::Pointer => terms.width(*argument) == POINTER_BITS,
            Wants::Number => terms.width(*argument) <= POINTER_BITS,
        };
        let wanted = self.wants();
        arguments.len() >= wanted.len() && wanted.iter().zip(arguments).all(fits)
    }

    fn wants(self) -> &'static [Wants] {
        use Wants::{Number, Pointer};
        match self {
            Builtin::Create(shape) if shape == PTHREAD_CREATE => &[Pointer, Pointer, Pointer, Pointer],
            Builtin::Create(_) => &[Pointer, Pointer, Pointer],
            Builtin::Join(_) => &[Number, Pointer],
            Builtin::SameThread => &[Number, Number],
            Builtin::Calloc => &[Number, Number],
            Builtin::Detach | Builtin::Malloc => &[Number],
            Builtin::Free | Builtin::InitAttributes => &[Pointer],
            Builtin::SetDetached => &[Pointer, Number],
            Builtin::CreateKey => &[Pointer, Pointer],
            Builtin::SetSpecific => &[Number, Pointer],
            Builtin::Assume | Builtin::Assert | Builtin::ExitProgram | Builtin::GetSpecific => &[Number],
            Builtin::Sync(op) => match op {
                SyncOp::InitMutex | SyncOp::Wait | SyncOp::TimedWait(_) | SyncOp::Count => &[Pointer, Pointer],
                SyncOp::InitSemaphore | SyncOp::InitBarrier => &[Pointer, Number, Number],
                _ => &[Pointer],
            },
            _ => &[],
        }
    }
}
