//! Types.

use super::Parser;
use crate::error::{Error, Result};
use crate::lex::Token;
use crate::types::{Ty, TypeId};

impl<'a> Parser<'a> {
    /// Whether the next token starts a type.
    pub(super) fn at_type(&self) -> bool {
        match self.peek() {
            Some(Token::Local(_) | Token::Mark(b'{' | b'[' | b'<')) => true,
            Some(Token::Word(word)) => simple_type(word).is_some() || word == "target",
            _ => false,
        }
    }

    pub(super) fn ty(&mut self) -> Result<TypeId> {
        self.nested(Self::nested_type)
    }

    fn nested_type(&mut self) -> Result<TypeId> {
        let ty = match self.peek() {
            Some(Token::Word(word)) => match simple_type(word) {
                Some(ty) => {
                    self.at += 1;
                    ty
                }
                None => return self.unexpected("a type"),
            },
            Some(Token::Local(name)) => {
                self.at += 1;
                Ty::Named(name)
            }
            Some(Token::Mark(b'{')) => {
                self.at += 1;
                Ty::Struct { packed: false, fields: self.list(b'}', Self::ty)? }
            }
            Some(Token::Mark(b'[')) => {
                self.at += 1;
                let (count, element) = self.counted(b']')?;
                Ty::Array(count, element)
            }
            Some(Token::Mark(b'<')) => self.angled()?,
            _ => return self.unexpected("a type"),
        };
        let id = self.module.types.intern(ty);
        self.type_suffix(id)
    }

    /// What follows a type and makes another of it: parameters or, up to LLVM 14, the `*` of a pointer. What
    /// such a pointer points to is said again wherever it matters.
    fn type_suffix(&mut self, mut id: TypeId) -> Result<TypeId> {
        loop {
            match self.peek() {
                Some(Token::Mark(b'(')) => id = self.function_type(id)?,
                Some(Token::Mark(b'*')) => {
                    self.at += 1;
                    id = self.module.types.intern(Ty::Ptr);
                }
                Some(Token::Word("addrspace")) => {
                    self.at += 1;
                    self.skip_brackets()?;
                }
                _ => return Ok(id),
            }
        }
    }

    /// `4 x i32` and the closing bracket.
    fn counted(&mut self, close: u8) -> Result<(u64, TypeId)> {
        let count = self.number()?;
        self.expect_word("x")?;
        let element = self.ty()?;
        self.expect(close)?;
        Ok((count, element))
    }

    /// `<{ i8, i32 }>` or `<4 x i32>`
    fn angled(&mut self) -> Result<Ty<'a>> {
        self.expect(b'<')?;
        if self.eat(b'{') {
            let fields = self.list(b'}', Self::ty)?;
            self.expect(b'>')?;
            return Ok(Ty::Struct { packed: true, fields });
        }
        if self.eat_word("vscale") {
            return Err(Error::unsupported(self.line(), "a vector of scalable size"));
        }
        let (count, element) = self.counted(b'>')?;
        Ok(Ty::Vector(count, element))
    }

    fn function_type(&mut self, result: TypeId) -> Result<TypeId> {
        let (parameters, variadic) = self.parameters(Self::ty)?;
        Ok(self.module.types.intern(Ty::Function { result, parameters, variadic }))
    }

    /// A list of parameters in parentheses, and whether further ones may follow.
    pub(super) fn parameters<P>(&mut self, parameter: impl Fn(&mut Self) -> Result<P>) -> Result<(Vec<P>, bool)> {
        self.expect(b'(')?;
        let mut variadic = false;
        let parameters = self.list(b')', |parser| {
            if parser.peek() == Some(Token::Dots) {
                parser.at += 1;
                variadic = true;
                return Ok(None);
            }
            parameter(parser).map(Some)
        })?;
        Ok((parameters.into_iter().flatten().collect(), variadic))
    }
}

fn simple_type(word: &str) -> Option<Ty<'static>> {
    Some(match word {
        "void" => Ty::Void,
        "ptr" => Ty::Ptr,
        "float" => Ty::Float,
        "double" => Ty::Double,
        "label" => Ty::Label,
        "token" => Ty::Token,
        "metadata" => Ty::Metadata,
        "opaque" => Ty::Opaque,
        "half" => Ty::OtherFloat("half", 2, 2),
        "bfloat" => Ty::OtherFloat("bfloat", 2, 2),
        "x86_fp80" => Ty::LongDouble("x86_fp80"),
        "fp128" => Ty::LongDouble("fp128"),
        "ppc_fp128" => Ty::OtherFloat("ppc_fp128 (long double)", 16, 16),
        _ => {
            let bits = word.strip_prefix('i')?;
            Ty::Int(bits.bytes().all(|byte| byte.is_ascii_digit()).then(|| bits.parse().ok())??)
        }
    })
}
