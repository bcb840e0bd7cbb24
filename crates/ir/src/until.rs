//! What an await waits for: a condition on the value in memory, in a form that can be decided without running code.
//!
//! It is in conjunctive normal form, because that is what the negations of purity conditions are, which awaits come
//! from.

use crate::operators::IntPredicate;
use crate::value::Value;

/// A condition on the value that an access finds in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Until {
    /// All of these have to hold. There is at least one.
    pub clauses: Vec<Clause>,
}

/// Alternatives, of which there is at least one.
pub type Clause = Vec<Test>;

/// A relation of the value in memory, of which only some bits may count, to an operand of the same type, which is
/// evaluated before the waiting begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The bits that count, of the same type; `None` for all.
    pub mask: Option<Value>,
    /// The relation.
    pub predicate: IntPredicate,
    /// What it is compared with.
    pub operand: Value,
}

impl<'a> IntoIterator for &'a Until {
    type Item = &'a Clause;
    type IntoIter = std::slice::Iter<'a, Clause>;

    fn into_iter(self) -> Self::IntoIter {
        self.clauses.iter()
    }
}

impl<'a> IntoIterator for &'a mut Until {
    type Item = &'a mut Clause;
    type IntoIter = std::slice::IterMut<'a, Clause>;

    fn into_iter(self) -> Self::IntoIter {
        self.clauses.iter_mut()
    }
}
