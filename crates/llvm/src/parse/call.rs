//! Calls and invokes.

use super::Parser;
use crate::ast::{Argument, Call, Invoke, Typed};
use crate::error::Result;
use crate::lex::Token;
use crate::types::Ty;

impl<'a> Parser<'a> {
    /// A call or invoke, of which the first word has been taken.
    pub(super) fn call(&mut self, word: &str) -> Result<Call<'a>> {
        if matches!(word, "tail" | "musttail" | "notail") {
            self.expect_word("call")?;
        }
        self.flags()?;
        let ty = self.ty()?;
        let (result, signature) = match self.module.types.get(ty) {
            Ty::Function { result, parameters, variadic } => (*result, Some((parameters.len(), *variadic))),
            _ => (ty, None),
        };
        let pointer = self.module.types.intern(Ty::Ptr);
        let callee = self.operand(pointer)?;
        self.expect(b'(')?;
        let arguments = self.list(b')', Self::argument)?;
        self.call_suffix()?;
        let invoke = if word == "invoke" {
            self.expect_word("to")?;
            let normal = self.label()?;
            self.expect_word("unwind")?;
            Some(Invoke { normal, unwind: self.label()? })
        } else {
            None
        };
        Ok(Call { result, signature, callee, arguments, invoke })
    }

    fn argument(&mut self) -> Result<Argument<'a>> {
        let ty = self.ty()?;
        // What follows `metadata` starts with a type, which looks like an attribute.
        let is_metadata = *self.module.types.get(ty) == Ty::Metadata;
        let by_value = if is_metadata { None } else { self.value_attributes()? };
        let value = if is_metadata { self.metadata_operand()? } else { self.operand(ty)? };
        Ok(Argument { typed: Typed { ty, value }, by_value })
    }

    /// Attributes and operand bundles after the arguments, up to attachments, `to`, or the next line.
    fn call_suffix(&mut self) -> Result<()> {
        let line = self.tokens.get(self.at.saturating_sub(1)).map_or(0, |spanned| spanned.line);
        while self.line() == line {
            match self.peek() {
                Some(Token::Word("to")) | None => return Ok(()),
                Some(Token::Hash(_)) => self.at += 1,
                Some(Token::Word(_) | Token::Text(_)) => self.attribute()?,
                Some(Token::Mark(b'[')) => self.skip_brackets()?,
                _ => return Ok(()),
            }
        }
        Ok(())
    }
}
