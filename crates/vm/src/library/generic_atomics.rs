//! Atomic accesses to objects of any size (`__atomic_load` and its like): under a lock for each object, as libatomic has it.
//!
//! The lock is not in the memory of the program, and nothing else takes it. It acquires and releases, so the accesses to one
//! object are in one order, and those to several are in no cycle: as if they were `seq_cst`. Of those that are weaker, the verdict
//! says so.

use super::{Answer, Invocation, Reply, verifier};
use crate::access::Request;
use crate::cell::Cell;
use crate::ids::SyncId;
use crate::interpret::undecided;
use crate::machine::Machine;
use crate::memory::parts;
use crate::script::{Paused, Script, scripted};
use crate::sync::Kind;
use crate::thread::number_of;
use everyway_driver::Orderings;
use everyway_explore::MemoryModel;
use everyway_runtime::{Condition, Effect, Verb};

/// Locks lie where no object does.
const LOCKS: u64 = 1 << 63;

impl Script<'_> {
    fn lock(&mut self, object: u64) -> Paused<SyncId> {
        let lock = self.machine.sync_at(LOCKS | object, Kind::Mutex);
        let taken = Effect::Write(number_of(self.thread));
        self.perform(|machine| {
            let take = machine.sync_access(lock, taken).once(Condition::Equals(0));
            Ok(Request::new(Verb::Lock, object).with(take))
        })?;
        Ok(lock)
    }

    fn unlock(&mut self, lock: SyncId, object: u64) -> Paused<()> {
        self.perform(|machine| {
            Ok(Request::new(Verb::Unlock, object).with(machine.sync_access(lock, Effect::Write(0))))
        })?;
        Ok(())
    }

    /// The words of an object.
    fn words(&mut self, address: u64, size: u64) -> Paused<Vec<Cell>> {
        parts(0, size).map(|part| self.read(address + u64::from(part.at), part.bytes)).collect()
    }

    fn set_words(&mut self, address: u64, size: u64, words: &[Cell]) -> Paused<()> {
        for (part, &word) in parts(0, size).zip(words) {
            self.write(address + u64::from(part.at), part.bytes, word)?;
        }
        Ok(())
    }
}

/// `memory_order_seq_cst`.
const SEQ_CST: u64 = 5;

/// Takes note of an atomic access with these orderings.
fn note_orderings(machine: &mut Machine, call: &Invocation<'_>, orderings: impl IntoIterator<Item = u64>) {
    if orderings.into_iter().any(|ordering| ordering != SEQ_CST) {
        note_strengthened(machine, call);
    }
}

/// The atomic access here is explored as if it were stronger than it is. Among interleavings that makes no difference.
fn note_strengthened(machine: &mut Machine, call: &Invocation<'_>) {
    let rules = &machine.settings.rules;
    let is_interleaving = rules.model == MemoryModel::Sc && rules.orderings == Orderings::Any;
    if machine.started > 1 && !is_interleaving {
        let place = machine.place_of(call.thread);
        machine.strengthened.insert(place);
    }
}

/// [`STRENGTHENED`](everyway_ir::STRENGTHENED)`()`
pub(super) fn begin_strengthened(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    note_strengthened(machine, call);
    verifier::atomic_begin(machine, call)
}

/// `__atomic_load(size, object, result, ordering)`
pub(super) fn load(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let [size, object, result] = [call.number(0)?, call.number(1)?, call.number(2)?];
    note_orderings(machine, call, [call.number(3)?]);
    scripted(machine, call, |script| {
        let lock = script.lock(object)?;
        let words = script.words(object, size)?;
        script.unlock(lock, object)?;
        script.set_words(result, size, &words)?;
        Ok(Reply::nothing())
    })
}

/// `__atomic_store(size, object, value, ordering)`
pub(super) fn store(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let [size, object, value] = [call.number(0)?, call.number(1)?, call.number(2)?];
    note_orderings(machine, call, [call.number(3)?]);
    scripted(machine, call, |script| {
        let words = script.words(value, size)?;
        let lock = script.lock(object)?;
        script.set_words(object, size, &words)?;
        script.unlock(lock, object)?;
        Ok(Reply::nothing())
    })
}

/// `__atomic_exchange(size, object, value, result, ordering)`
pub(super) fn exchange(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let [size, object, value, result] = [call.number(0)?, call.number(1)?, call.number(2)?, call.number(3)?];
    note_orderings(machine, call, [call.number(4)?]);
    scripted(machine, call, |script| {
        let words = script.words(value, size)?;
        let lock = script.lock(object)?;
        let old = script.words(object, size)?;
        script.set_words(object, size, &words)?;
        script.unlock(lock, object)?;
        script.set_words(result, size, &old)?;
        Ok(Reply::nothing())
    })
}

/// `__atomic_compare_exchange(size, object, expected, value, ordering, ordering)`: whether it was as expected.
pub(super) fn compare_exchange(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let [size, object, expected, value] = [call.number(0)?, call.number(1)?, call.number(2)?, call.number(3)?];
    note_orderings(machine, call, [call.number(4)?, call.number(5)?]);
    scripted(machine, call, |script| {
        let words = script.words(value, size)?;
        let wanted = script.words(expected, size)?;
        let lock = script.lock(object)?;
        let old = script.words(object, size)?;
        if old.iter().chain(&wanted).any(|word| !word.is_defined()) {
            return Err(undecided("a compare-exchange").into());
        }
        let is_equal = old.iter().zip(&wanted).all(|(old, wanted)| old.bits == wanted.bits);
        if is_equal {
            script.set_words(object, size, &words)?;
        }
        script.unlock(lock, object)?;
        if !is_equal {
            script.set_words(expected, size, &old)?;
        }
        Ok(Reply::word(is_equal.into()))
    })
}

/// `__atomic_is_lock_free(size, object)`
pub(super) fn is_lock_free(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(matches!(call.number(0)?, 1 | 2 | 4 | 8).into())
}
