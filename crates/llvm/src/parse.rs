//! Tokens to a syntax tree.
//!
//! Attributes and metadata that we have no use for are skipped; everything else is either understood or an
//! error that names it.

mod attributes;
mod call;
mod function;
mod instruction;
mod memory;
mod metadata;
mod module;
mod types;
mod value;

use crate::ast::Module;
use crate::error::{Error, Result};
use crate::lex::{Spanned, Token, lex};

/// The syntax tree of a file.
pub(crate) fn parse(text: &str) -> Result<Module<'_>> {
    let mut parser = Parser { tokens: lex(text)?, at: 0, depth: 0, module: Module::default() };
    while parser.peek().is_some() {
        parser.item()?;
    }
    Ok(parser.module)
}

/// How deep types and constants may be nested: the parser is recursive, and inputs may be hostile.
const DEPTH_LIMIT: u32 = 128;

struct Parser<'a> {
    tokens: Vec<Spanned<'a>>,
    at: usize,
    depth: u32,
    module: Module<'a>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + ahead).map(|spanned| spanned.token)
    }

    /// The line of the next token.
    fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |spanned| spanned.line)
    }

    fn bump(&mut self) -> Result<Token<'a>> {
        let token = self.peek().ok_or_else(|| Error::new(self.line(), "the file ends too early"))?;
        self.at += 1;
        Ok(token)
    }

    /// An error at the next token, which is not what it should be.
    fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        let found = match self.peek() {
            Some(Token::Word(word)) => format!("`{word}`"),
            Some(Token::Local(name)) => format!("`%{name}`"),
            Some(Token::Global(name)) => format!("`@{name}`"),
            Some(Token::Number(number)) => format!("`{number}`"),
            Some(Token::Mark(mark)) => format!("`{}`", char::from(mark)),
            Some(Token::Dots) => "`...`".into(),
            Some(Token::Text(_) | Token::Characters(_)) => "a string".into(),
            Some(Token::Metadata(_) | Token::MetadataName(_)) => "metadata".into(),
            Some(Token::Hash(_) | Token::Comdat(_)) => "an attribute".into(),
            None => "the end of the file".into(),
        };
        Err(Error::new(self.line(), format!("expected {wanted}, found {found}")))
    }

    fn eat(&mut self, mark: u8) -> bool {
        let found = self.peek() == Some(Token::Mark(mark));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: u8) -> Result<()> {
        if self.eat(mark) { Ok(()) } else { self.unexpected(&format!("`{}`", char::from(mark))) }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(Token::Word(word));
        self.at += usize::from(found);
        found
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    fn word(&mut self) -> Result<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.unexpected("a word"),
        }
    }

    fn text(&mut self) -> Result<&'a str> {
        match self.peek() {
            Some(Token::Text(text)) => {
                self.at += 1;
                Ok(text)
            }
            _ => self.unexpected("a string"),
        }
    }

    fn number<N: std::str::FromStr>(&mut self) -> Result<N> {
        match self.peek() {
            Some(Token::Number(digits)) => {
                let number = digits.parse().or_else(|_| self.unexpected("a number that fits"))?;
                self.at += 1;
                Ok(number)
            }
            _ => self.unexpected("a number"),
        }
    }

    /// Skips the tokens from the next opening bracket to its closing one.
    fn skip_brackets(&mut self) -> Result<()> {
        let mut depth = 0u32;
        loop {
            match self.bump()? {
                Token::Mark(b'(' | b'[' | b'{') => depth += 1,
                Token::Mark(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Goes one level deeper into a type or constant.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEPTH_LIMIT {
            return Err(Error::new(self.line(), "types or constants are nested too deeply"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Elements separated by commas up to `close`, whose opening bracket has been taken.
    fn list<T>(&mut self, close: u8, mut element: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut elements = Vec::new();
        if self.eat(close) {
            return Ok(elements);
        }
        loop {
            elements.push(element(self)?);
            if !self.eat(b',') {
                self.expect(close)?;
                return Ok(elements);
            }
        }
    }
}
