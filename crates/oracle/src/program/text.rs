//! The text form of programs, for messages.

use super::{Arithmetic, Condition, Inbox, Ordering, Place, Program, Register, Spin, Statement, Test, Value};
use std::fmt;

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Held(register) => register.fmt(f),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "x{}", self.base)?,
            Some(register) => write!(f, "x[{} + {register}]", self.base)?,
        }
        match (self.ordering, self.ordering_unmet) {
            (Ordering::SeqCst, Ordering::SeqCst) => Ok(()),
            (ordering, unmet) if ordering == unmet => write!(f, " ({ordering})"),
            (ordering, unmet) => write!(f, " ({ordering}, else {unmet})"),
        }
    }
}

struct Shown(Condition);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Condition::Always => write!(f, "is anything"),
            Condition::Equals(v) => write!(f, "= {v}"),
            Condition::Differs(v) => write!(f, "!= {v}"),
            Condition::AtLeast(v) => write!(f, ">= {v}"),
            Condition::Below(v) => write!(f, "< {v}"),
            Condition::Within { mask, low, high } => write!(f, "& {mask} in {low}..={high}"),
            Condition::Outside { mask, low, high } => write!(f, "& {mask} not in {low}..={high}"),
        }
    }
}

impl fmt::Display for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.matching {
            Condition::Always => self.queue.fmt(f),
            matching => write!(f, "{} message {}", self.queue, Shown(matching)),
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.register, Shown(self.condition))
    }
}

impl Statement {
    fn write(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        write!(f, "{:indent$}", "")?;
        match self {
            Statement::If(test, body) | Statement::While(test, body) => {
                let word = if matches!(self, Statement::If(..)) { "if" } else { "while" };
                writeln!(f, "{word} {test}:")?;
                body.iter().try_for_each(|statement| statement.write(f, indent + 2))
            }
            _ => writeln!(f, "{}", self.line()),
        }
    }

    fn line(&self) -> String {
        match self {
            Statement::Load(to, place) => format!("{to} = {place}"),
            Statement::Store(place, value) => format!("{place} = {value}"),
            Statement::LoadByte(to, place, byte) => format!("{to} = byte {byte} of {place}"),
            Statement::StoreByte(place, byte, value) => format!("byte {byte} of {place} = {value}"),
            Statement::Add(place, n) => format!("{place} += {}", *n as i64),
            Statement::FetchAdd(to, place, n) => format!("{to} = fetch-add {place}, {}", *n as i64),
            Statement::CompareExchange(to, place, expected, new) => {
                format!("{to} = compare-exchange {place}, {expected} -> {new}")
            }
            Statement::Exchange(to, place, new) => format!("{to} = exchange {place}, {new}"),
            Statement::Await(to, place, condition) => format!("{to} = await {place} {}", Shown(*condition)),
            Statement::AwaitExchange(to, place, condition, new) => {
                format!("{to} = exchange {place}, {new} once it is {}", Shown(*condition))
            }
            Statement::AwaitChange(reads) => {
                let changes = reads.iter().map(|(known, place)| format!("{place} != {known}"));
                format!("await {}", changes.collect::<Vec<_>>().join(" or "))
            }
            Statement::AwaitByte(to, place, byte, condition) => {
                format!("{to} = await byte {byte} of {place} {}", Shown(*condition))
            }
            Statement::Spin(spin) => spin.line(),
            Statement::Free(places) => {
                let places = places.iter().map(|place| place.to_string());
                format!("free {}", places.collect::<Vec<_>>().join(", "))
            }
            Statement::Fence(ordering) => format!("fence {ordering}"),
            Statement::Spawn(thread) => format!("spawn t{thread}"),
            Statement::Join(thread) => format!("join t{thread}"),
            Statement::Choose(to, among) => format!("{to} = any below {among}"),
            Statement::Compute(to, a, Arithmetic::Plus, b) => format!("{to} = {a} + {b}"),
            Statement::Compute(to, a, Arithmetic::Minus, b) => format!("{to} = {a} - {b}"),
            Statement::Compute(to, a, Arithmetic::Modulo, b) => format!("{to} = {a} % {b}"),
            Statement::Assume(test) => format!("assume {test}"),
            _ => self.synchronisation(),
        }
    }

    fn synchronisation(&self) -> String {
        match self {
            Statement::Lock(mutex) => format!("lock {mutex}"),
            Statement::Unlock(mutex) => format!("unlock {mutex}"),
            Statement::TryLock(to, mutex) => format!("{to} = trylock {mutex}"),
            Statement::ReadLock(lock) => format!("read-lock {lock}"),
            Statement::ReadUnlock(lock) => format!("read-unlock {lock}"),
            Statement::WriteLock(lock) => format!("write-lock {lock}"),
            Statement::WriteUnlock(lock) => format!("write-unlock {lock}"),
            Statement::Acquire(semaphore) => format!("acquire {semaphore}"),
            Statement::Wait { condvar, mutex } => format!("wait {condvar} with {mutex}"),
            Statement::NotifyOne(condvar) => format!("notify-one {condvar}"),
            Statement::NotifyAll(condvar) => format!("notify-all {condvar}"),
            Statement::Send(queue, value) => format!("send {queue}, {value}"),
            Statement::Receive(to, queue) => format!("{to} = receive {queue}"),
            Statement::TryReceive(to, queue) => format!("{to} = try-receive {queue}"),
            Statement::ReceiveUnlessClosed(to, queue, senders) => {
                format!("{to} = receive {queue} unless {senders} = 0")
            }
            Statement::TryReceiveUnlessClosed(to, queue, senders) => {
                format!("{to} = try-receive {queue} unless {senders} = 0")
            }
            Statement::SendBounded(queue, slots, value) => format!("send {queue}, {value} with a slot of {slots}"),
            Statement::ReceiveBounded(to, queue, slots) => format!("{to} = receive {queue} with a slot of {slots}"),
            _ => format!("{self:?}"),
        }
    }
}

impl Spin {
    fn line(&self) -> String {
        match self {
            Spin::Reads(reads) => {
                let look = |(to, place, until): &(Register, Place, _)| format!("{to} = {place} {}", Shown(*until));
                format!("spin until {}", reads.iter().map(look).collect::<Vec<_>>().join(" and "))
            }
            Spin::Exchange(to, place, new) => format!("spin until {to} = exchange {place}, {new} != {new}"),
            Spin::CompareExchange(to, place, expected, new) => {
                format!("spin until {to} = compare-exchange {place}, {expected} -> {new}")
            }
            Spin::Update(to, place, n) => format!("spin until {place} = ({to} = {place}) + {n}"),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (location, value) in &self.initial {
            writeln!(f, "initially x{location} = {value}")?;
        }
        for (thread, body) in self.threads.iter().enumerate() {
            if !body.is_empty() {
                writeln!(f, "t{thread}:")?;
                body.iter().try_for_each(|statement| statement.write(f, 2))?;
            }
        }
        Ok(())
    }
}
