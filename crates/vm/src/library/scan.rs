//! `sscanf`, as far as programs that are checked use it: integers, floats, words, characters, `%n` and `%%`, with
//! widths, lengths and `*`.

use super::numbers::{integer, parse_float};
use super::{Answer, Invocation, Reply};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::script::{Paused, Script, scripted};

/// A conversion.
struct Spec {
    /// Whether what is read is dropped.
    dropped: bool,
    width: usize,
    /// The size of an integer in bytes; 8 for a float stands for `double`.
    size: u32,
    conversion: u8,
}

fn spec(format: &[u8], at: &mut usize) -> Option<Spec> {
    let next = |at: &usize| format.get(*at).copied();
    let dropped = next(at) == Some(b'*');
    *at += usize::from(dropped);
    let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let width = std::str::from_utf8(&format[*at..*at + digits]).ok().and_then(|text| text.parse().ok());
    *at += digits;
    let mut size = 4;
    while let Some(length @ (b'h' | b'l' | b'z' | b'j' | b't')) = next(at) {
        size = match length {
            b'h' if size == 2 => 1,
            b'h' => 2,
            _ => 8,
        };
        *at += 1;
    }
    let conversion = next(at)?;
    *at += 1;
    Some(Spec { dropped, width: width.unwrap_or(usize::MAX), size, conversion })
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// What a conversion makes of the text: what is to be written, and how much of the text it takes.
fn convert(spec: &Spec, text: &[u8], done: usize) -> Result<Option<(Vec<u8>, usize)>, Failure> {
    let limited = |text: &[u8]| text[..text.len().min(spec.width)].to_vec();
    let number = |base| {
        let skipped = spaces(text);
        let (value, length) = integer(&limited(&text[skipped..]), base);
        (length > 0).then(|| (value.to_le_bytes()[..spec.size as usize].to_vec(), skipped + length))
    };
    Ok(match spec.conversion {
        b'd' | b'u' => number(10),
        b'i' => number(0),
        b'x' | b'X' => number(16),
        b'o' => number(8),
        b'f' | b'e' | b'g' => {
            let skipped = spaces(text);
            let (value, length) = parse_float(&limited(&text[skipped..]));
            let bytes =
                if spec.size == 8 { value.to_le_bytes().to_vec() } else { (value as f32).to_le_bytes().to_vec() };
            (length > 0).then_some((bytes, skipped + length))
        }
        b's' => {
            let skipped = spaces(text);
            let word = text[skipped..].iter().take(spec.width).take_while(|byte| !byte.is_ascii_whitespace()).count();
            let mut bytes = text[skipped..skipped + word].to_vec();
            bytes.push(0);
            (word > 0).then_some((bytes, skipped + word))
        }
        b'c' => {
            let count = if spec.width == usize::MAX { 1 } else { spec.width };
            (text.len() >= count).then(|| (text[..count].to_vec(), count))
        }
        b'n' => Some(((done as u64).to_le_bytes()[..spec.size as usize].to_vec(), 0)),
        other => {
            let message = format!("`sscanf` with the conversion `%{}` is not modelled", char::from(other));
            return Err(Failure::unsupported(message));
        }
    })
}

/// Writes what was read: a number at once, text byte by byte.
fn deliver(script: &mut Script<'_>, spec: &Spec, target: u64, bytes: &[u8]) -> Paused<()> {
    if matches!(spec.conversion, b's' | b'c') {
        return script.write_bytes(target, bytes);
    }
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    script.write(target, bytes.len() as u32, Cell::new(u64::from_le_bytes(whole)))
}

pub(super) fn sscanf(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let (text, format) = (call.number(0)?, call.number(1)?);
    scripted(machine, call, |script| {
        let (text, format) = (script.string(text, u64::MAX)?, script.string(format, u64::MAX)?);
        let mut targets = call.arguments[2..].iter();
        let (mut at, mut done, mut assigned) = (0, 0, 0);
        while let Some(&byte) = format.get(at) {
            at += 1;
            if byte.is_ascii_whitespace() {
                done += spaces(&text[done..]);
                continue;
            }
            if byte != b'%' || format.get(at) == Some(&b'%') {
                at += usize::from(byte == b'%');
                if text.get(done) != Some(&byte) {
                    break;
                }
                done += 1;
                continue;
            }
            let Some(spec) = spec(&format, &mut at) else { break };
            let Some((bytes, length)) = convert(&spec, &text[done..], done)? else {
                let is_at_end = done + spaces(&text[done..]) == text.len();
                return Ok(Reply::int(if is_at_end && assigned == 0 { -1 } else { assigned }));
            };
            done += length;
            if !spec.dropped {
                let Some(target) = targets.next() else {
                    return Err(Failure::misuse("a format asks for more arguments than there are").into());
                };
                deliver(script, &spec, target.bits, &bytes)?;
                assigned += i32::from(spec.conversion != b'n');
            }
        }
        Ok(Reply::int(assigned))
    })
}
