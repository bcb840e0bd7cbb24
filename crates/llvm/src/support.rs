//! What the C++ library has in its binary, and programs need when they are executed.

use crate::link::Unit;

/// The exception classes, in C++.
pub(crate) const EXCEPTIONS: &str = include_str!("../support/exceptions.cpp");

/// What a program has in it that names one of the exception classes: the description of its type.
const DESCRIPTIONS: &str = "_ZTISt";
const OF_FUTURES: [&str; 2] = ["_ZTISt12future_error", "_ZTVSt12future_error"];
/// The descriptions of what the C++ library has besides.
const OTHERS: [&str; 2] = ["_ZTISt9type_info", "_ZTISt19_Sp_make_shared_tag"];

/// The flags with which [`EXCEPTIONS`] is to be compiled, if the program throws or catches one of its classes.
pub(crate) fn flags(units: &[Unit]) -> Option<Vec<&'static str>> {
    let mut globals = units.iter().flat_map(|unit| &unit.module.globals).filter(|global| global.initialiser.is_none());
    let names_one = |name: &str| name.starts_with(DESCRIPTIONS) && !OTHERS.contains(&name);
    let has_one = globals.clone().any(|global| names_one(&global.name));
    let has_futures = globals.any(|global| OF_FUTURES.contains(&global.name.as_str()));
    has_one.then(|| if has_futures { vec!["-DEVERYWAY_FUTURE"] } else { Vec::new() })
}
