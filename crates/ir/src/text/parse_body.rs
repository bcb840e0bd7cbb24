//! Parsing what is in a function.

use super::lex::Token;
use super::parse::{Origin, Parsed, Parser};
use super::parse_operation::parse_operation;
use crate::function::{Block, Body, Instruction, Phi, Register, Slot, Terminator, TerminatorKind};
use crate::ids::{BlockId, Reg};
use crate::types::Type;
use crate::value::{Symbol, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The registers of a body as they are met. Their numbers may come in any order.
type Registers = FxHashMap<Reg, Register>;

pub(super) fn parse_body(parser: &mut Parser, parameters: Vec<Register>) -> Parsed<Body> {
    let mut body = Body::default();
    let mut registers: Registers =
        parameters.into_iter().enumerate().map(|(index, register)| (Reg::new(index), register)).collect();
    parser.expect(b'{')?;
    while parser.eat_word("slot") {
        let slot = parser.slot(body.slots.len())?;
        body.slots.push(slot);
    }
    while !parser.eat(b'}') {
        let block = parser.block(body.blocks.len(), &mut registers)?;
        body.blocks.push(block);
    }
    for index in 0..registers.len() {
        match registers.remove(&Reg::new(index)) {
            Some(register) => body.registers.push(register),
            None => return parser.error(format!("register %{index} of this function is never assigned")),
        }
    }
    Ok(body)
}

impl Parser {
    fn slot(&mut self, expected: usize) -> Parsed<Slot> {
        if self.id("s")? as usize != expected {
            return self.error(format!("expected s{expected}: ids are given in order"));
        }
        let (size, align) = (self.labelled("size")?, self.labelled("align")?);
        let Origin { name, debug_type, location } = self.origin()?;
        Ok(Slot { name: name.map(Into::into), size, align, debug_type, location })
    }

    pub(super) fn register_definition(&mut self) -> Parsed<(Reg, Register)> {
        let Token::Register(index) = self.bump()? else { return self.error("expected a register") };
        self.expect(b':')?;
        let ty = self.ty()?;
        Ok((Reg(index), Register { ty, name: self.optional_name()? }))
    }

    fn define(&mut self, registers: &mut Registers) -> Parsed<Reg> {
        let (reg, register) = self.register_definition()?;
        if registers.insert(reg, register).is_some() {
            return self.error(format!("{reg} is assigned twice"));
        }
        Ok(reg)
    }

    fn block(&mut self, expected: usize, registers: &mut Registers) -> Parsed<Block> {
        if self.block_id()?.index() != expected {
            return self.error(format!("expected b{expected}: ids are given in order"));
        }
        let label = self.optional_name()?;
        self.expect(b':')?;
        let (mut phis, mut instructions) = (Vec::new(), Vec::new());
        loop {
            if let Some(kind) = self.terminator()? {
                let terminator = Terminator { kind, location: self.location()? };
                return Ok(Block { label, phis, instructions, terminator });
            }
            let results = self.instruction_results(registers)?;
            if results.len() == 1 && self.eat_word("phi") {
                phis.push(self.phi(results[0])?);
                continue;
            }
            let operation = parse_operation(self)?;
            instructions.push(Instruction { results, operation, location: self.location()? });
        }
    }

    /// `%1:i32, %2:i1 =`, or nothing.
    fn instruction_results(&mut self, registers: &mut Registers) -> Parsed<SmallVec<[Reg; 2]>> {
        let mut results = SmallVec::new();
        if !matches!(self.peek(), Some(Token::Register(_))) {
            return Ok(results);
        }
        loop {
            results.push(self.define(registers)?);
            if !self.eat(b',') {
                self.expect(b'=')?;
                return Ok(results);
            }
        }
    }

    fn phi(&mut self, result: Reg) -> Parsed<Phi> {
        let mut incoming = Vec::new();
        loop {
            let block = self.block_id()?;
            self.expect(b':')?;
            incoming.push((block, self.value()?));
            if !self.eat(b',') {
                return Ok(Phi { result, incoming, location: self.location()? });
            }
        }
    }

    pub(super) fn block_id(&mut self) -> Parsed<BlockId> {
        self.id("b").map(BlockId)
    }

    /// A terminator, if one comes next.
    fn terminator(&mut self) -> Parsed<Option<TerminatorKind>> {
        Ok(Some(if self.eat_word("jump") {
            TerminatorKind::Jump(self.block_id()?)
        } else if self.eat_word("branch") {
            let condition = self.value()?;
            self.expect(b',')?;
            let then = self.block_id()?;
            self.expect(b',')?;
            TerminatorKind::Branch { condition, then, otherwise: self.block_id()? }
        } else if self.eat_word("switch") {
            self.switch()?
        } else if self.eat_word("return") {
            let ends = !matches!(self.peek(), Some(Token::Register(_) | Token::Number(_) | Token::Symbol(_)))
                && !matches!(self.peek(), Some(Token::Word(word)) if word == "undef" || word == "null");
            TerminatorKind::Return(if ends { SmallVec::new() } else { self.values()?.into_iter().collect() })
        } else if self.eat_word("unreachable") {
            TerminatorKind::Unreachable
        } else {
            return Ok(None);
        }))
    }

    fn switch(&mut self) -> Parsed<TerminatorKind> {
        let value = self.value()?;
        self.expect(b',')?;
        let default = self.block_id()?;
        let mut cases = Vec::new();
        while self.eat(b',') {
            let case = self.number()?;
            self.expect(b':')?;
            cases.push((case, self.block_id()?));
        }
        Ok(TerminatorKind::Switch { value, cases, default })
    }

    /// One or more values.
    pub(super) fn values(&mut self) -> Parsed<Vec<Value>> {
        let mut values = vec![self.value()?];
        while self.eat(b',') {
            values.push(self.value()?);
        }
        Ok(values)
    }

    pub(super) fn value(&mut self) -> Parsed<Value> {
        match self.peek() {
            Some(Token::Symbol(_)) => {
                let symbol: Symbol = self.symbol()?;
                let signed = matches!(self.peek(), Some(Token::Number(digits)) if digits.starts_with(['+', '-']));
                Ok(Value::Address { symbol, offset: if signed { self.number()? } else { 0 } })
            }
            _ => match self.bump()? {
                Token::Register(index) => Ok(Value::Reg(Reg(index))),
                Token::Word(word) if word == "null" => Ok(Value::NULL),
                Token::Word(word) if word == "undef" => {
                    self.expect(b':')?;
                    self.ty().map(Value::Undef)
                }
                Token::Number(digits) => {
                    self.expect(b':')?;
                    let ty = self.ty()?;
                    let bits = constant_bits(&digits, ty);
                    bits.map_or_else(
                        || self.error(format!("`{digits}` is no {ty}")),
                        |bits| Ok(Value::Const { ty, bits }),
                    )
                }
                _ => self.error("expected a value"),
            },
        }
    }
}

fn constant_bits(digits: &str, ty: Type) -> Option<u128> {
    let bits = match digits.strip_prefix("0x") {
        Some(hexadecimal) => u128::from_str_radix(hexadecimal, 16).ok()?,
        None => match ty {
            Type::F32 => u128::from(digits.parse::<f32>().ok()?.to_bits()),
            Type::F64 => u128::from(digits.parse::<f64>().ok()?.to_bits()),
            Type::Int(_) | Type::Ptr => digits.parse::<i128>().ok()? as u128 & ty.mask(),
        },
    };
    (bits & !ty.mask() == 0).then_some(bits)
}
