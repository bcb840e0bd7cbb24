//! Sets of threads.

use crate::ids::ThreadId;

/// A set of threads, as bits: what is not in it costs nothing to pass over.
///
/// ```
/// use everyway_runtime::{ThreadId, ThreadSet};
///
/// let mut set = ThreadSet::default();
/// set.insert(ThreadId(3));
/// set.insert(ThreadId(70));
/// assert_eq!(set.next_from(0), Some(ThreadId(3)));
/// assert_eq!(set.next_from(4), Some(ThreadId(70)));
/// set.remove(ThreadId(70));
/// assert_eq!(set.next_from(4), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ThreadSet(Vec<u64>);

impl ThreadSet {
    /// Puts a thread in.
    #[inline]
    pub fn insert(&mut self, thread: ThreadId) {
        let (word, bit) = place(thread.index());
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= bit;
    }

    /// Whether a thread is in it.
    #[inline]
    pub fn contains(&self, thread: ThreadId) -> bool {
        let (word, bit) = place(thread.index());
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Takes a thread out.
    #[inline]
    pub fn remove(&mut self, thread: ThreadId) {
        let (word, bit) = place(thread.index());
        if let Some(word) = self.0.get_mut(word) {
            *word &= !bit;
        }
    }

    /// Takes all threads out.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The first thread of the set from `start` on.
    #[inline]
    pub fn next_from(&self, start: usize) -> Option<ThreadId> {
        self.find_from(start, |_| true)
    }

    /// The first thread of the set from `start` on for which `meets` holds.
    #[inline]
    pub fn find_from(&self, start: usize, meets: impl Fn(ThreadId) -> bool) -> Option<ThreadId> {
        let (first, bit) = place(start);
        let mut mask = !(bit - 1);
        for (word, bits) in self.0.iter().enumerate().skip(first) {
            let mut left = bits & mask;
            while left != 0 {
                let thread = ThreadId::new(word * WORD + left.trailing_zeros() as usize);
                if meets(thread) {
                    return Some(thread);
                }
                left &= left - 1;
            }
            mask = u64::MAX;
        }
        None
    }
}

const WORD: usize = u64::BITS as usize;

#[inline]
fn place(index: usize) -> (usize, u64) {
    (index / WORD, 1 << (index % WORD))
}
