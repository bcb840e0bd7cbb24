//! The constants that a term chooses among.

use super::{Node, Term, Terms};
use rustc_hash::FxHashSet;

impl Terms {
    /// Adds the constants that a term chooses among, each once; whether it does nothing else than to choose.
    pub(crate) fn leaves(&mut self, term: Term, found: &mut Vec<u32>) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![term];
        let mut only_chooses = true;
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.node(term) {
                Node::Const(bits) if found.contains(&(bits as u32)) => {}
                Node::Const(bits) => found.push(bits as u32),
                Node::Choose(_, then, otherwise) => work.extend([otherwise, then]),
                // A choice between what is put together in different ways.
                Node::Extract(chosen, from) => match self.node(chosen) {
                    Node::Choose(_, then, otherwise) => {
                        let width = self.width(term);
                        work.extend([otherwise, then].map(|it| self.extract(it, from.into(), width)));
                    }
                    _ => only_chooses = false,
                },
                _ => only_chooses = false,
            }
        }
        only_chooses
    }
}
