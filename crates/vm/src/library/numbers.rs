//! Numbers: reading them, random ones, functions of them; and characters.

use super::verifier::nondet;
use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::fixed::Fixed;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};
use crate::settings::Environment;

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

/// The integer at the start of a string, and how many bytes it takes.
pub(super) fn integer(string: &[u8], base: u32) -> (u64, usize) {
    let parsed = parse(string, base);
    (signed(parsed) as u64, parsed.2)
}

/// Tells the program that a number was too large.
fn note_range(machine: &mut Machine, call: &Invocation<'_>, fits: bool) {
    const ERANGE: u64 = 34;
    if !fits {
        let object = machine.errno(call.thread);
        machine.write(object, 0, 4, Cell::new(ERANGE));
    }
}

/// White space, a sign, and what `continues` the digits before it: the part of the string at `address` that can be
/// a number. Nothing after the first byte that cannot is looked at.
fn number_text(script: &mut Script<'_>, address: u64, continues: impl Fn(&[u8], u8) -> bool) -> Paused<Vec<u8>> {
    let mut text = Vec::new();
    let mut next = script.byte(address)?;
    let take = |script: &mut Script<'_>, text: &mut Vec<u8>, byte: u8| {
        text.push(byte);
        script.byte(address.wrapping_add(text.len() as u64))
    };
    while next.is_ascii_whitespace() {
        next = take(script, &mut text, next)?;
    }
    if matches!(next, b'-' | b'+') {
        next = take(script, &mut text, next)?;
    }
    let start = text.len();
    while next != 0 && continues(&text[start..], next) {
        next = take(script, &mut text, next)?;
    }
    Ok(text)
}

fn integer_text(script: &mut Script<'_>, address: u64, base: u32) -> Paused<Vec<u8>> {
    number_text(script, address, |digits, byte| {
        let is_prefix = digits == b"0" && matches!(byte, b'x' | b'X') && matches!(base, 0 | 16);
        let base = if base == 0 { 16 } else { base.clamp(2, 36) };
        is_prefix || char::from(byte).is_digit(base)
    })
}

fn float_text(script: &mut Script<'_>, address: u64) -> Paused<Vec<u8>> {
    number_text(script, address, |digits, byte| {
        let after_exponent = matches!(digits.last(), Some(b'e' | b'E'));
        byte.is_ascii_alphanumeric() || byte == b'.' || after_exponent && matches!(byte, b'-' | b'+')
    })
}

pub(super) fn atoi(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| Ok(Reply::int(signed(parse(&integer_text(script, address, 10)?, 10)) as i32)))
}

pub(super) fn atol(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| Ok(Reply::word(signed(parse(&integer_text(script, address, 10)?, 10)) as u64)))
}

pub(super) fn atof(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let address = call.number(0)?;
    scripted(machine, call, |script| Ok(Reply::word(parse_float(&float_text(script, address)?).0.to_bits())))
}

/// Returns the number at the first argument that `read` reads, and tells the program how far it reaches.
fn with_end(
    machine: &mut Machine,
    call: &Invocation<'_>,
    read: impl Fn(&mut Script<'_>, u64) -> Paused<(u64, usize)>,
) -> Answer {
    let (address, end) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let (value, length) = read(script, address)?;
        if end != 0 {
            script.write(end, 8, Cell::new(address + length as u64))?;
        }
        Ok(Reply::word(value))
    })
}

pub(super) fn strtol(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let base = call.int(2)? as u32;
    with_end(machine, call, |script, address| {
        let parsed = parse(&integer_text(script, address, base)?, base);
        note_range(script.machine, call, i64::try_from(parsed.1).is_ok() || parsed.0 && parsed.1 == 1 << 63);
        Ok((signed(parsed) as u64, parsed.2))
    })
}

pub(super) fn strtoul(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let base = call.int(2)? as u32;
    with_end(machine, call, |script, address| {
        let (negative, value, length) = parse(&integer_text(script, address, base)?, base);
        note_range(script.machine, call, value != u64::MAX);
        Ok((if negative { value.wrapping_neg() } else { value }, length))
    })
}

/// The float at the start of a string, and how many bytes it takes.
pub(super) fn parse_float(string: &[u8]) -> (f64, usize) {
    let space = string.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let text = String::from_utf8_lossy(&string[space..]).into_owned();
    let longest = (1..=text.len()).rev().filter(|&end| text.is_char_boundary(end));
    let found = longest.map(|end| (text[..end].parse::<f64>(), end)).find(|(value, _)| value.is_ok());
    found.map_or((0.0, 0), |(value, end)| (value.unwrap_or(0.0), space + end))
}

pub(super) fn strtod(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    with_end(machine, call, |script, address| {
        let (value, length) = parse_float(&float_text(script, address)?);
        Ok((value.to_bits(), length))
    })
}

pub(super) fn abs(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::int(call.int(0)?.wrapping_abs())
}

pub(super) fn labs(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word((call.number(0)? as i64).wrapping_abs() as u64)
}

/// `ffs` and its like: the number of the lowest bit that is set, from 1 on; 0 if none is.
pub(super) fn first_set(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let width = machine.module.function(call.function).signature.parameters.first().map_or(64, |ty| ty.bits());
    let bits = call.number(0)? & crate::cell::mask(width);
    Reply::int(if bits == 0 { 0 } else { bits.trailing_zeros() as i32 + 1 })
}

fn next_random(state: u64) -> u64 {
    state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// Every thread has a sequence of its own, so that it does not depend on what others do.
pub(super) fn rand(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    if machine.settings.environment == Environment::AnyAnswer {
        return nondet(machine, call);
    }
    Reply::word(one_of_sequence(machine, call) >> 1)
}

/// `std::random_device::_M_getval()`
pub(super) fn random_device(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    Reply::word(one_of_sequence(machine, call))
}

/// The next random number of 32 bits.
fn one_of_sequence(machine: &mut Machine, call: &Invocation<'_>) -> u64 {
    machine.fix(Fixed::RandomNumbers);
    let state = &mut machine.threads[call.thread].core.random;
    *state = next_random(*state);
    *state >> 32
}

pub(super) fn rand_r(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    machine.fix(Fixed::RandomNumbers);
    let seed = call.number(0)?;
    scripted(machine, call, |script| {
        let next = next_random(script.read(seed, 4)?.bits) >> 32;
        script.write(seed, 4, Cell::new(next))?;
        Ok(Reply::word(next >> 1))
    })
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

/// Writes the one part of a result to where the second argument says, and returns the other.
fn deliver(machine: &mut Machine, call: &Invocation<'_>, size: u32, written: u64, returned: f64) -> Answer {
    let target = call.number(1)?;
    scripted(machine, call, |script| {
        script.write(target, size, Cell::new(written))?;
        Ok(Reply::word(returned.to_bits()))
    })
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
    deliver(machine, call, 4, u64::from(exponent as u32), x)
}

pub(super) fn modf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let x = f64::from_bits(call.number(0)?);
    let fraction = if x.is_infinite() { 0.0 } else { x - x.trunc() };
    deliver(machine, call, 8, x.trunc().to_bits(), fraction.copysign(x))
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

/// What newer versions of clang make of `modf`: both parts are returned.
pub(super) fn modf_in_registers(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    let number = f64::from_bits(call.number(0)?);
    let whole = number.trunc();
    let fraction = if number.is_infinite() { 0.0 } else { number - whole };
    let parts = [fraction.copysign(number), whole].map(|part| Cell::new(part.to_bits()));
    Ok(Reply::Return(smallvec::SmallVec::from_slice(&parts)))
}
