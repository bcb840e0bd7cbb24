//! Operands and constants.

use super::Parser;
use crate::ast::{Assembly, Constant, Expression, Operand, Typed};
use crate::error::{Error, Result};
use crate::lex::Token;
use crate::types::{Ty, TypeId};
use everyway_ir::IntPredicate;

/// The words of conversions, in instructions and in constant expressions.
pub(super) fn is_cast(word: &str) -> bool {
    matches!(
        word,
        "trunc"
            | "zext"
            | "sext"
            | "fptrunc"
            | "fpext"
            | "fptoui"
            | "fptosi"
            | "uitofp"
            | "sitofp"
            | "ptrtoint"
            | "ptrtoaddr"
            | "inttoptr"
            | "bitcast"
            | "addrspacecast"
    )
}

/// The words of arithmetic, in instructions and in constant expressions.
pub(super) fn is_binary(word: &str) -> bool {
    matches!(
        word,
        "add"
            | "sub"
            | "mul"
            | "udiv"
            | "sdiv"
            | "urem"
            | "srem"
            | "shl"
            | "lshr"
            | "ashr"
            | "and"
            | "or"
            | "xor"
            | "fadd"
            | "fsub"
            | "fmul"
            | "fdiv"
            | "frem"
    )
}

/// Whether a word starts a constant expression.
pub(super) fn is_expression(word: &str) -> bool {
    is_cast(word) || is_binary(word) || matches!(word, "getelementptr" | "icmp" | "fcmp" | "select")
}

impl<'a> Parser<'a> {
    /// A type, attributes, and a value.
    pub(super) fn typed(&mut self) -> Result<Typed<'a>> {
        let ty = self.ty()?;
        Ok(Typed { ty, value: self.operand(ty)? })
    }

    /// A type, attributes, and a value that must be a pointer.
    pub(super) fn pointer(&mut self) -> Result<Operand<'a>> {
        Ok(self.typed()?.value)
    }

    pub(super) fn operand(&mut self, ty: TypeId) -> Result<Operand<'a>> {
        match self.peek() {
            Some(Token::Local(name)) => {
                self.at += 1;
                Ok(Operand::Local(name))
            }
            Some(Token::Word("asm")) => self.assembly().map(Operand::Assembly),
            _ if *self.module.types.get(ty) == Ty::Metadata => self.metadata_operand(),
            _ => self.constant(ty).map(Operand::Constant),
        }
    }

    fn assembly(&mut self) -> Result<Assembly<'a>> {
        self.expect_word("asm")?;
        while matches!(self.peek(), Some(Token::Word(_))) {
            self.at += 1;
        }
        let template = self.text()?;
        self.expect(b',')?;
        Ok(Assembly { template, constraints: self.text()? })
    }

    pub(super) fn typed_constant(&mut self) -> Result<(TypeId, Constant<'a>)> {
        let ty = self.ty()?;
        Ok((ty, self.constant(ty)?))
    }

    pub(super) fn constant(&mut self, ty: TypeId) -> Result<Constant<'a>> {
        self.nested(|parser| parser.nested_constant(ty))
    }

    fn nested_constant(&mut self, ty: TypeId) -> Result<Constant<'a>> {
        let line = self.line();
        let constant = match self.bump()? {
            Token::Global(name) => Constant::Global(name),
            Token::Number(digits) => self.number_constant(ty, digits, line)?,
            Token::Characters(text) => Constant::Characters(text),
            Token::Mark(b'{') => Constant::Aggregate(self.list(b'}', Self::typed_constant)?),
            Token::Mark(b'[') => Constant::Aggregate(self.list(b']', Self::typed_constant)?),
            Token::Mark(b'<') if self.eat(b'{') => {
                let elements = self.list(b'}', Self::typed_constant)?;
                self.expect(b'>')?;
                Constant::Aggregate(elements)
            }
            Token::Mark(b'<') => Constant::Aggregate(self.list(b'>', Self::typed_constant)?),
            Token::Word(word) => return self.word_constant(word, ty, line),
            _ => {
                self.at -= 1;
                return self.unexpected("a value");
            }
        };
        Ok(constant)
    }

    fn number_constant(&self, ty: TypeId, digits: &'a str, line: u32) -> Result<Constant<'a>> {
        if !matches!(self.module.types.get(ty), Ty::Int(_)) {
            return Ok(Constant::Number(digits));
        }
        parse_int(digits).map(Constant::Int).ok_or_else(|| Error::unsupported(line, format!("the integer {digits}")))
    }

    fn word_constant(&mut self, word: &'a str, ty: TypeId, line: u32) -> Result<Constant<'a>> {
        match word {
            "true" => Ok(Constant::Int(1)),
            "false" => Ok(Constant::Int(0)),
            "null" | "none" => Ok(Constant::Null),
            "zeroinitializer" => Ok(Constant::Zero),
            "undef" | "poison" => Ok(Constant::Undef),
            "splat" => {
                self.expect(b'(')?;
                let element = self.typed_constant()?;
                self.expect(b')')?;
                Ok(Constant::Splat(Box::new(element)))
            }
            "blockaddress" => {
                self.expect(b'(')?;
                let (Token::Global(function), Token::Mark(b','), Token::Local(block)) =
                    (self.bump()?, self.bump()?, self.bump()?)
                else {
                    return Err(Error::new(line, "expected a function and a label in `blockaddress`"));
                };
                self.expect(b')')?;
                Ok(Constant::BlockAddress(function, block))
            }
            "dso_local_equivalent" | "no_cfi" => self.constant(ty),
            _ if matches!(self.module.types.get(ty), Ty::Int(_)) && parse_int(word).is_some() => {
                Ok(Constant::Int(parse_int(word).unwrap_or(0)))
            }
            _ if word.starts_with("f0x") => Ok(Constant::Number(&word[1..])),
            _ if is_expression(word) => self.expression(word, line).map(|it| Constant::Expression(Box::new(it))),
            _ => Err(Error::unsupported(line, format!("the constant `{word}`"))),
        }
    }

    fn expression(&mut self, word: &'a str, line: u32) -> Result<Expression<'a>> {
        // Flags such as `inbounds`, `nuw`, `inrange(-16, 8)` change nothing for us.
        let mut predicate = None;
        while let Some(Token::Word(flag)) = self.peek() {
            predicate = predicate.or(IntPredicate::from_name(flag));
            self.at += 1;
            if flag == "inrange" {
                self.skip_brackets()?;
            }
        }
        self.expect(b'(')?;
        let expression = if is_cast(word) {
            let (from, value) = self.typed_constant()?;
            self.expect_word("to")?;
            Expression::Cast(word, from, value, self.ty()?)
        } else if word == "getelementptr" {
            let ty = self.ty()?;
            self.expect(b',')?;
            let (_, base) = self.typed_constant()?;
            let mut indices = Vec::new();
            while self.eat(b',') {
                self.eat_word("inrange");
                indices.push(self.typed_constant()?);
            }
            Expression::Offset(ty, base, indices)
        } else if word == "select" {
            let (_, condition) = self.typed_constant()?;
            self.expect(b',')?;
            let (ty, then) = self.typed_constant()?;
            self.expect(b',')?;
            Expression::Select(condition, ty, then, self.typed_constant()?.1)
        } else {
            let (ty, lhs) = self.typed_constant()?;
            self.expect(b',')?;
            let (_, rhs) = self.typed_constant()?;
            match (word, predicate) {
                ("icmp", Some(predicate)) => Expression::Compare(predicate, ty, lhs, rhs),
                _ if is_binary(word) => Expression::Binary(word, ty, lhs, rhs),
                _ => return Err(Error::unsupported(line, format!("the constant expression `{word}`"))),
            }
        };
        self.expect(b')')?;
        Ok(expression)
    }
}

/// An integer in decimal or, with `u0x` or `s0x`, hexadecimal notation.
pub(crate) fn parse_int(digits: &str) -> Option<u128> {
    if let Some(hexadecimal) = digits.strip_prefix("u0x") {
        return u128::from_str_radix(hexadecimal, 16).ok();
    }
    if let Some(hexadecimal) = digits.strip_prefix("s0x") {
        // The first digit carries the sign.
        let bits = 4 * hexadecimal.len() as u32;
        let value = u128::from_str_radix(hexadecimal, 16).ok()?;
        let unused = 128u32.checked_sub(bits)?;
        return Some((((value << unused) as i128) >> unused) as u128);
    }
    digits.parse::<i128>().map(|value| value as u128).or_else(|_| digits.parse::<u128>()).ok()
}
