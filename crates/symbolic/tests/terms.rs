//! Terms, as they are folded and as the solver has them: both compute what the operations mean.
//!
//! Random terms over three variables are built twice: from variables, and from constants with the same values. The
//! second folds to a constant by itself. The first is blasted, the solver is told the values of the variables, and its
//! model has to have the same value; that the term has any other value is unsatisfiable.

use everyway_symbolic::solver::{Answer, BuiltIn, Script, Solver};
use everyway_symbolic::term::{Term, Terms};
use fastrand::Rng;

/// How a term is made, by choices that are the same for both.
fn make(terms: &mut Terms, random: &mut Rng, leaves: &[Term], depth: u32) -> Term {
    let width = terms.width(leaves[0]);
    if depth == 0 {
        return match random.u32(0..5) {
            0 => terms.constant(width, random.u128(..)),
            _ => leaves[random.usize(0..leaves.len())],
        };
    }
    let kind = random.u32(0..19);
    let a = make(terms, random, leaves, depth - 1);
    let b = make(terms, random, leaves, depth - 1);
    let condition = |terms: &mut Terms, term: Term| terms.extend_zero(term, width);
    match kind {
        0 => terms.not(a),
        1 => terms.and(a, b),
        2 => terms.or(a, b),
        3 => terms.xor(a, b),
        4 => terms.add(a, b),
        5 => terms.sub(a, b),
        6 => terms.mul(a, b),
        7 => terms.divide(a, b),
        8 => terms.remainder(a, b),
        9 => terms.shift_left(a, b),
        10 => terms.shift_right(a, b),
        11 => terms.shift_right_signed(a, b),
        12 => {
            let equal = terms.equal(a, b);
            condition(terms, equal)
        }
        13 => {
            let less = terms.less(a, b);
            condition(terms, less)
        }
        14 => {
            let less = terms.less_signed(a, b);
            condition(terms, less)
        }
        15 => {
            let less = terms.less(a, b);
            terms.choose(less, a, b)
        }
        16 => {
            let middle = width / 2;
            let (high, low) = (terms.extract(a, middle, width - middle), terms.extract(b, 0, middle.max(1)));
            let both = terms.concat(high, low);
            let from = terms.width(both) - width;
            terms.extract(both, from, width)
        }
        17 => {
            let part = terms.extract(a, 0, (width / 2).max(1));
            terms.extend_sign(part, width)
        }
        _ => {
            let part = terms.extract(b, width / 2, width - width / 2);
            terms.extend_zero(part, width)
        }
    }
}

#[test]
fn folding_and_solving_agree() {
    for seed in 0..400 {
        let width = [1, 2, 3, 8, 13, 32][seed as usize % 6];
        let depth = if width > 8 { 2 } else { 4 };
        let mut terms = Terms::default();
        let mut random = Rng::with_seed(seed);
        let values: Vec<Term> = (0..3).map(|_| terms.constant(width, random.u128(..))).collect();
        let variables: Vec<Term> = (0..3).map(|index| terms.variable(format!("x{index}"), width)).collect();
        let folded = make(&mut terms, &mut Rng::with_seed(seed), &values, depth);
        let expected = terms.value(folded).expect("constants fold to a constant");
        let open = make(&mut terms, &mut Rng::with_seed(seed), &variables, depth);
        let mut solver = BuiltIn::new();
        for (&variable, &value) in variables.iter().zip(&values) {
            let same = terms.equal(variable, value);
            solver.assert(&terms, same).expect("it can be told");
        }
        let is_it = terms.equal(open, folded);
        assert_eq!(solver.check(&terms, is_it), Ok(Answer::Satisfiable), "seed {seed}: {expected}");
        assert_eq!(solver.value(&terms, open), Ok(expected), "seed {seed}");
        let is_not = terms.not(is_it);
        assert_eq!(solver.check(&terms, is_not), Ok(Answer::Unsatisfiable), "seed {seed}: {expected}");
    }
}

/// The operations by their definitions, not by our own folding.
#[test]
fn operations_mean_what_they_say() {
    let mut terms = Terms::default();
    let cases = [(0u8, 0u8), (7, 2), (200, 3), (255, 255), (128, 255), (1, 0), (100, 9), (5, 200)];
    for (x, y) in cases {
        let (a, b) = (terms.constant(8, x.into()), terms.constant(8, y.into()));
        let mut made = Vec::new();
        let shift = |by: u8, f: fn(u8, u32) -> u8, beyond: u8| if by < 8 { f(x, by.into()) } else { beyond };
        let sign = if x >= 128 { 255 } else { 0 };
        let t = &mut terms;
        made.push((t.add(a, b), x.wrapping_add(y), "sum"));
        made.push((t.sub(a, b), x.wrapping_sub(y), "difference"));
        made.push((t.mul(a, b), x.wrapping_mul(y), "product"));
        made.push((t.divide(a, b), x.checked_div(y).unwrap_or(255), "quotient"));
        made.push((t.remainder(a, b), x.checked_rem(y).unwrap_or(x), "remainder"));
        made.push((t.shift_left(a, b), shift(y, |x, by| x << by, 0), "left shift"));
        made.push((t.shift_right(a, b), shift(y, |x, by| x >> by, 0), "right shift"));
        made.push((t.shift_right_signed(a, b), shift(y, |x, by| ((x as i8) >> by) as u8, sign), "signed shift"));
        made.push((t.less(a, b), u8::from(x < y), "order"));
        made.push((t.less_signed(a, b), u8::from((x as i8) < (y as i8)), "signed order"));
        for (term, expected, what) in made {
            assert_eq!(terms.value(term), Some(expected.into()), "{what} of {x} and {y}");
        }
    }
}

/// What is written down has the commands of SMT-LIB, and everything is declared or defined before it is used.
#[test]
fn scripts_define_what_they_use() {
    let mut terms = Terms::default();
    let (a, b) = (terms.variable("a", 8), terms.variable("b", 8));
    let sum = terms.add(a, b);
    let seven = terms.constant(8, 7);
    let (is_seven, less) = (terms.equal(sum, seven), terms.less(a, b));
    let mut script = Script::new(Box::new(BuiltIn::new()));
    script.assert(&terms, is_seven).expect("it can be told");
    assert_eq!(script.check(&terms, less), Ok(Answer::Satisfiable));
    let text = script.text();
    assert!(text.starts_with("(set-option :produce-models true)\n(set-logic QF_BV)\n"), "{text}");
    let mut known: Vec<&str> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(|c: char| !(c.is_alphanumeric())).collect();
        let names = words.iter().filter(|word| word.starts_with(['v', 't']) && word[1..].parse::<u32>().is_ok());
        if line.starts_with("(declare-const") || line.starts_with("(define-fun") {
            let name = line.split_whitespace().nth(1).expect("a definition has a name");
            assert!(names.clone().filter(|used| **used != name).all(|used| known.contains(used)), "{line}");
            known.push(name);
        } else {
            assert!(names.clone().all(|used| known.contains(used)), "{line}");
        }
    }
    assert!(text.contains("(check-sat)"));
}
