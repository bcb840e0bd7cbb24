//! Functions and their blocks.

use super::Parser;
use super::attributes::Prefix;
use crate::ast::{Block, Function, Instruction, Kind, Parameter};
use crate::error::{Error, Result};
use crate::lex::Token;

impl<'a> Parser<'a> {
    /// What follows `declare`.
    pub(super) fn declaration(&mut self, line: u32) -> Result<Function<'a>> {
        // `declare !dbg !3 i32 @f()` has its attachment in front.
        while matches!(self.peek(), Some(Token::MetadataName(_))) {
            self.at += 2;
        }
        self.header(line)
    }

    /// What follows `define`.
    pub(super) fn definition(&mut self, line: u32) -> Result<Function<'a>> {
        let mut function = self.header(line)?;
        self.expect(b'{')?;
        let mut blocks = Vec::new();
        while !self.eat(b'}') {
            if matches!(self.peek(), Some(Token::Word("uselistorder"))) {
                let line = self.line();
                while self.peek().is_some() && self.line() == line {
                    self.at += 1;
                }
                continue;
            }
            blocks.push(self.block()?);
        }
        if blocks.is_empty() {
            return Err(Error::new(line, format!("`@{}` has no blocks", function.name)));
        }
        function.blocks = Some(blocks);
        Ok(function)
    }

    fn header(&mut self, line: u32) -> Result<Function<'a>> {
        let Prefix { linkage, weak, .. } = self.prefix()?;
        let result = self.ty()?;
        let Some(Token::Global(name)) = self.peek() else { return self.unexpected("the name of a function") };
        self.at += 1;
        let (parameters, variadic) = self.parameters(Self::parameter)?;
        let debug = self.suffix(line)?;
        Ok(Function { name, linkage, result, parameters, variadic, weak, debug, line, blocks: None })
    }

    fn parameter(&mut self) -> Result<Parameter<'a>> {
        let ty = self.ty()?;
        self.value_attributes()?;
        let name = match self.peek() {
            Some(Token::Local(name)) => {
                self.at += 1;
                Some(name)
            }
            _ => None,
        };
        Ok(Parameter { ty, name })
    }

    /// A label, if one comes next.
    fn block_label(&mut self) -> Option<&'a str> {
        match (self.peek(), self.peek_at(1)) {
            (Some(Token::Word(label) | Token::Number(label) | Token::Text(label)), Some(Token::Mark(b':'))) => {
                self.at += 2;
                Some(label)
            }
            _ => None,
        }
    }

    fn block(&mut self) -> Result<Block<'a>> {
        let line = self.line();
        let label = self.block_label();
        let mut instructions: Vec<Instruction<'a>> = Vec::new();
        loop {
            let instruction = self.instruction()?;
            let ends = match &instruction.kind {
                Kind::Jump(_)
                | Kind::Branch(..)
                | Kind::Switch(..)
                | Kind::IndirectJump(..)
                | Kind::Return(_)
                | Kind::Resume(_)
                | Kind::Unreachable => true,
                Kind::Call(call) => call.invoke.is_some(),
                Kind::Unsupported(word) => is_unsupported_terminator(word),
                _ => false,
            };
            instructions.push(instruction);
            if ends {
                return Ok(Block { label, instructions, line });
            }
        }
    }
}

fn is_unsupported_terminator(word: &str) -> bool {
    matches!(word, "callbr" | "catchswitch" | "catchret" | "cleanupret")
}
