//! Text to tokens.

use super::escape::is_symbol_byte;
use super::parse::ParseError;

/// A token of the text form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A keyword or an id such as `b3`.
    Word(String),
    /// A number, not yet interpreted.
    Number(String),
    /// `%3`
    Register(u32),
    /// `@name`
    Symbol(String),
    /// Bytes in quotes.
    Text(Vec<u8>),
    /// A single character.
    Mark(u8),
}

/// The tokens of `text`, each with its line.
pub(super) fn lex(text: &str) -> Result<Vec<(Token, u32)>, ParseError> {
    let mut lexer = Lexer { bytes: text.as_bytes(), at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push((token, lexer.line));
    }
    Ok(tokens)
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> String {
        let start = self.at;
        while self.at < self.bytes.len() && keep(self.bytes[self.at]) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()
    }

    fn error<T>(&self, message: &str) -> Result<T, ParseError> {
        Err(ParseError { line: self.line, message: message.into() })
    }

    fn skip_blanks(&mut self) {
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                b';' => {
                    self.take_while(|byte| byte != b'\n');
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    fn next(&mut self) -> Result<Option<Token>, ParseError> {
        self.skip_blanks();
        let signed = matches!(self.peek(0), b'+' | b'-') && self.peek(1).is_ascii_digit();
        let token = match self.peek(0) {
            0 if self.at >= self.bytes.len() => return Ok(None),
            b'"' => Token::Text(self.quoted()?),
            b'@' => {
                self.at += 1;
                if self.peek(0) == b'"' {
                    Token::Symbol(String::from_utf8_lossy(&self.quoted()?).into_owned())
                } else {
                    Token::Symbol(self.take_while(is_symbol_byte))
                }
            }
            b'%' => {
                self.at += 1;
                match self.take_while(|byte| byte.is_ascii_digit()).parse() {
                    Ok(index) => Token::Register(index),
                    Err(_) => return self.error("`%` must be followed by the number of a register"),
                }
            }
            b'0'..=b'9' => Token::Number(self.number()),
            _ if signed => Token::Number(self.number()),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                Token::Word(self.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')))
            }
            mark => {
                self.at += 1;
                Token::Mark(mark)
            }
        };
        Ok(Some(token))
    }

    fn number(&mut self) -> String {
        let start = self.at;
        self.at += 1;
        let hexadecimal = self.bytes[self.at..].first() == Some(&b'x');
        while self.at < self.bytes.len() {
            let exponent_sign = matches!(self.peek(0), b'+' | b'-') && self.bytes[self.at - 1] == b'e' && !hexadecimal;
            if !exponent_sign && !self.peek(0).is_ascii_alphanumeric() && self.peek(0) != b'.' {
                break;
            }
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()
    }

    fn quoted(&mut self) -> Result<Vec<u8>, ParseError> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return Ok(bytes);
                }
                b'\\' => {
                    let digit = |byte: u8| char::from(byte).to_digit(16);
                    let (Some(high), Some(low)) = (digit(self.peek(1)), digit(self.peek(2))) else {
                        return self.error("`\\` must be followed by two hexadecimal digits");
                    };
                    bytes.push((high * 16 + low) as u8);
                    self.at += 3;
                }
                b'\n' => return self.error("a string does not end on its line"),
                0 if self.at >= self.bytes.len() => return self.error("a string does not end"),
                byte => {
                    bytes.push(byte);
                    self.at += 1;
                }
            }
        }
    }
}
