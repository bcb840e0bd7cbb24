//! The formats of `printf`.

use crate::cell::Cell;
use crate::failure::Failure;
use crate::script::{Paused, Script};

/// Where the arguments of a format come from.
pub(super) enum Source<'a> {
    /// The lanes of the call.
    Lanes(&'a [Cell]),
    /// The area that a `va_list` points to.
    Area(u64),
}

impl Source<'_> {
    fn next(&mut self, script: &mut Script<'_>) -> Paused<Cell> {
        match self {
            Source::Lanes(lanes) => match lanes.split_first() {
                Some((&first, rest)) => {
                    *lanes = rest;
                    Ok(first)
                }
                None => Err(Failure::misuse("a format asks for more arguments than there are").into()),
            },
            Source::Area(address) => {
                let value = script.read(*address, 8)?;
                *address += 8;
                Ok(value)
            }
        }
    }
}

/// A conversion, such as `%-08.3lx`.
#[derive(Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// The size of an integer argument in bytes.
    size: u32,
}

/// What `format` prints with the arguments of `source`.
pub(super) fn format(script: &mut Script<'_>, format: &[u8], source: &mut Source<'_>) -> Paused<Vec<u8>> {
    let mut output = Vec::with_capacity(format.len());
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            output.push(byte);
            continue;
        }
        let spec = parse(script, &mut rest, source)?;
        let Some((&conversion, after)) = rest.split_first() else { break };
        rest = after;
        convert(script, &spec, conversion, source, &mut output)?;
    }
    Ok(output)
}

fn parse(script: &mut Script<'_>, rest: &mut &[u8], source: &mut Source<'_>) -> Paused<Spec> {
    let mut spec = Spec { size: 4, ..Spec::default() };
    while let Some((&flag, after)) = rest.split_first() {
        match flag {
            b'-' => spec.minus = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            _ => break,
        }
        *rest = after;
    }
    if let Some(width) = number(script, rest, source)? {
        spec.minus |= width < 0;
        spec.width = width.unsigned_abs() as usize;
    }
    if let Some((b'.', after)) = rest.split_first() {
        *rest = after;
        let precision = number(script, rest, source)?.unwrap_or(0);
        spec.precision = usize::try_from(precision).ok();
    }
    while let Some((&length, after)) = rest.split_first() {
        spec.size = match length {
            b'h' if spec.size == 2 => 1,
            b'h' => 2,
            b'l' | b'q' | b'j' | b'z' | b't' | b'L' => 8,
            _ => break,
        };
        *rest = after;
    }
    Ok(spec)
}

fn number(script: &mut Script<'_>, rest: &mut &[u8], source: &mut Source<'_>) -> Paused<Option<i32>> {
    if let Some((b'*', after)) = rest.split_first() {
        *rest = after;
        return Ok(Some(source.next(script)?.bits as u32 as i32));
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = std::str::from_utf8(&rest[..digits]).ok().and_then(|text| text.parse().ok());
    *rest = &rest[digits..];
    Ok(value)
}

fn convert(
    script: &mut Script<'_>,
    spec: &Spec,
    conversion: u8,
    source: &mut Source<'_>,
    output: &mut Vec<u8>,
) -> Paused<()> {
    match conversion {
        b'%' => output.push(b'%'),
        b'c' => {
            let byte = source.next(script)?.bits as u8;
            pad(spec, Vec::new(), vec![byte], false, output);
        }
        b's' => {
            let address = source.next(script)?.bits;
            let most = spec.precision.map_or(u64::MAX, |precision| precision as u64);
            let text = if address == 0 { b"(null)".to_vec() } else { script.string(address, most)? };
            pad(spec, Vec::new(), text, false, output);
        }
        b'p' => {
            let address = source.next(script)?.bits;
            let text = if address == 0 { "(nil)".to_owned() } else { format!("{address:#x}") };
            pad(spec, Vec::new(), text.into_bytes(), false, output);
        }
        b'n' => {
            let address = source.next(script)?.bits;
            script.write(address, spec.size, Cell::new(output.len() as u64))?;
        }
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            let value = source.next(script)?.bits;
            integer(spec, conversion, value, output);
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let value = f64::from_bits(source.next(script)?.bits);
            float(spec, conversion, value, output);
        }
        other => {
            output.push(b'%');
            output.push(other);
        }
    }
    Ok(())
}

fn pad(spec: &Spec, prefix: Vec<u8>, body: Vec<u8>, zeros: bool, output: &mut Vec<u8>) {
    let missing = spec.width.saturating_sub(prefix.len() + body.len());
    let fill = |output: &mut Vec<u8>, byte| output.extend(std::iter::repeat_n(byte, missing));
    if !spec.minus && !zeros {
        fill(output, b' ');
    }
    output.extend(prefix);
    if !spec.minus && zeros {
        fill(output, b'0');
    }
    output.extend(body);
    if spec.minus {
        fill(output, b' ');
    }
}

fn sign(spec: &Spec, negative: bool) -> Vec<u8> {
    let sign = if negative {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    };
    sign.as_bytes().to_vec()
}

fn integer(spec: &Spec, conversion: u8, value: u64, output: &mut Vec<u8>) {
    let width = 8 * spec.size;
    let is_signed = matches!(conversion, b'd' | b'i');
    let signed = crate::cell::sign_extend(value, width);
    let magnitude = if is_signed { signed.unsigned_abs() } else { value & crate::cell::mask(width) };
    let mut digits = match conversion {
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        b'o' => format!("{magnitude:o}"),
        _ => magnitude.to_string(),
    };
    if spec.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    while digits.len() < spec.precision.unwrap_or(0) {
        digits.insert(0, '0');
    }
    let mut prefix = if is_signed { sign(spec, signed < 0) } else { Vec::new() };
    if spec.alternate && magnitude != 0 {
        match conversion {
            b'x' => prefix.extend(b"0x"),
            b'X' => prefix.extend(b"0X"),
            b'o' if !digits.starts_with('0') => digits.insert(0, '0'),
            _ => {}
        }
    }
    pad(spec, prefix, digits.into_bytes(), spec.zero && spec.precision.is_none(), output);
}

fn float(spec: &Spec, conversion: u8, value: f64, output: &mut Vec<u8>) {
    let precision = spec.precision.unwrap_or(6);
    let magnitude = value.abs();
    let mut text = match conversion.to_ascii_lowercase() {
        _ if value.is_nan() => "nan".to_owned(),
        _ if value.is_infinite() => "inf".to_owned(),
        b'f' => format!("{magnitude:.precision$}"),
        b'e' => exponential(magnitude, precision),
        b'g' => shortest(magnitude, precision.max(1), spec.alternate),
        _ => format!("{:#x}", magnitude.to_bits()),
    };
    if conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    pad(spec, sign(spec, value.is_sign_negative()), text.into_bytes(), spec.zero && value.is_finite(), output);
}

fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// As `%g`.
pub(super) fn shortest(value: f64, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponential(value, precision - 1);
    let exponent: i32 = scientific.rsplit_once('e').and_then(|parts| parts.1.parse().ok()).unwrap_or(0);
    let trim = |text: &str| {
        if keep_zeros || !text.contains('.') {
            text.to_owned()
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        return format!("{}e{exponent}", trim(mantissa));
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{value:.decimals$}"))
}
