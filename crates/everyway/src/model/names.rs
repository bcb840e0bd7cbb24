//! Names of objects: the same in every execution.
//!
//! Wakeup trees and sleep sets are carried from one execution to another, and with them the numbers of locations. So a
//! number is assigned to a name, and a name depends on nothing but what happens before the object is first met.

use super::kind::Kind;
use super::object::{Named, Object};
use super::{Ended, Failure, Inner};
use crate::alloc::lasting;
use everyway_report::BugKind;
use everyway_runtime::{Location, ThreadId};
use rustc_hash::FxHashMap;

/// What an object is called, in every execution. Its number, which is assigned when the name is first met, stays the
/// same for as long as the model lasts.
///
/// A name depends on nothing that does not happen before the object is first met: not on the interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// What says that the thread has ended.
    End(ThreadId),
    /// What wakes the thread from a park.
    Parker(ThreadId),
    /// The round of the barrier with this number.
    Round(Location, usize),
    /// How many wait to write what this lock protects.
    Writers(Location),
    /// Whether this lock is poisoned.
    Poison(Location),
    /// Whether what happens once, of which this is the state, is done.
    Done(Location),
    /// The memory that this atomic is in, too.
    Memory(Location),
    /// The one that the thread made when it had made so many others, as parts of channels and mailboxes.
    Made(ThreadId, u32),
}

/// The objects that were met so far in any execution, by name.
///
/// A value of the program is called by where it lies when it is first met ([`lasting`]): the addresses of statics do
/// not change, each thread always has the same stack, and `alloc` does the rest. Of several that lie at the same place
/// one after the other, each has a number of its own.
#[derive(Debug, Default)]
pub(crate) struct Names {
    by_address: FxHashMap<usize, usize>,
    by_name: FxHashMap<Name, usize>,
}

impl Inner {
    /// The object with this name, which is of this kind and holds `value` if it is met for the first time.
    pub(crate) fn named_object(&mut self, name: Name, kind: Kind, value: u64) -> Location {
        let index = *self.names.by_name.entry(name).or_insert_with(|| {
            self.objects.push(Object::default());
            self.objects.len() - 1
        });
        if self.objects[index].epoch != self.epoch {
            self.meet(index, kind, value);
        }
        Named::Object(index).location()
    }

    /// A new object of the running thread.
    pub(crate) fn make_object(&mut self, kind: Kind, value: u64) -> Location {
        let running = self.running;
        let made = &mut self.current_thread().made;
        *made += 1;
        let name = Name::Made(running, *made - 1);
        self.named_object(name, kind, value)
    }

    /// A value of the program that lies at `address`, and was not met before.
    pub(super) fn place_object(&mut self, address: usize, kind: Kind, value: u64) -> Location {
        let name = lasting(address);
        let first = match self.names.by_address.get(&name) {
            Some(&first) => first,
            None => {
                self.objects.push(Object::default());
                self.names.by_address.insert(name, self.objects.len() - 1);
                self.objects.len() - 1
            }
        };
        let index = self.next_at(first);
        self.meet(index, kind, value);
        self.objects[index].address = Some(address);
        Named::Object(index).location()
    }

    /// Ends the execution if the object lies on the heap, which has no names.
    #[cold]
    pub(super) fn refuse_on_heap(&mut self, address: usize, kind: Kind, why: &str) {
        if !self.threads.iter().any(|thread| thread.stack.contains(&address)) {
            let failure = Failure::new(BugKind::Misuse, format!("the {kind} is not on the stack, and {why}"));
            self.ended.get_or_insert(Box::new(Ended::Failed(failure)));
        }
    }

    /// Which of the objects at the place of the object `first` has not been met yet in this execution.
    fn next_at(&mut self, first: usize) -> usize {
        if self.objects[first].epoch != self.epoch {
            return first;
        }
        let latest = self.objects[first].latest_here.unwrap_or(first);
        let next = self.objects[latest].next_here.unwrap_or(self.objects.len());
        if next == self.objects.len() {
            self.objects.push(Object::default());
            self.objects[latest].next_here = Some(next);
        }
        self.objects[first].latest_here = Some(next);
        next
    }
}
