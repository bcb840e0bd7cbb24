//! The order of threads by their paths of spawns.
//!
//! Ids are assigned as threads are met, so their order differs from process to process. The choice of the next thread
//! has to be a function of the steps so far, or of a seed, and the same in every process.

use everyway_runtime::{State, ThreadId, ThreadPath};

/// The threads that are known, in any execution.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// In the order of their paths; empty as long as that is the order of their ids.
    order: Vec<ThreadId>,
    /// By thread: a hash of its path.
    hashes: Vec<u64>,
    /// The thread that all others come from.
    first: Option<ThreadId>,
}

impl Paths {
    /// Takes note of new threads.
    #[inline]
    pub(super) fn learn(&mut self, state: &dyn State) {
        if self.hashes.len() < state.threads() {
            self.sort(state);
        }
    }

    #[cold]
    fn sort(&mut self, state: &dyn State) {
        let paths: Vec<ThreadPath> = (0..state.threads()).map(|thread| state.path(ThreadId::new(thread))).collect();
        self.order.clear();
        if !paths.is_sorted() {
            self.order.extend((0..paths.len()).map(ThreadId::new));
            self.order.sort_by_key(|thread| &paths[thread.index()]);
        }
        self.first = paths.iter().position(|path| *path == ThreadPath::first()).map(ThreadId::new);
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let hash = |path: &ThreadPath| path.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, mix);
        self.hashes = paths.iter().map(hash).collect();
    }

    /// Whether a thread is the one that all others come from, if there is one: then it is the first in the order.
    #[inline]
    pub(super) fn is_first(&self, thread: ThreadId) -> bool {
        self.first == Some(thread)
    }

    /// All threads.
    pub(super) fn in_order(&self, state: &dyn State) -> impl Iterator<Item = ThreadId> + '_ {
        let is_sorted = self.order.is_empty();
        let ids = if is_sorted { state.threads() } else { 0 };
        (0..ids).map(ThreadId::new).chain(self.order.iter().copied())
    }

    /// The threads that have not ended.
    #[inline]
    pub(super) fn alive(&self, state: &dyn State) -> impl Iterator<Item = ThreadId> {
        let mut start = 0;
        std::iter::from_fn(move || {
            let (thread, place) = match self.order.is_empty() {
                true => state.next_alive(start).map(|thread| (thread, thread.index()))?,
                false => self.next_alive(start, state)?,
            };
            start = place + 1;
            Some(thread)
        })
    }

    /// The first thread that has not ended from a place of the order on, and its place.
    fn next_alive(&self, start: usize, state: &dyn State) -> Option<(ThreadId, usize)> {
        let place = start + self.order[start..].iter().position(|&thread| state.is_alive(thread))?;
        Some((self.order[place], place))
    }

    /// A hash of the path of a thread.
    pub(super) fn hash_of(&self, thread: ThreadId) -> u64 {
        self.hashes[thread.index()]
    }

    /// A hash of how far each thread has come.
    pub(super) fn hash(&self, seed: u64, length: impl Fn(ThreadId) -> u64) -> u64 {
        let all = self.hashes.iter().enumerate().map(|(thread, &path)| (path, length(ThreadId::new(thread))));
        let hash = |(path, length): (u64, u64)| (path ^ length).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        all.filter(|&(_, length)| length > 0)
            .map(hash)
            .fold(seed, u64::wrapping_add)
            .wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}
