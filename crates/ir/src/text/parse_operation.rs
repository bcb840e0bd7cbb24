//! Parsing what an instruction does.

use super::lex::Token;
use super::parse::{Parsed, Parser};
use crate::ids::SlotId;
use crate::operation::{Callee, Index, Operation, ScopeMark};
use crate::operators::{
    AtomicOrdering, BinaryOp, CastOp, FloatPredicate, IntPredicate, OverflowOp, RmwOp, TernaryOp, UnaryOp,
};
use crate::until::{Clause, Test, Until};
use crate::value::Value;

pub(super) fn parse_operation(parser: &mut Parser) -> Parsed<Operation> {
    let word = parser.word()?;
    if let Some(operation) = parse_arithmetic(parser, &word)? {
        return Ok(operation);
    }
    match word.as_str() {
        "select" => {
            let [condition, then, otherwise] = parser.operands()?;
            Ok(Operation::Select { condition, then, otherwise })
        }
        "offset" => parse_offset(parser),
        "alloca" => {
            let slot = SlotId(parser.id("s")?);
            let count = if parser.eat_word("count") { Some(parser.value()?) } else { None };
            Ok(Operation::Alloca { slot, count })
        }
        "call" => parse_call(parser),
        "variadic_area" => Ok(Operation::VariadicArea),
        "new_round" => Ok(Operation::Round),
        "assume" => Ok(Operation::Assume { condition: parser.value()?, round: parser.round()? }),
        "await" => {
            let access = Box::new(parse_operation(parser)?);
            let until = parse_until(parser)?;
            Ok(Operation::Await { access, until, round: parser.round()? })
        }
        _ => parse_access(parser, &word),
    }
}

impl Parser {
    /// Exactly `N` values.
    fn operands<const N: usize>(&mut self) -> Parsed<[Value; N]> {
        let values = self.values()?;
        values.try_into().or_else(|_| self.error(format!("expected {N} operands")))
    }

    fn round(&mut self) -> Parsed<Option<Value>> {
        if self.eat_word("in") { self.value().map(Some) } else { Ok(None) }
    }

    fn ordering(&mut self) -> Parsed<AtomicOrdering> {
        self.optional_ordering().map_or_else(|| self.error("expected an ordering"), Ok)
    }

    fn optional_ordering(&mut self) -> Option<AtomicOrdering> {
        let ordering = match self.peek() {
            Some(Token::Word(word)) => AtomicOrdering::from_name(word),
            _ => None,
        }?;
        self.eat_word(ordering.name());
        Some(ordering)
    }
}

fn parse_arithmetic(parser: &mut Parser, word: &str) -> Parsed<Option<Operation>> {
    let operation = if let Some(op) = BinaryOp::from_name(word) {
        let [lhs, rhs] = parser.operands()?;
        Operation::Binary { op, lhs, rhs }
    } else if let Some(op) = UnaryOp::from_name(word) {
        let [value] = parser.operands()?;
        Operation::Unary { op, value }
    } else if let Some(op) = CastOp::from_name(word) {
        let [value] = parser.operands()?;
        Operation::Cast { op, value }
    } else if let Some(op) = TernaryOp::from_name(word) {
        Operation::Ternary { op, values: parser.operands()? }
    } else if let Some(op) = word.strip_prefix("overflow.").and_then(OverflowOp::from_name) {
        let [lhs, rhs] = parser.operands()?;
        Operation::Overflow { op, lhs, rhs }
    } else if let Some(predicate) = word.strip_prefix("cmp.").and_then(IntPredicate::from_name) {
        let [lhs, rhs] = parser.operands()?;
        Operation::Compare { predicate, lhs, rhs }
    } else if let Some(predicate) = word.strip_prefix("fcmp.").and_then(FloatPredicate::from_name) {
        let [lhs, rhs] = parser.operands()?;
        Operation::FloatCompare { predicate, lhs, rhs }
    } else {
        return Ok(None);
    };
    Ok(Some(operation))
}

fn parse_offset(parser: &mut Parser) -> Parsed<Operation> {
    let base = parser.value()?;
    parser.expect(b'+')?;
    let offset = parser.number()?;
    let index = if parser.eat(b'+') {
        let value = parser.value()?;
        parser.expect(b'*')?;
        Some(Index { value, stride: parser.number()? })
    } else {
        None
    };
    Ok(Operation::Offset { base, offset, index })
}

fn parse_call(parser: &mut Parser) -> Parsed<Operation> {
    let callee = if parser.eat(b'*') { Callee::Indirect(parser.value()?) } else { Callee::Direct(parser.function()?) };
    parser.expect(b'(')?;
    let (mut arguments, mut fixed) = (Vec::new(), None);
    while !parser.eat(b')') {
        if fixed.is_none() && parser.eat(b'|') {
            fixed = Some(arguments.len() as u32);
        } else if !arguments.is_empty() {
            parser.expect(b',')?;
        }
        arguments.push(parser.value()?);
    }
    let fixed = fixed.unwrap_or(arguments.len() as u32);
    Ok(Operation::Call { callee, arguments, fixed })
}

fn parse_access(parser: &mut Parser, word: &str) -> Parsed<Operation> {
    if let Some(op) = word.strip_prefix("rmw.").and_then(RmwOp::from_name) {
        let [address, value] = parser.operands()?;
        let volatile = parser.eat_word("volatile");
        return Ok(Operation::AtomicRmw { op, address, value, ordering: parser.ordering()?, volatile });
    }
    Ok(match word {
        "load" => {
            let [address] = parser.operands()?;
            let align = parser.labelled("align")?;
            let volatile = parser.eat_word("volatile");
            Operation::Load { address, align, volatile, ordering: parser.optional_ordering() }
        }
        "store" => {
            let [address, value] = parser.operands()?;
            let align = parser.labelled("align")?;
            let volatile = parser.eat_word("volatile");
            Operation::Store { address, value, align, volatile, ordering: parser.optional_ordering() }
        }
        "cmpxchg" => {
            let [address, expected, new] = parser.operands()?;
            let (weak, volatile) = (parser.eat_word("weak"), parser.eat_word("volatile"));
            let (success, failure) = (parser.ordering()?, parser.ordering()?);
            Operation::CompareExchange { address, expected, new, weak, success, failure, volatile }
        }
        "fence" => {
            let single_thread = parser.eat_word("single_thread");
            Operation::Fence { ordering: parser.ordering()?, single_thread }
        }
        "scope_begins" => Operation::Scope { address: parser.value()?, mark: ScopeMark::Begins },
        "scope_ends" => Operation::Scope { address: parser.value()?, mark: ScopeMark::Ends },
        "memcpy" | "memmove" => {
            let [to, from, length] = parser.operands()?;
            let (may_overlap, volatile) = (word == "memmove", parser.eat_word("volatile"));
            Operation::CopyMemory { to, from, length, may_overlap, volatile }
        }
        "memset" => {
            let [to, byte, length] = parser.operands()?;
            Operation::SetMemory { to, byte, length, volatile: parser.eat_word("volatile") }
        }
        other => return parser.error(format!("`{other}` is no operation")),
    })
}

fn parse_until(parser: &mut Parser) -> Parsed<Until> {
    if !parser.eat_word("until") {
        return parser.error("expected `until`");
    }
    let mut clauses = vec![parse_clause(parser)?];
    while parser.eat_word("and") {
        clauses.push(parse_clause(parser)?);
    }
    Ok(Until { clauses })
}

fn parse_clause(parser: &mut Parser) -> Parsed<Clause> {
    parser.expect(b'(')?;
    let mut tests = vec![parse_test(parser)?];
    while parser.eat_word("or") {
        tests.push(parse_test(parser)?);
    }
    parser.expect(b')')?;
    Ok(tests)
}

fn parse_test(parser: &mut Parser) -> Parsed<Test> {
    let mask = if parser.eat_word("mask") { Some(parser.value()?) } else { None };
    let word = parser.word()?;
    let Some(predicate) = IntPredicate::from_name(&word) else {
        return parser.error(format!("`{word}` is no relation of integers"));
    };
    Ok(Test { mask, predicate, operand: parser.value()? })
}
