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
    /// Those that do not compile: `||` beside a `let`.
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
            if mutant.genre == Genre::BinaryOperator { &mut unviable } else { &mut left }.push(number);
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

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.arms.insert(arm.span().byte_range().start, arm.pat.span().byte_range().end);
        visit::visit_arm(self, arm);
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
