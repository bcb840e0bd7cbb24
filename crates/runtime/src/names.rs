//! Stable names: what a thread is called in every execution and in every process.
//!
//! A thread is named by its path of spawns. Ids are assigned to paths as threads are met, so they are dense, and differ
//! from process to process. Data that leaves a process - replay files, frontiers - has paths.

use crate::ids::ThreadId;
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// A thread, by which child of which child of the first thread it is. The first thread's path is empty.
///
/// ```
/// use everyway_runtime::ThreadPath;
///
/// let grandchild = ThreadPath::first().child(2).child(0);
/// assert_eq!(grandchild.to_string(), "0.2.0");
/// assert_eq!("0.2.0".parse(), Ok(grandchild));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadPath(SmallVec<[u32; 4]>);

impl ThreadPath {
    /// The path of the first thread.
    pub fn first() -> Self {
        Self::default()
    }

    /// The path of the child that this thread spawns after `nth` others.
    #[must_use]
    pub fn child(&self, nth: u32) -> Self {
        let mut path = self.0.clone();
        path.push(nth);
        Self(path)
    }

    /// How many spawns it took, from the first thread on.
    pub fn depth(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for ThreadPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0")?;
        self.0.iter().try_for_each(|nth| write!(f, ".{nth}"))
    }
}

/// What is not the path of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAPath;

impl FromStr for ThreadPath {
    type Err = NotAPath;

    fn from_str(text: &str) -> Result<Self, NotAPath> {
        let mut parts = text.split('.');
        if parts.next() != Some("0") {
            return Err(NotAPath);
        }
        let path: Result<_, _> = parts.map(|part| part.parse().map_err(|_| NotAPath)).collect();
        path.map(Self)
    }
}

/// The threads that were met so far, in any execution of this process.
#[derive(Debug)]
pub struct Threads {
    known: Vec<NamedThread>,
}

#[derive(Debug)]
struct NamedThread {
    path: ThreadPath,
    /// By how many threads it had spawned before.
    children: Vec<Option<ThreadId>>,
}

impl Threads {
    /// The first thread.
    pub const FIRST: ThreadId = ThreadId(0);

    /// The first thread, and no other.
    pub fn new() -> Self {
        Self { known: vec![NamedThread { path: ThreadPath::first(), children: Vec::new() }] }
    }

    /// The thread that `parent` spawns after `nth` others.
    pub fn child(&mut self, parent: ThreadId, nth: u32) -> ThreadId {
        let slot = nth as usize;
        let next = ThreadId::new(self.known.len());
        let NamedThread { path, children } = &mut self.known[parent.index()];
        if children.len() <= slot {
            children.resize(slot + 1, None);
        }
        if let Some(known) = children[slot] {
            return known;
        }
        children[slot] = Some(next);
        let path = path.child(nth);
        self.known.push(NamedThread { path, children: Vec::new() });
        next
    }

    /// The thread with this path.
    pub fn at(&mut self, path: &ThreadPath) -> ThreadId {
        path.0.iter().fold(Self::FIRST, |parent, &nth| self.child(parent, nth))
    }

    /// The path of a thread.
    pub fn path(&self, thread: ThreadId) -> &ThreadPath {
        &self.known[thread.index()].path
    }

    /// How many threads were met.
    #[expect(clippy::len_without_is_empty, reason = "there always is a first thread")]
    pub fn len(&self) -> usize {
        self.known.len()
    }
}

impl Default for Threads {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_from_paths() {
        let mut threads = Threads::new();
        let second = threads.child(Threads::FIRST, 1);
        let first = threads.child(Threads::FIRST, 0);
        let nested = threads.child(second, 0);
        assert_eq!([second, first, nested], [ThreadId(1), ThreadId(2), ThreadId(3)]);
        assert_eq!(threads.child(Threads::FIRST, 1), second);
        assert_eq!(threads.at(&"0.1.0".parse().expect("a path")), nested);
        assert_eq!(threads.path(nested).to_string(), "0.1.0");
        assert_eq!(threads.len(), 4);
    }

    #[test]
    fn what_is_not_a_path_is_refused() {
        for text in ["", "1", "0.", "0.x", "0.-1", "main"] {
            assert_eq!(text.parse::<ThreadPath>(), Err(NotAPath), "{text}");
        }
    }
}
