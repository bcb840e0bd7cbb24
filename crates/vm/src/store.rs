//! The machine's storage for the locations that operations access, and its queues of waiting threads.

use crate::failure::Failure;
use crate::machine::{Machine, Place};
use crate::memory::{Life, MemoryFault};
use crate::sync::Queue;
use everyway_runtime::{Condition, Location, State, Store, Then, ThreadId, Verb, Visit};

impl Store for Machine {
    type Queue = Queue;
    type Failure = Failure;

    fn value(&self, location: Location) -> u64 {
        State::value(self, location)
    }

    fn apply(&mut self, thread: ThreadId, verb: Verb, visit: &Visit) -> Result<(), Failure> {
        let (location, ends) = (visit.access.location, verb.ends_objects());
        match self.locations[location.index()] {
            Place::Value(_) => self.set_value(location, visit.after),
            Place::Memory { object, granule } => {
                self.check_privacy(thread, object)?;
                let is_dead = self.memory.object(object).state.life != Life::Alive;
                if visit.class.changes() && !ends {
                    self.assign_bytes(object, granule, visit.access.bytes.0, visit.after);
                }
                if is_dead && !ends {
                    let offset = u64::from(granule) * 8 + u64::from(visit.access.bytes.0.trailing_zeros());
                    return Err(self.memory_failure(MemoryFault::Dead { object, offset }));
                }
                if !visit.class.changes()
                    && !ends
                    && visit.access.when != Condition::Always
                    && !self.is_known(object, granule, visit.access.bytes.0)
                {
                    let waits = visit.access.fails == Then::Block;
                    let what = if waits { "a loop or an assumption" } else { "a compare-exchange" };
                    return Err(crate::interpret::undecided(what));
                }
            }
        }
        Ok(())
    }

    fn waiters(&self, Queue { sync, reasons }: Queue) -> impl Iterator<Item = ThreadId> {
        self.syncs.waiters(sync).reached_by(reasons)
    }

    fn enqueue(&mut self, queue: Queue, thread: ThreadId) {
        self.add_waiter(queue, thread);
    }

    fn dequeue(&mut self, queue: Queue, thread: ThreadId) {
        self.remove_waiter(queue.sync, thread);
    }

    fn token(&self, thread: ThreadId) -> Location {
        self.threads[thread].token
    }
}
