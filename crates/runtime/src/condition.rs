//! Conditions on the value of a location, on which operations wait or depend.
//!
//! They are decided for any value without running code.

/// A condition on the value of one location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Always met.
    Always,
    /// The value is this one.
    Equals(u64),
    /// The value is not this one.
    Differs(u64),
    /// The value, unsigned, is this or more.
    AtLeast(u64),
    /// The value, unsigned, is less than this.
    Below(u64),
    /// The bits of the value that count, unsigned, are at least one number and at most another.
    Within {
        /// The bits that count.
        mask: u64,
        /// The least value.
        low: u64,
        /// The greatest value.
        high: u64,
    },
    /// The bits of the value that count, unsigned, are less than one number or more than another.
    Outside {
        /// The bits that count.
        mask: u64,
        /// The least value that does not meet the condition.
        low: u64,
        /// The greatest value that does not meet the condition.
        high: u64,
    },
}

impl Condition {
    /// Whether `value` meets the condition.
    #[inline]
    pub fn holds(self, value: u64) -> bool {
        match self {
            Condition::Always => true,
            Condition::Equals(v) => value == v,
            Condition::Differs(v) => value != v,
            Condition::AtLeast(v) => value >= v,
            Condition::Below(v) => value < v,
            Condition::Within { mask, low, high } => (low..=high).contains(&(value & mask)),
            Condition::Outside { mask, low, high } => !(low..=high).contains(&(value & mask)),
        }
    }
}
