//! Instructions that access memory.

use super::Parser;
use crate::ast::{Access, Kind};
use crate::error::{Error, Result};
use crate::lex::Token;
use everyway_ir::{AtomicOrdering, RmwOp};

impl<'a> Parser<'a> {
    pub(super) fn memory(&mut self, word: &str, line: u32) -> Result<Kind<'a>> {
        match word {
            "alloca" => self.alloca(),
            "fence" => {
                let single_thread = self.scope()?;
                Ok(Kind::Fence(self.ordering()?, single_thread))
            }
            "load" => {
                let volatile = self.access_words();
                let ty = self.ty()?;
                self.expect(b',')?;
                let address = self.pointer()?;
                Ok(Kind::Load(ty, address, self.access(volatile)?))
            }
            "store" => {
                let volatile = self.access_words();
                let value = self.typed()?;
                self.expect(b',')?;
                let address = self.pointer()?;
                Ok(Kind::Store(value, address, self.access(volatile)?))
            }
            "atomicrmw" => {
                let volatile = self.access_words();
                let op = self.word()?;
                let op = RmwOp::from_name(op).ok_or_else(|| Error::unsupported(line, format!("`atomicrmw {op}`")))?;
                let address = self.pointer()?;
                self.expect(b',')?;
                let value = self.typed()?;
                Ok(Kind::Rmw(op, address, value, self.access(volatile)?))
            }
            _ => self.compare_exchange(),
        }
    }

    fn compare_exchange(&mut self) -> Result<Kind<'a>> {
        let weak = self.eat_word("weak");
        let volatile = self.access_words();
        let address = self.pointer()?;
        self.expect(b',')?;
        let expected = self.typed()?;
        self.expect(b',')?;
        let new = self.typed()?;
        self.scope()?;
        let success = self.ordering()?;
        let failure = self.ordering()?;
        let access = Access { ordering: Some(success), ..self.access(volatile)? };
        Ok(Kind::CompareExchange { address, expected, new, weak, access, failure })
    }

    /// Skips `atomic`, which the ordering says again; answers whether there is `volatile`.
    fn access_words(&mut self) -> bool {
        self.eat_word("atomic");
        self.eat_word("volatile")
    }

    /// `syncscope("singlethread")`: whether the scope is one thread.
    fn scope(&mut self) -> Result<bool> {
        if !self.eat_word("syncscope") {
            return Ok(false);
        }
        self.expect(b'(')?;
        let scope = self.text()?;
        self.expect(b')')?;
        Ok(scope == "singlethread")
    }

    fn ordering(&mut self) -> Result<AtomicOrdering> {
        match self.optional_ordering() {
            Some(ordering) => Ok(ordering),
            None => self.unexpected("a memory ordering"),
        }
    }

    fn optional_ordering(&mut self) -> Option<AtomicOrdering> {
        let Some(Token::Word(word)) = self.peek() else { return None };
        let ordering = AtomicOrdering::from_name(word)?;
        self.at += 1;
        Some(ordering)
    }

    /// `seq_cst, align 4`
    fn access(&mut self, volatile: bool) -> Result<Access> {
        self.scope()?;
        let ordering = self.optional_ordering();
        Ok(Access { align: self.align()?, volatile, ordering })
    }

    fn align(&mut self) -> Result<Option<u32>> {
        if self.peek() == Some(Token::Mark(b',')) && self.peek_at(1) == Some(Token::Word("align")) {
            self.at += 2;
            return self.number().map(Some);
        }
        Ok(None)
    }

    fn alloca(&mut self) -> Result<Kind<'a>> {
        self.flags()?;
        let ty = self.ty()?;
        let mut count = None;
        if self.at_next_operand() && !matches!(self.peek_at(1), Some(Token::Word("align" | "addrspace"))) {
            self.at += 1;
            count = Some(self.typed()?);
        }
        let align = self.align()?;
        if self.at_next_operand() {
            self.at += 1;
            self.expect_word("addrspace")?;
            self.skip_brackets()?;
        }
        Ok(Kind::Alloca(ty, count, align))
    }
}
