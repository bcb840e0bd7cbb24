//! The items of a file.

use super::Parser;
use super::attributes::Prefix;
use crate::ast::{Alias, Global};
use crate::error::{Error, Result};
use crate::lex::Token;
use crate::types::Ty;

impl<'a> Parser<'a> {
    pub(super) fn item(&mut self) -> Result<()> {
        let line = self.line();
        match self.bump()? {
            Token::Word("source_filename") => {
                self.expect(b'=')?;
                self.text()?;
            }
            Token::Word("target") => {
                let which = self.word()?;
                self.expect(b'=')?;
                let text = self.text()?;
                match which {
                    "datalayout" => self.module.data_layout = Some(text),
                    _ => self.module.target = Some(text),
                }
            }
            Token::Word("define") => {
                let function = self.definition(line)?;
                self.module.functions.push(function);
            }
            Token::Word("declare") => {
                let function = self.declaration(line)?;
                self.module.functions.push(function);
            }
            Token::Word("attributes") => {
                while !matches!(self.peek(), None | Some(Token::Mark(b'{'))) {
                    self.at += 1;
                }
                self.skip_brackets()?;
            }
            Token::Word("module") => return Err(Error::unsupported(line, "module-level assembly")),
            Token::Word("uselistorder" | "uselistorder_bb") => self.skip_line(line),
            Token::Comdat(_) => self.skip_line(line),
            Token::Local(name) => {
                self.expect(b'=')?;
                self.expect_word("type")?;
                let ty = self.ty()?;
                self.module.types.define(name, ty);
            }
            Token::Global(name) => self.global(name, line)?,
            Token::Metadata(id) => self.metadata_definition(id)?,
            Token::MetadataName(_) => {
                self.expect(b'=')?;
                self.expect(b'!')?;
                self.skip_brackets()?;
            }
            // Summaries for link-time optimisation: `^0 = ...`.
            Token::Mark(b'^') => self.skip_line(line),
            _ => {
                self.at -= 1;
                return self.unexpected("a definition");
            }
        }
        Ok(())
    }

    fn skip_line(&mut self, line: u32) {
        while self.peek().is_some() && self.line() == line {
            self.at += 1;
        }
    }

    fn global(&mut self, name: &'a str, line: u32) -> Result<()> {
        self.expect(b'=')?;
        let prefix = self.prefix()?;
        match self.word()? {
            "alias" => {
                self.ty()?;
                self.expect(b',')?;
                // LLVM leaves out the type of an expression.
                let ty = if self.at_type() { self.ty()? } else { self.module.types.intern(Ty::Ptr) };
                let target = self.constant(ty)?;
                self.skip_line(line);
                self.module.aliases.push(Alias { name, target, line });
                return Ok(());
            }
            word @ ("global" | "constant") => {
                let ty = self.ty()?;
                let no_value = matches!(self.peek(), None | Some(Token::Mark(b','))) || self.line() != line;
                // A definition may spell `external` as well: only the value decides.
                let initialiser = if no_value { None } else { Some(self.constant(ty)?) };
                if initialiser.is_none() && !prefix.declared {
                    return Err(Error::new(line, format!("`@{name}` has no value")));
                }
                let (align, debug) = self.global_suffix(line)?;
                let Prefix { linkage, thread_local, weak, .. } = prefix;
                let constant = word == "constant";
                let global =
                    Global { name, linkage, ty, initialiser, constant, weak, thread_local, align, debug, line };
                self.module.globals.push(global);
            }
            other => return Err(Error::unsupported(line, format!("`{other}`"))),
        }
        Ok(())
    }

    /// `, align 4, !dbg !3`
    fn global_suffix(&mut self, line: u32) -> Result<(Option<u32>, Option<u32>)> {
        let (mut align, mut debug) = (None, None);
        while self.peek().is_some() && self.line() == line {
            match (self.bump()?, self.peek()) {
                (Token::Word("align"), Some(Token::Number(_))) => align = Some(self.number()?),
                (Token::MetadataName("dbg"), Some(Token::Metadata(id))) => debug = debug.or(Some(id)),
                _ => {}
            }
        }
        Ok((align, debug))
    }
}
