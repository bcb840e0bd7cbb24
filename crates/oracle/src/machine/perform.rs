//! The effects of the visible statements on locations, registers, queues and waiting threads.

use super::mailbox::Sent;
use super::{Machine, Phase, Undo};
use crate::declare::Context;
use crate::program::{Inbox, Place, REGISTERS, Register, Statement, Value, WRITER};
use crate::relation::{Manner, Touch};
use everyway_runtime::Operation;

impl Machine {
    /// Carries out a visible statement.
    pub(super) fn perform(&mut self, thread: usize, choice: u32, statement: &Statement) {
        let at = |place: &Place| self.own(thread).location(place);
        let value = |value: &Value| self.own(thread).value(value);
        match statement {
            Statement::Load(to, place) | Statement::Await(to, place, _) => self.look(thread, *to, at(place)),
            Statement::Store(place, new) => self.store(at(place), value(new)),
            Statement::LoadByte(to, place, byte) | Statement::AwaitByte(to, place, byte, _) => {
                let location = at(place);
                self.deed.touches.push(Touch { location, bytes: 1 << byte, manner: Manner::Look });
                self.set_register(thread, *to, self.values[location as usize] >> (8 * byte) & 0xff);
            }
            Statement::StoreByte(place, byte, new) => self.store_byte(at(place), *byte, value(new) & 0xff),
            Statement::Add(place, n) => self.increase(at(place), *n),
            Statement::FetchAdd(to, place, n) => {
                let location = at(place);
                let old = self.values[location as usize];
                self.set_register(thread, *to, old);
                self.replace(location, old.wrapping_add(*n));
            }
            Statement::CompareExchange(to, place, expected, new) => {
                self.exchange(thread, *to, at(place), value(expected), value(new));
            }
            Statement::Exchange(to, place, new) | Statement::AwaitExchange(to, place, _, new) => {
                let (location, new) = (at(place), value(new));
                self.set_register(thread, *to, self.values[location as usize]);
                self.replace(location, new);
            }
            Statement::AwaitChange(reads) => {
                let looks = |(known, place): &(Register, Place)| (at(place), value(&Value::Held(*known)));
                for (location, known) in reads.iter().map(looks).collect::<Vec<_>>() {
                    self.touch(location, Manner::Look);
                    if self.values[location as usize] != known {
                        break;
                    }
                }
            }
            Statement::Free(places) => {
                for location in places.iter().map(at).collect::<Vec<_>>() {
                    self.touch(location, Manner::End);
                    self.ended[location as usize] += 1;
                    self.undo.push(Undo::Freed { location });
                }
            }
            Statement::Join(joined) => self.deed.joined = Some(*joined as usize),
            Statement::Fence(_) => {}
            Statement::Choose(to, _) => self.set_register(thread, *to, u64::from(choice)),
            Statement::Wait { .. } | Statement::NotifyOne(_) | Statement::NotifyAll(_) => {
                self.perform_on_condvar(thread, choice, statement);
            }
            Statement::Send(..)
            | Statement::SendBounded(..)
            | Statement::Receive(..)
            | Statement::TryReceive(..)
            | Statement::ReceiveUnlessClosed(..)
            | Statement::TryReceiveUnlessClosed(..)
            | Statement::ReceiveBounded(..) => self.perform_on_queue(thread, statement),
            _ => self.perform_on_lock(thread, statement),
        }
    }

    fn store_byte(&mut self, location: u32, byte: u8, new: u64) {
        self.deed.touches.push(Touch { location, bytes: 1 << byte, manner: Manner::Store });
        self.deed.stored.push((location, 1 << byte, new));
        let others = self.values[location as usize] & !(0xff << (8 * byte));
        self.set_value(location, others | new << (8 * byte));
    }

    /// Whether the last step accessed what had ended before.
    pub(super) fn uses_what_has_ended(&self) -> bool {
        let ended = |touch: &Touch| self.ended[touch.location as usize] > u32::from(touch.manner == Manner::End);
        self.deed.touches.iter().any(ended)
    }

    /// Ends a thread, with what its registers held.
    pub(super) fn go_no_further(&mut self, thread: usize, registers: [u64; REGISTERS]) {
        for (register, value) in (0..).zip(registers) {
            self.set_register(thread, Register(register), value);
        }
        self.threads[thread].phase = Phase::Gone;
        self.threads[thread].operation = Operation::local();
    }

    fn perform_on_lock(&mut self, thread: usize, statement: &Statement) {
        let at = |place: &Place| self.own(thread).location(place);
        match statement {
            Statement::TryLock(to, mutex) => self.exchange(thread, *to, at(mutex), 0, 1),
            Statement::Lock(mutex) => self.replace(at(mutex), 1),
            Statement::Unlock(lock) | Statement::WriteUnlock(lock) => self.replace(at(lock), 0),
            Statement::ReadLock(lock) => self.increase(at(lock), 1),
            Statement::ReadUnlock(lock) => self.increase(at(lock), u64::MAX),
            Statement::WriteLock(lock) => self.replace(at(lock), WRITER),
            Statement::Acquire(semaphore) => self.decrement(at(semaphore)),
            _ => unreachable!("{statement:?} is local"),
        }
    }

    fn perform_on_condvar(&mut self, thread: usize, choice: u32, statement: &Statement) {
        let at = |place: &Place| self.own(thread).location(place);
        match statement {
            Statement::Wait { condvar, mutex } => {
                let (condvar, mutex, token) = (at(condvar), at(mutex), self.own(thread).token());
                self.replace(mutex, 0);
                let waiters = self.waiters[condvar as usize].iter().copied().chain([thread]).collect();
                self.set_waiters(condvar, waiters);
                self.replace(token, 0);
            }
            Statement::NotifyOne(condvar) => {
                let condvar = at(condvar);
                let chosen = self.waiters[condvar as usize].get(choice as usize).copied();
                self.wake(condvar, chosen.as_slice());
            }
            Statement::NotifyAll(condvar) => {
                let condvar = at(condvar);
                let all = self.waiters[condvar as usize].clone();
                self.wake(condvar, &all);
            }
            _ => unreachable!("{statement:?} is not about a condition variable"),
        }
    }

    fn perform_on_queue(&mut self, thread: usize, statement: &Statement) {
        let at = |place: &Place| self.own(thread).location(place);
        let value = |value: &Value| self.own(thread).value(value);
        match statement {
            Statement::Send(queue, message) => self.send(thread, at(queue), value(message)),
            Statement::SendBounded(queue, slots, message) => {
                let (queue, slots, message) = (at(queue), at(slots), value(message));
                self.decrement(slots);
                self.send(thread, queue, message);
            }
            Statement::Receive(to, inbox) => {
                self.receive(thread, *to, inbox, 0, true);
            }
            Statement::TryReceive(to, inbox) => {
                self.receive(thread, *to, inbox, 1, false);
            }
            Statement::ReceiveUnlessClosed(to, inbox, senders) => {
                let senders = at(senders);
                if !self.receive(thread, *to, inbox, 1, false) {
                    self.touch(senders, Manner::Look);
                }
            }
            Statement::TryReceiveUnlessClosed(to, inbox, senders) => {
                let senders = at(senders);
                if !self.receive(thread, *to, inbox, 2, false) {
                    self.touch(senders, Manner::Look);
                    self.set_register(thread, *to, self.values[senders as usize].min(1));
                }
            }
            Statement::ReceiveBounded(to, inbox, slots) => {
                let slots = at(slots);
                self.receive(thread, *to, inbox, 0, false);
                self.increase(slots, 1);
            }
            _ => unreachable!("{statement:?} is not about a queue"),
        }
    }

    pub(super) fn touch(&mut self, location: u32, manner: Manner) {
        self.deed.touches.push(Touch { location, bytes: 0xff, manner });
    }

    fn replace(&mut self, location: u32, new: u64) {
        self.touch(location, Manner::Replace);
        self.set_value(location, new);
    }

    fn store(&mut self, location: u32, new: u64) {
        self.touch(location, Manner::Store);
        self.deed.stored.push((location, 0xff, new));
        self.set_value(location, new);
    }

    fn increase(&mut self, location: u32, n: u64) {
        self.touch(location, Manner::Increase);
        self.deed.added.push((location, n, self.values[location as usize]));
        self.set_value(location, self.values[location as usize].wrapping_add(n));
    }

    fn look(&mut self, thread: usize, to: Register, location: u32) {
        self.touch(location, Manner::Look);
        self.set_register(thread, to, self.values[location as usize]);
    }

    /// Replaces `expected` by `new` if it is there, and says so in a register.
    fn exchange(&mut self, thread: usize, to: Register, location: u32, expected: u64, new: u64) {
        let found = self.values[location as usize] == expected;
        match found {
            true => self.replace(location, new),
            false => self.touch(location, Manner::Look),
        }
        self.set_register(thread, to, u64::from(found));
    }

    /// Takes the oldest matching message, and puts it, with something added, into a register; 0 and `false` if there
    /// is none. It `waits` if it does nothing else, and there is always one when it is taken.
    fn receive(&mut self, thread: usize, to: Register, inbox: &Inbox, plus: u64, waits: bool) -> bool {
        let queue = self.own(thread).location(&inbox.queue);
        let mailbox = &mut self.mailboxes[queue as usize];
        let number = mailbox.receives.len() as u32;
        mailbox.receives.push(inbox.matching);
        let taken = mailbox.find(inbox.matching);
        self.undo.push(Undo::Received { queue, taken });
        let Some(position) = taken else {
            self.touch(queue, Manner::Miss(inbox.matching));
            self.set_register(thread, to, 0);
            return false;
        };
        let sent = &mut mailbox.sent[position];
        sent.taken_by = Some(number);
        let Sent { message, content, .. } = *sent;
        self.touch(queue, Manner::Take(message, inbox.matching, waits));
        self.set_register(thread, to, content + plus);
        true
    }

    fn decrement(&mut self, location: u32) {
        self.replace(location, self.values[location as usize] - 1);
    }

    fn send(&mut self, thread: usize, queue: u32, content: u64) {
        let message = self.own(thread).next_message();
        self.mailboxes[queue as usize].sent.push(Sent { message, content, taken_by: None });
        self.threads[thread].sent += 1;
        self.undo.push(Undo::Sent { queue, thread });
        self.touch(queue, Manner::Send(message, content));
    }

    fn set_waiters(&mut self, condvar: u32, waiters: Vec<usize>) {
        let new = waiters.len() as u64;
        let old = std::mem::replace(&mut self.waiters[condvar as usize], waiters);
        self.undo.push(Undo::Waiters { condvar, old });
        self.replace(condvar, new);
    }

    fn wake(&mut self, condvar: u32, awake: &[usize]) {
        let asleep = self.waiters[condvar as usize].iter().copied().filter(|thread| !awake.contains(thread)).collect();
        self.set_waiters(condvar, asleep);
        for &thread in awake {
            self.replace(self.own(thread).token(), 1);
        }
    }
}
