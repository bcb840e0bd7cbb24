//! Parsing the items of a module.

use super::lex::{Token, lex};
use super::parse_body::parse_body;
use crate::debug::{DebugType, Encoding, Member};
use crate::function::{Function, Register, Signature};
use crate::ids::{DebugTypeId, FileId, FrameId, FunctionId, GlobalId};
use crate::module::{Global, Initialiser, Module, Relocation};
use crate::source::{Frame, SourceLocation};
use crate::types::Type;
use crate::value::Symbol;
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads the text form of a module. The result is well formed as text, not yet valid: see
/// [`validate`](crate::validate()).
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let tokens = lex(text)?;
    let symbols = declared_symbols(&tokens);
    let mut parser = Parser { tokens, at: 0, symbols };
    let mut module = Module::default();
    while parser.peek().is_some() {
        parser.item(&mut module)?;
    }
    Ok(module)
}

/// Ids by name, in order of appearance, so that items can refer to later ones.
fn declared_symbols(tokens: &[(Token, u32)]) -> FxHashMap<String, Symbol> {
    let (mut globals, mut functions) = (0, 0);
    let mut symbols = FxHashMap::default();
    for pair in tokens.windows(2) {
        let (Token::Word(word), Token::Symbol(name)) = (&pair[0].0, &pair[1].0) else { continue };
        let symbol = match word.as_str() {
            "global" => {
                globals += 1;
                Symbol::Global(GlobalId(globals - 1))
            }
            "declare" | "function" => {
                functions += 1;
                Symbol::Function(FunctionId(functions - 1))
            }
            _ => continue,
        };
        symbols.entry(name.clone()).or_insert(symbol);
    }
    symbols
}

pub(super) struct Parser {
    tokens: Vec<(Token, u32)>,
    at: usize,
    symbols: FxHashMap<String, Symbol>,
}

pub(super) type Parsed<T> = Result<T, ParseError>;

// Tokens.
impl Parser {
    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|token| &token.0)
    }

    pub(super) fn bump(&mut self) -> Parsed<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token.map_or_else(|| self.error("the text ends too early"), Ok)
    }

    /// An error at the token before the current one.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        let line = self.tokens.get(self.at.saturating_sub(1)).or(self.tokens.last()).map_or(1, |token| token.1);
        Err(ParseError { line, message: message.into() })
    }

    /// Takes `mark` if it comes next.
    pub(super) fn eat(&mut self, mark: u8) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.at += usize::from(found);
        found
    }

    /// Takes `word` if it comes next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(next)) if next == word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: u8) -> Parsed<()> {
        if self.eat(mark) {
            return Ok(());
        }
        self.at += 1;
        self.error(format!("expected `{}`", char::from(mark)))
    }

    pub(super) fn word(&mut self) -> Parsed<String> {
        match self.bump()? {
            Token::Word(word) => Ok(word),
            _ => self.error("expected a word"),
        }
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        match self.bump()? {
            Token::Number(digits) => digits
                .trim_start_matches('+')
                .parse()
                .or_else(|_| self.error(format!("`{digits}` is no number of this kind"))),
            _ => self.error("expected a number"),
        }
    }

    /// A word and a number: `align 4`.
    pub(super) fn labelled<N: std::str::FromStr>(&mut self, word: &str) -> Parsed<N> {
        if self.eat_word(word) {
            return self.number();
        }
        self.at += 1;
        self.error(format!("expected `{word}`"))
    }

    /// The number of an id that is spelled `prefix` and a number.
    pub(super) fn id(&mut self, prefix: &str) -> Parsed<u32> {
        let word = self.word()?;
        let digits = word.strip_prefix(prefix).and_then(|digits| digits.parse().ok());
        digits.map_or_else(|| self.error(format!("`{word}` should be `{prefix}` and a number")), Ok)
    }

    pub(super) fn name(&mut self) -> Parsed<String> {
        match self.bump()? {
            Token::Text(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            _ => self.error("expected a name in quotes"),
        }
    }

    pub(super) fn optional_name(&mut self) -> Parsed<Option<Box<str>>> {
        if matches!(self.peek(), Some(Token::Text(_))) { self.name().map(|name| Some(name.into())) } else { Ok(None) }
    }

    pub(super) fn symbol_name(&mut self) -> Parsed<String> {
        match self.bump()? {
            Token::Symbol(name) => Ok(name),
            _ => self.error("expected the name of a global or function"),
        }
    }

    pub(super) fn symbol(&mut self) -> Parsed<Symbol> {
        let name = self.symbol_name()?;
        self.symbols.get(&name).copied().map_or_else(|| self.error(format!("there is no `{name}`")), Ok)
    }

    pub(super) fn function(&mut self) -> Parsed<FunctionId> {
        match self.symbol()? {
            Symbol::Function(id) => Ok(id),
            Symbol::Global(_) => self.error("expected a function, not a global"),
        }
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let word = self.word()?;
        match word.as_str() {
            "ptr" => Ok(Type::Ptr),
            "f32" => Ok(Type::F32),
            "f64" => Ok(Type::F64),
            _ => match word.strip_prefix('i').and_then(|bits| bits.parse().ok()) {
                Some(bits @ 1..=128) => Ok(Type::Int(bits)),
                _ => self.error(format!("`{word}` is no type")),
            },
        }
    }

    pub(super) fn location(&mut self) -> Parsed<Option<SourceLocation>> {
        if !self.eat_word("at") {
            return Ok(None);
        }
        let file = FileId(self.id("f")?);
        self.expect(b':')?;
        let line = self.number()?;
        self.expect(b':')?;
        let column = self.number()?;
        let inlined = if self.eat_word("in") { Some(FrameId(self.id("c")?)) } else { None };
        Ok(Some(SourceLocation { file, line, column, inlined }))
    }
}

/// Name, type and place in the source, as far as they are known.
pub(super) struct Origin {
    pub(super) name: Option<String>,
    pub(super) debug_type: Option<DebugTypeId>,
    pub(super) location: Option<SourceLocation>,
}

// Items.
impl Parser {
    fn item(&mut self, module: &mut Module) -> Parsed<()> {
        match self.word()?.as_str() {
            "target" => module.target = self.name()?,
            "file" => {
                self.next_id("f", module.files.len())?;
                module.files.push(self.name()?);
            }
            "frame" => {
                self.next_id("c", module.frames.len())?;
                let function = self.name()?;
                let Some(location) = self.location()? else { return self.error("a frame needs a place".to_owned()) };
                module.frames.push(Frame { function, location });
            }
            "type" => {
                self.next_id("t", module.types.len())?;
                module.types.push(self.debug_type()?);
            }
            "global" => module.globals.push(self.global()?),
            "constructor" => module.constructors.push(self.function()?),
            "destructor" => module.destructors.push(self.function()?),
            "declare" => module.functions.push(self.declaration()?),
            "function" => module.functions.push(self.definition()?),
            other => return self.error(format!("`{other}` starts no item")),
        }
        Ok(())
    }

    /// `f0 =`, where the number must be the next one.
    fn next_id(&mut self, prefix: &str, expected: usize) -> Parsed<()> {
        let id = self.id(prefix)?;
        if id as usize != expected {
            return self.error(format!("expected {prefix}{expected}: ids are given in order"));
        }
        self.expect(b'=')
    }

    pub(super) fn origin(&mut self) -> Parsed<Origin> {
        let name = if self.eat_word("named") { Some(self.name()?) } else { None };
        let debug_type = if self.eat_word("type") { Some(DebugTypeId(self.id("t")?)) } else { None };
        Ok(Origin { name, debug_type, location: self.location()? })
    }

    fn debug_type(&mut self) -> Parsed<DebugType> {
        Ok(match self.word()?.as_str() {
            "scalar" => {
                let (name, size) = (self.name()?, self.number()?);
                let word = self.word()?;
                let Some(encoding) = Encoding::from_name(&word) else {
                    return self.error(format!("`{word}` is no encoding"));
                };
                DebugType::Scalar { name, size, encoding }
            }
            "pointer" => match self.peek() {
                Some(Token::Word(word)) if word.starts_with('t') && word[1..].parse::<u32>().is_ok() => {
                    DebugType::Pointer(Some(DebugTypeId(self.id("t")?)))
                }
                _ => DebugType::Pointer(None),
            },
            "array" => DebugType::Array {
                element: DebugTypeId(self.id("t")?),
                stride: self.labelled("stride")?,
                count: self.labelled("count")?,
            },
            "record" => {
                let (name, size) = (self.name()?, self.number()?);
                let members = self.braced(|parser| {
                    Ok(Member { name: parser.name()?, offset: parser.number()?, ty: DebugTypeId(parser.id("t")?) })
                })?;
                DebugType::Record { name, size, members }
            }
            "enumeration" => {
                let (name, size) = (self.name()?, self.number()?);
                let values = self.braced(|parser| Ok((parser.name()?, parser.number()?)))?;
                DebugType::Enumeration { name, size, values }
            }
            "opaque" => DebugType::Opaque(self.name()?),
            other => return self.error(format!("`{other}` is no kind of debug type")),
        })
    }

    /// `{ a, b }`
    fn braced<T>(&mut self, element: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect(b'{')?;
        let mut elements = Vec::new();
        if self.eat(b'}') {
            return Ok(elements);
        }
        loop {
            elements.push(element(self)?);
            if !self.eat(b',') {
                self.expect(b'}')?;
                return Ok(elements);
            }
        }
    }

    fn global(&mut self) -> Parsed<Global> {
        let name = self.symbol_name()?;
        let (size, align) = (self.labelled("size")?, self.labelled("align")?);
        let weak = self.eat_word("weak");
        let (thread_local, constant) = (self.eat_word("thread_local"), self.eat_word("constant"));
        let Origin { name: source_name, debug_type, location } = self.origin()?;
        let initialiser = if self.eat(b'=') { Some(self.initialiser()?) } else { None };
        Ok(Global { name, source_name, size, align, weak, thread_local, constant, initialiser, debug_type, location })
    }

    fn initialiser(&mut self) -> Parsed<Initialiser> {
        let Token::Text(bytes) = self.bump()? else { return self.error("expected bytes in quotes") };
        let mut relocations = Vec::new();
        while self.eat(b',') {
            let offset = self.number()?;
            self.expect(b':')?;
            relocations.push(Relocation { offset, symbol: self.symbol()?, addend: self.number()? });
        }
        Ok(Initialiser { bytes, relocations })
    }

    fn declaration(&mut self) -> Parsed<Function> {
        let name = self.symbol_name()?;
        let mut signature = Signature::default();
        self.parameters(&mut signature, Self::ty)?;
        self.results(&mut signature)?;
        let weak = self.eat_word("weak");
        let Origin { name: source_name, location, .. } = self.origin()?;
        Ok(Function { name, source_name, signature, location, weak, body: None })
    }

    fn definition(&mut self) -> Parsed<Function> {
        let name = self.symbol_name()?;
        let mut signature = Signature::default();
        let mut registers: Vec<Register> = Vec::new();
        self.parameters(&mut signature, |parser| {
            let (reg, register) = parser.register_definition()?;
            if reg.index() != registers.len() {
                return parser.error("parameters are the first registers, in order");
            }
            registers.push(register);
            Ok(registers[reg.index()].ty)
        })?;
        self.results(&mut signature)?;
        let Origin { name: source_name, location, .. } = self.origin()?;
        let body = Some(parse_body(self, registers)?);
        Ok(Function { name, source_name, signature, location, weak: false, body })
    }

    fn parameters(&mut self, signature: &mut Signature, mut one: impl FnMut(&mut Self) -> Parsed<Type>) -> Parsed<()> {
        self.expect(b'(')?;
        while !self.eat(b')') {
            if !signature.parameters.is_empty() {
                self.expect(b',')?;
            }
            if self.eat(b'.') {
                self.expect(b'.')?;
                self.expect(b'.')?;
                signature.variadic = true;
                return self.expect(b')');
            }
            let ty = one(self)?;
            signature.parameters.push(ty);
        }
        Ok(())
    }

    fn results(&mut self, signature: &mut Signature) -> Parsed<()> {
        if !self.eat(b'-') {
            return Ok(());
        }
        self.expect(b'>')?;
        loop {
            let ty = self.ty()?;
            signature.results.push(ty);
            if !self.eat(b',') {
                return Ok(());
            }
        }
    }
}
