//! Carrying out what a thread has announced, wherever values are kept.

use crate::announcement::{Outcome, Special};
use crate::ids::{Location, ThreadId};
use crate::operation::{Access, Effect, Evaluation, Visit, evaluate};
use crate::ordering::Ordering;
use crate::verb::Verb;

/// Where a front end keeps values, and those who wait.
pub trait Store {
    /// How it names a queue of those who wait.
    type Queue: Copy;
    /// What it says of a failure.
    type Failure;

    /// What a location holds.
    fn value(&self, location: Location) -> u64;

    /// Makes an access of an operation with this verb take effect.
    ///
    /// # Errors
    /// When the access is a mistake of the program. It takes place all the same: it is what it is wherever it comes.
    fn apply(&mut self, thread: ThreadId, verb: Verb, visit: &Visit) -> Result<(), Self::Failure>;

    /// Those who wait there.
    fn waiters(&self, queue: Self::Queue) -> &[ThreadId];

    /// A thread joins those who wait.
    fn enqueue(&mut self, queue: Self::Queue, thread: ThreadId);

    /// A thread leaves those who wait, if it is one of them.
    fn dequeue(&mut self, queue: Self::Queue, thread: ThreadId);

    /// The location by which a thread that waits is told that it is woken.
    fn token(&self, thread: ThreadId) -> Location;
}

/// An operation that is carried out: by whom, what it is called, and what it is beyond its accesses.
#[derive(Clone, Copy, Debug)]
pub struct Carried<Q> {
    /// By whom.
    pub thread: ThreadId,
    /// What it is called.
    pub verb: Verb,
    /// What it does beyond its accesses.
    pub special: Special<Q>,
    /// The alternative that is taken.
    pub choice: u32,
}

/// Carries out an operation that consists of `accesses`; not at all, and with `None`, if it has to wait. What it did is
/// added to `visits`.
///
/// # Errors
/// When one of its accesses is a mistake of the program.
pub fn carry_out<S: Store + ?Sized>(
    store: &mut S,
    carried: Carried<S::Queue>,
    accesses: &[Access],
    visits: &mut Vec<Visit>,
) -> Result<Option<Outcome>, S::Failure> {
    let start = visits.len();
    let evaluation = evaluate(accesses, |access| store.value(access.location), |visit| visits.push(visit));
    take_effect(store, carried, (evaluation, accesses.len()), visits, start)
}

/// [`carry_out`] for an operation with so many accesses that has been evaluated: its visits are those from `start` on.
///
/// # Errors
/// When one of its accesses is a mistake of the program.
#[inline]
pub fn take_effect<S: Store + ?Sized>(
    store: &mut S,
    carried: Carried<S::Queue>,
    (evaluation, accesses): (Evaluation, usize),
    visits: &mut Vec<Visit>,
    start: usize,
) -> Result<Option<Outcome>, S::Failure> {
    let Evaluation::Done { last } = evaluation else {
        visits.truncate(start);
        return Ok(None);
    };
    let mut failure = None;
    for visit in &visits[start..] {
        if let Err(found) = store.apply(carried.thread, carried.verb, visit) {
            failure.get_or_insert(found);
        }
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    let (before, changed) = visits.get(start + last).map_or((0, false), |visit| (visit.before, visit.class.changes()));
    let is_last = last + 1 == accesses;
    let choice = carried.choice;
    take_special_effect(store, carried, is_last, visits)?;
    Ok(Some(Outcome { last: last as u32, before, changed, is_last, choice }))
}

fn take_special_effect<S: Store + ?Sized>(
    store: &mut S,
    Carried { thread, verb, special, choice }: Carried<S::Queue>,
    is_last: bool,
    visits: &mut Vec<Visit>,
) -> Result<(), S::Failure> {
    match special {
        Special::None => {}
        Special::Enqueue(queue) => store.enqueue(queue, thread),
        Special::Dequeue(queue) => {
            if is_last {
                store.dequeue(queue, thread);
            }
        }
        Special::WakeOne(queue) => {
            let waiters = store.waiters(queue);
            if let Some(&woken) = waiters.get(choice as usize % waiters.len().max(1)) {
                wake(store, queue, woken, verb, visits)?;
            }
        }
        Special::WakeAll(queue) => {
            while let Some(&woken) = store.waiters(queue).first() {
                wake(store, queue, woken, verb, visits)?;
            }
        }
    }
    Ok(())
}

/// Gives a thread that waits its token. That orders nothing: only the lock that it waits with does.
fn wake<S: Store + ?Sized>(
    store: &mut S,
    queue: S::Queue,
    woken: ThreadId,
    verb: Verb,
    visits: &mut Vec<Visit>,
) -> Result<(), S::Failure> {
    store.dequeue(queue, woken);
    let token = store.token(woken);
    let access = Access::new(token, Effect::Write(1)).ordered(Ordering::Relaxed);
    let visit = Visit::carry_out(access, store.value(token)).0;
    visits.push(visit);
    store.apply(woken, verb, &visit)
}
