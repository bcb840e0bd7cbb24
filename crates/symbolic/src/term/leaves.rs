//! The constants that a term chooses among.

use super::{Node, Term, Terms};
use rustc_hash::FxHashSet;

/// A term that chooses among more than so many is one of which nothing is known.
const CHOICES: usize = 1024;

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
            if seen.len() > CHOICES {
                return false;
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
                // Bytes that are chosen side by side, by the same conditions as a rule.
                Node::Concat(..) => match self.first_condition(term) {
                    Some(condition) => {
                        work.extend([false, true].map(|holds| self.where_it_is(term, condition, holds)));
                    }
                    None => only_chooses = false,
                },
                _ => only_chooses = false,
            }
        }
        only_chooses
    }

    /// The condition by which the first of the parts is chosen that are put together, if one is chosen.
    fn first_condition(&self, term: Term) -> Option<Term> {
        match self.node(term) {
            Node::Concat(high, low) => self.first_condition(high).or_else(|| self.first_condition(low)),
            Node::Choose(condition, ..) => Some(condition),
            _ => None,
        }
    }

    /// What is put together of parts that are chosen by this condition, where that holds or does not.
    fn where_it_is(&mut self, term: Term, condition: Term, holds: bool) -> Term {
        match self.node(term) {
            Node::Concat(high, low) => {
                let [high, low] = [high, low].map(|part| self.where_it_is(part, condition, holds));
                self.concat(high, low)
            }
            Node::Choose(by, then, otherwise) if by == condition => {
                if holds {
                    then
                } else {
                    otherwise
                }
            }
            _ => term,
        }
    }
}
