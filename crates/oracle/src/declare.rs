//! What the engine is told of a statement before it is carried out: its operation.

use crate::program::{Condition, Inbox, Place, Register, Statement, Value, WRITER};
use everyway_runtime::{Access, Bytes, Effect, Location, Message, Operation, Then, ThreadId, Verb};

fn plus(value: u64, n: u64) -> u64 {
    value.wrapping_add(n)
}

fn less(value: u64, n: u64) -> u64 {
    value.saturating_sub(n)
}

fn none(_: u64, _: u64) -> u64 {
    0
}

fn second(_: u64, new: u64) -> u64 {
    new
}

/// The same access to one byte.
fn part(access: Access, byte: u8) -> Access {
    Access { bytes: Bytes(1 << byte), ..access }
}

/// The same access with more to come if its condition is met.
fn and_then(access: Access) -> Access {
    Access { holds: Then::Next, ..access }
}

/// What an operation's shape depends on besides the statement: the thread's own state.
pub(crate) trait Context {
    /// The location that a place stands for.
    fn location(&self, place: &Place) -> u32;
    /// What a value stands for.
    fn value(&self, value: &Value) -> u64;
    /// How many times threads have received, or tried to, from a queue.
    fn receives(&self, queue: u32) -> u32;
    /// The thread's next message.
    fn next_message(&self) -> Message;
    /// The location by which the thread learns that it was woken.
    fn token(&self) -> u32;
}

/// The operation of the second step of a wait.
pub(crate) fn woken(context: &impl Context) -> Operation {
    let token = Location(context.token());
    Operation::new([Access::new(token, Effect::Read).once(Condition::Equals(1))]).named(Verb::Woken)
}

/// The operation of a visible statement; `None` for a local one.
pub(crate) fn operation(statement: &Statement, context: &impl Context) -> Option<Operation> {
    match statement {
        Statement::Join(thread) => Some(Operation::join(ThreadId(*thread))),
        Statement::Choose(..) => Some(Operation::local()),
        Statement::Fence(ordering) => Some(Operation::fence(*ordering)),
        _ => {
            let one = || one_access(statement, context).map(|access| Operation::new([access]));
            several_accesses(statement, context).or_else(one).map(|operation| operation.named(verb(statement)))
        }
    }
}

/// What the engine has to tell apart from an access to memory. Locks are memory here, with the orderings that they are
/// given.
fn verb(statement: &Statement) -> Verb {
    match statement {
        Statement::Wait { .. } => Verb::Wait,
        Statement::NotifyOne(_) => Verb::NotifyOne,
        Statement::NotifyAll(_) => Verb::NotifyAll,
        _ => Verb::None,
    }
}

fn at(context: &impl Context, place: &Place, effect: Effect) -> Access {
    let access = Access::new(Location(context.location(place)), effect);
    Access { ordering: place.ordering, ordering_unmet: place.ordering_unmet, ..access }
}

/// A receive finds something.
const FOUND: Condition = Condition::Differs(0);

fn receive(context: &impl Context, inbox: &Inbox) -> Access {
    at(context, &inbox.queue, Effect::Receive(context.receives(context.location(&inbox.queue))))
}

fn one_access(statement: &Statement, context: &impl Context) -> Option<Access> {
    let at = |place, effect| at(context, place, effect);
    Some(match statement {
        Statement::Load(_, place) => at(place, Effect::Read),
        Statement::Store(place, value) => at(place, Effect::Store(context.value(value))),
        Statement::LoadByte(_, place, byte) => part(at(place, Effect::Read), *byte),
        Statement::StoreByte(place, byte, value) => part(at(place, Effect::Store(context.value(value))), *byte),
        Statement::Add(place, n) => at(place, Effect::Add(*n)),
        Statement::FetchAdd(_, place, n) => at(place, Effect::Modify(plus, *n)),
        Statement::CompareExchange(_, place, expected, new) => {
            at(place, Effect::Write(context.value(new))).if_now(Condition::Equals(context.value(expected)))
        }
        // An exchange knows the old value, as a store does not, but conflicts with the same accesses.
        Statement::Exchange(_, place, new) => at(place, Effect::Modify(second, context.value(new))),
        Statement::Await(_, place, condition) => at(place, Effect::Read).once(*condition),
        Statement::AwaitExchange(_, place, condition, new) => {
            at(place, Effect::Modify(second, context.value(new))).once(*condition)
        }
        Statement::AwaitByte(_, place, byte, condition) => part(at(place, Effect::Read), *byte).once(*condition),
        Statement::Lock(mutex) => at(mutex, Effect::Write(1)).once(Condition::Equals(0)),
        Statement::TryLock(_, mutex) => at(mutex, Effect::Write(1)).if_now(Condition::Equals(0)),
        Statement::Unlock(lock) | Statement::WriteUnlock(lock) => at(lock, Effect::Write(0)),
        Statement::ReadLock(lock) => at(lock, Effect::Add(1)).once(Condition::Below(WRITER)),
        Statement::ReadUnlock(lock) => at(lock, Effect::Add(u64::MAX)),
        Statement::WriteLock(lock) => at(lock, Effect::Write(WRITER)).once(Condition::Equals(0)),
        // Not an add: acquisitions can disable each other, so that they do not commute.
        Statement::Acquire(semaphore) => at(semaphore, Effect::Modify(less, 1)).once(Condition::AtLeast(1)),
        Statement::NotifyOne(condvar) => at(condvar, Effect::Modify(less, 1)),
        Statement::NotifyAll(condvar) => at(condvar, Effect::Modify(none, 0)),
        Statement::Send(queue, _) => at(queue, Effect::Send(context.next_message())),
        Statement::Receive(_, inbox) => receive(context, inbox).once(FOUND),
        Statement::TryReceive(_, inbox) => receive(context, inbox).if_now(FOUND),
        _ => return None,
    })
}

fn several_accesses(statement: &Statement, context: &impl Context) -> Option<Operation> {
    let at = |place, effect| at(context, place, effect);
    Some(match statement {
        Statement::Wait { condvar, mutex } => {
            let token = Access::new(Location(context.token()), Effect::Write(0));
            Operation::new([at(mutex, Effect::Write(0)), at(condvar, Effect::Modify(plus, 1)), token])
        }
        Statement::ReceiveUnlessClosed(_, inbox, senders) => {
            let closed = at(senders, Effect::Read).once(Condition::Equals(0));
            Operation::new([receive(context, inbox).or_else(FOUND), closed])
        }
        Statement::TryReceiveUnlessClosed(_, inbox, senders) => {
            Operation::new([receive(context, inbox).or_else(FOUND), at(senders, Effect::Read)])
        }
        Statement::SendBounded(queue, slots, _) => {
            let slot = and_then(at(slots, Effect::Modify(less, 1)).once(Condition::AtLeast(1)));
            Operation::new([slot, at(queue, Effect::Send(context.next_message()))])
        }
        Statement::ReceiveBounded(_, inbox, slots) => {
            Operation::new([and_then(receive(context, inbox).once(FOUND)), at(slots, Effect::Add(1))])
        }
        Statement::Free(places) => Operation::new(places.iter().map(|place| at(place, Effect::End))),
        Statement::AwaitChange(reads) => {
            let differs = |known: &Register| Condition::Differs(context.value(&Value::Held(*known)));
            let looks = reads.iter().map(|(known, place)| at(place, Effect::Read).or_else(differs(known)));
            let mut operation = Operation::new(looks);
            let last = operation.accesses.last_mut()?;
            *last = last.once(last.when);
            operation
        }
        _ => return None,
    })
}
