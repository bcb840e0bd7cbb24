//! Checks that clang has put into the program because it was asked to (`-fsanitize=...`), and that fail.

use super::{Answer, Invocation};
use crate::cell::Cell;
use crate::failure::Failure;
use crate::machine::Machine;
use everyway_report::BugKind;

fn overflow(what: &str) -> Failure {
    Failure::new(BugKind::SignedOverflow, format!("signed overflow in {what}"))
}

/// `llvm.ubsantrap`. Checks are told apart by clang's `SanitizerHandler`.
pub(super) fn trap(_: &mut Machine, call: &Invocation<'_>) -> Answer {
    Err(match call.number(0)? & 0xff {
        0 => overflow("an addition"),
        3 => overflow("a division"),
        12 => overflow("a multiplication"),
        13 => overflow("a negation"),
        21 => overflow("a subtraction"),
        11 => Failure::new(BugKind::Abort, "a function that returns a value ends without `return`"),
        _ => Failure::new(BugKind::Abort, "a check that the compiler was asked for fails"),
    })
}

/// A type, as clang describes it to the function that reports a failed check.
struct Described {
    /// Of an integer, twice the logarithm of how many bits it has, and whether it is signed.
    info: u64,
    name: String,
}

impl Described {
    /// What is described by the `nth` of the descriptions that `data` has. They are behind a place in the source, 16 bytes
    /// long.
    fn read(machine: &mut Machine, data: u64, nth: u64) -> Result<Self, Failure> {
        let (object, offset) = machine.follow(Cell::new(data.wrapping_add(16 + 8 * nth)), 8)?;
        let description = machine.memory.read(object, offset, 8).bits;
        let (object, offset) = machine.follow(Cell::new(description), 4)?;
        // A kind, what else is to know of an integer, and the name of the type.
        let info = machine.memory.read(object, offset + 2, 2).bits;
        Ok(Self { info, name: machine.text_at(description.wrapping_add(4)).trim_matches('\'').to_owned() })
    }

    fn is_signed(&self) -> bool {
        self.info & 1 == 1
    }

    fn bits(&self) -> u64 {
        1_u64.checked_shl((self.info >> 1) as u32).unwrap_or(64)
    }

    /// The integer of this type that a handler is passed as `bits`; a wider one is passed by its address.
    fn integer(&self, bits: u64) -> String {
        match 64_u64.checked_sub(self.bits()) {
            Some(unused) if self.is_signed() => ((bits << unused) as i64 >> unused).to_string(),
            Some(unused) => (bits << unused >> unused).to_string(),
            None => format!("a value of type `{}`", self.name),
        }
    }
}

/// `__ubsan_handle_out_of_bounds_abort(data, index)`: an index into an array. The types are those of the array and of the
/// index.
pub(super) fn index(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let data = call.number(0)?;
    let message = match (Described::read(machine, data, 0), Described::read(machine, data, 1)) {
        (Ok(array), Ok(index)) => {
            let (index, array) = (index.integer(call.number(1)?), array.name.replace(" [", "["));
            format!("the index {index} is outside of the bounds of an array of type `{array}`")
        }
        _ => "an index is outside of the bounds of its array".to_owned(),
    };
    Err(Failure::new(BugKind::OutOfBounds, message))
}

/// `__ubsan_handle_shift_out_of_bounds_abort(data, value, amount)`: the value is shifted by as many bits as it has or more,
/// or by less than none; or it is signed, and what would come of it is not of its type.
pub(super) fn shift(machine: &mut Machine, call: &Invocation<'_>) -> Answer {
    let data = call.number(0)?;
    let (value, amount) = (Described::read(machine, data, 0)?, Described::read(machine, data, 1)?);
    let what = format!(
        "{} of type `{}` is shifted by {}",
        value.integer(call.number(1)?),
        value.name,
        amount.integer(call.number(2)?)
    );
    Err(if value.is_signed() {
        overflow(&format!("a shift: {what}"))
    } else {
        Failure::misuse(format!("{what}, which is not defined for {} bits", value.bits()))
    })
}
