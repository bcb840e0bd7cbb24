//! Gates over literals, with what is known of them folded away, as clauses.

use rustc_hash::FxHashMap;

/// A literal as solvers write it: a variable, or its negation if it is negative.
pub(super) type Literal = i32;

/// The literal that always holds.
pub(super) const TRUE: Literal = 1;
/// The literal that never holds.
pub(super) const FALSE: Literal = -1;

/// What takes clauses.
pub(super) trait Clauses {
    /// One of these literals holds.
    fn add(&mut self, clause: &[Literal]);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And(Literal, Literal),
    Xor(Literal, Literal),
    Choose(Literal, Literal, Literal),
}

/// The gates that were made. Every gate is a variable that equals it (Tseitin's encoding).
#[derive(Debug)]
pub(super) struct Gates<C> {
    pub(super) clauses: C,
    variables: i32,
    known: FxHashMap<Gate, Literal>,
}

impl<C: Clauses> Gates<C> {
    pub(super) fn new(mut clauses: C) -> Self {
        clauses.add(&[TRUE]);
        Self { clauses, variables: 1, known: FxHashMap::default() }
    }

    pub(super) fn variable(&mut self) -> Literal {
        self.variables += 1;
        self.variables
    }

    pub(super) fn variables(&self) -> u64 {
        self.variables as u64
    }

    pub(super) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == FALSE || b == FALSE || a == -b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        if let Some(&known) = self.known.get(&Gate::And(a, b)) {
            return known;
        }
        let c = self.variable();
        self.clauses.add(&[-c, a]);
        self.clauses.add(&[-c, b]);
        self.clauses.add(&[c, -a, -b]);
        self.known.insert(Gate::And(a, b), c);
        c
    }

    pub(super) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        -self.and(-a, -b)
    }

    pub(super) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        // The gate is over variables; negations go outside.
        let negated = (a < 0) != (b < 0);
        let (a, b) = if a.abs() <= b.abs() { (a.abs(), b.abs()) } else { (b.abs(), a.abs()) };
        let sign = if negated { -1 } else { 1 };
        if a == b {
            return sign * FALSE;
        }
        if a == TRUE {
            return sign * -b;
        }
        if let Some(&known) = self.known.get(&Gate::Xor(a, b)) {
            return sign * known;
        }
        let c = self.variable();
        self.clauses.add(&[-c, a, b]);
        self.clauses.add(&[-c, -a, -b]);
        self.clauses.add(&[c, -a, b]);
        self.clauses.add(&[c, a, -b]);
        self.known.insert(Gate::Xor(a, b), c);
        sign * c
    }

    pub(super) fn choose(&mut self, c: Literal, t: Literal, e: Literal) -> Literal {
        if c < 0 {
            return self.choose(-c, e, t);
        }
        if t == e || c == TRUE {
            return t;
        }
        if t == -e {
            return -self.xor(c, t);
        }
        if t == TRUE || t == c {
            return self.or(c, e);
        }
        if t == FALSE || t == -c {
            return self.and(-c, e);
        }
        if e == TRUE || e == -c {
            return self.or(-c, t);
        }
        if e == FALSE || e == c {
            return self.and(c, t);
        }
        if t < 0 {
            return -self.choose(c, -t, -e);
        }
        if let Some(&known) = self.known.get(&Gate::Choose(c, t, e)) {
            return known;
        }
        let g = self.variable();
        self.clauses.add(&[-c, -t, g]);
        self.clauses.add(&[-c, t, -g]);
        self.clauses.add(&[c, -e, g]);
        self.clauses.add(&[c, e, -g]);
        // Redundant, but they let both alternatives speak where the condition is open.
        self.clauses.add(&[-t, -e, g]);
        self.clauses.add(&[t, e, -g]);
        self.known.insert(Gate::Choose(c, t, e), g);
        g
    }

    /// The sum of two bits and a carry, and the carry that comes out.
    pub(super) fn add(&mut self, a: Literal, b: Literal, carry: Literal) -> (Literal, Literal) {
        let half = self.xor(a, b);
        let sum = self.xor(half, carry);
        let out = self.choose(half, carry, a);
        (sum, out)
    }

    /// Any of these literals.
    pub(super) fn any(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals.into_iter().fold(FALSE, |any, literal| self.or(any, literal))
    }
}
