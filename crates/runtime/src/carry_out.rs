//! Carrying out the operations that threads have announced, wherever values are kept.

use crate::announcement::{Outcome, Special};
use crate::effect::Effect;
use crate::ids::{Location, ThreadId};
use crate::operation::{Access, Evaluation, Visit, evaluate};
use crate::ordering::Ordering;
use crate::verb::Verb;

/// A front end's storage for values, and its queues of waiting threads.
pub trait Store {
    /// The name of a queue of waiting threads.
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

    /// The threads that wait in this queue, and can be woken through it.
    fn waiters(&self, queue: Self::Queue) -> impl Iterator<Item = ThreadId>;

    /// A thread joins a queue.
    fn enqueue(&mut self, queue: Self::Queue, thread: ThreadId);

    /// A thread leaves a queue, if it is in it.
    fn dequeue(&mut self, queue: Self::Queue, thread: ThreadId);

    /// The location by which a thread that waits is told that it is woken.
    fn token(&self, thread: ThreadId) -> Location;
}

/// An operation that is carried out: its thread, its verb, and its parts beyond its accesses.
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
// Always: what comes of it is made of small pieces, and read at once where it is not.
#[inline(always)]
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
    let is_met = |visit: &Visit| visit.access.when.holds(visit.access.bytes.get(visit.before));
    let enqueued = matches!(carried.special, Special::Enqueue(_)) && visits.get(start + last).is_none_or(is_met);
    let is_special = match carried.special {
        Special::None => false,
        Special::Enqueue(_) => enqueued,
        Special::Dequeue(_) => is_last,
        Special::WakeOne(_) | Special::WakeAll(_) => true,
    };
    let woken = if is_special { take_special_effect(store, carried, visits)? } else { 0 };
    Ok(Some(Outcome { last: last as u32, before, changed, is_last, choice: carried.choice, enqueued, woken }))
}

/// Does what an operation does beyond its accesses; how many threads are woken.
#[inline(never)]
fn take_special_effect<S: Store + ?Sized>(
    store: &mut S,
    Carried { thread, verb, special, choice }: Carried<S::Queue>,
    visits: &mut Vec<Visit>,
) -> Result<u32, S::Failure> {
    let mut woken_threads = 0;
    match special {
        Special::None => {}
        Special::Enqueue(queue) => store.enqueue(queue, thread),
        Special::Dequeue(queue) => store.dequeue(queue, thread),
        Special::WakeOne(queue) => {
            let alternatives = store.waiters(queue).count().max(1);
            let chosen = store.waiters(queue).nth(choice as usize % alternatives);
            if let Some(woken) = chosen {
                wake(store, queue, woken, verb, visits)?;
                woken_threads += 1;
            }
        }
        Special::WakeAll(queue) => loop {
            let next = store.waiters(queue).next();
            let Some(woken) = next else { break };
            wake(store, queue, woken, verb, visits)?;
            woken_threads += 1;
        },
    }
    Ok(woken_threads)
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
    let visit = Visit::carry_out(&access, store.value(token)).0;
    visits.push(visit);
    store.apply(woken, verb, &visit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Condition;
    use crate::names::Threads;
    use crate::waiters::{Reasons, Waiters};

    /// A few values and one queue, named by reasons; the token of a thread is the location with its number.
    struct Toy {
        values: Vec<u64>,
        waiters: Waiters,
        names: Threads,
    }

    impl Toy {
        /// With a thread that starts three others, the last of which is met first.
        fn new() -> Self {
            let mut names = Threads::new();
            for nth in [2, 0, 1] {
                names.child(Threads::FIRST, nth);
            }
            Self { values: vec![0; 6], waiters: Waiters::default(), names }
        }

        fn take(
            &mut self,
            thread: u32,
            special: Special<Reasons>,
            choice: u32,
            accesses: &[Access],
        ) -> (Option<Outcome>, usize) {
            let carried = Carried { thread: ThreadId(thread), verb: Verb::None, special, choice };
            let mut visits = Vec::new();
            let outcome = carry_out(self, carried, accesses, &mut visits).expect("nothing is a mistake here");
            (outcome, visits.len())
        }
    }

    impl Store for Toy {
        type Queue = Reasons;
        type Failure = ();

        fn value(&self, location: Location) -> u64 {
            self.values[location.index()]
        }

        fn apply(&mut self, _: ThreadId, _: Verb, visit: &Visit) -> Result<(), ()> {
            self.values[visit.access.location.index()] = visit.after;
            Ok(())
        }

        fn waiters(&self, reasons: Reasons) -> impl Iterator<Item = ThreadId> {
            self.waiters.reached_by(reasons)
        }

        fn enqueue(&mut self, reasons: Reasons, thread: ThreadId) {
            self.waiters.insert(thread, reasons, &self.names);
        }

        fn dequeue(&mut self, _: Reasons, thread: ThreadId) {
            self.waiters.remove(thread);
        }

        fn token(&self, thread: ThreadId) -> Location {
            Location(thread.0)
        }
    }

    const LOCK: Location = Location(5);

    #[test]
    fn an_operation_that_has_to_wait_does_nothing() {
        let mut toy = Toy::new();
        let lock = Access::new(LOCK, Effect::Write(1)).once(Condition::Equals(0));
        let (outcome, visits) = toy.take(1, Special::None, 0, &[lock]);
        assert_eq!((outcome.map(|outcome| outcome.changed), visits), (Some(true), 1));
        assert_eq!(toy.take(2, Special::None, 0, &[lock]), (None, 0));
        assert_eq!(toy.values[LOCK.index()], 1);
    }

    #[test]
    fn the_alternatives_of_a_notification_are_in_the_order_of_names() {
        let mut toy = Toy::new();
        (1..4).for_each(|thread| {
            toy.take(thread, Special::Enqueue(Reasons::ALL), 0, &[]);
        });
        // The first child is the second that was met.
        let (_, visits) = toy.take(0, Special::WakeOne(Reasons::ALL), 0, &[]);
        assert_eq!((visits, &toy.values[..4]), (1, &[0, 0, 1, 0][..]));
        toy.take(0, Special::WakeAll(Reasons::ALL), 0, &[]);
        assert_eq!(toy.values[..4], [0, 1, 1, 1]);
        assert_eq!(toy.take(0, Special::WakeOne(Reasons::ALL), 0, &[]).1, 0, "all are awake");
    }

    #[test]
    fn a_thread_is_woken_for_a_reason_it_waits_for() {
        let mut toy = Toy::new();
        for (thread, reasons) in [(1, 0b001), (2, 0b011), (3, 0b110)] {
            toy.take(thread, Special::Enqueue(Reasons(reasons)), 0, &[]);
        }
        assert_eq!(toy.take(0, Special::WakeAll(Reasons(0b1000)), 0, &[]).1, 0, "no thread waits for that");
        // By their names, the threads are in the order 2, 3, 1: of the two that are reached, 3 is the second.
        toy.take(0, Special::WakeOne(Reasons(0b010)), 1, &[]);
        assert_eq!(toy.values[..4], [0, 0, 0, 1]);
        toy.take(0, Special::WakeAll(Reasons(0b100)), 0, &[]);
        assert_eq!(toy.values[..4], [0, 0, 0, 1], "only the one that is awake waited for that");
        toy.take(0, Special::WakeAll(Reasons(0b001)), 0, &[]);
        assert_eq!(toy.values[..4], [0, 1, 1, 1]);
    }

    #[test]
    fn a_thread_leaves_a_queue_only_if_its_operation_ends_with_the_last_access() {
        let mut toy = Toy::new();
        toy.take(1, Special::Enqueue(Reasons::ALL), 0, &[]);
        let token = Access::new(Location(1), Effect::Write(0)).or_else(Condition::Equals(1));
        let give_up = Access::new(LOCK, Effect::Write(9));
        toy.values[1] = 1;
        toy.take(1, Special::Dequeue(Reasons::ALL), 0, &[token, give_up]);
        assert!(toy.waiters.contains(ThreadId(1)));
        toy.take(1, Special::Dequeue(Reasons::ALL), 0, &[token, give_up]);
        assert!(toy.waiters.is_empty());
    }
}
