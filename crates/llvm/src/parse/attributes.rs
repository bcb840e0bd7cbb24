//! Attributes: what we skip, and the few that mean something.

use super::Parser;
use crate::ast::Linkage;
use crate::error::Result;
use crate::lex::Token;
use crate::types::TypeId;

/// Words that start a value. All other words between a type and its value are attributes.
fn starts_value(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "none"
            | "undef"
            | "poison"
            | "zeroinitializer"
            | "asm"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "splat"
            | "ptrauth"
    ) || super::value::is_expression(word)
}

/// What is worth knowing about the words before a global or function.
#[derive(Debug)]
pub(super) struct Prefix {
    pub(super) linkage: Linkage,
    pub(super) thread_local: bool,
    /// Whether a word said that there is no definition here.
    pub(super) declared: bool,
    /// Whether it may be missing altogether.
    pub(super) weak: bool,
}

impl Parser<'_> {
    /// Skips the attributes of a parameter or argument; answers with the type of `byval`.
    pub(super) fn value_attributes(&mut self) -> Result<Option<TypeId>> {
        let mut by_value = None;
        loop {
            match self.peek() {
                Some(Token::Word("byval")) if self.peek_at(1) == Some(Token::Mark(b'(')) => {
                    self.at += 2;
                    by_value = Some(self.ty()?);
                    self.expect(b')')?;
                }
                Some(Token::Word(word)) if !starts_value(word) => self.attribute()?,
                Some(Token::Text(_)) => self.attribute()?,
                _ => return Ok(by_value),
            }
        }
    }

    /// Skips one attribute: a word with an argument in brackets, `align 8`, or `"key"="value"`.
    pub(super) fn attribute(&mut self) -> Result<()> {
        let token = self.bump()?;
        let numbered = matches!(token, Token::Word("align" | "alignstack" | "cc"));
        if numbered && matches!(self.peek(), Some(Token::Number(_))) {
            self.at += 1;
        } else if matches!(token, Token::Text(_)) && self.eat(b'=') {
            self.text()?;
        } else if self.peek() == Some(Token::Mark(b'(')) {
            self.skip_brackets()?;
        }
        Ok(())
    }

    /// The words between `define` or `@name =` and the type, or the words `global`, `constant`, `alias`.
    pub(super) fn prefix(&mut self) -> Result<Prefix> {
        let mut prefix = Prefix { linkage: Linkage::External, thread_local: false, declared: false, weak: false };
        loop {
            match self.peek() {
                Some(Token::Word("global" | "constant" | "alias" | "ifunc")) => return Ok(prefix),
                Some(Token::Word("internal" | "private")) => prefix.linkage = Linkage::Internal,
                Some(Token::Word("common")) => prefix.linkage = Linkage::Common,
                Some(Token::Word("appending")) => prefix.linkage = Linkage::Appending,
                Some(Token::Word("linkonce" | "linkonce_odr" | "weak" | "weak_odr" | "available_externally")) => {
                    prefix.linkage = Linkage::Weak
                }
                Some(Token::Word("external")) => prefix.declared = true,
                Some(Token::Word("extern_weak")) => (prefix.declared, prefix.weak) = (true, true),
                Some(Token::Word("thread_local")) => prefix.thread_local = true,
                Some(Token::Word(_) | Token::Text(_)) if !self.at_type() => {}
                _ => return Ok(prefix),
            }
            self.attribute()?;
        }
    }

    /// The rest of the line after a function's parameters, up to its body; answers with its `!dbg`.
    pub(super) fn suffix(&mut self, line: u32) -> Result<Option<u32>> {
        let mut debug = None;
        while self.peek().is_some() && self.line() == line && self.peek() != Some(Token::Mark(b'{')) {
            if let (Token::MetadataName("dbg"), Some(Token::Metadata(id))) = (self.bump()?, self.peek()) {
                debug = Some(id);
            }
        }
        Ok(debug)
    }
}
