//! A source file with switches: wherever there are mutants, the number of the one that is on decides what is done.
//!
//! An expression with mutants becomes a `match` over that number, in which each mutant has an arm of its own and the last
//! one is the expression as it was, with switches inside. A mutant's arm has none: only one mutant is on at a time.

use crate::Result;
use crate::list::{Genre, Mutant, Place};
use proc_macro2::Span;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The number of a mutant in its list, from 1: 0 stands for none.
pub(crate) type Number = usize;

/// A file with switches.
#[derive(Debug)]
pub(crate) struct Switched {
    pub(crate) text: String,
    /// What was written for a mutant alone, by bytes of `text`.
    pub(crate) of_mutants: Vec<(Range<usize>, Number)>,
    /// What was written for a site, the expression included, by bytes of `text`.
    pub(crate) of_sites: Vec<(Range<usize>, Vec<Number>)>,
    /// Those for which there is no switch.
    pub(crate) left: Vec<Number>,
    /// Those that do not compile: `||` beside a `let`, or a case that would be missing.
    pub(crate) unviable: Vec<Number>,
}

/// How a switch is written.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Before the statements of a function.
    Body,
    /// After the pattern of an arm.
    Arm,
    /// Around an expression.
    Expression,
}

/// A part of a file that has mutants.
#[derive(Debug)]
struct Site {
    range: Range<usize>,
    kind: Kind,
    /// Each with what it is there, if it is an expression or a value.
    mutants: Vec<(Number, String)>,
}

/// The file `text` with switches for these mutants of it.
pub(crate) fn switch(text: &str, mutants: &[(Number, &Mutant)]) -> Result<Switched> {
    let mut extents = Extents::default();
    extents.visit_file(&syn::parse_file(text)?);
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1)).collect();
    let offset = |place: Place| {
        let start = lines[place.line - 1];
        let line = &text[start..];
        start + line.char_indices().nth(place.column - 1).map_or(line.len(), |(offset, _)| offset)
    };
    let mut sites: HashMap<(usize, usize, Kind), Site> = HashMap::new();
    let (mut left, mut unviable) = (Vec::new(), Vec::new());
    for &(number, mutant) in mutants {
        let span = offset(mutant.span.start)..offset(mutant.span.end);
        let Some((range, kind)) = extents.site(mutant, &span, text) else {
            let compiles = !matches!(mutant.genre, Genre::BinaryOperator | Genre::MatchArm);
            if compiles { &mut left } else { &mut unviable }.push(number);
            continue;
        };
        let version = match mutant.genre {
            Genre::FnValue | Genre::MatchArmGuard => mutant.replacement.clone(),
            Genre::MatchArm => String::new(),
            Genre::BinaryOperator | Genre::UnaryOperator | Genre::StructField => {
                let (before, after) = (&text[range.start..span.start], &text[span.end..range.end]);
                format!("{before}{}{after}", mutant.replacement)
            }
        };
        let site = sites.entry((range.start, range.end, kind));
        site.or_insert_with(|| Site { range, kind, mutants: Vec::new() }).mutants.push((number, version));
    }
    let mut sites: Vec<Site> = sites.into_values().collect();
    sites.sort_by_key(|site| (site.range.start, std::cmp::Reverse(site.range.end), site.kind));
    let mut writer = Writer { source: text, text: String::new(), of_mutants: Vec::new(), of_sites: Vec::new() };
    writer.write(0..text.len(), &sites);
    let Writer { text, of_mutants, of_sites, .. } = writer;
    Ok(Switched { text, of_mutants, of_sites, left, unviable })
}

/// Where the expressions are whose operators and fields `cargo mutants` names.
#[derive(Default)]
struct Extents {
    /// By where an operator or a field begins.
    expressions: HashMap<usize, Range<usize>>,
    /// Where the pattern of an arm ends, by where the arm begins.
    arms: HashMap<usize, usize>,
}

impl Extents {
    /// What is to be written anew for a mutant, and how.
    fn site(&self, mutant: &Mutant, span: &Range<usize>, text: &str) -> Option<(Range<usize>, Kind)> {
        match mutant.genre {
            // Such a function has one type, whatever it returns.
            Genre::FnValue if mutant.function.as_ref().is_some_and(|of| of.return_type.contains("impl ")) => None,
            Genre::FnValue => Some((span.clone(), Kind::Body)),
            Genre::MatchArm => self.arms.get(&span.start).map(|&end| (end..end, Kind::Arm)),
            // A guard that binds is not an expression.
            Genre::MatchArmGuard if text[span.clone()].contains("let ") => None,
            Genre::MatchArmGuard => Some((span.clone(), Kind::Expression)),
            Genre::BinaryOperator | Genre::UnaryOperator | Genre::StructField => {
                self.expressions.get(&span.start).map(|range| (range.clone(), Kind::Expression))
            }
        }
    }

    fn add(&mut self, part: Span, whole: Span) {
        self.expressions.insert(part.byte_range().start, whole.byte_range());
    }
}

impl<'ast> Visit<'ast> for Extents {
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !binds(&binary.left) && !binds(&binary.right) {
            self.add(binary.op.span(), binary.span());
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.add(unary.op.span(), unary.span());
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, expression: &'ast syn::ExprStruct) {
        for field in &expression.fields {
            self.add(field.span(), expression.span());
        }
        visit::visit_expr_struct(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        // An arm with a guard counts for nothing when the compiler asks whether all cases are there.
        if expression.arms.iter().any(|arm| matches!(arm.pat, syn::Pat::Wild(_))) {
            for arm in &expression.arms {
                self.arms.insert(arm.span().byte_range().start, arm.pat.span().byte_range().end);
            }
        }
        visit::visit_expr_match(self, expression);
    }
}

/// Whether there is a `let` in a chain of conditions: then it cannot be put in parentheses.
fn binds(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}

struct Writer<'a> {
    source: &'a str,
    text: String,
    of_mutants: Vec<(Range<usize>, Number)>,
    of_sites: Vec<(Range<usize>, Vec<Number>)>,
}

impl Writer<'_> {
    /// Writes a part of the source with the sites in it, outer ones first.
    fn write(&mut self, part: Range<usize>, mut sites: &[Site]) {
        let mut done = part.start;
        while let Some((site, rest)) = sites.split_first() {
            let inner = rest.iter().take_while(|other| other.range.end <= site.range.end).count();
            self.text.push_str(&self.source[done..site.range.start]);
            self.write_site(site, &rest[..inner]);
            done = site.range.end;
            sites = &rest[inner..];
        }
        self.text.push_str(&self.source[done..part.end]);
    }

    fn write_site(&mut self, site: &Site, inner: &[Site]) {
        let start = self.text.len();
        let on = format!("crate::mutant::on({})", site.mutants[0].0);
        match site.kind {
            Kind::Arm => self.text.push_str(&format!(" if {on} != {}", site.mutants[0].0)),
            Kind::Body => {
                self.text.push_str(&format!("match {on} {{ "));
                self.write_versions(site, "return ");
                self.text.push_str("_ => {} }; ");
                self.write(site.range.clone(), inner);
            }
            Kind::Expression => {
                self.text.push_str(&format!("(match {on} {{ "));
                self.write_versions(site, "");
                self.text.push_str("_ => ");
                self.write(site.range.clone(), inner);
                self.text.push_str(" })");
            }
        }
        let numbers = site.mutants.iter().map(|&(number, _)| number).collect();
        self.of_sites.push((start..self.text.len(), numbers));
    }

    fn write_versions(&mut self, site: &Site, before: &str) {
        for (number, version) in &site.mutants {
            let start = self.text.len();
            self.text.push_str(&format!("{number} => {before}{version}, "));
            self.of_mutants.push((start..self.text.len(), *number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::{Function, Span};

    const SOURCE: &str = "fn f(a: u8, b: u8) -> bool {
    // Ünlike bytes, characters are counted.
    match a { 0 => !(a < b), _ if b == 1 => true, _ => false }
}";

    /// A mutant of what is in the line 3 of the source, or of all of it.
    fn mutant(genre: Genre, what: &str, replacement: &str) -> Mutant {
        let line = SOURCE.lines().nth(2).expect("there are four lines");
        let start = line.find(what).expect("it is in the line") + 1;
        let place = |column| Place { line: 3, column };
        Mutant {
            file: "f.rs".into(),
            name: format!("{what} with {replacement}"),
            genre,
            function: Some(Function { return_type: "-> bool".into() }),
            span: Span { start: place(start), end: place(start + what.len()) },
            replacement: replacement.into(),
        }
    }

    fn switched(mutants: &[Mutant]) -> Switched {
        let numbered: Vec<_> = (1..).zip(mutants).collect();
        switch(SOURCE, &numbered).expect("the source can be parsed")
    }

    fn third_line(mutants: &[Mutant]) -> String {
        switched(mutants).text.lines().nth(2).expect("there are four lines").trim().into()
    }

    #[test]
    fn an_operator_is_switched_around_its_operands() {
        let less = ["==", ">"].map(|other| mutant(Genre::BinaryOperator, "<", other));
        let not = mutant(Genre::UnaryOperator, "!", "");
        let expected = "match a { 0 => (match crate::mutant::on(3) { 3 => (a < b), _ => \
                        !((match crate::mutant::on(1) { 1 => a == b, 2 => a > b, _ => a < b })) }), \
                        _ if b == 1 => true, _ => false }";
        assert_eq!(third_line(&[less[0].clone(), less[1].clone(), not]), expected);
    }

    #[test]
    fn arms_are_switched_by_their_guards() {
        let arm = mutant(Genre::MatchArm, "0 => !(a < b),", "");
        let guard = mutant(Genre::MatchArmGuard, "b == 1", "false");
        let expected = "match a { 0 if crate::mutant::on(1) != 1 => !(a < b), \
                        _ if (match crate::mutant::on(2) { 2 => false, _ => b == 1 }) => true, _ => false }";
        assert_eq!(third_line(&[arm, guard]), expected);
    }

    #[test]
    fn a_function_returns_before_it_begins() {
        let whole = SOURCE.lines().nth(2).expect("there are four lines").trim();
        let body = mutant(Genre::FnValue, whole, "true");
        let expected = format!("match crate::mutant::on(1) {{ 1 => return true, _ => {{}} }}; {whole}");
        assert_eq!(third_line(std::slice::from_ref(&body)), expected);
        let mut iterates = body;
        iterates.function = Some(Function { return_type: "-> impl Iterator<Item = u8>".into() });
        assert_eq!(switched(&[iterates]).left, [1]);
    }

    #[test]
    fn what_is_written_for_a_mutant_is_known() {
        let switched = switched(&[mutant(Genre::BinaryOperator, "<", ">")]);
        let [(range, 1)] = &switched.of_mutants[..] else { panic!("{:?}", switched.of_mutants) };
        assert_eq!(&switched.text[range.clone()], "1 => a > b, ");
    }
}
