//! Metadata: what debug information needs of it.

use super::Parser;
use crate::ast::{Metadata, Node, Operand, Typed};
use crate::error::Result;
use crate::lex::Token;

impl<'a> Parser<'a> {
    /// `!12 = distinct !DISubprogram(...)`, after the number.
    pub(super) fn metadata_definition(&mut self, id: u32) -> Result<()> {
        self.expect(b'=')?;
        self.eat_word("distinct");
        let node = self.node()?;
        self.module.metadata.insert(id, node);
        Ok(())
    }

    fn node(&mut self) -> Result<Node<'a>> {
        match self.peek() {
            Some(Token::MetadataName(kind)) => {
                self.at += 1;
                self.expect(b'(')?;
                Ok(Node::Record(kind, self.list(b')', Self::field)?))
            }
            Some(Token::Mark(b'!')) if self.peek_at(1) == Some(Token::Mark(b'{')) => {
                self.at += 2;
                Ok(Node::Tuple(self.list(b'}', Self::element)?))
            }
            Some(Token::Mark(b'!')) => {
                self.at += 1;
                self.text()?;
                Ok(Node::Tuple(Vec::new()))
            }
            _ => self.unexpected("a metadata node"),
        }
    }

    /// `name: value`; expressions have plain values instead.
    fn field(&mut self) -> Result<(&'a str, Metadata<'a>)> {
        if let (Some(Token::Word(name)), Some(Token::Mark(b':'))) = (self.peek(), self.peek_at(1)) {
            self.at += 2;
            return Ok((name, self.element()?));
        }
        Ok(("", self.element()?))
    }

    /// A field's value or an element of a tuple. What is not of a kind that debug information uses is skipped
    /// up to the next comma or bracket.
    fn element(&mut self) -> Result<Metadata<'a>> {
        let ends = |token| matches!(token, None | Some(Token::Mark(b',' | b')' | b'}')));
        let simple = match self.peek() {
            Some(Token::Metadata(id)) => Some(Metadata::Node(id)),
            Some(Token::Number(digits)) => digits.parse().ok().map(Metadata::Number),
            Some(Token::Text(text)) => Some(Metadata::Text(text)),
            Some(Token::Word(word)) => Some(Metadata::Word(word)),
            Some(Token::Mark(b'!')) => match self.peek_at(1) {
                Some(Token::Text(text)) if ends(self.peek_at(2)) => {
                    self.at += 2;
                    return Ok(Metadata::Text(text));
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(simple) = simple.filter(|_| ends(self.peek_at(1))) {
            self.at += 1;
            return Ok(simple);
        }
        // Something like `i32 7`, or flags joined by `|`, of which one is worth knowing.
        let mut flag = Metadata::Other;
        while !ends(self.peek()) {
            match self.peek() {
                Some(Token::Mark(b'(' | b'{' | b'[')) => self.skip_brackets()?,
                Some(Token::Word("DIFlagStaticMember")) => {
                    flag = Metadata::Word("DIFlagStaticMember");
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        Ok(flag)
    }

    /// The operand of a `metadata` argument: a value, a node, or something else that is skipped.
    pub(super) fn metadata_operand(&mut self) -> Result<Operand<'a>> {
        match self.peek() {
            Some(Token::Metadata(id)) => {
                self.at += 1;
                Ok(Operand::Metadata(None, Some(id)))
            }
            Some(Token::MetadataName(_)) => {
                self.at += 1;
                if self.peek() == Some(Token::Mark(b'(')) {
                    self.skip_brackets()?;
                }
                Ok(Operand::Metadata(None, None))
            }
            Some(Token::Mark(b'!')) => {
                self.at += 1;
                if self.peek() == Some(Token::Mark(b'{')) {
                    self.skip_brackets()?;
                } else {
                    self.text()?;
                }
                Ok(Operand::Metadata(None, None))
            }
            _ => Ok(Operand::Metadata(Some(Box::new(self.typed()?)), None)),
        }
    }

    /// `(ptr %x, !12, !DIExpression(), !13)`: the value and the variable of a debug record.
    pub(super) fn record_operands(&mut self) -> Result<(Option<Typed<'a>>, Option<u32>)> {
        self.expect(b'(')?;
        let operands = self.list(b')', Self::metadata_operand)?;
        let mut operands = operands.into_iter();
        let value = match operands.next() {
            Some(Operand::Metadata(value, _)) => value.map(|value| *value),
            _ => None,
        };
        let variable = match operands.next() {
            Some(Operand::Metadata(_, variable)) => variable,
            _ => None,
        };
        Ok((value, variable))
    }
}
