//! What the statements do that others can notice: lists of accesses that are carried out at once.

use super::graph::{Event, Name, Touch};
use super::run::Run;
use crate::program::{Condition, Inbox, Place, Register, Statement, Value, WRITER};
use everyway_runtime::{Ordering, Then};

/// What an access does to what it finds, if that meets its condition.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Nothing,
    To(u64),
    By(u64),
    /// Puts something into a queue.
    Send(u64),
    /// Takes the oldest that meets the condition from a queue. What it finds is 1 if there is one, and 0 if not.
    Take(Condition),
}

/// What the thread learns.
#[derive(Clone, Copy, Debug)]
enum Result {
    Nothing,
    Value(Register),
    Success(Register),
    /// What it has taken plus a number, or 0.
    Taken(Register, u64),
    /// The value, or 1 if it is more.
    AtMostOne(Register),
}

/// How an access is part of modification order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// It reads if it looks, and writes if it changes something.
    Memory,
    /// It reads and writes.
    Atomic,
    /// It reads the last write and writes, as all accesses to the location do.
    Chained,
}

/// An access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    location: u32,
    looks: bool,
    condition: Condition,
    holds: Then,
    fails: Then,
    change: Change,
    result: Result,
    manner: Manner,
    ordering: Ordering,
    ordering_unmet: Ordering,
}

/// What happens to threads that wait for a condition variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Nothing,
    Joins(u32),
    WakesOne(u32),
    WakesAll(u32),
}

/// What a step does.
#[derive(Clone, Debug)]
pub(super) struct Step {
    accesses: Vec<Access>,
    waiting: Waiting,
}

impl Step {
    /// Whether it is a write, which depends on nothing.
    pub(super) fn is_blind(&self) -> bool {
        matches!(&self.accesses[..], [access] if !access.looks && access.manner == Manner::Memory)
    }

    pub(super) fn may_block(&self) -> bool {
        self.accesses.iter().any(|access| access.fails == Then::Block)
    }
}

/// The sources of the accesses that are carried out, as far as they read.
type Sources = Vec<Option<Option<Name>>>;

impl Run {
    /// What an access finds.
    fn found(&self, access: &Access, source: Option<Option<Name>>) -> u64 {
        match (access.change, source) {
            (Change::Take(condition), _) => {
                let mut mail = self.mail.get(&access.location).into_iter().flatten();
                u64::from(mail.any(|(_, content)| condition.holds(*content)))
            }
            (_, Some(source)) => self.value_of(access.location, source),
            (_, None) => 0,
        }
    }

    fn then(&self, access: &Access, source: Option<Option<Name>>) -> Then {
        let met = !access.looks || access.condition.holds(self.found(access, source));
        if met { access.holds } else { access.fails }
    }

    /// All sources with which a step can be taken.
    pub(super) fn sources(&self, step: &Step) -> Vec<Sources> {
        let (mut open, mut all): (Vec<Sources>, _) = (vec![Vec::new()], Vec::new());
        while let Some(sources) = open.pop() {
            let Some(access) = step.accesses.get(sources.len()) else {
                all.push(sources);
                continue;
            };
            let candidates: Vec<Option<Option<Name>>> = match access.manner {
                Manner::Memory if !access.looks => vec![None],
                Manner::Memory | Manner::Atomic => {
                    self.writes(access.location).into_iter().map(Some).chain([None]).map(Some).collect()
                }
                Manner::Chained => vec![Some(self.latest.get(&access.location).copied())],
            };
            for source in candidates {
                let next = [&sources[..], &[source]].concat();
                match self.then(access, source) {
                    Then::Next => open.push(next),
                    Then::Done => all.push(next),
                    Then::Block => {}
                }
            }
        }
        all
    }

    /// Whether a step has to wait where every access finds the newest write.
    pub(super) fn is_blocked(&self, step: &Step, newest: impl Fn(u32) -> Option<Name>) -> bool {
        for access in &step.accesses {
            match self.then(access, Some(newest(access.location))) {
                Then::Next => {}
                Then::Done => return false,
                Then::Block => return true,
            }
        }
        false
    }

    /// Among how many threads a step chooses.
    pub(super) fn choices(&self, step: &Step) -> u32 {
        match step.waiting {
            Waiting::WakesOne(condvar) => self.waiters.get(&condvar).map_or(1, |waiters| waiters.len().max(1) as u32),
            _ => 1,
        }
    }

    /// Takes a step with these sources.
    pub(super) fn take(&mut self, thread: usize, step: &Step, sources: &[Option<Option<Name>>], choice: u32) {
        let name = Name { thread, index: self.threads[thread].events.len() };
        let mut event = Event { choice, ..self.event(thread) };
        for (access, &source) in step.accesses.iter().zip(sources) {
            let touch = self.carry_out(thread, access, source, name);
            event.touches.push(touch);
        }
        for woken in self.wake(thread, step.waiting, choice) {
            let location = self.token(woken);
            let source = Some(self.latest.insert(location, name));
            let (written, ordering) = (Some(1), Ordering::SeqCst);
            event.aftermath.push(Touch { location, source, written, ordering, locked: true, sent_by: None });
        }
        self.push(thread, event);
    }

    fn carry_out(&mut self, thread: usize, access: &Access, source: Option<Option<Name>>, name: Name) -> Touch {
        let found = self.found(access, source);
        let met = !access.looks || access.condition.holds(found);
        let written = match access.change {
            Change::To(new) if met => Some(new),
            Change::By(n) if met => Some(found.wrapping_add(n)),
            Change::Send(_) | Change::Take(_) => Some(0),
            _ => (access.manner == Manner::Chained).then_some(found),
        };
        let mail = self.mail.entry(access.location).or_default();
        let mut taken = None;
        match access.change {
            Change::Send(content) => mail.push((name, content)),
            Change::Take(condition) => {
                let position = mail.iter().position(|(_, content)| condition.holds(*content));
                taken = position.map(|position| mail.remove(position));
            }
            _ => {}
        }
        match access.result {
            Result::Nothing => {}
            Result::Value(register) => self.set(thread, register, found),
            Result::Success(register) => self.set(thread, register, u64::from(met)),
            Result::Taken(register, plus) => self.set(thread, register, taken.map_or(0, |(_, content)| content + plus)),
            Result::AtMostOne(register) => self.set(thread, register, found.min(1)),
        }
        if access.manner == Manner::Chained {
            self.latest.insert(access.location, name);
        }
        let is_of_queue = matches!(access.change, Change::Send(_) | Change::Take(_));
        Touch {
            location: access.location,
            source,
            written,
            ordering: match (is_of_queue, met) {
                (true, _) => Ordering::Relaxed,
                (_, true) => access.ordering,
                (_, false) => access.ordering_unmet,
            },
            locked: access.manner != Manner::Memory || access.looks && !matches!(access.change, Change::Nothing),
            sent_by: taken.map(|(sender, _)| sender),
        }
    }

    /// Those who are woken.
    fn wake(&mut self, thread: usize, waiting: Waiting, choice: u32) -> Vec<usize> {
        match waiting {
            Waiting::Nothing => Vec::new(),
            Waiting::Joins(condvar) => {
                self.waiters.entry(condvar).or_default().push(thread);
                Vec::new()
            }
            Waiting::WakesOne(condvar) => {
                let waiters = self.waiters.entry(condvar).or_default();
                if waiters.is_empty() { Vec::new() } else { vec![waiters.remove(choice as usize)] }
            }
            Waiting::WakesAll(condvar) => std::mem::take(self.waiters.entry(condvar).or_default()),
        }
    }

    fn token(&self, thread: usize) -> u32 {
        self.code.locations + thread as u32
    }

    /// The only order of writes to a location that are all read-modify-writes; none if there are others.
    pub(super) fn chain(&self, location: u32, writes: &[Name]) -> Option<Vec<Vec<Name>>> {
        let source = |name: Name| self.threads[name.thread].events[name.index].at(location).and_then(|at| at.source);
        if writes.iter().any(|&write| source(write).is_none()) {
            return None;
        }
        let mut order: Vec<Name> = Vec::new();
        while let Some(&next) = writes.iter().find(|&&write| source(write) == Some(order.last().copied())) {
            order.push(next);
        }
        Some(if order.len() == writes.len() { vec![order] } else { Vec::new() })
    }
}

const ANYTHING: Condition = Condition::Always;

/// The statements of one thread.
struct Own<'a> {
    run: &'a Run,
    thread: usize,
}

impl Own<'_> {
    fn value(&self, value: &Value) -> u64 {
        self.run.value(self.thread, *value)
    }

    fn location(&self, place: &Place) -> u32 {
        place.base + place.index.map_or(0, |register| self.value(&Value::Held(register))) as u32
    }

    /// An access that looks, and with which the operation is done.
    fn access(&self, place: &Place, condition: Condition, change: Change, result: Result) -> Access {
        Access {
            location: self.location(place),
            looks: true,
            condition,
            holds: Then::Done,
            fails: Then::Done,
            change,
            result,
            manner: Manner::Memory,
            ordering: place.ordering,
            ordering_unmet: place.ordering_unmet,
        }
    }

    fn blind(&self, place: &Place, value: u64) -> Access {
        Access { looks: false, ..self.access(place, ANYTHING, Change::To(value), Result::Nothing) }
    }

    fn waiting(&self, place: &Place, condition: Condition, change: Change, result: Result) -> Access {
        Access { fails: Then::Block, ..self.access(place, condition, change, result) }
    }

    fn send(&self, queue: &Place, content: &Value) -> Access {
        chained(self.access(queue, ANYTHING, Change::Send(self.value(content)), Result::Nothing))
    }

    fn receive(&self, to: Register, plus: u64, inbox: &Inbox) -> Access {
        let take = Change::Take(inbox.matching);
        chained(self.access(&inbox.queue, Condition::Equals(1), take, Result::Taken(to, plus)))
    }

    fn one(&self, statement: &Statement) -> Option<Access> {
        let value = |value: &Value| self.value(value);
        let nothing = Result::Nothing;
        Some(match statement {
            Statement::Load(to, place) => self.access(place, ANYTHING, Change::Nothing, Result::Value(*to)),
            Statement::Store(place, new) => self.blind(place, value(new)),
            Statement::Add(place, n) => self.access(place, ANYTHING, Change::By(*n), nothing),
            Statement::FetchAdd(to, place, n) => self.access(place, ANYTHING, Change::By(*n), Result::Value(*to)),
            Statement::CompareExchange(to, place, expected, new) => {
                let condition = Condition::Equals(value(expected));
                self.access(place, condition, Change::To(value(new)), Result::Success(*to))
            }
            Statement::Exchange(to, place, new) => {
                self.access(place, ANYTHING, Change::To(value(new)), Result::Value(*to))
            }
            Statement::Await(to, place, condition) => {
                self.waiting(place, *condition, Change::Nothing, Result::Value(*to))
            }
            Statement::AwaitExchange(to, place, condition, new) => {
                self.waiting(place, *condition, Change::To(value(new)), Result::Value(*to))
            }
            Statement::Lock(mutex) => self.waiting(mutex, Condition::Equals(0), Change::To(1), nothing),
            Statement::Unlock(lock) | Statement::WriteUnlock(lock) => self.blind(lock, 0),
            Statement::TryLock(to, mutex) => {
                self.access(mutex, Condition::Equals(0), Change::To(1), Result::Success(*to))
            }
            Statement::ReadLock(lock) => self.waiting(lock, Condition::Below(WRITER), Change::By(1), nothing),
            Statement::ReadUnlock(lock) => self.access(lock, ANYTHING, Change::By(u64::MAX), nothing),
            Statement::WriteLock(lock) => self.waiting(lock, Condition::Equals(0), Change::To(WRITER), nothing),
            Statement::Acquire(semaphore) => {
                self.waiting(semaphore, Condition::AtLeast(1), Change::By(u64::MAX), nothing)
            }
            Statement::Send(queue, content) => self.send(queue, content),
            Statement::Receive(to, inbox) => Access { fails: Then::Block, ..self.receive(*to, 0, inbox) },
            Statement::TryReceive(to, inbox) => self.receive(*to, 1, inbox),
            _ => return None,
        })
    }

    fn several(&self, statement: &Statement) -> Option<Vec<Access>> {
        Some(match statement {
            Statement::Wait { condvar, mutex } => {
                let unlock = Access { looks: false, manner: Manner::Atomic, ..self.blind(mutex, 0) };
                let enqueue = chained(self.access(condvar, ANYTHING, Change::By(1), Result::Nothing));
                let token =
                    self.access(&Place::at(self.run.token(self.thread)), ANYTHING, Change::To(0), Result::Nothing);
                vec![and_then(unlock), and_then(enqueue), chained(token)]
            }
            Statement::ReceiveUnlessClosed(to, inbox, senders) => {
                let closed = self.waiting(senders, Condition::Equals(0), Change::Nothing, Result::Nothing);
                vec![or_else(self.receive(*to, 1, inbox)), closed]
            }
            Statement::TryReceiveUnlessClosed(to, inbox, senders) => {
                let look = self.access(senders, ANYTHING, Change::Nothing, Result::AtMostOne(*to));
                vec![or_else(self.receive(*to, 2, inbox)), look]
            }
            Statement::SendBounded(queue, slots, content) => {
                let slot = self.waiting(slots, Condition::AtLeast(1), Change::By(u64::MAX), Result::Nothing);
                vec![and_then(slot), self.send(queue, content)]
            }
            Statement::ReceiveBounded(to, inbox, slots) => {
                let receive = Access { fails: Then::Block, ..self.receive(*to, 0, inbox) };
                vec![and_then(receive), self.access(slots, ANYTHING, Change::By(1), Result::Nothing)]
            }
            Statement::AwaitChange(reads) => {
                let differs = |known: &Register| Condition::Differs(self.value(&Value::Held(*known)));
                let look = |(known, place): &(Register, Place)| {
                    or_else(self.access(place, differs(known), Change::Nothing, Result::Nothing))
                };
                let mut looks: Vec<Access> = reads.iter().map(look).collect();
                looks.last_mut()?.fails = Then::Block;
                looks
            }
            _ => return None,
        })
    }
}

fn chained(access: Access) -> Access {
    Access { manner: Manner::Chained, ..access }
}

fn and_then(access: Access) -> Access {
    Access { holds: Then::Next, ..access }
}

fn or_else(access: Access) -> Access {
    Access { fails: Then::Next, ..access }
}

/// What a statement does; none if that has no meaning here.
pub(super) fn of_statement(run: &Run, thread: usize, statement: &Statement) -> Option<Step> {
    let own = Own { run, thread };
    let notify = |condvar: &Place, change| vec![chained(own.access(condvar, ANYTHING, change, Result::Nothing))];
    let waiting = |place: &Place| run.waiters.get(&own.location(place)).map_or(0, Vec::len) as u64;
    let (accesses, waiting) = match statement {
        Statement::NotifyOne(condvar) => {
            let change = Change::To(waiting(condvar).saturating_sub(1));
            (notify(condvar, change), Waiting::WakesOne(own.location(condvar)))
        }
        Statement::NotifyAll(condvar) => (notify(condvar, Change::To(0)), Waiting::WakesAll(own.location(condvar))),
        Statement::Wait { condvar, .. } => (own.several(statement)?, Waiting::Joins(own.location(condvar))),
        _ => (own.several(statement).or_else(|| Some(vec![own.one(statement)?]))?, Waiting::Nothing),
    };
    Some(Step { accesses, waiting })
}

/// The second step of a wait.
pub(super) fn woken(run: &Run, thread: usize) -> Step {
    let own = Own { run, thread };
    let token = Place::at(run.token(thread));
    let access = own.waiting(&token, Condition::Equals(1), Change::Nothing, Result::Nothing);
    Step { accesses: vec![chained(access)], waiting: Waiting::Nothing }
}
