//! Instructions, except those of memory and calls.

use super::Parser;
use super::value::{is_binary, is_cast};
use crate::ast::{Constant, Instruction, Kind, LandingPad, Operand, Typed};
use crate::error::{Error, Result};
use crate::lex::Token;
use crate::types::Ty;
use everyway_ir::{FloatPredicate, IntPredicate};

impl<'a> Parser<'a> {
    pub(super) fn instruction(&mut self) -> Result<Instruction<'a>> {
        let line = self.line();
        if let Some(Token::Hash(record)) = self.peek() {
            return self.debug_record(record, line);
        }
        let result = match (self.peek(), self.peek_at(1)) {
            (Some(Token::Local(name)), Some(Token::Mark(b'='))) => {
                self.at += 2;
                Some(name)
            }
            _ => None,
        };
        let word = self.word()?;
        let kind = self.kind(word, line)?;
        let debug = self.attachments()?;
        Ok(Instruction { result, kind, debug, line })
    }

    /// `#dbg_declare(ptr %x, !12, !DIExpression(), !13)`
    fn debug_record(&mut self, record: &str, line: u32) -> Result<Instruction<'a>> {
        self.at += 1;
        let kind = match record {
            "dbg_declare" | "dbg_value" => {
                let (operand, variable) = self.record_operands()?;
                Kind::Debug { operand, variable, is_value: record == "dbg_value" }
            }
            _ => {
                self.skip_brackets()?;
                Kind::Debug { operand: None, variable: None, is_value: true }
            }
        };
        Ok(Instruction { result: None, kind, debug: None, line })
    }

    /// `, !dbg !12, !tbaa !3`: answers with the node of `!dbg`.
    pub(super) fn attachments(&mut self) -> Result<Option<u32>> {
        let mut debug = None;
        while let (Some(Token::Mark(b',')), Some(Token::MetadataName(name))) = (self.peek(), self.peek_at(1)) {
            self.at += 2;
            if let Operand::Metadata(_, id @ Some(_)) = self.metadata_operand()? {
                debug = if name == "dbg" { id } else { debug };
            }
        }
        Ok(debug)
    }

    /// Whether an operand follows, rather than attachments or the end.
    pub(super) fn at_next_operand(&self) -> bool {
        self.peek() == Some(Token::Mark(b',')) && !matches!(self.peek_at(1), Some(Token::MetadataName(_)))
    }

    /// Skips `nuw`, `fast`, `inbounds`, `nusw` and their like, which come before a type.
    pub(super) fn flags(&mut self) -> Result<()> {
        while matches!(self.peek(), Some(Token::Word(_))) && !self.at_type() {
            self.attribute()?;
        }
        Ok(())
    }

    fn kind(&mut self, word: &'a str, line: u32) -> Result<Kind<'a>> {
        if is_binary(word) {
            self.flags()?;
            let ty = self.ty()?;
            let lhs = self.operand(ty)?;
            self.expect(b',')?;
            return Ok(Kind::Binary(word, ty, lhs, self.operand(ty)?));
        }
        if is_cast(word) {
            self.flags()?;
            let value = self.typed()?;
            self.expect_word("to")?;
            return Ok(Kind::Cast(word, value, self.ty()?));
        }
        match word {
            "fneg" => {
                self.flags()?;
                self.typed().map(Kind::Negate)
            }
            "freeze" => self.typed().map(Kind::Freeze),
            "icmp" | "fcmp" => self.comparison(word == "fcmp"),
            "select" => {
                self.flags()?;
                let condition = self.typed()?;
                self.expect(b',')?;
                let then = self.typed()?;
                self.expect(b',')?;
                Ok(Kind::Select(condition, then, self.typed()?))
            }
            "phi" => self.phi(),
            "getelementptr" => self.offset(),
            "extractvalue" | "insertvalue" | "extractelement" | "insertelement" | "shufflevector" => {
                self.aggregate(word)
            }
            "load" | "store" | "atomicrmw" | "cmpxchg" | "fence" | "alloca" => self.memory(word, line),
            "call" | "invoke" | "tail" | "musttail" | "notail" => self.call(word).map(Kind::Call),
            "landingpad" => self.landing_pad().map(Kind::LandingPad),
            "resume" => self.typed().map(Kind::Resume),
            "br" | "switch" | "indirectbr" | "ret" | "unreachable" => self.terminator(word, line),
            _ => self.unsupported(word, line),
        }
    }

    fn landing_pad(&mut self) -> Result<LandingPad<'a>> {
        self.ty()?;
        let mut pad = LandingPad { cleans_up: false, catches: Vec::new() };
        loop {
            match self.peek() {
                Some(Token::Word("cleanup")) => {
                    self.bump()?;
                    pad.cleans_up = true;
                }
                Some(Token::Word("catch")) => {
                    self.bump()?;
                    pad.catches.push(self.typed_constant()?.1);
                }
                // What a dynamic exception specification does not list ends the program, as everything does that leaves
                // a function which throws nothing.
                Some(Token::Word("filter")) => {
                    self.bump()?;
                    self.typed_constant()?;
                    pad.catches.push(Constant::Null);
                }
                _ => return Ok(pad),
            }
        }
    }

    /// Instructions that we accept where they cannot be reached: exception handling of other systems, mostly.
    fn unsupported(&mut self, word: &'a str, line: u32) -> Result<Kind<'a>> {
        match word {
            "va_arg" => {
                self.typed()?;
                self.expect(b',')?;
                self.ty()?;
            }
            "catchpad" | "cleanuppad" | "catchswitch" | "catchret" | "cleanupret" | "callbr" => {
                while self.peek().is_some() && self.line() == line {
                    self.at += 1;
                }
            }
            _ => return Err(Error::unsupported(line, format!("the instruction `{word}`"))),
        }
        Ok(Kind::Unsupported(word))
    }

    fn comparison(&mut self, float: bool) -> Result<Kind<'a>> {
        let mut word = self.word()?;
        let known = |word: &str| match float {
            true => FloatPredicate::from_name(word).is_some(),
            false => IntPredicate::from_name(word).is_some(),
        };
        while !known(word) {
            word = self.word()?;
        }
        let ty = self.ty()?;
        let lhs = self.operand(ty)?;
        self.expect(b',')?;
        let rhs = self.operand(ty)?;
        match (IntPredicate::from_name(word), FloatPredicate::from_name(word)) {
            (Some(predicate), _) if !float => Ok(Kind::Compare(predicate, ty, lhs, rhs)),
            (_, Some(predicate)) => Ok(Kind::FloatCompare(predicate, ty, lhs, rhs)),
            _ => self.unexpected("a predicate"),
        }
    }

    fn phi(&mut self) -> Result<Kind<'a>> {
        self.flags()?;
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.operand(ty)?;
            self.expect(b',')?;
            let Some(Token::Local(block)) = self.peek() else { return self.unexpected("a label") };
            self.at += 1;
            self.expect(b']')?;
            incoming.push((value, block));
            if !self.at_next_operand() {
                return Ok(Kind::Phi(ty, incoming));
            }
            self.at += 1;
        }
    }

    fn offset(&mut self) -> Result<Kind<'a>> {
        self.flags()?;
        let ty = self.ty()?;
        self.expect(b',')?;
        let base = self.typed()?;
        let mut indices = Vec::new();
        while self.at_next_operand() {
            self.at += 1;
            indices.push(self.typed()?);
        }
        Ok(Kind::Offset(ty, base, indices))
    }

    fn aggregate(&mut self, word: &str) -> Result<Kind<'a>> {
        let first = self.typed()?;
        if word == "extractvalue" {
            return Ok(Kind::ExtractValue(first, self.indices()?));
        }
        self.expect(b',')?;
        let second = self.typed()?;
        match word {
            "extractelement" => return Ok(Kind::ExtractElement(first, second)),
            "insertvalue" => return Ok(Kind::InsertValue(first, second, self.indices()?)),
            _ => self.expect(b',')?,
        }
        let third = self.typed()?;
        Ok(match word {
            "insertelement" => Kind::InsertElement(first, second, third),
            _ => Kind::Shuffle(first, second, third),
        })
    }

    fn indices(&mut self) -> Result<Vec<u32>> {
        let mut indices = Vec::new();
        while self.at_next_operand() {
            self.at += 1;
            indices.push(self.number()?);
        }
        Ok(indices)
    }

    pub(super) fn label(&mut self) -> Result<&'a str> {
        self.expect_word("label")?;
        match self.peek() {
            Some(Token::Local(name)) => {
                self.at += 1;
                Ok(name)
            }
            _ => self.unexpected("a label"),
        }
    }

    fn terminator(&mut self, word: &str, line: u32) -> Result<Kind<'a>> {
        match word {
            "unreachable" => Ok(Kind::Unreachable),
            "ret" => {
                let ty = self.ty()?;
                if *self.module.types.get(ty) == Ty::Void {
                    return Ok(Kind::Return(None));
                }
                let value = self.operand(ty)?;
                Ok(Kind::Return(Some(Typed { ty, value })))
            }
            "br" if self.peek() == Some(Token::Word("label")) => self.label().map(Kind::Jump),
            "br" => {
                let condition = self.typed()?.value;
                self.expect(b',')?;
                let then = self.label()?;
                self.expect(b',')?;
                Ok(Kind::Branch(condition, then, self.label()?))
            }
            "switch" => {
                let value = self.typed()?;
                self.expect(b',')?;
                let default = self.label()?;
                self.expect(b'[')?;
                let mut cases = Vec::new();
                while !self.eat(b']') {
                    let (_, case) = self.typed_constant()?;
                    let Constant::Int(case) = case else {
                        return Err(Error::new(line, "a case of a switch is no integer"));
                    };
                    self.expect(b',')?;
                    cases.push((case, self.label()?));
                }
                Ok(Kind::Switch(value, default, cases))
            }
            _ => {
                let address = self.pointer()?;
                self.expect(b',')?;
                self.expect(b'[')?;
                Ok(Kind::IndirectJump(address, self.list(b']', Self::label)?))
            }
        }
    }
}
