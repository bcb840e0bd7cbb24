//! Formulas as SMT-LIB 2: a definition for each term, so that what is shared is written once.

use super::{Answer, Solver, SolverError, Statistics};
use crate::term::{Node, Term, Terms};
use std::fmt::Write;

/// Writes down what a solver is told, and passes it on.
pub struct Script {
    inner: Box<dyn Solver>,
    text: Text,
}

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Script").field("text", &self.text).finish_non_exhaustive()
    }
}

impl Script {
    /// A script of what `inner` is told.
    pub fn new(inner: Box<dyn Solver>) -> Self {
        Self { inner, text: Text::new() }
    }

    /// Everything so far.
    pub fn text(&self) -> &str {
        &self.text.written
    }
}

impl Solver for Script {
    fn assert(&mut self, terms: &Terms, condition: Term) -> Result<(), SolverError> {
        self.text.assert(terms, condition);
        self.inner.assert(terms, condition)
    }

    fn check(&mut self, terms: &Terms, condition: Term) -> Result<Answer, SolverError> {
        self.text.define(terms, condition);
        self.text.line("(push 1)");
        self.text.assert(terms, condition);
        self.text.line("(check-sat)");
        self.text.line("(pop 1)");
        self.inner.check(terms, condition)
    }

    fn value(&mut self, terms: &Terms, term: Term) -> Result<u128, SolverError> {
        self.inner.value(terms, term)
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}

/// SMT-LIB, as it is written.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) written: String,
    /// By term: whether it has been defined.
    defined: Vec<bool>,
}

impl Text {
    pub(super) fn new() -> Self {
        let written = "(set-option :produce-models true)\n(set-logic QF_BV)\n".to_owned();
        Self { written, defined: Vec::new() }
    }

    pub(super) fn is_defined(&self, term: Term) -> bool {
        self.defined.get(term.index()).copied().unwrap_or(false)
    }

    pub(super) fn line(&mut self, line: &str) {
        self.written.push_str(line);
        self.written.push('\n');
    }

    pub(super) fn assert(&mut self, terms: &Terms, condition: Term) {
        self.define(terms, condition);
        let name = name(terms, condition);
        self.line(&format!("(assert (= {name} #b1))"));
    }

    /// Defines a term and everything it is made of.
    pub(super) fn define(&mut self, terms: &Terms, term: Term) {
        self.defined.resize(self.defined.len().max(terms.len()), false);
        let mut work = vec![term];
        while let Some(&top) = work.last() {
            let node = terms.node(top);
            let ready = work.len();
            node.for_each_operand(|operand| {
                if !self.defined[operand.index()] {
                    work.push(operand);
                }
            });
            if work.len() > ready {
                continue;
            }
            work.pop();
            if !std::mem::replace(&mut self.defined[top.index()], true) {
                self.define_one(terms, top, node);
            }
        }
    }

    fn define_one(&mut self, terms: &Terms, term: Term, node: Node) {
        let (name, width) = (name(terms, term), terms.width(term));
        match node {
            Node::Const(_) => {}
            Node::Variable(number) => {
                let what = terms.name(number);
                self.line(&format!("(declare-const {name} (_ BitVec {width})) ; {what}"));
            }
            _ => {
                let body = expression(terms, term, node);
                self.line(&format!("(define-fun {name} () (_ BitVec {width}) {body})"));
            }
        }
    }
}

/// How a term is called; constants are written out.
pub(super) fn name(terms: &Terms, term: Term) -> String {
    match terms.node(term) {
        Node::Const(bits) => {
            let width = terms.width(term) as usize;
            format!("#b{bits:0width$b}")
        }
        Node::Variable(number) => format!("v{number}"),
        _ => format!("t{}", term.index()),
    }
}

fn expression(terms: &Terms, term: Term, node: Node) -> String {
    let (operator, is_condition) = match node {
        Node::Not(_) => ("bvnot".to_owned(), false),
        Node::And(..) => ("bvand".to_owned(), false),
        Node::Or(..) => ("bvor".to_owned(), false),
        Node::Xor(..) => ("bvxor".to_owned(), false),
        Node::Add(..) => ("bvadd".to_owned(), false),
        Node::Sub(..) => ("bvsub".to_owned(), false),
        Node::Mul(..) => ("bvmul".to_owned(), false),
        Node::Divide(..) => ("bvudiv".to_owned(), false),
        Node::Remainder(..) => ("bvurem".to_owned(), false),
        Node::ShiftLeft(..) => ("bvshl".to_owned(), false),
        Node::ShiftRight(..) => ("bvlshr".to_owned(), false),
        Node::ShiftRightSigned(..) => ("bvashr".to_owned(), false),
        Node::Equal(..) => ("=".to_owned(), true),
        Node::Less(..) => ("bvult".to_owned(), true),
        Node::LessSigned(..) => ("bvslt".to_owned(), true),
        Node::Concat(..) => ("concat".to_owned(), false),
        Node::Extract(_, from) => {
            let high = u32::from(from) + terms.width(term) - 1;
            (format!("(_ extract {high} {from})"), false)
        }
        Node::Extend(inner) => (format!("(_ sign_extend {})", terms.width(term) - terms.width(inner)), false),
        Node::Choose(condition, then, otherwise) => {
            let of = |term| name(terms, term);
            return format!("(ite (= {} #b1) {} {})", of(condition), of(then), of(otherwise));
        }
        Node::Const(_) | Node::Variable(_) => return name(terms, term),
    };
    let mut text = format!("({operator}");
    node.for_each_operand(|operand| {
        // Writing to text does not fail.
        let _ = write!(text, " {}", name(terms, operand));
    });
    text.push(')');
    if is_condition { format!("(ite {text} #b1 #b0)") } else { text }
}
