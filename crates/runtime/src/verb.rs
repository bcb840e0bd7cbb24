//! The verbs of operations: a typed verb travels with each operation, so that nothing is decided by words meant for
//! people.
//!
//! Each front end has the words for them in its language.

/// What an operation does, as a programmer would name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Nothing that has a name.
    #[default]
    None,

    /// Reads memory, not atomically.
    Read,
    /// Writes memory, not atomically.
    Write,
    /// Reads atomically.
    Load,
    /// Writes atomically.
    Store,
    /// Exchanges the value for another.
    Swap,
    /// Exchanges the value if it is the expected one.
    CompareExchange,
    /// The same, and may fail spuriously.
    CompareExchangeWeak,
    /// Adds.
    FetchAdd,
    /// Subtracts.
    FetchSub,
    /// And.
    FetchAnd,
    /// Nand.
    FetchNand,
    /// Or.
    FetchOr,
    /// Exclusive or.
    FetchXor,
    /// Negates a truth value.
    FetchNot,
    /// The greater one, signed or whatever the type says.
    FetchMax,
    /// The lesser one, signed or whatever the type says.
    FetchMin,
    /// The greater one, unsigned.
    FetchMaxUnsigned,
    /// The lesser one, unsigned.
    FetchMinUnsigned,
    /// Adds floats.
    FetchAddFloat,
    /// Subtracts floats.
    FetchSubFloat,
    /// The greater float.
    FetchMaxFloat,
    /// The lesser float.
    FetchMinFloat,
    /// Counts up to the operand, then from 0 again.
    FetchIncrementWrap,
    /// Counts down to 0, then from the operand again.
    FetchDecrementWrap,
    /// Moves a pointer on by some values.
    FetchPtrAdd,
    /// Moves a pointer back by some values.
    FetchPtrSub,
    /// Moves a pointer on by some bytes.
    FetchByteAdd,
    /// Moves a pointer back by some bytes.
    FetchByteSub,
    /// Some other read-modify-write.
    FetchUpdate,
    /// A fence.
    Fence,

    /// Waits for a plain read to give what it wants.
    AwaitRead,
    /// Waits for an atomic load to give what it wants.
    AwaitLoad,
    /// Waits for a compare-exchange to succeed.
    AwaitCompareExchange,
    /// Waits for an exchange to give what it wants.
    AwaitSwap,
    /// Waits for some other read-modify-write to give what it wants.
    AwaitUpdate,
    /// Spins, and says so.
    SpinHint,
    /// Gives way.
    Yield,
    /// Sleeps.
    Sleep,
    /// Gives up unless something holds.
    Assume,
    /// Chooses among alternatives.
    Choose,
    /// Takes an input.
    Input,
    /// Takes a truth value as an input.
    InputBool,

    /// Makes an object ready.
    Init,
    /// Destroys an object.
    Destroy,
    /// Takes a lock.
    Lock,
    /// Takes a lock if it is free.
    TryLock,
    /// Takes a lock, or gives up after a time.
    TimedLock,
    /// Takes a lock again after waiting.
    Relock,
    /// Gives a lock back.
    Unlock,
    /// Takes a lock for reading.
    ReadLock,
    /// Takes a lock for reading if no writer has it.
    TryReadLock,
    /// Takes a lock for reading, or gives up after a time.
    TimedReadLock,
    /// Takes a lock for writing.
    WriteLock,
    /// Takes a lock for writing if it is free.
    TryWriteLock,
    /// Takes a lock for writing, or gives up after a time.
    TimedWriteLock,
    /// Keeps a lock that was taken for writing for reading only.
    Downgrade,
    /// Takes a spin lock.
    SpinLock,
    /// Takes a spin lock if it is free.
    SpinTryLock,
    /// Gives a spin lock back.
    SpinUnlock,
    /// Looks whether a lock is poisoned.
    IsPoisoned,
    /// Poisons a lock, as a panic unwinds past its guard.
    Poison,
    /// Takes a poisoning back.
    ClearPoison,
    /// Begins an atomic section.
    AtomicBegin,
    /// Ends an atomic section.
    AtomicEnd,

    /// Waits until memory holds something else.
    FutexWait,
    /// Wakes those that wait until memory holds something else.
    FutexWake,
    /// Waits to be notified.
    Wait,
    /// Waits to be notified, or gives up after a time.
    TimedWait,
    /// Has been notified.
    Woken,
    /// Notifies one that waits.
    NotifyOne,
    /// Notifies all that wait.
    NotifyAll,
    /// Arrives at a barrier.
    Arrive,
    /// Passes a barrier.
    Pass,
    /// Opens a barrier, for the threads that have arrived.
    OpenBarrier,
    /// Parks.
    Park,
    /// Parks, or gives up after a time.
    TimedPark,
    /// Unparks a thread.
    Unpark,

    /// Wakes a task.
    Wake,
    /// Waits to be polled again: to be woken.
    AwaitWake,
    /// Looks whether it was woken, and takes note of it.
    IsWoken,
    /// Has a task drop its future.
    Abort,
    /// Looks whether a task has ended, and wants to be woken if not.
    PollJoin,
    /// Is not interested any more in what comes of a task.
    DropJoin,
    /// Leaves the output of a task.
    Complete,
    /// Leaves a waker for others.
    Register,
    /// Takes the waker that another one left.
    TakeWaker,

    /// Takes from a semaphore.
    SemWait,
    /// Takes from a semaphore if it can.
    SemTryWait,
    /// Takes from a semaphore, or gives up after a time.
    SemTimedWait,
    /// Gives to a semaphore.
    SemPost,
    /// Looks at a semaphore.
    SemGetValue,

    /// Begins what is done once, unless it was begun.
    Once,
    /// Begins what is done once, even if it has failed before.
    OnceForce,
    /// Waits until it is done.
    OnceWait,
    /// Has done it.
    OnceDone,
    /// Begins what is done once, unless it was begun, by way of an atomic.
    CallOnce,
    /// Waits for what is done by way of an atomic.
    WaitOnce,
    /// Waits until it is done, even if it has failed before.
    OnceWaitForce,
    /// Looks whether it is done.
    OnceIsDone,
    /// Begins the initialisation of a static variable, unless it was begun.
    Guard,
    /// Waits until the variable is initialised.
    GuardWait,
    /// Has initialised the variable.
    GuardDone,
    /// Looks at what is set once.
    Get,
    /// Sets what is set once.
    Set,
    /// Looks at what is set once, and sets it if it is not.
    GetOrInit,
    /// Computes what is computed once.
    Force,
    /// The same, for changing it.
    ForceMut,
    /// The same, by dereferencing.
    Deref,

    /// Starts a thread.
    Create,
    /// Waits for the end of a thread.
    Join,
    /// Lets go of a thread.
    Detach,
    /// Looks whether a thread has ended.
    IsFinished,
    /// Ends.
    End,
    /// Leaves the scope of a variable, which ends.
    Leave,
    /// Returns from a function: its variables end.
    Return,
    /// Ends the program.
    Exit,
    /// Asks for something to be done at the end.
    AtExit,
    /// Frees memory.
    Free,
    /// Deletes an object.
    Delete,
    /// Makes an object larger or smaller.
    Realloc,

    /// Sends a message.
    Send,
    /// Sends a message if there is room.
    TrySend,
    /// Receives a message.
    Receive,
    /// Receives a message if there is one.
    TryReceive,
    /// Receives a message, or gives up after a time.
    TimedReceive,
    /// Receives the oldest message that meets a condition.
    SelectiveReceive,
    /// Waits for a message that was sent to be received: a rendezvous.
    AwaitReceiver,
    /// Is there to receive, and others can know: a rendezvous.
    ArriveToReceive,
    /// Makes room for another message.
    FreeSlot,
    /// Tells a sender that its message was received: a rendezvous.
    ReleaseSender,
    /// Adds a sender.
    CloneSender,
    /// Removes a sender.
    DropSender,
    /// Removes the receiver.
    DropReceiver,

    /// Adds an owner of something shared.
    CloneArc,
    /// Removes an owner of something shared.
    DropArc,
    /// Takes something shared from its owner, if it is the only one.
    UnwrapArc,
    /// Looks whether something shared has only one owner.
    IsUniqueArc,
    /// Looks whether nothing refers to something shared without owning it, and keeps it so.
    LockWeak,
    /// Counts the owners of something shared.
    StrongCount,
    /// Counts the weak references to something shared.
    WeakCount,
    /// Refers to something shared without owning it any more.
    DowngradeArc,
    /// Becomes an owner, if there still is one.
    UpgradeWeak,
    /// Adds a reference that does not own.
    CloneWeak,
    /// Removes a reference that does not own.
    DropWeak,
}

impl Verb {
    /// Whether it accesses memory itself, and not a lock or the like: an ordinary or atomic access, also one that waits.
    #[inline]
    pub fn is_memory_access(self) -> bool {
        use Verb::*;
        matches!(
            self,
            Read | Write
                | Load
                | Store
                | Swap
                | CompareExchange
                | CompareExchangeWeak
                | FetchAdd
                | FetchSub
                | FetchAnd
                | FetchNand
                | FetchOr
                | FetchXor
                | FetchNot
                | FetchMax
                | FetchMin
                | FetchMaxUnsigned
                | FetchMinUnsigned
                | FetchAddFloat
                | FetchSubFloat
                | FetchMaxFloat
                | FetchMinFloat
                | FetchIncrementWrap
                | FetchDecrementWrap
                | FetchPtrAdd
                | FetchPtrSub
                | FetchByteAdd
                | FetchByteSub
                | FetchUpdate
                | AwaitRead
                | AwaitLoad
                | AwaitCompareExchange
                | AwaitSwap
                | AwaitUpdate
                | FutexWait
        )
    }

    /// Whether what it accesses is an atomic, although to the program it is none: what it looks at may be older than the
    /// newest, as in memory. Of locks and the like, whoever accesses them finds the newest.
    #[inline]
    pub fn may_find_older(self) -> bool {
        use Verb::*;
        matches!(
            self,
            CallOnce
                | WaitOnce
                | OnceForce
                | OnceWaitForce
                | OnceIsDone
                | Get
                | Set
                | GetOrInit
                | Force
                | ForceMut
                | Deref
                | IsPoisoned
                | Poison
                | ClearPoison
                | IsFinished
                | UnwrapArc
                | IsUniqueArc
                | StrongCount
                | WeakCount
                | UpgradeWeak
        )
    }

    /// Whether it notifies those that wait.
    pub fn notifies(self) -> bool {
        matches!(self, Verb::NotifyOne | Verb::NotifyAll | Verb::FutexWake)
    }

    /// Whether it takes a lock, tries to, or gives it back.
    pub fn is_of_lock(self) -> bool {
        use Verb::*;
        matches!(
            self,
            Lock | TryLock
                | TimedLock
                | Relock
                | Unlock
                | ReadLock
                | TryReadLock
                | TimedReadLock
                | WriteLock
                | TryWriteLock
                | TimedWriteLock
                | Downgrade
                | SpinLock
                | SpinTryLock
                | SpinUnlock
        )
    }

    /// Whether objects end with it.
    pub fn ends_objects(self) -> bool {
        matches!(self, Verb::Free | Verb::Delete | Verb::Realloc | Verb::Leave | Verb::Return | Verb::Exit)
    }
}
