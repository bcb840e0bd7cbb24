//! The log of a long step: of repeated changes, only the state before the step is kept.
//!
//! A step is undone as a whole, so the first of its changes of a word has everything that rewinding needs. A loop
//! without visible steps would otherwise log something in every round. The race detector needs the time at which a
//! private object was written, as far as times can be distinguished ([`Undo::Time`]); so the first change of a word
//! between two times is kept, too, and [`Undo::Touched`] has the bytes that were changed there and have their old
//! values again.

use crate::ids::{KeyId, ObjectId, SyncId};
use crate::machine::Machine;
use crate::memory::Word;
use crate::races::Tracking;
use crate::undo::Undo;
use everyway_runtime::{Location, ThreadId};
use rustc_hash::FxHashMap;

/// How many changes of a step are worth looking through for those that are not needed.
const WORTH_A_LOOK: usize = 1 << 12;

/// What a change is a change of, where that is not memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Changed {
    Value(Location),
    Recorded(ThreadId, u32),
    Key(ThreadId, KeyId),
    Printed,
    Complained,
    Sync(SyncId),
}

/// A word of an object, by how many times the state of the object changed after it.
type Place = (ObjectId, u32, u32);

/// The changes of a word between two times, as far as one has gone back.
struct Changes {
    /// Where the first of them is in the log.
    first: usize,
    /// What the word was before it.
    before: Word,
    /// What the word was after the last of them.
    after: Word,
    /// The bits that any of them changed.
    bits: u64,
    /// A later one, which is not needed.
    spare: Option<usize>,
}

impl Changes {
    /// The bytes that were changed and are, all in all, the same.
    fn unseen_bytes(&self) -> u8 {
        let is_changed = |bits: u64, byte: u32| bits >> (8 * byte) & 0xff != 0;
        let seen = difference(self.before, self.after);
        let unseen = (0..8).filter(|&byte| is_changed(self.bits, byte) && !is_changed(seen, byte));
        unseen.fold(0, |bytes, byte| bytes | 1 << byte)
    }
}

/// The bits in which two words differ.
fn difference(one: Word, other: Word) -> u64 {
    one.bits ^ other.bits | one.undef ^ other.undef
}

/// What a look through the changes of a step has found so far, from the last one backwards.
struct Look {
    /// Where in the log the changes of the step begin.
    start: usize,
    /// For each of them, whether it is needed.
    is_needed: Vec<bool>,
    /// How many times have been passed.
    times: u32,
    /// Whether a fence has been passed.
    has_fence: bool,
    /// How often the states of objects have changed.
    lives: FxHashMap<ObjectId, u32>,
    /// What words were where the look has got to, as far as it is known.
    words: FxHashMap<Place, Word>,
    /// Their changes, by the number of times that have been passed.
    changes: FxHashMap<(Place, u32), Changes>,
    /// The first change of anything else.
    others: FxHashMap<Changed, usize>,
}

impl Look {
    fn new(start: usize, end: usize) -> Self {
        let is_needed = vec![true; end - start];
        let (lives, words, changes, others) = Default::default();
        Self { start, is_needed, times: 0, has_fence: false, lives, words, changes, others }
    }

    /// A word that is changed, or touched, at this position of the log: it is `now` at the end, and was `old` before if
    /// that is known.
    fn word(&mut self, at: usize, (object, granule): (ObjectId, u32), now: Word, old: Option<Word>, touched: u64) {
        let place = (object, granule, self.lives.get(&object).copied().unwrap_or(0));
        let after = self.words.get(&place).copied().unwrap_or(now);
        let before = old.unwrap_or(after);
        self.words.insert(place, before);
        let new = Changes { first: at, before, after, bits: 0, spare: None };
        let changes = self.changes.entry((place, self.times)).or_insert(new);
        if changes.first != at {
            self.is_needed[changes.first - self.start] = false;
            changes.spare = Some(changes.first);
        }
        changes.bits |= difference(before, after) | touched;
        (changes.first, changes.before) = (at, before);
    }

    fn other(&mut self, at: usize, changed: Changed) {
        if let Some(later) = self.others.insert(changed, at) {
            self.is_needed[later - self.start] = false;
        }
    }

    /// A fence at this position of the log. What was written before it is as good as written before the last fence of the step, for
    /// others learn of both by what the thread does in later steps.
    fn fence(&mut self, at: usize) {
        self.is_needed[at - self.start] = !self.has_fence;
        self.times += u32::from(!self.has_fence);
        self.has_fence = true;
    }

    fn change_of_state(&mut self, object: ObjectId) {
        *self.lives.entry(object).or_default() += 1;
    }
}

/// The bits of these bytes.
fn bits_of(bytes: u8) -> u64 {
    (0..8).filter(|byte| bytes >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte))
}

impl Machine {
    /// Drops the changes of the current step that going back does not need, if there are many.
    #[inline]
    pub(crate) fn look_through_log(&mut self) {
        if self.log.changes.len() >= self.log.next_look {
            self.shorten_log();
        }
    }

    /// The log is as long as it is when a step begins.
    pub(crate) fn begin_log_of_step(&mut self) {
        self.log.next_look = self.log.changes.len() + WORTH_A_LOOK;
    }

    #[cold]
    fn shorten_log(&mut self) {
        let start = self.steps.last().map_or(0, |logged| logged.mark);
        let look = self.look_back(start);
        let mut is_needed = look.is_needed;
        if self.race_tracking() == Tracking::On {
            for (((object, granule, _), _), changes) in look.changes {
                let bytes = changes.unseen_bytes();
                if let Some(spare) = changes.spare.filter(|_| bytes != 0) {
                    self.log.changes[spare] = Undo::Touched { object, granule, bytes };
                    is_needed[spare - start] = true;
                }
            }
        }
        self.log.keep_of_step(start, &is_needed);
        let length = self.log.changes.len();
        self.log.next_look = length + (length - start).max(WORTH_A_LOOK);
    }

    fn look_back(&self, start: usize) -> Look {
        let mut look = Look::new(start, self.log.changes.len());
        for (at, undo) in self.log.changes.iter().enumerate().skip(start).rev() {
            match *undo {
                Undo::Word { object, granule, old } => {
                    // What a word was in an earlier life of its object is not asked.
                    let now = self.memory.object(object).words.get(granule as usize).copied().unwrap_or(old);
                    look.word(at, (object, granule), now, Some(old), 0);
                }
                Undo::Touched { object, granule, bytes } => {
                    let now = self.memory.object(object).words.get(granule as usize).copied().unwrap_or_default();
                    look.word(at, (object, granule), now, None, bits_of(bytes));
                }
                Undo::Object { object } | Undo::Contents { object } => look.change_of_state(object),
                Undo::Time { .. } => look.times += 1,
                Undo::Fence { .. } => look.fence(at),
                Undo::Value { location, .. } => look.other(at, Changed::Value(location)),
                Undo::Recorded { thread, at: position, .. } => look.other(at, Changed::Recorded(thread, position)),
                Undo::Key { thread, key, .. } => look.other(at, Changed::Key(thread, key)),
                Undo::Printed { .. } => look.other(at, Changed::Printed),
                Undo::Complained { .. } => look.other(at, Changed::Complained),
                Undo::Sync { sync } => look.other(at, Changed::Sync(sync)),
                _ => {}
            }
        }
        look
    }
}
