//! LLVM assembly to tokens.
//!
//! Tokens are slices of the text. Names in quotes keep their escapes: LLVM spells a name in one way only, so
//! that the spelling identifies it; [`unescape`] is for what people and programs get to see.

use crate::error::{Error, Result};
use std::borrow::Cow;

/// A token of LLVM assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A keyword, a label, or the name of a metadata field.
    Word(&'a str),
    /// `%name`
    Local(&'a str),
    /// `@name`
    Global(&'a str),
    /// `$name`
    Comdat(&'a str),
    /// `!12`
    Metadata(u32),
    /// `!name`
    MetadataName(&'a str),
    /// `#12` or `#dbg_declare`
    Hash(&'a str),
    /// A number in any notation.
    Number(&'a str),
    /// `"text"`, escapes kept.
    Text(&'a str),
    /// `c"text"`, escapes kept.
    Characters(&'a str),
    /// `...`
    Dots,
    /// A single character.
    Mark(u8),
}

/// A token and its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) line: u32,
}

/// The tokens of `text`.
pub(crate) fn lex(text: &str) -> Result<Vec<Spanned<'_>>> {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, line: 1 };
    let mut tokens = Vec::with_capacity(text.len() / 5);
    loop {
        lexer.skip_blanks();
        let line = lexer.line;
        match lexer.token()? {
            Some(token) => tokens.push(Spanned { token, line }),
            None => return Ok(tokens),
        }
    }
}

/// The bytes that a spelling with escapes stands for: `\\` and `\` with two hexadecimal digits.
pub(crate) fn unescape(spelling: &str) -> Cow<'_, [u8]> {
    let bytes = spelling.as_bytes();
    if !bytes.contains(&b'\\') {
        return Cow::Borrowed(bytes);
    }
    let digit = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'\\', Some(high), Some(low)) => {
                result.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'\\', _, _) if bytes.get(at + 1) == Some(&b'\\') => {
                result.push(b'\\');
                at += 2;
            }
            (byte, _, _) => {
                result.push(byte);
                at += 1;
            }
        }
    }
    Cow::Owned(result)
}

/// The text that a spelling with escapes stands for.
pub(crate) fn unescape_text(spelling: &str) -> String {
    String::from_utf8_lossy(&unescape(spelling)).into_owned()
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-')
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blanks(&mut self) {
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                b';' => {
                    while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
                        self.at += 1;
                    }
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    fn token(&mut self) -> Result<Option<Token<'a>>> {
        if self.at >= self.bytes.len() {
            return Ok(None);
        }
        Ok(Some(match self.peek(0) {
            b'%' => Token::Local(self.sigil_name()?),
            b'@' => Token::Global(self.sigil_name()?),
            b'$' if is_name_byte(self.peek(1)) || self.peek(1) == b'"' => Token::Comdat(self.sigil_name()?),
            b'#' if is_name_byte(self.peek(1)) => Token::Hash(self.sigil_name()?),
            b'!' => self.metadata()?,
            b'"' => Token::Text(self.quoted()?),
            b'c' if self.peek(1) == b'"' => {
                self.at += 1;
                Token::Characters(self.quoted()?)
            }
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.at += 3;
                Token::Dots
            }
            b'0'..=b'9' => self.number(),
            b'-' | b'+' if self.peek(1).is_ascii_digit() => self.number(),
            byte if is_name_byte(byte) => Token::Word(self.name()),
            byte if byte.is_ascii() => {
                self.at += 1;
                Token::Mark(byte)
            }
            byte => return Err(Error::new(self.line, format!("unexpected byte {byte:#04x}"))),
        }))
    }

    fn name(&mut self) -> &'a str {
        let start = self.at;
        while is_name_byte(self.peek(0)) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// The name after a sigil, with or without quotes.
    fn sigil_name(&mut self) -> Result<&'a str> {
        self.at += 1;
        let name = if self.peek(0) == b'"' { self.quoted()? } else { self.name() };
        if name.is_empty() { Err(Error::new(self.line, "a name is missing")) } else { Ok(name) }
    }

    fn metadata(&mut self) -> Result<Token<'a>> {
        // Names of metadata may have escapes without quotes: `!llvm.dbg.cu`, `!\01foo`.
        let rest = &self.bytes[self.at + 1..];
        let length = rest.iter().take_while(|&&byte| is_name_byte(byte) || byte == b'\\').count();
        if length == 0 {
            self.at += 1;
            return Ok(Token::Mark(b'!'));
        }
        let name = &self.text[self.at + 1..self.at + 1 + length];
        self.at += 1 + length;
        if !name.as_bytes()[0].is_ascii_digit() {
            return Ok(Token::MetadataName(name));
        }
        name.parse().map(Token::Metadata).map_err(|_| Error::new(self.line, format!("`!{name}` is no metadata")))
    }

    /// A number, or a label that starts with a digit.
    fn number(&mut self) -> Token<'a> {
        let start = self.at;
        self.at += 1;
        loop {
            let exponent = matches!(self.peek(0), b'+') && matches!(self.bytes[self.at - 1], b'e' | b'E');
            if !is_name_byte(self.peek(0)) && !exponent {
                return Token::Number(&self.text[start..self.at]);
            }
            self.at += 1;
        }
    }

    fn quoted(&mut self) -> Result<&'a str> {
        let start = self.at + 1;
        let line = self.line;
        match self.bytes[start..].iter().position(|&byte| byte == b'"') {
            Some(length) => {
                let text = &self.text[start..start + length];
                self.line += text.bytes().filter(|&byte| byte == b'\n').count() as u32;
                self.at = start + length + 1;
                Ok(text)
            }
            None => Err(Error::new(line, "a string does not end")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        lex(text).expect(text).into_iter().map(|spanned| spanned.token).collect()
    }

    #[test]
    fn names_have_sigils() {
        let text = "%a.1 @\"b c\" $d !12 !llvm.ident #3 ; gone\n\"e\": -5: x";
        let expected = [
            Token::Local("a.1"),
            Token::Global("b c"),
            Token::Comdat("d"),
            Token::Metadata(12),
            Token::MetadataName("llvm.ident"),
            Token::Hash("3"),
            Token::Text("e"),
            Token::Mark(b':'),
            Token::Number("-5"),
            Token::Mark(b':'),
            Token::Word("x"),
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn numbers_keep_their_spelling() {
        let expected = ["1.5e+10", "0xK3FFF", "-7", "18446744073709551616"].map(Token::Number);
        assert_eq!(tokens("1.5e+10 0xK3FFF -7 18446744073709551616"), expected);
        assert_eq!(tokens("...c\"x\\00\""), [Token::Dots, Token::Characters("x\\00")]);
    }

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(*unescape("a\\0A\\\\b\\22"), *b"a\n\\b\"");
        assert_eq!(*unescape("\\"), *b"\\");
    }

    #[test]
    fn errors_have_lines() {
        assert_eq!(lex("a\nb \"c").expect_err("open string").line, 2);
        assert_eq!(lex("a\n\n% ").expect_err("no name").line, 3);
    }
}
