//! Numbers: reading them, random ones, functions of them; and characters.

use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;

/// The number at the start of a string: its value, and how many bytes it takes.
fn parse(string: &[u8], mut base: u32) -> (bool, u64, usize) {
    let mut at = string.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let negative = string.get(at) == Some(&b'-');
    if matches!(string.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let prefixed = string[at..].starts_with(b"0x") || string[at..].starts_with(b"0X");
    let hexadecimal = prefixed && string.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    if hexadecimal && (base == 0 || base == 16) {
        at += 2;
        base = 16;
    } else if base == 0 {
        base = if string.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    let start = at;
    let mut value = 0_u64;
    while let Some(digit) = string.get(at).and_then(|&byte| char::from(byte).to_digit(base.clamp(2, 36))) {
        value = value.saturating_mul(base.into()).saturating_add(digit.into());
        at += 1;
    }
    if at == start { (false, 0, 0) } else { (negative, value, at) }
}

/// The value, as near as it can be had.
fn signed((negative, value, _): (bool, u64, usize)) -> i64 {
    match i64::try_from(value) {
        Ok(value) if negative => -value,
        Ok(value) => value,
        Err(_) if negative => i64::MIN,
        Err(_) => i64::MAX,
    }
}

/// Tells the program that a number was too large.
fn note_range(machine: &mut Machine, call: &Invocation<'_>, fits: bool) {
    const ERANGE: u64 = 34;
    if !fits {
        let object = machine.errno(call.thread);
        machine.write(object, 0, 4, Cell::new(ERANGE));
    }
}

fn string_argument(machine: &mut Machine, call: &Invocation<'_>) -> Result<Result<Vec<u8>, Reply>, Failure> {
    let address = call.number(0)?;
    if let Some(request) = machine.reading(call, &[(address, u64::MAX)])? {
        return Ok(Err(Reply::Visible(request)));
    }
    machine.string(address, u64::MAX).map(Ok)
}

pub(super) fn atoi(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match string_argument(machine, call)? {
        Ok(string) => Reply::int(signed(parse(&string, 10)) as i32),
        Err(reply) => Ok(reply),
    }
}

pub(super) fn atol(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match string_argument(machine, call)? {
        Ok(string) => Reply::word(signed(parse(&string, 10)) as u64),
        Err(reply) => Ok(reply),
    }
}

/// Tells the program how far a number reaches.
fn set_end(machine: &mut Machine, call: &Invocation<'_>, length: usize) -> Result<(), Failure> {
    let target = call.number(1)?;
    if target != 0 {
        let (object, offset) = machine.follow(Cell::new(target), 8)?;
        machine.write(object, offset, 8, Cell::new(call.number(0)? + length as u64));
    }
    Ok(())
}

pub(super) fn strtol(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let parsed = match string_argument(machine, call)? {
        Ok(string) => parse(&string, call.int(2)? as u32),
        Err(reply) => return Ok(reply),
    };
    set_end(machine, call, parsed.2)?;
    note_range(machine, call, i64::try_from(parsed.1).is_ok() || parsed.0 && parsed.1 == 1 << 63);
    Reply::word(signed(parsed) as u64)
}

pub(super) fn strtoul(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (negative, value, length) = match string_argument(machine, call)? {
        Ok(string) => parse(&string, call.int(2)? as u32),
        Err(reply) => return Ok(reply),
    };
    set_end(machine, call, length)?;
    note_range(machine, call, value != u64::MAX);
    Reply::word(if negative { value.wrapping_neg() } else { value })
}

/// The float at the start of a string, and how many bytes it takes.
fn parse_float(string: &[u8]) -> (f64, usize) {
    let space = string.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let text = String::from_utf8_lossy(&string[space..]).into_owned();
    let longest = (1..=text.len()).rev().filter(|&end| text.is_char_boundary(end));
    let found = longest.map(|end| (text[..end].parse::<f64>(), end)).find(|(value, _)| value.is_ok());
    found.map_or((0.0, 0), |(value, end)| (value.unwrap_or(0.0), space + end))
}

pub(super) fn atof(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    match string_argument(machine, call)? {
        Ok(string) => Reply::word(parse_float(&string).0.to_bits()),
        Err(reply) => Ok(reply),
    }
}

pub(super) fn strtod(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (value, length) = match string_argument(machine, call)? {
        Ok(string) => parse_float(&string),
        Err(reply) => return Ok(reply),
    };
    set_end(machine, call, length)?;
    Reply::word(value.to_bits())
}

pub(super) fn abs(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::int(call.int(0)?.wrapping_abs())
}

pub(super) fn labs(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word((call.number(0)? as i64).wrapping_abs() as u64)
}

/// Every thread has a sequence of its own, so that it does not depend on what others do.
pub(super) fn rand(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let state = &mut machine.threads[call.thread].core.random;
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    Reply::word(*state >> 33)
}

pub(super) fn srand(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.threads[call.thread].core.random = call.number(0)?;
    Reply::nothing()
}

fn called<'m>(machine: &'m Machine, call: &Invocation<'_>) -> &'m str {
    &machine.module.function(call.function).name
}

pub(super) fn classify(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let Ok(byte) = u8::try_from(call.int(0)?) else { return Reply::int(0) };
    let holds = match called(machine, call) {
        "isalpha" => byte.is_ascii_alphabetic(),
        "isdigit" => byte.is_ascii_digit(),
        "isalnum" => byte.is_ascii_alphanumeric(),
        "isspace" => byte.is_ascii_whitespace() || byte == 0x0b,
        "isupper" => byte.is_ascii_uppercase(),
        "islower" => byte.is_ascii_lowercase(),
        "ispunct" => byte.is_ascii_punctuation(),
        "isxdigit" => byte.is_ascii_hexdigit(),
        "isprint" => byte.is_ascii_graphic() || byte == b' ',
        "isgraph" => byte.is_ascii_graphic(),
        "iscntrl" => byte.is_ascii_control(),
        _ => byte == b' ' || byte == b'\t',
    };
    Reply::int(i32::from(holds))
}

pub(super) fn toupper(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let value = call.int(0)?;
    Reply::int(u8::try_from(value).map_or(value, |byte| byte.to_ascii_uppercase().into()))
}

pub(super) fn tolower(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let value = call.int(0)?;
    Reply::int(u8::try_from(value).map_or(value, |byte| byte.to_ascii_lowercase().into()))
}

pub(super) fn function(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let x = f64::from_bits(call.number(0)?);
    Reply::word(by_name(called(machine, call), x).to_bits())
}

/// The same in single precision: the name ends in `f`.
pub(super) fn function_single(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let x = f32::from_bits(call.number(0)? as u32);
    let name = called(machine, call);
    let result = by_name(name.strip_suffix('f').unwrap_or(name), x.into());
    Reply::word(u64::from((result as f32).to_bits()))
}

fn by_name(name: &str, x: f64) -> f64 {
    match name {
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "floor" => x.floor(),
        "ceil" => x.ceil(),
        "fabs" => x.abs(),
        "round" => x.round(),
        "trunc" => x.trunc(),
        "rint" | "nearbyint" => x.round_ties_even(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        _ => x.tanh(),
    }
}

/// The quotient and the remainder, of type `int`: a structure of 8 bytes.
pub(super) fn div(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (a, b) = (call.int(0)?, call.int(1)?);
    let (Some(quotient), Some(remainder)) = (a.checked_div(b), a.checked_rem(b)) else {
        return Err(crate::arithmetic::Fault::ZeroDivisor.into());
    };
    Reply::word(u64::from(quotient as u32) | u64::from(remainder as u32) << 32)
}

/// The quotient and the remainder, of type `long`.
pub(super) fn ldiv(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (a, b) = (call.number(0)? as i64, call.number(1)? as i64);
    let (Some(quotient), Some(remainder)) = (a.checked_div(b), a.checked_rem(b)) else {
        return Err(crate::arithmetic::Fault::ZeroDivisor.into());
    };
    Ok(Reply::Return([quotient, remainder].map(|value| Cell::new(value as u64)).into_iter().collect()))
}

pub(super) fn to_integer(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let x = f64::from_bits(call.number(0)?);
    let away = called(machine, call).ends_with("round");
    Reply::word(if away { x.round() } else { x.round_ties_even() } as i64 as u64)
}

pub(super) fn ldexp(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (mut x, mut exponent) = (f64::from_bits(call.number(0)?), call.int(1)?.clamp(-3000, 3000));
    // In steps that no power of two overflows.
    while exponent != 0 {
        let part = exponent.clamp(-1000, 1000);
        x *= 2_f64.powi(part);
        exponent -= part;
    }
    Reply::word(x.to_bits())
}

pub(super) fn frexp(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (mut x, mut exponent) = (f64::from_bits(call.number(0)?), 0_i32);
    while x.is_finite() && x != 0.0 && x.abs() >= 1.0 {
        x /= 2.0;
        exponent += 1;
    }
    while x.is_finite() && x != 0.0 && x.abs() < 0.5 {
        x *= 2.0;
        exponent -= 1;
    }
    let (object, offset) = machine.follow(call.cell(1), 4)?;
    machine.write(object, offset, 4, Cell::new(u64::from(exponent as u32)));
    Reply::word(x.to_bits())
}

pub(super) fn modf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let x = f64::from_bits(call.number(0)?);
    let (object, offset) = machine.follow(call.cell(1), 8)?;
    machine.write(object, offset, 8, Cell::new(x.trunc().to_bits()));
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    Reply::word(fraction.copysign(x).to_bits())
}

pub(super) fn function_of_two(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (x, y) = (f64::from_bits(call.number(0)?), f64::from_bits(call.number(1)?));
    let result = match called(machine, call) {
        "pow" => x.powf(y),
        "atan2" => x.atan2(y),
        "fmod" => x % y,
        "hypot" => x.hypot(y),
        "fmin" => x.min(y),
        _ => x.max(y),
    };
    Reply::word(result.to_bits())
}
